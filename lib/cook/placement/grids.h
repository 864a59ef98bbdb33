/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic that both kinds of grid share. */
#ifndef COOK_PLACEMENT_GRIDS_H
#define COOK_PLACEMENT_GRIDS_H

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
/* floor, kept within +-CS_MAX_COORDINATE */
int64_t cs_floor_coordinate(double value);

#endif
