/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Implements the command `sweep`, which cooks the open world in memory with each value, or pair of
 * values, of one or two settings, counts the results, and names the best within a budget.
 */
#include "cmds/cook/cmd_cooks.h"
#include "src/session/plain.h"

#include <cellscope/compare.h>
#include <cellscope/query.h>

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_along(const struct cs_row *row)
{
	return ((const struct cs_sweep_row *)row->record)->counts.peak_cells >= 0;
}

/* Column getters for numbers measured along the camera path; null if no path was given. */
PLAIN_GETTER(get_along, int64_t, is_along(row) ? cs_integer(*at) : cs_null())
PLAIN_GETTER(get_time_along, double, is_along(row) ? cs_number(*at) : cs_null())

#define ALONG(member, doc_, ...)                                           \
	{                                                                  \
		.key = #member, .kind = CS_KIND_INTEGER, .get = get_along, \
		.offset = offsetof(struct cs_sweep_row, counts.member),    \
		.doc = "along the path: " doc_, __VA_ARGS__                \
	}

static const struct cs_column sweep_columns[] = {
	SHORT_AS("value", struct cs_sweep_row, values[0], "value of the setting"),
	PLAIN_AS("second", struct cs_sweep_row, values[1], "value of the second setting"),
	SHORT_AS("cells", struct cs_sweep_row, counts.cells, "cells"),
	PLAIN_AS("streaming_levels", struct cs_sweep_row, counts.streaming_cells,
		"cells that are not always loaded"),
	SHORT_AS("always_loaded_actors", struct cs_sweep_row, counts.always_loaded_actors,
		"actors that are always loaded", .label = "always"),
	SHORT_AS("cells_above_level_0", struct cs_sweep_row, counts.cells_above_level_0,
		"cells above level 0", .label = "above_0"),
	SHORT_AS("most_actors_in_a_cell", struct cs_sweep_row, counts.most_actors_in_a_cell,
		"actors of the largest cell that streams", .label = "most"),
	PLAIN_AS("findings", struct cs_sweep_row, counts.findings, "findings of validation"),
	PLAIN_AS("cost", struct cs_sweep_row, counts.cost,
		"estimated cost of the cook: help whatif"),
	ALONG(peak_cells, "largest number of cells in memory", .flags = CS_COLUMN_SHORT),
	ALONG(peak_actors, "largest number of actors in memory", .flags = CS_COLUMN_SHORT),
	ALONG(peak_bytes, "largest number of bytes in memory, by the load model",
		.flags = CS_COLUMN_SHORT),
	ALONG(loads, "number of levels that were loaded", .flags = CS_COLUMN_SHORT),
	{.key = "stall_ms",
		.kind = CS_KIND_NUMBER,
		.get = get_time_along,
		.offset = offsetof(struct cs_sweep_row, counts.stall_ms),
		.doc = "along the path: milliseconds of waits"},
	ALONG(short_frames, "frames whose budget did not reach all cells that wanted to load"),
	PLAIN(struct cs_sweep_row, within, "whether the row keeps to the limits of --budget"),
	PLAIN(struct cs_sweep_row, best,
		"whether the row has the least value of --best within --budget"),
};

static const struct cs_table sweep_table = PLAIN_TABLE("sweeps", "sweep", sweep_columns);

/* ---- text output ---- */

static const char *sweep_mark_of(const struct cs_sweep_row *row)
{
	return row->best ? "<" : row->within ? "" : "x";
}

static void say_bars(struct call *call, const struct cs_sweep *sweep)
{
	enum { WIDTH = 48 };
	char bar[WIDTH + 1] = "";
	for (size_t i = 0; i < sweep->n; i++) {
		const struct cs_sweep_row *row = &sweep->rows[i];
		cs_bar(row->number, sweep->most, WIDTH, bar);
		say(call->out, "%12g |%s%s%s %g\n", row->values[0], bar,
			*sweep_mark_of(row) ? " " : "", sweep_mark_of(row), row->number);
	}
}

static void sweep_say_field(
	struct call *call, const struct cs_sweep *sweep, const struct cs_sweep_range *ranges)
{
	say(call->out, "%s down, %s across\n            ", ranges[0].name, ranges[1].name);
	for (size_t k = 0; k < sweep->across; k++)
		say(call->out, " %10g", sweep->rows[k].values[1]);
	for (size_t i = 0; i < sweep->n; i++) {
		const struct cs_sweep_row *row = &sweep->rows[i];
		if (i % sweep->across == 0)
			say(call->out, "\n%12g", row->values[0]);
		say(call->out, "%c%10.6g", *sweep_mark_of(row) ? *sweep_mark_of(row) : ' ',
			row->number);
	}
	say(call->out, "\n");
}

static void say_best(
	struct call *call, const struct cs_sweep *sweep, const struct cs_sweep_range *ranges)
{
	const char *within = call_option(call, "budget")->given ? " within the budget" : "";
	if (sweep->best == SIZE_MAX) {
		say(call->out, "nothing is%s\n", *within ? within : " counted");
		return;
	}
	const struct cs_sweep_row *best = &sweep->rows[sweep->best];
	say(call->out, "least %s%s: %s=%.10g", sweep->key, within, ranges[0].name, best->values[0]);
	if (ranges[1].name)
		say(call->out, " %s=%.10g", ranges[1].name, best->values[1]);
	say(call->out, ", %g\n", best->number);
}

static struct cs_error *write_svg(
	struct call *call, const struct cs_sweep *sweep, const struct cs_sweep_range *ranges)
{
	const char *file = call_option(call, "svg")->text;
	double *values = malloc((sweep->n + 1) * sizeof(*values));
	char title[700];
	if (!values)
		return cs_error_nomem();
	for (size_t i = 0; i < sweep->n; i++)
		values[i] = sweep->rows[i].number;
	snprintf(title, sizeof(title), "%s by %s%s%s", sweep->key, ranges[0].name,
		ranges[1].name ? ", and across " : "", ranges[1].name ? ranges[1].name : "");
	const struct cs_field_plot field = {.values = values,
		.rows = sweep->down,
		.columns = sweep->across,
		.title = title,
		.first_row = ranges[0].first,
		.last_row = ranges[0].last,
		.first_column = ranges[1].first,
		.last_column = ranges[1].last};
	struct cs_error *error = cs_field_svg(&field, file);
	free(values);
	if (!error)
		note(call->out, "wrote %s\n", file);
	return error;
}

static struct cs_error *show_sweep(
	struct call *call, const struct cs_sweep *sweep, const struct cs_sweep_range *ranges)
{
	bool plot = call_option(call, "plot")->given && !wants_rows(call);
	bool best = plot || call_option(call, "budget")->given || call_option(call, "best")->given;
	struct cs_error *error = NULL;
	if (call_option(call, "svg")->given)
		error = write_svg(call, sweep, ranges);
	if (!error && !plot)
		error = emit_plain(call, &sweep_table, sweep->rows, sweep->n);
	if (error)
		return error;
	if (plot && sweep->across > 1)
		sweep_say_field(call, sweep, ranges);
	else if (plot)
		say_bars(call, sweep);
	if (best && !wants_rows(call))
		say_best(call, sweep, ranges);
	return NULL;
}

/* ---- command sweep ---- */

/* Reads arguments and options into *ret, whose ranges point to the setting names in `names`. */
static struct cs_error *sweep_read_options(struct call *call, struct cs_sweep_options *ret,
	char names[CS_SWEEP_RANGES][MOST_SWEEP_NAME])
{
	enum { STEPS = 5 };
	*ret = (struct cs_sweep_options){.size = sizeof(*ret),
		.n_ranges = call->n_arguments,
		.steps = argument_count(call_option(call, "steps"), STEPS),
		.best = call_option(call, "best")->text,
		.budget = call_option(call, "budget")->text};
	for (size_t i = 0; i < call->n_arguments && i < CS_SWEEP_RANGES; i++) {
		const struct argument *swept = call_argument(call, i);
		memcpy(names[i], swept->text, swept->sweep.name_length);
		names[i][swept->sweep.name_length] = '\0';
		ret->ranges[i] =
			(struct cs_sweep_range){names[i], swept->sweep.first, swept->sweep.last};
	}
	return path_of_option(call, &ret->path);
}

static struct cs_error *run_sweep_of_call(struct call *call)
{
	char names[CS_SWEEP_RANGES][MOST_SWEEP_NAME];
	struct cs_sweep_options options;
	struct cs_sweep sweep;
	struct cs_whatif *whatif;
	struct cs_error *error = sweep_read_options(call, &options, names);
	if (!error)
		error = whatif_new(call->session, &whatif);
	if (error)
		return error;
	error = cs_sweep(whatif, &options, &sweep);
	if (!error) {
		error = show_sweep(call, &sweep, options.ranges);
		free(sweep.rows);
	}
	cs_whatif_free(whatif);
	return error;
}

const struct command command_sweep = {
	.name = "sweep",
	.group = GROUP_DIFF,
	.flags = COMMAND_WORLD | COMMAND_LISTS,
	.arguments = {{"NAME=FIRST..LAST", ARGUMENT_SWEEP},
		{"NAME=FIRST..LAST", ARGUMENT_SWEEP, .optional = true}},
	.options = {{0, "steps", "N", ARGUMENT_WHOLE,
			    "try N values from FIRST to LAST (default 5)"},
		{'p', "path", "NAME", ARGUMENT_WORD,
			"move one player along path NAME of `path load` through each cook and list "
			"the peaks of cells, actors and bytes in memory, and the loads"},
		{0, "best", "KEY", ARGUMENT_WORD,
			"mark the least value of this column (default: cost, which help whatif "
			"explains; with --path peak_bytes)"},
		{0, "budget", "KEY=MOST,...", ARGUMENT_WORD,
			"mark values that exceed these limits, for example peak_actors=200"},
		{0, "plot", NULL, ARGUMENT_NONE, "draw the column of --best"},
		{0, "svg", "FILE", ARGUMENT_OUTPUT, "write the plot as an SVG picture to FILE",
			REPLACES("svg")}},
	.summary = "cook with several values of one or two settings, and compare the cooks",
	.examples =
		"sweep MainGrid.cell_size=6400..51200\n"
		"sweep MainGrid.cell_size=6400..51200 --plot\n"
		"sweep MainGrid.cell_size=6400..51200 MainGrid.loading_range=6400..51200 --plot\n"
		"path load fly.csv\n"
		"sweep MainGrid.loading_range=12800..51200 -p fly --best loads\n"
		"sweep MainGrid.loading_range=12800..51200 -p fly --budget peak_actors=200",
	.help = "NAME is a setting, as in `whatif` (help whatif). The command cooks with N evenly\n"
		"spaced values from FIRST to LAST (--steps N) and prints a row for each cook.\n"
		"With two settings, each value of the first is combined with each value of the\n"
		"second. With a path, one player moves along it through each cook at 60 frames a\n"
		"second; a column peak_... contains the largest value that any frame reached. KEY\n"
		"is a column of the list with numbers (-c ? explains all columns), or a count of\n"
		"`whatif`, such as cells_in_memory. In a plot, < marks the best value, and x\n"
		"marks a value beyond the budget.",
	.run = run_sweep_of_call,
};
