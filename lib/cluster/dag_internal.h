/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The DAG of clusters: what the builder makes and the encoder, the exporters and the checkers read.
 *
 * Data model: flat arrays, indices instead of pointers. A cluster owns a run of vertices and a run
 * of triangles whose corners are vertex numbers within that run. A group is a set of clusters that
 * are replaced together: simplifying a group makes the clusters whose `generating_group` it is (its
 * parents). Level 0 are the clusters of the source mesh; groups of level L hold clusters of level L
 * and their parents have level L + 1. Of a DAG of several meshes each has groups of its own, mesh
 * behind mesh. The last group of a mesh is its root: it holds the one last cluster.
 *
 * Invariants: at most 128 triangles and 256 vertices a cluster; every cluster is in exactly one
 * group; errors never fall and spheres nest on the way up; parents of a group share its error and
 * sphere; a root group has the largest float as max_parent_error (terminal). Shared vertices of
 * neighbouring clusters have bit-equal positions.
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
	uint32_t group;            /* that it is a child of */
	uint32_t generating_group; /* whose simplification made it, CS_NONE on level 0 */
	uint32_t level;
	float lod_error; /* that of the generating group; on level 0 what the grid moved it by */
	struct cs_sphere_f lod_bounds; /* of the generating group, on level 0 its own sphere */
	struct cs_sphere_f bounds;     /* around its vertices */
	struct cs_box_f box;
};

struct cs_cluster_group {
	uint32_t first_child, n_children; /* in `children` */
	uint32_t level;                   /* of its children */
	uint32_t mesh;                    /* of the DAG */
	float min_lod_error;              /* smallest of its children, -1 with any leaf */
	float max_parent_error;           /* error of its parents */
	struct cs_sphere_f lod_bounds;    /* sphere of its parents */
	struct cs_sphere_f bounds;
};

/*
 * A code space of one axis of UVs: code q stands for min + q * scale, and from gap_start on for
 * min + (q + gap_length) * scale.
 */
struct cs_uv_axis {
	float min, scale;
	int32_t gap_start, gap_length;
	uint32_t bits; /* of a code */
};

struct cs_uv_range {
	struct cs_uv_axis axes[2];
};

struct cs_dag {
	/* by vertex */
	float *positions;       /* 3 */
	float *normals;         /* 3, unit */
	uint8_t *colors;        /* 4, RGBA; NULL when all are 255 */
	float *uvs[CS_MAX_UVS]; /* 2 each, n_uvs of them */
	/* by triangle */
	uint8_t *corners;   /* 3, vertex numbers within the cluster */
	uint8_t *materials; /* 1, below CS_MAX_MATERIALS */

	/*
	 * By cluster and channel, n_uvs each: the code spaces that a decoded DAG was stored in,
	 * which encoding keeps. NULL in a DAG that was built; who changes UVs frees it.
	 */
	struct cs_uv_range *uv_ranges;

	struct cs_cluster *clusters;
	struct cs_cluster_group *groups;
	uint32_t *children; /* clusters, grouped by group */
	uint32_t n_vertices, n_triangles, n_clusters, n_groups, n_children, n_levels, n_uvs;
	uint32_t n_meshes; /* that it was made of, each with a root */
	uint32_t n_input_triangles, n_input_vertices, n_materials;
	bool on_grid;  /* all positions are multiples of 2^-precision: a DAG that was built */
	int precision; /* then */
	struct cs_box_f box;
};

void cs_dag_deinit(struct cs_dag *dag);

static inline bool cs_is_root_group(const struct cs_cluster_group *group)
{
	return group->max_parent_error >= CS_ROOT_PARENT_ERROR;
}
