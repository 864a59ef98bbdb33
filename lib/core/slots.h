/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The hash table: it finds row numbers by a hash of the rows' content. The rows are stored
 * elsewhere, in a flat array of any type, and numbered by index. So no row needs an allocation,
 * growing moves no row, and iterating the array is in order of arrival. Uses open addressing with
 * linear probing, at most half full. Rows cannot be removed.
 *
 *	uint32_t *slot = cs_slots_find(&slots, hash, row, same(&rows.at[row], &key));
 *	if (cs_slot_row(slot) == CS_NONE)
 *		cs_slots_put(&slots, slot, new_row);
 */
#pragma once

#include "core/large.h"

#include <cellscope/core.h>

#include <stdlib.h>
#include <string.h>

struct cs_slots {
	uint32_t *at; /* row numbers + 1, or 0 for a free slot */
	size_t mask;  /* number of slots - 1 */
	size_t n;     /* number of rows in the table */
};

/*
 * Returns the slot of the row for which the expression `same`, which uses the variable `row`, is
 * true, otherwise the free slot for such a row. The pointer is valid until the next change. The
 * table must have slots. cs_probe does the same for a plain array `at` with mask + 1 slots. Its
 * expression may read the current slot as at[place_r] if the argument `row` is the name r.
 */
#define cs_slots_find(slots, hash, row, same) cs_probe((slots)->at, (slots)->mask, hash, row, same)

#define cs_probe(at, mask, hash, row, same)                          \
	({                                                           \
		size_t place_##row = (size_t)(hash) & (mask);        \
		while ((at)[place_##row]) {                          \
			const uint32_t row = (at)[place_##row] - 1u; \
			if (same)                                    \
				break;                               \
			place_##row = (place_##row + 1) & (mask);    \
		}                                                    \
		&(at)[place_##row];                                  \
	})

/* Returns the row number in a slot, or CS_NONE if the slot is free. */
static inline uint32_t cs_slot_row(const uint32_t *slot)
{
	return *slot ? *slot - 1 : CS_NONE;
}

/* Returns the number of slots for n rows: a power of two, of which n rows use at most half. */
static inline size_t cs_slots_for(size_t n)
{
	size_t size = 16;
	while (size < 2 * n)
		size *= 2;
	return size;
}

/* Allocates slots for n rows. Returns false when memory runs out. */
static inline bool cs_slots_init(struct cs_slots *slots, size_t n)
{
	size_t size = cs_slots_for(n);
	*slots = (struct cs_slots){cs_scattered_calloc(size, sizeof(*slots->at)), size - 1, 0};
	return slots->at != NULL;
}

/* Returns the free slot for a row with this hash. No row of the table may equal the new row. */
static inline uint32_t *cs_slots_free(const struct cs_slots *slots, uint64_t hash)
{
	size_t place = (size_t)hash & slots->mask;
	while (slots->at[place])
		place = (place + 1) & slots->mask;
	return &slots->at[place];
}

/* Stores a row in a free slot that cs_slots_find or cs_slots_free returned. */
static inline void cs_slots_put(struct cs_slots *slots, uint32_t *slot, uint32_t row)
{
	*slot = row + 1;
	slots->n++;
}

/* Makes room for one more row. The table may be all zero. Returns false when memory runs out. */
bool cs_slots_grow(struct cs_slots *slots, uint64_t (*hash)(const void *context, uint32_t row),
	const void *context);

static inline void cs_slots_deinit(struct cs_slots *slots)
{
	free(slots->at);
	*slots = (struct cs_slots){0};
}
