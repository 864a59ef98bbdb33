/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the cells. Sets with equal partition, coordinates, layers and content bundle share a cell
 * (world-partition rules 1.6.5, 1.6.6, 1.7.5). Cells are sorted by partition, level, coordinates,
 * layers and bundle, and sets by cell, so the order does not depend on the order in which cells
 * were made.
 */
#include "cook/phases/phases.h"

#include "cook/placement/grids.h"
#include "core/box.h"
#include "core/identity.h"
#include "core/large.h"
#include "core/sort.h"
#include <cellscope/cooked_values.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <limits.h>
#include <math.h>

/* Identifies a cell: sets with equal keys share it. Has no padding, as it is hashed as bytes. */
struct cell_key {
	int64_t x, y, z;
	int32_t level;
	uint32_t partition, layers_id, zero;
	struct cs_guid content_bundle;
};

struct cell_draft {
	struct cell_key key;
	struct cs_box content; /* box around all sets in the cell */
	uint32_t rank;
};

struct cs_cell_maker {
	struct cs_cook *cook;
	CS_VEC(struct cell_draft) cells;
	struct cs_slots slots; /* finds cells by key */
	/* for each layer list without external layer: its layers_id; 0 = not computed */
	uint32_t *layer_ids;
};

/* ---- ids of layer lists ---- */

static const char *layer_name(const struct cs_cook *cook, uint32_t row)
{
	return cs_world_text(cook->world, cook->world->layers.at[cook->layers.sources[row]].name);
}

static int by_layer_name(const void *left, const void *right, void *context)
{
	const char *l = layer_name(context, *(const uint32_t *)left);
	const char *r = layer_name(context, *(const uint32_t *)right);
	int folded = cs_name_compare(l, r);
	return folded ? folded : strcmp(l, r);
}

bool cs_cell_layers(struct cs_cook *cook, const struct cs_actor_set *set, struct cs_layer_rows *ret)
{
	struct cs_range range = cs_lists_range(&cook->lists, set->layers);
	ret->n = 0;
	if (!cs_vec_reserve(ret, (size_t)range.count + 1))
		return false;
	for (uint32_t i = 0; i < range.count; i++)
		ret->at[ret->n++] = cook->lists.values.at[range.first + i];
	return cs_sort(ret->at, ret->n, sizeof(uint32_t), by_layer_name, cook);
}

/*
 * Computes the id of a set's layers: a 32-bit CRC chained over their sorted names, including that
 * of the external layer; 0 without layers. Returns false when memory runs out.
 */
static bool layers_id(struct cs_cell_maker *maker, const struct cs_actor_set *set, uint32_t *ret)
{
	struct cs_layer_rows rows = {0};
	*ret = 0;
	if (!set->layers && set->external_layer == CS_NONE)
		return true;
	if (set->external_layer == CS_NONE && maker->layer_ids[set->layers]) {
		*ret = maker->layer_ids[set->layers];
		return true;
	}
	bool good = cs_cell_layers(maker->cook, set, &rows);
	if (good && set->external_layer != CS_NONE) {
		rows.at[rows.n++] = set->external_layer;
		good = cs_sort(rows.at, rows.n, sizeof(uint32_t), by_layer_name, maker->cook);
	}
	for (size_t i = 0; good && i < rows.n; i++)
		*ret = cs_identity_crc(*ret, layer_name(maker->cook, rows.at[i]));
	cs_vec_free(&rows);
	if (set->external_layer == CS_NONE)
		maker->layer_ids[set->layers] = *ret;
	return good;
}

/* ---- grouping sets into cells ---- */

static uint64_t cells_hash_of(const void *context, uint32_t cell)
{
	const struct cs_cell_maker *maker = context;
	return XXH3_64bits(&maker->cells.at[cell].key, sizeof(struct cell_key));
}

static bool cell_of_key(
	struct cs_cell_maker *maker, const struct cell_key *key, uint64_t hash, uint32_t *ret)
{
	if (!cs_slots_grow(&maker->slots, cells_hash_of, maker))
		return false;
	uint32_t *slot = cs_slots_find(&maker->slots, hash, cell,
		memcmp(&maker->cells.at[cell].key, key, sizeof(*key)) == 0);
	*ret = *slot ? cs_slot_row(slot) : (uint32_t)maker->cells.n;
	if (*slot)
		return true;
	cs_slots_put(&maker->slots, slot, *ret);
	return cs_vec_push(
		&maker->cells, (struct cell_draft){.key = *key, .content = CS_BOX_INVALID});
}

static struct cs_cell_maker *new_maker(struct cs_cook *cook)
{
	struct cs_cell_maker *maker = calloc(1, sizeof(*maker));
	if (!maker)
		return NULL;
	maker->cook = cook;
	maker->layer_ids = calloc(cook->lists.lists.n + 1, sizeof(*maker->layer_ids));
	if (maker->layer_ids)
		return maker;
	free(maker);
	return NULL;
}

void cs_cell_maker_free(struct cs_cell_maker *maker)
{
	if (!maker)
		return;
	cs_vec_free(&maker->cells);
	cs_slots_deinit(&maker->slots);
	free(maker->layer_ids);
	free(maker);
}

/* Number of actor sets whose cells are looked up in one batch. */
enum { CALLED = 16 };

struct call {
	struct cell_key key;
	uint64_t hash;
};

static bool make_calls(struct cs_cell_maker *maker, const struct cs_actor_set *sets,
	const struct cs_set_spot *spots, size_t n, struct call calls[CALLED])
{
	for (size_t i = 0; i < n; i++) {
		const struct cs_cell_coordinates at = spots[i].at;
		struct cell_key *key = &calls[i].key;
		*key = (struct cell_key){at.x, at.y, at.z, at.level, sets[i].partition, 0, 0,
			maker->cook->placed.instances.at[sets[i].instance].content_bundle};
		if (sets[i].partition != CS_NONE && !layers_id(maker, &sets[i], &key->layers_id))
			return false;
		calls[i].hash = XXH3_64bits(key, sizeof(*key));
	}
	return true;
}

/* Prefetches the cells of a batch of sets: sets in GUID order have cells at random addresses. */
CS_EXPECTING void expect_cells(
	const struct cs_cell_maker *maker, const struct call *calls, size_t n)
{
	for (size_t i = 0; maker->slots.at && i < n; i++)
		__builtin_prefetch(&maker->slots.at[calls[i].hash & maker->slots.mask]);
	for (size_t i = 0; maker->slots.at && i < n; i++) {
		const uint32_t likely =
			cs_slot_row(&maker->slots.at[calls[i].hash & maker->slots.mask]);
		if (likely == CS_NONE)
			continue;
		__builtin_prefetch(&maker->cells.at[likely].key);
		__builtin_prefetch(&maker->cells.at[likely].content);
	}
}

static bool group_some(struct cs_cell_maker *maker, struct cs_actor_set *sets,
	const struct cs_set_spot *spots, size_t n)
{
	struct call calls[CALLED];
	if (!make_calls(maker, sets, spots, n, calls))
		return false;
	expect_cells(maker, calls, n);
	for (size_t i = 0; i < n; i++) {
		if (sets[i].partition == CS_NONE)
			continue;
		if (!cell_of_key(maker, &calls[i].key, calls[i].hash, &sets[i].cell))
			return false;
		if (cs_box_valid(&spots[i].bounds))
			cs_box_take(&maker->cells.at[sets[i].cell].content, &spots[i].bounds);
	}
	return true;
}

struct cs_error *cs_cells_group(
	struct cs_cook *cook, uint32_t first, size_t n, const struct cs_set_spot *spots)
{
	if (!cook->celled.maker)
		cook->celled.maker = new_maker(cook);
	struct cs_cell_maker *maker = cook->celled.maker;
	if (!maker)
		return cs_error_nomem();
	for (size_t i = 0; i < n; i += CALLED)
		if (!group_some(maker, &cook->grouped.sets.at[first + i], spots + i,
			    n - i < CALLED ? n - i : CALLED))
			return cs_error_nomem();
	return NULL;
}

/* ---- sorting cells and sets ---- */

/* Parts of a cell's key, from the least significant one to the most significant one. */
enum { BY_BUNDLE, BY_Z_AND_LAYERS, BY_X_AND_Y, BY_PARTITION_AND_LEVEL, KEY_PARTS };

static struct cell_key least_coordinates(const struct cs_cell_maker *maker)
{
	struct cell_key least = {.x = INT64_MAX, .y = INT64_MAX, .z = INT64_MAX, .level = INT_MAX};
	for (size_t i = 0; i < maker->cells.n; i++) {
		const struct cell_key *key = &maker->cells.at[i].key;
		least.x = key->x < least.x ? key->x : least.x;
		least.y = key->y < least.y ? key->y : least.y;
		least.z = key->z < least.z ? key->z : least.z;
		least.level = key->level < least.level ? key->level : least.level;
	}
	return least;
}

/* Returns part `part` of a cell's key, relative to `least` so that the sort skips more 0 bytes. */
static struct cs_sort_key sort_key_of(
	const struct cell_key *key, const struct cell_key *least, int part, uint32_t cell)
{
	switch (part) {
	case BY_BUNDLE:
		return cs_sort_key_of_guid(key->content_bundle, cell);
	case BY_Z_AND_LAYERS:
		return (struct cs_sort_key){
			(uint64_t)key->z - (uint64_t)least->z, key->layers_id, cell};
	case BY_X_AND_Y:
		return (struct cs_sort_key){(uint64_t)key->x - (uint64_t)least->x,
			(uint64_t)key->y - (uint64_t)least->y, cell};
	default:
		return (struct cs_sort_key){
			key->partition, (uint32_t)key->level - (uint32_t)least->level, cell};
	}
}

/* Returns the cells, sorted by one part of their keys after the other; NULL = no memory. */
static struct cs_sort_key *sorted_cells(const struct cs_cell_maker *maker)
{
	const struct cell_key least = least_coordinates(maker);
	const uint32_t n = (uint32_t)maker->cells.n;
	struct cs_sort_key *order = cs_large_malloc(((size_t)n + 1) * sizeof(*order));
	bool good = order;
	for (uint32_t i = 0; good && i < n; i++)
		order[i].index = i;
	for (int part = 0; good && part < KEY_PARTS; part++) {
		for (uint32_t i = 0; i < n; i++)
			order[i] = sort_key_of(
				&maker->cells.at[order[i].index].key, &least, part, order[i].index);
		good = cs_sort_keys(order, n);
	}
	if (good)
		return order;
	free(order);
	return NULL;
}

static struct cs_error *rank(struct cs_cell_maker *maker)
{
	struct cs_cook *cook = maker->cook;
	uint32_t n = (uint32_t)maker->cells.n;
	struct cs_sort_key *order = sorted_cells(maker);
	bool good = order;
	for (uint32_t i = 0; good && i < n; i++)
		maker->cells.at[order[i].index].rank = i;
	good = good && cs_vec_reserve(&cook->celled.cells, n);
	for (uint32_t i = 0; good && i < n; i++) {
		const struct cell_draft *draft = &maker->cells.at[order[i].index];
		cook->celled.cells.at[cook->celled.cells.n++] = (struct cs_cook_cell){
			.at = {draft->key.x, draft->key.y, draft->key.z, draft->key.level},
			.layers_id = draft->key.layers_id,
			.content = draft->content};
	}
	for (uint32_t i = 0; good && i < cook->grouped.sets.n; i++)
		if (cook->grouped.sets.at[i].cell != CS_NONE)
			cook->grouped.sets.at[i].cell =
				maker->cells.at[cook->grouped.sets.at[i].cell].rank;
	free(order);
	return good ? NULL : cs_error_nomem();
}

/*
 * Returns the indices of the sets in the order of their cells, those without a cell last, and
 * stores in each cell the range of its sets. NULL = no memory.
 */
static uint32_t *order_sets(struct cs_cook *cook)
{
	const size_t n = cook->grouped.sets.n, cells = cook->celled.cells.n;
	const struct cs_actor_set *sets = cook->grouped.sets.at;
	uint32_t *starts = calloc(cells + 2, sizeof(*starts));
	uint32_t *order = cs_large_malloc((n + 1) * sizeof(*order));
	if (!starts || !order) {
		free(starts);
		free(order);
		return NULL;
	}
	for (size_t i = 0; i < n; i++)
		starts[(sets[i].cell == CS_NONE ? cells : sets[i].cell) + 1]++;
	for (size_t c = 0; c <= cells; c++)
		starts[c + 1] += starts[c];
	for (size_t c = 0; c < cells; c++)
		cook->celled.cells.at[c].sets =
			(struct cs_range){starts[c], starts[c + 1] - starts[c]};
	for (uint32_t i = 0; i < n; i++)
		order[starts[sets[i].cell == CS_NONE ? cells : sets[i].cell]++] = i;
	free(starts);
	return order;
}

/* Replaces *at by a new array that contains its n items in the order of `order`. */
static bool move_to_order(void **at, size_t size, const uint32_t *order, size_t n)
{
	void *sorted = cs_large_malloc((n ? n : 1) * size);
	const bool good = sorted && cs_gather(sorted, *at, size, order, n);
	free(good ? *at : sorted);
	if (good)
		*at = sorted;
	return good;
}

/* Sorts sets, and their extents if these were computed, by the cells of the sets. */
static struct cs_error *cells_sort_sets(struct cs_cook *cook)
{
	struct cs_cook_grouped *grouped = &cook->grouped;
	const size_t n = grouped->sets.n;
	uint32_t *order = order_sets(cook);
	bool good = order &&
		    move_to_order((void **)&grouped->sets.at, sizeof(*grouped->sets.at), order, n);
	if (good && grouped->extents)
		good = move_to_order(
			(void **)&grouped->extents, sizeof(*grouped->extents), order, n);
	if (good)
		grouped->sets.room = n;
	free(order);
	return good ? NULL : cs_error_nomem();
}

/* Sorts `members` by their sets, and stores in each actor row the index of its set. */
static struct cs_error *sort_members(struct cs_cook *cook)
{
	size_t n = cook->grouped.members.n, done = 0;
	uint32_t *sorted = cs_large_malloc((n ? n : 1) * sizeof(*sorted));
	if (!sorted)
		return cs_error_nomem();
	for (uint32_t i = 0; i < cook->grouped.sets.n; i++) {
		struct cs_range *members = &cook->grouped.sets.at[i].members;
		for (uint32_t k = 0; k < members->count; k++) {
			uint32_t row = cook->grouped.members.at[members->first + k];
			cook->grouped.set_of_row[row] = i;
			sorted[done + k] = row;
		}
		members->first = (uint32_t)done;
		done += members->count;
	}
	free(cook->grouped.members.at);
	cook->grouped.members.at = sorted;
	cook->grouped.members.room = n;
	return NULL;
}

/* ---- bounds of cells ---- */

static struct cs_box cell_box(
	const struct cs_cook_partition *partition, struct cs_cell_coordinates at)
{
	if (partition->row.partition_class == CS_PARTITION_LHGRID && at.level >= 0) {
		const struct cs_lhgrid grid = {.cell_size = partition->row.cell_size,
			.origin = partition->row.origin,
			.is_2d = partition->row.flags & CS_PARTITION_2D};
		return cs_lhgrid_cell_box(&grid, at);
	}
	if (partition->row.partition_class == CS_PARTITION_SPATIAL_GRID) {
		uint32_t level = (uint32_t)at.level;
		int64_t half = cs_spatial_grid_size(&partition->spatial_grid, level) >> 1;
		return cs_spatial_grid_cell_box(
			&partition->spatial_grid, level, at.x + half, at.y + half);
	}
	return CS_BOX_INVALID;
}

static struct cs_box cells_clip(const struct cs_box *content, const struct cs_box *cell)
{
	struct cs_box box = {
		{fmax(content->min.x, cell->min.x), fmax(content->min.y, cell->min.y),
			fmax(content->min.z, cell->min.z)},
		{fmin(content->max.x, cell->max.x), fmin(content->max.y, cell->max.y),
			fmin(content->max.z, cell->max.z)},
	};
	return cs_box_valid(&box) ? box : *content;
}

static void find_bounds(struct cs_cook *cook, struct cs_cook_cell *cell)
{
	const struct cs_actor_set *first = &cook->grouped.sets.at[cell->sets.first];
	const struct cs_cook_partition *partition = &cook->grids.partitions.at[first->partition];
	cell->box = cell_box(partition, cell->at);
	if (partition->row.partition_class == CS_PARTITION_LEVEL_STREAMING && cell->at.level >= 0)
		cell->box = cell->content;
	if (partition->row.partition_class != CS_PARTITION_LHGRID || !cs_box_valid(&cell->box) ||
		!cs_box_valid(&cell->content))
		return;
	if (partition->bounds_method == CS_BOUNDS_CELL)
		cell->content = cell->box;
	else if (partition->bounds_method == CS_BOUNDS_MIN_CONTENT_CELL)
		cell->content = cells_clip(&cell->content, &cell->box);
}

struct cs_error *cs_cook_cells(struct cs_cook *cook)
{
	struct cs_error *error = cook->celled.maker ? rank(cook->celled.maker) : NULL;
	if (!error)
		error = cells_sort_sets(cook);
	if (!error)
		error = sort_members(cook);
	for (size_t i = 0; !error && i < cook->celled.cells.n; i++)
		find_bounds(cook, &cook->celled.cells.at[i]);
	cs_cell_maker_free(cook->celled.maker);
	cook->celled.maker = NULL;
	return error;
}
