/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes upper bounds for the distance between a simplified patch and its source, in both
 * directions. The bounds hold for every point, not only for samples; deviation.c explains why.
 */
#pragma once

#include "mesh/simplify.h"

struct cs_loose;

/* A query for triangles of the finer levels that the patch was simplified from. */
struct cs_finer_query {
	/*
	 * a triangle of the patch, if the answer shall contain all finer triangles that it
	 * represents, or CS_NONE for all finer triangles within reach
	 */
	uint32_t triangle;
	double corners[3][3]; /* corners of the triangle around which to search */
	double reach;         /* search distance from that triangle, in units of the mesh */
	/* largest error that a returned triangle may have, in units of the mesh */
	double wanted;
};

/* Finds triangles of finer levels. Returns false if there are none, or too many for `ret`. */
typedef bool (*cs_find_finer)(
	const void *context, const struct cs_finer_query *query, struct cs_loose *ret);

struct cs_deviation {
	const struct cs_patch *patch;
	/* for each triangle of the patch, its distance from the source surface */
	const float *patch_errors;
	const struct cs_simplified *simplified;
	/* 3 indices of positions for each triangle of the simplified patch */
	const uint32_t *corners;
	/* opposite edge of each edge of the simplified patch (cs_pair_edges) */
	const uint32_t *opposite;
	float floor; /* in units of the mesh. Bounds of at most this are not made tighter */
	/* finds triangles of finer levels, or NULL when the patch consists of leaf clusters */
	cs_find_finer find_finer;
	const void *context;
	/* largest number of pieces of finer triangles that are compared for this patch */
	uint32_t effort;
};

/*
 * Sets errors_ret[i], for triangle i of the simplified patch, to an upper bound, in units of the
 * mesh, of two distances: from points of the triangle to the source surface, and from points of the
 * source surface that the triangle represents to the triangle. Returns false when memory runs out.
 */
bool cs_deviation_bound(
	const struct cs_deviation *deviation, struct cs_scratch *scratch, float *errors_ret);
