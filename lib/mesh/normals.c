/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns making normals where the input has none. As in the engine, all corners at one position
 * share one normal, whatever their other attributes: the sum of the normals of the faces around it,
 * weighted by area, or by area and the angle of the face at the corner.
 */
#include "mesh/mesh_internal.h"

#include <math.h>
#include <stdlib.h>

static bool normals_is_zero(const float *normal)
{
	return normal[0] == 0 && normal[1] == 0 && normal[2] == 0;
}

/* Computes twice the area times the unit normal. */
static void face_normal(const struct cs_mesh *mesh, const uint32_t *corners, double ret[3])
{
	const float *a = mesh->positions + 3 * (size_t)corners[0];
	const float *b = mesh->positions + 3 * (size_t)corners[1];
	const float *c = mesh->positions + 3 * (size_t)corners[2];
	double u[3], v[3];
	for (int k = 0; k < 3; k++) {
		u[k] = (double)b[k] - (double)a[k];
		v[k] = (double)c[k] - (double)a[k];
	}
	for (int k = 0; k < 3; k++)
		ret[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
}

/* Returns the angle between the edges at a corner, or 0 where one has no length. */
static double angle_at(const struct cs_mesh *mesh, const uint32_t *corners, int corner)
{
	const float *at = mesh->positions + 3 * (size_t)corners[corner];
	const float *to = mesh->positions + 3 * (size_t)corners[(corner + 1) % 3];
	const float *from = mesh->positions + 3 * (size_t)corners[(corner + 2) % 3];
	double u[3], v[3], along = 0, across = 0;
	for (int k = 0; k < 3; k++) {
		u[k] = (double)to[k] - (double)at[k];
		v[k] = (double)from[k] - (double)at[k];
		along += u[k] * v[k];
	}
	for (int k = 0; k < 3; k++) {
		double part = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
		across += part * part;
	}
	return atan2(sqrt(across), along);
}

static void sum_faces(
	const struct cs_mesh *mesh, const uint32_t *places, bool weighted, double (*sums)[3])
{
	for (size_t i = 0; i < mesh->n_triangles; i++) {
		const uint32_t *corners = mesh->indices + 3 * i;
		double normal[3];
		face_normal(mesh, corners, normal);
		for (int corner = 0; corner < 3; corner++) {
			const double part = weighted ? angle_at(mesh, corners, corner) : 1;
			for (int k = 0; k < 3; k++)
				sums[places[corners[corner]]][k] += normal[k] * part;
		}
	}
}

/* The normal points up where the faces cancel out. */
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
		error = cs_mesh_places(mesh->positions, mesh->n_vertices, 1, places);
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
