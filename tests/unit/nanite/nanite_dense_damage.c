/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Damage to what is stored of dense pages, behind sums that are valid: flipped bits, other words,
 * cut ends, in LZ4 blocks and in the dense form itself. Each damaged resource is refused by a named
 * error at its page, or has the pages that a twin in the plain form has, of which reading must say
 * the same.
 */
#include "nanite/encode/encode.h"
#include "nanite/format/contents.h"
#include "nanite/verify/verify_resource.h"
#include "tests/samples/tap.h"
#include "tests/unit/nanite/nanite_forms.h"
#include "tests/unit/nanite/soup_dag.h"
#include "tests/unit/nanite/torus_dag.h"

static struct cs_nanite *encode_form(const struct cs_dag *dag, bool raw)
{
	const struct cs_nanite_options options = {.position_precision = CS_PRECISION_AUTO,
		.raw_pages = raw,
		.no_atlas = true,
		COPY_COARSE_MESH};
	struct cs_nanite *resource = NULL;
	works(cs_nanite_encode(dag, &options, NULL, &resource), "encoded");
	return resource;
}

/* ---- what reading says ---- */

/* What strict reading, and checking, say of a resource. */
struct told {
	uint32_t page;
	struct cs_error *error;
	struct cs_nanite_contents *contents;
	size_t n, n_there; /* findings, and those that name the page */
};

static void note_place(void *context, const struct cs_finding *finding)
{
	struct told *told = context;
	char page[32];
	snprintf(page, sizeof(page), "pages[%u]", told->page);
	told->n++;
	told->n_there += strncmp(finding->place, page, strlen(page)) == 0;
}

static bool ask(const struct cs_nanite *resource, uint32_t page, struct told *ret)
{
	size_t n;
	*ret = (struct told){.page = page};
	ret->error = cs_nanite_decode(resource, NULL, &ret->contents);
	struct cs_error *error = cs_nanite_check(resource, false, NULL, note_place, ret, &n);
	const bool checked = !error;
	cs_error_free(error);
	return checked;
}

static void told_deinit(struct told *told)
{
	cs_error_free(told->error);
	cs_nanite_contents_free(told->contents);
}

static bool same_arrays(const struct cs_nanite_contents *one, const struct cs_nanite_contents *two)
{
	return one->n_vertices == two->n_vertices && one->n_triangles == two->n_triangles &&
	       one->n_clusters == two->n_clusters &&
	       !memcmp(one->grid, two->grid, one->n_vertices * 12) &&
	       !memcmp(one->normals, two->normals, one->n_vertices * 4) &&
	       !memcmp(one->colors, two->colors, one->n_vertices * 4) &&
	       !memcmp(one->corners, two->corners, one->n_triangles * 3);
}

/* The dense form alone has padding that may be broken without being refused. */
static bool says_as_much(const struct told *dense, const struct told *plain)
{
	if (!dense->error || !plain->error)
		return !dense->error && !plain->error && dense->n >= plain->n &&
		       same_arrays(dense->contents, plain->contents);
	return dense->error->code == plain->error->code &&
	       strcmp(dense->error->message, plain->error->message) == 0;
}

static bool is_refused_by_name(const struct told *told)
{
	char page[32];
	snprintf(page, sizeof(page), "pages[%u]", told->page);
	return told->error && told->error->code == CS_E_NANITE &&
	       strncmp(told->error->message, page, strlen(page)) == 0 && told->n_there > 0;
}

/* ---- damage ---- */

/* Damages `n` bytes; returns how many are left. The first ones have the headers. */
static uint32_t spoil_stored(struct cs_random *random, unsigned char *bytes, uint32_t n)
{
	const uint32_t kind = cs_random_below(random, 4), near = n < 400 ? n : 400;
	const uint32_t at = cs_random_below(random, cs_random_below(random, 2) ? near : n);
	if (kind == 3)
		return n - 1 - cs_random_below(random, cs_random_below(random, 2) ? n : 8) % n;
	if (kind == 2 && at + 4 <= n)
		cs_store32(bytes + at, cs_random_below(random, 2) ? (uint32_t)cs_random_u64(random)
								  : 0 - cs_random_below(random, 2));
	else
		for (uint32_t i = kind * cs_random_below(random, 8) + 1; i-- > 0;)
			bytes[(at + cs_random_below(random, 4 * i + 1)) % n] ^=
				(unsigned char)(1u << cs_random_below(random, 8));
	return n;
}

/* Ends the memory of a kind of pages where its bytes end, so that reading on is seen. */
static void end_memory(const unsigned char **bytes, size_t n)
{
	unsigned char *exact = malloc(n ? n : 1);
	memcpy(exact, *bytes, n);
	free((void *)(uintptr_t)*bytes);
	*bytes = exact;
}

struct outcome {
	size_t runs, refused, found, unnamed, differing;
};

/* Compares a resource whose page could be opened with a plain one that has the same page. */
static void compare_with_plain(const struct told *dense, const struct cs_page_view *view,
	const struct cs_nanite *raw, struct outcome *outcome)
{
	struct cs_nanite *plain = copy_resource(raw);
	struct told told;
	memcpy(copy_blob(plain, view->page) + view->chunk_size, view->bytes, view->size);
	outcome->unnamed += !ask(plain, view->page, &told);
	if (!says_as_much(dense, &told)) {
		outcome->differing++;
		diag("page %u: %s, %zu findings; plain: %s, %zu findings", view->page,
			dense->error ? dense->error->message : "read", dense->n,
			told.error ? told.error->message : "read", told.n);
	}
	told_deinit(&told);
	cs_nanite_free(plain);
}

static void try_damage(const struct cs_nanite *whole, const struct cs_nanite *raw, bool bare,
	struct cs_random *random, struct outcome *outcome)
{
	struct cs_nanite *r = bare ? copy_in_form(whole, FORM_BARE) : copy_resource(whole);
	const uint32_t page = cs_random_below(random, (uint32_t)r->n_pages);
	struct cs_nanite_page_state *state =
		(struct cs_nanite_page_state *)(uintptr_t)&r->pages[page];
	struct cs_page_view view;
	struct told told;
	unsigned char *blob = copy_blob(r, page);
	const uint32_t chunk = CS_FIXUP_HEADER + CS_HIERARCHY_FIXUP * cs_load16(blob + 2) +
			       CS_CLUSTER_FIXUP * cs_load16(blob + 4);
	const uint32_t cut = state->bulk_size - chunk;
	state->bulk_size = chunk + spoil_stored(random, blob + chunk, cut);
	end_memory(&r->root_bytes, r->n_root_bytes);
	end_memory(&r->stream_bytes, r->n_stream_bytes);
	outcome->runs++;
	outcome->unnamed += !ask(r, page, &told);
	outcome->refused += told.error != NULL;
	outcome->found += told.n > 0;
	if (cs_page_open(r, page, &view))
		compare_with_plain(&told, &view, raw, outcome);
	else
		outcome->unnamed += !is_refused_by_name(&told);
	cs_page_close(&view);
	cs_breaches_deinit(&view.breaches);
	told_deinit(&told);
	cs_nanite_free(r);
}

static void check_damage(const char *name, struct cs_dag *dag)
{
	struct cs_nanite *whole = encode_form(dag, false), *raw = encode_form(dag, true);
	for (int bare = 0; bare < 2; bare++) {
		struct cs_random random = {(uint64_t)bare + 5};
		struct outcome outcome = {0};
		for (unsigned i = 0; i < tap_long(300, 20000); i += tap_every())
			try_damage(whole, raw, bare, &random, &outcome);
		diag("%s, %s: %zu runs, %zu refused, %zu with findings", name,
			bare ? "dense form" : "LZ4", outcome.runs, outcome.refused, outcome.found);
		is_int(outcome.unnamed, 0, "%s: what is refused is named at its page", name);
		is_int(outcome.differing, 0, "%s: what is read is as in the plain form", name);
		ok(outcome.refused > outcome.runs / 4 && outcome.found >= outcome.refused,
			"%s: what is refused is found", name);
	}
	cs_nanite_free(raw);
	cs_nanite_free(whole);
	cs_dag_deinit(dag);
}

int main(void)
{
	const struct torus plain = {.rows = 64},
			   rich = {.rows = 16, .uvs = 4, .materials = 5, .colors = true};
	const struct soup odd = {.seed = 7,
		.clusters = 6,
		.triangles = 100,
		.pool = 120,
		.materials = 1,
		.size = 1000};
	struct cs_dag dag;
	torus_dag(&plain, &dag);
	check_damage("torus", &dag);
	torus_dag(&rich, &dag);
	check_damage("torus with attributes", &dag);
	soup_dag(&odd, &dag);
	check_damage("soup", &dag);
	return done();
}
