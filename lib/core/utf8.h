/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the boundaries of UTF-8 characters, which is needed to cut texts and to count characters,
 * and finds byte order marks. core/text.h decodes characters.
 */
#pragma once

#include <stdbool.h>
#include <string.h>

/* Returns the length of the byte order mark with which some texts start, or 0. */
static inline size_t cs_utf8_mark(const void *text, size_t n)
{
	return n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

/* Returns whether a byte is a continuation byte of UTF-8. `byte` may come from a signed char. */
static inline bool cs_utf8_inside(int byte)
{
	return (byte & 0xc0) == 0x80;
}
