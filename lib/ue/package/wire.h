/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The primitives of UE's archives (ue-project-files rules 1), read as pointers into the file's
 * bytes: a text is copied only when necessary. Pointers are valid as long as those bytes.
 */
#pragma once

#include "core/arena.h"
#include "core/cursor.h"

/* FString: n > 0: n bytes (UTF-8, else Latin-1); n < 0: -n UTF-16 units, both with NUL; 0: empty */
struct cs_ue_string {
	const unsigned char *at;
	int32_t n;
};

/* The path of an asset and of an object in it, such as "/Game/M.M:PersistentLevel.A". */
struct cs_ue_path {
	struct cs_ue_string package, asset, sub;
};

/* A list in the file: n encoded elements in sequence. */
struct cs_ue_list {
	const unsigned char *at;
	size_t bytes;
	uint32_t n;
};

/* Bytes of the shortest encoded string: a list of more strings than would fit is refused. */
enum { CS_UE_STRING_LEAST = 4 };

struct cs_ue_string cs_ue_read_string(struct cs_cursor *cursor);
/* Reads a counted array of elements of `each` strings and checks each string. */
struct cs_ue_list cs_ue_read_strings(struct cs_cursor *cursor, unsigned each);
/* Reads a u32 that is 0 or 1. Any other value makes the cursor bad. */
bool cs_ue_read_bool(struct cs_cursor *cursor);
/* Reads package and asset of a path. If both are empty or "None", the path is empty. */
struct cs_ue_path cs_ue_read_asset_path(struct cs_cursor *cursor);
/* Reads package, asset and sub-path (the object in the asset). */
struct cs_ue_path cs_ue_read_soft_path(struct cs_cursor *cursor);
struct cs_quat cs_ue_read_quat(struct cs_cursor *cursor);
struct cs_transform cs_ue_read_transform(struct cs_cursor *cursor);
/* Reads three f32, the form of vectors before the large world coordinates of 5.0. */
struct cs_vec3 cs_ue_read_vec3f(struct cs_cursor *cursor);

/* Returns whether a string is empty or "None". */
bool cs_ue_string_is_none(struct cs_ue_string string);
bool cs_ue_string_equals(struct cs_ue_string string, const char *ascii);
/*
 * Returns a string as NUL-terminated UTF-8: the file's bytes if they have this form, otherwise a
 * copy in the arena; NULL when memory runs out. The text ends at the first NUL; unpaired surrogates
 * become U+FFFD.
 */
const char *cs_ue_text(struct cs_ue_string string, struct cs_arena *arena);
/* Returns the path as text, "/Game/X.X" or "/Game/X.X:Sub", "" if empty; NULL = no memory. */
const char *cs_ue_path_text(const struct cs_ue_path *path, struct cs_arena *arena);
/* Reads a counted text of UTF-8 without NUL: "" if it is invalid, NULL when memory runs out. */
const char *cs_ue_read_utf8(struct cs_cursor *cursor, struct cs_arena *arena);
/* Concatenates texts; NULL ends the arguments. Returns NULL when memory runs out. */
char *cs_ue_join(struct cs_arena *arena, const char *first, ...) __attribute__((sentinel));
