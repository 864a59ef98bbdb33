/* SPDX-License-Identifier: Apache-2.0 */
/* Converts a page to the dense form (nanite/format/dense.h). */
#include "nanite/encode/page.h"

#include "nanite/format/bits.h"
#include "nanite/format/dense.h"

#include "core/cursor.h"

/* Writes word w of the structs of `n` clusters as four planes of bytes. */
static void write_word(const struct cs_dense_section *section, uint32_t n, uint32_t w,
	const unsigned char *page, unsigned char *to)
{
	const unsigned char *word = page + section->begin + (size_t)4 * w;
	unsigned char *plane = to + section->begin + (size_t)4 * n * w;
	const uint32_t kept = section->differences >> w & 1 ? UINT32_MAX : 0;
	uint32_t before = 0;
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t value = cs_load32(word + (size_t)4 * section->n_words * i);
		const uint32_t stored = value - (before & kept);
		for (unsigned k = 0; k < 4; k++)
			plane[(size_t)k * n + i] = (unsigned char)(stored >> 8 * k);
		before = value;
	}
}

/* Appends `width` bits of each of `n` vertices, which are padded to bytes in the page. */
static void put_dense_vertices(
	struct cs_bit_writer *bits, const unsigned char *from, uint32_t n, uint32_t width)
{
	const uint32_t stride = (width + 7) / 8;
	for (uint32_t v = 0; v < n; v++)
		for (uint32_t done = 0; done < width; done += 32) {
			const uint32_t left = width - done;
			cs_bits_put(bits,
				cs_load32(from + (size_t)stride * v + done / 8) &
					cs_bits_mask(left),
				left < 32 ? left : 32);
		}
}

/* Writes the positions or the attributes of all clusters. Returns the number of bytes written. */
static uint32_t put_dense_clusters(const struct cs_encoder *encoder, uint32_t index,
	const struct cs_references *references, bool attributes, const unsigned char *from,
	unsigned char *to)
{
	const struct cs_coded_page *page = &encoder->pages[index];
	struct cs_bit_writer bits = {.bytes = to};
	for (uint32_t p = 0; p < page->n_parts; p++) {
		const struct cs_part *part = &encoder->parts[page->first_part + p];
		for (uint32_t i = 0; i < part->n_children; i++) {
			const uint32_t n = references->n_coded[part->page_offset + i];
			const uint32_t width =
				cs_vertex_bits(cs_part_cluster(encoder, part, i), attributes);
			put_dense_vertices(&bits, from, n, width);
			from += cs_coded_bytes(n, width);
		}
	}
	cs_bits_flush(&bits);
	return (uint32_t)bits.size;
}

uint32_t cs_page_write_dense(const struct cs_encoder *encoder, uint32_t index,
	const struct cs_page_layout *layout, const struct cs_references *references,
	const unsigned char *page, unsigned char *to)
{
	const uint32_t n = encoder->pages[index].n_clusters;
	struct cs_dense_section sections[CS_DENSE_SECTIONS];
	cs_dense_sections(n, encoder->dag->n_uvs, layout->decode_info, layout->masks, sections);
	memcpy(to, page, layout->positions);
	for (unsigned s = 0; s < CS_DENSE_SECTIONS; s++)
		for (uint32_t w = 0; w < sections[s].n_words; w++)
			write_word(&sections[s], n, w, page, to);
	uint32_t end = layout->positions;
	end += put_dense_clusters(
		encoder, index, references, false, page + layout->positions, to + end);
	end += put_dense_clusters(
		encoder, index, references, true, page + layout->attributes, to + end);
	return end;
}
