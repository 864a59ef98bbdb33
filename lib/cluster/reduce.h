/* SPDX-License-Identifier: Apache-2.0 */
/* One group on its way to its parents; for cluster/merge.c and cluster/reduce.c. */
#pragma once

#include "cluster/build.h"
#include "cluster/patch.h"

struct cs_reducer {
	struct cs_builder *builder;
	const struct cs_grouping *grouping;
	const uint32_t *children; /* within the level */
	uint32_t n_children;
	struct cs_scratch *scratch;
	struct cs_patch patch;
	float *errors;          /* by triangle of the patch */
	uint32_t *places;       /* 3 a triangle: of the patch, then of what became of it */
	uint32_t *opposite;     /* edges of what became of it */
	uint32_t *heads, *next; /* to pair edges with */
	struct cs_finer *finer; /* while errors are bounded */
	/* while the clusters are merged */
	uint32_t *slots, *chain; /* first wedge of a place by hash; next wedge there */
	size_t mask;
	uint32_t *wedge_of; /* of a vertex, clusters behind each other */
};

static inline const struct cs_cluster *cs_reducer_child(const struct cs_reducer *r, uint32_t i)
{
	return &r->builder->dag.clusters[r->builder->level_first + r->children[i]];
}

/* Makes the patch of the group, with its errors. */
struct cs_error *cs_reducer_merge(struct cs_reducer *r) CS_MUST_USE;
/* Edges of n triangles with the places r->places. */
struct cs_error *cs_reducer_pair(
	struct cs_reducer *r, uint32_t n_triangles, uint32_t *opposite_ret) CS_MUST_USE;
