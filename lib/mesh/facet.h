/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A triangle that is prepared for measuring the distance of many points: the values that depend on
 * the triangle alone are computed once.
 *
 * The nearest point is a + s ab + t ac. Where the point projects into the triangle, s and t are
 * ratios of areas. Elsewhere it is nearest to a corner or a side (regions as in Ericson, Real-Time
 * Collision Detection, 5.1.5, but all products follow from two, because those of the corners differ
 * by products of the sides). The distance is that of the point with these s and t, which is a point
 * of the triangle but for rounding. So errors of s and t can make the distance too small only by
 * units in the last place, as the last subtraction and product do.
 */
#pragma once

#include "mesh/vector.h"

#include <stdbool.h>

struct cs_facet {
	double a[3], ab[3], ac[3];
	double bb, bc, cc; /* scalar products ab ab, ab ac, ac ac */
	/*
	 * square of twice the area; 0 when the triangle is so thin that its area is only rounding
	 */
	double area2;
};

/* The squared sine of the angle at a below which only the sides of the triangle count. */
#define CS_FACET_FLAT 1e-11

static inline struct cs_facet cs_facet_of(const double a[3], const double b[3], const double c[3])
{
	struct cs_facet facet = {.a = {a[0], a[1], a[2]}};
	cs_subtract(b, a, facet.ab);
	cs_subtract(c, a, facet.ac);
	facet.bb = cs_dot(facet.ab, facet.ab);
	facet.bc = cs_dot(facet.ab, facet.ac);
	facet.cc = cs_dot(facet.ac, facet.ac);
	facet.area2 = facet.bb * facet.cc - facet.bc * facet.bc;
	facet.area2 = facet.area2 > CS_FACET_FLAT * facet.bb * facet.cc ? facet.area2 : 0;
	return facet;
}

/* Returns the part of a side, from 0 to 1, where the point is nearest. */
static inline double cs_facet_part(double along, double whole)
{
	return along <= 0 ? 0 : along >= whole ? 1 : along / whole;
}

/* Returns the squared distance of p from the triangle. */
static inline double cs_facet_distance2(const struct cs_facet *facet, const double p[3])
{
	double off[3], s, t;
	cs_subtract(p, facet->a, off);
	double along_b = cs_dot(facet->ab, off), along_c = cs_dot(facet->ac, off);
	double area_s = facet->cc * along_b - facet->bc * along_c;
	double area_t = facet->bb * along_c - facet->bc * along_b;
	/*
	 * The three regions are found without a branch, because which one it is cannot be
	 * predicted.
	 */
	const bool flat = facet->area2 == 0;
	const bool inside = (area_s > 0) & (area_t > 0) & (area_s + area_t < facet->area2);
	const bool on_b = ((area_t <= 0) | flat) & (along_b > 0) & (along_b < facet->bb);
	const bool on_c = ((area_s <= 0) | flat) & (along_c > 0) & (along_c < facet->cc);
	if (inside) {
		double scale = 1 / facet->area2;
		s = area_s * scale;
		t = area_t * scale;
	} else if (on_b) {
		s = along_b / facet->bb;
		t = 0;
	} else if (on_c) {
		s = 0;
		t = along_c / facet->cc;
	} else if (along_b <= 0 && along_c <= 0) {
		s = t = 0;
	} else {
		/* The side runs from b to c. */
		double whole = facet->bb - 2 * facet->bc + facet->cc;
		t = cs_facet_part(along_c - along_b + facet->bb - facet->bc, whole);
		s = 1 - t;
	}
	for (int k = 0; k < 3; k++)
		off[k] -= s * facet->ab[k] + t * facet->ac[k];
	return cs_dot(off, off);
}

/*
 * Returns the largest squared distance of three points, which bounds that of all points between
 * them.
 */
static inline double cs_facet_reach2(const struct cs_facet *facet, double p[3][3])
{
	double most = 0;
	for (int i = 0; i < 3; i++) {
		double far2 = cs_facet_distance2(facet, p[i]);
		most = far2 > most ? far2 : most;
	}
	return most;
}
