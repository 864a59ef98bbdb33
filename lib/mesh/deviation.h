/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes how far a simplified patch is from its source: a bound, not a sample, in both
 * directions. deviation.c explains why it holds.
 */
#pragma once

#include "mesh/simplify.h"

struct cs_loose;

/* A query for triangles of the finer levels that the patch was made of. */
struct cs_finer_query {
	/*
	 * A triangle of the patch: the answer contains all finer triangles that it represents. With
	 * CS_NONE the answer contains all that are within reach.
	 */
	uint32_t triangle;
	double corners[3][3]; /* corners of the triangle to search around */
	double reach;         /* search distance from it, in units of the mesh */
	double wanted;        /* largest wanted error of the triangles, in units of the mesh */
};

/* Returns false when there are no such triangles, or more than the list has room for. */
typedef bool (*cs_find_finer)(
	const void *context, const struct cs_finer_query *query, struct cs_loose *ret);

struct cs_deviation {
	const struct cs_patch *patch;
	/*
	 * for each triangle of the patch, its distance from the oldest surface in units of the mesh
	 */
	const float *patch_errors;
	const struct cs_simplified *simplified;
	const uint32_t *corners;  /* 3 places for each triangle of the simplified patch */
	const uint32_t *opposite; /* its edges, as cs_pair_edges returns them */
	float floor;              /* a bound of at most this is not made tighter */
	/* finds finer triangles; NULL when the patch itself is the oldest surface */
	cs_find_finer find_finer;
	const void *context;
	uint32_t effort; /* the most pieces of finer triangles that are compared for the patch */
};

/*
 * Sets errors_ret[i] to a bound, for triangle i of the simplified patch, of how far any of its
 * points is from the older surface, and of how far any point of the older surface that it
 * represents is from it, in units of the mesh. Returns false without memory.
 */
bool cs_deviation_bound(
	const struct cs_deviation *deviation, struct cs_scratch *scratch, float *errors_ret);
