/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of the DAG builder.
 *
 * Its phases are: cluster/leaves.c makes the leaf clusters, whose sizes choose the grid that
 * cluster/rounding.c puts the mesh on. Then, level by level, cluster/dag_level.c makes a graph of
 * the clusters, the graph is cut into groups, and cluster/reduce.c simplifies every group and cuts
 * it into its parents, which cluster/store.c appends to the DAG.
 */
#pragma once

#include <cellscope/dag.h>

#include "cluster/dag_internal.h"
#include "cluster/graph.h"
#include "cluster/rounding.h"
#include "core/scratch.h"
#include "core/slots.h"
#include "core/vec.h"

/* A set of vertices of a cluster, with one bit for each. */
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
	/* the source mesh; after the leaves were made, the same mesh on its grid */
	const struct cs_mesh *mesh;
	int32_t precision; /* precision that the caller asked for */
	struct cs_rounded rounded;
	struct cs_dag_options options;
	const struct cs_job *job;
	int threads;
	struct cs_dag dag;
	/*
	 * 3 for each vertex of the DAG: its position before rounding to the grid, from which the
	 * costs of collapses are computed
	 */
	float *exact;
	size_t room_vertices, room_triangles, room_clusters, room_groups, room_children;
	/* first cluster of the current level, which reaches to the end of the clusters */
	uint32_t level_first;
	/* for each triangle of the DAG, its distance from the source in units of the mesh */
	CS_VEC(float) errors;
	struct cs_scratch *scratch; /* one for each thread */
	struct cs_slots
		spheres; /* groups by the spheres of their parents, of which no two are equal */
	struct cs_dag_report report;
};

/*
 * Clusters that are made outside the DAG, in the form of the DAG, with counts and indices from 0.
 */
struct cs_batch {
	uint32_t n_vertices, n_triangles, n_clusters;
	/* indices in the DAG, once the batch is appended */
	uint32_t first_vertex, first_triangle, first_cluster;
	float *positions, *exact, *normals, *uvs[CS_MAX_UVS];
	uint8_t *colors;
	uint8_t *corners, *materials;
	float *errors; /* error of each triangle */
	struct cs_cluster *clusters;
};

/* Makes room for more items in the arrays of the DAG, whose counts don't change. */
struct cs_error *cs_builder_reserve(
	struct cs_builder *builder, size_t vertices, size_t triangles, size_t clusters) CS_MUST_USE;
/* Allocates arrays for that many items, with the channels that the builder's DAG has. */
struct cs_error *cs_batch_init(const struct cs_builder *builder, size_t vertices, size_t triangles,
	size_t clusters, struct cs_batch *ret) CS_MUST_USE;
void cs_batch_deinit(struct cs_batch *batch);
/* Appends the clusters of the batches to the DAG, one batch after the other. */
struct cs_error *cs_builder_append(
	struct cs_builder *builder, struct cs_batch *batches, uint32_t n) CS_MUST_USE;
/* Appends a group with its children, and stores its number as their `group`. */
struct cs_error *cs_builder_add_group(struct cs_builder *builder,
	const struct cs_cluster_group *group, const uint32_t *children) CS_MUST_USE;

/*
 * Returns the boxes that the clusters of level 0 would have without a grid. The caller frees them.
 */
struct cs_error *cs_leaf_boxes(
	struct cs_builder *builder, struct cs_box_f **ret, uint32_t *n_ret) CS_MUST_USE;
/* Puts the mesh on its grid and cuts it into the clusters of level 0. */
struct cs_error *cs_build_leaves(struct cs_builder *builder) CS_MUST_USE;

/* The clusters of one level and the edges between them. */
struct cs_level {
	uint32_t first, n; /* a range of clusters of the DAG */
	uint32_t n_edges, n_places;
	uint32_t *starts; /* for each cluster, its first edge; then the number of edges */
	struct cs_level_edge *edges;
	uint32_t *cluster_of; /* for each edge, the cluster that has it */
	/* for each cluster, the vertices whose position another vertex of the level may have */
	struct cs_vertex_set *twins;
};

/* An edge of a cluster that has no triangle of the same cluster on its other side. */
struct cs_level_edge {
	uint8_t from, to; /* vertices of the cluster */
	uint32_t place;   /* the position of `from`, numbered below n_places */
	uint32_t mate;    /* the edge of another cluster that this edge is joined to, or CS_NONE */
};

struct cs_error *cs_level_init(const struct cs_builder *builder, struct cs_level *ret) CS_MUST_USE;
void cs_level_deinit(struct cs_level *level);
/*
 * Makes the graph whose nodes are the clusters of the level. The weights of its edges follow nanite
 * rules 2.1.
 */
struct cs_error *cs_level_graph(const struct cs_builder *builder, const struct cs_level *level,
	struct cs_graph_arrays *ret) CS_MUST_USE;

/* The groups of a level. They list clusters group by group, numbered within the level. */
struct cs_grouping {
	const struct cs_level *level;
	const struct cs_partition *groups;
	uint32_t *group_of; /* for each cluster, its group */
	/* for each cluster, the vertices whose position vertices of other groups have too */
	struct cs_vertex_set *locked;
};

/*
 * Simplifies group `i` into a batch of parents. `group_ret` contains all fields but the range of
 * the children.
 */
struct cs_error *cs_reduce_group(struct cs_builder *builder, const struct cs_grouping *grouping,
	uint32_t i, int thread, struct cs_dag_report *report, struct cs_batch *batch_ret,
	struct cs_cluster_group *group_ret) CS_MUST_USE;

/*
 * Works as cs_dag_build does, on a grid with a step of 2^-precision units of the mesh, or
 * CS_PRECISION_AUTO.
 */
struct cs_error *cs_dag_build_on_grid(const struct cs_mesh *mesh,
	const struct cs_dag_options *options, int32_t precision, const struct cs_job *job,
	struct cs_dag_report *report_ret, struct cs_dag **ret) CS_MUST_USE;

/* Meshes that are built into one DAG, in which each has groups and a root of its own. */
struct cs_joined {
	const struct cs_mesh *const *meshes;
	size_t n_meshes;
	/*
	 * CS_MAX_MATERIALS for each mesh: the numbers, below n_materials, of the mesh's materials
	 * in the DAG
	 */
	const uint8_t *materials;
	uint32_t n_materials;
	const struct cs_dag_options *options; /* options of the build; NULL: the defaults */
	/* precision of the one grid that all meshes share, or CS_PRECISION_AUTO */
	int32_t precision;
	const struct cs_job *job;
};

struct cs_error *cs_dag_build_joined(const struct cs_joined *of, struct cs_dag_report *report_ret,
	struct cs_dag **ret) CS_MUST_USE;
/* Adds the figures that groups report of their simplification. */
void cs_dag_report_add(struct cs_dag_report *to, const struct cs_dag_report *from);

/* Returns E_MESH for a mesh that cannot be reduced to one cluster, E_LIMIT, or E_INTERRUPTED. */
struct cs_error *cs_dag_build(const struct cs_mesh *mesh, const struct cs_dag_options *options,
	const struct cs_job *job, struct cs_dag_report *report_ret,
	struct cs_dag **ret) CS_MUST_USE;
/*
 * Makes a mesh of at most `triangles` triangles: it takes a cut of the DAG with a few thousand more
 * and simplifies that as a whole. Renderers without Nanite draw this mesh.
 */
struct cs_error *cs_dag_coarse_mesh(const struct cs_dag *dag, uint64_t triangles,
	const struct cs_dag_options *options, const struct cs_job *job,
	struct cs_mesh **ret) CS_MUST_USE;
