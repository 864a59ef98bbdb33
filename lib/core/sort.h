/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stable sorting. The library never uses qsort: its order of equal elements is unspecified, and
 * output must not depend on it.
 */
#pragma once

#include <cellscope/core.h>

/*
 * Stable merge sort of n elements. Returns false, and leaves the array unchanged, when memory runs
 * out.
 */
bool cs_sort(void *array, size_t n, size_t size,
	int (*compare)(const void *left, const void *right, void *context), void *context);

/* Sorts like cs_sort in `buffer`, which has (n + 1) * size bytes; allocates nothing. */
void cs_sort_in(void *array, size_t n, size_t size,
	int (*compare)(const void *left, const void *right, void *context), void *context,
	void *buffer);

/*
 * Returns the numbers 0 to n - 1 in the order of `compare`, which gets pointers to two of them
 * (uint32_t). The caller frees them. Returns NULL without memory.
 */
uint32_t *cs_sorted_rows(size_t n,
	int (*compare)(const void *left, const void *right, void *context), const void *context);

/* Comparisons of elements that are a uint32_t, a GUID, a text. */
int cs_compare_u32(const void *left, const void *right, void *context);
int cs_compare_guids(const void *left, const void *right, void *context);
int cs_compare_texts(const void *left, const void *right, void *context);
static inline int cs_compare_i64(int64_t left, int64_t right)
{
	return (left > right) - (left < right);
}

/* A 128-bit key and the index of its element. */
struct cs_sort_key {
	uint64_t high, low;
	uint32_t index;
};

/* Stable radix sort by (high, low) that skips bytes equal in all keys; false without memory. */
bool cs_sort_keys(struct cs_sort_key *keys, size_t n);
/* Returns the first of the sorted keys equal to (high, low), or NULL. */
const struct cs_sort_key *cs_sort_keys_find(
	const struct cs_sort_key *keys, size_t n, uint64_t high, uint64_t low);
/* Returns the first of the sorted keys with this GUID, or NULL. */
const struct cs_sort_key *cs_sort_keys_find_guid(
	const struct cs_sort_key *keys, size_t n, struct cs_guid guid);
/* Compares keys of GUIDs as cs_guid_compare compares the GUIDs. */
static inline int cs_sort_key_compare(const struct cs_sort_key *l, const struct cs_sort_key *r)
{
	if (l->high != r->high)
		return l->high < r->high ? -1 : 1;
	return l->low < r->low ? -1 : l->low > r->low;
}

static inline struct cs_sort_key cs_sort_key_of_guid(struct cs_guid guid, uint32_t index)
{
	return (struct cs_sort_key){
		(uint64_t)guid.a << 32 | guid.b, (uint64_t)guid.c << 32 | guid.d, index};
}

/* Sorts in ascending order; false without memory. Sorted input costs one pass. */
bool cs_sort_u32(uint32_t *values, size_t n);
