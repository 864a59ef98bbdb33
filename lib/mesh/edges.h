/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which triangle lies on the other side of an edge. Edges are matched by place, never by vertex
 * number: a seam in the attributes is no border of the surface.
 */
#pragma once

#include <cellscope/core.h>

/*
 * The edge after `edge` in its triangle; edge e runs from corner e to corner cs_next_edge(e). No
 * branch: which edge of its triangle it is, is anyone's guess.
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
 * corners: 3 places a triangle, all below n_places. opposite_ret[e] = the first edge that runs the
 * other way, CS_NONE for none. Where more than two triangles meet, edges may name one that does
 * not name them: cs_edge_partner sorts that out. Costs 16 bytes a triangle and 4 a place.
 */
struct cs_error *cs_match_edges(const uint32_t *corners, uint32_t n_triangles, uint32_t n_places,
	int threads, uint32_t *opposite_ret) CS_MUST_USE;

/*
 * The same for small patches: every edge is joined to at most one other, which is joined to it.
 * `heads` (n_places) and `next` (3 a triangle) are working storage. False, with nothing done, when
 * so many edges meet in one place that cs_match_edges is the better choice.
 */
bool cs_pair_edges(const uint32_t *corners, uint32_t n_triangles, uint32_t n_places,
	uint32_t *heads, uint32_t *next, uint32_t *opposite_ret);

/* The edge that `edge` is joined to: each is the first that fits the other. */
static inline uint32_t cs_edge_partner(const uint32_t *opposite, uint32_t edge)
{
	uint32_t other = opposite[edge];
	return other != CS_NONE && opposite[other] == edge ? other : CS_NONE;
}
