/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of a section as they are stored: each byte plane of each column (columns.h) has the form
 * that suits it. So a reader can decode only the columns that it wants, and LZ4 compresses neither
 * constants nor noise.
 */
#pragma once

#include "format/columns.h"

/*
 * Bytes to add to LZ4's bound for the rows to get the bound for packed rows: the heads, and the
 * form byte and size of each plane.
 */
enum { CS_PLANES_HEADS = CS_COLUMNS_HEAD_MOST + 16 * CS_COLUMNS_MOST };

/*
 * Rows of an earlier table with the same row numbers. A column whose field names a twin (cs_field)
 * stores only the words that differ from the twin's.
 */
struct cs_planes_twin {
	uint16_t table; /* table that columns follow; 0 = no column has a twin */
	uint32_t record_size;
	const unsigned char *rows;
	/* for unpacking: a flag for each byte of a row that columns repeat */
	bool wanted[CS_COLUMNS_MOST];
};

/*
 * Packs n >= 64 rows. Returns the number of bytes. `columns` is working memory of the size of the
 * rows. `twin` may be NULL.
 */
size_t cs_planes_pack(const struct cs_record *record, const unsigned char *rows, size_t n,
	const struct cs_planes_twin *twin, unsigned char *columns, unsigned char *ret);

/*
 * Finds the earlier table whose values the wanted columns follow (their twin), and the bytes of its
 * records that they follow; `table` is 0 when no column follows one. Returns false when the columns
 * don't fit the section, or follow several tables.
 */
bool cs_planes_find_twin(const unsigned char *stored, const struct cs_section *section,
	const bool *wanted, struct cs_planes_twin *ret);

/*
 * Unpacks the rows of a section, raw_size bytes. Returns false when the stored bytes don't decode
 * to them. `columns` is working memory of that size. `wanted` has a flag for each byte of a row: a
 * column whose first byte is not wanted is neither decoded nor written. NULL wants all. `twin` has
 * the rows of the table that cs_planes_find_twin found.
 */
bool cs_planes_unpack(const unsigned char *stored, const struct cs_section *section,
	const bool *wanted, const struct cs_planes_twin *twin, unsigned char *columns,
	unsigned char *ret);
