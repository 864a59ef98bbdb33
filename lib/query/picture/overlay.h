/* SPDX-License-Identifier: Apache-2.0 */
/* The overlays of the map (states, bytes, data layers and so on), as a table of functions. */
#pragma once

#include <cellscope/query.h>
#include <cellscope/runs.h>

/* Key of a place with a cell in several data layers, or with cells in different data layers. */
#define CS_SEVERAL_LAYERS 54u

struct cs_drawing {
	const struct cs_map_request *request;
	struct cs_map *map;
	uint64_t frame;
	/* for the overlay PRIORITY: rank of each cell in the loading order, 0 = none */
	uint32_t *ranks;
	/* for the overlay LAYERS: index of the key (map->keys) of each data layer */
	unsigned char *of_layer;
	unsigned char *of_cell; /* for the overlay HLOD: index of the key of each cell */
};

struct cs_overlay {
	const struct cs_map_key *keys;
	size_t n_keys;
	/* writes the legend if the keys depend on the picture; else NULL */
	void (*legend)(struct cs_map *map);
	struct cs_error *(*prepare)(struct cs_drawing *drawing);
	unsigned (*key)(const struct cs_drawing *drawing, uint32_t cell);
	bool needs_run;
};

extern const struct cs_overlay cs_overlays[CS_MAP_OVERLAYS + 1];

/* Returns the digit for a size: 0 for 0, 1 up to 64 KiB, 2 up to 256 KiB and so on, at most 9. */
unsigned cs_bytes_magnitude(uint64_t bytes);

/* ---- map_summed.c: maps with many cells per character, drawn by adding up ranges of cells ---- */

/*
 * Returns whether the picture can be drawn from sums over the cells of an index; it must show
 * states and have a zoom of LEAST_ZOOM or more. If so, stores the sizes of the cells in that index.
 */
bool cs_map_is_summed(const struct cs_drawing *drawing);
/* Fills all places of the picture, except for the members that finish_place() in map.c computes. */
struct cs_error *cs_map_draw_summed(struct cs_drawing *drawing) CS_MUST_USE;
