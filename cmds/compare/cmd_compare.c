/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands `compare` (which of two cells loads first, by which key) and `layer-cost`. */
#include "cmds/picture/cmd_changes.h"
#include "src/session/plain.h"
#include "src/session/session.h"

/* ---- command compare ---- */

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
	.help = "A cell that is to be activated loads before a cell that is only to be loaded.\n"
		"Between two of the same kind the sort keys of `help order` decide, with the\n"
		"streaming sources where they are now.",
	.run = run_compare,
};

/* ---- command layer-cost ---- */

/*
 * CROSS JOIN fixes the join order: SQLite scans the cells once and finds the row of `place` for
 * each cell by an index, instead of scanning all cells for each row of `place`.
 */
static const char layer_cost_query[] =
	"WITH place AS (SELECT partition, grid, level, x, y, z, count(*) AS n FROM cells "
	"GROUP BY partition, grid, level, x, y, z) "
	"SELECT c.layers AS layers, count(*) AS cells, sum(c.actors) AS actors, "
	"sum(p.n > 1) AS splits FROM cells AS c CROSS JOIN place AS p ON "
	"p.grid = c.grid AND p.partition = c.partition "
	"AND p.level = c.level AND p.x = c.x AND p.y = c.y AND p.z = c.z "
	"WHERE json_array_length(c.layers) > 0 GROUP BY c.layers "
	"ORDER BY splits DESC, cells DESC, layers";

/* Lists the rows of the query, whose columns it explains for -c ?. */
static struct cs_error *run_layer_cost(struct call *call)
{
	static const char *const meanings[] = {"combination of data layers",
		"number of cells with exactly these layers", "number of actors in these cells",
		"number of these cells that share their grid coordinates with other cells"};
	enum { COLUMNS = sizeof(meanings) / sizeof(meanings[0]) };
	const struct cs_parameters none = {0};
	struct cs_result *result;
	struct cs_error *error =
		cs_query_select(call->session->query, layer_cost_query, none, &result);
	if (error)
		return error;
	struct cs_table table = *cs_result_table(result);
	struct cs_column columns[COLUMNS];
	for (size_t i = 0; i < COLUMNS; i++) {
		columns[i] = table.columns[i];
		columns[i].doc = meanings[i];
	}
	table.columns = columns;
	error = call_list_own(call, &table, result);
	cs_result_free(result);
	return error;
}

const struct command command_layer_cost = {
	.name = "layer-cost",
	.group = GROUP_WHY,
	.flags = COMMAND_WORLD | COMMAND_LISTS,
	.summary = "list combinations of data layers, and how many cells each creates and splits",
	.examples = "layer-cost -n 5",
	.help = "A row is a combination of data layers that actors have. The column `cells` is\n"
		"the number of cells with exactly these layers, and `splits` the number of those\n"
		"that share their grid coordinates with other cells.",
	.run = run_layer_cost,
};
