/* SPDX-License-Identifier: Apache-2.0 */
/* Computes how far points are from a triangle and from a surface of many triangles. */
#pragma once

#include <cellscope/core.h>

/* Returns the squared distance of p from the triangle abc. */
double cs_triangle_distance2(
	const double p[3], const double a[3], const double b[3], const double c[3]);

/* A tree of boxes over triangles. The caller owns the arrays and keeps them. */
struct cs_surface {
	const float *positions;
	const uint32_t *indices; /* 3 vertices for each triangle */
	uint32_t n_triangles;
	uint32_t *order; /* triangles, listed leaf by leaf */
	struct cs_surface_node *nodes;
	uint32_t n_nodes;
	/* A squared distance of at most this is 0 but for rounding. */
	double touching2;
	/*
	 * largest number of triangles that one search looks at; the search returns the nearest of
	 * these
	 */
	uint32_t most_looks;
};

struct cs_error *cs_surface_init(const float *positions, const uint32_t *indices,
	uint32_t n_triangles, struct cs_surface *ret) CS_MUST_USE;
void cs_surface_deinit(struct cs_surface *surface);
/*
 * Returns the squared distance from p to the nearest triangle (*triangle_ret, which may be NULL).
 * `hint` is a triangle that may be near, or CS_NONE. Returns INFINITY when there is no triangle.
 * The result is exact unless the caller has set most_looks, which starts without limit.
 */
double cs_surface_distance2(
	const struct cs_surface *surface, const double p[3], uint32_t hint, uint32_t *triangle_ret);
