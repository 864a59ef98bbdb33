/* SPDX-License-Identifier: Apache-2.0 */
/* Patches (mesh/simplify.h) from meshes and clusters: their attributes and what these weigh. */
#pragma once

#include <cellscope/dag.h>

#include "mesh/simplify.h"

/* Attributes of a wedge: the normal, then colour (if the mesh has any), then UVs. */
enum { CS_NORMAL_FLOATS = 3, CS_COLOR_FLOATS = 4 };

/* One vertex of arrays as meshes, DAGs and batches have them. */
struct cs_vertex {
	float *positions, *normals;
	float *const *uvs;
	uint8_t *colors; /* or NULL */
	uint32_t n_uvs;
	size_t at;
};

static inline uint32_t cs_attributes_count(bool colors, uint32_t n_uvs)
{
	return CS_NORMAL_FLOATS + (colors ? CS_COLOR_FLOATS : 0) + 2 * n_uvs;
}

void cs_attributes_read(const struct cs_vertex *vertex, float *attributes);
/* All but the position. */
void cs_attributes_write(const float *attributes, const struct cs_vertex *vertex);
/* Sets the weights of a patch that has its triangles. */
void cs_patch_set_weights(
	struct cs_patch *patch, const struct cs_dag_options *options, bool colors, uint32_t n_uvs);
/* A whole mesh as a patch with nothing locked. Memory is the scratch's, or the mesh's. */
struct cs_error *cs_patch_of_mesh(const struct cs_mesh *mesh, const struct cs_dag_options *options,
	struct cs_scratch *scratch, struct cs_patch *ret) CS_MUST_USE;
