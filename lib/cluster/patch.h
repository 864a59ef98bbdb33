/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes patches (mesh/simplify.h) of meshes and clusters: their attributes and the weights of
 * these.
 */
#pragma once

#include <cellscope/dag.h>

#include "mesh/simplify.h"

/*
 * The attributes of a wedge are the normal, the colour (if the mesh has any), and the UVs, in this
 * order.
 */
enum { CS_NORMAL_FLOATS = 3, CS_COLOR_FLOATS = 4 };

/* Pointers to the attributes of one vertex in the arrays of a mesh, DAG or batch. */
struct cs_vertex {
	float *positions, *normals;
	float *const *uvs;
	uint8_t *colors; /* may be NULL */
	uint32_t n_uvs;
	size_t at;
};

static inline uint32_t cs_attributes_count(bool colors, uint32_t n_uvs)
{
	return CS_NORMAL_FLOATS + (colors ? CS_COLOR_FLOATS : 0) + 2 * n_uvs;
}

void cs_attributes_read(const struct cs_vertex *vertex, float *attributes);
/* Writes all attributes of a vertex but the position. */
void cs_attributes_write(const float *attributes, const struct cs_vertex *vertex);
/* Sets the weights of a patch that already contains its triangles. */
void cs_patch_set_weights(
	struct cs_patch *patch, const struct cs_dag_options *options, bool colors, uint32_t n_uvs);
/*
 * Makes a patch of a whole mesh, in which nothing is locked. Its memory belongs to the scratch
 * memory or to the mesh.
 */
struct cs_error *cs_patch_of_mesh(const struct cs_mesh *mesh, const struct cs_dag_options *options,
	struct cs_scratch *scratch, struct cs_patch *ret) CS_MUST_USE;
