/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads within the bounds of a block of bytes. Invariant: position <= size, so that `size -
 * position` never wraps. Reads compare n with that difference and never compute position + n, which
 * might wrap.
 */
#include "core/cursor.h"

#include "core/invariant.h"

void cs_cursor_fail(struct cs_cursor *cursor, enum cs_code code, const char *problem)
{
	if (cursor->bad)
		return;
	cursor->bad = true;
	cursor->bad_position = cursor->position;
	cursor->code = code;
	cursor->problem = problem;
}

const unsigned char *cs_cursor_take(struct cs_cursor *cursor, size_t n)
{
	CS_INVARIANT(cursor->position <= cursor->size, "a cursor is never behind its bytes");
	if (cursor->bad)
		return NULL;
	if (n > cursor->size - cursor->position) {
		cs_cursor_fail(cursor, CS_E_TRUNCATED, "the data ends within a value");
		return NULL;
	}
	const unsigned char *at = cursor->bytes + cursor->position;
	cursor->position += n;
	return at;
}

void cs_cursor_skip(struct cs_cursor *cursor, uint64_t n)
{
	if (n > cs_cursor_left(cursor))
		cs_cursor_fail(cursor, CS_E_TRUNCATED, "the data ends within a value");
	else
		cursor->position += (size_t)n;
}

void cs_cursor_seek(struct cs_cursor *cursor, uint64_t position)
{
	if (cursor->bad)
		return;
	if (position > cursor->size)
		cs_cursor_fail(cursor, CS_E_LAYOUT, "an offset points past the end of the data");
	else
		cursor->position = (size_t)position;
}

uint8_t cs_cursor_u8(struct cs_cursor *cursor)
{
	const unsigned char *at = cs_cursor_take(cursor, 1);
	return at ? at[0] : 0;
}

uint16_t cs_cursor_u16(struct cs_cursor *cursor)
{
	const unsigned char *at = cs_cursor_take(cursor, 2);
	return at ? cs_load16(at) : 0;
}

uint32_t cs_cursor_u32(struct cs_cursor *cursor)
{
	const unsigned char *at = cs_cursor_take(cursor, 4);
	return at ? cs_load32(at) : 0;
}

uint64_t cs_cursor_u64(struct cs_cursor *cursor)
{
	const unsigned char *at = cs_cursor_take(cursor, 8);
	return at ? cs_load64(at) : 0;
}

int32_t cs_cursor_i32(struct cs_cursor *cursor)
{
	return (int32_t)cs_cursor_u32(cursor);
}

int64_t cs_cursor_i64(struct cs_cursor *cursor)
{
	return (int64_t)cs_cursor_u64(cursor);
}

float cs_cursor_f32(struct cs_cursor *cursor)
{
	return cs_float_of_bits(cs_cursor_u32(cursor));
}

double cs_cursor_f64(struct cs_cursor *cursor)
{
	return cs_double_of_bits(cs_cursor_u64(cursor));
}

struct cs_guid cs_cursor_guid(struct cs_cursor *cursor)
{
	struct cs_guid guid;
	guid.a = cs_cursor_u32(cursor);
	guid.b = cs_cursor_u32(cursor);
	guid.c = cs_cursor_u32(cursor);
	guid.d = cs_cursor_u32(cursor);
	return guid;
}

struct cs_vec3 cs_cursor_vec3(struct cs_cursor *cursor)
{
	struct cs_vec3 vector;
	vector.x = cs_cursor_f64(cursor);
	vector.y = cs_cursor_f64(cursor);
	vector.z = cs_cursor_f64(cursor);
	return vector;
}

uint32_t cs_cursor_count(struct cs_cursor *cursor, size_t least)
{
	size_t at = cursor->position;
	int32_t count = cs_cursor_i32(cursor);
	if (cursor->bad)
		return 0;
	if (count < 0 || (uint32_t)count > cs_cursor_left(cursor) / least) {
		cursor->position = at;
		cs_cursor_fail(cursor, CS_E_LAYOUT,
			"a count is negative, or too large for the bytes that follow it");
		return 0;
	}
	return (uint32_t)count;
}

struct cs_error *cs_cursor_error(const struct cs_cursor *cursor, const char *what)
{
	if (!cursor->bad)
		return NULL;
	return cs_error_at(cursor->code, cursor->file, cursor->origin + cursor->bad_position,
		"%s: %s", what, cursor->problem);
}
