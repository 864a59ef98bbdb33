/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a patch of triangles coarser by quadric edge collapse with attributes.
 *
 * A place is a distinct position of the patch. A wedge is a distinct set of attributes at a place;
 * the corners of triangles there with equal attributes share it. Locked places keep their positions
 * and attributes, and all edges between them stay, so patches that were simplified separately still
 * fit together. With a grid, all places are on the grid before and after, and no two places get the
 * same position.
 */
#pragma once

#include <cellscope/core.h>

#include "core/scratch.h"

enum { CS_PATCH_ATTRIBUTES = 15 };

struct cs_patch {
	uint32_t n_triangles, n_wedges, n_places, n_attributes;
	/* 3 wedge indices for each triangle, of wedges at three different positions */
	uint32_t *corners;
	uint32_t *opposite; /* opposite edge of each edge, 3 for each triangle (cs_pair_edges) */
	uint8_t *materials; /* material of each triangle */
	uint32_t *places;   /* index of the position of each wedge */
	float *attributes;  /* n_attributes floats for each wedge */
	float *positions;   /* 3 coordinates for each position */
	/* 3 coordinates for each position before rounding to the grid, or NULL if not rounded */
	float *exact;
	uint8_t *locked;  /* whether each position is locked */
	uint32_t n_outer; /* number of edges shared with triangles outside the patch */
	/* start and end position, both locked, of each edge shared with outside triangles */
	uint32_t *outer;
	bool wants_error; /* whether to compute cs_simplified.quadric_error */
	/* step of the grid that contains all positions, in units of the mesh, or 0 for no grid */
	double step;
	/* bounding box of the positions that the grid can represent */
	float room_min[3], room_max[3];
	/*
	 * for each attribute, the length in units of the mesh that is weighted like a difference of
	 * 1 in the attribute, or 0 to ignore the attribute
	 */
	float weights[CS_PATCH_ATTRIBUTES];
};

/*
 * A simplified patch. Places (distinct positions), wedges (distinct vertices at a place) and
 * triangles keep the indices that they have in the patch. The arrays are in scratch memory.
 */
struct cs_simplified {
	uint32_t n_triangles;
	uint32_t *triangles; /* indices of the remaining triangles, in ascending order */
	uint32_t *corners;   /* 3 wedge indices for each remaining triangle */
	uint32_t *places;    /* index of the position of each wedge in use */
	float *positions;    /* 3 coordinates for each position in use, on the grid */
	/* 3 coordinates for each position in use, before rounding to the grid */
	float *exact;
	float *attributes; /* n_attributes floats for each wedge in use */
	uint32_t *became;  /* for each position, the position that it was finally merged into */
	/*
	 * largest RMS distance of a merged position from the planes of the triangles that it
	 * represents, in units of the mesh
	 */
	float quadric_error;
	/* number of collapses that changed the topology or flipped a triangle */
	uint32_t n_forced;
	uint32_t n_duplicates; /* number of removed triangles that coincided with another one */
	/* number of triangles removed together with their whole connected piece */
	uint32_t n_dropped;
};

/*
 * Collapses the cheapest edges until at most `target` triangles are left. Returns false when memory
 * runs out.
 */
bool cs_simplify(const struct cs_patch *patch, uint32_t target, struct cs_scratch *scratch,
	struct cs_simplified *ret);
