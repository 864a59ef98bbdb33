/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clusters: the actors that references hold together, and where to cut them. */
#include "cmds/commands.h"
#include "cmds/plain.h"

#include <cellscope/explain.h>

struct edge_row {
	const char *from, *to, *kind;
};

static const struct cs_column edge_columns[] = {
	PLAIN("from", struct edge_row, from, TEXT, text, "the actor that references",
		.flags = CS_COLUMN_SHORT),
	PLAIN("to", struct edge_row, to, TEXT, text, "the actor that is referenced, or the child",
		.flags = CS_COLUMN_SHORT),
	PLAIN("kind", struct edge_row, kind, TEXT, text, "reference or attachment",
		.flags = CS_COLUMN_SHORT),
};

static const struct cs_table edge_table = PLAIN_TABLE("edges", "edge", edge_columns);

static const char *title_of(const struct cs_cooked *c, uint32_t actor)
{
	const char *label = cs_cooked_text(c, c->actors[actor].label);
	return *label ? label : cs_cooked_text(c, c->actors[actor].name);
}

static struct edge_row make_edge(const struct cs_cooked *c, const struct cs_cluster_edge *edge)
{
	return (struct edge_row){title_of(c, edge->from), title_of(c, edge->to),
		edge->attachment ? "attachment" : "reference"};
}

static void say_members(
	struct output *out, const struct cs_cooked *c, const struct cs_actor_cluster *cluster)
{
	say(out, "%zu actor%s, %zu edge%s\n", cluster->n_members,
		cluster->n_members == 1 ? "" : "s", cluster->n_edges,
		cluster->n_edges == 1 ? "" : "s");
	for (size_t i = 0; i < cluster->n_members; i++)
		say(out, "  %s\n", title_of(c, cluster->members[i]));
}

static struct cs_error *emit_edges(
	struct call *call, const struct cs_cooked *c, const struct cs_actor_cluster *cluster)
{
	struct edge_row *rows = calloc(cluster->n_edges + 1, sizeof(*rows));
	if (!rows)
		return cs_error_nomem();
	for (size_t i = 0; i < cluster->n_edges; i++)
		rows[i] = make_edge(c, &cluster->edges[i]);
	struct cs_error *error =
		emit_plain(call, &edge_table, rows, cluster->n_edges, sizeof(*rows));
	free(rows);
	return error;
}

static struct cs_error *run_cluster(struct call *call)
{
	const struct cs_cooked *c = call->session->world;
	struct cs_actor_cluster cluster;
	struct cs_error *error = cs_cooked_load_actors(call->session->world);
	if (!error)
		error = cs_cluster_of_actor(c, call_argument(call, 0)->row, &cluster);
	if (error)
		return error;
	if (!wants_rows(call))
		say_members(call->out, c, &cluster);
	if (wants_rows(call) || cluster.n_edges)
		error = emit_edges(call, c, &cluster);
	cs_actor_cluster_deinit(&cluster);
	return error;
}

const struct command command_cluster = {
	.name = "cluster",
	.group = GROUP_WHY,
	.flags = COMMAND_WORLD | COMMAND_LISTS,
	.arguments = {{"ACTOR", ARGUMENT_ACTOR}},
	.summary = "the actors that share a cell with it, and the edges that tie them",
	.examples = "cluster Lamp_04\ncluster Lamp_04 --json",
	.run = run_cluster,
};

/* ---- cut ---- */

struct cut_row {
	const char *from, *to, *kind;
	uint32_t left, right;
	int32_t left_level, right_level;
};

static const struct cs_column cut_columns[] = {
	PLAIN("from", struct cut_row, from, TEXT, text, "one end of the edge",
		.flags = CS_COLUMN_SHORT),
	PLAIN("to", struct cut_row, to, TEXT, text, "the other end", .flags = CS_COLUMN_SHORT),
	PLAIN("kind", struct cut_row, kind, TEXT, text, "reference or attachment",
		.flags = CS_COLUMN_SHORT),
	PLAIN("from_actors", struct cut_row, left, INTEGER, u32, "actors on the side of `from`",
		.flags = CS_COLUMN_SHORT),
	PLAIN("to_actors", struct cut_row, right, INTEGER, u32, "actors on the side of `to`",
		.flags = CS_COLUMN_SHORT),
	PLAIN("from_level", struct cut_row, left_level, INTEGER, i32,
		"level that the size of that side asks for, -1 unknown", .flags = CS_COLUMN_SHORT),
	PLAIN("to_level", struct cut_row, right_level, INTEGER, i32,
		"level that the size of that side asks for, -1 unknown", .flags = CS_COLUMN_SHORT),
};

static const struct cs_table cut_table = PLAIN_TABLE("cuts", "cut", cut_columns);

static struct cs_error *emit_cuts(struct call *call, const struct cs_cooked *c,
	const struct cs_actor_cluster *cluster, const struct cs_cluster_cut *cuts, size_t n)
{
	struct cut_row *rows = calloc(n + 1, sizeof(*rows));
	if (!rows)
		return cs_error_nomem();
	for (size_t i = 0; i < n; i++) {
		struct edge_row edge = make_edge(c, &cluster->edges[cuts[i].edge]);
		rows[i] = (struct cut_row){edge.from, edge.to, edge.kind, cuts[i].left,
			cuts[i].right, cuts[i].left_level, cuts[i].right_level};
	}
	struct cs_error *error = emit_plain(call, &cut_table, rows, n, sizeof(*rows));
	free(rows);
	return error;
}

static struct cs_error *run_cut(struct call *call)
{
	const struct cs_cooked *c = call->session->world;
	struct cs_actor_cluster cluster;
	struct cs_cluster_cut *cuts = NULL;
	size_t n = 0;
	struct cs_error *error = cs_cooked_load_actors(call->session->world);
	if (!error)
		error = cs_cluster_of_actor(c, call_argument(call, 0)->row, &cluster);
	if (error)
		return error;
	error = cs_cluster_cuts(c, &cluster, &cuts, &n);
	if (!error && (n || wants_rows(call)))
		error = emit_cuts(call, c, &cluster, cuts, n);
	else if (!error)
		say(call->out, "no single edge splits its cluster of %zu\n", cluster.n_members);
	free(cuts);
	cs_actor_cluster_deinit(&cluster);
	return error;
}

const struct command command_cut = {
	.name = "cut",
	.group = GROUP_WHY,
	.flags = COMMAND_WORLD | COMMAND_LISTS,
	.arguments = {{"ACTOR", ARGUMENT_ACTOR}},
	.summary = "the edges whose removal splits its cluster, the best first",
	.examples = "cut Lamp_04 -n 5",
	.help = "A pair of actors that reference each other has two edges: neither alone splits.",
	.run = run_cut,
};
