/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of the dense form of pages: what is read of it are the bytes of the page, which the encoder
 * writes of itself when pages are raw; pages of older files are read as before; what is wrong in
 * the form itself is refused by its rule.
 */
#include "nanite/encode/encode.h"
#include "nanite/format/contents.h"
#include "nanite/format/dense.h"
#include "nanite/verify/verify_resource.h"
#include "tests/samples/tap.h"
#include "tests/unit/nanite/nanite_forms.h"
#include "tests/unit/nanite/soup_dag.h"
#include "tests/unit/nanite/torus_dag.h"

static struct cs_nanite *encode(const struct cs_dag *dag, bool raw)
{
	const struct cs_nanite_options options = {.position_precision = CS_PRECISION_AUTO,
		.raw_pages = raw,
		.no_atlas = true,
		COPY_COARSE_MESH};
	struct cs_nanite *resource = NULL;
	works(cs_nanite_encode(dag, &options, NULL, &resource), "encoded");
	return resource;
}

/* ---- the same pages ---- */

static bool same_contents(const struct cs_nanite *a, const struct cs_nanite *b)
{
	struct cs_nanite_contents *one = NULL, *two = NULL;
	works(cs_nanite_decode(a, NULL, &one), "decoded");
	works(cs_nanite_decode(b, NULL, &two), "decoded in the other form");
	bool same = one && two && one->n_vertices == two->n_vertices &&
		    one->n_triangles == two->n_triangles &&
		    !memcmp(one->grid, two->grid, one->n_vertices * 12) &&
		    !memcmp(one->normals, two->normals, one->n_vertices * 4) &&
		    !memcmp(one->corners, two->corners, one->n_triangles * 3);
	cs_nanite_contents_free(one);
	cs_nanite_contents_free(two);
	return same;
}

static void check_pages(const struct cs_nanite *resource, const struct cs_nanite *raw)
{
	size_t same = 0, no_larger = 0;
	for (uint32_t page = 0; page < raw->n_pages; page++) {
		struct cs_page_view view, plain;
		if (!cs_page_open(resource, page, &view) || !cs_page_open(raw, page, &plain))
			abort();
		same += view.size == plain.size && !memcmp(view.bytes, plain.bytes, view.size) &&
			!memcmp(view.chunk, plain.chunk, view.chunk_size);
		no_larger += resource->pages[page].bulk_size <= raw->pages[page].bulk_size;
		cs_page_close(&view);
		cs_page_close(&plain);
	}
	ok(raw->n_pages > 0 && resource->n_pages == raw->n_pages && same == raw->n_pages,
		"%zu of %zu pages have the bytes of raw ones", same, raw->n_pages);
	is_int(no_larger, raw->n_pages, "and no more on disk");
}

static void check_forms(struct cs_dag *dag)
{
	struct cs_nanite *resource = encode(dag, false), *raw = encode(dag, true);
	struct cs_nanite *old = copy_in_form(resource, FORM_OLD);
	struct cs_nanite *bare = copy_in_form(resource, FORM_BARE);
	is_int(resource->info->flags & CS_NANITE_DENSE, CS_NANITE_DENSE, "pages are dense");
	is_int(raw->info->flags & CS_NANITE_DENSE, 0, "raw ones are not");
	check_pages(resource, raw);
	check_pages(bare, raw);
	ok(same_contents(resource, old), "pages of older versions say the same");
	ok(resource->n_stream_bytes + resource->n_root_bytes <=
			old->n_stream_bytes + old->n_root_bytes,
		"in %zu bytes instead of %zu", resource->n_stream_bytes + resource->n_root_bytes,
		old->n_stream_bytes + old->n_root_bytes);
	cs_nanite_free(bare);
	cs_nanite_free(old);
	cs_nanite_free(raw);
	cs_nanite_free(resource);
	cs_dag_deinit(dag);
}

/* Counts the pages that are stored in their dense form. */
static size_t count_dense(const struct cs_nanite *resource)
{
	struct cs_nanite *bare = copy_in_form(resource, FORM_BARE);
	size_t n = 0;
	for (uint32_t page = 0; page < bare->n_pages; page++) {
		struct cs_page_view view;
		if (!cs_page_open(bare, page, &view))
			abort();
		n += view.blob_size - view.chunk_size < view.size;
		cs_page_close(&view);
	}
	cs_nanite_free(bare);
	return n;
}

static void count_forms(enum cs_mesh_kind kind, size_t *n_dense_ret, size_t *n_pages_ret)
{
	const struct cs_mesh_recipe recipe = {kind, 30000, 3};
	const struct cs_nanite_settings settings = cs_nanite_settings_default();
	struct cs_nanite *resource = NULL;
	struct cs_mesh *mesh;
	works(cs_mesh_generate(&recipe, NULL, &mesh), "a mesh");
	works(cs_nanite_build(mesh, &settings, NULL, NULL, &resource), "a resource");
	*n_dense_ret = count_dense(resource);
	*n_pages_ret = resource->n_pages;
	cs_nanite_free(resource);
	cs_mesh_free(mesh);
}

/*
 * Vertices of a face with a normal of its own have equal bytes, in which LZ4 finds more than bits
 * take: each page is stored in the form that takes less.
 */
static void check_faces(void)
{
	size_t n_dense, n_pages;
	count_forms(CS_MESH_SEAMS, &n_dense, &n_pages);
	is_int(n_dense, n_pages, "all pages of a mesh are dense");
	count_forms(CS_MESH_FLAT, &n_dense, &n_pages);
	ok(n_dense < n_pages, "%zu of %zu pages of a mesh of single faces are", n_dense, n_pages);
}

/* ---- what is wrong in the form ---- */

struct told {
	const char *rule, *words;
	char place[96];
	size_t n;
};

static void note_finding(void *context, const struct cs_finding *finding)
{
	struct told *told = context;
	if (!finding->rule || strcmp(finding->rule, told->rule) ||
		!strstr(finding->message, told->words))
		return;
	told->n++;
	snprintf(told->place, sizeof(told->place), "%s", finding->place);
}

struct spoilt {
	struct cs_nanite *r;
	struct cs_nanite_page_state *state; /* of page 0 */
	unsigned char *page;                /* its dense form */
	struct cs_page_view view;           /* of what was whole */
};

static void cut_end(const struct spoilt *s)
{
	s->state->bulk_size--;
}

static void cut_vertices(const struct spoilt *s)
{
	s->state->bulk_size = s->view.chunk_size + s->view.references - 1;
}

static void cut_all(const struct spoilt *s)
{
	s->state->bulk_size = s->view.chunk_size;
}

static void claim_more(const struct spoilt *s)
{
	s->state->page_size += 4;
}

static void count_none(const struct spoilt *s)
{
	cs_store32(s->page + 4 * CS_PAGE_N_CLUSTERS, 0);
}

static void move_masks(const struct spoilt *s)
{
	cs_store32(s->page + 4 * CS_PAGE_STRIP_MASKS, UINT32_MAX);
}

static void refer_always(const struct spoilt *s)
{
	memset(s->page + s->view.reference_masks, 255,
		(size_t)CS_REFERENCE_MASK * s->view.n_clusters);
}

/* Sets a bit of padding that follows the last vertex. */
static void pad_with_ones(const struct spoilt *s)
{
	s->page[s->view.blob_size - s->view.chunk_size - 1] |= 128;
}

static const struct {
	const char *what, *rule, *words;
	void (*spoil)(const struct spoilt *s);
	bool is_read; /* all the same */
} breaks[] = {
	{"the last byte is missing", "P1", "bytes of the decompressed page", cut_end, false},
	{"it ends before its vertices", "P1", "its vertex references begin", cut_vertices, false},
	{"nothing is stored", "P1", "cannot decompress", cut_all, false},
	{"the page is larger than what is stored of it", "P1", "of 5512 with padding", claim_more,
		false},
	{"there are no clusters", "P2", "0 clusters", count_none, false},
	{"masks are outside the page", "P4", "strip masks", move_masks, false},
	{"more references than vertices", "V1", "are references to other vertices", refer_always,
		false},
	{"padding is not zero", "P8", "are not zero", pad_with_ones, true},
};

static void check_break(const struct cs_nanite *whole, size_t i)
{
	struct spoilt s = {.r = copy_in_form(whole, FORM_BARE)};
	struct told told = {.rule = breaks[i].rule, .words = breaks[i].words};
	struct cs_nanite_contents *contents = NULL;
	char name[8];
	size_t n;
	if (!cs_page_open(s.r, 0, &s.view) || !cs_page_plan(&s.view))
		abort();
	s.state = (struct cs_nanite_page_state *)(uintptr_t)s.r->pages;
	s.page = copy_blob(s.r, 0) + s.view.chunk_size;
	breaks[i].spoil(&s);
	works(cs_nanite_check(s.r, false, NULL, note_finding, &told, &n), "checked");
	ok(told.n == 1 && strncmp(told.place, "pages[0]", 8) == 0, "%s: %s is told of %s",
		breaks[i].what, breaks[i].rule, told.place);
	struct cs_error *error = cs_nanite_decode(s.r, NULL, &contents);
	snprintf(name, sizeof(name), "%s:", breaks[i].rule);
	if (breaks[i].is_read)
		ok(!error, "%s: it is read", breaks[i].what);
	else
		ok(error && error->code == CS_E_NANITE && strstr(error->message, name), "%s: %s",
			breaks[i].what, error ? error->message : "no error");
	cs_error_free(error);
	cs_nanite_contents_free(contents);
	cs_page_close(&s.view);
	cs_nanite_free(s.r);
}

/* A resource in which the bits of vertices do not fill whole bytes. */
static const struct soup odd = {
	.seed = 7, .clusters = 6, .triangles = 100, .pool = 120, .materials = 1, .size = 1000};

static void check_breaks(void)
{
	struct cs_dag dag;
	soup_dag(&odd, &dag);
	struct cs_nanite *whole = encode(&dag, false);
	for (size_t i = 0; i < sizeof(breaks) / sizeof(breaks[0]); i++)
		check_break(whole, i);
	cs_nanite_free(whole);
	cs_dag_deinit(&dag);
}

int main(void)
{
	const struct torus plain = {.rows = 128},
			   rich = {.rows = 128, .uvs = 4, .materials = 5, .colors = true};
	struct cs_dag dag;
	torus_dag(&plain, &dag);
	check_forms(&dag);
	torus_dag(&rich, &dag);
	check_forms(&dag);
	soup_dag(&odd, &dag);
	check_forms(&dag);
	check_faces();
	check_breaks();
	return done();
}
