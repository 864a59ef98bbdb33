/* SPDX-License-Identifier: Apache-2.0 */
/* Stores equal lists of numbers once, found by hash with linear probing. Most lists are short. */
#include "cook/phases/lists.h"

#include "core/sort.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Removes repeated values from a sorted array. Returns the number of values that are left. */
static size_t drop_repeated(uint32_t *values, size_t n)
{
	size_t unique = 0;
	for (size_t i = 0; i < n; i++)
		if (unique == 0 || values[unique - 1] != values[i])
			values[unique++] = values[i];
	return unique;
}

static bool equals(const struct cs_lists *lists, uint32_t list, const uint32_t *values, size_t n)
{
	struct cs_range range = lists->lists.at[list];
	return range.count == n &&
	       memcmp(lists->values.at + range.first, values, n * sizeof(*values)) == 0;
}

static uint64_t lists_hash_of(const void *context, uint32_t list)
{
	const struct cs_lists *lists = context;
	struct cs_range range = lists->lists.at[list];
	return XXH3_64bits(lists->values.at + range.first, range.count * sizeof(uint32_t));
}

uint32_t cs_lists_add(struct cs_lists *lists, uint32_t *values, size_t n)
{
	if (!cs_sort_u32(values, n))
		return CS_NONE;
	n = drop_repeated(values, n);
	if (n == 0)
		return 0;
	if (lists->lists.n == 0 && !cs_vec_push(&lists->lists, (struct cs_range){0, 0}))
		return CS_NONE;
	if (!cs_slots_grow(&lists->slots, lists_hash_of, lists))
		return CS_NONE;
	uint64_t hash = XXH3_64bits(values, n * sizeof(*values));
	uint32_t *slot = cs_slots_find(&lists->slots, hash, row, equals(lists, row, values, n));
	if (*slot)
		return cs_slot_row(slot);
	uint32_t list = (uint32_t)lists->lists.n;
	struct cs_range range = {(uint32_t)lists->values.n, (uint32_t)n};
	if (!cs_vec_append(&lists->values, values, n) || !cs_vec_push(&lists->lists, range))
		return CS_NONE;
	cs_slots_put(&lists->slots, slot, list);
	return list;
}

uint32_t cs_lists_union(struct cs_lists *lists, uint32_t left, uint32_t right)
{
	if (left == right || right == 0)
		return left;
	if (left == 0)
		return right;
	struct cs_range l = lists->lists.at[left], r = lists->lists.at[right];
	uint32_t *values = malloc(((size_t)l.count + r.count) * sizeof(*values));
	if (!values)
		return CS_NONE;
	memcpy(values, lists->values.at + l.first, l.count * sizeof(*values));
	memcpy(values + l.count, lists->values.at + r.first, r.count * sizeof(*values));
	uint32_t list = cs_lists_add(lists, values, (size_t)l.count + r.count);
	free(values);
	return list;
}

void cs_lists_deinit(struct cs_lists *lists)
{
	cs_vec_free(&lists->values);
	cs_vec_free(&lists->lists);
	cs_slots_deinit(&lists->slots);
	*lists = (struct cs_lists){0};
}
