/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: sending every actor set to its partition and to coordinates there (world-partition rules
 * 1.6.2 to 1.6.4, 1.7.4). Each set is decided on its own, in parallel.
 */
#include "cook/cook.h"

#include "cook/grids.h"

#include <math.h>
#include <stdio.h>

/* What UE drops without a word: a grid name that leads nowhere. */
static struct cs_error *drop(struct cs_cook *cook, const struct cs_actor_set *set)
{
	uint32_t text = cook->grid_names.at[set->grid].text;
	const char *setups = cs_cook_setups(cook, cs_world_text(cook->world, text));
	char reason[500];
	if (!setups)
		return cs_error_nomem();
	int n = snprintf(reason, sizeof(reason), "its runtime grid is unknown%s%s",
		*setups ? "; the HLOD setups there are " : "", setups);
	struct cs_drop_draft draft = {cook->members.at[set->members.first], set->members.count,
		cs_arena_text(&cook->arena, reason, (size_t)n), text};
	if (!draft.reason)
		return cs_error_nomem();
	return cs_vec_push(&cook->drops, draft) ? NULL : cs_error_nomem();
}

/* Rule 1.6.4: what has no bounds cannot stream by distance, whatever its descriptor says. */
static struct cs_error *report_bounds(struct cs_cook *cook, const struct cs_actor_set *set)
{
	const struct cs_instance *instance = &cook->instances.at[set->instance];
	struct cs_finding_draft draft = cs_finding_draft(
		CS_CHECK_ACTOR_BOUNDS, CS_WARNING, CS_REPAIR_NONE, "it has no bounds to stream by");
	draft.collection = instance->collection;
	draft.instance = set->instance;
	draft.view = cs_view_of_row(cook, instance, cook->members.at[set->members.first]);
	return cs_cook_find(cook, draft, NULL);
}

static struct cs_error *distribute(struct cs_cook *cook)
{
	struct cs_error *error = NULL;
	bool hash_set = cook->hash_class == CS_HASH_SET;
	for (size_t i = 0; !error && i < cook->sets.n; i++) {
		struct cs_actor_set *set = &cook->sets.at[i];
		set->partition = cook->grid_names.at[set->grid].partition;
		bool stays = set->spatial && cs_box_valid(&set->bounds);
		if (set->spatial && !stays)
			error = report_bounds(cook, set);
		if (error)
			break;
		if (!stays && cook->persistent != CS_NONE)
			set->partition = cook->persistent; /* before its grid is looked at */
		else if (set->partition == CS_NONE && hash_set)
			error = drop(cook, set);
		else if (set->partition == CS_NONE)
			set->partition = 0; /* the spatial hash falls back to its first grid */
	}
	return error;
}

static void place_non_spatial(struct cs_actor_set *set, const struct cs_cook_partition *p)
{
	set->placement = set->spatial ? CS_PLACED_NO_BOUNDS : CS_PLACED_NON_SPATIAL;
	set->spatial = false;
	set->at = (struct cs_cell_coordinates){0};
	/* a non-spatial cell of its partition, by the token that 5.7 prints */
	if (p->row.partition_class != CS_PARTITION_PERSISTENT)
		set->at.level = -1;
}

static void place_in_lhgrid(const struct cs_cook_partition *p, struct cs_actor_set *set)
{
	const struct cs_lhgrid grid = {
		.cell_size = p->row.cell_size,
		.origin = p->row.origin,
		.is_2d = p->row.flags & CS_PARTITION_2D,
		.quarter_demotion = p->row.flags & CS_PARTITION_DEMOTION,
	};
	bool demoted;
	set->at = cs_lhgrid_place(&grid, &set->bounds, &demoted);
	set->first_level = set->at.level + demoted;
	set->placement = demoted ? CS_PLACED_DEMOTED : CS_PLACED_BY_CENTRE;
}

static bool all_partition_actors(const struct cs_cook *cook, const struct cs_actor_set *set)
{
	const struct cs_instance *instance = &cook->instances.at[set->instance];
	for (uint32_t i = 0; i < set->members.count; i++) {
		uint32_t view =
			cs_view_of_row(cook, instance, cook->members.at[set->members.first + i]);
		if (!(cs_view_actor(cook, view)->flags & CS_ACTOR_PARTITION_ACTOR))
			return false;
	}
	return true;
}

static void place_in_spatial_grid(
	const struct cs_cook *cook, const struct cs_cook_partition *p, struct cs_actor_set *set)
{
	const struct cs_spatial_rules rules = {
		.small_by_location = p->row.flags & CS_PARTITION_SMALL_BY_LOCATION,
		.partition_by_location = p->row.flags & CS_PARTITION_PARTITION_ACTORS,
	};
	const struct cs_spatial_grid *grid = &p->spatial_grid;
	enum cs_placement placement;
	bool spatial = set->spatial;
	if (spatial && cs_box_valid(&set->bounds))
		set->first_level =
			cs_level_of_length(fmax(set->bounds.max.x - set->bounds.min.x,
						   set->bounds.max.y - set->bounds.min.y),
				grid->cell_size);
	set->at = cs_spatial_grid_place(grid, &rules, &set->bounds, spatial,
		rules.partition_by_location && all_partition_actors(cook, set), &placement);
	set->placement = placement;
	/* names and records carry global coordinates */
	int64_t half = cs_spatial_grid_size(grid, (uint32_t)set->at.level) >> 1;
	set->at.x -= half;
	set->at.y -= half;
}

static void place_set(const struct cs_cook *cook, struct cs_actor_set *set)
{
	if (set->partition == CS_NONE) {
		set->placement = CS_UNPLACED_DROPPED;
		return;
	}
	const struct cs_cook_partition *p = &cook->partitions.at[set->partition];
	switch ((enum cs_partition_class)p->row.partition_class) {
	case CS_PARTITION_SPATIAL_GRID:
		place_in_spatial_grid(cook, p, set);
		break;
	case CS_PARTITION_LEVEL_STREAMING:
		if (!set->spatial || !cs_box_valid(&set->bounds)) {
			place_non_spatial(set, p);
			break;
		}
		set->placement = CS_PLACED_LEVEL;
		set->at.x = cook->grid_names.at[set->grid].level_key;
		break;
	case CS_PARTITION_PERSISTENT:
		place_non_spatial(set, p);
		break;
	case CS_PARTITION_LHGRID:
		if (set->spatial && cs_box_valid(&set->bounds))
			place_in_lhgrid(p, set);
		else
			place_non_spatial(set, p);
		break;
	}
}

static void place_range(void *context, size_t begin, size_t end, int thread)
{
	struct cs_cook *cook = context;
	(void)thread;
	for (size_t i = begin; i < end; i++)
		place_set(cook, &cook->sets.at[i]);
}

static void size_grids(struct cs_cook *cook)
{
	for (size_t i = 0; i < cook->partitions.n; i++) {
		struct cs_cook_partition *p = &cook->partitions.at[i];
		p->row.bounds = cook->world_bounds;
		if (p->row.partition_class != CS_PARTITION_SPATIAL_GRID)
			continue;
		p->spatial_grid = cs_spatial_grid_make(p->row.cell_size, p->row.origin.x,
			p->row.origin.y, p->row.flags & CS_PARTITION_ALIGNED, &cook->world_bounds);
		p->row.levels = p->spatial_grid.levels;
		p->row.grid_size = cs_spatial_grid_size(&p->spatial_grid, 0);
	}
}

struct cs_error *cs_cook_place(struct cs_cook *cook)
{
	size_grids(cook);
	struct cs_error *error = distribute(cook);
	if (!error)
		cs_parallel_for(cook->threads, cook->sets.n, 16384, place_range, cook);
	return error;
}
