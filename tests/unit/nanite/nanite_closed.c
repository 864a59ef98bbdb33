/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of the builder on what scanners and modellers leave behind: thin folds, sheets that touch,
 * faces that are there twice, places and edges that more than two faces share. A surface without
 * border stays one on every level (C4 is exact there); and fans of many triangles around a place
 * take time in proportion.
 */
#include "cluster/build.h"
#include "core/random.h"
#include "tests/unit/nanite/dag_test.h"

#include <math.h>
#include <time.h>

enum { MOST_VERTICES = 120000, MOST_TRIANGLES = 60000 };

static float positions[3 * MOST_VERTICES];
static uint32_t indices[3 * MOST_TRIANGLES];
static uint32_t n_vertices, n_triangles;

static const double turn = 6.283185307179586;

static uint32_t add_vertex(double x, double y, double z)
{
	float *to = positions + 3 * (size_t)n_vertices;
	to[0] = (float)x;
	to[1] = (float)y;
	to[2] = (float)z;
	return n_vertices++;
}

static void add_triangle(uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t *to = indices + 3 * (size_t)n_triangles++;
	to[0] = a;
	to[1] = b;
	to[2] = c;
}

static struct cs_mesh *take_mesh(void)
{
	struct cs_mesh *mesh = mesh_of_arrays((struct cs_mesh_view){.positions = positions,
		.indices = indices,
		.n_vertices = n_vertices,
		.n_triangles = n_triangles});
	n_vertices = n_triangles = 0;
	return mesh;
}

/* ---- closed surfaces ---- */

/* Falls from 1 to -1 and rises again once a turn. */
static double zigzag(double x)
{
	x -= floor(x);
	return x < 0.5 ? 1 - 4 * x : 4 * x - 3;
}

struct ball {
	uint32_t columns, rows, pleats;
	double depth, noise;
};

/* Adds a sphere with deep pleats, whose vertices are moved at random. */
static void add_ball(const struct ball *ball)
{
	struct cs_random random = {7};
	uint32_t n = ball->columns, top = add_vertex(0, 0, 1), first = top + 1;
	for (uint32_t row = 1; row < ball->rows; row++)
		for (uint32_t i = 0; i < n; i++) {
			double down = turn / 2 * row / ball->rows, around = turn * i / n;
			double pleat = zigzag((double)ball->pleats * i / n + 0.3 * sin(7 * down));
			double radius = (1 + ball->depth * sin(down) * pleat) * sin(down);
			double x = cs_random_unit(&random) - 0.5, y = cs_random_unit(&random) - 0.5;
			add_vertex(radius * cos(around) + ball->noise * x,
				radius * sin(around) + ball->noise * y, cos(down));
		}
	uint32_t bottom = add_vertex(0, 0, -1), last = bottom - n;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t next = (i + 1) % n;
		add_triangle(top, first + i, first + next);
		add_triangle(bottom, last + next, last + i);
		for (uint32_t at = first; at < last; at += n) {
			add_triangle(at + i, at + n + i, at + n + next);
			add_triangle(at + i, at + n + next, at + next);
		}
	}
}

static void snap(double step)
{
	for (uint32_t i = 0; i < 3 * n_vertices; i++)
		positions[i] = (float)(rint((double)positions[i] / step) * step);
}

static void turn_over(uint32_t first)
{
	for (uint32_t i = first; i < n_triangles; i++) {
		uint32_t corner = indices[3 * i];
		indices[3 * i] = indices[3 * i + 1];
		indices[3 * i + 1] = corner;
	}
}

static const struct ball pleated = {240, 60, 24, 0.4, 0.05}, plain = {120, 60, 1, 0, 0.05};

static void make_folds(void)
{
	add_ball(&(struct ball){240, 60, 60, 0.4, 0.02});
}

static void make_flat_folds(void)
{
	add_ball(&pleated);
	for (uint32_t i = 0; i < n_vertices; i++)
		positions[3 * i + 2] *= 1e-3f;
}

static void make_touching(void)
{
	add_ball(&pleated);
	snap(0.025);
}

static void make_crushed(void)
{
	add_ball(&pleated);
	snap(0.06);
}

static void make_twice(void)
{
	add_ball(&plain);
	add_ball(&plain);
}

static void make_inside_out(void)
{
	add_ball(&plain);
	uint32_t first = n_triangles;
	add_ball(&plain);
	turn_over(first);
}

static void make_layers(void)
{
	for (int i = 0; i < 4; i++)
		add_ball(&plain);
	turn_over(n_triangles / 4 * 3);
	snap(0.06);
}

/*
 * Builds the faces between full and empty cells: edges with four faces, and places where only
 * corners meet.
 */
static void make_cells(double full, double height)
{
	enum { N = 16 };
	static bool cells[N + 2][N + 2][N + 2];
	struct cs_random random = {3};
	memset(cells, 0, sizeof(cells));
	for (int i = 0; i < N * N * N; i++)
		cells[1 + i / N / N][1 + i / N % N][1 + i % N] = cs_random_unit(&random) < full;
	for (int i = 0; i < 3 * (N + 1) * (N + 1) * (N + 1); i++) {
		int axis = i % 3,
		    at[3] = {i / 3 / (N + 1) / (N + 1), i / 3 / (N + 1) % (N + 1), i / 3 % (N + 1)};
		int next[3] = {at[0] + (axis == 0), at[1] + (axis == 1), at[2] + (axis == 2)};
		bool here = cells[at[0]][at[1]][at[2]], there = cells[next[0]][next[1]][next[2]];
		if (here == there)
			continue;
		uint32_t first = n_vertices;
		for (int k = 0; k < 4; k++) {
			int corner[3] = {next[0], next[1], next[2]};
			corner[(axis + 1) % 3] += k == 1 || k == 2;
			corner[(axis + 2) % 3] += k >= 2;
			add_vertex(corner[0], corner[1], corner[2] * height);
		}
		add_triangle(first, first + (here ? 1 : 2), first + (here ? 2 : 1));
		add_triangle(first, first + (here ? 2 : 3), first + (here ? 3 : 2));
	}
}

static void make_sponge(void)
{
	make_cells(0.5, 1);
}

static void make_crumbs(void)
{
	make_cells(0.1, 1);
}

static void make_flat_sponge(void)
{
	make_cells(0.5, 1e-3);
}

static void test_closed(void)
{
	static const struct {
		const char *name;
		void (*make)(void);
	} rows[] = {
		{"thin folds", make_folds},
		{"flat folds", make_flat_folds},
		{"folds that touch", make_touching},
		{"folds pressed together", make_crushed},
		{"a ball twice", make_twice},
		{"a ball and its inside", make_inside_out},
		{"four layers", make_layers},
		{"a sponge of cells", make_sponge},
		{"crumbs of cells", make_crumbs},
		{"a flat sponge", make_flat_sponge},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct cs_dag_report report = {0};
		rows[i].make();
		struct cs_mesh *mesh = take_mesh();
		cs_dag_free(
			build_and_judge(rows[i].name, mesh, CS_PARTITIONER_NATIVE, 1000, &report));
		is_int(report.enlarged, 0, "%s: no level is stuck", rows[i].name);
		cs_mesh_free(mesh);
	}
}

/* ---- fans ---- */

/*
 * Builds shapes around one place: an umbrella, needles that share only their points, pages of a
 * book.
 */
static void make_umbrella(uint32_t n)
{
	uint32_t top = add_vertex(0, 0, 0.5), first = top + 1;
	for (uint32_t i = 0; i < n; i++)
		add_vertex(cos(turn * i / n), sin(turn * i / n), 0.1 * sin(5 * turn * i / n));
	for (uint32_t i = 0; i < n; i++)
		add_triangle(top, first + i, first + (i + 1) % n);
}

static void make_star(uint32_t n)
{
	struct cs_random random = {7};
	uint32_t centre = add_vertex(0, 0, 0);
	for (uint32_t i = 0; i < n; i++) {
		double around = turn * cs_random_unit(&random), z = 2 * cs_random_unit(&random) - 1;
		double x = sqrt(1 - z * z) * cos(around), y = sqrt(1 - z * z) * sin(around);
		uint32_t one = add_vertex(x, y, z), other = add_vertex(x + 1e-3, y, z);
		add_triangle(centre, one, other);
	}
}

static void make_book(uint32_t n)
{
	uint32_t foot = add_vertex(0, 0, 0), head = add_vertex(0, 0, 1);
	for (uint32_t i = 0; i < n; i++)
		add_triangle(foot, head, add_vertex(cos(turn * i / n), sin(turn * i / n), 0.5));
}

static double cpu_seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double build_seconds(void (*make)(uint32_t n), uint32_t n)
{
	struct cs_job job = {.threads = 1};
	struct cs_dag *dag = NULL;
	make(n);
	struct cs_mesh *mesh = take_mesh();
	double start = cpu_seconds();
	works(cs_dag_build(mesh, NULL, &job, NULL, &dag), "%u triangles around a place", n);
	double seconds = cpu_seconds() - start;
	cs_dag_free(dag);
	cs_mesh_free(mesh);
	return seconds;
}

/*
 * If fans took quadratic time, four times the triangles would take twenty times the time or more.
 */
static void test_fans(void)
{
	static const struct {
		const char *name;
		void (*make)(uint32_t n);
	} rows[] = {{"umbrella", make_umbrella}, {"star", make_star}, {"book", make_book}};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const uint32_t n = tap_long(3000, 8000);
		double small = build_seconds(rows[i].make, n);
		double large = build_seconds(rows[i].make, 4 * n);
		ok(large < 12 * small + 0.1,
			"%s: %.3f s of %u triangles, %.3f s of four times as many", rows[i].name,
			small, n, large);
		ok(large < 10, "%s: within 10 s", rows[i].name);
	}
}

int main(void)
{
	test_closed();
	test_fans();
	return done();
}
