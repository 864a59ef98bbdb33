/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing a container: add whole tables, then save. Tables are cut into sections and compressed in
 * parallel; the bytes depend on nothing but the tables (and, compressed, on the LZ4 version).
 */
#ifndef FILE_WRITER_H
#define FILE_WRITER_H

#include <cellscope/file.h>

struct cs_file_writer;

struct cs_error *cs_file_writer_new(
	const struct cs_schema *schema, const struct cs_job *job, struct cs_file_writer **ret)
	CS_MUST_USE;
/*
 * The rows must stay alive until the file is saved. Tables come in the order of their ids; one
 * without rows is left out.
 */
struct cs_error *cs_file_writer_table(
	struct cs_file_writer *writer, uint16_t table, const void *rows, size_t n) CS_MUST_USE;
struct cs_error *cs_file_writer_save(struct cs_file_writer *writer, const char *path) CS_MUST_USE;
/* The whole file in memory, freed by the caller. */
struct cs_error *cs_file_writer_bytes(
	struct cs_file_writer *writer, unsigned char **bytes_ret, size_t *size_ret) CS_MUST_USE;
void cs_file_writer_free(struct cs_file_writer *writer);

#endif
