/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The DAG of clusters: the builder makes it, and the encoder, the exporters and the checkers read
 * it.
 *
 * Data model: the DAG consists of flat arrays with indices instead of pointers. A cluster owns a
 * run of vertices and a run of triangles; a corner of a triangle is the index of a vertex within
 * the run. A group is a set of clusters that are replaced together: simplifying a group makes the
 * group's parents, the clusters whose `generating_group` is the group. Level 0 contains the
 * clusters of the source mesh. Groups of level L contain clusters of level L, and their parents
 * have level L + 1. In a DAG of several meshes each mesh has its own groups, and the groups of one
 * mesh are stored after those of the mesh before. The last group of a mesh is the root group, which
 * contains only the mesh's last cluster.
 *
 * Invariants: a cluster has at most 128 triangles and 256 vertices. Every cluster is in exactly one
 * group. From level 0 to the root errors never fall, and each sphere contains those of the level
 * below. All parents of a group have the same error and the same LOD sphere. max_parent_error of a
 * root group is the largest float, because a root group has no parents. Vertices that neighbouring
 * clusters share have bit-equal positions.
 */
#pragma once

#include <cellscope/core.h>

#include <float.h>

enum {
	CS_CLUSTER_TRIANGLES = 128,
	CS_CLUSTER_VERTICES = 256,
	CS_MAX_UVS = 4,
	CS_MAX_MATERIALS = 64,
};

#define CS_ROOT_PARENT_ERROR FLT_MAX

struct cs_sphere_f {
	float x, y, z, radius;
};

struct cs_box_f {
	float min[3], max[3];
};

struct cs_cluster {
	uint32_t first_vertex, n_vertices;
	uint32_t first_triangle, n_triangles;
	uint32_t group; /* the group that contains the cluster */
	/* the group that was simplified into the cluster, or CS_NONE on level 0 */
	uint32_t generating_group;
	uint32_t level;
	/* error of the generating group, or on level 0 the largest error of the triangles */
	float lod_error;
	/* LOD sphere of the generating group, or on level 0 the bounding sphere of the cluster */
	struct cs_sphere_f lod_bounds;
	struct cs_sphere_f bounds; /* sphere that contains the cluster's vertices */
	struct cs_box_f box;
};

struct cs_cluster_group {
	/* the clusters of the group, as a range of indices in cs_dag.children */
	uint32_t first_child, n_children;
	uint32_t level; /* level of the clusters in the group */
	uint32_t mesh;  /* index of the mesh that the group is part of */
	/* smallest error of the clusters in the group, or -1 on level 0 and in root groups */
	float min_lod_error;
	float max_parent_error; /* error of the clusters that the group was simplified into */
	/* LOD sphere of the clusters that the group was simplified into */
	struct cs_sphere_f lod_bounds;
	struct cs_sphere_f bounds;
};

/*
 * An axis of quantised UVs: code q decodes to min + q * scale. Codes from gap_start on are
 * increased by gap_length before this.
 */
struct cs_uv_axis {
	float min, scale;
	int32_t gap_start, gap_length;
	uint32_t bits; /* number of bits of a code */
};

struct cs_uv_range {
	struct cs_uv_axis axes[2];
};

struct cs_dag {
	/* arrays with an item for each vertex */
	float *positions;       /* 3 floats */
	float *normals;         /* 3 floats, of length 1 */
	uint8_t *colors;        /* 4 bytes, RGBA, or NULL when all are 255 */
	float *uvs[CS_MAX_UVS]; /* n_uvs arrays with 2 floats for each vertex */
	/* arrays with an item for each triangle */
	uint8_t *corners;   /* 3 indices of vertices within the cluster */
	uint8_t *materials; /* index of each triangle's material, below CS_MAX_MATERIALS */

	/*
	 * n_uvs entries for each cluster of a decoded DAG: how the file quantises UVs, so that
	 * encoding gives the same codes. NULL in a DAG that was built
	 */
	struct cs_uv_range *uv_ranges;

	struct cs_cluster *clusters;
	struct cs_cluster_group *groups;
	uint32_t *children; /* indices of clusters, group by group */
	uint32_t n_vertices, n_triangles, n_clusters, n_groups, n_children, n_levels, n_uvs;
	uint32_t n_meshes; /* number of meshes in the DAG, each with a root group */
	uint32_t n_input_triangles, n_input_vertices, n_materials;
	/* names of the materials, each with a NUL at its end. NULL in a DAG that was built */
	char *material_names;
	/* whether all positions are multiples of 2^-precision, as in every DAG that was built */
	bool on_grid;
	int precision; /* the step of the grid is 2^-precision. Valid when on_grid is true */
	struct cs_box_f box;
};

void cs_dag_deinit(struct cs_dag *dag);

static inline bool cs_is_root_group(const struct cs_cluster_group *group)
{
	return group->max_parent_error >= CS_ROOT_PARENT_ERROR;
}
