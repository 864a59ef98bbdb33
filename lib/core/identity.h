/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the engine identifies cells (world-partition rules 1.6.5, 1.7.5; ue-cooked rules 7.3, 14):
 * ids of layers, short names of packages, GUIDs. Our cook and the reader of the engine's cooks use
 * the same recipes; their results equal what UE saved in its HLOD actors and cooked maps. Cases
 * with several layers, content bundles, HLOD setups or an origin were not available for comparison.
 *
 * A digest is an MD5 over fields as the engine's archives write them; other identities that must
 * depend on content only use it, too.
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
/* Adds an engine string: the length including the zero, the characters, the zero. */
void cs_digest_string(struct cs_digest *digest, const char *text);
struct cs_guid cs_digest_end(struct cs_digest *digest);

/* Returns the engine's CRC of a name, continued from `crc`: used for the id of a set of layers. */
uint32_t cs_identity_crc(uint32_t crc, const char *text);
/* Returns the 25 digits that name the package of the cell with this unique name. */
void cs_identity_package(const char *unique, char ret[CS_BASE36_TEXT]);

/* The identity of a cell of a hash set, 5.4 and later. */
struct cs_identity_set {
	const char *desc; /* "MainGrid_L0_X1_Y2_Z0", without world, layers and bundle */
	uint32_t layers_id;
	struct cs_guid bundle;
	const char *partition; /* name of the partition or of its HLOD setup */
	int32_t hlod_index, cell_size;
};
struct cs_guid cs_identity_of_set(const struct cs_identity_set *cell);

/* The identity of a cell of the spatial hash. */
struct cs_identity_spatial {
	const char *grid; /* upper and lower case are equal */
	int64_t x, y, level;
	uint32_t layers_id, bundle; /* bundle: the first word of its GUID */
	bool sized;                 /* from 5.3 on the hash includes the cell size */
	int32_t cell_size;
};
struct cs_guid cs_identity_of_spatial(const struct cs_identity_spatial *cell);

/* Formats a 128-bit number, of which `high` is the upper half, as UE does in names. */
void cs_base36_format(uint64_t high, uint64_t low, char text[CS_BASE36_TEXT]);
