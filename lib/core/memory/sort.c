/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Implements merge sort, radix sort, and finding a key in a sorted array. Merge sort works bottom
 * up, and sorts runs of 8 by insertion. Radix sort begins with the least significant byte, and one
 * pass counts all 16 histograms of 128-bit keys.
 */
#include "core/sort.h"

#include "core/expect.h"
#include "core/guid.h"
#include "core/large.h"
#include "core/search.h"

#include <stdlib.h>
#include <string.h>

struct sorter {
	size_t size;
	int (*compare)(const void *, const void *, void *);
	void *context;
	unsigned char *spare; /* room for the element being inserted, after the merge buffer */
};

enum { RUN = 8 };

static void sort_run(const struct sorter *sorter, unsigned char *at, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		size_t j = i;
		while (j > 0 && sorter->compare(at + (j - 1) * sorter->size, at + i * sorter->size,
					sorter->context) > 0)
			j--;
		if (j == i)
			continue;
		memcpy(sorter->spare, at + i * sorter->size, sorter->size);
		memmove(at + (j + 1) * sorter->size, at + j * sorter->size, (i - j) * sorter->size);
		memcpy(at + j * sorter->size, sorter->spare, sorter->size);
	}
}

static void sort_merge(const struct sorter *sorter, const unsigned char *left, size_t n_left,
	const unsigned char *right, size_t n_right, unsigned char *out)
{
	while (n_left && n_right) {
		bool take_right = sorter->compare(left, right, sorter->context) > 0;
		memcpy(out, take_right ? right : left, sorter->size);
		out += sorter->size;
		if (take_right) {
			right += sorter->size;
			n_right--;
		} else {
			left += sorter->size;
			n_left--;
		}
	}
	memcpy(out, left, n_left * sorter->size);
	memcpy(out + n_left * sorter->size, right, n_right * sorter->size);
}

void cs_sort_in(void *array, size_t n, size_t size,
	int (*compare)(const void *left, const void *right, void *context), void *context,
	void *buffer)
{
	if (n < 2)
		return;
	struct sorter sorter = {size, compare, context, (unsigned char *)buffer + n * size};
	unsigned char *from = array, *to = buffer;
	for (size_t i = 0; i < n; i += RUN)
		sort_run(&sorter, from + i * size, n - i < RUN ? n - i : RUN);
	for (size_t width = RUN; width < n; width *= 2) {
		for (size_t i = 0; i < n; i += 2 * width) {
			size_t left = n - i < width ? n - i : width;
			size_t right = n - i - left < width ? n - i - left : width;
			sort_merge(&sorter, from + i * size, left, from + (i + left) * size, right,
				to + i * size);
		}
		unsigned char *swap = from;
		from = to;
		to = swap;
	}
	if (from != (unsigned char *)array)
		memcpy(array, from, n * size);
}

bool cs_sort(void *array, size_t n, size_t size,
	int (*compare)(const void *left, const void *right, void *context), void *context)
{
	if (n < 2)
		return true;
	void *buffer = cs_large_calloc(n + 1, size);
	if (!buffer)
		return false;
	cs_sort_in(array, n, size, compare, context, buffer);
	free(buffer);
	return true;
}

static unsigned key_byte(const struct cs_sort_key *key, int byte)
{
	return (unsigned)((byte < 8 ? key->low >> 8 * byte : key->high >> 8 * (byte - 8)) & 255);
}

bool cs_sort_keys(struct cs_sort_key *keys, size_t n)
{
	if (n < 2)
		return true;
	struct cs_sort_key *buffer = cs_large_malloc(n * sizeof(*buffer));
	size_t(*counts)[256] = calloc(16, sizeof(*counts));
	if (!buffer || !counts) {
		free(buffer);
		free(counts);
		return false;
	}
	for (size_t i = 0; i < n; i++)
		for (int byte = 0; byte < 16; byte++)
			counts[byte][key_byte(&keys[i], byte)]++;
	struct cs_sort_key *from = keys, *to = buffer;
	for (int byte = 0; byte < 16; byte++) {
		if (counts[byte][key_byte(&from[0], byte)] == n)
			continue;
		size_t start = 0;
		for (int value = 0; value < 256; value++) {
			size_t count = counts[byte][value];
			counts[byte][value] = start;
			start += count;
		}
		for (size_t i = 0; i < n; i++)
			to[counts[byte][key_byte(&from[i], byte)]++] = from[i];
		struct cs_sort_key *swap = from;
		from = to;
		to = swap;
	}
	if (from != keys)
		memcpy(keys, from, n * sizeof(*keys));
	free(buffer);
	free(counts);
	return true;
}

static void insertion_sort_u32(uint32_t *values, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		uint32_t value = values[i];
		size_t j = i;
		for (; j > 0 && values[j - 1] > value; j--)
			values[j] = values[j - 1];
		values[j] = value;
	}
}

/* Defines one pass of a radix sort: sorts by the byte at `shift`, and keeps the order otherwise. */
#define RADIX_PASS(name, type)                                            \
	static void name(const type *from, type *to, size_t n, int shift) \
	{                                                                 \
		size_t starts[257] = {0};                                 \
		for (size_t i = 0; i < n; i++)                            \
			starts[(from[i] >> shift & 255) + 1]++;           \
		for (int digit = 0; digit < 256; digit++)                 \
			starts[digit + 1] += starts[digit];               \
		for (size_t i = 0; i < n; i++)                            \
			to[starts[from[i] >> shift & 255]++] = from[i];   \
	}

RADIX_PASS(radix_pass_u32, uint32_t)
RADIX_PASS(radix_pass_u64, uint64_t)

const struct cs_sort_key *cs_sort_keys_find(
	const struct cs_sort_key *keys, size_t n, uint64_t high, uint64_t low)
{
	size_t at = cs_lower_bound(
		0, n, i, keys[i].high < high || (keys[i].high == high && keys[i].low < low));
	return at < n && keys[at].high == high && keys[at].low == low ? &keys[at] : NULL;
}

uint32_t cs_sort_keys_find_guid(const struct cs_sort_key *keys, size_t n, struct cs_guid guid)
{
	const struct cs_sort_key key = cs_sort_key_of_guid(guid, 0);
	const struct cs_sort_key *found = cs_sort_keys_find(keys, n, key.high, key.low);
	return found ? found->index : CS_NONE;
}

bool cs_sort_u32(uint32_t *values, size_t n)
{
	size_t sorted = 1;
	while (sorted < n && values[sorted - 1] <= values[sorted])
		sorted++;
	if (sorted >= n)
		return true;
	if (n <= 64) {
		insertion_sort_u32(values, n);
		return true;
	}
	uint32_t *buffer = cs_large_malloc(n * sizeof(*buffer));
	if (!buffer)
		return false;
	for (int shift = 0; shift < 32; shift += 16) {
		radix_pass_u32(values, buffer, n, shift);
		radix_pass_u32(buffer, values, n, shift + 8);
	}
	free(buffer);
	return true;
}

bool cs_sort_u64_by_high(uint64_t *values, size_t n)
{
	uint64_t *buffer = cs_large_malloc((n ? n : 1) * sizeof(*buffer));
	if (!buffer)
		return false;
	for (int shift = 32; shift < 64; shift += 16) {
		radix_pass_u64(values, buffer, n, shift);
		radix_pass_u64(buffer, values, n, shift + 8);
	}
	free(buffer);
	return true;
}

/* ---- gathering items ---- */

static void gather_in_order(
	char *to, const char *from, size_t size, const uint32_t *order, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (i + CS_AHEAD < n)
			__builtin_prefetch(from + order[i + CS_AHEAD] * size);
		memcpy(to + i * size, from + order[i] * size, size);
	}
}

/* Copies item order[i] of `from` to item i of the part, in ascending order of order[i]. */
static bool gather_part(char *part, const char *from, size_t size, const uint32_t *order, size_t n,
	uint64_t *places)
{
	for (size_t i = 0; i < n; i++)
		places[i] = (uint64_t)order[i] << 32 | i;
	if (!cs_sort_u64_by_high(places, n))
		return false;
	for (size_t i = 0; i < n; i++)
		memcpy(part + (uint32_t)places[i] * size, from + (places[i] >> 32) * size, size);
	return true;
}

bool cs_gather(void *to, const void *from, size_t size, const uint32_t *order, size_t n)
{
	/*
	 * a part, the places of its items and the buffer for sorting these take three quarters of
	 * the unused memory
	 */
	const size_t left = (size_t)(cs_large_room() / 4 * 3 / (size + 2 * sizeof(uint64_t))),
		     room = left < n ? left : n;
	if (cs_large_most() == 0 || room == 0) {
		gather_in_order(to, from, size, order, n);
		return true;
	}
	char *part = malloc(room * size);
	uint64_t *places = malloc(room * sizeof(*places));
	bool good = part && places;
	for (size_t first = 0; good && first < n; first += room) {
		const size_t count = n - first < room ? n - first : room;
		good = gather_part(part, from, size, order + first, count, places);
		if (good)
			memcpy((char *)to + first * size, part, count * size);
	}
	free(part);
	free(places);
	return good;
}

uint32_t *cs_sorted_rows(size_t n,
	int (*compare)(const void *left, const void *right, void *context), const void *context)
{
	uint32_t *rows = cs_large_malloc((n + 1) * sizeof(*rows));
	for (uint32_t i = 0; rows && i < n; i++)
		rows[i] = i;
	if (rows && !cs_sort(rows, n, sizeof(*rows), compare, (void *)context)) {
		free(rows);
		return NULL;
	}
	return rows;
}

int cs_compare_u32(const void *left, const void *right, void *context)
{
	(void)context;
	return cs_compare_i64(*(const uint32_t *)left, *(const uint32_t *)right);
}

int cs_compare_guids(const void *left, const void *right, void *context)
{
	(void)context;
	return cs_guid_compare(*(const struct cs_guid *)left, *(const struct cs_guid *)right);
}

int cs_compare_texts(const void *left, const void *right, void *context)
{
	(void)context;
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}
