/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a patch of triangles coarser by quadric edge collapse with attributes.
 *
 * A patch has places (positions) and wedges (the corners at one place that agree in all attributes
 * share a wedge). Locked places keep their positions and attributes, and all edges between them
 * stay, so patches that were simplified separately still fit together. Where there is a grid, all
 * places are on it, before and after, and no two places get the same position.
 */
#pragma once

#include <cellscope/core.h>

#include "core/scratch.h"

enum { CS_PATCH_ATTRIBUTES = 15 };

struct cs_patch {
	uint32_t n_triangles, n_wedges, n_places, n_attributes;
	uint32_t *corners;  /* 3 wedges for each triangle, at three places */
	uint32_t *opposite; /* pairs of edges, 3 for each triangle, as cs_pair_edges returns them */
	uint8_t *materials; /* material of each triangle */
	uint32_t *places;   /* one for each wedge */
	float *attributes;  /* n_attributes for each wedge */
	float *positions;   /* 3 coordinates for each place */
	/* 3 for each place: positions before rounding; NULL when they were not rounded */
	float *exact;
	uint8_t *locked;  /* one for each place */
	uint32_t n_outer; /* number of edges that the patch shares with triangles outside */
	/* 2 places for each edge shared with triangles outside, from and to, all locked */
	uint32_t *outer;
	bool wants_error; /* whether quadric_error is computed */
	/* step of the grid that all places are on, in units of the mesh; 0 when there is no grid */
	double step;
	float room_min[3], room_max[3]; /* the box of the grid's positions */
	/*
	 * For each attribute, the length in units of the mesh that a difference of 1 counts as, or
	 * 0 to ignore it.
	 */
	float weights[CS_PATCH_ATTRIBUTES];
};

/*
 * A simplified patch. It uses the numbers of places, wedges and triangles of the patch, and scratch
 * memory.
 */
struct cs_simplified {
	uint32_t n_triangles;
	uint32_t *triangles; /* numbers of the remaining triangles, ascending */
	uint32_t *corners;   /* 3 wedges for each remaining triangle */
	uint32_t *places;    /* one for each wedge in use */
	float *positions;    /* 3 for each place in use, on the grid */
	float *exact;        /* 3 for each place in use, before rounding */
	float *attributes;   /* n_attributes for each wedge in use */
	uint32_t *became;    /* for each place, the place that it was merged into in the end */
	/*
	 * The largest root mean square distance of any collapse from the planes that its place
	 * represents, in units of the mesh.
	 */
	float quadric_error;
	uint32_t n_forced;     /* collapses that broke a rule of topology or turned a triangle */
	uint32_t n_duplicates; /* triangles that coincided with another one */
	uint32_t n_dropped;    /* triangles of pieces that were removed as a whole */
};

/*
 * Collapses the cheapest edges until at most `target` triangles are left or no edge can collapse.
 * Returns false without memory.
 */
bool cs_simplify(const struct cs_patch *patch, uint32_t target, struct cs_scratch *scratch,
	struct cs_simplified *ret);
