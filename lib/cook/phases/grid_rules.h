/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of grids, and coordinates of cells in a grid. */
#pragma once

#include <cellscope/core.h>

struct cs_cell_coordinates {
	int64_t x, y, z;
	int32_t level;
};

/* Parameters of an LHGrid, a hierarchy of 3D grids (world-partition rule 1.6.4). */
struct cs_lhgrid {
	double cell_size;
	struct cs_vec3 origin;
	bool is_2d;
	bool quarter_demotion;
};

/* Parameters of a grid of the spatial hash (world-partition rule 1.7.2). */
struct cs_spatial_grid {
	double cell_size, origin_x, origin_y;
	uint32_t levels;
	uint32_t grid_size; /* cells per side on level 0, before the +1 of non-aligned levels */
	bool aligned;
};

#define CS_SPATIAL_GRID_LEVELS 32

struct cs_spatial_rules {
	bool small_by_location, partition_by_location;
};
