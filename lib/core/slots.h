/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one hash table: numbers of rows, found by a hash of what the rows say. The rows lie
 *elsewhere, in a flat array of any type, and are numbered by their place in it; so nothing is
 *allocated for one, growing moves no row, and walking them is in the order in which they came. Open
 *addressing, linear probing, at most half full; rows are not taken out.
 *
 *	uint32_t *slot = cs_slots_find(&slots, hash, row, same(&rows.at[row], &key));
 *	if (cs_slot_row(slot) == CS_NONE)
 *		cs_slots_put(&slots, slot, new_row);
 */
#pragma once

#include <cellscope/core.h>

#include <stdlib.h>
#include <string.h>

struct cs_slots {
	uint32_t *at; /* number of a row + 1, 0 = free */
	size_t mask;  /* slots - 1 */
	size_t n;     /* rows */
};

/*
 * The slot of the row for which `same` is true, an expression over `row`; else the free slot where
 * it belongs, until the next change. Of slots that a table has, or an array of any width whose
 * `mask` is given: cs_probe. There must be slots. `same` may look at the slot itself, which is
 * at[place_ROW].
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

/* The row of a slot, CS_NONE when it is free. */
static inline uint32_t cs_slot_row(const uint32_t *slot)
{
	return *slot ? *slot - 1 : CS_NONE;
}

/* Slots that n rows fill to a half at most. */
static inline size_t cs_slots_for(size_t n)
{
	size_t size = 16;
	while (size < 2 * n)
		size *= 2;
	return size;
}

/* Room for n rows; false without memory. */
static inline bool cs_slots_init(struct cs_slots *slots, size_t n)
{
	size_t size = cs_slots_for(n);
	*slots = (struct cs_slots){calloc(size, sizeof(*slots->at)), size - 1, 0};
	return slots->at != NULL;
}

/* Takes a slot that cs_slots_find gave; there is room. */
static inline void cs_slots_put(struct cs_slots *slots, uint32_t *slot, uint32_t row)
{
	*slot = row + 1;
	slots->n++;
}

/* Room for one more row, of a table that may be all zero; false without memory. */
bool cs_slots_grow(struct cs_slots *slots, uint64_t (*hash)(const void *context, uint32_t row),
	const void *context);

static inline void cs_slots_deinit(struct cs_slots *slots)
{
	free(slots->at);
	*slots = (struct cs_slots){0};
}
