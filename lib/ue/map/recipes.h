/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the engine names cells (ue-cooked rules 7.3, 14): parsing names, and computing which cell of
 * a grid has a given key. core/identity.h computes package names and GUIDs from names.
 */
#pragma once

#include <cellscope/core.h>

enum { CS_UE_CELL_NAME = 512 };

struct cs_ue_cell_name {
	char world[128]; /* "" if the name contains no world (5.1) */
	char grid[128];
	int32_t level;
	int64_t x, y, z;
	bool persistent; /* the name ends in "_Persistent" without coordinates */
	bool has_z;
	bool level_last; /* the form of 5.4, X_Y_Z_L with the level last */
	uint32_t layers_id, bundle;
};

/*
 * Parses the name of a cell. `world` is the short name of its map. Returns false for a name without
 * coordinates, such as a hash.
 */
bool cs_ue_read_cell_name(const char *name, const char *world, struct cs_ue_cell_name *ret);
/* Formats a name without world, layers and bundle, such as "MainGrid_L0_X1_Y-2_Z0". */
void cs_ue_desc_name(const struct cs_ue_cell_name *cell, char ret[CS_UE_CELL_NAME]);

/* A spatial hash cell by its key (y + h) * side + x + h with h = side / 2 (ue-cooked rules 14). */
struct cs_ue_grid_cell {
	/* number of cells on each side of the level; coordinates as in cell names */
	int64_t side, x, y;
	/* centre relative to the origin of the grid, and half the width of the cell; in cm */
	double centre_x, centre_y, extent;
};

/*
 * Computes the coordinates and the position of the cell that has a key. Each side of an aligned
 * level has a power of two of cells, down to one at the top. Levels that are not aligned have one
 * cell more (3, 5, 9, ...; the top level one) and are centred on the origin. Requires level <
 * levels <= 40.
 */
struct cs_ue_grid_cell cs_ue_grid_cell_of_key(
	uint32_t level, uint32_t levels, bool aligned, double cell_size, int64_t key);
