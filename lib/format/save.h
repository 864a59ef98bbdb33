/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Replaces a file atomically: a temporary file beside it, fsync, rename, fsync of the folder. After
 * any failure the old file is complete and no temporary file remains. The public functions are in
 * cellscope/core.h; these are only for the library's own writers.
 */
#pragma once

#include <cellscope/core.h>

/* Overwrites bytes that were written before. */
struct cs_error *cs_save_overwrite(
	struct cs_save *save, uint64_t offset, const void *bytes, size_t n) CS_MUST_USE;
/*
 * Like cs_save_whole, without waiting for the disk: after a kill there is the old file or the new
 * one, after a power failure perhaps neither. For trees of many files that can be made again.
 */
struct cs_error *cs_save_relaxed(const char *path, const void *bytes, size_t n) CS_MUST_USE;

struct cs_error *cs_save_write(struct cs_save *save, const void *bytes, size_t n) CS_MUST_USE;
