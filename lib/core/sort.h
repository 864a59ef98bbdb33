/* SPDX-License-Identifier: Apache-2.0 */
/* Stable sorting. qsort is never used: output must not depend on its order of equal elements. */
#pragma once

#include <cellscope/core.h>

/* Stable merge sort of n elements. Returns false, and changes nothing, when memory runs out. */
bool cs_sort(void *array, size_t n, size_t size,
	int (*compare)(const void *left, const void *right, void *context), void *context);

/* Sorts like cs_sort, but allocates no memory. `buffer` must have (n + 1) * size bytes. */
void cs_sort_in(void *array, size_t n, size_t size,
	int (*compare)(const void *left, const void *right, void *context), void *context,
	void *buffer);

/*
 * Returns the row numbers 0 to n - 1 sorted by `compare`, which gets pointers to two row numbers
 * (uint32_t). The caller frees the result. Returns NULL when memory runs out.
 */
uint32_t *cs_sorted_rows(size_t n,
	int (*compare)(const void *left, const void *right, void *context), const void *context);

/* Comparison functions for cs_sort of uint32_t, GUIDs, texts, and structs that begin with one. */
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

/* Stable radix sort by (high, low). Returns false when memory runs out. */
bool cs_sort_keys(struct cs_sort_key *keys, size_t n);
/* Returns the first key equal to (high, low) in a sorted array, or NULL. */
const struct cs_sort_key *cs_sort_keys_find(
	const struct cs_sort_key *keys, size_t n, uint64_t high, uint64_t low);
/* Returns the member `index` of the first key of this GUID in a sorted array, or CS_NONE. */
uint32_t cs_sort_keys_find_guid(const struct cs_sort_key *keys, size_t n, struct cs_guid guid);
/* Compares by (high, low). Keys of GUIDs have the order of cs_guid_compare. */
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

/*
 * Copies item order[i] of `from` to item i of `to`, for n items of `size` bytes. If memory is
 * limited (core/large.h), reads `from` in ascending order, once for each part of `to` for which
 * memory has room. Returns false when memory runs out.
 */
bool cs_gather(void *to, const void *from, size_t size, const uint32_t *order, size_t n);

/* Sorts in ascending order, a sorted input in one pass. Returns false when memory runs out. */
bool cs_sort_u32(uint32_t *values, size_t n);
/* Stable radix sort by the upper 32 bits. Returns false when memory runs out. */
bool cs_sort_u64_by_high(uint64_t *values, size_t n);
