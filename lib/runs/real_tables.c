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
#define REAL_ORIGIN(structure)                                                                   \
	REAL_NUMBERED("file", structure, origin.file, TEXT, file, "file that contains the row"), \
		REAL_NUMBERED("line", structure, origin.line, INTEGER, line,                     \
			"line of the row in the file, from 1", .flags = CS_COLUMN_SHORT),        \
		REAL_AS("offset", structure, origin.offset, "byte of the file after the row")

#define FRAME struct cs_real_frame
static const struct cs_column frame_columns_of_runs[] = {
	REAL_SHORT(FRAME, time, "time of the end of the frame in seconds"),
	REAL_SHORT(FRAME, ms, "length of the frame"),
	REAL_SHORT(FRAME, position, "position of the view, cm"),
	REAL_AS("game_thread", FRAME, values[CS_RECORDED_GAME_THREAD], "ms of the game thread"),
	REAL_AS("considered", FRAME, values[CS_RECORDED_CONSIDERED],
		"streaming levels to consider"),
	REAL_AS("pending_purge", FRAME, values[CS_RECORDED_PENDING_PURGE],
		"levels that are unloaded and still in memory"),
	REAL_AS("streaming", FRAME, values[CS_RECORDED_STREAMING],
		"ms of updating the streaming state"),
	REAL_AS("level_streaming", FRAME, values[CS_RECORDED_LEVEL_STREAMING],
		"ms of showing and hiding levels"),
	REAL_AS("async_loading", FRAME, values[CS_RECORDED_ASYNC_LOADING],
		"ms of loading on the game thread"),
	REAL_AS("queued", FRAME, values[CS_RECORDED_QUEUED], "packages in the queue of file reads"),
	REAL_SHORT(FRAME, events, "events that the file reports in the frame"),
	REAL_ORIGIN(FRAME),
};

#define CELL struct cs_real_cell
static const struct cs_column cell_columns_of_runs[] = {
	REAL_SHORT(CELL, time, "time of the change in seconds"),
	REAL_SHORT(CELL, frame, "number of the frame, if known"),
	REAL_SHORT(CELL, cell, "name of the cell in a cook"),
	REAL_NUMBERED("state", CELL, state, TEXT, state, "unloaded, loading, loaded ...",
		.flags = CS_COLUMN_SHORT),
	REAL(CELL, from, "state before the change, in the words of the file"),
	REAL(CELL, to, "state after the change, in the words of the file"),
	REAL(CELL, target, "state that is wanted, in the words of the file"),
	REAL(CELL, level, "package of the cell, as the file has it"),
	REAL_ORIGIN(CELL),
};

#define LEVEL struct cs_real_level
static const struct cs_column level_columns_of_runs[] = {
	REAL_SHORT(LEVEL, time, "time of the report in seconds"),
	REAL_SHORT(LEVEL, cell, "name of the cell in a cook"),
	REAL_SHORT(LEVEL, state, "state in the words of the file"),
	REAL(LEVEL, queue, "seconds from the request to the begin of the load"),
	REAL_SHORT(LEVEL, load, "seconds that the load took"),
	REAL(LEVEL, show_queue, "seconds from the end of the load to the begin of showing"),
	REAL_SHORT(LEVEL, show, "seconds that adding the level to the world took"),
	REAL(LEVEL, shown, "seconds that the level was in the world"),
	REAL(LEVEL, hide_queue, "seconds from the request to hide the level until hiding began"),
	REAL(LEVEL, hide, "seconds that removing the level from the world took"),
	REAL(LEVEL, distance, "distance in cm to the source when the level was in the world"),
	REAL_SHORT(LEVEL, kb, "KB of the level object alone"),
	REAL(LEVEL, level, "package of the level, as the file has it"),
	REAL_ORIGIN(LEVEL),
};

#define SOURCE struct cs_real_source
static const struct cs_column source_columns_of_runs[] = {
	REAL_SHORT(SOURCE, time, "time in seconds"),
	REAL_SHORT_AS("source", SOURCE, name, "name of the source"),
	REAL_SHORT(SOURCE, priority, "0 to 255, lower first"),
	REAL_SHORT(SOURCE, position, "position in cm"),
	REAL(SOURCE, speed, "speed in cm/s"),
	REAL_SHORT(SOURCE, flags, "flags in the words of the file"),
	REAL_ORIGIN(SOURCE),
};

#define EVENT_OF_RUN struct cs_real_event
static const struct cs_column event_columns_of_runs[] = {
	REAL_SHORT(EVENT_OF_RUN, time, "time of the event in seconds"),
	REAL_SHORT(EVENT_OF_RUN, frame, "number of the frame, if known"),
	REAL_SHORT(EVENT_OF_RUN, kind, "flush, map, bookmark, counter ..."),
	REAL_SHORT(EVENT_OF_RUN, value, "value of a counter; packages of a flush; MB of memory"),
	REAL_SHORT(EVENT_OF_RUN, text, "text of the event, in the words of the file"),
	REAL_ORIGIN(EVENT_OF_RUN),
};

#define OBJECT struct cs_real_object
static const struct cs_column object_columns_of_runs[] = {
	REAL(OBJECT, time, "time of the report in seconds"),
	REAL_SHORT(OBJECT, class, "class of the objects"),
	REAL_SHORT(OBJECT, object, "path of the object; null = all objects of the class"),
	REAL_SHORT(OBJECT, count, "number of objects"),
	REAL_SHORT(OBJECT, kb, "KB of the objects themselves"),
	REAL_SHORT(OBJECT, resource_kb,
		"KB of resources that only these objects use: textures, buffers"),
	REAL(OBJECT, list,
		"arguments of the command that made the list; a class may be in several lists"),
	REAL_ORIGIN(OBJECT),
};

#define FILE_OF_RUN struct cs_real_file
static const struct cs_column file_columns_of_runs[] = {
	REAL_SHORT_AS("file", FILE_OF_RUN, name, "path of the file"),
	REAL_SHORT(FILE_OF_RUN, kind, "kind of the file, recognised by its content"),
	REAL_SHORT(FILE_OF_RUN, seconds, "time of the last row in seconds"),
	REAL(FILE_OF_RUN, lines, "number of lines that were read"),
	REAL_SHORT(FILE_OF_RUN, frames, "number of rows in run_frames"),
	REAL_SHORT(FILE_OF_RUN, cells, "number of rows in run_cells"),
	REAL_SHORT(FILE_OF_RUN, levels, "number of rows in run_levels"),
	REAL_SHORT(FILE_OF_RUN, sources, "number of rows in run_sources"),
	REAL_SHORT(FILE_OF_RUN, events, "number of rows in run_events"),
	REAL(FILE_OF_RUN, objects, "number of rows in run_objects"),
	REAL_SHORT(FILE_OF_RUN, missing, "tables and columns for which the file has no data"),
	REAL(FILE_OF_RUN, zero, "event at which second 0 of the file lies"),
	REAL(FILE_OF_RUN, epoch, "seconds from 1970 (UTC) to second 0 of the file"),
	REAL(FILE_OF_RUN, unread,
		"bytes without a row: levels without a name, lines with zero bytes, or an end that is cut "
		"or being written"),
	REAL(FILE_OF_RUN, forgotten, "number of rows of a followed run that were read and dropped"),
	REAL(FILE_OF_RUN, note, "assumptions about the file, and parts that were left out"),
};

#define PAIR struct cs_real_pair
static const struct cs_column pair_columns_of_runs[] = {
	REAL_SHORT(PAIR, cell, "name of the cell"),
	REAL(PAIR, visit, "number of the visit of the cell, 1 = the first"),
	REAL_SHORT(PAIR, late, "ms by which the cell became visible later than simulated",
		.unit = "ms"),
	REAL_SHORT(PAIR, cause,
		"part of the visit that was delayed most, or reason why the cell never came"),
	REAL_SHORT(PAIR, ask, "ms by which the cell was requested later than simulated"),
	REAL_SHORT(PAIR, load, "ms by which the load took longer than simulated"),
	REAL_SHORT(PAIR, wait, "ms by which the wait to be shown took longer than simulated"),
	REAL_SHORT(PAIR, show, "ms by which showing took longer than simulated"),
	REAL(PAIR, real, "second at which the cell became visible in the real run"),
	REAL(PAIR, simulated, "second at which the cell became visible in the simulation"),
	REAL(PAIR, never,
		"whether the cell was visible in the simulation and never in the real run"),
	REAL(PAIR, reason, "reason why the simulation wanted the cell"),
	REAL(PAIR, file, "file whose states of the cell were compared"),
	REAL(PAIR, line, "last line of the file about the visit"),
};

#define MOMENT struct cs_real_moment
static const struct cs_column moment_columns_of_runs[] = {
	REAL_SHORT(MOMENT, frame, "number of the frame, 1 = the first"),
	REAL_SHORT(MOMENT, time, "time of the end of the frame in seconds"),
	REAL_SHORT(MOMENT, ms, "length of the frame"),
	REAL_SHORT(MOMENT, real, "number of visible cells in the real run"),
	REAL_SHORT(MOMENT, simulated, "number of visible cells in the simulation"),
};

#define FIT struct cs_real_fit
static const struct cs_column fit_columns_of_runs[] = {
	REAL_SHORT(FIT, variable, "variable of the load model"),
	REAL_SHORT(FIT, before, "present value of the variable"),
	REAL_SHORT(FIT, after, "fitted value, in the unit of the variable"),
	REAL_SHORT(FIT, low, "smallest value that fits equally well"),
	REAL_SHORT(FIT, high, "largest value that fits equally well"),
	REAL_SHORT(FIT, goodness,
		"quality for the held-out durations: 1 = exact, 0 or less = no better "
		"than a constant"),
	REAL_SHORT(FIT, held_out, "number of durations that the fit did not use, to test it"),
	REAL_SHORT(FIT, fits, "whether the value fits well enough to be set"),
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
REAL_TABLE(
	"run_cells", "run_cell", cell_columns_of_runs, cells, "state changes of cells in real runs")
REAL_TABLE("run_levels", "run_level", level_columns_of_runs, levels,
	"sums about levels that files of real runs contain")
REAL_TABLE("run_sources", "run_source", source_columns_of_runs, sources,
	"streaming sources and views in real runs")
REAL_TABLE("run_events", "run_event", event_columns_of_runs, events,
	"other reports of real runs: flushes, maps, bookmarks, counters")
REAL_TABLE("run_objects", "run_object", object_columns_of_runs, objects,
	"memory by class and object, from memreports (`obj list`)")

REAL_TABLE("run_pairs", "run_pair", pair_columns_of_runs, pairs,
	"visits of cells, the real run against its simulation (`run compare`)")
REAL_TABLE("run_strips", "run_strip", moment_columns_of_runs, moments,
	"frames of a real run with the numbers of visible cells, real and simulated "
	"(`run compare`)")
REAL_TABLE("run_fits", "run_fit", fit_columns_of_runs, fits,
	"values of the load model that fit a real run (`run fit`)")

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
