/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One group while it is reduced to its parents. Only cluster/merge.c, cluster/reduce.c and
 * cluster/finer.c include it.
 */
#pragma once

#include "cluster/build.h"
#include "cluster/patch.h"

struct cs_reducer {
	struct cs_builder *builder;
	const struct cs_grouping *grouping;
	const uint32_t *children; /* the clusters of the group, numbered within the level */
	uint32_t n_children;
	struct cs_scratch *scratch;
	struct cs_patch patch;
	float *errors; /* error of each triangle of the patch */
	/* 3 places for each triangle, of the patch, later of its simplified form */
	uint32_t *places;
	/* for each edge of the simplified form, the edge that it is paired with */
	uint32_t *opposite;
	uint32_t *heads, *next; /* working memory for pairing edges */
	struct cs_finer *finer; /* set while errors are bounded */
	/* Working memory while the clusters are merged. */
	/*
	 * hash table of positions with the first wedge of each place; for each wedge the next wedge
	 * of its place
	 */
	uint32_t *slots, *chain;
	size_t mask;
	uint32_t *wedge_of; /* wedge of each vertex, cluster after cluster */
};

static inline const struct cs_cluster *cs_reducer_child(
	const struct cs_reducer *reducer, uint32_t i)
{
	return &reducer->builder->dag
			.clusters[reducer->builder->level_first + reducer->children[i]];
}

/* Makes the patch of the group, with its errors. */
struct cs_error *cs_reducer_merge(struct cs_reducer *reducer) CS_MUST_USE;
/* Pairs the edges of n triangles whose places are in r->places. */
struct cs_error *cs_reducer_pair(
	struct cs_reducer *reducer, uint32_t n_triangles, uint32_t *opposite_ret) CS_MUST_USE;
