/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the boundaries of UTF-8 characters, to cut texts and count characters, and byte order
 * marks. core/text.h decodes characters.
 */
#pragma once

#include <stdbool.h>
#include <string.h>

/* Returns the length of the byte order mark that some editors put at the start of a text, or 0. */
static inline size_t cs_utf8_mark(const void *text, size_t n)
{
	return n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

/* Returns whether a byte is a continuation byte. `byte` may come from a signed char. */
static inline bool cs_utf8_inside(int byte)
{
	return (byte & 0xc0) == 0x80;
}
