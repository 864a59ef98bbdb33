/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocation of arrays that may be large and will be filled. Memory in pages of 4 KiB costs a fault
 * for each of them and more misses of the processor's table of pages: a quarter of the time of
 * cooking a million actors. Many systems give pages of 2 MiB only to those who ask (madvise(2)), so
 * arrays from CS_LARGE bytes on ask, and have lengths that are whole large pages: then the kernel
 * places them at such a page, and realloc moves and extends them as such.
 *
 * Arrays of which only parts are used, such as tables that are decoded by part, come from malloc
 * itself: each part would occupy 2 MiB. All blocks are freed by free.
 */
#pragma once

#include <stddef.h>
#include <stdlib.h>

/*
 * Least size in bytes of a large array. It is eight pages of 2 MiB, so the unused part of the last
 * page is a small part of the whole.
 */
enum { CS_LARGE = 16 << 20 };

/*
 * These work as malloc, calloc and realloc do. They return NULL without memory; realloc's block is
 * then unchanged.
 */
void *cs_large_malloc(size_t bytes);
void *cs_large_calloc(size_t n, size_t size);
void *cs_large_realloc(void *block, size_t bytes);
