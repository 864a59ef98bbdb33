/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A triangle that is prepared for measuring the distance of many points: the values that depend on
 * the triangle alone are computed once.
 *
 * The nearest point of the triangle is a + s ab + t ac. Where the query point projects into the
 * triangle, s and t are ratios of areas. Elsewhere the nearest point is on a side or at a corner
 * (regions as in Ericson, Real-Time Collision Detection, 5.1.5; the scalar products at b and c are
 * derived from the two at a). The returned distance is that of the point with the computed s and t.
 * Apart from rounding this point is in the triangle, so errors of s and t can make the distance too
 * large, but too small only by rounding.
 */
#pragma once

#include "mesh/vector.h"

#include <stdbool.h>

struct cs_facet {
	double a[3], ab[3], ac[3];
	double bb, bc, cc; /* scalar products ab * ab, ab * ac, ac * ac */
	/* square of twice the area, or 0 for a thin triangle, where it would be rounding error */
	double area2;
};

/* If the squared sine at corner a is at most this, distances are measured from the sides only. */
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

/* Returns where on a side the nearest point is, as a fraction of the side's length from 0 to 1. */
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
	/* & and | are used instead of && and ||, whose branches would often be mispredicted */
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
		/* The nearest point is on the side from b to c. */
		double whole = facet->bb - 2 * facet->bc + facet->cc;
		t = cs_facet_part(along_c - along_b + facet->bb - facet->bc, whole);
		s = 1 - t;
	}
	for (int k = 0; k < 3; k++)
		off[k] -= s * facet->ab[k] + t * facet->ac[k];
	return cs_dot(off, off);
}

/*
 * Returns the largest squared distance of a corner of triangle p from the facet. No point of p is
 * farther away.
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
