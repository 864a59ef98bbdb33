/* SPDX-License-Identifier: Apache-2.0 */
/* Reading and writing all bytes of a buffer, in as many system calls as necessary. */
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <unistd.h>

/* Reads n bytes from a blocking descriptor. Returns false on an error or an earlier end of file. */
static inline bool cs_read_fully(int fd, void *bytes, size_t n)
{
	for (char *to = bytes; n > 0;) {
		const ssize_t got = read(fd, to, n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		to += got;
		n -= (size_t)got;
	}
	return true;
}

/* Writes n bytes to a blocking descriptor. Returns false on an error. */
static inline bool cs_write_fully(int fd, const void *bytes, size_t n)
{
	for (const char *from = bytes; n > 0;) {
		const ssize_t put = write(fd, from, n);
		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return false;
		from += put;
		n -= (size_t)put;
	}
	return true;
}
