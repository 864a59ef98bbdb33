/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the actor sets that make a cell large, sorted by their extent. */
#include <cellscope/cook.h>

#include "cook/placement/grids.h"
#include "core/sort.h"
#include "core/vec.h"
#include "format/cooked_inside.h"

#include <math.h>
#include <stdlib.h>

static double stands_out(const struct cs_box *box, const struct cs_box *cell)
{
	const double sides[] = {cell->min.x - box->min.x, cell->min.y - box->min.y,
		box->max.x - cell->max.x, box->max.y - cell->max.y};
	double most = 0;
	for (size_t i = 0; i < CS_COUNT_OF(sides); i++)
		most = fmax(most, sides[i]);
	return most;
}

static int largest_first(const void *left, const void *right, void *context)
{
	const struct cs_set_size *l = left, *r = right;
	(void)context;
	return l->extent > r->extent ? -1 : l->extent < r->extent;
}

struct cs_error *cs_cell_sets(
	const struct cs_cooked *cooked, uint32_t cell, struct cs_set_size **ret, size_t *n_ret)
{
	const struct cs_cooked_cell *at = cs_cooked_cell(cooked, cell);
	struct cs_set_size *sizes = calloc((size_t)at->sets.count + 1, sizeof(*sizes));
	if (!sizes)
		return cs_error_nomem();
	const bool flat = cs_partition_is_flat(&cooked->partitions[at->partition]);
	for (uint32_t i = 0; i < at->sets.count; i++) {
		const struct cs_cooked_set *set = cs_cooked_set(cooked, at->sets.first + i);
		const struct cs_box *bounds = &set->bounds;
		bool bounded = cs_box_valid(bounds), placed = bounded && cs_box_valid(&at->box);
		sizes[i] = (struct cs_set_size){at->sets.first + i, *set,
			bounded ? cs_longest_extent(bounds, flat) : 0,
			placed ? stands_out(bounds, &at->box) : 0};
	}
	if (!cs_sort(sizes, at->sets.count, sizeof(*sizes), largest_first, NULL)) {
		free(sizes);
		return cs_error_nomem();
	}
	*ret = sizes;
	*n_ret = at->sets.count;
	return NULL;
}
