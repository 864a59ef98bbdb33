/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Updates the hits of a world partition from one evaluation to the next. Many sources may reach
 * thousands of cells, of which a frame changes a few. So each target (what one shape of a source
 * reaches in a grid) stores how far it may move before a cell enters or leaves its ball; until then
 * its cells are not examined.
 *
 * When a ball moves by d, its distance to any box changes by at most d. So a target keeps its hits
 * until it has moved as far as the gap between the border of its ball and the nearest box, or has
 * left the area whose boxes are cached (near.c). Then it examines the cached boxes and adds and
 * removes hits. Sectors and Z culling are examined in every evaluation.
 *
 * Invariant: after an update the hits equal those that hits.c would find, except for their order,
 * which has no effect, because lists of cells are sorted by total orders. In these cases hits.c
 * finds all hits instead of this file: on servers and with the snap rule, where hits have an order
 * or other causes than targets; where few hits could be kept, or targets are few; after a change
 * that concerns all cells; and after cs_run_hits_drop.
 */
#include "stream/stream_internal.h"

#include <math.h>

/* ---- whether the hits of the last frame are kept ---- */

/* Number of evaluations that search all cells anew after a target had too many cells near it. */
enum { CROWDED = 256 };

static bool snaps(const struct cs_run_world *world)
{
	for (size_t p = 0; p < world->model.cooked->n_partitions; p++)
		if (world->model.partitions[p].places)
			return true;
	return false;
}

static bool may_keep(const struct cs_stream *stream, struct cs_run_world *world)
{
	bool many = false;
	for (uint32_t p = 0; p < world->model.cooked->n_partitions; p++)
		many = many || cs_run_has_many_targets(world, p);
	if (!many || cs_run_is_server(stream) || snaps(world))
		return false;
	world->reached.crowded -= world->reached.crowded > 0;
	return world->reached.crowded == 0;
}

static bool same_terms(const struct cs_run_terms *l, const struct cs_run_terms *r)
{
	return l->layers == r->layers && l->level == r->level && l->hlods == r->hlods;
}

/* ---- cells that enter and leave a target ---- */

static void count_touch(struct cs_run_hit *hit, const struct cs_run_touch *touch)
{
	hit->want |= touch->want;
	if (touch->priority < hit->source_priority)
		hit->source_priority = touch->priority;
}

static bool kept_enter(const struct cs_run_sweep *sweep, uint32_t cell, uint8_t want)
{
	struct cs_run_world *world = sweep->world;
	struct cs_run_hit *hit = cs_run_hit_add(world, cell, want, CS_REASON_IN_RANGE);
	if (!hit || !cs_run_hit_touch(sweep, hit, want))
		return false;
	if (!hit->ranked) {
		/* the sort keys of a hit that do not depend on distances */
		const struct cs_run_model_cell *row = &world->model.cells[hit->cell];
		hit->ranked = true;
		hit->source_priority = CS_PRIORITY_LOWEST;
		hit->hierarchical_level = row->hierarchical_level;
		hit->cell_priority = row->priority;
	}
	count_touch(hit, &world->reached.touches.at[hit->touch]);
	return true;
}

void cs_run_hit_remove(struct cs_run_world *world, struct cs_run_hit *hit)
{
	*hit = world->reached.hits.at[--world->reached.hits.n];
	world->reached.hit_slot[hit->cell] = (uint32_t)(hit - world->reached.hits.at);
}

static void kept_leave(const struct cs_run_sweep *sweep, uint32_t cell)
{
	struct cs_run_world *world = sweep->world;
	struct cs_run_hit *hit = cs_run_find_hit(world, cell);
	struct cs_run_touch *touches = world->reached.touches.at;
	uint32_t *at = &hit->touch, gone;
	while (touches[*at].target != sweep->target)
		at = &touches[*at].next;
	gone = *at;
	*at = touches[gone].next;
	touches[gone].next = world->reached.free_touch;
	world->reached.free_touch = gone;
	if (hit->touch == CS_NONE) {
		cs_run_hit_remove(world, hit);
		return;
	}
	hit->want = 0;
	hit->source_priority = CS_PRIORITY_LOWEST;
	for (uint32_t i = hit->touch; i != CS_NONE; i = touches[i].next)
		count_touch(hit, &touches[i]);
}

/* ---- updating the hits of one target ---- */

/* Records that the target (shape of a source) no longer reaches any cell, and empties its cache. */
static void leave_all(const struct cs_run_sweep *sweep, struct cs_run_kept *kept)
{
	for (size_t i = 0; i < kept->near.entries.n; i++)
		if (kept->near.entries.at[i].group)
			kept_leave(sweep, kept->near.entries.at[i].id);
	cs_near_forget(&kept->near);
	kept->known = false;
}

/* Returns whether the stored reach differs from `reach` at most in the location of its centre. */
static bool same_shape(const struct cs_run_kept *kept, const struct cs_run_sweep *sweep,
	const struct cs_run_reach *reach, const struct cs_rtree *index)
{
	return kept->known && kept->near.index == index && kept->load_only == sweep->load_only &&
	       kept->priority == sweep->priority && kept->ball.radius2 == reach->ball.radius2 &&
	       kept->ball.flat == reach->ball.flat && kept->ball.strict == reach->ball.strict;
}

/* Returns an upper bound of the rounding error of distances from the centre of a source's reach. */
static double rounding(const struct cs_run_reach *reach)
{
	struct cs_vec3 c = reach->ball.centre;
	return 1e-12 * (fabs(c.x) + fabs(c.y) + fabs(c.z) + reach->radius);
}

/* Tests the cached boxes of cells against the target's ball, and updates which cells it reaches. */
static bool kept_look(const struct cs_run_sweep *sweep, struct cs_run_kept *kept)
{
	struct cs_run_world *world = sweep->world;
	const struct cs_run_target *target = &world->reached.targets.at[sweep->target];
	const struct cs_run_reach *reach = &target->reach;
	double slack = cs_near_room(&kept->near, kept->near.index, &reach->ball, reach->radius);
	for (size_t i = 0; i < kept->near.entries.n; i++) {
		struct cs_rtree_entry *entry = &kept->near.entries.at[i];
		double distance2 = cs_ball_distance2(&reach->ball, &entry->box);
		bool met = reach->ball.strict ? distance2 < reach->ball.radius2
					      : distance2 <= reach->ball.radius2;
		slack = fmin(slack, fabs(sqrt(distance2) - reach->radius));
		met = met && cs_run_target_keeps(world, target, entry->id);
		if (met == (entry->group != 0))
			continue;
		uint8_t want = met ? cs_run_sweep_wants(sweep, entry->id) : 0;
		if (!met)
			kept_leave(sweep, entry->id);
		else if (want && !kept_enter(sweep, entry->id, want))
			return false;
		entry->group = want != 0;
	}
	kept->known = true;
	kept->load_only = sweep->load_only;
	kept->priority = sweep->priority;
	kept->ball = reach->ball;
	kept->slack = reach->sector || reach->z_culled ? -1 : slack - rounding(reach);
	return true;
}

static bool kept_follow(const struct cs_run_sweep *sweep, const struct cs_rtree *index)
{
	struct cs_run_kept *kept = &sweep->world->reached.kept.at[sweep->target];
	const struct cs_run_reach *reach = &sweep->world->reached.targets.at[sweep->target].reach;
	bool same = same_shape(kept, sweep, reach, index);
	if (same && !reach->sector && !reach->z_culled &&
		cs_ball_apart(&reach->ball, &kept->ball) < kept->slack)
		return true;
	if (!same || !(cs_near_room(&kept->near, index, &reach->ball, reach->radius) >= 0)) {
		leave_all(sweep, kept);
		if (!cs_near_look(&kept->near, index, &reach->ball, reach->radius))
			return false;
	}
	if (cs_near_is_crowded(&kept->near)) {
		sweep->world->reached.crowded = CROWDED;
		return true;
	}
	return kept_look(sweep, kept);
}

/* ---- updating the hits of all targets ---- */

/*
 * Extends `kept` to one item for each target. After targets were removed, an item may contain the
 * hits of another target. If that target had another shape, the cells are searched anew; otherwise
 * the hits are updated as if the target had moved.
 */
static bool reserve_kept(struct cs_run_world *world)
{
	if (world->reached.kept.n < world->reached.targets.n &&
		!cs_vec_reserve(
			&world->reached.kept, world->reached.targets.n - world->reached.kept.n))
		return false;
	while (world->reached.kept.n < world->reached.targets.n)
		world->reached.kept.at[world->reached.kept.n++] =
			(struct cs_run_kept){.known = false};
	return true;
}

void cs_run_hits_drop(struct cs_run_reached *reached)
{
	reached->hits.n = reached->touches.n = 0;
	reached->free_touch = CS_NONE;
	reached->keeping = false;
}

static bool begin_keeping(struct cs_stream *stream, struct cs_run_world *world)
{
	cs_run_hits_drop(&world->reached);
	for (size_t i = 0; i < world->reached.kept.n; i++) {
		cs_near_forget(&world->reached.kept.at[i].near);
		world->reached.kept.at[i].known = false;
	}
	world->reached.terms = world->policy.terms;
	return cs_run_hits_non_spatial(stream, world);
}

/*
 * Updates which cells the targets reach, from the cells that they reached in the last evaluation.
 * Returns false when memory runs out. If a target has too many cells near it, sets reached.crowded;
 * the result is then incomplete.
 */
static bool kept_follow_all(struct cs_stream *stream, struct cs_run_world *world)
{
	struct cs_run_sweep sweep = {
		.stream = stream, .world = world, .excluding = cs_run_excludes_any(stream, world)};
	for (size_t i = world->reached.targets.n; i < world->reached.kept.n; i++) {
		sweep.target = (uint32_t)i;
		leave_all(&sweep, &world->reached.kept.at[i]);
	}
	for (uint32_t p = 0; p < world->model.cooked->n_partitions; p++)
		for (uint32_t i = world->reached.target_first[p];
			i < world->reached.target_first[p + 1]; i++) {
			cs_run_sweep_aim(&sweep, i);
			if (!kept_follow(&sweep, &world->model.partitions[p].index))
				return false;
			if (world->reached.crowded)
				return true;
		}
	return true;
}

bool cs_run_hits_update(struct cs_stream *stream, struct cs_run_world *world)
{
	bool kept =
		world->reached.keeping && same_terms(&world->policy.terms, &world->reached.terms);
	world->reached.keeping = false; /* set again below if `kept` gives all hits */
	if (!cs_run_targets_prepare(stream, world) || !reserve_kept(world))
		return false;
	if (may_keep(stream, world)) {
		if ((!kept && !begin_keeping(stream, world)) || !kept_follow_all(stream, world))
			return false;
		world->reached.keeping = world->reached.crowded == 0;
		if (world->reached.keeping)
			return true;
	}
	cs_run_hits_drop(&world->reached);
	return cs_run_hits_non_spatial(stream, world) && cs_run_hits_sweep(stream, world);
}
