/* SPDX-License-Identifier: Apache-2.0 */
/* A group while it is simplified to parent clusters. Only for merge.c, reduce.c and finer.c. */
#pragma once

#include "cluster/build.h"
#include "cluster/patch.h"

struct cs_reducer {
	struct cs_builder *builder;
	const struct cs_grouping *grouping;
	const uint32_t *children; /* indices, within the level, of the clusters in the group */
	uint32_t n_children;
	struct cs_scratch *scratch;
	struct cs_patch patch;
	/* error of each triangle of the patch: a bound of its distance from the source mesh */
	float *errors;
	/* 3 indices of positions for each triangle of the patch, later of the simplified patch */
	uint32_t *places;
	/* for each edge of the simplified patch, the opposite edge (cs_pair_edges) */
	uint32_t *opposite;
	uint32_t *heads, *next; /* working memory for pairing edges */
	/* finds triangles of lower levels (finer.h). Set while errors are computed */
	struct cs_finer *finer;
	/*
	 * set while clusters are merged: a hash table of the first wedge at each position, and for
	 * each wedge the next wedge at its position
	 */
	uint32_t *slots, *chain;
	size_t mask;        /* number of slots - 1 */
	uint32_t *wedge_of; /* for each vertex, cluster by cluster, the index of its wedge */
};

static inline const struct cs_cluster *cs_reducer_child(
	const struct cs_reducer *reducer, uint32_t i)
{
	return &reducer->builder->dag
			.clusters[reducer->builder->level_first + reducer->children[i]];
}

/* Merges the clusters of the group into a patch, and stores the error of each triangle. */
struct cs_error *cs_reducer_merge(struct cs_reducer *reducer) CS_MUST_USE;
/* Finds each edge's opposite in the n_triangles triangles of reducer->places (cs_pair_edges). */
struct cs_error *cs_reducer_pair(
	struct cs_reducer *reducer, uint32_t n_triangles, uint32_t *opposite_ret) CS_MUST_USE;
