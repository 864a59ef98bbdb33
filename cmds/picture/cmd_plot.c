/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Implements the commands `frames`, `events`, `stalls`, `hash`, `diff frame` and `plot`. `plot`
 * draws an SQL expression over the columns of the table `frames`. If there are more frames than
 * text columns, a text column shows the highest value of its frames, so that no peak is hidden.
 */
#include "cmds/picture/cmd_changes.h"
#include "cmds/picture/cmd_draw.h"
#include "src/session/plain.h"
#include "src/session/script/checks.h"
#include "src/session/session.h"

#include <cellscope/compare.h>
#include <cellscope/query.h>

#include <inttypes.h>
#include <stdlib.h>

const struct command command_frames = {
	.name = "frames",
	.group = GROUP_DIFF,
	.flags = COMMAND_WHOLE | COMMAND_NANITE | COMMAND_LISTS,
	.summary = "list the last frames of the run: loads, waiting cells, performance, memory",
	.examples = "step 200\n"
		    "frames -n 10 -s -frame\n"
		    "frames -w \"stall > 0 OR performance <> 'good'\"",
	.help = "The column `loads` is the number of cells that began to load. The column\n"
		"`waiting` is the number of wanted cells whose load did not begin, because the\n"
		"loading budget of the frame was used up. The column `performance` says how far\n"
		"streaming is behind (`good`, `slow`, `critical` or `immediate`), and `stall` is\n"
		"the wait for streaming in ms. `info tables frames` explains all columns. The\n"
		"last 4096 frames are stored; `path report` sums up all frames of the run.",
	.lists = "frames",
};

static struct cs_error *run_events(struct call *call)
{
	const struct argument *frame = call_argument(call, 0);
	const struct cs_value value = cs_integer((int64_t)frame->count);
	return frame->given ? call_list_scoped(call, "events", "frame = $scope", value)
			    : call_list(call, "events");
}

const struct command command_events = {
	.name = "events",
	.alias = "log",
	.group = GROUP_DIFF,
	.flags = COMMAND_WORLD | COMMAND_NANITE | COMMAND_LISTS,
	.arguments = {{"FRAME", ARGUMENT_WHOLE, .optional = true}},
	.summary = "list what happened in the run, or in one frame",
	.examples =
		"events -n 10\nevents 5\nevents -w \"event = 'cell.fail'\"\nlog -s -frame -n 20",
	.help = "FRAME selects the events of that frame. `info events` explains the values of\n"
		"the column `event`. The last 65536 events are stored.",
	.run = run_events,
};

const struct command command_stalls = {
	.name = "stalls",
	.group = GROUP_WHY,
	.flags = COMMAND_WHOLE | COMMAND_NANITE | COMMAND_LISTS,
	.summary = "list the waits for streaming: their lengths and the cells that caused them",
	.examples = "block\nstep\nstalls",
	.help = "A stall is a frame in which the game waits until cells are loaded. The column\n"
		"`cause` is:\n"
		"  critical cells  a cell with the mark `block_on_slow` (a column of `cells`) is\n"
		"                  not visible while a source with --block on (help source add)\n"
		"                  is so near that the performance is `critical` (help rule 2.5)\n"
		"  asked for       the command `block` made the game wait\n"
		"The column `length` is the length of the wait in ms, and `loads` counts the\n"
		"cells that were loaded meanwhile. Only the last 256 stalls are stored;\n"
		"`path report` counts all.",
	.lists = "stalls",
};

/* ---- command hash ---- */

struct hash_row {
	uint64_t frame, hash;
};

PLAIN_GETTER(plot_get_hash, struct hash_row, cs_hex(at->hash, 16))

static const struct cs_column hash_columns[] = {
	PLAIN(struct hash_row, frame, "frame"),
	PLAIN_VALUE("hash", TEXT, plot_get_hash, "hash of the whole state"),
};

static const struct cs_table hash_table = PLAIN_TABLE("hashes", "hash", hash_columns);

static struct cs_error *plot_hash_at(struct cs_stream *stream, uint64_t frame, uint64_t *ret)
{
	uint64_t now = cs_stream_status(stream).frame;
	struct cs_error *error = cs_stream_goto(stream, frame);
	if (error)
		return error;
	error = cs_stream_hash(stream, ret);
	return cs_error_first(error, cs_stream_goto(stream, now));
}

static struct cs_error *run_hash(struct call *call)
{
	struct hash_row row;
	row.frame = argument_count(call_argument(call, 0), cs_stream_status(call->stream).frame);
	struct cs_error *error = plot_hash_at(call->stream, row.frame, &row.hash);
	if (error)
		return error;
	if (wants_rows(call))
		return emit_plain_record(call, &hash_table, &row);
	say(call->out, "%016" PRIx64 "  frame %" PRIu64 "\n", row.hash, row.frame);
	return NULL;
}

const struct command command_hash = {
	.name = "hash",
	.group = GROUP_DIFF,
	.flags = COMMAND_RUN | COMMAND_WHOLE | COMMAND_NANITE,
	.arguments = {{"FRAME", ARGUMENT_WHOLE, .optional = true}},
	.summary = "print a hash of the state of the run, now or after the frame FRAME",
	.examples = "hash\nstep 50\nhash 42\nset $before = state_hash()\nstep\nreverse-step\n"
		    "assert state_hash() = $before",
	.help = "FRAME is the number of a frame that has run. Equal states have equal hashes,\n"
		"however they were reached: by stepping, by going back, in a second run or by\n"
		"replaying a record. The last four lines of the example check that going back\n"
		"restores the state.",
	.run = run_hash,
};

/* ---- command diff frame ---- */

static struct cs_error *diff_frames(
	struct call *call, struct cs_stream *stream, uint64_t from, uint64_t to)
{
	struct cs_states *before = NULL;
	bool any = false;
	struct cs_error *error = cs_stream_goto(stream, from);
	if (!error)
		error = cs_states_take(stream, &before);
	if (!error)
		error = cs_stream_goto(stream, to);
	if (!error)
		error = report_changes(call, stream, before, &any);
	if (!error)
		check_verdict(call, !any, "the frames differ");
	free(before);
	return error;
}

static struct cs_error *run_diff_frame(struct call *call)
{
	struct cs_stream *stream = call->stream;
	uint64_t now = cs_stream_status(stream).frame;

	struct cs_error *error = diff_frames(call, stream, call_argument(call, 0)->count,
		argument_count(call_argument(call, 1), now));
	return cs_error_first(error, cs_stream_goto(stream, now));
}

OLD_NAME(command_diff_frame, "diff frame", "diff", run_diff_frame,
	COMMAND_RUN | COMMAND_WHOLE | COMMAND_NANITE | COMMAND_LISTS, "diff 40",
	{"FROM", ARGUMENT_WHOLE}, {"TO", ARGUMENT_WHOLE, .optional = true});

/* ---- command plot ---- */

struct series {
	double *values; /* one value per frame; CS_NO_NUMBER = none */
	size_t n;
	int64_t first, last; /* numbers of the first and last frame */
};

static struct cs_error *read_series(const struct cs_result *result, struct series *series)
{
	series->n = cs_result_rows(result);
	series->values = calloc(series->n + 1, sizeof(*series->values));
	if (!series->values)
		return cs_error_nomem();
	for (size_t i = 0; i < series->n; i++) {
		const struct cs_value frame = cs_result_value(result, i, 0);
		const struct cs_value value = cs_result_value(result, i, 1);
		series->values[i] = CS_NO_NUMBER;
		cs_value_number(&value, &series->values[i]);
		series->first = i ? series->first : frame.integer;
		series->last = frame.integer;
	}
	return NULL;
}

enum { EIGHTHS = 8 };

/* Prints a block glyph that is filled from below by `eighths` eighths, 0 to 8. */
static void say_block(struct output *out, unsigned eighths)
{
	static const char *const blocks[] = {" ", "\xe2\x96\x81", "\xe2\x96\x82", "\xe2\x96\x83",
		"\xe2\x96\x84", "\xe2\x96\x85", "\xe2\x96\x86", "\xe2\x96\x87", "\xe2\x96\x88"};
	if (out->style.ascii)
		say(out, "%c", " ...:::##"[eighths]);
	else
		say(out, "%s", blocks[eighths]);
}

void say_plot(struct output *out, const struct cs_plot *plot)
{
	enum { ROWS = 8, LABEL = PLOT_LABEL };
	for (unsigned row = ROWS; row-- > 0;) {
		if (row % 2 == 1 || row == 0)
			say(out, "%*.5g |", LABEL, cs_plot_level(plot, row ? row + 1 : 0, ROWS));
		else
			say(out, "%*s |", LABEL, "");
		for (size_t i = 0; i < plot->columns; i++) {
			unsigned height = cs_plot_height(plot, i, ROWS * EIGHTHS);
			unsigned below = row * EIGHTHS;
			say_block(out, height <= below                      ? 0
				       : height - below > (unsigned)EIGHTHS ? EIGHTHS
									    : height - below);
		}
		say(out, "|\n");
	}
}

size_t room_for_plot(const struct output *out)
{
	enum { MARGIN = 13, NARROW = 67 };
	return out->style.width > MARGIN + 1 ? out->style.width - MARGIN : NARROW;
}

static struct cs_error *select_series(
	struct call *call, struct argument_range frames, struct cs_result **ret)
{
	char *after;
	if (asprintf(&after,
		    " AS value FROM frames WHERE frame BETWEEN %" PRIu64 " AND %" PRIu64
		    " ORDER BY rowid",
		    frames.first, frames.last) < 0)
		return cs_error_nomem();
	const char *const each[] = {"frame, ", after};
	struct cs_error *error = cs_query_evaluate(call->session->query,
		call_argument(call, 0)->text, each, session_variables(call->session), ret);
	free(after);
	return error;
}

static struct cs_error *draw_series(struct call *call, const struct series *series)
{
	const struct argument *svg = call_option(call, "svg");
	struct cs_plot plot;
	struct cs_error *error =
		cs_plot_init(series->values, series->n, room_for_plot(call->out), &plot);
	if (error)
		return error;
	if (plot.columns == 0) {
		say(call->out, "nothing to draw: no frame of these has a number\n");
	} else if (svg->given) {
		error = cs_field_svg(&(struct cs_field_plot){.values = series->values,
					     .rows = series->n,
					     .columns = 1,
					     .title = call_argument(call, 0)->text,
					     .first_row = 1,
					     .last_row = (double)series->n},
			svg->text);
	} else {
		say_plot(call->out, &plot);
		say(call->out, "%*s frame %" PRId64 " to %" PRId64 ", highest %g\n", PLOT_LABEL, "",
			series->first, series->last, plot.most);
	}
	free(plot.at);
	return error;
}

static struct cs_error *show_series(struct call *call, const struct cs_result *result)
{
	struct series series = {0};
	struct cs_error *error = read_series(result, &series);
	if (!error)
		error = draw_series(call, &series);
	free(series.values);
	return error;
}

static struct cs_error *run_plot(struct call *call)
{
	struct cs_result *result;
	struct cs_error *error =
		select_series(call, range_or_all(call_option(call, "frames")), &result);
	if (error)
		return error;
	error = wants_rows(call) ? emit_result(call->out, result, cs_result_rows(result))
				 : show_series(call, result);
	cs_result_free(result);
	return error;
}

const struct command command_plot = {
	.name = "plot",
	.group = GROUP_MAP,
	.flags = COMMAND_RUN | COMMAND_WHOLE | COMMAND_NANITE,
	.arguments = {{"EXPRESSION", ARGUMENT_WORD}},
	.options = {{'f', "frames", "A..B", ARGUMENT_RANGE,
			    "plot only frames A to B (default: the last 4096)"},
		{0, "svg", "FILE", ARGUMENT_OUTPUT, "write an SVG picture to FILE, print nothing",
			REPLACES("svg")}},
	.summary = "draw a column of `frames`, or an expression over its columns, frame by frame",
	.examples = "step 200\n"
		    "plot loads\n"
		    "plot bytes/1048576.0 -f 0..600\n"
		    "plot waiting\n"
		    "plot \"performance <> 'good'\"",
	.help = "EXPRESSION is SQL over the columns of the list `frames`, such as loads, waiting,\n"
		"loading, thrash, stall, cells, actors and bytes (`frames -c ?` explains all\n"
		"columns). A column of the plot that covers several frames shows their highest\n"
		"value. Only the last 4096 frames of the run are stored.",
	.run = run_plot,
	.lists = "frames",
};
