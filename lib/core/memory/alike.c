/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds equal rows on several threads. The rows of each block of 32768 rows are counted by
 * bucket first, so that every block knows where to write its rows of each bucket; a bucket then has
 * its rows in ascending order. The first of equal rows is therefore the lowest, on any number of
 * threads.
 */
#include "core/alike.h"

#include "core/parallel.h"
#include "core/slots.h"

#include <stdlib.h>

enum { BUCKETS = 256, BLOCK = 1 << 15 };

struct bucketing {
	const struct cs_rows *rows;
	uint32_t *hashes; /* hash of each row, whose upper bits select the bucket */
	uint32_t *order;  /* row numbers, sorted by bucket */
	/* for each block and bucket, the number of rows, later the next index in `order` */
	uint32_t (*places)[BUCKETS];
	uint32_t ends[BUCKETS]; /* index in `order` at which each bucket ends */
	uint32_t *first;
	bool no_memory;
};

static uint32_t alike_bucket_of(uint32_t hash)
{
	return hash / (UINT32_MAX / BUCKETS + 1);
}

static uint32_t alike_block_end(const struct bucketing *work, size_t block)
{
	size_t end = (block + 1) * BLOCK;
	return end < work->rows->n ? (uint32_t)end : work->rows->n;
}

static void count_blocks_by_bucket(void *context, size_t begin, size_t end, int thread)
{
	struct bucketing *work = context;
	(void)thread;
	for (size_t block = begin; block < end; block++)
		for (uint32_t i = (uint32_t)block * BLOCK; i < alike_block_end(work, block); i++) {
			uint64_t hash = work->rows->hash(work->rows->context, i);
			work->hashes[i] = (uint32_t)(hash ^ hash >> 32);
			work->places[block][alike_bucket_of(work->hashes[i])]++;
		}
}

/* Converts the numbers of rows in `places` to indices in `order`, and sets `ends`. */
static void alike_set_places(struct bucketing *work, size_t n_blocks)
{
	uint32_t n = 0;
	for (uint32_t bucket = 0; bucket < BUCKETS; bucket++) {
		for (size_t block = 0; block < n_blocks; block++) {
			uint32_t count = work->places[block][bucket];
			work->places[block][bucket] = n;
			n += count;
		}
		work->ends[bucket] = n;
	}
}

static void order_blocks_by_bucket(void *context, size_t begin, size_t end, int thread)
{
	struct bucketing *work = context;
	(void)thread;
	for (size_t block = begin; block < end; block++)
		for (uint32_t i = (uint32_t)block * BLOCK; i < alike_block_end(work, block); i++)
			work->order[work->places[block][alike_bucket_of(work->hashes[i])]++] = i;
}

static void find_alike_in_bucket(
	struct bucketing *work, uint32_t begin, uint32_t end, struct cs_slots *slots)
{
	const struct cs_rows *rows = work->rows;
	for (uint32_t i = begin; i < end; i++) {
		uint32_t row = work->order[i], hash = work->hashes[row];
		uint32_t *slot = cs_slots_find(slots, hash, other,
			work->hashes[other] == hash && rows->same(rows->context, row, other));
		if (!*slot)
			cs_slots_put(slots, slot, row);
		work->first[row] = cs_slot_row(slot);
	}
}

static void find_alike_in_buckets(void *context, size_t begin, size_t end, int thread)
{
	struct bucketing *work = context;
	(void)thread;
	for (size_t bucket = begin; bucket < end; bucket++) {
		uint32_t from = bucket ? work->ends[bucket - 1] : 0;
		struct cs_slots slots;
		if (!cs_slots_init(&slots, work->ends[bucket] - from)) {
			__atomic_store_n(&work->no_memory, true, __ATOMIC_RELAXED);
			return;
		}
		find_alike_in_bucket(work, from, work->ends[bucket], &slots);
		cs_slots_deinit(&slots);
	}
}

struct cs_error *cs_find_alike(const struct cs_rows *rows, int threads, uint32_t *first_ret)
{
	size_t n_blocks = ((size_t)rows->n + BLOCK - 1) / BLOCK;
	struct bucketing work = {
		.rows = rows,
		.hashes = malloc(((size_t)rows->n + 1) * sizeof(uint32_t)),
		.order = malloc(((size_t)rows->n + 1) * sizeof(uint32_t)),
		.places = calloc(n_blocks + 1, sizeof(*work.places)),
		.first = first_ret,
	};
	work.no_memory = !work.hashes || !work.order || !work.places;
	if (!work.no_memory) {
		cs_parallel_for(threads, n_blocks, 1, count_blocks_by_bucket, &work);
		alike_set_places(&work, n_blocks);
		cs_parallel_for(threads, n_blocks, 1, order_blocks_by_bucket, &work);
		cs_parallel_for(threads, BUCKETS, 1, find_alike_in_buckets, &work);
	}
	free(work.hashes);
	free(work.order);
	free(work.places);
	return work.no_memory ? cs_error_nomem() : NULL;
}
