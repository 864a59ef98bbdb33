/* SPDX-License-Identifier: Apache-2.0 */
/* Bounding the distance of one triangle from a sheet of triangles. */
#ifndef MESH_MESH_COMPARE_H
#define MESH_MESH_COMPARE_H

#include "mesh/drape.h"

/* Cuts a triangle at the middles of its edges. */
void cs_quarter(double p[3][3], double ret[4][3][3]);

/*
 * How far any point of the triangle p is from the sheet, with the sheet's errors there, at most.
 * `hint` is a triangle of the sheet near it, or CS_NONE; a bound of `enough` is not made tighter,
 * and one above `astray` casts doubt on the hint.
 */
double cs_compare(struct cs_sheet *sheet, double p[3][3], uint32_t hint, double enough,
	double astray, struct cs_picks *picks);
/* The same against triangles by themselves; INFINITY when there are none. */
double cs_compare_loose(const struct cs_loose *loose, double p[3][3], double enough);

#endif
