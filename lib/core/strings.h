/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pool of texts. Each text is stored once and identified by a u32: its byte offset in one blob of
 * NUL-terminated texts, which cooked files contain unchanged. Offset 0 is the empty text. Two
 * offsets are equal exactly when the texts are equal byte for byte; texts that differ in case are
 * different.
 */
#pragma once

#include "core/expect.h"
#include "core/ranks.h"

#include <cellscope/core.h>

/*
 * A slot of the hash table has the offset of a text in its low half and 32 bits of the text's hash
 * in its high half: a search reads only texts with an equal hash, and growing the table reads no
 * text. (A table of core/slots.h stores no hashes and would read every text when it grows.)
 */
struct cs_strings {
	char *blob;
	size_t size, room;
	uint64_t *slots; /* hash table of all texts except the empty one, 0 for a free slot */
	size_t mask;     /* number of slots - 1 */
	uint32_t n;
};

/*
 * Returns the offset of a text, which ends at its first NUL. Adds the text to the pool if it is
 * new. Returns CS_NONE when memory runs out or when the pool would exceed 4 GiB.
 */
uint32_t cs_strings_add(struct cs_strings *strings, const char *text, size_t length);
uint32_t cs_strings_add_z(struct cs_strings *strings, const char *text);
/*
 * Works as cs_strings_add, for a name of any bytes and length. A name that is not UTF-8 is read as
 * Latin-1, and a name of more than `most` bytes is truncated and ends in "...".
 */
uint32_t cs_strings_add_name(struct cs_strings *strings, const char *name, size_t most);
/* Returns whether adding a text of this length would make the pool exceed 4 GiB. */
static inline bool cs_strings_is_full(const struct cs_strings *strings, size_t length)
{
	return length >= CS_NONE - strings->size - 1;
}
/*
 * Add a text in steps, so that its slot can be prefetched in between. cs_text_hash returns the hash
 * of a text without NULs, and needs no pool. cs_strings_expect prefetches the slot of a hash.
 * cs_strings_add_expected adds the text with this hash.
 */
uint32_t cs_text_hash(const char *text, size_t length);
CS_EXPECTING void cs_strings_expect(const struct cs_strings *strings, uint32_t hash)
{
	if (strings->slots)
		__builtin_prefetch(&strings->slots[hash & strings->mask]);
}
uint32_t cs_strings_add_expected(
	struct cs_strings *strings, const char *text, size_t length, uint32_t hash);
/* Returns the offset of a text, or CS_NONE if the pool does not contain it. */
uint32_t cs_strings_find(const struct cs_strings *strings, const char *text, size_t length);
/* Returns the text at an offset that cs_strings_add returned, never NULL. */
static inline const char *cs_strings_get(const struct cs_strings *strings, uint32_t offset)
{
	return strings->size ? strings->blob + offset : "";
}
/* Tells the pool that few texts will be added or found from now on (cs_large_rest). */
void cs_strings_rest(struct cs_strings *strings);
void cs_strings_deinit(struct cs_strings *strings);

/* Numbers a pool's texts from 0 by offset. The numbers index arrays with one element per text. */
struct cs_text_numbers {
	uint64_t *words; /* set of the offsets at which texts start, with ranks (core/ranks.h) */
};

/*
 * Numbers the texts of a pool from 0. The numbers are valid until the pool changes. Returns false
 * when memory runs out.
 */
bool cs_text_numbers_init(struct cs_text_numbers *numbers, const struct cs_strings *strings);
void cs_text_numbers_deinit(struct cs_text_numbers *numbers);

/* Prefetches the first words that cs_text_size reads, which may be in two cache lines. */
CS_EXPECTING void cs_expect_text(const struct cs_text_numbers *numbers, uint32_t offset)
{
	__builtin_prefetch(&numbers->words[offset / 32]);
	__builtin_prefetch(&numbers->words[offset / 32 + 2]);
}

/* Returns the size in bytes of a text with its NUL: up to the next text, or the pool's end. */
static inline uint32_t cs_text_size(const struct cs_text_numbers *numbers, uint32_t offset)
{
	uint32_t from = offset + 1, word = from / 32;
	uint32_t starts = (uint32_t)numbers->words[word] & ~UINT32_C(0) << from % 32;
	while (!starts)
		starts = (uint32_t)numbers->words[++word];
	return word * 32 + (uint32_t)__builtin_ctz(starts) - offset;
}

static inline uint32_t cs_text_number(const struct cs_text_numbers *numbers, uint32_t offset)
{
	return cs_ranks_below(numbers->words, offset);
}
