/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The grid of positions. A mesh and all levels of its DAG share one grid, with a step of
 * 2^-precision units of the mesh. The positions of a mesh are rounded to the grid before its DAG is
 * built, and simplifying chooses only positions on the grid. So encoding does not change any
 * position, and equal positions stay equal.
 */
#pragma once

#include <cellscope/dag.h>

#include "cluster/dag_internal.h"

enum { CS_GRID_BITS = 21 }; /* largest number of bits of a cluster's position on each axis */

/* Returns E_SETTING if the precision is neither CS_PRECISION_AUTO nor in the range -120 to 120. */
struct cs_error *cs_grid_check(int32_t precision) CS_MUST_USE;
/* Returns E_SETTING if the precision `wanted` is finer than `finest`. Accepts CS_PRECISION_AUTO. */
struct cs_error *cs_grid_check_finest(int32_t wanted, int finest) CS_MUST_USE;
/* Returns a precision for which the mean leaf cluster is a few hundred grid steps across. */
int cs_grid_guess(const struct cs_box_f *leaves, uint32_t n);
/*
 * Returns whether the box is less than 2^21 grid steps long on each axis, and whether its
 * coordinates, counted in grid steps, fit into 32 bits.
 */
bool cs_grid_fits(const struct cs_box_f *box, int precision);

/* Returns the finest precision, at most `precision`, that cs_mesh_round supports for the mesh. */
int cs_grid_of_mesh(const struct cs_mesh *mesh, int precision);
/* Returns whether cs_mesh_round supports a grid finer than `precision` for the mesh. */
bool cs_grid_can_be_finer(const struct cs_mesh *mesh, int precision);
/* Returns whether some triangle of the mesh has three different corners on the grid. */
bool cs_grid_keeps_some(const struct cs_mesh *mesh, int precision);

/* A mesh that was rounded to a grid. The arrays that do not change are those of the source mesh. */
struct cs_rounded {
	struct cs_mesh *mesh;
	float *errors; /* for each vertex, how far rounding moved it, in units of the mesh */
	/* number of triangles removed because rounding made two of their corners equal */
	uint32_t n_dropped;
	/*
	 * for each triangle, the largest distance, in units of the mesh, from it to a removed flat
	 * triangle that is charged to it (cluster/flat.c), or NULL when no triangle is flat
	 */
	float *charged;
	float most_charged; /* largest entry of `charged` */
	int precision;
	struct cs_box_f room; /* box of the positions that the grid can represent */
};

/*
 * Rounds the positions of the mesh to a grid of the wanted precision. With CS_PRECISION_AUTO the
 * grid suits the size of the leaf clusters. Returns E_SETTING if the precision is finer than floats
 * can represent or than a root cluster can store, and E_MESH if no triangle is left.
 */
struct cs_error *cs_mesh_round(const struct cs_mesh *mesh, const struct cs_box_f *leaves,
	uint32_t n_leaves, int32_t wanted, struct cs_rounded *ret) CS_MUST_USE;
/* Returns how many triangles of the mesh have two corners at one of the given positions. */
uint32_t cs_count_flat(const struct cs_mesh *mesh, const float *positions);
/* Removes the n_dropped flat triangles. Errors of kept triangles then include them (see flat.c). */
struct cs_error *cs_drop_flat(const struct cs_mesh *source, struct cs_rounded *rounded) CS_MUST_USE;
void cs_rounded_deinit(struct cs_rounded *rounded, const struct cs_mesh *of);
