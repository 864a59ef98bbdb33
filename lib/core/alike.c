/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: finding equal rows. A hand gets its rows in ascending order: the stacks of rows are counted
 * first, so that each knows where its rows go in every hand. The first of equal rows is the first
 * that its hand sees, on any number of threads.
 */
#include "core/alike.h"

#include "core/parallel.h"
#include "core/slots.h"

#include <stdlib.h>

enum { HANDS = 256, STACK = 1 << 15 };

struct deal {
	const struct cs_rows *rows;
	uint32_t *hashes;          /* by row; the upper bits say the hand */
	uint32_t *order;           /* rows by hand */
	uint32_t (*places)[HANDS]; /* by stack: where its next row goes in the order */
	uint32_t ends[HANDS];      /* of the hands in the order */
	uint32_t *first;
	bool no_memory;
};

static uint32_t hand_of(uint32_t hash)
{
	return hash / (UINT32_MAX / HANDS + 1);
}

static uint32_t stack_end(const struct deal *d, size_t stack)
{
	size_t end = (stack + 1) * STACK;
	return end < d->rows->n ? (uint32_t)end : d->rows->n;
}

static void count_stacks(void *context, size_t begin, size_t end, int thread)
{
	struct deal *d = context;
	(void)thread;
	for (size_t stack = begin; stack < end; stack++)
		for (uint32_t i = (uint32_t)stack * STACK; i < stack_end(d, stack); i++) {
			uint64_t hash = d->rows->hash(d->rows->context, i);
			d->hashes[i] = (uint32_t)(hash ^ hash >> 32);
			d->places[stack][hand_of(d->hashes[i])]++;
		}
}

/* Turns counts into places. */
static void alike_set_places(struct deal *d, size_t n_stacks)
{
	uint32_t n = 0;
	for (uint32_t hand = 0; hand < HANDS; hand++) {
		for (size_t stack = 0; stack < n_stacks; stack++) {
			uint32_t count = d->places[stack][hand];
			d->places[stack][hand] = n;
			n += count;
		}
		d->ends[hand] = n;
	}
}

static void deal_stacks(void *context, size_t begin, size_t end, int thread)
{
	struct deal *d = context;
	(void)thread;
	for (size_t stack = begin; stack < end; stack++)
		for (uint32_t i = (uint32_t)stack * STACK; i < stack_end(d, stack); i++)
			d->order[d->places[stack][hand_of(d->hashes[i])]++] = i;
}

static void play_hand(struct deal *d, uint32_t begin, uint32_t end, struct cs_slots *slots)
{
	const struct cs_rows *rows = d->rows;
	for (uint32_t i = begin; i < end; i++) {
		uint32_t row = d->order[i], hash = d->hashes[row];
		uint32_t *slot = cs_slots_find(slots, hash, other,
			d->hashes[other] == hash && rows->same(rows->context, row, other));
		if (!*slot)
			cs_slots_put(slots, slot, row);
		d->first[row] = cs_slot_row(slot);
	}
}

static void play_hands(void *context, size_t begin, size_t end, int thread)
{
	struct deal *d = context;
	(void)thread;
	for (size_t hand = begin; hand < end; hand++) {
		uint32_t from = hand ? d->ends[hand - 1] : 0;
		struct cs_slots slots;
		if (!cs_slots_init(&slots, d->ends[hand] - from)) {
			__atomic_store_n(&d->no_memory, true, __ATOMIC_RELAXED);
			return;
		}
		play_hand(d, from, d->ends[hand], &slots);
		cs_slots_deinit(&slots);
	}
}

struct cs_error *cs_find_alike(const struct cs_rows *rows, int threads, uint32_t *first_ret)
{
	size_t n_stacks = ((size_t)rows->n + STACK - 1) / STACK;
	struct deal d = {
		.rows = rows,
		.hashes = malloc(((size_t)rows->n + 1) * sizeof(uint32_t)),
		.order = malloc(((size_t)rows->n + 1) * sizeof(uint32_t)),
		.places = calloc(n_stacks + 1, sizeof(*d.places)),
		.first = first_ret,
	};
	d.no_memory = !d.hashes || !d.order || !d.places;
	if (!d.no_memory) {
		cs_parallel_for(threads, n_stacks, 1, count_stacks, &d);
		alike_set_places(&d, n_stacks);
		cs_parallel_for(threads, n_stacks, 1, deal_stacks, &d);
		cs_parallel_for(threads, HANDS, 1, play_hands, &d);
	}
	free(d.hashes);
	free(d.order);
	free(d.places);
	return d.no_memory ? cs_error_nomem() : NULL;
}
