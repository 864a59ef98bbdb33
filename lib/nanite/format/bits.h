/* SPDX-License-Identifier: Apache-2.0 */
/* Writes and reads bit strings. Bit 0 is the lowest bit of the first byte. */
#pragma once

#include "core/cursor.h"

#include <stddef.h>
#include <stdint.h>

/* Appends bits to memory that the caller owns, which must be large enough. */
struct cs_bit_writer {
	unsigned char *bytes;
	size_t size;      /* number of bytes written */
	uint64_t pending; /* n_pending bits that are not written yet, fewer than 32 */
	unsigned n_pending;
};

/* Appends the lowest `width` bits (0 to 32) of the value, whose other bits must be 0. */
static inline void cs_bits_put(struct cs_bit_writer *writer, uint32_t value, unsigned width)
{
	writer->pending |= (uint64_t)value << writer->n_pending;
	writer->n_pending += width;
	if (writer->n_pending >= 32) {
		cs_store32(writer->bytes + writer->size, (uint32_t)writer->pending);
		writer->size += 4;
		writer->pending >>= 32;
		writer->n_pending -= 32;
	}
}

/* Writes the pending bits, and fills the last byte with zeros. */
static inline void cs_bits_flush(struct cs_bit_writer *writer)
{
	for (unsigned done = 0; done < writer->n_pending; done += 8)
		writer->bytes[writer->size++] = (unsigned char)(writer->pending >> done);
	writer->pending = 0;
	writer->n_pending = 0;
}

/* Returns the `width` bits (0 to 32) from bit `at` on. Bits beyond the `size` bytes are 0. */
static inline uint32_t cs_bits_at(
	const unsigned char *bytes, size_t size, uint64_t at, unsigned width)
{
	uint64_t value = 0;
	size_t first = (size_t)(at / 8);
	unsigned shift = (unsigned)(at % 8);
	if (first < size && size - first >= sizeof(value))
		return (uint32_t)(cs_load64(bytes + first) >> shift & (((uint64_t)1 << width) - 1));
	for (unsigned i = 0; i * 8 < shift + width && i < size && first < size - i; i++)
		value |= (uint64_t)bytes[first + i] << i * 8;
	return (uint32_t)(value >> shift & (((uint64_t)1 << width) - 1));
}
