/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of the builder: every DAG it makes is judged by cs_dag_verify (C1 to C6 of the rules), on
 * all kinds of generated meshes and on rubbish; the same bytes on any number of threads; bad
 * options, interruption.
 */
#include "cluster/build.h"
#include "core/random.h"
#include "tests/samples/mesh_kinds.h"
#include "tests/unit/nanite/dag_test.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <math.h>

/* ---- all kinds ---- */

struct expectation {
	enum cs_mesh_kind kind;
	uint32_t triangles;
	double fill;    /* of the leaves, at least */
	uint32_t stuck; /* groups, at most */
};

static void test_kinds(void)
{
	static const struct expectation expectations[] = {
		{CS_MESH_TERRAIN, 6000, 0.98, 0},
		{CS_MESH_NOISE, 6000, 0.98, 0},
		{CS_MESH_FOLIAGE, 6000, 0.97, 0},
		/* 384 vertices for 128 triangles: 256 hold 85 */
		{CS_MESH_FLAT, 6000, 0.64, 0},
		{CS_MESH_SEAMS, 6000, 0.98, 0},
		{CS_MESH_TRIANGLE, 1, 0, 0},
		{CS_MESH_CUBE, 12, 0, 0},
		{CS_MESH_ISLANDS, 6000, 0.97, 0},
		{CS_MESH_MOEBIUS, 6000, 0.97, 0},
		{CS_MESH_COINCIDENT, 6000, 0.97, 1},
	};
	for (size_t i = 0; i < sizeof(expectations) / sizeof(*expectations); i++) {
		const struct expectation *e = &expectations[i];
		const char *name = mesh_kind_name(e->kind);
		struct cs_mesh *mesh = made_mesh(e->kind, e->triangles, 1);
		for (enum cs_partitioner p = 0; p <= CS_PARTITIONER_METIS; p++) {
			struct cs_dag_report report = {0};
			cs_dag_free(build_and_judge(name, mesh, p, 4000, &report));
			ok(report.leaf_fill >= e->fill, "%s by %s: fill %.3f", name,
				partitioners[p], report.leaf_fill);
			ok(report.stuck_groups <= e->stuck, "%s by %s: %u groups stuck", name,
				partitioners[p], report.stuck_groups);
		}
		cs_mesh_free(mesh);
	}
}

/* Builds meshes with sizes around the limit of one cluster, and around that of one group. */
static void test_sizes(void)
{
	static const uint32_t sizes[] = {1, 2, 126, 128, 130, 254, 258, 1000, 4100};
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct cs_mesh *mesh = made_mesh(CS_MESH_FOLIAGE, sizes[i], 2);
		struct cs_dag_report report = {0};
		struct cs_dag *dag =
			build_and_judge("a few quads", mesh, CS_PARTITIONER_NATIVE, 500, &report);
		if (mesh->n_triangles <= CS_CLUSTER_TRIANGLES / 2)
			is_int(report.clusters, 1, "%u triangles are one cluster", sizes[i]);
		cs_dag_free(dag);
		cs_mesh_free(mesh);
	}
}

/* ---- rubbish ---- */

enum { SIDE = 50, MOST = 6000 };

static float positions[3 * 3 * MOST];
static uint32_t indices[3 * MOST];

static void judge_rubbish(const char *name, uint32_t vertices, uint32_t triangles, uint32_t samples)
{
	struct cs_mesh *mesh = mesh_of_arrays((struct cs_mesh_view){.positions = positions,
		.indices = indices,
		.n_vertices = vertices,
		.n_triangles = triangles});
	for (enum cs_partitioner p = 0; p <= CS_PARTITIONER_METIS; p++)
		cs_dag_free(build_and_judge(name, mesh, p, samples, NULL));
	cs_mesh_free(mesh);
}

/* Builds triangles between any three of so many vertices. */
static void test_soup(uint32_t vertices, uint32_t triangles)
{
	struct cs_random random = {vertices};
	char name[80];
	for (uint32_t i = 0; i < 3 * vertices; i++)
		positions[i] = (float)cs_random_unit(&random);
	for (uint32_t i = 0; i < 3 * triangles; i++)
		indices[i] = cs_random_below(&random, vertices);
	snprintf(name, sizeof(name), "%u triangles of %u points", triangles, vertices);
	judge_rubbish(name, vertices, triangles, 50);
}

/* All triangles share an edge or a place, so that no neighbourhood is a disc. */
static void test_fans(void)
{
	enum { N = 1500 };
	for (uint32_t i = 0; i < N + 2; i++) {
		double angle = i * 6.28318530717958 / N;
		positions[3 * i] = i < 2 ? 0 : (float)cos(angle);
		positions[3 * i + 1] = i < 2 ? 0 : (float)sin(angle);
		positions[3 * i + 2] = i == 0 ? 0 : i == 1 ? 1 : 0.5f;
	}
	for (uint32_t i = 0; i < N; i++) {
		const uint32_t book[3] = {0, 1, 2 + i}, umbrella[3] = {0, 2 + i, 2 + (i + 1) % N};
		memcpy(indices + 3 * i, book, sizeof(book));
		memcpy(indices + 3 * (N + i), umbrella, sizeof(umbrella));
	}
	judge_rubbish("a book of pages", N + 2, N, 200);
	memmove(indices, indices + 3 * N, 3 * N * sizeof(*indices));
	judge_rubbish("an umbrella", N + 2, N, 200);
}

/* Builds a sheet of waves, scaled and moved; with `sides` 2 also its back. */
static void make_sheet(double scale, double offset, double waves, uint32_t sides)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < (SIDE + 1) * (SIDE + 1); i++) {
		double x = i % (SIDE + 1), y = i / (SIDE + 1);
		positions[3 * i] = (float)(offset + scale * x);
		positions[3 * i + 1] = (float)(offset + scale * y);
		positions[3 * i + 2] =
			(float)(offset + scale * waves * sin(x * 0.3) * cos(y * 0.2));
	}
	for (uint32_t y = 0; y < SIDE && sides; y++)
		for (uint32_t x = 0; x < SIDE / sides; x++) {
			uint32_t a = y * (SIDE + 1) + x, b = a + SIDE + 2;
			const uint32_t front[6] = {a, a + 1, b, a, b, a + SIDE + 1};
			const uint32_t back[6] = {a, b, a + 1, a, a + SIDE + 1, b};
			memcpy(indices + n, front, sizeof(front));
			n += 6;
			if (sides == 2) {
				memcpy(indices + n, back, sizeof(back));
				n += 6;
			}
		}
}

static void test_sheets(void)
{
	static const struct {
		const char *name;
		double scale, offset, waves;
		uint32_t sides, samples;
	} sheets[] = {
		/* whose cuts are so coarse that each sample looks at all of it, and errs nowhere */
		{"a flat sheet", 1, 0, 0, 1, 300},
		{"a wavy sheet", 1, 0, 3, 1, 2000},
		{"a sheet with a back", 1, 0, 3, 2, 2000},
		{"a tiny sheet", 1e-20, 0, 3, 1, 2000},
		{"a huge sheet", 1e5, 0, 3, 1, 2000},
		{"a sheet as large as can be", 1e13, 0, 3, 1, 2000},
		{"a sheet far away", 1, 1e6, 3, 1, 2000},
	};
	for (size_t i = 0; i < sizeof(sheets) / sizeof(*sheets); i++) {
		make_sheet(sheets[i].scale, sheets[i].offset, sheets[i].waves, sheets[i].sides);
		judge_rubbish(sheets[i].name, (SIDE + 1) * (SIDE + 1), 2 * SIDE * SIDE,
			sheets[i].samples);
	}
}

/* Builds separate triangles of very different sizes. */
static void test_dust(void)
{
	enum { N = 3000 };
	struct cs_random random = {5};
	for (uint32_t i = 0; i < N; i++) {
		double size = pow(10, cs_random_range(&random, -5, 0));
		for (uint32_t k = 0; k < 9; k++)
			positions[9 * i + k] = (float)(cs_random_unit(&random) * size + i % 7);
		for (uint32_t k = 0; k < 3; k++)
			indices[3 * i + k] = 3 * i + k;
	}
	judge_rubbish("dust", 3 * N, N, 500);
}

/* ---- determinism ---- */

static uint64_t hash_of(const struct cs_dag *dag)
{
	XXH3_state_t state;
	XXH3_64bits_reset(&state);
	size_t v = dag->n_vertices, t = dag->n_triangles;
	XXH3_64bits_update(&state, dag->positions, v * 3 * sizeof(float));
	XXH3_64bits_update(&state, dag->normals, v * 3 * sizeof(float));
	for (uint32_t i = 0; i < dag->n_uvs; i++)
		XXH3_64bits_update(&state, dag->uvs[i], v * 2 * sizeof(float));
	if (dag->colors)
		XXH3_64bits_update(&state, dag->colors, v * 4);
	XXH3_64bits_update(&state, dag->corners, t * 3);
	XXH3_64bits_update(&state, dag->materials, t);
	XXH3_64bits_update(&state, dag->clusters, dag->n_clusters * sizeof(*dag->clusters));
	XXH3_64bits_update(&state, dag->groups, dag->n_groups * sizeof(*dag->groups));
	XXH3_64bits_update(&state, dag->children, dag->n_children * sizeof(*dag->children));
	return XXH3_64bits_digest(&state);
}

static uint64_t build_hash(
	const struct cs_mesh *mesh, const struct cs_dag_options *options, int threads)
{
	struct cs_job job = {.threads = threads};
	struct cs_dag *dag = NULL;
	struct cs_error *error = cs_dag_build(mesh, options, &job, NULL, &dag);
	uint64_t hash = dag ? hash_of(dag) : 0;
	cs_error_free(error);
	cs_dag_free(dag);
	return hash;
}

static void test_determinism(enum cs_mesh_kind kind, uint32_t triangles)
{
	static const int threads[] = {1, 2, 8};
	struct cs_mesh *mesh = made_mesh(kind, triangles, 3);
	struct cs_dag_options options = cs_dag_options_default();
	for (enum cs_partitioner p = 0; p <= CS_PARTITIONER_METIS; p++) {
		options.partitioner = p;
		uint64_t first = build_hash(mesh, &options, 1);
		bool same = first != 0;
		for (size_t i = 0; i < sizeof(threads) / sizeof(*threads); i++)
			same = same && build_hash(mesh, &options, threads[i]) == first;
		ok(same, "%s by %s: the same bytes on 1, 2 and 8 threads, again and again",
			mesh_kind_name(kind), partitioners[p]);
	}
	cs_mesh_free(mesh);
}

/* ---- errors by quadrics ---- */

/*
 * With quadric errors all rules but the bound hold. Errors are smaller, so cuts at one error have
 * fewer triangles.
 */
static void test_quadrics(void)
{
	struct cs_mesh *mesh = made_mesh(CS_MESH_NOISE, tap_long(4000, 20000), 2);
	struct cs_dag_options options = cs_dag_options_default();
	struct cs_dag_check check = {mesh, 6, 0};
	struct cs_dag_verdict verdict = {.faults = 1};
	struct cs_dag_cut cuts[2] = {{0}};
	double error = 0;
	for (int i = 0; i < 2; i++) {
		struct cs_dag *dag = NULL;
		options.error = i ? CS_DAG_ERROR_QUADRIC : CS_DAG_ERROR_BOUND;
		works(cs_dag_build(mesh, &options, NULL, NULL, &dag), "errors of kind %d", i);
		if (!dag)
			continue;
		works(cs_dag_verify(dag, &check, NULL, show_fault, (void *)(uintptr_t) "quadrics",
			      &verdict),
			"kind %d is judged", i);
		is_int(verdict.faults, 0, "kind %d: C1 to C5 hold", i);
		error = i ? error : (double)dag->groups[dag->n_groups / 2].max_parent_error;
		works(cs_dag_cut(dag, &(struct cs_dag_fineness){error, 0, 0}, &cuts[i]),
			"kind %d is cut", i);
		cs_dag_free(dag);
	}
	ok(cuts[1].n_triangles > 0 && cuts[1].n_triangles < cuts[0].n_triangles * 3 / 4,
		"%llu triangles by quadrics, %llu by bounds at the same error",
		(unsigned long long)cuts[1].n_triangles, (unsigned long long)cuts[0].n_triangles);
	options.error = (enum cs_dag_error)7;
	struct cs_dag *none = NULL;
	fails(cs_dag_build(mesh, &options, NULL, NULL, &none), CS_E_SETTING, "no such errors");
	free(cuts[0].clusters);
	free(cuts[1].clusters);
	cs_mesh_free(mesh);
}

/* ---- options and interruption ---- */

/*
 * Of all triangles between points of a curve none can go, for each edge has triangles on all sides:
 * what cannot be built says what to mend.
 */
static void test_tangle(void)
{
	enum { POINTS = 24, TRIANGLES = POINTS * (POINTS - 1) * (POINTS - 2) / 6 };
	float at[3 * POINTS];
	uint32_t corners[3 * TRIANGLES];
	size_t n = 0;
	struct cs_mesh *mesh;
	struct cs_dag *dag = NULL;
	for (uint32_t i = 0; i < POINTS; i++) {
		at[3 * i] = (float)(10 * i);
		at[3 * i + 1] = (float)(i * i) / 2;
		at[3 * i + 2] = (float)(i * i * i) / 50;
		for (uint32_t j = 0; j < i; j++)
			for (uint32_t k = 0; k < j; k++) {
				corners[n++] = k;
				corners[n++] = j;
				corners[n++] = i;
			}
	}
	const struct cs_mesh_view arrays = {.positions = at,
		.indices = corners,
		.n_vertices = POINTS,
		.n_triangles = TRIANGLES};
	works(cs_mesh_from_arrays(&arrays, NULL, NULL, &mesh), "a tangle of triangles");
	struct cs_error *error = cs_dag_build(mesh, NULL, NULL, NULL, &dag);
	ok(error && strstr(error->message, "too many surfaces lie on each other"),
		"a tangle is named: %s", error ? error->message : "built");
	cs_error_free(error);
	cs_dag_free(dag);
	cs_mesh_free(mesh);
}

static void test_options(void)
{
	static const struct {
		const char *what;
		uint32_t group_min, group_max;
		double weight;
	} bad[] = {
		{"groups of one", 1, 32, 1},
		{"groups upside down", 32, 8, 1},
		{"huge groups", 8, 1000, 1},
		{"a negative weight", 8, 32, -1},
		{"a weight that is no number", 8, 32, NAN},
	};
	struct cs_mesh *mesh = made_mesh(CS_MESH_TERRAIN, 3000, 1);
	struct cs_dag *dag = NULL;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct cs_dag_options options = cs_dag_options_default();
		options.group_min = bad[i].group_min;
		options.group_max = bad[i].group_max;
		options.uv_weight = bad[i].weight;
		fails(cs_dag_build(mesh, &options, NULL, NULL, &dag), CS_E_SETTING, "refused: %s",
			bad[i].what);
	}
	for (uint32_t most = 2; most <= 128; most *= 8) {
		struct cs_dag_options options = cs_dag_options_default();
		options.group_min = options.group_max = most;
		works(cs_dag_build(mesh, &options, NULL, NULL, &dag), "groups of %u", most);
		judge("other groups", dag, mesh, 500);
		cs_dag_free(dag);
	}
	cs_mesh_free(mesh);
}

/* Returns true when it was called often enough. */
static bool stop_after(void *context)
{
	int *left = context;
	return (*left)-- <= 0;
}

static void test_interruption(void)
{
	struct cs_mesh *mesh = made_mesh(CS_MESH_TERRAIN, 3000, 1);
	int asked = 0;
	for (bool stopped = true; stopped && asked < 1000; asked++) {
		int left = asked;
		struct cs_job job = {.interrupted = stop_after, .context = &left};
		struct cs_dag *dag = NULL;
		struct cs_error *error = cs_dag_build(mesh, NULL, &job, NULL, &dag);
		stopped = error && error->code == CS_E_INTERRUPTED;
		if (!stopped)
			ok(!error && dag, "only an interruption ends a build");
		cs_error_free(error);
		cs_dag_free(dag);
	}
	ok(asked > 3, "a build can be interrupted at %d points", asked - 1);
	cs_mesh_free(mesh);
}

int main(void)
{
	test_kinds();
	test_sizes();
	test_soup(300, 2000);
	test_soup(3000, 3000);
	test_fans();
	test_sheets();
	test_dust();
	test_determinism(CS_MESH_TERRAIN, tap_long(4000, 30000));
	test_determinism(CS_MESH_SEAMS, tap_long(2500, 10000));
	test_determinism(CS_MESH_FOLIAGE, tap_long(2500, 5000));
	test_quadrics();
	test_tangle();
	test_options();
	test_interruption();
	return done();
}
