/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A pool of texts, each stored once and named by a u32: its byte offset in one NUL-separated blob,
 * which is also the form a cooked file stores. Offset 0 is the empty text. Two offsets are equal
 * exactly when the texts are equal byte for byte; names that differ in case are two texts.
 */
#ifndef BASE_STRINGS_H
#define BASE_STRINGS_H

#include <cellscope/base.h>

struct cs_strings {
	char *blob;
	size_t size, room;
	uint32_t *slots; /* open addressing: offset + 1 of the text, 0 = free */
	uint32_t mask;   /* slots - 1, or 0 before the first text */
	uint32_t n;
};

/* CS_NONE without memory or when the blob would pass 4 GiB; NULs inside end the text. */
uint32_t cs_strings_add(struct cs_strings *strings, const char *text, size_t length);
uint32_t cs_strings_add_z(struct cs_strings *strings, const char *text);
/* CS_NONE when the text is not in the pool. */
uint32_t cs_strings_find(const struct cs_strings *strings, const char *text, size_t length);
/* Never NULL for an offset that cs_strings_add gave. */
static inline const char *cs_strings_get(const struct cs_strings *strings, uint32_t offset)
{
	return strings->size ? strings->blob + offset : "";
}
void cs_strings_deinit(struct cs_strings *strings);

#endif
