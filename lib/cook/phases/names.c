/* SPDX-License-Identifier: Apache-2.0 */
/* Composes cell names, and GUIDs from the properties that identify cells (rules 1.6.5, 1.7.5). */
#include "cook/phases/names.h"

#include "core/guid.h"
#include "core/identity.h"
#include <cellscope/cooked_values.h>

#include <inttypes.h>
#include <stdio.h>

static void put_short_name(const struct cs_profile *profile, const struct cs_cell_identity *cell,
	char text[CS_CELL_NAME])
{
	const struct cs_cooked_partition *partition = &cell->partition->row;
	const struct cs_cell_coordinates at = cell->at;
	if (partition->partition_class == CS_PARTITION_PERSISTENT)
		snprintf(text, CS_CELL_NAME, "Persistent");
	else if (partition->partition_class == CS_PARTITION_LEVEL_STREAMING && at.level >= 0)
		snprintf(text, CS_CELL_NAME, "%s", cell->level_name);
	else if (partition->partition_class == CS_PARTITION_LHGRID && profile->coordinates_first)
		snprintf(text, CS_CELL_NAME, "%" PRId64 "_%" PRId64 "_%" PRId64 "_%d", at.x, at.y,
			at.z, at.level);
	else if (partition->flags & CS_PARTITION_2D ||
		 partition->partition_class != CS_PARTITION_LHGRID)
		snprintf(text, CS_CELL_NAME, "L%d_X%" PRId64 "_Y%" PRId64, at.level, at.x, at.y);
	else
		snprintf(text, CS_CELL_NAME, "L%d_X%" PRId64 "_Y%" PRId64 "_Z%" PRId64, at.level,
			at.x, at.y, at.z);
}

/* Writes PartitionName_CellName, the part of a cell name that does not contain the map's name. */
static void put_desc(
	const struct cs_cell_identity *cell, const char *short_name, char text[CS_CELL_NAME])
{
	const struct cs_cook_partition *partition = cell->partition;
	/* for a persistent HLOD setup, the name of its layer replaces PartitionName */
	const bool alone = partition->setup &&
			   partition->row.partition_class == CS_PARTITION_PERSISTENT &&
			   !partition->shares_name;
	snprintf(text, CS_CELL_NAME, "%s%s%s_%.160s", alone ? "" : partition->name,
		partition->setup && !alone ? "_" : "", partition->setup ? partition->setup : "",
		short_name);
}

/* Writes the ids of data layers and content bundle that end the name of a cell. */
static void put_ids(const struct cs_profile *profile, const struct cs_cell_identity *cell,
	bool always, char text[32])
{
	const bool spatial = cell->partition->row.partition_class == CS_PARTITION_SPATIAL_GRID;
	const int digits = spatial && profile->layers_unpadded ? 1 : 8;
	size_t n = 0;
	text[0] = '\0';
	if (cell->layers_id || (spatial && always))
		n = (size_t)snprintf(text, 32, "_%s%0*" PRIX32, spatial ? "DL" : "d",
			cell->layers_id ? digits : 1, cell->layers_id);
	if (!cs_guid_is_zero(cell->content_bundle))
		snprintf(text + n, 32 - n, "_%s%08" PRIX32, spatial ? "CB" : "c",
			cell->content_bundle.a);
}

static void names_put_name(const struct cs_profile *profile, const struct cs_cell_identity *cell,
	const char *desc, char text[CS_CELL_NAME])
{
	char ids[32];
	put_ids(profile, cell, profile->layers_always, ids);
	snprintf(text, CS_CELL_NAME, "%.128s_%.460s%s", cell->world, desc, ids);
}

static void put_package(const struct cs_profile *profile, const struct cs_cell_identity *cell,
	const char *desc, const char *name, char text[CS_CELL_NAME])
{
	char ids[32];
	switch ((enum cs_package_naming)profile->package_naming) {
	case CS_PACKAGE_PLAIN:
		put_ids(profile, cell, true, ids);
		snprintf(text, CS_CELL_NAME, "%.460s%s", desc, ids);
		return;
	case CS_PACKAGE_MAP:
		put_ids(profile, cell, false, ids);
		snprintf(text, CS_CELL_NAME, "%.128s_%.460s%s", cell->world, desc, ids);
		return;
	case CS_PACKAGE_HASH:
		cs_identity_package(name, text);
		return;
	}
}

/* ---- GUIDs of cells ---- */

/* Returns the cell size in whole centimetres, as the engine stores it. */
static int32_t whole_size(double cell_size)
{
	return cell_size < INT32_MAX ? (int32_t)cell_size : INT32_MAX;
}

static struct cs_guid hash_set_guid(const struct cs_cell_identity *cell, const char *desc)
{
	const struct cs_cook_partition *partition = cell->partition;
	return cs_identity_of_set(&(struct cs_identity_set){
		.desc = desc,
		.layers_id = cell->layers_id,
		.bundle = cell->content_bundle,
		.partition = partition->setup ? partition->setup : partition->name,
		.hlod_index = (int32_t)partition->row.hlod_index,
		.cell_size = whole_size(partition->row.cell_size),
	});
}

static struct cs_guid spatial_hash_guid(
	const struct cs_profile *profile, const struct cs_cell_identity *cell)
{
	return cs_identity_of_spatial(&(struct cs_identity_spatial){
		.grid = cell->partition->name,
		.x = cell->at.x,
		.y = cell->at.y,
		.level = cell->at.level,
		.layers_id = cell->layers_id,
		.bundle = cell->content_bundle.a,
		.sized = profile->guid_of_size,
		.cell_size = whole_size(cell->partition->row.cell_size),
	});
}

void cs_cell_label(const struct cs_profile *profile, const struct cs_cell_identity *cell,
	struct cs_cell_labels *ret)
{
	char desc[CS_CELL_NAME];
	put_short_name(profile, cell, ret->short_name);
	put_desc(cell, ret->short_name, desc);
	names_put_name(profile, cell, desc, ret->name);
	put_package(profile, cell, desc, ret->name, ret->package);
	ret->guid = cell->partition->row.partition_class == CS_PARTITION_SPATIAL_GRID
			    ? spatial_hash_guid(profile, cell)
			    : hash_set_guid(cell, desc);
}
