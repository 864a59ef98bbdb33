/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: names, package names and GUIDs of cells, and the CRC of layer names (world-partition rules
 * 1.6.5, 1.7.5). Both recipes of the GUID give what UE saved in its HLOD actors and cooked maps;
 * not seen there are several layers, content bundles, HLOD setups and an origin.
 */
#include "cook/names.h"

#include "base/cursor.h"
#include "base/writer.h"

#include <inttypes.h>
#include <md5.h>
#include <stdio.h>

/* CRC-32, reflected polynomial EDB88320; each character counts as four bytes, the value first. */
uint32_t cs_string_crc(uint32_t crc, const char *text)
{
	crc = ~crc;
	for (; *text; text++) {
		for (int byte = 0; byte < 4; byte++) {
			crc ^= byte == 0 ? (unsigned char)*text : 0;
			for (int bit = 0; bit < 8; bit++)
				crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
		}
	}
	return ~crc;
}

static struct cs_guid digest_guid(const unsigned char digest[MD5_DIGEST_LENGTH])
{
	return (struct cs_guid){cs_load32(digest), cs_load32(digest + 4), cs_load32(digest + 8),
		cs_load32(digest + 12)};
}

void cs_cell_package_name(const char *unique_name, char text[CS_BASE36_TEXT])
{
	unsigned char length[4], digest[MD5_DIGEST_LENGTH];
	size_t n = strlen(unique_name) + 1;
	MD5_CTX context;
	cs_store32(length, (uint32_t)n);
	MD5Init(&context);
	MD5Update(&context, length, sizeof(length));
	MD5Update(&context, (const uint8_t *)unique_name, n);
	MD5Final(digest, &context);
	struct cs_guid g = digest_guid(digest);
	cs_base36_format((uint64_t)g.a << 32 | g.b, (uint64_t)g.c << 32 | g.d, text);
}

void cs_cell_short_name(const struct cs_profile *profile, const struct cs_cell_identity *cell,
	char text[CS_CELL_NAME])
{
	const struct cs_cooked_partition *p = &cell->partition->row;
	const struct cs_cell_coordinates at = cell->at;
	if (p->partition_class == CS_PARTITION_PERSISTENT)
		snprintf(text, CS_CELL_NAME, "Persistent");
	else if (p->partition_class == CS_PARTITION_LEVEL_STREAMING && at.level >= 0)
		snprintf(text, CS_CELL_NAME, "%s", cell->level_name);
	else if (p->partition_class == CS_PARTITION_LHGRID && profile->coordinates_first)
		snprintf(text, CS_CELL_NAME, "%" PRId64 "_%" PRId64 "_%" PRId64 "_%" PRId32, at.x,
			at.y, at.z, at.level);
	else if (p->flags & CS_PARTITION_2D || p->partition_class != CS_PARTITION_LHGRID)
		snprintf(text, CS_CELL_NAME, "L%" PRId32 "_X%" PRId64 "_Y%" PRId64, at.level, at.x,
			at.y);
	else
		snprintf(text, CS_CELL_NAME, "L%" PRId32 "_X%" PRId64 "_Y%" PRId64 "_Z%" PRId64,
			at.level, at.x, at.y, at.z);
}

/* PartitionName_CellName, the part that does not change when the map is renamed. */
static void desc_name(const struct cs_profile *profile, const struct cs_cell_identity *cell,
	char text[CS_CELL_NAME])
{
	char short_name[CS_CELL_NAME];
	const struct cs_cook_partition *p = cell->partition;
	/* the layer of a persistent HLOD setup stands alone */
	const bool alone =
		p->setup && p->row.partition_class == CS_PARTITION_PERSISTENT && !p->shares_name;
	cs_cell_short_name(profile, cell, short_name);
	snprintf(text, CS_CELL_NAME, "%s%s%s_%.160s", alone ? "" : p->name,
		p->setup && !alone ? "_" : "", p->setup ? p->setup : "", short_name);
}

/* The ids of layers and bundle behind the name. */
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

void cs_cell_unique_name(const struct cs_profile *profile, const struct cs_cell_identity *cell,
	char text[CS_CELL_NAME])
{
	char desc[CS_CELL_NAME], ids[32];
	desc_name(profile, cell, desc);
	put_ids(profile, cell, profile->layers_always, ids);
	snprintf(text, CS_CELL_NAME, "%.128s_%.460s%s", cell->world, desc, ids);
}

void cs_cell_package(const struct cs_profile *profile, const struct cs_cell_identity *cell,
	char text[CS_CELL_NAME])
{
	char desc[CS_CELL_NAME], ids[32], hash[CS_BASE36_TEXT];
	desc_name(profile, cell, desc);
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
		break;
	}
	cs_cell_unique_name(profile, cell, text);
	cs_cell_package_name(text, hash);
	snprintf(text, CS_CELL_NAME, "%s", hash);
}

/* ---- GUIDs ---- */

/* An engine string: the length with the NUL, the characters, the NUL. */
static void add_string(MD5_CTX *context, const char *text)
{
	unsigned char length[4];
	size_t n = strlen(text) + 1;
	cs_store32(length, (uint32_t)n);
	MD5Update(context, length, sizeof(length));
	MD5Update(context, (const uint8_t *)text, n);
}

static void add_u32(MD5_CTX *context, uint32_t value)
{
	unsigned char bytes[4];
	cs_store32(bytes, value);
	MD5Update(context, bytes, sizeof(bytes));
}

static void add_i64(MD5_CTX *context, int64_t value)
{
	unsigned char bytes[8];
	cs_store64(bytes, (uint64_t)value);
	MD5Update(context, bytes, sizeof(bytes));
}

/* The engine keeps whole centimetres. */
static uint32_t whole_size(double cell_size)
{
	return cell_size < INT32_MAX ? (uint32_t)(int32_t)cell_size : INT32_MAX;
}

static struct cs_guid finish(MD5_CTX *context)
{
	unsigned char digest[MD5_DIGEST_LENGTH];
	MD5Final(digest, context);
	return digest_guid(digest);
}

static struct cs_guid hash_set_guid(
	const struct cs_profile *profile, const struct cs_cell_identity *cell)
{
	const struct cs_cook_partition *p = cell->partition;
	const struct cs_guid b = cell->content_bundle;
	char desc[CS_CELL_NAME];
	MD5_CTX context;
	desc_name(profile, cell, desc);
	MD5Init(&context);
	add_string(&context, desc);
	add_u32(&context, cell->layers_id);
	add_u32(&context, b.a);
	add_u32(&context, b.b);
	add_u32(&context, b.c);
	add_u32(&context, b.d);
	add_string(&context, p->setup ? p->setup : p->name);
	add_u32(&context, (uint32_t)p->row.hlod_index);
	add_u32(&context, whole_size(p->row.cell_size));
	return finish(&context);
}

static void fold(char *text)
{
	for (; *text; text++)
		*text += *text >= 'A' && *text <= 'Z' ? 'a' - 'A' : 0;
}

static struct cs_guid spatial_hash_guid(
	const struct cs_profile *profile, const struct cs_cell_identity *cell)
{
	char grid[CS_CELL_NAME];
	MD5_CTX context;
	snprintf(grid, sizeof(grid), "%.600s", cell->partition->name);
	fold(grid); /* names of grids compare without case */
	MD5Init(&context);
	add_string(&context, grid);
	add_i64(&context, cell->at.x);
	add_i64(&context, cell->at.y);
	add_i64(&context, cell->at.level);
	add_u32(&context, cell->layers_id);
	add_u32(&context, cell->content_bundle.a);
	struct cs_guid inner = finish(&context);
	if (!profile->guid_of_size)
		return inner;
	MD5Init(&context);
	add_u32(&context, inner.a);
	add_u32(&context, inner.b);
	add_u32(&context, inner.c);
	add_u32(&context, inner.d);
	add_u32(&context, whole_size(cell->partition->row.cell_size));
	return finish(&context);
}

struct cs_guid cs_cell_guid(const struct cs_profile *profile, const struct cs_cell_identity *cell)
{
	return cell->partition->row.partition_class == CS_PARTITION_SPATIAL_GRID
		       ? spatial_hash_guid(profile, cell)
		       : hash_set_guid(profile, cell);
}
