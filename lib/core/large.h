/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocation of arrays that may be large and will be filled. Pages of 4 KiB cost a page fault each
 * and many TLB misses: a quarter of the time of cooking a million actors. Many systems use pages of
 * 2 MiB only on request (madvise(2)), so arrays of CS_LARGE bytes or more request them. Their sizes
 * are multiples of the large page; the kernel then aligns them to large pages, and realloc keeps
 * them in large pages when it moves or extends them.
 *
 * Arrays of which only parts are used, such as tables that are decoded in parts, use malloc: each
 * part would occupy 2 MiB. All blocks are freed by free().
 *
 * When memory is limited (cs_large_limit), large arrays are stored in scratch files: the system
 * keeps the pages in use in memory, as it does for files that are read.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Minimum bytes of a large array: four large pages, so that its last page wastes little. */
enum { CS_LARGE = 8 << 20 };

/*
 * Like malloc, calloc and realloc. On failure they return NULL, and realloc's block is unchanged.
 */
void *cs_large_malloc(size_t bytes);
void *cs_large_calloc(size_t n, size_t size);
void *cs_large_realloc(void *block, size_t bytes);
/*
 * Like cs_large_calloc, for an array that is read and written in random order, such as a hash
 * table. It is stored in a scratch file only when memory has no room for it.
 */
void *cs_scattered_calloc(size_t n, size_t size);
/*
 * If memory is limited, moves an array of `bytes` bytes that will seldom be read to a scratch file,
 * and returns its new address. Otherwise returns `block`.
 */
void *cs_large_rest(void *block, size_t bytes);

/*
 * Sets the limit of private memory in bytes: from now on, large arrays that exceed an eighth of it,
 * or for which no memory is left, are stored in scratch files. Call it after setting RLIMIT_DATA,
 * and before threads exist. The files have no names, and are in TMPDIR, /var/tmp or /tmp.
 */
void cs_large_limit(uint64_t bytes);
/* Returns the limit that cs_large_limit set, in bytes, or 0 if memory is not limited. */
uint64_t cs_large_most(void);
/* Returns how many bytes of the limit are unused, at least an eighth of it, or 0 for no limit. */
uint64_t cs_large_room(void);
/* Returns the writable private memory of the process in bytes, or 0 if it is not known. */
uint64_t cs_memory_in_use(void);
