/* SPDX-License-Identifier: Apache-2.0 */
/* How far points are from triangles, and from a surface of many. */
#pragma once

#include <cellscope/core.h>

/* Squared distance of p from the triangle abc. */
double cs_triangle_distance2(
	const double p[3], const double a[3], const double b[3], const double c[3]);

/* A tree of boxes over triangles; the arrays are the caller's and must stay. */
struct cs_surface {
	const float *positions;
	const uint32_t *indices; /* 3 a triangle */
	uint32_t n_triangles;
	uint32_t *order; /* triangles by leaf */
	struct cs_surface_node *nodes;
	uint32_t n_nodes;
	double touching2;    /* squared distances up to this are 0 but for rounding */
	uint32_t most_looks; /* triangles that one search looks at; it finds the nearest of those */
};

struct cs_error *cs_surface_init(const float *positions, const uint32_t *indices,
	uint32_t n_triangles, struct cs_surface *ret) CS_MUST_USE;
void cs_surface_deinit(struct cs_surface *surface);
/*
 * Squared distance from p to the nearest triangle (*triangle_ret, may be NULL). `hint` is a
 * triangle that may be near, or CS_NONE. INFINITY when there is no triangle. Exact unless the
 * caller has set most_looks, which is without limit at first.
 */
double cs_surface_distance2(
	const struct cs_surface *surface, const double p[3], uint32_t hint, uint32_t *triangle_ret);
