/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns decoding a resource as a list of phases: it opens and plans all pages, counts, allocates
 * within the limit, decodes all pages, reads the fixups, and links groups. Pages are decoded in
 * parallel. Broken rules are noted page by page, so that the first error is the same on any number
 * of threads.
 */
#include "nanite/decode/decode.h"

#include "cluster/dag_internal.h"
#include "core/cursor.h"
#include "core/job.h"
#include "core/parallel.h"
#include "format/file_inside.h"
#include "nanite/format/contents.h"

#include <inttypes.h>
#include <stdlib.h>

struct decoder {
	const struct cs_nanite *resource;
	const struct cs_job *job;
	/* one for each page, and one more; NULL when the first fatal breach ends decoding */
	struct cs_breaches *breaches;
	struct cs_breaches rest; /* breaches outside pages, when the caller doesn't ask for them */
	struct cs_page_view *views;
	struct cs_page_base *bases;
	struct cs_nanite_contents *contents;
};

static struct cs_breaches *of_no_page(struct decoder *d)
{
	return d->breaches ? &d->breaches[d->resource->n_pages] : &d->rest;
}

static const char *file_name(const struct cs_nanite *resource)
{
	return resource->file ? cs_file_name(resource->file) : NULL;
}

uint64_t cs_page_offset(const struct cs_nanite *resource, uint32_t page)
{
	bool root = page < CS_ROOT_PAGES;
	if (!resource->file || page >= resource->n_pages)
		return CS_NO_OFFSET;
	return cs_file_row_offset(resource->file,
		root ? CS_TABLE_NANITE_ROOT_BYTES : CS_TABLE_NANITE_STREAM_BYTES,
		resource->pages[page].bulk_offset);
}

/* Returns, in strict decoding, the first fatal breach of the first page that has one. */
static struct cs_error *decode_judge(struct decoder *d)
{
	const struct cs_nanite *resource = d->resource;
	struct cs_error *error = NULL;
	for (uint32_t page = 0; !error && page < resource->n_pages; page++) {
		if (d->views[page].breaches.out_of_memory)
			return cs_error_nomem();
		if (!d->breaches)
			error = cs_breaches_error(&d->views[page].breaches, file_name(resource),
				cs_page_offset(resource, page));
	}
	if (!error && !d->breaches)
		error = cs_breaches_error(&d->rest, file_name(resource), CS_NO_OFFSET);
	return error;
}

/* ---- tables ---- */

static bool check_tables(struct decoder *d)
{
	const struct cs_nanite *r = d->resource;
	struct cs_breaches *b = of_no_page(d);
	if (r->n_info != 1)
		return cs_breach(
			b, CS_RULE_R1, CS_NOWHERE, "%zu rows describe the resource", r->n_info);
	if (r->n_pages < 1 || r->n_pages > CS_MAX_PAGES)
		return cs_breach(b, CS_RULE_R2, CS_NOWHERE, "%zu pages", r->n_pages);
	if (r->info->root_pages != CS_ROOT_PAGES)
		return cs_breach(b, CS_RULE_R2, CS_NOWHERE, "%u root pages instead of %d",
			r->info->root_pages, CS_ROOT_PAGES);
	bool ok = true;
	for (uint32_t page = 0; page < r->n_pages; page++) {
		uint32_t first = r->pages[page].first_dependency;
		uint32_t n = r->pages[page].n_dependencies;
		if (first > r->n_dependencies || n > r->n_dependencies - first)
			ok = cs_breach(b, CS_RULE_R4,
				(struct cs_place){page, CS_NONE, CS_NO_OFFSET},
				"dependencies %u + %u of %zu", first, n, r->n_dependencies);
	}
	return ok;
}

/* ---- pages ---- */

static void plan_range(void *context, size_t begin, size_t end, int thread)
{
	struct decoder *d = context;
	(void)thread;
	for (size_t i = begin; i < end; i++)
		if (cs_page_open(d->resource, (uint32_t)i, &d->views[i]))
			cs_page_plan(&d->views[i]);
}

/* All decompressed pages are in memory at once. */
static struct cs_error *check_page_bytes(const struct decoder *d)
{
	uint64_t total = 0, limit = cs_job_limits(d->job).memory;
	for (size_t i = 0; i < d->resource->n_pages; i++)
		total += d->resource->pages[i].page_size;
	if (total <= limit)
		return NULL;
	return cs_error_at(CS_E_LIMIT, file_name(d->resource), CS_NO_OFFSET,
		"pages of %" PRIu64 " bytes, the limit memory is %" PRIu64, total, limit);
}

static struct cs_error *plan_pages(struct decoder *d)
{
	size_t n = d->resource->n_pages;
	struct cs_error *error = check_page_bytes(d);
	if (error)
		return error;
	d->views = calloc(n, sizeof(*d->views));
	d->bases = calloc(n, sizeof(*d->bases));
	if (!d->views || !d->bases)
		return cs_error_nomem();
	cs_parallel_for(cs_job_threads(d->job), n, 1, plan_range, d);
	return decode_judge(d);
}

static void count_pages(struct decoder *d)
{
	struct cs_nanite_contents *c = d->contents;
	for (size_t i = 0; i < d->resource->n_pages; i++) {
		const struct cs_page_view *view = &d->views[i];
		d->bases[i] =
			(struct cs_page_base){(uint32_t)c->n_clusters, (uint32_t)c->n_vertices,
				(uint32_t)c->n_triangles, (uint32_t)c->n_material_ranges};
		if (!view->planned)
			continue;
		c->n_clusters += view->n_clusters;
		c->n_vertices += view->n_vertices;
		c->n_triangles += view->n_triangles;
		c->n_material_ranges += view->n_ranges;
		c->n_hierarchy_fixups += view->n_hierarchy;
		c->n_cluster_fixups += view->n_leaves;
		c->n_uvs = view->n_uvs > c->n_uvs ? view->n_uvs : c->n_uvs;
	}
}

struct array {
	void *pointer; /* the address of the array's pointer */
	size_t n, size;
	bool filled; /* decoding pages writes every byte of it, so it needs no zeros */
};

enum { N_ARRAYS = 13 + CS_MAX_UVS };

static void list_arrays(struct cs_nanite_contents *c, struct array arrays[N_ARRAYS])
{
	const struct array fixed[N_ARRAYS] = {
		{&c->pages, c->n_pages, sizeof(*c->pages)},
		{&c->clusters, c->n_clusters, sizeof(*c->clusters)},
		{&c->hierarchy_fixups, c->n_hierarchy_fixups, sizeof(*c->hierarchy_fixups)},
		{&c->cluster_fixups, c->n_cluster_fixups, sizeof(*c->cluster_fixups)},
		{&c->material_ranges, c->n_material_ranges, sizeof(*c->material_ranges)},
		{&c->grid, c->n_vertices, 3 * sizeof(*c->grid), true},
		{&c->normals, c->n_vertices, sizeof(*c->normals), true},
		{&c->colors, c->n_vertices, 4, true},
		{&c->uv_ranges, c->n_clusters * c->n_uvs, sizeof(*c->uv_ranges)},
		{&c->corners, c->n_triangles, 3, true},
		{&c->materials, c->n_triangles, 1},
		/* A group and a part have at least one cluster. */
		{&c->parts, c->n_clusters, sizeof(*c->parts)},
		{&c->groups, c->n_clusters, sizeof(*c->groups)},
	};
	memcpy(arrays, fixed, sizeof(fixed));
	for (unsigned uv = 0; uv < CS_MAX_UVS; uv++)
		arrays[13 + uv] = (struct array){
			&c->uvs[uv], uv < c->n_uvs ? c->n_vertices : 0, 2 * sizeof(float), true};
}

static struct cs_error *decode_allocate(struct decoder *d)
{
	struct array arrays[N_ARRAYS];
	uint64_t total = 0, limit = cs_job_limits(d->job).memory;
	list_arrays(d->contents, arrays);
	for (unsigned i = 0; i < N_ARRAYS; i++)
		total += (uint64_t)arrays[i].n * arrays[i].size;
	if (total > limit || d->contents->n_vertices > UINT32_MAX / 4)
		return cs_error_at(CS_E_LIMIT, file_name(d->resource), CS_NO_OFFSET,
			"decoded, it needs %" PRIu64 " bytes, the limit memory is %" PRIu64, total,
			limit);
	for (unsigned i = 0; i < N_ARRAYS; i++) {
		size_t n = arrays[i].n ? arrays[i].n : 1;
		void *memory =
			arrays[i].filled ? malloc(n * arrays[i].size) : calloc(n, arrays[i].size);
		if (!memory)
			return cs_error_nomem();
		memcpy(arrays[i].pointer, &memory, sizeof(memory));
	}
	return NULL;
}

static void decode_fill_sections(
	const struct cs_page_view *view, uint32_t sections[CS_PAGE_SECTIONS])
{
	const uint32_t begins[CS_PAGE_SECTIONS + 1] = {0, CS_PAGE_HEADER, view->planes,
		view->materials, view->decode_info, view->codes, view->masks, view->reference_masks,
		view->references, view->positions, view->attributes, view->size};
	for (unsigned i = 0; i < CS_PAGE_SECTIONS; i++)
		sections[i] = begins[i + 1] - begins[i];
}

static void decode_fill_page(struct decoder *d, uint32_t page)
{
	const struct cs_page_view *view = &d->views[page];
	struct cs_nanite_page *row = &d->contents->pages[page];
	row->first_cluster = d->bases[page].cluster;
	row->damaged = !view->planned;
	row->chunk_bytes = view->chunk_size;
	row->page_bytes = d->resource->pages[page].page_size;
	if (!view->planned)
		return;
	row->stored_bytes = view->blob_size - view->chunk_size;
	row->n_clusters = view->n_clusters;
	row->gpu_bytes = view->gpu_size;
	row->triangles = view->n_triangles;
	row->vertices = view->n_vertices;
	row->references = (view->positions - view->references) / 4;
	decode_fill_sections(view, row->sections);
}

static void decode_range(void *context, size_t begin, size_t end, int thread)
{
	struct decoder *d = context;
	(void)thread;
	for (size_t i = begin; i < end; i++) {
		decode_fill_page(d, (uint32_t)i);
		if (!d->views[i].planned)
			continue;
		cs_page_decode(&d->views[i], &d->bases[i], d->contents);
		if (d->breaches)
			cs_check_page(&d->views[i], &d->bases[i], d->contents);
	}
}

static struct cs_error *decode_all_pages(struct decoder *d)
{
	count_pages(d);
	struct cs_error *error = decode_allocate(d);
	if (error)
		return error;
	cs_parallel_for(cs_job_threads(d->job), d->resource->n_pages, 1, decode_range, d);
	return decode_judge(d);
}

/* ---- fixups ---- */

/*
 * Returns whether the target of a fixup exists. A target in a page that could not be decoded isn't
 * counted as missing.
 */
static bool has_cluster(const struct decoder *d, uint32_t page, uint32_t cluster)
{
	return page < d->resource->n_pages &&
	       (d->contents->pages[page].damaged || cluster < d->contents->pages[page].n_clusters);
}

static bool read_hierarchy_fixup(struct decoder *d, uint32_t page, const unsigned char *at,
	struct cs_nanite_hierarchy_fixup *ret)
{
	uint32_t place = cs_load32(at + 4), pages = cs_load32(at + 12);
	*ret = (struct cs_nanite_hierarchy_fixup){
		.page = page,
		.target_page = cs_load32(at),
		.node = place >> CS_FIXUP_NODE,
		.slot = place & cs_bits_mask(CS_FIXUP_NODE),
		.cluster = cs_load32(at + 8),
		.first_page = pages >> CS_FIXUP_PAGES_BITS,
		.n_pages = pages & cs_bits_mask(CS_FIXUP_PAGES_BITS),
	};
	if (has_cluster(d, ret->target_page, ret->cluster) && ret->node < d->resource->n_nodes &&
		ret->slot < CS_NODE_SLOTS)
		return true;
	return cs_breach(&d->views[page].breaches, CS_RULE_X5,
		(struct cs_place){page, CS_NONE, CS_NO_OFFSET},
		"a hierarchy fixup names cluster %u of page %u, slot %u of node %u", ret->cluster,
		ret->target_page, ret->slot, ret->node);
}

static bool read_cluster_fixup(struct decoder *d, uint32_t page, const unsigned char *at,
	struct cs_nanite_cluster_fixup *ret)
{
	uint32_t target = cs_load32(at), pages = cs_load32(at + 4);
	*ret = (struct cs_nanite_cluster_fixup){
		.page = page,
		.target_page = target >> CS_FIXUP_CLUSTER_BITS,
		.cluster = target & cs_bits_mask(CS_FIXUP_CLUSTER_BITS),
		.first_page = pages >> CS_FIXUP_PAGES_BITS,
		.n_pages = pages & cs_bits_mask(CS_FIXUP_PAGES_BITS),
	};
	if (has_cluster(d, ret->target_page, ret->cluster))
		return true;
	return cs_breach(&d->views[page].breaches, CS_RULE_X5,
		(struct cs_place){page, CS_NONE, CS_NO_OFFSET},
		"a cluster fixup names cluster %u of page %u", ret->cluster, ret->target_page);
}

/* Reads the fixups of a page, without those whose target doesn't exist or could not be decoded. */
static void read_page_fixups(
	struct decoder *d, uint32_t page, size_t *n_hierarchy, size_t *n_leaves)
{
	const struct cs_page_view *view = &d->views[page];
	struct cs_nanite_page *row = &d->contents->pages[page];
	const unsigned char *at = view->chunk + CS_FIXUP_HEADER;
	row->first_hierarchy_fixup = (uint32_t)*n_hierarchy;
	row->first_cluster_fixup = (uint32_t)*n_leaves;
	for (uint32_t i = 0; i < view->n_hierarchy; i++, at += CS_HIERARCHY_FIXUP) {
		struct cs_nanite_hierarchy_fixup *ret =
			&d->contents->hierarchy_fixups[*n_hierarchy];
		if (read_hierarchy_fixup(d, page, at, ret) &&
			!d->contents->pages[ret->target_page].damaged)
			++*n_hierarchy;
	}
	for (uint32_t i = 0; i < view->n_leaves; i++, at += CS_CLUSTER_FIXUP) {
		struct cs_nanite_cluster_fixup *ret = &d->contents->cluster_fixups[*n_leaves];
		if (read_cluster_fixup(d, page, at, ret) &&
			!d->contents->pages[ret->target_page].damaged)
			++*n_leaves;
	}
	row->n_hierarchy_fixups = (uint32_t)*n_hierarchy - row->first_hierarchy_fixup;
	row->n_cluster_fixups = (uint32_t)*n_leaves - row->first_cluster_fixup;
}

static struct cs_error *read_fixups(struct decoder *d)
{
	size_t n_hierarchy = 0, n_leaves = 0;
	for (uint32_t page = 0; page < d->resource->n_pages; page++)
		if (d->views[page].planned)
			read_page_fixups(d, page, &n_hierarchy, &n_leaves);
	d->contents->n_hierarchy_fixups = n_hierarchy;
	d->contents->n_cluster_fixups = n_leaves;
	return decode_judge(d);
}

/* ---- the driver ---- */

static struct cs_error *walk_hierarchy(struct decoder *d)
{
	struct cs_error *error = cs_check_tree(d->resource, of_no_page(d), &d->contents->depth);
	return error ? error : decode_judge(d);
}

static struct cs_error *decode_link_groups(struct decoder *d)
{
	struct cs_error *error = cs_link_contents(d->contents, of_no_page(d));
	return error ? error : decode_judge(d);
}

static void decode_finish(struct decoder *d)
{
	for (size_t i = 0; d->views && i < d->resource->n_pages; i++) {
		cs_page_close(&d->views[i]);
		if (d->breaches)
			d->breaches[i] = d->views[i].breaches;
		else
			cs_breaches_deinit(&d->views[i].breaches);
	}
	cs_breaches_deinit(&d->rest);
	free(d->views);
	free(d->bases);
	cs_nanite_contents_free(d->contents);
}

struct cs_error *cs_decode_contents(const struct cs_nanite *resource, const struct cs_job *job,
	struct cs_breaches *breaches, struct cs_nanite_contents **ret)
{
	static struct cs_error *(*const phases[])(struct decoder * d) = {
		plan_pages, decode_all_pages, read_fixups, walk_hierarchy, decode_link_groups};
	struct decoder d = {.resource = resource, .job = job, .breaches = breaches};
	struct cs_error *error = NULL;
	d.contents = calloc(1, sizeof(*d.contents));
	if (!d.contents)
		return cs_error_nomem();
	d.contents->resource = resource;
	d.contents->n_pages = resource->n_pages;
	bool readable = check_tables(&d);
	if (!readable && !breaches)
		error = cs_breaches_error(&d.rest, file_name(resource), CS_NO_OFFSET);
	for (unsigned i = 0; readable && !error && i < sizeof(phases) / sizeof(phases[0]); i++) {
		cs_job_progress(job, "decode", i, sizeof(phases) / sizeof(phases[0]));
		error = phases[i](&d);
		if (!error)
			error = cs_job_check(job);
	}
	if (!error) {
		*ret = readable ? d.contents : NULL;
		d.contents = readable ? NULL : d.contents;
	}
	decode_finish(&d);
	return error;
}

struct cs_error *cs_nanite_decode(
	const struct cs_nanite *resource, const struct cs_job *job, struct cs_nanite_contents **ret)
{
	return cs_decode_contents(resource, job, NULL, ret);
}

void cs_nanite_contents_free(struct cs_nanite_contents *contents)
{
	if (!contents)
		return;
	struct array arrays[N_ARRAYS];
	list_arrays(contents, arrays);
	for (unsigned i = 0; i < N_ARRAYS; i++) {
		void *memory;
		memcpy(&memory, arrays[i].pointer, sizeof(memory));
		free(memory);
	}
	free(contents->group_parts);
	free(contents->parents);
	free(contents);
}

const char *cs_page_section_name(enum cs_page_section section)
{
	static const char *const names[CS_PAGE_SECTIONS] = {"page_header", "cluster_headers",
		"clusters", "materials", "uv_ranges", "strip_codes", "strip_masks",
		"reference_masks", "references", "positions", "attributes"};
	return (unsigned)section < CS_PAGE_SECTIONS ? names[section] : "?";
}
