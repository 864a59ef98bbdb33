/* SPDX-License-Identifier: Apache-2.0 */
/* Owns: looking at a run: its status, one cell, the resident cells, the names of states. */
#include "stream/stream_internal.h"

#include "core/sort.h"

static const char *const level_names[CS_LEVEL_STATES] = {"removed", "unloaded", "failed", "loading",
	"not_visible", "making_visible", "visible", "making_invisible"};

static const char *const performance_names[] = {"good", "slow", "critical", "immediate"};

static const char *const key_names[] = {
	"-", "source", "level", "priority", "spatial", "distance", "name"};

static const enum cs_stream_state state_of_level[CS_LEVEL_STATES] = {
	[CS_LEVEL_REMOVED] = CS_STATE_UNLOADED,
	[CS_LEVEL_UNLOADED] = CS_STATE_UNLOADED,
	[CS_LEVEL_FAILED] = CS_STATE_FAILED,
	[CS_LEVEL_LOADING] = CS_STATE_LOADING,
	[CS_LEVEL_NOT_VISIBLE] = CS_STATE_LOADED,
	[CS_LEVEL_MAKING_VISIBLE] = CS_STATE_MAKING_VISIBLE,
	[CS_LEVEL_VISIBLE] = CS_STATE_VISIBLE,
	[CS_LEVEL_MAKING_INVISIBLE] = CS_STATE_MAKING_INVISIBLE,
};

const char *cs_level_state_name(enum cs_level_state state)
{
	return (unsigned)state < CS_LEVEL_STATES ? level_names[state] : "?";
}

bool cs_level_is_there(enum cs_level_state state)
{
	return state >= CS_LEVEL_LOADING && state < CS_LEVEL_STATES;
}

const char *cs_performance_name(enum cs_performance performance)
{
	return (unsigned)performance <= CS_PERFORMANCE_IMMEDIATE ? performance_names[performance]
								 : "?";
}

const char *cs_order_key_name(enum cs_order_key key)
{
	return (unsigned)key <= CS_KEY_NAME ? key_names[key] : "?";
}

/* ---- cells ---- */

struct cs_stream_cell_view cs_stream_cell(
	const struct cs_stream *stream, struct cs_stream_cell cell)
{
	struct cs_stream_cell_view view = {.state = CS_STATE_UNLOADED};
	if (!cs_run_cell_exists(stream, cell))
		return view;
	struct cs_run_world *w = stream->worlds.at[cell.world];
	const struct cs_run_cell *r = cs_run_find(w, cell.cell);
	enum cs_reason waits;
	view.by_layers =
		cs_run_set_wanted(stream, w, w->model.layer_set[cell.cell], w->layers.effective);
	view.bytes = cs_run_cell_bytes(stream, w, cell.cell);
	view.wanted = cs_run_wanted(stream, cell, &waits);
	view.waiting = waits == CS_REASON_BUDGET;
	if (!r)
		return view;
	view.state = r->around ? CS_STATE_STILL_AROUND : state_of_level[r->level];
	view.level = (enum cs_level_state)r->level;
	view.current = cs_run_current_state(r);
	view.set = (enum cs_layer_state)r->set;
	view.should_load = r->should_load;
	view.should_show = r->should_show;
	view.waiting_to_show = r->pending_add;
	view.level_priority = r->moving ? r->priority : 0;
	view.since = r->since;
	view.bytes_left = r->bytes_left;
	view.work_left_ns = r->work_left;
	return view;
}

uint64_t cs_stream_cell_bytes(const struct cs_stream *stream, struct cs_stream_cell cell)
{
	return cs_run_cell_exists(stream, cell)
		       ? cs_run_cell_bytes(stream, stream->worlds.at[cell.world], cell.cell)
		       : 0;
}

static bool list_residents(const struct cs_run_world *w, cs_ids *ids)
{
	for (size_t i = 0; i < w->residents.cells.n; i++)
		if (!cs_vec_push(ids, w->residents.cells.at[i].cell))
			return false;
	for (int list = 0; list < 2; list++)
		for (size_t i = 0; i < w->queue.waiting[list].n; i++) {
			uint32_t cell = w->queue.waiting[list].at[i].cell.cell;
			if (!cs_run_find(w, cell) && !cs_vec_push(ids, cell))
				return false;
		}
	return cs_sort_u32(ids->at, ids->n);
}

struct cs_error *cs_stream_residents(
	const struct cs_stream *stream, uint32_t world, uint32_t **cells_ret, size_t *n_ret)
{
	cs_ids ids = {0};
	cs_run_queue_look(stream);
	if (!list_residents(stream->worlds.at[world], &ids)) {
		cs_vec_free(&ids);
		return cs_error_nomem();
	}
	*cells_ret = ids.at;
	*n_ret = ids.n;
	return NULL;
}

/* ---- status ---- */

static uint32_t moving_in(const struct cs_stream *s, enum cs_level_state level)
{
	uint32_t n = 0;
	for (size_t i = 0; i < s->levels.moving.n; i++) {
		struct cs_stream_cell cell = s->levels.moving.at[i];
		n += cs_run_find(s->worlds.at[cell.world], cell.cell)->level == level;
	}
	return n;
}

static uint64_t near_memory(const struct cs_run_world *w)
{
	uint64_t bytes = w->reached.kept.room * sizeof(*w->reached.kept.at);
	for (size_t i = 0; i < w->reached.kept.n; i++)
		bytes += w->reached.kept.at[i].near.entries.room *
			 sizeof(*w->reached.kept.at[i].near.entries.at);
	return bytes;
}

static uint64_t world_memory(const struct cs_run_world *w)
{
	return near_memory(w) + w->model.memory + sizeof(*w) +
	       w->model.n_cells * (sizeof(*w->residents.cell_slot) + sizeof(*w->reached.hit_slot) +
					  sizeof(*w->queue.waits)) +
	       w->residents.cells.room * sizeof(*w->residents.cells.at) +
	       w->reached.hits.room * sizeof(*w->reached.hits.at) +
	       w->reached.targets.room * sizeof(*w->reached.targets.at);
}

static uint64_t memory_of(const struct cs_stream *s)
{
	const struct cs_run_timeline *t = &s->timeline;
	uint64_t bytes = sizeof(*s) + t->bytes.room + t->inputs.room + t->state.room +
			 s->log.n_events * sizeof(*s->log.events) +
			 s->log.n_frames * sizeof(*s->log.frames);
	for (size_t i = 0; i < t->checkpoints.n; i++)
		bytes += t->checkpoints.at[i].size;
	for (size_t i = 0; i < s->worlds.n; i++)
		bytes += world_memory(s->worlds.at[i]);
	return bytes;
}

struct cs_stream_status cs_stream_status(const struct cs_stream *stream)
{
	const struct cs_run_world *main = stream->worlds.at[0];
	struct cs_stream_status status = {
		.profile = stream->profile,
		.role = stream->role,
		.server_streaming = cs_run_server_streams(stream, main),
		.server_streaming_out = cs_run_server_streams_out(stream, main),
		.frame = stream->clock.frame,
		.time_ns = stream->clock.time,
		.performance = (enum cs_performance)stream->performance.state,
		.display_performance = (enum cs_performance)stream->performance.display,
		.loading = stream->levels.n_loading,
		.budget = cs_run_max_cells_to_load(stream),
		.making_visible = moving_in(stream, CS_LEVEL_MAKING_VISIBLE),
		.making_invisible = moving_in(stream, CS_LEVEL_MAKING_INVISIBLE),
		.showing = stream->levels.showing,
		.hiding = stream->levels.hiding,
		.purging = stream->levels.n_around,
		.cells_visible = stream->levels.cells_visible,
		.cells_loaded = stream->levels.cells_loaded,
		.actors = stream->levels.actors,
		.bytes = stream->levels.bytes,
		.server_epoch = stream->server.epoch,
		.rewinds = stream->timeline.rewinds,
		.layer_epoch = main->layers.epoch,
		.waiting_activate = cs_run_waiting_count(stream, CS_ORDER_ACTIVATE),
		.waiting_load = cs_run_waiting_count(stream, CS_ORDER_LOAD),
		.memory = memory_of(stream),
	};
	return status;
}
