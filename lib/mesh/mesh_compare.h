/* SPDX-License-Identifier: Apache-2.0 */
/* Computes upper bounds for the distance of one triangle from a sheet of triangles. */
#pragma once

#include "mesh/sheet.h"

/* Cuts the triangle p into four at the midpoints of its edges. */
void cs_quarter(double p[3][3], double ret[4][3][3]);

/* The triangles of a sheet to which the pieces of a compared triangle were assigned. */
enum { CS_PICKS = 256 };
struct cs_picks {
	uint32_t n, triangles[CS_PICKS];
};

/*
 * The following functions return an upper bound for the distance of any point of the triangle p
 * from the sheet, including the error of the sheet's triangles, in units of the mesh. They stop as
 * soon as the bound is at most `enough`. `hint` is a triangle of the sheet near p. `picks` receives
 * the triangles of the sheet that the bound was measured from.
 *
 * cs_drape cuts p into pieces, and compares each piece with the triangle of the sheet that is next
 * to it (mesh/drape.c), which it appends to `picks`. *tight_ret: comparing with other triangles of
 * the sheet could hardly give a smaller bound.
 */
double cs_drape(struct cs_sheet *sheet, double p[3][3], uint32_t hint, double enough,
	bool *tight_ret, struct cs_picks *picks);
/*
 * Calls cs_drape and, if that bound is not tight (*tight_ret), also compares quarters of p with
 * triangles of the sheet around `hint`. Returns INFINITY when `hint` is CS_NONE.
 */
double cs_compare(struct cs_sheet *sheet, double p[3][3], uint32_t hint, double enough,
	struct cs_picks *picks);
/*
 * Compares p with the triangles nearest to it in the whole sheet, because among slivers and folds a
 * search from the hint may miss them. Returns `bound`, or changes the picks and returns a smaller
 * bound.
 */
double cs_compare_elsewhere(struct cs_sheet *sheet, double p[3][3], uint32_t hint, double enough,
	double bound, struct cs_picks *picks);
/* Returns a bound for the distance of p from listed triangles, or INFINITY for an empty list. */
double cs_compare_loose(const struct cs_loose *loose, double p[3][3], double enough);
