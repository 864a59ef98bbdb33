/* SPDX-License-Identifier: Apache-2.0 */
/* Generalised strips of one cluster: the order of its triangles and their code. */
#pragma once

#include "cluster/dag_internal.h"
#include "nanite/format/format.h"

enum {
	/*
	 * corners of all triangles, which is also the largest number of vertices that a strip can
	 * issue
	 */
	CS_STRIP_CORNERS = CS_CLUSTER_TRIANGLES * 3,
	CS_STRIP_WORDS = CS_CLUSTER_TRIANGLES / CS_STRIP_GROUP,
	CS_STRIP_CODE_BYTES = CS_STRIP_CORNERS * CS_STRIP_CODE_BITS / 8,
};

/* Triangles in the order of their material ranges. Corners are vertices 0..n_vertices-1. */
struct cs_strip_input {
	/* corners of each triangle, three different vertices */
	uint16_t corners[CS_CLUSTER_TRIANGLES][3];
	unsigned n_triangles, n_vertices;
	uint8_t range_ends[CS_CLUSTER_TRIANGLES];
	unsigned n_ranges;
};

struct cs_strip {
	uint8_t order[CS_CLUSTER_TRIANGLES]; /* numbers of the input triangles */
	/* issued vertices, as the decoder returns them */
	uint16_t corners[CS_CLUSTER_TRIANGLES][3];
	/* for each issued vertex, the input vertex; and one more */
	uint16_t vertices[CS_STRIP_CORNERS + 1];
	unsigned n_vertices;
	uint32_t masks[CS_STRIP_WORDS][CS_STRIP_MASK_KINDS];
	unsigned char codes[CS_STRIP_CODE_BYTES];
	unsigned n_code_bytes;
	uint32_t previous_references, previous_new;
	unsigned n_starts, n_references, n_duplicates;
};

/*
 * Orders the triangles within each range. Its own output as input (with triangles rotated in any
 * way, and duplicates merged) gives the same result.
 */
void cs_strip_build(const struct cs_strip_input *input, struct cs_strip *ret);
