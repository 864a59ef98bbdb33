/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sets the attributes of patches and the weights of attributes (nanite rules 2.2). The rules define
 * the weights for a patch that is scaled so that the square root of its mean triangle area is 1/4.
 * The weight of a UV channel is relative to the size of the patch's triangles in UV space.
 */
#include "cluster/patch.h"

#include "mesh/edges.h"
#include "mesh/mesh_internal.h"

#include <math.h>
#include <string.h>

void cs_vertices_copy(struct cs_vertex from, size_t n, struct cs_vertex to)
{
	memcpy(to.positions + 3 * to.at, from.positions + 3 * from.at, n * 3 * sizeof(float));
	memcpy(to.normals + 3 * to.at, from.normals + 3 * from.at, n * 3 * sizeof(float));
	for (uint32_t i = 0; i < from.n_uvs; i++)
		memcpy(to.uvs[i] + 2 * to.at, from.uvs[i] + 2 * from.at, n * 2 * sizeof(float));
	if (from.colors)
		memcpy(to.colors + 4 * to.at, from.colors + 4 * from.at, n * 4);
}

void cs_attributes_read(const struct cs_vertex *v, float *to)
{
	memcpy(to, v->normals + 3 * v->at, CS_NORMAL_FLOATS * sizeof(float));
	to += CS_NORMAL_FLOATS;
	for (size_t k = 0; v->colors && k < CS_COLOR_FLOATS; k++)
		*to++ = (float)v->colors[4 * v->at + k] / 255.0f;
	for (uint32_t i = 0; i < v->n_uvs; i++, to += 2)
		memcpy(to, v->uvs[i] + 2 * v->at, 2 * sizeof(float));
}

static uint8_t patch_color_byte(float value)
{
	return value > 0 ? value < 1 ? (uint8_t)(value * 255.0f + 0.5f) : 255 : 0;
}

void cs_attributes_write(const float *from, const struct cs_vertex *v)
{
	memcpy(v->normals + 3 * v->at, from, CS_NORMAL_FLOATS * sizeof(float));
	from += CS_NORMAL_FLOATS;
	for (size_t k = 0; v->colors && k < CS_COLOR_FLOATS; k++)
		v->colors[4 * v->at + k] = patch_color_byte(*from++);
	for (uint32_t i = 0; i < v->n_uvs; i++, from += 2)
		memcpy(v->uvs[i] + 2 * v->at, from, 2 * sizeof(float));
}

/* ---- weights of attributes ---- */

static double area_of(const float *a, const float *b, const float *c)
{
	double ux = (double)b[0] - (double)a[0], uy = (double)b[1] - (double)a[1];
	double uz = (double)b[2] - (double)a[2], vx = (double)c[0] - (double)a[0];
	double vy = (double)c[1] - (double)a[1], vz = (double)c[2] - (double)a[2];
	double x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
	return 0.5 * sqrt(x * x + y * y + z * z);
}

static double uv_area_of(const float *a, const float *b, const float *c)
{
	double twice = ((double)b[0] - (double)a[0]) * ((double)c[1] - (double)a[1]) -
		       ((double)b[1] - (double)a[1]) * ((double)c[0] - (double)a[0]);
	return 0.5 * fabs(twice);
}

/*
 * Returns the square root of the mean area of the triangles, in space if `attribute` is CS_NONE,
 * otherwise in the UV channel that begins at index `attribute` of a wedge's attributes.
 */
static double mean_size(const struct cs_patch *patch, uint32_t attribute)
{
	double sum = 0;
	for (size_t i = 0; i < patch->n_triangles; i++) {
		const float *at[3];
		for (size_t k = 0; k < 3; k++) {
			size_t wedge = patch->corners[3 * i + k];
			at[k] = attribute == CS_NONE
					? patch->positions + 3 * (size_t)patch->places[wedge]
					: patch->attributes + wedge * patch->n_attributes +
						  attribute;
		}
		sum += attribute == CS_NONE ? area_of(at[0], at[1], at[2])
					    : uv_area_of(at[0], at[1], at[2]);
	}
	return patch->n_triangles ? sqrt(sum / patch->n_triangles) : 0;
}

void cs_patch_set_weights(
	struct cs_patch *patch, const struct cs_dag_options *options, bool colors, uint32_t n_uvs)
{
	double scale = 4 * mean_size(patch, CS_NONE);
	uint32_t n = 0;
	while (n < CS_NORMAL_FLOATS)
		patch->weights[n++] = (float)(scale * options->normal_weight);
	for (int k = 0; colors && k < CS_COLOR_FLOATS; k++)
		patch->weights[n++] = (float)(scale * options->color_weight);
	for (uint32_t i = 0; i < n_uvs; i++, n += 2) {
		double size = mean_size(patch, n);
		double weight = size > 0 ? scale * options->uv_weight / size : 0;
		patch->weights[n] = patch->weights[n + 1] = (float)weight;
	}
}

/* ---- making a patch of a whole mesh ---- */

/*
 * Numbers the positions of the mesh from 0 and stores the coordinates of each. On entry places[v]
 * is the first vertex at the position of v, on return it is the index of that position.
 */
static void number_places(const struct cs_mesh *mesh, uint32_t *places, struct cs_patch *patch)
{
	for (uint32_t v = 0; v < mesh->n_vertices; v++) {
		/* places[v] is an earlier vertex, whose entry is already an index of a position */
		if (places[v] != v) {
			places[v] = places[places[v]];
			continue;
		}
		memcpy(patch->positions + 3 * (size_t)patch->n_places,
			mesh->positions + 3 * (size_t)v, 3 * sizeof(float));
		places[v] = patch->n_places++;
	}
}

static struct cs_error *patch_match(
	const struct cs_mesh *mesh, struct cs_patch *patch, struct cs_scratch *scratch)
{
	size_t n = 3 * (size_t)mesh->n_triangles;
	uint32_t *corners = CS_SCRATCH_ARRAY(scratch, uint32_t, n);
	uint32_t *opposite = CS_SCRATCH_ARRAY(scratch, uint32_t, n);
	patch->opposite = CS_SCRATCH_ARRAY(scratch, uint32_t, n);
	if (scratch->failed)
		return cs_error_nomem();
	for (size_t i = 0; i < n; i++)
		corners[i] = patch->places[patch->corners[i]];
	struct cs_error *error =
		cs_match_edges(corners, mesh->n_triangles, patch->n_places, 1, opposite);
	for (uint32_t e = 0; !error && e < n; e++)
		patch->opposite[e] = cs_edge_partner(opposite, e);
	return error;
}

struct cs_error *cs_patch_of_mesh(const struct cs_mesh *mesh, const struct cs_dag_options *options,
	struct cs_scratch *scratch, struct cs_patch *ret)
{
	size_t n = mesh->n_vertices;
	struct cs_patch patch = {
		.n_triangles = mesh->n_triangles,
		.n_wedges = mesh->n_vertices,
		.n_attributes = cs_attributes_count(mesh->colors != NULL, mesh->n_uvs),
		.corners = mesh->indices,
		.materials = mesh->materials,
		.places = CS_SCRATCH_ARRAY(scratch, uint32_t, n),
		.positions = CS_SCRATCH_ARRAY(scratch, float, 3 * n),
		.locked = CS_SCRATCH_ARRAY(scratch, uint8_t, n),
	};
	patch.attributes = CS_SCRATCH_ARRAY(scratch, float, n *patch.n_attributes);
	if (scratch->failed)
		return cs_error_nomem();
	memset(patch.locked, 0, n);
	for (size_t v = 0; v < n; v++) {
		const struct cs_vertex vertex = CS_VERTEX_OF(mesh, v);
		cs_attributes_read(&vertex, patch.attributes + v * patch.n_attributes);
	}
	struct cs_error *error = cs_mesh_places(mesh->positions, mesh->n_vertices, 1, patch.places);
	if (error)
		return error;
	number_places(mesh, patch.places, &patch);
	error = patch_match(mesh, &patch, scratch);
	if (error)
		return error;
	cs_patch_set_weights(&patch, options, mesh->colors != NULL, mesh->n_uvs);
	*ret = patch;
	return NULL;
}
