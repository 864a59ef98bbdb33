/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The primitives of UE's archives (ue-project-files rules 1), read as views of the bytes: a text is
 * copied only when it is needed. A view is valid as long as the bytes under it.
 */
#pragma once

#include "core/arena.h"
#include "core/cursor.h"

/*
 * An FString: n > 0 bytes with their NUL, or -n UTF-16 units with theirs, or nothing. 8-bit strings
 * are read as UTF-8 where they are valid UTF-8, else as Latin-1.
 */
struct cs_ue_string {
	const unsigned char *at;
	int32_t n;
};

/* A path of an asset and of an object in it: "/Game/M.M:PersistentLevel.A". */
struct cs_ue_path {
	struct cs_ue_string package, asset, sub;
};

/* n elements, encoded one after the other. */
struct cs_ue_list {
	const unsigned char *at;
	size_t bytes;
	uint32_t n;
};

/* The smallest encoding of a string, for checks of counts. */
enum { CS_UE_STRING_LEAST = 4 };

struct cs_ue_string cs_ue_read_string(struct cs_cursor *cursor);
/* Reads a counted array of strings, each of which is checked. */
struct cs_ue_list cs_ue_read_strings(struct cs_cursor *cursor);
/* Reads a u32 that is 0 or 1. Any other value makes the cursor bad. */
bool cs_ue_read_bool(struct cs_cursor *cursor);
/* Reads package and asset. When both are "None" or empty there is no path. */
struct cs_ue_path cs_ue_read_asset_path(struct cs_cursor *cursor);
/* Reads package, asset and sub-path. */
struct cs_ue_path cs_ue_read_soft_path(struct cs_cursor *cursor);
struct cs_quat cs_ue_read_quat(struct cs_cursor *cursor);
struct cs_transform cs_ue_read_transform(struct cs_cursor *cursor);
/* Reads three f32, as before the large world coordinates of 5.0. */
struct cs_vec3 cs_ue_read_vec3f(struct cs_cursor *cursor);

/* Returns true for an empty string and for "None". */
bool cs_ue_string_is_none(struct cs_ue_string string);
bool cs_ue_string_equals(struct cs_ue_string string, const char *ascii);
/*
 * Returns the text as UTF-8 with a NUL: the bytes themselves where they have this form, else a copy
 * in the arena. Returns NULL without memory. A NUL inside ends the text, and an unpaired surrogate
 * becomes U+FFFD.
 */
const char *cs_ue_text(struct cs_ue_string string, struct cs_arena *arena, size_t *length_ret);
/* Returns "" for none, else "/Game/X.X" or "/Game/X.X:Sub". */
const char *cs_ue_path_text(
	const struct cs_ue_path *path, struct cs_arena *arena, size_t *length_ret);
/* Joins a NULL-terminated list of texts. Returns NULL without memory. */
char *cs_ue_join(struct cs_arena *arena, const char *first, ...) __attribute__((sentinel));
