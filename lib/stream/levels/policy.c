/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The policy of a frame (rules 2.3): decides which cells to load, activate and unload. The steps of
 * a frame, in order:
 *
 *	 1  sources    copy positions and settings from the providers; compute velocities
 *	 2  clients    on a server: find the cells that its clients see
 *	 3  worlds     for each world partition, or as many as the time limit allows:
 *	 4    skip       if no input of the evaluation has changed; else:
 *	 5    reach      find the cells that sources reach and data layers allow (hits)
 *	 6    split      list what to activate and load; unload at once what is not hit
 *	 7  sort       the lists of all world partitions, activations first, as far as needed
 *	 8  start      as many cells as the budget allows; the others wait for the next frame
 *	 9  prioritise the current loads; publish the server's epoch
 *	10  levels     load, show and hide (level.c); then perhaps a blocking wait (frame.c)
 *
 * Steps 1 to 9 are cs_run_update; a blocking wait repeats 2 to 9. cs_run_frame does the rest.
 */
#include "stream/stream_internal.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* ---- step 4: skipping world partitions whose inputs have not changed ---- */

/* Hashes all inputs on which the result of evaluating the world partition depends. */
static uint64_t evaluation_hash(const struct cs_stream *stream, const struct cs_run_world *world)
{
	const uint64_t parts[] = {
		cs_run_sources_hash(stream),
		world->layers.epoch,
		stream->hlod_enabled,
		(uint64_t)(int64_t)cs_run_number(stream, CS_VAR_FILTER_LEVEL),
		(uint64_t)(int64_t)cs_run_number(stream, CS_VAR_Z_CULLING),
		XXH3_64bits(world->reached.ranges,
			world->model.cooked->n_partitions * sizeof(*world->reached.ranges)),
	};
	return XXH3_64bits(parts, sizeof(parts));
}

static bool forced(const struct cs_stream *stream)
{
	uint64_t every = (uint64_t)cs_run_number(stream, CS_VAR_FORCE_UPDATE);
	return every > 0 && stream->clock.frame % every == 0;
}

/* Returns true on a server that does not stream, where only data layers decide. */
static bool depends_on_layers_only(const struct cs_stream *stream, const struct cs_run_world *world)
{
	return cs_run_is_server(stream) && !cs_run_server_streams(stream, world);
}

static bool may_skip(const struct cs_stream *stream, const struct cs_run_world *world)
{
	if (!world->policy.evaluated || !world->policy.completed || stream->performance.in_block ||
		forced(stream) || world->serving.epoch_held)
		return false;
	if (depends_on_layers_only(stream, world))
		return true;
	return cs_run_number(stream, CS_VAR_OPTIMIZE) != 0 && world->residents.n_pending_add == 0;
}

/* ---- step 5: cells that a server adds ---- */

static uint8_t want_of(enum cs_layer_state state)
{
	return state == CS_LAYER_ACTIVATED ? CS_WANT_ACTIVATE : CS_WANT_LOAD;
}

/* On a server that does not stream: adds a hit for each cell that layers and settings allow. */
static bool hit_everything(struct cs_stream *stream, struct cs_run_world *world)
{
	for (uint32_t cell = 0; cell < world->model.n_cells; cell++) {
		enum cs_layer_state allowed = cs_run_layers_allow(stream, world, cell);
		if (allowed == CS_LAYER_UNLOADED || cs_run_cell_excluded(stream, world, cell))
			continue;
		struct cs_run_hit *hit = cs_run_hit_add(
			world, cell, CS_ASKED_ACTIVATE | want_of(allowed), CS_REASON_SERVER);
		if (!hit)
			return false;
		if (world->model.flags[cell] & CS_CELL_SPATIAL)
			/* a source may have set another reason (while a replay is recorded) */
			hit->reason = CS_REASON_SERVER;
	}
	return true;
}

static bool lower(const struct cs_run_hit *hit, enum cs_layer_state state)
{
	return !hit || (state == CS_LAYER_ACTIVATED && !(hit->want & CS_WANT_ACTIVATE));
}

/*
 * Rule 2.3.2 f: a server that does not stream out keeps the state of all cells; any server keeps
 * the state of cells with a data layer that it must not stream out.
 */
enum cs_reason cs_run_keeps(
	const struct cs_stream *stream, const struct cs_run_world *world, uint32_t cell)
{
	if (!cs_run_is_server(stream))
		return CS_REASON_NONE;
	if (cs_run_server_streams(stream, world) && !cs_run_server_streams_out(stream, world))
		return CS_REASON_NO_STREAM_OUT;
	return world->layers.set_disallowed[world->model.layer_set[cell]] ? CS_REASON_DISALLOWED
									  : CS_REASON_NONE;
}

static bool keep_states(struct cs_stream *stream, struct cs_run_world *world)
{
	for (size_t i = 0; i < world->residents.cells.n; i++) {
		const struct cs_run_cell *resident = &world->residents.cells.at[i];
		enum cs_reason kept = cs_run_keeps(stream, world, resident->cell);
		if (resident->set == CS_LAYER_UNLOADED || !kept ||
			!lower(cs_run_find_hit(world, resident->cell), resident->set))
			continue;
		if (!cs_run_hit_add(world, resident->cell, want_of(resident->set), kept))
			return false;
	}
	return true;
}

/*
 * Finds the hits of an evaluation: the cells that sources reach and, on a server, the cells that it
 * loads without sources or keeps loaded. A server that does not stream has sources only while a
 * replay is recorded. Returns false when memory runs out.
 */
bool cs_run_find_hits(struct cs_stream *stream, struct cs_run_world *world)
{
	if (!cs_run_hits_update(stream, world))
		return false;
	if (depends_on_layers_only(stream, world) && !hit_everything(stream, world))
		return false;
	return !cs_run_is_server(stream) || keep_states(stream, world);
}

/* ---- step 6: splitting the hits into lists ---- */

uint32_t cs_run_holder(const struct cs_stream *stream, const struct cs_run_world *world,
	const struct cs_run_cell *resident)
{
	if (!cs_run_is_server(stream) || !cs_run_server_streams(stream, world) ||
		resident->level == CS_LEVEL_REMOVED ||
		(world->model.flags[resident->cell] & CS_CELL_ALWAYS_LOADED))
		return CS_NONE;
	return cs_run_seen_by(stream, (struct cs_stream_cell){world->id, resident->cell});
}

static bool client_holds(
	struct cs_stream *stream, struct cs_run_world *world, struct cs_run_cell *resident)
{
	const struct cs_stream_cell cell = {world->id, resident->cell};
	const uint32_t client = cs_run_holder(stream, world, resident);
	if (client == CS_NONE)
		return false;
	world->serving.epoch_held = true;
	if (!resident->held)
		cs_run_event(stream, CS_EVENT_HOLD, cell, client, 0, 1, CS_REASON_CLIENT_SEES);
	resident->held = true;
	if (!cs_run_hold_add(stream, cell))
		stream->failed = true;
	return true;
}

static void release(
	struct cs_stream *stream, struct cs_run_world *world, struct cs_run_cell *resident)
{
	if (resident->held)
		cs_run_event(stream, CS_EVENT_HOLD,
			(struct cs_stream_cell){world->id, resident->cell}, 0, 1, 0,
			CS_REASON_CLIENT_SEES);
	resident->held = false;
}

static bool settled(const struct cs_run_cell *resident, enum cs_layer_state wanted)
{
	if (!resident || resident->set != wanted)
		return false;
	return wanted == CS_LAYER_LOADED
		       ? cs_run_level_loaded(resident->level)
		       : resident->level == CS_LEVEL_VISIBLE && !resident->pending_add;
}

static bool list_wish(struct cs_stream *stream, struct cs_run_world *world,
	struct cs_run_cell *resident, struct cs_run_hit *hit, enum cs_layer_state wanted,
	const struct cs_run_info *info)
{
	enum cs_order_list list = wanted == CS_LAYER_ACTIVATED ? CS_ORDER_ACTIVATE : CS_ORDER_LOAD;
	bool is_free = resident && resident->set != CS_LAYER_UNLOADED;
	if (resident && resident->set == wanted)
		return true;
	if (cs_run_skips(stream, world, hit->cell)) {
		hit->waits = CS_REASON_PERFORMANCE;
		return true;
	}
	if (list == CS_ORDER_LOAD && resident && resident->set == CS_LAYER_ACTIVATED &&
		cs_run_is_server(stream)) {
		if (!client_holds(stream, world, resident)) {
			release(stream, world, resident);
			cs_run_set_change(stream, world, resident, CS_LAYER_LOADED, hit->reason);
		}
		return !stream->failed;
	}
	hit->waits = CS_REASON_BUDGET; /* replaced if the cell begins to load */
	return cs_run_queue_list(stream, world, list, hit, info ? &info->keys : NULL, is_free);
}

/* Adds a cell to the list of those to load or to activate, unless it has the wanted state. */
static bool split_hit(struct cs_stream *stream, struct cs_run_world *world, struct cs_run_hit *hit)
{
	enum cs_layer_state wanted =
		hit->want & CS_WANT_ACTIVATE ? CS_LAYER_ACTIVATED : CS_LAYER_LOADED;
	struct cs_run_cell *resident = hit->absent ? NULL : cs_run_find(world, hit->cell);
	struct cs_run_info info;
	hit->absent = !resident;
	hit->waits = hit->performance = 0;
	if (resident && resident->held && wanted >= resident->set)
		release(stream, world, resident);
	if (settled(resident, wanted))
		return true;
	bool judged = wanted == CS_LAYER_ACTIVATED && cs_run_judges(stream, world, hit->cell);
	if (!resident && !judged)
		return list_wish(stream, world, resident, hit, wanted, NULL);
	cs_run_hit_info(stream, world, hit, &info);
	if (resident) {
		resident->source_priority = info.keys.source_priority;
		resident->spatial = info.keys.spatial;
		resident->distance2 = info.keys.distance2;
	}
	if (judged)
		hit->performance = cs_run_judge(stream, world, hit->cell, &info);
	return list_wish(stream, world, resident, hit, wanted, &info);
}

static bool split(struct cs_stream *stream, struct cs_run_world *world)
{
	cs_run_performance_begin(stream, world);
	world->serving.epoch_held = false;
	for (size_t i = 0; i < world->reached.hits.n; i++)
		if (!split_hit(stream, world, &world->reached.hits.at[i]))
			return false;
	return true;
}

static enum cs_reason unload_reason(
	struct cs_stream *stream, struct cs_run_world *world, uint32_t cell)
{
	enum cs_reason excluded = cs_run_cell_excluded(stream, world, cell);
	if (!world->registered)
		return CS_REASON_NOT_REGISTERED;
	if (excluded)
		return excluded;
	if (cs_run_layers_allow(stream, world, cell) == CS_LAYER_UNLOADED)
		return CS_REASON_LAYERS;
	return stream->sources.active.n ? CS_REASON_OUT_OF_RANGE : CS_REASON_NO_SOURCE;
}

/* Returns whether a cell stays because a client sees it; if so, sets the least urgent sort keys. */
static bool keeps_for_client(
	struct cs_stream *stream, struct cs_run_world *world, struct cs_run_cell *resident)
{
	if (!client_holds(stream, world, resident))
		return false;
	resident->source_priority = CS_PRIORITY_LOWEST;
	resident->spatial = 1;
	resident->distance2 = 0;
	return true;
}

/* Returns whether the cell is in world->reached.hits; tries the index of the last search first. */
static bool is_hit(const struct cs_run_world *world, struct cs_run_cell *resident)
{
	if (resident->hit < world->reached.hits.n &&
		world->reached.hits.at[resident->hit].cell == resident->cell)
		return true;
	const struct cs_run_hit *hit = cs_run_find_hit(world, resident->cell);
	if (hit)
		resident->hit = (uint32_t)(hit - world->reached.hits.at);
	return hit;
}

/*
 * Lists in world.policy.to_unload the residents that are neither hits nor kept for clients, or all
 * if `all`. The list is sorted, because the order of residents depends on earlier frames.
 */
static bool list_to_unload(struct cs_stream *stream, struct cs_run_world *world, bool all)
{
	cs_ids *list = &world->policy.to_unload;
	size_t kept = 0;
	list->n = 0;
	for (size_t i = 0; i < world->residents.cells.n; i++) {
		struct cs_run_cell *resident = &world->residents.cells.at[i];
		if (resident->set != CS_LAYER_UNLOADED && (all || !is_hit(world, resident)) &&
			!cs_vec_push(list, resident->cell))
			return false;
	}
	if (!cs_run_sort_ids(stream, list))
		return false;
	for (size_t i = 0; i < list->n; i++)
		if (all || !keeps_for_client(stream, world, cs_run_find(world, list->at[i])))
			list->at[kept++] = list->at[i];
	list->n = kept;
	return true;
}

static bool unload(struct cs_stream *stream, struct cs_run_world *world, bool all)
{
	if (!list_to_unload(stream, world, all))
		return false;
	for (size_t i = 0; i < world->policy.to_unload.n; i++) {
		struct cs_run_cell *resident = cs_run_find(world, world->policy.to_unload.at[i]);
		release(stream, world, resident);
		cs_run_set_change(stream, world, resident, CS_LAYER_UNLOADED,
			unload_reason(stream, world, world->policy.to_unload.at[i]));
	}
	return !stream->failed;
}

void cs_run_unload_all(struct cs_stream *stream, struct cs_run_world *world)
{
	cs_run_queue_order(stream);
	cs_run_hits_drop(&world->reached);
	cs_run_holds_drop(stream, world);
	cs_run_queue_drop(stream, world);
	cs_run_performance_begin(stream, world); /* removes its critical cells */
	world->policy.evaluated = world->policy.decided = false;
	cs_run_targets_drop(world);
	cs_run_terms_take(stream, world);
	if (world->residents.n_in_sets && !unload(stream, world, true))
		stream->failed = true;
}

/* ---- step 3: updating one world partition ---- */

void cs_run_terms_take(const struct cs_stream *stream, struct cs_run_world *world)
{
	cs_run_layers_decide(world);
	memcpy(world->reached.decided_ranges, world->reached.ranges,
		world->model.cooked->n_partitions * sizeof(*world->reached.ranges));
	world->policy.terms = (struct cs_run_terms){world->layers.epoch,
		cs_run_number(stream, CS_VAR_FILTER_LEVEL), cs_run_number(stream, CS_VAR_Z_CULLING),
		stream->hlod_enabled};
}

static bool update_world(struct cs_stream *stream, struct cs_run_world *world)
{
	bool skip = may_skip(stream, world);
	world->queue.waiting[CS_ORDER_ACTIVATE].n = world->queue.waiting[CS_ORDER_LOAD].n = 0;
	uint64_t hash = evaluation_hash(stream, world);
	world->policy.decided_in = stream->clock.frame;
	if (skip && hash == world->policy.last_hash) {
		/* sets the performance to Good, because no cell is evaluated */
		cs_run_performance_begin(stream, world);
		stream->log.now.skipped++;
		return true;
	}
	world->policy.last_hash = hash;
	world->policy.evaluated = true;
	world->policy.decided = true;
	stream->log.now.evaluated++;
	cs_run_terms_take(stream, world);
	cs_run_holds_drop(stream, world);
	cs_run_sources_stand(stream);
	if (!cs_run_stands_take(stream, world) || !cs_run_find_hits(stream, world) ||
		!split(stream, world) || !unload(stream, world, false))
		return false;
	cs_run_performance_request(stream, world);
	stream->log.now.hits += (uint32_t)world->reached.hits.n;
	return true;
}

static bool limited(const struct cs_stream *stream)
{
	return cs_run_number(stream, CS_VAR_TIME_LIMIT) > 0 && stream->worlds.n > 1 &&
	       !stream->performance.in_block && cs_run_number(stream, CS_VAR_HIGH_PRIORITY) == 0 &&
	       cs_run_number(stream, CS_VAR_MATCH_BEGUN) != 0;
}

/*
 * Updates all world partitions, of which a time limit (rule 2.3.1.3) leaves some for later frames.
 */
static bool update_worlds(struct cs_stream *stream)
{
	bool limit = limited(stream);
	double left = cs_run_number(stream, CS_VAR_TIME_LIMIT);
	uint32_t first = limit ? stream->next_world % (uint32_t)stream->worlds.n : 0;
	for (uint32_t i = 0; i < stream->worlds.n; i++) {
		uint32_t world = (first + i) % (uint32_t)stream->worlds.n;
		struct cs_run_world *run_world = stream->worlds.at[world];
		if (!run_world->registered) {
			/* no cell is decided, but queries show layer states and ranges of now */
			cs_run_terms_take(stream, run_world);
			continue;
		}
		if (limit && left <= 0)
			break;
		if (!update_world(stream, run_world))
			return false;
		left -= cs_run_number(stream, CS_VAR_UPDATE_COST);
		stream->next_world = world + 1;
	}
	return true;
}

/* ---- steps 7 and 8: sorting and starting ---- */

uint32_t cs_run_max_cells_to_load(const struct cs_stream *stream)
{
	double most = cs_run_number(stream, CS_VAR_MAX_LOADING);
	if (cs_run_is_server(stream) || stream->performance.in_block || most <= 0)
		return UINT32_MAX;
	return most > stream->levels.n_loading ? (uint32_t)(most - stream->levels.n_loading) : 0;
}

/* Ends a cell's waiting. Returns why it is wanted, or CS_REASON_NONE if it no longer is. */
static enum cs_reason grant(struct cs_run_world *world, uint32_t cell)
{
	struct cs_run_hit *hit = cs_run_find_hit(world, cell);
	if (!hit)
		return CS_REASON_NONE;
	hit->waits = CS_REASON_NONE;
	return (enum cs_reason)hit->reason;
}

/*
 * Starts to load a cell, unless the budget is used up (rule 2.3.3). Starting an always loaded cell,
 * or one that is already requested as loaded or activated, is free; every other start uses one unit
 * of the budget. Returns false when memory runs out.
 */
static bool start(struct cs_stream *stream, struct cs_stream_order_row *row,
	enum cs_layer_state wanted, uint32_t *budget)
{
	struct cs_run_world *world = stream->worlds.at[row->cell.world];
	struct cs_run_cell *resident = cs_run_find(world, row->cell.cell);
	bool always = world->model.flags[row->cell.cell] & CS_CELL_ALWAYS_LOADED;
	if (!resident || resident->set == CS_LAYER_UNLOADED) {
		if (*budget == 0)
			return true;
		if (*budget != UINT32_MAX && !always)
			--*budget;
		resident = resident ? resident : cs_run_resident(stream, world, row->cell.cell);
		if (!resident)
			return false;
	}
	resident->source_priority = row->keys.source_priority;
	resident->spatial = row->keys.spatial;
	resident->distance2 = row->keys.distance2;
	row->started = true;
	world->queue.open--;
	cs_run_set_change(stream, world, resident, wanted, grant(world, row->cell.cell));
	return !stream->failed;
}

/* Logs an event when a cell begins to wait, but none in the further frames of its wait. */
static void note_waiting(struct cs_stream *stream, struct cs_run_world *world, uint32_t cell,
	enum cs_layer_state wanted)
{
	if (world->queue.waited[cell] == world->queue.round)
		return;
	world->queue.waited[cell] = world->queue.round;
	cs_run_event(stream, CS_EVENT_WAIT, (struct cs_stream_cell){world->id, cell}, 0,
		CS_LAYER_UNLOADED, (uint8_t)wanted, CS_REASON_BUDGET);
}

static bool start_list(struct cs_stream *stream, enum cs_order_list list, uint32_t *budget)
{
	enum cs_layer_state wanted =
		list == CS_ORDER_ACTIVATE ? CS_LAYER_ACTIVATED : CS_LAYER_LOADED;
	if (!cs_run_queue_lead(stream, list, *budget))
		return false;
	for (size_t i = 0; i < stream->queue.leading[list]; i++) {
		struct cs_stream_order_row *row = &stream->queue.lists[list].at[i];
		struct cs_run_world *world = stream->worlds.at[row->cell.world];
		if (!start(stream, row, wanted, budget))
			return false;
		if (!row->started)
			note_waiting(stream, world, row->cell.cell, wanted);
	}
	return true;
}

static bool start_all(struct cs_stream *stream)
{
	uint32_t budget = cs_run_max_cells_to_load(stream);
	if (!stream->performance.in_block)
		stream->log.now.budget = budget;
	if (!start_list(stream, CS_ORDER_ACTIVATE, &budget) ||
		!start_list(stream, CS_ORDER_LOAD, &budget))
		return false;
	for (size_t i = 0; i < stream->worlds.n; i++)
		stream->worlds.at[i]->policy.completed = stream->worlds.at[i]->queue.open == 0;
	return cs_run_queue_end(stream);
}

bool cs_run_update(struct cs_stream *stream)
{
	cs_run_server_fix_modes(stream);
	if (limited(stream))
		/* sort first, as cells of skipped partitions stay in the queue */
		cs_run_queue_order(stream);
	if (!stream->performance.in_block && !cs_run_sources_update(stream))
		return false;
	stream->log.now.waiting = 0;
	cs_run_queue_begin(stream);
	if (!cs_run_clients_update(stream) || !update_worlds(stream) ||
		!cs_run_queue_carry(stream) || !start_all(stream))
		return false;
	if (stream->log.now.waiting)
		cs_run_event(stream, CS_EVENT_BUDGET, CS_STREAM_NO_CELL, stream->log.now.waiting, 0,
			0, CS_REASON_BUDGET);
	cs_run_performance_finish(stream);
	cs_run_epoch_publish(stream);
	return cs_run_prioritise(stream);
}
