/* SPDX-License-Identifier: Apache-2.0 */
/* Implements the pool of texts, and the numbering of its texts. */
#include "core/strings.h"

#include "core/cursor.h"
#include "core/large.h"
#include "core/slots.h"
#include "core/text.h"
#include "core/utf8.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdlib.h>
#include <string.h>

enum { FEWEST_SLOTS = 32 };

static bool is_text(
	const struct cs_strings *strings, uint32_t offset, const char *text, size_t length)
{
	const char *at = strings->blob + offset;
	return strncmp(at, text, length) == 0 && at[length] == '\0';
}

/* Returns the slot of the text, or the free slot for it. The table must have slots. */
static uint64_t *strings_slot_of(
	const struct cs_strings *strings, uint32_t hash, const char *text, size_t length)
{
	return cs_probe(strings->slots, strings->mask, hash, before,
		strings->slots[place_before] >> 32 == hash &&
			is_text(strings, before + 1, text, length));
}

/* Makes room for one more text (2/3 of the slots at most). Returns false when memory runs out. */
static bool grow_slots(struct cs_strings *strings)
{
	size_t n = strings->slots ? strings->mask + 1 : 0;
	if (strings->n < n / 3 * 2)
		return true;
	size_t mask = n ? 2 * n - 1 : FEWEST_SLOTS - 1;
	uint64_t *slots = cs_scattered_calloc(mask + 1, sizeof(*slots));
	if (!slots)
		return false;
	for (size_t i = 0; i < n; i++) {
		uint64_t slot = strings->slots[i];
		if (slot)
			*cs_probe(slots, mask, slot >> 32, other, other == CS_NONE) = slot;
	}
	free(strings->slots);
	strings->slots = slots;
	strings->mask = mask;
	return true;
}

static bool grow_blob(struct cs_strings *strings, size_t length)
{
	if (length + 1 <= strings->room - strings->size)
		return true;
	size_t want = strings->room + strings->room / 2 + length + 4096;
	char *blob = cs_large_realloc(strings->blob, want);
	if (!blob)
		return false;
	strings->blob = blob;
	strings->room = want;
	return true;
}

static uint32_t strings_append(struct cs_strings *strings, const char *text, size_t length)
{
	uint32_t offset = (uint32_t)strings->size;
	memcpy(strings->blob + strings->size, text, length);
	strings->blob[strings->size + length] = '\0';
	strings->size += length + 1;
	strings->n++;
	return offset;
}

uint32_t cs_text_hash(const char *text, size_t length)
{
	return (uint32_t)XXH3_64bits(text, length);
}

uint32_t cs_strings_add_expected(
	struct cs_strings *strings, const char *text, size_t length, uint32_t hash)
{
	if (strings->size == 0) {
		if (!grow_blob(strings, 0))
			return CS_NONE;
		strings_append(strings, "", 0);
	}
	if (length == 0)
		return 0;
	if (cs_strings_is_full(strings, length))
		return CS_NONE;
	if (!grow_slots(strings))
		return CS_NONE;
	/* looked for before the blob may move, because `text` may be a text of the blob itself */
	uint64_t *slot = strings_slot_of(strings, hash, text, length);
	if (!*slot && !grow_blob(strings, length))
		return CS_NONE;
	if (!*slot)
		*slot = (uint64_t)hash << 32 | strings_append(strings, text, length);
	return (uint32_t)*slot;
}

uint32_t cs_strings_add(struct cs_strings *strings, const char *text, size_t length)
{
	length = strnlen(text, length);
	return cs_strings_add_expected(strings, text, length, cs_text_hash(text, length));
}

uint32_t cs_strings_add_z(struct cs_strings *strings, const char *text)
{
	return cs_strings_add(strings, text, strlen(text));
}

uint32_t cs_strings_add_name(struct cs_strings *strings, const char *name, size_t most)
{
	static const char dots[] = "...";
	const bool valid = cs_utf8_valid(name, strlen(name));
	char *text = malloc(2 * strlen(name) + sizeof(dots));
	size_t n = 0;
	for (const char *at = name; text && *at; at++)
		if (valid)
			text[n++] = *at;
		else
			n += cs_utf8_encode((unsigned char)*at, text + n);
	if (text && n > most && most >= strlen(dots)) {
		n = most - strlen(dots);
		while (n > 0 && cs_utf8_inside(text[n]))
			n--;
		memcpy(text + n, dots, strlen(dots));
		n += strlen(dots);
	}
	const uint32_t ret = text ? cs_strings_add(strings, text, n) : CS_NONE;
	free(text);
	return ret;
}

uint32_t cs_strings_find(const struct cs_strings *strings, const char *text, size_t length)
{
	length = strnlen(text, length);
	if (length == 0)
		return 0;
	if (!strings->slots)
		return CS_NONE;
	uint64_t slot = *strings_slot_of(strings, cs_text_hash(text, length), text, length);
	return slot ? (uint32_t)slot : CS_NONE;
}

void cs_strings_rest(struct cs_strings *strings)
{
	strings->slots = cs_large_rest(strings->slots, (strings->mask + 1) * sizeof(uint64_t));
}

void cs_strings_deinit(struct cs_strings *strings)
{
	free(strings->blob);
	free(strings->slots);
	*strings = (struct cs_strings){0};
}

/* Returns a mask of 8 bits: bit i is 1 when byte i at this address is 0. */
static uint32_t zero_bytes(const char *at)
{
	const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f),
		       bytes = cs_load64((const unsigned char *)at);
	const uint64_t zeros = ~(((bytes & low) + low) | bytes | low) >> 7;
	/* the product gathers the lowest bits of all bytes in the highest byte */
	return (uint32_t)(zeros * UINT64_C(0x0102040810204080) >> 56);
}

/* Returns a mask of 32 bits, one for each byte of a word of ranks: bit i is 1 when byte i is 0. */
static uint32_t zeros_of_word(const char *at)
{
	return zero_bytes(at) | zero_bytes(at + 8) << 8 | zero_bytes(at + 16) << 16 |
	       zero_bytes(at + 24) << 24;
}

/*
 * Fills in `words` (core/ranks.h) with a bit for each offset at which a text starts: 0, and the
 * offset after each NUL byte, including the end of the blob.
 */
static void rank_starts(uint64_t *words, const char *blob, size_t size)
{
	const size_t whole = size / CS_RANKS_WORD;
	uint32_t count = 0, start = size > 0; /* start: whether a text starts at the first byte */
	for (size_t i = 0; i < whole; i++) {
		const uint32_t zeros = zeros_of_word(blob + i * CS_RANKS_WORD);
		const uint32_t starts = zeros << 1 | start;
		words[i] = (uint64_t)count << 32 | starts;
		count += cs_count_bits(starts);
		start = zeros >> (CS_RANKS_WORD - 1);
	}
	words[whole] = (uint64_t)count << 32 | start;
	for (size_t at = whole * CS_RANKS_WORD; at < size; at++)
		if (blob[at] == '\0')
			cs_ranks_add(words, (uint32_t)at + 1);
}

bool cs_text_numbers_init(struct cs_text_numbers *numbers, const struct cs_strings *strings)
{
	size_t words = strings->size / 32 + 1;
	/* two extra words, because cs_expect_text prefetches beyond the end */
	numbers->words = cs_scattered_calloc(words + 2, sizeof(*numbers->words));
	if (!numbers->words)
		return false;
	rank_starts(numbers->words, strings->blob, strings->size);
	return true;
}

void cs_text_numbers_deinit(struct cs_text_numbers *numbers)
{
	free(numbers->words);
	*numbers = (struct cs_text_numbers){0};
}
