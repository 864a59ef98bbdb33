/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns the frame (rules 2.3). One frame, in order:
 *
 *	 1  sources    take what the providers give; velocities follow
 *	 2  clients    on a server: which cells its clients see
 *	 3  worlds     each in turn, or as many as the time limit allows:
 *	 4    skip       when nothing that the answer depends on has changed, else
 *	 5    reach      cells that sources reach and layers allow
 *	 6    split      what is to be activated, loaded, unloaded; unload at once
 *	 7  sort       the wishes of all worlds together, activations first, as far as it decides
 *	 8  start      as many as the budget allows; the rest waits for the next frame
 *	 9  prioritise what is under way; publish the server's epoch
 *	10  levels     load, show and hide (level.c); then perhaps a blocking wait (performance.c)
 *
 * Steps 1 to 9 are cs_run_update, which a blocking wait runs again; cs_stream_step adds the rest.
 */
#include "stream/stream_internal.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* ---- 4: skipping ---- */

/* Hashes everything that the result of an evaluation depends on. */
static uint64_t evaluation_hash(const struct cs_stream *s, const struct cs_run_world *w)
{
	const uint64_t parts[] = {
		cs_run_sources_hash(s),
		w->layers.epoch,
		s->hlod_enabled,
		(uint64_t)(int64_t)cs_run_number(s, CS_VAR_FILTER_LEVEL),
		(uint64_t)(int64_t)cs_run_number(s, CS_VAR_Z_CULLING),
		XXH3_64bits(w->reached.ranges,
			w->model.cooked->n_partitions * sizeof(*w->reached.ranges)),
	};
	return XXH3_64bits(parts, sizeof(parts));
}

static bool forced(const struct cs_stream *s)
{
	uint64_t every = (uint64_t)cs_run_number(s, CS_VAR_FORCE_UPDATE);
	return every > 0 && s->clock.frame % every == 0;
}

/* A server that does not stream depends on layers only, with or without the optimisation. */
static bool depends_on_layers_only(const struct cs_stream *s, const struct cs_run_world *w)
{
	return cs_run_is_server(s) && !cs_run_server_streams(s, w);
}

static bool may_skip(const struct cs_stream *s, const struct cs_run_world *w)
{
	if (!w->policy.evaluated || !w->policy.completed || s->performance.in_block || forced(s) ||
		w->serving.epoch_held)
		return false;
	if (depends_on_layers_only(s, w))
		return true;
	return cs_run_number(s, CS_VAR_OPTIMIZE) != 0 && w->residents.n_pending_add == 0;
}

/* ---- 5: what a server adds ---- */

static uint8_t want_of(enum cs_layer_state state)
{
	return state == CS_LAYER_ACTIVATED ? CS_WANT_ACTIVATE : CS_WANT_LOAD;
}

/* Hits all cells: for a server without streaming distances do not matter. */
static bool hit_everything(struct cs_stream *s, struct cs_run_world *w)
{
	for (uint32_t cell = 0; cell < w->model.n_cells; cell++) {
		enum cs_layer_state allowed = cs_run_layers_allow(s, w, cell);
		if (allowed == CS_LAYER_UNLOADED || cs_run_cell_excluded(s, w, cell))
			continue;
		struct cs_run_hit *hit = cs_run_hit_add(
			w, cell, CS_ASKED_ACTIVATE | want_of(allowed), CS_REASON_SERVER);
		if (!hit)
			return false;
		if (w->model.flags[cell] & CS_CELL_SPATIAL)
			/* even when the sources of a replay reach it */
			hit->reason = CS_REASON_SERVER;
	}
	return true;
}

static bool lower(const struct cs_run_hit *hit, enum cs_layer_state state)
{
	return !hit || (state == CS_LAYER_ACTIVATED && !(hit->want & CS_WANT_ACTIVATE));
}

/* Rule 2.3.2 f: without streaming out, and for protected layers, cells keep their state. */
static bool keep_states(struct cs_stream *s, struct cs_run_world *w)
{
	bool all = cs_run_server_streams(s, w) && !cs_run_server_streams_out(s, w);
	for (size_t i = 0; i < w->residents.cells.n; i++) {
		const struct cs_run_cell *r = &w->residents.cells.at[i];
		bool protected = w->layers.set_disallowed[w->model.layer_set[r->cell]];
		if (r->set == CS_LAYER_UNLOADED || !(all || protected) ||
			!lower(cs_run_find_hit(w, r->cell), r->set))
			continue;
		if (!cs_run_hit_add(w, r->cell, want_of(r->set),
			    all ? CS_REASON_NO_STREAM_OUT : CS_REASON_DISALLOWED))
			return false;
	}
	return true;
}

/* A server that does not stream has sources only while a replay is recorded. */
bool cs_run_find_hits(struct cs_stream *s, struct cs_run_world *w)
{
	if (!cs_run_hits_update(s, w))
		return false;
	if (depends_on_layers_only(s, w) && !hit_everything(s, w))
		return false;
	return !cs_run_is_server(s) || keep_states(s, w);
}

/* ---- 6: splitting ---- */

static bool client_holds(struct cs_stream *s, struct cs_run_world *w, struct cs_run_cell *r)
{
	struct cs_stream_cell cell = {w->id, r->cell};
	if (!cs_run_is_server(s) || !cs_run_server_streams(s, w) || r->level == CS_LEVEL_REMOVED ||
		(w->model.flags[r->cell] & CS_CELL_ALWAYS_LOADED))
		return false;
	uint32_t client = cs_run_seen_by(s, cell);
	if (client == CS_NONE)
		return false;
	w->serving.epoch_held = true;
	if (!r->held)
		cs_run_event(s, CS_EVENT_HOLD, cell, client, 0, 1, CS_REASON_CLIENT_SEES);
	r->held = true;
	if (!cs_run_hold_add(s, cell))
		s->failed = true;
	return true;
}

static void release(struct cs_stream *s, struct cs_run_world *w, struct cs_run_cell *r)
{
	if (r->held)
		cs_run_event(s, CS_EVENT_HOLD, (struct cs_stream_cell){w->id, r->cell}, 0, 1, 0,
			CS_REASON_CLIENT_SEES);
	r->held = false;
}

static bool settled(const struct cs_run_cell *r, enum cs_layer_state wanted)
{
	if (!r || r->set != wanted)
		return false;
	return wanted == CS_LAYER_LOADED ? cs_run_level_loaded(r->level)
					 : r->level == CS_LEVEL_VISIBLE && !r->pending_add;
}

static bool list_wish(struct cs_stream *s, struct cs_run_world *w, struct cs_run_cell *r,
	struct cs_run_hit *hit, enum cs_layer_state wanted, const struct cs_run_info *info)
{
	enum cs_order_list list = wanted == CS_LAYER_ACTIVATED ? CS_ORDER_ACTIVATE : CS_ORDER_LOAD;
	bool is_free = r && r->set != CS_LAYER_UNLOADED;
	if (r && r->set == wanted)
		return true;
	if (cs_run_skips(s, w, hit->cell)) {
		hit->waits = CS_REASON_PERFORMANCE;
		return true;
	}
	if (list == CS_ORDER_LOAD && r && r->set == CS_LAYER_ACTIVATED && cs_run_is_server(s)) {
		if (!client_holds(s, w, r)) {
			release(s, w, r);
			cs_run_set_change(s, w, r, CS_LAYER_LOADED, hit->reason);
		}
		return !s->failed;
	}
	hit->waits = CS_REASON_BUDGET; /* until it is started */
	return cs_run_queue_list(s, w, list, hit, info ? &info->keys : NULL, is_free);
}

/* Decides about one cell of the frame sets; most of them need no change. */
static bool split_hit(struct cs_stream *s, struct cs_run_world *w, struct cs_run_hit *hit)
{
	enum cs_layer_state wanted =
		hit->want & CS_WANT_ACTIVATE ? CS_LAYER_ACTIVATED : CS_LAYER_LOADED;
	struct cs_run_cell *r = hit->absent ? NULL : cs_run_find(w, hit->cell);
	struct cs_run_info info;
	hit->absent = !r;
	hit->waits = hit->performance = 0;
	if (r && r->held && wanted >= r->set)
		release(s, w, r);
	if (settled(r, wanted))
		return true;
	bool judged = wanted == CS_LAYER_ACTIVATED && cs_run_judges(s, w, hit->cell);
	if (!r && !judged)
		return list_wish(s, w, r, hit, wanted, NULL);
	cs_run_hit_info(s, w, hit, &info);
	if (r) {
		r->source_priority = info.keys.source_priority;
		r->spatial = info.keys.spatial;
		r->distance2 = info.keys.distance2;
	}
	if (judged)
		hit->performance = cs_run_judge(s, w, hit->cell, &info);
	return list_wish(s, w, r, hit, wanted, &info);
}

static bool split(struct cs_stream *s, struct cs_run_world *w)
{
	cs_run_performance_begin(s, w);
	w->serving.epoch_held = false;
	for (size_t i = 0; i < w->reached.hits.n; i++)
		if (!split_hit(s, w, &w->reached.hits.at[i]))
			return false;
	return true;
}

static enum cs_reason unload_reason(struct cs_stream *s, struct cs_run_world *w, uint32_t cell)
{
	enum cs_reason excluded = cs_run_cell_excluded(s, w, cell);
	if (!w->registered)
		return CS_REASON_NOT_REGISTERED;
	if (excluded)
		return excluded;
	if (cs_run_layers_allow(s, w, cell) == CS_LAYER_UNLOADED)
		return CS_REASON_LAYERS;
	return s->sources.active.n ? CS_REASON_OUT_OF_RANGE : CS_REASON_NO_SOURCE;
}

/*
 * Returns whether a cell outside of the frame sets is kept for a client; no source asks for it any
 * more.
 */
static bool keeps_for_client(struct cs_stream *s, struct cs_run_world *w, struct cs_run_cell *r)
{
	if (!client_holds(s, w, r))
		return false;
	r->source_priority = CS_PRIORITY_LOWEST;
	r->spatial = 1;
	r->distance2 = 0;
	return true;
}

/* The hit of a resident is mostly at the same index as before. */
static bool is_hit(const struct cs_run_world *w, struct cs_run_cell *r)
{
	if (r->hit < w->reached.hits.n && w->reached.hits.at[r->hit].cell == r->cell)
		return true;
	const struct cs_run_hit *hit = cs_run_find_hit(w, r->cell);
	if (hit)
		r->hit = (uint32_t)(hit - w->reached.hits.at);
	return hit;
}

static bool unload(struct cs_stream *s, struct cs_run_world *w, bool all)
{
	w->policy.to_unload.n = 0;
	for (size_t i = 0; i < w->residents.cells.n; i++) {
		struct cs_run_cell *r = &w->residents.cells.at[i];
		if (r->set == CS_LAYER_UNLOADED || (!all && is_hit(w, r)) ||
			(!all && keeps_for_client(s, w, r)))
			continue;
		if (!cs_vec_push(&w->policy.to_unload, r->cell))
			return false;
	}
	if (!cs_run_sort_ids(s, &w->policy.to_unload))
		return false;
	for (size_t i = 0; i < w->policy.to_unload.n; i++) {
		struct cs_run_cell *r = cs_run_find(w, w->policy.to_unload.at[i]);
		release(s, w, r);
		cs_run_set_change(
			s, w, r, CS_LAYER_UNLOADED, unload_reason(s, w, w->policy.to_unload.at[i]));
	}
	return !s->failed;
}

void cs_run_unload_all(struct cs_stream *s, struct cs_run_world *w)
{
	cs_run_queue_order(s);
	cs_run_hits_drop(&w->reached);
	cs_run_holds_drop(s, w);
	cs_run_queue_drop(s, w);
	w->policy.evaluated = w->policy.decided = false;
	cs_run_terms_take(s, w);
	if (w->residents.n_in_sets && !unload(s, w, true))
		s->failed = true;
}

/* ---- 3: one world ---- */

void cs_run_terms_take(const struct cs_stream *s, struct cs_run_world *w)
{
	cs_run_layers_decide(w);
	w->policy.terms =
		(struct cs_run_terms){w->layers.epoch, cs_run_number(s, CS_VAR_FILTER_LEVEL),
			cs_run_number(s, CS_VAR_Z_CULLING), s->hlod_enabled};
}

static bool update_world(struct cs_stream *s, struct cs_run_world *w)
{
	bool skip = may_skip(s, w);
	w->queue.waiting[CS_ORDER_ACTIVATE].n = w->queue.waiting[CS_ORDER_LOAD].n = 0;
	uint64_t hash = evaluation_hash(s, w);
	w->policy.decided_in = s->clock.frame;
	if (skip && hash == w->policy.last_hash) {
		cs_run_performance_begin(s, w); /* considers no cell */
		s->log.now.skipped++;
		return true;
	}
	w->policy.last_hash = hash;
	w->policy.evaluated = true;
	w->policy.decided = true;
	s->log.now.evaluated++;
	cs_run_terms_take(s, w);
	cs_run_holds_drop(s, w);
	cs_run_sources_stand(s);
	if (!cs_run_stands_take(s, w) || !cs_run_find_hits(s, w) || !split(s, w) ||
		!unload(s, w, false))
		return false;
	cs_run_performance_request(s, w);
	s->log.now.hits += (uint32_t)w->reached.hits.n;
	return true;
}

static bool limited(const struct cs_stream *s)
{
	return cs_run_number(s, CS_VAR_TIME_LIMIT) > 0 && s->worlds.n > 1 &&
	       !s->performance.in_block && cs_run_number(s, CS_VAR_HIGH_PRIORITY) == 0 &&
	       cs_run_number(s, CS_VAR_MATCH_BEGUN) != 0;
}

/* Rule 2.3.1.3: with a time limit, continues where the previous frame stopped. */
static bool update_worlds(struct cs_stream *s)
{
	bool limit = limited(s);
	double left = cs_run_number(s, CS_VAR_TIME_LIMIT);
	uint32_t first = limit ? s->next_world % (uint32_t)s->worlds.n : 0;
	for (uint32_t i = 0; i < s->worlds.n; i++) {
		uint32_t world = (first + i) % (uint32_t)s->worlds.n;
		struct cs_run_world *w = s->worlds.at[world];
		if (!w->registered)
			continue;
		if (limit && left <= 0)
			break;
		if (!update_world(s, w))
			return false;
		left -= cs_run_number(s, CS_VAR_UPDATE_COST);
		s->next_world = world + 1;
	}
	return true;
}

/* ---- 7, 8: starting ---- */

uint32_t cs_run_max_cells_to_load(const struct cs_stream *s)
{
	double most = cs_run_number(s, CS_VAR_MAX_LOADING);
	if (cs_run_is_server(s) || s->performance.in_block || most <= 0)
		return UINT32_MAX;
	return most > s->levels.n_loading ? (uint32_t)(most - s->levels.n_loading) : 0;
}

/* Grants what the cell wants and returns the rule. */
static enum cs_reason grant(struct cs_run_world *w, uint32_t cell)
{
	struct cs_run_hit *hit = cs_run_find_hit(w, cell);
	if (!hit)
		return CS_REASON_NONE;
	hit->waits = CS_REASON_NONE;
	return (enum cs_reason)hit->reason;
}

/*
 * Rule 2.3.3: starting is free when the level is loaded already, else it takes one of the budget.
 */
static bool start(struct cs_stream *s, struct cs_stream_order_row *row, enum cs_layer_state wanted,
	uint32_t *budget)
{
	struct cs_run_world *w = s->worlds.at[row->cell.world];
	struct cs_run_cell *r = cs_run_find(w, row->cell.cell);
	bool always = w->model.flags[row->cell.cell] & CS_CELL_ALWAYS_LOADED;
	if (!r || r->set == CS_LAYER_UNLOADED) {
		if (*budget == 0)
			return true;
		if (*budget != UINT32_MAX && !always)
			--*budget;
		r = r ? r : cs_run_resident(s, w, row->cell.cell);
		if (!r)
			return false;
	}
	r->source_priority = row->keys.source_priority;
	r->spatial = row->keys.spatial;
	r->distance2 = row->keys.distance2;
	row->started = true;
	w->queue.open--;
	cs_run_set_change(s, w, r, wanted, grant(w, row->cell.cell));
	return !s->failed;
}

/* Adds one event each time that a cell begins to wait, not one a frame. */
static void note_waiting(
	struct cs_stream *s, struct cs_run_world *w, uint32_t cell, enum cs_layer_state wanted)
{
	if (w->queue.waits[cell].round == w->queue.round)
		return;
	w->queue.waits[cell].round = w->queue.round;
	cs_run_event(s, CS_EVENT_WAIT, (struct cs_stream_cell){w->id, cell}, 0, CS_LAYER_UNLOADED,
		(uint8_t)wanted, CS_REASON_BUDGET);
}

static bool start_list(struct cs_stream *s, enum cs_order_list list, uint32_t *budget)
{
	enum cs_layer_state wanted =
		list == CS_ORDER_ACTIVATE ? CS_LAYER_ACTIVATED : CS_LAYER_LOADED;
	if (!cs_run_queue_lead(s, list, *budget))
		return false;
	for (size_t i = 0; i < s->queue.leading[list]; i++) {
		struct cs_stream_order_row *row = &s->queue.lists[list].at[i];
		struct cs_run_world *w = s->worlds.at[row->cell.world];
		if (!start(s, row, wanted, budget))
			return false;
		if (!row->started)
			note_waiting(s, w, row->cell.cell, wanted);
	}
	return true;
}

static bool start_all(struct cs_stream *s)
{
	uint32_t budget = cs_run_max_cells_to_load(s);
	if (!s->performance.in_block)
		s->log.now.budget = budget;
	if (!start_list(s, CS_ORDER_ACTIVATE, &budget) || !start_list(s, CS_ORDER_LOAD, &budget))
		return false;
	for (size_t i = 0; i < s->worlds.n; i++)
		s->worlds.at[i]->policy.completed = s->worlds.at[i]->queue.open == 0;
	return cs_run_queue_end(s);
}

bool cs_run_update(struct cs_stream *s)
{
	cs_run_server_fix_modes(s);
	if (limited(s))
		cs_run_queue_order(s); /* worlds that are not evaluated keep their rows */
	if (!s->performance.in_block && !cs_run_sources_update(s))
		return false;
	s->log.now.waiting = 0;
	cs_run_queue_begin(s);
	if (!cs_run_clients_update(s) || !update_worlds(s) || !cs_run_queue_carry(s) ||
		!start_all(s))
		return false;
	if (s->log.now.waiting)
		cs_run_event(s, CS_EVENT_BUDGET, CS_STREAM_NO_CELL, s->log.now.waiting, 0, 0,
			CS_REASON_BUDGET);
	cs_run_performance_finish(s);
	cs_run_epoch_publish(s);
	return cs_run_prioritise(s);
}
