/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes the map from a patch (A) to the patch that it was simplified into (B): for each position
 * of A the triangle of B with its image, and for each edge of A the edges of B that its path
 * crosses.
 */
#pragma once

#include "mesh/deviation.h"
#include "mesh/vector.h"

enum { CS_TURN = 32 /* largest number of edges that are crossed in one turn around a position */ };

/* The path of an edge of patch A across the triangles of patch B. */
struct cs_way {
	/* the crossings of the path, as a range of indices in cs_walker.crossings and .spots */
	uint32_t first, n;
	uint32_t start, end; /* triangles of patch B in which the path starts and ends */
	/*
	 * largest distance of a crossing from the point it is mapped to, or INFINITY if the edge
	 * has no path
	 */
	float farthest;
	/* whether the edge is a border edge of patch A whose path follows the border of patch B */
	bool along_border;
	/*
	 * about the triangles of patch A beside the edge: their largest error, and the largest
	 * distance by which the map F (deviation.c) moves a point of them. Both are 0 at first
	 */
	float error, through;
};

/* Where path `way` (an index in ways) crosses an edge of B: at fraction t of its edge of A. */
struct cs_crossing_at {
	double t;
	uint32_t way;
};

struct cs_walker {
	const struct cs_deviation *deviation;
	double origin[3];
	/* positions of the patches A and B relative to `origin`, which is near both */
	double (*a)[3], (*b)[3];
	uint32_t *corners_a; /* 3 indices of positions for each triangle of patch A */
	/* for each position of patch B, a triangle corner there, or CS_NONE if it is unused */
	uint32_t *around;
	/* for each edge of patch B, the plane that separates its two triangles */
	struct cs_plane *sides;
	/* for each position of patch B, the border edges that begin and end there, or CS_NONE */
	uint32_t *leaving, *coming;
	/* for each position of patch B, whether the path of a border edge of A leads through it */
	bool *passed;
	bool *fixed; /* for each position of patch A, whether patch B has the same position */
	/*
	 * for each position of patch A, the triangle of patch B to which it is mapped, or CS_NONE
	 */
	uint32_t *home;
	/* for each position of patch A, the border edge of B to which it is mapped, or CS_NONE */
	uint32_t *home_edge;
	/* for each position of patch A, its distance from the point of patch B it is mapped to */
	float *apart;
	struct cs_way *ways; /* one path across patch B for each edge of patch A */
	/*
	 * for each half-edge of patch A, 2 * the index of its path, plus 1 if the path is stored
	 * for the opposite half-edge
	 */
	uint32_t *way_of;
	/*
	 * edges of patch B that paths of A's edges cross, path by path. Of an edge's two half-edges
	 * the lower index is stored
	 */
	uint32_t *crossings;
	struct cs_crossing_at *spots; /* path and position of each entry of `crossings` */
	uint32_t at_way;              /* index of the path that is being followed */
	uint32_t n_ways, n_crossings, most_crossings;
};

/* Maps A's positions to points of B and A's edges to paths. Returns false when memory runs out. */
bool cs_walk_all(
	const struct cs_deviation *deviation, struct cs_scratch *scratch, struct cs_walker *ret);
/*
 * Lists the edges of patch B that end at `place` and are crossed on a turn around it from triangle
 * `from` to triangle `to`, in the direction with fewer edges. Returns their number, or CS_NONE when
 * there is no such turn.
 */
uint32_t cs_walk_turn(const struct cs_walker *walker, uint32_t from, uint32_t to, uint32_t place,
	uint32_t edges[CS_TURN]);
/* Returns the lower of two indices: that of an edge and that of its opposite edge. */
static inline uint32_t cs_lower_edge(const uint32_t *opposite, uint32_t edge)
{
	return opposite[edge] < edge ? opposite[edge] : edge;
}
