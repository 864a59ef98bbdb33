/* SPDX-License-Identifier: Apache-2.0 */
/* Parses and composes the names of cells, and the keys of the spatial hash. */
#include "ue/map/recipes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cuts `before` and the number after it off the end of `text`; false if they are not there. */
static bool cut_number(char *text, const char *before, int base, int64_t *ret)
{
	size_t n = strlen(text), m = strlen(before);
	size_t digits = n;
	while (digits > 0 && (base == 16 ? strchr("0123456789ABCDEFabcdef", text[digits - 1])
					 : strchr("0123456789", text[digits - 1])))
		digits--;
	if (base == 10 && digits > 0 && digits < n && text[digits - 1] == '-')
		digits--;
	/* letters of `before` may have been taken for hexadecimal digits */
	while (base == 16 && digits < n && digits < m)
		digits++;
	for (; digits < n; digits++) {
		if (digits >= m && strncmp(text + digits - m, before, m) == 0) {
			*ret = strtoll(text + digits, NULL, base);
			text[digits - m] = '\0';
			return true;
		}
		if (base == 10)
			return false;
	}
	return false;
}

static bool cut_coordinates(char *text, struct cs_ue_cell_name *cell)
{
	int64_t level;
	char saved[CS_UE_CELL_NAME];
	snprintf(saved, sizeof(saved), "%s", text);
	cell->has_z = cut_number(text, "_Z", 10, &cell->z);
	if (cut_number(text, "_Y", 10, &cell->y) && cut_number(text, "_X", 10, &cell->x) &&
		cut_number(text, "_L", 10, &level)) {
		cell->level = (int32_t)level;
		return true;
	}
	snprintf(text, CS_UE_CELL_NAME, "%s", saved);
	cell->has_z = true;
	cell->level_last = true;
	bool good = cut_number(text, "_", 10, &level) && cut_number(text, "_", 10, &cell->z) &&
		    cut_number(text, "_", 10, &cell->y) && cut_number(text, "_", 10, &cell->x);
	cell->level = (int32_t)level;
	return good;
}

bool cs_ue_read_cell_name(const char *name, const char *world, struct cs_ue_cell_name *ret)
{
	static const char persistent[] = "_Persistent";
	struct cs_ue_cell_name cell = {.level = 0};
	char text[CS_UE_CELL_NAME];
	int64_t id;
	size_t n = strlen(world);
	if (strlen(name) >= sizeof(text))
		return false;
	snprintf(text, sizeof(text), "%s", name);
	if (cut_number(text, "_c", 16, &id) || cut_number(text, "_CB", 16, &id))
		cell.bundle = (uint32_t)id;
	if (cut_number(text, "_d", 16, &id) || cut_number(text, "_DL", 16, &id))
		cell.layers_id = (uint32_t)id;
	size_t length = strlen(text), m = sizeof(persistent) - 1;
	if (length > m && strcmp(text + length - m, persistent) == 0) {
		cell.persistent = true;
		text[length - m] = '\0';
	} else if (!cut_coordinates(text, &cell)) {
		return false;
	}
	bool has_world = n > 0 && strncmp(text, world, n) == 0 && text[n] == '_';
	const char *grid = has_world ? text + n + 1 : text;
	if (has_world)
		snprintf(cell.world, sizeof(cell.world), "%.127s", world);
	snprintf(cell.grid, sizeof(cell.grid), "%.127s", grid);
	*ret = cell;
	return *grid != '\0';
}

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

/* ---- cells of the spatial hash by key ---- */

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
