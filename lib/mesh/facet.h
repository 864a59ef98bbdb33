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
	double bb, bc, cc; /* products of the sides */
	/* squared, of the two sides; 0 when the triangle is so thin that areas are only rounding */
	double area2;
};

/* The squared sine of the angle at a below which only the sides of the triangle count. */
#define CS_FACET_FLAT 1e-11

static inline struct cs_facet cs_facet_of(const double a[3], const double b[3], const double c[3])
{
	struct cs_facet f = {.a = {a[0], a[1], a[2]}};
	cs_subtract(b, a, f.ab);
	cs_subtract(c, a, f.ac);
	f.bb = cs_dot(f.ab, f.ab);
	f.bc = cs_dot(f.ab, f.ac);
	f.cc = cs_dot(f.ac, f.ac);
	f.area2 = f.bb * f.cc - f.bc * f.bc;
	f.area2 = f.area2 > CS_FACET_FLAT * f.bb * f.cc ? f.area2 : 0;
	return f;
}

/* Returns the part of a side, from 0 to 1, where the point is nearest. */
static inline double cs_facet_part(double along, double whole)
{
	return along <= 0 ? 0 : along >= whole ? 1 : along / whole;
}

/* Returns the squared distance of p from the triangle. */
static inline double cs_facet_distance2(const struct cs_facet *f, const double p[3])
{
	double off[3], s, t;
	cs_subtract(p, f->a, off);
	double along_b = cs_dot(f->ab, off), along_c = cs_dot(f->ac, off);
	double area_s = f->cc * along_b - f->bc * along_c;
	double area_t = f->bb * along_c - f->bc * along_b;
	/*
	 * The three regions are found without a branch, because which one it is cannot be
	 * predicted.
	 */
	const bool flat = f->area2 == 0;
	const bool inside = (area_s > 0) & (area_t > 0) & (area_s + area_t < f->area2);
	const bool on_b = ((area_t <= 0) | flat) & (along_b > 0) & (along_b < f->bb);
	const bool on_c = ((area_s <= 0) | flat) & (along_c > 0) & (along_c < f->cc);
	if (inside) {
		double scale = 1 / f->area2;
		s = area_s * scale;
		t = area_t * scale;
	} else if (on_b) {
		s = along_b / f->bb;
		t = 0;
	} else if (on_c) {
		s = 0;
		t = along_c / f->cc;
	} else if (along_b <= 0 && along_c <= 0) {
		s = t = 0;
	} else {
		/* The side runs from b to c. */
		double whole = f->bb - 2 * f->bc + f->cc;
		t = cs_facet_part(along_c - along_b + f->bb - f->bc, whole);
		s = 1 - t;
	}
	for (int k = 0; k < 3; k++)
		off[k] -= s * f->ab[k] + t * f->ac[k];
	return cs_dot(off, off);
}

/*
 * Returns the largest squared distance of three points, which bounds that of all points between
 * them.
 */
static inline double cs_facet_reach2(const struct cs_facet *f, double p[3][3])
{
	double most = 0;
	for (int i = 0; i < 3; i++) {
		double far2 = cs_facet_distance2(f, p[i]);
		most = far2 > most ? far2 : most;
	}
	return most;
}
