/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the engine names cells (ue-cooked rules 7.3, 14): the parts of a name, and the cell of the
 * grid that a key identifies. core/identity.h computes packages and GUIDs from names.
 */
#pragma once

#include <cellscope/core.h>

enum { CS_UE_CELL_NAME = 512 };

/* The parts of a cell's name. */
struct cs_ue_cell_name {
	char world[128]; /* "" when the name has none (5.1) */
	char grid[128];
	int32_t level;
	int64_t x, y, z;
	bool persistent; /* the name ends in "_Persistent" and has no coordinates */
	bool has_z;
	bool level_last; /* the name has the form X_Y_Z_L of 5.4, with the level last */
	uint32_t layers_id, bundle;
};

/*
 * Parses a name. `world` is the map's short name. Returns false when the name has no place in a
 * grid, as a hashed name.
 */
bool cs_ue_read_cell_name(const char *name, const char *world, struct cs_ue_cell_name *ret);
/* Returns "MainGrid_L0_X1_Y-2_Z0": the name without world, layers and bundle. */
void cs_ue_desc_name(const struct cs_ue_cell_name *cell, char ret[CS_UE_CELL_NAME]);

/* A cell of the spatial hash from its key (ue-cooked rules 14): key = (y + h) * N + x + h. */
struct cs_ue_grid_cell {
	/* number of cells on each side of the level; the cell's coordinates as in its name */
	int64_t side, x, y;
	double centre_x, centre_y, extent; /* distances from the origin of the grid */
};

/*
 * Aligned levels have a power of two of cells on each side and halve down to one. Levels that are
 * not aligned have one cell more (3, 5, 9 ...; the top level one cell) and are centred. `level` is
 * below `levels`, which is at most 40.
 */
struct cs_ue_grid_cell cs_ue_grid_cell_of_key(
	uint32_t level, uint32_t levels, bool aligned, double cell_size, int64_t key);
