/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the triangle on the opposite side of each edge. Edges are matched by position, never by
 * vertex index, because a seam in the attributes is no border of the surface.
 */
#pragma once

#include <cellscope/core.h>

/*
 * Returns the edge after `edge` in the same triangle. Edge e starts at corner e and ends at corner
 * cs_next_edge(e). There is no branch, because a processor would mispredict it.
 */
static inline uint32_t cs_next_edge(uint32_t edge)
{
	return edge + 1 - 3 * (uint32_t)(edge % 3 == 2);
}

static inline uint32_t cs_previous_edge(uint32_t edge)
{
	return edge - 1 + 3 * (uint32_t)(edge % 3 == 0);
}

/*
 * Matches edges. `corners` contains 3 indices of positions for each triangle, all below n_places.
 * opposite_ret[e] is the first edge that runs in the opposite direction of edge e, or CS_NONE.
 * Where more than two triangles meet at an edge, opposite_ret need not be symmetric;
 * cs_edge_partner resolves that. Needs 12 bytes for each triangle and 4 for each position, besides
 * the result and the sorting of long lists.
 */
struct cs_error *cs_match_edges(const uint32_t *corners, uint32_t n_triangles, uint32_t n_places,
	int threads, uint32_t *opposite_ret) CS_MUST_USE;

/*
 * Matches the edges of small patches: every edge is joined to at most one edge, and the relation is
 * symmetric. `heads` (n_places entries) and `next` (3 for each triangle) are working memory.
 * Returns false, with opposite_ret undefined, when so many edges meet at one position that
 * cs_match_edges is faster.
 */
bool cs_pair_edges(const uint32_t *corners, uint32_t n_triangles, uint32_t n_places,
	uint32_t *heads, uint32_t *next, uint32_t *opposite_ret);

/* Returns the opposite edge of `edge`, or CS_NONE if there is none or it has another opposite. */
static inline uint32_t cs_edge_partner(const uint32_t *opposite, uint32_t edge)
{
	uint32_t other = opposite[edge];
	return other != CS_NONE && opposite[other] == edge ? other : CS_NONE;
}
