/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An index of the cells in one level of a grid, sorted by y, x and row, so that the cost of a
 * picture depends on the cells that it shows and not on the size of the world. It also has the
 * values of cells that a picture sums.
 */
#include "query/picture/map_index.h"

#include "core/search.h"
#include "core/sort.h"

#include <stdlib.h>

void cs_map_index_free(struct cs_map_index *index)
{
	if (!index)
		return;
	if (index->bytes)
		free(index->bytes->at);
	free(index->bytes);
	free(index->actors);
	free(index->layered);
	free(index->keys);
	free(index);
}

/* Counts each cell's actors, and notes which cells have data layers; false = no memory. */
static bool gather_facts(struct cs_map_index *index)
{
	size_t n = 0;
	index->bytes = calloc(1, sizeof(*index->bytes));
	index->actors = malloc((index->n + 1) * sizeof(*index->actors));
	for (size_t i = 0; index->actors && i < index->n; i++) {
		const struct cs_cooked_cell *cell =
			cs_cooked_cell(index->world, index->keys[i].index);
		index->actors[i] = cell->actors.count;
		n += cell->layers.count > 0;
	}
	index->layered = malloc((n + 1) * sizeof(*index->layered));
	for (size_t i = 0; n > 0 && index->layered && i < index->n; i++)
		if (cs_cooked_cell(index->world, index->keys[i].index)->layers.count > 0)
			index->layered[index->n_layered++] = (uint32_t)i;
	return index->bytes && index->actors && index->layered;
}

struct cs_error *cs_map_index_new(
	const struct cs_cooked *world, uint32_t grid, int32_t level, struct cs_map_index **ret)
{
	if (grid >= world->n_partitions)
		return cs_error_new(CS_E_NOGRID, "the world has no grids");
	struct cs_range range = world->partitions[grid].cells;
	struct cs_map_index *index = calloc(1, sizeof(*index));
	struct cs_sort_key *keys = malloc(((size_t)range.count + 1) * sizeof(*keys));
	bool done = index && keys;
	for (uint32_t i = range.first; done && i < range.first + range.count; i++) {
		const struct cs_cooked_cell *cell = cs_cooked_cell(world, i);
		if (cell->level == level && cs_box_valid(&cell->box))
			keys[index->n++] = (struct cs_sort_key){
				cs_map_biased(cell->y), cs_map_biased(cell->x), i};
	}
	if (!done || !cs_sort_keys(keys, index->n)) {
		free(index);
		free(keys);
		return cs_error_nomem();
	}
	index->world = world;
	index->grid = grid;
	index->level = level;
	index->keys = keys;
	if (!gather_facts(index)) {
		cs_map_index_free(index);
		return cs_error_nomem();
	}
	*ret = index;
	return NULL;
}

size_t cs_map_first_from(const struct cs_map_index *index, int64_t x, int64_t y)
{
	const struct cs_sort_key *keys = index->keys;
	const uint64_t by = cs_map_biased(y), bx = cs_map_biased(x);
	return cs_lower_bound(
		0, index->n, i, keys[i].high < by || (keys[i].high == by && keys[i].low < bx));
}

bool cs_map_walk_next(struct cs_map_walk *walk, uint32_t *row_ret)
{
	const struct cs_map_index *index = walk->index;
	while (walk->at < index->n) {
		const struct cs_sort_key *key = &index->keys[walk->at];
		if (key->high > cs_map_biased(walk->y1))
			return false;
		if (key->low >= cs_map_biased(walk->x0) && key->low <= cs_map_biased(walk->x1)) {
			*row_ret = key->index;
			walk->at++;
			return true;
		}
		/* outside of the rectangle: skip to its left border in this or the next row */
		int64_t y = cs_map_unbiased(key->high);
		if (key->low > cs_map_biased(walk->x1)) {
			if (y == INT64_MAX)
				return false;
			y++;
		}
		walk->at = cs_map_first_from(index, walk->x0, y);
	}
	return false;
}

struct cs_map_walk cs_map_walk_of(
	const struct cs_map_index *index, int64_t x0, int64_t y0, int64_t x1, int64_t y1)
{
	return (struct cs_map_walk){index, cs_map_first_from(index, x0, y0), x0, x1, y1};
}
