/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads little-endian values within bounds. The first read past the end, or cs_cursor_fail(), makes
 * the cursor bad: further reads return zeros, and the offset of the first failure is kept. A
 * decoder can thus read a whole record and check once. Counts of elements are compared with the
 * remaining bytes before anything is allocated.
 */
#pragma once

#include <cellscope/core.h>

#include <string.h>

struct cs_cursor {
	const unsigned char *bytes;
	size_t size, position;
	uint64_t origin;  /* file offset of bytes[0] */
	const char *file; /* name of the file for error messages, or NULL */
	bool bad;
	size_t bad_position; /* offset in `bytes` at which the first failing read began */
	const char *problem; /* what was wrong at bad_position, a string literal */
	enum cs_code code;
};

static inline struct cs_cursor cs_cursor_over(
	const void *bytes, size_t size, uint64_t origin, const char *file)
{
	return (struct cs_cursor){.bytes = bytes, .size = size, .origin = origin, .file = file};
}

static inline size_t cs_cursor_left(const struct cs_cursor *cursor)
{
	return cursor->bad ? 0 : cursor->size - cursor->position;
}

/* Makes the cursor bad, unless it is bad already. `problem` must outlive the cursor. */
void cs_cursor_fail(struct cs_cursor *cursor, enum cs_code code, const char *problem);
/* Returns the next n bytes. If fewer are left, makes the cursor bad and returns NULL. */
const unsigned char *cs_cursor_take(struct cs_cursor *cursor, size_t n);
void cs_cursor_skip(struct cs_cursor *cursor, uint64_t n);
void cs_cursor_seek(struct cs_cursor *cursor, uint64_t position);
uint8_t cs_cursor_u8(struct cs_cursor *cursor);
uint16_t cs_cursor_u16(struct cs_cursor *cursor);
uint32_t cs_cursor_u32(struct cs_cursor *cursor);
uint64_t cs_cursor_u64(struct cs_cursor *cursor);
int32_t cs_cursor_i32(struct cs_cursor *cursor);
int64_t cs_cursor_i64(struct cs_cursor *cursor);
float cs_cursor_f32(struct cs_cursor *cursor);
double cs_cursor_f64(struct cs_cursor *cursor);
struct cs_guid cs_cursor_guid(struct cs_cursor *cursor);
struct cs_vec3 cs_cursor_vec3(struct cs_cursor *cursor);
/*
 * Reads an i32 count of elements of at least `least` bytes each. A count of more elements than fit
 * into the remaining bytes makes the cursor bad.
 */
uint32_t cs_cursor_count(struct cs_cursor *cursor, size_t least);
/* Returns NULL for a good cursor, else an error with file, offset and message "WHAT: problem". */
struct cs_error *cs_cursor_error(const struct cs_cursor *cursor, const char *what);

/* Load and store single little-endian values. */
static inline uint16_t cs_load16(const unsigned char *b)
{
	return (uint16_t)(b[0] | b[1] << 8);
}

static inline uint32_t cs_load32(const unsigned char *b)
{
	return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static inline uint64_t cs_load64(const unsigned char *b)
{
	return (uint64_t)cs_load32(b) | (uint64_t)cs_load32(b + 4) << 32;
}

static inline void cs_store16(unsigned char *b, uint16_t v)
{
	b[0] = (unsigned char)v;
	b[1] = (unsigned char)(v >> 8);
}

static inline void cs_store32(unsigned char *b, uint32_t v)
{
	cs_store16(b, (uint16_t)v);
	cs_store16(b + 2, (uint16_t)(v >> 16));
}

static inline void cs_store64(unsigned char *b, uint64_t v)
{
	cs_store32(b, (uint32_t)v);
	cs_store32(b + 4, (uint32_t)(v >> 32));
}

static inline float cs_float_of_bits(uint32_t bits)
{
	float value;
	memcpy(&value, &bits, sizeof(value));
	return value;
}

static inline uint32_t cs_bits_of_float(float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static inline double cs_double_of_bits(uint64_t bits)
{
	double value;
	memcpy(&value, &bits, sizeof(value));
	return value;
}

static inline uint64_t cs_bits_of_double(double value)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof(bits));
	return bits;
}
