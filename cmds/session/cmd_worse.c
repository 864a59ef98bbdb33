/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Command `worse`: measures that got worse between two cooks, against the project's budgets. */
#include "cmds/cook/cmd_cooks.h"
#include "src/session/plain.h"
#include "src/session/script/checks.h"

#include <cellscope/compare.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct worse_row {
	struct cs_measure of;
	const char *verdict;
};

PLAIN_GETTER(get_change, struct worse_row, cs_number(at->of.after - at->of.before))

static const struct cs_column worse_columns[] = {
	SHORT_AS("measure", struct worse_row, of.name,
		"name of the measure; a smaller value is better"),
	SHORT_AS("before", struct worse_row, of.before, "value on the left side"),
	SHORT_AS("after", struct worse_row, of.after, "value on the right side"),
	SHORT_VALUE("change", NUMBER, get_change, "value after minus value before"),
	SHORT_AS("budget", struct worse_row, of.most, "largest value that the budget allows"),
	SHORT(struct worse_row, verdict,
		"verdict: breaks the budget, worse, better, same, or unknown"),
	SHORT_AS("where", struct worse_row, of.cell_after,
		"cell with the largest value on the right side"),
	PLAIN_AS("where_before", struct worse_row, of.cell_before,
		"cell with the largest value on the left side", .flags = 0),
	SHORT_AS("rise", struct worse_row, of.rise, "largest increase that the budget allows"),
	PLAIN_AS("unit", struct worse_row, of.unit, "unit of the values", .flags = 0),
	PLAIN_AS("doc", struct worse_row, of.doc, "quantity that the measure counts", .flags = 0),
};

static const struct cs_table worse_table = PLAIN_TABLE("measures", "measure", worse_columns);

static const char *worse_verdict_of(const struct cs_measure *row)
{
	if (row->breaks)
		return "breaks the budget";
	if (!(row->after <= row->before) && !row->worse)
		return "unknown";
	return row->worse ? "worse" : row->after < row->before ? "better" : "same";
}

static struct cs_error *worse_tell(struct call *call, const struct cs_measure measures[CS_MEASURES])
{
	struct worse_row rows[CS_MEASURES];
	size_t n = 0, worse = 0, broken = 0, unchecked = 0;
	for (size_t i = 0; i < CS_MEASURES; i++) {
		const struct cs_measure *measure = &measures[i];
		worse += measure->worse;
		broken += measure->breaks;
		unchecked += measure->unchecked;
		if (measure->worse || measure->breaks || measure->unchecked ||
			call_option(call, "all")->given)
			rows[n++] = (struct worse_row){*measure, worse_verdict_of(measure)};
	}
	check_verdict(call, broken == 0, "the project exceeds a budget");
	struct cs_error *error = NULL;
	if (n || wants_rows(call))
		error = emit_plain(call, &worse_table, rows, n);
	if (!error && !wants_rows(call))
		say(call->out, "%zu of %d measures got worse, %zu budget%s broken\n", worse,
			CS_MEASURES, broken, plural_end(broken));
	if (!error && !wants_rows(call) && unchecked)
		say(call->out,
			"%zu budget%s not checked, because a value is unknown: -p and --real measure "
			"more\n",
			unchecked, plural_end(unchecked));
	return error;
}

/* With --path, simulates both cooks along it and stores the peaks of loaded cells and bytes. */
static struct cs_error *peaks_of(
	struct call *call, struct cs_cooked *const cooks[2], struct cs_along along[2])
{
	const struct cs_run_side left = {.cooked = cooks[0]}, right = {.cooked = cooks[1]};
	struct cs_run_difference difference;
	const struct cs_path *path;
	struct cs_error *error = path_of_option(call, &path);
	if (error || !path)
		return error;
	error = cs_run_compare(&left, &right, path, 0, &call->session->job, &difference);
	if (error)
		return error;
	along[0].peak_cells = (double)difference.left.peak_cells;
	along[1].peak_cells = (double)difference.right.peak_cells;
	along[0].peak_bytes = (double)difference.left.peak_bytes;
	along[1].peak_bytes = (double)difference.right.peak_bytes;
	free(difference.pairs);
	free(difference.partings);
	return NULL;
}

/* If --real is given, stores how late cells were in that real run, against a run of the cook. */
static struct cs_error *lateness_of(
	struct call *call, const struct cs_cooked *cooked, struct cs_along *along)
{
	const struct cs_job *job = &call->session->job;
	struct cs_real *real = NULL;
	struct cs_stream *stream = NULL;
	const struct argument *files = call_option(call, "real");
	if (!files->given)
		return NULL;
	struct cs_real_sums sum;
	struct cs_error *error = cs_real_new(&real);
	if (!error)
		error = cs_real_read(real, files->text, job);
	if (!error)
		error = cs_stream_new(cooked, NULL, job, &stream);
	if (!error)
		error = cs_real_compare(real, stream, NULL, job, &sum);
	if (!error) {
		along->never_cells = sum.never;
		along->late_cells = sum.late;
		along->late_ms = sum.latest;
	}
	cs_stream_free(stream);
	cs_real_free(real);
	return error;
}

/*
 * Returns the path of the budgets: --budget, else cellscope-budget.json in the folder of the right
 * cook, else NULL.
 */
static const char *budget_of(struct call *call, const char *right, char text[4096])
{
	static const char name[] = "cellscope-budget.json";
	const struct argument *typed = call_option(call, "budget");
	if (typed->given)
		return typed->text;
	snprintf(text, 4096, "%.*s%s", (int)(base_name(right) - right), right, name);
	return access(text, F_OK) == 0 ? text : NULL;
}

static struct cs_error *run_worse(struct call *call)
{
	struct opened opened[2] = {{0}};
	struct cs_cooked *cooks[2] = {NULL};
	struct cs_measure measures[CS_MEASURES];
	struct cs_along along[2];
	char beside[4096];
	struct cs_error *error = NULL;
	along[0] = along[1] = (struct cs_along){
		CS_NO_NUMBER, CS_NO_NUMBER, CS_NO_NUMBER, CS_NO_NUMBER, CS_NO_NUMBER};
	for (size_t i = 0; !error && i < 2; i++) {
		const char *text = call_argument(call, i)->text;
		error = open_cook(call, &text, &opened[i], &cooks[i]);
	}
	if (!error)
		error = peaks_of(call, cooks, along);
	for (size_t i = 0; !error && i < 2; i++)
		error = lateness_of(call, cooks[i], &along[i]);
	if (!error)
		error = cs_worse(cooks[0], cooks[1], along,
			budget_of(call, call_argument(call, 1)->text, beside), measures);
	if (!error)
		error = worse_tell(call, measures);
	opened_close(&opened[0]);
	opened_close(&opened[1]);
	return error;
}

const struct command command_worse = {
	.name = "worse",
	.group = GROUP_DIFF,
	.flags = COMMAND_LISTS,
	.arguments = {{"BEFORE", ARGUMENT_FILE}, {"AFTER", ARGUMENT_FILE}},
	.options = {{'p', "path", "NAME", ARGUMENT_WORD,
			    "move one player along path NAME of `path load` and count cells and "
			    "bytes in memory"},
		{0, "real", "FILE", ARGUMENT_FILE,
			"compare each side with this file of a real run (help run compare)"},
		{0, "budget", "FILE", ARGUMENT_FILE,
			"read budgets from this JSON file (default: cellscope-budget.json beside "
			"AFTER)"},
		{0, "all", NULL, ARGUMENT_NONE, "list also measures that did not get worse"}},
	.summary =
		"compare two worlds and list what got worse; exit status 1 if a budget is broken",
	.examples = "worse before.cworld after.cworld\n"
		    "worse monday.log tuesday.log --all\n"
		    "path load fly.csv\nworse before.cworld after.cworld -p fly --json",
	.help = "BEFORE and AFTER are worlds as `diff` takes them: files, folders, `now` (the\n"
		"open world) or KEY=VALUE (help diff). Each row is a measure, with its value\n"
		"before and after, its change and its budget:\n"
		"  always_loaded_actors    actors that are always loaded\n"
		"  fullest_cell            actors of the fullest cell that can be unloaded\n"
		"  largest_cell            longest side, in X or Y, of the contents of such a\n"
		"                          cell, in cm\n"
		"  cell_bytes              most bytes of any cell\n"
		"  square_km_bytes         bytes of all cells for each square kilometre\n"
		"  peak_cells, peak_bytes  with a path: most cells and bytes in memory\n"
		"  split_cells             cells that exist because data layers split a grid cell\n"
		"  hlods_without_cell      HLOD actors whose cell does not exist\n"
		"  errors, warnings        findings of validation (help check)\n"
		"  dropped_actors          actors that Unreal would lose\n"
		"  largest_cluster         actors of the largest actor set (help sets)\n"
		"Standalone level instances count, too (help partitions).\n\n"
		"A budget file contains limits or allowed rises of measures. The following file\n"
		"allows 400 actors in a cell, and no more errors than before:\n"
		"  {\"fullest_cell\": 400, \"errors\": {\"rise\": 0}}\n"
		"Only measures with a budget have an effect on the exit status. A measure that is\n"
		"unknown on one side is listed as unknown, and never breaks its budget.\n\n"
		"--real FILE simulates both sides along the path of the real run in FILE and adds\n"
		"three measures of visits of cells (help run compare): never_cells, the visits\n"
		"that only the simulation has; late_cells, the visits in which the real run\n"
		"showed the cell later than the simulation; and late_ms, the largest delay in ms.\n"
		"FILE must contain frames and states of cells.",
	.run = run_worse,
	.rows = &worse_table,
};
