/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The dense form of a page, in which pages may be stored where the resource has the flag
 * dense_pages: a page is as it is if what is stored, after LZ4, has the size of the page, else it
 * is dense, which takes fewer bytes. Only pages whose bytes repeat each other are stored as they
 * are.
 *
 * It has the sections of the page (nanite/format/format.h) in the same order, with two changes:
 *
 * Structs lie in planes of bytes, for LZ4 finds little in them as they are: of a section of structs
 * (cluster headers, each of the 8 planes of packed clusters, UV ranges, strip masks, reference
 * masks) the first bytes of the first words of all clusters come first, then their second bytes,
 * and so on to the fourth bytes of the last words. Words with offsets, which grow from cluster to
 * cluster, are stored as differences from the word of the cluster before.
 *
 * Positions and attributes of coded vertices follow each other bit after bit, cluster after
 * cluster, without a byte of padding but at the end of each of the two sections. LZ4 finds nothing
 * in them, so that each bit of padding counts: a vertex without UVs has 18 bits of attributes
 * in 24.
 *
 * The page header, the material table, strip codes and references are as in the page.
 */
#pragma once

#include "nanite/format/format.h"

/* A section of structs, one for each cluster. */
struct cs_dense_section {
	uint32_t begin;       /* in the page, in bytes */
	uint32_t n_words;     /* of each struct */
	uint32_t differences; /* bit w: word w is stored as a difference */
};

enum {
	CS_PACKED_PLANES = CS_PACKED_CLUSTER / CS_PACKED_PLANE,
	CS_DENSE_SECTIONS = CS_PACKED_PLANES + 4,
};

/*
 * Lists the sections of structs of a page with `n` clusters, whose UV ranges and strip masks begin
 * at `decode_info` and `masks`.
 */
static inline void cs_dense_sections(uint32_t n, uint32_t n_uvs, uint32_t decode_info,
	uint32_t masks, struct cs_dense_section ret[CS_DENSE_SECTIONS])
{
	/* the words of packed clusters that have an offset in the GPU form of the page */
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
