/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An index of the cells in one level of a grid, sorted by y, x and row, so that the cost of a
 * picture depends on the cells that it shows and not on the size of the world. It also has the
 * values of cells that a picture sums.
 */
#include "query/picture/map_index.h"

#include "core/search.h"
#include "core/sort.h"
#include "format/cooked_inside.h"
#include "format/file_inside.h"

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

/* Values of a cell, collected in the order of the table of cells before the keys are sorted. */
struct cell_facts {
	uint32_t actors;
	bool layered;
};

/* Lists the cells of the level in the index; stores values of all cells of the grid in `facts`. */
static struct cs_error *list_keys(
	struct cs_map_index *index, struct cs_range range, struct cell_facts *facts)
{
	static const struct cs_record_byte fields[] = {
		{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, box)},
		{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, x)},
		{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, y)},
		{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, level)},
		{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, layers)},
		{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, actors)}};
	const struct cs_cooked_loop loop =
		cs_cooked_loop((struct cs_cooked *)index->world, fields, CS_COUNT_OF(fields));
	for (uint32_t i = 0; i < range.count; i++) {
		const uint32_t row = range.first + i;
		const struct cs_cooked_cell *cell = cs_cooked_cell(index->world, row);
		facts[i] = (struct cell_facts){cell->actors.count, cell->layers.count > 0};
		if (cell->level == index->level && cs_box_valid(&cell->box))
			index->keys[index->n++] = (struct cs_sort_key){
				cs_map_biased(cell->y), cs_map_biased(cell->x), row};
		cs_cooked_loop_step(&loop, row);
	}
	return cs_cooked_loop_end(&loop);
}

static struct cs_error *fill_index(
	struct cs_map_index *index, struct cs_range range, struct cell_facts *facts)
{
	index->keys = malloc(((size_t)range.count + 1) * sizeof(*index->keys));
	index->bytes = calloc(1, sizeof(*index->bytes));
	if (!index->keys || !index->bytes)
		return cs_error_nomem();
	struct cs_error *error = list_keys(index, range, facts);
	if (error)
		return error;
	index->actors = malloc((index->n + 1) * sizeof(*index->actors));
	index->layered = malloc((index->n + 1) * sizeof(*index->layered));
	if (!index->actors || !index->layered || !cs_sort_keys(index->keys, index->n))
		return cs_error_nomem();
	for (size_t i = 0; i < index->n; i++) {
		const struct cell_facts *at = &facts[index->keys[i].index - range.first];
		index->actors[i] = at->actors;
		if (at->layered)
			index->layered[index->n_layered++] = (uint32_t)i;
	}
	return NULL;
}

struct cs_error *cs_map_index_new(
	const struct cs_cooked *world, uint32_t grid, int32_t level, struct cs_map_index **ret)
{
	if (grid >= world->n_partitions)
		return cs_error_new(CS_E_NOGRID,
			"the world has no grids, so there is no map to draw: `cells` lists its "
			"cells");
	const struct cs_range range = world->partitions[grid].cells;
	struct cs_map_index *index = calloc(1, sizeof(*index));
	struct cell_facts *facts = malloc(((size_t)range.count + 1) * sizeof(*facts));
	struct cs_error *error = index && facts ? NULL : cs_error_nomem();
	if (!error) {
		index->world = world;
		index->grid = grid;
		index->level = level;
		error = fill_index(index, range, facts);
	}
	free(facts);
	if (error)
		cs_map_index_free(index);
	else
		*ret = index;
	return error;
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
