/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of a section by column: bytes with the same meaning in every row are stored side by
 * side. The columns take as many bytes as the rows. A head describes them, so that they can be read
 * without the field tables of the version that wrote them. planes.h defines how columns are stored;
 * older files store them as one LZ4 block.
 */
#pragma once

#include <cellscope/core.h>

/* Writes the head for rows of `record` and returns its bytes, at most CS_COLUMNS_HEAD_MOST. */
size_t cs_columns_head(const struct cs_record *record, unsigned char *ret);

enum { CS_COLUMNS_MOST = 512, CS_COLUMNS_HEAD_MOST = 2 + 2 * CS_COLUMNS_MOST };

/* Returns whether a column contains differences. */
bool cs_columns_differ(const unsigned char *head, size_t column);
/* Returns whether a column contains the bytes of its words, plane by plane. */
bool cs_columns_are_planes(const unsigned char *head, size_t column);
/*
 * Returns whether a column stores only its differences from a column of another table;
 * cs_columns_decode skips such columns.
 */
bool cs_columns_follow(const unsigned char *head, size_t column);
/* Marks a column in the head as one that follows another. */
void cs_columns_set_follow(unsigned char *head, size_t column);
/*
 * Computes for each column the word to subtract from the first row's, chosen so that the first
 * difference equals the second. There must be at least two rows.
 */
void cs_columns_begin(const unsigned char *head, const unsigned char *rows, size_t row_size,
	uint64_t first[CS_COLUMNS_MOST]);

/*
 * Rows that begin at `at`, `step` bytes apart. With a step of 0 every row number means the same
 * row.
 */
struct cs_rows_at {
	const unsigned char *at;
	size_t step;
};

/*
 * Collects, for each of `size` bytes, the bits in which one of n rows differs from the other row of
 * the same number. When there are fewer than 16 bytes, all bits are set.
 */
void cs_columns_compare(struct cs_rows_at rows, struct cs_rows_at others, size_t n, size_t size,
	unsigned char *ret);

/*
 * Encodes n rows in the form of the head, into as many bytes. `head` comes from cs_columns_head.
 * `first` is NULL when all columns begin from 0. `wanted` has a flag for each byte of a row: a
 * column whose first byte is not wanted isn't written. NULL wants all.
 */
void cs_columns_encode(const unsigned char *head, const unsigned char *rows, size_t n,
	const uint64_t *first, const bool *wanted, void *ret);

/*
 * Returns the bytes of the head at the beginning of `bytes`, 0 when there is no valid one for rows
 * of `row_size` bytes: a width that no column has, an unknown coding, columns that do not fill a
 * row, or columns that follow others where `follow` does not allow them.
 */
size_t cs_columns_head_check(const unsigned char *bytes, size_t size, size_t row_size, bool follow);

/*
 * Decodes what cs_columns_encode wrote, with a head that was checked. `wanted` has a flag for each
 * byte of a row: a column whose first byte is not wanted isn't written. NULL wants all.
 */
void cs_columns_decode(const unsigned char *head, const void *columns, size_t n,
	const uint64_t *first, const bool *wanted, unsigned char *ret);
