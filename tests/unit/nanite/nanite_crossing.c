/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds balls whose lists of corners are read as one strip, each beside a needle that makes the
 * grid coarse. Clusters of crossing triangles reach over all of the ball, and several groups of
 * them had one sphere and one error, so that no reader could tell from which group a cluster was
 * made.
 */
#include "tests/unit/nanite/dag_test.h"

#include <math.h>

enum { BALLS = 2 };

/* The arrays of a mesh that balls are appended to. */
struct balls {
	float *positions;
	uint32_t *indices;
	uint32_t n_vertices, n_corners;
};

/* Appends the positions of a ball of rows and twice as many columns. */
static uint32_t add_positions(struct balls *to, uint32_t rows, const double scale[3])
{
	const double half = 3.141592653589793;
	const uint32_t first = to->n_vertices;
	for (uint32_t row = 0; row <= rows; row++)
		for (uint32_t column = 0; column <= 2 * rows; column++) {
			const double down = half * row / rows, around = half * column / rows;
			const double at[3] = {
				sin(down) * cos(around), sin(down) * sin(around), cos(down)};
			for (size_t k = 0; k < 3; k++)
				to->positions[3 * (size_t)to->n_vertices + k] =
					(float)(at[k] * scale[k]);
			to->n_vertices++;
		}
	return first;
}

static void add_ball(struct balls *to, uint32_t rows, const double scale[3])
{
	const uint32_t first = add_positions(to, rows, scale), width = 2 * rows + 1;
	for (uint32_t row = 0; row < rows; row++)
		for (uint32_t column = 0; column + 1 < width; column++) {
			const uint32_t a = first + row * width + column, b = a + width;
			const uint32_t corners[6] = {a, b, a + 1, a + 1, b, b + 1};
			memcpy(to->indices + to->n_corners, corners, sizeof(corners));
			to->n_corners += 6;
		}
}

/* Reads the list of corners as one strip, in which every second triangle is reversed. */
static void chain_corners(struct balls *balls)
{
	const uint32_t n = balls->n_corners;
	uint32_t *corners = malloc(n * sizeof(*corners));
	if (!corners)
		exit(1);
	memcpy(corners, balls->indices, n * sizeof(*corners));
	balls->n_corners = 0;
	for (uint32_t i = 0; i + 2 < n; i++) {
		balls->indices[balls->n_corners++] = corners[i + i % 2];
		balls->indices[balls->n_corners++] = corners[i + 1 - i % 2];
		balls->indices[balls->n_corners++] = corners[i + 2];
	}
	free(corners);
}

/* Counts the groups whose parents have the sphere of those of an earlier group. */
static uint32_t count_equal_spheres(const struct cs_dag *dag)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < dag->n_groups; i++)
		for (uint32_t k = 0; k < i; k++)
			n += !cs_is_root_group(&dag->groups[i]) &&
			     memcmp(&dag->groups[i].lod_bounds, &dag->groups[k].lod_bounds,
				     sizeof(dag->groups[i].lod_bounds)) == 0;
	return n;
}

static void test_ball(uint32_t rows)
{
	static const double wide[3] = {68000, 68000, 68000}, needle[3] = {0.4, 350, 3.9e8};
	const size_t room = 4 * ((size_t)rows + 1) * (rows + 1);
	struct balls balls = {.positions = malloc(3 * room * sizeof(*balls.positions)),
		.indices = malloc(12 * room * sizeof(*balls.indices))};
	struct cs_dag *dag = NULL;
	if (!balls.positions || !balls.indices)
		exit(1);
	add_ball(&balls, rows, wide);
	chain_corners(&balls);
	add_ball(&balls, 12, needle);
	const struct cs_mesh_view view = {.positions = balls.positions,
		.indices = balls.indices,
		.n_vertices = balls.n_vertices,
		.n_triangles = balls.n_corners / 3};
	struct cs_mesh *mesh = mesh_of_arrays(view);
	works(cs_dag_build(mesh, NULL, NULL, NULL, &dag), "%u crossing triangles are built",
		view.n_triangles);
	is_int(dag ? count_equal_spheres(dag) : 1, 0, "no two groups have the same sphere");
	cs_dag_free(dag);
	cs_mesh_free(mesh);
	free(balls.positions);
	free(balls.indices);
}

int main(void)
{
	for (uint32_t i = 0; i < BALLS; i++)
		test_ball(44 + 2 * i);
	return done();
}
