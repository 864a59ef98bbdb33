/* SPDX-License-Identifier: Apache-2.0 */
/* Orders triangles into strips, and encodes their corners as new vertices and references. */
#pragma once

#include "cluster/dag_internal.h"
#include "nanite/format/format.h"

enum {
	/* corners of all triangles, which is the number of vertices of a strip that reuses none */
	CS_STRIP_CORNERS = CS_CLUSTER_TRIANGLES * 3,
	CS_STRIP_WORDS = CS_CLUSTER_TRIANGLES / CS_STRIP_GROUP,
	CS_STRIP_CODE_BYTES = CS_STRIP_CORNERS * CS_STRIP_CODE_BITS / 8,
};

/* Triangles of a cluster, sorted by material range. Corners are vertex indices below n_vertices. */
struct cs_strip_input {
	/* three different vertices for each triangle */
	uint16_t corners[CS_CLUSTER_TRIANGLES][3];
	unsigned n_triangles, n_vertices;
	uint8_t range_ends[CS_CLUSTER_TRIANGLES];
	unsigned n_ranges;
};

struct cs_strip {
	/* for each triangle of the strip, its index in the input */
	uint8_t order[CS_CLUSTER_TRIANGLES];
	/* corners of the strip's triangles, as indices in `vertices` */
	uint16_t corners[CS_CLUSTER_TRIANGLES][3];
	/* for each index in `corners`, the input vertex. One more entry is written but unused */
	uint16_t vertices[CS_STRIP_CORNERS + 1];
	unsigned n_vertices;
	uint32_t masks[CS_STRIP_WORDS][CS_STRIP_MASK_KINDS];
	unsigned char codes[CS_STRIP_CODE_BYTES];
	unsigned n_code_bytes;
	uint32_t previous_references, previous_new;
	unsigned n_starts, n_references, n_duplicates;
};

/*
 * Makes the strip. The order of triangles changes only within each material range. The result is
 * stable: building a strip from a strip returns the same strip, even if the corners of triangles
 * were rotated and duplicate vertices were merged.
 */
void cs_strip_build(const struct cs_strip_input *input, struct cs_strip *ret);
