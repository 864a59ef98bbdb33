/* SPDX-License-Identifier: Apache-2.0 */
/* A sheet: the connected triangles that others are compared with, and searches for near ones. */
#pragma once

#include "core/scratch.h"
#include "mesh/distance.h"
#include "mesh/facet.h"
#include "mesh/vector.h"

/* A list of triangles that are not connected, each with an error. */
enum { CS_LOOSE_TRIANGLES = 512 };
struct cs_loose {
	uint32_t n;
	float errors[CS_LOOSE_TRIANGLES];
	bool *done[CS_LOOSE_TRIANGLES]; /* of finer triangles: set when one is bounded for good */
	double corners[CS_LOOSE_TRIANGLES][3][3];
};

/* Rows of spheres around triangles: x, y, z and the radius. */
enum { CS_BALL_RADIUS = 3, CS_BALL_ROWS };

struct cs_sheet {
	uint32_t n;
	double (*places)[3];
	const uint32_t *corners;      /* 3 places a triangle */
	const uint32_t *opposite;     /* its edges, as cs_pair_edges gives them */
	const float *errors;          /* by triangle, added to distances; NULL = none */
	const struct cs_plane *sides; /* by edge (drape.c); NULL: computed at first use in `made` */
	struct cs_plane *made;
	bool *is_made;           /* by edge: `made` holds its plane */
	uint32_t *stamps, stamp; /* by triangle: working storage */
	uint64_t quarterings;    /* triangles that may still be quartered */
	/* for searches without a hint: their number; spheres and a tree, which are made when needed
	 */
	uint32_t n_asked;
	float *balls[CS_BALL_ROWS];
	float *least; /* by triangle: distance of the last search's point from its sphere */
	struct cs_loose *near; /* working storage */
	float *positions;
	struct cs_surface surface;
	bool no_memory;
};

bool cs_sheet_init(uint32_t n, uint32_t n_places, struct cs_scratch *scratch, struct cs_sheet *ret);
void cs_sheet_deinit(struct cs_sheet *sheet);

static inline double cs_sheet_error(const struct cs_sheet *sheet, uint32_t triangle)
{
	return sheet->errors ? (double)sheet->errors[triangle] : 0;
}

static inline struct cs_facet cs_sheet_facet(const struct cs_sheet *sheet, uint32_t triangle)
{
	const uint32_t *c = sheet->corners + 3 * (size_t)triangle;
	return cs_facet_of(sheet->places[c[0]], sheet->places[c[1]], sheet->places[c[2]]);
}

/* Squared distance of p from one triangle. */
double cs_sheet_distance2(const struct cs_sheet *sheet, const double p[3], uint32_t triangle);
/* The nearest triangle to p, looking around the hint. */
uint32_t cs_sheet_nearest_around(struct cs_sheet *sheet, const double p[3], uint32_t hint);
/*
 * The nearest triangle of all. After many searches it is looked for in a tree with a limit, and
 * *exact_ret is false: another one may be nearer.
 */
uint32_t cs_sheet_nearest(struct cs_sheet *sheet, const double p[3], bool *exact_ret);
