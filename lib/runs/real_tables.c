/* SPDX-License-Identifier: Apache-2.0 */
/* Defines the SQL tables of recorded runs: their columns, and the file position of each row. */
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
REAL_GETTER(truth, bool, cs_bool(*at))
REAL_GETTER(literal, char *const, cs_text(*at))
REAL_GETTER(place, struct cs_vec3, isnan(at->x) ? cs_null() : cs_vec3_value(*at))
REAL_GETTER(state, uint32_t, cs_text(cs_real_state_name((enum cs_real_state) * at)))
REAL_GETTER(file, uint32_t, real_text(row, real_of(row)->files.at[*at].name))

/* Defines a column by the type of its member; a uint32_t is an offset into `texts`. */
#define REAL_MEMBER(structure, member) (((structure *)0)->member)
#define REAL_AS(key_, structure, member, text, ...)                                              \
	{                                                                                        \
		.key = key_,                                                                   \
		.kind = _Generic(REAL_MEMBER(structure, member), double: CS_KIND_NUMBER,       \
			bool: CS_KIND_BOOL, struct cs_vec3: CS_KIND_VEC3,                      \
			int64_t: CS_KIND_INTEGER, uint32_t: CS_KIND_TEXT,                      \
			const char *: CS_KIND_TEXT),                                           \
		.get = _Generic(REAL_MEMBER(structure, member), double: real_get_number,       \
			bool: real_get_truth, struct cs_vec3: real_get_place,                  \
			int64_t: real_get_whole, uint32_t: real_get_text,                      \
			const char *: real_get_literal),                                       \
		.doc = text, .offset = offsetof(structure, member), __VA_ARGS__ \
	}
/* Defines a column whose key is the name of the member. */
#define REAL(structure, member, ...)       REAL_AS(#member, structure, member, __VA_ARGS__)
#define REAL_SHORT_AS(...)                 REAL_AS(__VA_ARGS__, .flags = CS_COLUMN_SHORT)
#define REAL_SHORT(structure, member, ...) REAL_SHORT_AS(#member, structure, member, __VA_ARGS__)
#define REAL_NUMBERED(key_, structure, member, kind_, getter, text, ...)                     \
	{                                                                                    \
		.key = key_, .kind = CS_KIND_##kind_, .doc = text, .get = real_get_##getter, \
		.offset = offsetof(structure, member), __VA_ARGS__                           \
	}
#define REAL_ORIGIN(structure)                                                              \
	REAL_NUMBERED("file", structure, origin.file, TEXT, file, "the file that says so"), \
		REAL_NUMBERED("line", structure, origin.line, INTEGER, line,                \
			"its line, from 1 on", .flags = CS_COLUMN_SHORT),                   \
		REAL_AS("offset", structure, origin.offset, "byte of the file after it")

#define FRAME struct cs_real_frame
static const struct cs_column frame_columns_of_runs[] = {
	REAL_SHORT(FRAME, time, "seconds at its end"),
	REAL_SHORT(FRAME, ms, "length of the frame"),
	REAL_SHORT(FRAME, position, "of the view, cm"),
	REAL_AS("game_thread", FRAME, values[CS_RECORDED_GAME_THREAD], "ms"),
	REAL_AS("considered", FRAME, values[CS_RECORDED_CONSIDERED],
		"streaming levels to consider"),
	REAL_AS("pending_purge", FRAME, values[CS_RECORDED_PENDING_PURGE],
		"levels unloaded and still in memory"),
	REAL_AS("streaming", FRAME, values[CS_RECORDED_STREAMING],
		"ms of updating the streaming state"),
	REAL_AS("level_streaming", FRAME, values[CS_RECORDED_LEVEL_STREAMING],
		"ms of showing and hiding levels"),
	REAL_AS("async_loading", FRAME, values[CS_RECORDED_ASYNC_LOADING],
		"ms of loading on the game thread"),
	REAL_AS("queued", FRAME, values[CS_RECORDED_QUEUED], "packages in the queue of file reads"),
	REAL_SHORT(FRAME, events, "reported in it"),
	REAL_ORIGIN(FRAME),
};

#define CELL struct cs_real_cell
static const struct cs_column cell_columns_of_runs[] = {
	REAL_SHORT(CELL, time, "seconds"),
	REAL_SHORT(CELL, frame, "number of the frame, as far as known"),
	REAL_SHORT(CELL, cell, "its name in a cook"),
	REAL_NUMBERED("state", CELL, state, TEXT, state, "unloaded, loading, loaded ...",
		.flags = CS_COLUMN_SHORT),
	REAL(CELL, from, "the state before, in the words of the file"),
	REAL(CELL, to, "the state after it, likewise"),
	REAL(CELL, target, "the state that is wanted, likewise"),
	REAL(CELL, level, "its package as the file has it"),
	REAL_ORIGIN(CELL),
};

#define LEVEL struct cs_real_level
static const struct cs_column level_columns_of_runs[] = {
	REAL_SHORT(LEVEL, time, "seconds at which it was reported"),
	REAL_SHORT(LEVEL, cell, "its name in a cook"),
	REAL_SHORT(LEVEL, state, "in the words of the file"),
	REAL(LEVEL, queue, "seconds until it began to load"),
	REAL_SHORT(LEVEL, load, "seconds that it loaded"),
	REAL(LEVEL, show_queue, "seconds until it began to show"),
	REAL_SHORT(LEVEL, show, "seconds of being added to the world"),
	REAL(LEVEL, shown, "seconds in the world"),
	REAL(LEVEL, hide_queue, "seconds until it began to hide"),
	REAL(LEVEL, hide, "seconds of being removed from the world"),
	REAL(LEVEL, distance, "cm to the source when it was there"),
	REAL_SHORT(LEVEL, kb, "of its level object alone"),
	REAL(LEVEL, level, "its package as the file has it"),
	REAL_ORIGIN(LEVEL),
};

#define SOURCE struct cs_real_source
static const struct cs_column source_columns_of_runs[] = {
	REAL_SHORT(SOURCE, time, "seconds"),
	REAL_SHORT_AS("source", SOURCE, name, "its name"),
	REAL_SHORT(SOURCE, priority, "0 to 255, lower first"),
	REAL_SHORT(SOURCE, position, "cm"),
	REAL(SOURCE, speed, "cm/s"),
	REAL_SHORT(SOURCE, flags, "in the words of the file"),
	REAL_ORIGIN(SOURCE),
};

#define EVENT_OF_RUN struct cs_real_event
static const struct cs_column event_columns_of_runs[] = {
	REAL_SHORT(EVENT_OF_RUN, time, "seconds"),
	REAL_SHORT(EVENT_OF_RUN, frame, "number, as far as known"),
	REAL_SHORT(EVENT_OF_RUN, kind, "flush, map, bookmark, counter ..."),
	REAL_SHORT(EVENT_OF_RUN, value, "of a counter; packages of a flush; MB of memory"),
	REAL_SHORT(EVENT_OF_RUN, text, "in the words of the file"),
	REAL_ORIGIN(EVENT_OF_RUN),
};

#define OBJECT struct cs_real_object
static const struct cs_column object_columns_of_runs[] = {
	REAL(OBJECT, time, "seconds at which it was reported"),
	REAL_SHORT(OBJECT, class, "its class"),
	REAL_SHORT(OBJECT, object, "its path; null = all objects of the class"),
	REAL_SHORT(OBJECT, count, "how many objects"),
	REAL_SHORT(OBJECT, kb, "of the objects themselves"),
	REAL_SHORT(OBJECT, resource_kb, "of what they alone hold: textures, buffers"),
	REAL(OBJECT, list, "what the list was asked for: a class may be in several"),
	REAL_ORIGIN(OBJECT),
};

#define FILE_OF_RUN struct cs_real_file
static const struct cs_column file_columns_of_runs[] = {
	REAL_SHORT_AS("file", FILE_OF_RUN, name, "its path"),
	REAL_SHORT(FILE_OF_RUN, kind, "what it is by its content"),
	REAL_SHORT(FILE_OF_RUN, seconds, "time of its last row"),
	REAL(FILE_OF_RUN, lines, "lines that were read"),
	REAL_SHORT(FILE_OF_RUN, frames, "rows of run_frames"),
	REAL_SHORT(FILE_OF_RUN, cells, "rows of run_cells"),
	REAL_SHORT(FILE_OF_RUN, levels, "rows of run_levels"),
	REAL_SHORT(FILE_OF_RUN, sources, "rows of run_sources"),
	REAL_SHORT(FILE_OF_RUN, events, "rows of run_events"),
	REAL(FILE_OF_RUN, objects, "rows of run_objects"),
	REAL_SHORT(FILE_OF_RUN, missing, "what the file does not contain"),
	REAL(FILE_OF_RUN, zero, "what second 0 is"),
	REAL(FILE_OF_RUN, epoch, "second 0 since 1970, UTC"),
	REAL(FILE_OF_RUN, unread,
		"bytes of which no row was made: of an end that is cut, or has not come yet"),
	REAL(FILE_OF_RUN, forgotten, "rows that were read and dropped, of a run that is followed"),
	REAL(FILE_OF_RUN, note, "what was assumed or left out"),
};

#define PAIR struct cs_real_pair
static const struct cs_column pair_columns_of_runs[] = {
	REAL_SHORT(PAIR, cell, "the cell"),
	REAL(PAIR, visit, "which of its visits, 1 = the first"),
	REAL_SHORT(PAIR, late, "ms that it was visible later than simulated", .unit = "ms"),
	REAL_SHORT(PAIR, cause, "the largest part of that, or why it never came"),
	REAL_SHORT(PAIR, ask, "ms that it was asked for later"),
	REAL_SHORT(PAIR, load, "ms that loading took longer"),
	REAL_SHORT(PAIR, wait, "ms that it waited longer to be shown"),
	REAL_SHORT(PAIR, show, "ms that showing took longer"),
	REAL(PAIR, real, "seconds at which it was visible"),
	REAL(PAIR, simulated, "the same, simulated"),
	REAL(PAIR, never, "simulated as visible, and never was"),
	REAL(PAIR, reason, "why the simulation wanted it"),
	REAL(PAIR, file, "the one file whose states of cells count"),
	REAL(PAIR, line, "its last line about the visit"),
};

#define MOMENT struct cs_real_moment
static const struct cs_column moment_columns_of_runs[] = {
	REAL_SHORT(MOMENT, frame, "of the walk, 1 = the first"),
	REAL_SHORT(MOMENT, time, "seconds at its end"),
	REAL_SHORT(MOMENT, ms, "length of the frame"),
	REAL_SHORT(MOMENT, real, "cells that were visible"),
	REAL_SHORT(MOMENT, simulated, "the same, simulated"),
};

#define FIT struct cs_real_fit
static const struct cs_column fit_columns_of_runs[] = {
	REAL_SHORT(FIT, variable, "of the load model"),
	REAL_SHORT(FIT, before, "what it is"),
	REAL_SHORT(FIT, after, "what fits, in the unit of the variable"),
	REAL_SHORT(FIT, low, "the least that fits as well: it is not known better"),
	REAL_SHORT(FIT, high, "the most that fits as well"),
	REAL_SHORT(FIT, goodness,
		"of what was held out: 1 = exact, 0 or less = no better than a constant"),
	REAL_SHORT(FIT, held_out, "durations that were held out"),
	REAL_SHORT(FIT, fits, "well enough to be set"),
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
REAL_TABLE("run_objects", "run_object", object_columns_of_runs, objects,
	"memory by class and object, of memreports (`obj list`)")

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
		&real_objects_table, &real_pairs_table, &real_moments_table, &real_fits_table};
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < CS_COUNT_OF(tables); i++)
		error = cs_query_add(query, tables[i], real);
	return error;
}
