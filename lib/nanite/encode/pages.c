/* SPDX-License-Identifier: Apache-2.0 */
/* Writes and compresses pages in parallel, and joins root pages and other pages in two arrays. */
#include "nanite/encode/page.h"

#include "core/parallel.h"

#include <inttypes.h>
#include <lz4.h>
#include <lz4hc.h>
#include <stdlib.h>

/* A page as it is stored: the fixup chunk and the compressed page. */
struct blob {
	unsigned char *bytes;
	uint32_t chunk_size, size, page_size;
	/* number of vertices that are stored as references to earlier vertices of the page */
	uint32_t n_references;
};

struct page_work {
	const struct cs_encoder *encoder;
	const struct cs_fixups *fixups;
	/* tables for finding which vertices are references (page.h), one for each thread */
	struct cs_references *references;
	struct blob *blobs; /* blob of each page */
	bool out_of_memory;
};

/*
 * Compresses with LZ4's slow method. Returns the size of the compressed block in bytes, or 0 when
 * memory runs out. The state of LZ4 is allocated here, because if LZ4 allocated it, a lack of
 * memory would look like any other failure.
 */
static int compress_thoroughly(const unsigned char *from, unsigned char *to, int size, int bound)
{
	void *state = malloc((size_t)LZ4_sizeofStateHC());
	int packed = state ? LZ4_compress_HC_extStateHC(state, (const char *)from, (char *)to, size,
				     bound, LZ4HC_CLEVEL_DEFAULT)
			   : 0;
	free(state);
	return packed;
}

/* A page, its dense form (dense.h), and memory to compress either, with `size` bytes each. */
struct page_forms {
	unsigned char *page, *dense, *scratch;
	int size, dense_size;
};

/*
 * Compresses the plain or the dense form of a page, whichever becomes smaller. The plain form
 * becomes smaller if it repeats many bytes, such as attributes of faces that each have their own
 * normals. The reader recognises the plain form by its size, so a dense form of this size is not
 * used. Returns the compressed size in bytes, or 0 when memory runs out.
 */
static int compress_smaller(
	const struct page_forms *forms, unsigned char *to, int bound, bool thorough)
{
	const unsigned char *from = forms->dense;
	int n = forms->dense_size, packed = 0, other = 0;
	if (n < forms->size) {
		packed = LZ4_compress_default((const char *)from, (char *)to, n, bound);
		other = LZ4_compress_default((const char *)forms->page, (char *)forms->scratch,
			forms->size, packed < forms->size ? packed - 1 : forms->size);
	}
	if (packed == 0 || other > 0) {
		from = forms->page;
		n = forms->size;
		packed = 0;
	}
	if (thorough)
		return compress_thoroughly(from, to, n, bound);
	return packed ? packed : LZ4_compress_default((const char *)from, (char *)to, n, bound);
}

/* Makes a page's blob: the fixup chunk and the stored page. Returns false when memory runs out. */
static bool store(const struct page_work *work, uint32_t page, const struct page_forms *forms,
	struct blob *ret)
{
	int size = forms->size, bound = LZ4_compressBound(size);
	ret->chunk_size = cs_fixup_chunk_size(work->fixups, page);
	ret->bytes = malloc(ret->chunk_size + (size_t)bound);
	if (!ret->bytes)
		return false;
	cs_write_fixup_chunk(work->encoder, work->fixups, page, ret->bytes);
	unsigned char *to = ret->bytes + ret->chunk_size;
	if (work->encoder->options->raw_pages)
		memcpy(to, forms->page, ret->page_size);
	else
		size = compress_smaller(forms, to, bound, work->encoder->options->thorough);
	ret->size = ret->chunk_size + (uint32_t)size;
	return size > 0;
}

static bool make_blob(const struct page_work *work, uint32_t page, struct cs_references *references)
{
	struct blob *blob = &work->blobs[page];
	cs_references_resolve(work->encoder, page, references);
	struct cs_page_layout layout = cs_page_lay_out(work->encoder, page, references);
	struct page_forms forms = {.size = (int)layout.end};
	unsigned char *bytes = calloc(CS_PAGE_SLACK + 3 * (size_t)layout.end, 1);
	if (!bytes)
		return false;
	forms.page = bytes;
	forms.dense = bytes + layout.end + CS_PAGE_SLACK;
	forms.scratch = forms.dense + layout.end;
	cs_page_write(work->encoder, page, &layout, references, bytes);
	if (!work->encoder->options->raw_pages)
		forms.dense_size = (int)cs_page_write_dense(
			work->encoder, page, &layout, references, bytes, forms.dense);
	blob->page_size = layout.end;
	blob->n_references = (layout.positions - layout.references) / 4;
	bool ok = store(work, page, &forms, blob);
	free(bytes);
	return ok;
}

static void make_blobs(void *context, size_t begin, size_t end, int thread)
{
	struct page_work *work = context;
	for (size_t page = begin; page < end; page++)
		if (!make_blob(work, (uint32_t)page, &work->references[thread]))
			__atomic_store_n(&work->out_of_memory, true, __ATOMIC_RELAXED);
}

static uint32_t most_vertices(const struct cs_encoder *encoder)
{
	uint32_t most = 1;
	for (uint32_t page = 0; page < encoder->n_pages; page++) {
		const struct cs_coded_page *coded = &encoder->pages[page];
		uint32_t n = 0;
		for (uint32_t p = 0; p < coded->n_parts; p++) {
			const struct cs_part *part = &encoder->parts[coded->first_part + p];
			for (uint32_t i = 0; i < part->n_children; i++)
				n += cs_part_cluster(encoder, part, i)->n_vertices;
		}
		most = n > most ? n : most;
	}
	return most;
}

/* Makes the blobs of all pages. Returns false when memory runs out. */
static bool make_all(struct page_work *work)
{
	const struct cs_encoder *encoder = work->encoder;
	uint32_t most = most_vertices(encoder);
	work->references = calloc((size_t)encoder->n_arenas, sizeof(*work->references));
	work->blobs = calloc(encoder->n_pages, sizeof(*work->blobs));
	bool ok = work->references && work->blobs;
	for (int i = 0; ok && i < encoder->n_arenas; i++)
		ok = cs_references_init(&work->references[i], most, encoder->dag->n_uvs);
	if (ok)
		cs_parallel_for(
			cs_job_threads(encoder->job), encoder->n_pages, 1, make_blobs, work);
	for (int i = 0; work->references && i < encoder->n_arenas; i++)
		cs_references_deinit(&work->references[i]);
	free(work->references);
	return ok && !work->out_of_memory;
}

/* ---- joining the blobs into two arrays ---- */

static struct cs_error *join_blobs(const struct blob *blobs, uint32_t first, uint32_t end,
	struct cs_nanite_page_state *states, const unsigned char **bytes_ret, size_t *n_ret)
{
	uint64_t total = 0;
	for (uint32_t page = first; page < end; page++)
		total += blobs[page].size;
	if (total > UINT32_MAX)
		return cs_error_new(CS_E_LIMIT,
			"the pages have %" PRIu64 " bytes, more than 4 GiB: split the mesh", total);
	unsigned char *bytes = malloc(total ? (size_t)total : 1);
	if (!bytes)
		return cs_error_nomem();
	uint32_t at = 0;
	for (uint32_t page = first; page < end; page++) {
		memcpy(bytes + at, blobs[page].bytes, blobs[page].size);
		states[page].bulk_offset = at;
		states[page].bulk_size = blobs[page].size;
		states[page].page_size = blobs[page].page_size;
		at += blobs[page].size;
	}
	*bytes_ret = bytes;
	*n_ret = (size_t)total;
	return NULL;
}

static void report_pages(struct cs_encoder *encoder, const struct blob *blobs)
{
	struct cs_nanite_report *report = &encoder->resource->report;
	for (uint32_t page = 0; page < encoder->n_pages; page++) {
		report->gpu_bytes += cs_page_sizes_total(&encoder->pages[page].gpu);
		report->page_bytes += blobs[page].page_size;
		report->stored_bytes += blobs[page].size - blobs[page].chunk_size;
		report->fixup_bytes += blobs[page].chunk_size;
		report->vertex_references += blobs[page].n_references;
	}
}

static struct cs_error *pages_join_all(
	struct cs_encoder *encoder, const struct blob *blobs, struct cs_nanite_page_state *states)
{
	struct cs_nanite *resource = encoder->resource;
	uint32_t roots = encoder->n_pages < CS_ROOT_PAGES ? encoder->n_pages : CS_ROOT_PAGES;
	struct cs_error *error =
		join_blobs(blobs, 0, roots, states, &resource->root_bytes, &resource->n_root_bytes);
	if (!error)
		error = join_blobs(blobs, roots, encoder->n_pages, states, &resource->stream_bytes,
			&resource->n_stream_bytes);
	if (!error)
		report_pages(encoder, blobs);
	return error;
}

struct cs_error *cs_encode_pages(struct cs_encoder *encoder)
{
	struct cs_nanite_page_state *states = calloc(encoder->n_pages, sizeof(*states));
	struct cs_fixups fixups = {0};
	if (!states)
		return cs_error_nomem();
	encoder->resource->pages = states;
	encoder->resource->n_pages = encoder->n_pages;
	struct page_work work = {.encoder = encoder, .fixups = &fixups};
	struct cs_error *error = cs_encode_fixups(encoder, states, &fixups);
	if (!error && !make_all(&work))
		error = cs_error_nomem();
	if (!error)
		error = pages_join_all(encoder, work.blobs, states);
	for (uint32_t page = 0; work.blobs && page < encoder->n_pages; page++)
		free(work.blobs[page].bytes);
	free(work.blobs);
	cs_fixups_deinit(&fixups);
	return error;
}
