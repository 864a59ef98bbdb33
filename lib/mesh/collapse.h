/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of a patch while it is simplified, and one collapse: planned, checked, carried out.
 * For mesh/simplify.c and its helpers alone.
 */
#pragma once

#include "mesh/quadric.h"
#include "mesh/simplify.h"

enum {
	CS_PLACE_LOCKED = 1, /* stays where it is */
	CS_PLACE_BORDER = 2, /* on an edge with one triangle */
	CS_PLACE_MANY = 4,   /* has more than one wedge */
	CS_PLACE_HUB = 8,    /* locked because of the many triangles around it */
};

/*
 * Triangles around a place from which on it is a hub: it stays where it is, and what collapses into
 * it never looks at all of them, so that the time of a fan is linear in its triangles.
 */
enum { CS_HUB = 128 };

enum { CS_MOST_BLOCKS = (CS_PATCH_ATTRIBUTES + 3) / 4 };

enum cs_rigour {
	CS_STRICT,       /* the surface stays what it is, no triangle turns over */
	CS_LOOSE_JOINS,  /* holes may close, sheets may touch */
	CS_LOOSE_NORMALS /* triangles may turn over as well */
};

/* A corner (3 a triangle) at a place, and the places of the two after it. */
struct cs_ring_corner {
	uint32_t corner, next, last;
};

struct cs_ring {
	struct cs_ring_corner *at;
	uint32_t n;
};

/* The planes that a place stands for, without attributes. */
struct cs_planes {
	struct cs_quadric sum; /* from the place */
	float area;
};

struct cs_collapser {
	const struct cs_patch *patch;
	uint32_t n_blocks; /* of four attributes: as many as hold all that weigh in */
	cs_four weights[CS_MOST_BLOCKS];
	double origin[3], scale;     /* what is measured in here is so much the length outside */
	struct cs_grid *grid;        /* that places are on; NULL = none */
	cs_four *at;                 /* by place, from the origin, scaled; last 0 */
	struct cs_quadric *quadrics; /* by place, from there: what stays when attributes are best */
	struct cs_planes *planes;    /* by place; NULL when no error is wanted */
	float error2;                /* the largest mean square distance from planes so far */
	float *areas;                /* by wedge: of the triangles around it */
	/* n_blocks by wedge: the mean of its attributes over those triangles, weighted, from its
	 * place */
	struct cs_linear *linear;
	float *attributes;       /* by wedge, all of them */
	uint32_t *corners;       /* 3 wedges a triangle */
	uint32_t *places;        /* by wedge */
	uint32_t *next, *first;  /* ring of corners around a place, by corner and by place */
	uint32_t *became, *mark; /* by place */
	uint32_t *touched;       /* by place: the last collapse that changed it, from 1 */
	uint32_t *valence;       /* by place: living triangles around it */
	uint8_t *flags;          /* by place */
	bool *fixed, *changed;   /* by wedge: may not change, did change */
	bool *dead;              /* by triangle */
	uint32_t n_alive, n_collapses, n_forced, n_duplicates, n_dropped, stamp;
	struct cs_ring rings[2]; /* of the two ends of the planned collapse; none of a kept hub */
	struct cs_ring_corner *ring_corners; /* of both: no more than there are */
};

enum { CS_MOST_JOINTS = 2 * CS_HUB }; /* no more wedges are around two places, but for long fans */

/* Wedges of the two ends that become one; CS_NONE where one end has no part in it. */
struct cs_joint {
	uint32_t dropped, kept;
};

struct cs_collapse {
	uint32_t dropped, kept; /* places */
	struct cs_quadric sum;  /* of both, from the kept one */
	cs_four to;             /* the best place, from there */
	cs_four settled;        /* that on the grid, from the origin */
	float cost;
	uint32_t n_joints;
	struct cs_joint joints[CS_MOST_JOINTS];
};

static inline uint32_t cs_place_of(const struct cs_collapser *c, uint32_t corner)
{
	return c->places[c->corners[corner]];
}

static inline bool cs_is_hub(const struct cs_collapser *c, uint32_t place)
{
	return c->flags[place] & CS_PLACE_HUB;
}

static inline struct cs_linear *cs_linear_of(const struct cs_collapser *c, uint32_t wedge)
{
	return c->linear + (size_t)wedge * c->n_blocks;
}

/* Takes a triangle away. */
static inline void cs_kill(struct cs_collapser *c, uint32_t triangle)
{
	c->dead[triangle] = true;
	c->n_alive--;
	for (uint32_t k = 0; k < 3; k++)
		c->valence[cs_place_of(c, 3 * triangle + k)]--;
}

/* Four attributes of a wedge as the patch has them, times their weights. */
cs_four cs_weighted_attributes(const struct cs_collapser *c, uint32_t wedge, uint32_t block);
/* Where merging a and b would put them and what it would cost; false when it cannot be done. */
bool cs_collapse_plan(struct cs_collapser *c, uint32_t a, uint32_t b, struct cs_collapse *ret);
/* The same without the joints, for places with one wedge each: the quick form. */
float cs_collapse_cost(const struct cs_collapser *c, uint32_t a, uint32_t b);
/*
 * The same of four edges, by their two ends each, as long as nothing was merged into those; none
 * of them is locked.
 */
void cs_first_prices(const struct cs_collapser *c, const uint32_t (*ends)[2], float costs_ret[4]);
bool cs_collapse_allowed(
	struct cs_collapser *c, const struct cs_collapse *collapse, enum cs_rigour rigour);
void cs_collapse_apply(struct cs_collapser *c, const struct cs_collapse *collapse);

/* ---- the grid (mesh/settle.c) ---- */

/* Puts the places of the patch down. False without memory. */
bool cs_settle_begin(struct cs_collapser *c, struct cs_scratch *scratch);
/* Finds where the planned place comes to lie: one of the ends where another place is there. */
void cs_settle(const struct cs_collapser *c, struct cs_collapse *plan);
/* Puts the kept place down that was moved. */
void cs_settle_kept(struct cs_collapser *c, const struct cs_collapse *plan);
/* Where a place lies; without a grid where it is best. */
cs_four cs_settled(const struct cs_collapser *c, uint32_t place);
/* Takes triangles away whose places lie on each other, though they are two. */
void cs_settle_end(struct cs_collapser *c);

/* What helps where nothing may collapse (mesh/thin.c). False without memory. */
bool cs_drop_duplicates(struct cs_collapser *c, struct cs_scratch *scratch);
/*
 * Before anything collapses: the same, and pairs that turn their backs to each other where the rest
 * of the patch has all three edges, so that nothing but the inside of a triangle is lost. False
 * without memory.
 */
bool cs_drop_doubles(struct cs_collapser *c, struct cs_scratch *scratch);
bool cs_drop_pieces(struct cs_collapser *c, uint32_t target, struct cs_scratch *scratch);
