/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tangents of meshes whose directions of u and v are known beforehand: a sphere by its longitude
 * and latitude, the same mirrored, a plane whose UVs are turned; and what must hold of any mesh.
 */
#include "mesh/mesh_internal.h"
#include "tests/samples/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 96 };

static float *tangents_of(const struct cs_mesh *mesh)
{
	float *ret = calloc((size_t)mesh->n_vertices + 1, 4 * sizeof(*ret));
	ok(cs_mesh_tangents(mesh, ret), "tangents");
	return ret;
}

/*
 * Places a point on a quarter of a sphere around its equator; u runs east, or west where mirrored,
 * and v north.
 */
static void place(float u, float v, double side, float *position, float *normal)
{
	const double east = (double)u * side * 2, north = ((double)v - .5) * 2;
	normal[0] = (float)(cos(north) * cos(east));
	normal[1] = (float)(cos(north) * sin(east));
	normal[2] = (float)sin(north);
	for (int k = 0; k < 3; k++)
		position[k] = 100 * normal[k];
}

static void check_sphere(double side)
{
	enum { N = STEPS + 1 };
	float *positions = calloc(N * N, 3 * sizeof(float)), *normals = calloc(N * N, 12);
	float *uvs = calloc(N * N, 2 * sizeof(float));
	uint32_t *indices = calloc(STEPS * STEPS * 6, sizeof(uint32_t)), n = 0;
	struct cs_mesh *mesh = NULL;
	double off = 0;
	size_t wrong = 0;
	for (uint32_t y = 0; y < N; y++)
		for (uint32_t x = 0; x < N; x++) {
			const size_t at = y * N + x;
			uvs[2 * at] = (float)x / STEPS;
			uvs[2 * at + 1] = (float)y / STEPS;
			place(uvs[2 * at], uvs[2 * at + 1], side, positions + 3 * at,
				normals + 3 * at);
		}
	for (uint32_t y = 0; y < STEPS; y++)
		for (uint32_t x = 0; x < STEPS; x++) {
			const uint32_t a = y * N + x, b = a + 1, c = a + N, d = c + 1;
			const uint32_t east[] = {a, b, d, a, d, c}, west[] = {a, d, b, a, c, d};
			memcpy(indices + n, side > 0 ? east : west, sizeof(east));
			n += 6;
		}
	const struct cs_mesh_view view = {.positions = positions,
		.normals = normals,
		.uvs = {uvs},
		.indices = indices,
		.n_vertices = N * N,
		.n_triangles = n / 3,
		.n_uvs = 1};
	works(cs_mesh_from_arrays(&view, NULL, NULL, &mesh), "a sphere");
	float *is = tangents_of(mesh);
	for (size_t v = 0; v < mesh->n_vertices; v++) {
		const double east = (double)mesh->uvs[0][2 * v] * side * 2;
		const double as[3] = {-sin(east) * side, cos(east) * side, 0};
		for (size_t k = 0; k < 3; k++)
			off = fmax(off, fabs((double)is[4 * v + k] - as[k]));
		wrong += (double)is[4 * v + 3] != side;
	}
	ok(off < 0.03, "side %g: along the circles of latitude, off by %.2g", side, off);
	is_int(wrong, 0, "side %g: v runs where it does", side);
	free(is);
	free(positions);
	free(normals);
	free(uvs);
	free(indices);
	cs_mesh_free(mesh);
}

/*
 * Tangents have length 1, are perpendicular to the normal, and don't depend on the size of the UVs.
 */
static void check_any(void)
{
	const struct cs_mesh_recipe recipe = {CS_MESH_SEAMS, 4000, 3};
	struct cs_mesh *mesh = NULL;
	double off = 0;
	works(cs_mesh_generate(&recipe, NULL, &mesh), "charts");
	float *is = tangents_of(mesh);
	for (size_t v = 0; v < mesh->n_vertices; v++) {
		const float *t = is + 4 * v, *n = mesh->normals + 3 * v;
		const double square = (double)t[0] * (double)t[0] + (double)t[1] * (double)t[1] +
				      (double)t[2] * (double)t[2];
		const double along = (double)t[0] * (double)n[0] + (double)t[1] * (double)n[1] +
				     (double)t[2] * (double)n[2];
		off = fmax(off, fmax(fabs(square - 1), fabs(along)));
		off = fmax(off, fabs(fabs((double)t[3]) - 1));
	}
	ok(off < 1e-5, "each is a unit that stands on its normal, off by %.2g", off);
	memset(mesh->uvs[0], 0, (size_t)mesh->n_vertices * 2 * sizeof(float));
	cs_mesh_tangents(mesh, is);
	off = 0;
	for (size_t v = 0; v < mesh->n_vertices; v++) {
		const float *t = is + 4 * v, *n = mesh->normals + 3 * v;
		off = fmax(off, fabs((double)t[0] * (double)n[0] + (double)t[1] * (double)n[1] +
					(double)t[2] * (double)n[2]));
		off = isfinite(t[0]) ? off : INFINITY;
	}
	ok(off < 1e-5, "without any area of UVs too");
	free(is);
	cs_mesh_free(mesh);
}

int main(void)
{
	check_sphere(1);
	check_sphere(-1);
	check_any();
	return done();
}
