/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests that what is built is sound whatever is built: assemblies of many close parts, borders that
 * meet when they are rounded, scans with triangles that are there twice, needles and fins thinner
 * than a step of the grid, fans of many triangles around one edge, places with many normals, meshes
 * far from the origin, of 10 cm, of 10 km and of planets; at every precision, with every kind of
 * error, on any number of threads. The DAG holds to its checks, what was encoded to those of the
 * resource, and nothing lies anywhere but on the grid. Every level that is decoded lies within its
 * declared errors of the source mesh, and the source within those of the level, triangles included
 * that are flat on the grid: points of both are compared with all triangles of the other, with no
 * code of the builder.
 *
 *	CELLSCOPE_KINDS_TRIANGLES    triangles of a mesh, about; 600 by default, in
 *	                             make soak 40000
 */
#include "cluster/build.h"
#include "cluster/rounding.h"
#include "core/random.h"
#include "nanite/encode/encode.h"
#include "nanite/format/resource.h"
#include "nanite/verify/verify_resource.h"
#include "tests/unit/nanite/dag_test.h"

#include <cellscope/nanite.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <math.h>

static const double turn = 6.283185307179586;

struct soup {
	float *positions;
	float *normals; /* NULL = to be made */
	uint32_t *indices;
	uint32_t n_vertices, n_triangles, room;
	struct cs_random random;
};

static void soup_init(struct soup *s, uint32_t triangles)
{
	*s = (struct soup){.room = 4 * triangles + 4096, .random = {5}};
	s->positions = malloc(3 * s->room * sizeof(*s->positions));
	s->indices = malloc(3 * s->room * sizeof(*s->indices));
	if (!s->positions || !s->indices)
		exit(1);
}

static uint32_t add_vertex(struct soup *s, double x, double y, double z)
{
	const double at[3] = {x, y, z};
	if (s->n_vertices == s->room)
		exit(1);
	for (size_t k = 0; k < 3; k++)
		s->positions[3 * (size_t)s->n_vertices + k] = (float)at[k];
	return s->n_vertices++;
}

static void add_triangle(struct soup *s, uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t *to = s->indices + 3 * (size_t)s->n_triangles;
	if (s->n_triangles++ == s->room)
		exit(1);
	to[0] = a;
	to[1] = b;
	to[2] = c;
}

/* Adds a grid of rows and columns of vertices that begin at `first`; a ring when it is closed. */
static void add_grid(struct soup *s, uint32_t first, uint32_t columns, uint32_t rows, bool closed)
{
	for (uint32_t row = 0; row + 1 < rows; row++)
		for (uint32_t i = 0; i + !closed < columns; i++) {
			uint32_t a = first + row * columns + i;
			uint32_t b = first + row * columns + (i + 1) % columns;
			add_triangle(s, a, b, b + columns);
			add_triangle(s, a, b + columns, a + columns);
		}
}

/* ---- the kinds ---- */

/*
 * Makes pipes that nearly touch each other, with lids that nearly fit: no two parts share a vertex.
 */
static void make_assembly(struct soup *s, uint32_t triangles)
{
	enum { COLUMNS = 24, ROWS = 4 };
	const uint32_t each = 2 * COLUMNS * ROWS, n = triangles / each + 1;
	const uint32_t side = (uint32_t)ceil(cbrt(n));
	for (uint32_t part = 0; part < n; part++) {
		uint32_t first = s->n_vertices, lids = first + COLUMNS * ROWS;
		double x = part % side, y = part / side % side, z = part / side / side;
		double gap = 1e-4 + 2e-3 * cs_random_unit(&s->random);
		for (uint32_t row = 0; row < ROWS + 2; row++)
			for (uint32_t i = 0; i < COLUMNS; i++) {
				double radius = 0.5 - gap * (row < ROWS ? 1 : 1.2);
				double up = row < ROWS ? (1 - gap) * row / (ROWS - 1)
						       : (row - ROWS) * (1 - 1.1 * gap);
				add_vertex(s, x + radius * cos(turn * i / COLUMNS),
					y + radius * sin(turn * i / COLUMNS), z + up);
			}
		add_grid(s, first, COLUMNS, ROWS, true);
		uint32_t foot = add_vertex(s, x, y, z), head = add_vertex(s, x, y, z + 1 - gap);
		for (uint32_t i = 0; i < COLUMNS; i++) {
			uint32_t next = (i + 1) % COLUMNS, top = lids + COLUMNS;
			add_triangle(s, foot, lids + next, lids + i);
			add_triangle(s, head, top + i, top + next);
		}
	}
}

/* Makes plates side by side, with borders that differ by less than a step. */
static void make_plates(struct soup *s, uint32_t triangles)
{
	enum { SIDE = 7 };
	const uint32_t n = (uint32_t)sqrt(triangles / (2. * (SIDE - 1) * (SIDE - 1))) + 1;
	for (uint32_t plate = 0; plate < n * n; plate++) {
		uint32_t first = s->n_vertices;
		double x = plate % n * (SIDE - 1.), y = plate / n * (SIDE - 1.);
		for (uint32_t i = 0; i < SIDE * SIDE; i++) {
			double px = x + i % SIDE, py = y + i / SIDE; /* NOLINT: whole rows */
			double off = 2e-3 * (cs_random_unit(&s->random) - 0.5);
			add_vertex(s, px + off, py - off, sin(0.3 * px) * cos(0.2 * py) + off);
		}
		add_grid(s, first, SIDE, SIDE, false);
	}
}

static void make_ball(struct soup *s, uint32_t triangles, double noise)
{
	const uint32_t rows = (uint32_t)sqrt(triangles / 4.) + 2, columns = 2 * rows;
	uint32_t first = s->n_vertices;
	for (uint32_t row = 0; row < rows; row++)
		for (uint32_t i = 0; i < columns; i++) {
			double down = turn / 2 * (row + 1) / (rows + 1),
			       around = turn * i / columns;
			double bump = 1 + noise * (cs_random_unit(&s->random) - 0.5);
			add_vertex(s, bump * sin(down) * cos(around),
				bump * sin(down) * sin(around), bump * cos(down));
		}
	add_grid(s, first, columns, rows, true);
	uint32_t top = add_vertex(s, 0, 0, 1), bottom = add_vertex(s, 0, 0, -1);
	for (uint32_t i = 0; i < columns; i++) {
		uint32_t next = (i + 1) % columns, last = first + (rows - 1) * columns;
		add_triangle(s, top, first + next, first + i);
		add_triangle(s, bottom, last + i, last + next);
	}
}

/*
 * Makes a scan in which some triangles occur again: one in seventy as it is and reversed, one in
 * 300 only as it is.
 */
static void make_doubled(struct soup *s, uint32_t triangles)
{
	make_ball(s, triangles, 0.01);
	for (uint32_t i = 0, n = s->n_triangles; i < n; i++) {
		const uint32_t *v = s->indices + 3 * (size_t)i;
		uint32_t chance = cs_random_below(&s->random, 70);
		if (chance == 0)
			add_triangle(s, v[1], v[0], v[2]);
		if (chance == 0 || cs_random_below(&s->random, 300) == 0)
			add_triangle(s, v[0], v[1], v[2]);
	}
}

static void make_copies(struct soup *s, uint32_t triangles)
{
	make_ball(s, triangles / 8, 0.01);
	for (uint32_t i = 0, n = s->n_triangles; i < 29 * n; i++)
		add_triangle(s, s->indices[3 * i], s->indices[3 * i + 1], s->indices[3 * i + 2]);
}

/* Makes bristles that are a thousand times as long as thick. */
static void make_needles(struct soup *s, uint32_t triangles)
{
	for (uint32_t i = 0; i < triangles / 6; i++) {
		uint32_t at[4];
		double x = cs_random_unit(&s->random), y = cs_random_unit(&s->random);
		double lean = 0.2 * (cs_random_unit(&s->random) - 0.5);
		for (unsigned k = 0; k < 3; k++)
			at[k] = add_vertex(
				s, x + 1e-3 * cos(turn * k / 3), y + 1e-3 * sin(turn * k / 3), 0);
		at[3] = add_vertex(s, x + lean, y - lean, 1);
		for (unsigned k = 0; k < 3; k++)
			add_triangle(s, at[k], at[(k + 1) % 3], at[3]);
		add_triangle(s, at[0], at[2], at[1]);
	}
}

static void make_rough(struct soup *s, uint32_t triangles)
{
	make_ball(s, triangles, 0.05);
}

static void make_smooth(struct soup *s, uint32_t triangles)
{
	make_ball(s, triangles, 0.004);
}

/*
 * Makes plates that stand on a floor, much thinner than they are high: their upper ends are flat.
 */
static void make_fins(struct soup *s, uint32_t triangles)
{
	enum { SIDE = 8 };
	uint32_t floor = s->n_vertices;
	for (uint32_t i = 0; i < SIDE * SIDE; i++)
		add_vertex(s, i % SIDE / (SIDE - 1.), i / SIDE / (SIDE - 1.), 0); /* NOLINT */
	add_grid(s, floor, SIDE, SIDE, false);
	for (uint32_t fin = 0; fin < triangles / 10; fin++) {
		double x = cs_random_unit(&s->random), y = cs_random_unit(&s->random);
		double thick = 1e-4 * (1 + cs_random_unit(&s->random)), high = 0.3;
		uint32_t first = s->n_vertices;
		for (uint32_t i = 0; i < 8; i++)
			add_vertex(s, x + (i % 4 == 1 || i % 4 == 2 ? thick : 0),
				y + (i % 4 >= 2 ? 0.1 : 0), i < 4 ? 0 : high);
		for (uint32_t i = 0; i < 4; i++) {
			uint32_t a = first + i, b = first + (i + 1) % 4;
			add_triangle(s, a, b, b + 4);
			add_triangle(s, a, b + 4, a + 4);
		}
		add_triangle(s, first + 4, first + 5, first + 6);
		add_triangle(s, first + 4, first + 6, first + 7);
	}
}

/* Makes single blades, each a triangle that is a line on the grid, and some ground below. */
static void make_grass(struct soup *s, uint32_t triangles)
{
	make_plates(s, triangles / 2);
	for (uint32_t i = 0; i < triangles / 2; i++) {
		double x = 9 * cs_random_unit(&s->random), y = 9 * cs_random_unit(&s->random);
		uint32_t foot = add_vertex(s, x, y, 0);
		add_vertex(s, x + 2e-3, y, 0);
		add_vertex(s, x + 0.5, y + 0.3, 2 + cs_random_unit(&s->random));
		add_triangle(s, foot, foot + 1, foot + 2);
	}
}

/* Adds books with many leaves at one spine, and cones that share a point. */
static void add_fans(struct soup *s, uint32_t triangles, uint32_t leaves, uint32_t turned)
{
	for (uint32_t book = 0; book < triangles / leaves; book++) {
		double x = book % 8, y = book / 8; /* NOLINT: whole rows */
		uint32_t foot = add_vertex(s, x, y, 0), head = add_vertex(s, x, y, 1);
		for (uint32_t i = 0; i < leaves; i++) {
			uint32_t far = add_vertex(s, x + 0.4 * cos(turn * i / leaves),
				y + 0.4 * sin(turn * i / leaves), book % 2 ? 0.5 : 1);
			if (book % 2 && i % turned == 1)
				add_triangle(s, head, foot, far);
			else if (book % 2)
				add_triangle(s, foot, head, far);
			else
				add_triangle(s, head, far, i + 1 < leaves ? far + 1 : head + 1);
		}
	}
}

static void make_fans(struct soup *s, uint32_t triangles)
{
	add_fans(s, triangles, 40, UINT32_MAX);
}

/* Makes books with more leaves than a cluster has triangles; one leaf in three is reversed. */
static void make_thick_fans(struct soup *s, uint32_t triangles)
{
	add_fans(s, triangles, 280, 3);
}

/* Makes rows, each with twice the vertices of the row before on their common line. */
static void make_junctions(struct soup *s, uint32_t triangles)
{
	const uint32_t rows = 6, widest = triangles / 4 + 2;
	for (uint32_t row = 0; row < rows; row++) {
		const uint32_t n = widest >> (row % 2 ? 1 : 3);
		uint32_t first = s->n_vertices;
		for (uint32_t i = 0; i < 2 * (n + 1); i++) {
			double x = (double)(i % (n + 1)) / n, y = row + (i > n ? 1. : 0.);
			add_vertex(s, 10 * x, y, sin(5 * x) + 1e-4 * cs_random_unit(&s->random));
		}
		add_grid(s, first, n + 1, 2, false);
	}
}

/* Makes triangles of which every third has no area: its corners are three places of one line. */
static void make_lines(struct soup *s, uint32_t triangles)
{
	make_ball(s, triangles / 2, 0.01);
	for (uint32_t i = 0, n = s->n_triangles; i < n; i += 2) {
		const uint32_t *v = s->indices + 3 * (size_t)i;
		const float *a = s->positions + 3 * (size_t)v[0];
		const float *b = s->positions + 3 * (size_t)v[1];
		uint32_t middle = add_vertex(s, (double)(a[0] + b[0]) / 2,
			(double)(a[1] + b[1]) / 2, (double)(a[2] + b[2]) / 2);
		add_triangle(s, v[0], middle, v[1]);
	}
}

/*
 * Makes one triangle over the whole mesh, many tiny ones, and some whose corners are no finite
 * numbers.
 */
static void make_sizes(struct soup *s, uint32_t triangles)
{
	add_vertex(s, -1000, -1000, 0);
	add_vertex(s, 1000, -1000, 0);
	add_vertex(s, 0, 1000, 1);
	add_triangle(s, 0, 1, 2);
	make_ball(s, triangles, 0.3);
	uint32_t none = add_vertex(s, NAN, 0, 0), far = add_vertex(s, 0, -INFINITY, 0);
	add_triangle(s, 0, 1, none);
	add_triangle(s, 2, far, 3);
	add_triangle(s, 2, 2, 3);
}

static void make_one(struct soup *s, uint32_t triangles)
{
	(void)triangles;
	add_vertex(s, 0, 0, 0);
	add_vertex(s, 1, 0.1, 0);
	add_vertex(s, 0.3, 1, 0.2);
	add_triangle(s, 0, 1, 2);
}

static void make_two(struct soup *s, uint32_t triangles)
{
	make_one(s, triangles);
	add_vertex(s, 0.31, 0.4, 0.21);
	add_triangle(s, 1, 0, 3);
}

/* Makes faces whose vertices are at the same places but have normals of their own. */
static void make_facets(struct soup *s, uint32_t triangles)
{
	make_ball(s, triangles, 0.2);
	const uint32_t n = s->n_triangles;
	s->normals = calloc(3 * s->room, sizeof(*s->normals));
	for (uint32_t i = 0; s->normals && i < 3 * n; i++) {
		const float *p = s->positions + 3 * (size_t)s->indices[i];
		s->indices[i] = add_vertex(s, (double)p[0], (double)p[1], (double)p[2]);
		s->normals[3 * (size_t)s->indices[i] + i / 3 % 3] = i % 7 ? 1 : -1;
	}
}

/*
 * Makes cubes that share their faces; each corner has its own normal, so there are many at every
 * place.
 */
static void make_cubes(struct soup *s, uint32_t triangles)
{
	const uint32_t side = (uint32_t)cbrt(triangles / 12.) + 1;
	s->normals = calloc(3 * s->room, sizeof(*s->normals));
	for (uint32_t cube = 0; s->normals && cube < side * side * side; cube++)
		for (uint32_t i = 0; i < 36; i++) {
			/* the corners of two triangles of a face */
			static const uint8_t corners[6] = {0, 1, 3, 0, 3, 2};
			const uint32_t face = i / 6, axis = face / 2, far = face % 2;
			const uint32_t corner = corners[far ? i % 6 : 5 - i % 6];
			uint32_t at[3] = {cube % side, cube / side % side, cube / side / side};
			at[axis] += far;
			at[(axis + 1) % 3] += corner % 2;
			at[(axis + 2) % 3] += corner / 2;
			uint32_t v = add_vertex(s, at[0], at[1], at[2]);
			for (size_t k = 0; k < 3; k++)
				s->normals[3 * (size_t)v + k] =
					(float)cs_random_unit(&s->random) - 0.5f;
			if (i % 3 == 2)
				add_triangle(s, v - 2, v - 1, v);
		}
}

static const struct kind {
	const char *name;
	void (*make)(struct soup *s, uint32_t triangles);
	double size, offset;
} kinds[] = {
	{"an assembly", make_assembly, 1, 0},
	{"an assembly of 100 m", make_assembly, 2500, 1e5},
	{"plates", make_plates, 1, 0},
	{"a scan with doubles", make_doubled, 100, 0},
	{"thirty copies of a scan", make_copies, 100, 0},
	{"needles", make_needles, 10, 0},
	{"needles far away", make_needles, 10, -3e5},
	{"a ball far away", make_rough, 30, 1e6},
	{"a ball of 10 cm, in metres", make_rough, 0.1, 0},
	{"a ball of 10 km, in centimetres", make_smooth, 5e5, 0},
	{"a ball of 20,000 km, in centimetres", make_smooth, 1e9, 0},
	{"an assembly of 10,000 km, in centimetres", make_assembly, 2.5e8, 1e9},
	{"an assembly of 10 cm, in metres", make_assembly, 0.01, 0},
	{"fins", make_fins, 100, 0},
	{"fins of 10 cm, in metres", make_fins, 0.1, 0},
	{"fins far away", make_fins, 100, 4e5},
	{"grass", make_grass, 20, 0},
	{"books and cones", make_fans, 20, 0},
	{"books of many leaves", make_thick_fans, 20, 0},
	{"cubes side by side", make_cubes, 20, 0},
	{"T-junctions", make_junctions, 20, 0},
	{"triangles without an area", make_lines, 50, 0},
	{"a huge triangle over tiny ones", make_sizes, 1, 0},
	{"faces with normals of their own", make_facets, 40, 0},
	{"one triangle", make_one, 30, 0},
	{"two triangles", make_two, 30, 1e3},
};

static struct cs_mesh *mesh_of(const struct kind *kind, uint32_t triangles)
{
	struct soup s;
	soup_init(&s, triangles);
	kind->make(&s, triangles);
	for (size_t i = 0; i < 3 * (size_t)s.n_vertices; i++)
		s.positions[i] = (float)((double)s.positions[i] * kind->size + kind->offset);
	struct cs_mesh *mesh = mesh_of_arrays((struct cs_mesh_view){.positions = s.positions,
		.normals = s.normals,
		.indices = s.indices,
		.n_vertices = s.n_vertices,
		.n_triangles = s.n_triangles});
	free(s.positions);
	free(s.normals);
	free(s.indices);
	return mesh;
}

/* ---- bounds, by points that are compared with every triangle ---- */

enum { RUN = 32 };

/*
 * Triangles, each with the distance that a point may have from it, in runs with boxes around them.
 */
struct bounded {
	double (*corners)[3][3];
	double *errors;
	double (*low)[3], (*high)[3]; /* by run, the errors included */
	size_t n;
};

static struct bounded bounded_new(size_t n)
{
	struct bounded b = {calloc(n + 1, sizeof(*b.corners)), calloc(n + 1, sizeof(*b.errors)),
		calloc(n / RUN + 1, sizeof(*b.low)), calloc(n / RUN + 1, sizeof(*b.high)), n};
	if (!b.corners || !b.errors || !b.low || !b.high)
		exit(1);
	return b;
}

static void bounded_free(struct bounded *b)
{
	free(b->corners);
	free(b->errors);
	free(b->low);
	free(b->high);
}

static void set_boxes(struct bounded *b)
{
	for (size_t i = 0; i < b->n; i++)
		for (int k = 0; k < 3; k++) {
			const double(*p)[3] = (const double(*)[3])b->corners[i];
			double low = fmin(p[0][k], fmin(p[1][k], p[2][k])) - b->errors[i];
			double high = fmax(p[0][k], fmax(p[1][k], p[2][k])) + b->errors[i];
			bool first = i % RUN == 0;
			b->low[i / RUN][k] = first ? low : fmin(low, b->low[i / RUN][k]);
			b->high[i / RUN][k] = first ? high : fmax(high, b->high[i / RUN][k]);
		}
}

static double dot(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double segment_distance(const double p[3], const double a[3], const double b[3])
{
	double along[3], off[3];
	for (int k = 0; k < 3; k++) {
		along[k] = b[k] - a[k];
		off[k] = p[k] - a[k];
	}
	double length2 = dot(along, along), t = length2 > 0 ? dot(off, along) / length2 : 0;
	t = fmin(fmax(t, 0), 1);
	for (int k = 0; k < 3; k++)
		off[k] -= t * along[k];
	return sqrt(dot(off, off));
}

/*
 * Returns the distance from the plane where the point is above the triangle, else from the nearest
 * side.
 */
static double triangle_distance(const double p[3], double c[3][3])
{
	double u[3], v[3], off[3], normal[3], least = INFINITY;
	bool over = true;
	for (int k = 0; k < 3; k++) {
		u[k] = c[1][k] - c[0][k];
		v[k] = c[2][k] - c[0][k];
		off[k] = p[k] - c[0][k];
	}
	for (int k = 0; k < 3; k++)
		normal[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
	double area2 = dot(normal, normal);
	for (int i = 0; i < 3; i++) {
		const double *a = c[i], *b = c[(i + 1) % 3];
		double inward[3];
		for (int k = 0; k < 3; k++)
			inward[k] = normal[(k + 1) % 3] * (b[(k + 2) % 3] - a[(k + 2) % 3]) -
				    normal[(k + 2) % 3] * (b[(k + 1) % 3] - a[(k + 1) % 3]);
		over = over && dot(inward, p) >= dot(inward, a);
		least = fmin(least, segment_distance(p, a, b));
	}
	return over && area2 > 0 ? fmin(least, fabs(dot(normal, off)) / sqrt(area2)) : least;
}

/* Returns whether some triangle is as near to the point as its error and `play` permit. */
static bool is_bounded(const struct bounded *b, const double p[3], double error, double play)
{
	for (size_t i = 0; i < b->n; i++) {
		const double *low = b->low[i / RUN], *high = b->high[i / RUN];
		double beyond = error + play;
		if (i % RUN == 0 && (p[0] < low[0] - beyond || p[1] < low[1] - beyond ||
					    p[2] < low[2] - beyond || p[0] > high[0] + beyond ||
					    p[1] > high[1] + beyond || p[2] > high[2] + beyond)) {
			i += RUN - 1;
			continue;
		}
		if (triangle_distance(p, b->corners[i]) <= b->errors[i] + beyond)
			return true;
	}
	return false;
}

/*
 * Takes a point of each triangle of `from` and counts the points that no triangle of `to` is near
 * enough to.
 */
static size_t count_beyond(const struct bounded *from, bool own_error, const struct bounded *to,
	double play, struct cs_random *random)
{
	size_t n = 0;
	for (size_t i = 0; i < from->n; i++) {
		double weights[3] = {0, 0, 0}, p[3] = {0, 0, 0};
		/* by turns at a corner, on a side, within */
		for (size_t k = 0; k <= i % 3; k++)
			weights[(i / 3 + k) % 3] = 0.01 + cs_random_unit(random);
		double sum = weights[0] + weights[1] + weights[2];
		for (int k = 0; k < 9; k++)
			p[k % 3] += weights[k / 3] / sum * from->corners[i][k / 3][k % 3];
		n += !is_bounded(to, p, own_error ? from->errors[i] : 0, play);
	}
	return n;
}

static struct bounded source_of(const struct cs_mesh *mesh)
{
	struct bounded b = bounded_new(mesh->n_triangles);
	for (size_t i = 0; i < 9 * b.n; i++)
		b.corners[i / 9][i / 3 % 3][i % 3] =
			(double)mesh->positions[3 * (size_t)mesh->indices[i / 3] + i % 3];
	set_boxes(&b);
	return b;
}

static struct bounded level_of(const struct cs_dag *dag, uint32_t level)
{
	struct bounded b = bounded_new(dag->n_triangles);
	b.n = 0;
	for (uint32_t i = 0; i < dag->n_clusters; i++) {
		const struct cs_cluster *c = &dag->clusters[i];
		for (uint32_t k = 0; c->level == level && k < 3 * c->n_triangles; k++) {
			size_t corner = 3 * (size_t)c->first_triangle + k;
			size_t vertex = (size_t)c->first_vertex + dag->corners[corner];
			for (size_t axis = 0; axis < 3; axis++)
				b.corners[b.n][k % 3][axis] =
					(double)dag->positions[3 * vertex + axis];
			b.errors[b.n] = (double)c->lod_error;
			b.n += k % 3 == 2;
		}
	}
	set_boxes(&b);
	return b;
}

/*
 * Counts the points of all levels and of the source that are farther from each other than the
 * declared errors permit.
 */
static size_t count_lies(const struct cs_dag *dag, const struct cs_mesh *mesh)
{
	struct bounded source = source_of(mesh);
	struct cs_random random = {11};
	size_t n = 0;
	double far = 0;
	for (size_t i = 0; i < 3 * (size_t)mesh->n_vertices; i++)
		far = fmax(far, fabs((double)mesh->positions[i]));
	for (uint32_t level = 0; level < dag->n_levels; level++) {
		struct bounded written = level_of(dag, level);
		size_t lost = count_beyond(&source, false, &written, 1e-12 * far, &random);
		size_t invented = count_beyond(&written, true, &source, 1e-12 * far, &random);
		if (lost + invented > 0)
			diag("level %u: %zu points of the source and %zu of the level are farther "
			     "away than is declared",
				level, lost, invented);
		n += lost + invented;
		bounded_free(&written);
	}
	bounded_free(&source);
	return n;
}

/* ---- what must hold ---- */

static void count_error(void *context, const struct cs_finding *finding)
{
	if (finding->severity != CS_ERROR)
		return;
	if ((*(size_t *)context)++ < 4)
		diag("%s: %s: %s", finding->rule, finding->place, finding->message);
}

static bool is_on_grid(const struct cs_dag *dag)
{
	const double scale = ldexp(1, dag->precision);
	for (size_t i = 0; i < 3 * (size_t)dag->n_vertices; i++)
		if ((double)dag->positions[i] * scale != rint((double)dag->positions[i] * scale))
			return false;
	return true;
}

/* What became of a build: its error, or the faults of DAG and resource together. */
struct outcome {
	struct cs_error *error;
	uint64_t faults;
	size_t findings, lies;
	bool on_grid;
	int precision;
	uint64_t bytes; /* their hash */
};

static void show_rule(void *context, const char *rule, const char *message)
{
	diag("%s: %s: %s", (const char *)context, rule, message);
}

static struct outcome build(const char *name, const struct cs_mesh *mesh, int precision,
	enum cs_dag_error kind, int threads)
{
	struct cs_job job = {.threads = threads};
	struct cs_dag_options options = cs_dag_options_default();
	struct cs_dag_check check = {mesh, 3, 0};
	struct cs_dag_verdict verdict = {.faults = 1};
	struct outcome out = {.findings = 0};
	struct cs_nanite *resource = NULL;
	struct cs_dag *dag = NULL, *decoded = NULL;
	size_t n;
	options.error = kind;
	out.error = cs_dag_build_on_grid(mesh, &options, precision, &job, NULL, &dag);
	if (!out.error && kind == CS_DAG_ERROR_BOUND)
		check.samples = 100;
	if (!out.error)
		out.error = cs_dag_verify(
			dag, &check, &job, show_rule, (void *)(uintptr_t)name, &verdict);
	if (!out.error)
		out.error = cs_nanite_encode(dag, NULL, &job, &resource);
	if (!out.error)
		out.error = cs_nanite_check(resource, true, &job, count_error, &out.findings, &n);
	if (!out.error && kind == CS_DAG_ERROR_BOUND && threads == 1)
		out.error = cs_nanite_dag(resource, NULL, &decoded);
	if (decoded)
		out.lies = count_lies(decoded, mesh);
	cs_dag_free(decoded);
	if (!out.error) {
		out.faults = verdict.faults;
		out.on_grid = is_on_grid(dag);
		out.precision = dag->precision;
		out.bytes = XXH3_64bits(resource->root_bytes, resource->n_root_bytes) ^
			    XXH3_64bits(resource->stream_bytes, resource->n_stream_bytes);
	}
	cs_nanite_free(resource);
	cs_dag_free(dag);
	return out;
}

/*
 * Builds a mesh: it is sound, or it is refused with a reason when no triangle is left on the grid.
 */
static int test(const char *name, const struct cs_mesh *mesh, int precision, enum cs_dag_error kind)
{
	struct outcome one = build(name, mesh, precision, kind, 1);
	if (one.error) {
		ok(strstr(one.error->message, "on a grid"), "%s: refused: %s", name,
			one.error->message);
		cs_error_free(one.error);
		return 0;
	}
	ok(one.faults == 0 && one.findings == 0 && one.on_grid,
		"%s, 2^-%d: the DAG and the resource are sound", name, one.precision);
	is_int(one.lies, 0, "%s, 2^-%d: every level is within its errors", name, one.precision);
	struct outcome three = build(name, mesh, precision, kind, 3);
	ok(!three.error && three.bytes == one.bytes, "%s, 2^-%d: the same on three threads", name,
		one.precision);
	cs_error_free(three.error);
	return one.precision;
}

/* Returns the decoded DAG of a ball scaled by 2^size, or NULL when its resource is not sound. */
static struct cs_dag *stored_ball(int size)
{
	const struct kind kind = {"a ball", make_rough, ldexp(1, size), 0};
	struct cs_mesh *mesh = mesh_of(&kind, 4000);
	struct cs_nanite *resource = NULL;
	struct cs_dag *dag = NULL, *decoded = NULL;
	size_t findings = 0, n;
	struct cs_error *error = cs_dag_build_on_grid(mesh, NULL, 12 - size, NULL, NULL, &dag);
	if (!error)
		error = cs_nanite_encode(dag, NULL, NULL, &resource);
	if (!error)
		error = cs_nanite_check(resource, true, NULL, count_error, &findings, &n);
	if (!error)
		error = cs_nanite_dag(resource, NULL, &decoded);
	ok(!error && findings == 0, "a ball of 2^%d units is sound", size);
	cs_error_free(error);
	cs_nanite_free(resource);
	cs_dag_free(dag);
	cs_mesh_free(mesh);
	return decoded;
}

/* A mesh that is 2^k times as large has the same levels, with errors 2^k times as large. */
static void test_sizes(void)
{
	static const int sizes[] = {-30, -10, 16, 20, 23, 48};
	struct cs_dag *one = stored_ball(0);
	for (size_t i = 0; one && i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct cs_dag *dag = stored_ball(sizes[i]);
		const double scale = ldexp(1, sizes[i]);
		size_t n_wrong = !dag || dag->n_clusters != one->n_clusters ||
				 dag->n_vertices != one->n_vertices;
		for (uint32_t k = 0; !n_wrong && k < one->n_clusters; k++) {
			const double want = (double)one->clusters[k].lod_error * scale;
			/* halves of the one may be rounded up where those of the other are not */
			n_wrong += fabs((double)dag->clusters[k].lod_error - want) > want / 1024;
		}
		for (size_t k = 0; !n_wrong && k < 3 * (size_t)one->n_vertices; k++)
			n_wrong += (double)dag->positions[k] != (double)one->positions[k] * scale;
		is_int(n_wrong, 0, "2^%d times as large, it has the same levels", sizes[i]);
		cs_dag_free(dag);
	}
	cs_dag_free(one);
}

/* Returns the distance of a cut to a sixteenth of the triangles from the mesh. */
static double rms_of(void (*make)(struct soup *s, uint32_t triangles), const char *name)
{
	const struct kind kind = {name, make, 100, 0};
	struct cs_mesh *mesh = mesh_of(&kind, tap_long(6000, 20000));
	struct cs_dag_check check = {mesh, 0, 2000};
	struct cs_dag_verdict verdict = {.faults = 1};
	struct cs_dag *dag = NULL;
	works(cs_dag_build(mesh, NULL, NULL, NULL, &dag), "%s is built", name);
	cs_error_free(
		cs_dag_verify(dag, &check, NULL, show_rule, (void *)(uintptr_t)name, &verdict));
	cs_dag_free(dag);
	cs_mesh_free(mesh);
	return verdict.measures[1].rms;
}

static void make_single(struct soup *s, uint32_t triangles)
{
	make_ball(s, triangles, 0.01);
}

/* Coincident triangles must not keep those around them from being simplified. */
static void test_doubles(void)
{
	double single = rms_of(make_single, "a scan"), doubled = rms_of(make_doubled, "doubles");
	ok(doubled < 1.5 * single, "doubles do no harm: %.4f, %.4f without", doubled, single);
}

int main(void)
{
	const char *wanted = getenv("CELLSCOPE_KINDS_TRIANGLES");
	static const int coarser[] = {2, 4, 6, -3};
	const uint32_t triangles = wanted ? (uint32_t)strtoul(wanted, NULL, 10) : 600;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		struct cs_mesh *mesh = mesh_of(&kinds[i], triangles);
		int own = test(kinds[i].name, mesh, CS_PRECISION_AUTO, CS_DAG_ERROR_BOUND);
		for (size_t k = 0; k < sizeof(coarser) / sizeof(*coarser); k++)
			test(kinds[i].name, mesh, cs_grid_of_mesh(mesh, own - coarser[k]),
				k % 2 ? CS_DAG_ERROR_BOUND : CS_DAG_ERROR_QUADRIC);
		cs_mesh_free(mesh);
	}
	test_sizes();
	test_doubles();
	return done();
}
