/* SPDX-License-Identifier: Apache-2.0 */
/* Owns: the tables of real runs: which columns a row has, and where each row stood in its file. */
#include "runs/real.h"

#include <stddef.h>

static const struct cs_real *real_of(const struct cs_row *row)
{
	return row->source;
}

static struct cs_value real_text(const struct cs_row *row, uint32_t text)
{
	return text ? cs_text(cs_strings_get(&real_of(row)->texts, text)) : cs_null();
}

#define REAL_GETTER(name, type, value)                                                          \
	static void real_get_##name(                                                            \
		const struct cs_row *row, const struct cs_column *column, struct cs_value *ret) \
	{                                                                                       \
		const type *at = (const void *)((const char *)row->record + column->offset);    \
		*ret = value;                                                                   \
	}

REAL_GETTER(text, uint32_t, real_text(row, *at))
REAL_GETTER(number, double, cs_number(*at))
REAL_GETTER(whole, int64_t, *at < 0 ? cs_null() : cs_integer(*at))
REAL_GETTER(line, uint32_t, *at ? cs_integer(*at) : cs_null())
REAL_GETTER(count, int64_t, cs_integer(*at))
REAL_GETTER(truth, bool, cs_bool(*at))
REAL_GETTER(literal, char *const, cs_text(*at))
REAL_GETTER(place, struct cs_vec3, isnan(at->x) ? cs_null() : cs_vec3_value(*at))
REAL_GETTER(state, uint32_t, cs_text(cs_real_state_name((enum cs_real_state) * at)))
REAL_GETTER(file, uint32_t, real_text(row, real_of(row)->files.at[*at].name))

#define REAL(key_, structure, member, type, reader, text, ...)                              \
	{                                                                                   \
		.key = key_, .kind = CS_KIND_##type, .doc = text, .get = real_get_##reader, \
		.offset = offsetof(structure, member), __VA_ARGS__                          \
	}
#define REAL_SHORT(...) REAL(__VA_ARGS__, .flags = CS_COLUMN_SHORT)
#define REAL_ORIGIN(structure)                                                             \
	REAL("file", structure, origin.file, TEXT, file, "the file that says so"),         \
		REAL("line", structure, origin.line, INTEGER, line, "its line, from 1 on", \
			.flags = CS_COLUMN_SHORT),                                         \
		REAL("offset", structure, origin.offset, INTEGER, whole,                   \
			"byte of the file after it")

#define FRAME struct cs_real_frame
static const struct cs_column frame_columns_of_runs[] = {
	REAL_SHORT("time", FRAME, time, NUMBER, number, "seconds at its end"),
	REAL_SHORT("ms", FRAME, ms, NUMBER, number, "length of the frame"),
	REAL_SHORT("position", FRAME, position, VEC3, place, "of the view, cm"),
	REAL("game_thread", FRAME, values[CS_RECORDED_GAME_THREAD], NUMBER, number, "ms"),
	REAL("considered", FRAME, values[CS_RECORDED_CONSIDERED], NUMBER, number,
		"streaming levels to consider"),
	REAL("pending_purge", FRAME, values[CS_RECORDED_PENDING_PURGE], NUMBER, number,
		"levels unloaded and still in memory"),
	REAL("streaming", FRAME, values[CS_RECORDED_STREAMING], NUMBER, number,
		"ms of updating the streaming state"),
	REAL("level_streaming", FRAME, values[CS_RECORDED_LEVEL_STREAMING], NUMBER, number,
		"ms of showing and hiding levels"),
	REAL("async_loading", FRAME, values[CS_RECORDED_ASYNC_LOADING], NUMBER, number,
		"ms of loading on the game thread"),
	REAL("queued", FRAME, values[CS_RECORDED_QUEUED], NUMBER, number,
		"packages in the queue of file reads"),
	REAL_SHORT("events", FRAME, events, TEXT, text, "reported in it"),
	REAL_ORIGIN(FRAME),
};

#define CELL struct cs_real_cell
static const struct cs_column cell_columns_of_runs[] = {
	REAL_SHORT("time", CELL, time, NUMBER, number, "seconds"),
	REAL_SHORT("frame", CELL, frame, INTEGER, whole, "number of the frame, as far as known"),
	REAL_SHORT("cell", CELL, cell, TEXT, text, "its name in a cook"),
	REAL_SHORT("state", CELL, state, TEXT, state, "unloaded, loading, loaded ..."),
	REAL("from", CELL, from, TEXT, text, "the state before, in the words of the file"),
	REAL("to", CELL, to, TEXT, text, "the state after it, likewise"),
	REAL("target", CELL, target, TEXT, text, "the state that is wanted, likewise"),
	REAL("level", CELL, level, TEXT, text, "its package as the file has it"),
	REAL_ORIGIN(CELL),
};

#define LEVEL struct cs_real_level
static const struct cs_column level_columns_of_runs[] = {
	REAL_SHORT("time", LEVEL, time, NUMBER, number, "seconds at which it was reported"),
	REAL_SHORT("cell", LEVEL, cell, TEXT, text, "its name in a cook"),
	REAL_SHORT("state", LEVEL, state, TEXT, text, "in the words of the file"),
	REAL("queue", LEVEL, queue, NUMBER, number, "seconds until it began to load"),
	REAL_SHORT("load", LEVEL, load, NUMBER, number, "seconds that it loaded"),
	REAL("show_queue", LEVEL, show_queue, NUMBER, number, "seconds until it began to show"),
	REAL_SHORT("show", LEVEL, show, NUMBER, number, "seconds of being added to the world"),
	REAL("shown", LEVEL, shown, NUMBER, number, "seconds in the world"),
	REAL("hide_queue", LEVEL, hide_queue, NUMBER, number, "seconds until it began to hide"),
	REAL("hide", LEVEL, hide, NUMBER, number, "seconds of being removed from the world"),
	REAL("distance", LEVEL, distance, NUMBER, number, "cm to the source when it was there"),
	REAL_SHORT("kb", LEVEL, kb, NUMBER, number, "of its level object alone"),
	REAL("level", LEVEL, level, TEXT, text, "its package as the file has it"),
	REAL_ORIGIN(LEVEL),
};

#define SOURCE struct cs_real_source
static const struct cs_column source_columns_of_runs[] = {
	REAL_SHORT("time", SOURCE, time, NUMBER, number, "seconds"),
	REAL_SHORT("source", SOURCE, name, TEXT, text, "its name"),
	REAL_SHORT("priority", SOURCE, priority, INTEGER, whole, "0 to 255, lower first"),
	REAL_SHORT("position", SOURCE, position, VEC3, place, "cm"),
	REAL("speed", SOURCE, speed, NUMBER, number, "cm/s"),
	REAL_SHORT("flags", SOURCE, flags, TEXT, text, "in the words of the file"),
	REAL_ORIGIN(SOURCE),
};

#define EVENT_OF_RUN struct cs_real_event
static const struct cs_column event_columns_of_runs[] = {
	REAL_SHORT("time", EVENT_OF_RUN, time, NUMBER, number, "seconds"),
	REAL_SHORT("frame", EVENT_OF_RUN, frame, INTEGER, whole, "number, as far as known"),
	REAL_SHORT("kind", EVENT_OF_RUN, kind, TEXT, text, "flush, map, bookmark, counter ..."),
	REAL_SHORT("value", EVENT_OF_RUN, value, NUMBER, number,
		"of a counter; packages of a flush; MB of memory"),
	REAL_SHORT("text", EVENT_OF_RUN, text, TEXT, text, "in the words of the file"),
	REAL_ORIGIN(EVENT_OF_RUN),
};

#define FILE_OF_RUN struct cs_real_file
static const struct cs_column file_columns_of_runs[] = {
	REAL_SHORT("file", FILE_OF_RUN, name, TEXT, text, "its path"),
	REAL_SHORT("kind", FILE_OF_RUN, kind, TEXT, text, "what it is by its content"),
	REAL_SHORT("seconds", FILE_OF_RUN, seconds, NUMBER, number, "time of its last row"),
	REAL("lines", FILE_OF_RUN, lines, INTEGER, count, "lines that were read"),
	REAL_SHORT("frames", FILE_OF_RUN, frames, INTEGER, count, "rows of run_frames"),
	REAL_SHORT("cells", FILE_OF_RUN, cells, INTEGER, count, "rows of run_cells"),
	REAL_SHORT("levels", FILE_OF_RUN, levels, INTEGER, count, "rows of run_levels"),
	REAL_SHORT("sources", FILE_OF_RUN, sources, INTEGER, count, "rows of run_sources"),
	REAL_SHORT("events", FILE_OF_RUN, events, INTEGER, count, "rows of run_events"),
	REAL_SHORT("missing", FILE_OF_RUN, missing, TEXT, text, "what the file does not contain"),
	REAL("zero", FILE_OF_RUN, zero, TEXT, text, "what second 0 is"),
	REAL("epoch", FILE_OF_RUN, epoch, NUMBER, number, "second 0 since 1970, UTC"),
	REAL("unread", FILE_OF_RUN, unread, INTEGER, count, "bytes of a cut end"),
	REAL("forgotten", FILE_OF_RUN, forgotten, INTEGER, count,
		"rows that were read and dropped, of a run that is followed"),
	REAL("note", FILE_OF_RUN, note, TEXT, text, "what was assumed or left out"),
};

#define PAIR struct cs_real_pair
static const struct cs_column pair_columns_of_runs[] = {
	REAL_SHORT("cell", PAIR, cell, TEXT, text, "the cell"),
	REAL("visit", PAIR, visit, INTEGER, count, "which of its visits, 1 = the first"),
	REAL_SHORT("late", PAIR, late, NUMBER, number,
		"ms that it was visible later than simulated", .unit = "ms"),
	REAL_SHORT(
		"cause", PAIR, cause, TEXT, text, "the largest part of that, or why it never came"),
	REAL_SHORT("ask", PAIR, ask, NUMBER, number, "ms that it was asked for later"),
	REAL_SHORT("load", PAIR, load, NUMBER, number, "ms that loading took longer"),
	REAL_SHORT("wait", PAIR, wait, NUMBER, number, "ms that it waited longer to be shown"),
	REAL_SHORT("show", PAIR, show, NUMBER, number, "ms that showing took longer"),
	REAL("real", PAIR, real, NUMBER, number, "seconds at which it was visible"),
	REAL("simulated", PAIR, simulated, NUMBER, number, "the same, simulated"),
	REAL("never", PAIR, never, BOOL, truth, "simulated as visible, and never was"),
	REAL("reason", PAIR, reason, TEXT, text, "why the simulation wanted it"),
	REAL("file", PAIR, file, TEXT, text, "the one file whose states of cells count"),
	REAL("line", PAIR, line, INTEGER, whole, "its last line about the visit"),
};

#define MOMENT struct cs_real_moment
static const struct cs_column moment_columns_of_runs[] = {
	REAL_SHORT("frame", MOMENT, frame, INTEGER, count, "of the walk, 1 = the first"),
	REAL_SHORT("time", MOMENT, time, NUMBER, number, "seconds at its end"),
	REAL_SHORT("ms", MOMENT, ms, NUMBER, number, "length of the frame"),
	REAL_SHORT("real", MOMENT, real, INTEGER, count, "cells that were visible"),
	REAL_SHORT("simulated", MOMENT, simulated, INTEGER, count, "the same, simulated"),
};

#define FIT struct cs_real_fit
static const struct cs_column fit_columns_of_runs[] = {
	REAL_SHORT("variable", FIT, variable, TEXT, literal, "of the load model"),
	REAL_SHORT("before", FIT, before, NUMBER, number, "what it is"),
	REAL_SHORT("after", FIT, after, NUMBER, number, "what fits, in the unit of the variable"),
	REAL_SHORT("goodness", FIT, goodness, NUMBER, number,
		"of what was held out: 1 = exact, 0 or less = no better than a constant"),
	REAL_SHORT("held_out", FIT, held_out, INTEGER, count, "durations that were held out"),
	REAL_SHORT("fits", FIT, fits, BOOL, truth, "well enough to be set"),
};

#define REAL_TABLE(plural, singular, columns_, rows, text)                     \
	static size_t real_##rows##_count(const void *source)                  \
	{                                                                      \
		return ((const struct cs_real *)source)->rows.n;               \
	}                                                                      \
	static const void *real_##rows##_row(const void *source, size_t index) \
	{                                                                      \
		return &((const struct cs_real *)source)->rows.at[index];      \
	}                                                                      \
	static const struct cs_table real_##rows##_table = {.name = plural,    \
		.row_name = singular,                                          \
		.doc = text,                                                   \
		.columns = columns_,                                           \
		.n_columns = CS_COUNT_OF(columns_),                            \
		.missing = CS_E_MISSING,                                       \
		.changes = true,                                               \
		.count = real_##rows##_count,                                  \
		.row = real_##rows##_row};

REAL_TABLE("run_files", "run_file", file_columns_of_runs, files,
	"files of real runs that are open (`run open`)")
REAL_TABLE("run_frames", "run_frame", frame_columns_of_runs, frames, "frames of real runs")
REAL_TABLE("run_cells", "run_cell", cell_columns_of_runs, cells,
	"changes of state of cells in real runs")
REAL_TABLE("run_levels", "run_level", level_columns_of_runs, levels,
	"what files of real runs sum up about levels")
REAL_TABLE("run_sources", "run_source", source_columns_of_runs, sources,
	"streaming sources and views of real runs")
REAL_TABLE("run_events", "run_event", event_columns_of_runs, events,
	"what else real runs report: flushes, maps, bookmarks, counters")

REAL_TABLE("run_pairs", "run_pair", pair_columns_of_runs, pairs,
	"visits of cells, real against simulated (`run compare`)")
REAL_TABLE("run_strips", "run_strip", moment_columns_of_runs, moments,
	"frames of a real run and what was visible in them, really and simulated (`run compare`)")
REAL_TABLE("run_fits", "run_fit", fit_columns_of_runs, fits,
	"the load model that fits a real run (`run fit`)")

struct cs_error *cs_real_add_tables(struct cs_query *query, struct cs_real *real)
{
	static const struct cs_table *const tables[] = {&real_files_table, &real_frames_table,
		&real_cells_table, &real_levels_table, &real_sources_table, &real_events_table,
		&real_pairs_table, &real_moments_table, &real_fits_table};
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < CS_COUNT_OF(tables); i++)
		error = cs_query_add(query, tables[i], real);
	return error;
}
