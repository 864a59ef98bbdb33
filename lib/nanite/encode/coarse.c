/* SPDX-License-Identifier: Apache-2.0 */
/* Owns: the coarse mesh as rows of the file, and back. */
#include "nanite/encode/coarse.h"

#include "nanite/format/resource.h"

#include "mesh/mesh_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- from a mesh to rows ---- */

static struct cs_nanite_coarse_vertex vertex_row(const struct cs_mesh_view *mesh, size_t i)
{
	struct cs_nanite_coarse_vertex row = {.color = {255, 255, 255, 255}};
	memcpy(row.position, mesh->positions + 3 * i, sizeof(row.position));
	memcpy(row.normal, mesh->normals + 3 * i, sizeof(row.normal));
	if (mesh->colors)
		memcpy(row.color, mesh->colors + 4 * i, sizeof(row.color));
	for (uint32_t uv = 0; uv < mesh->n_uvs; uv++)
		memcpy(row.uvs[uv], mesh->uvs[uv] + 2 * i, sizeof(row.uvs[uv]));
	return row;
}

static struct cs_nanite_coarse_triangle triangle_row(const struct cs_mesh_view *mesh, size_t i)
{
	struct cs_nanite_coarse_triangle row = {
		.material = mesh->materials ? mesh->materials[i] : 0};
	memcpy(row.corners, mesh->indices + 3 * i, sizeof(row.corners));
	return row;
}

struct cs_error *cs_coarse_of_mesh(const struct cs_mesh_view *mesh, struct cs_coarse *ret)
{
	*ret = (struct cs_coarse){
		.vertices = malloc(((size_t)mesh->n_vertices + 1) * sizeof(*ret->vertices)),
		.triangles = malloc(((size_t)mesh->n_triangles + 1) * sizeof(*ret->triangles)),
	};
	if (!ret->vertices || !ret->triangles)
		return cs_error_nomem();
	for (; ret->n_vertices < mesh->n_vertices; ret->n_vertices++)
		ret->vertices[ret->n_vertices] = vertex_row(mesh, ret->n_vertices);
	for (; ret->n_triangles < mesh->n_triangles; ret->n_triangles++)
		ret->triangles[ret->n_triangles] = triangle_row(mesh, ret->n_triangles);
	return NULL;
}

void cs_coarse_deinit(struct cs_coarse *coarse)
{
	free(coarse->vertices);
	free(coarse->triangles);
}

/* ---- from rows to a mesh ---- */

static void set_vertex(struct cs_mesh *mesh, size_t i, const struct cs_nanite_coarse_vertex *row)
{
	memcpy(mesh->positions + 3 * i, row->position, sizeof(row->position));
	memcpy(mesh->normals + 3 * i, row->normal, sizeof(row->normal));
	memcpy(mesh->colors + 4 * i, row->color, sizeof(row->color));
	for (uint32_t uv = 0; uv < mesh->n_uvs; uv++)
		memcpy(mesh->uvs[uv] + 2 * i, row->uvs[uv], sizeof(row->uvs[uv]));
}

static struct cs_error *set_triangle(
	struct cs_mesh *mesh, size_t i, const struct cs_nanite_coarse_triangle *row)
{
	if (row->material >= mesh->n_materials)
		return cs_error_new(CS_E_NANITE,
			"coarse triangle %zu has material %" PRIu32 " of %" PRIu32, i,
			row->material, mesh->n_materials);
	memcpy(mesh->indices + 3 * i, row->corners, sizeof(row->corners));
	mesh->materials[i] = (uint8_t)row->material;
	return NULL;
}

static uint32_t at_most(uint32_t value, uint32_t most)
{
	return value < most ? value : most;
}

struct cs_error *cs_nanite_coarse_mesh(
	const struct cs_nanite *resource, const struct cs_job *job, struct cs_mesh **ret)
{
	struct cs_mesh_size size = {resource->n_coarse_vertices, resource->n_coarse_triangles,
		at_most(resource->info->uvs, CS_MESH_UVS), true};
	struct cs_mesh_report report = {0};
	struct cs_mesh *mesh = NULL;
	if (resource->n_coarse_triangles == 0) {
		*ret = NULL;
		return NULL;
	}
	struct cs_error *error = cs_mesh_new(&size, job, &mesh);
	if (error)
		return error;
	mesh->n_materials = at_most(resource->info->materials, CS_MESH_MATERIALS);
	for (size_t i = 0; i < resource->n_coarse_vertices; i++)
		set_vertex(mesh, i, &resource->coarse_vertices[i]);
	for (size_t i = 0; !error && i < resource->n_coarse_triangles; i++)
		error = set_triangle(mesh, i, &resource->coarse_triangles[i]);
	if (!error)
		error = cs_mesh_clean(mesh, job, &report);
	if (error)
		cs_mesh_free(mesh);
	else
		*ret = mesh;
	return error;
}
