/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8 and names, for readers and writers inside the library. */
#pragma once

#include <cellscope/core.h>

#include <locale.h>
#include <string.h>

/*
 * Decodes one character; returns its length in bytes (1..4), or 0 when the bytes are not the
 * shortest UTF-8 form of a Unicode scalar value.
 */
size_t cs_utf8_decode(const unsigned char *text, size_t length, uint32_t *ret);
/*
 * Characters that move the cursor, reorder text, are not seen, or are none: XML has no place for
 * them. The backslash is among them, for escapes begin with it.
 */
bool cs_is_unsafe(uint32_t c);
/* Writes one character of at most U+10FFFF; returns its length in bytes. */
size_t cs_utf8_encode(uint32_t character, char ret[4]);
/* What stands behind the last slash. */
static inline const char *cs_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* "/Temp/M.M:PersistentLevel.Rock" -> "Rock": what stands behind the last dot; NULL of none. */
static inline const char *cs_object_name(const char *path)
{
	const char *dot = path ? strrchr(path, '.') : NULL;
	return dot ? dot + 1 : path;
}

bool cs_utf8_valid(const char *text, size_t length);
/* Upper bits of a case-folded name hash; equal for names that compare equal. */
uint64_t cs_name_hash(const char *text, size_t length);
/* The C locale for this thread, around many numbers; what was set before comes back. */
struct cs_c_locale {
	locale_t c, previous;
};
struct cs_c_locale cs_c_locale_enter(void);
void cs_c_locale_leave(struct cs_c_locale locale);
uint32_t cs_guid_hash(struct cs_guid guid);
/* snprintf in the C locale, whatever the program has set. */
int cs_format_c(char *text, size_t size, const char *format, ...) CS_PRINTF(3, 4);
