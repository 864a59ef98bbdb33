/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The grid of positions. A mesh and all levels made of it share one grid, with a step of
 * 2^-precision units of the mesh. A mesh is put on the grid before its DAG is built, and every
 * position that simplifying chooses lies on it. So the written positions are the built ones, and
 * equal positions stay equal.
 */
#pragma once

#include <cellscope/dag.h>

#include "cluster/dag_internal.h"

enum { CS_GRID_BITS = 21 }; /* bits that a cluster stores its positions with on each axis */

/* Returns E_SETTING for a precision that is neither CS_PRECISION_AUTO nor one of -120 to 120. */
struct cs_error *cs_grid_check(int32_t precision) CS_MUST_USE;
/*
 * Returns E_SETTING when a precision was asked for (not CS_PRECISION_AUTO), and the finest that is
 * possible is coarser.
 */
struct cs_error *cs_grid_check_finest(int32_t wanted, int finest) CS_MUST_USE;
/*
 * Guesses a precision from the boxes of the leaf clusters, so that a box of geometric mean size is
 * a few hundred grid steps across.
 */
int cs_grid_guess(const struct cs_box_f *leaves, uint32_t n);
/* Returns whether the box has less than 2^21 steps on each axis, at positions that fit 32 bits. */
bool cs_grid_fits(const struct cs_box_f *box, int precision);

/*
 * Returns the finest precision that is at most `precision` and that the mesh can be put on
 * (cs_mesh_round).
 */
int cs_grid_of_mesh(const struct cs_mesh *mesh, int precision);

/* A mesh on a grid. It shares the arrays that did not change with the mesh that it was made of. */
struct cs_rounded {
	struct cs_mesh *mesh;
	float *errors; /* for each vertex, how far it was moved in units of the mesh */
	/* triangles left out because two of their corners have the same position now */
	uint32_t n_dropped;
	/*
	 * For each triangle, the distance to the farthest point of the flat triangles that are
	 * charged to it, in units of the mesh. NULL when none is flat.
	 */
	float *charged;
	float most_charged; /* largest number in `charged` */
	int precision;
	struct cs_box_f room; /* positions in this box fit the grid */
};

/*
 * Puts the mesh on a grid of the wanted precision, or with CS_PRECISION_AUTO of the precision that
 * suits the leaves, but at most the finest precision that floats can represent and a root cluster
 * can store. Returns E_SETTING when a finer precision is wanted, E_MESH when no triangle is left.
 */
struct cs_error *cs_mesh_round(const struct cs_mesh *mesh, const struct cs_box_f *leaves,
	uint32_t n_leaves, int32_t wanted, struct cs_rounded *ret) CS_MUST_USE;
/* Returns how many triangles of the mesh are flat when its vertices have these positions. */
uint32_t cs_count_flat(const struct cs_mesh *mesh, const float *positions);
/* Leaves out n_dropped flat triangles of the source, and charges them to kept ones. */
struct cs_error *cs_drop_flat(const struct cs_mesh *source, struct cs_rounded *rounded) CS_MUST_USE;
void cs_rounded_deinit(struct cs_rounded *rounded, const struct cs_mesh *of);
