/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the names of cells, in the form of engine 5.4 and in that of other releases. */
#pragma once

#include <cellscope/core.h>

enum { CS_UE_CELL_NAME = 512 };

struct cs_ue_cell_name {
	bool has_world;        /* whether the name begins with the name of the world */
	const char *partition; /* points into the parsed name, and has `partition_length` bytes */
	size_t partition_length;
	char grid[128]; /* copy of the partition's name, which only cs_ue_read_cell_name() sets */
	int32_t level;
	int64_t x, y, z;
	bool persistent; /* whether the name ends in "_Persistent" and has no coordinates */
	bool has_z;      /* whether cells have limited heights, and are boxes instead of columns */
	bool level_last; /* whether the level is the last number: X_Y_Z_L (5.4), not L0_X1_Y2 */
	uint32_t layers_id;
};

/*
 * Parses the name of a cell in a log, which begins with the name of its world. Text after the
 * coordinates is ignored. Returns false if the name has another form.
 */
bool cs_ue_parse_cell_name(const char *name, const char *world, struct cs_ue_cell_name *ret);
/*
 * Parses the name of a cell in a map with the short name `world`. The name of the cell begins with
 * `world`, except in 5.1. Only ids of data layers and of a content bundle may follow the
 * coordinates. Returns false for a name without coordinates, such as a hash.
 */
bool cs_ue_read_cell_name(const char *name, const char *world, struct cs_ue_cell_name *ret);
/* Returns the id of the data layers in a name such as "..._d0123ABCD" or "..._DL123", or 0. */
uint32_t cs_ue_layers_of_name(const char *name);
