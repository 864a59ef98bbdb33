/* SPDX-License-Identifier: Apache-2.0 */
/* Index of the cells in one level of a grid, sorted by their coordinates. */
#pragma once

#include <cellscope/query.h>

#include "core/sort.h"
#include "stream/stream_inside.h"

struct cs_map_index {
	const struct cs_cooked *world;
	uint32_t grid;
	int32_t level;
	/* high and low are y and x of a cell as cs_map_biased() numbers; index is its row */
	struct cs_sort_key *keys;
	size_t n;
	/*
	 * for each entry of `keys`: number of actors in the cell, so that summing them reads no
	 * cells
	 */
	uint32_t *actors;
	/* ascending indices in `keys` of cells with data layers, which may be CS_MAP_LAYER_OFF */
	uint32_t *layered;
	size_t n_layered;
	struct cs_map_bytes *bytes;
};

/* Sizes of the cells by a run's load model; computed anew for a run with another model. */
struct cs_map_bytes {
	/* bytes of the cell of each entry of the index; NULL before the first picture of a run */
	uint32_t *at;
	struct cs_stream_load_sizes sizes;
	bool fits; /* the bytes of each cell fit in 32 bits */
};

/* Converts a signed number to an unsigned one, keeping order; cs_map_unbiased reverses this. */
static inline uint64_t cs_map_biased(int64_t coordinate)
{
	return (uint64_t)coordinate ^ UINT64_C(1) << 63;
}

static inline int64_t cs_map_unbiased(uint64_t biased)
{
	return (int64_t)(biased ^ UINT64_C(1) << 63);
}

/* Returns last - first, without overflow for any coordinates that a file may contain. */
static inline uint64_t cs_map_span(int64_t first, int64_t last)
{
	return (uint64_t)last - (uint64_t)first;
}

/* Returns the last coordinate that `places` characters show, `zoom` each; at most INT64_MAX. */
static inline int64_t cs_map_last_of(int64_t first, uint64_t zoom, size_t places)
{
	uint64_t room = cs_map_span(first, INT64_MAX);
	if (zoom > room / places)
		return INT64_MAX;
	return (int64_t)((uint64_t)first + zoom * places - 1);
}

/*
 * Returns the index in index->keys of the first key at or after (x, y), in the order by y, then x.
 */
size_t cs_map_first_from(const struct cs_map_index *index, int64_t x, int64_t y);

/* Iterator over the cells in a rectangle of coordinates (borders included), by y, then x. */
struct cs_map_walk {
	const struct cs_map_index *index;
	size_t at;
	int64_t x0, x1, y1;
};

struct cs_map_walk cs_map_walk_of(
	const struct cs_map_index *index, int64_t x0, int64_t y0, int64_t x1, int64_t y1);
bool cs_map_walk_next(struct cs_map_walk *walk, uint32_t *row_ret);
