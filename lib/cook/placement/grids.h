/* SPDX-License-Identifier: Apache-2.0 */
/* Places boxes in cells of LHGrids and of spatial hash grids, with their common arithmetic. */
#pragma once

#include "cook/phases/grid_rules.h"

#include <cellscope/cooked.h>

/* Half the height in cm of cells that ignore Z: 2^42, as in the engine's cooked maps. */
#define CS_HALF_WORLD     4398046511104.0
/* Largest coordinate: 2^53 - 1; up to it, consecutive integers are distinct doubles. */
#define CS_MAX_COORDINATE 9007199254740991.0
enum { CS_MAX_LEVEL = 62 };

int32_t cs_level_of_length(double length, double cell_size);
double cs_level_cell_size(double cell_size, int32_t level);
/* Returns whether a partition places boxes by X and Y only, so that their height has no effect. */
bool cs_partition_is_flat(const struct cs_cooked_partition *partition);
/* Returns the longest side of a valid box; the longer of X and Y if the grid is flat. */
double cs_longest_extent(const struct cs_box *box, bool flat);
/* One level that was tried while placing a box. */
struct cs_grid_trial {
	int32_t level;
	double cell_size;
	/* number of cells that the box touches on the level; 0: the box is too large */
	uint64_t cells;
	bool holds; /* the box is placed on this level, or would be if it were not demoted */
};

/* The levels that were tried while placing a box, recorded for explanations. */
struct cs_grid_trials {
	struct cs_grid_trial at[CS_MAX_LEVEL + 1];
	size_t n;
	int32_t levels; /* number of levels of a spatial hash grid */
	double area;    /* area of the box in X and Y, cm^2 */
	/*
	 * Reasons for placing the box by the location of its centre alone. `small`: the area of the
	 * box in X and Y is at most that of a cell; `partition`: all actors of the set that the box
	 * encloses are partition actors.
	 */
	bool small, partition;
};

/* Like cs_lhgrid_place and cs_spatial_grid_place; store tried levels in `trials`, if not NULL. */
struct cs_cell_coordinates cs_lhgrid_try(const struct cs_lhgrid *grid, const struct cs_box *box,
	bool *demoted_ret, struct cs_grid_trials *trials);
struct cs_cell_coordinates cs_spatial_grid_try(const struct cs_spatial_grid *grid,
	const struct cs_spatial_rules *rules, const struct cs_box *box, bool spatial,
	bool all_partition_actors, uint32_t *placement_ret, struct cs_grid_trials *trials);

/* Returns the floor of the value, limited to +-CS_MAX_COORDINATE. */
int64_t cs_floor_coordinate(double value);

/* Returns the cell of a valid box. *demoted_ret (may be NULL): whether rule 1.6.4.7 demoted it. */
struct cs_cell_coordinates cs_lhgrid_place(
	const struct cs_lhgrid *grid, const struct cs_box *box, bool *demoted_ret);
struct cs_box cs_lhgrid_cell_box(const struct cs_lhgrid *grid, struct cs_cell_coordinates at);
struct cs_spatial_grid cs_spatial_grid_make(double cell_size, double origin_x, double origin_y,
	bool aligned, const struct cs_box *world_bounds);
/* Returns the number of cells per side on a level. */
uint32_t cs_spatial_grid_size(const struct cs_spatial_grid *grid, uint32_t level);
/* Stores the cell of a point, counted from the corner of the grid; false if outside the grid. */
bool cs_spatial_grid_coordinates(const struct cs_spatial_grid *grid, uint32_t level, double x,
	double y, int64_t *x_ret, int64_t *y_ret);
/* Returns how many cells of the level the box touches; stores coordinates of the first one. */
uint64_t cs_spatial_grid_intersections(const struct cs_spatial_grid *grid, uint32_t level,
	const struct cs_box *box, int64_t *x_ret, int64_t *y_ret);
struct cs_box cs_spatial_grid_cell_box(
	const struct cs_spatial_grid *grid, uint32_t level, int64_t x, int64_t y);
/*
 * Returns the cell of a box in coordinates local to the grid (from its corner of least X and Y):
 * the top cell if the box is invalid or not `spatial`.
 */
struct cs_cell_coordinates cs_spatial_grid_place(const struct cs_spatial_grid *grid,
	const struct cs_spatial_rules *rules, const struct cs_box *box, bool spatial,
	bool all_partition_actors, uint32_t *placement_ret);
