/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A set of numbers below a limit, and the rank of each number (how many numbers of the set are
 * smaller). Ranks are dense, so an array indexed by rank has one element per number of the set.
 *
 * Each word covers 32 numbers. Bit i of its low half is set if the set has number 32 * word + i.
 * Its high half is how many numbers of the set the preceding words contain. The caller provides
 * zeroed words.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* count of numbers that a 64-bit word covers. Their bits are in its low half */
enum { CS_RANKS_WORD = 32 };

static inline void cs_ranks_add(uint64_t *words, uint32_t number)
{
	words[number / CS_RANKS_WORD] |= UINT64_C(1) << number % CS_RANKS_WORD;
}

static inline bool cs_ranks_has(const uint64_t *words, uint32_t number)
{
	return words[number / CS_RANKS_WORD] >> number % CS_RANKS_WORD & 1;
}

/* Returns the number of 1 bits. The builtin is a slow call where there is no instruction for it. */
static inline uint32_t cs_count_bits(uint32_t bits)
{
	bits -= bits >> 1 & 0x55555555;
	bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333);
	return ((bits + (bits >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}

/*
 * Stores in the high half of each word how many numbers of the set the preceding words contain.
 * Call it after adding all numbers. Returns the size of the set.
 */
static inline uint32_t cs_ranks_count(uint64_t *words, size_t n_words)
{
	uint32_t count = 0;
	for (size_t i = 0; i < n_words; i++) {
		const uint32_t bits = (uint32_t)words[i];
		words[i] |= (uint64_t)count << 32;
		count += cs_count_bits(bits);
	}
	return count;
}

/*
 * Returns how many numbers of the set (a bit in `words` for each number) are smaller than `number`.
 */
static inline uint32_t cs_ranks_below(const uint64_t *words, uint32_t number)
{
	const uint64_t word = words[number / CS_RANKS_WORD];
	const uint32_t below = (uint32_t)word & ((UINT32_C(1) << number % CS_RANKS_WORD) - 1);
	return (uint32_t)(word >> 32) + cs_count_bits(below);
}
