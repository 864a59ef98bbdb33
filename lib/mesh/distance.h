/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the distance of points from a triangle, and from a surface of many triangles. */
#pragma once

#include <cellscope/core.h>

/* Returns the squared distance of p from the triangle abc. */
double cs_triangle_distance2(
	const double p[3], const double a[3], const double b[3], const double c[3]);

/* A tree of boxes over triangles. The caller owns `positions` and `indices`. */
struct cs_surface {
	const float *positions;
	const uint32_t *indices; /* 3 vertex indices for each triangle */
	uint32_t n_triangles;
	uint32_t *order; /* indices of the triangles, leaf by leaf */
	struct cs_surface_node *nodes;
	uint32_t n_nodes;
	/* a search ends at a squared distance of at most this, which counts as touching */
	double touching2;
	/* largest number of triangles that a search measures. It returns the nearest of those */
	uint32_t most_looks;
};

struct cs_error *cs_surface_init(const float *positions, const uint32_t *indices,
	uint32_t n_triangles, struct cs_surface *ret) CS_MUST_USE;
void cs_surface_deinit(struct cs_surface *surface);
/*
 * Returns the squared distance from p to the nearest triangle, or INFINITY when there is no
 * triangle. Stores the triangle in *triangle_ret, unless that is NULL. `hint` is a triangle that
 * may be near, or CS_NONE. The result is exact unless the caller has set most_looks;
 * cs_surface_init sets no limit.
 */
double cs_surface_distance2(
	const struct cs_surface *surface, const double p[3], uint32_t hint, uint32_t *triangle_ret);
