/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pool of texts. Each text is stored once and named by a u32: its byte offset in one blob of
 * NUL-terminated texts, which is also its form in a cooked file. Offset 0 is the empty text. Two
 * offsets are equal exactly when the texts are equal byte for byte; names that differ in case are
 * two texts.
 */
#pragma once

#include "core/expect.h"
#include "core/ranks.h"

#include <cellscope/core.h>

/*
 * A slot of the hash table stores the offset of a text in its low half and 32 bits of the text's
 * hash in its high half: a search reads only texts with an equal hash, and growing reads none. (A
 * table of core/slots.h stores no hashes and would read every text again.)
 */
struct cs_strings {
	char *blob;
	size_t size, room;
	uint64_t *slots; /* hash table of all texts but the empty text; 0 = free */
	size_t mask;     /* number of slots - 1 */
	uint32_t n;
};

/*
 * Returns CS_NONE without memory or when the blob would exceed 4 GiB; a NUL inside the text ends
 * it.
 */
uint32_t cs_strings_add(struct cs_strings *strings, const char *text, size_t length);
uint32_t cs_strings_add_z(struct cs_strings *strings, const char *text);
/*
 * Adds a text in two steps, so that its slot can be prefetched between them: cs_strings_expect
 * returns the hash of a text without NULs, cs_strings_add_expected adds the text by that hash.
 */
uint32_t cs_strings_expect(const struct cs_strings *strings, const char *text, size_t length);
uint32_t cs_strings_add_expected(
	struct cs_strings *strings, const char *text, size_t length, uint32_t hash);
/* Returns CS_NONE when the text is not in the pool. */
uint32_t cs_strings_find(const struct cs_strings *strings, const char *text, size_t length);
/* Returns the text; never NULL for an offset that cs_strings_add returned. */
static inline const char *cs_strings_get(const struct cs_strings *strings, uint32_t offset)
{
	return strings->size ? strings->blob + offset : "";
}
void cs_strings_deinit(struct cs_strings *strings);

/*
 * The number of a text, counted from the start of the blob: a dense index for arrays parallel to
 * the texts of a pool.
 */
struct cs_text_numbers {
	uint64_t *words; /* ranks (core/ranks.h) of the bytes of the blob where texts start */
};

/*
 * Counts the texts of a pool, and returns false without memory. The numbers are valid until the
 * pool changes.
 */
bool cs_text_numbers_init(struct cs_text_numbers *numbers, const struct cs_strings *strings);
void cs_text_numbers_deinit(struct cs_text_numbers *numbers);

/* Prefetches the words of a text of usual length, which may end in the next cache line. */
CS_EXPECTING void cs_expect_text(const struct cs_text_numbers *numbers, uint32_t offset)
{
	__builtin_prefetch(&numbers->words[offset / 32]);
	__builtin_prefetch(&numbers->words[offset / 32 + 2]);
}

/* Returns the bytes from the start of a text to the start of the next, or to the pool's end. */
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
