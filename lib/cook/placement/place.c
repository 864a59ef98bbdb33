/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Assigns a partition and grid coordinates to every actor set (world-partition rules 1.6.2 to
 * 1.6.4, 1.7.4). Sets are independent and processed in parallel, in batches; bounds are in memory
 * for two batches only. While the sets of one batch are assigned to cells, which must happen in
 * order, those of the next batch are measured.
 */
#include "cook/phases/phases.h"

#include "cook/placement/grids.h"
#include "core/parallel.h"
#include "format/check_numbers.h"
#include <cellscope/cooked_values.h>

#include <math.h>
#include <stdio.h>

enum { STRETCH = 1 << 13, GRAIN = 1024 };

struct placing {
	struct cs_cook *cook;
	uint32_t first; /* index of the first set of the batch */
	size_t n;
	struct cs_set_spot *spots;
};

/* Records that a set with an unknown grid name is dropped, which UE does without a message. */
static struct cs_error *place_drop(struct cs_cook *cook, const struct cs_actor_set *set)
{
	uint32_t text = cook->grids.names.at[set->grid].text;
	const char *setups = cs_cook_setups(cook, cs_world_text(cook->world, text));
	char reason[500];
	if (!setups)
		return cs_error_nomem();
	int n = snprintf(reason, sizeof(reason), "its runtime grid is unknown%s%s",
		*setups ? "; the HLOD setups there are " : "", setups);
	struct cs_drop_draft draft = {cook->grouped.members.at[set->members.first],
		set->members.count, cs_arena_text(&cook->arena, reason, (size_t)n), text};
	if (!draft.reason)
		return cs_error_nomem();
	return cs_vec_push(&cook->found.drops, draft) ? NULL : cs_error_nomem();
}

struct cs_error *cs_cook_find_set(
	struct cs_cook *cook, struct cs_finding_draft draft, const struct cs_actor_set *set)
{
	const struct cs_instance *instance = &cook->placed.instances.at[set->instance];
	draft.collection = instance->collection;
	draft.instance = set->instance;
	draft.view = cs_view_of_row(cook, instance, cook->grouped.members.at[set->members.first]);
	return cs_cook_find(cook, draft, NULL);
}

/* Reports, for the first actor of a set, that the bounds of the set do not determine its cell. */
static struct cs_error *report_bounds(
	struct cs_cook *cook, const struct cs_actor_set *set, const char *reason)
{
	return cs_cook_find_set(cook,
		cs_finding_draft(CS_CHECK_ACTOR_BOUNDS, CS_WARNING, CS_REPAIR_NONE, reason), set);
}

static struct cs_error *distribute(const struct placing *placing)
{
	struct cs_cook *cook = placing->cook;
	struct cs_error *error = NULL;
	bool hash_set = cook->hash_class == CS_HASH_SET;
	for (size_t i = 0; !error && i < placing->n; i++) {
		struct cs_actor_set *set = &cook->grouped.sets.at[placing->first + i];
		set->partition = cook->grids.names.at[set->grid].partition;
		bool stays = set->spatial && cs_box_valid(&placing->spots[i].bounds);
		if (set->spatial && !stays)
			error = report_bounds(cook, set, "it has no bounds to stream by");
		if (error)
			break;
		if (!stays && cook->grids.persistent != CS_NONE)
			/* always loaded, whether or not the grid that its actors name exists */
			set->partition = cook->grids.persistent;
		else if (set->partition == CS_NONE && hash_set)
			error = place_drop(cook, set);
		else if (set->partition == CS_NONE)
			/* the spatial hash uses its first grid for an unknown name */
			set->partition = 0;
	}
	return error;
}

static void place_non_spatial(struct cs_actor_set *set, const struct cs_cook_partition *partition,
	struct cs_set_spot *spot)
{
	set->placement = set->spatial ? CS_PLACED_NO_BOUNDS : CS_PLACED_NON_SPATIAL;
	set->spatial = false;
	spot->at = (struct cs_cell_coordinates){0};
	/* level -1 means the non-spatial cell, as in the names of engine version 5.7 */
	if (partition->row.partition_class != CS_PARTITION_PERSISTENT)
		spot->at.level = -1;
}

static void place_in_lhgrid(const struct cs_cook_partition *partition, struct cs_actor_set *set,
	struct cs_set_spot *spot)
{
	const struct cs_lhgrid grid = {
		.cell_size = partition->row.cell_size,
		.origin = partition->row.origin,
		.is_2d = partition->row.flags & CS_PARTITION_2D,
		.quarter_demotion = partition->row.flags & CS_PARTITION_DEMOTION,
	};
	bool demoted;
	spot->at = cs_lhgrid_place(&grid, &spot->bounds, &demoted);
	set->first_level = (int16_t)(spot->at.level + demoted);
	set->placement = demoted ? CS_PLACED_DEMOTED : CS_PLACED_BY_CENTRE;
}

static bool all_partition_actors(const struct cs_cook *cook, const struct cs_actor_set *set)
{
	const struct cs_instance *instance = &cook->placed.instances.at[set->instance];
	for (uint32_t i = 0; i < set->members.count; i++) {
		uint32_t view = cs_view_of_row(
			cook, instance, cook->grouped.members.at[set->members.first + i]);
		if (!(cs_view_actor(cook, view)->flags & CS_ACTOR_PARTITION_ACTOR))
			return false;
	}
	return true;
}

static void place_in_spatial_grid(const struct cs_cook *cook,
	const struct cs_cook_partition *partition, struct cs_actor_set *set,
	struct cs_set_spot *spot)
{
	const struct cs_spatial_rules rules = {
		.small_by_location = partition->row.flags & CS_PARTITION_SMALL_BY_LOCATION,
		.partition_by_location = partition->row.flags & CS_PARTITION_PARTITION_ACTORS,
	};
	const struct cs_spatial_grid *grid = &partition->spatial_grid;
	uint32_t placement;
	const struct cs_box *bounds = &spot->bounds;
	bool spatial = set->spatial;
	if (spatial && cs_box_valid(bounds))
		set->first_level = (int16_t)cs_level_of_length(
			fmax(bounds->max.x - bounds->min.x, bounds->max.y - bounds->min.y),
			grid->cell_size);
	spot->at = cs_spatial_grid_place(grid, &rules, bounds, spatial,
		rules.partition_by_location && all_partition_actors(cook, set), &placement);
	set->placement = placement;
	/*
	 * convert coordinates that count from the corner of the grid to coordinates that count from
	 * its centre, which names and records contain
	 */
	int64_t half = cs_spatial_grid_size(grid, (uint32_t)spot->at.level) >> 1;
	spot->at.x -= half;
	spot->at.y -= half;
}

static void place_set(
	const struct cs_cook *cook, struct cs_actor_set *set, struct cs_set_spot *spot)
{
	spot->at = (struct cs_cell_coordinates){0};
	if (set->partition == CS_NONE) {
		set->placement = CS_UNPLACED_DROPPED;
		return;
	}
	const struct cs_cook_partition *partition = &cook->grids.partitions.at[set->partition];
	switch ((enum cs_partition_class)partition->row.partition_class) {
	case CS_PARTITION_SPATIAL_GRID:
		place_in_spatial_grid(cook, partition, set, spot);
		break;
	case CS_PARTITION_LEVEL_STREAMING:
		if (!set->spatial || !cs_box_valid(&spot->bounds)) {
			place_non_spatial(set, partition, spot);
			break;
		}
		set->placement = CS_PLACED_LEVEL;
		spot->at.x = cook->grids.names.at[set->grid].level_key;
		break;
	case CS_PARTITION_PERSISTENT:
		place_non_spatial(set, partition, spot);
		break;
	case CS_PARTITION_LHGRID:
		if (set->spatial && cs_box_valid(&spot->bounds))
			place_in_lhgrid(partition, set, spot);
		else
			place_non_spatial(set, partition, spot);
		break;
	}
}

/* Prefetches the bounds of a set's first member, unless the cook has stored the sets' extents. */
CS_EXPECTING void expect_set(const struct cs_cook *cook, size_t set)
{
	if (set >= cook->grouped.sets.n || cook->grouped.extents)
		return;
	const struct cs_actor_set *ahead = &cook->grouped.sets.at[set];
	cs_expect_bounds(cook, cs_view_of_row(cook, &cook->placed.instances.at[ahead->instance],
				       cook->grouped.members.at[ahead->members.first]));
}

static void measure_range(const struct placing *placing, size_t begin, size_t end)
{
	for (size_t i = begin; i < end; i++) {
		expect_set(placing->cook, placing->first + i + CS_AHEAD);
		placing->spots[i].bounds =
			cs_set_extent_of(placing->cook, placing->first + i).bounds;
	}
}

static void place_range(void *context, size_t begin, size_t end, int thread)
{
	const struct placing *placing = context;
	(void)thread;
	for (size_t i = begin; i < end; i++)
		place_set(placing->cook, &placing->cook->grouped.sets.at[placing->first + i],
			&placing->spots[i]);
}

static void size_grids(struct cs_cook *cook)
{
	for (size_t i = 0; i < cook->grids.partitions.n; i++) {
		struct cs_cook_partition *partition = &cook->grids.partitions.at[i];
		partition->row.bounds = cook->placed.bounds;
		if (partition->row.partition_class != CS_PARTITION_SPATIAL_GRID)
			continue;
		partition->spatial_grid = cs_spatial_grid_make(partition->row.cell_size,
			partition->row.origin.x, partition->row.origin.y,
			partition->row.flags & CS_PARTITION_ALIGNED, &cook->placed.bounds);
		partition->row.levels = partition->spatial_grid.levels;
		partition->row.grid_size = cs_spatial_grid_size(&partition->spatial_grid, 0);
	}
}

/* Reports sets beyond the last level or the last coordinate that a cell can have. */
static struct cs_error *check_reach(const struct placing *placing)
{
	struct cs_cook *cook = placing->cook;
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < placing->n; i++) {
		const struct cs_set_spot *spot = &placing->spots[i];
		const struct cs_actor_set *set = &cook->grouped.sets.at[placing->first + i];
		const int64_t most = (int64_t)CS_MAX_COORDINATE;
		if (llabs(spot->at.x) >= most || llabs(spot->at.y) >= most ||
			llabs(spot->at.z) >= most || spot->at.level >= CS_MAX_LEVEL)
			error = report_bounds(
				cook, set, "its cell is the largest or farthest that there is");
	}
	return error;
}

/* Two batches of sets: one is assigned to cells while the next one is measured. */
struct stretches {
	struct placing placed, next;
	struct cs_error *error; /* error that occurred while sets were assigned to cells */
};

enum { GROUP, MEASURE };

static void place_do_parts(void *context, size_t begin, size_t end, int thread)
{
	struct stretches *stretches = context;
	const struct placing *placed = &stretches->placed, *next = &stretches->next;
	(void)thread;
	for (size_t part = begin; part < end; part++) {
		const size_t first = (part - MEASURE) * GRAIN;
		if (part == GROUP)
			stretches->error = cs_cells_group(
				placed->cook, placed->first, placed->n, placed->spots);
		else
			measure_range(
				next, first, next->n - first < GRAIN ? next->n : first + GRAIN);
	}
}

static struct cs_error *place_stretch(struct stretches *stretches, size_t most)
{
	struct placing *next = &stretches->next;
	struct cs_cook *cook = next->cook;
	next->first = stretches->placed.first + (uint32_t)stretches->placed.n;
	const size_t left = cook->grouped.sets.n - next->first;
	next->n = left < most ? left : most;
	cs_parallel_for(cook->threads, MEASURE + (next->n + GRAIN - 1) / GRAIN, 1, place_do_parts,
		stretches);
	struct cs_error *error = stretches->error ? stretches->error : distribute(next);
	if (!error)
		cs_parallel_for(cook->threads, next->n, GRAIN, place_range, next);
	if (!error)
		error = check_reach(next);
	const struct placing placed = stretches->placed;
	stretches->placed = *next;
	next->spots = placed.spots;
	return error;
}

struct cs_error *cs_cook_place(struct cs_cook *cook)
{
	struct stretches stretches = {.placed.cook = cook, .next.cook = cook};
	const size_t n = cook->grouped.sets.n < STRETCH ? cook->grouped.sets.n : STRETCH;
	struct cs_error *error = NULL;
	size_grids(cook);
	struct cs_set_spot *spots = malloc((n ? 2 * n : 1) * sizeof(*spots));
	if (!spots)
		return cs_error_nomem();
	error = cs_measure_sets(cook);
	stretches.placed.spots = spots;
	stretches.next.spots = spots + n;
	do
		error = error ? error : place_stretch(&stretches, n);
	while (!error && stretches.placed.n);
	free(spots);
	return error;
}
