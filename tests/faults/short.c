/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preloaded into a process (LD_PRELOAD): the system takes and gives half of what it is asked for,
 * and every fifth call is interrupted before it has done anything. SHORT_TELL=1: how many calls
 * were cut or interrupted, on standard error. SHORT_OFF=1: none is, but the process has loaded the
 * same code, which is part of the keys of a farm.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_long count;

__attribute__((destructor)) static void tell(void)
{
	char text[32];
	int n = snprintf(text, sizeof(text), "%ld\n", (long)count);
	if (getenv("SHORT_TELL"))
		(void)!syscall(SYS_write, STDERR_FILENO, text, n); /* may be closed by now */
}

/* Returns half of n, or 0 when the call is to be interrupted. */
static size_t part(size_t n)
{
	enum { INTERRUPTED = 5 };
	if (getenv("SHORT_OFF"))
		return n;
	long call = atomic_fetch_add(&count, 1);
	if (call % INTERRUPTED == INTERRUPTED - 1) {
		errno = EINTR;
		return 0;
	}
	return n > 1 ? n / 2 : n;
}

#define CUT(declaration, n, ...)          \
	declaration                       \
	{                                 \
		size_t some = part(n);    \
		if (some == 0 && (n) > 0) \
			return -1;        \
		return __VA_ARGS__;       \
	}

CUT(ssize_t write(int fd, const void *bytes, size_t n), n, syscall(SYS_write, fd, bytes, some))
CUT(ssize_t read(int fd, void *bytes, size_t n), n, syscall(SYS_read, fd, bytes, some))
CUT(ssize_t pread(int fd, void *bytes, size_t n, off_t at), n,
	syscall(SYS_pread64, fd, bytes, some, at))
CUT(ssize_t pwrite(int fd, const void *bytes, size_t n, off_t at), n,
	syscall(SYS_pwrite64, fd, bytes, some, at))

ssize_t pread64(int fd, void *bytes, size_t n, off_t at)
{
	return pread(fd, bytes, n, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t n, off_t at)
{
	return pwrite(fd, bytes, n, at);
}
