/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes, checks and prints records by their field tables. A record in memory has the layout of
 * the file, so decoding is a copy on little-endian machines. On other machines it is done field by
 * field (cs_record_decode_by_field). A test proves that both ways have the same result.
 */
#pragma once

#include <cellscope/core.h>

#define CS_MAX_TABLES 256

/* Data against which texts and references in records are checked. */
struct cs_record_context {
	const char *texts; /* strings table, with a NUL at its end, or NULL if there is none */
	size_t texts_size;
	uint64_t rows[CS_MAX_TABLES];
};

struct cs_record_problem {
	const struct cs_field *field;
	enum cs_code code;
	char message[128];
};

/*
 * Decodes n records of `stored_size` bytes to records of record->size bytes. A shorter stored
 * record (of an older minor version) is filled up with zeros. The end of a longer one (of a newer
 * version) is dropped.
 */
void cs_record_decode(const struct cs_record *record, const unsigned char *stored,
	size_t stored_size, size_t n, void *ret);
void cs_record_decode_by_field(const struct cs_record *record, const unsigned char *stored,
	size_t stored_size, size_t n, void *ret);
/* Encodes one record of full size, field by field. This is the inverse of decoding. */
void cs_record_encode_by_field(const struct cs_record *record, const void *row, unsigned char *ret);
/* Returns whether all fields of the row are valid. If not, *problem describes the first fault. */
bool cs_record_check(const struct cs_record *record, const void *row,
	const struct cs_record_context *context, struct cs_record_problem *problem);
/* Returns the index of the first of n rows that cs_record_check rejects, or n if all are valid. */
size_t cs_record_first_invalid(const struct cs_record *record, const void *rows, size_t n,
	const struct cs_record_context *context);
/*
 * Marks in `parts` the parts of the strings table that contain the start of a text of the rows, or
 * the byte before it. A part has 1 << shift bytes. Rows need not be valid: a text beyond the
 * n_parts parts is ignored.
 */
void cs_record_mark_texts(const struct cs_record *record, const void *rows, size_t n,
	unsigned shift, unsigned char *parts, size_t n_parts);
/*
 * Checks the texts from offset `from` to `to` of a strings table of `size` bytes: valid UTF-8 of at
 * most `longest` bytes each. The table must begin with an empty text and end with a NUL.
 */
struct cs_error *cs_texts_check(const char *blob, size_t from, size_t to, size_t size,
	uint32_t longest, const char *file) CS_MUST_USE;
