/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes normals where the input has none. As in the engine, all corners at one position share
 * one normal, even if their other attributes differ: the sum of the normals of the faces around the
 * position, weighted by area, or by area and the angle of the face at the corner. Files with
 * smoothing groups give each vertex a smoothing number, and only corners with equal numbers share a
 * normal.
 */
#include "mesh/mesh_internal.h"

#include "core/alike.h"
#include "mesh/vector.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <math.h>
#include <stdlib.h>

static bool normals_is_zero(const float *normal)
{
	return normal[0] == 0 && normal[1] == 0 && normal[2] == 0;
}

static uint64_t hash_smooth(const void *context, uint32_t v)
{
	const struct cs_mesh *mesh = context;
	return XXH3_64bits_withSeed(
		mesh->positions + 3 * (size_t)v, 3 * sizeof(float), mesh->smoothing[v]);
}

static bool is_smooth(const void *context, uint32_t left, uint32_t right)
{
	const struct cs_mesh *mesh = context;
	return mesh->smoothing[left] == mesh->smoothing[right] &&
	       cs_mesh_at_one_place(mesh->positions, left, right);
}

/* Sets ids_ret[v] to the first vertex that shares the computed normal of vertex v. */
static struct cs_error *find_shared(const struct cs_mesh *mesh, uint32_t *ids_ret)
{
	const struct cs_rows vertices = {mesh->n_vertices, hash_smooth, is_smooth, mesh};
	return mesh->smoothing ? cs_find_alike(&vertices, 1, ids_ret)
			       : cs_mesh_places(mesh->positions, mesh->n_vertices, 1, ids_ret);
}

/* Returns the angle in radians between the two edges that meet at a corner of the triangle p. */
static double angle_at(double p[3][3], int corner)
{
	double to[3], from[3];
	cs_subtract(p[(corner + 1) % 3], p[corner], to);
	cs_subtract(p[(corner + 2) % 3], p[corner], from);
	return cs_angle(to, from);
}

static void sum_faces(
	const struct cs_mesh *mesh, const uint32_t *places, bool weighted, double (*sums)[3])
{
	for (size_t i = 0; i < mesh->n_triangles; i++) {
		const uint32_t *corners = mesh->indices + 3 * i;
		double p[3][3], normal[3];
		for (int corner = 0; corner < 3; corner++)
			for (int k = 0; k < 3; k++)
				p[corner][k] = (double)mesh->positions[3 * (size_t)corners[corner] +
								       (size_t)k];
		cs_face_normal(p[0], p[1], p[2], normal);
		for (int corner = 0; corner < 3; corner++) {
			const double part = weighted ? angle_at(p, corner) : 1;
			for (int k = 0; k < 3; k++)
				sums[places[corners[corner]]][k] += normal[k] * part;
		}
	}
}

/* Sets the normal to the direction of `sum`, or to +z where the normals of the faces cancel out. */
static void set_normal(float *normal, const double sum[3])
{
	double length = sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
	bool good = length > 0;
	normal[0] = good ? (float)(sum[0] / length) + 0.0f : 0;
	normal[1] = good ? (float)(sum[1] / length) + 0.0f : 0;
	normal[2] = good ? (float)(sum[2] / length) + 0.0f : 1;
}

struct cs_error *cs_mesh_make_normals(struct cs_mesh *mesh, bool weighted, uint64_t *made_ret)
{
	uint64_t missing = 0;
	for (size_t v = 0; v < mesh->n_vertices; v++)
		missing += normals_is_zero(mesh->normals + 3 * v);
	if (missing == 0)
		return NULL;
	uint32_t *places = calloc((size_t)mesh->n_vertices + 1, sizeof(*places));
	double(*sums)[3] = calloc((size_t)mesh->n_vertices + 1, sizeof(*sums));
	struct cs_error *error = NULL;
	if (!places || !sums)
		error = cs_error_nomem();
	else
		error = find_shared(mesh, places);
	if (!error) {
		sum_faces(mesh, places, weighted, sums);
		for (size_t v = 0; v < mesh->n_vertices; v++)
			if (normals_is_zero(mesh->normals + 3 * v))
				set_normal(mesh->normals + 3 * v, sums[places[v]]);
		*made_ret += missing;
	}
	free(places);
	free(sums);
	return error;
}
