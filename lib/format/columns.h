/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of a section by column: bytes that say the same thing in every row lie side by side. The
 * form has the size of the rows; a head says how it was made, so it is read without the field
 * tables that wrote it. How it is stored is up to planes.h; older files have all of it as one LZ4
 * block.
 */
#pragma once

#include <cellscope/core.h>

/* Writes the head for rows of `record` and returns its bytes, at most CS_COLUMNS_HEAD_MOST. */
size_t cs_columns_head(const struct cs_record *record, unsigned char *ret);

enum { CS_COLUMNS_MOST = 512, CS_COLUMNS_HEAD_MOST = 2 + 2 * CS_COLUMNS_MOST };

/* Whether a column is of differences. */
bool cs_columns_differ(const unsigned char *head, size_t column);
/*
 * For each column the word from which that of the first row differs: so that the first difference
 * is the second one again. Of two rows or more.
 */
void cs_columns_begin(const unsigned char *head, const unsigned char *rows, size_t row_size,
	uint64_t first[CS_COLUMNS_MOST]);

/*
 * n rows as the head says, into as many bytes. `head` is one of cs_columns_head; `first` is NULL
 * where all columns begin from 0.
 */
void cs_columns_encode(const unsigned char *head, const unsigned char *rows, size_t n,
	const uint64_t *first, void *ret);

/*
 * Returns the bytes of the head at the beginning of `bytes`, 0 when there is no valid one for rows
 * of `row_size` bytes: a width that no column has, an unknown coding, columns that do not fill a
 * row.
 */
size_t cs_columns_head_check(const unsigned char *bytes, size_t size, size_t row_size);

/*
 * The inverse of cs_columns_encode, for a head that was checked. `wanted` has a bool for each byte
 * of a row: of columns whose first one is not wanted nothing is written. NULL = all are.
 */
void cs_columns_decode(const unsigned char *head, const void *columns, size_t n,
	const uint64_t *first, const bool *wanted, unsigned char *ret);
