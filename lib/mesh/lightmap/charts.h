/* SPDX-License-Identifier: Apache-2.0 */
/* Charts: regions of a surface, each flattened to a plane so that its triangles do not overlap. */
#pragma once

#include "mesh/mesh_internal.h"

struct cs_charts {
	uint32_t n, n_triangles;
	uint32_t *of; /* for each triangle, the index of its chart */
	/* for each triangle, the coordinates of its corners in the plane of its chart */
	float (*at)[3][2];
	bool (*border)[3]; /* for each edge, whether it is on the border of its chart */
	/* the triangles of chart i are list[first[i]] .. list[first[i + 1] - 1] */
	uint32_t *first, *list;
	float (*size)[2]; /* width and height of each chart, whose lower left corner is (0, 0) */
	double area;      /* sum of the areas of all triangles in the planes of their charts */
};

/*
 * Makes charts of a mesh. Triangles that share edges in the UV channel `source` keep the shape that
 * they have there. The other triangles, or all when `source` is CS_NONE, are projected along their
 * normals. `unit` is the length in the mesh that has length 1 in a chart. The area of a chart is
 * about that of its triangles in space. No chart is wider than high.
 */
struct cs_error *cs_charts_make(const struct cs_mesh *mesh, uint32_t source, double unit,
	const struct cs_job *job, struct cs_charts *ret) CS_MUST_USE;
void cs_charts_deinit(struct cs_charts *charts);

/* Flattened triangles in islands. The triangles of an island are connected by edges. */
struct cs_islands {
	uint32_t n_triangles;
	const uint32_t *opposite; /* opposite edge of each edge, as cs_match_edges stores it */
	/* corners of each triangle in the plane, counter-clockwise if the triangle has area */
	const float (*at)[3][2];
	const uint32_t *island_of; /* for each triangle, the index of its island, or CS_NONE */
	uint32_t n_islands;
};

/*
 * Divides islands into connected charts without overlapping triangles. Sets chart_ret of each
 * triangle in an island. New charts are numbered from *n_charts, which is increased.
 */
struct cs_error *cs_islands_divide(const struct cs_islands *islands, const struct cs_job *job,
	uint32_t *chart_ret, uint32_t *n_charts) CS_MUST_USE;

/*
 * Groups triangles by their numbers of[triangle], 0 to n - 1: the triangles with number i are
 * list[first[i]] to list[first[i + 1] - 1], in ascending order. Triangles with CS_NONE are not
 * listed. The caller frees both arrays.
 */
struct cs_error *cs_list_members(const uint32_t *of, uint32_t n_triangles, uint32_t n,
	uint32_t **first_ret, uint32_t **list_ret) CS_MUST_USE;

/* Returns twice the area of a triangle in the plane, negative if it is clockwise. */
static inline double cs_flat_area(const float p[2], const float q[2], const float r[2])
{
	return ((double)q[0] - (double)p[0]) * ((double)r[1] - (double)p[1]) -
	       ((double)q[1] - (double)p[1]) * ((double)r[0] - (double)p[0]);
}

/* Returns whether a triangle is clockwise, or so thin that its area is only rounding error. */
bool cs_flat_is_thin(const float at[3][2]);
