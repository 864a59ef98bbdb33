/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hash table of keys of a few words, numbered in the order in which they are added. It uses open
 * addressing, in memory of its own or, for a small table, of the caller.
 */
#pragma once

#include "core/slots.h"

#include <stdlib.h>

struct cs_keys {
	uint32_t *keys;  /* n keys of `words` words each, with room for all that will be added */
	uint32_t *slots; /* index of a key + 1, or 0 when the slot is free */
	uint32_t mask;   /* number of slots - 1. At least half of the slots must stay free */
	uint32_t n;
	unsigned words;
};

static inline void cs_keys_clear(struct cs_keys *set)
{
	memset(set->slots, 0, ((size_t)set->mask + 1) * sizeof(*set->slots));
	set->n = 0;
}

/* Makes an empty set with room for `most` keys. Returns false when memory runs out. */
static inline bool cs_keys_init(struct cs_keys *set, size_t most, unsigned words)
{
	const size_t slots = cs_slots_for(most);
	*set = (struct cs_keys){.keys = malloc((most + 1) * words * sizeof(*set->keys)),
		.slots = calloc(slots, sizeof(*set->slots)),
		.mask = (uint32_t)slots - 1,
		.words = words};
	return set->keys && set->slots;
}

static inline void cs_keys_deinit(struct cs_keys *set)
{
	free(set->keys);
	free(set->slots);
}

enum { CS_KEY_WORDS = 13 }; /* largest number of words of a key */

/* Hashes a key by the upper half of a sum of products, which a processor computes in parallel. */
#if defined(__clang__)
__attribute__((no_sanitize("unsigned-integer-overflow")))
#endif
static inline uint32_t
cs_keys_hash(const uint32_t *key, unsigned words)
{
	/* fractional parts of the square roots of the first primes, made odd */
	static const uint64_t factors[CS_KEY_WORDS] = {UINT64_C(0x6a09e667f3bcc909),
		UINT64_C(0xbb67ae8584caa73b), UINT64_C(0x3c6ef372fe94f82b),
		UINT64_C(0xa54ff53a5f1d36f1), UINT64_C(0x510e527fade682d1),
		UINT64_C(0x9b05688c2b3e6c1f), UINT64_C(0x1f83d9abfb41bd6b),
		UINT64_C(0x5be0cd19137e2179), UINT64_C(0xcbbb9d5dc1059ed9),
		UINT64_C(0x629a292a367cd507), UINT64_C(0x9159015a3070dd17),
		UINT64_C(0x152fecd8f70e5939), UINT64_C(0x67332667ffc00b31)};
	uint64_t hash = 0;
	for (unsigned i = 0; i < words; i++)
		hash += key[i] * factors[i];
	return (uint32_t)(hash >> 32);
}

/* Compares keys in a loop, because they have a few words and a call of memcmp would cost more. */
static inline bool cs_keys_equal(const uint32_t *a, const uint32_t *b, unsigned words)
{
	uint32_t other = 0;
	for (unsigned i = 0; i < words; i++)
		other |= a[i] ^ b[i];
	return other == 0;
}

static inline uint32_t *cs_keys_slot(const struct cs_keys *set, const uint32_t *key, uint32_t hash)
{
	return cs_probe(set->slots, set->mask, hash, number,
		cs_keys_equal(set->keys + (size_t)number * set->words, key, set->words));
}

/* Returns the index of a key of the set, or CS_NONE if the set does not contain it. */
static inline uint32_t cs_keys_find(const struct cs_keys *set, const uint32_t *key)
{
	return cs_slot_row(cs_keys_slot(set, key, cs_keys_hash(key, set->words)));
}

/*
 * Returns the index of a key, and adds the key when it is new. `hash` is the result of
 * cs_keys_hash, which the caller may have computed earlier.
 */
static inline uint32_t cs_keys_add_hashed(struct cs_keys *set, const uint32_t *key, uint32_t hash)
{
	uint32_t *slot = cs_keys_slot(set, key, hash),
		 *to = set->keys + (size_t)set->n * set->words;
	if (*slot == 0) {
		for (unsigned i = 0; i < set->words; i++)
			to[i] = key[i];
		*slot = ++set->n;
	}
	return *slot - 1;
}

static inline uint32_t cs_keys_add(struct cs_keys *set, const uint32_t *key)
{
	return cs_keys_add_hashed(set, key, cs_keys_hash(key, set->words));
}
