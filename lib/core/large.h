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
 */
#pragma once

#include <stddef.h>
#include <stdlib.h>

/* Minimum bytes of a large array: four large pages, so that its last page wastes little. */
enum { CS_LARGE = 8 << 20 };

/*
 * Like malloc, calloc and realloc. On failure NULL is returned, and realloc's block is unchanged.
 */
void *cs_large_malloc(size_t bytes);
void *cs_large_calloc(size_t n, size_t size);
void *cs_large_realloc(void *block, size_t bytes);
