/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers what-if questions about a run. Three kinds of answers change the run temporarily and
 * restore it: a probe with another source, completion (rule 2.10), and the forecast of the queue,
 * which runs further frames. The cells that another state of a layer would change are computed from
 * copies.
 *
 * The state that an answer changes is moved aside and moved back afterwards. Snapshots do not
 * contain the hits, so these are moved back too, and hit_slot is filled in again.
 */
#include "stream/stream_internal.h"

#include "core/sort.h"

/* ---- moving state aside ---- */

struct aside_world {
	CS_VEC(struct cs_run_hit) hits;
	CS_VEC(struct cs_run_touch) touches;
	CS_VEC(uint8_t) layers; /* copy of layers.decided */
	CS_VEC(double) ranges;  /* copy of reached.decided_ranges (loading ranges) */
	uint64_t layers_epoch;
	struct cs_run_terms terms;
};

struct aside {
	struct aside_world *worlds;
	CS_VEC(struct cs_run_source) sources;
	CS_VEC(struct cs_stream_order_row) lists[CS_ORDER_LISTS], open[CS_ORDER_LISTS];
	CS_VEC(struct cs_stream_hold) holds;
	uint64_t version; /* stream.sources.version before the sources were replaced */
};

/* Moves the list `from` to `to`, and leaves `from` empty. */
#define MOVE(to, from)                            \
	do {                                      \
		cs_vec_free(to);                  \
		memcpy(to, from, sizeof(*(to)));  \
		memset(from, 0, sizeof(*(from))); \
	} while (0)

static void drop_copies(const struct cs_stream *stream, struct aside *aside)
{
	for (size_t i = 0; i < stream->worlds.n; i++) {
		cs_vec_free(&aside->worlds[i].layers);
		cs_vec_free(&aside->worlds[i].ranges);
	}
}

static void aside_terms(const struct cs_run_world *world, struct aside_world *aside)
{
	const struct cs_cooked *cooked = world->model.cooked;
	memcpy(aside->layers.at, world->layers.decided, cooked->n_layers);
	memcpy(aside->ranges.at, world->reached.decided_ranges,
		cooked->n_partitions * sizeof(*aside->ranges.at));
	aside->layers_epoch = world->layers.decided_epoch;
	aside->terms = world->policy.terms;
}

static void put_terms_back(struct cs_run_world *world, const struct aside_world *aside)
{
	const struct cs_cooked *cooked = world->model.cooked;
	memcpy(world->layers.decided, aside->layers.at, cooked->n_layers);
	memcpy(world->reached.decided_ranges, aside->ranges.at,
		cooked->n_partitions * sizeof(*aside->ranges.at));
	world->layers.decided_epoch = aside->layers_epoch;
	world->policy.terms = aside->terms;
}

static bool set_aside(struct cs_stream *stream, struct aside *aside)
{
	*aside = (struct aside){.worlds = calloc(stream->worlds.n, sizeof(*aside->worlds))};
	if (!aside->worlds)
		return false;
	cs_run_queue_order(stream);
	for (size_t i = 0; i < stream->worlds.n; i++) {
		const struct cs_cooked *cooked = stream->worlds.at[i]->model.cooked;
		if (!cs_vec_reserve(&aside->worlds[i].layers, cooked->n_layers + 1) ||
			!cs_vec_reserve(&aside->worlds[i].ranges, cooked->n_partitions + 1)) {
			drop_copies(stream, aside);
			free(aside->worlds);
			aside->worlds = NULL;
			return false;
		}
	}
	for (size_t i = 0; i < stream->worlds.n; i++) {
		aside_terms(stream->worlds.at[i], &aside->worlds[i]);
		MOVE(&aside->worlds[i].hits, &stream->worlds.at[i]->reached.hits);
		MOVE(&aside->worlds[i].touches, &stream->worlds.at[i]->reached.touches);
		cs_run_hits_drop(&stream->worlds.at[i]->reached);
	}
	for (int i = 0; i < CS_ORDER_LISTS; i++) {
		MOVE(&aside->lists[i], &stream->queue.lists[i]);
		MOVE(&aside->open[i], &stream->queue.open[i]);
	}
	MOVE(&aside->holds, &stream->server.holds);
	return true;
}

static void put_back(struct cs_stream *stream, struct aside *aside)
{
	for (size_t i = 0; i < stream->worlds.n; i++) {
		struct cs_run_world *world = stream->worlds.at[i];
		cs_run_hits_drop(&world->reached);
		MOVE(&world->reached.hits, &aside->worlds[i].hits);
		MOVE(&world->reached.touches, &aside->worlds[i].touches);
		for (size_t k = 0; k < world->reached.hits.n; k++)
			world->reached.hit_slot[world->reached.hits.at[k].cell] = (uint32_t)k;
		put_terms_back(world, &aside->worlds[i]);
	}
	drop_copies(stream, aside);
	for (int i = 0; i < CS_ORDER_LISTS; i++) {
		MOVE(&stream->queue.lists[i], &aside->lists[i]);
		MOVE(&stream->queue.open[i], &aside->open[i]);
	}
	stream->queue.ordered = true;
	MOVE(&stream->server.holds, &aside->holds);
	free(aside->worlds);
}

/* ---- replacing all sources by one ---- */

static bool replace_sources(
	struct cs_stream *stream, struct aside *aside, const struct cs_stream_source *source)
{
	struct cs_run_source alone = {.source = *source,
		.extra_radius = source->extra_radius,
		.extra_angle = source->extra_angle};
	if (source->velocity_given)
		alone.velocity = source->velocity;
	if (!set_aside(stream, aside))
		return false;
	MOVE(&aside->sources, &stream->sources.active);
	aside->version = stream->sources.version++;
	return cs_vec_push(&stream->sources.active, alone);
}

static bool restore_sources(struct cs_stream *stream, struct aside *aside)
{
	MOVE(&stream->sources.active, &aside->sources);
	stream->sources.version++;
	for (size_t i = 0; i < stream->worlds.n; i++)
		if (stream->worlds.at[i]->reached.stands_version == aside->version)
			stream->worlds.at[i]->reached.stands_version = stream->sources.version;
	put_back(stream, aside);
	return cs_run_targets_refresh(stream);
}

/* Finds the cells that sources reach in registered world partitions; false = no memory. */
static bool find_all(struct cs_stream *stream)
{
	cs_run_sources_stand(stream);
	for (size_t i = 0; i < stream->worlds.n; i++) {
		cs_run_terms_take(stream, stream->worlds.at[i]);
		if (stream->worlds.at[i]->registered &&
			!cs_run_hits_update(stream, stream->worlds.at[i]))
			return false;
	}
	return true;
}

/* ---- the cells that one source would want ---- */

static enum cs_layer_state wanted_of(const struct cs_run_hit *hit)
{
	return hit->want & CS_WANT_ACTIVATE ? CS_LAYER_ACTIVATED : CS_LAYER_LOADED;
}

static bool list_hits(struct cs_stream *stream, enum cs_order_list list, enum cs_layer_state wanted)
{
	for (size_t i = 0; i < stream->worlds.n; i++) {
		struct cs_run_world *world = stream->worlds.at[i];
		for (size_t k = 0; world->registered && k < world->reached.hits.n; k++) {
			struct cs_run_info info;
			uint32_t cell = world->reached.hits.at[k].cell;
			if (wanted_of(&world->reached.hits.at[k]) != wanted)
				continue;
			cs_run_cell_info(stream, world, cell, &info);
			if (!cs_vec_push(&stream->queue.lists[list],
				    (struct cs_stream_order_row){
					    .cell = {world->id, cell}, .keys = info.keys}))
				return false;
		}
	}
	return cs_run_order_sort(stream, list);
}

typedef CS_VEC(struct cs_stream_probe_row) probe_rows;

static bool list_rows(struct cs_stream *stream, enum cs_order_list list, probe_rows *rows)
{
	for (size_t i = 0; i < stream->queue.lists[list].n; i++) {
		const struct cs_stream_order_row *row = &stream->queue.lists[list].at[i];
		const struct cs_run_world *world = stream->worlds.at[row->cell.world];
		const struct cs_run_hit *hit = cs_run_find_hit(world, row->cell.cell);
		if (!cs_vec_push(
			    rows, (struct cs_stream_probe_row){
					  .cell = row->cell,
					  .wanted = wanted_of(hit),
					  .reason = (enum cs_reason)hit->reason,
					  .keys = row->keys,
					  .actors = cs_run_cell_actors(world, row->cell.cell),
					  .bytes = cs_run_cell_bytes(stream, world, row->cell.cell),
				  }))
			return false;
	}
	return true;
}

struct cs_error *cs_stream_probe(struct cs_stream *stream, const struct cs_stream_source *source,
	struct cs_stream_probe *ret)
{
	struct aside aside;
	probe_rows rows = {0};
	struct cs_error *error = cs_run_source_check(source);
	if (error)
		return error;
	bool good = replace_sources(stream, &aside, source) && find_all(stream) &&
		    list_hits(stream, CS_ORDER_ACTIVATE, CS_LAYER_ACTIVATED) &&
		    list_hits(stream, CS_ORDER_LOAD, CS_LAYER_LOADED) &&
		    list_rows(stream, CS_ORDER_ACTIVATE, &rows) &&
		    list_rows(stream, CS_ORDER_LOAD, &rows);
	good = aside.worlds && restore_sources(stream, &aside) && good;
	if (!good) {
		cs_vec_free(&rows);
		return cs_error_nomem();
	}
	*ret = (struct cs_stream_probe){rows.at, rows.n, 0, 0};
	for (size_t i = 0; i < rows.n; i++) {
		ret->actors += rows.at[i].actors;
		ret->bytes += rows.at[i].bytes;
	}
	return NULL;
}

/* ---- the cells that another state of a layer would change ---- */

static uint8_t *target_if_set(const struct cs_stream *stream, const struct cs_run_world *world,
	uint32_t layer, enum cs_layer_state state, bool recursive)
{
	size_t n = world->model.cooked->n_layers;
	uint8_t *target = malloc(2 * n + 1);
	if (!target)
		return NULL;
	memcpy(target, world->layers.target, n);
	for (uint32_t i = layer; i < n; i++)
		if ((i == layer || (recursive && cs_run_layer_is_below(world, i, layer))) &&
			cs_run_layer_may_set(stream, world, i, false) == CS_LAYER_SET)
			target[i] = (uint8_t)state;
	cs_run_layers_effective(world, target, target + n);
	return target;
}

/*
 * Returns whether a cell would change at once when its layers allow `high` in place of `low`, or
 * the reverse: not if its sources request no more than `low`, or a server keeps what it has, for a
 * client or by its settings.
 */
static bool layers_decide(const struct cs_stream *stream, struct cs_stream_cell cell,
	enum cs_layer_state low, enum cs_layer_state high)
{
	const struct cs_run_world *world = stream->worlds.at[cell.world];
	const struct cs_run_cell *resident = cs_run_find(world, cell.cell);
	uint8_t least = (uint8_t)low;
	if (resident && resident->set > least &&
		(cs_run_keeps(stream, world, cell.cell) ||
			cs_run_holder(stream, world, resident) != CS_NONE))
		least = resident->set;
	return cs_run_asked_for(stream, cell) > least && high > least;
}

struct cs_error *cs_stream_layer_impact(const struct cs_stream *stream, uint32_t world,
	uint32_t layer, enum cs_layer_state state, bool recursive,
	struct cs_stream_impact **rows_ret, size_t *n_ret)
{
	struct cs_error *error = cs_run_check_layer(stream, world, layer);
	CS_VEC(struct cs_stream_impact) rows = {0};
	if (error)
		return error;
	const struct cs_run_world *run_world = stream->worlds.at[world];
	uint8_t *target = target_if_set(stream, run_world, layer, state, recursive);
	if (!target)
		return cs_error_nomem();
	const uint8_t *effective = target + run_world->model.cooked->n_layers;
	for (uint32_t i = 0; !error && i < run_world->model.n_cells; i++) {
		uint32_t set = run_world->model.layer_set[i];
		struct cs_stream_impact row = {.cell = i,
			.before = cs_run_set_wanted(
				stream, run_world, set, run_world->layers.effective),
			.after = cs_run_set_wanted(stream, run_world, set, effective)};
		if (row.before == row.after)
			continue;
		row.in_range = layers_decide(stream, (struct cs_stream_cell){world, i},
			row.before < row.after ? row.before : row.after,
			row.before < row.after ? row.after : row.before);
		if (!cs_vec_push(&rows, row))
			error = cs_error_nomem();
	}
	free(target);
	return cs_vec_give(&rows, error, rows_ret, n_ret);
}

/* ---- whether all cells that sources reach have arrived ---- */

/*
 * Returns whether the cell is in `state`, or in the lower state that its data layers allow. Unless
 * `exact`, a higher state suffices, too.
 */
static bool has_reached(const struct cs_stream *stream, struct cs_run_world *world, uint32_t cell,
	enum cs_layer_state state, bool exact)
{
	enum cs_layer_state current = cs_run_current_state(cs_run_find(world, cell));
	enum cs_layer_state allowed = cs_run_layers_allow(stream, world, cell);
	if (allowed < state)
		state = allowed;
	return exact ? current == state : current >= state;
}

/*
 * Returns the first reached cell that has not arrived in its state: a non-spatial cell if there is
 * one, else a spatial one; CS_STREAM_NO_CELL if all have arrived.
 */
static struct cs_stream_cell first_incomplete(
	struct cs_stream *stream, enum cs_layer_state state, bool exact)
{
	struct cs_stream_cell first = CS_STREAM_NO_CELL;
	bool spatial_first = true;
	for (size_t i = 0; i < stream->worlds.n; i++) {
		struct cs_run_world *world = stream->worlds.at[i];
		for (size_t k = 0; world->registered && k < world->reached.hits.n; k++) {
			struct cs_stream_cell cell = {world->id, world->reached.hits.at[k].cell};
			bool spatial = world->model.flags[cell.cell] & CS_CELL_SPATIAL;
			if (has_reached(stream, world, cell.cell,
				    spatial ? state : wanted_of(&world->reached.hits.at[k]), exact))
				continue;
			if (spatial < spatial_first ||
				(spatial == spatial_first && cs_run_cell_order(cell, first) < 0)) {
				first = cell;
				spatial_first = spatial;
			}
		}
	}
	return first;
}

struct cs_error *cs_stream_completed(struct cs_stream *stream, const struct cs_stream_source *query,
	enum cs_layer_state state, bool exact, bool *ret, struct cs_stream_cell *cell_ret)
{
	struct aside aside;
	struct cs_stream_cell first = CS_STREAM_NO_CELL;
	struct cs_error *error = cs_run_source_check(query);
	if (error)
		return error;
	bool good = replace_sources(stream, &aside, query) && find_all(stream);
	if (good)
		first = first_incomplete(stream, state, exact);
	if (!aside.worlds || !restore_sources(stream, &aside) || !good)
		return cs_error_nomem();
	*ret = first.cell == CS_NONE;
	*cell_ret = first;
	return NULL;
}

/* ---- forecast of the queue ---- */

typedef CS_VEC(struct cs_stream_forecast) forecasts;

static int by_cell(const void *left, const void *right, void *context)
{
	const struct cs_stream_forecast *l = left, *r = right;
	(void)context;
	return cs_run_cell_order(l->cell, r->cell);
}

/* Adds the cells that a blocking wait ignored, which no queue list contains, in ascending order. */
static bool list_left_out(const struct cs_stream *stream, forecasts *rows)
{
	size_t first = rows->n;
	for (uint32_t i = 0; i < stream->worlds.n; i++) {
		const struct cs_run_world *world = stream->worlds.at[i];
		for (size_t k = 0; k < world->reached.hits.n; k++) {
			const struct cs_run_hit *hit = &world->reached.hits.at[k];
			const struct cs_stream_forecast row = {
				{i, hit->cell}, CS_NONE, CS_NONE, CS_KEY_NONE};
			if (hit->waits == CS_REASON_PERFORMANCE && !cs_vec_push(rows, row))
				return false;
		}
	}
	return rows->n == first ||
	       cs_sort(rows->at + first, rows->n - first, sizeof(*rows->at), by_cell, NULL);
}

static bool list_waiting(const struct cs_stream *stream, forecasts *rows)
{
	static const enum cs_order_list lists[] = {
		CS_ORDER_PENDING_ACTIVATE, CS_ORDER_PENDING_LOAD, CS_ORDER_ACTIVATE, CS_ORDER_LOAD};
	for (size_t l = 0; l < sizeof(lists) / sizeof(lists[0]); l++) {
		for (size_t i = 0; i < stream->queue.open[lists[l]].n; i++) {
			const struct cs_stream_order_row *row = &stream->queue.open[lists[l]].at[i];
			if (row->started && l >= 2)
				continue; /* a list of pending cells contains the cell already */
			if (!cs_vec_push(rows, (struct cs_stream_forecast){row->cell, CS_NONE,
						       CS_NONE, row->decided_by}))
				return false;
		}
	}
	return list_left_out(stream, rows);
}

/*
 * Sets load_frames to `frames` in each row whose cell has begun to load since the last call, and
 * done_frames in each row whose cell has reached its wanted state since then. Returns the number of
 * cells that have not reached their wanted state.
 */
static size_t note_frame(const struct cs_stream *stream, forecasts *rows, uint32_t frames)
{
	size_t open = 0;
	for (size_t i = 0; i < rows->n; i++) {
		struct cs_stream_forecast *row = &rows->at[i];
		const struct cs_run_cell *resident =
			cs_run_find(stream->worlds.at[row->cell.world], row->cell.cell);
		if (row->done_frames != CS_NONE)
			continue;
		open++;
		if (!resident)
			continue;
		if (row->load_frames == CS_NONE && resident->level >= CS_LEVEL_FAILED)
			row->load_frames = frames;
		if (resident->should_show ? resident->level == CS_LEVEL_VISIBLE
					  : cs_run_level_loaded(resident->level)) {
			row->done_frames = frames;
			open--;
		}
	}
	return open;
}

static struct cs_error *look_ahead(struct cs_stream *stream, uint32_t horizon, forecasts *rows)
{
	struct cs_error *error = NULL;
	/* sources stop following their paths */
	for (size_t i = 0; i < stream->sources.providers.n; i++)
		stream->sources.providers.at[i].path = CS_NONE;
	size_t open = note_frame(stream, rows, 0);
	for (uint32_t i = 1; !error && open && i <= horizon; i++) {
		error = cs_run_frame(stream);
		if (!error)
			open = note_frame(stream, rows, i);
	}
	return error;
}

struct cs_error *cs_stream_queue(struct cs_stream *stream, uint32_t horizon,
	struct cs_stream_forecast **rows_ret, size_t *n_ret)
{
	const struct cs_stream_options small = {.events = 16, .frames = 2};
	struct cs_run_log log = {0}, real = stream->log;
	struct cs_writer state = {0};
	struct aside aside = {0};
	forecasts rows = {0};
	struct cs_error *error = cs_run_log_init(&log, &small);
	cs_run_queue_order(stream);
	if (!error && !(list_waiting(stream, &rows) && cs_run_state_write(stream, &state, true) &&
			      set_aside(stream, &aside)))
		error = cs_error_nomem();
	if (!error) {
		stream->log = log;
		error = look_ahead(stream, horizon, &rows);
		log = stream->log;
		stream->log = real;
		struct cs_error *back = cs_run_state_read(stream, state.bytes, state.size);
		stream->log = real;
		put_back(stream, &aside);
		if (error)
			cs_error_free(back);
		else
			error = back;
	}
	cs_run_log_deinit(&log);
	cs_writer_deinit(&state);
	return cs_vec_give(&rows, error, rows_ret, n_ret);
}
