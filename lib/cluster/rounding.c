/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chooses the grid, and rounds a mesh to it. The step is a power of two of the unit of the mesh. It
 * is finer where the leaf clusters are small, and coarser where the mesh would not fit 21 bits on
 * each axis, because the root cluster spans the whole mesh.
 *
 * Invariant: every position of a rounded mesh is exactly a multiple of the step, and so is every
 * difference of two positions in cs_rounded.room: each is at most 2^24 steps, which a float
 * represents exactly.
 */
#include "cluster/rounding.h"

#include "mesh/mesh_internal.h"

#include <math.h>
#include <stdlib.h>

enum {
	/* half the diagonal of a leaf cluster of mean size has about 2^DENSITY_BITS grid steps */
	DENSITY_BITS = 7,
	/* smallest precision that is chosen automatically: a step of 1/16 of a unit of the mesh */
	LEAST_PRECISION = 4,
	/* limits of a requested precision p, where a grid step is 2^-p units of the mesh */
	MOST_PRECISION = 120,
	FEWEST_PRECISION = -120,
	FLOAT_BITS = 24,
};

struct cs_error *cs_grid_check(int32_t precision)
{
	if (precision == CS_PRECISION_AUTO ||
		(precision >= FEWEST_PRECISION && precision <= MOST_PRECISION))
		return NULL;
	return cs_error_new(CS_E_SETTING, "--precision must be %d to %d, not %d", FEWEST_PRECISION,
		MOST_PRECISION, precision);
}

struct cs_error *cs_grid_check_finest(int32_t wanted, int finest)
{
	if (wanted == CS_PRECISION_AUTO || wanted <= finest)
		return NULL;
	return cs_error_new(CS_E_SETTING,
		"--precision must be %d to %d for a mesh of this size and distance from the "
		"origin, not %d: its positions cannot be rounded more finely than to %g units",
		FEWEST_PRECISION, finest, wanted, ldexp(1, -finest));
}

int cs_grid_guess(const struct cs_box_f *leaves, uint32_t n)
{
	double sum = 0;
	uint32_t counted = 0;
	for (uint32_t i = 0; i < n; i++) {
		double size2 = 0;
		for (unsigned axis = 0; axis < 3; axis++) {
			double extent =
				((double)leaves[i].max[axis] - (double)leaves[i].min[axis]) / 2;
			size2 += extent * extent;
		}
		if (size2 > 0) {
			sum += log2(sqrt(size2));
			counted++;
		}
	}
	int precision = DENSITY_BITS - (counted ? (int)floor(sum / counted + 0.5) : 0);
	return precision < LEAST_PRECISION  ? LEAST_PRECISION
	       : precision > MOST_PRECISION ? MOST_PRECISION
					    : precision;
}

/* Returns a coordinate rounded to steps of the grid. `scale` is the number of steps in a unit. */
static inline float in_steps(float coordinate, float scale)
{
	return rintf(coordinate * scale) + 0.0f;
}

bool cs_grid_fits(const struct cs_box_f *box, int precision)
{
	const float scale = ldexpf(1, precision);
	for (unsigned axis = 0; axis < 3; axis++) {
		double low = (double)in_steps(box->min[axis], scale);
		double high = (double)in_steps(box->max[axis], scale);
		if (!(low >= INT32_MIN) || !(high <= INT32_MAX) || high - low >= 1 << CS_GRID_BITS)
			return false;
	}
	return true;
}

/* ---- choosing the grid of a mesh ---- */

static struct cs_box_f box_of(const struct cs_mesh *mesh)
{
	const struct cs_box box = cs_mesh_box(mesh);
	return (struct cs_box_f){{(float)box.min.x, (float)box.min.y, (float)box.min.z},
		{(float)box.max.x, (float)box.max.y, (float)box.max.z}};
}

/* Returns the smallest exponent e such that all coordinates of the box are below 2^e. */
static int exponent_of(const struct cs_box_f *box)
{
	float farthest = 0;
	int exponent;
	for (unsigned axis = 0; axis < 3; axis++)
		farthest = fmaxf(farthest, fmaxf(fabsf(box->min[axis]), fabsf(box->max[axis])));
	frexpf(farthest, &exponent);
	return exponent;
}

/*
 * Returns the box in which simplifying may place vertices: the box of the mesh enlarged by half its
 * size on each side, but only as far as the grid and the precision of floats allow.
 */
static struct cs_box_f room_around(const struct cs_box_f *box, int precision)
{
	const double step = ldexp(1, -precision), edge = ldexp(1, FLOAT_BITS);
	struct cs_box_f room;
	for (unsigned axis = 0; axis < 3; axis++) {
		double low = rint((double)box->min[axis] / step);
		double high = rint((double)box->max[axis] / step), across = high - low;
		double play = fmin(ceil(across / 2), floor(((1 << CS_GRID_BITS) - 1 - across) / 2));
		room.min[axis] = (float)(fmax(low - play, -edge) * step);
		room.max[axis] = (float)(fmin(high + play, edge) * step);
	}
	return room;
}

static int choose(const struct cs_box_f *box, int precision)
{
	int finest = FLOAT_BITS - exponent_of(box);
	precision = precision > finest ? finest : precision;
	while (!cs_grid_fits(box, precision))
		precision--;
	return precision;
}

int cs_grid_of_mesh(const struct cs_mesh *mesh, int precision)
{
	const struct cs_box_f box = box_of(mesh);
	return choose(&box, precision);
}

bool cs_grid_can_be_finer(const struct cs_mesh *mesh, int precision)
{
	return precision < MOST_PRECISION && cs_grid_of_mesh(mesh, precision + 1) > precision;
}

/* Makes the error for a mesh of which no triangle survives rounding to the grid. */
static struct cs_error *no_triangle_left(const struct cs_mesh *mesh, int precision)
{
	const double step = ldexp(1, -precision);
	if (cs_grid_can_be_finer(mesh, precision))
		return cs_error_new(CS_E_MESH,
			"with positions rounded to multiples of %g units, no triangle has three "
			"different corners: build with a higher --precision than %d",
			step, precision);
	return cs_error_new(CS_E_MESH,
		"with positions rounded to multiples of %g units, no triangle has three different "
		"corners, and a mesh of this size and distance from the origin cannot be rounded "
		"more finely",
		step);
}

/* ---- rounding positions ---- */

static void round_positions(const struct cs_mesh *mesh, int precision, float *to, float *errors)
{
	const float scale = ldexpf(1, precision), step = ldexpf(1, -precision);
	for (size_t v = 0; v < mesh->n_vertices; v++) {
		double moved2 = 0;
		for (size_t k = 3 * v; k < 3 * v + 3; k++) {
			to[k] = in_steps(mesh->positions[k], scale) * step;
			double by = (double)to[k] - (double)mesh->positions[k];
			moved2 += by * by;
		}
		errors[v] = moved2 > 0 ? nextafterf((float)sqrt(moved2), INFINITY) : 0;
	}
}

struct cs_error *cs_mesh_round(const struct cs_mesh *mesh, const struct cs_box_f *leaves,
	uint32_t n_leaves, int32_t wanted, struct cs_rounded *ret)
{
	const struct cs_box_f box = box_of(mesh);
	struct cs_rounded rounded = {
		.precision =
			choose(&box, wanted == CS_PRECISION_AUTO ? cs_grid_guess(leaves, n_leaves)
								 : (int)wanted)};
	struct cs_error *error = cs_grid_check_finest(wanted, rounded.precision);
	if (error)
		return error;
	rounded.room = room_around(&box, rounded.precision);
	rounded.mesh = malloc(sizeof(*rounded.mesh));
	rounded.errors = malloc(((size_t)mesh->n_vertices + 1) * sizeof(*rounded.errors));
	float *positions = malloc(((size_t)mesh->n_vertices + 1) * 3 * sizeof(*positions));
	if (!rounded.mesh || !rounded.errors || !positions) {
		free(positions);
		free(rounded.mesh);
		free(rounded.errors);
		return cs_error_nomem();
	}
	round_positions(mesh, rounded.precision, positions, rounded.errors);
	*rounded.mesh = *mesh;
	rounded.mesh->positions = positions;
	rounded.n_dropped = cs_count_flat(mesh, positions);
	if (rounded.n_dropped == mesh->n_triangles)
		error = no_triangle_left(mesh, rounded.precision);
	else if (rounded.n_dropped)
		error = cs_drop_flat(mesh, &rounded);
	if (error)
		cs_rounded_deinit(&rounded, mesh);
	else
		*ret = rounded;
	return error;
}

/* Returns whether rounding moves two corners of the triangle to the same grid position. */
static bool is_flat_on(const struct cs_mesh *mesh, const uint32_t corners[3], float scale)
{
	static const uint32_t all[3] = {0, 1, 2};
	float steps[9];
	for (size_t k = 0; k < 9; k++)
		steps[k] = in_steps(mesh->positions[3 * (size_t)corners[k / 3] + k % 3], scale);
	return cs_mesh_is_flat(steps, all);
}

bool cs_grid_keeps_some(const struct cs_mesh *mesh, int precision)
{
	uint32_t t = 0;
	while (t < mesh->n_triangles &&
		is_flat_on(mesh, mesh->indices + 3 * (size_t)t, ldexpf(1, precision)))
		t++;
	return t < mesh->n_triangles;
}

void cs_rounded_deinit(struct cs_rounded *rounded, const struct cs_mesh *of)
{
	if (!rounded->mesh)
		return;
	free(rounded->mesh->positions);
	if (rounded->mesh->indices != of->indices) {
		free(rounded->mesh->indices);
		free(rounded->mesh->materials);
	}
	free(rounded->mesh);
	free(rounded->errors);
	free(rounded->charged);
	*rounded = (struct cs_rounded){0};
}
