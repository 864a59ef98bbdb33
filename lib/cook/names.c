/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: names, package names and GUIDs of cells, and the CRC of layer names. The byte recipe of
 * the GUID is not known: it is in one function, over the parts that are known to go into it.
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
	else if (p->flags & CS_PARTITION_2D || at.level < 0)
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
	cs_cell_short_name(profile, cell, short_name);
	snprintf(text, CS_CELL_NAME, "%s%s%s_%.160s", p->name, p->setup ? "_" : "",
		p->setup ? p->setup : "", short_name);
}

void cs_cell_unique_name(const struct cs_profile *profile, const struct cs_cell_identity *cell,
	char text[CS_CELL_NAME])
{
	char desc[CS_CELL_NAME], layers[16] = "", bundle[16] = "";
	bool spatial = cell->partition->row.partition_class == CS_PARTITION_SPATIAL_GRID;
	desc_name(profile, cell, desc);
	if (cell->layers_id)
		snprintf(layers, sizeof(layers), "_%s%08" PRIX32, spatial ? "DL" : "d",
			cell->layers_id);
	if (!cs_guid_is_zero(cell->content_bundle))
		snprintf(bundle, sizeof(bundle), "_%s%08" PRIX32, spatial ? "CB" : "c",
			cell->content_bundle.a);
	snprintf(text, CS_CELL_NAME, "%.128s_%.460s%s%s", cell->world, desc, layers, bundle);
}

static void fold(char *text)
{
	for (; *text; text++)
		*text += *text >= 'A' && *text <= 'Z' ? 'a' - 'A' : 0;
}

/*
 * MD5 over the name without the world, the layers, the bundle, and the cell size. The spatial hash
 * takes the name in lower case, since names of grids compare without case, and hashes the cell size
 * with the digest of the rest.
 */
struct cs_guid cs_cell_guid(const struct cs_profile *profile, const struct cs_cell_identity *cell)
{
	char desc[CS_CELL_NAME];
	unsigned char parts[4 + 16], size[8], digest[MD5_DIGEST_LENGTH];
	MD5_CTX context;
	bool spatial = cell->partition->row.partition_class == CS_PARTITION_SPATIAL_GRID;
	desc_name(profile, cell, desc);
	if (spatial)
		fold(desc);
	cs_store32(parts, cell->layers_id);
	cs_store32(parts + 4, cell->content_bundle.a);
	cs_store32(parts + 8, cell->content_bundle.b);
	cs_store32(parts + 12, cell->content_bundle.c);
	cs_store32(parts + 16, cell->content_bundle.d);
	cs_store64(size, cs_bits_of_double(cell->partition->row.cell_size));
	MD5Init(&context);
	MD5Update(&context, (const uint8_t *)desc, strlen(desc));
	MD5Update(&context, parts, sizeof(parts));
	if (spatial) {
		MD5Final(digest, &context);
		MD5Init(&context);
		MD5Update(&context, digest, sizeof(digest));
	}
	MD5Update(&context, size, sizeof(size));
	MD5Final(digest, &context);
	return digest_guid(digest);
}
