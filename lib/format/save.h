/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Atomic replacement of a file: a temporary file beside it, fsync, rename, fsync of the folder.
 * Whatever goes wrong, the old file is whole and no temporary file stays. The public part is in
 * cellscope/core.h; here is what only the library's own writers need.
 */
#pragma once

#include <cellscope/core.h>

/* Writes again over bytes that were written before. */
struct cs_error *cs_save_overwrite(
	struct cs_save *save, uint64_t offset, const void *bytes, size_t n) CS_MUST_USE;
/*
 * As cs_save_whole, without waiting for the disk: after a kill there is the old file or the new
 * one, after a power cut perhaps neither. For trees of many files that can be made again.
 */
struct cs_error *cs_save_relaxed(const char *path, const void *bytes, size_t n) CS_MUST_USE;

struct cs_error *cs_save_write(struct cs_save *save, const void *bytes, size_t n) CS_MUST_USE;
