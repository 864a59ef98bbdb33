/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorts the rows of a log as the format of cooked worlds requires: cells by partition and
 * coordinates, actors by container and GUID, clusters (which become actor sets) by cell. Also finds
 * the level instance actor of each container, by its bounds.
 */
#include "ue/log/log_written.h"

#include "core/geometry.h"
#include "core/guid.h"
#include "core/search.h"
#include "core/sort.h"

#include <math.h>

/* Tolerance in cm for comparing bounds, which the log rounds to three decimals. */
#define NEAR 1.0

static int by_place(const void *left, const void *right, void *context)
{
	const struct cs_written *written = context;
	const struct cs_cooked_cell *l = &written->cells.at[*(const uint32_t *)left];
	const struct cs_cooked_cell *r = &written->cells.at[*(const uint32_t *)right];
	int order = cs_compare_i64(l->partition, r->partition);
	order = order ? order : cs_compare_i64(l->level, r->level);
	order = order ? order : cs_compare_i64(l->x, r->x);
	order = order ? order : cs_compare_i64(l->y, r->y);
	order = order ? order : cs_compare_i64(l->z, r->z);
	return order ? order
		     : strcmp(cs_strings_get(&written->texts, l->name),
			       cs_strings_get(&written->texts, r->name));
}

static void log_ordered_sort_cells(struct cs_written *written)
{
	const size_t n = written->cells.n;
	uint32_t *order = cs_sorted_rows(n, by_place, written);
	uint32_t *row_of = malloc((n + 1) * sizeof(*row_of));
	struct cs_cooked_cell *sorted = malloc((n + 1) * sizeof(*sorted));
	written->failed = written->failed || !order || !row_of || !sorted;
	for (uint32_t i = 0; i < n && !written->failed; i++) {
		sorted[i] = written->cells.at[order[i]];
		row_of[order[i]] = i;
		struct cs_range *owned = &written->partitions.at[sorted[i].partition].cells;
		owned->first = owned->count++ ? owned->first : i;
	}
	if (!written->failed && n)
		memcpy(written->cells.at, sorted, n * sizeof(*sorted));
	for (size_t i = 0; i < written->records.n && !written->failed; i++)
		if (written->records.at[i].row.cell != CS_NONE)
			written->records.at[i].row.cell = row_of[written->records.at[i].row.cell];
	free(order);
	free(row_of);
	free(sorted);
}

/* Reorders the table of layers, so that the ranges of consecutive cells follow each other. */
static void sort_cell_layers(struct cs_written *written)
{
	CS_VEC(uint32_t) sorted = {0};
	for (size_t i = 0; i < written->cells.n && !written->failed; i++) {
		struct cs_range *range = &written->cells.at[i].layers;
		uint32_t first = (uint32_t)sorted.n;
		written->failed = !cs_vec_append(
			&sorted, written->cell_layers.at + range->first, range->count);
		range->first = first;
	}
	cs_vec_free(&written->cell_layers);
	written->cell_layers.at = sorted.at;
	written->cell_layers.n = sorted.n;
	written->cell_layers.room = sorted.room;
}

static int by_container(const void *left, const void *right, void *context)
{
	const struct cs_written_actor *l = left, *r = right;
	(void)context;
	int order = cs_compare_i64(l->row.container, r->row.container);
	order = order ? order : cs_guid_compare(l->row.guid, r->row.guid);
	return order ? order : cs_compare_i64(l->desc, r->desc);
}

static uint32_t actor_of(const struct cs_written *written, uint32_t container, struct cs_guid guid)
{
	const struct cs_range range = written->containers.at[container].actors;
	size_t end = (size_t)range.first + range.count;
	size_t at = cs_lower_bound(
		range.first, end, i, cs_guid_compare(written->records.at[i].row.guid, guid) < 0);
	bool found = at < end && cs_guid_compare(written->records.at[at].row.guid, guid) == 0;
	return found ? (uint32_t)at : CS_NONE;
}

/* Makes GUIDs unique in a container: of equal ones, all but the first are made anew from paths. */
static void part_equals(struct cs_written *written)
{
	bool again = false;
	for (uint32_t i = 1; i < written->records.n; i++) {
		const struct cs_written_actor *before = &written->records.at[i - 1];
		struct cs_written_actor *record = &written->records.at[i];
		if (before->row.container != record->row.container ||
			cs_guid_compare(before->row.guid, record->row.guid) != 0)
			continue;
		record->row.guid = cs_written_guid(
			"again", cs_strings_get(&written->texts, record->detail.path), i);
		record->row.flags |= CS_ACTOR_MADE_GUID;
		again = true;
	}
	if (again)
		written->failed |= !cs_sort(written->records.at, written->records.n,
			sizeof(*written->records.at), by_container, NULL);
}

static void log_ordered_sort_actors(struct cs_written *written)
{
	written->failed |= !cs_sort(written->records.at, written->records.n,
		sizeof(*written->records.at), by_container, NULL);
	part_equals(written);
	for (uint32_t i = 0; i < written->records.n && !written->failed; i++) {
		struct cs_range *owned =
			&written->containers.at[written->records.at[i].row.container].actors;
		owned->first = owned->count++ ? owned->first : i;
	}
	for (uint32_t i = 0; i < written->records.n && !written->failed; i++) {
		struct cs_written_actor *record = &written->records.at[i];
		if (!cs_guid_is_zero(record->parent))
			record->row.parent =
				actor_of(written, record->row.container, record->parent);
		if (record->row.parent == i)
			record->row.parent = CS_NONE;
	}
}

/* Returns an integer that sorts like the double. */
static uint64_t ordered(double value)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof(bits));
	return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

/* Returns the row of the parent's level instance actor with the container's bounds, or CS_NONE. */
static uint32_t level_instance_of(const struct cs_written *written, const struct cs_sort_key *keys,
	size_t n, uint32_t container)
{
	const struct cs_box *bounds = &written->data->containers.at[container].bounds;
	const uint32_t parent = written->containers.at[container].parent;
	const uint64_t least = ordered(bounds->min.x - NEAR);
	size_t at = cs_lower_bound(
		0, n, i, keys[i].high < parent || (keys[i].high == parent && keys[i].low < least));
	enum { TRIES = 256 }; /* largest number of actors whose bounds are compared */
	for (size_t i = at; i < n && i < at + TRIES && keys[i].high == parent; i++) {
		const struct cs_cooked_actor *actor = &written->records.at[keys[i].index].row;
		if (!(actor->flags & CS_ACTOR_CONTAINER) &&
			cs_box_is_near(&actor->bounds, bounds, NEAR))
			return keys[i].index;
	}
	return CS_NONE;
}

static void link_containers(struct cs_written *written)
{
	struct cs_sort_key *keys = calloc(written->records.n + 1, sizeof(*keys));
	size_t n = 0;
	for (uint32_t i = 0; keys && i < written->records.n; i++) {
		const struct cs_cooked_actor *actor = &written->records.at[i].row;
		if (actor->flags & CS_ACTOR_LEVEL_INSTANCE && cs_box_valid(&actor->bounds))
			keys[n++] = (struct cs_sort_key){
				actor->container, ordered(actor->bounds.min.x), i};
	}
	written->failed |= !keys || !cs_sort_keys(keys, n);
	for (uint32_t c = 1; c < written->data->containers.n && !written->failed; c++) {
		uint32_t row = level_instance_of(written, keys, n, c);
		written->containers.at[c].actor = row;
		if (row != CS_NONE)
			written->records.at[row].row.flags |= CS_ACTOR_CONTAINER;
	}
	free(keys);
}

static void list_by_cell(struct cs_written *written)
{
	uint32_t total = 0;
	for (size_t i = 0; i < written->records.n; i++)
		if (written->records.at[i].row.cell != CS_NONE)
			written->cells.at[written->records.at[i].row.cell].actors.count++;
	for (size_t i = 0; i < written->cells.n; i++) {
		struct cs_range *range = &written->cells.at[i].actors;
		range->first = total;
		total += range->count;
		range->count = 0;
	}
	written->failed |= !cs_vec_reserve(&written->cell_actors, total);
	written->cell_actors.n = written->failed ? 0 : total;
	for (uint32_t i = 0; i < written->records.n && !written->failed; i++) {
		const struct cs_cooked_actor *actor = &written->records.at[i].row;
		if (actor->cell == CS_NONE)
			continue;
		struct cs_cooked_cell *cell = &written->cells.at[actor->cell];
		written->cell_actors.at[cell->actors.first + cell->actors.count++] = i;
		if (cell->flags & (CS_CELL_NO_BOXES | CS_CELL_ALWAYS_LOADED))
			cell->content = cs_box_union(&cell->content, &actor->bounds);
	}
}

/* ---- actor sets from clusters ---- */

static double extent_of(const struct cs_box *box)
{
	return cs_box_valid(box) ? fmax(box->max.x - box->min.x,
					   fmax(box->max.y - box->min.y, box->max.z - box->min.z))
				 : -1;
}

/* Adds an actor set of these members. name_largest() sets `largest` later. */
static void add_set(struct cs_written *written, const struct cs_sort_key *members, size_t n)
{
	const struct cs_cooked_actor *first = &written->records.at[members[0].index].row;
	const struct cs_cooked_cell *cell =
		first->cell == CS_NONE ? NULL : &written->cells.at[first->cell];
	struct cs_cooked_set set = {.bounds = CS_BOX_INVALID,
		.x = cell ? cell->x : 0,
		.y = cell ? cell->y : 0,
		.z = cell ? cell->z : 0,
		.level = cell ? cell->level : 0,
		.first_level = cell ? cell->level : 0,
		.container = first->container,
		.partition = cell ? cell->partition : CS_NONE,
		.cell = first->cell,
		.placement = first->placement,
		.members = {(uint32_t)written->set_members.n, (uint32_t)n}};
	for (size_t i = 0; i < n; i++) {
		struct cs_cooked_actor *actor = &written->records.at[members[i].index].row;
		actor->set = (uint32_t)written->sets.n;
		set.bounds = cs_box_union(&set.bounds, &actor->bounds);
		cs_vec_push_in(written, set_members, members[i].index);
	}
	cs_vec_push_in(written, sets, set);
}

/* Sets each set's `largest` to the largest actor of its cluster. Clusters may have several sets. */
static void name_largest(struct cs_written *written, struct cs_sort_key *keys, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct cs_written_actor *record = &written->records.at[keys[i].index];
		keys[i].high = record->row.container;
		keys[i].low = record->cluster;
	}
	written->failed |= !cs_sort_keys(keys, n);
	for (size_t i = 0, end; i < n && !written->failed; i = end) {
		uint32_t largest = keys[i].index;
		for (end = i;
			end < n && keys[end].high == keys[i].high && keys[end].low == keys[i].low;
			end++)
			if (extent_of(&written->records.at[keys[end].index].row.bounds) >
				extent_of(&written->records.at[largest].row.bounds))
				largest = keys[end].index;
		for (size_t k = i; k < end; k++)
			written->sets.at[written->records.at[keys[k].index].row.set].largest =
				largest;
	}
}

static void add_sets(struct cs_written *written)
{
	struct cs_sort_key *keys = calloc(written->records.n + 1, sizeof(*keys));
	size_t n = 0;
	for (uint32_t i = 0; keys && i < written->records.n; i++) {
		const struct cs_written_actor *record = &written->records.at[i];
		if (record->cluster == CS_NONE)
			continue;
		keys[n++] = (struct cs_sort_key){record->row.cell,
			(uint64_t)record->row.container << 32 | record->cluster, i};
	}
	written->failed |= !keys || !cs_sort_keys(keys, n);
	for (size_t i = 0, end; i < n && !written->failed; i = end) {
		for (end = i + 1;
			end < n && keys[end].high == keys[i].high && keys[end].low == keys[i].low;)
			end++;
		if (written->records.at[keys[i].index].row.cell != CS_NONE) {
			struct cs_range *owned =
				&written->cells.at[written->records.at[keys[i].index].row.cell]
					 .sets;
			owned->first = owned->count++ ? owned->first : (uint32_t)written->sets.n;
		}
		add_set(written, keys + i, end - i);
	}
	if (!written->failed)
		name_largest(written, keys, n);
	free(keys);
}

void cs_written_sort(struct cs_written *written)
{
	static void (*const steps[])(struct cs_written *) = {log_ordered_sort_cells,
		sort_cell_layers, log_ordered_sort_actors, link_containers, list_by_cell, add_sets};
	for (size_t i = 0; i < CS_COUNT_OF(steps) && !written->failed; i++)
		steps[i](written);
}
