/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sets the memory limit of the process, and how the heap grows and shrinks. The library counts the
 * memory for decoded data and refuses to exceed the limit; the system limit (RLIMIT_DATA) set in
 * this file also covers memory that the library does not count.
 */
#include "src/front/memory.h"

#include "core/large.h"

#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* Under a sanitizer no limit is set, because its shadow memory would count as data. */
#ifdef IS_SANITIZED
enum { HAS_SHADOW = 1 };
#else
enum { HAS_SHADOW = 0 };
#endif

enum {
	HEAP = 64 << 20, /* bytes by which the heap is extended at the start, in large pages */
	MORE = 1 << 20,  /* size of the block whose allocation extends the heap at the start */
	/* M_TOP_PAD after the start: bytes that the heap grows beyond each request */
	USUAL_PAD = 128 << 10,
	KEPT = 16 << 20,  /* freed bytes beyond HEAP that are not returned to the system */
	MAPPED = 4 << 20, /* blocks of at least this size are mapped separately from the heap */
};

/* Whether the heap was extended by HEAP bytes: they count as data (RLIMIT_DATA) while free. */
static bool is_extended;

/* Extends the heap by HEAP bytes and requests large pages for them. */
static void extend_heap(void)
{
#ifdef MADV_HUGEPAGE
	const uintptr_t small = (uintptr_t)sysconf(_SC_PAGESIZE);
	mallopt(M_TOP_PAD, HEAP);
	char *first = malloc(MORE);
	mallopt(M_TOP_PAD, USUAL_PAD);
	char *page = first + (-(uintptr_t)first & (small - 1)), *end = sbrk(0);
	is_extended = first && end > page && end - page <= MORE + 2 * HEAP;
	if (is_extended)
		madvise(page, (size_t)(end - page), MADV_HUGEPAGE);
	free(first);
#endif
}

void memory_shape_heap(void)
{
	mallopt(M_TRIM_THRESHOLD, HEAP + KEPT);
	mallopt(M_MMAP_THRESHOLD, MAPPED);
	if (!HAS_SHADOW)
		extend_heap();
}

bool memory_bound(uint64_t bytes)
{
	/* Bytes reserved for the program's own buffers, and for the stack of each thread. */
	enum { OWN = 32 << 20, STACK = 9 << 20 };
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t now = HAS_SHADOW ? 0 : cs_memory_in_use(), more = OWN + bytes;
	struct rlimit limit;
	if (now == 0 || getrlimit(RLIMIT_DATA, &limit) < 0)
		return false;
	if (is_extended)
		more = more > HEAP ? more - HEAP : 0;
	uint64_t most = now + more + STACK * (uint64_t)(processors > 0 ? processors : 1);
	if (most >= limit.rlim_cur)
		return false;
	limit.rlim_cur = most;
	if (setrlimit(RLIMIT_DATA, &limit) < 0)
		return false;
	/*
	 * Large arrays get half of `bytes`, then scratch files; the other half is for other data.
	 */
	cs_large_limit(now + bytes / 2);
	return true;
}
