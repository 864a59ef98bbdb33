/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the triangles of lower levels that the clusters of a group were simplified from. */
#pragma once

#include "cluster/dag_internal.h"
#include "mesh/deviation.h"

enum { CS_FINER_ROWS = 512, CS_FINER_SLOTS = 2 * CS_FINER_ROWS };

/* Spheres around the triangles of a cluster, relative to the first position of reducer->patch. */
struct cs_finer_row {
	uint32_t cluster;
	float middle[3][CS_CLUSTER_TRIANGLES];
	/* for each triangle, the radius of its sphere plus its error, in units of the mesh */
	float reach[CS_CLUSTER_TRIANGLES];
	/* for each triangle, whether it was compared as a whole, so that searches skip it */
	bool done[CS_CLUSTER_TRIANGLES];
};

struct cs_finer {
	uint32_t n, slots[CS_FINER_SLOTS];
	struct cs_finer_row rows[CS_FINER_ROWS];
};

/* Allocates caches for finding finer triangles of one group. Returns NULL when memory runs out. */
struct cs_finer *cs_finer_new(struct cs_scratch *scratch);
/* Implements cs_find_finer. The context is the struct cs_reducer of the group. */
bool cs_reducer_finer(
	const void *context, const struct cs_finer_query *query, struct cs_loose *ret);
