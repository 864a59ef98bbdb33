/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stores the rows of a section by column: bytes with the same meaning in every row are stored side
 * by side. The columns have the same total size as the rows. A head describes them, so that they
 * can be read without the field tables of the version that wrote them. planes.h compresses the
 * columns; older files store them as one LZ4 block.
 */
#pragma once

#include <cellscope/core.h>

/*
 * Writes the head, which describes the columns of rows of `record`. Returns its size in bytes, at
 * most CS_COLUMNS_HEAD_MOST.
 */
size_t cs_columns_head(const struct cs_record *record, unsigned char *ret);

enum { CS_COLUMNS_MOST = 512, CS_COLUMNS_HEAD_MOST = 2 + 2 * CS_COLUMNS_MOST };

/* Returns whether a column stores the differences between successive rows. */
bool cs_columns_differ(const unsigned char *head, size_t column);
/* Returns whether a column has byte planes: first the lowest bytes of all words, then the next. */
bool cs_columns_are_planes(const unsigned char *head, size_t column);
/* Returns whether a column is stored as differences from its twin. cs_columns_decode skips it. */
bool cs_columns_follow(const unsigned char *head, size_t column);
/* Marks a column in the head as stored by differences from a column of another table. */
void cs_columns_set_follow(unsigned char *head, size_t column);
/*
 * Computes, for each column of differences, the word to subtract from the word of row 0, chosen so
 * that the first difference equals the second. There must be at least two rows.
 */
void cs_columns_begin(const unsigned char *head, const unsigned char *rows, size_t row_size,
	uint64_t first[CS_COLUMNS_MOST]);

/* Rows in memory, from `at` on, `step` bytes apart. If `step` is 0, all rows are the same. */
struct cs_rows_at {
	const unsigned char *at;
	size_t step;
};

/*
 * Sets in `ret`, for each of the `size` bytes of a row, the bits in which any of the n rows differs
 * from the row of the same number in `others`. If `size` is below 16, all bits are set.
 */
void cs_columns_compare(struct cs_rows_at rows, struct cs_rows_at others, size_t n, size_t size,
	unsigned char *ret);

/*
 * Encodes n rows in the form that the head from cs_columns_head describes, to the size of the rows.
 * `first` is the result of cs_columns_begin, or NULL for zeros. `wanted` has a flag for each byte
 * of a row: a column is written only if its first byte is wanted. NULL wants all bytes.
 */
void cs_columns_encode(const unsigned char *head, const unsigned char *rows, size_t n,
	const uint64_t *first, const bool *wanted, void *ret);

/*
 * Returns the size in bytes of the head at the start of `bytes`, or 0 if it is not valid for rows
 * of `row_size` bytes. A head is not valid if a width or coding is unknown, if its columns do not
 * fill a row, or if a column depends on another table, unless `follow` allows that.
 */
size_t cs_columns_head_check(const unsigned char *bytes, size_t size, size_t row_size, bool follow);

/*
 * Decodes the output of cs_columns_encode, with a head that cs_columns_head_check accepted.
 * `wanted` has a flag for each byte of a row: a column is written only if its first byte is wanted.
 * NULL wants all bytes.
 */
void cs_columns_decode(const unsigned char *head, const void *columns, size_t n,
	const uint64_t *first, const bool *wanted, unsigned char *ret);
