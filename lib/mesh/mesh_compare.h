/* SPDX-License-Identifier: Apache-2.0 */
/* Bounding the distance of one triangle from a sheet of triangles. */
#ifndef MESH_MESH_COMPARE_H
#define MESH_MESH_COMPARE_H

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
	uint64_t quarterings;     /* that may still be made */
	/* for asking without a hint: times, and a tree that is made when needed */
	uint32_t n_asked;
	float *positions;
	struct cs_surface surface;
	struct cs_scratch *scratch;
	bool no_memory;
};

/* Triangles of the sheet that stood for the pieces of a triangle. */
struct cs_picks {
	uint32_t n, triangles[1 << 2 * CS_QUARTERINGS];
};

/* Cuts a triangle at the middles of its edges. */
void cs_quarter(double p[3][3], double ret[4][3][3]);

/* Triangles by themselves, each with an error. */
enum { CS_LOOSE_TRIANGLES = 512 };
struct cs_loose {
	uint32_t n;
	float errors[CS_LOOSE_TRIANGLES];
	double corners[CS_LOOSE_TRIANGLES][3][3];
};

bool cs_sheet_init(uint32_t n, uint32_t n_places, struct cs_scratch *scratch, struct cs_sheet *ret);
void cs_sheet_deinit(struct cs_sheet *sheet);
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
