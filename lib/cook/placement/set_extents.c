/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The extents of sets (bounds and largest member). Without a memory limit, they are computed from
 * the members whenever they are needed. With a limit, actors may be in a scratch file and are read
 * in the order of their rows, so the extents are computed once, before the sets are placed.
 *
 * Algorithm: sets are in the order of their first members. One pass over the actor rows measures
 * each row: the extent of a set starts with its first member, and the boxes of the other members,
 * which are few, are stored. These are then sorted by set and added to the extents.
 */
#include "cook/phases/phases.h"

#include "cook/placement/grids.h"
#include "core/box.h"
#include "core/large.h"
#include "core/sort.h"

static const struct cs_set_extent no_extent = {
	.bounds = {{1, 1, 1}, {-1, -1, -1}}, .largest = {CS_NONE, CS_NONE}};

/* A member of a set that is not its first one. */
struct other {
	struct cs_box box;
	uint32_t set, row;
};

struct measuring {
	struct cs_cook *cook;
	CS_VEC(struct other) others;
};

/* Adds a member to the extent of a set. Members are added in ascending order of their rows. */
static void extend(struct cs_set_extent *extent, const struct cs_box *box, uint32_t row)
{
	if (!cs_box_valid(box))
		return;
	cs_box_take(&extent->bounds, box);
	for (int flat = 0; flat < 2; flat++) {
		const double length = cs_longest_extent(box, flat);
		if (extent->largest[flat] != CS_NONE && length <= extent->longest[flat])
			continue;
		extent->longest[flat] = length;
		extent->largest[flat] = row;
	}
}

static struct cs_box box_of_row(
	const struct cs_cook *cook, const struct cs_instance *instance, uint32_t row)
{
	return cs_placed_box(
		instance, &cs_view_actor(cook, cs_view_of_row(cook, instance, row))->bounds);
}

static struct cs_set_extent set_extents_measure(
	const struct cs_cook *cook, const struct cs_actor_set *set)
{
	const struct cs_instance *instance = &cook->placed.instances.at[set->instance];
	struct cs_set_extent extent = no_extent;
	for (uint32_t i = 0; i < set->members.count; i++) {
		const uint32_t row = cook->grouped.members.at[set->members.first + i];
		const struct cs_box box = box_of_row(cook, instance, row);
		if (set->members.count == 1 && cs_box_valid(&box))
			return (struct cs_set_extent){box, {0, 0}, {row, row}};
		extend(&extent, &box, row);
	}
	return extent;
}

/* Extends the sets' extents by first members, and stores the other members for add_others(). */
static bool measure_rows(struct measuring *measuring, const struct cs_instance *instance)
{
	const struct cs_cook *cook = measuring->cook;
	const uint32_t end =
		instance->first_row + cook->actors.collections.at[instance->collection].n_views;
	for (uint32_t row = instance->first_row; row < end; row++) {
		const uint32_t set = cook->grouped.set_of_row[row];
		if (set == CS_NONE)
			continue;
		const struct cs_box box = box_of_row(cook, instance, row);
		const uint32_t first = cook->grouped.sets.at[set].members.first;
		if (cook->grouped.members.at[first] == row)
			extend(&cook->grouped.extents[set], &box, row);
		else if (!cs_vec_push(&measuring->others, (struct other){box, set, row}))
			return false;
	}
	return true;
}

/* Extends the sets' extents by the members that are not the first of their sets. */
static bool add_others(struct measuring *measuring)
{
	const size_t n = measuring->others.n, size = sizeof(struct other);
	struct other *sorted = cs_large_malloc((n + 1) * size);
	uint64_t *keys = cs_large_malloc((n + 1) * sizeof(*keys));
	uint32_t *order = cs_large_malloc((n + 1) * sizeof(*order));
	bool good = sorted && keys && order;
	for (size_t i = 0; good && i < n; i++)
		keys[i] = (uint64_t)measuring->others.at[i].set << 32 | i;
	good = good && cs_sort_u64_by_high(keys, n);
	for (size_t i = 0; good && i < n; i++)
		order[i] = (uint32_t)keys[i];
	good = good && cs_gather(sorted, measuring->others.at, size, order, n);
	for (size_t i = 0; good && i < n; i++)
		extend(&measuring->cook->grouped.extents[sorted[i].set], &sorted[i].box,
			sorted[i].row);
	free(sorted);
	free(keys);
	free(order);
	return good;
}

struct cs_error *cs_measure_sets(struct cs_cook *cook)
{
	struct measuring measuring = {.cook = cook};
	const size_t n = cook->grouped.sets.n;
	if (cs_large_most() == 0)
		return NULL;
	cook->grouped.extents = cs_large_malloc((n + 1) * sizeof(*cook->grouped.extents));
	bool good = cook->grouped.extents;
	for (size_t i = 0; good && i < n; i++)
		cook->grouped.extents[i] = no_extent;
	for (size_t i = 0; good && i < cook->placed.instances.n; i++)
		good = measure_rows(&measuring, &cook->placed.instances.at[i]);
	good = good && add_others(&measuring);
	cs_vec_free(&measuring.others);
	return good ? NULL : cs_error_nomem();
}

struct cs_set_extent cs_set_extent_of(const struct cs_cook *cook, size_t set)
{
	return cook->grouped.extents ? cook->grouped.extents[set]
				     : set_extents_measure(cook, &cook->grouped.sets.at[set]);
}
