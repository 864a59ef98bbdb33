/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the engine names cells (ue-cooked rules 7.3, 14): what a name says, and the place that a key
 * of the grid says. What names become, packages and GUIDs, is in core/identity.h.
 */
#pragma once

#include <cellscope/core.h>

enum { CS_UE_CELL_NAME = 512 };

/* What a cell's name says. */
struct cs_ue_cell_name {
	char world[128]; /* "" where the name has none (5.1) */
	char grid[128];
	int32_t level;
	int64_t x, y, z;
	bool persistent; /* "..._Persistent": no coordinates */
	bool has_z;
	bool level_last; /* X_Y_Z_L, as 5.4 writes it */
	uint32_t layers_id, bundle;
};

/*
 * Takes a name apart; `world` is the map's short name. False when it has no place in a grid, as a
 * hashed name has none.
 */
bool cs_ue_read_cell_name(const char *name, const char *world, struct cs_ue_cell_name *ret);
/* "MainGrid_L0_X1_Y-2_Z0": the name without world, layers and bundle. */
void cs_ue_desc_name(const struct cs_ue_cell_name *cell, char ret[CS_UE_CELL_NAME]);

/* A cell of the spatial hash by its key (ue-cooked rules 14): key = (y + h) * N + x + h. */
struct cs_ue_grid_cell {
	int64_t side, x, y;                /* cells a side of the level; coordinates as in names */
	double centre_x, centre_y, extent; /* from the origin of the grid */
};

/*
 * Levels that are aligned have a power of two of cells a side and halve up to one; the others have
 * one more, 1 3 5 9, and are centred. `level` is below `levels`, at most 40 of them.
 */
struct cs_ue_grid_cell cs_ue_grid_cell_of_key(
	uint32_t level, uint32_t levels, bool aligned, double cell_size, int64_t key);
