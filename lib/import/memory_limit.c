/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits the import process, and handles foreign code that reaches the memory limit. In C++,
 * operator new would throw, and the result would depend on who catches. So this file replaces the
 * operator by one that sends the error to the parent process and exits. Foreign C gets NULL from
 * malloc and may do anything with it, so malloc is replaced, too: it records whether our limit or
 * the machine refused the memory.
 */
#include "import/memory_limit.h"

#include "core/cage.h"
#include "mesh/helper_wire.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

const char memory_limit_message[] =
	"the importer needs more memory than the limit (raise it with --max-mem)";

#ifndef IS_SANITIZED
static uint64_t limit; /* limit of the address space in bytes, or 0 for no limit */

/* Returns the bytes of address space in use, or 0 if /proc/self/statm cannot be read. */
static uint64_t memory_limit_used_bytes(void)
{
	char text[32] = "";
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	ssize_t n = read(fd, text, sizeof(text) - 1);
	close(fd);
	return n > 0 ? strtoull(text, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}
#endif

static void memory_limit_set(__rlimit_resource_t what, uint64_t soft, uint64_t hard)
{
	struct rlimit now;
	if (getrlimit(what, &now) < 0)
		return;
	now.rlim_max = hard < now.rlim_max ? hard : now.rlim_max;
	now.rlim_cur = soft < now.rlim_max ? soft : now.rlim_max;
	setrlimit(what, &now);
}

void memory_confine(uint64_t bytes)
{
	enum { STACK = 64 << 20 };
#ifndef IS_SANITIZED
	uint64_t now = memory_limit_used_bytes();
	limit = bytes < RLIM_INFINITY - now ? now + bytes : 0;
	if (now && limit)
		memory_limit_set(RLIMIT_AS, limit, limit);
#else
	(void)bytes;
#endif
	memory_limit_set(RLIMIT_STACK, STACK, RLIM_INFINITY);
	memory_limit_set(RLIMIT_CORE, 0, 0);
	memory_limit_set(RLIMIT_FSIZE, 0, 0);
}

void memory_confine_time(uint64_t file_bytes)
{
	enum { SECONDS = 20, GRACE = 5 };
	uint64_t seconds = SECONDS + (file_bytes >> 20);
	memory_limit_set(RLIMIT_CPU, seconds, seconds + GRACE);
}

static enum cs_code shortage = CS_E_NOMEM; /* reason of the last refused allocation */

enum cs_code memory_shortage(void)
{
	return shortage;
}

#ifndef IS_SANITIZED

/* ---- malloc, calloc and realloc, which call those of the C library ---- */

/* Returns CS_E_LIMIT when our own limit refuses `size` more bytes, otherwise CS_E_NOMEM. */
static enum cs_code shortage_of(size_t size)
{
	enum { OVERHEAD = 1 << 20 }; /* largest number of bytes that malloc maps beyond `size` */
	uint64_t used = memory_limit_used_bytes() + OVERHEAD;
	return limit && (size > limit || used > limit - size) ? CS_E_LIMIT : CS_E_NOMEM;
}

static void *checked(void *block, size_t size)
{
	if (!block && size > 0) {
		shortage = shortage_of(size);
		errno = ENOMEM;
	}
	return block;
}

static void find_next(const char *name, void *function)
{
	void *next = dlsym(RTLD_NEXT, name);
	memcpy(function, &next, sizeof(next));
}

void *malloc(size_t size)
{
	static void *(*next)(size_t);
	if (!next)
		find_next("malloc", &next);
	return checked(next(size), size);
}

void *calloc(size_t n, size_t size)
{
	static void *(*next)(size_t, size_t);
	if (!next)
		find_next("calloc", &next);
	return checked(next(n, size), size && n > SIZE_MAX / size ? SIZE_MAX : n * size);
}

void *realloc(void *old, size_t size)
{
	static void *(*next)(void *, size_t);
	if (!next)
		find_next("realloc", &next);
	return checked(next(old, size), size);
}

/* ---- the C++ operators new and new[] ---- */

static void *must_allocate(size_t size)
{
	void *block = malloc(size ? size : 1);
	if (block)
		return block;
	cs_wire_put_plain(STDOUT_FILENO, shortage,
		shortage == CS_E_LIMIT ? memory_limit_message : "out of memory");
	_exit(0);
}

/* Mangled names of operator new and operator new[] on 64-bit machines. */
void *_Znwm(size_t size);
void *_Znam(size_t size);

void *_Znwm(size_t size)
{
	return must_allocate(size);
}

void *_Znam(size_t size)
{
	return must_allocate(size);
}

#endif

bool memory_cage(const char *path, const char *const *others)
{
	const char *slash = strrchr(path, '/');
	char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	struct cs_cage cage;
	bool caged = cs_cage_open(&cage) && folder;
	if (folder)
		cs_cage_let_read(&cage, folder);
	for (; *others; others++)
		cs_cage_let_read(&cage, *others);
	caged = caged && cs_cage_enter(&cage);
	cs_cage_close(&cage);
	free(folder);
#ifndef IS_SANITIZED /* a sanitizer's run time needs system calls that the filter forbids */
	caged = caged && cs_cage_filter_calls();
#endif
	return caged;
}
