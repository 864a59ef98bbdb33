/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the primitives of UE archives: strings, booleans, paths, vectors, transforms, lists. */
#include "ue/package/wire.h"

#include "core/text.h"
#include "format/byte_source.h"

#include <stdarg.h>

struct cs_ue_string cs_ue_read_string(struct cs_cursor *cursor)
{
	struct cs_ue_string none = {(const unsigned char *)"", 0};
	size_t start = cursor->position;
	int32_t n = cs_cursor_i32(cursor);
	if (cursor->bad || n == 0)
		return none;
	uint64_t bytes = n > 0 ? (uint64_t)n : (uint64_t)(-(int64_t)n) * 2;
	if (bytes > cs_cursor_left(cursor)) {
		cursor->position = start;
		cs_cursor_fail(
			cursor, CS_E_TRUNCATED, "a string is longer than the bytes that follow");
		return none;
	}
	const unsigned char *at = cs_cursor_take(cursor, (size_t)bytes);
	bool ends = n > 0 ? at[n - 1] == 0 : at[bytes - 1] == 0 && at[bytes - 2] == 0;
	if (!ends) {
		cursor->position = start;
		cs_cursor_fail(cursor, CS_E_LAYOUT, "a string does not end with a NUL");
		return none;
	}
	return (struct cs_ue_string){at, n};
}

struct cs_ue_list cs_ue_read_strings(struct cs_cursor *cursor, unsigned each)
{
	struct cs_ue_list list = {.n = cs_cursor_count(cursor, each * CS_UE_STRING_LEAST)};
	size_t start = cursor->position;
	list.at = cursor->bytes + start;
	for (uint64_t i = 0; i < (uint64_t)each * list.n && !cursor->bad; i++)
		cs_ue_read_string(cursor);
	list.bytes = cursor->position - start;
	return list;
}

bool cs_ue_read_bool(struct cs_cursor *cursor)
{
	size_t start = cursor->position;
	uint32_t value = cs_cursor_u32(cursor);
	if (value > 1) {
		cursor->position = start;
		cs_cursor_fail(cursor, CS_E_LAYOUT, "a boolean is neither 0 nor 1");
	}
	return value == 1;
}

struct cs_ue_path cs_ue_read_asset_path(struct cs_cursor *cursor)
{
	struct cs_ue_path path = {.sub = {(const unsigned char *)"", 0}};
	path.package = cs_ue_read_string(cursor);
	path.asset = cs_ue_read_string(cursor);
	return path;
}

struct cs_ue_path cs_ue_read_soft_path(struct cs_cursor *cursor)
{
	struct cs_ue_path path = cs_ue_read_asset_path(cursor);
	path.sub = cs_ue_read_string(cursor);
	return path;
}

struct cs_quat cs_ue_read_quat(struct cs_cursor *cursor)
{
	struct cs_vec3 axis = cs_cursor_vec3(cursor);
	return (struct cs_quat){axis.x, axis.y, axis.z, cs_cursor_f64(cursor)};
}

struct cs_transform cs_ue_read_transform(struct cs_cursor *cursor)
{
	struct cs_transform transform;
	transform.rotation = cs_ue_read_quat(cursor);
	transform.translation = cs_cursor_vec3(cursor);
	transform.scale = cs_cursor_vec3(cursor);
	return transform;
}

struct cs_vec3 cs_ue_read_vec3f(struct cs_cursor *cursor)
{
	struct cs_vec3 vector;
	vector.x = (double)cs_cursor_f32(cursor);
	vector.y = (double)cs_cursor_f32(cursor);
	vector.z = (double)cs_cursor_f32(cursor);
	return vector;
}

/* ---- strings as UTF-8 text ---- */

bool cs_ue_string_equals(struct cs_ue_string string, const char *ascii)
{
	size_t n = strlen(ascii);
	if (string.n >= 0)
		return string.n == 0
			       ? n == 0
			       : (size_t)string.n == n + 1 && memcmp(string.at, ascii, n) == 0;
	if ((uint64_t)(-(int64_t)string.n) != n + 1)
		return false;
	for (size_t i = 0; i < n; i++)
		if (cs_load16(string.at + 2 * i) != (unsigned char)ascii[i])
			return false;
	return true;
}

bool cs_ue_string_is_none(struct cs_ue_string string)
{
	return string.n == 0 || string.n == 1 || cs_ue_string_equals(string, "None");
}

static const char *latin1_text(const unsigned char *bytes, size_t n, struct cs_arena *arena)
{
	char *text = CS_ARENA_ARRAY(arena, char, 2 * n + 1), *end = text;
	for (size_t i = 0; text && i < n; i++)
		end += cs_utf8_encode(bytes[i], end);
	return text;
}

static const char *utf16_text(const unsigned char *units, size_t n, struct cs_arena *arena)
{
	char *text = CS_ARENA_ARRAY(arena, char, 3 * n + 1);
	size_t length = 0;
	while (length < n && cs_load16(units + 2 * length))
		length++;
	if (text)
		cs_utf16_convert(units, length, false, (unsigned char *)text);
	return text;
}

const char *cs_ue_text(struct cs_ue_string string, struct cs_arena *arena)
{
	if (string.n == 0)
		return "";
	if (string.n < 0)
		return utf16_text(string.at, (size_t)(-(int64_t)string.n), arena);
	size_t n = strnlen((const char *)string.at, (size_t)string.n);
	if (!cs_utf8_valid((const char *)string.at, n))
		return latin1_text(string.at, n, arena);
	return (const char *)string.at;
}

const char *cs_ue_path_text(const struct cs_ue_path *path, struct cs_arena *arena)
{
	const bool packaged = !cs_ue_string_is_none(path->package);
	const bool named = !cs_ue_string_is_none(path->asset);
	if (!packaged && !named)
		return "";
	const char *package = packaged ? cs_ue_text(path->package, arena) : "";
	const char *asset = named ? cs_ue_text(path->asset, arena) : "";
	const char *sub = cs_ue_text(path->sub, arena);
	if (!package || !asset || !sub)
		return NULL;
	return cs_ue_join(arena, package, packaged && named ? "." : "", asset, *sub ? ":" : "", sub,
		(char *)NULL);
}

const char *cs_ue_read_utf8(struct cs_cursor *cursor, struct cs_arena *arena)
{
	uint32_t n = cs_cursor_count(cursor, 1);
	const char *at = (const char *)cs_cursor_take(cursor, n);
	return at ? cs_arena_text(arena, at, n) : "";
}

char *cs_ue_join(struct cs_arena *arena, const char *first, ...)
{
	size_t length = 0;
	va_list args, again;
	va_start(args, first);
	va_copy(again, args);
	for (const char *piece = first; piece; piece = va_arg(args, const char *))
		length += strlen(piece);
	va_end(args);
	char *text = CS_ARENA_ARRAY(arena, char, length + 1), *end = text;
	for (const char *piece = first; text && piece; piece = va_arg(again, const char *))
		end = stpcpy(end, piece);
	va_end(again);
	return text;
}
