/* SPDX-License-Identifier: Apache-2.0 */
/* Bounding the distance of one triangle from a sheet of triangles. */
#ifndef MESH_COMPARE_H
#define MESH_COMPARE_H

#include "base/scratch.h"
#include "mesh/distance.h"

enum { CS_QUARTERINGS = 4 };

/* What is compared with. */
struct cs_sheet {
	uint32_t n;
	double (*places)[3];
	const uint32_t *corners;  /* 3 places a triangle */
	const uint32_t *opposite; /* its edges, as cs_pair_edges gives them */
	const float *errors;      /* by triangle, added to distances; NULL = none */
	uint32_t *stamps, stamp;  /* by triangle: working storage */
	/* for asking without a hint: made when needed */
	float *positions;
	struct cs_surface surface;
	struct cs_scratch *scratch;
	bool no_memory;
};

/* Triangles of the sheet that stood for the pieces of a triangle. */
struct cs_picks {
	uint32_t n, triangles[1 << 2 * CS_QUARTERINGS];
};

bool cs_sheet_init(uint32_t n, uint32_t n_places, struct cs_scratch *scratch, struct cs_sheet *ret);
void cs_sheet_deinit(struct cs_sheet *sheet);
/*
 * How far any point of the triangle p is from the sheet, with the sheet's errors there, at most.
 * `hint` is a triangle of the sheet near it, or CS_NONE; a bound of `enough` is not made tighter.
 */
double cs_compare(struct cs_sheet *sheet, double p[3][3], uint32_t hint, double enough,
	struct cs_picks *picks);

#endif
