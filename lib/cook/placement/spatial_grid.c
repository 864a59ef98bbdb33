/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Places boxes in a grid of the spatial hash (world-partition rules 1.7.2 to 1.7.4): on each level
 * a square of cells around the origin. The number of cells per side is halved from level to level
 * until one cell is left. Non-aligned levels have one cell more per side, so that the edges of
 * different levels do not coincide. Z is ignored.
 */
#include <cellscope/cooked_values.h>

#include "cook/placement/grids.h"
#include "core/geometry.h"
#include "core/vec.h"

#include <math.h>

static double farthest(double low, double high, double origin)
{
	return fmax(fabs(low - origin), fabs(high - origin));
}

struct cs_spatial_grid cs_spatial_grid_make(double cell_size, double origin_x, double origin_y,
	bool aligned, const struct cs_box *world)
{
	struct cs_spatial_grid grid = {cell_size, origin_x, origin_y, 1, 1, aligned};
	if (!cs_box_valid(world))
		return grid;
	double extent = fmax(farthest(world->min.x, world->max.x, origin_x),
		farthest(world->min.y, world->max.y, origin_y));
	if (extent <= 0)
		return grid;
	double cells = 2 * ceil(extent / cell_size);
	while (grid.grid_size < cells && grid.levels < CS_SPATIAL_GRID_LEVELS - 1) {
		grid.grid_size *= 2;
		grid.levels++;
	}
	return grid;
}

uint32_t cs_spatial_grid_size(const struct cs_spatial_grid *grid, uint32_t level)
{
	uint32_t size = grid->grid_size >> level;
	return grid->aligned || level + 1 == grid->levels ? size : size + 1;
}

static double corner(double origin, double cells, double cell_size)
{
	return origin - cells * cell_size * 0.5;
}

static double local(double value, double origin, double cell_size, uint32_t size)
{
	return floor((value - origin) / cell_size + size * 0.5);
}

bool cs_spatial_grid_coordinates(const struct cs_spatial_grid *grid, uint32_t level, double x,
	double y, int64_t *x_ret, int64_t *y_ret)
{
	uint32_t size = cs_spatial_grid_size(grid, level);
	double cell_size = cs_level_cell_size(grid->cell_size, (int32_t)level);
	double local_x = local(x, grid->origin_x, cell_size, size);
	double local_y = local(y, grid->origin_y, cell_size, size);
	*x_ret = cs_floor_coordinate(local_x);
	*y_ret = cs_floor_coordinate(local_y);
	return local_x >= 0 && local_x < size && local_y >= 0 && local_y < size;
}

static int64_t clamp(int64_t value, int64_t high)
{
	if (value < 0)
		return 0;
	return value > high ? high : value;
}

uint64_t cs_spatial_grid_intersections(const struct cs_spatial_grid *grid, uint32_t level,
	const struct cs_box *box, int64_t *x_ret, int64_t *y_ret)
{
	int64_t last = (int64_t)cs_spatial_grid_size(grid, level) - 1, x0, y0, x1, y1;
	cs_spatial_grid_coordinates(grid, level, box->min.x, box->min.y, &x0, &y0);
	cs_spatial_grid_coordinates(grid, level, box->max.x, box->max.y, &x1, &y1);
	if (x1 < 0 || y1 < 0 || x0 > last || y0 > last)
		return 0;
	*x_ret = clamp(x0, last);
	*y_ret = clamp(y0, last);
	return (uint64_t)(clamp(x1, last) - *x_ret + 1) * (uint64_t)(clamp(y1, last) - *y_ret + 1);
}

struct cs_box cs_spatial_grid_cell_box(
	const struct cs_spatial_grid *grid, uint32_t level, int64_t x, int64_t y)
{
	double cell_size = cs_level_cell_size(grid->cell_size, (int32_t)level);
	uint32_t size = cs_spatial_grid_size(grid, level);
	double min_x = corner(grid->origin_x, size, cell_size) + (double)x * cell_size;
	double min_y = corner(grid->origin_y, size, cell_size) + (double)y * cell_size;
	return (struct cs_box){
		{min_x, min_y, -CS_HALF_WORLD},
		{min_x + cell_size, min_y + cell_size, CS_HALF_WORLD},
	};
}

static bool place_by_location(const struct cs_spatial_grid *grid, const struct cs_box *box,
	uint32_t level, struct cs_cell_coordinates *ret)
{
	struct cs_vec3 centre = cs_box_centre(box);
	ret->level = (int32_t)level;
	return cs_spatial_grid_coordinates(grid, level, centre.x, centre.y, &ret->x, &ret->y);
}

static void tell_level(const struct cs_spatial_grid *grid, uint32_t level, uint64_t cells,
	bool holds, struct cs_grid_trials *trials)
{
	if (trials && trials->n < CS_COUNT_OF(trials->at))
		trials->at[trials->n++] = (struct cs_grid_trial){(int32_t)level,
			cs_level_cell_size(grid->cell_size, (int32_t)level), cells, holds};
}

/*
 * Finds the lowest level, from `first` on, on which the box touches only one cell. Returns false if
 * there is none: then the box is placed in the top cell, even if that does not contain the box
 * (rule 1.7.4).
 */
static bool place_by_bounds(const struct cs_spatial_grid *grid, const struct cs_box *box,
	int32_t first, struct cs_cell_coordinates *ret, struct cs_grid_trials *trials)
{
	for (uint32_t level = 0; trials && level < (uint32_t)first && level < grid->levels; level++)
		tell_level(grid, level, 0, false, trials);
	for (uint32_t level = (uint32_t)first; level < grid->levels; level++) {
		const uint64_t cells =
			cs_spatial_grid_intersections(grid, level, box, &ret->x, &ret->y);
		tell_level(grid, level, cells, cells == 1 && level + 1 < grid->levels, trials);
		if (cells == 1) {
			ret->level = (int32_t)level;
			return true;
		}
	}
	return false;
}

struct cs_cell_coordinates cs_spatial_grid_try(const struct cs_spatial_grid *grid,
	const struct cs_spatial_rules *rules, const struct cs_box *box, bool spatial,
	bool all_partition_actors, uint32_t *placement_ret, struct cs_grid_trials *trials)
{
	const struct cs_cell_coordinates top = {0, 0, 0, (int32_t)grid->levels - 1};
	struct cs_cell_coordinates at = {0};
	if (!spatial || !cs_box_valid(box)) {
		*placement_ret = spatial ? CS_PLACED_NO_BOUNDS : CS_PLACED_NON_SPATIAL;
		return top;
	}
	double width = box->max.x - box->min.x, depth = box->max.y - box->min.y;
	int32_t first = cs_level_of_length(fmax(width, depth), grid->cell_size);
	bool by_location = false, inside = false;
	if (rules->small_by_location && width * depth <= grid->cell_size * grid->cell_size) {
		by_location = true;
		*placement_ret = CS_PLACED_SMALL;
		inside = place_by_location(grid, box, 0, &at);
	} else if (rules->partition_by_location && all_partition_actors) {
		by_location = true;
		*placement_ret = CS_PLACED_PARTITION;
		inside = place_by_location(
			grid, box, first < top.level ? (uint32_t)first : (uint32_t)top.level, &at);
	}
	if (trials)
		*trials = (struct cs_grid_trials){.levels = top.level + 1,
			.area = width * depth,
			.small = by_location && *placement_ret == CS_PLACED_SMALL,
			.partition = by_location && *placement_ret == CS_PLACED_PARTITION};
	if (by_location && inside)
		tell_level(grid, (uint32_t)at.level, 1, true, trials);
	if (!by_location) {
		inside = place_by_bounds(grid, box, first, &at, trials);
		*placement_ret =
			inside && at.level < top.level ? CS_PLACED_BY_BOUNDS : CS_PLACED_TOP;
	} else if (!inside) {
		*placement_ret = CS_PLACED_OUTSIDE;
	}
	return inside ? at : top;
}

struct cs_cell_coordinates cs_spatial_grid_place(const struct cs_spatial_grid *grid,
	const struct cs_spatial_rules *rules, const struct cs_box *box, bool spatial,
	bool all_partition_actors, uint32_t *placement_ret)
{
	return cs_spatial_grid_try(
		grid, rules, box, spatial, all_partition_actors, placement_ret, NULL);
}
