/* SPDX-License-Identifier: Apache-2.0 */
/* Implements byte buffers that grow while data is appended. */
#include "core/writer.h"

#include "core/cursor.h"
#include "core/large.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Appends `n` uninitialised bytes and returns them, or NULL if memory runs out or ran out. */
static unsigned char *writer_append(struct cs_writer *writer, size_t n)
{
	if (writer->failed)
		return NULL;
	if (n > writer->room - writer->size || !writer->bytes) {
		size_t want = writer->room + writer->room / 2 + 256;
		if (n > SIZE_MAX - writer->size) {
			writer->failed = true;
			return NULL;
		}
		want = want < writer->size + n ? writer->size + n : want;
		unsigned char *grown = cs_large_realloc(writer->bytes, want);
		if (!grown) {
			writer->failed = true;
			return NULL;
		}
		writer->bytes = grown;
		writer->room = want;
	}
	unsigned char *at = writer->bytes + writer->size;
	writer->size += n;
	return at;
}

unsigned char *cs_writer_extend(struct cs_writer *writer, size_t n)
{
	unsigned char *at = writer_append(writer, n);
	if (at)
		memset(at, 0, n);
	return at;
}

void cs_writer_bytes(struct cs_writer *writer, const void *bytes, size_t n)
{
	unsigned char *at = writer_append(writer, n);
	if (at && n)
		memcpy(at, bytes, n);
}

void cs_writer_u8(struct cs_writer *writer, uint8_t value)
{
	cs_writer_bytes(writer, &value, 1);
}

void cs_writer_u32(struct cs_writer *writer, uint32_t value)
{
	unsigned char *at = cs_writer_extend(writer, 4);
	if (at)
		cs_store32(at, value);
}

void cs_writer_u64(struct cs_writer *writer, uint64_t value)
{
	unsigned char *at = cs_writer_extend(writer, 8);
	if (at)
		cs_store64(at, value);
}

void cs_writer_f32(struct cs_writer *writer, float value)
{
	cs_writer_u32(writer, cs_bits_of_float(value));
}

void cs_writer_f64(struct cs_writer *writer, double value)
{
	cs_writer_u64(writer, cs_bits_of_double(value));
}

void cs_writer_print(struct cs_writer *writer, const char *format, ...)
{
	char text[512];
	va_list args, again;
	va_start(args, format);
	va_copy(again, args);
	const int n = vsnprintf(text, sizeof(text), format, args);
	char *at = n < 0 ? NULL : (char *)writer_append(writer, (size_t)n + 1);
	if (at && (size_t)n < sizeof(text))
		memcpy(at, text, (size_t)n);
	else if (at)
		vsnprintf(at, (size_t)n + 1, format, again);
	writer->size -= at != NULL;
	writer->failed = writer->failed || !at;
	va_end(again);
	va_end(args);
}

void cs_writer_deinit(struct cs_writer *writer)
{
	free(writer->bytes);
	*writer = (struct cs_writer){0};
}

void cs_writer_base64(struct cs_writer *writer, const unsigned char *bytes, size_t size)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	for (size_t i = 0; i < size; i += 3) {
		const size_t n = size - i < 3 ? size - i : 3;
		uint32_t bits = 0;
		for (size_t k = 0; k < 3; k++)
			bits = bits << 8 | (k < n ? bytes[i + k] : 0u);
		for (size_t k = 0; k < 4; k++)
			cs_writer_u8(
				writer, k > n ? '=' : (uint8_t)digits[bits >> (18 - 6 * k) & 63]);
	}
}
