/* SPDX-License-Identifier: Apache-2.0 */
/* Bounding the distance of one triangle from a sheet of triangles. */
#ifndef MESH_MESH_COMPARE_H
#define MESH_MESH_COMPARE_H

#include "mesh/drape.h"

/* Cuts a triangle at the middles of its edges. */
void cs_quarter(double p[3][3], double ret[4][3][3]);

/*
 * How far any point of the triangle p is from the sheet, with the sheet's errors there, at most,
 * as far as it can be told from around the hint: INFINITY when that is CS_NONE. A bound of
 * `enough` is not made tighter.
 */
double cs_compare(struct cs_sheet *sheet, double p[3][3], uint32_t hint, double enough,
	struct cs_picks *picks);
/*
 * A bound of that which is not above `bound`, from all of the sheet: the nearest triangle may be
 * out of reach of the hint where there are slivers and folds. The picks are of the better bound.
 */
double cs_compare_elsewhere(struct cs_sheet *sheet, double p[3][3], uint32_t hint, double enough,
	double bound, struct cs_picks *picks);
/* The same against triangles by themselves; INFINITY when there are none. */
double cs_compare_loose(const struct cs_loose *loose, double p[3][3], double enough);

#endif
