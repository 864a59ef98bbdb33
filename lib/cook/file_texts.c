/* SPDX-License-Identifier: Apache-2.0 */
/* Owns: the order of the texts of a cooked file, and copying them out of it. */
#include "cook/file_texts.h"

#include <stdlib.h>
#include <string.h>

static const char *text_of(const struct cs_file_texts *texts, uint32_t entry)
{
	return cs_strings_get(cs_file_texts_is_own(texts, entry) ? &texts->own : texts->world,
		texts->entries.at[entry]);
}

static bool push(struct cs_file_texts *texts, uint32_t text, bool own, uint32_t end)
{
	uint32_t entry = (uint32_t)texts->entries.n;
	if ((entry % 64 == 0 && !cs_vec_push(&texts->are_own, 0)) ||
		!cs_vec_push(&texts->entries, text))
		return false;
	texts->are_own.at[entry / 64] |= (uint64_t)own << entry % 64;
	while (texts->marks.n * CS_TEXT_MARK < end)
		if (!cs_vec_push(&texts->marks, (struct cs_text_mark){entry, texts->size}))
			return false;
	return true;
}

static uint32_t append(struct cs_file_texts *texts, uint32_t text, bool own)
{
	size_t n = own             ? strlen(cs_strings_get(&texts->own, text)) + 1
		   : texts->lender ? strlen(cs_strings_get(texts->world, text)) + 1
				   : cs_text_size(&texts->numbers, text);
	uint32_t offset = texts->size;
	if (n > CS_NONE - offset || !push(texts, text, own, offset + (uint32_t)n)) {
		texts->failed = true;
		return 0;
	}
	texts->size += (uint32_t)n;
	return offset;
}

void cs_file_texts_init(struct cs_file_texts *texts, const struct cs_strings *world)
{
	*texts = (struct cs_file_texts){.world = world, .world_size = world->size};
	texts->known = calloc((size_t)world->n + 1, sizeof(*texts->known));
	texts->failed = !texts->known || cs_strings_add_z(&texts->own, "") == CS_NONE ||
			!cs_text_numbers_init(&texts->numbers, world);
	append(texts, 0, true);
}

bool cs_file_texts_borrow(struct cs_file_texts *texts, const struct cs_file_texts *lender)
{
	*texts = (struct cs_file_texts){.world = lender->world, .lender = lender};
	texts->failed = !cs_strings_copy(&lender->own, &texts->own);
	append(texts, 0, true);
	return !texts->failed;
}

void cs_file_texts_lend(struct cs_file_texts *texts, uint32_t from, uint32_t size)
{
	if (size > CS_NONE - texts->size) {
		texts->failed = true;
		return;
	}
	texts->lent_from = from;
	texts->lent_at = texts->size;
	texts->lent_size = size;
	texts->size += size;
}

void cs_file_texts_deinit(struct cs_file_texts *texts)
{
	cs_text_map_deinit(&texts->few);
	cs_text_numbers_deinit(&texts->numbers);
	free(texts->known);
	cs_strings_deinit(&texts->own);
	cs_text_map_deinit(&texts->own_offsets);
	cs_vec_free(&texts->entries);
	cs_vec_free(&texts->are_own);
	cs_vec_free(&texts->marks);
	free(texts->blob);
}

uint32_t cs_file_texts_find(const struct cs_file_texts *texts, uint32_t world_text)
{
	const struct cs_file_texts *lender = texts->lender;
	uint32_t offset = world_text ? cs_text_map_get(&texts->few, world_text) : 0;
	if (offset != CS_NONE)
		return offset;
	if (world_text >= lender->world_size)
		return 0;
	offset = lender->known[cs_text_number(&lender->numbers, world_text)] - texts->lent_from;
	return offset < texts->lent_size ? texts->lent_at + offset : 0;
}

static uint32_t add_few(struct cs_file_texts *texts, uint32_t world_text)
{
	uint32_t offset = cs_file_texts_find(texts, world_text);
	if (offset)
		return offset;
	uint32_t *few = cs_text_map_at(&texts->few, world_text);
	texts->failed = texts->failed || !few;
	offset = append(texts, world_text, false);
	if (few)
		*few = offset;
	return offset;
}

uint32_t cs_file_texts_add(struct cs_file_texts *texts, uint32_t world_text)
{
	if (world_text == 0 || texts->failed)
		return 0;
	if (texts->lender)
		return add_few(texts, world_text);
	uint32_t *known = &texts->known[cs_text_number(&texts->numbers, world_text)];
	if (*known == 0)
		*known = append(texts, world_text, false);
	return *known;
}

uint32_t cs_file_texts_own(struct cs_file_texts *texts, const char *text)
{
	return cs_strings_add_z(&texts->own, text);
}

uint32_t cs_file_texts_add_own(struct cs_file_texts *texts, const char *text)
{
	return cs_file_texts_put_own(texts, cs_file_texts_own(texts, text));
}

uint32_t cs_file_texts_put_own(struct cs_file_texts *texts, uint32_t own)
{
	if (own == 0 || texts->failed)
		return 0;
	uint32_t *offset = own == CS_NONE ? NULL : cs_text_map_at(&texts->own_offsets, own);
	if (!offset) {
		texts->failed = true;
		return 0;
	}
	if (*offset == CS_NONE)
		*offset = append(texts, own, true);
	return *offset;
}

/* On to the next text; behind those before a lent stretch comes what is behind the stretch. */
static void advance(const struct cs_file_texts *texts, struct cs_text_mark *at, size_t n)
{
	at->entry++;
	at->offset += (uint32_t)n;
	if (texts->lent_size && at->offset == texts->lent_at)
		at->offset += texts->lent_size;
}

const char *cs_file_texts_at(const struct cs_file_texts *texts, uint32_t offset)
{
	if (offset - texts->lent_at < texts->lent_size)
		return cs_file_texts_at(texts->lender, offset - texts->lent_at + texts->lent_from);
	struct cs_text_mark at = texts->marks.at[offset / CS_TEXT_MARK];
	for (;;) {
		const char *text = text_of(texts, at.entry);
		uint32_t n = (uint32_t)strlen(text) + 1;
		if (offset - at.offset < n)
			return text + (offset - at.offset);
		advance(texts, &at, n);
	}
}

/* Of bytes that are all before, or all behind, what is lent. */
static void copy_own(const struct cs_file_texts *texts, size_t first, size_t n, char *to)
{
	struct cs_text_mark at = texts->marks.at[first / CS_TEXT_MARK];
	while (n) {
		const char *text = text_of(texts, at.entry);
		if (at.entry + CS_AHEAD < texts->entries.n)
			__builtin_prefetch(text_of(texts, at.entry + CS_AHEAD));
		size_t length = strlen(text) + 1;
		if (at.offset + length > first) {
			size_t begin = first - at.offset;
			size_t copied = length - begin < n ? length - begin : n;
			memcpy(to, text + begin, copied);
			first += copied;
			to += copied;
			n -= copied;
		}
		if (n)
			advance(texts, &at, length);
	}
}

bool cs_file_texts_keep(struct cs_file_texts *texts)
{
	char *blob = malloc((size_t)texts->size + 1);
	if (!blob)
		return false;
	cs_file_texts_copy(texts, 0, texts->size, blob);
	texts->blob = blob;
	return true;
}

void cs_file_texts_copy(const struct cs_file_texts *texts, size_t first, size_t n, char *to)
{
	const size_t lent = texts->lent_at, end = lent + texts->lent_size;
	if (texts->blob) {
		memcpy(to, texts->blob + first, n);
		return;
	}
	while (n) {
		bool is_lent = first >= lent && first < end;
		size_t border = is_lent ? end : first < lent ? lent : SIZE_MAX;
		size_t count = n < border - first ? n : border - first;
		if (is_lent)
			cs_file_texts_copy(
				texts->lender, first - lent + texts->lent_from, count, to);
		else
			copy_own(texts, first, count, to);
		first += count;
		to += count;
		n -= count;
	}
}
