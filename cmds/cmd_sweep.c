/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One or two settings at several values: sweep. Each pair is a cook in memory, counted as whatif
 * does; the best within a budget is named.
 */
#include "cmds/cmd_cooks.h"
#include "cmds/cmd_plain.h"
#include "cmds/commands.h"

#include <cellscope/report.h>

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sweep_row {
	double value, second; /* of the settings; the second is not a number for one */
	struct cs_whatif_counts counts;
	bool within, best;
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

static void get_second(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	double value = ((const struct sweep_row *)row->record)->second;
	(void)column;
	*ret = isnan(value) ? cs_null() : cs_number(value);
}

#define ALONG(member, doc_, ...)                                           \
	{                                                                  \
		.key = #member, .kind = CS_KIND_INTEGER, .get = get_along, \
		.offset = offsetof(struct sweep_row, counts.member),       \
		.doc = "along the path: " doc_, __VA_ARGS__                \
	}

#define COUNT(key_, member, doc_, ...) \
	PLAIN(key_, struct sweep_row, counts.member, INTEGER, integer, doc_, __VA_ARGS__)

static const struct cs_column sweep_columns[] = {
	PLAIN("value", struct sweep_row, value, NUMBER, number, "of the setting",
		.flags = CS_COLUMN_SHORT),
	{.key = "second",
		.kind = CS_KIND_NUMBER,
		.get = get_second,
		.doc = "value of the second setting"},
	COUNT("cells", cells, "cells", .flags = CS_COLUMN_SHORT),
	COUNT("streaming_levels", streaming_cells, "cells that are not always loaded"),
	COUNT("always_loaded_actors", always_loaded_actors, "actors that are always loaded",
		.label = "always", .flags = CS_COLUMN_SHORT),
	COUNT("cells_above_level_0", cells_above_level_0, "cells above level 0", .label = "above_0",
		.flags = CS_COLUMN_SHORT),
	COUNT("most_actors_in_a_cell", most_actors_in_a_cell,
		"actors of the largest cell that streams", .label = "most",
		.flags = CS_COLUMN_SHORT),
	COUNT("findings", findings, "findings of validation"),
	PLAIN("cost", struct sweep_row, counts.cost, NUMBER, number, "what `suggest` ranks by"),
	ALONG(peak_cells, "most cells in memory", .flags = CS_COLUMN_SHORT),
	ALONG(peak_actors, "most actors in memory", .flags = CS_COLUMN_SHORT),
	ALONG(peak_bytes, "most bytes, by the load model", .flags = CS_COLUMN_SHORT),
	ALONG(loads, "levels that were loaded", .flags = CS_COLUMN_SHORT),
	ALONG(stall_ms, "milliseconds of waits"),
	ALONG(short_frames, "frames whose budget did not reach all"),
	PLAIN("within", struct sweep_row, within, BOOL, bool, "it keeps to --budget"),
	PLAIN("best", struct sweep_row, best, BOOL, bool, "it has the least --best within it"),
};

static const struct cs_table sweep_table = PLAIN_TABLE("sweeps", "sweep", sweep_columns);

/* ---- what is swept ---- */

struct range {
	char key[MOST_SWEEP_NAME];
	double first, last;
	uint64_t steps;
};

struct sweep {
	struct range ranges[2];
	size_t n; /* ranges */
	const struct cs_column *best;
};

static const struct cs_column *find_column(const char *key)
{
	for (size_t i = 0; i < sizeof(sweep_columns) / sizeof(sweep_columns[0]); i++)
		if (strcmp(sweep_columns[i].key, key) == 0 && sweep_columns[i].kind != CS_KIND_BOOL)
			return &sweep_columns[i];
	return NULL;
}

static struct cs_error *parse_sweep(struct call *call, struct sweep *ret)
{
	const struct argument *steps = call_option(call, "steps");
	const struct argument *best = call_option(call, "best");
	if (call->n_arguments > 2)
		return cs_error_new(CS_E_USAGE, "a sweep has one or two settings");
	ret->n = call->n_arguments;
	for (size_t i = 0; i < ret->n; i++) {
		const struct argument *swept = call_argument(call, i);
		struct range *range = &ret->ranges[i];
		*range = (struct range){.first = swept->sweep.first,
			.last = swept->sweep.last,
			.steps = steps->given ? steps->count : 5};
		memcpy(range->key, swept->text, swept->sweep.name_length);
		if (ret->ranges[i].steps < 2 || ret->ranges[i].steps > 100)
			return cs_error_new(CS_E_USAGE, "a sweep has 2 to 100 steps");
	}
	const char *key = best->given                        ? best->text
			  : call_option(call, "path")->given ? "peak_bytes"
							     : "cost";
	ret->best = find_column(key);
	return ret->best ? NULL : cs_error_new(CS_E_USAGE, "a sweep does not count '%s'", key);
}

static double number_of(const struct cs_column *column, const struct sweep_row *record)
{
	struct cs_value value;
	const struct cs_row row = {.record = record};
	column->get(&row, column, &value);
	return value.kind == CS_KIND_INTEGER  ? (double)value.integer
	       : value.kind == CS_KIND_NUMBER ? value.number
					      : NAN;
}

/* ---- the budget ---- */

/* One bound of "peak_bytes=5e7,peak_cells=40"; false when it is none. */
static bool parse_bound(const char *text, size_t n, const struct cs_column **column, double *most)
{
	char copy[128];
	if (n >= sizeof(copy))
		return false;
	snprintf(copy, sizeof(copy), "%.*s", (int)n, text);
	char *equals = strchr(copy, '=');
	if (!equals)
		return false;
	*equals = '\0';
	*column = find_column(copy);
	return *column && cs_double_parse(equals + 1, strlen(equals + 1), most);
}

static struct cs_error *keep_budget(const char *budget, struct sweep_row *rows, size_t n)
{
	while (*budget) {
		const struct cs_column *column;
		double most;
		size_t length = strcspn(budget, ",");
		if (!parse_bound(budget, length, &column, &most))
			return cs_error_new(CS_E_USAGE, "'%s' is no budget: KEY=MOST,...", budget);
		for (size_t i = 0; i < n; i++)
			rows[i].within = rows[i].within && number_of(column, &rows[i]) <= most;
		budget += length + (budget[length] == ',');
	}
	return NULL;
}

static const struct sweep_row *choose_best(
	const struct sweep *sweep, struct sweep_row *rows, size_t n)
{
	struct sweep_row *best = NULL;
	for (size_t i = 0; i < n; i++)
		if (rows[i].within && !isnan(number_of(sweep->best, &rows[i])) &&
			(!best || number_of(sweep->best, &rows[i]) < number_of(sweep->best, best)))
			best = &rows[i];
	if (best)
		best->best = true;
	return best;
}

/* ---- running ---- */

static double value_at(const struct range *range, uint64_t step)
{
	return range->first +
	       (range->last - range->first) * (double)step / (double)(range->steps - 1);
}

struct counting {
	const struct cs_whatif *whatif;
	const struct cs_path *path;
	struct cs_whatif_counts *counts;
};

static struct cs_error *count(void *context, struct cs_cooked *cooked)
{
	const struct counting *c = context;
	return cs_whatif_count(c->whatif, cooked, c->path, c->counts);
}

static struct cs_error *run_step(struct cs_whatif *whatif, const struct sweep *sweep,
	const struct cs_path *path, struct sweep_row *row)
{
	const double values[] = {row->value, row->second};
	char text[2][400];
	const char *const changes[] = {text[0], text[1]};
	for (size_t i = 0; i < sweep->n; i++)
		snprintf(text[i], sizeof(text[i]), "%s=%.17g", sweep->ranges[i].key, values[i]);
	struct counting counting = {whatif, path, &row->counts};
	return cs_whatif_visit(whatif, changes, sweep->n, count, &counting);
}

static size_t steps_of(const struct sweep *sweep, size_t range)
{
	return range < sweep->n ? sweep->ranges[range].steps : 1;
}

static struct cs_error *run_steps(struct call *call, const struct sweep *sweep,
	const struct cs_path *path, struct sweep_row *rows)
{
	struct cs_whatif *whatif;
	struct cs_error *error = whatif_new(call->session, &whatif);
	if (error)
		return error;
	size_t across = steps_of(sweep, 1), n = steps_of(sweep, 0) * across;
	for (size_t i = 0; !error && i < n; i++) {
		rows[i] = (struct sweep_row){.value = value_at(&sweep->ranges[0], i / across),
			.second = sweep->n > 1 ? value_at(&sweep->ranges[1], i % across) : NAN,
			.within = true};
		error = run_step(whatif, sweep, path, &rows[i]);
	}
	cs_whatif_free(whatif);
	return error;
}

/* ---- showing ---- */

static void say_bars(struct call *call, const struct sweep *sweep, const struct sweep_row *rows)
{
	enum { WIDTH = 48 };
	double most = 0;
	for (size_t i = 0; i < sweep->ranges[0].steps; i++)
		most = fmax(most, number_of(sweep->best, &rows[i]));
	for (size_t i = 0; i < sweep->ranges[0].steps; i++) {
		double value = number_of(sweep->best, &rows[i]);
		int length = most > 0 ? (int)(value / most * WIDTH + 0.5) : 0;
		say(call->out, "%12g |%.*s%s %g\n", rows[i].value, length,
			"################################################",
			rows[i].best     ? " <"
			: rows[i].within ? ""
					 : " x",
			value);
	}
}

static void say_field(struct call *call, const struct sweep *sweep, const struct sweep_row *rows)
{
	size_t across = steps_of(sweep, 1);
	say(call->out, "%s down, %s across\n            ", sweep->ranges[0].key,
		sweep->ranges[1].key);
	for (size_t k = 0; k < across; k++)
		say(call->out, " %10g", rows[k].second);
	for (size_t i = 0; i < sweep->ranges[0].steps; i++) {
		say(call->out, "\n%12g", rows[i * across].value);
		for (size_t k = 0; k < across; k++) {
			const struct sweep_row *row = &rows[i * across + k];
			say(call->out, "%c%10.6g",
				row->best     ? '<'
				: row->within ? ' '
					      : 'x',
				number_of(sweep->best, row));
		}
	}
	say(call->out, "\n");
}

static void say_best(struct call *call, const struct sweep *sweep, const struct sweep_row *best)
{
	const char *within = call_option(call, "budget")->given ? " within the budget" : "";
	if (!best) {
		say(call->out, "nothing is%s\n", *within ? within : " counted");
		return;
	}
	say(call->out, "least %s%s: %s=%.10g", sweep->best->key, within, sweep->ranges[0].key,
		best->value);
	if (sweep->n > 1)
		say(call->out, " %s=%.10g", sweep->ranges[1].key, best->second);
	say(call->out, ", %g\n", number_of(sweep->best, best));
}

static struct cs_error *write_svg(
	struct call *call, const struct sweep *sweep, const struct sweep_row *rows, size_t n)
{
	const char *file = call_option(call, "svg")->text;
	double *values = malloc((n + 1) * sizeof(*values));
	char title[700];
	if (!values)
		return cs_error_nomem();
	for (size_t i = 0; i < n; i++)
		values[i] = number_of(sweep->best, &rows[i]);
	snprintf(title, sizeof(title), "%s by %s%s%s", sweep->best->key, sweep->ranges[0].key,
		sweep->n > 1 ? ", and across " : "", sweep->n > 1 ? sweep->ranges[1].key : "");
	const struct cs_field_plot field = {.values = values,
		.rows = sweep->ranges[0].steps,
		.columns = steps_of(sweep, 1),
		.title = title,
		.first_row = sweep->ranges[0].first,
		.last_row = sweep->ranges[0].last,
		.first_column = sweep->ranges[1].first,
		.last_column = sweep->ranges[1].last};
	struct cs_error *error = cs_field_svg(&field, file);
	free(values);
	if (!error)
		note(call->out, "wrote %s\n", file);
	return error;
}

static struct cs_error *show_sweep(
	struct call *call, const struct sweep *sweep, struct sweep_row *rows, size_t n)
{
	const struct argument *budget = call_option(call, "budget");
	struct cs_error *error = budget->given ? keep_budget(budget->text, rows, n) : NULL;
	if (error)
		return error;
	const struct sweep_row *best = choose_best(sweep, rows, n);
	if (call_option(call, "svg")->given)
		error = write_svg(call, sweep, rows, n);
	bool plot = call_option(call, "plot")->given && !wants_rows(call);
	if (!error && !plot)
		error = emit_plain(call, &sweep_table, rows, n, sizeof(*rows));
	if (!error && plot)
		(sweep->n > 1 ? say_field : say_bars)(call, sweep, rows);
	if (!error && !wants_rows(call) &&
		(plot || budget->given || call_option(call, "best")->given))
		say_best(call, sweep, best);
	return error;
}

static struct cs_error *run_sweep(struct call *call)
{
	struct sweep sweep = {.n = 0};
	const struct cs_path *path = NULL;
	struct cs_error *error = parse_sweep(call, &sweep);
	if (!error)
		error = path_of_option(call, &path);
	if (error)
		return error;
	size_t n = steps_of(&sweep, 0) * steps_of(&sweep, 1);
	struct sweep_row *rows = calloc(n, sizeof(*rows));
	error = rows ? run_steps(call, &sweep, path, rows) : cs_error_nomem();
	if (!error)
		error = show_sweep(call, &sweep, rows, n);
	free(rows);
	return error;
}

const struct command command_sweep = {
	.name = "sweep",
	.group = GROUP_DIFF,
	.flags = COMMAND_WORLD | COMMAND_LISTS,
	.arguments = {{"NAME=FIRST..LAST", ARGUMENT_SWEEP, .many = true}},
	.options = {{0, "steps", "N", ARGUMENT_WHOLE, "values from first to last, 5", NULL},
		{'p', "path", "NAME", ARGUMENT_WORD, "run along this path too: peaks and loads",
			NULL},
		{0, "best", "KEY", ARGUMENT_WORD,
			"what shall be least: cost, or peak_bytes with a path", NULL},
		{0, "budget", "KEY=MOST,...", ARGUMENT_WORD, "what must not be exceeded", NULL},
		{0, "plot", NULL, ARGUMENT_NONE, "draw what shall be least", NULL},
		{0, "svg", "FILE", ARGUMENT_OUTPUT, "write that as a picture", NULL}},
	.summary = "cook with one or two settings at several values, and count what comes",
	.examples = "sweep MainGrid.cell_size=6400..51200\n"
		    "sweep MainGrid.cell_size=6400..51200 --plot\n"
		    "sweep MainGrid.cell_size=6400..51200 MainGrid.loading_range=12800..51200 "
		    "--plot --steps 3\n"
		    "path load fly.csv\nsweep MainGrid.loading_range=12800..51200 -p fly --budget "
		    "peak_actors=200 --best loads",
	.help = "Names are those of `whatif`. With a path each cook is run along it, one player at\n"
		"60 frames a second, and its peaks are counted. Of two settings every value of the\n"
		"one is tried with every value of the other. KEY is a column; `-c` shows those that\n"
		"the table has no room for. In plots < is the best, x beyond the budget.",
	.run = run_sweep,
};
