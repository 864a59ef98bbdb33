/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preloaded into a process (LD_PRELOAD): its FAIL_AT-th allocation fails, in whatever library it is
 * made, and with FAIL_ON=1 all after it too. FAIL_TELL=1: how many there were, on standard error.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *old, size_t size);

static atomic_long count;
static long failing; /* 0: not armed yet */
static int fails_on;

__attribute__((constructor)) static void arm(void)
{
	const char *at = getenv("FAIL_AT");
	fails_on = getenv("FAIL_ON") != NULL;
	failing = at ? strtol(at, NULL, 10) : 0;
}

__attribute__((destructor)) static void tell(void)
{
	char text[24];
	size_t at = sizeof(text);
	text[--at] = '\n';
	for (long n = count; n > 0; n /= 10)
		text[--at] = (char)('0' + n % 10);
	if (getenv("FAIL_TELL") && write(STDERR_FILENO, text + at, sizeof(text) - at) < 0)
		_exit(1);
}

static int fails(void)
{
	if (failing == 0)
		return 0;
	long n = atomic_fetch_add(&count, 1) + 1;
	if (n != failing && !(fails_on && n > failing))
		return 0;
	errno = ENOMEM;
	return 1;
}

void *malloc(size_t size)
{
	return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
	return fails() ? NULL : __libc_realloc(old, size);
}
