/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of a section by column, as they are compressed: bytes that say the same thing in every
 * row lie side by side, where LZ4 finds in them what it cannot find a row apart. The form has the
 * size of the rows; a head in front of it says how it was made, so it is read without the field
 * tables that wrote it.
 */
#pragma once

#include <cellscope/core.h>

/* Bytes of the head for rows of `record`, at most CS_COLUMNS_HEAD_MOST. */
size_t cs_columns_head(const struct cs_record *record, unsigned char *ret);

enum { CS_COLUMNS_MOST = 512, CS_COLUMNS_HEAD_MOST = 2 + 2 * CS_COLUMNS_MOST };

/* n rows as the head says, into as many bytes. `head` is one of cs_columns_head. */
void cs_columns_encode(const unsigned char *head, const unsigned char *rows, size_t n, void *ret);

/*
 * Bytes of the head that `bytes` begin with, 0 when they begin with none for rows of `row_size`
 * bytes: a width that no column has, a coding that is unknown, columns that do not fill a row.
 */
size_t cs_columns_head_check(const unsigned char *bytes, size_t size, size_t row_size);

/* The inverse of cs_columns_encode, for a head that was checked. */
void cs_columns_decode(
	const unsigned char *head, const void *columns, size_t n, unsigned char *ret);
