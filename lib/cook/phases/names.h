/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the names and GUIDs of cells (world-partition rules 1.6.5, 1.7.5). */
#pragma once

#include "cook/phases/cook_internal.h"

/* The properties from which the name and GUID of a cell are computed. */
struct cs_cell_identity {
	const char *world;
	const struct cs_cook_partition *partition;
	/* as in names of cells, not counted from the corner of a grid (grids.h) */
	struct cs_cell_coordinates at;
	const char *level_name; /* set only in a level streaming partition */
	uint32_t layers_id;
	struct cs_guid content_bundle;
};

#define CS_CELL_NAME 640

struct cs_cell_labels {
	char short_name[CS_CELL_NAME]; /* "L0_X1_Y2_Z0" */
	char name[CS_CELL_NAME];       /* "World_MainGrid_L0_X1_Y2_Z0_d1234ABCD" */
	/* short package name: 25 digits, or before engine version 5.3 the name of the cell */
	char package[CS_CELL_NAME];
	struct cs_guid guid;
};

void cs_cell_label(const struct cs_profile *profile, const struct cs_cell_identity *cell,
	struct cs_cell_labels *ret);
