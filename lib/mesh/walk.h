/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes the map from a patch (A) to the patch that it was simplified into (B): for each position
 * of A the triangle of B with its image, and for each edge of A the edges of B that its path
 * crosses.
 */
#pragma once

#include "mesh/deviation.h"
#include "mesh/vector.h"

enum { CS_TURN = 32 /* most edges that one turn around a position crosses */ };

/* The path of an edge of A across the triangles of B. */
struct cs_way {
	uint32_t first, n;   /* range of cs_walker.crossings and .spots */
	uint32_t start, end; /* triangles of B in which the path starts and ends */
	/* largest distance of a crossing from its image; INFINITY when there is no path */
	float farthest;
	/* whether the edge is a border edge of A whose path follows the border of B */
	bool along_border;
	/* error and bound of the crossed triangles; 0 at first, raised by deviation.c */
	float error, through;
};

/* A crossing of an edge of B by the path `way`: the point at fraction t of the edge of A. */
struct cs_crossing_at {
	double t;
	uint32_t way;
};

struct cs_walker {
	const struct cs_deviation *deviation;
	double origin[3];
	double (*a)[3], (*b)[3]; /* positions of A and B relative to `origin`, which is near both */
	uint32_t *corners_a;     /* 3 indices of positions for each triangle of A */
	/* for each position of B, a corner there, or CS_NONE when no triangle uses it */
	uint32_t *around;
	struct cs_plane *sides; /* for each edge of B, the plane that separates its two triangles */
	/* for each position of B, the border edges that begin and end there, or CS_NONE */
	uint32_t *leaving, *coming;
	bool *passed; /* for each position of B, whether the path of a border edge of A passes it */
	bool *fixed;  /* for each position of A, whether B has the same position */
	/* for each position of A, the triangle of B that contains its image, or CS_NONE */
	uint32_t *home;
	/* for each position of A, the border edge of B that contains its image, or CS_NONE */
	uint32_t *home_edge;
	float *apart;        /* for each position of A, the distance between it and its image */
	struct cs_way *ways; /* one path across B for each edge of A */
	/* for each half-edge of A, 2 * the number of its path, + 1 if it is reversed */
	uint32_t *way_of;
	/* edges of B, each as the lower number of its two half-edges */
	uint32_t *crossings;
	struct cs_crossing_at *spots; /* one for each entry of `crossings` */
	uint32_t at_way;              /* number of the path that is being followed */
	uint32_t n_ways, n_crossings, most_crossings;
};

/* Finds the images of all positions and the paths of all edges. False without memory. */
bool cs_walk_all(
	const struct cs_deviation *deviation, struct cs_scratch *scratch, struct cs_walker *ret);
/*
 * Lists the edges of B that end at `place` and are crossed on a turn around it from triangle `from`
 * to triangle `to`, in the direction with fewer edges. Returns their number, or CS_NONE when there
 * is no such turn.
 */
uint32_t cs_walk_turn(const struct cs_walker *walker, uint32_t from, uint32_t to, uint32_t place,
	uint32_t edges[CS_TURN]);
/* Returns the lower number of an edge and its opposite edge. */
static inline uint32_t cs_lower_edge(const uint32_t *opposite, uint32_t edge)
{
	return opposite[edge] < edge ? opposite[edge] : edge;
}
