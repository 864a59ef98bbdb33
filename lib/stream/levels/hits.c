/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds all cells that the sources reach (the hits; rules 2.2.4, 2.3.2 e), including the snap rule
 * of non-aligned spatial hash grids (1.7.5). Where it is faster, kept.c updates the hits of the
 * last evaluation instead.
 */
#include "stream/stream_internal.h"

#include "core/search.h"

#include <math.h>

/* ---- hits (cells that sources reach) ---- */

struct cs_run_hit *cs_run_hit_add(
	struct cs_run_world *world, uint32_t cell, uint8_t want, enum cs_reason reason)
{
	struct cs_run_hit *hit = cs_run_find_hit(world, cell);
	if (hit) {
		uint8_t more = want & ~hit->want, most = (hit->want | want) & CS_WANT_ACTIVATE;
		/* the higher requested state sets the reason; for equal states, the lower reason */
		if ((more & CS_WANT_ACTIVATE) ||
			((want & CS_WANT_ACTIVATE) == most && reason < hit->reason))
			hit->reason = (uint8_t)reason;
		hit->want |= want;
		return hit;
	}
	world->reached.hit_slot[cell] = (uint32_t)world->reached.hits.n;
	if (!cs_vec_push(&world->reached.hits, (struct cs_run_hit){.cell = cell,
						       .want = want,
						       .reason = (uint8_t)reason,
						       .touch = CS_NONE,
						       .target = CS_NONE}))
		return NULL;
	return &world->reached.hits.at[world->reached.hits.n - 1];
}

bool cs_run_hits_non_spatial(struct cs_stream *stream, struct cs_run_world *world)
{
	for (size_t i = 0; i < world->model.n_non_spatial; i++) {
		uint32_t cell = world->model.non_spatial[i];
		enum cs_layer_state allowed = cs_run_layers_allow(stream, world, cell);
		if (allowed == CS_LAYER_UNLOADED || cs_run_cell_excluded(stream, world, cell))
			continue;
		enum cs_reason reason = world->model.flags[cell] & CS_CELL_ALWAYS_LOADED
						? CS_REASON_ALWAYS_LOADED
						: CS_REASON_NON_SPATIAL;
		if (!cs_run_hit_add(world, cell,
			    CS_ASKED_ACTIVATE | (allowed == CS_LAYER_ACTIVATED ? CS_WANT_ACTIVATE
									       : CS_WANT_LOAD),
			    reason))
			return false;
	}
	return true;
}

bool cs_run_hit_touch(const struct cs_run_sweep *sweep, struct cs_run_hit *hit, uint8_t want)
{
	struct cs_run_reached *reached = &sweep->world->reached;
	uint32_t at = reached->free_touch;
	if (at != CS_NONE)
		reached->free_touch = reached->touches.at[at].next;
	else if (!cs_vec_reserve(&reached->touches, 1))
		return false;
	else
		at = (uint32_t)reached->touches.n++;
	reached->touches.at[at] =
		(struct cs_run_touch){sweep->target, hit->touch, want, sweep->priority};
	hit->touch = at;
	return true;
}

uint8_t cs_run_sweep_wants(const struct cs_run_sweep *sweep, uint32_t cell)
{
	struct cs_run_world *world = sweep->world;
	enum cs_layer_state allowed = CS_LAYER_ACTIVATED;
	if (world->model.layer_set[cell])
		allowed = cs_run_layers_allow(sweep->stream, world, cell);
	if (allowed == CS_LAYER_UNLOADED ||
		(sweep->excluding && cs_run_cell_excluded(sweep->stream, world, cell)))
		return 0;
	if (sweep->load_only)
		return CS_ASKED_LOAD | CS_WANT_LOAD;
	return CS_ASKED_ACTIVATE | (allowed == CS_LAYER_LOADED ? CS_WANT_LOAD : CS_WANT_ACTIVATE);
}

/*
 * Records that the current target (one shape of one source) reaches the cell. Returns 1 if this is
 * new, 0 if it was recorded or the cell is excluded, -1 when memory runs out.
 */
static int hit_spatial(const struct cs_run_sweep *sweep, uint32_t cell, enum cs_reason reason)
{
	struct cs_run_world *world = sweep->world;
	uint8_t want = cs_run_sweep_wants(sweep, cell);
	if (!want)
		return 0;
	struct cs_run_hit *hit = cs_run_hit_add(world, cell, want, reason);
	if (!hit)
		return -1;
	if (hit->target == sweep->target)
		return 0;
	hit->target = sweep->target;
	bool noted = sweep->touching || reason == CS_REASON_SNAPPED;
	return noted && !cs_run_hit_touch(sweep, hit, want) ? -1 : 1;
}

/* ---- the snap rule (1.7.5) ---- */

/*
 * Sets the first and last coordinate (as in cell names) of the cells of a grid level that the
 * interval from `low` to `high` intersects; of more than four cells, only the first four count.
 * Returns false if the interval intersects none.
 */
static bool coordinates(const struct cs_cooked_partition *grid, unsigned level, double origin,
	double low, double high, int64_t ret[2])
{
	double size = ldexp(grid->cell_size, (int)level);
	double cells = (level < 32 ? grid->grid_size >> level : 0) + 1.0;
	double first = floor((low - origin) / size + cells * 0.5);
	double last = floor((high - origin) / size + cells * 0.5);
	first = fmax(first, 0);
	last = fmin(fmin(last, cells - 1), first + 3);
	if (!(first <= last))
		return false;
	ret[0] = (int64_t)first - ((int64_t)cells >> 1);
	ret[1] = (int64_t)last - ((int64_t)cells >> 1);
	return true;
}

static bool hits_is_before(const struct cs_run_place *place, int32_t level, int64_t y, int64_t x)
{
	return place->level != level ? place->level < level
	       : place->y != y       ? place->y < y
				     : place->x < x;
}

/* Adds the cells of one level that intersect the box to the hits and to world.policy.found. */
static bool snap_level(const struct cs_run_sweep *sweep, const struct cs_cooked_partition *grid,
	const struct cs_run_partition *partition, const struct cs_box *box, unsigned level)
{
	struct cs_run_world *world = sweep->world;
	int64_t x[2], y[2];
	if (!coordinates(grid, level, grid->origin.x, box->min.x, box->max.x, x) ||
		!coordinates(grid, level, grid->origin.y, box->min.y, box->max.y, y))
		return true;
	for (int64_t row = y[0]; row <= y[1]; row++) {
		size_t i = cs_lower_bound(0, partition->n_places, k,
			hits_is_before(&partition->places[k], (int32_t)level, row, x[0]));
		for (; i < partition->n_places; i++) {
			const struct cs_run_place *place = &partition->places[i];
			if (place->level != (int32_t)level || place->y != row || place->x > x[1])
				break;
			int added = hit_spatial(sweep, place->cell, CS_REASON_SNAPPED);
			if (added < 0 || (added && !cs_vec_push(&world->policy.found, place->cell)))
				return false;
		}
	}
	return true;
}

/*
 * Rule 1.7.5: adds the cells that intersect the box of a reached cell, on all levels above that
 * cell's level except the topmost.
 */
static bool snap_cell(const struct cs_run_sweep *sweep, uint32_t p, uint32_t cell)
{
	const struct cs_run_model *model = &sweep->world->model;
	const struct cs_cooked_partition *grid = &model->cooked->partitions[p];
	const struct cs_run_model_cell *row = &model->cells[cell];
	unsigned top = grid->levels ? grid->levels - 1 : 0;
	for (unsigned l = (unsigned)row->level + 1; row->level >= 0 && l < top && l < 63; l++)
		if (!snap_level(sweep, grid, &model->partitions[p], &row->tested, l))
			return false;
	return true;
}

static bool sweep_target(const struct cs_run_sweep *sweep, uint32_t p)
{
	struct cs_run_world *world = sweep->world;
	const struct cs_run_target *target = &world->reached.targets.at[sweep->target];
	const struct cs_run_partition *partition = &world->model.partitions[p];
	size_t kept = 0;
	world->policy.found.n = 0;
	if (!cs_near_query(&world->reached.kept.at[sweep->target].near, &partition->index,
		    &target->reach.ball, target->reach.radius, &world->policy.found))
		return false;
	for (size_t i = 0; i < world->policy.found.n; i++) {
		uint32_t cell = world->policy.found.at[i];
		if (!cs_run_target_keeps(world, target, cell))
			continue;
		int added = hit_spatial(sweep, cell, CS_REASON_IN_RANGE);
		if (added < 0)
			return false;
		if (added)
			world->policy.found.at[kept++] = cell;
	}
	world->policy.found.n = kept;
	for (size_t i = 0; partition->places && i < world->policy.found.n; i++)
		if (!snap_cell(sweep, p, world->policy.found.at[i]))
			return false;
	return true;
}

void cs_run_sweep_aim(struct cs_run_sweep *sweep, uint32_t target)
{
	uint32_t at = sweep->world->reached.targets.at[target].source;
	const struct cs_stream_source *source = &sweep->stream->sources.active.at[at].source;
	sweep->target = target;
	sweep->load_only = source->target == CS_LAYER_LOADED;
	sweep->priority = source->priority;
}

bool cs_run_hits_sweep(struct cs_stream *stream, struct cs_run_world *world)
{
	struct cs_run_sweep sweep = {
		.stream = stream, .world = world, .excluding = cs_run_excludes_any(stream, world)};
	for (uint32_t p = 0; p < world->model.cooked->n_partitions; p++) {
		sweep.touching = cs_run_has_many_targets(world, p);
		for (uint32_t i = world->reached.target_first[p];
			i < world->reached.target_first[p + 1]; i++) {
			cs_run_sweep_aim(&sweep, i);
			if (!sweep_target(&sweep, p))
				return false;
		}
	}
	return true;
}
