/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that read an open file table by table or section by section. */
#pragma once

#include <cellscope/cooked.h>

/* Return the offset of element `index` of a field, and the size of an element, both in bytes. */
size_t cs_field_offset(const struct cs_field *field, size_t index);
size_t cs_field_element_size(const struct cs_field *field);
size_t cs_field_word_size(const struct cs_field *field);
const struct cs_field *cs_record_field(const struct cs_record *record, const char *name);
const struct cs_schema *cs_schema_of_kind(uint32_t kind);
/* Opens a file in memory. The bytes must outlive the file. `name` is used in messages. */
struct cs_error *cs_file_open_bytes(const void *bytes, size_t size, const char *name,
	enum cs_file_mode mode, const struct cs_job *job, struct cs_file **ret) CS_MUST_USE;
const char *cs_file_name(const struct cs_file *file);
/* Returns the path of the file: of a standalone level the file of the world that contains it. */
const char *cs_file_path(const struct cs_file *file);
/* Returns the number of rows of a table, from the section table. */
uint64_t cs_file_rows(const struct cs_file *file, uint16_t table);
/* Reads and checks a table once. The file owns the rows. *n_ret is 0 if the table is missing. */
struct cs_error *cs_file_load(
	struct cs_file *file, uint16_t table, const void **rows_ret, size_t *n_ret) CS_MUST_USE;
/* Range of the loaded rows of a table: from row `first` to row `end` - 1. */
struct cs_rows_here {
	size_t first, end;
};
/*
 * Loads and checks n > 0 rows of a table from row `first` on, which must exist. Returns the array
 * of all rows of the table. Only the rows in *here_ret are loaded and may be read.
 */
struct cs_error *cs_file_load_some(struct cs_file *file, uint16_t table, size_t first, size_t n,
	const void **rows_ret, struct cs_rows_here *here_ret) CS_MUST_USE;
/*
 * Does for one file what cs_cooked_pass does. During a pass and at its end, frees the parts that
 * cs_file_load_some loaded in the pass, but not parts that were loaded before. Returns whether
 * parts may have been freed. Freed rows and texts read as zeros.
 */
bool cs_file_pass(struct cs_file *file, enum cs_pass what);
/* Identifies a field by its table and the offset of any of its bytes. */
struct cs_record_byte {
	uint16_t table, offset;
};
/*
 * Begins a pass that decodes and checks only the given fields, or all if `fields` is NULL. Other
 * fields of the records are undefined until the pass ends, except in tables that were loaded before
 * or that cs_file_load loads. Returns false when a pass has already begun, or when the tables were
 * made in memory instead of read from a file.
 */
bool cs_file_pass_fields(
	struct cs_file *file, const struct cs_record_byte *fields, size_t n_fields);
/* Returns the total decoded size of all sections in bytes. */
uint64_t cs_file_decoded_bytes(const struct cs_file *file);
/*
 * Returns the offset of a row in the file or, if its section is compressed, the offset of the
 * section. Returns CS_NO_OFFSET if there is no such row.
 */
uint64_t cs_file_row_offset(const struct cs_file *file, uint16_t table, size_t row);
/* Returns the text at an offset in the loaded strings table, or "" for an invalid offset. */
const char *cs_file_text(const struct cs_file *file, uint32_t offset);

enum { CS_FOUND_TEXTS = 256 };
/* Offsets of n texts equal to a searched text. `at` has the first CS_FOUND_TEXTS, ascending. */
struct cs_found_texts {
	uint32_t at[CS_FOUND_TEXTS];
	size_t n;
};

/* A value to find in a field: a GUID, or a text, given by the offsets of all texts equal to it. */
struct cs_row_key {
	const struct cs_guid *guid; /* GUID to find, or NULL to find one of `texts` */
	const struct cs_found_texts *texts;
};

/* Finds all offsets of `text`, ignoring ASCII case, also those at the end of a longer text. */
struct cs_error *cs_file_find_texts(struct cs_file *file, const char *text,
	const struct cs_job *job, struct cs_found_texts *ret) CS_MUST_USE;
/* Calls `found` for each row whose field has the value `key`, in ascending order of rows. */
struct cs_error *cs_file_find_rows(const struct cs_file *file, uint16_t table,
	const struct cs_field *field, const struct cs_row_key *key, const struct cs_job *job,
	void (*found)(void *context, uint32_t row), void *context) CS_MUST_USE;
