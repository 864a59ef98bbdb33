/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Replaces a file atomically: writes a temporary file beside it, then fsync, rename, fsync of the
 * folder. After any failure the old file is complete and no temporary file remains. Public
 * functions are in cellscope/core.h; these are for writers inside the library.
 */
#pragma once

#include <cellscope/core.h>

/* Overwrites n bytes at an offset where bytes were already written. */
struct cs_error *cs_save_overwrite(
	struct cs_save *save, uint64_t offset, const void *bytes, size_t n) CS_MUST_USE;
/*
 * Does the same as cs_save_whole, but does not wait for the disk. If the process is killed, the old
 * or the new file exists. After a power failure there may be neither. It is meant for folders of
 * many files that can be made again.
 */
struct cs_error *cs_save_relaxed(const char *path, const void *bytes, size_t n) CS_MUST_USE;

struct cs_error *cs_save_write(struct cs_save *save, const void *bytes, size_t n) CS_MUST_USE;
