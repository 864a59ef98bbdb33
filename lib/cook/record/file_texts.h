/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The texts of a cooked file while it is made: which texts, in which order, not their bytes. These
 * lie in the world's pool, or in one of ours for what the cook itself says, and are copied when the
 * section is written: a world of a million actors names 55 MB of texts, and their order takes 8.
 */
#pragma once

#include "cook/phases/text_map.h"
#include "core/expect.h"
#include "core/strings.h"
#include "core/vec.h"

/* The text that holds a byte of the blob, for every CS_TEXT_MARK-th byte. */
struct cs_text_mark {
	uint32_t entry, offset;
};

enum { CS_TEXT_MARK = 1024 };

struct cs_file_texts {
	const struct cs_strings *world;
	struct cs_text_numbers numbers; /* of the world's texts */
	uint32_t *known;                /* by number of a world text: its offset, 0 = not there */
	struct cs_strings own; /* texts that the cook made; `own_offsets` by their number */
	struct cs_text_map own_offsets;
	CS_VEC(uint32_t) entries; /* in order: texts of `world` or of `own` */
	CS_VEC(uint64_t) are_own; /* bit i: entry i is one of `own` */
	CS_VEC(struct cs_text_mark) marks;
	uint32_t size; /* bytes of the blob */
	bool failed;   /* out of memory, or the blob would pass 4 GiB */
};

static inline bool cs_file_texts_is_own(const struct cs_file_texts *texts, uint32_t entry)
{
	return texts->are_own.at[entry / 64] >> entry % 64 & 1;
}

/* Starts with the empty text. The world's pool stays as it is from now on. */
void cs_file_texts_init(struct cs_file_texts *texts, const struct cs_strings *world);
void cs_file_texts_deinit(struct cs_file_texts *texts);
/* The offset of a text of the world, or of ours, added when it is new. Sets `failed`, gives 0. */
uint32_t cs_file_texts_add(struct cs_file_texts *texts, uint32_t world_text);
uint32_t cs_file_texts_add_own(struct cs_file_texts *texts, const char *text);
/* The number of a text of ours, CS_NONE without memory; and its offset, added when it is new. */
uint32_t cs_file_texts_own(struct cs_file_texts *texts, const char *text);
uint32_t cs_file_texts_put_own(struct cs_file_texts *texts, uint32_t own);
/* The text at an offset that was given; until the next is added. */
const char *cs_file_texts_at(const struct cs_file_texts *texts, uint32_t offset);
/* Copies bytes [first, first + n) of the blob; any thread may. */
void cs_file_texts_copy(const struct cs_file_texts *texts, size_t first, size_t n, char *to);

/*
 * A text of the world will be asked for or added: texts that rows name lie in an order of their
 * own, so that each costs two visits to memory that nobody has seen lately. First what counts it is
 * called for, and some rows later, when that is there, what is known of it.
 */
CS_EXPECTING void cs_file_texts_expect(const struct cs_file_texts *texts, uint32_t world_text)
{
	cs_expect_text(&texts->numbers, world_text);
}

CS_EXPECTING void cs_file_texts_expect_soon(const struct cs_file_texts *texts, uint32_t world_text)
{
	__builtin_prefetch(&texts->known[cs_text_number(&texts->numbers, world_text)]);
}

/* The offset of a text of the world that was added, else 0; any thread may ask. */
static inline uint32_t cs_file_texts_known(const struct cs_file_texts *texts, uint32_t world_text)
{
	return world_text ? texts->known[cs_text_number(&texts->numbers, world_text)] : 0;
}
