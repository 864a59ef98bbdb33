/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The texts of a cooked file while it is made: which texts and in which order, without their bytes.
 * The bytes are in the world's pool, or in a pool of our own for texts that the cook makes, and are
 * copied when the section is written: a world of a million actors has 55 MB of texts, and their
 * order takes 8 MB.
 */
#pragma once

#include "cook/phases/text_map.h"
#include "core/expect.h"
#include "core/strings.h"
#include "core/vec.h"

/* The text that contains a byte of the blob, for every CS_TEXT_MARK-th byte. */
struct cs_text_mark {
	uint32_t entry, offset;
};

enum { CS_TEXT_MARK = 1024 };

struct cs_file_texts {
	const struct cs_strings *world;
	struct cs_text_numbers numbers; /* numbers of the world's texts */
	/* for each number of a world text: its offset, 0 = not in the file */
	uint32_t *known;
	struct cs_strings own; /* texts that the cook made; `own_offsets` are by their number */
	struct cs_text_map own_offsets;
	CS_VEC(uint32_t) entries; /* texts of `world` or of `own`, in order */
	CS_VEC(uint64_t) are_own; /* bit i: entry i is one of `own` */
	CS_VEC(struct cs_text_mark) marks;
	uint32_t size; /* bytes of the blob */
	bool failed;   /* out of memory, or the blob would exceed 4 GiB */
};

static inline bool cs_file_texts_is_own(const struct cs_file_texts *texts, uint32_t entry)
{
	return texts->are_own.at[entry / 64] >> entry % 64 & 1;
}

/* Begins with the empty text. The world's pool must stay unchanged from now on. */
void cs_file_texts_init(struct cs_file_texts *texts, const struct cs_strings *world);
void cs_file_texts_deinit(struct cs_file_texts *texts);
/*
 * Return the offset of a text of the world, or of ours, which is added when it is new. On failure
 * sets `failed` and returns 0.
 */
uint32_t cs_file_texts_add(struct cs_file_texts *texts, uint32_t world_text);
uint32_t cs_file_texts_add_own(struct cs_file_texts *texts, const char *text);
/* Returns the text at an offset that was returned before; valid until the next text is added. */
const char *cs_file_texts_at(const struct cs_file_texts *texts, uint32_t offset);
/* Copies bytes [first, first + n) of the blob; may run on any thread. */
void cs_file_texts_copy(const struct cs_file_texts *texts, size_t first, size_t n, char *to);

/*
 * Prefetches for a text of the world that will be read or added: texts that rows name are in an
 * order of their own, so each costs two cache misses. First its number is prefetched, and some rows
 * later, when that has arrived, what is known about it.
 */
CS_EXPECTING void cs_file_texts_expect(const struct cs_file_texts *texts, uint32_t world_text)
{
	cs_expect_text(&texts->numbers, world_text);
}

CS_EXPECTING void cs_file_texts_expect_soon(const struct cs_file_texts *texts, uint32_t world_text)
{
	__builtin_prefetch(&texts->known[cs_text_number(&texts->numbers, world_text)]);
}

/* Returns the offset of a text of the world that was added, else 0; may run on any thread. */
static inline uint32_t cs_file_texts_known(const struct cs_file_texts *texts, uint32_t world_text)
{
	return world_text ? texts->known[cs_text_number(&texts->numbers, world_text)] : 0;
}
