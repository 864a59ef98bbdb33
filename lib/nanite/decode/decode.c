/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes a resource in five phases: plans all pages, decodes them into arrays within the memory
 * limit, reads the fixups, checks the hierarchy, and links groups. Pages are planned and decoded in
 * parallel. Broken rules are recorded page by page, so that the first error is the same with any
 * number of threads.
 */
#include "nanite/decode/decode.h"

#include "cluster/dag_internal.h"
#include "core/cursor.h"
#include "core/job.h"
#include "core/parallel.h"
#include "core/vec.h"
#include "format/file_inside.h"
#include "nanite/format/contents.h"

#include <inttypes.h>
#include <stdlib.h>

struct decoder {
	const struct cs_nanite *resource;
	const struct cs_job *job;
	/* a list for each page and one for other breaches, NULL to stop at the first fatal one */
	struct cs_breaches *breaches;
	struct cs_breaches rest; /* breaches outside pages, when `breaches` is NULL */
	struct cs_page_view *views;
	struct cs_page_base *bases;
	struct cs_nanite_contents *contents;
};

static struct cs_breaches *of_no_page(struct decoder *decoder)
{
	return decoder->breaches ? &decoder->breaches[decoder->resource->n_pages] : &decoder->rest;
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

/* Returns the first fatal breach as an error, or NULL when breaches are collected in lists. */
static struct cs_error *decode_judge(struct decoder *decoder)
{
	const struct cs_nanite *resource = decoder->resource;
	struct cs_error *error = NULL;
	for (uint32_t page = 0; !error && page < resource->n_pages; page++) {
		if (decoder->views[page].breaches.out_of_memory)
			return cs_error_nomem();
		if (!decoder->breaches)
			error = cs_breaches_error(&decoder->views[page].breaches,
				file_name(resource), cs_page_offset(resource, page));
	}
	if (!error && !decoder->breaches)
		error = cs_breaches_error(&decoder->rest, file_name(resource), CS_NO_OFFSET);
	return error;
}

static bool check_tables(struct decoder *decoder)
{
	const struct cs_nanite *nanite = decoder->resource;
	struct cs_breaches *breaches = of_no_page(decoder);
	if (nanite->n_info != 1)
		return cs_breach(breaches, CS_RULE_R1, CS_NOWHERE,
			"the table of resource properties has %zu rows instead of one",
			nanite->n_info);
	if (nanite->n_pages < 1 || nanite->n_pages > CS_MAX_PAGES)
		return cs_breach(breaches, CS_RULE_R2, CS_NOWHERE,
			"the resource has %zu pages, but must have 1 to 1048576", nanite->n_pages);
	if (nanite->info->root_pages != CS_ROOT_PAGES)
		return cs_breach(breaches, CS_RULE_R2, CS_NOWHERE,
			"the resource has %u root pages instead of %d", nanite->info->root_pages,
			CS_ROOT_PAGES);
	bool ok = true;
	for (uint32_t page = 0; page < nanite->n_pages; page++) {
		uint32_t first = nanite->pages[page].first_dependency;
		uint32_t n = nanite->pages[page].n_dependencies;
		if (first > nanite->n_dependencies || n > nanite->n_dependencies - first)
			ok = cs_breach(breaches, CS_RULE_R4,
				(struct cs_place){page, CS_NONE, CS_NO_OFFSET},
				"the page has dependencies beyond their table (first: %u, number: "
				"%u, number in the table: %zu)",
				first, n, nanite->n_dependencies);
	}
	return ok;
}

/* ---- decoding pages ---- */

static void plan_range(void *context, size_t begin, size_t end, int thread)
{
	struct decoder *decoder = context;
	(void)thread;
	for (size_t i = begin; i < end; i++)
		if (cs_page_open(decoder->resource, (uint32_t)i, &decoder->views[i]))
			cs_page_plan(&decoder->views[i]);
}

/* Checks that all pages, which are decompressed at once, fit into the memory limit. */
static struct cs_error *check_page_bytes(const struct decoder *decoder)
{
	uint64_t total = 0, limit = cs_job_limits(decoder->job).memory;
	for (size_t i = 0; i < decoder->resource->n_pages; i++)
		total += decoder->resource->pages[i].page_size;
	if (total <= limit)
		return NULL;
	return cs_error_at(CS_E_LIMIT, file_name(decoder->resource), CS_NO_OFFSET,
		"the pages have %" PRIu64 " bytes, more than the memory limit of %" PRIu64
		" bytes (raise it with --max-mem)",
		total, limit);
}

static struct cs_error *plan_pages(struct decoder *decoder)
{
	size_t n = decoder->resource->n_pages;
	struct cs_error *error = check_page_bytes(decoder);
	if (error)
		return error;
	decoder->views = calloc(n, sizeof(*decoder->views));
	decoder->bases = calloc(n, sizeof(*decoder->bases));
	if (!decoder->views || !decoder->bases)
		return cs_error_nomem();
	cs_parallel_for(cs_job_threads(decoder->job), n, 1, plan_range, decoder);
	return decode_judge(decoder);
}

static void count_pages(struct decoder *decoder)
{
	struct cs_nanite_contents *contents = decoder->contents;
	for (size_t i = 0; i < decoder->resource->n_pages; i++) {
		const struct cs_page_view *view = &decoder->views[i];
		decoder->bases[i] = (struct cs_page_base){(uint32_t)contents->n_clusters,
			(uint32_t)contents->n_vertices, (uint32_t)contents->n_triangles,
			(uint32_t)contents->n_material_ranges};
		if (!view->planned)
			continue;
		contents->n_clusters += view->n_clusters;
		contents->n_vertices += view->n_vertices;
		contents->n_triangles += view->n_triangles;
		contents->n_material_ranges += view->n_ranges;
		contents->n_fixups += view->n_hierarchy + view->n_leaves;
		contents->n_uvs = view->n_uvs > contents->n_uvs ? view->n_uvs : contents->n_uvs;
	}
}

struct array {
	void *pointer; /* address of the pointer to the array */
	size_t n, size;
	/* whether decoding writes every byte of the array, so that it need not be cleared */
	bool filled;
};

enum { FIXED_ARRAYS = 13, N_ARRAYS = FIXED_ARRAYS + CS_MAX_UVS };

static void list_arrays(struct cs_nanite_contents *contents, struct array arrays[N_ARRAYS])
{
	const struct array fixed[] = {
		{&contents->pages, contents->n_pages, sizeof(*contents->pages)},
		{&contents->clusters, contents->n_clusters, sizeof(*contents->clusters)},
		{&contents->sections, contents->n_pages, sizeof(*contents->sections)},
		{&contents->fixups, contents->n_fixups, sizeof(*contents->fixups)},
		{&contents->material_ranges, contents->n_material_ranges,
			sizeof(*contents->material_ranges)},
		{&contents->grid, contents->n_vertices, 3 * sizeof(*contents->grid), true},
		{&contents->normals, contents->n_vertices, sizeof(*contents->normals), true},
		{&contents->colors, contents->n_vertices, 4, true},
		{&contents->uv_ranges, contents->n_clusters * contents->n_uvs,
			sizeof(*contents->uv_ranges)},
		{&contents->corners, contents->n_triangles, 3, true},
		{&contents->materials, contents->n_triangles, 1},
		/* parts and groups are at most n_clusters, because each has a cluster */
		{&contents->parts, contents->n_clusters, sizeof(*contents->parts)},
		{&contents->groups, contents->n_clusters, sizeof(*contents->groups)},
	};
	_Static_assert(CS_COUNT_OF(fixed) == FIXED_ARRAYS, "the others follow these");
	memcpy(arrays, fixed, sizeof(fixed));
	for (unsigned uv = 0; uv < CS_MAX_UVS; uv++)
		arrays[FIXED_ARRAYS + uv] = (struct array){&contents->uvs[uv],
			uv < contents->n_uvs ? contents->n_vertices : 0, 2 * sizeof(float), true};
}

static struct cs_error *decode_allocate(struct decoder *decoder)
{
	struct array arrays[N_ARRAYS];
	uint64_t total = 0, limit = cs_job_limits(decoder->job).memory;
	list_arrays(decoder->contents, arrays);
	for (unsigned i = 0; i < N_ARRAYS; i++)
		total += (uint64_t)arrays[i].n * arrays[i].size;
	if (decoder->contents->n_vertices > UINT32_MAX / 4)
		return cs_error_at(CS_E_LIMIT, file_name(decoder->resource), CS_NO_OFFSET,
			"the resource has %zu vertices, more than the limit of 2^30",
			(size_t)decoder->contents->n_vertices);
	if (total > limit)
		return cs_error_at(CS_E_LIMIT, file_name(decoder->resource), CS_NO_OFFSET,
			"the decoded resource needs %" PRIu64
			" bytes, more than the memory limit of %" PRIu64
			" bytes (raise it with --max-mem)",
			total, limit);
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

static void decode_fill_page(struct decoder *decoder, uint32_t page)
{
	const struct cs_page_view *view = &decoder->views[page];
	struct cs_model_page *row = &decoder->contents->pages[page];
	*row = (struct cs_model_page){.offset = cs_page_offset(decoder->resource, page),
		.disk_bytes = decoder->resource->pages[page].bulk_size,
		.chunk_bytes = view->chunk_size,
		.page_bytes = decoder->resource->pages[page].page_size,
		.gpu_limit = CS_PAGE_GPU_BYTES,
		.first_cluster = decoder->bases[page].cluster,
		.root = page < CS_ROOT_PAGES,
		.damaged = !view->planned};
	if (!view->planned)
		return;
	row->stored_bytes = view->blob_size - view->chunk_size;
	row->n_clusters = view->n_clusters;
	row->gpu_bytes = view->gpu_size;
	row->triangles = view->n_triangles;
	row->vertices = view->n_vertices;
	row->references = (view->positions - view->references) / 4;
	const uint32_t begins[CS_PAGE_SECTIONS + 1] = {0, CS_PAGE_HEADER, view->planes,
		view->materials, view->decode_info, view->codes, view->masks, view->reference_masks,
		view->references, view->positions, view->attributes, view->size};
	for (unsigned i = 0; i < CS_PAGE_SECTIONS; i++)
		decoder->contents->sections[page][i] = begins[i + 1] - begins[i];
}

static void decode_range(void *context, size_t begin, size_t end, int thread)
{
	struct decoder *decoder = context;
	(void)thread;
	for (size_t i = begin; i < end; i++) {
		decode_fill_page(decoder, (uint32_t)i);
		if (!decoder->views[i].planned)
			continue;
		cs_page_decode(&decoder->views[i], &decoder->bases[i], decoder->contents);
		if (decoder->breaches)
			cs_check_page(&decoder->views[i], &decoder->bases[i], decoder->contents);
	}
}

static struct cs_error *decode_all_pages(struct decoder *decoder)
{
	count_pages(decoder);
	struct cs_error *error = decode_allocate(decoder);
	if (error)
		return error;
	cs_parallel_for(
		cs_job_threads(decoder->job), decoder->resource->n_pages, 1, decode_range, decoder);
	return decode_judge(decoder);
}

/* ---- reading fixups ---- */

/*
 * Sets the target of a fixup. Returns false when the target cluster does not exist. In a page that
 * was not decoded, any cluster counts as existing.
 */
static bool find_target(const struct decoder *decoder, uint32_t page, uint32_t cluster,
	struct cs_model_fixup *fixup)
{
	const struct cs_model_page *pages = decoder->contents->pages;
	if (page >= decoder->resource->n_pages ||
		(!pages[page].damaged && cluster >= pages[page].n_clusters))
		return false;
	fixup->target_page = page;
	fixup->cluster = pages[page].first_cluster + cluster;
	return true;
}

static bool read_hierarchy_fixup(
	struct decoder *decoder, const unsigned char *at, struct cs_model_fixup *fixup)
{
	uint32_t page = cs_load32(at), cluster = cs_load32(at + 8), place = cs_load32(at + 4);
	uint32_t node = place >> CS_FIXUP_NODE, slot = place & cs_bits_mask(CS_FIXUP_NODE);
	fixup->slot = CS_NODE_SLOTS * node + slot;
	if (find_target(decoder, page, cluster, fixup) && node < decoder->resource->n_nodes &&
		slot < CS_NODE_SLOTS)
		return true;
	return cs_breach(&decoder->views[fixup->page].breaches, CS_RULE_X5,
		(struct cs_place){fixup->page, CS_NONE, CS_NO_OFFSET},
		"a hierarchy fixup names cluster %u of page %u and slot %u of node %u, but one of "
		"them does not exist",
		cluster, page, slot, node);
}

static bool read_cluster_fixup(
	struct decoder *decoder, const unsigned char *at, struct cs_model_fixup *fixup)
{
	uint32_t target = cs_load32(at), page = target >> CS_FIXUP_CLUSTER_BITS;
	uint32_t cluster = target & cs_bits_mask(CS_FIXUP_CLUSTER_BITS);
	fixup->slot = CS_NONE;
	if (find_target(decoder, page, cluster, fixup))
		return true;
	return cs_breach(&decoder->views[fixup->page].breaches, CS_RULE_X5,
		(struct cs_place){fixup->page, CS_NONE, CS_NO_OFFSET},
		"a cluster fixup names cluster %u of page %u, which does not exist", cluster, page);
}

/* Reads the fixups of a page. Skips fixups whose target does not exist or could not be decoded. */
static void read_page_fixups(struct decoder *decoder, uint32_t page, size_t *n)
{
	const struct cs_page_view *view = &decoder->views[page];
	struct cs_model_page *row = &decoder->contents->pages[page];
	const unsigned char *at = view->chunk + CS_FIXUP_HEADER;
	row->first_fixup = (uint32_t)*n;
	for (uint32_t i = 0; i < view->n_hierarchy + view->n_leaves; i++) {
		const bool hierarchy = i < view->n_hierarchy;
		const uint32_t size = hierarchy ? CS_HIERARCHY_FIXUP : CS_CLUSTER_FIXUP;
		const uint32_t pages = cs_load32(at + size - 4);
		struct cs_model_fixup *ret = &decoder->contents->fixups[*n];
		*ret = (struct cs_model_fixup){
			.kind = hierarchy ? CS_MODEL_FIXUP_HIERARCHY : CS_MODEL_FIXUP_CLUSTER,
			.page = page,
			.first_page = pages >> CS_FIXUP_PAGES_BITS,
			.n_pages = pages & cs_bits_mask(CS_FIXUP_PAGES_BITS)};
		if ((hierarchy ? read_hierarchy_fixup : read_cluster_fixup)(decoder, at, ret) &&
			!decoder->contents->pages[ret->target_page].damaged) {
			++*n;
			row->n_hierarchy_fixups += hierarchy;
		}
		at += size;
	}
	row->n_fixups = (uint32_t)*n - row->first_fixup;
}

static struct cs_error *read_fixups(struct decoder *decoder)
{
	size_t n = 0;
	for (uint32_t page = 0; page < decoder->resource->n_pages; page++)
		if (decoder->views[page].planned)
			read_page_fixups(decoder, page, &n);
	decoder->contents->n_fixups = n;
	return decode_judge(decoder);
}

/* ---- checking that the hierarchy is a tree, every node reached once, within CS_TREE_DEPTH ---- */

struct walk {
	const struct cs_nanite *resource;
	struct cs_breaches *breaches;
	/* `stack`: nodes to visit. `depth`: 1 for a root, 1 more for a child, 0 if not reached */
	uint32_t *stack, *depth;
	uint32_t n_stack;
};

static bool tree_check_roots(const struct walk *walk)
{
	const struct cs_nanite *nanite = walk->resource;
	for (size_t i = 0; i < nanite->n_roots; i++) {
		const char *wrong = nanite->roots[i] >= nanite->n_nodes ? "which does not exist"
				    : i == 0 && nanite->roots[i]        ? "instead of node 0"
				    : i && nanite->roots[i] <= nanite->roots[i - 1]
					    ? "which does not come after that of the root before it"
					    : NULL;
		if (wrong)
			return cs_breach(walk->breaches, CS_RULE_R5, CS_NOWHERE,
				"root %zu of the hierarchy is node %u, %s; the hierarchy has %zu "
				"nodes",
				i, nanite->roots[i], wrong, nanite->n_nodes);
	}
	return nanite->n_roots > 0 ||
	       cs_breach(walk->breaches, CS_RULE_R5, CS_NOWHERE, "the hierarchy has no root");
}

static bool tree_push(struct walk *walk, uint64_t number, uint32_t parent, uint32_t depth)
{
	if (number >= walk->resource->n_nodes)
		return cs_breach(walk->breaches, CS_RULE_H1, CS_NOWHERE,
			"node %u has child node %" PRIu64 ", but there are only %zu nodes", parent,
			number, walk->resource->n_nodes);
	uint32_t node = (uint32_t)number;
	if (walk->depth[node])
		return cs_breach(walk->breaches, CS_RULE_H1, CS_NOWHERE,
			"node %u is reached a second time, from node %u", node, parent);
	if (depth > CS_TREE_DEPTH)
		return cs_breach(walk->breaches, CS_RULE_H1, CS_NOWHERE,
			"node %u is more than %d levels deep", node, CS_TREE_DEPTH);
	walk->depth[node] = depth;
	walk->stack[walk->n_stack++] = node;
	return true;
}

/* Visits a mesh's nodes, whose child numbers are relative to `root`. Returns false on a breach. */
static bool walk_mesh(struct walk *walk, uint32_t root)
{
	bool ok = tree_push(walk, root, root, 1);
	while (ok && walk->n_stack > 0) {
		uint32_t index = walk->stack[--walk->n_stack];
		const struct cs_nanite_node *node = &walk->resource->nodes[index];
		for (unsigned slot = 0; ok && slot < CS_NODE_SLOTS; slot++)
			if (node->pages[slot] == CS_INNER_SLOT)
				ok = tree_push(walk, (uint64_t)root + node->extent[slot].child,
					index, walk->depth[index] + 1);
	}
	return ok;
}

/* Visits all nodes. Returns the number of nodes on the longest path, or 0 when a rule is broken. */
static uint32_t tree_walk_all(struct walk *walk)
{
	uint32_t deepest = 0;
	for (size_t i = 0; i < walk->resource->n_roots; i++)
		if (!walk_mesh(walk, walk->resource->roots[i]))
			return 0;
	for (uint32_t node = 0; node < walk->resource->n_nodes; node++) {
		if (!walk->depth[node]) {
			cs_breach(walk->breaches, CS_RULE_H1, CS_NOWHERE,
				"node %u is not reached from any root", node);
			return 0;
		}
		deepest = walk->depth[node] > deepest ? walk->depth[node] : deepest;
	}
	return deepest;
}

/* ---- running the phases ---- */

/* Checks the hierarchy. Its depth is the number of nodes on its longest path, or 0 if invalid. */
static struct cs_error *walk_hierarchy(struct decoder *decoder)
{
	size_t n = decoder->resource->n_nodes + 1;
	struct walk walk = {decoder->resource, of_no_page(decoder), malloc(n * sizeof(uint32_t)),
		calloc(n, sizeof(uint32_t)), 0};
	bool ok = walk.stack && walk.depth;
	if (ok)
		decoder->contents->depth = tree_check_roots(&walk) ? tree_walk_all(&walk) : 0;
	free(walk.stack);
	free(walk.depth);
	return ok ? decode_judge(decoder) : cs_error_nomem();
}

static struct cs_error *decode_link_groups(struct decoder *decoder)
{
	struct cs_error *error = cs_link_contents(decoder->contents, of_no_page(decoder));
	return error ? error : decode_judge(decoder);
}

static void decode_finish(struct decoder *decoder)
{
	for (size_t i = 0; decoder->views && i < decoder->resource->n_pages; i++) {
		cs_page_close(&decoder->views[i]);
		if (decoder->breaches)
			decoder->breaches[i] = decoder->views[i].breaches;
		else
			cs_breaches_deinit(&decoder->views[i].breaches);
	}
	cs_breaches_deinit(&decoder->rest);
	free(decoder->views);
	free(decoder->bases);
	cs_nanite_contents_free(decoder->contents);
}

struct cs_error *cs_decode_contents(const struct cs_nanite *resource, const struct cs_job *job,
	struct cs_breaches *breaches, struct cs_nanite_contents **ret)
{
	static struct cs_error *(*const phases[])(struct decoder * d) = {
		plan_pages, decode_all_pages, read_fixups, walk_hierarchy, decode_link_groups};
	struct decoder decoder = {.resource = resource, .job = job, .breaches = breaches};
	struct cs_error *error = NULL;
	decoder.contents = calloc(1, sizeof(*decoder.contents));
	if (!decoder.contents)
		return cs_error_nomem();
	decoder.contents->resource = resource;
	decoder.contents->n_pages = resource->n_pages;
	bool readable = check_tables(&decoder);
	if (!readable && !breaches)
		error = cs_breaches_error(&decoder.rest, file_name(resource), CS_NO_OFFSET);
	for (unsigned i = 0; readable && !error && i < sizeof(phases) / sizeof(phases[0]); i++) {
		cs_job_progress(job, "decode", i, sizeof(phases) / sizeof(phases[0]));
		error = phases[i](&decoder);
		if (!error)
			error = cs_job_check(job);
	}
	if (!error) {
		*ret = readable ? decoder.contents : NULL;
		decoder.contents = readable ? NULL : decoder.contents;
	}
	decode_finish(&decoder);
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
