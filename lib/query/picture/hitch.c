/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes which cells made frames slow. One pass over the event log makes an episode of each time
 * that a cell was loaded. A cell has at most one open episode, which is found through an index by
 * world partition and cell.
 */
#include <cellscope/runs.h>

#include "core/sort.h"
#include "core/text.h"
#include "core/vec.h"
#include "stream/stream_inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- episodes of loading a cell ---- */

struct episode {
	struct cs_hitch_cell row;
	uint64_t begin, end; /* range of frames; `end` is CS_NO_FRAME before the episode ends */
	/* frame in which the cell's actors began to be shown, or CS_NO_FRAME */
	uint64_t showing;
	bool failed;
	bool only_loads; /* the requested state is only loaded, so loading ends the episode */
	bool was_loaded; /* the cell was in memory before, so nothing was loaded */
};

struct log {
	const struct cs_stream *stream;
	CS_VEC(struct episode) episodes;
	/* for each world partition and cell, 1 + the index of its latest episode (a load), or 0 */
	uint32_t **open;
	uint64_t now;
};

static struct cs_error *log_init(const struct cs_stream *stream, struct log *log)
{
	size_t n = cs_stream_worlds(stream);
	*log = (struct log){.stream = stream, .now = cs_stream_status(stream).frame};
	log->open = calloc(n + 1, sizeof(*log->open));
	for (size_t i = 0; log->open && i < n; i++) {
		log->open[i] =
			calloc((size_t)cs_stream_world(stream, (uint32_t)i).cooked->n_cells + 1,
				sizeof(**log->open));
		if (!log->open[i])
			return cs_error_nomem();
	}
	return log->open ? NULL : cs_error_nomem();
}

static void log_deinit(struct log *log)
{
	for (size_t i = 0; log->open && i < cs_stream_worlds(log->stream); i++)
		free(log->open[i]);
	free(log->open);
	cs_vec_free(&log->episodes);
}

/* Returns the cell's open episode (loading of one cell, from the request on), or NULL. */
static struct episode *open_episode(const struct log *log, struct cs_stream_cell cell)
{
	uint32_t last = log->open[cell.world][cell.cell];
	struct episode *episode = last ? &log->episodes.at[last - 1] : NULL;
	return episode && episode->end == CS_NO_FRAME ? episode : NULL;
}

static struct episode *begin_episode(struct log *log, struct cs_stream_cell cell, uint64_t frame)
{
	struct episode *episode = open_episode(log, cell);
	const struct cs_cooked *world = cs_stream_world(log->stream, cell.world).cooked;
	if (episode)
		return episode;
	struct episode fresh = {.begin = frame, .end = CS_NO_FRAME, .showing = CS_NO_FRAME};
	fresh.row = (struct cs_hitch_cell){.cell = cell,
		.wanted = CS_NO_FRAME,
		.load = CS_NO_FRAME,
		.loaded = CS_NO_FRAME,
		.shown = CS_NO_FRAME,
		.bytes = cs_stream_cell(log->stream, cell).bytes,
		.actors = cs_cooked_cell(world, cell.cell)->actors.count};
	if (!cs_vec_push(&log->episodes, fresh))
		return NULL;
	log->open[cell.world][cell.cell] = (uint32_t)log->episodes.n;
	return &log->episodes.at[log->episodes.n - 1];
}

/* Stores the frame of a loading event in the open (not yet ended) episode of the cell. */
static void hitch_mark(struct episode *episode, enum cs_moment moment, uint64_t frame)
{
	struct cs_hitch_cell *row = &episode->row;
	if (moment == CS_MOMENT_CELL_WANT || moment == CS_MOMENT_CELL_WAIT)
		row->wanted = row->wanted == CS_NO_FRAME ? frame : row->wanted;
	else if (moment == CS_MOMENT_CELL_LOAD)
		row->load = frame;
	else if (moment == CS_MOMENT_CELL_LOADED)
		row->loaded = frame;
	else if (moment == CS_MOMENT_CELL_SHOWING)
		episode->showing = frame;
	else if (moment == CS_MOMENT_CELL_SHOW)
		row->shown = frame;
	episode->failed = episode->failed || moment == CS_MOMENT_CELL_FAIL;
}

static bool hitch_begins(enum cs_moment moment)
{
	return moment == CS_MOMENT_CELL_WAIT || moment == CS_MOMENT_CELL_WANT ||
	       moment == CS_MOMENT_CELL_LOAD || moment == CS_MOMENT_CELL_SHOWING;
}

static bool hitch_ends(enum cs_moment moment)
{
	return moment == CS_MOMENT_CELL_SHOW || moment == CS_MOMENT_CELL_FAIL ||
	       moment == CS_MOMENT_CELL_DROP || moment == CS_MOMENT_CELL_UNLOAD ||
	       moment == CS_MOMENT_CELL_REMOVE;
}

static struct cs_error *read_event(struct log *log, const struct cs_stream_event *event)
{
	const struct cs_stream_cell cell = {event->world, event->cell};
	enum cs_moment moment = cs_moment_of(event);
	if (event->world == CS_NONE || event->cell == CS_NONE ||
		(event->event != CS_EVENT_LEVEL && event->event != CS_EVENT_SET &&
			event->event != CS_EVENT_WAIT))
		return NULL;
	const bool is_new = !open_episode(log, cell);
	struct episode *episode = hitch_begins(moment) ? begin_episode(log, cell, event->frame)
						       : open_episode(log, cell);
	if (hitch_begins(moment) && !episode)
		return cs_error_nomem();
	if (!episode)
		return NULL;
	hitch_mark(episode, moment, event->frame);
	if (moment == CS_MOMENT_CELL_WANT || moment == CS_MOMENT_CELL_WAIT) {
		episode->only_loads = event->to == CS_LAYER_LOADED;
		episode->was_loaded |= is_new && event->from == CS_LAYER_LOADED;
	}
	if (hitch_ends(moment) || (moment == CS_MOMENT_CELL_LOADED && episode->only_loads))
		episode->end = event->frame;
	return NULL;
}

/* Adds a stall's time to the episodes of the cells that it names, even if they ended during it. */
static void read_stall(struct log *log, const struct cs_stream_stall *stall)
{
	for (uint32_t i = 0; i < stall->n_cells && i < CS_STALL_CELLS; i++) {
		const struct cs_stream_cell cell = stall->cells[i];
		for (size_t k = log->episodes.n; k > 0; k--) {
			struct episode *episode = &log->episodes.at[k - 1];
			if (episode->row.cell.world == cell.world &&
				episode->row.cell.cell == cell.cell &&
				episode->begin <= stall->frame && episode->end >= stall->frame) {
				episode->row.stall_ms += (double)stall->length_ns / 1e6;
				break;
			}
		}
	}
}

/*
 * Returns the frame in which the cell began to be shown, that of its show event if showing took
 * only one frame. Returns NULL if the cell was not shown, or the frame is no longer stored.
 */
static const struct cs_stream_frame *hitch_showing(
	const struct log *log, const struct episode *episode)
{
	const uint64_t number =
		episode->showing != CS_NO_FRAME ? episode->showing : episode->row.shown;
	return number != CS_NO_FRAME ? cs_stream_frame(log->stream, number) : NULL;
}

/* Returns the ms for showing some actors when the episode's cell was shown, NAN if unknown. */
static double hitch_show_ms(const struct log *log, const struct episode *episode, uint64_t actors)
{
	const struct cs_stream_frame *frame = hitch_showing(log, episode);
	return frame ? (double)(actors * frame->cost.show_each_ns) / 1e6 : (double)NAN;
}

/* Returns the ms limit for showing actors when the cell was shown, 0 for none, NAN if unknown. */
static double hitch_show_limit(const struct log *log, const struct episode *episode)
{
	const struct cs_stream_frame *frame = hitch_showing(log, episode);
	if (!frame)
		return (double)NAN;
	return frame->cost.show_limit_ns == UINT64_MAX ? 0
						       : (double)frame->cost.show_limit_ns / 1e6;
}

static enum cs_hitch_cause cause_of(const struct log *log, const struct episode *episode)
{
	const struct cs_hitch_cell *row = &episode->row;
	if (episode->failed)
		return CS_HITCH_FAILED;
	if (row->stall_ms > 0)
		return CS_HITCH_STALL;
	if (row->wait > 0 && row->wait >= row->loading)
		return CS_HITCH_BUDGET;
	if (row->show_ms > hitch_show_limit(log, episode))
		return CS_HITCH_ACTORS;
	if (row->loading > 1)
		return CS_HITCH_LOADING;
	return row->shown == CS_NO_FRAME ? CS_HITCH_WAITS : CS_HITCH_NONE;
}

/* ---- advice: what would avoid the cost ---- */

/*
 * Returns the largest number of cells that waited or loaded in one frame while this cell waited, or
 * 0 if no record of these frames is left.
 */
static uint64_t crowd(const struct log *log, const struct cs_hitch_cell *row)
{
	uint64_t most = 0, end = row->load == CS_NO_FRAME ? log->now : row->load;
	for (uint64_t i = row->wanted; i <= end; i++) {
		const struct cs_stream_frame *frame = cs_stream_frame(log->stream, i);
		uint64_t n = frame ? (uint64_t)frame->waiting + frame->loading : 0;
		most = n > most ? n : most;
	}
	return most;
}

/* Returns the virtual time in ms from the start to the end of the load, NAN if no longer stored. */
static double load_ms(const struct log *log, const struct cs_hitch_cell *row)
{
	const struct cs_stream_frame *from = cs_stream_frame(log->stream, row->load);
	const struct cs_stream_frame *to =
		row->loaded == CS_NO_FRAME ? NULL : cs_stream_frame(log->stream, row->loaded);
	return from && to ? (double)(to->time_ns - from->time_ns) / 1e6 : (double)NAN;
}

static void advise(const struct log *log, struct episode *episode)
{
	struct cs_hitch_cell *row = &episode->row;
	const double limit = hitch_show_limit(log, episode);
	const double each = hitch_show_ms(log, episode, 1);
	uint64_t most;
	switch (row->cause) {
	case CS_HITCH_FAILED:
		cs_format_c(row->avoid, CS_HITCH_ADVICE, "cook its package again");
		break;
	case CS_HITCH_STALL:
		cs_format_c(row->avoid, CS_HITCH_ADVICE,
			"request %.1f ms earlier: use a longer loading range", row->stall_ms);
		break;
	case CS_HITCH_BUDGET:
		most = crowd(log, row);
		if (most)
			cs_format_c(row->avoid, CS_HITCH_ADVICE,
				"load %llu cells at once: wp.Runtime.MaxLoadingStreamingCells",
				(unsigned long long)most);
		break;
	case CS_HITCH_ACTORS:
		if (limit > 0 && each > limit)
			cs_format_c(row->avoid, CS_HITCH_ADVICE,
				"make its actors cheaper: one takes %.1f ms", each);
		else if (limit > 0 && each > 0)
			cs_format_c(row->avoid, CS_HITCH_ADVICE,
				"at most %.0f actors in the cell: use smaller cells",
				floor(limit / each));
		break;
	case CS_HITCH_LOADING:
		if (!isnan(load_ms(log, row)))
			cs_format_c(row->avoid, CS_HITCH_ADVICE,
				"request %.1f ms earlier, or put fewer actors in it",
				load_ms(log, row));
		break;
	default:
		break;
	}
}

/*
 * Returns the number of frames from `from` to `to`, or to `end` if `to` is CS_NO_FRAME. Returns 0
 * if `from` is CS_NO_FRAME.
 */
static uint64_t hitch_between(uint64_t from, uint64_t to, uint64_t end)
{
	if (from == CS_NO_FRAME)
		return 0;
	to = to == CS_NO_FRAME ? end : to;
	return to > from ? to - from : 0;
}

static void hitch_sum_up(const struct log *log, struct episode *episode)
{
	struct cs_hitch_cell *row = &episode->row;
	uint64_t end = episode->end == CS_NO_FRAME ? log->now : episode->end;
	row->wait = episode->was_loaded ? 0 : hitch_between(row->wanted, row->load, end);
	row->loading = hitch_between(row->load, row->loaded, end);
	if (row->shown != CS_NO_FRAME)
		row->show_ms = hitch_show_ms(log, episode, row->actors);
	row->cause = cause_of(log, episode);
	advise(log, episode);
}

static struct cs_error *read_log(const struct cs_stream *stream, struct log *log)
{
	struct cs_error *error = log_init(stream, log);
	uint64_t n = cs_stream_event_count(stream);
	for (uint64_t i = 0; !error && i < n; i++) {
		const struct cs_stream_event *event = cs_stream_event_at(stream, i);
		if (event)
			error = read_event(log, event);
	}
	for (size_t i = 0; !error && i < cs_stream_stalls(stream); i++)
		read_stall(log, cs_stream_stall_at(stream, i));
	for (size_t i = 0; i < log->episodes.n; i++)
		hitch_sum_up(log, &log->episodes.at[i]);
	return error;
}

/* ---- sorting the cells by cost ---- */

static int descending(double left, double right)
{
	return left > right ? -1 : left < right;
}

/* Returns the cost of a cell in ms: its stalls, and showing it if that cost is known. */
static double hitch_cost(const struct cs_hitch_cell *row)
{
	return (isnan(row->show_ms) ? 0 : row->show_ms) + row->stall_ms;
}

static int first_difference(const int *order, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (order[i])
			return order[i];
	return 0;
}

static int by_cost(const void *left_at, const void *right_at, void *context)
{
	const struct cs_hitch_cell *left = left_at, *right = right_at;
	const int order[] = {
		descending(hitch_cost(left), hitch_cost(right)),
		descending((double)left->bytes, (double)right->bytes),
		descending((double)left->wait, (double)right->wait),
		descending((double)right->cell.world, (double)left->cell.world),
		descending((double)right->cell.cell, (double)left->cell.cell),
		descending((double)right->wanted, (double)left->wanted),
	};
	(void)context;
	return first_difference(order, CS_COUNT_OF(order));
}

static int by_frame_cost(const void *left_at, const void *right_at, void *context)
{
	const struct cs_hitch_frame *left = left_at, *right = right_at;
	const int order[] = {
		descending(left->show_ms + left->stall_ms + left->load_ms + left->purge_ms,
			right->show_ms + right->stall_ms + right->load_ms + right->purge_ms),
		descending((double)left->bytes, (double)right->bytes),
		descending(left->waiting, right->waiting),
		descending((double)right->frame, (double)left->frame),
	};
	(void)context;
	return first_difference(order, CS_COUNT_OF(order));
}

static struct cs_error *hitch_cells_of(const struct log *log, uint64_t first, uint64_t last,
	struct cs_hitch_cell **rows_ret, size_t *n_ret)
{
	struct cs_hitch_cell *rows = calloc(log->episodes.n + 1, sizeof(*rows));
	size_t n = 0;
	if (!rows)
		return cs_error_nomem();
	for (size_t i = 0; i < log->episodes.n; i++) {
		const struct episode *episode = &log->episodes.at[i];
		if (episode->begin <= last && episode->end >= first)
			rows[n++] = episode->row;
	}
	if (!cs_sort(rows, n, sizeof(*rows), by_cost, NULL)) {
		free(rows);
		return cs_error_nomem();
	}
	*rows_ret = rows;
	*n_ret = n;
	return NULL;
}

struct cs_error *cs_hitch_cells(const struct cs_stream *stream, uint64_t first, uint64_t last,
	struct cs_hitch_cell **rows_ret, size_t *n_ret)
{
	struct log log;
	struct cs_error *error = read_log(stream, &log);
	if (!error)
		error = hitch_cells_of(&log, first, last, rows_ret, n_ret);
	log_deinit(&log);
	return error;
}

/* ---- the cost of frames ---- */

/* For each kind of work: its name, and the variables of its frame time limit and cost per unit. */
static const struct {
	const char *what, *limit, *each;
} hitch_works[CS_WORKS] = {
	[CS_WORK_SHOW] = {"showing", "s.LevelStreamingActorsUpdateTimeLimit", "sim.ShowPerActor"},
	[CS_WORK_HIDE] = {"hiding", "s.UnregisterComponentsTimeLimit", "sim.HidePerActor"},
	[CS_WORK_LOAD] = {"creating", "s.AsyncLoadingTimeLimit", "sim.LoadPerActor"},
	[CS_WORK_PURGE] = {"freeing unloaded levels", NULL, "sim.PurgePerLevel"},
	[CS_WORK_UPDATE] = {"deciding what is wanted", NULL, "sim.WorldUpdateCost"},
};

static void hitch_reason_of_work(
	const struct log *log, const struct cs_frame_cost *cost, struct cs_hitch_frame *row)
{
	const size_t work = cost->dearest_work;
	const double ms = (double)cost->dearest_ns / 1e6;
	const double each = (double)cost->dearest_each_ns / 1e6;
	if (!hitch_works[work].limit || cost->dearest.world == CS_NONE) {
		cs_format_c(row->reason, sizeof(row->reason), "%s: %.1f ms, at %.3g ms each (%s)",
			hitch_works[work].what, ms, each, hitch_works[work].each);
		return;
	}
	const struct cs_cooked *world = cs_stream_world(log->stream, cost->dearest.world).cooked;
	const double limit =
		cost->dearest_limit_ns == UINT64_MAX ? 0 : (double)cost->dearest_limit_ns / 1e6;
	const double actors = each > 0 ? ceil(ms / each) : 0;
	cs_format_c(row->reason, sizeof(row->reason),
		"%s %.0f actor%s of %.60s: %.1f ms; %s %.3g ms%s", hitch_works[work].what, actors,
		actors == 1 ? "" : "s", cs_cooked_cell_name(world, cost->dearest.cell), ms,
		hitch_works[work].limit, limit,
		limit > 0 && ms > limit ? " cannot cut an actor" : "");
}

static void hitch_reason_of(
	const struct log *log, const struct cs_stream_frame *record, struct cs_hitch_frame *row)
{
	const struct cs_frame_cost *cost = &record->cost;
	if (record->stall_ns > record->cost.dearest_ns)
		cs_format_c(row->reason, sizeof(row->reason),
			"the game waited %.1f ms for streaming: a synchronous flush",
			(double)record->stall_ns / 1e6);
	else if (cost->grown_ns > 0 && cost->game_ns > cost->dearest_ns)
		cs_format_c(row->reason, sizeof(row->reason),
			"the game itself: %.1f ms (sim.GameThread)", (double)cost->game_ns / 1e6);
	else if (cost->grown_ns > 0)
		hitch_reason_of_work(log, cost, row);
}

static struct cs_hitch_frame frame_of(const struct cs_stream_frame *record)
{
	const uint64_t *cost = record->cost.ns;
	return (struct cs_hitch_frame){.frame = record->frame,
		.length_ms = (double)record->length_ns / 1e6,
		.grown_ms = (double)record->cost.grown_ns / 1e6,
		.load_ms = (double)cost[CS_WORK_LOAD] / 1e6,
		.purge_ms = (double)cost[CS_WORK_PURGE] / 1e6,
		.show_ms = (double)record->work_ns / 1e6,
		.stall_ms = (double)record->stall_ns / 1e6,
		.loads = record->loads,
		.shows = record->shows,
		.waiting = record->waiting,
		.dear = CS_STREAM_NO_CELL,
		.cause = CS_HITCH_NONE,
		.performance = (enum cs_performance)record->performance};
}

static void add_episodes(const struct log *log, struct cs_hitch_frame *row)
{
	const struct cs_hitch_cell *dear = NULL;
	for (size_t i = 0; i < log->episodes.n; i++) {
		const struct episode *episode = &log->episodes.at[i];
		if (episode->begin > row->frame || episode->end < row->frame)
			continue;
		row->cells++;
		if (episode->row.loaded == row->frame)
			row->bytes += episode->row.bytes;
		if (!dear || by_cost(&episode->row, dear, NULL) < 0)
			dear = &episode->row;
	}
	if (!dear)
		return;
	row->dear = dear->cell;
	row->cause = dear->cause;
	memcpy(row->avoid, dear->avoid, sizeof(row->avoid));
}

static bool costs(const struct cs_hitch_frame *row)
{
	return row->show_ms > 0 || row->stall_ms > 0 || row->load_ms > 0 || row->grown_ms > 0 ||
	       row->bytes > 0 || row->waiting > 0;
}

struct cs_error *cs_hitch_frames(const struct cs_stream *stream, uint64_t first, uint64_t last,
	struct cs_hitch_frame **rows_ret, size_t *n_ret)
{
	struct log log;
	CS_VEC(struct cs_hitch_frame) rows = {0};
	struct cs_error *error = read_log(stream, &log);
	last = last < log.now ? last : log.now;
	for (uint64_t i = first; !error && i <= last; i++) {
		const struct cs_stream_frame *record = cs_stream_frame(stream, i);
		if (!record)
			continue;
		struct cs_hitch_frame row = frame_of(record);
		add_episodes(&log, &row);
		hitch_reason_of(&log, record, &row);
		if (costs(&row) && !cs_vec_push(&rows, row))
			error = cs_error_nomem();
	}
	log_deinit(&log);
	if (!error && !cs_sort(rows.at, rows.n, sizeof(*rows.at), by_frame_cost, NULL))
		error = cs_error_nomem();
	return cs_vec_give(&rows, error, rows_ret, n_ret);
}
