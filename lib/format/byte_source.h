/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the bytes of an input come from: a regular file read by offset, or memory. No mmap, since a
 * mapped file that is cut while it is read kills the process.
 */
#pragma once

#include <cellscope/core.h>

struct cs_source_file {
	char *name;                 /* for messages */
	const unsigned char *bytes; /* memory, or NULL */
	int fd;
	uint64_t size;
	int64_t modified_s, modified_ns;
};

/* Refuses what is not a regular file, and never blocks on a FIFO. */
struct cs_error *cs_source_open(
	const char *path, uint64_t size_limit, struct cs_source_file *ret) CS_MUST_USE;
struct cs_error *cs_source_memory(
	const void *bytes, size_t size, const char *name, struct cs_source_file *ret) CS_MUST_USE;
/* Exactly n bytes at offset, or E_TRUNCATED. Threads may read at the same time. */
struct cs_error *cs_source_read(
	const struct cs_source_file *source, uint64_t offset, void *ret, size_t n) CS_MUST_USE;
/* E_CHANGED when size or time of the file are no longer those of the opening. */
struct cs_error *cs_source_unchanged(const struct cs_source_file *source) CS_MUST_USE;
void cs_source_close(struct cs_source_file *source);

/* A whole file in memory, with a NUL behind it; freed by the caller. */
struct cs_error *cs_read_whole(const char *path, uint64_t size_limit, unsigned char **bytes_ret,
	size_t *size_ret) CS_MUST_USE;
