/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Charts: parts of a surface that are laid out in a plane of their own, where no two of their
 * triangles overlap.
 */
#pragma once

#include "mesh/mesh_internal.h"

struct cs_charts {
	uint32_t n, n_triangles;
	uint32_t *of;      /* chart of each triangle */
	float (*at)[3][2]; /* for each triangle, the places of its corners in the plane */
	bool (*border)[3]; /* for each edge, whether it is on the border of its chart */
	/* The triangles of chart i are list[first[i]] to list[first[i + 1] - 1], ascending. */
	uint32_t *first, *list;
	float (*size)[2]; /* the extents of each chart, which begins at (0, 0) */
	double area;      /* sum of the areas of all triangles in their planes */
};

/*
 * Makes charts of a mesh. Triangles that share edges in the UV channel `source` keep their shape
 * there. The others, all of them when `source` is CS_NONE, are projected along their normals. A
 * chart has about the area of its triangles in space, in units of `unit`; its height is not less
 * than its width.
 */
struct cs_error *cs_charts_make(const struct cs_mesh *mesh, uint32_t source, double unit,
	const struct cs_job *job, struct cs_charts *ret) CS_MUST_USE;
void cs_charts_deinit(struct cs_charts *charts);

/* Triangles in the plane; those of an island are connected by edges. */
struct cs_islands {
	uint32_t n_triangles;
	const uint32_t *opposite;  /* the edges as cs_match_edges pairs them */
	const float (*at)[3][2];   /* counter-clockwise, where a triangle has area */
	const uint32_t *island_of; /* the island of each triangle; CS_NONE where it is in none */
	uint32_t n_islands;
};

/*
 * Divides islands into connected charts in which no two triangles overlap. Sets chart_ret of each
 * triangle in an island, and counts on in *n_charts.
 */
struct cs_error *cs_islands_divide(const struct cs_islands *islands, const struct cs_job *job,
	uint32_t *chart_ret, uint32_t *n_charts) CS_MUST_USE;

/*
 * Lists triangles by their number in `of`, 0 to n - 1: those of i are list[first[i]] to
 * list[first[i + 1] - 1], ascending. Triangles with CS_NONE are left out. The caller frees both.
 */
struct cs_error *cs_list_members(const uint32_t *of, uint32_t n_triangles, uint32_t n,
	uint32_t **first_ret, uint32_t **list_ret) CS_MUST_USE;

/* Returns twice the area of a triangle in the plane, negative when it is clockwise. */
static inline double cs_flat_area(const float p[2], const float q[2], const float r[2])
{
	return ((double)q[0] - (double)p[0]) * ((double)r[1] - (double)p[1]) -
	       ((double)q[1] - (double)p[1]) * ((double)r[0] - (double)p[0]);
}

/* Returns whether a triangle is clockwise, or so thin that its interior is nothing but rounding. */
bool cs_flat_is_thin(const float at[3][2]);
