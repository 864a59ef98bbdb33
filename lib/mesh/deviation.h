/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far a simplified patch is from what it was made of: a bound, not a sample, in both
 * directions. See deviation.c for why it holds.
 */
#pragma once

#include "mesh/simplify.h"

struct cs_loose;

/* A query for triangles of the finer levels that the patch was made of. */
struct cs_finer_query {
	/*
	 * A triangle of the patch: the answer holds all finer triangles that it stands for. With
	 * CS_NONE the answer holds all that are within reach.
	 */
	uint32_t triangle;
	double corners[3][3]; /* the triangle around which is searched */
	double reach;         /* how far around it, in units of the mesh */
	double wanted;        /* the errors of the answer should be at most this */
};

/* False when there are no such triangles, or more than fit in the list. */
typedef bool (*cs_find_finer)(
	const void *context, const struct cs_finer_query *query, struct cs_loose *ret);

struct cs_deviation {
	const struct cs_patch *patch;
	const float *patch_errors; /* by triangle of the patch: distance from the oldest surface */
	const struct cs_simplified *simplified;
	const uint32_t *corners;  /* of the simplified patch: 3 places a triangle */
	const uint32_t *opposite; /* its edges, as cs_pair_edges gives them */
	float floor;              /* no effort goes into a bound that is not above this */
	cs_find_finer find_finer; /* NULL: the patch itself is the oldest surface */
	const void *context;
	uint32_t effort; /* most finer triangles that are compared */
};

/*
 * errors_ret[i] bounds, for triangle i of the simplified patch, how far any of its points is from
 * the older surface, and any point of the older surface that it stands for from it. False without
 * memory.
 */
bool cs_deviation_bound(
	const struct cs_deviation *deviation, struct cs_scratch *scratch, float *errors_ret);
