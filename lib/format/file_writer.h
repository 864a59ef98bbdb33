/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing a container: add whole tables, then save. Tables are cut into sections, which are made
 * and compressed in parallel, a few at a time; the bytes depend on nothing but the tables (and,
 * compressed, on the LZ4 version). Neither the rows of a generated table nor the compressed file
 * are ever in memory as a whole when the file goes to disk.
 */
#pragma once

#include <cellscope/core.h>

struct cs_file_writer;

/* Makes rows [first, first + n) of a table; called from any thread, for any part, once each. */
typedef void cs_fill_rows(void *context, size_t first, size_t n, void *rows);

/* A table as it is written: rows, or who makes them. */
struct cs_table_rows {
	uint16_t table;
	const void *rows;
	size_t n;
	cs_fill_rows *fill; /* NULL = they are `rows` */
};

struct cs_error *cs_file_writer_new(const struct cs_schema *schema, const struct cs_job *job,
	struct cs_file_writer **ret) CS_MUST_USE;
/*
 * The rows must stay alive until the file is saved. Tables come in the order of their ids; one
 * without rows is left out.
 */
struct cs_error *cs_file_writer_table(
	struct cs_file_writer *writer, uint16_t table, const void *rows, size_t n) CS_MUST_USE;
/* As above, with rows that are made when their section is written. */
struct cs_error *cs_file_writer_generated(struct cs_file_writer *writer, uint16_t table, size_t n,
	cs_fill_rows *fill, void *context) CS_MUST_USE;
/* Sections are stored as they are, so that the bytes do not depend on LZ4 (a file in a file). */
void cs_file_writer_plain(struct cs_file_writer *writer);
struct cs_error *cs_file_writer_save(struct cs_file_writer *writer, const char *path) CS_MUST_USE;
/* The whole file in memory, freed by the caller. */
struct cs_error *cs_file_writer_bytes(
	struct cs_file_writer *writer, unsigned char **bytes_ret, size_t *size_ret) CS_MUST_USE;
void cs_file_writer_free(struct cs_file_writer *writer);
