/* SPDX-License-Identifier: Apache-2.0 */
/* Composes the names of cells, and computes coordinates from keys of the spatial hash. */
#include "ue/map/recipes.h"

#include <inttypes.h>
#include <stdio.h>

void cs_ue_desc_name(const struct cs_ue_cell_name *cell, char ret[CS_UE_CELL_NAME])
{
	char z[32] = "";
	if (cell->persistent) {
		snprintf(ret, CS_UE_CELL_NAME, "%s_Persistent", cell->grid);
	} else if (cell->level_last) {
		snprintf(ret, CS_UE_CELL_NAME, "%s_%" PRId64 "_%" PRId64 "_%" PRId64 "_%d",
			cell->grid, cell->x, cell->y, cell->z, cell->level);
	} else {
		if (cell->has_z)
			snprintf(z, sizeof(z), "_Z%" PRId64, cell->z);
		snprintf(ret, CS_UE_CELL_NAME, "%s_L%d_X%" PRId64 "_Y%" PRId64 "%s", cell->grid,
			cell->level, cell->x, cell->y, z);
	}
}

struct cs_ue_grid_cell cs_ue_grid_cell_of_key(
	uint32_t level, uint32_t levels, bool aligned, double cell_size, int64_t key)
{
	int64_t cells = (int64_t)1 << (levels - 1 - level);
	struct cs_ue_grid_cell at = {.side = aligned || cells == 1 ? cells : cells + 1};
	double size = cell_size * (double)((uint64_t)1 << level), middle = at.side % 2 ? 0 : 0.5;
	at.x = key % at.side - at.side / 2;
	at.y = key / at.side - at.side / 2;
	at.centre_x = ((double)at.x + middle) * size;
	at.centre_y = ((double)at.y + middle) * size;
	at.extent = size / 2;
	return at;
}
