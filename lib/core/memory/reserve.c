/* SPDX-License-Identifier: Apache-2.0 */
/* Reserves address space. Invariant: a page is writable exactly while it is in use. */
#include "core/reserve.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Smaller tables are in the heap: even their unused pages count towards the memory limit. */
enum { SMALL = 32 << 20 };

static size_t page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

struct cs_reserved cs_reserve(size_t n, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(n, size, &bytes))
		return (struct cs_reserved){0};
	if (bytes < SMALL)
		return (struct cs_reserved){calloc(bytes ? bytes : 1, 1), 0};
	void *at = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return at == MAP_FAILED ? (struct cs_reserved){0} : (struct cs_reserved){at, bytes};
}

bool cs_reserved_use(const struct cs_reserved *reserved, size_t first, size_t n)
{
	if (reserved->mapped == 0 || n == 0)
		return true;
	const size_t before = first % page_bytes();
	return mprotect((char *)reserved->at + (first - before), before + n,
		       PROT_READ | PROT_WRITE) == 0;
}

void cs_reserved_drop(const struct cs_reserved *reserved, size_t first, size_t n)
{
	const size_t page = page_bytes();
	char *begin = (char *)reserved->at + first;
	const size_t before = -(uintptr_t)begin & (page - 1),
		     after = (uintptr_t)(begin + n) & (page - 1);
	if (before + after >= n)
		return;
	/* If madvise fails, the pages stay writable and count towards the limit of memory. */
	if (madvise(begin + before, n - before - after, MADV_DONTNEED) == 0 && reserved->mapped)
		mprotect(begin + before, n - before - after, PROT_READ);
}

void cs_reserved_free(struct cs_reserved *reserved)
{
	if (reserved->mapped)
		munmap(reserved->at, reserved->mapped);
	else
		free(reserved->at);
	*reserved = (struct cs_reserved){0};
}
