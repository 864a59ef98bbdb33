/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decoding, checking and printing records by their field tables. In memory a record has the layout
 * of the file; on a little-endian machine decoding is a copy, elsewhere it goes field by field
 * (cs_record_decode_by_field), and a test proves both equal.
 */
#pragma once

#include <cellscope/core.h>

#define CS_MAX_TABLES 256

/* What the references of a record may refer to. */
struct cs_record_context {
	const char *texts; /* the blob of strings with a final NUL, or NULL when there is none */
	size_t texts_size;
	uint64_t rows[CS_MAX_TABLES];
};

struct cs_record_problem {
	const struct cs_field *field;
	enum cs_code code;
	char message[128];
};

/*
 * Decodes n records of `stored_size` bytes each into records of record->size: a shorter stored
 * record (of an older minor version) is followed by zeros, the end of a longer one (of a newer
 * version) is dropped.
 */
void cs_record_decode(const struct cs_record *record, const unsigned char *stored,
	size_t stored_size, size_t n, void *ret);
void cs_record_decode_by_field(const struct cs_record *record, const unsigned char *stored,
	size_t stored_size, size_t n, void *ret);
/* Encodes one record of the full size, field by field: the inverse of decoding. */
void cs_record_encode_by_field(const struct cs_record *record, const void *row, unsigned char *ret);
/* Returns whether every field of the row is valid for its type. */
bool cs_record_check(const struct cs_record *record, const void *row,
	const struct cs_record_context *context, struct cs_record_problem *problem);
/* Returns the first of n rows that cs_record_check does not accept, n when it accepts all. */
size_t cs_record_first_invalid(const struct cs_record *record, const void *rows, size_t n,
	const struct cs_record_context *context);
/*
 * Marks the parts of the texts, of 1 << shift bytes each, that contain the beginnings of the rows'
 * texts and the bytes before them. The rows are not checked: an offset beyond n_parts marks
 * nothing.
 */
void cs_record_mark_texts(const struct cs_record *record, const void *rows, size_t n,
	unsigned shift, unsigned char *parts, size_t n_parts);
/*
 * Checks the texts in [from, to) of a blob of `size` bytes, which begins with an empty text and
 * ends with NUL: valid UTF-8, none too long.
 */
struct cs_error *cs_texts_check(const char *blob, size_t from, size_t to, size_t size,
	uint32_t longest, const char *file) CS_MUST_USE;
