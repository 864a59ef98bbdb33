/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of a patch while it is simplified, and the edge collapse, which is planned, checked and
 * carried out. A "place" is a position of the patch, and its wedges are the distinct vertices
 * there, which differ in attributes. Included only by mesh/simplify.c and its helpers.
 */
#pragma once

#include "mesh/quadric.h"
#include "mesh/simplify.h"

enum {
	CS_PLACE_LOCKED = 1, /* the position is locked: a collapse must not change it */
	CS_PLACE_BORDER = 2, /* the position is an end of an edge with only one triangle */
	CS_PLACE_MANY = 4,   /* the position has more than one wedge */
	CS_PLACE_HUB = 8,    /* the position is locked because it has many triangles */
};

/*
 * A position with at least this many triangles is a hub. It is locked, and collapsing an edge into
 * it never reads all of its triangles, so that the time to simplify a fan is linear.
 */
enum { CS_HUB = 128 };

enum { CS_MOST_BLOCKS = (CS_PATCH_ATTRIBUTES + 3) / 4 };

enum cs_rigour {
	CS_STRICT,       /* a collapse neither changes the topology nor flips a triangle */
	CS_LOOSE_JOINS,  /* a collapse may also close holes or join surfaces */
	CS_LOOSE_NORMALS /* a collapse may also flip triangles */
};

/* A corner (3 * triangle + 0 to 2), and the positions of the next and the previous corner. */
struct cs_ring_corner {
	uint32_t corner, next, last;
};

struct cs_ring {
	struct cs_ring_corner *at;
	uint32_t n;
};

/* The planes of the triangles at all positions merged into a position, without attributes. */
struct cs_planes {
	struct cs_quadric sum; /* sum of the quadrics of the planes, with the position as origin */
	float area;
};

struct cs_collapser {
	const struct cs_patch *patch;
	/* number of blocks of four attributes, up to the last attribute with a weight */
	uint32_t n_blocks;
	cs_four weights[CS_MOST_BLOCKS];
	/* positions are relative to `origin` and divided by `scale` */
	double origin[3], scale;
	struct cs_grid *grid; /* the grid of positions, or NULL when there is none */
	/* scaled coordinates of each position, relative to `origin`. The fourth lane is 0 */
	cs_four *at;
	/* for each position, the cost of moving it, as a quadric whose origin is the position */
	struct cs_quadric *quadrics;
	/* for each position, the planes of its triangles, or NULL without patch->wants_error */
	struct cs_planes *planes;
	/*
	 * largest mean squared distance so far of a kept position from its `planes`, where the unit
	 * of the distance is `scale` units of the mesh
	 */
	float error2;
	float *areas; /* for each wedge, the area of the triangles that use it, in scaled units */
	/*
	 * for each wedge, n_blocks entries: the weighted means of its attributes, extended linearly
	 * from the triangles that use it, as functions of the offset from the wedge's position
	 */
	struct cs_linear *linear;
	float *attributes; /* for each wedge, all its attributes */
	uint32_t *corners; /* 3 wedge indices for each triangle */
	uint32_t *places;  /* index of the position of each wedge */
	/*
	 * rings of corners: `next` of each corner is the next one at its position, and `first` of
	 * each position is one of its corners, or CS_NONE
	 */
	uint32_t *next, *first;
	/*
	 * for each position, the position it was merged into, or itself (`became`), and the value
	 * of `stamp` in the last search that reached the position (`mark`)
	 */
	uint32_t *became, *mark;
	/* for each position, the number (from 1) of the last collapse that changed it, or 0 */
	uint32_t *touched;
	uint32_t *valence; /* for each position, the number of remaining triangles around it */
	uint8_t *flags;    /* CS_PLACE_ flags of each position */
	/* for each wedge, whether its attributes must not change, and whether they have changed */
	bool *fixed, *changed;
	bool *dead; /* for each triangle, whether it was removed */
	uint32_t n_alive, n_collapses, n_forced, n_duplicates, n_dropped, stamp;
	/* corners at the dropped end [0] and at the kept end [1], empty if that is a hub */
	struct cs_ring rings[2];
	/* memory of both rings, with room for all corners of the patch */
	struct cs_ring_corner *ring_corners;
};

/*
 * Largest number of pairs of wedges that one collapse joins. An edge with more, as in a long fan,
 * is not collapsed.
 */
enum { CS_MOST_JOINTS = 2 * CS_HUB };

/* The wedges at the ends of an edge that become one, or CS_NONE for no wedge at that end. */
struct cs_joint {
	uint32_t dropped, kept;
};

struct cs_collapse {
	/* the position that the collapse removes (dropped), and the position that it keeps */
	uint32_t dropped, kept;
	/* sum of the quadrics of both positions, relative to the kept position */
	struct cs_quadric sum;
	/* best point for the merged position, relative to the kept position */
	cs_four to;
	/* grid point for the merged position, relative to the collapser's origin */
	cs_four settled;
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

/* Marks a triangle as removed, and no longer counts it, neither in total nor at its positions. */
static inline void cs_kill(struct cs_collapser *collapser, uint32_t triangle)
{
	collapser->dead[triangle] = true;
	collapser->n_alive--;
	for (uint32_t k = 0; k < 3; k++)
		collapser->valence[cs_place_of(collapser, 3 * triangle + k)]--;
}

/* Returns attributes 4 * `block` to 4 * `block` + 3 of a wedge before any collapse, weighted. */
cs_four cs_weighted_attributes(
	const struct cs_collapser *collapser, uint32_t wedge, uint32_t block);
/* Plans the collapse of the edge from a to b. Returns false if the edge cannot be collapsed. */
bool cs_collapse_plan(
	struct cs_collapser *collapser, uint32_t a, uint32_t b, struct cs_collapse *ret);
/* Returns the cost of merging two positions of one wedge each, without a full plan. */
float cs_collapse_cost(const struct cs_collapser *collapser, uint32_t a, uint32_t b);
/* Computes the costs of four edges whose ends are unlocked and not merged with any position. */
void cs_first_prices(
	const struct cs_collapser *collapser, const uint32_t (*ends)[2], float costs_ret[4]);
bool cs_collapse_allowed(
	struct cs_collapser *collapser, const struct cs_collapse *collapse, enum cs_rigour rigour);
void cs_collapse_apply(struct cs_collapser *collapser, const struct cs_collapse *collapse);

/* ---- the grid of positions (mesh/settle.c) ---- */

/* Makes the grid of the patch's positions if patch->step > 0. Returns false without memory. */
bool cs_settle_begin(struct cs_collapser *collapser, struct cs_scratch *scratch);
/*
 * Sets plan->settled to a grid point near the best point of the merged position, such that no other
 * position is at that grid point. If there is none, changes plan->to to one end of the edge and
 * uses the grid point of that end.
 */
void cs_settle(const struct cs_collapser *collapser, struct cs_collapse *plan);
/* Records in the grid that the kept position moved to plan->settled. */
void cs_settle_kept(struct cs_collapser *collapser, const struct cs_collapse *plan);
/* Returns the grid point of a position, or the position itself when there is no grid. */
cs_four cs_settled(const struct cs_collapser *collapser, uint32_t place);
/* Removes triangles that have two corners at one grid point. */
void cs_settle_end(struct cs_collapser *collapser);

/*
 * Removes surplus copies of triangles, since strict collapses cannot remove coincident triangles.
 * Returns false when memory runs out.
 */
bool cs_drop_duplicates(struct cs_collapser *collapser, struct cs_scratch *scratch);
/*
 * Removes duplicate triangles before the first collapse. Also removes pairs of coincident triangles
 * of opposite winding. A pair is removed only if each of its edges also belongs to a triangle that
 * is in no such pair or is outside the patch. Returns false when memory runs out.
 */
bool cs_drop_doubles(struct cs_collapser *collapser, struct cs_scratch *scratch);
bool cs_drop_pieces(struct cs_collapser *collapser, uint32_t target, struct cs_scratch *scratch);
