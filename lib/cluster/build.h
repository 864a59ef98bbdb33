/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of the DAG builder. Phases: leaf clusters (cluster/leaves.c), whose sizes choose the
 * grid that the mesh is put on (cluster/rounding.c); then level by level the
 * clusters become a graph (cluster/level.c), the graph is cut into groups, and every group is
 * simplified and cut into its parents (cluster/reduce.c), which cluster/store.c appends to the DAG.
 */
#pragma once

#include <cellscope/dag.h>

#include "cluster/dag_internal.h"
#include "cluster/graph.h"
#include "cluster/rounding.h"
#include "core/scratch.h"
#include "core/vec.h"

/* One bit for each vertex of a cluster. */
struct cs_vertex_set {
	uint64_t bits[CS_CLUSTER_VERTICES / 64];
};

static inline void cs_vertex_set_add(struct cs_vertex_set *set, uint32_t vertex)
{
	set->bits[vertex / 64] |= UINT64_C(1) << vertex % 64;
}

static inline bool cs_vertex_set_has(const struct cs_vertex_set *set, uint32_t vertex)
{
	return set->bits[vertex / 64] >> vertex % 64 & 1;
}

struct cs_builder {
	const struct cs_mesh *source;
	const struct cs_mesh *mesh; /* the source, from the leaves on as it is on the grid */
	int32_t precision;          /* that was asked for */
	struct cs_rounded rounded;
	struct cs_dag_options options;
	const struct cs_job *job;
	int threads;
	struct cs_dag dag;
	float *exact; /* 3 by vertex of the DAG: where it would be without a grid, for prices */
	size_t room_vertices, room_triangles, room_clusters, room_groups, room_children;
	uint32_t level_first;       /* clusters of the level at hand begin here and go to the end */
	CS_VEC(float) errors;       /* by triangle of the DAG: distance from the source */
	struct cs_scratch *scratch; /* one a thread */
	struct cs_dag_report report;
};

/* Clusters made apart from the DAG, in its form: counts from 0, indices from 0. */
struct cs_batch {
	uint32_t n_vertices, n_triangles, n_clusters;
	uint32_t first_vertex, first_triangle, first_cluster; /* of the DAG, once they are there */
	float *positions, *exact, *normals, *uvs[CS_MAX_UVS];
	uint8_t *colors;
	uint8_t *corners, *materials;
	float *errors; /* by triangle */
	struct cs_cluster *clusters;
};

/* Room for more in the arrays of the DAG; counts stay. */
struct cs_error *cs_builder_reserve(
	struct cs_builder *builder, size_t vertices, size_t triangles, size_t clusters) CS_MUST_USE;
/* Arrays for so much, as the DAG of the builder has them. */
struct cs_error *cs_batch_init(const struct cs_builder *builder, size_t vertices, size_t triangles,
	size_t clusters, struct cs_batch *ret) CS_MUST_USE;
void cs_batch_deinit(struct cs_batch *batch);
/* Appends the clusters of the batches to the DAG, one batch behind the other. */
struct cs_error *cs_builder_append(
	struct cs_builder *builder, struct cs_batch *batches, uint32_t n) CS_MUST_USE;
/* Appends a group with its children, whose `group` it becomes. */
struct cs_error *cs_builder_add_group(struct cs_builder *builder,
	const struct cs_cluster_group *group, const uint32_t *children) CS_MUST_USE;

/* The boxes of the clusters that level 0 would have without a grid; freed by the caller. */
struct cs_error *cs_leaf_boxes(
	struct cs_builder *builder, struct cs_box_f **ret, uint32_t *n_ret) CS_MUST_USE;
/* Puts the mesh on its grid and cuts it into the clusters of level 0. */
struct cs_error *cs_build_leaves(struct cs_builder *builder) CS_MUST_USE;

/* The clusters of one level and what lies between them. */
struct cs_level {
	uint32_t first, n; /* clusters of the DAG */
	uint32_t n_edges, n_places;
	uint32_t *starts; /* n + 1: edges of a cluster */
	struct cs_level_edge *edges;
	uint32_t *cluster_of; /* by edge */
	struct cs_vertex_set
		*twins; /* vertices that lie where another one does, here or elsewhere */
};

/* An edge of a cluster with no triangle of the same cluster on its other side. */
struct cs_level_edge {
	uint8_t from, to; /* vertices of the cluster */
	uint32_t place;   /* of `from`, below n_places */
	uint32_t mate;    /* the edge of another cluster that it is joined to, or CS_NONE */
};

struct cs_error *cs_level_init(const struct cs_builder *builder, struct cs_level *ret) CS_MUST_USE;
void cs_level_deinit(struct cs_level *level);
/* Nodes are the clusters of the level; weights by nanite rules 2.1. */
struct cs_error *cs_level_graph(const struct cs_builder *builder, const struct cs_level *level,
	struct cs_graph_arrays *ret) CS_MUST_USE;

/* Groups of a level: its clusters by group, counted within the level. */
struct cs_grouping {
	const struct cs_level *level;
	const struct cs_partition *groups;
	uint32_t *group_of;           /* by cluster */
	struct cs_vertex_set *locked; /* by cluster: vertices that more than one group has */
};

/* Simplifies group `i` into a batch of parents; `group_ret` has all but the children's range. */
struct cs_error *cs_reduce_group(struct cs_builder *builder, const struct cs_grouping *grouping,
	uint32_t i, int thread, struct cs_dag_report *report, struct cs_batch *batch_ret,
	struct cs_cluster_group *group_ret) CS_MUST_USE;

/* cs_dag_build on a grid with a step of 2^-precision, or CS_PRECISION_AUTO. */
struct cs_error *cs_dag_build_on_grid(const struct cs_mesh *mesh,
	const struct cs_dag_options *options, int32_t precision, const struct cs_job *job,
	struct cs_dag_report *report_ret, struct cs_dag **ret) CS_MUST_USE;

/* Meshes that become one DAG, in which each has groups and a root of its own. */
struct cs_joined {
	const struct cs_mesh *const *meshes;
	size_t n_meshes;
	/* CS_MAX_MATERIALS a mesh: what its materials are called in the DAG, below n_materials */
	const uint8_t *materials;
	uint32_t n_materials;
	const struct cs_dag_options *options; /* NULL: defaults */
	int32_t precision;                    /* of the one grid of all, or CS_PRECISION_AUTO */
	const struct cs_job *job;
};

struct cs_error *cs_dag_build_joined(const struct cs_joined *of, struct cs_dag_report *report_ret,
	struct cs_dag **ret) CS_MUST_USE;
/* Adds what groups report of their simplification. */
void cs_dag_report_add(struct cs_dag_report *to, const struct cs_dag_report *from);

/* E_MESH for a mesh that cannot be reduced to one cluster, E_LIMIT, E_INTERRUPTED. */
struct cs_error *cs_dag_build(const struct cs_mesh *mesh, const struct cs_dag_options *options,
	const struct cs_job *job, struct cs_dag_report *report_ret,
	struct cs_dag **ret) CS_MUST_USE;
/*
 * A mesh of at most `triangles`: the cut with a few thousand more, simplified as a whole. For what
 * stands in where Nanite cannot run.
 */
struct cs_error *cs_dag_coarse_mesh(const struct cs_dag *dag, uint64_t triangles,
	const struct cs_dag_options *options, const struct cs_job *job,
	struct cs_mesh **ret) CS_MUST_USE;
