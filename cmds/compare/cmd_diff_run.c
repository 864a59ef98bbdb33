/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Implements the command `diff run`, which compares two streaming runs of a path frame by frame. */
#include "cmds/cook/cmd_cooks.h"
#include "src/session/plain.h"
#include "src/session/script/checks.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct pair_row {
	const struct cs_path_frame *recorded;
	struct cs_run_pair is;
	double left_ms, right_ms;
};

/* Column getter for a value that the engine measured; column->argument is an index of `values`. */
PLAIN_GETTER(get_recorded, struct pair_row,
	cs_number(at->recorded ? at->recorded->values[column->argument] : CS_NO_NUMBER))

#define RECORDED(key_, index, text, ...)                                              \
	{                                                                             \
		.key = "recorded_" key_, .kind = CS_KIND_NUMBER, .get = get_recorded, \
		.argument = index, .doc = text, __VA_ARGS__                           \
	}

static const struct cs_column pair_columns[] = {
	SHORT_AS("frame", struct pair_row, is.left.frame, "number of the frame"),
	SHORT_AS("differ", struct pair_row, is.cells, "cells whose states differ in the two runs"),
	SHORT_AS("left_loaded", struct pair_row, is.left.cells_loaded, "left: cells in memory"),
	SHORT_AS("right_loaded", struct pair_row, is.right.cells_loaded, "right: cells in memory"),
	SHORT_AS("left_bytes", struct pair_row, is.left.bytes,
		"left: bytes of the cells in memory, by the load model"),
	SHORT_AS("right_bytes", struct pair_row, is.right.bytes,
		"right: bytes of the cells in memory, by the load model"),
	PLAIN_AS(
		"left_actors", struct pair_row, is.left.actors, "actors in memory in the left run"),
	PLAIN_AS("right_actors", struct pair_row, is.right.actors,
		"actors in memory in the right run"),
	SHORT_AS("left_waiting", struct pair_row, is.left.waiting,
		"left: cells that wait because the budget is used up"),
	SHORT_AS("right_waiting", struct pair_row, is.right.waiting,
		"right: cells that wait because the budget is used up"),
	PLAIN(struct pair_row, left_ms, "visibility work and waits in the left run", .unit = "ms"),
	PLAIN(struct pair_row, right_ms, "visibility work and waits in the right run",
		.unit = "ms"),
	RECORDED("frame_time", CS_RECORDED_FRAME_TIME,
		"duration of the frame that the game recorded", .unit = "ms"),
	RECORDED("considered", CS_RECORDED_CONSIDERED,
		"number of levels to consider, which the game recorded"),
	RECORDED("level_streaming", CS_RECORDED_LEVEL_STREAMING,
		"time for updating levels that the game recorded", .unit = "ms"),
	RECORDED("queued", CS_RECORDED_QUEUED,
		"packages in the queue of reads that the game recorded"),
};

static const struct cs_table pair_table =
	PLAIN_TABLE("run_differences", "run_difference", pair_columns);

/* ---- totals of both runs ---- */

struct sum_row {
	const char *what;
	double left, right, change;
};

enum { MOST_TOLD = 8 };

static const struct cs_column sum_columns[] = {
	SHORT(struct sum_row, what, "quantity that the row compares"),
	SHORT(struct sum_row, left, "value of the left run"),
	SHORT(struct sum_row, right, "value of the right run"),
	SHORT(struct sum_row, change, "right value minus left value"),
};

static const struct cs_table sum_table = PLAIN_TABLE("run_sums", "run_sum", sum_columns);

#define COUNT(member, ...)     {#member, offsetof(struct cs_stream_report, member), 1},
#define TIME(key, member, ...) {#key, offsetof(struct cs_stream_report, member), 1e-6},

static const struct {
	const char *what;
	size_t offset;
	double unit;
} sums[] = {CS_STREAM_REPORT_SUMS(COUNT, TIME)};

#undef COUNT
#undef TIME

static double run_sum_of(const struct cs_stream_report *report, size_t sum)
{
	const uint64_t *at = (const void *)((const char *)report + sums[sum].offset);
	return (double)*at * sums[sum].unit;
}

static struct cs_error *emit_sums(struct call *call, const struct cs_run_difference *difference)
{
	enum { SUMS = sizeof(sums) / sizeof(sums[0]) };
	struct sum_row rows[SUMS];
	for (size_t i = 0; i < SUMS; i++) {
		const double left = run_sum_of(&difference->left, i),
			     right = run_sum_of(&difference->right, i);
		rows[i] = (struct sum_row){sums[i].what, left, right, right - left};
	}
	return emit_plain(call, &sum_table, rows, SUMS);
}

/* ---- text output ---- */

static const char *state_text(uint32_t cell, enum cs_level_state state)
{
	return cell == CS_NONE ? "not there" : cs_word(CS_WORDS_LEVEL_STATE, state)->name;
}

static const char *name_of_parting(
	const struct cs_run_side sides[2], const struct cs_run_parting *parting)
{
	return parting->left != CS_NONE ? cs_cooked_cell_name(sides[0].cooked, parting->left)
					: cs_cooked_cell_name(sides[1].cooked, parting->right);
}

static void say_parting(struct call *call, const struct cs_run_side sides[2],
	const struct cs_run_difference *difference)
{
	if (difference->first == UINT64_MAX) {
		say(call->out, "%zu frame%s, the same in every cell\n", difference->n,
			plural_end(difference->n));
		return;
	}
	say(call->out, "%zu of %zu frame%s differ%s, first frame %" PRIu64 ":\n",
		difference->differing, difference->n, plural_end(difference->n),
		difference->differing == 1 ? "s" : "", difference->first);
	for (size_t i = 0; i < difference->n_partings && i < MOST_TOLD; i++) {
		const struct cs_run_parting *parting = &difference->partings[i];
		say(call->out, "  %s: %s, %s\n", name_of_parting(sides, parting),
			state_text(parting->left, parting->left_state),
			state_text(parting->right, parting->right_state));
	}
	if (difference->n_partings > MOST_TOLD)
		say(call->out, "  ... and %zu more: --at %" PRIu64 "\n",
			difference->n_partings - MOST_TOLD, difference->at);
}

/* ---- cells that differ in one frame ---- */

struct cell_row {
	const char *change, *cell, *left, *right;
};

static const struct cs_column cell_columns[] = {
	SHORT(struct cell_row, change,
		"+ in memory only on the right, - only on the left, ~ in another state",
		.label = " "),
	SHORT(struct cell_row, cell, "cell whose state differs"),
	SHORT(struct cell_row, left, "state of the cell in the left run"),
	SHORT(struct cell_row, right, "state of the cell in the right run"),
};

static const struct cs_table cell_table = PLAIN_TABLE("run_cells", "run_cell", cell_columns);

static struct cs_error *emit_cells(struct call *call, const struct cs_run_side sides[2],
	const struct cs_run_difference *difference)
{
	struct cell_row *rows = calloc(difference->n_partings + 1, sizeof(*rows));
	for (size_t i = 0; rows && i < difference->n_partings; i++) {
		const struct cs_run_parting *parting = &difference->partings[i];
		bool left = cs_level_is_there(parting->left_state),
		     right = cs_level_is_there(parting->right_state);
		rows[i] = (struct cell_row){left == right ? "~"
					    : right       ? "+"
							  : "-",
			name_of_parting(sides, parting),
			state_text(parting->left, parting->left_state),
			state_text(parting->right, parting->right_state)};
	}
	return emit_plain_taken(call, &cell_table, rows, difference->n_partings);
}

static double milliseconds(const struct cs_stream_frame *frame)
{
	return (double)(frame->work_ns + frame->stall_ns) / 1e6;
}

static struct cs_error *diff_run_emit_pairs(
	struct call *call, const struct cs_run_difference *difference, const struct cs_path *path)
{
	const struct cs_path_frame *recorded = cs_path_frames(path);
	struct pair_row *rows = calloc(difference->n + 1, sizeof(*rows));
	size_t n = 0;
	bool all = call_option(call, "all")->given;
	for (size_t i = 0; rows && i < difference->n; i++) {
		const struct cs_run_pair *pair = &difference->pairs[i];
		if (all || !pair->alike)
			rows[n++] = (struct pair_row){recorded ? &recorded[i] : NULL, *pair,
				milliseconds(&pair->left), milliseconds(&pair->right)};
	}
	return emit_plain_taken(call, &pair_table, rows, n);
}

static struct cs_error *diff_run_show(struct call *call, const struct cs_run_side sides[2],
	const struct cs_path *path, const struct cs_run_difference *difference)
{
	bool same = difference->unlike == 0;
	check_verdict(call, same, "the runs differ");
	if (call_option(call, "at")->given)
		return emit_cells(call, sides, difference);
	if (!wants_rows(call))
		say_parting(call, sides, difference);
	if (call_option(call, "stat")->given)
		return emit_sums(call, difference);
	return same && !wants_rows(call) && !call_option(call, "all")->given
		       ? NULL
		       : diff_run_emit_pairs(call, difference, path);
}

/* ---- opening the two sides ---- */

static bool is_variable(const char *text)
{
	const char *equals = strchr(text, '=');
	char name[128];
	if (!equals || (size_t)(equals - text) >= sizeof(name))
		return false;
	memcpy(name, text, (size_t)(equals - text));
	name[equals - text] = '\0';
	return cs_stream_find_variable(name) != SIZE_MAX;
}

/* Opens one of the two runs: a cook, or for VARIABLE=VALUE the open world with that setting. */
static struct cs_error *diff_run_open_side(
	struct call *call, const char *const *text, struct opened *opened, struct cs_run_side *ret)
{
	struct cs_cooked *cooked = call->session->world;
	struct cs_error *error = NULL;
	if (cooked && is_variable(*text))
		*ret = (struct cs_run_side){.settings = text, .n = 1};
	else
		error = open_cook(call, text, opened, &cooked);
	ret->cooked = cooked;
	return error;
}

static struct cs_error *run_diff_run(struct call *call)
{
	const char *const texts[] = {call_argument(call, 0)->text, call_argument(call, 1)->text};
	struct opened opened[2] = {{0}};
	struct cs_run_side sides[2] = {{0}};
	struct cs_run_difference difference;
	const struct cs_path *path;
	struct cs_error *error = path_of_option(call, &path);
	if (!error && !path)
		error = cs_error_new(CS_E_USAGE,
			"diff run needs --path NAME, the path along which a player moves in both "
			"runs");
	if (!error && call_option(call, "at")->given && call_option(call, "at")->count == 0)
		error = cs_error_new(CS_E_USAGE, "--at must be 1, the first frame, or more, not 0");
	for (int i = 0; !error && i < 2; i++)
		error = diff_run_open_side(call, &texts[i], &opened[i], &sides[i]);
	if (!error)
		error = cs_run_compare(&sides[0], &sides[1], path, call_option(call, "at")->count,
			&call->session->job, &difference);
	if (!error) {
		error = diff_run_show(call, sides, path, &difference);
		free(difference.pairs);
		free(difference.partings);
	}
	opened_close(&opened[0]);
	opened_close(&opened[1]);
	return error;
}

const struct command command_diff_run = {
	.name = "diff run",
	.group = GROUP_DIFF,
	.flags = COMMAND_LISTS,
	.arguments = {{"LEFT", ARGUMENT_WORD}, {"RIGHT", ARGUMENT_WORD}},
	.options = {{'p', "path", "NAME", ARGUMENT_WORD,
			    "move one player along path NAME of `path load` in both runs "
			    "(required)",
			    .required = true},
		{0, "stat", NULL, ARGUMENT_NONE, "print peaks and sums instead of frames"},
		{0, "all", NULL, ARGUMENT_NONE, "list also frames that are equal"},
		{0, "at", "FRAME", ARGUMENT_WHOLE,
			"list the cells that differ in frame FRAME, with their states "
			"in both runs"}},
	.summary = "compare two simulated runs along one path; exit status 1 when they differ",
	.examples = "path load fly.csv\n"
		    "diff run now MainGrid.loading_range=12800 -p fly --stat\n"
		    "diff run now sim.Latency=100 -p fly -n 5\n"
		    "diff run now sim.Latency=100 -p fly --at 20\n"
		    "diff run before.cworld after.cworld -p fly",
	.help = "In each run one player moves along the path, at 60 frames a second or, if the\n"
		"path is a CSV profile, in the frames that the profile recorded. LEFT and RIGHT\n"
		"are each a file, `now` (the open world), KEY=VALUE (the open world, cooked with\n"
		"that change: help whatif) or NAME=VALUE (the open world with that value of a\n"
		"console variable: help variable).\n"
		"\n"
		"The first lines name the first frame that differs, and the cells that differ in\n"
		"this frame, with their states on both sides. Then each row is a frame that\n"
		"differs. Cells are paired by name. With a CSV profile the columns recorded_*\n"
		"contain what the game measured on the path.",
	.run = run_diff_run,
};
