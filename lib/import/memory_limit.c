/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: the limits of the process, and what happens when foreign code runs into that of memory.
 * C++ throws then, and what becomes of that depends on who catches it; so the operators that
 * allocate are ours, and answer in place of throwing.
 */
#include "import/memory_limit.h"

#include "mesh/helper_wire.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

const char memory_limit_message[] = "reading it takes more than the limit memory";

/* Shadow memory needs room without bounds, and its operators must be those of the sanitizer. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif

static uint64_t limit; /* of the address space; 0 = not set yet */

/* Address space in use, or 0. */
static uint64_t used_bytes(void)
{
	char text[32] = "";
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	ssize_t n = read(fd, text, sizeof(text) - 1);
	close(fd);
	return n > 0 ? strtoull(text, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

static void set(__rlimit_resource_t what, uint64_t soft, uint64_t hard)
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
	uint64_t now = used_bytes();
	limit = bytes < RLIM_INFINITY - now ? now + bytes : 0;
	if (now && limit)
		set(RLIMIT_AS, limit, limit);
#else
	(void)bytes;
#endif
	set(RLIMIT_STACK, STACK, RLIM_INFINITY);
	set(RLIMIT_CORE, 0, 0);
	set(RLIMIT_FSIZE, 0, 0);
}

void memory_confine_time(uint64_t file_bytes)
{
	enum { SECONDS = 20, GRACE = 5 };
	uint64_t seconds = SECONDS + (file_bytes >> 20);
	set(RLIMIT_CPU, seconds, seconds + GRACE);
}

enum cs_code memory_short_of(size_t size)
{
	uint64_t used = used_bytes();
	return limit && (size > limit || used > limit - size) ? CS_E_LIMIT : CS_E_NOMEM;
}

/* ---- operator new, and new[] ---- */

#ifndef IS_SANITIZED

static void *must_allocate(size_t size)
{
	void *block = malloc(size ? size : 1);
	if (block)
		return block;
	enum cs_code code = memory_short_of(size);
	cs_wire_put_plain(
		STDOUT_FILENO, code, code == CS_E_LIMIT ? memory_limit_message : "out of memory");
	_exit(0);
}

/* The names are those of the C++ ABI. */
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
