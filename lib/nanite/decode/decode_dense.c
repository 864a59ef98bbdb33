/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Converts a page from its dense form (nanite/format/dense.h). The numbers of vertices and the bits
 * of each vertex determine where vertices begin. Before any vertex is read, the sizes of all
 * vertices are added up and compared with the sizes of the page and of the dense form. Rules that
 * decode_page.c checks later, when it computes the offsets in the page, are not checked here.
 */
#include "nanite/decode/decode.h"

#include "core/cursor.h"
#include "nanite/format/bits.h"
#include "nanite/format/dense.h"

struct dense {
	struct cs_page_view *view;
	const unsigned char *bytes;
	uint32_t size;
};

/* Reads word w of the structs of all clusters from its four planes of bytes. */
static void read_dense_word(
	const struct dense *dense, const struct cs_dense_section *section, uint32_t w)
{
	const uint32_t n = dense->view->n_clusters;
	const unsigned char *plane = dense->bytes + section->begin + (size_t)4 * n * w;
	unsigned char *word = dense->view->bytes + section->begin + (size_t)4 * w;
	const uint32_t kept = section->differences >> w & 1 ? UINT32_MAX : 0;
	uint32_t before = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t value = before & kept;
		value += plane[i] | (uint32_t)plane[n + i] << 8 |
			 (uint32_t)plane[2 * (size_t)n + i] << 16 |
			 (uint32_t)plane[3 * (size_t)n + i] << 24;
		cs_store32(word + (size_t)4 * section->n_words * i, value);
		before = value;
	}
}

static bool read_structs(const struct dense *dense)
{
	struct cs_page_view *view = dense->view;
	struct cs_dense_section sections[CS_DENSE_SECTIONS];
	if (view->references > dense->size)
		return cs_breach(&view->breaches, CS_RULE_P1, cs_at_page(view, CS_NO_OFFSET),
			"the decompressed page has %u bytes, but its vertex references begin at "
			"byte %u",
			dense->size, view->references);
	memcpy(view->bytes, dense->bytes, view->references);
	cs_dense_sections(view->n_clusters, view->n_uvs, view->decode_info, view->masks, sections);
	for (unsigned s = 0; s < CS_DENSE_SECTIONS; s++)
		for (uint32_t w = 0; w < sections[s].n_words; w++)
			read_dense_word(dense, &sections[s], w);
	return true;
}

/* ---- coded vertices ---- */

/* Numbers of coded vertices and of references of a cluster, and the sizes of its vertices. */
struct vertices {
	uint32_t n, n_references;
	uint32_t position_bits, attribute_bits; /* bits of one vertex */
};

static bool count_coded(struct cs_page_view *view, uint32_t i, struct vertices *ret)
{
	struct cs_packed_cluster packed;
	const uint32_t at = view->reference_masks + CS_REFERENCE_MASK * i;
	cs_page_packed(view, i, &packed);
	const uint32_t n = cs_packed_get(&packed, CS_PACKED_VERTICES);
	*ret = (struct vertices){
		.attribute_bits = cs_packed_get(&packed, CS_PACKED_ATTRIBUTE_BITS)};
	for (unsigned axis = 0; axis < 3; axis++)
		ret->position_bits += cs_packed_get(&packed, CS_PACKED_POSITION_BITS_X + axis);
	for (unsigned w = 0; w < CS_REFERENCE_MASK / 4; w++)
		ret->n_references +=
			(uint32_t)__builtin_popcount(cs_load32(view->bytes + at + 4 * w));
	if (ret->n_references > n)
		return cs_breach(&view->breaches, CS_RULE_V1, cs_at_cluster(view, i, at),
			"%u vertices of the cluster are references to other vertices, but the "
			"cluster has only %u vertices",
			ret->n_references, n);
	ret->n = n - ret->n_references;
	return true;
}

/*
 * Offsets of positions and attributes in a page and in its dense form. No offset overflows: there
 * are at most 1024 clusters of 511 vertices, each with at most 128 bytes.
 */
struct places {
	/* byte offsets in the page, where `end` is the end of the attributes */
	uint32_t positions, attributes, end;
	/* byte offsets of the positions, the attributes and their end in the dense form */
	uint32_t dense_positions, dense_attributes, dense_end;
};

static bool find_dense(const struct dense *dense, struct places *ret)
{
	struct cs_page_view *view = dense->view;
	uint32_t references = 0, positions = 0, attributes = 0, position_bits = 0,
		 attribute_bits = 0;
	for (uint32_t i = 0; i < view->n_clusters; i++) {
		struct vertices vertices;
		if (!count_coded(view, i, &vertices))
			return false;
		references += vertices.n_references;
		positions += cs_coded_bytes(vertices.n, vertices.position_bits);
		attributes += cs_coded_bytes(vertices.n, vertices.attribute_bits);
		position_bits += vertices.n * vertices.position_bits;
		attribute_bits += vertices.n * vertices.attribute_bits;
	}
	ret->positions = ret->dense_positions = view->references + 4 * references;
	ret->attributes = ret->positions + positions;
	ret->end = ret->attributes + attributes;
	ret->dense_attributes = ret->dense_positions + (position_bits + 7) / 8;
	ret->dense_end = ret->dense_attributes + (attribute_bits + 7) / 8;
	if (ret->dense_end != dense->size || ret->end != view->size)
		return cs_breach(&view->breaches, CS_RULE_P1, cs_at_page(view, CS_NO_OFFSET),
			"the clusters fill %u of the %u bytes of the decompressed page (%u of %u "
			"with padding) instead of all",
			ret->dense_end, dense->size, ret->end, view->size);
	return true;
}

/*
 * Reads `n` vertices of `width` bits each from bit `at` on, and writes them to `to`, each padded to
 * whole bytes. Vertices are written in words of 4 bytes: the last word may extend beyond the
 * vertex, into bytes that are written later or that follow the page.
 */
static void read_dense_vertices(
	const struct dense *dense, uint64_t at, uint32_t n, uint32_t width, unsigned char *to)
{
	const unsigned char *bytes = dense->bytes;
	const uint32_t stride = (width + 7) / 8, size = dense->size;
	for (uint32_t v = 0; v < n; v++, at += width, to += stride)
		for (uint32_t done = 0; done < width; done += 32) {
			const uint32_t left = width - done;
			cs_store32(to + done / 8,
				cs_bits_at(bytes, size, at + done, left < 32 ? left : 32));
		}
}

static void read_all_dense(const struct dense *dense, const struct places *places)
{
	struct cs_page_view *view = dense->view;
	uint64_t bit = (uint64_t)8 * places->dense_positions;
	uint32_t to = places->positions;
	for (unsigned attributes = 0; attributes < 2; attributes++) {
		for (uint32_t i = 0; i < view->n_clusters; i++) {
			struct vertices vertices;
			count_coded(view, i, &vertices);
			const uint32_t width =
				attributes ? vertices.attribute_bits : vertices.position_bits;
			read_dense_vertices(dense, bit, vertices.n, width, view->bytes + to);
			bit += (uint64_t)vertices.n * width;
			to += cs_coded_bytes(vertices.n, width);
		}
		const unsigned used = bit % 8;
		if (used && dense->bytes[bit / 8] >> used)
			cs_breach(&view->breaches, CS_RULE_P8, cs_at_page(view, CS_NO_OFFSET),
				"the unused bits after the last of the %s of the decompressed "
				"page are not zero",
				attributes ? "attributes" : "positions");
		bit = (bit + 7) / 8 * 8;
	}
}

bool cs_page_read_dense(struct cs_page_view *view, const unsigned char *bytes, uint32_t size)
{
	const struct dense dense = {.view = view, .bytes = bytes, .size = size};
	struct places places;
	if (size == view->size) {
		memcpy(view->bytes, bytes, size);
		return true;
	}
	memset(view->bytes, 0, view->size);
	memcpy(view->bytes, bytes, size < CS_PAGE_HEADER ? size : CS_PAGE_HEADER);
	if (!cs_page_plan_sections(view) || !read_structs(&dense) || !find_dense(&dense, &places))
		return false;
	memcpy(view->bytes + view->references, bytes + view->references,
		places.positions - view->references);
	read_all_dense(&dense, &places);
	return true;
}
