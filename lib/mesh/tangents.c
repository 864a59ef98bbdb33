/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes the tangents of a mesh, along u of its first UV channel. The tangent of a vertex is the
 * sum over its faces, weighted by the face's angle at the vertex and made perpendicular to the
 * normal, with a sign for the direction of v. Corners that differ in an attribute are separate
 * vertices, so no tangent blends across a seam.
 */
#include "mesh/mesh_internal.h"
#include "mesh/vector.h"

#include <math.h>
#include <stdlib.h>

struct frame {
	double along[3], across[3]; /* sums over faces of the directions in which u and v grow */
};

static void add_direction(double sum[3], const double direction[3], double part)
{
	const double length = sqrt(cs_dot(direction, direction));
	for (int k = 0; length > 0 && k < 3; k++)
		sum[k] += direction[k] / length * part;
}

/* Adds a face's directions of u and v to one of its corners, if its UVs have an area. */
static void tangent_add_corner(
	const struct cs_mesh *mesh, const uint32_t *corners, int corner, struct frame *frames)
{
	const size_t at = corners[corner], b = corners[(corner + 1) % 3],
		     c = corners[(corner + 2) % 3];
	double e1[3], e2[3], u[3], v[3], uv[2][2];
	for (size_t k = 0; k < 3; k++) {
		e1[k] = (double)mesh->positions[3 * b + k] - (double)mesh->positions[3 * at + k];
		e2[k] = (double)mesh->positions[3 * c + k] - (double)mesh->positions[3 * at + k];
	}
	for (size_t k = 0; k < 2; k++) {
		uv[0][k] = (double)mesh->uvs[0][2 * b + k] - (double)mesh->uvs[0][2 * at + k];
		uv[1][k] = (double)mesh->uvs[0][2 * c + k] - (double)mesh->uvs[0][2 * at + k];
	}
	const double area = uv[0][0] * uv[1][1] - uv[1][0] * uv[0][1];
	const double side = area > 0 ? 1 : -1, angle = cs_angle(e1, e2);
	if (area == 0 || !isfinite(area))
		return;
	for (size_t k = 0; k < 3; k++) {
		u[k] = (e1[k] * uv[1][1] - e2[k] * uv[0][1]) * side;
		v[k] = (e2[k] * uv[0][0] - e1[k] * uv[1][0]) * side;
	}
	add_direction(frames[at].along, u, angle);
	add_direction(frames[at].across, v, angle);
}

/* Chooses any direction perpendicular to the normal. It is used where UVs determine no tangent. */
static void any_along(const double normal[3], double ret[3])
{
	const bool upright = fabs(normal[2]) > 0.9;
	const double axis[3] = {upright ? 1 : 0, 0, upright ? 0 : 1};
	cs_cross(axis, normal, ret);
}

static void set_tangent(const float *at, const struct frame *frame, float *ret)
{
	const double normal[3] = {(double)at[0], (double)at[1], (double)at[2]};
	const double part = cs_dot(frame->along, normal);
	double along[3], turned[3];
	for (int k = 0; k < 3; k++)
		along[k] = frame->along[k] - normal[k] * part;
	if (!(cs_dot(along, along) > 1e-12))
		any_along(normal, along);
	const double length = sqrt(cs_dot(along, along));
	for (int k = 0; k < 3; k++)
		ret[k] = (float)(along[k] / length);
	cs_cross(normal, along, turned);
	ret[3] = cs_dot(turned, frame->across) < 0 ? -1 : 1;
}

bool cs_mesh_tangents(const struct cs_mesh *mesh, float *ret)
{
	struct frame *frames = calloc((size_t)mesh->n_vertices + 1, sizeof(*frames));
	for (size_t t = 0; frames && t < mesh->n_triangles; t++)
		for (int corner = 0; corner < 3; corner++)
			tangent_add_corner(mesh, mesh->indices + 3 * t, corner, frames);
	for (size_t v = 0; frames && v < mesh->n_vertices; v++)
		set_tangent(mesh->normals + 3 * v, &frames[v], ret + 4 * v);
	const bool made = frames;
	free(frames);
	return made;
}
