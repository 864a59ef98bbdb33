/* SPDX-License-Identifier: Apache-2.0 */
/* Allocates, copies and frees meshes, and implements the public view of a mesh. */
#include "mesh/mesh_internal.h"

#include "core/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Largest number of triangles whose corners can be numbered with 32 bits. */
#define MOST_TRIANGLES (UINT32_MAX / 3)

static struct cs_error *mesh_check_size(const struct cs_mesh_size *size, const struct cs_job *job)
{
	struct cs_limits limits = cs_job_limits(job);
	const uint64_t most = limits.records < MOST_TRIANGLES ? limits.records : MOST_TRIANGLES;
	if (size->triangles > most)
		return cs_error_new(CS_E_LIMIT,
			"the mesh has %llu triangles, more than the limit of %llu",
			(unsigned long long)size->triangles, (unsigned long long)most);
	uint64_t vertex = 24 + 8 * size->uvs + (size->colors ? 4 : 0);
	uint64_t bytes = 13 * size->triangles;
	if (size->vertices >= CS_NONE)
		return cs_error_new(CS_E_LIMIT,
			"the mesh has %llu vertices, but a mesh can have at most 2^32 - 2",
			(unsigned long long)size->vertices);
	if (bytes + vertex * size->vertices > limits.memory)
		return cs_error_new(CS_E_LIMIT,
			"a mesh of %llu vertices needs more memory than the limit of %llu bytes "
			"(raise it with --max-mem)",
			(unsigned long long)size->vertices, (unsigned long long)limits.memory);
	return NULL;
}

struct cs_error *cs_mesh_new(
	const struct cs_mesh_size *size, const struct cs_job *job, struct cs_mesh **ret)
{
	struct cs_error *error = mesh_check_size(size, job);
	if (error)
		return error;
	struct cs_mesh *mesh = calloc(1, sizeof(*mesh));
	if (!mesh)
		return cs_error_nomem();
	size_t v = (size_t)size->vertices + 1, t = (size_t)size->triangles + 1;
	mesh->positions = calloc(v, 3 * sizeof(float));
	mesh->normals = calloc(v, 3 * sizeof(float));
	mesh->indices = calloc(t, 3 * sizeof(uint32_t));
	mesh->materials = calloc(t, 1);
	mesh->colors = size->colors ? calloc(v, 4) : NULL;
	bool good = mesh->positions && mesh->normals && mesh->indices && mesh->materials &&
		    (mesh->colors || !size->colors);
	for (uint32_t i = 0; i < size->uvs; i++) {
		mesh->uvs[i] = calloc(v, 2 * sizeof(float));
		good = good && mesh->uvs[i];
	}
	if (!good) {
		cs_mesh_free(mesh);
		return cs_error_nomem();
	}
	mesh->n_vertices = (uint32_t)size->vertices;
	mesh->n_triangles = (uint32_t)size->triangles;
	mesh->n_uvs = size->uvs;
	mesh->n_materials = 1;
	*ret = mesh;
	return NULL;
}

void cs_mesh_free(struct cs_mesh *mesh)
{
	if (!mesh)
		return;
	free(mesh->positions);
	free(mesh->normals);
	for (uint32_t i = 0; i < CS_MESH_UVS; i++)
		free(mesh->uvs[i]);
	free(mesh->colors);
	free(mesh->smoothing);
	free(mesh->indices);
	free(mesh->materials);
	cs_strings_deinit(&mesh->strings);
	free(mesh);
}

void cs_mesh_copy_arrays(struct cs_mesh *mesh, const struct cs_mesh_view *from)
{
	size_t v = from->n_vertices, t = from->n_triangles;
	memcpy(mesh->positions, from->positions, v * 3 * sizeof(float));
	if (from->normals)
		memcpy(mesh->normals, from->normals, v * 3 * sizeof(float));
	for (uint32_t i = 0; i < from->n_uvs; i++)
		memcpy(mesh->uvs[i], from->uvs[i], v * 2 * sizeof(float));
	if (from->colors)
		memcpy(mesh->colors, from->colors, v * 4);
	memcpy(mesh->indices, from->indices, t * 3 * sizeof(uint32_t));
	if (from->materials)
		memcpy(mesh->materials, from->materials, t);
}

static struct cs_error *mesh_check_materials(const struct cs_mesh_view *arrays)
{
	if (arrays->n_materials > CS_MESH_MATERIALS)
		return cs_error_new(CS_E_MESH,
			"the mesh has %u material sections, more than the limit of %d: give faces "
			"the same material",
			arrays->n_materials, CS_MESH_MATERIALS);
	for (uint32_t i = 0; arrays->materials && i < arrays->n_triangles; i++)
		if (arrays->materials[i] >= arrays->n_materials)
			return cs_error_new(CS_E_MESH,
				"triangle %u has material %u, but the mesh has only %u "
				"materials, counted from 0",
				i, arrays->materials[i], arrays->n_materials);
	return NULL;
}

struct cs_error *cs_mesh_finish(struct cs_mesh *mesh, struct cs_error *error,
	const struct cs_job *job, struct cs_mesh_report *report_ret, struct cs_mesh **ret)
{
	struct cs_mesh_report own = {0}, *report = report_ret ? report_ret : &own;
	if (!error) {
		report->input_vertices = mesh->n_vertices;
		report->input_triangles = mesh->n_triangles;
		error = cs_mesh_clean(mesh, job, report);
		if (!report_ret)
			cs_mesh_tell(job, "mesh", report);
	}
	if (error)
		cs_mesh_free(mesh);
	else
		*ret = mesh;
	return error;
}

struct cs_error *cs_mesh_from_arrays(const struct cs_mesh_view *arrays, const struct cs_job *job,
	struct cs_mesh_report *report_ret, struct cs_mesh **ret)
{
	if (arrays->n_uvs > CS_MESH_UVS)
		return cs_error_new(CS_E_MESH,
			"the mesh has %u UV channels, more than the limit of %d", arrays->n_uvs,
			CS_MESH_UVS);
	struct cs_error *error = mesh_check_materials(arrays);
	if (error)
		return error;
	struct cs_mesh_size size = {
		arrays->n_vertices, arrays->n_triangles, arrays->n_uvs, arrays->colors != NULL};
	struct cs_mesh_report report = {0};
	struct cs_mesh *mesh = NULL;
	error = cs_mesh_new(&size, job, &mesh);
	if (error)
		return error;
	cs_mesh_copy_arrays(mesh, arrays);
	mesh->n_materials = arrays->n_materials ? arrays->n_materials : 1;
	mesh->engine_space = arrays->engine_space;
	error = cs_mesh_finish(mesh, NULL, job, &report, ret);
	cs_mesh_tell(job, "mesh", &report);
	if (!error && report_ret)
		*report_ret = report;
	return error;
}

struct cs_mesh_view cs_mesh_view(const struct cs_mesh *mesh)
{
	return (struct cs_mesh_view){
		.positions = mesh->positions,
		.normals = mesh->normals,
		.uvs = {mesh->uvs[0], mesh->uvs[1], mesh->uvs[2], mesh->uvs[3]},
		.colors = mesh->colors,
		.indices = mesh->indices,
		.materials = mesh->materials,
		.n_vertices = mesh->n_vertices,
		.n_triangles = mesh->n_triangles,
		.n_uvs = mesh->n_uvs,
		.n_materials = mesh->n_materials,
		.engine_space = mesh->engine_space,
	};
}

const char *cs_mesh_material(const struct cs_mesh *mesh, uint32_t material)
{
	return material < mesh->n_materials ? cs_strings_get(&mesh->strings, mesh->names[material])
					    : "";
}

const char *cs_mesh_export_name(const struct cs_mesh *mesh, uint32_t material, char room[24])
{
	const char *name = cs_mesh_material(mesh, material);
	const size_t stem = strlen("material");
	snprintf(room, 24, "material%u", material);
	/* a name is not used if it looks like a name that this function generates */
	const bool is_made = strncmp(name, room, stem) == 0 && name[stem] &&
			     !name[stem + strspn(name + stem, "0123456789")];
	bool is_own = *name && !is_made;
	for (uint32_t i = 0; i < material; i++)
		is_own = is_own && strcmp(cs_mesh_material(mesh, i), name) != 0;
	return is_own ? name : room;
}

struct cs_error *cs_mesh_name_material(struct cs_mesh *mesh, uint32_t material, const char *name)
{
	const uint32_t text = cs_strings_add_z(&mesh->strings, name);
	if (text == CS_NONE)
		return cs_error_nomem();
	mesh->names[material] = text;
	if (material >= mesh->n_materials)
		mesh->n_materials = material + 1;
	return NULL;
}

struct cs_error *cs_mesh_copy_materials(const struct cs_mesh *from, struct cs_mesh *to)
{
	struct cs_error *error = NULL;
	for (uint32_t i = 0; !error && i < from->n_materials; i++)
		error = cs_mesh_name_material(to, i, cs_mesh_material(from, i));
	return error;
}
