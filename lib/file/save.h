/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Atomic replacement of a file: a temporary file beside it, fsync, rename, fsync of the folder.
 * Whatever goes wrong, the old file is whole and no temporary file stays.
 */
#ifndef FILE_SAVE_H
#define FILE_SAVE_H

#include <cellscope/file.h>

struct cs_save {
	char *path, *temporary;
	int fd;
	bool relaxed; /* not forced to the disk */
	uint64_t written;
};

struct cs_error *cs_save_begin(const char *path, struct cs_save *ret) CS_MUST_USE;
struct cs_error *cs_save_write(struct cs_save *save, const void *bytes, size_t n) CS_MUST_USE;
/* Writes again over bytes that were written before. */
struct cs_error *cs_save_overwrite(
	struct cs_save *save, uint64_t offset, const void *bytes, size_t n) CS_MUST_USE;
/* Commits; the save is over whether it worked or not. */
struct cs_error *cs_save_commit(struct cs_save *save) CS_MUST_USE;
/* Removes the temporary file; harmless after a commit. */
void cs_save_abandon(struct cs_save *save);

/*
 * As cs_save_whole, without waiting for the disk: after a kill there is the old file or the new
 * one, after a power cut perhaps neither. For trees of many files that can be made again.
 */
struct cs_error *cs_save_relaxed(const char *path, const void *bytes, size_t n) CS_MUST_USE;

#endif
