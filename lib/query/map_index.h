/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of a level by their coordinates. */
#ifndef QUERY_MAP_INDEX_H
#define QUERY_MAP_INDEX_H

#include <cellscope/map.h>

#include "base/sort.h"

struct cs_map_index {
	const struct cs_cooked *world;
	uint32_t grid;
	int32_t level;
	struct cs_sort_key *keys; /* y and x, biased; the row */
	size_t n;
};

/* Over the cells of a rectangle, its ends included, row by row of coordinates. */
struct cs_map_walk {
	const struct cs_map_index *index;
	size_t at;
	int64_t x0, x1, y1;
};

struct cs_map_walk cs_map_walk_of(
	const struct cs_map_index *index, int64_t x0, int64_t y0, int64_t x1, int64_t y1);
bool cs_map_walk_next(struct cs_map_walk *walk, uint32_t *row_ret);

#endif
