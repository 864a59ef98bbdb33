/* SPDX-License-Identifier: Apache-2.0 */
/* Stores the order of a cooked file's texts, and copies their bytes when the file is written. */
#include "cook/record/file_texts.h"

#include "core/large.h"
#include "core/search.h"

#include <stdlib.h>
#include <string.h>

static const char *file_texts_text_of(const struct cs_file_texts *texts, uint32_t entry)
{
	return cs_strings_get(cs_file_texts_is_own(texts, entry) ? &texts->own : texts->world,
		texts->entries.at[entry]);
}

static bool file_texts_push(struct cs_file_texts *texts, uint32_t text, bool own, uint32_t end)
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

static uint32_t file_texts_append(struct cs_file_texts *texts, uint32_t text, bool own)
{
	size_t n = own ? strlen(cs_strings_get(&texts->own, text)) + 1
		       : cs_text_size(&texts->numbers, text);
	uint32_t offset = texts->size;
	if (n > CS_NONE - offset || !file_texts_push(texts, text, own, offset + (uint32_t)n)) {
		texts->failed = true;
		return 0;
	}
	texts->size += (uint32_t)n;
	return offset;
}

void cs_file_texts_init(struct cs_file_texts *texts, const struct cs_strings *world)
{
	*texts = (struct cs_file_texts){.world = world};
	texts->known = cs_scattered_calloc((size_t)world->n + 1, sizeof(*texts->known));
	texts->failed = !texts->known || cs_strings_add_z(&texts->own, "") == CS_NONE ||
			!cs_text_numbers_init(&texts->numbers, world);
	file_texts_append(texts, 0, true);
}

void cs_file_texts_deinit(struct cs_file_texts *texts)
{
	cs_text_numbers_deinit(&texts->numbers);
	free(texts->known);
	cs_strings_deinit(&texts->own);
	cs_vec_free(&texts->own_texts);
	cs_vec_free(&texts->entries);
	cs_vec_free(&texts->are_own);
	cs_vec_free(&texts->marks);
}

uint32_t cs_file_texts_add_new(struct cs_file_texts *texts, uint32_t world_text)
{
	const uint32_t offset = texts->failed ? 0 : file_texts_append(texts, world_text, false);
	texts->known[cs_text_number(&texts->numbers, world_text)] = offset;
	return offset;
}

uint32_t cs_file_texts_add_own(struct cs_file_texts *texts, const char *text)
{
	const size_t before = texts->own.size;
	const uint32_t own = cs_strings_add_z(&texts->own, text);
	if (own == 0 || texts->failed)
		return 0;
	/* an offset beyond the old end of the pool: a new text, as nearly all are (cell names) */
	if (own >= before) {
		const uint32_t offset = own == CS_NONE ? 0 : file_texts_append(texts, own, true);
		texts->failed |= !offset ||
				 !cs_vec_push(&texts->own_texts, (struct cs_own_text){own, offset});
		return texts->failed ? 0 : offset;
	}
	const size_t at =
		cs_lower_bound(0, texts->own_texts.n, i, texts->own_texts.at[i].own < own);
	return texts->own_texts.at[at].offset;
}

static void file_texts_advance(struct cs_text_mark *at, size_t n)
{
	at->entry++;
	at->offset += (uint32_t)n;
}

const char *cs_file_texts_at(const struct cs_file_texts *texts, uint32_t offset)
{
	struct cs_text_mark at = texts->marks.at[offset / CS_TEXT_MARK];
	for (;;) {
		const char *text = file_texts_text_of(texts, at.entry);
		uint32_t n = (uint32_t)strlen(text) + 1;
		if (offset - at.offset < n)
			return text + (offset - at.offset);
		file_texts_advance(&at, n);
	}
}

void cs_file_texts_copy(const struct cs_file_texts *texts, size_t first, size_t n, char *to)
{
	/* texts to prefetch ahead, more than rows, as copying a text takes less time */
	enum { FAR = 4 * CS_AHEAD };
	if (n == 0)
		return;
	struct cs_text_mark at = texts->marks.at[first / CS_TEXT_MARK];
	while (n) {
		const char *text = file_texts_text_of(texts, at.entry);
		if (at.entry + FAR < texts->entries.n)
			__builtin_prefetch(file_texts_text_of(texts, at.entry + FAR));
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
			file_texts_advance(&at, length);
	}
}
