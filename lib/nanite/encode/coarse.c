/* SPDX-License-Identifier: Apache-2.0 */
/* Converts the coarse mesh to .cnanite rows and back. Finds the range of rows of each section. */
#include "nanite/encode/coarse.h"

#include "nanite/format/resource.h"

#include "mesh/mesh_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- converting a mesh to rows ---- */

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

/* Sorts the triangles by material, so that each section is a range. The sort is stable. */
static void sort_rows(const struct cs_mesh_view *mesh, struct cs_coarse *ret)
{
	size_t next[CS_MESH_MATERIALS + 1] = {0};
	for (size_t i = 0; i < mesh->n_triangles; i++)
		next[(mesh->materials ? mesh->materials[i] : 0) + 1]++;
	for (size_t m = 1; m <= CS_MESH_MATERIALS; m++)
		next[m] += next[m - 1];
	for (size_t i = 0; i < mesh->n_triangles; i++) {
		const struct cs_nanite_coarse_triangle row = triangle_row(mesh, i);
		ret->triangles[next[row.material]++] = row;
	}
	ret->n_triangles = mesh->n_triangles;
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
	sort_rows(mesh, ret);
	return NULL;
}

void cs_coarse_deinit(struct cs_coarse *coarse)
{
	free(coarse->vertices);
	free(coarse->triangles);
}

/* ---- ranges of triangles and vertices of sections ---- */

static void range_add(struct cs_nanite_section_range *range, size_t triangle,
	const struct cs_nanite_coarse_triangle *row)
{
	const bool first = range->n_triangles == 0;
	if (first)
		range->first_triangle = (uint32_t)triangle;
	else if (range->first_triangle != CS_NONE &&
		 triangle != (size_t)range->first_triangle + range->n_triangles)
		range->first_triangle = CS_NONE;
	range->n_triangles++;
	for (unsigned corner = 0; corner < 3; corner++) {
		const uint32_t at = row->corners[corner];
		const bool fresh = first && corner == 0;
		range->min_vertex = fresh || at < range->min_vertex ? at : range->min_vertex;
		range->max_vertex = fresh || at > range->max_vertex ? at : range->max_vertex;
	}
}

struct cs_error *cs_nanite_section_ranges(
	const struct cs_nanite *resource, struct cs_nanite_section_range **ret)
{
	struct cs_nanite_section_range *ranges = calloc(resource->n_sections + 1, sizeof(*ranges));
	if (!ranges)
		return cs_error_nomem();
	for (size_t i = 0; i < resource->n_coarse_triangles; i++) {
		const struct cs_nanite_coarse_triangle *row = &resource->coarse_triangles[i];
		if (row->material < resource->n_sections) {
			range_add(&ranges[row->material], i, row);
			continue;
		}
		free(ranges);
		return cs_error_new(CS_E_NANITE,
			"triangle %zu of the fallback mesh has material %u, but there are only %zu "
			"materials (both counted from 0)",
			i, row->material, resource->n_sections);
	}
	*ret = ranges;
	return NULL;
}

/* ---- converting rows to a mesh ---- */

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
			"triangle %zu of the fallback mesh has material %u, but there are only %u "
			"materials (both counted from 0)",
			i, row->material, mesh->n_materials);
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
	struct cs_mesh *mesh = NULL;
	if (resource->n_coarse_triangles == 0) {
		*ret = NULL;
		return NULL;
	}
	struct cs_error *error = cs_mesh_new(&size, job, &mesh);
	if (error)
		return error;
	mesh->n_materials = at_most(resource->info->materials, CS_MESH_MATERIALS);
	for (uint32_t i = 0; !error && resource->material_names && i < mesh->n_materials &&
			     i < resource->n_sections;
		i++)
		error = cs_mesh_name_material(mesh, i, resource->material_names[i]);
	for (size_t i = 0; i < resource->n_coarse_vertices; i++)
		set_vertex(mesh, i, &resource->coarse_vertices[i]);
	for (size_t i = 0; !error && i < resource->n_coarse_triangles; i++)
		error = set_triangle(mesh, i, &resource->coarse_triangles[i]);
	return cs_mesh_finish(mesh, error, job, NULL, ret);
}
