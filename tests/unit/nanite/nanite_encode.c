/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of encoding and decoding: what comes back is the DAG up to quantisation, closed where it
 * was closed, the same bytes on any number of threads, and the same bytes when encoded again.
 */
#include "nanite/decode/decode.h"
#include "nanite/encode/encode.h"
#include "nanite/format/resource.h"
#include "nanite/verify/verify_resource.h"
#include "tests/samples/folder.h"
#include "tests/samples/nanite_contents.h"
#include "tests/samples/tap.h"
#include "tests/unit/nanite/soup_dag.h"
#include "tests/unit/nanite/torus_dag.h"

#include "core/sort.h"
#include "nanite/format/contents.h"

#include <inttypes.h>

/* ---- helpers ---- */

static struct cs_nanite *encode(const struct cs_dag *dag, const struct cs_nanite_options *options)
{
	struct cs_nanite *resource = NULL;
	struct cs_error *error = cs_nanite_encode(dag, options, NULL, &resource);
	if (error)
		diag("encode: %s", error->message);
	cs_error_free(error);
	return resource;
}

static struct cs_nanite_contents *decode(const struct cs_nanite *resource)
{
	struct cs_nanite_contents *contents = NULL;
	struct cs_error *error = cs_nanite_decode(resource, NULL, &contents);
	if (error)
		diag("decode: %s", error->message);
	cs_error_free(error);
	return contents;
}

static void print_finding(void *context, const struct cs_finding *finding)
{
	if (finding->severity != CS_INFO)
		++*(size_t *)context;
	diag("%s %s: %s", cs_word(CS_WORDS_SEVERITY, finding->severity)->name, finding->place,
		finding->message);
}

/* Returns the number of errors and warnings of a deep check. */
static size_t findings(const struct cs_nanite *resource)
{
	size_t n, told = 0;
	struct cs_error *error = cs_nanite_check(resource, true, NULL, print_finding, &told, &n);
	if (error)
		diag("check: %s", error->message);
	told += error != NULL;
	cs_error_free(error);
	return told;
}

static bool same_bytes(const struct cs_nanite *left, const struct cs_nanite *right)
{
	unsigned char *l, *r;
	size_t n_l, n_r;
	if (cs_nanite_bytes(left, NULL, &l, &n_l))
		return false;
	if (cs_nanite_bytes(right, NULL, &r, &n_r)) {
		free(l);
		return false;
	}
	bool same = n_l == n_r && memcmp(l, r, n_l) == 0;
	free(l);
	free(r);
	return same;
}

/* ---- the DAG comes back ---- */

/*
 * Returns a hash of a triangle: its material and its corners on the grid, from the least corner on.
 * Returns 0 for a triangle with fewer than three different corners on the grid.
 */
static uint64_t triangle_key(const int32_t corners[3][3], uint32_t material)
{
	for (unsigned k = 0; k < 3; k++)
		if (memcmp(corners[k], corners[(k + 1) % 3], sizeof(corners[k])) == 0)
			return 0;
	int32_t least[3][3], turned[3][3];
	memcpy(least, corners, sizeof(least));
	for (unsigned turn = 1; turn < 3; turn++) {
		for (unsigned k = 0; k < 3; k++)
			memcpy(turned[k], corners[(turn + k) % 3], sizeof(turned[k]));
		if (memcmp(turned, least, sizeof(least)) < 0)
			memcpy(least, turned, sizeof(least));
	}
	uint64_t key = material;
	for (unsigned i = 0; i < 9; i++) {
		struct cs_random mix = {key ^ (uint32_t)least[i / 3][i % 3] * UINT64_C(0x9e3779b1)};
		key = cs_random_u64(&mix);
	}
	return key;
}

static uint64_t dag_triangle(
	const struct cs_dag *dag, const struct cs_cluster *cluster, uint32_t t, int precision)
{
	int32_t corners[3][3];
	uint32_t triangle = cluster->first_triangle + t;
	for (unsigned k = 0; k < 3; k++)
		for (unsigned axis = 0; axis < 3; axis++) {
			uint32_t v = cluster->first_vertex + dag->corners[triangle * 3 + k];
			corners[k][axis] = (int32_t)rint(
				ldexp((double)dag->positions[v * 3 + axis], precision));
		}
	return triangle_key(corners, dag->materials[triangle]);
}

static uint64_t decoded_triangle(
	const struct cs_nanite_contents *c, const struct cs_model_cluster *cluster, uint32_t t)
{
	int32_t corners[3][3];
	uint32_t triangle = cluster->first_triangle + t;
	for (unsigned k = 0; k < 3; k++) {
		size_t v = cluster->first_vertex + c->corners[triangle * 3 + k];
		memcpy(corners[k], c->grid + v * 3, sizeof(corners[k]));
	}
	return triangle_key(corners, c->materials[triangle]);
}

struct triangle_list {
	struct cs_sort_key *keys;
	size_t n;
};

/* Lists a triangle with the group of its cluster and the group that made that cluster. */
static void add_triangle(
	struct triangle_list *list, uint32_t group, uint32_t maker, uint64_t triangle)
{
	if (triangle != 0)
		list->keys[list->n++] =
			(struct cs_sort_key){(uint64_t)group << 32 | maker, triangle, 0};
}

static bool same_triangles(const struct cs_dag *dag, const struct cs_nanite_contents *c)
{
	struct triangle_list want = {calloc(dag->n_triangles + 1, sizeof(*want.keys)), 0};
	struct triangle_list got = {calloc(c->n_triangles + 1, sizeof(*got.keys)), 0};
	int precision = c->resource->info->position_precision;
	for (uint32_t i = 0; i < dag->n_clusters; i++)
		for (uint32_t t = 0; t < dag->clusters[i].n_triangles; t++)
			add_triangle(&want, dag->clusters[i].group,
				dag->clusters[i].generating_group,
				dag_triangle(dag, &dag->clusters[i], t, precision));
	for (size_t i = 0; i < c->n_clusters; i++) {
		const struct cs_model_cluster *cluster = &c->clusters[i];
		uint32_t maker = cluster->maker;
		for (uint32_t t = 0; t < cluster->n_triangles; t++)
			add_triangle(&got, c->groups[cluster->group].number,
				maker == CS_NONE ? CS_NONE : c->groups[maker].number,
				decoded_triangle(c, cluster, t));
	}
	cs_sort_keys(want.keys, want.n);
	cs_sort_keys(got.keys, got.n);
	bool same = want.n == got.n;
	for (size_t i = 0; same && i < want.n; i++)
		same = want.keys[i].high == got.keys[i].high && want.keys[i].low == got.keys[i].low;
	free(want.keys);
	free(got.keys);
	return same;
}

static double angle(const float a[3], const float b[3])
{
	double dot = 0, aa = 0, bb = 0;
	for (unsigned i = 0; i < 3; i++) {
		dot += (double)a[i] * (double)b[i];
		aa += (double)a[i] * (double)a[i];
		bb += (double)b[i] * (double)b[i];
	}
	return acos(fmax(-1, fmin(1, dot / sqrt(aa * bb)))) * 57.29577951308232;
}

/*
 * Returns the distance in attributes of a decoded vertex from one of the DAG at the same place;
 * above 1 it is too large.
 */
static double attribute_distance(
	const struct cs_dag *dag, uint32_t v, const struct cs_nanite_contents *c, size_t decoded)
{
	float normal[3];
	cs_nanite_normal(c->normals[decoded], normal);
	double worst = angle(dag->normals + v * 3, normal) / 0.32;
	for (unsigned uv = 0; uv < dag->n_uvs; uv++)
		for (unsigned axis = 0; axis < 2; axis++) {
			double want = (double)dag->uvs[uv][v * 2 + axis];
			double got = (double)c->uvs[uv][decoded * 2 + axis];
			/* 12 bits over at most 2 turns of the torus */
			worst = fmax(worst, fabs(want - got) / (2.0 / 4094));
		}
	if (memcmp(c->colors + decoded * 4,
		    dag->colors ? (void *)(dag->colors + v * 4) : "\377\377\377\377", 4) != 0)
		worst = 2;
	return worst;
}

/*
 * Returns the largest distance of the attributes of a decoded vertex from those of the nearest
 * vertex at its grid position in any DAG cluster of the same group.
 */
static double worst_attribute(const struct cs_dag *dag, const struct cs_nanite_contents *c)
{
	int precision = c->resource->info->position_precision;
	double worst = 0;
	for (size_t i = 0; i < c->n_clusters; i++) {
		const struct cs_model_cluster *cluster = &c->clusters[i];
		uint32_t number = c->groups[cluster->group].number;
		for (uint32_t v = 0; v < cluster->n_vertices; v++) {
			size_t at = cluster->first_vertex + (size_t)v;
			double nearest = 9;
			for (uint32_t k = 0; k < dag->groups[number].n_children; k++) {
				const struct cs_cluster *from =
					&dag->clusters
						 [dag->children[dag->groups[number].first_child +
								k]];
				for (uint32_t w = from->first_vertex;
					w < from->first_vertex + from->n_vertices; w++) {
					bool here = true;
					for (unsigned axis = 0; axis < 3; axis++)
						here = here &&
						       (int32_t)rint(ldexp(
							       (double)dag->positions[w * 3 + axis],
							       precision)) ==
							       c->grid[at * 3 + axis];
					if (here)
						nearest = fmin(
							nearest, attribute_distance(dag, w, c, at));
				}
			}
			worst = fmax(worst, nearest);
		}
	}
	return worst;
}

/*
 * Returns whether a bound is at least `want`, and larger only by the distance that the grid moves
 * vertices and by rounding to a half.
 */
static bool grew_by(double got, double want, double shift)
{
	return got >= want && got <= (want + shift) * (1 + 0x1p-10) + 0x1p-24;
}

static bool same_error(float got, float want, double shift)
{
	if (want >= CS_ROOT_PARENT_ERROR)
		return isinf(got);
	/* what no half holds becomes the largest */
	return got == 65504 ? (double)want + shift > 65472
			    : grew_by((double)got, (double)want, shift);
}

static bool same_groups(const struct cs_dag *dag, const struct cs_nanite_contents *c)
{
	double shift = ldexp(sqrt(3) / 2, -cs_nanite_info(c->resource)->position_precision);
	bool same = c->n_groups == dag->n_groups && c->n_levels == dag->n_levels;
	for (size_t g = 0; same && g < c->n_groups; g++) {
		const struct cs_model_group *got = &c->groups[g];
		const struct cs_cluster_group *want = &dag->groups[got->number];
		const float centre[3] = {
			want->lod_bounds.x, want->lod_bounds.y, want->lod_bounds.z};
		same = got->level == want->level && got->n_clusters == want->n_children &&
		       memcmp(got->centre, centre, sizeof(got->centre)) == 0 &&
		       grew_by((double)got->radius, (double)want->lod_bounds.radius, shift) &&
		       same_error(got->max_parent_error, want->max_parent_error, shift) &&
		       (double)got->min_error <= (double)want->min_lod_error + shift;
	}
	for (size_t i = 0; same && i < c->n_clusters; i++) {
		const struct cs_model_cluster *cluster = &c->clusters[i];
		const struct cs_model_group *maker =
			cluster->maker == CS_NONE ? NULL : &c->groups[cluster->maker];
		same = maker ? cluster->lod_error == maker->max_parent_error &&
				       cluster->level == maker->level + 1
			     : grew_by((double)cluster->lod_error, 0, shift) &&
				       cluster->level == 0 && signbit(cluster->edge_length);
	}
	return same;
}

/* Counts the directed edges of a level, between grid positions, that have no opposite edge. */
static size_t open_edges(const struct cs_nanite_contents *c, uint32_t level)
{
	struct cs_sort_key *edges = calloc(c->n_triangles * 3 + 1, sizeof(*edges));
	size_t n = 0, open = 0;
	for (size_t i = 0; i < c->n_clusters; i++) {
		const struct cs_model_cluster *cluster = &c->clusters[i];
		for (uint32_t k = 0; cluster->level == level && k < cluster->n_triangles * 3; k++) {
			uint64_t ends[2];
			for (unsigned e = 0; e < 2; e++) {
				uint32_t corner = e && k % 3 == 2 ? k - 2 : k + e;
				size_t v = cluster->first_vertex +
					   c->corners[cluster->first_triangle * 3 + corner];
				struct cs_random mix = {(uint64_t)(uint32_t)c->grid[v * 3] << 32 |
							(uint32_t)c->grid[v * 3 + 1]};
				mix.state = cs_random_u64(&mix) ^ (uint32_t)c->grid[v * 3 + 2];
				ends[e] = cs_random_u64(&mix);
			}
			edges[n++] = ends[0] < ends[1] ? (struct cs_sort_key){ends[0], ends[1], 1}
						       : (struct cs_sort_key){ends[1], ends[0], 0};
		}
	}
	cs_sort_keys(edges, n);
	for (size_t i = 0, end; i < n; i = end) {
		int sum = 0;
		for (end = i; end < n && edges[end].high == edges[i].high &&
			      edges[end].low == edges[i].low;
			end++)
			sum += edges[end].index ? 1 : -1;
		open += (size_t)abs(sum);
	}
	free(edges);
	return open;
}

static void test_round_trip(const char *name, const struct torus *torus)
{
	struct cs_dag dag;
	torus_dag(torus, &dag);
	struct cs_nanite *resource = encode(&dag, NULL);
	struct cs_nanite_contents *c = resource ? decode(resource) : NULL;
	if (!ok(c, "%s: encodes and decodes", name)) {
		cs_nanite_free(resource);
		cs_dag_deinit(&dag);
		return;
	}
	ok(same_triangles(&dag, c), "%s: every triangle is in its group, wound as it was", name);
	ok(same_groups(&dag, c), "%s: groups, spheres and errors come back", name);
	double worst = worst_attribute(&dag, c);
	ok(worst <= 1, "%s: attributes within a step (%.3f)", name, worst);
	size_t open = 0;
	for (uint32_t level = 0; level < c->n_levels; level++)
		open += open_edges(c, level);
	is_int(open, 0, "%s: every level is closed", name);
	is_int(findings(resource), 0, "%s: verifies", name);
	struct cs_nanite *again = NULL;
	struct cs_nanite_options options = nanite_options_of(resource);
	works(encode_again(c, &options, &again), "%s: encodes again", name);
	ok(again && same_bytes(resource, again), "%s: to the same bytes", name);
	cs_nanite_free(again);
	cs_nanite_contents_free(c);
	cs_nanite_free(resource);
	cs_dag_deinit(&dag);
}

static void test_round_trips(void)
{
	const struct torus single = {.rows = 4}, small = {.rows = 8, .colors = true};
	const struct torus plain = {.rows = 256},
			   full = {.rows = 256, .uvs = 2, .materials = 3, .colors = true};
	const struct torus materials = {.rows = 64, .uvs = 1, .materials = 9};
	const struct torus far = {.rows = 128, .uvs = 4, .centre = {1e6, -3e5, 77}};
	const struct torus tiny = {.rows = 64, .radius = 0.01};
	const struct torus huge = {.rows = 64, .radius = 1e9};
	test_round_trip("one cluster", &single);
	test_round_trip("two clusters", &small);
	test_round_trip("no UVs", &plain);
	test_round_trip("UVs, colours, materials", &full);
	test_round_trip("nine materials", &materials);
	test_round_trip("far from the origin", &far);
	test_round_trip("tiny", &tiny);
	test_round_trip("huge", &huge);
}

/* ---- the same bytes ---- */

static void test_threads(void)
{
	const struct torus torus = {.rows = 1024, .uvs = 1, .materials = 2, .colors = true};
	struct cs_dag dag;
	torus_dag(&torus, &dag);
	struct cs_nanite *first = NULL;
	const int counts[] = {1, 2, 8, 3};
	for (unsigned i = 0; i < 4; i++) {
		struct cs_job job = {.threads = counts[i]};
		struct cs_nanite *resource = NULL;
		works(cs_nanite_encode(&dag, NULL, &job, &resource), "%d threads", counts[i]);
		if (!first) {
			first = resource;
			continue;
		}
		ok(resource && same_bytes(first, resource), "the bytes of one thread");
		cs_nanite_free(resource);
	}
	cs_nanite_free(first);
	cs_dag_deinit(&dag);
}

/* Random triangles have codes that collide: encoding the decoded resource again changes nothing. */
static void test_soups(void)
{
	enum { ROUNDS = 150 };
	struct cs_random random = {99};
	unsigned failed = 0, different = 0, lost = 0, split = 0;
	for (unsigned round = 0; round < ROUNDS; round++) {
		struct soup soup = {.seed = round,
			.clusters = 1 + cs_random_below(&random, 12),
			.triangles = 1 + cs_random_below(&random, CS_CLUSTER_TRIANGLES),
			.pool = 4 + cs_random_below(&random, 400),
			.uvs = cs_random_below(&random, CS_MAX_UVS + 1),
			.materials = 1 + cs_random_below(&random, CS_MAX_MATERIALS),
			.colors = cs_random_below(&random, 2),
			.size = exp2(cs_random_range(&random, -6, 12)),
			.uv_origin = cs_random_below(&random, 3) * 700.0};
		struct cs_nanite_options options = {
			.position_precision = (int32_t)cs_random_below(&random, 5) - 2};
		struct cs_dag dag;
		soup_dag(&soup, &dag);
		struct cs_nanite *resource = encode(&dag, &options), *again = NULL;
		struct cs_nanite_contents *c = resource ? decode(resource) : NULL;
		if (c) {
			options = nanite_options_of(resource);
			lost += !same_triangles(&dag, c);
			split += cs_nanite_report(resource)->split_clusters;
			cs_error_free(encode_again(c, &options, &again));
			different += !again || !same_bytes(resource, again);
		}
		failed += !c;
		cs_nanite_free(again);
		cs_nanite_contents_free(c);
		cs_nanite_free(resource);
		cs_dag_deinit(&dag);
	}
	is_int(failed, 0, "soup: %d of random triangles encode and decode", ROUNDS);
	is_int(lost, 0, "soup: no triangle with three places is lost, however its corners collide");
	is_int(different, 0, "soup: encoding what was decoded gives the same bytes");
	ok(split > 0, "soup: %u clusters had to be cut in halves", split);
}

/* ---- cuts ---- */

/*
 * Returns whether a cluster is drawn by the flat rule, which needs no hierarchy: its parents are
 * too coarse and it is not.
 */
static bool flat_rule(const struct cs_nanite_contents *c, const struct cs_nanite_view *view,
	const struct cs_model_cluster *cluster)
{
	const struct cs_model_group *group = &c->groups[cluster->group];
	return !cs_nanite_acceptable(view, group->max_parent_error, group->centre, group->radius) &&
	       (cluster->maker == CS_NONE || cs_nanite_acceptable(view, cluster->lod_error,
						     cluster->lod_centre, cluster->lod_radius));
}

static void test_cuts(void)
{
	const struct torus torus = {.rows = 1024};
	struct cs_dag dag;
	torus_dag(&torus, &dag);
	struct cs_nanite *resource = encode(&dag, NULL);
	struct cs_nanite_contents *c = decode(resource);
	struct cs_random random = {4};
	unsigned different = 0, sizes = 0;
	size_t last = 0;
	for (unsigned i = 0; i < 300; i++) {
		struct cs_nanite_view view = {.near = 0.1,
			.pixels = 1000,
			.threshold = exp2(cs_random_range(&random, -3, 6)),
			.uniform = i % 3 == 0};
		for (unsigned axis = 0; axis < 3; axis++)
			view.eye[axis] = cs_random_range(&random, -3000, 3000);
		uint32_t *list = NULL;
		size_t n = 0, at = 0;
		cs_error_free(cut_of_view(c, &view, &list, &n));
		for (uint32_t k = 0; k < c->n_clusters; k++) {
			bool drawn = at < n && list[at] == k;
			at += drawn;
			different += drawn != flat_rule(c, &view, &c->clusters[k]);
		}
		sizes += n != last;
		last = n;
		free(list);
	}
	is_int(different, 0, "cuts: the hierarchy finds what the flat rule draws");
	ok(sizes > 50, "cuts: views differ (%u)", sizes);
	cs_nanite_contents_free(c);
	cs_nanite_free(resource);
	cs_dag_deinit(&dag);
}

/* ---- pages ---- */

static void test_pages(void)
{
	const struct torus torus = {.rows = 2048, .uvs = 1};
	struct cs_dag dag;
	torus_dag(&torus, &dag);
	struct cs_nanite *resource = encode(&dag, NULL);
	struct cs_nanite_contents *c = decode(resource);
	const struct cs_nanite_report *report = cs_nanite_report(resource);
	uint64_t gpu = 0, raw = 0, stored = 0, chunks = 0, vertices = 0, references = 0;
	unsigned over = 0, loose = 0, wide = 0;
	for (size_t i = 0; i < c->n_pages; i++) {
		const struct cs_model_page *page = &c->pages[i];
		uint32_t sum = 0;
		gpu += page->gpu_bytes;
		raw += page->page_bytes;
		stored += page->stored_bytes;
		chunks += page->chunk_bytes;
		vertices += page->vertices;
		references += page->references;
		over += page->gpu_bytes > 131072;
		loose += i + 1 < c->n_pages && page->gpu_bytes < 131072 / 10 * 9;
		for (unsigned s = 0; s < CS_PAGE_SECTIONS; s++)
			sum += c->sections[i][s];
		wide += sum != page->page_bytes;
	}
	is_int(over, 0, "pages: none is larger than 128 KiB on the GPU");
	is_int(loose, 0, "pages: all but the last are filled to 90 %%");
	is_int(wide, 0, "pages: sections make up the page");
	ok(gpu == report->gpu_bytes && raw == report->page_bytes &&
			stored == report->stored_bytes && chunks == report->fixup_bytes &&
			vertices == report->stored_vertices &&
			references == report->vertex_references && c->n_parts == report->parts,
		"pages: the encoder reports what the decoder finds");
	diag("pages: %zu, %.1f %% filled, %.2f raw and %.2f stored bytes a triangle", c->n_pages,
		(double)gpu / (double)c->n_pages / 1310.72, (double)raw / (double)c->n_triangles,
		(double)stored / (double)c->n_triangles);
	unsigned ahead = 0;
	for (size_t i = 0; i < c->n_pages; i++)
		for (uint32_t k = 0; k < resource->pages[i].n_dependencies; k++)
			ahead += resource->dependencies[resource->pages[i].first_dependency + k] >=
				 i;
	is_int(ahead, 0, "pages: depend on earlier ones alone");
	struct cs_nanite_options plain = {.position_precision = CS_PRECISION_AUTO,
		.raw_pages = true,
		.no_atlas = true,
		.source = "torus"};
	struct cs_nanite *uncompressed = encode(&dag, &plain);
	ok(uncompressed && findings(uncompressed) == 0, "pages: may be stored as they are");
	is_text(cs_nanite_text(uncompressed, cs_nanite_info(uncompressed)->source), "torus",
		"the source is named");
	cs_nanite_free(uncompressed);
	cs_nanite_contents_free(c);
	cs_nanite_free(resource);
	cs_dag_deinit(&dag);
}

/* ---- the grid that is chosen ---- */

/*
 * Returns the precision that is chosen for two clusters whose boxes have half diagonals of 5 x
 * `first` and 5 x `second`.
 */
static int chosen_precision(double first, double second)
{
	const struct soup soup = {
		.seed = 5, .clusters = 2, .triangles = 40, .pool = 60, .materials = 1, .size = 8};
	const struct cs_nanite_options options = cs_nanite_options_default();
	struct cs_dag dag;
	soup_dag(&soup, &dag);
	for (uint32_t i = 0; i < dag.n_clusters; i++) {
		const struct cs_cluster *cluster = &dag.clusters[i];
		double size = i == 0 ? first : i == 1 ? second : 32; /* the one above */
		for (uint32_t v = 0; v < cluster->n_vertices; v++) {
			float *p = dag.positions + (cluster->first_vertex + (size_t)v) * 3;
			p[0] = (float)(v & 1 ? 3 * size : -3 * size);
			p[1] = (float)(v & 2 ? 4 * size : -4 * size);
			p[2] = 0;
		}
	}
	struct cs_nanite *resource = encode(&dag, &options);
	int precision = resource ? cs_nanite_info(resource)->position_precision : INT32_MIN;
	cs_nanite_free(resource);
	cs_dag_deinit(&dag);
	return precision;
}

/*
 * The chosen grid has seven bits for half the diagonal of a mean cluster of level 0, and steps of
 * at most 1/16. The answers are computed by hand.
 */
static void test_chosen_grid(void)
{
	is_int(chosen_precision(1, 1), 5, "grid: 7 - round(log2 5)");
	is_int(chosen_precision(1. / 64, 1. / 64), 11, "grid: as fine as small clusters want it");
	is_int(chosen_precision(1, 1. / 64), 8, "grid: by the mean of the logarithms");
	is_int(chosen_precision(4, 4), 4, "grid: no coarser than 1/16");
}

/* ---- the file ---- */

static void test_file(void)
{
	const struct torus torus = {.rows = 64, .uvs = 1, .materials = 2};
	static const char *const names[] = {"skin", "stone"};
	const struct cs_nanite_options options = {
		.position_precision = 6, .source = "torus.obj", .materials = names};
	struct cs_dag dag;
	torus_dag(&torus, &dag);
	struct cs_nanite *made = encode(&dag, &options), *opened = NULL;
	char path[4096];
	snprintf(path, sizeof(path), "%s/encode.cnanite", test_folder());
	works(cs_nanite_save(made, path, NULL), "file: saves");
	works(cs_nanite_open(path, CS_FILE_STRICT, NULL, &opened), "file: opens");
	ok(opened && same_bytes(made, opened), "file: holds the tables that were made");
	size_t n, told = 0;
	works(cs_nanite_verify(path, true, NULL, print_finding, &told, &n), "file: verify runs");
	is_int(told, 0, "file: and finds nothing");
	const struct cs_nanite_section *sections = cs_nanite_sections(opened, &n);
	is_int(n, 2, "file: two materials");
	is_text(cs_nanite_text(opened, sections[1].name), "stone", "file: with their names");
	is_int(sections[0].input_triangles + sections[1].input_triangles, 64 * 32,
		"file: and the triangles of the source");
	is_int(cs_nanite_info(opened)->position_precision, 6, "file: the precision asked for");
	struct cs_nanite_contents *c = decode(opened);
	struct cs_nanite_options same = nanite_options_of(opened);
	struct cs_nanite *again = NULL;
	works(encode_again(c, &same, &again), "file: encodes again");
	ok(again && same_bytes(made, again), "file: to the same bytes");
	cs_nanite_free(again);
	cs_nanite_contents_free(c);
	cs_nanite_free(opened);
	cs_nanite_free(made);
	cs_dag_deinit(&dag);
}

/* ---- what is refused ---- */

struct refusal {
	const char *what;
	void (*spoil)(struct cs_dag *dag);
};

static void no_clusters(struct cs_dag *dag)
{
	dag->n_clusters = 0;
}

static void bad_corner(struct cs_dag *dag)
{
	dag->corners[5] = 255;
}

static void bad_material(struct cs_dag *dag)
{
	dag->materials[5] = 64;
}

static void bad_position(struct cs_dag *dag)
{
	dag->positions[7] = NAN;
}

static void bad_group(struct cs_dag *dag)
{
	dag->clusters[1].group = 999;
}

/* Removes a cluster from its group: another child takes its place in the list. */
static void group_behind(struct cs_dag *dag)
{
	const struct cs_cluster_group *group = &dag->groups[dag->clusters[1].group];
	for (uint32_t i = 0; i < group->n_children; i++)
		if (dag->children[group->first_child + i] == 1)
			dag->children[group->first_child + i] =
				dag->children[group->first_child + !i];
	dag->clusters[1].group = dag->n_groups;
}

static void maker_behind(struct cs_dag *dag)
{
	dag->clusters[dag->n_clusters - 1].generating_group = dag->n_groups;
}

static void bad_maker(struct cs_dag *dag)
{
	dag->clusters[0].generating_group = dag->n_groups - 1;
}

static void bad_child(struct cs_dag *dag)
{
	dag->children[1] = 0xffffff;
}

static void lost_child(struct cs_dag *dag)
{
	dag->groups[0].n_children--;
}

static void bad_sphere(struct cs_dag *dag)
{
	dag->groups[0].lod_bounds.radius = INFINITY;
}

static void bad_error(struct cs_dag *dag)
{
	dag->clusters[0].lod_error = -1;
}

static void too_many_triangles(struct cs_dag *dag)
{
	dag->clusters[0].n_triangles = 129;
}

static void foreign_vertices(struct cs_dag *dag)
{
	dag->clusters[1].first_vertex = dag->n_vertices - 1;
}

static void only_degenerate(struct cs_dag *dag)
{
	memset(dag->corners + dag->clusters[1].first_triangle * 3, 0,
		dag->clusters[1].n_triangles * 3);
}

static void test_refusals(void)
{
	static const struct refusal refusals[] = {
		{"no clusters", no_clusters},
		{"a corner that is no vertex", bad_corner},
		{"material 64", bad_material},
		{"a position that is not a number", bad_position},
		{"a group that does not exist", bad_group},
		{"a group behind the last one", group_behind},
		{"a maker behind the last one", maker_behind},
		{"a cluster below what made it", bad_maker},
		{"a child that does not exist", bad_child},
		{"a cluster in no group", lost_child},
		{"an infinite sphere", bad_sphere},
		{"a negative error", bad_error},
		{"129 triangles", too_many_triangles},
		{"foreign vertices", foreign_vertices},
		{"degenerate triangles alone", only_degenerate},
	};
	const struct torus torus = {.rows = 16};
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		struct cs_dag dag;
		struct cs_nanite *resource;
		torus_dag(&torus, &dag);
		refusals[i].spoil(&dag);
		fails(cs_nanite_encode(&dag, NULL, NULL, &resource), CS_E_NANITE, "refused: %s",
			refusals[i].what);
		cs_dag_deinit(&dag);
	}
	struct cs_dag dag;
	struct cs_nanite *resource;
	static const int precisions[] = {500, 121, -121, INT32_MIN + 1};
	torus_dag(&torus, &dag);
	for (size_t i = 0; i < sizeof(precisions) / sizeof(precisions[0]); i++) {
		struct cs_nanite_options options = {.position_precision = precisions[i]};
		fails(cs_nanite_encode(&dag, &options, NULL, &resource), CS_E_SETTING,
			"refused: precision %d", precisions[i]);
	}
	cs_dag_deinit(&dag);
}

/* A few degenerate triangles are left out and counted. */
static void test_degenerate(void)
{
	const struct torus torus = {.rows = 16};
	struct cs_dag dag;
	torus_dag(&torus, &dag);
	for (unsigned t = 0; t < 5; t++)
		dag.corners[t * 9 + 1] = dag.corners[t * 9];
	struct cs_nanite *resource = encode(&dag, NULL);
	is_int(cs_nanite_report(resource)->degenerate_triangles, 5, "five degenerate triangles");
	is_int(cs_nanite_info(resource)->degenerate_triangles, 5, "are told in the file");
	cs_nanite_free(resource);
	cs_dag_deinit(&dag);
}

int main(void)
{
	test_round_trips();
	test_threads();
	test_soups();
	test_cuts();
	test_pages();
	test_chosen_grid();
	test_file();
	test_refusals();
	test_degenerate();
	return done();
}
