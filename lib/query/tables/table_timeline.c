/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tables of what has happened in a run: events, page_events, frames and stalls, which show the
 * newest rows in ring buffers of the run; and the table `event`, whose one row the condition of a
 * stop reads.
 */
#include "core/search.h"
#include "nanite/inspect/model_inside.h"
#include "query/sql/readers.h"
#include "stream/stream_inside.h"

#include <cellscope/pages.h>
#include <math.h>

/* ---- the tables `events` and `event` ---- */

/* Returns the number of the first event that is still stored. */
static uint64_t table_timeline_first_event(const struct cs_stream *stream)
{
	return cs_lower_bound(
		0, cs_stream_event_count(stream), event, !cs_stream_event_at(stream, event));
}

CS_STREAM_ROWS(event, cs_stream_event_count(stream) - table_timeline_first_event(stream),
	cs_stream_event_at(stream, table_timeline_first_event(stream) + index))

static size_t one_event(const void *source)
{
	const struct cs_cooked_source *at = source;
	return at->stream && at->event;
}

static const void *the_event(const void *source, size_t index)
{
	(void)index;
	return ((const struct cs_cooked_source *)source)->event;
}

static struct cs_stream_cell table_timeline_cell_of(const struct cs_stream_event *event)
{
	return (struct cs_stream_cell){event->world, event->cell};
}

/* Returns the cooked record of the cell that an event is about; NULL if the event has no cell. */
static const struct cs_cooked_cell *cooked_cell(
	const struct cs_row *row, const struct cs_cooked **world_ret)
{
	const struct cs_stream_event *event = row->record;
	if (event->cell == CS_NONE)
		return NULL;
	*world_ret = cs_stream_world(cs_stream_of(row), event->world).cooked;
	return cs_cooked_cell(*world_ret, event->cell);
}

CS_GETTER(read_event_moment, cs_stream_event,
	cs_text(cs_word(CS_WORDS_MOMENT, cs_moment_of(at))->name))

static struct cs_value event_state(const struct cs_stream_event *event, bool after)
{
	const char *from, *to;
	cs_event_words(event, &from, &to);
	return cs_text(after ? to : from);
}

CS_GETTER(read_event_from, cs_stream_event, event_state(at, false))
CS_GETTER(read_event_to, cs_stream_event, event_state(at, true))
CS_GETTER(
	read_event_world, cs_stream_event, at->world == CS_NONE ? cs_null() : cs_integer(at->world))
CS_GETTER(read_event_partition, cs_stream_event,
	at->world == CS_NONE ? cs_null()
			     : cs_text(cs_stream_world(cs_stream_of(row), at->world).name))
CS_GETTER(read_event_detail, cs_stream_event, cs_integer(at->detail))
CS_GETTER(read_event_late, cs_stream_event,
	at->event == CS_EVENT_LATE ? cs_integer(at->detail) : cs_null())
CS_GETTER(read_event_reason, cs_stream_event,
	at->reason == CS_REASON_NONE ? cs_null()
				     : cs_text(cs_word(CS_WORDS_REASON, at->reason)->name))
CS_GETTER(read_event_number, cs_stream_event, cs_text(cs_word(CS_WORDS_REASON, at->reason)->rule))

enum cell_field { CELL_NAME, CELL_GRID, CELL_LEVEL, CELL_PRIORITY, CELL_ACTORS, CELL_BYTES };

static void read_event_cell(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	const struct cs_cooked *world;
	const struct cs_cooked_cell *cell = cooked_cell(row, &world);
	*ret = cs_null();
	if (!cell)
		return;
	const struct cs_value values[] = {
		[CELL_NAME] = cs_text(cs_cooked_text(world, cell->name)),
		[CELL_GRID] =
			cs_text(cs_cooked_text(world, world->partitions[cell->partition].name)),
		[CELL_LEVEL] = cs_integer(cell->level),
		[CELL_PRIORITY] = cs_integer(cell->priority),
		[CELL_ACTORS] = cs_integer(cell->actors.count),
	};
	if (column->argument == CELL_BYTES)
		*ret = cs_integer((int64_t)cs_stream_cell(
			cs_stream_of(row), table_timeline_cell_of(row->record))
					  .bytes);
	else
		*ret = values[column->argument];
}

/* Reads the spatial sort key of the event's cell, for the sources in the current frame. */
static void read_event_spatial(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	const struct cs_stream_event *event = row->record;
	struct cs_stream_why why;
	(void)column;
	*ret = cs_null();
	if (event->cell == CS_NONE)
		return;
	struct cs_error *error =
		cs_stream_why(cs_stream_of(row), table_timeline_cell_of(event), &why);
	if (!error && why.nearest.hit)
		*ret = cs_number(why.nearest.spatial);
	cs_error_free(error);
}

static void read_event_layer(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	const struct cs_stream_event *event = row->record;
	(void)column;
	*ret = cs_null();
	if (event->event != CS_EVENT_LAYER || event->world == CS_NONE)
		return;
	const struct cs_cooked *world = cs_stream_world(cs_stream_of(row), event->world).cooked;
	*ret = cs_text(cs_cooked_text(world, world->layers[event->detail].label));
}

/* Reads the name of the page of a page event, whose `detail` is the index of the page. */
static void read_event_page(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	const struct cs_inspector *at = ((const struct cs_cooked_source *)row->source)->inspector;
	const struct cs_stream_event *event = row->record;
	uint32_t page;
	*ret = cs_null();
	if (event->event != CS_EVENT_COMPANION || !at ||
		event->detail >= cs_inspector_rows(at, CS_ROWS_PAGES))
		return;
	uint32_t resource = cs_inspector_row(at, CS_ROWS_PAGES, event->detail, &page);
	*ret = column->argument ? cs_text(cs_inspector_models(at).at[resource]->name)
				: cs_text(cs_inspector_name(at, CS_ROWS_PAGES, event->detail));
}

static const struct cs_column event_columns[] = {
	CS_COLUMN("frame", cs_stream_event, frame, INTEGER, i64, "frame of the event", CS_SHORT),
	CS_VALUE("event", TEXT, read_event_moment, "cell.load, cell.show, layer.change ...",
		CS_SHORT),
	CS_VALUE("cell", TEXT, read_event_cell, "cell of the event", .argument = CELL_NAME,
		CS_SHORT),
	CS_VALUE("page", TEXT, read_event_page, "page of a Nanite resource"),
	CS_VALUE("resource", TEXT, read_event_page, "resource of the page", .argument = 1),
	CS_VALUE("layer", TEXT, read_event_layer, "data layer of the event"),
	CS_VALUE("from", TEXT, read_event_from, "state of the object before the event",
		.flags = CS_COLUMN_SHORT | CS_COLUMN_WORD),
	CS_VALUE("to", TEXT, read_event_to, "state of the object after the event",
		.flags = CS_COLUMN_SHORT | CS_COLUMN_WORD),
	CS_VALUE("reason", TEXT, read_event_reason, "rule that decided the event", CS_SHORT),
	CS_VALUE("number", TEXT, read_event_number, "number of the rule: help rule NUMBER"),
	CS_VALUE("grid", TEXT, read_event_cell, "grid of the cell", .argument = CELL_GRID),
	CS_VALUE("level", INTEGER, read_event_cell, "level of the cell", .argument = CELL_LEVEL),
	CS_VALUE("priority", INTEGER, read_event_cell, "priority of the cell",
		.argument = CELL_PRIORITY),
	CS_VALUE("actors", INTEGER, read_event_cell, "actors of the cell", .argument = CELL_ACTORS),
	CS_VALUE("bytes", INTEGER, read_event_cell, "bytes of the cell by the load model",
		.argument = CELL_BYTES),
	CS_VALUE("spatial", NUMBER, read_event_spatial,
		"sort key 4 of the cell, if a source reaches it"),
	CS_VALUE("world", INTEGER, read_event_world,
		"number of the world partition, 0 = the main one"),
	CS_VALUE("partition", TEXT, read_event_partition, "name of the world partition",
		.flags = CS_COLUMN_WORD),
	CS_VALUE("detail", INTEGER, read_event_detail,
		"other object of the event: layer, HLOD actor, client or number of cells"),
	CS_VALUE("late", INTEGER, read_event_late,
		"cell.late only: ms from the request for the cell until it was visible "
		"in the real run",
		.unit = "ms"),
};

const struct cs_table cs_events_table = {
	.name = "events",
	.changes = true,
	.row_name = "logged_event",
	.doc = "Events of the run, oldest first.",
	.columns = event_columns,
	/* omits the last column, `late`, which the log does not contain */
	.n_columns = CS_COUNT_OF(event_columns) - 1,
	.missing = CS_E_MISSING,
	CS_ROWS(event),
};

const struct cs_table cs_event_table = {
	.name = "event",
	.changes = true,
	.row_name = "this_event",
	.doc = "The event for which the condition of a stop is evaluated.",
	CS_COLUMNS(event_columns),
	.missing = CS_E_MISSING,
	.count = one_event,
	.row = the_event,
};

/* ---- the table `page_events` ---- */

static bool is_of_pages(const struct cs_stream_event *event)
{
	return event && event->event == CS_EVENT_COMPANION;
}

/*
 * Lists the page events anew and returns their number. If memory runs out for the list, later reads
 * search the log instead.
 */
static size_t page_event_count(const void *source)
{
	struct cs_event_rows *rows = ((const struct cs_cooked_source *)source)->page_events;
	const size_t all = event_count(source);
	size_t n = 0;
	bool fits = true;
	rows->list.n = 0;
	for (size_t i = 0; i < all; i++) {
		if (!is_of_pages(event_row(source, i)))
			continue;
		fits = fits && cs_vec_push(&rows->list, i);
		n++;
	}
	return n;
}

static const void *page_event_row(const void *source, size_t index)
{
	const struct cs_event_rows *rows = ((const struct cs_cooked_source *)source)->page_events;
	if (index < rows->list.n)
		return event_row(source, rows->list.at[index]);
	const size_t all = event_count(source);
	size_t i = 0;
	for (size_t n = 0; i < all; i++)
		if (is_of_pages(event_row(source, i)) && n++ == index)
			break;
	return event_row(source, i);
}

static const struct cs_column page_event_columns[] = {
	CS_COLUMN("frame", cs_stream_event, frame, INTEGER, i64, "frame of the event", CS_SHORT),
	CS_VALUE("event", TEXT, read_event_moment,
		"page.request, page.install, page.evict, pool.full, quality.drop", CS_SHORT),
	CS_VALUE("page", TEXT, read_event_page, "page of the event; none for quality.drop",
		CS_SHORT),
	CS_VALUE("resource", TEXT, read_event_page, "resource of the page", .argument = 1),
};

const struct cs_table cs_page_events_table = {
	.name = "page_events",
	.changes = true,
	.row_name = "page_event",
	.doc = "Events of pages of Nanite resources in the run, oldest first.",
	CS_COLUMNS(page_event_columns),
	.missing = CS_E_MISSING,
	CS_ROWS(page_event),
};

/* ---- the table `frames` ---- */

static uint64_t table_timeline_first_frame(const struct cs_stream *stream)
{
	return cs_lower_bound(
		1, cs_stream_status(stream).frame + 1, frame, !cs_stream_frame(stream, frame));
}

/* Returns a frame of the table, or zeros if it is not stored, as the run went to another frame. */
static const struct cs_stream_frame *frame_or_missing(const struct cs_stream *stream, size_t index)
{
	static const struct cs_stream_frame missing;
	const struct cs_stream_frame *frame =
		cs_stream_frame(stream, table_timeline_first_frame(stream) + index);
	return frame ? frame : &missing;
}

CS_STREAM_ROWS(frame, cs_stream_status(stream).frame + 1 - table_timeline_first_frame(stream),
	frame_or_missing(stream, index))

CS_OWN_MEMBER_READER(
	table_timeline_read_word, uint32_t, *at == UINT32_MAX ? cs_null() : cs_integer(*at))
CS_OWN_MEMBER_READER(read_performance, uint8_t, cs_text(cs_word(CS_WORDS_PERFORMANCE, *at)->name))
CS_OWN_MEMBER_READER(read_scaled, uint64_t, cs_number((double)*at / column->argument))

#define FRAME(key_, type, reader, field, text, ...)                                           \
	CS_VALUE(key_, type, reader, text, .offset = offsetof(struct cs_stream_frame, field), \
		__VA_ARGS__)

/* Reads a value of the recorded frame that this frame repeats; null if there is none. */
CS_GETTER(read_recorded, cs_stream_frame,
	cs_number(at->recorded ? at->recorded->values[column->argument] : (double)NAN))
CS_GETTER(
	read_recorded_events, cs_stream_frame, cs_text(at->recorded ? at->recorded->events : NULL))

#define RECORDED(key_, value, text, ...)                                     \
	CS_VALUE("recorded_" key_, NUMBER, read_recorded, "recorded: " text, \
		.argument = CS_RECORDED_##value, __VA_ARGS__)

static const struct cs_column frame_columns[] = {
	FRAME("frame", INTEGER, cs_read_i64, frame, "number of the frame", CS_SHORT),
	FRAME("time", NUMBER, read_scaled, time_ns, "virtual time", .unit = "seconds",
		.argument = 1000000000),
	FRAME("length", NUMBER, read_scaled, length_ns,
		"length of the frame without waits for streaming", .unit = "ms",
		.argument = 1000000),
	FRAME("loads", INTEGER, table_timeline_read_word, loads,
		"number of levels that began to load", CS_SHORT),
	FRAME("loaded", INTEGER, table_timeline_read_word, loaded,
		"number of levels whose load ended"),
	FRAME("failed", INTEGER, table_timeline_read_word, failed,
		"number of levels that could not be loaded"),
	FRAME("unloads", INTEGER, table_timeline_read_word, unloads,
		"number of levels that were unloaded", CS_SHORT),
	FRAME("shows", INTEGER, table_timeline_read_word, shows,
		"number of levels that were made visible"),
	FRAME("hides", INTEGER, table_timeline_read_word, hides,
		"number of levels that were made invisible"),
	FRAME("waiting", INTEGER, table_timeline_read_word, waiting,
		"number of cells that wait because the budget of the frame is used up", CS_SHORT),
	FRAME("budget", INTEGER, table_timeline_read_word, budget,
		"number of levels that the budget lets start; none = any number"),
	FRAME("loading", INTEGER, table_timeline_read_word, loading,
		"number of levels that are loading at the end of the frame", CS_SHORT),
	FRAME("thrash", INTEGER, table_timeline_read_word, thrash,
		"number of levels unloaded soon after they were loaded"),
	FRAME("hits", INTEGER, table_timeline_read_word, hits,
		"number of wanted cells in the world partitions that were evaluated"),
	FRAME("evaluated", INTEGER, table_timeline_read_word, evaluated,
		"number of world partitions that were evaluated"),
	FRAME("skipped", INTEGER, table_timeline_read_word, skipped,
		"number of world partitions in which nothing changed"),
	FRAME("critical", INTEGER, table_timeline_read_word, critical,
		"number of cells that were critical"),
	FRAME("performance", TEXT, read_performance, performance,
		"streaming performance: good, slow, critical or immediate", CS_SHORT),
	FRAME("blocked", BOOL, cs_read_bool, blocked,
		"whether the frame ended in a wait for streaming"),
	FRAME("work", NUMBER, read_scaled, work_ns, "visibility work", .unit = "ms",
		.argument = 1000000),
	FRAME("stall", NUMBER, read_scaled, stall_ns, "length of the wait for streaming",
		.unit = "ms", .argument = 1000000, CS_SHORT),
	FRAME("cells_visible", INTEGER, cs_read_i64, cells_visible,
		"number of activated cells at the end of the frame"),
	FRAME("cells", INTEGER, cs_read_i64, cells_loaded,
		"number of cells in memory at the end of the frame", CS_SHORT),
	FRAME("actors", INTEGER, cs_read_i64, actors,
		"number of actors in memory at the end of the frame"),
	FRAME("bytes", INTEGER, cs_read_i64, bytes,
		"bytes of the cells in memory by the load model", CS_SHORT),
	RECORDED("frame_time", FRAME_TIME, "time of the whole frame in the recorded run",
		.unit = "ms", .flags = CS_COLUMN_PRESENT),
	RECORDED("game_thread", GAME_THREAD, "time of the game thread in the recorded run",
		.unit = "ms"),
	RECORDED("considered", CONSIDERED, "streaming levels to consider in the recorded run"),
	RECORDED("pending_purge", PENDING_PURGE, "unloaded levels in memory in the recorded run"),
	RECORDED("streaming", STREAMING,
		"time for updating the streaming state in the recorded run", .unit = "ms",
		.flags = CS_COLUMN_PRESENT),
	RECORDED("level_streaming", LEVEL_STREAMING, "updating levels", .unit = "ms",
		.flags = CS_COLUMN_PRESENT),
	RECORDED("async_loading", ASYNC_LOADING,
		"time for loading on the game thread in the recorded run", .unit = "ms"),
	RECORDED("queued", QUEUED, "packages in the queue of reads in the recorded run",
		.flags = CS_COLUMN_PRESENT),
	CS_VALUE("recorded_events", TEXT, read_recorded_events,
		"events of the frame in the recorded run"),
};

const struct cs_table cs_frames_table = {
	.name = "frames",
	.changes = true,
	.row_name = "frame_row",
	.doc = "The last frames of the run, oldest first.",
	CS_COLUMNS(frame_columns),
	.missing = CS_E_NOFRAME,
	CS_ROWS(frame),
};

/* ---- the table `stalls` ---- */

CS_STREAM_ROWS(stall, cs_stream_stalls(stream), cs_stream_stall_at(stream, index))

CS_GETTER(read_stall_length, cs_stream_stall, cs_number((double)at->length_ns / 1e6))
CS_GETTER(read_stall_cause, cs_stream_stall,
	cs_text(at->by_performance ? "critical cells" : "asked for"))
CS_GETTER(read_stall_ratio, cs_stream_stall, at->n_cells ? cs_number(at->ratios[0]) : cs_null())
CS_GETTER(read_stall_source, cs_stream_stall, cs_text(*at->source ? at->source : NULL))

static void read_stall_cell(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	const struct cs_stream_stall *stall = row->record;
	(void)column;
	*ret = cs_null();
	if (stall->n_cells == 0)
		return;
	const struct cs_cooked *world =
		cs_stream_world(cs_stream_of(row), stall->cells[0].world).cooked;
	*ret = cs_text(cs_cooked_cell_name(world, stall->cells[0].cell));
}

static void stall_item(const struct cs_value *list, uint32_t index, struct cs_value *ret)
{
	const struct cs_stream_stall *stall = list->list.items;
	const struct cs_stream_cell cell = stall->cells[index];
	const struct cs_cooked *world = cs_stream_world(list->list.source, cell.world).cooked;
	*ret = cs_text(cs_cooked_cell_name(world, cell.cell));
}

/* Reads the list of the critical cells of a stall, the worst first, at most CS_STALL_CELLS. */
CS_GETTER(read_stall_named, cs_stream_stall,
	(struct cs_value){.kind = CS_KIND_LIST,
		.list = {.source = cs_stream_of(row),
			.items = at,
			.n = at->n_cells < CS_STALL_CELLS ? at->n_cells : CS_STALL_CELLS,
			.item = stall_item}})

static const struct cs_column stall_columns[] = {
	CS_COLUMN("frame", cs_stream_stall, frame, INTEGER, i64, "frame that ended in the wait",
		CS_SHORT),
	CS_VALUE("length", NUMBER, read_stall_length, "length of the wait", .unit = "ms", CS_SHORT),
	CS_VALUE("cause", TEXT, read_stall_cause,
		"cause of the wait: critical cells, or the command `block`", CS_SHORT),
	CS_COLUMN("cells", cs_stream_stall, n_cells, INTEGER, u32, "number of critical cells",
		CS_SHORT),
	CS_VALUE("cell", TEXT, read_stall_cell, "name of the most critical cell"),
	CS_VALUE("ratio", NUMBER, read_stall_ratio,
		"distance of the most critical cell divided by the loading radius", CS_SHORT),
	CS_VALUE("source", TEXT, read_stall_source,
		"blocking source that reached the most critical cell", CS_SHORT),
	CS_COLUMN("loads", cs_stream_stall, loads, INTEGER, u32, "levels loaded in the wait",
		CS_SHORT),
	CS_VALUE("critical", LIST, read_stall_named,
		"names of critical cells, most critical first, at most 8", CS_SHORT),
};

const struct cs_table cs_stalls_table = {
	.name = "stalls",
	.changes = true,
	.row_name = "stall",
	.doc = "The last waits for streaming, oldest first.",
	CS_COLUMNS(stall_columns),
	.missing = CS_E_MISSING,
	CS_ROWS(stall),
};
