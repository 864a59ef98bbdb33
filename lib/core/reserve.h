/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Address space for a table of which only parts are in memory. The limit on the memory of a process
 * (RLIMIT_DATA) counts address space that may be written, used or not. So the reserved bytes are
 * read-only, and only parts that are filled become writable. A byte that was never written reads as
 * 0.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct cs_reserved {
	void *at;      /* NULL when nothing is reserved */
	size_t mapped; /* bytes of the mapping, or 0 if `at` comes from calloc (small sizes) */
};

/* Reserves n elements of `size` bytes. `at` is NULL, with nothing to free, if there is no room. */
struct cs_reserved cs_reserve(size_t n, size_t size);
/* Makes the pages of n bytes from `first` on writable. Returns false when memory runs out. */
bool cs_reserved_use(const struct cs_reserved *reserved, size_t first, size_t n);
/* Frees the whole pages in the n bytes from `first` on. They read as 0 until the next use. */
void cs_reserved_drop(const struct cs_reserved *reserved, size_t first, size_t n);
void cs_reserved_free(struct cs_reserved *reserved);
