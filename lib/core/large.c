/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns allocating arrays in large pages. Systems without large pages or madvise() use common pages.
 */
#include "core/large.h"

#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* PAGE: bytes of a large page. BESIDE: at least what malloc adds to a block with an own mapping. */
enum { PAGE = 2 << 20, BESIDE = 64 };

/* Returns the size to allocate: together with malloc's overhead, large arrays fill whole pages. */
static size_t whole_pages(size_t bytes)
{
	if (bytes < CS_LARGE || bytes > SIZE_MAX - PAGE - BESIDE)
		return bytes;
	return ((bytes + BESIDE + PAGE - 1) & ~(size_t)(PAGE - 1)) - BESIDE;
}

/*
 * Requests large pages for the whole mapping: requesting them for a part would split the mapping in
 * two, and realloc would then have to copy the bytes.
 */
static void *ask_for_pages(void *block, size_t bytes)
{
#ifdef MADV_HUGEPAGE
	if (block && bytes >= CS_LARGE) {
		const size_t small = (size_t)sysconf(_SC_PAGESIZE);
		const size_t before = (uintptr_t)block % small;
		madvise((char *)block - before, before + bytes, MADV_HUGEPAGE);
	}
#endif
	return block;
}

void *cs_large_malloc(size_t bytes)
{
	bytes = whole_pages(bytes);
	return ask_for_pages(malloc(bytes), bytes);
}

void *cs_large_calloc(size_t n, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(n, size, &bytes) || bytes < CS_LARGE)
		return calloc(n, size);
	bytes = whole_pages(bytes);
	return ask_for_pages(calloc(bytes, 1), bytes);
}

/*
 * Whether realloc moves the block without copying it. A block with a mapping of its own begins two
 * words (of glibc) behind the start of a page. A wrong answer costs only time.
 */
static bool has_own_mapping(const void *block)
{
	const uintptr_t small = (uintptr_t)sysconf(_SC_PAGESIZE);
	return (uintptr_t)block % small == 2 * sizeof(size_t);
}

/* realloc would copy a block of the heap to common pages before large pages can be requested. */
void *cs_large_realloc(void *block, size_t bytes)
{
	if (!block || bytes < CS_LARGE || has_own_mapping(block)) {
		bytes = whole_pages(bytes);
		return ask_for_pages(realloc(block, bytes), bytes);
	}
	const size_t held = malloc_usable_size(block);
	void *grown = cs_large_malloc(bytes);
	if (grown) {
		memcpy(grown, block, held < bytes ? held : bytes);
		free(block);
	}
	return grown;
}
