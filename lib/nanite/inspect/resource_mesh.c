/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Converts a cut of a model to a triangle mesh. The vertices of the clusters are copied one after
 * the other, and cleaning the mesh welds those that agree in every attribute.
 */
#include <cellscope/pages.h>

#include "core/arena.h"

#include <string.h>

/* Arrays of the mesh that is made from a cut of the model, filled cluster by cluster. */
struct cut_mesh {
	float *positions, *normals, *uvs[CS_MESH_UVS];
	uint8_t *colors, *materials;
	uint32_t *indices;
	uint32_t n_vertices, n_triangles, n_materials;
};

static bool resource_mesh_allocate(const struct cs_model *model, const struct cs_model_cut *cut,
	struct cs_arena *arena, struct cut_mesh *to)
{
	size_t vertices = 0, triangles = (size_t)cut->triangles;
	for (size_t i = 0; i < cut->n_clusters; i++)
		vertices += model->clusters[cut->clusters[i]].n_vertices;
	to->positions = CS_ARENA_ARRAY(arena, float, 3 * vertices + 1);
	to->normals = CS_ARENA_ARRAY(arena, float, 3 * vertices + 1);
	to->colors = CS_ARENA_ARRAY(arena, uint8_t, 4 * vertices + 1);
	to->indices = CS_ARENA_ARRAY(arena, uint32_t, 3 * triangles + 1);
	to->materials = CS_ARENA_ARRAY(arena, uint8_t, triangles + 1);
	bool ok = to->positions && to->normals && to->colors && to->indices && to->materials;
	for (uint32_t t = 0; t < CS_MESH_UVS && model->vertex_uvs[t]; t++) {
		to->uvs[t] = CS_ARENA_ARRAY(arena, float, 2 * vertices + 1);
		ok = ok && to->uvs[t];
	}
	return ok && vertices <= UINT32_MAX && triangles <= UINT32_MAX;
}

static void resource_mesh_copy_vertices(
	const struct cs_model *model, const struct cs_model_cluster *cluster, struct cut_mesh *to)
{
	const size_t from = cluster->first_vertex, at = to->n_vertices, n = cluster->n_vertices;
	memcpy(to->positions + 3 * at, model->positions + 3 * from, 3 * n * sizeof(float));
	memcpy(to->normals + 3 * at, model->normals + 3 * from, 3 * n * sizeof(float));
	memcpy(to->colors + 4 * at, model->vertex_colors + 4 * from, 4 * n);
	for (uint32_t t = 0; t < CS_MESH_UVS && model->vertex_uvs[t]; t++)
		/* v is measured from the bottom in struct cs_mesh, from the top by the engine */
		for (size_t i = 0; i < n; i++) {
			const float v = model->vertex_uvs[t][2 * (from + i) + 1];
			to->uvs[t][2 * (at + i)] = model->vertex_uvs[t][2 * (from + i)];
			to->uvs[t][2 * (at + i) + 1] = model->engine_space ? 1 - v : v;
		}
	to->n_vertices += cluster->n_vertices;
}

static void resource_mesh_copy_triangles(
	const struct cs_model *model, const struct cs_model_cluster *cluster, struct cut_mesh *to)
{
	const uint32_t first = to->n_vertices;
	const unsigned last = model->engine_space ? 1 : 2;
	for (uint32_t t = 0; t < cluster->n_triangles; t++) {
		const uint8_t *from = model->corners + 3 * ((size_t)cluster->first_triangle + t);
		uint32_t *at = to->indices + 3 * ((size_t)to->n_triangles + t);
		at[0] = first + from[0];
		at[3 - last] = first + from[1];
		at[last] = first + from[2];
	}
	for (uint32_t i = 0; i < cluster->n_materials; i++) {
		const struct cs_model_material *range =
			&model->materials[cluster->first_material + i];
		for (uint32_t t = range->first;
			t < range->first + range->count && t < cluster->n_triangles; t++)
			to->materials[to->n_triangles + t] = (uint8_t)range->material;
		if (range->material >= to->n_materials)
			to->n_materials = range->material + 1;
	}
	to->n_triangles += cluster->n_triangles;
}

struct cs_error *cs_model_cut_mesh(const struct cs_model *model, const struct cs_model_cut *cut,
	const struct cs_job *job, struct cs_mesh **ret)
{
	struct cut_mesh to = {.n_materials = 1};
	struct cs_arena arena = CS_ARENA_INIT;
	if (!model->vertex_colors)
		return cs_error_new(CS_E_MISSING,
			"the resource %s has no readable vertices: `verify` reports why",
			model->name);
	if (!resource_mesh_allocate(model, cut, &arena, &to)) {
		cs_arena_deinit(&arena);
		return cs_error_nomem();
	}
	for (size_t i = 0; i < cut->n_clusters; i++) {
		const struct cs_model_cluster *cluster = &model->clusters[cut->clusters[i]];
		resource_mesh_copy_triangles(model, cluster, &to);
		resource_mesh_copy_vertices(model, cluster, &to);
	}
	const struct cs_mesh_view view = {.positions = to.positions,
		.normals = to.normals,
		.uvs = {to.uvs[0], to.uvs[1], to.uvs[2], to.uvs[3]},
		.colors = model->colors ? to.colors : NULL,
		.indices = to.indices,
		.materials = to.materials,
		.n_vertices = to.n_vertices,
		.n_triangles = to.n_triangles,
		.n_uvs = model->n_uvs,
		.n_materials = to.n_materials,
		.engine_space = model->engine_space};
	struct cs_error *error = cs_mesh_from_arrays(&view, job, NULL, ret);
	cs_arena_deinit(&arena);
	return error;
}
