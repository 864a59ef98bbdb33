/* SPDX-License-Identifier: Apache-2.0 */
/* A sheet: connected triangles that can be searched for the triangles near a point. */
#pragma once

#include "core/scratch.h"
#include "mesh/distance.h"
#include "mesh/facet.h"
#include "mesh/vector.h"

/* A list of unconnected triangles, each with its error (its distance from the source mesh). */
enum { CS_LOOSE_TRIANGLES = 512 };
struct cs_loose {
	uint32_t n;
	float errors[CS_LOOSE_TRIANGLES];
	/*
	 * for each triangle from cluster/finer.h, its flag that no further comparison is needed,
	 * which the comparison sets, or NULL for other triangles
	 */
	bool *done[CS_LOOSE_TRIANGLES];
	double corners[CS_LOOSE_TRIANGLES][3][3];
};

/* Array indices of spheres around triangles: 0 to 2 for x, y, z of the centre, 3 for the radius. */
enum { CS_BALL_RADIUS = 3, CS_BALL_ROWS };

struct cs_sheet {
	uint32_t n;
	double (*places)[3];
	const uint32_t *corners;  /* 3 indices into `places` for each triangle */
	const uint32_t *opposite; /* opposite edge of each edge (cs_pair_edges) */
	const float *errors; /* error of each triangle, added to distances, or NULL if all are 0 */
	/* plane through each edge (see drape.c). If NULL, `made` gets planes when first needed */
	const struct cs_plane *sides;
	struct cs_plane *made;
	bool *is_made; /* for each edge, whether `made` contains the edge's plane */
	/* number of the last search that reached each triangle, and of the current search */
	uint32_t *stamps, stamp;
	uint64_t quarterings; /* how many triangles may still be quartered */
	/*
	 * number of searches without a hint so far. The spheres `balls` and the tree `surface` are
	 * made when searches first need them.
	 */
	uint32_t n_asked;
	float *balls[CS_BALL_ROWS];
	/* for each triangle, the distance of its sphere from the point of the last search */
	float *least;
	/* working memory of mesh_compare.c: triangles near the compared one */
	struct cs_loose *near;
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

/* Returns the squared distance of p from one triangle of the sheet. */
double cs_sheet_distance2(const struct cs_sheet *sheet, const double p[3], uint32_t triangle);
/* Returns the triangle nearest to p among `hint` and some triangles connected to it by edges. */
uint32_t cs_sheet_nearest_around(struct cs_sheet *sheet, const double p[3], uint32_t hint);
/*
 * Returns the triangle of the sheet nearest to p. After many searches it uses a tree and measures a
 * limited number of triangles: *exact_ret is then false, because another triangle may be nearer.
 */
uint32_t cs_sheet_nearest(struct cs_sheet *sheet, const double p[3], bool *exact_ret);
