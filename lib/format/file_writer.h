/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a container: add whole tables, then save. Tables are divided into sections, which are made
 * and compressed in parallel, a few at a time; the bytes depend only on the tables (and,
 * compressed, on the LZ4 version). When the file goes to disk, neither the rows of a generated
 * table nor the compressed file are ever completely in memory.
 */
#pragma once

#include <cellscope/core.h>

struct cs_file_writer;

/* Makes rows [first, first + n) of a table; called on any thread, once for each part. */
typedef void cs_fill_rows(void *context, size_t first, size_t n, void *rows);

/* A table to be written: rows, or a function that makes them. */
struct cs_table_rows {
	uint16_t table;
	const void *rows;
	size_t n;
	cs_fill_rows *fill; /* function that makes the rows; NULL = `rows` has them */
	/*
	 * Makes of each row only the fields that are twins of fields of later tables; NULL = `fill`
	 * makes them.
	 */
	cs_fill_rows *fill_twins;
};

struct cs_error *cs_file_writer_new(const struct cs_schema *schema, const struct cs_job *job,
	struct cs_file_writer **ret) CS_MUST_USE;
/*
 * The rows must stay valid until the file is saved. Tables must be added in the order of their ids;
 * a table without rows is left out.
 */
struct cs_error *cs_file_writer_table(
	struct cs_file_writer *writer, uint16_t table, const void *rows, size_t n) CS_MUST_USE;
/* Adds a table whose rows may be made when their section is written. */
struct cs_error *cs_file_writer_add(struct cs_file_writer *writer,
	const struct cs_table_rows *table, void *context) CS_MUST_USE;
/*
 * Stores sections uncompressed, so that the bytes do not depend on LZ4 (for a file inside of a
 * file).
 */
void cs_file_writer_plain(struct cs_file_writer *writer);
struct cs_error *cs_file_writer_save(struct cs_file_writer *writer, const char *path) CS_MUST_USE;
/* Returns the whole file in memory, freed by the caller. */
struct cs_error *cs_file_writer_bytes(
	struct cs_file_writer *writer, unsigned char **bytes_ret, size_t *size_ret) CS_MUST_USE;
void cs_file_writer_free(struct cs_file_writer *writer);
/* Writes these tables, whose rows are in memory, into a file in memory, freed by the caller. */
struct cs_error *cs_file_write_tables(const struct cs_schema *schema,
	const struct cs_table_rows *tables, size_t n, const struct cs_job *job,
	unsigned char **bytes_ret, size_t *size_ret) CS_MUST_USE;
