/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of a section as they are stored: each byte plane of each column (columns.h) by itself,
 * in the form that suits it. So a reader decodes the columns that it wants, and LZ4 is given
 * neither what is constant nor what is noise.
 */
#pragma once

#include "format/columns.h"

/* Room for packed rows beside what LZ4 asks for as many bytes: heads, and what each plane begins
 * with. */
enum { CS_PLANES_HEADS = CS_COLUMNS_HEAD_MOST + 16 * CS_COLUMNS_MOST };

/* Packs n >= 64 rows, returns the bytes. `columns` is room for as many as the rows have. */
size_t cs_planes_pack(const struct cs_record *record, const unsigned char *rows, size_t n,
	unsigned char *columns, unsigned char *ret);

/*
 * Rows of a section, raw_size bytes; false when the stored bytes do not describe them. `columns` is
 * room for as many bytes. `wanted` has a bool for each byte of a row: a column whose first byte is
 * not wanted is neither decoded nor written. NULL = all are.
 */
bool cs_planes_unpack(const unsigned char *stored, const struct cs_section *section,
	const bool *wanted, unsigned char *columns, unsigned char *ret);
