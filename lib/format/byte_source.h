/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The source of an input's bytes: a regular file read by offset, or memory. Files are not mapped,
 * because truncating a mapped file kills the process that reads it.
 */
#pragma once

#include <cellscope/core.h>

struct cs_source_file {
	char *name;                 /* name of the source in messages */
	const unsigned char *bytes; /* bytes of a source in memory, or NULL for a file */
	int fd;
	uint64_t size;
	int64_t modified_s, modified_ns;
};

/*
 * Opens a regular file; E_NOTFILE for anything else, E_LIMIT when it is larger than the limit.
 * Never blocks on a FIFO.
 */
struct cs_error *cs_source_open(
	const char *path, uint64_t size_limit, struct cs_source_file *ret) CS_MUST_USE;
/* Reads from bytes that outlive the source. */
struct cs_error *cs_source_memory(
	const void *bytes, size_t size, const char *name, struct cs_source_file *ret) CS_MUST_USE;
/*
 * Reads exactly n bytes at an offset. E_TRUNCATED when they are not all within the source,
 * E_CHANGED when the file became shorter. Several threads may read at the same time.
 */
struct cs_error *cs_source_read(
	const struct cs_source_file *source, uint64_t offset, void *ret, size_t n) CS_MUST_USE;
/* Returns E_CHANGED when size or modification time differ from those at opening. */
struct cs_error *cs_source_unchanged(const struct cs_source_file *source) CS_MUST_USE;
void cs_source_close(struct cs_source_file *source);

/* Reads a whole file into memory and adds a NUL; freed by the caller. */
struct cs_error *cs_read_whole(const char *path, uint64_t size_limit, unsigned char **bytes_ret,
	size_t *size_ret) CS_MUST_USE;
