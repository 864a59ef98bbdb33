/* SPDX-License-Identifier: Apache-2.0 */
/* Functions for UTF-8, names and paths. */
#pragma once

#include <cellscope/core.h>

#include <locale.h>
#include <string.h>

/*
 * Decodes one character. Returns its length in bytes (1 to 4), or 0 when the bytes are not the
 * shortest UTF-8 form of a Unicode scalar value.
 */
size_t cs_utf8_decode(const unsigned char *text, size_t length, uint32_t *ret);
/*
 * Returns whether a character must be escaped: it moves the cursor, reorders text, is invisible, is
 * a noncharacter of Unicode (XML does not allow some of these), or is the backslash, with which
 * escapes begin.
 */
bool cs_is_unsafe(uint32_t c);
/* Encodes one character up to U+10FFFF. Returns its length in bytes. */
size_t cs_utf8_encode(uint32_t character, char ret[4]);
/* Returns the file name in a path: the part after the last slash. */
static inline const char *cs_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Returns the part after the last dot ("/T/M.M:L.Rock" -> "Rock"), else `path`, even if NULL. */
static inline const char *cs_object_name(const char *path)
{
	const char *dot = path ? strrchr(path, '.') : NULL;
	return dot ? dot + 1 : path;
}

/* Returns the part after the last slash, dot or colon: "/Game/HLOD/HLOD0.HLOD0" -> "HLOD0". */
static inline const char *cs_last_name(const char *path)
{
	for (const char *at; (at = strpbrk(path, "./:"));)
		path = at + 1;
	return path;
}

/* Returns whether a path is absolute or has a component "..". */
static inline bool cs_leaves_folder(const char *path)
{
	for (const char *at = path; at; at = strchr(at, '/')) {
		at += *at == '/';
		if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || at[2] == '\0'))
			return true;
	}
	return path[0] == '/';
}

bool cs_utf8_valid(const char *text, size_t length);
/* Returns a hash that is equal for names that are equal for cs_name_compare, which ignores case. */
uint64_t cs_name_hash(const char *text, size_t length);
/* State of a thread that formats many numbers in the C locale. Leaving restores the old locale. */
struct cs_c_locale {
	locale_t c, previous;
};
struct cs_c_locale cs_c_locale_enter(void);
void cs_c_locale_leave(struct cs_c_locale locale);
uint32_t cs_guid_hash(struct cs_guid guid);
/* Does the same as snprintf, but in the C locale, whatever locale the program has set. */
int cs_format_c(char *text, size_t size, const char *format, ...) CS_PRINTF(3, 4);
/*
 * Decodes base64 (both alphabets, padding optional) into at most length / 4 * 3 + 2 bytes. Returns
 * the number of bytes, or SIZE_MAX when the text is not base64.
 */
size_t cs_base64_decode(const unsigned char *text, size_t length, unsigned char *ret);
