/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The grid of positions: one for a mesh and all levels made of it, with a step of 2^-precision. A
 * mesh is put on it before its DAG is built, and every place that simplifying makes lies on it; so
 * what is written is what was built, and equal places stay equal.
 */
#pragma once

#include <cellscope/dag.h>

#include "cluster/dag_internal.h"

enum { CS_GRID_BITS = 21 }; /* of an axis of a cluster */

/* E_SETTING for a precision that is neither CS_PRECISION_AUTO nor one of -120 to 120. */
struct cs_error *cs_grid_check(int32_t precision) CS_MUST_USE;
/* From the boxes of the leaf clusters: their geometric mean has some hundred steps across. */
int cs_grid_guess(const struct cs_box_f *leaves, uint32_t n);
/* Whether the box has less than 2^21 steps an axis, at places that 32 bits can tell. */
bool cs_grid_fits(const struct cs_box_f *box, int precision);

/* The finest that is no finer than `precision`, and that the mesh can have (cs_mesh_round). */
int cs_grid_of_mesh(const struct cs_mesh *mesh, int precision);

/* A mesh on a grid. Arrays that did not change are those of the mesh it was made of. */
struct cs_rounded {
	struct cs_mesh *mesh;
	float *errors;      /* by vertex: how far it was moved */
	uint32_t n_dropped; /* triangles left out: two of their corners fell together */
	/* by triangle: how far any part of those is from it that it stands for; NULL = none is */
	float *charged;
	float most_charged; /* the largest of them */
	int precision;
	struct cs_box_f room; /* places within it fit the grid */
};

/*
 * Chooses the finest grid that is no finer than wanted (CS_PRECISION_AUTO: guessed by the leaves),
 * than floats are that far out, and than a root cluster can tell; and puts the mesh on it. E_MESH
 * when no triangle is left.
 */
struct cs_error *cs_mesh_round(const struct cs_mesh *mesh, const struct cs_box_f *leaves,
	uint32_t n_leaves, int32_t wanted, struct cs_rounded *ret) CS_MUST_USE;
/* How many triangles of the mesh are flat with its vertices at these positions. */
uint32_t cs_count_flat(const struct cs_mesh *mesh, const float *positions);
/* Leaves out n_dropped flat triangles of the source, and charges them to kept ones. */
struct cs_error *cs_drop_flat(const struct cs_mesh *source, struct cs_rounded *rounded) CS_MUST_USE;
void cs_rounded_deinit(struct cs_rounded *rounded, const struct cs_mesh *of);
