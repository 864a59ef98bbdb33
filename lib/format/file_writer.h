/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes a container file: add whole tables, then save. Tables are divided into sections, which are
 * made and compressed in parallel. The bytes depend only on the tables and, if compressed, on the
 * version of LZ4. When saving to disk, neither the rows of a generated table nor the compressed
 * file are ever completely in memory.
 */
#pragma once

#include <cellscope/core.h>

struct cs_file_writer;

/* Stores n rows of a table from row `first` on. Called once for each range, on any thread. */
typedef void cs_fill_rows(void *context, size_t first, size_t n, void *rows);

/* A table to write: its rows, or a function that makes them. */
struct cs_table_rows {
	uint16_t table;
	const void *rows;
	size_t n;
	cs_fill_rows *fill; /* makes the rows, or NULL if they are in `rows` */
	/* makes only the fields that are twins (CS_TWIN) for later tables, or NULL to use `fill` */
	cs_fill_rows *fill_twins;
};

struct cs_error *cs_file_writer_new(const struct cs_schema *schema, const struct cs_job *job,
	struct cs_file_writer **ret) CS_MUST_USE;
/* Adds a table. Ids must ascend, and the rows must stay valid until the file is saved. */
struct cs_error *cs_file_writer_table(
	struct cs_file_writer *writer, uint16_t table, const void *rows, size_t n) CS_MUST_USE;
/* Adds a table. table->fill, if set, makes the rows with `context` when a section is written. */
struct cs_error *cs_file_writer_add(struct cs_file_writer *writer,
	const struct cs_table_rows *table, void *context) CS_MUST_USE;
/* Turns compression off, for a file that is stored in another file, which compresses it. */
void cs_file_writer_plain(struct cs_file_writer *writer);
struct cs_error *cs_file_writer_save(struct cs_file_writer *writer, const char *path) CS_MUST_USE;
/* Returns the whole file in memory. The caller frees it. */
struct cs_error *cs_file_writer_bytes(
	struct cs_file_writer *writer, unsigned char **bytes_ret, size_t *size_ret) CS_MUST_USE;
void cs_file_writer_free(struct cs_file_writer *writer);
/* Writes tables whose rows are in memory to a file in memory, which the caller frees. */
struct cs_error *cs_file_write_tables(const struct cs_schema *schema,
	const struct cs_table_rows *tables, size_t n, const struct cs_job *job,
	unsigned char **bytes_ret, size_t *size_ret) CS_MUST_USE;
