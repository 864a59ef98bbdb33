/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One setting at several values: sweep. Each is a cook in memory, counted as whatif does. */
#include "cmds/commands.h"
#include "cmds/differences.h"
#include "cmds/plain.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sweep_row {
	double value;
	struct world_counts counts;
};

/* Unknown without a path. */
static void get_along(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	bool known = ((const struct sweep_row *)row->record)->counts.peak_cells >= 0;
	*ret = cs_null();
	if (known)
		plain_integer(row, column, ret);
}

#define ALONG(member, doc_, ...)                                           \
	{                                                                  \
		.key = #member, .kind = CS_KIND_INTEGER, .get = get_along, \
		.offset = offsetof(struct sweep_row, counts.member),       \
		.doc = "along the path: " doc_, __VA_ARGS__                \
	}

#define COUNT(member, doc_, ...) \
	PLAIN(#member, struct sweep_row, counts.member, INTEGER, integer, doc_, __VA_ARGS__)

static const struct cs_column sweep_columns[] = {
	PLAIN("value", struct sweep_row, value, NUMBER, number, "of the setting",
		.flags = CS_COLUMN_SHORT),
	COUNT(cells, "cells", .flags = CS_COLUMN_SHORT),
	COUNT(streaming_levels, "cells that are not always loaded"),
	COUNT(always_loaded_actors, "actors that are always loaded", .label = "always",
		.flags = CS_COLUMN_SHORT),
	COUNT(cells_above_level_0, "cells above level 0", .label = "above_0",
		.flags = CS_COLUMN_SHORT),
	COUNT(most_actors_in_a_cell, "actors of the largest cell that streams", .label = "most",
		.flags = CS_COLUMN_SHORT),
	COUNT(findings, "findings of validation"),
	ALONG(peak_cells, "most cells in memory", .flags = CS_COLUMN_SHORT),
	ALONG(peak_actors, "most actors in memory", .flags = CS_COLUMN_SHORT),
	ALONG(peak_bytes, "most bytes, by the load model", .flags = CS_COLUMN_SHORT),
	ALONG(loads, "levels that were loaded", .flags = CS_COLUMN_SHORT),
	ALONG(stall_ms, "milliseconds of waits"),
};

static const struct cs_table sweep_table = PLAIN_TABLE("sweeps", "sweep", sweep_columns);

struct sweep {
	char key[256];
	double first, last;
	uint64_t steps;
};

/* "MainGrid.cell_size=6400..51200" */
static struct cs_error *parse_sweep(const char *text, struct sweep *ret)
{
	const char *equals = strchr(text, '=');
	size_t n = equals ? (size_t)(equals - text) : 0;
	char *end;
	if (n == 0 || n >= sizeof(ret->key))
		return cs_error_new(CS_E_USAGE, "a sweep is written NAME=FIRST..LAST");
	memcpy(ret->key, text, n);
	ret->key[n] = '\0';
	/* the number ends at the dots: strtod would take the first of them */
	const char *dots = strstr(equals, "..");
	char number[64];
	if (!dots || dots == equals + 1 || (size_t)(dots - equals) > sizeof(number))
		return cs_error_new(CS_E_USAGE, "a sweep is written NAME=FIRST..LAST");
	snprintf(number, sizeof(number), "%.*s", (int)(dots - equals - 1), equals + 1);
	ret->first = strtod(number, &end);
	bool good = !*end;
	ret->last = strtod(dots + 2, &end);
	if (!good || *end || end == dots + 2 || !(ret->last > ret->first))
		return cs_error_new(CS_E_USAGE, "'%s' is no range: FIRST..LAST, ascending", text);
	return NULL;
}

static struct cs_error *sweep_rows(struct call *call, const struct sweep *sweep,
	const struct cs_path *path, struct sweep_row *rows)
{
	struct cs_error *error = NULL;
	for (uint64_t i = 0; !error && i < sweep->steps; i++) {
		char text[400];
		const char *const assignment[] = {text};
		rows[i].value = sweep->first + (sweep->last - sweep->first) * (double)i /
						       (double)(sweep->steps - 1);
		snprintf(text, sizeof(text), "%s=%.17g", sweep->key, rows[i].value);
		error = count_changed(call->session, assignment, 1, path, &rows[i].counts);
	}
	return error;
}

static struct cs_error *run_sweep(struct call *call)
{
	const struct argument *steps = call_option(call, "steps");
	struct sweep sweep = {.steps = steps->given ? steps->count : 5};
	const struct cs_path *path = NULL;
	struct cs_error *error = parse_sweep(call_argument(call, 0)->text, &sweep);
	if (!error && (sweep.steps < 2 || sweep.steps > 100))
		error = cs_error_new(CS_E_USAGE, "a sweep has 2 to 100 steps");
	if (!error)
		error = path_of_option(call, &path);
	if (error)
		return error;
	struct sweep_row *rows = calloc(sweep.steps, sizeof(*rows));
	error = rows ? sweep_rows(call, &sweep, path, rows) : cs_error_nomem();
	if (!error)
		error = emit_plain(call, &sweep_table, rows, sweep.steps, sizeof(*rows));
	free(rows);
	return error;
}

const struct command command_sweep = {
	.name = "sweep",
	.group = GROUP_DIFF,
	.flags = COMMAND_WORLD | COMMAND_LISTS,
	.arguments = {{"NAME=FIRST..LAST", ARGUMENT_WORD}},
	.options = {{0, "steps", "N", ARGUMENT_WHOLE, "values from first to last, 5", NULL},
		{'p', "path", "NAME", ARGUMENT_WORD, "run along this path too: peaks and loads",
			NULL}},
	.summary = "cook with a setting at several values, and count what comes of each",
	.examples = "sweep MainGrid.cell_size=6400..51200\n"
		    "path load fly.csv\nsweep MainGrid.loading_range=12800..51200 -p fly -s "
		    "peak_bytes",
	.help = "Names are those of the JSON form of a world, as for `whatif`. With a path each cook\n"
		"is run along it, one player at 60 frames a second, and its peaks are counted: sort\n"
		"by what must be small, and keep to a budget with -w.",
	.run = run_sweep,
};
