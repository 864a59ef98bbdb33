/* SPDX-License-Identifier: Apache-2.0 */
/* Names and identities of cells (world-partition rules 1.6.5, 1.7.5). */
#ifndef COOK_NAMES_H
#define COOK_NAMES_H

#include "cook/cook_internal.h"

/* What the name of a cell is made of. */
struct cs_cell_identity {
	const char *world;
	const struct cs_cook_partition *partition;
	struct cs_cell_coordinates at; /* global coordinates */
	const char *level_name;        /* of a level streaming partition */
	uint32_t layers_id;
	struct cs_guid content_bundle;
};

#define CS_CELL_NAME 640

/* "L0_X1_Y2_Z0" */
void cs_cell_short_name(const struct cs_profile *profile, const struct cs_cell_identity *cell,
	char text[CS_CELL_NAME]);
/* "World_MainGrid_L0_X1_Y2_Z0_d1234ABCD" */
void cs_cell_unique_name(const struct cs_profile *profile, const struct cs_cell_identity *cell,
	char text[CS_CELL_NAME]);
/* Short name of its package: 25 digits, or before 5.3 the name of the cell. */
void cs_cell_package(const struct cs_profile *profile, const struct cs_cell_identity *cell,
	char text[CS_CELL_NAME]);
struct cs_guid cs_cell_guid(const struct cs_profile *profile, const struct cs_cell_identity *cell);

#endif
