/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the engine names cells (ue-cooked rules 7.3, 14): composing names, and computing which cell
 * of a grid has a given key. core/identity.h computes package names and GUIDs from names.
 */
#pragma once

#include "ue/package/cell_name.h"

/* Formats a name without world, layers and bundle, such as "MainGrid_L0_X1_Y-2_Z0". */
void cs_ue_desc_name(const struct cs_ue_cell_name *cell, char ret[CS_UE_CELL_NAME]);

/* A spatial hash cell. Its key is (y + h) * side + x + h, h = side / 2 (ue-cooked rules 14). */
struct cs_ue_grid_cell {
	/* number of cells on each side of the level, and coordinates as in cell names */
	int64_t side, x, y;
	/* centre relative to the origin of the grid, and half the width of the cell, in cm */
	double centre_x, centre_y, extent;
};

/*
 * Computes the coordinates and the position of the cell with a key. An aligned level has a power of
 * two of cells on each side, and the top level one cell. A level that is not aligned has one cell
 * more (3, 5, 9, ..., but one on the top level) and is centred on the origin. `level` must be below
 * `levels`, and `levels` at most 40.
 */
struct cs_ue_grid_cell cs_ue_grid_cell_of_key(
	uint32_t level, uint32_t levels, bool aligned, double cell_size, int64_t key);
