/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From a mesh to a resource and back, with meshes that were not made for the encoder: level 0 is
 * the source on the grid, triangle by triangle; the decoded DAG holds what was promised of the
 * built one, against the original mesh too; encoding what was decoded gives the same bytes, as
 * does any number of threads.
 */
#include "cluster/dag_internal.h"
#include "mesh/mesh_internal.h"
#include "nanite/decode/decode.h"
#include "nanite/format/resource.h"
#include "nanite/verify/verify_resource.h"
#include "tests/samples/dag_check.h"
#include "tests/samples/mesh_kinds.h"
#include "tests/samples/nanite_contents.h"
#include "tests/samples/tap.h"

#include "core/sort.h"
#include "nanite/format/contents.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <math.h>

struct made {
	const char *name;
	const struct cs_mesh *mesh;
	struct cs_nanite *resource;
	unsigned char *bytes; /* of the file */
	size_t size;
};

static struct cs_nanite *build(
	const struct cs_mesh *mesh, const struct cs_nanite_settings *settings, int threads)
{
	const struct cs_job job = {.threads = threads};
	struct cs_nanite *resource = NULL;
	struct cs_error *error = cs_nanite_build(mesh, settings, &job, NULL, &resource);
	if (error)
		diag("build: %s", error->message);
	cs_error_free(error);
	return resource;
}

static bool made_init(struct made *made, const char *name, const struct cs_mesh *mesh,
	const struct cs_nanite_settings *settings)
{
	*made = (struct made){.name = name, .mesh = mesh, .resource = build(mesh, settings, 1)};
	if (!ok(made->resource, "%s: is built", name))
		return false;
	works(cs_nanite_bytes(made->resource, NULL, &made->bytes, &made->size),
		"%s: is a file of %zu bytes", name, made->size);
	return true;
}

static void made_deinit(struct made *made)
{
	cs_nanite_free(made->resource);
	free(made->bytes);
}

/* ---- triangles on the grid ---- */

/*
 * Returns a hash that is the same for the three rotations of a triangle, and another one for its
 * other side.
 */
static uint64_t hash_triangle(int32_t corners[3][3])
{
	unsigned first = 0;
	for (unsigned i = 1; i < 3; i++)
		if (memcmp(corners[i], corners[first], sizeof(corners[i])) < 0)
			first = i;
	int32_t turned[3][3];
	for (unsigned i = 0; i < 3; i++)
		memcpy(turned[i], corners[(first + i) % 3], sizeof(turned[i]));
	return XXH3_64bits(turned, sizeof(turned));
}

static struct cs_sort_key *sorted(struct cs_sort_key *keys, size_t n)
{
	if (!cs_sort_keys(keys, n))
		abort();
	return keys;
}

static bool has_area(int32_t corners[3][3])
{
	for (unsigned i = 0; i < 3; i++)
		if (memcmp(corners[i], corners[(i + 1) % 3], sizeof(corners[i])) == 0)
			return false;
	return true;
}

/* Lists the triangles of the source that have three different corners on the grid. */
static struct cs_sort_key *source_triangles(
	const struct cs_mesh *mesh, int precision, size_t *n_ret)
{
	const struct cs_mesh_view view = cs_mesh_view(mesh);
	struct cs_sort_key *keys = calloc((size_t)view.n_triangles + 1, sizeof(*keys));
	size_t n = 0;
	for (size_t t = 0; t < view.n_triangles; t++) {
		int32_t corners[3][3];
		for (size_t i = 0; i < 9; i++) {
			size_t v = view.indices[3 * t + i / 3];
			double at = (double)view.positions[3 * v + i % 3];
			corners[i / 3][i % 3] = (int32_t)rint(ldexp(at, precision));
		}
		if (has_area(corners))
			keys[n++].high = hash_triangle(corners);
	}
	*n_ret = n;
	return sorted(keys, n);
}

static struct cs_sort_key *stored_triangles(const struct cs_nanite_contents *c, size_t *n_ret)
{
	struct cs_sort_key *keys = calloc(c->n_triangles + 1, sizeof(*keys));
	size_t n = 0;
	for (size_t i = 0; i < c->n_clusters; i++) {
		const struct cs_model_cluster *cluster = &c->clusters[i];
		for (uint32_t t = 0; cluster->level == 0 && t < cluster->n_triangles; t++) {
			const uint8_t *of = c->corners + 3 * ((size_t)cluster->first_triangle + t);
			int32_t corners[3][3];
			for (unsigned k = 0; k < 3; k++)
				memcpy(corners[k],
					c->grid + 3 * ((size_t)cluster->first_vertex + of[k]),
					sizeof(corners[k]));
			keys[n++].high = hash_triangle(corners);
		}
	}
	*n_ret = n;
	return sorted(keys, n);
}

/*
 * A vertex that neighbours share is at one place in all of them, because each is at the place of
 * its source.
 */
static void test_level0(const struct made *made, const struct cs_nanite_contents *c)
{
	size_t n_want, n_got, wrong = 0;
	int precision = cs_nanite_info(made->resource)->position_precision;
	struct cs_sort_key *want = source_triangles(made->mesh, precision, &n_want);
	struct cs_sort_key *got = stored_triangles(c, &n_got);
	is_int(n_got, n_want, "%s: level 0 has the triangles of the source", made->name);
	is_int(n_got + cs_nanite_info(made->resource)->degenerate_triangles,
		cs_mesh_view(made->mesh).n_triangles, "%s: it tells how many are missing",
		made->name);
	for (size_t i = 0; i < n_got && i < n_want; i++)
		wrong += got[i].high != want[i].high;
	is_int(wrong, 0, "%s: each of them is on the grid where it was, wound as it was",
		made->name);
	free(want);
	free(got);
}

/* ---- the decoded DAG ---- */

struct faults {
	const char *name;
	size_t n;
};

/*
 * Ignores C2, which compares leaves with the source bit by bit; test_level0 compares them on the
 * grid.
 */
static void count_fault(void *context, const char *rule, const char *message)
{
	struct faults *faults = context;
	if (strcmp(rule, "C2") == 0)
		return;
	faults->n++;
	diag("%s: %s: %s", faults->name, rule, message);
}

/* Errors bound the distance from the mesh that was built, not only from its stored form. */
static void test_dag(const struct made *made)
{
	const struct cs_dag_check check = {made->mesh, 4, 10000};
	struct cs_dag_verdict verdict = {0};
	struct faults faults = {made->name, 0};
	struct cs_dag *dag = NULL;
	works(cs_nanite_dag(made->resource, NULL, &dag), "%s: becomes a DAG again", made->name);
	if (!dag)
		return;
	works(cs_dag_verify(dag, &check, NULL, count_fault, &faults, &verdict), "%s: is checked",
		made->name);
	is_int(faults.n, 0, "%s: C1 and C3 to C6 hold against the source", made->name);
	cs_dag_free(dag);
}

/* ---- the same bytes ---- */

static void is_same(const struct made *made, const struct cs_nanite *resource, const char *what)
{
	unsigned char *bytes = NULL;
	size_t size = 0;
	if (resource)
		cs_error_free(cs_nanite_bytes(resource, NULL, &bytes, &size));
	ok(size == made->size && memcmp(bytes, made->bytes, size) == 0, "%s: the same bytes %s",
		made->name, what);
	free(bytes);
}

static void test_recode(const struct made *made)
{
	struct cs_nanite *opened = NULL, *again = NULL;
	struct cs_nanite_contents *c = NULL;
	works(cs_nanite_open_bytes(
		      made->bytes, made->size, made->name, CS_FILE_STRICT, NULL, &opened),
		"%s: is opened", made->name);
	if (!opened)
		return;
	works(cs_nanite_decode(opened, NULL, &c), "%s: is decoded", made->name);
	if (c) {
		const struct cs_nanite_options options = nanite_options_of(opened);
		test_level0(made, c);
		works(encode_again(c, &options, &again), "%s: is encoded again", made->name);
		is_same(made, again, "when encoded again");
	}
	cs_nanite_free(again);
	cs_nanite_contents_free(c);
	cs_nanite_free(opened);
}

static void test_threads(const struct made *made, const struct cs_nanite_settings *settings)
{
	static const int threads[] = {1, 2, 8};
	for (size_t i = 0; i < sizeof(threads) / sizeof(threads[0]); i++) {
		struct cs_nanite *again = build(made->mesh, settings, threads[i]);
		is_same(made, again,
			threads[i] == 1   ? "when built again"
			: threads[i] == 2 ? "on 2 threads"
					  : "on 8 threads");
		cs_nanite_free(again);
	}
}

/* ---- rules ---- */

static void count_error(void *context, const struct cs_finding *finding)
{
	if (finding->severity != CS_ERROR)
		return;
	++*(size_t *)context;
	diag("%s: %s", finding->place, finding->message);
}

static void test_rules(const struct made *made, bool deep)
{
	size_t n, errors = 0;
	works(cs_nanite_check(made->resource, deep, NULL, count_error, &errors, &n),
		"%s: is verified", made->name);
	is_int(errors, 0, "%s: every rule holds", made->name);
}

/* ---- the coarse mesh ---- */

static void test_coarse(const struct made *made, uint32_t most)
{
	struct cs_mesh *coarse = NULL;
	works(cs_nanite_coarse_mesh(made->resource, NULL, &coarse), "%s: its coarse mesh",
		made->name);
	if (most == 0)
		ok(!coarse, "%s: has no coarse mesh", made->name);
	else if (ok(coarse, "%s: has a coarse mesh", made->name))
		ok(cs_mesh_view(coarse).n_triangles <= most, "%s: of %u triangles", made->name,
			cs_mesh_view(coarse).n_triangles);
	cs_mesh_free(coarse);
}

/* ---- meshes ---- */

static void test_mesh(const char *name, const struct cs_mesh *mesh, bool deep)
{
	struct made made;
	if (!made_init(&made, name, mesh, NULL))
		return;
	test_recode(&made);
	test_dag(&made);
	test_rules(&made, deep);
	test_coarse(&made, cs_mesh_view(mesh).n_triangles > 2000 ? 2000 : 0);
	if (deep)
		test_threads(&made, NULL);
	made_deinit(&made);
}

static void test_kinds(void)
{
	for (enum cs_mesh_kind kind = 0; kind < CS_MESH_KINDS; kind++) {
		struct cs_mesh *mesh = NULL;
		const struct cs_mesh_recipe recipe = {kind, 4000, 3};
		works(cs_mesh_generate(&recipe, NULL, &mesh), "%s: is made up",
			mesh_kind_name(kind));
		if (mesh)
			test_mesh(mesh_kind_name(kind), mesh, true);
		cs_mesh_free(mesh);
	}
}

/* Thorough compression makes smaller blocks of the same pages, and a recoding keeps them so. */
static void test_thorough(const struct cs_mesh *mesh, const struct cs_nanite_settings *like)
{
	struct cs_nanite_settings settings = *like;
	struct made quick, thorough;
	settings.raw_pages = false;
	bool good = made_init(&quick, "quick", mesh, &settings);
	settings.thorough = true;
	if (good && made_init(&thorough, "thorough", mesh, &settings)) {
		const struct cs_nanite_report *a = cs_nanite_report(quick.resource);
		const struct cs_nanite_report *b = cs_nanite_report(thorough.resource);
		is_int(cs_nanite_info(quick.resource)->flags & CS_NANITE_THOROUGH, 0,
			"thorough: not unless asked for");
		is_int(cs_nanite_info(thorough.resource)->flags & CS_NANITE_THOROUGH,
			CS_NANITE_THOROUGH, "thorough: the resource says so");
		is_int(b->page_bytes, a->page_bytes, "thorough: the same pages");
		ok(b->stored_bytes < a->stored_bytes, "thorough: in %llu bytes instead of %llu",
			(unsigned long long)b->stored_bytes, (unsigned long long)a->stored_bytes);
		test_recode(&thorough);
		test_rules(&thorough, true);
		made_deinit(&thorough);
	}
	if (good)
		made_deinit(&quick);
}

/* Each setting changes the field that it names, and nothing else breaks. */
static void test_settings(void)
{
	struct cs_mesh *mesh = NULL;
	const struct cs_mesh_recipe recipe = {CS_MESH_SEAMS, 3000, 9};
	struct cs_nanite_settings settings = cs_nanite_settings_default();
	struct cs_dag_options dag = cs_dag_options_default();
	struct made made;
	works(cs_mesh_generate(&recipe, NULL, &mesh), "settings: a mesh");
	settings.position_precision = -1;
	settings.coarse_part = 1;
	settings.raw_pages = settings.no_atlas = true;
	settings.source = "seams";
	dag.partitioner = CS_PARTITIONER_METIS;
	settings.dag = &dag;
	if (mesh && made_init(&made, "a coarse grid", mesh, &settings)) {
		const struct cs_nanite_info *info = cs_nanite_info(made.resource);
		size_t n_atlas;
		cs_nanite_atlas(made.resource, &n_atlas);
		is_int(info->position_precision, -1, "settings: the precision that was asked for");
		is_int(info->flags & CS_NANITE_LZ4, 0, "settings: raw pages");
		is_int(n_atlas, 0, "settings: no atlas");
		is_text(cs_nanite_text(made.resource, info->source), "seams",
			"settings: the source");
		test_recode(&made);
		test_dag(&made);
		test_rules(&made, true);
		test_coarse(&made, 0);
		made_deinit(&made);
	}
	test_thorough(mesh, &settings);
	settings.coarse_part = NAN;
	fails(cs_nanite_build(mesh, &settings, NULL, NULL, &made.resource), CS_E_SETTING,
		"settings: no coarse mesh of NaN");
	cs_mesh_free(mesh);
}

static void test_files(const char *folder)
{
	static const char *const names[] = {"beast.obj", "beetle-alt.obj", "fandisk.obj",
		"igea.ply", "nefertiti.obj", "spot.obj", "stanford-bunny.obj", "suzanne.obj"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char path[4200];
		struct cs_mesh *mesh = NULL;
		snprintf(path, sizeof(path), "%s/meshes/%s", folder, names[i]);
		works(cs_mesh_import(path, NULL, NULL, &mesh), "%s: is read", names[i]);
		if (mesh)
			test_mesh(names[i], mesh, false);
		cs_mesh_free(mesh);
	}
}

/* This file is compiled twice: for generated meshes, and for those of the shared data. */
int main(void)
{
	const char *folder = shared_data();
	if (!OF_SHARED_DATA) {
		test_kinds();
		test_settings();
	} else if (folder) {
		test_files(folder);
	} else {
		skip("no shared meshes here");
	}
	return done();
}
