/* SPDX-License-Identifier: Apache-2.0 */
/* Reading an open file table by table and section by section. */
#pragma once

#include <cellscope/cooked.h>

/* These return the offset of an element of a field in the record, and its bytes. */
size_t cs_field_offset(const struct cs_field *field, size_t index);
size_t cs_field_element_size(const struct cs_field *field);
const struct cs_field *cs_record_field(const struct cs_record *record, const char *name);
const struct cs_schema *cs_schema_of_kind(uint32_t kind);
/* Opens bytes that outlive the file; messages contain `name`. */
struct cs_error *cs_file_open_bytes(const void *bytes, size_t size, const char *name,
	enum cs_file_mode mode, const struct cs_job *job, struct cs_file **ret) CS_MUST_USE;
const char *cs_file_name(const struct cs_file *file);
size_t cs_file_sections(const struct cs_file *file);
/* Returns the rows of a table from the section table, without reading them. */
uint64_t cs_file_rows(const struct cs_file *file, uint16_t table);
const struct cs_section *cs_file_section(const struct cs_file *file, size_t index);
/*
 * Reads, decodes and checks one table; the file owns the rows until it is closed, and a second call
 * returns the same rows. A table that the file lacks has no rows.
 */
struct cs_error *cs_file_load(
	struct cs_file *file, uint16_t table, const void **rows_ret, size_t *n_ret) CS_MUST_USE;
/* The loaded rows of a table, [first, end). */
struct cs_rows_here {
	size_t first, end;
};
/*
 * Loads and checks n > 0 rows from `first` on, which the table must have. Returns the array for all
 * rows of the table, of which only the rows in `here_ret` are loaded: others must not be read.
 */
struct cs_error *cs_file_load_some(struct cs_file *file, uint16_t table, size_t first, size_t n,
	const void **rows_ret, struct cs_rows_here *here_ret) CS_MUST_USE;
/*
 * Implements cs_cooked_pass for a file: parts that cs_file_load_some loads during a pass are freed
 * again, and parts that were loaded before the pass are kept. Returns true when parts may have been
 * freed: their rows and texts read as zeros.
 */
bool cs_file_pass(struct cs_file *file, enum cs_pass what);
/* A field of a record, given by the offset of any of its bytes. */
struct cs_record_byte {
	uint16_t table, offset;
};
/*
 * Begins a pass that decodes and checks only the given fields, which its caller reads. Other fields
 * of the records are undefined until the pass ends, except in tables that were loaded before or
 * that cs_file_load loads. NULL reads all fields. Returns false when a pass has begun already, and
 * when rows are in memory.
 */
bool cs_file_pass_fields(
	struct cs_file *file, const struct cs_record_byte *fields, size_t n_fields);
/* Returns the bytes of all sections when they are decoded. */
uint64_t cs_file_decoded_bytes(const struct cs_file *file);
/*
 * Returns the bytes of one section, decoded but not checked against any record; freed by the
 * caller.
 */
struct cs_error *cs_file_read_section(const struct cs_file *file, size_t index,
	unsigned char **bytes_ret, size_t *size_ret) CS_MUST_USE;
/*
 * Returns the offset of a row in the file; in a compressed section, that of the section.
 * CS_NO_OFFSET for a row that the table lacks.
 */
uint64_t cs_file_row_offset(const struct cs_file *file, uint16_t table, size_t row);
/*
 * Returns a text of the strings table, which must have been loaded; "" for an offset outside of it.
 */
const char *cs_file_text(const struct cs_file *file, uint32_t offset);

enum { CS_FOUND_TEXTS = 256 };
/*
 * Offsets of texts that were found, ascending; if n exceeds CS_FOUND_TEXTS, `at` has only the
 * first.
 */
struct cs_found_texts {
	uint32_t at[CS_FOUND_TEXTS];
	size_t n;
};

/* A key to find in a field: a GUID, or a text, given by the offsets of all equal texts. */
struct cs_row_key {
	const struct cs_guid *guid; /* GUID to find; NULL = find `texts` */
	const struct cs_found_texts *texts;
};

/*
 * Finds the offsets of all texts that are equal to `text`, ignoring the case of ASCII letters. A
 * match may be the end of a longer text.
 */
struct cs_error *cs_file_find_texts(struct cs_file *file, const char *text,
	const struct cs_job *job, struct cs_found_texts *ret) CS_MUST_USE;
/* Calls `found` for each row whose field has the key, in ascending order. */
struct cs_error *cs_file_find_rows(const struct cs_file *file, uint16_t table,
	const struct cs_field *field, const struct cs_row_key *key, const struct cs_job *job,
	void (*found)(void *context, uint32_t row), void *context) CS_MUST_USE;
