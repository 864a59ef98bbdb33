/* SPDX-License-Identifier: Apache-2.0 */
/* Computes upper bounds for the distance of one triangle from a sheet of triangles. */
#pragma once

#include "mesh/sheet.h"

/* Cuts a triangle at the middles of its edges into four. */
void cs_quarter(double p[3][3], double ret[4][3][3]);

/* The triangles of the sheet to which the pieces of a compared triangle were assigned. */
enum { CS_PICKS = 256 };
struct cs_picks {
	uint32_t n, triangles[CS_PICKS];
};

/*
 * Each of these functions returns an upper bound for the distance of any point of the triangle p
 * from the sheet, with the error of the sheet's triangle added, in units of the mesh. It stops as
 * soon as the bound is at most `enough`. `hint` is a triangle of the sheet near p.
 *
 * cs_drape lays p over the sheet (mesh/drape.c) and appends to the picks. *tight_ret says that
 * other triangles of the sheet would hardly give a smaller bound.
 */
double cs_drape(struct cs_sheet *sheet, double p[3][3], uint32_t hint, double enough,
	bool *tight_ret, struct cs_picks *picks);
/*
 * Lays p over the sheet, then quarters it around the hint. Returns INFINITY when the hint is
 * CS_NONE.
 */
double cs_compare(struct cs_sheet *sheet, double p[3][3], uint32_t hint, double enough,
	struct cs_picks *picks);
/*
 * Searches the whole sheet, because among slivers and folds the nearest triangle may be out of
 * reach of the hint. Returns at most `bound`. The picks belong to the smaller bound.
 */
double cs_compare_elsewhere(struct cs_sheet *sheet, double p[3][3], uint32_t hint, double enough,
	double bound, struct cs_picks *picks);
/*
 * Compares p with a list of triangles instead of a sheet. Returns INFINITY when the list is empty.
 */
double cs_compare_loose(const struct cs_loose *loose, double p[3][3], double enough);
