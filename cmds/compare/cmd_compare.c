/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands `compare` (which of two cells loads first, by which key) and `layer-cost`. */
#include "cmds/picture/cmd_changes.h"
#include "src/session/plain.h"
#include "src/session/session.h"

#include <stdlib.h>

struct compare_row {
	const char *first, *second, *decided_by, *number;
};

static const struct cs_column compare_columns[] = {
	PLAIN(struct compare_row, first, "cell that loads first"),
	PLAIN(struct compare_row, second, "cell that loads after the cell in column first"),
	PLAIN(struct compare_row, decided_by,
		"sort key that decided the order; list: only one is to be activated"),
	PLAIN(struct compare_row, number,
		"number of the rule that defines the sort key: help rule NUMBER"),
};

static const struct cs_table compare_table =
	PLAIN_TABLE("comparisons", "comparison", compare_columns);

static struct cs_error *run_compare(struct call *call)
{
	const struct cs_stream_cell cells[2] = {
		{call->session->files.partition, call_argument(call, 0)->row},
		{call->session->files.partition, call_argument(call, 1)->row}};
	struct cs_stream *stream = call->stream;
	enum cs_order_key key;
	int order;
	struct cs_error *error = cs_stream_compare(stream, cells[0], cells[1], &order, &key);
	if (error)
		return error;
	const struct cs_cooked *world = call->session->world;
	const char *names[2];
	for (int i = 0; i < 2; i++)
		names[i] = cs_cooked_cell_name(world, cells[i].cell);
	const struct compare_row row = {names[order > 0], names[order <= 0],
		cs_word(CS_WORDS_ORDER_KEY, key)->name, cs_word(CS_WORDS_ORDER_KEY, key)->rule};
	if (wants_rows(call))
		return emit_plain_record(call, &compare_table, &row);
	if (order == 0)
		say(call->out, "they are equal\n");
	else
		say(call->out, "%s comes before %s, by %s (rule %s)\n",
			short_cell_name(stream, row.first), short_cell_name(stream, row.second),
			row.decided_by, row.number);
	return NULL;
}

const struct command command_compare = {
	.name = "compare",
	.group = GROUP_WHY,
	.flags = COMMAND_RUN | COMMAND_WORLD,
	.arguments = {{"CELL", ARGUMENT_CELL}, {"CELL", ARGUMENT_CELL}},
	.summary = "show which of two cells loads first, and the sort key that decides",
	.examples = "compare L0:5,1 L0:0,0",
	.help = "The command prints which of the two cells comes first in the loading order, and\n"
		"the sort key that decides (help order). The streaming sources stay where they\n"
		"are now. A cell that is to be activated loads before a cell that is only to be\n"
		"loaded.",
	.run = run_compare,
};

/* ---- command layer-cost ---- */

/*
 * A row for each layer of each combination. CROSS JOIN fixes the join order: SQLite scans the cells
 * once and finds the row of `place` for each cell by an index, instead of scanning all cells for
 * each row of `place`.
 */
static const char layer_cost_query[] =
	"WITH place AS (SELECT partition, grid, level, x, y, z, count(*) AS n FROM cells "
	"GROUP BY partition, grid, level, x, y, z), "
	"cost AS (SELECT c.layers AS layers, count(*) AS cells, sum(c.actors) AS actors, "
	"sum(p.n > 1) AS splits FROM cells AS c CROSS JOIN place AS p ON "
	"p.grid = c.grid AND p.partition = c.partition "
	"AND p.level = c.level AND p.x = c.x AND p.y = c.y AND p.z = c.z "
	"WHERE json_array_length(c.layers) > 0 GROUP BY c.layers) "
	"SELECT j.value, j.key = 0, cells, actors, splits FROM cost, json_each(layers) AS j "
	"ORDER BY splits DESC, cells DESC, layers, j.key";

struct layer_cost_row {
	const struct cs_result *result;
	size_t first; /* row of `result` with the first of the n_layers layers */
	uint32_t n_layers;
	int64_t cells, actors, splits;
};

static void layer_cost_item(const struct cs_value *list, uint32_t index, struct cs_value *ret)
{
	const struct layer_cost_row *row = list->list.items;
	*ret = cs_result_value(row->result, row->first + index, 0);
}

static struct cs_value layer_cost_layers(const struct layer_cost_row *row)
{
	return (struct cs_value){.kind = CS_KIND_LIST,
		.list = {.items = row, .n = row->n_layers, .item = layer_cost_item}};
}

PLAIN_GETTER(get_layers_of, struct layer_cost_row, layer_cost_layers(at))

static const struct cs_column layer_cost_columns[] = {
	SHORT_VALUE("layers", LIST, get_layers_of, "combination of data layers"),
	SHORT(struct layer_cost_row, cells, "number of cells with exactly these layers"),
	SHORT(struct layer_cost_row, actors, "number of actors in these cells"),
	SHORT(struct layer_cost_row, splits,
		"number of these cells that share their grid coordinates with other cells"),
};

static const struct cs_table layer_cost_table =
	PLAIN_TABLE("layer_costs", "layer_cost", layer_cost_columns);

static struct cs_error *run_layer_cost(struct call *call)
{
	struct cs_result *result;
	struct cs_error *error = cs_query_select(
		call->session->query, layer_cost_query, (struct cs_parameters){0}, &result);
	if (error)
		return error;
	struct layer_cost_row *rows = calloc(cs_result_rows(result) + 1, sizeof(*rows));
	size_t n = 0;
	for (size_t i = 0; rows && i < cs_result_rows(result); i++) {
		if (cs_result_value(result, i, 1).integer)
			rows[n++] = (struct layer_cost_row){result, i, 0,
				cs_result_value(result, i, 2).integer,
				cs_result_value(result, i, 3).integer,
				cs_result_value(result, i, 4).integer};
		rows[n - 1].n_layers++;
	}
	error = emit_plain_taken(call, &layer_cost_table, rows, n);
	cs_result_free(result);
	return error;
}

const struct command command_layer_cost = {
	.name = "layer-cost",
	.group = GROUP_WHY,
	.flags = COMMAND_WORLD | COMMAND_LISTS,
	.summary = "list combinations of data layers, and how many cells each combination adds",
	.examples = "layer-cost -n 5",
	.help = "Actors with different runtime data layers never share a cell, so each\n"
		"combination of layers adds cells. Each row is a combination of data layers that\n"
		"actors have. The column `cells` is the number of cells with exactly these\n"
		"layers. The column `splits` is the number of these cells that share their grid\n"
		"coordinates with other cells.",
	.run = run_layer_cost,
};
