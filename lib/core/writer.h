/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A growing buffer of little-endian bytes. After a failed allocation `failed` stays set and further
 * writes do nothing, so that a record can be written as a whole and checked once.
 */
#pragma once

#include <cellscope/core.h>

struct cs_writer {
	unsigned char *bytes;
	size_t size, room;
	bool failed;
};

/*
 * Appends n zero bytes. Returns their address, which is valid until the next write, or NULL when
 * memory runs out (sets `failed`).
 */
unsigned char *cs_writer_extend(struct cs_writer *writer, size_t n);
void cs_writer_bytes(struct cs_writer *writer, const void *bytes, size_t n);
static inline void cs_writer_text(struct cs_writer *writer, const char *text)
{
	cs_writer_bytes(writer, text, strlen(text));
}

void cs_writer_u8(struct cs_writer *writer, uint8_t value);
void cs_writer_u32(struct cs_writer *writer, uint32_t value);
void cs_writer_u64(struct cs_writer *writer, uint64_t value);
void cs_writer_f32(struct cs_writer *writer, float value);
void cs_writer_f64(struct cs_writer *writer, double value);
/* Appends formatted text, without its NUL. */
void cs_writer_print(struct cs_writer *writer, const char *format, ...) CS_PRINTF(2, 3);
/* Appends bytes in base64 with padding, the form of base64 in data URIs. */
void cs_writer_base64(struct cs_writer *writer, const unsigned char *bytes, size_t size);
void cs_writer_deinit(struct cs_writer *writer);
