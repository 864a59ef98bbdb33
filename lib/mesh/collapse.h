/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of a patch while it is simplified, and one collapse, which is planned, checked and
 * carried out. Only mesh/simplify.c and its helpers include it.
 */
#pragma once

#include "mesh/quadric.h"
#include "mesh/simplify.h"

enum {
	CS_PLACE_LOCKED = 1, /* keeps its position */
	CS_PLACE_BORDER = 2, /* is on an edge with one triangle */
	CS_PLACE_MANY = 4,   /* has more than one wedge */
	CS_PLACE_HUB = 8,    /* is locked because of the many triangles around it */
};

/*
 * A place with at least this many triangles is a hub. It keeps its position, and a collapse into it
 * never reads all of its triangles, so that the time for a fan is linear in its triangles.
 */
enum { CS_HUB = 128 };

enum { CS_MOST_BLOCKS = (CS_PATCH_ATTRIBUTES + 3) / 4 };

enum cs_rigour {
	CS_STRICT,       /* a collapse changes no topology, and turns no triangle over */
	CS_LOOSE_JOINS,  /* a collapse may also close holes and make sheets touch */
	CS_LOOSE_NORMALS /* a collapse may also turn triangles over */
};

/* A corner (3 for each triangle) at a place, and the places of the two corners after it. */
struct cs_ring_corner {
	uint32_t corner, next, last;
};

struct cs_ring {
	struct cs_ring_corner *at;
	uint32_t n;
};

/* The planes that a place represents, without attributes. */
struct cs_planes {
	struct cs_quadric sum; /* sum of the planes, relative to the place */
	float area;
};

struct cs_collapser {
	const struct cs_patch *patch;
	uint32_t n_blocks; /* blocks of four attributes that contain all attributes with a weight */
	cs_four weights[CS_MOST_BLOCKS];
	/* a length in scaled coordinates times `scale` is the length in units of the mesh */
	double origin[3], scale;
	struct cs_grid *grid; /* the grid of positions; NULL when there is none */
	/* for each place, its scaled position from the origin; the last component is 0 */
	cs_four *at;
	/*
	 * for each place, relative to it: the cost that remains when every attribute has its best
	 * value
	 */
	struct cs_quadric *quadrics;
	struct cs_planes *planes; /* planes of each place; NULL when no error is wanted */
	float error2; /* largest mean squared distance from planes of any collapse so far */
	float *areas; /* for each wedge, the area of the triangles around it */
	/*
	 * n_blocks for each wedge: the weighted mean of its attributes over those triangles,
	 * relative to its place
	 */
	struct cs_linear *linear;
	float *attributes; /* for each wedge, all its attributes */
	uint32_t *corners; /* 3 wedges for each triangle */
	uint32_t *places;  /* place of each wedge */
	/*
	 * rings of the corners at each place: the next corner of each corner, the first of each
	 * place
	 */
	uint32_t *next, *first;
	/* for each place: the place that it was merged into, and a mark for searches */
	uint32_t *became, *mark;
	uint32_t *touched; /* for each place, the last collapse that changed it, counted from 1 */
	uint32_t *valence; /* for each place, the living triangles around it */
	uint8_t *flags;    /* CS_PLACE_ flags of each place */
	bool *fixed, *changed; /* for each wedge, whether it may not change, and whether it did */
	bool *dead;            /* for each triangle, whether it was removed */
	uint32_t n_alive, n_collapses, n_forced, n_duplicates, n_dropped, stamp;
	/* rings of the two ends of the planned collapse; empty for a kept hub */
	struct cs_ring rings[2];
	struct cs_ring_corner *ring_corners; /* memory of both rings, with room for all corners */
};

/* Most pairs of wedges that one collapse joins; two places have more only in long fans. */
enum { CS_MOST_JOINTS = 2 * CS_HUB };

/* Two wedges, one at each end of the edge, that become one wedge; CS_NONE: no wedge at that end. */
struct cs_joint {
	uint32_t dropped, kept;
};

struct cs_collapse {
	uint32_t dropped, kept; /* the place that the collapse removes, and the one that it keeps */
	struct cs_quadric sum;  /* sum of the quadrics of both places, relative to the kept place */
	cs_four to;             /* the best position, relative to the kept place */
	cs_four settled;        /* the best position on the grid, from the origin */
	float cost;
	uint32_t n_joints;
	struct cs_joint joints[CS_MOST_JOINTS];
};

static inline uint32_t cs_place_of(const struct cs_collapser *collapser, uint32_t corner)
{
	return collapser->places[collapser->corners[corner]];
}

static inline bool cs_is_hub(const struct cs_collapser *collapser, uint32_t place)
{
	return collapser->flags[place] & CS_PLACE_HUB;
}

static inline struct cs_linear *cs_linear_of(const struct cs_collapser *collapser, uint32_t wedge)
{
	return collapser->linear + (size_t)wedge * collapser->n_blocks;
}

/* Removes a triangle. */
static inline void cs_kill(struct cs_collapser *collapser, uint32_t triangle)
{
	collapser->dead[triangle] = true;
	collapser->n_alive--;
	for (uint32_t k = 0; k < 3; k++)
		collapser->valence[cs_place_of(collapser, 3 * triangle + k)]--;
}

/* Returns four attributes of a wedge as the patch has them, times their weights. */
cs_four cs_weighted_attributes(
	const struct cs_collapser *collapser, uint32_t wedge, uint32_t block);
/*
 * Plans merging places a and b: computes the position and the cost. Returns false when they cannot
 * be merged.
 */
bool cs_collapse_plan(
	struct cs_collapser *collapser, uint32_t a, uint32_t b, struct cs_collapse *ret);
/* Returns only the cost, faster than cs_collapse_plan(), for places with one wedge each. */
float cs_collapse_cost(const struct cs_collapser *collapser, uint32_t a, uint32_t b);
/*
 * Computes the costs of four edges, each given by its two places, into which nothing was merged
 * yet. No place is locked.
 */
void cs_first_prices(
	const struct cs_collapser *collapser, const uint32_t (*ends)[2], float costs_ret[4]);
bool cs_collapse_allowed(
	struct cs_collapser *collapser, const struct cs_collapse *collapse, enum cs_rigour rigour);
void cs_collapse_apply(struct cs_collapser *collapser, const struct cs_collapse *collapse);

/* ---- the grid (mesh/settle.c) ---- */

/* Puts the places of the patch on the grid. Returns false without memory. */
bool cs_settle_begin(struct cs_collapser *collapser, struct cs_scratch *scratch);
/*
 * Finds the position on the grid for the planned place: one of the ends when another place already
 * has that position.
 */
void cs_settle(const struct cs_collapser *collapser, struct cs_collapse *plan);
/* Puts the kept place that was moved on the grid. */
void cs_settle_kept(struct cs_collapser *collapser, const struct cs_collapse *plan);
/* Returns the position of a place on the grid, or its best position when there is no grid. */
cs_four cs_settled(const struct cs_collapser *collapser, uint32_t place);
/* Removes triangles that have two places with the same position. */
void cs_settle_end(struct cs_collapser *collapser);

/* Removes triangles where nothing may collapse (mesh/thin.c). Returns false without memory. */
bool cs_drop_duplicates(struct cs_collapser *collapser, struct cs_scratch *scratch);
/*
 * Removes duplicates before anything collapses, and also pairs of triangles that face away from
 * each other where the rest of the patch has all three edges, so that only the inside of a triangle
 * is lost. Returns false without memory.
 */
bool cs_drop_doubles(struct cs_collapser *collapser, struct cs_scratch *scratch);
bool cs_drop_pieces(struct cs_collapser *collapser, uint32_t target, struct cs_scratch *scratch);
