/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the record of what was decided about a cell. It has three parts, each written by the code
 * that makes the decision: the wanted state and its rule (the hit, policy.c), its position in the
 * queue (the row, queue.c), and the progress of its level (the resident, level.c). Skipped frames,
 * and changes between frames, leave all three unchanged.
 *
 * A cell without a hit and without a level has no record: it is unloaded, and the reason follows
 * from what the last evaluation stored (world.policy.terms, layers.decided, the targets).
 *
 * Of two wanted cells, the one wanted activated loads before the one only wanted loaded; otherwise
 * their sort keys decide.
 */
#include "stream/stream_internal.h"

#include "core/sort.h"
#include <cellscope/cooked_values.h>

/* ---- the wanted state ---- */

/*
 * Stores the state in which a server keeps the cell for a client, or else the one that the last
 * evaluation decided, and its reason. Returns false if there is neither.
 */
static bool wish_of(const struct cs_run_world *world, uint32_t cell, struct cs_stream_why *ret)
{
	const struct cs_run_hit *hit = cs_run_find_hit(world, cell);
	const struct cs_run_cell *resident = cs_run_find(world, cell);
	if (hit) {
		ret->wanted = hit->want & CS_WANT_ACTIVATE ? CS_LAYER_ACTIVATED : CS_LAYER_LOADED;
		ret->reason = (enum cs_reason)hit->reason;
	}
	if (resident && resident->held) {
		ret->wanted = (enum cs_layer_state)resident->set;
		ret->reason = CS_REASON_CLIENT_SEES;
	}
	return hit || (resident && resident->held);
}

static enum cs_layer_state asked_of(const struct cs_run_hit *hit)
{
	if (hit && (hit->want & CS_ASKED_ACTIVATE))
		return CS_LAYER_ACTIVATED;
	return hit && (hit->want & CS_ASKED_LOAD) ? CS_LAYER_LOADED : CS_LAYER_UNLOADED;
}

/* Returns whether the cell is requested wherever the sources are. */
static bool asks_everywhere(
	const struct cs_stream *stream, const struct cs_run_world *world, uint32_t cell)
{
	return !(world->model.flags[cell] & CS_CELL_SPATIAL) ||
	       (cs_run_is_server(stream) && !cs_run_server_streams(stream, world));
}

static enum cs_layer_state by_sources(
	const struct cs_stream *stream, const struct cs_run_world *world, uint32_t cell)
{
	enum cs_layer_state asked = asked_of(cs_run_find_hit(world, cell));
	if (asked != CS_LAYER_UNLOADED || !world->policy.decided)
		return asked;
	return asks_everywhere(stream, world, cell) ? CS_LAYER_ACTIVATED
						    : cs_run_sources_ask(stream, world, cell);
}

/* ---- why a cell is not wanted ---- */

static enum cs_reason miss_of_sources(const struct cs_stream *stream,
	const struct cs_run_world *world, struct cs_stream_cell cell)
{
	struct cs_stream_why measures;
	if (!cs_box_valid(cs_run_tested_box(&world->model, cell.cell)))
		return CS_REASON_NO_BOUNDS;
	if (stream->sources.active.n == 0)
		return CS_REASON_NO_SOURCE;
	return cs_run_measure(stream, cell, &measures) ? CS_REASON_GRID_FILTER
						       : CS_REASON_OUT_OF_RANGE;
}

/* Returns the inputs (set of enum cs_changed) whose change can make the reason untrue. */
static uint32_t leans_on(enum cs_reason reason)
{
	static const uint8_t inputs[CS_REASON_COUNT] = {
		[CS_REASON_NO_SOURCE] = CS_CHANGED_SOURCES,
		[CS_REASON_OUT_OF_RANGE] = CS_CHANGED_SOURCES,
		[CS_REASON_GRID_FILTER] = CS_CHANGED_SOURCES,
		[CS_REASON_LAYERS] = CS_CHANGED_LAYERS,
		[CS_REASON_HLOD_OFF] = CS_CHANGED_SETTINGS,
		[CS_REASON_LEVEL_FILTER] = CS_CHANGED_SETTINGS,
	};
	return inputs[reason];
}

static enum cs_reason miss_of(const struct cs_stream *stream, const struct cs_run_world *world,
	struct cs_stream_cell cell, const struct cs_stream_why *so_far)
{
	if (!world->registered)
		return CS_REASON_NOT_REGISTERED;
	if (!world->policy.decided)
		return CS_REASON_NOT_RUN;
	enum cs_reason reason = cs_run_cell_excluded(stream, world, cell.cell);
	if (!reason && so_far->by_sources == CS_LAYER_UNLOADED)
		reason = miss_of_sources(stream, world, cell);
	else if (!reason)
		/*
		 * NOT_RUN: neither sources nor layers exclude the cell any more, because an input
		 * after the evaluation has changed them
		 */
		reason = so_far->by_layers == CS_LAYER_UNLOADED ? CS_REASON_LAYERS
								: CS_REASON_NOT_RUN;
	return stream->clock.since & leans_on(reason) ? CS_REASON_NOT_RUN : reason;
}

/*
 * Returns the data layer that limits the cell's state: its external layer if that is not activated,
 * else the other layer whose state decides (the lowest if all layers must be active, else the
 * highest). Returns CS_NONE if the cell has no layers.
 */
static uint32_t decision_limiting_layer(const struct cs_run_world *world, uint32_t cell)
{
	const struct cs_run_layer_set *set = &world->model.sets[world->model.layer_set[cell]];
	bool all = world->model.cooked->world->layers_operator == CS_LAYERS_AND;
	uint32_t found = CS_NONE;
	if (set->external != CS_NONE && world->layers.decided[set->external] != CS_LAYER_ACTIVATED)
		return set->external;
	for (uint32_t i = 0; i < set->layers.count; i++) {
		uint32_t layer = world->model.layer_lists[set->layers.first + i];
		if (found == CS_NONE ||
			(all ? world->layers.decided[layer] < world->layers.decided[found]
			     : world->layers.decided[layer] > world->layers.decided[found]))
			found = layer;
	}
	return found;
}

/* ---- why a cell has not arrived ---- */

static enum cs_reason waits_of(const struct cs_run_world *world, uint32_t cell)
{
	const struct cs_run_hit *hit = cs_run_find_hit(world, cell);
	const struct cs_run_cell *resident = cs_run_find(world, cell);
	if (hit && hit->waits)
		return (enum cs_reason)hit->waits;
	if (resident && resident->around)
		return CS_REASON_STILL_AROUND;
	if (resident && resident->moving)
		return (enum cs_reason)resident->hold;
	return resident && resident->level == CS_LEVEL_FAILED ? CS_REASON_FAILED
							      : CS_REASON_ARRIVED;
}

/* Returns why the cell is not activated: why that is not wanted, or what it still waits for. */
static enum cs_reason obstacle_of(
	const struct cs_run_world *world, uint32_t cell, const struct cs_stream_why *decision)
{
	if (cs_run_current_state(cs_run_find(world, cell)) == CS_LAYER_ACTIVATED)
		return CS_REASON_NONE;
	if (decision->wanted == CS_LAYER_ACTIVATED)
		return decision->progress;
	if (decision->wanted == CS_LAYER_UNLOADED || decision->by_sources == CS_LAYER_UNLOADED)
		return decision->reason;
	return decision->by_layers < CS_LAYER_ACTIVATED    ? CS_REASON_LAYERS_LOADED
	       : decision->by_sources < CS_LAYER_ACTIVATED ? CS_REASON_TARGET_LOADED
							   : decision->reason;
}

static void find_way(const struct cs_stream *stream, const struct cs_run_world *world,
	uint32_t cell, struct cs_stream_why *decision)
{
	const struct cs_run_cell *resident = cs_run_find(world, cell);
	decision->progress = waits_of(world, cell);
	if (decision->progress == CS_REASON_TURN)
		decision->blocker = resident->level == CS_LEVEL_MAKING_VISIBLE
					    ? stream->levels.showing
					    : stream->levels.hiding;
	if (decision->progress == CS_REASON_WARMUP)
		decision->warm_frames = cs_run_warm_left(world, cell);
}

/* ---- filling the record ---- */

/* Returns the wanted state of the cell. *waits_ret is why the cell has not reached it. */
static enum cs_layer_state decision_wanted(
	const struct cs_stream *stream, struct cs_stream_cell cell, enum cs_reason *waits_ret)
{
	const struct cs_run_world *world = stream->worlds.at[cell.world];
	struct cs_stream_why decision = {.wanted = CS_LAYER_UNLOADED};
	wish_of(world, cell.cell, &decision);
	*waits_ret = waits_of(world, cell.cell);
	return decision.wanted;
}

void cs_run_decision_of(
	const struct cs_stream *stream, struct cs_stream_cell cell, struct cs_stream_why *ret)
{
	struct cs_run_world *world = stream->worlds.at[cell.world];
	const struct cs_run_hit *hit = cs_run_find_hit(world, cell.cell);
	struct cs_stream_why decision = {.decided = world->registered && world->policy.decided,
		.decided_in = world->policy.decided_in,
		.layer = CS_NONE,
		.client = CS_NONE,
		.blocker = CS_STREAM_NO_CELL};
	decision.changed =
		stream->clock.since |
		(decision.decided && decision.decided_in < stream->clock.frame ? CS_CHANGED_FRAMES
									       : 0);
	decision.by_sources = by_sources(stream, world, cell.cell);
	decision.by_layers = cs_run_layers_allow(stream, world, cell.cell);
	if (decision.by_layers < CS_LAYER_ACTIVATED)
		decision.layer = decision_limiting_layer(world, cell.cell);
	if (!wish_of(world, cell.cell, &decision))
		decision.reason = miss_of(stream, world, cell, &decision);
	if (decision.reason == CS_REASON_NOT_REGISTERED && cs_run_waits_for_owner(stream, world))
		decision.blocker = world->owner;
	if (decision.reason == CS_REASON_CLIENT_SEES)
		decision.client = cs_run_seen_by(stream, cell);
	find_way(stream, world, cell.cell, &decision);
	decision.obstacle = obstacle_of(world, cell.cell, &decision);
	decision.judged = hit && hit->performance && world->performance.judged;
	if (decision.judged)
		decision.performance = (enum cs_performance)(hit->performance - 1);
	*ret = decision;
}

enum cs_layer_state cs_run_asked_for(const struct cs_stream *stream, struct cs_stream_cell cell)
{
	const struct cs_run_world *world = stream->worlds.at[cell.world];
	return cs_run_cell_excluded(stream, world, cell.cell)
		       ? CS_LAYER_UNLOADED
		       : by_sources(stream, world, cell.cell);
}

struct cs_error *cs_run_check_cell(const struct cs_stream *stream, struct cs_stream_cell cell)
{
	return cs_run_cell_exists(stream, cell) ? NULL : cs_run_no_cell(cell);
}

/* ---- the state that maps and lists show ---- */

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
	if (view->state == CS_STATE_UNLOADED && view->set != CS_LAYER_UNLOADED)
		return CS_MAP_WAITING;
	if (view->waiting &&
		(view->state == CS_STATE_UNLOADED || view->state == CS_STATE_STILL_AROUND))
		return CS_MAP_WAITING;
	return (enum cs_map_state)states[view->state];
}

static struct cs_stream_cell_view cell_view(
	const struct cs_stream *stream, struct cs_stream_cell cell)
{
	struct cs_stream_cell_view view = {.state = CS_STATE_UNLOADED};
	struct cs_run_world *world = stream->worlds.at[cell.world];
	const struct cs_run_cell *resident = cs_run_find(world, cell.cell);
	enum cs_reason waits;
	view.by_layers = cs_run_set_wanted(
		stream, world, world->model.layer_set[cell.cell], world->layers.effective);
	view.bytes = cs_run_cell_bytes(stream, world, cell.cell);
	view.wanted = decision_wanted(stream, cell, &waits);
	view.waiting = waits == CS_REASON_BUDGET;
	if (!resident)
		return view;
	view.state = resident->around ? CS_STATE_STILL_AROUND : state_of_level[resident->level];
	view.level = (enum cs_level_state)resident->level;
	view.current = cs_run_current_state(resident);
	view.set = (enum cs_layer_state)resident->set;
	view.waiting_to_show = resident->pending_add;
	view.since = resident->since;
	view.bytes_left = resident->bytes_left;
	view.work_left_ns = resident->work_left;
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
	const struct cs_run_model *model = &stream->worlds.at[cell.world]->model;
	view.shown = shown_state(&view);
	view.on_map = off && model->cells[cell.cell].layered ? CS_MAP_LAYER_OFF : view.shown;
	return view;
}

uint64_t cs_stream_cell_bytes(const struct cs_stream *stream, struct cs_stream_cell cell)
{
	return cs_run_cell_exists(stream, cell)
		       ? cs_run_cell_bytes(stream, stream->worlds.at[cell.world], cell.cell)
		       : 0;
}

static bool list_residents(const struct cs_run_world *world, cs_ids *ids)
{
	for (size_t i = 0; i < world->residents.cells.n; i++)
		if (!cs_vec_push(ids, world->residents.cells.at[i].cell))
			return false;
	for (int list = 0; list < 2; list++)
		for (size_t i = 0; i < world->queue.waiting[list].n; i++) {
			uint32_t cell = world->queue.waiting[list].at[i].cell.cell;
			if (!cs_run_find(world, cell) && !cs_vec_push(ids, cell))
				return false;
		}
	return cs_sort_u32(ids->at, ids->n);
}

struct cs_error *cs_stream_residents(
	const struct cs_stream *stream, uint32_t world, uint32_t **cells_ret, size_t *n_ret)
{
	cs_ids ids = {0};
	cs_run_queue_look(stream);
	struct cs_error *error =
		list_residents(stream->worlds.at[world], &ids) ? NULL : cs_error_nomem();
	return cs_vec_give(&ids, error, cells_ret, n_ret);
}

/* ---- which of two cells loads first ---- */

static struct cs_stream_order_row row_of(const struct cs_stream *stream, struct cs_stream_cell cell)
{
	struct cs_run_info info;
	cs_run_cell_info(stream, stream->worlds.at[cell.world], cell.cell, &info);
	return (struct cs_stream_order_row){.cell = cell, .keys = info.keys};
}

/*
 * Compares two cells by the state that is wanted for them: activated comes before loaded. Returns a
 * value < 0 if `left` comes first, > 0 if `right` comes first, and 0 if both states are equal or a
 * cell is not wanted.
 */
static int compare_lists(
	const struct cs_stream *stream, struct cs_stream_cell left, struct cs_stream_cell right)
{
	struct cs_stream_why l, r;
	cs_run_decision_of(stream, left, &l);
	cs_run_decision_of(stream, right, &r);
	if (l.wanted == CS_LAYER_UNLOADED || r.wanted == CS_LAYER_UNLOADED)
		return 0;
	return (int)r.wanted - (int)l.wanted;
}

struct cs_error *cs_stream_compare(const struct cs_stream *stream, struct cs_stream_cell left,
	struct cs_stream_cell right, int *order_ret, enum cs_order_key *key_ret)
{
	if (!cs_run_cell_exists(stream, left))
		return cs_run_no_cell(left);
	if (!cs_run_cell_exists(stream, right))
		return cs_run_no_cell(right);
	struct cs_stream_order_row l = row_of(stream, left), r = row_of(stream, right);
	*key_ret = CS_KEY_LIST;
	*order_ret = compare_lists(stream, left, right);
	if (*order_ret == 0)
		*key_ret = cs_run_order_decide(stream, &l, &r, order_ret);
	return NULL;
}
