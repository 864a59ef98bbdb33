/* SPDX-License-Identifier: Apache-2.0 */
/* Bounding the distance of a triangle from a sheet by laying it over the sheet. */
#ifndef MESH_DRAPE_H
#define MESH_DRAPE_H

#include "mesh/sheet.h"

enum { CS_PICKS = 256 };

/* Triangles of the sheet that stood for the pieces of a triangle. */
struct cs_picks {
	uint32_t n, triangles[CS_PICKS];
};
/*
 * How far any point of the triangle p is from the sheet, with the sheet's errors there, at most.
 * `hint` is a triangle of the sheet near it; a bound of `enough` is not made tighter. Adds the
 * triangles that stood for its pieces; *tight_ret = whether there is little to gain by other ones.
 */
double cs_drape(struct cs_sheet *sheet, double p[3][3], uint32_t hint, double enough,
	bool *tight_ret, struct cs_picks *picks);

#endif
