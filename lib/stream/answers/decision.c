/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns reading the record of what was decided about a cell. It has three parts, each written by
 * the code that decides: the wanted state and its rule (the hit of an evaluation, policy.c), its
 * turn (the row of the queue), and the progress of its level (the resident, level.c). Frames that
 * are skipped, and changes between frames, leave all three unchanged.
 *
 * A cell that no evaluation hit and that has no level needs no record: it is unloaded, and the
 * reason follows from the stored terms of that evaluation (world.policy.terms, the layers used for
 * decisions, the targets).
 */
#include "stream/stream_internal.h"

#include "core/sort.h"
#include <cellscope/cooked_values.h>

/* ---- the wish ---- */

/* Returns what an evaluation asked for; false when it did not hit the cell. */
static bool wish_of(const struct cs_run_world *w, uint32_t cell, struct cs_run_decision *ret)
{
	const struct cs_run_hit *hit = cs_run_find_hit(w, cell);
	const struct cs_run_cell *r = cs_run_find(w, cell);
	if (hit) {
		ret->wanted = hit->want & CS_WANT_ACTIVATE ? CS_LAYER_ACTIVATED : CS_LAYER_LOADED;
		ret->reason = (enum cs_reason)hit->reason;
	}
	if (r && r->held) {
		ret->wanted = (enum cs_layer_state)r->set;
		ret->reason = CS_REASON_CLIENT_SEES;
	}
	return hit || (r && r->held);
}

static enum cs_layer_state asked_of(const struct cs_run_hit *hit)
{
	if (hit && (hit->want & CS_ASKED_ACTIVATE))
		return CS_LAYER_ACTIVATED;
	return hit && (hit->want & CS_ASKED_LOAD) ? CS_LAYER_LOADED : CS_LAYER_UNLOADED;
}

/* Returns whether distances do not matter for the cell. */
static bool asks_everywhere(const struct cs_stream *s, const struct cs_run_world *w, uint32_t cell)
{
	return !(w->model.flags[cell] & CS_CELL_SPATIAL) ||
	       (cs_run_is_server(s) && !cs_run_server_streams(s, w));
}

static enum cs_layer_state by_sources(
	const struct cs_stream *s, const struct cs_run_world *w, uint32_t cell)
{
	enum cs_layer_state asked = asked_of(cs_run_find_hit(w, cell));
	if (asked != CS_LAYER_UNLOADED || !w->policy.decided)
		return asked;
	return asks_everywhere(s, w, cell) ? CS_LAYER_ACTIVATED : cs_run_sources_ask(s, w, cell);
}

/* ---- cells that were not taken ---- */

static enum cs_reason miss_of_sources(
	const struct cs_stream *s, const struct cs_run_world *w, struct cs_stream_cell cell)
{
	struct cs_run_measures measures;
	if (!cs_box_valid(cs_run_tested_box(&w->model, cell.cell)))
		return CS_REASON_NO_BOUNDS;
	if (s->sources.active.n == 0)
		return CS_REASON_NO_SOURCE;
	cs_run_measure(s, cell, &measures);
	return measures.filtered ? CS_REASON_GRID_FILTER : CS_REASON_OUT_OF_RANGE;
}

/* Returns the changes since the frame that would invalidate the reason. */
static uint32_t leans_on(enum cs_reason reason)
{
	switch (reason) {
	case CS_REASON_NO_SOURCE:
	case CS_REASON_OUT_OF_RANGE:
	case CS_REASON_GRID_FILTER:
		return CS_CHANGED_SOURCES;
	case CS_REASON_LAYERS:
		return CS_CHANGED_LAYERS;
	case CS_REASON_HLOD_OFF:
	case CS_REASON_LEVEL_FILTER:
		return CS_CHANGED_SETTINGS;
	default:
		return 0;
	}
}

static enum cs_reason miss_of(const struct cs_stream *s, const struct cs_run_world *w,
	struct cs_stream_cell cell, const struct cs_run_decision *so_far)
{
	if (!w->registered)
		return CS_REASON_NOT_REGISTERED;
	if (!w->policy.decided)
		return CS_REASON_NOT_RUN;
	enum cs_reason reason = cs_run_cell_excluded(s, w, cell.cell);
	if (!reason && so_far->by_sources == CS_LAYER_UNLOADED)
		reason = miss_of_sources(s, w, cell);
	else if (!reason)
		/* otherwise the sources differ from those of the evaluation */
		reason = so_far->by_layers == CS_LAYER_UNLOADED ? CS_REASON_LAYERS
								: CS_REASON_NOT_RUN;
	return s->clock.since & leans_on(reason) ? CS_REASON_NOT_RUN : reason;
}

/*
 * Returns the layer that limits the state: the external one, or the one that decides among the
 * others.
 */
static uint32_t decision_limiting_layer(const struct cs_run_world *w, uint32_t cell)
{
	const struct cs_run_layer_set *set = &w->model.sets[w->model.layer_set[cell]];
	bool all = w->model.cooked->world->layers_operator == CS_LAYERS_AND;
	uint32_t found = CS_NONE;
	if (set->external != CS_NONE && w->layers.decided[set->external] != CS_LAYER_ACTIVATED)
		return set->external;
	for (uint32_t i = 0; i < set->layers.count; i++) {
		uint32_t layer = w->model.layer_lists[set->layers.first + i];
		if (found == CS_NONE || (all ? w->layers.decided[layer] < w->layers.decided[found]
					     : w->layers.decided[layer] > w->layers.decided[found]))
			found = layer;
	}
	return found;
}

/* ---- the way ---- */

static enum cs_reason waits_of(const struct cs_run_world *w, uint32_t cell)
{
	const struct cs_run_hit *hit = cs_run_find_hit(w, cell);
	const struct cs_run_cell *r = cs_run_find(w, cell);
	if (hit && hit->waits)
		return (enum cs_reason)hit->waits;
	if (r && r->around)
		return CS_REASON_STILL_AROUND;
	if (r && r->moving)
		return (enum cs_reason)r->hold;
	return r && r->level == CS_LEVEL_FAILED ? CS_REASON_FAILED : CS_REASON_ARRIVED;
}

/* Returns why the cell is not activated, from what was decided about it. */
static enum cs_reason obstacle_of(
	const struct cs_run_world *w, uint32_t cell, const struct cs_run_decision *d)
{
	if (cs_run_current_state(cs_run_find(w, cell)) == CS_LAYER_ACTIVATED)
		return CS_REASON_NONE;
	if (d->wanted == CS_LAYER_ACTIVATED)
		return d->waits;
	if (d->wanted == CS_LAYER_UNLOADED || d->by_sources == CS_LAYER_UNLOADED)
		return d->reason;
	return d->by_layers < CS_LAYER_ACTIVATED    ? CS_REASON_LAYERS_LOADED
	       : d->by_sources < CS_LAYER_ACTIVATED ? CS_REASON_TARGET_LOADED
						    : d->reason;
}

static void find_way(const struct cs_stream *s, const struct cs_run_world *w, uint32_t cell,
	struct cs_run_decision *d)
{
	const struct cs_run_cell *r = cs_run_find(w, cell);
	d->waits = waits_of(w, cell);
	if (d->waits == CS_REASON_TURN)
		d->blocker =
			r->level == CS_LEVEL_MAKING_VISIBLE ? s->levels.showing : s->levels.hiding;
	if (d->waits == CS_REASON_WARMUP)
		d->warm_frames = cs_run_warm_left(w, cell);
}

/* ---- all of it ---- */

/* Returns the wanted state, and what the cell waits for. */
static enum cs_layer_state decision_wanted(
	const struct cs_stream *s, struct cs_stream_cell cell, enum cs_reason *waits_ret)
{
	const struct cs_run_world *w = s->worlds.at[cell.world];
	struct cs_run_decision decision = {.wanted = CS_LAYER_UNLOADED};
	wish_of(w, cell.cell, &decision);
	*waits_ret = waits_of(w, cell.cell);
	return decision.wanted;
}

void cs_run_decision_of(
	const struct cs_stream *s, struct cs_stream_cell cell, struct cs_run_decision *ret)
{
	struct cs_run_world *w = s->worlds.at[cell.world];
	const struct cs_run_hit *hit = cs_run_find_hit(w, cell.cell);
	struct cs_run_decision d = {.known = w->registered && w->policy.decided,
		.in = w->policy.decided_in,
		.layer = CS_NONE,
		.client = CS_NONE,
		.blocker = CS_STREAM_NO_CELL};
	d.changed = s->clock.since | (d.known && d.in < s->clock.frame ? CS_CHANGED_FRAMES : 0);
	d.by_sources = by_sources(s, w, cell.cell);
	d.by_layers = cs_run_layers_allow(s, w, cell.cell);
	if (d.by_layers < CS_LAYER_ACTIVATED)
		d.layer = decision_limiting_layer(w, cell.cell);
	if (!wish_of(w, cell.cell, &d))
		d.reason = miss_of(s, w, cell, &d);
	if (d.reason == CS_REASON_CLIENT_SEES)
		d.client = cs_run_seen_by(s, cell);
	find_way(s, w, cell.cell, &d);
	d.obstacle = obstacle_of(w, cell.cell, &d);
	d.judged = hit && hit->performance && w->performance.judged;
	if (d.judged)
		d.performance = (enum cs_performance)(hit->performance - 1);
	*ret = d;
}

bool cs_run_is_asked_for(const struct cs_stream *s, struct cs_stream_cell cell)
{
	return by_sources(s, s->worlds.at[cell.world], cell.cell) > CS_LAYER_UNLOADED;
}

struct cs_error *cs_run_check_cell(const struct cs_stream *s, struct cs_stream_cell cell)
{
	return cs_run_cell_exists(s, cell) ? NULL : cs_run_no_cell(cell);
}

/* ---- how a cell stands ---- */

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

static enum cs_map_state shown_state(const struct cs_stream_cell_view *view)
{
	static const uint8_t states[CS_STATE_COUNT] = {
		[CS_STATE_UNLOADED] = CS_MAP_UNLOADED,
		[CS_STATE_STILL_AROUND] = CS_MAP_STILL_AROUND,
		[CS_STATE_LOADING] = CS_MAP_LOADING,
		[CS_STATE_LOADED] = CS_MAP_LOADED,
		[CS_STATE_MAKING_VISIBLE] = CS_MAP_SHOWING,
		[CS_STATE_VISIBLE] = CS_MAP_ACTIVATED,
		[CS_STATE_PRELOADING] = CS_MAP_PRELOADING,
		[CS_STATE_FAILED] = CS_MAP_FAILED,
		[CS_STATE_MAKING_INVISIBLE] = CS_MAP_LEAVING,
	};
	if (view->state == CS_STATE_UNLOADED && (view->waiting || view->set != CS_LAYER_UNLOADED))
		return CS_MAP_WAITING;
	return (enum cs_map_state)states[view->state];
}

static struct cs_stream_cell_view cell_view(
	const struct cs_stream *stream, struct cs_stream_cell cell)
{
	struct cs_stream_cell_view view = {.state = CS_STATE_UNLOADED};
	struct cs_run_world *w = stream->worlds.at[cell.world];
	const struct cs_run_cell *r = cs_run_find(w, cell.cell);
	enum cs_reason waits;
	view.by_layers =
		cs_run_set_wanted(stream, w, w->model.layer_set[cell.cell], w->layers.effective);
	view.bytes = cs_run_cell_bytes(stream, w, cell.cell);
	view.wanted = decision_wanted(stream, cell, &waits);
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

struct cs_stream_cell_view cs_stream_cell(
	const struct cs_stream *stream, struct cs_stream_cell cell)
{
	struct cs_stream_cell_view view = {.shown = CS_MAP_UNLOADED, .on_map = CS_MAP_UNLOADED};
	if (!stream || !cs_run_cell_exists(stream, cell))
		return view;
	view = cell_view(stream, cell);
	const bool off = view.state == CS_STATE_UNLOADED && view.by_layers == CS_LAYER_UNLOADED;
	const struct cs_cooked *cooked = stream->worlds.at[cell.world]->model.cooked;
	view.shown = shown_state(&view);
	view.on_map =
		off && cooked->cells[cell.cell].layers.count > 0 ? CS_MAP_LAYER_OFF : view.shown;
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
