/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Making a patch of triangles coarser by quadric edge collapse with attributes.
 *
 * A patch has places (positions) and wedges (what the corners at one place that agree in all
 * attributes share). Locked places stay where they are, with their attributes, and so do all edges
 * between them: patches that were simplified apart still fit together. Where there is a grid all
 * places lie on it, before and after, and no two places come to lie on each other.
 */
#pragma once

#include <cellscope/core.h>

#include "core/scratch.h"

enum { CS_PATCH_ATTRIBUTES = 15 };

struct cs_patch {
	uint32_t n_triangles, n_wedges, n_places, n_attributes;
	uint32_t *corners;  /* 3 wedges a triangle, at three places */
	uint32_t *opposite; /* 3 a triangle: its edges, as cs_pair_edges gives them */
	uint8_t *materials; /* by triangle */
	uint32_t *places;   /* by wedge */
	float *attributes;  /* n_attributes by wedge */
	float *positions;   /* 3 by place */
	float *exact;       /* 3 by place: positions before rounding; NULL = not rounded */
	uint8_t *locked;    /* by place */
	uint32_t n_outer;   /* number of edges that the patch shares with triangles outside */
	uint32_t *outer;    /* 2 places by such an edge, from and to; all of them are locked */
	bool wants_error;   /* whether quadric_error is computed */
	double step;        /* of the grid that all places are on, in units; 0 = no grid */
	float room_min[3], room_max[3]; /* places that the grid can hold */
	/* by attribute: the length in units that a difference of 1 counts as; 0 = not at all */
	float weights[CS_PATCH_ATTRIBUTES];
};

/* Numbers of places, wedges and triangles are those of the patch. Memory is the scratch's. */
struct cs_simplified {
	uint32_t n_triangles;
	uint32_t *triangles; /* numbers of the triangles that are left, ascending */
	uint32_t *corners;   /* 3 wedges by triangle that is left */
	uint32_t *places;    /* by wedge in use */
	float *positions;    /* 3 by place in use, on the grid */
	float *exact;        /* 3 by place in use, before rounding */
	float *attributes;   /* n_attributes by wedge in use */
	uint32_t *became;    /* by place: the place that it was merged into, in the end */
	/* of all collapses the largest root mean square distance from the planes it stands for */
	float quadric_error;
	uint32_t n_forced;     /* collapses that broke a rule of topology or turned a triangle */
	uint32_t n_duplicates; /* triangles that lay on another one */
	uint32_t n_dropped;    /* triangles of pieces that were taken away whole */
};

/*
 * Collapses the cheapest edges until at most `target` triangles are left or none can go. False
 * without memory.
 */
bool cs_simplify(const struct cs_patch *patch, uint32_t target, struct cs_scratch *scratch,
	struct cs_simplified *ret);
