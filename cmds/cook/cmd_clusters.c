/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Implements the commands `cluster` (lists the actors that load together with an actor), `cut`
 * (lists the references whose removal splits that set) and `explain cell` (why a cell is as large
 * and as full as it is). For a mesh, `cluster` and `cut` call cmds/nanite.
 */
#include "cmds/nanite/cmd_nanite.h"
#include "src/session/plain.h"
#include "src/session/session.h"

#include <cellscope/cook.h>

#include <stdlib.h>

struct edge_row {
	const char *from, *to, *kind;
};

static const struct cs_column edge_columns[] = {
	SHORT(struct edge_row, from, "actor that has the reference, or attachment parent"),
	SHORT(struct edge_row, to, "actor that is referred to, or attached child"),
	SHORT(struct edge_row, kind, "reference or attachment"),
};

static const struct cs_table edge_table = PLAIN_TABLE("edges", "edge", edge_columns);

static struct edge_row make_edge(const struct cs_cooked *cooked, const struct cs_cluster_edge *edge)
{
	return (struct edge_row){cs_cooked_actor_title(cooked, edge->from),
		cs_cooked_actor_title(cooked, edge->to),
		edge->attachment ? "attachment" : "reference"};
}

/*
 * Returns the cluster that contains an actor. Reads the titles of all actors in the cluster, so
 * that an error of reading precedes any output. The caller frees both lists of the result.
 */
static struct cs_error *read_cluster(
	struct cs_cooked *cooked, uint32_t actor, struct cs_actor_cluster *ret)
{
	struct cs_actor_cluster cluster;
	struct cs_error *error = cs_cluster_of_actor(cooked, actor, &cluster);
	if (error)
		return error;
	for (size_t i = 0; i < cluster.n_members; i++)
		cs_cooked_actor_title(cooked, cluster.members[i]);
	error = cs_cooked_failed(cooked);
	if (!error) {
		*ret = cluster;
		return NULL;
	}
	free(cluster.members);
	free(cluster.edges);
	return error;
}

static struct cs_error *show_actor_cluster(struct call *call, uint32_t actor)
{
	const struct cs_cooked *cooked = call->session->world;
	struct cs_actor_cluster cluster;
	struct cs_error *error = read_cluster(call->session->world, actor, &cluster);
	if (error)
		return error;
	if (!wants_rows(call)) {
		say(call->out, "%zu actor%s, %zu edge%s\n", cluster.n_members,
			cluster.n_members == 1 ? "" : "s", cluster.n_edges,
			cluster.n_edges == 1 ? "" : "s");
		for (size_t i = 0; i < cluster.n_members; i++)
			say(call->out, "  %s\n", cs_cooked_actor_title(cooked, cluster.members[i]));
	}
	if (wants_rows(call) || cluster.n_edges) {
		struct edge_row *rows = calloc(cluster.n_edges + 1, sizeof(*rows));
		for (size_t i = 0; rows && i < cluster.n_edges; i++)
			rows[i] = make_edge(cooked, &cluster.edges[i]);
		error = emit_plain_taken(call, &edge_table, rows, cluster.n_edges);
	}
	free(cluster.members);
	free(cluster.edges);
	return error;
}

static struct cs_error *run_cluster(struct call *call)
{
	const struct place place = call_argument(call, 0)->place;
	return place.kind == PLACE_CLUSTER ? show_cluster(call, place.row)
					   : show_actor_cluster(call, place.row);
}

const struct command command_cluster = {
	.name = "cluster",
	.group = GROUP_WHY,
	.flags = COMMAND_WORLD | COMMAND_NANITE | COMMAND_LISTS,
	.arguments = {{"ACTOR|CLUSTER", ARGUMENT_CLUSTER}},
	.options = {{0, "triangles", NULL, ARGUMENT_NONE, "list the triangles of CLUSTER"},
		{0, "vertices", NULL, ARGUMENT_NONE, "list the vertices of CLUSTER"},
		{0, "hex", NULL, ARGUMENT_NONE, "print the packed header words of CLUSTER"}},
	.summary = "list the actors that load together with an actor, or show a mesh cluster",
	.examples = "cluster Lamp_04\ncluster Lamp_04 -w \"kind = 'attachment'\" --json\n"
		    "cluster 2:3\ncluster rock:2:3 --vertices -n 5",
	.help = "ACTOR is an actor, by label, name, path or GUID. The command lists the actors\n"
		"that references and attachments connect with ACTOR, directly or through others.\n"
		"These actors are a cluster. A cluster is in one cell, so its actors load and\n"
		"unload together. Each row of the table is a reference or an attachment between\n"
		"two of these actors; `cut ACTOR` lists each row that alone holds the cluster\n"
		"together.\n"
		"\n"
		"CLUSTER is a cluster of a Nanite resource: PAGE:NUMBER in the resource that was\n"
		"opened last, or RESOURCE:PAGE:NUMBER. The command shows all columns of the\n"
		"cluster, and how many bits each triangle and each vertex takes.",
	.run = run_cluster,
};

/* ---- command cut ---- */

struct cut_row {
	struct edge_row edge;
	struct cs_cluster_cut is;
};

static const struct cs_column cut_columns[] = {
	SHORT_AS("from", struct cut_row, edge.from, "actor at one end of the edge"),
	SHORT_AS("to", struct cut_row, edge.to, "actor at the other end of the edge"),
	SHORT_AS("kind", struct cut_row, edge.kind, "reference or attachment"),
	SHORT_AS("from_actors", struct cut_row, is.left, "actors on the side of `from`"),
	SHORT_AS("to_actors", struct cut_row, is.right, "actors on the side of `to`"),
	SHORT_AS("from_level", struct cut_row, is.left_level,
		"grid level for the size of the side of `from`, -1 = unknown"),
	SHORT_AS("to_level", struct cut_row, is.right_level,
		"grid level for the size of the side of `to`, -1 = unknown"),
};

static const struct cs_table cut_table = PLAIN_TABLE("cuts", "cut", cut_columns);

static struct cs_error *emit_cuts(struct call *call, const struct cs_cooked *cooked,
	const struct cs_actor_cluster *cluster, const struct cs_cluster_cut *cuts, size_t n)
{
	struct cut_row *rows = calloc(n + 1, sizeof(*rows));
	for (size_t i = 0; rows && i < n; i++)
		rows[i] =
			(struct cut_row){make_edge(cooked, &cluster->edges[cuts[i].edge]), cuts[i]};
	return emit_plain_taken(call, &cut_table, rows, n);
}

static struct cs_error *run_cut(struct call *call)
{
	if (!call_argument(call, 0)->given)
		return cut_resource(call);
	const struct cs_cooked *cooked = call->session->world;
	struct cs_actor_cluster cluster;
	struct cs_cluster_cut *cuts = NULL;
	size_t n = 0;
	struct cs_error *error =
		read_cluster(call->session->world, call_argument(call, 0)->row, &cluster);
	if (error)
		return error;
	error = cs_cluster_cuts(cooked, &cluster, &cuts, &n);
	if (!error && (n || wants_rows(call)))
		error = emit_cuts(call, cooked, &cluster, cuts, n);
	else if (!error)
		say(call->out, "no single edge splits its cluster of %zu\n", cluster.n_members);
	free(cuts);
	free(cluster.members);
	free(cluster.edges);
	return error;
}

const struct command command_cut = {
	.name = "cut",
	.group = GROUP_WHY,
	.flags = COMMAND_WORLD | COMMAND_NANITE | COMMAND_LISTS,
	.arguments = {{"ACTOR", ARGUMENT_ACTOR, .optional = true}},
	.options = {{0, "error", "E", ARGUMENT_NUMBER,
			    "take the coarsest cut whose error is at most E, in units of the mesh"},
		{0, "triangles", "N", ARGUMENT_WHOLE,
			"take the coarsest cut that has at least N triangles"},
		{0, "eye", "POINT", ARGUMENT_POINT,
			"take the cut that a camera at POINT draws, without culling (X,Y,Z in units "
			"of the mesh)"},
		{0, "resident", NULL, ARGUMENT_NONE,
			"take the cut that the cameras drew in the last frame of the run"},
		{0, "of", "RESOURCE", ARGUMENT_RESOURCE,
			"use this Nanite resource (default: the resource opened last)"},
		{0, "mesh", "N", ARGUMENT_WHOLE,
			"cut only mesh N, counted from 0, of a resource of several meshes"},
		{0, "threshold", "PX", ARGUMENT_NUMBER,
			"with --eye: allow errors of PX pixels (default 1)"},
		{0, "near", "D", ARGUMENT_NUMBER,
			"with --eye: least distance used in the calculation, in units of the mesh: "
			"nearer points count as D away (default: 1/1000 of the mesh's diagonal)"},
		{0, "fov", "DEGREES", ARGUMENT_NUMBER,
			"with --eye: vertical field of view in degrees (default 60)"},
		{0, "height", "PX", ARGUMENT_NUMBER,
			"with --eye: height in pixels of the view in which errors are measured "
			"(default 1080)"},
		{0, "clusters", NULL, ARGUMENT_NONE, "list the clusters of the cut"},
		{0, "pages", NULL, ARGUMENT_NONE, "list the pages that the cut needs"},
		{'o', NULL, "FILE", ARGUMENT_OUTPUT, "write the cut to FILE: .obj or .ply",
			REPLACES("mesh")},
		{0, "picture", NULL, ARGUMENT_NONE, "draw the cut in the terminal"},
		{0, "png", "FILE", ARGUMENT_OUTPUT, "draw the cut to a PNG file", REPLACES("png")},
		{0, "size", "N", ARGUMENT_WHOLE,
			"draw N by N pixels (default 512; with --picture as many as the terminal "
			"has columns, at most 72)"},
		{0, "yaw", "DEGREES", ARGUMENT_NUMBER,
			"turn the viewer of the picture around Z (default 30)"},
		{0, "pitch", "DEGREES", ARGUMENT_NUMBER,
			"raise the viewer of the picture above the horizon (default 20)"},
		{0, "colour", "WHAT", ARGUMENT_CHOICE,
			"colour the picture or FILE by depth (distance from the viewer, default "
			"for pictures), cluster (default for -o), group, page, level or residency "
			"(with --resident: whether a finer cluster is missing)",
			cut_colours}},
	.summary = "list references whose removal splits a cluster of actors, or measure a mesh "
		   "cut",
	.examples = "cut Lamp_04 -n 5\n"
		    "cut --error 2\ncut --triangles 5000 -o rock.ply --colour page\n"
		    "cut --eye 300,0,50 --pages -c name,state\n"
		    "cut --triangles 2000 --picture --yaw 90",
	.help = "`cut ACTOR` is about actors. The cluster of ACTOR is the group of actors that\n"
		"load together because references and attachments connect them. Each row is a\n"
		"reference or an attachment whose removal splits this cluster into two parts,\n"
		"which have `from_actors` and `to_actors` actors. When two actors reference each\n"
		"other, removing one of the two references splits nothing, so neither is listed.\n"
		"`from_level` and `to_level` follow from the sizes of the parts alone; an actor\n"
		"that took its grid from a parent gets its own back (`whatif` cooks again).\n"
		"All options except -n, -s, -w and -c are ignored.\n"
		"\n"
		"Without ACTOR the command is about a Nanite resource, where a cluster is a piece\n"
		"of a mesh. A cut is a set of clusters that draws the whole mesh once; the\n"
		"options --error, --triangles, --eye and --resident choose it (default: the\n"
		"finest cut). The command prints how many clusters and triangles the cut has, its\n"
		"levels, its largest error, how many pages it needs and which of these pages are\n"
		"not loaded now.",
	.run = run_cut,
};

/* ---- command explain cell ---- */

struct set_row {
	const char *largest;
	struct cs_set_size is;
};

static const struct cs_column set_columns[] = {
	SHORT(struct set_row, largest, "actor of the set with the longest extent"),
	SHORT_AS("actors", struct set_row, is.row.members.count,
		"number of actors that must load together"),
	SHORT_AS("extent", struct set_row, is.extent, "longest side of the box around these actors",
		.unit = "cm"),
	SHORT_AS("reaches_out", struct set_row, is.reaches_out,
		"largest distance by which the actors extend beyond the cell", .unit = "cm"),
	SHORT_AS("asks_for", struct set_row, is.row.first_level,
		"grid level for the size of the actors"),
	PLAIN_WORD("placement", struct set_row, is.row.placement, PLACEMENT,
		"rule that placed the actors"),
};

static const struct cs_table set_table = PLAIN_TABLE("cell_sets", "cell_set", set_columns);

static struct set_row clusters_make_set(
	const struct cs_cooked *cooked, const struct cs_set_size *size)
{
	const uint32_t largest = size->row.largest;
	return (struct set_row){
		largest == CS_NONE ? NULL : cs_cooked_actor_title(cooked, largest), *size};
}

static void clusters_say_cell(
	struct output *out, const struct cs_cooked *cooked, const struct cs_cooked_cell *cell)
{
	const struct cs_cooked_partition *partition = &cooked->partitions[cell->partition];
	bool always = cell->flags & CS_CELL_ALWAYS_LOADED;
	say(out, "%s  %s%s\n", cs_cooked_text(cooked, cell->name),
		cs_cooked_text(cooked, partition->name), always ? ", always loaded" : "");
	if (cs_box_valid(&cell->box))
		say(out, "level %d, cells of %lld x %lld", cell->level,
			(long long)(cell->box.max.x - cell->box.min.x),
			(long long)(cell->box.max.y - cell->box.min.y));
	else
		say(out, "no place in a grid");
	if (cs_box_valid(&cell->content))
		say(out, "; its actors cover %lld x %lld",
			(long long)(cell->content.max.x - cell->content.min.x),
			(long long)(cell->content.max.y - cell->content.min.y));
	say(out, "\n%u actor%s in %u cluster%s, the largest first\n", cell->actors.count,
		cell->actors.count == 1 ? "" : "s", cell->sets.count,
		cell->sets.count == 1 ? "" : "s");
}

static struct cs_error *run_explain_cell(struct call *call)
{
	const struct cs_cooked *cooked = call->session->world;
	const uint32_t cell = call_argument(call, 0)->row;
	struct cs_set_size *sizes = NULL;
	size_t n = 0;
	struct cs_error *error = cs_cell_sets(cooked, cell, &sizes, &n);
	if (error)
		return error;
	struct set_row *rows = calloc(n + 1, sizeof(*rows));
	for (size_t i = 0; rows && i < n; i++)
		rows[i] = clusters_make_set(cooked, &sizes[i]);
	error = rows ? cs_cooked_failed(call->session->world) : cs_error_nomem();
	if (!error && !wants_rows(call))
		clusters_say_cell(call->out, cooked, cs_cooked_cell(cooked, cell));
	if (!error)
		error = emit_plain(call, &set_table, rows, n);
	free(rows);
	free(sizes);
	return error;
}

const struct command command_explain_cell = {
	.name = "explain cell",
	.group = GROUP_WHY,
	.flags = COMMAND_WORLD | COMMAND_LISTS,
	.arguments = {{"CELL", ARGUMENT_CELL}},
	.summary = "explain why a cell is so large and so full",
	.examples = "explain cell L0:5,1 -n 5\n"
		    "explain cell MainGrid_5_1_0_0 -s -actors\n"
		    "explain cell L0:5,1 -w \"actors > 20\" --json",
	.help = "A cell contains whole clusters: groups of actors that references and attachments\n"
		"connect. The level of a cluster follows from its extent, so one long wall moves\n"
		"all actors of its cluster into a large cell.\n\n"
		"Each row is a cluster. The column `largest` is the actor with the longest extent\n"
		"in the cluster; `why-level ACTOR` and `cut ACTOR` tell more about this actor.\n"
		"The column `actors` is the number of actors in the cluster, `extent` is the\n"
		"longest side of its bounds in cm, `reaches_out` is how far in cm it extends\n"
		"beyond the cell, and `asks_for` is the grid level that its extent needs.",
	.run = run_explain_cell,
};
