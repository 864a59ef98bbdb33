/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The source of an input's bytes: a regular file that is read by offset, or a block of memory.
 * Files are not mapped, because a process that reads a mapped file is killed when the file is
 * truncated.
 */
#pragma once

#include <cellscope/core.h>

struct cs_source_file {
	char *name;                 /* name of the source in messages */
	const unsigned char *bytes; /* bytes of a source in memory, NULL for a file */
	int fd;
	uint64_t size;
	int64_t modified_s, modified_ns;
};

/* Opens a regular file without waiting. Returns E_NOTFILE for others, E_LIMIT over `size_limit`. */
struct cs_error *cs_source_open(
	const char *path, uint64_t size_limit, struct cs_source_file *ret) CS_MUST_USE;
/* Makes a source of bytes in memory, which must outlive the source. */
struct cs_error *cs_source_memory(
	const void *bytes, size_t size, const char *name, struct cs_source_file *ret) CS_MUST_USE;
/*
 * Reads exactly n bytes at an offset. Returns E_TRUNCATED if the source has fewer bytes, and
 * E_CHANGED if the file has become shorter since it was opened. Several threads may call this at
 * the same time.
 */
struct cs_error *cs_source_read(
	const struct cs_source_file *source, uint64_t offset, void *ret, size_t n) CS_MUST_USE;
/* Returns E_CHANGED if size or modification time have changed since the file was opened. */
struct cs_error *cs_source_unchanged(const struct cs_source_file *source) CS_MUST_USE;
void cs_source_close(struct cs_source_file *source);

/* Reads a whole file into memory and appends a NUL. The caller frees *bytes_ret. */
struct cs_error *cs_read_whole(const char *path, uint64_t size_limit, unsigned char **bytes_ret,
	size_t *size_ret) CS_MUST_USE;

/*
 * Returns whether a search of a folder should enter the folder to which `path`, a symbolic link
 * that the search found, leads. `root` is the length of the path of the searched folder. The search
 * enters no link to a folder that contains the link, and at most `most` links on one path, so that
 * links to one another do not multiply files.
 */
bool cs_link_leads_on(const char *path, size_t root, int most);

/*
 * Converts a UTF-16 file, recognised by its byte order mark or first letter, to UTF-8, which the
 * caller frees. Stores NULL for other files. Returns E_LIMIT if the file has more than `most`
 * bytes.
 */
struct cs_error *cs_utf16_narrow(const struct cs_source_file *source, uint64_t most,
	unsigned char **ret, size_t *size_ret) CS_MUST_USE;
/*
 * Converts UTF-16 to UTF-8, at most three bytes a unit, and returns the number of bytes. An
 * unpaired surrogate becomes U+FFFD.
 */
size_t cs_utf16_convert(const unsigned char *bytes, size_t units, bool big, unsigned char *to);
/* Replaces UTF-16 in *bytes, of which *size are allocated, by UTF-8. Keeps other text as it is. */
struct cs_error *cs_utf16_narrow_bytes(
	const char *file, uint64_t most, unsigned char **bytes, size_t *size) CS_MUST_USE;
