/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packs the rows of a section by column (columns.h): each byte plane of each column is compressed
 * in the form that suits it. A reader can decode only the columns that it needs, and LZ4 is not run
 * on constants or noise.
 */
#pragma once

#include "format/columns.h"

/* Bytes to add to LZ4_compressBound() of the rows: for the head, and 16 for each byte of a row. */
enum { CS_PLANES_HEADS = CS_COLUMNS_HEAD_MOST + 16 * CS_COLUMNS_MOST };

/*
 * The twin of a table: an earlier table whose rows have the same numbers. A column whose field
 * names a twin (cs_field) may store only the words in which it differs from the twin.
 */
struct cs_planes_twin {
	uint16_t table; /* table that contains the rows, or 0 if no column has a twin */
	uint32_t record_size;
	const unsigned char *rows;
	/* for each byte of a twin row, whether it is needed to unpack a wanted column */
	bool wanted[CS_COLUMNS_MOST];
};

/*
 * Packs n rows, at least 64, and returns the packed size in bytes. `columns` is a buffer of the
 * size of the rows. `twin` may be NULL.
 */
size_t cs_planes_pack(const struct cs_record *record, const unsigned char *rows, size_t n,
	const struct cs_planes_twin *twin, unsigned char *columns, unsigned char *ret);

/*
 * Stores in *ret the twin table (struct cs_planes_twin) that is needed to unpack the wanted columns
 * of a packed section, and which bytes of its rows are needed. ret->table is 0 if no twin is
 * needed. Returns false when the columns do not fit the section or have several twin tables.
 */
bool cs_planes_find_twin(const unsigned char *stored, const struct cs_section *section,
	const bool *wanted, struct cs_planes_twin *ret);

/*
 * Unpacks the rows of a section to `ret`, which has room for raw_size bytes. Returns false when the
 * stored bytes are invalid. `columns` is a work buffer of raw_size bytes. `wanted` has a flag for
 * each byte of a row: a column is decoded and written only if its first byte is wanted. NULL wants
 * all bytes. `twin` contains the rows of the table that cs_planes_find_twin found.
 */
bool cs_planes_unpack(const unsigned char *stored, const struct cs_section *section,
	const bool *wanted, const struct cs_planes_twin *twin, unsigned char *columns,
	unsigned char *ret);
