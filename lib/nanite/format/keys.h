/* SPDX-License-Identifier: Apache-2.0 */
/* A set of keys of a few words each, numbered as they come; open addressing in given memory. */
#ifndef NANITE_FORMAT_KEYS_H
#define NANITE_FORMAT_KEYS_H

#include "base/slots.h"

struct cs_keys {
	uint32_t *keys;  /* n of them, `words` words each */
	uint32_t *slots; /* number of a key + 1, 0 = free */
	uint32_t mask;   /* slots - 1; more than half must stay free */
	uint32_t n;
	unsigned words;
};

static inline void cs_keys_clear(struct cs_keys *set)
{
	memset(set->slots, 0, ((size_t)set->mask + 1) * sizeof(*set->slots));
	set->n = 0;
}

#if defined(__clang__)
__attribute__((no_sanitize("unsigned-integer-overflow")))
#endif
static inline uint32_t
cs_keys_hash(const uint32_t *key, unsigned words)
{
	uint64_t hash = 0;
	for (unsigned i = 0; i < words; i++) {
		hash = (hash ^ key[i]) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 29;
	}
	return (uint32_t)(hash >> 32);
}

/* A few words: a call costs more than they do. */
static inline bool cs_keys_equal(const uint32_t *a, const uint32_t *b, unsigned words)
{
	uint32_t other = 0;
	for (unsigned i = 0; i < words; i++)
		other |= a[i] ^ b[i];
	return other == 0;
}

static inline uint32_t *cs_keys_slot(const struct cs_keys *set, const uint32_t *key)
{
	return cs_probe(set->slots, set->mask, cs_keys_hash(key, set->words), number,
		cs_keys_equal(set->keys + (size_t)number * set->words, key, set->words));
}

/* The number of a key, or CS_NONE. */
static inline uint32_t cs_keys_find(const struct cs_keys *set, const uint32_t *key)
{
	return cs_slot_row(cs_keys_slot(set, key));
}

/* The number of a key, which is added when it is new. */
static inline uint32_t cs_keys_add(struct cs_keys *set, const uint32_t *key)
{
	uint32_t *slot = cs_keys_slot(set, key);
	if (*slot == 0) {
		memcpy(set->keys + (size_t)set->n * set->words, key, set->words * sizeof(*key));
		*slot = ++set->n;
	}
	return *slot - 1;
}

#endif
