/* SPDX-License-Identifier: Apache-2.0 */
/* Composes cell names, and GUIDs from the properties that identify cells (rules 1.6.5, 1.7.5). */
#include "cook/phases/names.h"

#include "core/guid.h"
#include "core/identity.h"
#include <cellscope/cooked_values.h>

#include <string.h>

/*
 * Appends at most `most` bytes of `more` to the text that ends at `at`, in a buffer of CS_CELL_NAME
 * bytes that begins at `text`. Returns the new end. Used instead of snprintf(), which doubled the
 * time for making the four names of a cell.
 */
static char *append_text(char *text, char *at, const char *more, size_t most)
{
	const size_t room = (size_t)(text + CS_CELL_NAME - 1 - at);
	const size_t n = strnlen(more, most < room ? most : room);
	memcpy(at, more, n);
	at[n] = '\0';
	return at + n;
}

/* Appends a short text and a number, for which there is always room. Returns the new end. */
static char *append_number(char *at, const char *before, int64_t number)
{
	char digits[20];
	size_t n = 0;
	uint64_t rest = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
	while (*before)
		*at++ = *before++;
	if (number < 0)
		*at++ = '-';
	do
		digits[n++] = (char)('0' + rest % 10);
	while (rest /= 10);
	while (n)
		*at++ = digits[--n];
	*at = '\0';
	return at;
}

/* Appends a text and a number of at least `digits` hexadecimal digits; returns the new end. */
static char *append_hex(char *at, const char *before, uint32_t number, int digits)
{
	while (*before)
		*at++ = *before++;
	for (int digit = 7; digit >= 0; digit--)
		if (digit < digits || number >> 4 * digit)
			*at++ = "0123456789ABCDEF"[number >> 4 * digit & 15];
	*at = '\0';
	return at;
}

static void put_short_name(const struct cs_profile *profile, const struct cs_cell_identity *cell,
	char text[CS_CELL_NAME])
{
	const struct cs_cooked_partition *partition = &cell->partition->row;
	const struct cs_cell_coordinates at = cell->at;
	const bool lhgrid = partition->partition_class == CS_PARTITION_LHGRID;
	if (partition->partition_class == CS_PARTITION_PERSISTENT) {
		append_text(text, text, "Persistent", CS_CELL_NAME);
	} else if (partition->partition_class == CS_PARTITION_LEVEL_STREAMING && at.level >= 0) {
		append_text(text, text, cell->level_name, CS_CELL_NAME);
	} else if (lhgrid && profile->coordinates_first) {
		char *end = append_number(append_number(text, "", at.x), "_", at.y);
		append_number(append_number(end, "_", at.z), "_", at.level);
	} else {
		char *end = append_number(text, "L", at.level);
		end = append_number(append_number(end, "_X", at.x), "_Y", at.y);
		if (lhgrid && !(partition->flags & CS_PARTITION_2D))
			append_number(end, "_Z", at.z);
	}
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
	char *end = text;
	if (!alone)
		end = append_text(text, end, partition->name, CS_CELL_NAME);
	if (partition->setup && !alone)
		end = append_text(text, end, "_", 1);
	if (partition->setup)
		end = append_text(text, end, partition->setup, CS_CELL_NAME);
	append_text(text, append_text(text, end, "_", 1), short_name, 160);
}

/* Writes the ids that end a cell name; `always`: "_DL0" for a spatial cell without data layers. */
static void put_ids(const struct cs_profile *profile, const struct cs_cell_identity *cell,
	bool always, char text[32])
{
	const bool spatial = cell->partition->row.partition_class == CS_PARTITION_SPATIAL_GRID;
	const int digits = spatial && profile->layers_unpadded ? 1 : 8;
	char *end = text;
	*end = '\0';
	if (cell->layers_id || (spatial && always))
		end = append_hex(
			end, spatial ? "_DL" : "_d", cell->layers_id, cell->layers_id ? digits : 1);
	if (!cs_guid_is_zero(cell->content_bundle))
		append_hex(end, spatial ? "_CB" : "_c", cell->content_bundle.a, 8);
}

/* Writes the name of a cell; `always`: with "_DL0" for a spatial cell without data layers. */
static void names_put_name(const struct cs_profile *profile, const struct cs_cell_identity *cell,
	bool always, const char *desc, char text[CS_CELL_NAME])
{
	char ids[32];
	put_ids(profile, cell, always, ids);
	char *end = append_text(text, text, cell->world, 128);
	end = append_text(text, append_text(text, end, "_", 1), desc, 460);
	append_text(text, end, ids, sizeof(ids));
}

static void put_package(const struct cs_profile *profile, const struct cs_cell_identity *cell,
	const char *desc, const char *name, char text[CS_CELL_NAME])
{
	char ids[32];
	switch ((enum cs_package_naming)profile->package_naming) {
	case CS_PACKAGE_PLAIN:
		put_ids(profile, cell, true, ids);
		append_text(text, append_text(text, text, desc, 460), ids, sizeof(ids));
		return;
	case CS_PACKAGE_MAP:
		names_put_name(profile, cell, false, desc, text);
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
	names_put_name(profile, cell, profile->layers_always, desc, ret->name);
	put_package(profile, cell, desc, ret->name, ret->package);
	ret->guid = cell->partition->row.partition_class == CS_PARTITION_SPATIAL_GRID
			    ? spatial_hash_guid(profile, cell)
			    : hash_set_guid(cell, desc);
}
