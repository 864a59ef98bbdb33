/* SPDX-License-Identifier: Apache-2.0 */
/* Makes patches (mesh/simplify.h) of meshes and clusters, with attributes and their weights. */
#pragma once

#include <cellscope/dag.h>

#include "mesh/simplify.h"

/* Floats per attribute. A wedge's attributes are stored as normal, colour (if any), UVs. */
enum { CS_NORMAL_FLOATS = 3, CS_COLOR_FLOATS = 4 };

/* Pointers to the arrays of a mesh, DAG or batch, and the index `at` of one vertex in them. */
struct cs_vertex {
	float *positions, *normals;
	float *const *uvs;
	uint8_t *colors; /* NULL when there are no colours */
	uint32_t n_uvs;
	size_t at;
};

/* Makes a struct cs_vertex for vertex `at` of a mesh, DAG or struct with arrays of these names. */
#define CS_VERTEX_OF(of, at) \
	((struct cs_vertex){ \
		(of)->positions, (of)->normals, (of)->uvs, (of)->colors, (of)->n_uvs, at})

/* Copies n vertices: their positions, normals and UVs, and their colours if the source has any. */
void cs_vertices_copy(struct cs_vertex from, size_t n, struct cs_vertex to);

static inline uint32_t cs_attributes_count(bool colors, uint32_t n_uvs)
{
	return CS_NORMAL_FLOATS + (colors ? CS_COLOR_FLOATS : 0) + 2 * n_uvs;
}

void cs_attributes_read(const struct cs_vertex *vertex, float *attributes);
/* Writes all attributes of a vertex except its position. */
void cs_attributes_write(const float *attributes, const struct cs_vertex *vertex);
/* Sets the weights of the attributes of a patch. The patch must already contain its triangles. */
void cs_patch_set_weights(
	struct cs_patch *patch, const struct cs_dag_options *options, bool colors, uint32_t n_uvs);
/*
 * Makes a patch of all triangles of a mesh, without locked positions. The arrays of the patch are
 * arrays of the mesh or in scratch memory.
 */
struct cs_error *cs_patch_of_mesh(const struct cs_mesh *mesh, const struct cs_dag_options *options,
	struct cs_scratch *scratch, struct cs_patch *ret) CS_MUST_USE;
