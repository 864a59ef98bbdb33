/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Generates test meshes, from regular to hostile. The generator uses only additions,
 * multiplications, divisions and square roots, whose results IEEE-754 defines, so that a recipe
 * gives the same mesh with every compiler and C library.
 *
 * A sphere is a cube with m x m quads on each side, projected to the unit sphere and displaced by
 * noise. Noise is the sum of four octaves of random values at lattice points, interpolated by a
 * polynomial of degree 5.
 */
#include "mesh/mesh_internal.h"

#include "core/random.h"

#include <math.h>
#include <string.h>

/* ---- noise, and circles without trigonometric functions ---- */

static double lattice(int64_t x, int64_t y, int64_t z, uint64_t seed)
{
	struct cs_random random = {seed ^ ((uint64_t)x * 0x8da6b343u) ^
				   ((uint64_t)y * 0xd8163841u) ^ ((uint64_t)z * 0xcb1ab31fu)};
	return cs_random_range(&random, -1, 1);
}

static double fade(double t)
{
	return t * t * t * (t * (t * 6 - 15) + 10);
}

static double octave(const double p[3], uint64_t seed)
{
	int64_t cell[3];
	double weight[3], sum = 0;
	for (int k = 0; k < 3; k++) {
		cell[k] = (int64_t)floor(p[k]);
		weight[k] = fade(p[k] - (double)cell[k]);
	}
	for (int corner = 0; corner < 8; corner++) {
		double share = 1;
		for (int k = 0; k < 3; k++)
			share *= corner >> k & 1 ? weight[k] : 1 - weight[k];
		sum += share * lattice(cell[0] + (corner & 1), cell[1] + (corner >> 1 & 1),
				       cell[2] + (corner >> 2), seed);
	}
	return sum;
}

static double noise(const double p[3], double frequency, uint64_t seed)
{
	double sum = 0, height = 0.5;
	for (unsigned i = 0; i < 4; i++) {
		double at[3] = {p[0] * frequency, p[1] * frequency, p[2] * frequency};
		sum += height * octave(at, seed + i);
		height *= 0.5;
		frequency *= 2;
	}
	return sum;
}

/* Stores cosine and sine of 0 to 1 turns, by power series at the nearest quarter turn. */
static void circle(double turns, double *cosine, double *sine)
{
	int quarter = (int)(turns * 4 + 0.5);
	double x = (turns - quarter * 0.25) * 6.283185307179586, c = 1, s = x, term = x;
	for (int i = 2; i < 16; i++) {
		term *= x / i;
		*(i % 2 ? &s : &c) += (i / 2) % 2 ? -term : term;
	}
	const double turned[4][2] = {{c, s}, {-s, c}, {-c, -s}, {s, -c}};
	*cosine = turned[quarter % 4][0];
	*sine = turned[quarter % 4][1];
}

/* ---- grids and spheres, which the kinds of meshes are built from ---- */

static uint32_t generate_mesh_root_of(double n)
{
	double root = floor(sqrt(n) + 0.5);
	return root < 1 ? 1 : (uint32_t)root;
}

static struct cs_error *new_raw(uint64_t vertices, uint64_t triangles, uint32_t uvs, bool colors,
	const struct cs_job *job, struct cs_mesh **ret)
{
	struct cs_mesh_size size = {vertices, triangles, uvs, colors};
	return cs_mesh_new(&size, job, ret);
}

static void put3(float *to, double x, double y, double z)
{
	to[0] = (float)x;
	to[1] = (float)y;
	to[2] = (float)z;
}

/* Writes two triangles for each quad of a w x h grid whose vertices begin at index `first`. */
static void put_grid(uint32_t *indices, uint32_t w, uint32_t h, uint32_t first)
{
	for (uint32_t y = 0; y < h; y++)
		for (uint32_t x = 0; x < w; x++) {
			uint32_t a = first + y * (w + 1) + x, b = a + 1, c = a + w + 1, d = c + 1;
			const uint32_t corners[6] = {a, b, d, a, d, c};
			memcpy(indices, corners, sizeof(corners));
			indices += 6;
		}
}

/* Returns m such that a cube with m x m quads on each side has about `triangles` triangles. */
static uint32_t cube_side(uint32_t triangles)
{
	return generate_mesh_root_of((double)triangles / 12);
}

/* Writes a noisy sphere around (`centre`, 0, 0): a cube with m x m quads on each of six sides. */
static void put_sphere(struct cs_mesh *mesh, uint32_t m, size_t first_vertex, size_t first_triangle,
	double centre, double bumps, uint64_t seed)
{
	float *to = mesh->positions + 3 * first_vertex;
	for (int side = 0; side < 6; side++) {
		int axis = side / 2, u = (axis + 1) % 3, v = (axis + 2) % 3;
		for (uint32_t j = 0; j <= m; j++)
			for (uint32_t i = 0; i <= m; i++) {
				double p[3], length;
				/* mirror every second cube side, so that all sides face outwards */
				double across = side % 2 ? (double)m - i : (double)i;
				p[axis] = side % 2 ? -1 : 1;
				p[u] = (2 * across - m) / m;
				p[v] = (2 * (double)j - m) / m;
				length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
				for (int k = 0; k < 3; k++)
					p[k] /= length;
				double r = 100 * (1 + bumps * noise(p, 3, seed));
				put3(to, centre + p[0] * r, p[1] * r, p[2] * r);
				to += 3;
			}
		put_grid(mesh->indices + 3 * first_triangle + 6 * (size_t)side * m * m, m, m,
			(uint32_t)first_vertex + (uint32_t)side * (m + 1) * (m + 1));
	}
}

/* Returns a copy in which no two triangles share a vertex, with room for one UV channel. */
static struct cs_error *unshare(
	struct cs_mesh *mesh, const struct cs_job *job, struct cs_mesh **ret)
{
	struct cs_mesh *copy;
	size_t n = 3 * (size_t)mesh->n_triangles;
	struct cs_error *error = new_raw(n, mesh->n_triangles, 1, false, job, &copy);
	if (error)
		return error;
	for (size_t i = 0; i < n; i++) {
		memcpy(copy->positions + 3 * i, mesh->positions + 3 * (size_t)mesh->indices[i],
			3 * sizeof(float));
		copy->indices[i] = (uint32_t)i;
	}
	*ret = copy;
	return NULL;
}

/* ---- the kinds of test meshes ---- */

static struct cs_error *make_terrain(
	const struct cs_mesh_recipe *recipe, const struct cs_job *job, struct cs_mesh **ret)
{
	uint32_t side = generate_mesh_root_of((double)recipe->triangles / 2);
	struct cs_error *error = new_raw(
		((uint64_t)side + 1) * (side + 1), 2 * (uint64_t)side * side, 1, true, job, ret);
	if (error)
		return error;
	struct cs_mesh *mesh = *ret;
	put_grid(mesh->indices, side, side, 0);
	for (uint32_t y = 0, v = 0; y <= side; y++)
		for (uint32_t x = 0; x <= side; x++, v++) {
			double at[3] = {(double)x / side, (double)y / side, 0};
			double height = noise(at, 4, recipe->seed);
			put3(mesh->positions + 3 * (size_t)v, at[0] * 1000, at[1] * 1000,
				height * 150);
			mesh->uvs[0][2 * (size_t)v] = (float)at[0];
			mesh->uvs[0][2 * (size_t)v + 1] = (float)at[1];
			uint8_t shade = (uint8_t)(128 + height * 90);
			const uint8_t color[4] = {shade, 255, (uint8_t)(255 - shade), 255};
			memcpy(mesh->colors + 4 * (size_t)v, color, 4);
		}
	mesh->n_materials = 2;
	for (size_t i = 0; i < mesh->n_triangles; i++)
		mesh->materials[i] = mesh->positions[3 * (size_t)mesh->indices[3 * i] + 2] > 0;
	return NULL;
}

static struct cs_error *make_spheres(uint32_t n_spheres, const struct cs_mesh_recipe *recipe,
	const struct cs_job *job, struct cs_mesh **ret)
{
	uint32_t m = cube_side(recipe->triangles / n_spheres);
	uint64_t vertices = 6 * (uint64_t)(m + 1) * (m + 1), triangles = 12 * (uint64_t)m * m;
	struct cs_error *error =
		new_raw(n_spheres * vertices, n_spheres * triangles, 0, false, job, ret);
	for (uint32_t i = 0; !error && i < n_spheres; i++)
		put_sphere(*ret, m, i * vertices, i * triangles, 300.0 * i, 0.25, recipe->seed + i);
	return error;
}

static struct cs_error *make_noise(
	const struct cs_mesh_recipe *recipe, const struct cs_job *job, struct cs_mesh **ret)
{
	return make_spheres(1, recipe, job, ret);
}

static struct cs_error *make_islands(
	const struct cs_mesh_recipe *recipe, const struct cs_job *job, struct cs_mesh **ret)
{
	return make_spheres(2, recipe, job, ret);
}

static struct cs_error *make_unshared(
	const struct cs_mesh_recipe *recipe, const struct cs_job *job, struct cs_mesh **ret)
{
	struct cs_mesh *sphere;
	struct cs_error *error = make_spheres(1, recipe, job, &sphere);
	if (error)
		return error;
	error = unshare(sphere, job, ret);
	cs_mesh_free(sphere);
	return error;
}

static struct cs_error *make_flat(
	const struct cs_mesh_recipe *recipe, const struct cs_job *job, struct cs_mesh **ret)
{
	struct cs_error *error = make_unshared(recipe, job, ret);
	if (error)
		return error;
	struct cs_mesh *mesh = *ret;
	for (size_t i = 0; i < mesh->n_triangles; i++) {
		const float *a = mesh->positions + 9 * i, *b = a + 3, *c = a + 6;
		float *normal = mesh->normals + 9 * i;
		double u[3], v[3];
		for (int k = 0; k < 3; k++) {
			u[k] = (double)b[k] - (double)a[k];
			v[k] = (double)c[k] - (double)a[k];
		}
		put3(normal, u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
			u[0] * v[1] - u[1] * v[0]);
		memcpy(normal + 3, normal, 3 * sizeof(float));
		memcpy(normal + 6, normal, 3 * sizeof(float));
	}
	return NULL;
}

/* Generates UV charts of 3 x 3 quads at random positions, each chart with one material. */
static struct cs_error *make_seams(
	const struct cs_mesh_recipe *recipe, const struct cs_job *job, struct cs_mesh **ret)
{
	uint32_t m = cube_side(recipe->triangles);
	struct cs_error *error = make_unshared(recipe, job, ret);
	if (error)
		return error;
	struct cs_mesh *mesh = *ret;
	mesh->n_materials = 3;
	for (size_t i = 0; i < mesh->n_triangles; i++) {
		uint32_t quad = (uint32_t)(i / 2), x = quad % m, y = quad / m % m;
		static const uint8_t corner_x[6] = {0, 1, 1, 0, 1, 0};
		static const uint8_t corner_y[6] = {0, 0, 1, 0, 1, 1};
		uint64_t chart = ((uint64_t)(quad / m / m) * m + y / 3) * m + x / 3;
		struct cs_random random = {recipe->seed ^ chart * 0x9e3779b9u};
		double u = cs_random_unit(&random), v = cs_random_unit(&random);
		mesh->materials[i] = (uint8_t)cs_random_below(&random, 3);
		for (size_t k = 0; k < 3; k++) {
			size_t corner = i % 2 * 3 + k;
			mesh->uvs[0][2 * (3 * i + k)] =
				(float)(u + (double)(x % 3 + corner_x[corner]) / m);
			mesh->uvs[0][2 * (3 * i + k) + 1] =
				(float)(v + (double)(y % 3 + corner_y[corner]) / m);
		}
	}
	return NULL;
}

static void random_direction(struct cs_random *random, double ret[3])
{
	double length;
	do {
		for (int k = 0; k < 3; k++)
			ret[k] = cs_random_range(random, -1, 1);
		length = sqrt(ret[0] * ret[0] + ret[1] * ret[1] + ret[2] * ret[2]);
	} while (length < 0.1 || length > 1);
	for (int k = 0; k < 3; k++)
		ret[k] /= length;
}

static struct cs_error *make_foliage(
	const struct cs_mesh_recipe *recipe, const struct cs_job *job, struct cs_mesh **ret)
{
	uint32_t quads = recipe->triangles < 2 ? 1 : recipe->triangles / 2;
	struct cs_error *error =
		new_raw(4 * (uint64_t)quads, 2 * (uint64_t)quads, 1, false, job, ret);
	if (error)
		return error;
	struct cs_mesh *mesh = *ret;
	struct cs_random random = {recipe->seed};
	for (uint32_t i = 0; i < quads; i++) {
		double centre[3], u[3], v[3];
		for (int k = 0; k < 3; k++)
			centre[k] = cs_random_range(&random, -500, 500);
		random_direction(&random, u);
		random_direction(&random, v);
		for (size_t k = 0; k < 4; k++) {
			size_t vertex = 4 * (size_t)i + k;
			double s = k % 2 ? 4 : -4, t = k / 2 ? 6 : -6;
			put3(mesh->positions + 3 * vertex, centre[0] + s * u[0] + t * v[0],
				centre[1] + s * u[1] + t * v[1], centre[2] + s * u[2] + t * v[2]);
			mesh->uvs[0][2 * vertex] = k % 2;
			mesh->uvs[0][2 * vertex + 1] = k / 2;
		}
		put_grid(mesh->indices + 6 * (size_t)i, 1, 1, 4 * i);
	}
	return NULL;
}

static struct cs_error *make_moebius(
	const struct cs_mesh_recipe *recipe, const struct cs_job *job, struct cs_mesh **ret)
{
	enum { ACROSS = 4 };
	uint32_t around = recipe->triangles / (2 * ACROSS);
	around = around < 8 ? 8 : around;
	struct cs_error *error = new_raw((uint64_t)(around + 1) * (ACROSS + 1),
		2 * (uint64_t)around * ACROSS, 0, false, job, ret);
	if (error)
		return error;
	struct cs_mesh *mesh = *ret;
	put_grid(mesh->indices, ACROSS, around, 0);
	for (uint32_t i = 0, v = 0; i <= around; i++)
		for (int j = 0; j <= ACROSS; j++, v++) {
			double c, s, half_c, half_s;
			/*
			 * the strip is twisted: its last row of vertices is its first row in
			 * reverse order, at exactly the same positions
			 */
			int across = i == around ? ACROSS - j : j;
			double turns = i == around ? 0 : (double)i / around;
			circle(turns, &c, &s);
			circle(turns / 2, &half_c, &half_s);
			double offset = (across - ACROSS / 2) * 10.0;
			put3(mesh->positions + 3 * (size_t)v, (100 + offset * half_c) * c,
				(100 + offset * half_c) * s, offset * half_s);
		}
	return NULL;
}

static struct cs_error *make_triangle(
	const struct cs_mesh_recipe *recipe, const struct cs_job *job, struct cs_mesh **ret)
{
	static const float corners[9] = {0, 0, 0, 100, 0, 0, 0, 100, 0};
	uint32_t n = recipe->kind == CS_MESH_TRIANGLE || !recipe->triangles ? 1 : recipe->triangles;
	struct cs_error *error = new_raw(3, n, 0, false, job, ret);
	if (error)
		return error;
	memcpy((*ret)->positions, corners, sizeof(corners));
	for (size_t i = 0; i < 3 * (size_t)n; i++)
		(*ret)->indices[i] = i % 3;
	return NULL;
}

static struct cs_error *make_cube(
	const struct cs_mesh_recipe *recipe, const struct cs_job *job, struct cs_mesh **ret)
{
	(void)recipe;
	struct cs_error *error = new_raw(24, 12, 1, false, job, ret);
	if (error)
		return error;
	for (uint32_t v = 0; v < 24; v++) {
		uint32_t side = v / 4, axis = side / 2;
		double p[3], normal[3] = {0, 0, 0}, out = side % 2 ? -1 : 1;
		/* mirror every second side, as in put_sphere() */
		double across = v % 2 ? out : -out, up = v / 2 % 2 ? 1 : -1;
		p[axis] = out;
		p[(axis + 1) % 3] = across;
		p[(axis + 2) % 3] = up;
		normal[axis] = out;
		put3((*ret)->positions + 3 * (size_t)v, 50 * p[0], 50 * p[1], 50 * p[2]);
		put3((*ret)->normals + 3 * (size_t)v, normal[0], normal[1], normal[2]);
		(*ret)->uvs[0][2 * v] = v % 2;
		(*ret)->uvs[0][2 * v + 1] = v / 2 % 2;
	}
	for (uint32_t side = 0; side < 6; side++)
		put_grid((*ret)->indices + 6 * side, 1, 1, 4 * side);
	return NULL;
}

static struct cs_error *(*const makers[CS_MESH_KINDS])(
	const struct cs_mesh_recipe *recipe, const struct cs_job *job, struct cs_mesh **ret) = {
	[CS_MESH_TERRAIN] = make_terrain,
	[CS_MESH_NOISE] = make_noise,
	[CS_MESH_FOLIAGE] = make_foliage,
	[CS_MESH_FLAT] = make_flat,
	[CS_MESH_SEAMS] = make_seams,
	[CS_MESH_TRIANGLE] = make_triangle,
	[CS_MESH_CUBE] = make_cube,
	[CS_MESH_ISLANDS] = make_islands,
	[CS_MESH_MOEBIUS] = make_moebius,
	[CS_MESH_COINCIDENT] = make_triangle,
};

struct cs_error *cs_mesh_generate(
	const struct cs_mesh_recipe *recipe, const struct cs_job *job, struct cs_mesh **ret)
{
	struct cs_mesh *mesh = NULL;
	if ((unsigned)recipe->kind >= CS_MESH_KINDS)
		return cs_error_new(CS_E_MESH,
			"the kind of a generated mesh (enum cs_mesh_kind) must be 0 to %d, not %d",
			CS_MESH_KINDS - 1, (int)recipe->kind);
	struct cs_error *error = makers[recipe->kind](recipe, job, &mesh);
	if (error)
		return error;
	return cs_mesh_finish(mesh, NULL, job, NULL, ret);
}
