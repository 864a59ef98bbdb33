/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The dense form of a page, which a resource with the flag dense_pages may store in place of the
 * page. The size of the stored bytes, after decompressing LZ4, shows which form they are: the plain
 * form has the size of the page, and the dense form is smaller. Pages with vertices whose bytes are
 * equal are stored in the plain form, because LZ4 makes the plain form of such a page smaller.
 *
 * The dense form has the sections of the page (nanite/format/format.h) in the same order, with two
 * changes:
 *
 * Sections of structs (cluster headers, each of the 8 planes of packed clusters, UV ranges, strip
 * masks, reference masks) are stored as planes of bytes, because LZ4 finds few repetitions in the
 * structs themselves. The first bytes of the first word of all clusters are stored first, then the
 * second bytes of these words, and so on to the fourth bytes of the last word. Words that are
 * offsets, which grow from cluster to cluster, are stored as differences from the word of the
 * cluster before.
 *
 * Positions and attributes of coded vertices follow each other bit after bit, cluster after
 * cluster. Only the last byte of the positions and the last byte of the attributes are padded with
 * zeros. LZ4 finds no repetitions in vertices, so each bit of padding would be stored: a vertex
 * without UVs has 18 bits of attributes, for which the plain page uses 24.
 *
 * The page header, the material table, strip codes and references are as in the page.
 */
#pragma once

#include "nanite/format/format.h"

/* A section that consists of one struct for each cluster. */
struct cs_dense_section {
	uint32_t begin;   /* offset of the first struct in the page, in bytes */
	uint32_t n_words; /* number of words of each struct */
	/* bit w is set when word w is stored as a difference from word w of the previous cluster */
	uint32_t differences;
};

enum {
	CS_PACKED_PLANES = CS_PACKED_CLUSTER / CS_PACKED_PLANE,
	CS_DENSE_SECTIONS = CS_PACKED_PLANES + 4,
};

/*
 * Lists the sections of a page that have one struct for each cluster. `decode_info` and `masks` are
 * the offsets of the UV ranges and of the strip masks in the page.
 */
static inline void cs_dense_sections(uint32_t n, uint32_t n_uvs, uint32_t decode_info,
	uint32_t masks, struct cs_dense_section ret[CS_DENSE_SECTIONS])
{
	/* for each plane, a bit mask of those of its words that contain offsets in the GPU page */
	static const uint8_t offsets[CS_PACKED_PLANES] = {[0] = 1 << 3, [1] = 1 << 3, [6] = 3};
	const uint32_t planes = CS_PAGE_HEADER + CS_CLUSTER_HEADER * n;
	for (uint32_t k = 0; k < CS_PACKED_PLANES; k++)
		ret[k] = (struct cs_dense_section){
			planes + CS_PACKED_PLANE * n * k, CS_PACKED_PLANE / 4, offsets[k]};
	struct cs_dense_section *rest = ret + CS_PACKED_PLANES;
	rest[0] = (struct cs_dense_section){CS_PAGE_HEADER, CS_CLUSTER_HEADER / 4,
		1 << CS_CLUSTER_INDEX_DATA | 1 << CS_CLUSTER_REFERENCES |
			1 << CS_CLUSTER_POSITIONS | 1 << CS_CLUSTER_ATTRIBUTES};
	rest[1] = (struct cs_dense_section){decode_info, CS_UV_RANGE / 4 * n_uvs, 0};
	rest[2] = (struct cs_dense_section){masks, CS_STRIP_MASKS / 4, 0};
	rest[3] = (struct cs_dense_section){masks + CS_STRIP_MASKS * n, CS_REFERENCE_MASK / 4, 0};
}
