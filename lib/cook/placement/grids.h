/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic that both kinds of grid share. */
#pragma once

#include "cook/phases/grid_rules.h"

#include <cellscope/cooked.h>

/* Half the height of cells that ignore Z, cm: 2^42, as in cooked maps. */
#define CS_HALF_WORLD     4398046511104.0
/* Coordinates stay where a double and its neighbour are still two integers. */
#define CS_MAX_COORDINATE 9007199254740991.0
enum { CS_MAX_LEVEL = 62 };

int32_t cs_level_of_length(double length, double cell_size);
double cs_level_cell_size(double cell_size, int32_t level);
/* Whether a partition places by X and Y alone: the height of a tower does not count. */
bool cs_partition_is_flat(const struct cs_cooked_partition *partition);
/* The longest side of a valid box, of X and Y alone where the grid is flat. */
double cs_longest_extent(const struct cs_box *box, bool flat);
/* A level that placing a box looked at. */
struct cs_grid_trial {
	int32_t level;
	double cell_size;
	uint64_t cells; /* that the box touches there; 0: too large for the level by its size */
	bool holds;     /* it is placed there, or would be without demotion */
};

/* All that was looked at to place a box, as it was decided: what explanations read. */
struct cs_grid_trials {
	struct cs_grid_trial at[CS_MAX_LEVEL + 1];
	size_t n;
	int32_t levels;        /* that a spatial grid has */
	double area;           /* of the box in X and Y */
	bool small, partition; /* it was placed by location, as a small one, as partition actors */
};

/* cs_lhgrid_place and cs_spatial_grid_place; `trials` may be NULL. */
struct cs_cell_coordinates cs_lhgrid_try(const struct cs_lhgrid *grid, const struct cs_box *box,
	bool *demoted_ret, struct cs_grid_trials *trials);
struct cs_cell_coordinates cs_spatial_grid_try(const struct cs_spatial_grid *grid,
	const struct cs_spatial_rules *rules, const struct cs_box *box, bool spatial,
	bool all_partition_actors, uint32_t *placement_ret, struct cs_grid_trials *trials);

/* floor, kept within +-CS_MAX_COORDINATE */
int64_t cs_floor_coordinate(double value);

/* The box must be valid. `demoted_ret` may be NULL. */
struct cs_cell_coordinates cs_lhgrid_place(
	const struct cs_lhgrid *grid, const struct cs_box *box, bool *demoted_ret);
struct cs_box cs_lhgrid_cell_box(const struct cs_lhgrid *grid, struct cs_cell_coordinates at);
struct cs_spatial_grid cs_spatial_grid_make(double cell_size, double origin_x, double origin_y,
	bool aligned, const struct cs_box *world_bounds);
/* Cells a side on a level. */
uint32_t cs_spatial_grid_size(const struct cs_spatial_grid *grid, uint32_t level);
/* Local coordinates of a point; false when it is outside the grid. */
bool cs_spatial_grid_coordinates(const struct cs_spatial_grid *grid, uint32_t level, double x,
	double y, int64_t *x_ret, int64_t *y_ret);
/* How many cells of the level the box touches; the first of them in *x_ret, *y_ret. */
uint64_t cs_spatial_grid_intersections(const struct cs_spatial_grid *grid, uint32_t level,
	const struct cs_box *box, int64_t *x_ret, int64_t *y_ret);
struct cs_box cs_spatial_grid_cell_box(
	const struct cs_spatial_grid *grid, uint32_t level, int64_t x, int64_t y);
/* `spatial` with a valid box, else the top cell. Coordinates are local. (1.7.4) */
struct cs_cell_coordinates cs_spatial_grid_place(const struct cs_spatial_grid *grid,
	const struct cs_spatial_rules *rules, const struct cs_box *box, bool spatial,
	bool all_partition_actors, uint32_t *placement_ret);
