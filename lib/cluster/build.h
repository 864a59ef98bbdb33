/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Internals of the DAG builder.
 *
 * Its phases are: cluster/leaves.c makes the leaf clusters, whose sizes determine the grid that
 * cluster/rounding.c rounds the positions of the mesh to. Then, level by level, cluster/dag_level.c
 * makes a graph of the clusters, the graph is cut into groups, and cluster/reduce.c simplifies
 * every group and cuts the result into parent clusters, which cluster/store.c appends to the DAG.
 */
#pragma once

#include <cellscope/dag.h>

#include "cluster/dag_internal.h"
#include "cluster/graph.h"
#include "cluster/rounding.h"
#include "core/scratch.h"
#include "core/slots.h"
#include "core/vec.h"

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
	/* the source mesh, or once leaf clusters were made, the source mesh rounded to the grid */
	const struct cs_mesh *mesh;
	int32_t precision; /* requested precision of the grid, or CS_PRECISION_AUTO */
	struct cs_rounded rounded;
	struct cs_dag_options options;
	const struct cs_job *job;
	int threads;
	struct cs_dag dag;
	/* 3 floats for each vertex: its position before rounding, used for collapse costs */
	float *exact;
	size_t room_vertices, room_triangles, room_clusters, room_groups, room_children;
	/* first cluster of the current level, which extends to the last cluster of the DAG */
	uint32_t level_first;
	/* for each triangle of the DAG, a bound of its distance from the source, in mesh units */
	CS_VEC(float) errors;
	struct cs_scratch *scratch; /* one scratch memory for each thread */
	/* hash table of groups by the LOD sphere of their parents, no two of which are equal */
	struct cs_slots spheres;
	struct cs_dag_report report;
};

/* Clusters not yet in the DAG, in arrays like those of the DAG. Indices count within the batch. */
struct cs_batch {
	uint32_t n_vertices, n_triangles, n_clusters;
	/* indices in the DAG of the first items of the batch. Set when the batch is appended */
	uint32_t first_vertex, first_triangle, first_cluster;
	float *positions, *exact, *normals, *uvs[CS_MAX_UVS];
	uint8_t *colors;
	uint8_t *corners, *materials;
	/* error of each triangle (a bound of its distance from the source), in units of the mesh */
	float *errors;
	struct cs_cluster *clusters;
};

/* Reserves room in the DAG's arrays for more items. The DAG's counts of items do not change. */
struct cs_error *cs_builder_reserve(
	struct cs_builder *builder, size_t vertices, size_t triangles, size_t clusters) CS_MUST_USE;
/* Allocates arrays of a batch of the given size, with the UVs and colours of the builder's DAG. */
struct cs_error *cs_batch_init(const struct cs_builder *builder, size_t vertices, size_t triangles,
	size_t clusters, struct cs_batch *ret) CS_MUST_USE;
void cs_batch_deinit(struct cs_batch *batch);
/* Appends the clusters of n batches to the DAG, one batch after the other. */
struct cs_error *cs_builder_append(
	struct cs_builder *builder, struct cs_batch *batches, uint32_t n) CS_MUST_USE;
/* Appends a group with its children, and sets the field `group` of the children to its index. */
struct cs_error *cs_builder_add_group(struct cs_builder *builder,
	const struct cs_cluster_group *group, const uint32_t *children) CS_MUST_USE;

/* Cuts the mesh, without rounding, into clusters. Returns their boxes, which the caller frees. */
struct cs_error *cs_leaf_boxes(
	struct cs_builder *builder, struct cs_box_f **ret, uint32_t *n_ret) CS_MUST_USE;
/* Rounds the positions of the mesh to the grid and cuts the mesh into the clusters of level 0. */
struct cs_error *cs_build_leaves(struct cs_builder *builder) CS_MUST_USE;

/* The clusters of one level, and the edges at which they meet. */
struct cs_level {
	uint32_t first, n; /* the clusters of the level, as a range of indices in cs_dag.clusters */
	uint32_t n_edges, n_places;
	/* for each cluster, the index of its first edge, and in one more entry n_edges */
	uint32_t *starts;
	struct cs_level_edge *edges;
	uint32_t *cluster_of; /* for each edge, the cluster whose edge it is */
	/* for each cluster, the vertices that may share their position with another vertex */
	struct cs_vertex_set *twins;
};

/* A border edge of a cluster: no other triangle of the same cluster has the edge. */
struct cs_level_edge {
	uint8_t from, to; /* indices of both end vertices within the cluster */
	uint32_t place;   /* index of the position of `from`, below cs_level.n_places */
	/* index of the reverse edge (same two positions) in another cluster, or CS_NONE */
	uint32_t mate;
};

struct cs_error *cs_level_init(const struct cs_builder *builder, struct cs_level *ret) CS_MUST_USE;
void cs_level_deinit(struct cs_level *level);
/*
 * Makes the graph of the level's clusters: clusters that share edges of triangles are joined, with
 * a weight that grows with the number of shared edges (nanite rules 2.1).
 */
struct cs_error *cs_level_graph(const struct cs_builder *builder, const struct cs_level *level,
	struct cs_graph_arrays *ret) CS_MUST_USE;

/* The groups into which the clusters of a level are cut. Cluster indices count within the level. */
struct cs_grouping {
	const struct cs_level *level;
	const struct cs_partition *groups;
	uint32_t *group_of; /* for each cluster, its group */
	/*
	 * for each cluster, the vertices that share their position with a vertex of another group
	 */
	struct cs_vertex_set *locked;
};

/* Simplifies group i into the clusters *batch_ret. Sets *group_ret except its range of children. */
struct cs_error *cs_reduce_group(struct cs_builder *builder, const struct cs_grouping *grouping,
	uint32_t i, int thread, struct cs_dag_report *report, struct cs_batch *batch_ret,
	struct cs_cluster_group *group_ret) CS_MUST_USE;

/* Builds a DAG on a grid of step 2^-precision mesh units. CS_PRECISION_AUTO chooses the step. */
struct cs_error *cs_dag_build_on_grid(const struct cs_mesh *mesh,
	const struct cs_dag_options *options, int32_t precision, const struct cs_job *job,
	struct cs_dag_report *report_ret, struct cs_dag **ret) CS_MUST_USE;

/* Meshes that are built into one DAG. Each mesh has its own groups and its own root. */
struct cs_joined {
	const struct cs_mesh *const *meshes;
	size_t n_meshes;
	/* materials[CS_MAX_MATERIALS * i + m] is the index in the DAG of material m of mesh i */
	const uint8_t *materials;
	uint32_t n_materials;
	const struct cs_dag_options *options; /* NULL means default options */
	/* precision of the grid that all meshes share, or CS_PRECISION_AUTO */
	int32_t precision;
	const struct cs_job *job;
};

struct cs_error *cs_dag_build_joined(const struct cs_joined *of, struct cs_dag_report *report_ret,
	struct cs_dag **ret) CS_MUST_USE;
/* Adds the counts and times in `from`, the report of one group's simplification, to `to`. */
void cs_dag_report_add(struct cs_dag_report *to, const struct cs_dag_report *from);

/* Builds the DAG of a mesh. Returns E_MESH when the mesh cannot be reduced to one cluster. */
struct cs_error *cs_dag_build(const struct cs_mesh *mesh, const struct cs_dag_options *options,
	const struct cs_job *job, struct cs_dag_report *report_ret,
	struct cs_dag **ret) CS_MUST_USE;
/*
 * Makes a mesh of at most `triangles` triangles, which renderers without Nanite draw: takes a cut
 * of the DAG that has a few thousand triangles more, and simplifies the cut as a whole.
 */
struct cs_error *cs_dag_coarse_mesh(const struct cs_dag *dag, uint64_t triangles,
	const struct cs_dag_options *options, const struct cs_job *job,
	struct cs_mesh **ret) CS_MUST_USE;
