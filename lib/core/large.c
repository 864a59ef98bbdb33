/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocates arrays in large pages, or in scratch files when memory is limited. Systems
 * without large pages or madvise() use common pages.
 *
 * An array in a scratch file is a block of malloc with a mapping of its own. All its pages but the
 * first, where malloc stores the size, are replaced by a mapping of a file without a name. So
 * free() releases the block like any other, which also removes the file. The blocks of the file are
 * allocated beforehand: a full disk fails the allocation, not a later store.
 */
#include "core/large.h"

#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* PAGE: bytes of a large page. BESIDE: at least what malloc adds to a separately mapped block. */
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

/*
 * Returns whether the block has a mapping of its own, which realloc moves without copying and free
 * removes. In glibc such a block begins two words after the start of a page and ends where a page
 * ends. A block of the heap may also begin there, but shares its last word with the block after it.
 */
static bool has_own_mapping(void *block)
{
	const uintptr_t small = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)block;
	return at % small == 2 * sizeof(size_t) && (at + malloc_usable_size(block)) % small == 0;
}

/* ---- arrays in scratch files ---- */

/* An array is stored in a scratch file if it is larger than the memory limit divided by LEAST. */
enum { LEAST = 8 };

/*
 * Limit of the private memory of the process (VmData) in bytes, or 0 for no limit. New large arrays
 * that would exceed it are put into scratch files.
 */
static uint64_t most_memory;
static struct rlimit data_limit; /* limit of the process on private memory */
static pthread_mutex_t data_limit_lock = PTHREAD_MUTEX_INITIALIZER;

/*
 * Sets M_MMAP_THRESHOLD. Otherwise malloc raises this threshold when large blocks are freed, and
 * large blocks then have no mappings of their own.
 */
void cs_large_limit(uint64_t bytes)
{
	if (bytes)
		mallopt(M_MMAP_THRESHOLD, CS_LARGE / 2);
	most_memory = getrlimit(RLIMIT_DATA, &data_limit) == 0 ? bytes : 0;
}

uint64_t cs_large_most(void)
{
	return most_memory;
}

uint64_t cs_memory_in_use(void)
{
	char text[4096];
	int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	ssize_t n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	const char *at = strstr(text, "VmData:");
	return at ? strtoull(at + strlen("VmData:"), NULL, 10) << 10 : 0;
}

uint64_t cs_large_room(void)
{
	const uint64_t least = most_memory / LEAST, in_use = cs_memory_in_use();
	return in_use + least < most_memory ? most_memory - in_use : least;
}

/*
 * Opens a file of `bytes` bytes without a name, in the first of the usual folders that permits it
 * and has room for it. Returns -1 if none does.
 */
static int open_scratch(size_t bytes)
{
	int fd = -1;
#ifdef O_TMPFILE
	const char *const folders[] = {getenv("TMPDIR"), "/var/tmp", "/tmp"};
	for (size_t i = 0; fd < 0 && i < sizeof(folders) / sizeof(folders[0]); i++) {
		if (folders[i] && *folders[i])
			fd = open(folders[i], O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
		if (fd >= 0 && posix_fallocate(fd, 0, (off_t)bytes) != 0) {
			close(fd);
			fd = -1;
		}
	}
#else
	(void)bytes;
#endif
	return fd;
}

/*
 * Replaces all pages of the block except the first by pages of a scratch file, which are zero. The
 * block must contain only zeros. Returns whether it succeeded.
 */
static bool put_on_disk(char *block)
{
	const size_t small = (size_t)sysconf(_SC_PAGESIZE);
	char *first = block - (uintptr_t)block % small + small;
	const size_t bytes = malloc_usable_size(block) - (size_t)(first - block);
	const int fd = open_scratch(bytes);
	bool done = fd >= 0 && mmap(first, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
				       fd, 0) == first;
	if (fd >= 0)
		close(fd);
	return done;
}

/*
 * Returns whether an array is stored in a scratch file: if memory has no room for the array, or if
 * loops read the array in order (not `scattered`) and it is larger than 1 / LEAST of the limit.
 */
static bool belongs_on_disk(size_t bytes, bool scattered)
{
	return most_memory && bytes >= CS_LARGE &&
	       ((bytes > most_memory / LEAST && !scattered) ||
		       cs_memory_in_use() + bytes > most_memory);
}

/*
 * Allocates an array of zeros and replaces its pages by those of a scratch file, unless the array
 * is in free memory of the heap. Until then the pages count as private memory of the process, so
 * the limit is lifted meanwhile. Returns NULL if memory runs out or no scratch file can be made.
 */
static void *allocate_on_disk(size_t bytes)
{
	struct rlimit lifted = {data_limit.rlim_max, data_limit.rlim_max};
	pthread_mutex_lock(&data_limit_lock);
	setrlimit(RLIMIT_DATA, &lifted);
	void *block = calloc(bytes, 1);
	if (block && has_own_mapping(block) && !put_on_disk(block)) {
		free(block);
		block = NULL;
	}
	setrlimit(RLIMIT_DATA, &data_limit);
	pthread_mutex_unlock(&data_limit_lock);
	return block;
}

/* ---- allocating ---- */

void *cs_large_malloc(size_t bytes)
{
	bytes = whole_pages(bytes);
	void *on_disk = belongs_on_disk(bytes, false) ? allocate_on_disk(bytes) : NULL;
	return on_disk ? on_disk : ask_for_pages(malloc(bytes), bytes);
}

static void *allocate_zeros(size_t n, size_t size, bool scattered)
{
	size_t bytes;
	if (__builtin_mul_overflow(n, size, &bytes) || bytes < CS_LARGE)
		return calloc(n, size);
	bytes = whole_pages(bytes);
	void *on_disk = belongs_on_disk(bytes, scattered) ? allocate_on_disk(bytes) : NULL;
	return on_disk ? on_disk : ask_for_pages(calloc(bytes, 1), bytes);
}

void *cs_large_calloc(size_t n, size_t size)
{
	return allocate_zeros(n, size, false);
}

void *cs_scattered_calloc(size_t n, size_t size)
{
	return allocate_zeros(n, size, true);
}

/*
 * Works like realloc. Uses cs_large_malloc for a heap block that becomes large, and for a block
 * that belongs in a scratch file, because realloc would copy them to normal pages, or to memory.
 */
void *cs_large_realloc(void *block, size_t bytes)
{
	if (!block)
		return cs_large_malloc(bytes);
	if (bytes < CS_LARGE || (has_own_mapping(block) && !belongs_on_disk(bytes, false))) {
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

void *cs_large_rest(void *block, size_t bytes)
{
	if (!most_memory || !block || bytes < CS_LARGE)
		return block;
	void *resting = allocate_on_disk(whole_pages(bytes));
	if (!resting)
		return block;
	memcpy(resting, block, bytes);
	free(block);
	return resting;
}
