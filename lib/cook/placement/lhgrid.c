/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Places boxes in an LHGrid, a hierarchy of 3D grids whose cell size doubles from level to level
 * (world-partition rule 1.6.4). The longest side of the box determines the level, its centre the
 * cell. From engine version 5.7 on, a box is placed one level lower if it exceeds the cell of that
 * level by less than a quarter of the cell size of level 0.
 */
#include <cellscope/cooked_values.h>

#include "cook/placement/grids.h"
#include "core/geometry.h"

#include <math.h>

/* Returns the lowest level with cells of `length` or more, by doubling: a logarithm would round. */
int32_t cs_level_of_length(double length, double cell_size)
{
	int32_t level = 0;
	for (double size = cell_size; size < length && level < CS_MAX_LEVEL; size *= 2)
		level++;
	return level;
}

double cs_level_cell_size(double cell_size, int32_t level)
{
	/* the factor is a power of two, so the product is what ldexp() would return */
	return level >= 0 && level <= CS_MAX_LEVEL ? cell_size * (double)(INT64_C(1) << level)
						   : ldexp(cell_size, level);
}

int64_t cs_floor_coordinate(double value)
{
	value = floor(value);
	if (!(value >= -CS_MAX_COORDINATE)) /* true for NaN, too */
		return -(int64_t)CS_MAX_COORDINATE;
	return value > CS_MAX_COORDINATE ? (int64_t)CS_MAX_COORDINATE : (int64_t)value;
}

/*
 * Rounds down as the engine does: floor(round(2v - 1/2) / 2), where ties are rounded to even. It
 * differs from floor() only for values less than about 2^-54 below 0, for which 2v - 1/2 is rounded
 * to -1/2: these give 0, so that a rounding error does not move a centre into cell -1.
 */
static int64_t engine_floor(double value)
{
	const double doubled = 2 * value - 0.5;
	/* within these bounds halving an integer is exact, so a shift can replace floor() */
	if (fabs(doubled) < 0x1p52)
		return llrint(doubled) >> 1;
	return cs_floor_coordinate(nearbyint(doubled) / 2);
}

static struct cs_cell_coordinates coordinates_of(
	const struct cs_lhgrid *grid, struct cs_vec3 point, int32_t level)
{
	double size = cs_level_cell_size(grid->cell_size, level);
	return (struct cs_cell_coordinates){
		.x = engine_floor((point.x - grid->origin.x) / size),
		.y = engine_floor((point.y - grid->origin.y) / size),
		.z = grid->is_2d ? 0 : engine_floor((point.z - grid->origin.z) / size),
		.level = level,
	};
}

bool cs_partition_is_flat(const struct cs_cooked_partition *partition)
{
	return partition->partition_class == CS_PARTITION_SPATIAL_GRID ||
	       partition->flags & CS_PARTITION_2D;
}

double cs_longest_extent(const struct cs_box *box, bool flat)
{
	double x = box->max.x - box->min.x, y = box->max.y - box->min.y;
	double z = flat ? 0 : box->max.z - box->min.z;
	return fmax(x, fmax(y, z));
}

static bool sticks_out_less(
	const struct cs_box *box, const struct cs_box *cell, double margin, bool flat)
{
	return cell->min.x - box->min.x < margin && box->max.x - cell->max.x < margin &&
	       cell->min.y - box->min.y < margin && box->max.y - cell->max.y < margin &&
	       (flat || (cell->min.z - box->min.z < margin && box->max.z - cell->max.z < margin));
}

static void tell_levels(const struct cs_lhgrid *grid, int32_t last, struct cs_grid_trials *trials)
{
	*trials = (struct cs_grid_trials){.n = 0};
	for (int32_t level = 0; level <= last && level <= CS_MAX_LEVEL; level++)
		trials->at[trials->n++] = (struct cs_grid_trial){level,
			cs_level_cell_size(grid->cell_size, level), level == last, level == last};
}

struct cs_cell_coordinates cs_lhgrid_try(const struct cs_lhgrid *grid, const struct cs_box *box,
	bool *demoted_ret, struct cs_grid_trials *trials)
{
	struct cs_vec3 centre = cs_box_centre(box);
	int32_t level = cs_level_of_length(cs_longest_extent(box, grid->is_2d), grid->cell_size);
	struct cs_cell_coordinates at = coordinates_of(grid, centre, level);
	bool demoted = false;
	if (trials)
		tell_levels(grid, level, trials);
	if (grid->quarter_demotion && level > 0) {
		struct cs_cell_coordinates lower = coordinates_of(grid, centre, level - 1);
		struct cs_box cell = cs_lhgrid_cell_box(grid, lower);
		demoted = sticks_out_less(box, &cell, grid->cell_size / 4, grid->is_2d);
		if (demoted)
			at = lower;
	}
	if (demoted_ret)
		*demoted_ret = demoted;
	return at;
}

struct cs_cell_coordinates cs_lhgrid_place(
	const struct cs_lhgrid *grid, const struct cs_box *box, bool *demoted_ret)
{
	return cs_lhgrid_try(grid, box, demoted_ret, NULL);
}

struct cs_box cs_lhgrid_cell_box(const struct cs_lhgrid *grid, struct cs_cell_coordinates at)
{
	double size = cs_level_cell_size(grid->cell_size, at.level);
	struct cs_box box = {
		{grid->origin.x + (double)at.x * size, grid->origin.y + (double)at.y * size,
			grid->origin.z + (double)at.z * size},
		{grid->origin.x + (double)(at.x + 1) * size,
			grid->origin.y + (double)(at.y + 1) * size,
			grid->origin.z + (double)(at.z + 1) * size},
	};
	if (grid->is_2d) {
		box.min.z = -CS_HALF_WORLD;
		box.max.z = CS_HALF_WORLD;
	}
	return box;
}
