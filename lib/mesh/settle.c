/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Manages the grid positions of the places (distinct positions) of a patch.
 *
 * Files store positions on a grid, so a collapse moves a place to a grid position at once, and
 * never to a grid position that another place of the patch has. So no two places of a patch have
 * the same position in the file, no moved place gets the position of a place on a seam, and bounds
 * computed for the patch hold for the file.
 *
 * Costs are computed at the best positions, which are not on the grid, so that rounding errors do
 * not add up from level to level. So each place has two positions, its best position and its grid
 * position, which are less than a grid step apart along each axis. Of the eight grid positions
 * around the best position, the one with the smallest quadric error is used, not the nearest.
 *
 * A hash table finds places by their grid positions. A place that moves is inserted a second time
 * and its old entry stays; a search compares with the current positions.
 *
 * Invariant: the table finds every remaining place at its current grid position.
 */
#include "mesh/collapse.h"

#include "core/slots.h"

#include <math.h>
#include <string.h>

/* Adding this to a float below 2^22 and subtracting it again rounds the float to a whole number. */
#define ROUNDER 0x1.8p23F

struct cs_grid {
	cs_four steps;     /* number of grid steps in one scaled unit, equal in all lanes */
	cs_four low, high; /* box of the positions that the grid can represent, in scaled units */
	cs_four *on;       /* for each place, its position on the grid */
	uint32_t *slots;
	size_t mask;
	bool twice; /* whether two places shared a grid position before any collapse */
};

static uint64_t hash_of(cs_four at)
{
	uint32_t bits[4];
	memcpy(bits, &at, sizeof(bits));
	uint64_t mixed = ((uint64_t)bits[0] << 32 | bits[1]) * 0x9e3779b97f4a7c15u;
	mixed = (mixed ^ mixed >> 29 ^ bits[2]) * 0xbf58476d1ce4e5b9u;
	return mixed >> 32;
}

static bool lie_together(cs_four a, cs_four b)
{
	return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

cs_four cs_settled(const struct cs_collapser *collapser, uint32_t place)
{
	return collapser->grid ? collapser->grid->on[place] : collapser->at[place];
}

void cs_settle_kept(struct cs_collapser *collapser, const struct cs_collapse *plan)
{
	struct cs_grid *grid = collapser->grid;
	grid->on[plan->kept] = plan->settled;
	*cs_probe(grid->slots, grid->mask, hash_of(plan->settled), other, other == plan->kept) =
		plan->kept + 1;
}

/* Converts a position to scaled units from the origin, exactly, as both are on the grid. */
static cs_four place_in(const struct cs_collapser *collapser, const float *position)
{
	cs_four at = {0, 0, 0, 0};
	for (int k = 0; k < 3; k++)
		at[k] = (float)(((double)position[k] - collapser->origin[k]) / collapser->scale);
	return at;
}

bool cs_settle_begin(struct cs_collapser *collapser, struct cs_scratch *scratch)
{
	const struct cs_patch *patch = collapser->patch;
	if (!(patch->step > 0))
		return true;
	struct cs_grid *grid = CS_SCRATCH_ARRAY(scratch, struct cs_grid, 1);
	/* Each place needs two entries: one made here, one when it is merged into another place. */
	const size_t slots = cs_slots_for(2 * (size_t)patch->n_places);
	uint32_t *at = CS_SCRATCH_ARRAY(scratch, uint32_t, slots);
	cs_four *on = CS_SCRATCH_ARRAY(scratch, cs_four, patch->n_places);
	if (scratch->failed)
		return false;
	const float steps = (float)(collapser->scale / patch->step);
	*grid = (struct cs_grid){.steps = {steps, steps, steps, steps},
		.low = place_in(collapser, patch->room_min),
		.high = place_in(collapser, patch->room_max),
		.on = on,
		.slots = at,
		.mask = slots - 1};
	memset(at, 0, slots * sizeof(*at));
	for (uint32_t i = 0; i < patch->n_places; i++) {
		on[i] = place_in(collapser, patch->positions + 3 * (size_t)i);
		uint32_t *slot = cs_probe(grid->slots, grid->mask, hash_of(on[i]), other,
			(grid->twice = grid->twice || lie_together(on[other], on[i]), false));
		*slot = i + 1;
	}
	collapser->grid = grid;
	return true;
}

/* Returns whether a remaining position, other than the ends of the planned edge, is at `at`. */
static bool is_taken(
	const struct cs_collapser *collapser, const struct cs_collapse *plan, cs_four at)
{
	const struct cs_grid *grid = collapser->grid;
	return *cs_probe(grid->slots, grid->mask, hash_of(at), other,
		       collapser->valence[other] && other != plan->kept && other != plan->dropped &&
			       lie_together(grid->on[other], at)) != 0;
}

static bool has_room(const struct cs_grid *grid, cs_four at)
{
	return at[0] >= grid->low[0] && at[1] >= grid->low[1] && at[2] >= grid->low[2] &&
	       at[0] <= grid->high[0] && at[1] <= grid->high[1] && at[2] <= grid->high[2];
}

/*
 * Finds the grid position with the smallest quadric error among the eight around the best position
 * `at` that no other position occupies; of equally good ones the first, beginning with `nearest`.
 * `nearest` is not always the best, because it may be off the plane or crease of the surface.
 * Returns false if none is free.
 */
static bool find_best(const struct cs_collapser *collapser, const struct cs_collapse *plan,
	cs_four nearest, cs_four at, cs_four *ret)
{
	const cs_four kept = collapser->at[plan->kept], lean = at - nearest;
	float least = INFINITY;
	for (unsigned i = 0; i < 8; i++) {
		cs_four there = nearest;
		for (unsigned k = 0; k < 3; k++)
			if (i >> k & 1)
				there[k] += (lean[k] < 0 ? -1 : 1) / collapser->grid->steps[k];
		const float price = cs_quadric_at(&plan->sum, there - kept);
		if (price < least && has_room(collapser->grid, there) &&
			!is_taken(collapser, plan, there)) {
			least = price;
			*ret = there;
		}
	}
	return least < INFINITY;
}

void cs_settle(const struct cs_collapser *collapser, struct cs_collapse *plan)
{
	const struct cs_grid *grid = collapser->grid;
	const cs_four none = {0, 0, 0, 0}, rounder = {ROUNDER, ROUNDER, ROUNDER, ROUNDER};
	if (!grid || collapser->flags[plan->kept] & CS_PLACE_LOCKED)
		return;
	const cs_four kept = collapser->at[plan->kept], at = kept + plan->to;
	/* adding `none` turns -0 into 0, and the last lane is cleared */
	cs_four nearest = ((at * grid->steps + rounder) - rounder) / grid->steps + none;
	nearest[3] = 0;
	if (has_room(grid, at) && find_best(collapser, plan, nearest, at, &plan->settled)) {
		plan->settled += none;
		return;
	}
	const cs_four other = collapser->at[plan->dropped] - kept;
	const bool stays = cs_quadric_at(&plan->sum, none) <= cs_quadric_at(&plan->sum, other);
	plan->to = stays ? none : other;
	plan->settled = grid->on[stays ? plan->kept : plan->dropped];
}

void cs_settle_end(struct cs_collapser *collapser)
{
	if (!collapser->grid || !collapser->grid->twice)
		return;
	const cs_four *on = collapser->grid->on;
	for (uint32_t i = 0; i < collapser->patch->n_triangles; i++) {
		const uint32_t a = cs_place_of(collapser, 3 * i),
			       b = cs_place_of(collapser, 3 * i + 1);
		const uint32_t d = cs_place_of(collapser, 3 * i + 2);
		if (!collapser->dead[i] &&
			(lie_together(on[a], on[b]) || lie_together(on[b], on[d]) ||
				lie_together(on[d], on[a])))
			cs_kill(collapser, i);
	}
}
