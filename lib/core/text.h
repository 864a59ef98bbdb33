/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8 and names, for readers and writers of the library. */
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
 * Returns true for characters that move the cursor, reorder text or are invisible, for the
 * noncharacters of Unicode, some of which XML does not allow, and for the backslash, because
 * escapes begin with it.
 */
bool cs_is_unsafe(uint32_t c);
/* Encodes one character of at most U+10FFFF; returns its length in bytes. */
size_t cs_utf8_encode(uint32_t character, char ret[4]);
/* Returns what follows the last slash. */
static inline const char *cs_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/*
 * Returns what follows the last dot: "/Temp/M.M:PersistentLevel.Rock" -> "Rock". Without a dot it
 * is the whole path, which may be NULL.
 */
static inline const char *cs_object_name(const char *path)
{
	const char *dot = path ? strrchr(path, '.') : NULL;
	return dot ? dot + 1 : path;
}

/* Returns what follows the last slash, dot or colon: "/Game/HLOD/HLOD0.HLOD0" -> "HLOD0". */
static inline const char *cs_last_name(const char *path)
{
	for (const char *at; (at = strpbrk(path, "./:"));)
		path = at + 1;
	return path;
}

/* Returns whether a path is absolute or has a part "..". */
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
/*
 * Returns a hash of the name in lower case: equal for names that cs_name_compare finds equal.
 */
uint64_t cs_name_hash(const char *text, size_t length);
/*
 * Sets the C locale for this thread while many numbers are formatted, and restores the previous
 * one.
 */
struct cs_c_locale {
	locale_t c, previous;
};
struct cs_c_locale cs_c_locale_enter(void);
void cs_c_locale_leave(struct cs_c_locale locale);
uint32_t cs_guid_hash(struct cs_guid guid);
/* snprintf in the C locale, whatever locale the program has set. */
int cs_format_c(char *text, size_t size, const char *format, ...) CS_PRINTF(3, 4);
