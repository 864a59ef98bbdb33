/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Applies the build settings that change a mesh: normals are recomputed first, then the build scale
 * is applied, in the engine's order. Normals are multiplied by the inverse scale. The result is
 * cleaned, because vertices that differed only in their normals become equal, and scaling may make
 * triangles too large or too small.
 */
#include "mesh/mesh_internal.h"

#include <math.h>
#include <string.h>

static double scale_of(const struct cs_mesh_preparation *preparation, unsigned axis)
{
	return preparation->scale[axis] == 0 ? 1 : preparation->scale[axis];
}

static bool is_scaled(const struct cs_mesh_preparation *preparation)
{
	bool scaled = false;
	for (unsigned axis = 0; axis < 3; axis++)
		scaled = scaled || scale_of(preparation, axis) != 1;
	return scaled;
}

static struct cs_error *check_preparation(const struct cs_mesh_preparation *preparation)
{
	for (unsigned axis = 0; axis < 3; axis++)
		if (!(scale_of(preparation, axis) > 0) || !isfinite(preparation->scale[axis]))
			return cs_error_new(CS_E_SETTING,
				"each factor of the build scale must be a finite number above 0, "
				"not %g",
				scale_of(preparation, axis));
	if ((unsigned)preparation->normals > CS_NORMALS_WEIGHTED)
		return cs_error_new(CS_E_SETTING, "the setting `normals` must be 0 to %d, not %d",
			CS_NORMALS_WEIGHTED, (int)preparation->normals);
	return NULL;
}

static struct cs_error *copy_mesh(
	const struct cs_mesh *from, const struct cs_job *job, struct cs_mesh **ret)
{
	const struct cs_mesh_view view = cs_mesh_view(from);
	const struct cs_mesh_size size = {
		view.n_vertices, view.n_triangles, view.n_uvs, view.colors != NULL};
	struct cs_mesh *to;
	struct cs_error *error = cs_mesh_new(&size, job, &to);
	if (error)
		return error;
	cs_mesh_copy_arrays(to, &view);
	to->engine_space = from->engine_space;
	error = cs_mesh_copy_materials(from, to);
	if (error)
		cs_mesh_free(to);
	else
		*ret = to;
	return error;
}

static struct cs_error *make_again(struct cs_mesh *mesh, bool weighted)
{
	uint64_t made = 0;
	memset(mesh->normals, 0, (size_t)mesh->n_vertices * 3 * sizeof(*mesh->normals));
	return cs_mesh_make_normals(mesh, weighted, &made);
}

static void scale_mesh(struct cs_mesh *mesh, const struct cs_mesh_preparation *preparation)
{
	const double scale[3] = {
		scale_of(preparation, 0), scale_of(preparation, 1), scale_of(preparation, 2)};
	const bool turns = scale[0] != scale[1] || scale[1] != scale[2];
	for (size_t v = 0; v < mesh->n_vertices; v++) {
		double normal[3], square = 0;
		for (unsigned axis = 0; axis < 3; axis++) {
			float *at = &mesh->positions[3 * v + axis];
			*at = (float)((double)*at * scale[axis]);
			normal[axis] = (double)mesh->normals[3 * v + axis] / scale[axis];
			square += normal[axis] * normal[axis];
		}
		for (unsigned axis = 0; turns && axis < 3; axis++)
			mesh->normals[3 * v + axis] = (float)(normal[axis] / sqrt(square));
	}
}

struct cs_error *cs_mesh_prepare(const struct cs_mesh *mesh,
	const struct cs_mesh_preparation *preparation, const struct cs_job *job,
	struct cs_mesh **ret)
{
	struct cs_mesh *copy = NULL;
	struct cs_error *error = check_preparation(preparation);
	if (error)
		return error;
	*ret = NULL;
	if (preparation->normals == CS_NORMALS_KEPT && !is_scaled(preparation))
		return NULL;
	error = copy_mesh(mesh, job, &copy);
	if (!error && preparation->normals != CS_NORMALS_KEPT)
		error = make_again(copy, preparation->normals == CS_NORMALS_WEIGHTED);
	if (!error && is_scaled(preparation))
		scale_mesh(copy, preparation);
	return cs_mesh_finish(copy, error, job, NULL, ret);
}
