/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts the actors in parts of the places of a map (a place is one character of the picture). A
 * cell is visited once, at its first place; an actor is counted in the part that contains the
 * centre of the actor.
 */
#include <cellscope/query.h>

#include "format/cooked_inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct parts {
	const struct cs_map_request *request;
	const struct cs_map *map;
	unsigned across, down;
	uint32_t *counts;
};

static void count_actor(const struct parts *to, const struct cs_cooked_actor *actor)
{
	const struct cs_map *map = to->map;
	const struct cs_box *bounds = &actor->bounds;
	if (!cs_box_valid(bounds))
		return;
	double x = (bounds->min.x + bounds->max.x) / 2 - map->origin_x;
	double y = (bounds->min.y + bounds->max.y) / 2 - map->origin_y;
	double column = floor((x / map->side - (double)map->x0) * to->across);
	double row = floor((y / map->side - (double)map->y0) * to->down);
	size_t columns = map->columns * to->across, rows = map->rows * to->down;
	if (column >= 0 && row >= 0 && column < (double)columns && row < (double)rows)
		to->counts[(size_t)row * columns + (size_t)column]++;
}

static void map_inside_count_cell(const struct parts *to, uint32_t cell)
{
	const struct cs_cooked *world = to->request->world;
	const struct cs_range range = cs_cooked_cell(world, cell)->actors;
	for (uint32_t i = 0; i < range.count; i++)
		count_actor(to, cs_cooked_actor(world,
					cs_cooked_id(world, CS_IDS_CELL_ACTORS, range.first + i)));
}

static struct cs_error *count_cells_of_places(const struct parts *to)
{
	const struct cs_map *map = to->map;
	size_t most = 0;
	for (size_t i = 0; i < map->columns * map->rows; i++)
		most = map->places[i].cells > most ? map->places[i].cells : most;
	uint32_t *cells = malloc((most + 1) * sizeof(*cells));
	if (!cells)
		return cs_error_nomem();
	for (size_t i = 0; i < map->columns * map->rows; i++) {
		if (map->places[i].cells == 0)
			continue;
		size_t n = cs_map_cells_at(to->request, map, i, cells, most);
		for (size_t c = 0; c < n && c < most; c++)
			map_inside_count_cell(to, cells[c]);
	}
	free(cells);
	return NULL;
}

struct cs_error *cs_map_inside(const struct cs_map_request *request, const struct cs_map *map,
	unsigned across, unsigned down, uint32_t *counts)
{
	const struct parts to = {request, map, across, down, counts};
	if (map->zoom != 1 || across == 0 || down == 0)
		return cs_error_new(CS_E_USAGE,
			"this character of the map stands for several cells: `view zoom in` first");
	memset(counts, 0, map->columns * across * map->rows * down * sizeof(*counts));
	if (!(map->side > 0))
		return NULL;
	if (request->sorted && !request->all_levels)
		return count_cells_of_places(&to);
	struct cs_range range = to.request->world->partitions[to.request->grid].cells;
	for (uint32_t i = range.first; i < range.first + range.count; i++)
		if (cs_map_place_of(to.request, to.map, i) != SIZE_MAX)
			map_inside_count_cell(&to, i);
	return NULL;
}
