/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far a simplified patch is from what it was made of: a bound, not a sample, in both
 * directions. See deviation.c for why it holds.
 */
#ifndef MESH_DEVIATION_H
#define MESH_DEVIATION_H

#include "mesh/simplify.h"

struct cs_deviation {
	const struct cs_patch *patch;
	const float *patch_errors; /* by triangle of the patch: distance from an older surface */
	const struct cs_simplified *simplified;
	const uint32_t *corners;  /* of the simplified: 3 places a triangle */
	const uint32_t *opposite; /* its edges, as cs_pair_edges gives them */
};

/*
 * errors_ret[i] bounds, for triangle i of the simplified patch, how far any of its points is from
 * the older surface, and any point of the older surface that it stands for from it. False without
 * memory.
 */
bool cs_deviation_bound(
	const struct cs_deviation *deviation, struct cs_scratch *scratch, float *errors_ret);

#endif
