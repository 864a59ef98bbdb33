/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the map's overlays. */
#pragma once

#include <cellscope/runs.h>

/* Key of a place whose cells have different data layers. */
#define CS_SEVERAL_LAYERS 54u

struct cs_drawing {
	const struct cs_map_request *request;
	struct cs_map *map;
	uint64_t frame;
	uint32_t *ranks;         /* PRIORITY: rank of each cell, 0 = none */
	unsigned char *of_layer; /* LAYERS: key of each data layer */
	unsigned char *of_cell;  /* HLOD: key of each cell */
};

struct cs_overlay {
	const struct cs_map_key *keys;
	size_t n_keys;
	void (*legend)(struct cs_map *map); /* writes the legend when keys depend on the picture */
	struct cs_error *(*prepare)(struct cs_drawing *drawing);
	unsigned (*key)(const struct cs_drawing *drawing, uint32_t cell);
	bool needs_run;
};

extern const struct cs_overlay cs_overlays[CS_MAP_OVERLAYS + 1];

/* Returns 0 for none, 1 up to 64 KiB, 2 up to 256 KiB ... 9 for more. */
unsigned cs_bytes_magnitude(uint64_t bytes);
