/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ids by which the engine identifies cells (world-partition rules 1.6.5, 1.7.5; ue-cooked rules
 * 7.3, 14): ids of sets of data layers, short package names, GUIDs. Our cook and the reader of the
 * engine's cooks use these functions; their results equal what Unreal saved in its HLOD actors and
 * cooked maps. No saved files with cells of several layers, of content bundles, of HLOD setups or
 * of grids with an origin were available for comparison.
 *
 * A digest is an MD5 over fields in the byte format of the engine's archives. Other ids that must
 * depend only on content use digests, too.
 */
#pragma once

#include <cellscope/core.h>

#include <md5.h>

struct cs_digest {
	MD5_CTX context;
};

void cs_digest_begin(struct cs_digest *digest);
void cs_digest_bytes(struct cs_digest *digest, const void *bytes, size_t n);
void cs_digest_u32(struct cs_digest *digest, uint32_t value);
void cs_digest_guid(struct cs_digest *digest, struct cs_guid guid);
/*
 * Adds a text as an engine string: length including the NUL, characters, NUL. A text that is not
 * ASCII is in UTF-16, and its length is negative, as in packages. No saved name of this kind was
 * available for comparison.
 */
void cs_digest_string(struct cs_digest *digest, const char *text);
struct cs_guid cs_digest_end(struct cs_digest *digest);

/*
 * Returns the GUID of an object inside a container: for the main container, whose GUID is zero, the
 * object's own GUID, else the MD5 of both GUIDs. How UE combines the GUIDs is unknown.
 */
struct cs_guid cs_combine_guids(struct cs_guid container, struct cs_guid guid);

/* Continues the engine's CRC with a name. The CRC over its names is the id of a data layer set. */
uint32_t cs_identity_crc(uint32_t crc, const char *text);
/* Stores the 25 digits that name the package of the cell with the unique name `unique`. */
void cs_identity_package(const char *unique, char ret[CS_BASE36_TEXT]);

/* Properties from which the GUID of a cell of a runtime hash set (5.4 and later) is computed. */
struct cs_identity_set {
	/* name like "MainGrid_L0_X1_Y2_Z0", without the names of world, layers and bundle */
	const char *desc;
	uint32_t layers_id;
	struct cs_guid bundle;
	const char *partition; /* name of the partition or of its HLOD setup */
	int32_t hlod_index, cell_size;
};
struct cs_guid cs_identity_of_set(const struct cs_identity_set *cell);

/* Properties from which the GUID of a cell of a spatial hash is computed. */
struct cs_identity_spatial {
	const char *grid; /* name of the grid, whose case does not affect the GUID */
	int64_t x, y, level;
	/* id of the data layers, and first word of the content bundle's GUID */
	uint32_t layers_id, bundle;
	bool sized; /* whether the GUID depends on cell_size, as in engine 5.3 and later */
	int32_t cell_size;
};
struct cs_guid cs_identity_of_spatial(const struct cs_identity_spatial *cell);

/* Formats a 128-bit number (upper half: `high`) in base 36, like Unreal in package names. */
void cs_base36_format(uint64_t high, uint64_t low, char text[CS_BASE36_TEXT]);
