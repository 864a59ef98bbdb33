/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What settings do to a mesh before it is built. Normals made again are those of a twin that asks
 * every triangle for every vertex; a build scale by powers of two is the build of a mesh that was
 * so large from the beginning, byte for byte; normals of other scales stand on the scaled faces.
 */
#include "mesh/mesh_internal.h"
#include "nanite/format/resource.h"
#include "tests/samples/mesh_kinds.h"
#include "tests/samples/tap.h"

#include <cellscope/nanite.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct cs_mesh *made(enum cs_mesh_kind kind, uint32_t triangles)
{
	const struct cs_mesh_recipe recipe = {kind, triangles, 5};
	struct cs_mesh *mesh = NULL;
	works(cs_mesh_generate(&recipe, NULL, &mesh), "%s", mesh_kind_name(kind));
	return mesh;
}

static struct cs_mesh *prepared(
	const struct cs_mesh *mesh, enum cs_mesh_normals normals, double x, double y, double z)
{
	const struct cs_mesh_preparation preparation = {.scale = {x, y, z}, .normals = normals};
	struct cs_mesh *ret = NULL;
	works(cs_mesh_prepare(mesh, &preparation, NULL, &ret), "prepared");
	return ret;
}

/* ---- the twin ---- */

static void take(double ret[3], const float *to, const float *from)
{
	for (int k = 0; k < 3; k++)
		ret[k] = (double)to[k] - (double)from[k];
}

static double inner(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/*
 * Adds the part that one triangle has in the normal at a place; its angle is computed from the
 * cosine.
 */
static void add_face(
	const struct cs_mesh_view *v, size_t t, const float *place, bool weighted, double sum[3])
{
	for (int c = 0; c < 3; c++) {
		const float *p[3];
		double u[3], w[3];
		for (int k = 0; k < 3; k++)
			p[k] = v->positions + 3 * (size_t)v->indices[3 * t + (size_t)(c + k) % 3];
		if (memcmp(p[0], place, 3 * sizeof(float)) != 0)
			continue;
		take(u, p[1], p[0]);
		take(w, p[2], p[0]);
		const double cosine = inner(u, w) / sqrt(inner(u, u) * inner(w, w));
		const double part = weighted ? acos(fmin(fmax(cosine, -1), 1)) : 1;
		sum[0] += part * (u[1] * w[2] - u[2] * w[1]);
		sum[1] += part * (u[2] * w[0] - u[0] * w[2]);
		sum[2] += part * (u[0] * w[1] - u[1] * w[0]);
	}
}

static double worst_normal(const struct cs_mesh *mesh, bool weighted)
{
	const struct cs_mesh_view v = cs_mesh_view(mesh);
	double worst = 0;
	for (size_t i = 0; i < v.n_vertices; i++) {
		double sum[3] = {0, 0, 0}, off = 0;
		for (size_t t = 0; t < v.n_triangles; t++)
			add_face(&v, t, v.positions + 3 * i, weighted, sum);
		const double length = sqrt(inner(sum, sum));
		for (int k = 0; k < 3 && length > 0; k++)
			off = fmax(
				off, fabs(sum[k] / length - (double)v.normals[3 * i + (size_t)k]));
		worst = fmax(worst, off);
	}
	return worst;
}

static void check_normals(void)
{
	static const enum cs_mesh_kind kinds[] = {
		CS_MESH_NOISE, CS_MESH_FLAT, CS_MESH_CUBE, CS_MESH_SEAMS};
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct cs_mesh *mesh = made(kinds[i], 600);
		struct cs_mesh *area = prepared(mesh, CS_NORMALS_AREA, 0, 0, 0);
		struct cs_mesh *weighted = prepared(mesh, CS_NORMALS_WEIGHTED, 1, 1, 1);
		ok(worst_normal(area, false) < 1e-6, "by area as the twin says");
		ok(worst_normal(weighted, true) < 1e-6, "weighted as the twin says");
		ok((worst_normal(weighted, false) > 1e-3) == (kinds[i] != CS_MESH_CUBE),
			"which differs, but of a cube");
		is_int(cs_mesh_view(area).n_triangles, cs_mesh_view(mesh).n_triangles,
			"no triangle is lost");
		if (kinds[i] == CS_MESH_CUBE) {
			const struct cs_mesh_view v = cs_mesh_view(weighted);
			double off = 0;
			for (size_t k = 0; k < 3 * (size_t)v.n_vertices; k++)
				off = fmax(off, fabs(fabs((double)v.normals[k]) - sqrt(1 / 3.0)));
			ok(off < 1e-6, "a cube's weighted normals are its diagonals");
			is_int(v.n_vertices, cs_mesh_view(mesh).n_uvs ? v.n_vertices : 8,
				"and its corners are one vertex each where nothing else differs");
		}
		cs_mesh_free(mesh);
		cs_mesh_free(area);
		cs_mesh_free(weighted);
	}
}

/* ---- sizes ---- */

static struct cs_nanite *built(const struct cs_mesh *mesh, double scale, int32_t precision)
{
	struct cs_nanite_settings settings = cs_nanite_settings_default();
	struct cs_nanite *ret = NULL;
	settings.position_precision = precision;
	for (int axis = 0; axis < 3; axis++)
		settings.scale[axis] = scale;
	works(cs_nanite_build(mesh, &settings, NULL, NULL, &ret), "built at %g", scale);
	return ret;
}

static bool same_bytes(const struct cs_nanite *a, const struct cs_nanite *b)
{
	unsigned char *bytes[2] = {NULL, NULL};
	size_t sizes[2] = {0, 0};
	works(cs_nanite_bytes(a, NULL, &bytes[0], &sizes[0]), "bytes");
	works(cs_nanite_bytes(b, NULL, &bytes[1], &sizes[1]), "bytes");
	const bool same =
		sizes[0] > 0 && sizes[0] == sizes[1] && memcmp(bytes[0], bytes[1], sizes[0]) == 0;
	free(bytes[0]);
	free(bytes[1]);
	return same;
}

static void check_scale(void)
{
	struct cs_mesh *mesh = made(CS_MESH_NOISE, 8000), *large = NULL;
	struct cs_mesh_view view = cs_mesh_view(mesh);
	float *positions = malloc((size_t)view.n_vertices * 3 * sizeof(*positions));
	for (size_t i = 0; i < (size_t)view.n_vertices * 3; i++)
		positions[i] = ldexpf(view.positions[i], 5);
	view.positions = positions;
	works(cs_mesh_from_arrays(&view, NULL, NULL, &large), "32 times as large");
	struct cs_nanite *scaled = built(mesh, 32, 4), *whole = built(large, 0, 4);
	ok(same_bytes(scaled, whole), "a scale of 32 is a mesh 32 times as large");
	free(positions);
	cs_nanite_free(scaled);
	cs_nanite_free(whole);
	cs_mesh_free(large);

	struct cs_mesh *flat = made(CS_MESH_FLAT, 600), *same;
	struct cs_mesh *long_one = prepared(flat, CS_NORMALS_KEPT, 1, 2, 30);
	ok(worst_normal(flat, false) > .1 &&
			cs_mesh_view(flat).n_vertices == cs_mesh_view(long_one).n_vertices,
		"a mesh with hard edges keeps them");
	const struct cs_mesh_view v = cs_mesh_view(long_one);
	double off = 0;
	for (size_t k = 0; k < v.n_triangles; k++) {
		const uint32_t *c = v.indices + 3 * k;
		double u[3], w[3];
		take(u, v.positions + 3 * (size_t)c[1], v.positions + 3 * (size_t)c[0]);
		take(w, v.positions + 3 * (size_t)c[2], v.positions + 3 * (size_t)c[0]);
		for (int corner = 0; corner < 3; corner++) {
			const float *n = v.normals + 3 * (size_t)c[corner];
			const double normal[3] = {(double)n[0], (double)n[1], (double)n[2]};
			off = fmax(off, fabs(inner(u, normal)) / sqrt(inner(u, u)));
			off = fmax(off, fabs(inner(w, normal)) / sqrt(inner(w, w)));
		}
	}
	ok(off < 1e-4, "and its normals stand on its faces");
	cs_mesh_free(long_one);
	same = prepared(flat, CS_NORMALS_KEPT, 0, 1, 0);
	ok(!same, "nothing to do is no copy");
	static const double wrong[] = {-1, NAN, INFINITY};
	for (int i = 0; i < 3; i++)
		fails(cs_mesh_prepare(flat,
			      &(struct cs_mesh_preparation){.scale = {1, wrong[i], 1}}, NULL,
			      &same),
			CS_E_SETTING, "a scale of %g is none", wrong[i]);
	fails(cs_mesh_prepare(flat, &(struct cs_mesh_preparation){.scale = {1e30, 1e30, 1e30}},
		      NULL, &same),
		CS_E_MESH, "nothing is left of what is too large");
	cs_mesh_free(flat);
	cs_mesh_free(mesh);
}

int main(void)
{
	check_normals();
	check_scale();
	return done();
}
