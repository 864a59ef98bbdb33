/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Benchmark of pages: decoding them against LZ4 alone and memcpy over the same bytes in the same
 * run, and frames a second of page streaming for 1, 100 and 10,000 places of one resource and for
 * as many resources, with what it costs to open one more beside them.
 */
#include <cellscope/mesh.h>
#include <cellscope/paging.h>

#include "nanite/format/contents.h"
#include "nanite/inspect/model_inside.h"
#include "nanite/paging/pager_inside.h"
#include "nanite/paging/paging_internal.h"
#include "tests/bench/bench.h"
#include "tests/samples/tap.h"

#include <lz4.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 8, FRAMES = 60, FRAME_NS = 16666667 };

static struct cs_nanite *build(uint32_t triangles)
{
	const struct cs_mesh_recipe recipe = {CS_MESH_NOISE, triangles, 1};
	const struct cs_nanite_settings settings = cs_nanite_settings_default();
	struct cs_nanite *resource = NULL;
	struct cs_mesh *mesh;
	bench_need(cs_mesh_generate(&recipe, NULL, &mesh));
	bench_need(cs_nanite_build(mesh, &settings, NULL, NULL, &resource));
	cs_mesh_free(mesh);
	return resource;
}

/* ---- decoding ---- */

struct packed {
	char *bytes, *room;
	int size, packed_size;
};

/* All pages, decompressed, and packed again as one by one they are stored. */
static struct packed *pack_pages(const struct cs_model *m)
{
	struct packed *pages = calloc(m->n_pages + 1, sizeof(*pages));
	for (uint32_t i = 0; i < m->n_pages; i++) {
		unsigned char *bytes;
		size_t n;
		bench_need(cs_model_page_bytes(m, i, &bytes, &n));
		int bound = LZ4_compressBound((int)n);
		pages[i] = (struct packed){malloc((size_t)bound), (char *)bytes, (int)n, 0};
		pages[i].packed_size =
			LZ4_compress_default((char *)bytes, pages[i].bytes, (int)n, bound);
	}
	return pages;
}

static double lz4_seconds(const struct cs_model *m, struct packed *pages)
{
	double best = INFINITY;
	for (int round = 0; round < ROUNDS; round++) {
		double start = bench_cpu();
		for (size_t i = 0; i < m->n_pages; i++)
			LZ4_decompress_safe(
				pages[i].bytes, pages[i].room, pages[i].packed_size, pages[i].size);
		best = fmin(best, bench_cpu() - start);
	}
	return best;
}

static double memcpy_seconds(const struct cs_model *m, struct packed *pages, char *to)
{
	double best = INFINITY;
	for (int round = 0; round < ROUNDS; round++) {
		double start = bench_cpu();
		for (size_t i = 0; i < m->n_pages; i++)
			memcpy(to + (i & 1), pages[i].room, (size_t)pages[i].size);
		best = fmin(best, bench_cpu() - start);
	}
	return best;
}

static double decode_seconds(const struct cs_nanite *resource)
{
	const struct cs_job job = {.threads = 1};
	double best = INFINITY;
	for (int round = 0; round < ROUNDS; round++) {
		struct cs_nanite_contents *contents;
		double start = bench_cpu();
		bench_need(cs_nanite_decode(resource, &job, &contents));
		best = fmin(best, bench_cpu() - start);
		cs_nanite_contents_free(contents);
	}
	return best;
}

static void bench_decoding(void)
{
	struct cs_nanite *resource = build(300000);
	struct cs_model *m;
	double bytes = 0;
	char *to = malloc(1 << 19);
	bench_need(cs_model_of_resource(resource, "noise", NULL, &m));
	struct packed *pages = pack_pages(m);
	for (size_t i = 0; i < m->n_pages; i++)
		bytes += pages[i].size;
	double decode = decode_seconds(resource), lz4 = lz4_seconds(m, pages);
	double copy = memcpy_seconds(m, pages, to);
	diag("%zu pages, %.1f MB decompressed, %zu triangles", m->n_pages, bytes * 1e-6,
		m->n_triangles);
	diag("decode, check and link %.3f GB/s; LZ4 alone %.2f GB/s; memcpy %.2f GB/s",
		bytes * 1e-9 / decode, bytes * 1e-9 / lz4, bytes * 1e-9 / copy);
	ok(decode < 100 * lz4, "decoding takes %.1f times what LZ4 alone takes", decode / lz4);
	for (size_t i = 0; i < m->n_pages; i++) {
		free(pages[i].bytes);
		free(pages[i].room);
	}
	free(pages);
	free(to);
	cs_model_free(m);
	cs_nanite_free(resource);
}

/* ---- frames ---- */

static void place(struct cs_pager *pager, size_t n, bool distinct)
{
	struct cs_pager_instance *at = calloc(n, sizeof(*at));
	size_t side = (size_t)ceil(sqrt((double)n));
	for (size_t i = 0; i < n; i++)
		at[i] = (struct cs_pager_instance){distinct ? (uint32_t)i : 0, {0, 0, 0, 1},
			{(double)(i % side) * 400, (double)(i / side) * 400, 0}, 1, 0};
	for (size_t i = 0; i < (distinct ? n : 1); i++) {
		char *input = cs_pager_place_input(at[i].resource, at + i, distinct ? 1 : n);
		bench_need(cs_pager_input(pager, input));
		free(input);
	}
	free(at);
}

static void bench_frames(const struct cs_inspector *inspector, size_t n, bool distinct)
{
	struct cs_pager *pager;
	bench_need(cs_pager_new(inspector, NULL, &pager));
	place(pager, n, distinct);
	bench_need(cs_pager_input(pager, "camera A orbit 600 0 100 0 0 0 60 1080 1.78 1 2"));
	double start = bench_cpu();
	uint64_t slots = 0;
	for (uint64_t f = 1; f <= FRAMES; f++) {
		bench_need(cs_pager_frame(pager, f, f * FRAME_NS, FRAME_NS));
		slots += cs_pager_frame_at(pager, f)->slots;
	}
	double seconds = bench_cpu() - start;
	ok(seconds > 0, "%zu %s: %.0f frames a second, %.0f slots visited a frame", n,
		distinct ? "resources" : "placed", FRAMES / seconds, (double)slots / FRAMES);
	cs_pager_free(pager);
}

/* The same model under another name: it shares all arrays, so it is never freed. */
static struct cs_model *twin_of(const struct cs_model *model)
{
	struct cs_model *twin = malloc(sizeof(*twin));
	if (!twin)
		abort();
	*twin = *model;
	twin->name = strdup(model->name);
	return twin;
}

static void bench_resources(const struct cs_model *model)
{
	static const size_t counts[] = {1, 100, 10000};
	struct cs_inspector *inspector;
	size_t n = 0;
	bench_need(cs_inspector_new(&inspector));
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		const size_t before = n;
		double start = bench_cpu();
		for (; n < counts[i]; n++)
			bench_need(cs_inspector_add(inspector, twin_of(model)));
		double seconds = bench_cpu() - start;
		ok(seconds >= 0, "%zu resources: %.2f us to add one more", n,
			seconds / (double)(n - before) * 1e6);
		bench_frames(inspector, n, true);
	}
}

int main(void)
{
	struct cs_nanite *resource = build(40000);
	struct cs_inspector *inspector;
	struct cs_model *model;
	bench_decoding();
	bench_need(cs_model_of_resource(resource, "noise", NULL, &model));
	bench_need(cs_inspector_new(&inspector));
	bench_need(cs_inspector_add(inspector, model));
	bench_frames(inspector, 1, false);
	bench_frames(inspector, 100, false);
	bench_frames(inspector, 10000, false);
	bench_resources(model);
	cs_inspector_free(inspector);
	cs_nanite_free(resource);
	return done();
}
