/* SPDX-License-Identifier: Apache-2.0 */
/* Owns: the string pool. Linear probing, at most half full; hashes are recomputed on growth. */
#include "base/strings.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdlib.h>
#include <string.h>

static uint32_t slot_of(const struct cs_strings *strings, const char *text, size_t length)
{
	uint32_t at = (uint32_t)XXH3_64bits(text, length) & strings->mask;
	while (strings->slots[at]) {
		const char *other = strings->blob + strings->slots[at] - 1;
		if (strncmp(other, text, length) == 0 && other[length] == '\0')
			break;
		at = (at + 1) & strings->mask;
	}
	return at;
}

static bool grow_slots(struct cs_strings *strings)
{
	uint32_t count = strings->mask ? (strings->mask + 1) * 2 : 256;
	if (count == 0)
		return false;
	uint32_t *slots = calloc(count, sizeof(*slots));
	if (!slots)
		return false;
	uint32_t *old = strings->slots;
	uint32_t old_count = strings->mask ? strings->mask + 1 : 0;
	strings->slots = slots;
	strings->mask = count - 1;
	for (uint32_t i = 0; i < old_count; i++) {
		if (!old[i])
			continue;
		const char *text = strings->blob + old[i] - 1;
		uint32_t at = (uint32_t)XXH3_64bits(text, strlen(text)) & strings->mask;
		while (slots[at])
			at = (at + 1) & strings->mask;
		slots[at] = old[i];
	}
	free(old);
	return true;
}

static bool grow_blob(struct cs_strings *strings, size_t length)
{
	if (length + 1 <= strings->room - strings->size)
		return true;
	size_t want = strings->room + strings->room / 2 + length + 4096;
	char *blob = realloc(strings->blob, want);
	if (!blob)
		return false;
	strings->blob = blob;
	strings->room = want;
	return true;
}

static uint32_t append(struct cs_strings *strings, const char *text, size_t length)
{
	uint32_t offset = (uint32_t)strings->size;
	memcpy(strings->blob + strings->size, text, length);
	strings->blob[strings->size + length] = '\0';
	strings->size += length + 1;
	strings->n++;
	return offset;
}

uint32_t cs_strings_add(struct cs_strings *strings, const char *text, size_t length)
{
	length = strnlen(text, length);
	if (strings->size == 0) {
		if (!grow_blob(strings, 0))
			return CS_NONE;
		append(strings, "", 0);
	}
	if (length == 0)
		return 0;
	if (length >= CS_NONE - strings->size - 1)
		return CS_NONE;
	if ((!strings->mask || strings->n >= strings->mask / 2) && !grow_slots(strings))
		return CS_NONE;
	if (!grow_blob(strings, length))
		return CS_NONE;
	uint32_t at = slot_of(strings, text, length);
	if (!strings->slots[at])
		strings->slots[at] = append(strings, text, length) + 1;
	return strings->slots[at] - 1;
}

uint32_t cs_strings_add_z(struct cs_strings *strings, const char *text)
{
	return cs_strings_add(strings, text, strlen(text));
}

uint32_t cs_strings_find(const struct cs_strings *strings, const char *text, size_t length)
{
	length = strnlen(text, length);
	if (length == 0)
		return 0;
	if (!strings->mask)
		return CS_NONE;
	uint32_t at = slot_of(strings, text, length);
	return strings->slots[at] ? strings->slots[at] - 1 : CS_NONE;
}

void cs_strings_deinit(struct cs_strings *strings)
{
	free(strings->blob);
	free(strings->slots);
	*strings = (struct cs_strings){0};
}

bool cs_text_numbers_init(struct cs_text_numbers *numbers, const struct cs_strings *strings)
{
	size_t words = strings->size / 64 + 1;
	numbers->starts = calloc(words, sizeof(*numbers->starts));
	numbers->counts = malloc(words * sizeof(*numbers->counts));
	if (!numbers->starts || !numbers->counts) {
		cs_text_numbers_deinit(numbers);
		return false;
	}
	for (size_t at = 0; at < strings->size; at += strlen(strings->blob + at) + 1)
		numbers->starts[at / 64] |= UINT64_C(1) << at % 64;
	uint32_t count = 0;
	for (size_t word = 0; word < words; word++) {
		numbers->counts[word] = count;
		count += (uint32_t)__builtin_popcountll(numbers->starts[word]);
	}
	return true;
}

void cs_text_numbers_deinit(struct cs_text_numbers *numbers)
{
	free(numbers->starts);
	free(numbers->counts);
	*numbers = (struct cs_text_numbers){0};
}
