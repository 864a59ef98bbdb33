/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/samples/use_world.h"
#include "format/cooked_inside.h"
#include "format/file_inside.h"

#include <cellscope/cook.h>
#include <cellscope/cooked_values.h>
#include <cellscope/query.h>
#include <cellscope/runs.h>

#include <stdlib.h>

enum { ACTORS = 12, FRAMES = 8 };

/* A small world is cooked many times, and threads would only wait for each other. */
static const struct cs_job one_thread = {.threads = 1};

static void print_rows(struct cs_cooked *c)
{
	const struct cs_schema *schema = cs_file_info(c->file).schema;
	char text[256];
	for (size_t r = 0; r < schema->n_records; r++) {
		const struct cs_record *record = schema->records[r];
		const void *rows;
		size_t n;
		struct cs_error *error = cs_file_load(c->file, record->table, &rows, &n);
		cs_error_free(error);
		if (error || n == 0)
			continue;
		for (size_t f = 0; f < record->n_fields; f++)
			cs_field_format(c->file, &record->fields[f], rows, 0, text, sizeof(text));
	}
}

static void explain(struct cs_cooked *c, uint32_t actor)
{
	struct cs_trail trail;
	struct cs_actor_cluster cluster;
	struct cs_cluster_cut *cuts;
	uint32_t findings[8];
	size_t n;
	cs_explain_repair(c, actor, CS_REPAIR_NONE, findings, 8);
	struct cs_error *error = cs_explain_actor(c, actor, &trail);
	if (!error)
		free(trail.steps);
	cs_error_free(error);
	error = cs_cluster_of_actor(c, actor, &cluster);
	if (!error) {
		error = cs_cluster_cuts(c, &cluster, &cuts, &n);
		if (!error)
			free(cuts);
		free(cluster.members);
		free(cluster.edges);
	}
	cs_error_free(error);
}

static void query(struct cs_cooked *c)
{
	static const char *const questions[] = {
		"SELECT cells.name, count(*) FROM cells JOIN actors ON actors.cell = cells.name",
		"SELECT max(layers || hlod_layers.name), sum(cell_size) FROM partitions, hlod_layers",
		"SELECT * FROM sets, containers, findings, drops LIMIT 3",
	};
	struct cs_query *q;
	struct cs_error *error = cs_query_new(&q);
	if (!error) {
		error = cs_query_add_cooked(q, c);
		for (size_t i = 0; !error && i < sizeof(questions) / sizeof(questions[0]); i++) {
			struct cs_result *result;
			struct cs_error *unanswered = cs_query_select(
				q, questions[i], (struct cs_parameters){0}, &result);
			if (!unanswered)
				cs_result_free(result);
			cs_error_free(unanswered);
		}
		cs_query_free(q);
	}
	cs_error_free(error);
}

static void compare(struct cs_cooked *c)
{
	struct cs_diff diff;
	struct cs_error *error = cs_cooked_diff(c, c, &diff);
	if (!error)
		free(diff.rows);
	cs_error_free(error);
}

static void stream(struct cs_cooked *c)
{
	struct cs_stream *s;
	struct cs_error *error = cs_stream_new(c, NULL, &one_thread, &s);
	if (!error) {
		struct cs_stream_source source = cs_stream_source_player("Player0");
		error = cs_stream_source_set(s, &source);
		for (uint32_t i = 0; !error && i < FRAMES; i++) {
			struct cs_stream_why why;
			error = cs_stream_step(s, 1);
			if (!error && i < c->n_cells)
				error = cs_stream_why(s, (struct cs_stream_cell){0, i}, &why);
		}
		if (!error)
			error = cs_stream_goto(s, 2);
		cs_stream_free(s);
	}
	cs_error_free(error);
}

struct cs_error *use_world(const void *bytes, size_t size)
{
	struct cs_cooked *c;
	struct cs_error *error = cs_cooked_open_bytes(bytes, size, "damaged", &one_thread, &c);
	if (error)
		return error;
	stream(c);
	query(c);
	error = cs_cooked_load_actors(c);
	if (!error)
		error = cs_cooked_load_details(c);
	for (uint32_t i = 0; !error && i < c->n_actors && i < ACTORS; i++)
		explain(c, i);
	if (!error) {
		compare(c);
		print_rows(c);
	}
	cs_cooked_close(c);
	return error;
}
