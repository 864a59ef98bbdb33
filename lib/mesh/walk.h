/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finding one's way on a simplified patch (B) with the places and edges of the patch that it was
 * made of (A): where the image of a place lies, and over which edges of B an edge of A leads.
 */
#ifndef MESH_WALK_H
#define MESH_WALK_H

#include "mesh/deviation.h"
#include "mesh/vector.h"

enum { CS_TURN = 32 /* longest turn around a place of B, in triangles */ };

/* Path of an edge of mesh A across the triangles of mesh B. */
struct cs_way {
	uint32_t first, n;   /* in crossings */
	uint32_t start, end; /* triangles of B */
	float farthest;    /* distance of a crossing from its image; INFINITY = no way was found */
	bool along_border; /* of an edge on the border of A: leads along the border of B */
};

struct cs_walker {
	const struct cs_deviation *d;
	double origin[3];
	double (*a)[3], (*b)[3]; /* places of A and B, from the origin, which is near both */
	uint32_t *corners_a;     /* 3 places a triangle of A */
	uint32_t *around;        /* by place of B: a corner there, CS_NONE = not in B */
	struct cs_plane *sides;  /* by edge of B: stands on it */
	/* by place of B: the edges of its border that leave it and come to it, CS_NONE = none */
	uint32_t *leaving, *coming;
	bool *passed;        /* by place of B: a way along the border leads over it */
	bool *fixed;         /* by place of A: it is in B too, where it was */
	uint32_t *home;      /* by place of A: triangle of B with its image, or CS_NONE */
	uint32_t *home_edge; /* by place of A: border edge of B with its image, or CS_NONE */
	float *apart;        /* by place of A: distance from the image; 0 = at the same place */
	struct cs_way *ways; /* by edge of A, at the lower of its two half-edges */
	uint32_t *crossings; /* edges of B, the lower of two half-edges */
	uint32_t n_crossings, most_crossings;
};

/* Finds all images and ways. False without memory. */
bool cs_walk_all(
	const struct cs_deviation *deviation, struct cs_scratch *scratch, struct cs_walker *ret);
/*
 * The edges around a place of B that lead from one triangle at it to another, on the hand where
 * they are fewer; CS_NONE when there is no such turn.
 */
uint32_t cs_walk_turn(const struct cs_walker *w, uint32_t from, uint32_t to, uint32_t place,
	uint32_t edges[CS_TURN]);
/* The lower of an edge and its opposite. */
static inline uint32_t cs_lower_edge(const uint32_t *opposite, uint32_t edge)
{
	return opposite[edge] < edge ? opposite[edge] : edge;
}

#endif
