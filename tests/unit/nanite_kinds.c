/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests that what is built is sound whatever is built: assemblies of many close parts, borders that
 * meet when they are rounded, scans with triangles that are there twice, needles, meshes far from
 * the origin, meshes of 10 cm and of 10 km; at every precision, with every kind of error, on any
 * number of threads. The DAG holds to its checks, what was encoded to those of the resource, and
 * nothing lies anywhere but on the grid.
 *
 *	CELLSCOPE_KINDS_TRIANGLES    about as many a mesh has, 3000 by default; make soak takes
 *40000
 */
#include "cluster/build.h"
#include "core/random.h"
#include "nanite/format/resource.h"
#include "tests/unit/dag_test.h"

#include <cellscope/nanite.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <math.h>

static const double turn = 6.283185307179586;

struct soup {
	float *positions;
	uint32_t *indices;
	uint32_t n_vertices, n_triangles, room;
	struct cs_random random;
};

static void soup_init(struct soup *s, uint32_t triangles)
{
	*s = (struct soup){.room = 3 * triangles + 4096, .random = {5}};
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

/* A grid of rows and columns of vertices that begin at `first`; a ring when it is closed. */
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

/* Pipes that nearly touch each other, with lids that nearly fit: no vertex is shared by two. */
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

/* Plates side by side, with borders that differ by less than a step. */
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

/* A scan: one triangle in seventy is there again, mostly turned over. */
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

/* Bristles a thousand times as long as they are thick. */
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

static const struct kind {
	const char *name;
	void (*make)(struct soup *s, uint32_t triangles);
	double size, offset;
} kinds[] = {
	{"an assembly", make_assembly, 1, 0},
	{"an assembly of 100 m", make_assembly, 2500, 1e5},
	{"plates", make_plates, 1, 0},
	{"a scan with doubles", make_doubled, 100, 0},
	{"needles", make_needles, 10, 0},
	{"needles far away", make_needles, 10, -3e5},
	{"a ball far away", make_rough, 30, 1e6},
	{"a ball of 10 cm, in metres", make_rough, 0.1, 0},
	{"a ball of 10 km, in centimetres", make_smooth, 5e5, 0},
	{"an assembly of 10 cm, in metres", make_assembly, 0.01, 0},
};

static struct cs_mesh *mesh_of(const struct kind *kind, uint32_t triangles)
{
	struct soup s;
	soup_init(&s, triangles);
	kind->make(&s, triangles);
	for (size_t i = 0; i < 3 * (size_t)s.n_vertices; i++)
		s.positions[i] = (float)((double)s.positions[i] * kind->size + kind->offset);
	struct cs_mesh *mesh = mesh_of_arrays((struct cs_mesh_view){.positions = s.positions,
		.indices = s.indices,
		.n_vertices = s.n_vertices,
		.n_triangles = s.n_triangles});
	free(s.positions);
	free(s.indices);
	return mesh;
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

static uint32_t n_leaves(const struct cs_dag *dag)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < dag->n_clusters; i++)
		n += dag->clusters[i].level == 0 ? dag->clusters[i].n_triangles : 0;
	return n;
}

/* The faults of a build in DAG and resource together, and what it became. */
struct outcome {
	struct cs_error *error;
	uint64_t faults;
	size_t findings;
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
	struct cs_dag *dag = NULL;
	size_t n;
	options.error = kind;
	out.error = cs_dag_build_on_grid(mesh, &options, precision, &job, NULL, &dag);
	/* triangles that are none on the grid are not there, and nothing is said of them */
	if (!out.error && kind == CS_DAG_ERROR_BOUND && n_leaves(dag) == mesh->n_triangles)
		check.samples = 300;
	if (!out.error)
		out.error = cs_dag_verify(
			dag, &check, &job, show_rule, (void *)(uintptr_t)name, &verdict);
	if (!out.error)
		out.error = cs_nanite_encode(dag, NULL, &job, &resource);
	if (!out.error)
		out.error = cs_nanite_check(resource, true, &job, count_error, &out.findings, &n);
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

/* Clean; or refused with a reason, where the grid leaves no triangle. */
static int test(const char *name, const struct cs_mesh *mesh, int precision, enum cs_dag_error kind)
{
	struct outcome one = build(name, mesh, precision, kind, 1);
	if (one.error) {
		ok(cs_error_code(one.error) == CS_E_MESH, "%s: refused: %s", name,
			cs_error_message(one.error));
		cs_error_free(one.error);
		return 0;
	}
	ok(one.faults == 0 && one.findings == 0 && one.on_grid,
		"%s, 2^-%d: the DAG and the resource are sound", name, one.precision);
	struct outcome three = build(name, mesh, precision, kind, 3);
	ok(!three.error && three.bytes == one.bytes, "%s, 2^-%d: the same on three threads", name,
		one.precision);
	cs_error_free(three.error);
	return one.precision;
}

/* The distance of a cut to a sixteenth from the mesh. */
static double rms_of(void (*make)(struct soup *s, uint32_t triangles), const char *name)
{
	const struct kind kind = {name, make, 100, 0};
	struct cs_mesh *mesh = mesh_of(&kind, 20000);
	struct cs_dag_check check = {mesh, 0, 2000};
	struct cs_dag_verdict verdict = {.faults = 1};
	struct cs_dag *dag = NULL;
	works(cs_dag_build(mesh, NULL, NULL, NULL, &dag), "%s of 20000 is built", name);
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

/* What lies on another triangle must not hold up what is around it: it was three times as much. */
static void test_doubles(void)
{
	double single = rms_of(make_single, "a scan"), doubled = rms_of(make_doubled, "doubles");
	ok(doubled < 1.5 * single, "doubles do no harm: %.4f, %.4f without", doubled, single);
}

int main(void)
{
	const char *wanted = getenv("CELLSCOPE_KINDS_TRIANGLES");
	static const int coarser[] = {2, 4, 6, -3};
	const uint32_t triangles = wanted ? (uint32_t)strtoul(wanted, NULL, 10) : 3000;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		struct cs_mesh *mesh = mesh_of(&kinds[i], triangles);
		int own = test(kinds[i].name, mesh, CS_PRECISION_AUTO, CS_DAG_ERROR_BOUND);
		for (size_t k = 0; k < sizeof(coarser) / sizeof(*coarser); k++)
			test(kinds[i].name, mesh, own - coarser[k],
				k % 2 ? CS_DAG_ERROR_BOUND : CS_DAG_ERROR_QUADRIC);
		cs_mesh_free(mesh);
	}
	test_doubles();
	return done();
}
