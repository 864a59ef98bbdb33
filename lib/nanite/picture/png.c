/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocates pictures, and writes them as PNG (RFC 2083): header, one IDAT chunk, end. zlib stores
 * the pixels uncompressed. The bytes of the file may differ between versions of zlib.
 */
#include "nanite/picture/cluster_colour.h"

#include "core/writer.h"

#include <stdlib.h>
#include <zlib.h>

struct cs_error *cs_picture_init(uint32_t width, uint32_t height, struct cs_picture *ret)
{
	if (width == 0 || height == 0 || width > CS_PICTURE_MOST || height > CS_PICTURE_MOST)
		return cs_error_new(CS_E_LIMIT,
			"the picture has %u x %u pixels, but each side must have 1 to %d", width,
			height, CS_PICTURE_MOST);
	uint8_t *pixels = calloc((size_t)width * height, 3);
	if (!pixels)
		return cs_error_nomem();
	*ret = (struct cs_picture){width, height, pixels};
	return NULL;
}

/* ---- writing PNG ---- */

static void put_u32(struct cs_writer *to, uint32_t value)
{
	const unsigned char bytes[] = {(unsigned char)(value >> 24), (unsigned char)(value >> 16),
		(unsigned char)(value >> 8), (unsigned char)value};
	cs_writer_bytes(to, bytes, sizeof(bytes));
}

/* Writes a chunk. Its checksum covers type and data, not the length. */
static void put_chunk(struct cs_writer *to, const char type[5], const void *data, size_t n)
{
	put_u32(to, (uint32_t)n);
	size_t first = to->size;
	cs_writer_bytes(to, type, 4);
	cs_writer_bytes(to, data, n);
	if (!to->failed)
		put_u32(to, (uint32_t)crc32_z(0, to->bytes + first, to->size - first));
}

static void put_header(struct cs_writer *to, const struct cs_picture *picture)
{
	/* bit depth 8, colour type RGB, no interlace */
	static const unsigned char form[] = {8, 2, 0, 0, 0};
	struct cs_writer data = {0};
	put_u32(&data, picture->width);
	put_u32(&data, picture->height);
	cs_writer_bytes(&data, form, sizeof(form));
	if (!data.failed)
		put_chunk(to, "IHDR", data.bytes, data.size);
	to->failed = to->failed || data.failed;
	cs_writer_deinit(&data);
}

static void put_pixels(struct cs_writer *to, const struct cs_picture *picture)
{
	struct cs_writer rows = {0};
	for (uint32_t y = 0; y < picture->height; y++) {
		cs_writer_bytes(&rows, "", 1); /* filter type of the row: none */
		cs_writer_bytes(&rows, picture->pixels + (size_t)3 * y * picture->width,
			(size_t)3 * picture->width);
	}
	uLongf n = compressBound((uLong)rows.size);
	unsigned char *packed = rows.failed ? NULL : malloc(n);
	if (packed && compress2(packed, &n, rows.bytes, (uLong)rows.size, Z_NO_COMPRESSION) == Z_OK)
		put_chunk(to, "IDAT", packed, n);
	else
		to->failed = true;
	free(packed);
	cs_writer_deinit(&rows);
}

struct cs_error *cs_picture_save(const struct cs_picture *picture, const char *path)
{
	static const unsigned char sign[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
	struct cs_writer to = {0};
	cs_writer_bytes(&to, sign, sizeof(sign));
	put_header(&to, picture);
	put_pixels(&to, picture);
	put_chunk(&to, "IEND", "", 0);
	struct cs_error *error =
		to.failed ? cs_error_nomem() : cs_save_whole(path, to.bytes, to.size);
	cs_writer_deinit(&to);
	return error;
}
