/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the triangle on the other side of an edge. Edges are matched by position, never by vertex
 * number, because a seam in the attributes is no border of the surface.
 */
#pragma once

#include <cellscope/core.h>

/*
 * Returns the edge after `edge` in its triangle. Edge e runs from corner e to corner
 * cs_next_edge(e). There is no branch, because which edge of its triangle it is cannot be
 * predicted.
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
 * Matches edges. `corners` contains 3 places for each triangle, all below n_places. opposite_ret[e]
 * is the first edge in the opposite direction, or CS_NONE. Where more than two triangles meet, an
 * edge may name one that doesn't name it; cs_edge_partner resolves that. The memory is 12 bytes for
 * each triangle and 4 for each place, without the result and the sorting of long lists.
 */
struct cs_error *cs_match_edges(const uint32_t *corners, uint32_t n_triangles, uint32_t n_places,
	int threads, uint32_t *opposite_ret) CS_MUST_USE;

/*
 * Matches the edges of small patches: every edge is joined to at most one other, which is joined to
 * it. `heads` (n_places) and `next` (3 for each triangle) are working memory. Returns false, with
 * nothing done, when so many edges meet in one place that cs_match_edges is the better choice.
 */
bool cs_pair_edges(const uint32_t *corners, uint32_t n_triangles, uint32_t n_places,
	uint32_t *heads, uint32_t *next, uint32_t *opposite_ret);

/* Returns the edge that `edge` is joined to: each is the first that fits the other. */
static inline uint32_t cs_edge_partner(const uint32_t *opposite, uint32_t edge)
{
	uint32_t other = opposite[edge];
	return other != CS_NONE && opposite[other] == edge ? other : CS_NONE;
}
