/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the images of the places and edges of a patch (A) on the patch that it was simplified into
 * (B): the triangle of B that contains the image of a place, and the edges of B that the path of an
 * edge of A crosses.
 */
#pragma once

#include "mesh/deviation.h"
#include "mesh/vector.h"

enum { CS_TURN = 32 /* the longest turn around a place of B, in triangles */ };

/* The path of an edge of A across the triangles of B. */
struct cs_way {
	uint32_t first, n;   /* range of cs_walker.crossings */
	uint32_t start, end; /* triangles of B where the path begins and ends */
	/* the largest distance of a crossing from its image; INFINITY when there is no path */
	float farthest;
	bool along_border; /* whether a border edge of A has a path along the border of B */
	/* error and bound that deviation.c gives to the crossed triangles, initially 0 */
	float error, through;
};

/* A crossing of an edge of B by path `way`, at the fraction t of the edge of A. */
struct cs_crossing_at {
	double t;
	uint32_t way;
};

struct cs_walker {
	const struct cs_deviation *deviation;
	double origin[3];
	double (*a)[3], (*b)[3]; /* places of A and B relative to the origin, which is near both */
	uint32_t *corners_a;     /* 3 places for each triangle of A */
	/* for each place of B, a corner at it, or CS_NONE when B doesn't use it */
	uint32_t *around;
	struct cs_plane *sides; /* for each edge of B, the plane through it */
	/* For each place of B, the border edges of B that begin and end at it, or CS_NONE. */
	uint32_t *leaving, *coming;
	bool *passed;   /* for each place of B, whether the path of a border edge of A passes it */
	bool *fixed;    /* for each place of A, whether B has it at the same position */
	uint32_t *home; /* for each place of A, the triangle of B with its image, or CS_NONE */
	/* for each place of A, the border edge of B with its image, or CS_NONE */
	uint32_t *home_edge;
	float *apart;        /* for each place of A, its distance from its image */
	struct cs_way *ways; /* paths across mesh B, one for each edge of mesh A */
	/*
	 * for each half-edge of A, 2 * the number of its path, + 1 if the path is traversed
	 * backwards
	 */
	uint32_t *way_of;
	uint32_t *crossings;          /* edges of B, the lower of the two half-edges */
	struct cs_crossing_at *spots; /* one for each entry of `crossings` */
	uint32_t at_way;              /* number of the path that is followed now */
	uint32_t n_ways, n_crossings, most_crossings;
};

/* Finds the images of all places and the paths of all edges. Returns false without memory. */
bool cs_walk_all(
	const struct cs_deviation *deviation, struct cs_scratch *scratch, struct cs_walker *ret);
/*
 * Lists the edges at a place of B that are crossed on a turn around it from one of its triangles to
 * another, in the direction with fewer edges. Returns their number, or CS_NONE when there is no
 * turn.
 */
uint32_t cs_walk_turn(const struct cs_walker *walker, uint32_t from, uint32_t to, uint32_t place,
	uint32_t edges[CS_TURN]);
/* Returns the lower of an edge and its opposite. */
static inline uint32_t cs_lower_edge(const uint32_t *opposite, uint32_t edge)
{
	return opposite[edge] < edge ? opposite[edge] : edge;
}
