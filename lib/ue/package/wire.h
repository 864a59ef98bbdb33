/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The primitives of UE's archives (ue-project-files rules 1), read as pointers into the file's
 * bytes: a text is copied only when necessary. Pointers are valid as long as those bytes.
 */
#pragma once

#include "core/arena.h"
#include "core/cursor.h"

/* An FString of n bytes (UTF-8, else Latin-1) or, if n < 0, -n units of UTF-16, with the NUL. */
struct cs_ue_string {
	const unsigned char *at;
	int32_t n;
};

/* The path of an asset and of an object in it, such as "/Game/M.M:PersistentLevel.A". */
struct cs_ue_path {
	struct cs_ue_string package, asset, sub;
};

/* A list in the file: n elements in sequence, as they are encoded. */
struct cs_ue_list {
	const unsigned char *at;
	size_t bytes;
	uint32_t n;
};

/* Bytes of the shortest encoded string. A list of more strings than would fit is rejected. */
enum { CS_UE_STRING_LEAST = 4 };

struct cs_ue_string cs_ue_read_string(struct cs_cursor *cursor);
/* Reads an array with a count, whose elements have `each` strings, and checks each string. */
struct cs_ue_list cs_ue_read_strings(struct cs_cursor *cursor, unsigned each);
/* Reads a u32 that is 0 or 1. Any other value makes the cursor bad. */
bool cs_ue_read_bool(struct cs_cursor *cursor);
/* Reads the package and the asset of a path. The path is empty if both are empty or "None". */
struct cs_ue_path cs_ue_read_asset_path(struct cs_cursor *cursor);
/* Reads package, asset and sub-path (the object in the asset). */
struct cs_ue_path cs_ue_read_soft_path(struct cs_cursor *cursor);
struct cs_quat cs_ue_read_quat(struct cs_cursor *cursor);
struct cs_transform cs_ue_read_transform(struct cs_cursor *cursor);
/* Reads three f32, the form that vectors had before the large world coordinates of 5.0. */
struct cs_vec3 cs_ue_read_vec3f(struct cs_cursor *cursor);

/* Returns whether a string is empty or "None". */
bool cs_ue_string_is_none(struct cs_ue_string string);
bool cs_ue_string_equals(struct cs_ue_string string, const char *ascii);
/*
 * Returns a string as UTF-8 with a NUL at its end: the bytes of the file if they have this form,
 * otherwise a copy in the arena. The text ends at the first NUL, and unpaired surrogates become
 * U+FFFD. Returns NULL when memory runs out.
 */
const char *cs_ue_text(struct cs_ue_string string, struct cs_arena *arena);
/* Returns the path as text, "/Game/X.X" or "/Game/X.X:Sub", "" if empty, NULL if out of memory. */
const char *cs_ue_path_text(const struct cs_ue_path *path, struct cs_arena *arena);
/* Reads a length and UTF-8 without NUL. Returns "" if invalid, and NULL when memory runs out. */
const char *cs_ue_read_utf8(struct cs_cursor *cursor, struct cs_arena *arena);
/* Joins texts to one. The last argument must be NULL. Returns NULL when memory runs out. */
char *cs_ue_join(struct cs_arena *arena, const char *first, ...) __attribute__((sentinel));
