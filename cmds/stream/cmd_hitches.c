/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Implements the command `hitches`, which ranks the frames and cells that cost most. */
#include <cellscope/runs.h>

#include "cmds/picture/cmd_changes.h"
#include "src/session/plain.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- frames that cost most ---- */

struct frame_row {
	struct cs_hitch_frame frame;
	double ms;
	const char *cell, *why, *avoid, *reason;
};

static const struct cs_column frame_columns[] = {
	SHORT_AS("frame", struct frame_row, frame.frame, "number of the frame"),
	SHORT(struct frame_row, ms, "ms of visibility work and of waiting for streaming"),
	SHORT_AS("stall", struct frame_row, frame.stall_ms,
		"part of `ms` spent waiting for streaming"),
	PLAIN_AS("show", struct frame_row, frame.show_ms,
		"part of `ms` spent making levels visible or hidden"),
	SHORT_AS("bytes", struct frame_row, frame.bytes,
		"bytes of the cells whose load ended in the frame"),
	SHORT_AS("loads", struct frame_row, frame.loads, "cells that began to load"),
	SHORT_AS("shows", struct frame_row, frame.shows, "cells that were shown"),
	SHORT_AS("waiting", struct frame_row, frame.waiting, "cells the budget did not reach"),
	PLAIN_AS("cells", struct frame_row, frame.cells, "number of cells that are loading"),
	PLAIN_WORD("performance", struct frame_row, frame.performance, PERFORMANCE,
		"streaming performance: good, slow, critical or immediate"),
	SHORT(struct frame_row, cell, "most expensive cell that is loading"),
	PLAIN(struct frame_row, why, "reason for the cost of the most expensive cell"),
	PLAIN(struct frame_row, avoid, "advice for avoiding the cost"),
	PLAIN_AS("length", struct frame_row, frame.length_ms,
		"length of the frame in ms, without the wait"),
	PLAIN_AS("grown", struct frame_row, frame.grown_ms,
		"ms that sim.FrameCost added to the length of the frame"),
	PLAIN_AS(
		"load", struct frame_row, frame.load_ms, "ms of creating actors of loading levels"),
	PLAIN_AS("purge", struct frame_row, frame.purge_ms, "ms of freeing unloaded levels"),
	PLAIN(struct frame_row, reason,
		"work that made the frame long, and the limit that it exceeded"),
};

static const struct cs_table frame_table = PLAIN_TABLE("hitches", "hitch", frame_columns);

static const char *hitches_cell_name(const struct cs_stream *stream, struct cs_stream_cell cell)
{
	return cell.world == CS_NONE ? NULL
				     : short_cell_name(stream, stream_cell_name(stream, cell));
}

/* Prints below the table why its most expensive cell is expensive and how to avoid the cost. */
static void say_dearest(struct call *call, const char *cell, const char *why, const char *avoid)
{
	if (!cell || !avoid || wants_rows(call) || call_option(call, "c")->given)
		return;
	say(call->out, "dearest: %s %s; to avoid that, %s\n", cell, why, avoid);
}

static struct cs_error *list_frames(
	struct call *call, const struct cs_stream *stream, uint64_t first, uint64_t last)
{
	struct cs_hitch_frame *frames;
	size_t n;
	struct cs_error *error = cs_hitch_frames(stream, first, last, &frames, &n);
	if (error)
		return error;
	struct frame_row *rows = calloc(n + 1, sizeof(*rows));
	for (size_t i = 0; rows && i < n; i++)
		rows[i] = (struct frame_row){.frame = frames[i],
			.ms = frames[i].show_ms + frames[i].stall_ms + frames[i].load_ms +
			      frames[i].purge_ms,
			.reason = *frames[i].reason ? frames[i].reason : NULL,
			.cell = hitches_cell_name(stream, frames[i].dear),
			.why = frames[i].dear.world == CS_NONE
				       ? NULL
				       : cs_word(CS_WORDS_HITCH_CAUSE, frames[i].cause)->name,
			.avoid = *frames[i].avoid ? frames[i].avoid : NULL};
	error = rows ? emit_plain(call, &frame_table, rows, n) : cs_error_nomem();
	if (!error && n)
		say_dearest(call, rows[0].cell, rows[0].why, rows[0].avoid);
	if (!error && n && rows[0].reason && rows[0].frame.grown_ms > 0 && !wants_rows(call) &&
		!call_option(call, "c")->given)
		say(call->out, "frame %" PRIu64 " took %.1f ms: %s\n", rows[0].frame.frame,
			rows[0].frame.length_ms, rows[0].reason);
	free(rows);
	free(frames);
	return error;
}

/* ---- cells that cost most ---- */

struct cell_row {
	struct cs_hitch_cell cell;
	double ms;
	const char *name, *why, *avoid;
};

PLAIN_GETTER(get_frame, uint64_t, *at == CS_NO_FRAME ? cs_null() : cs_integer((int64_t)*at))

#define MARK(key_, member, text)                                                               \
	{                                                                                      \
		.key = key_, .kind = CS_KIND_INTEGER, .get = get_frame,                        \
		.offset = offsetof(struct cell_row, cell.member), .doc = text, .unit = "frame" \
	}

static const struct cs_column cell_columns[] = {
	SHORT(struct cell_row, ms, "ms of visibility work and of waiting for the cell"),
	PLAIN_AS("stall", struct cell_row, cell.stall_ms,
		"part of `ms` spent waiting for streaming"),
	SHORT_AS("bytes", struct cell_row, cell.bytes, "bytes of the cell by the load model"),
	SHORT_AS("wait", struct cell_row, cell.wait, "frames until the load of the cell began"),
	SHORT_AS("loading", struct cell_row, cell.loading, "frames that the load of the cell took"),
	SHORT_AS("cell", struct cell_row, name, "the cell"),
	SHORT_AS("actors", struct cell_row, cell.actors, "number of actors in the cell"),
	SHORT(struct cell_row, why, "reason for the cost of the cell"),
	PLAIN(struct cell_row, avoid, "advice for avoiding the cost"),
	MARK("wanted", wanted, "frame in which the cell was wanted"),
	MARK("load", load, "frame in which the load of the cell began"),
	MARK("loaded", loaded, "frame in which the cell was loaded"),
	MARK("shown", shown, "frame in which the cell was shown"),
};

static const struct cs_table cell_table = PLAIN_TABLE("hitches", "hitch_cell", cell_columns);

static struct cs_error *hitches_list_cells(
	struct call *call, const struct cs_stream *stream, uint64_t first, uint64_t last)
{
	struct cs_hitch_cell *cells;
	size_t n;
	struct cs_error *error = cs_hitch_cells(stream, first, last, &cells, &n);
	if (error)
		return error;
	struct cell_row *rows = calloc(n + 1, sizeof(*rows));
	for (size_t i = 0; rows && i < n; i++)
		rows[i] = (struct cell_row){cells[i], cells[i].show_ms + cells[i].stall_ms,
			hitches_cell_name(stream, cells[i].cell),
			cs_word(CS_WORDS_HITCH_CAUSE, cells[i].cause)->name,
			*cells[i].avoid ? cells[i].avoid : NULL};
	error = rows ? emit_plain(call, &cell_table, rows, n) : cs_error_nomem();
	if (!error && n)
		say_dearest(call, rows[0].name, rows[0].why, rows[0].avoid);
	free(rows);
	free(cells);
	return error;
}

/* ---- command hitches ---- */

static void hitches_say_frame(struct output *out, const struct cs_stream *stream, uint64_t number)
{
	const struct cs_stream_frame *frame = cs_stream_frame(stream, number);
	if (!frame)
		return;
	const uint64_t limit = frame->cost.show_limit_ns;
	say(out,
		"frame %" PRIu64
		"  show %.1f ms of %g  stall %.1f ms  waiting %u  loading %u  %s (rule %s)\n",
		number, (double)frame->work_ns / 1e6, limit == UINT64_MAX ? 0 : (double)limit / 1e6,
		(double)frame->stall_ns / 1e6, frame->waiting, frame->loading,
		cs_word(CS_WORDS_PERFORMANCE, frame->performance)->name,
		cs_word(CS_WORDS_PERFORMANCE, frame->performance)->rule);
}

static struct cs_error *run_hitches(struct call *call)
{
	const struct argument_range frames = range_or_all(call_option(call, "frames"));
	struct cs_stream *stream = call->stream;
	const struct argument *frame = call_argument(call, 0);
	if (frame->given && !cs_stream_frame(stream, frame->count))
		return cs_error_new(CS_E_NOFRAME,
			"the run does not store frame %" PRIu64
			": it stores the latest frames, up to frame %" PRIu64,
			frame->count, cs_stream_status(stream).frame);
	if (frame->given && !wants_rows(call))
		hitches_say_frame(call->out, stream, frame->count);
	if (frame->given)
		return hitches_list_cells(call, stream, frame->count, frame->count);
	return call_option(call, "cells")->given
		       ? hitches_list_cells(call, stream, frames.first, frames.last)
		       : list_frames(call, stream, frames.first, frames.last);
}

const struct command command_hitches = {
	.name = "hitches",
	.group = GROUP_WHY,
	.flags = COMMAND_RUN | COMMAND_WHOLE | COMMAND_LISTS,
	.arguments = {{"FRAME", ARGUMENT_WHOLE, .optional = true}},
	.options = {{'f', "frames", "A..B", ARGUMENT_RANGE,
			    "rank only frames A to B (default: the last 4096)"},
		{0, "cells", NULL, ARGUMENT_NONE, "rank cells, not frames"}},
	.summary = "rank the frames, or the cells, that took most time, with advice on saving time",
	.examples = "step 200\n"
		    "hitches -n 5\n"
		    "hitches 5\n"
		    "hitches --cells -n 5\n"
		    "hitches -f 1..30",
	.help = "Rows are ranked by the column `ms`, the time in milliseconds of showing cells,\n"
		"hiding cells and waiting for streaming. Equal rows are ranked by the bytes that\n"
		"were read, then by the frames that cells waited. `hitches FRAME` ranks the cells\n"
		"that were waiting, loading or being shown in that frame. The line `dearest`\n"
		"below the rows is about the first row. It says what made the most expensive cell\n"
		"of this row expensive, and what could avoid that. `-c frame,why,avoid` shows\n"
		"this for each frame. Because the advice follows from this run alone, confirm it\n"
		"with `whatif` or another run.\n\n"
		"The milliseconds are not measured, but computed by a model of loading (help\n"
		"sim). With the variable sim.FrameCost 0 (default) only waits make a frame\n"
		"longer, and the work on one actor may be split between frames. In Unreal all\n"
		"work makes the frame longer, and the work on one actor is not split.\n\n"
		"With sim.FrameCost 1 an actor is shown, hidden or created in one piece, all work\n"
		"makes its frame longer, and creating actors and freeing levels count in the\n"
		"ranking. Three variables limit the ms of work in a frame:\n"
		"s.LevelStreamingActorsUpdateTimeLimit for showing actors,\n"
		"s.UnregisterComponentsTimeLimit for hiding actors and s.AsyncLoadingTimeLimit\n"
		"for creating actors. `-c frame,reason` names the work that made a frame long\n"
		"(help rule 2.6.1).",
	.run = run_hitches,
};
