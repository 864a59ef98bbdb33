/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stable sorting. qsort is not used anywhere in the library: the order of its ties is unspecified,
 * and output must not depend on it.
 */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Stable merge sort of n elements; false without memory, the array is then unchanged. */
bool cs_sort(void *array, size_t n, size_t size,
	int (*compare)(const void *left, const void *right, void *context), void *context);

/* The same in a buffer of (n + 1) * size bytes: allocates nothing. */
void cs_sort_in(void *array, size_t n, size_t size,
	int (*compare)(const void *left, const void *right, void *context), void *context,
	void *buffer);

/* A 128-bit key and the index that it came from. */
struct cs_sort_key {
	uint64_t high, low;
	uint32_t index;
};

/* Stable radix sort by (high, low), without passes over constant bytes; false without memory. */
bool cs_sort_keys(struct cs_sort_key *keys, size_t n);

/* Ascending; false without memory. What is already in order costs one look. */
bool cs_sort_u32(uint32_t *values, size_t n);

#endif
