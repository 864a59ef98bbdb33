/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The texts of a cooked file while the cook makes it: which texts and in which order, without their
 * bytes. The bytes are in the world's pool of texts, or in the pool `own` for texts that the cook
 * makes, and are copied when the section is written: a world of a million actors has 55 MB of
 * texts, and their order takes only 8 MB.
 */
#pragma once

#include "core/expect.h"
#include "core/strings.h"
#include "core/vec.h"

/*
 * A mark for every CS_TEXT_MARK bytes of the section: the text that contains the first of these
 * bytes, as its index in `entries` and its offset in the section.
 */
struct cs_text_mark {
	uint32_t entry, offset;
};

enum { CS_TEXT_MARK = 1024 };

/* A text that the cook made: its offset in the pool `own`, and in the file's section of texts. */
struct cs_own_text {
	uint32_t own, offset;
};

struct cs_file_texts {
	const struct cs_strings *world;
	struct cs_text_numbers numbers; /* maps each text of the world to a number */
	/* for each number of a world text: its offset in the section, or 0 if not in the file */
	uint32_t *known;
	/* texts that the cook made, and where they are, in the order in which they were added */
	struct cs_strings own;
	CS_VEC(struct cs_own_text) own_texts;
	/* offsets of texts in `world` or in `own`, in the order of the section */
	CS_VEC(uint32_t) entries;
	CS_VEC(uint64_t) are_own; /* bit i: entries[i] is a text of `own` */
	CS_VEC(struct cs_text_mark) marks;
	uint32_t size; /* size of the section in bytes */
	bool failed;   /* memory ran out, or the section would exceed 4 GiB */
};

static inline bool cs_file_texts_is_own(const struct cs_file_texts *texts, uint32_t entry)
{
	return texts->are_own.at[entry / 64] >> entry % 64 & 1;
}

/* Creates a list of only the empty text. The world's pool must not change while the list exists. */
void cs_file_texts_init(struct cs_file_texts *texts, const struct cs_strings *world);
void cs_file_texts_deinit(struct cs_file_texts *texts);
/*
 * Add a text of the world that is not in the section yet, or a text that the cook made, if it is
 * not there yet. Return its offset in the section; on failure set `failed` and return 0.
 */
uint32_t cs_file_texts_add_new(struct cs_file_texts *texts, uint32_t world_text);
uint32_t cs_file_texts_add_own(struct cs_file_texts *texts, const char *text);
/* Returns the text at an offset that an add function returned; valid until the next addition. */
const char *cs_file_texts_at(const struct cs_file_texts *texts, uint32_t offset);
/* Copies bytes [first, first + n) of the section; may run on any thread. */
void cs_file_texts_copy(const struct cs_file_texts *texts, size_t first, size_t n, char *to);

/*
 * Prefetch the parts of a text of the world that reading or adding it needs, because the texts of
 * consecutive rows are scattered in memory. Call the first function many rows ahead, and the second
 * fewer rows ahead, when the number of the text is already in the cache.
 */
CS_EXPECTING void cs_file_texts_expect(const struct cs_file_texts *texts, uint32_t world_text)
{
	cs_expect_text(&texts->numbers, world_text);
}

CS_EXPECTING void cs_file_texts_expect_soon(const struct cs_file_texts *texts, uint32_t world_text)
{
	__builtin_prefetch(&texts->known[cs_text_number(&texts->numbers, world_text)]);
}

/* Returns the offset in the file's strings of a text of the world, 0 = none; for any thread. */
static inline uint32_t cs_file_texts_known(const struct cs_file_texts *texts, uint32_t world_text)
{
	return world_text ? texts->known[cs_text_number(&texts->numbers, world_text)] : 0;
}

/* Adds a text of the world if it is new. Returns its offset, and sets `failed` on failure. */
static inline uint32_t cs_file_texts_add(struct cs_file_texts *texts, uint32_t world_text)
{
	const uint32_t known = cs_file_texts_known(texts, world_text);
	return known || !world_text ? known : cs_file_texts_add_new(texts, world_text);
}
