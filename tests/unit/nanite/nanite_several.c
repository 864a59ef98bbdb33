/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several meshes in one resource. Of each the finest cut must be its own triangles, rounded here by
 * hand; the page that is always there must draw all of them; and all that holds of one mesh holds.
 */
#include "cluster/rounding.h"
#include "core/cursor.h"
#include "core/random.h"
#include "nanite/decode/decode.h"
#include "nanite/encode/encode.h"
#include "nanite/format/contents.h"
#include "nanite/format/resource.h"
#include "nanite/verify/verify_resource.h"
#include "tests/samples/folder.h"
#include "tests/samples/nanite_contents.h"
#include "tests/samples/tap.h"

#include <cellscope/nanite.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MESHES = 4 };

struct corners {
	float at[9];
};

static int by_bytes(const void *left, const void *right)
{
	return memcmp(left, right, sizeof(struct corners));
}

/*
 * Returns the triangles by place, the least corner first; triangles without area on the grid are
 * left out.
 */
static struct corners *corners_of(const struct cs_mesh *mesh, int precision, size_t *n_ret)
{
	const struct cs_mesh_view view = cs_mesh_view(mesh);
	struct corners *ret = calloc(view.n_triangles + 1, sizeof(*ret));
	size_t n = 0;
	for (size_t t = 0; t < view.n_triangles; t++) {
		float at[3][3];
		int least = 0;
		for (int c = 0; c < 3; c++) {
			for (int k = 0; k < 3; k++)
				at[c][k] =
					ldexpf(rintf(ldexpf(
						       view.positions[3 * view.indices[3 * t +
										       (size_t)c] +
								      (size_t)k],
						       precision)),
						-precision) +
					0.0f;
			if (memcmp(at[c], at[least], sizeof(at[c])) < 0)
				least = c;
		}
		if (!memcmp(at[0], at[1], sizeof(at[0])) || !memcmp(at[1], at[2], sizeof(at[0])) ||
			!memcmp(at[2], at[0], sizeof(at[0])))
			continue;
		for (int c = 0; c < 3; c++)
			memcpy(ret[n].at + 3 * c, at[(least + c) % 3], sizeof(at[0]));
		n++;
	}
	qsort(ret, n, sizeof(*ret), by_bytes);
	*n_ret = n;
	return ret;
}

static void check_mesh(const struct cs_dag *dag, const struct cs_mesh *source, uint32_t mesh)
{
	struct cs_dag_cut cut = {0};
	struct cs_mesh *is = NULL;
	size_t n_is = 0, n_source = 0;
	works(cs_dag_cut(dag,
		      &(struct cs_dag_fineness){.mesh = mesh + 1, .by_level = true, .level = 0},
		      &cut),
		"mesh %u: its finest level", mesh);
	works(cs_dag_cut_mesh(dag, &cut, NULL, &is), "mesh %u: as a mesh", mesh);
	free(cut.clusters);
	struct corners *left = corners_of(is, dag->precision, &n_is);
	struct corners *right = corners_of(source, dag->precision, &n_source);
	is_int(n_is, n_source, "mesh %u: as many triangles", mesh);
	ok(n_is == n_source && memcmp(left, right, n_is * sizeof(*left)) == 0,
		"mesh %u: its own triangles", mesh);
	free(left);
	free(right);
	cs_mesh_free(is);
	works(cs_dag_cut(dag, &(struct cs_dag_fineness){1e9, 0, mesh + 1}, &cut), "its coarsest");
	ok(cut.n_clusters == 1 && dag->groups[dag->clusters[cut.clusters[0]].group].mesh == mesh,
		"mesh %u: one cluster of its own", mesh);
	free(cut.clusters);
}

static void count_errors(void *context, const struct cs_finding *finding)
{
	++*(int *)context;
	printf("# %s: %s\n", finding->rule, finding->message);
}

/*
 * The roots of all meshes are there, each the first node of its mesh; pages that are always there
 * have a cluster of each mesh.
 */
static void check_resource(const struct cs_nanite *resource, size_t n_meshes, const char *name)
{
	struct cs_nanite_contents *c = NULL;
	size_t n_findings, drawn = 0, atlas = 1;
	int errors = 0;
	works(cs_nanite_check(resource, true, NULL, count_errors, &errors, &n_findings),
		"%s: checked", name);
	is_int(errors, 0, "%s: nothing is wrong", name);
	is_int(resource->n_roots, n_meshes, "%s: a root each", name);
	cs_nanite_atlas(resource, &atlas);
	is_int(atlas, n_meshes == 1 ? 20736 : 0, "%s: an atlas of one mesh alone", name);
	works(cs_nanite_decode(resource, NULL, &c), "%s: decoded", name);
	for (size_t g = 0; g < c->n_groups; g++)
		drawn += isinf(c->groups[g].max_parent_error) && c->groups[g].first_page == 0 &&
			 c->groups[g].n_pages == 1;
	is_int(drawn, n_meshes, "%s: all roots lie in the page that is always there", name);
	struct cs_nanite *again = NULL;
	const struct cs_nanite_options options = {
		.size = sizeof(options), .position_precision = resource->info->position_precision};
	works(encode_again(c, &options, &again), "%s: encoded again", name);
	ok(again && again->n_stream_bytes == resource->n_stream_bytes &&
			again->n_root_bytes == resource->n_root_bytes &&
			!memcmp(again->stream_bytes, resource->stream_bytes,
				again->n_stream_bytes) &&
			!memcmp(again->root_bytes, resource->root_bytes, again->n_root_bytes) &&
			!memcmp(again->nodes, resource->nodes,
				again->n_nodes * sizeof(*again->nodes)),
		"%s: to the same bytes", name);
	cs_nanite_free(again);
	cs_nanite_contents_free(c);
}

static struct cs_nanite *build(
	struct cs_mesh *const *meshes, size_t n, int threads, const char *name)
{
	struct cs_nanite_settings settings = cs_nanite_settings_default();
	struct cs_nanite *resource = NULL;
	const struct cs_job job = {.threads = threads};
	settings.others = (const struct cs_mesh *const *)meshes + 1;
	settings.n_others = n - 1;
	works(cs_nanite_build(meshes[0], &settings, &job, NULL, &resource), "%s: built", name);
	return resource;
}

static void check_several(void)
{
	static const struct cs_mesh_recipe recipes[MESHES] = {{CS_MESH_SEAMS, 9000, 3},
		{CS_MESH_TERRAIN, 12000, 4}, {CS_MESH_CUBE, 12, 5}, {CS_MESH_NOISE, 20000, 6}};
	struct cs_mesh *meshes[MESHES];
	struct cs_dag *dag = NULL;
	size_t n_sections;
	for (int i = 0; i < MESHES; i++)
		works(cs_mesh_generate(&recipes[i], NULL, &meshes[i]), "mesh %d", i);
	struct cs_nanite *resource = build(meshes, MESHES, 1, "four"), *other;
	other = build(meshes, MESHES, 2, "four on two threads");
	ok(resource->n_stream_bytes == other->n_stream_bytes &&
			!memcmp(resource->stream_bytes, other->stream_bytes, other->n_stream_bytes),
		"four: the same bytes on two threads");
	check_resource(resource, MESHES, "four");
	works(cs_nanite_dag(resource, NULL, &dag), "four: its DAG");
	dag->precision = resource->info->position_precision;
	for (uint32_t i = 0; i < MESHES; i++)
		check_mesh(dag, meshes[i], i);
	cs_nanite_sections(resource, &n_sections);
	ok(n_sections >= 3 && n_sections <= 5, "%zu sections: one name is one", n_sections);
	is_int(cs_nanite_info(resource)->uvs, 1, "channels of any are those of all");
	struct cs_dag_cut cut;
	fails(cs_dag_cut(dag, &(struct cs_dag_fineness){0, 0, MESHES + 1}, &cut), CS_E_MISSING,
		"no fifth mesh");
	fails(cs_dag_cut(dag,
		      &(struct cs_dag_fineness){.mesh = MESHES + 1, .by_level = true, .level = 0},
		      &cut),
		CS_E_MISSING, "nor a level of it");
	cs_dag_free(dag);
	cs_nanite_free(other);
	cs_nanite_free(resource);
	for (int i = 0; i < MESHES; i++)
		cs_mesh_free(meshes[i]);
}

/* Groups have the same sphere and error: their meshes tell which of them made a cluster. */
static void check_twins(void)
{
	const struct cs_mesh_recipe recipe = {CS_MESH_NOISE, 3000, 3};
	struct cs_mesh *mesh;
	works(cs_mesh_generate(&recipe, NULL, &mesh), "a mesh");
	struct cs_mesh *twins[3] = {mesh, mesh, mesh};
	struct cs_nanite *resource = build(twins, 3, 1, "thrice the same");
	check_resource(resource, 3, "thrice the same");
	cs_nanite_free(resource);
	cs_mesh_free(mesh);
}

/* The roots of too many meshes do not fit a page, so the build is refused. */
static void check_too_many(void)
{
	enum { MANY = 170 };
	const struct cs_mesh_recipe recipe = {CS_MESH_NOISE, 500, 3};
	struct cs_nanite_settings settings = cs_nanite_settings_default();
	struct cs_nanite *resource = NULL;
	struct cs_mesh *mesh;
	const struct cs_mesh *many[MANY];
	works(cs_mesh_generate(&recipe, NULL, &mesh), "a mesh");
	for (int i = 0; i < MANY; i++)
		many[i] = mesh;
	settings.others = many;
	settings.n_others = MANY;
	fails(cs_nanite_build(mesh, &settings, NULL, NULL, &resource), CS_E_LIMIT,
		"the roots of %d meshes do not fit a page", MANY + 1);
	cs_mesh_free(mesh);
}

/* Builds meshes of one triangle each, with corners `size` apart, at `far` from the origin. */
static struct cs_error *build_triangles(
	const float far[2], const float size[2], size_t n, int32_t precision)
{
	struct cs_nanite_settings settings = cs_nanite_settings_default();
	struct cs_mesh *meshes[2] = {NULL, NULL};
	struct cs_nanite *resource = NULL;
	const uint32_t indices[3] = {0, 1, 2};
	for (size_t i = 0; i < n; i++) {
		const float a = far[i], b = far[i] + size[i],
			    positions[9] = {a, 0, 0, b, 0, 0, a, size[i], 0};
		const struct cs_mesh_view arrays = {.positions = positions,
			.indices = indices,
			.n_vertices = 3,
			.n_triangles = 1};
		if (cs_mesh_from_arrays(&arrays, NULL, NULL, &meshes[i]))
			abort();
	}
	settings.position_precision = precision;
	settings.others = (const struct cs_mesh *const *)meshes + 1;
	settings.n_others = n - 1;
	struct cs_error *error = cs_nanite_build(meshes[0], &settings, NULL, NULL, &resource);
	cs_nanite_free(resource);
	for (size_t i = 0; i < n; i++)
		cs_mesh_free(meshes[i]);
	return error;
}

/*
 * A mesh may have no triangle on the grid. The error says that a higher precision helps exactly
 * when there is a precision with which the meshes can be built.
 */
static void check_advice(void)
{
	static const struct {
		float far[2], size[2];
		size_t n;
		int32_t precision;
		const char *name;
	} cases[] = {{{0}, {1}, 1, -10, "a step larger than the triangle"},
		{{0}, {1e-38f}, 1, CS_PRECISION_AUTO, "a triangle below the finest step"},
		{{0, 0}, {1, 1e3f}, 2, -4, "a small mesh beside a large one"},
		{{0, 1e9f}, {1, 1e3f}, 2, CS_PRECISION_AUTO, "a small mesh beside a far one"}};
	enum { FINEST = 120 };
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		bool can = false;
		struct cs_error *error = build_triangles(
			cases[i].far, cases[i].size, cases[i].n, cases[i].precision);
		for (int32_t p = -FINEST; !can && p <= FINEST; p++) {
			struct cs_error *refused =
				build_triangles(cases[i].far, cases[i].size, cases[i].n, p);
			can = !refused;
			cs_error_free(refused);
		}
		ok(error && error->code == CS_E_MESH, "%s: is refused", cases[i].name);
		ok(error && !strstr(error->message, "higher --precision") == !can, "%s: %s",
			cases[i].name, error ? error->message : "no error");
		cs_error_free(error);
	}
}

/* Returns whether the corners are at three places, counted in steps of the grid. */
static bool is_kept(const float positions[9], int precision)
{
	bool kept = true;
	for (int i = 0; i < 3; i++) {
		bool same = true;
		for (int k = 0; k < 3; k++)
			same = same && rint(ldexp((double)positions[3 * i + k], precision)) ==
					       rint(ldexp((double)positions[(3 * i + 3 + k) % 9],
						       precision));
		kept = kept && !same;
	}
	return kept;
}

/*
 * Whether a grid keeps a triangle is answered before a mesh is rounded as it is by rounding. The
 * coordinates are quarters of a step, so that halves and both zeros are frequent.
 */
static void check_kept(void)
{
	static const uint32_t indices[3] = {0, 1, 2};
	struct cs_random random = {7};
	int kept = 0, wrong = 0, n = 0;
	for (int i = 0; i < 4000; i++) {
		const int precision = (int)cs_random_below(&random, 7) - 3;
		float positions[9];
		for (int k = 0; k < 9; k++)
			positions[k] =
				ldexpf((float)cs_random_below(&random, 7) - 3, -precision - 2);
		const struct cs_mesh_view arrays = {.positions = positions,
			.indices = indices,
			.n_vertices = 3,
			.n_triangles = 1};
		struct cs_rounded rounded = {0};
		struct cs_mesh *mesh = NULL;
		struct cs_error *error = cs_mesh_from_arrays(&arrays, NULL, NULL, &mesh);
		if (!error) {
			const bool keeps = is_kept(positions, precision);
			error = cs_mesh_round(mesh, NULL, 0, precision, &rounded);
			wrong += keeps == (error != NULL) ||
				 keeps != cs_grid_keeps_some(mesh, precision);
			kept += keeps;
			n++;
			cs_rounded_deinit(&rounded, mesh);
		}
		cs_error_free(error);
		cs_mesh_free(mesh);
	}
	ok(wrong == 0 && kept > 100 && kept < n - 100,
		"grids keep %d of %d triangles; of %d too many or too few are kept", kept, n,
		wrong);
}

/* Writes errors as words, as resources without the flag have them. */
static void write_words(const struct cs_nanite *resource, uint32_t page)
{
	const struct cs_nanite_page_state *state = &resource->pages[page];
	const unsigned char *kept = page ? resource->stream_bytes : resource->root_bytes;
	unsigned char *bytes;
	struct cs_page_view view;
	memcpy(&bytes, &kept, sizeof(bytes));
	ok(cs_page_open(resource, page, &view) && cs_page_plan(&view), "page %u", page);
	bytes += state->bulk_offset + view.chunk_size;
	for (uint32_t c = 0; c < view.n_clusters; c++)
		for (uint32_t r = 0; r < view.plans[c].n_references; r++)
			cs_store32(bytes + view.plans[c].references + 4 * r,
				cs_page_reference(&view, c, r));
	cs_page_close(&view);
}

static void check_words(void)
{
	const struct cs_mesh_recipe recipe = {CS_MESH_SEAMS, 20000, 3};
	struct cs_nanite_settings settings = cs_nanite_settings_default();
	struct cs_nanite *resource = NULL;
	struct cs_nanite_contents *before = NULL, *after = NULL;
	struct cs_nanite_info *info;
	struct cs_mesh *mesh;
	settings.raw_pages = true;
	works(cs_mesh_generate(&recipe, NULL, &mesh), "a mesh");
	works(cs_nanite_build(mesh, &settings, NULL, NULL, &resource), "raw pages");
	works(cs_nanite_decode(resource, NULL, &before), "decoded");
	memcpy(&info, &resource->info, sizeof(info));
	for (uint32_t page = 0; page < resource->n_pages; page++)
		write_words(resource, page);
	ok(info->flags & CS_NANITE_PLANES, "bytes of references lie in planes");
	info->flags &= ~CS_NANITE_PLANES;
	works(cs_nanite_decode(resource, NULL, &after), "decoded from words");
	ok(after && before->n_vertices == after->n_vertices &&
			!memcmp(before->grid, after->grid, before->n_vertices * 12) &&
			!memcmp(before->normals, after->normals, before->n_vertices * 4) &&
			!memcmp(before->uvs[0], after->uvs[0], before->n_vertices * 8),
		"words and planes say the same");
	cs_nanite_contents_free(before);
	cs_nanite_contents_free(after);
	cs_nanite_free(resource);
	cs_mesh_free(mesh);
}

/* Whatever the sources are called, the resource can be opened again. */
static void check_sources(void)
{
	static char many[3001];
	static const struct {
		const char *source, *what;
		size_t n; /* bytes of the text in the resource */
	} rows[] = {{"caf\xc3\xa9.obj", "a name in UTF-8", 9}, {"caf\xe9.obj", "in Latin-1", 9},
		{many, "hundreds of names", 1024}};
	memset(many, 'x', sizeof(many) - 1);
	memcpy(many + 1020, "\xe2\x82\xac", 3); /* a character that the cut would divide */
	struct cs_mesh *mesh;
	if (cs_mesh_generate(&(struct cs_mesh_recipe){.kind = CS_MESH_CUBE}, NULL, &mesh))
		abort();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct cs_nanite_settings settings = cs_nanite_settings_default();
		struct cs_nanite *resource = NULL, *again = NULL;
		char path[4200];
		snprintf(path, sizeof(path), "%s/source.cnanite", test_folder());
		settings.source = rows[i].source;
		works(cs_nanite_build(mesh, &settings, NULL, NULL, &resource), "source: %s",
			rows[i].what);
		works(cs_nanite_save(resource, path, NULL), "source: is saved");
		works(cs_nanite_open(path, CS_FILE_STRICT, NULL, &again), "source: is opened");
		const char *text =
			again ? cs_nanite_text(again, cs_nanite_info(again)->source) : "";
		ok(strlen(text) <= rows[i].n && strlen(text) + 3 > rows[i].n,
			"source: %zu bytes: %.20s", strlen(text), text);
		cs_nanite_free(resource);
		cs_nanite_free(again);
	}
	cs_mesh_free(mesh);
}

int main(void)
{
	check_words();
	check_sources();
	check_several();
	check_twins();
	check_too_many();
	check_advice();
	check_kept();
	return done();
}
