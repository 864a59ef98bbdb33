/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds finer forms of a group: the triangles of lower levels that the clusters of its patch were
 * simplified from.
 */
#pragma once

#include "cluster/dag_internal.h"
#include "mesh/deviation.h"

enum { CS_FINER_ROWS = 512, CS_FINER_SLOTS = 2 * CS_FINER_ROWS };

/* The spheres of a cluster's triangles, relative to the first position of the patch. */
struct cs_finer_row {
	uint32_t cluster;
	float middle[3][CS_CLUSTER_TRIANGLES];
	/* the radius of the sphere plus the error of the triangle, in units of the mesh */
	float reach[CS_CLUSTER_TRIANGLES];
	bool done[CS_CLUSTER_TRIANGLES]; /* whether the triangle need not be returned again */
};

struct cs_finer {
	uint32_t n, slots[CS_FINER_SLOTS];
	struct cs_finer_row rows[CS_FINER_ROWS];
};

/* Allocates the caches for the queries of one group. Returns NULL without memory. */
struct cs_finer *cs_finer_new(struct cs_scratch *scratch);
/* Implements cs_find_finer. The context is the struct cs_reducer of the group. */
bool cs_reducer_finer(
	const void *context, const struct cs_finer_query *query, struct cs_loose *ret);
