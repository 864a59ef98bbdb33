/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: pictures as such, and their form as PNG (RFC 2083): header, one IDAT of stored deflate
 * blocks (RFC 1951), end. Nothing is compressed, so the bytes depend on the pixels alone.
 */
#include <cellscope/picture.h>

#include "base/writer.h"

#include <stdlib.h>
#include <string.h>

struct cs_error *cs_picture_init(uint32_t width, uint32_t height, struct cs_picture *ret)
{
	if (width == 0 || height == 0 || width > CS_PICTURE_MOST || height > CS_PICTURE_MOST)
		return cs_error_new(CS_E_LIMIT, "a picture of %u x %u pixels; at most %d a side",
			width, height, CS_PICTURE_MOST);
	uint8_t *pixels = calloc((size_t)width * height, 3);
	if (!pixels)
		return cs_error_nomem();
	*ret = (struct cs_picture){width, height, pixels};
	return NULL;
}

void cs_picture_deinit(struct cs_picture *picture)
{
	free(picture->pixels);
	*picture = (struct cs_picture){0};
}

struct cs_error *cs_picture_halve(const struct cs_picture *from, struct cs_picture *ret)
{
	struct cs_error *error = cs_picture_init(from->width / 2, from->height / 2, ret);
	for (uint32_t y = 0; !error && y < ret->height; y++)
		for (uint32_t x = 0; x < ret->width; x++) {
			uint8_t *to = ret->pixels + 3 * ((size_t)y * ret->width + x);
			for (unsigned k = 0; k < 4; k++) {
				size_t at = (size_t)(2 * y + k / 2) * from->width + 2 * x + k % 2;
				for (unsigned c = 0; c < 3; c++)
					if (from->pixels[3 * at + c] > to[c])
						to[c] = from->pixels[3 * at + c];
			}
		}
	return error;
}

/* ---- PNG ---- */

static uint32_t crc_of(const unsigned char *bytes, size_t n)
{
	uint32_t crc = UINT32_MAX;
	for (size_t i = 0; i < n; i++) {
		crc ^= bytes[i];
		for (unsigned bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	}
	return ~crc;
}

static void put_u32(struct cs_writer *to, uint32_t value)
{
	const unsigned char bytes[] = {(unsigned char)(value >> 24), (unsigned char)(value >> 16),
		(unsigned char)(value >> 8), (unsigned char)value};
	cs_writer_bytes(to, bytes, sizeof(bytes));
}

/* Type and data are under the sum, the length is not. */
static void put_chunk(struct cs_writer *to, const char type[5], const struct cs_writer *data)
{
	put_u32(to, (uint32_t)data->size);
	size_t first = to->size;
	cs_writer_bytes(to, type, 4);
	if (data->size)
		cs_writer_bytes(to, data->bytes, data->size);
	if (!to->failed)
		put_u32(to, crc_of(to->bytes + first, to->size - first));
}

static void put_header(struct cs_writer *to, const struct cs_picture *picture)
{
	static const unsigned char form[] = {8, 2, 0, 0, 0}; /* 8 bits, RGB, no interlace */
	struct cs_writer data = {0};
	put_u32(&data, picture->width);
	put_u32(&data, picture->height);
	cs_writer_bytes(&data, form, sizeof(form));
	put_chunk(to, "IHDR", &data);
	to->failed = to->failed || data.failed;
	cs_writer_deinit(&data);
}

static uint32_t adler_of(const unsigned char *bytes, size_t n)
{
	uint32_t a = 1, b = 0;
	for (size_t i = 0; i < n; i++) {
		a = (a + bytes[i]) % 65521;
		b = (b + a) % 65521;
	}
	return b << 16 | a;
}

/* The raw rows, each behind its filter byte, in stored blocks of at most 65535 bytes. */
static void put_stored(struct cs_writer *data, const struct cs_writer *rows)
{
	enum { BLOCK = 65535 };
	static const unsigned char zlib[] = {0x78, 0x01};
	cs_writer_bytes(data, zlib, sizeof(zlib));
	for (size_t at = 0; at < rows->size; at += BLOCK) {
		size_t left = rows->size - at, n = left < BLOCK ? left : BLOCK;
		const unsigned char head[] = {left <= BLOCK, (unsigned char)n,
			(unsigned char)(n >> 8), (unsigned char)~n, (unsigned char)(~n >> 8)};
		cs_writer_bytes(data, head, sizeof(head));
		cs_writer_bytes(data, rows->bytes + at, n);
	}
	put_u32(data, adler_of(rows->bytes, rows->size));
}

static void put_pixels(struct cs_writer *to, const struct cs_picture *picture)
{
	struct cs_writer rows = {0}, data = {0};
	for (uint32_t y = 0; y < picture->height; y++) {
		cs_writer_bytes(&rows, "", 1); /* no filter */
		cs_writer_bytes(&rows, picture->pixels + (size_t)3 * y * picture->width,
			(size_t)3 * picture->width);
	}
	if (!rows.failed)
		put_stored(&data, &rows);
	put_chunk(to, "IDAT", &data);
	to->failed = to->failed || rows.failed || data.failed;
	cs_writer_deinit(&rows);
	cs_writer_deinit(&data);
}

struct cs_error *cs_picture_save(const struct cs_picture *picture, const char *path)
{
	static const unsigned char sign[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
	const struct cs_writer nothing = {0};
	struct cs_writer to = {0};
	cs_writer_bytes(&to, sign, sizeof(sign));
	put_header(&to, picture);
	put_pixels(&to, picture);
	put_chunk(&to, "IEND", &nothing);
	struct cs_error *error =
		to.failed ? cs_error_nomem() : cs_save_whole(path, to.bytes, to.size);
	cs_writer_deinit(&to);
	return error;
}
