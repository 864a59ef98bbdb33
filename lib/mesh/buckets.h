/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A priority queue of numbered items, sorted by cost, a float of at least 0.
 *
 * Costs in one bucket differ by less than a sixteenth, and the item that was put last into a bucket
 * is taken first. So the item taken is only nearly the cheapest, but that costs a few steps, where
 * a heap needs as many unpredictable comparisons as it has levels. The order depends only on the
 * items and on the order of insertion.
 *
 * Invariant: a bit of `filled` is set exactly when its bucket has an item, and all words of
 * `filled` before index `first` are 0.
 */
#pragma once

#include <cellscope/core.h>

#include <string.h>

enum {
	/* number of low bits of a cost that are ignored. The bits above them select a bucket */
	CS_BUCKET_SHIFT = 19,
	/* number of words of `filled`, each with bits for 64 buckets. Costs up to infinity fit */
	CS_BUCKET_WORDS = 64,
};

struct cs_buckets {
	uint32_t heads[64 * CS_BUCKET_WORDS]; /* the first item of each filled bucket */
	uint64_t filled[CS_BUCKET_WORDS];
	/* for each item, the next item of its bucket, or CS_NONE. The caller owns the array */
	uint32_t *next;
	uint32_t first;
};

static inline uint32_t cs_bucket_of(float cost)
{
	uint32_t bits;
	memcpy(&bits, &cost, sizeof(bits));
	return bits >> CS_BUCKET_SHIFT;
}

static inline void cs_buckets_put(struct cs_buckets *buckets, float cost, uint32_t item)
{
	uint32_t bucket = cs_bucket_of(cost), word = bucket / 64;
	uint64_t bit = (uint64_t)1 << bucket % 64;
	buckets->next[item] = buckets->filled[word] & bit ? buckets->heads[bucket] : CS_NONE;
	buckets->heads[bucket] = item;
	buckets->filled[word] |= bit;
	buckets->first = word < buckets->first ? word : buckets->first;
}

/* Removes and returns an item of the cheapest bucket. Returns CS_NONE when the queue is empty. */
static inline uint32_t cs_buckets_take(struct cs_buckets *buckets, uint32_t *bucket_ret)
{
	while (buckets->first < CS_BUCKET_WORDS && !buckets->filled[buckets->first])
		buckets->first++;
	if (buckets->first == CS_BUCKET_WORDS)
		return CS_NONE;
	uint32_t bucket =
		64 * buckets->first + (uint32_t)__builtin_ctzll(buckets->filled[buckets->first]);
	uint32_t item = buckets->heads[bucket];
	buckets->heads[bucket] = buckets->next[item];
	if (buckets->next[item] == CS_NONE)
		buckets->filled[buckets->first] &= buckets->filled[buckets->first] - 1;
	*bucket_ret = bucket;
	return item;
}
