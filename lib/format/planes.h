/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packs the rows of a section by column (columns.h): each byte plane of each column is compressed
 * in the form that suits it. A reader can decode only the columns that it needs, and LZ4 is not run
 * on constants or noise.
 */
#pragma once

#include "format/columns.h"

/* Bytes to add to LZ4_compressBound() of the rows: head, and at most 16 for each byte of a row. */
enum { CS_PLANES_HEADS = CS_COLUMNS_HEAD_MOST + 16 * CS_COLUMNS_MOST };

/*
 * Rows of an earlier table with the same row numbers (the twin). A column whose field names a twin
 * (cs_field) may store only the words that differ from those of the twin.
 */
struct cs_planes_twin {
	uint16_t table; /* table that contains the twin rows; 0 = no column has a twin */
	uint32_t record_size;
	const unsigned char *rows;
	/* for unpacking: for each byte of a twin row, whether a wanted column needs that byte */
	bool wanted[CS_COLUMNS_MOST];
};

/* Packs n >= 64 rows; returns the size. `columns`: buffer as large as rows. `twin` may be NULL. */
size_t cs_planes_pack(const struct cs_record *record, const unsigned char *rows, size_t n,
	const struct cs_planes_twin *twin, unsigned char *columns, unsigned char *ret);

/*
 * Stores in *ret the twin table (struct cs_planes_twin) that is needed to unpack the wanted columns
 * of a packed section, and the needed bytes of its records; ret->table is 0 if none is needed.
 * Returns false when the columns do not fit the section or have several twin tables.
 */
bool cs_planes_find_twin(const unsigned char *stored, const struct cs_section *section,
	const bool *wanted, struct cs_planes_twin *ret);

/*
 * Unpacks the rows of a section to `ret`, which has room for raw_size bytes. Returns false when the
 * stored bytes are invalid. `columns` is a work buffer of raw_size bytes. `wanted` has a flag for
 * each byte of a row: a column whose first byte is not wanted is neither decoded nor written; NULL
 * means that all bytes are wanted. `twin` contains the rows of the table that cs_planes_find_twin
 * found.
 */
bool cs_planes_unpack(const unsigned char *stored, const struct cs_section *section,
	const bool *wanted, const struct cs_planes_twin *twin, unsigned char *columns,
	unsigned char *ret);
