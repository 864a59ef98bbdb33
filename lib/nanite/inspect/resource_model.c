/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes the model of a .cnanite resource. Takes over decoded arrays where they have the same type,
 * and adds what only the bytes of pages contain: sections, padding, and references between
 * clusters.
 *
 * To read these, the pages are opened a second time, in parallel; each thread writes only the
 * results of its own pages.
 */
#include "nanite/decode/decode.h"
#include "nanite/inspect/model_inside.h"

#include "core/parallel.h"
#include "core/text.h"
#include "nanite/format/contents.h"

#include <cellscope/pages.h>

#include <lz4.h>
#include <stdlib.h>
#include <string.h>

struct maker {
	struct cs_model *model;
	const struct cs_nanite *resource;
	/* decoded contents, in which arrays that the model takes over are set to NULL */
	struct cs_nanite_contents *contents;
	const struct cs_job *job;
	/* for each page: references between its clusters, owned here until join_references() */
	struct cs_model_reference **references;
	uint32_t *n_references;
	bool *failed; /* for each page, whether memory ran out while it was processed */
};

/* ---- taking over decoded arrays ---- */

/* Moves an array from the contents to the model, which owns it afterwards. */
#define TAKE(to, from) ((to) = (from), (from) = NULL)

static void take_decoded(struct maker *maker)
{
	struct cs_nanite_contents *contents = maker->contents;
	struct cs_model *model = maker->model;
	model->n_pages = contents->n_pages;
	model->n_clusters = contents->n_clusters;
	model->n_parts = contents->n_parts;
	model->n_groups = contents->n_groups;
	model->n_nodes = maker->resource->n_nodes;
	model->n_fixups = contents->n_fixups;
	model->n_materials = contents->n_material_ranges;
	model->n_roots = maker->resource->n_roots;
	model->n_vertices = contents->n_vertices;
	model->n_triangles = contents->n_triangles;
	model->n_levels = contents->n_levels;
	TAKE(model->pages, contents->pages);
	TAKE(model->clusters, contents->clusters);
	TAKE(model->parts, contents->parts);
	TAKE(model->fixups, contents->fixups);
	TAKE(model->materials, contents->material_ranges);
	TAKE(model->groups, contents->groups);
	TAKE(model->group_parts, contents->group_parts);
	TAKE(model->parents, contents->parents);
	TAKE(model->corners, contents->corners);
}

static bool allocate_rows(struct maker *maker)
{
	struct cs_model *model = maker->model;
	const size_t slots = model->n_nodes * CS_NODE_SLOTS;
	return cs_model_allocate(&model->sections, model->n_pages * CS_PAGE_SECTIONS,
		       sizeof(*model->sections)) &&
	       cs_model_allocate(&model->nodes, model->n_nodes, sizeof(*model->nodes)) &&
	       cs_model_allocate(&model->slots, slots, sizeof(*model->slots)) &&
	       cs_model_allocate(&model->roots, model->n_roots, sizeof(*model->roots)) &&
	       cs_model_depend(model, maker->resource->pages, maker->resource->dependencies,
		       maker->resource->n_dependencies) &&
	       cs_model_allocate(&model->positions, model->n_vertices, 3 * sizeof(float)) &&
	       cs_model_allocate(&model->normals, model->n_vertices, 3 * sizeof(float)) &&
	       cs_model_allocate(&maker->references, model->n_pages, sizeof(*maker->references)) &&
	       cs_model_allocate(
		       &maker->n_references, model->n_pages, sizeof(*maker->n_references)) &&
	       cs_model_allocate(&maker->failed, model->n_pages, sizeof(*maker->failed));
}

static void place_vertices(struct maker *maker, const struct cs_model_cluster *cluster)
{
	size_t first = cluster->first_vertex;
	for (size_t v = 3 * first; v < 3 * (first + cluster->n_vertices); v++)
		maker->model->positions[v] = (float)(maker->contents->grid[v] * cluster->grid_step);
	for (size_t v = first; v < first + cluster->n_vertices; v++)
		cs_nanite_normal(maker->contents->normals[v], maker->model->normals + 3 * v);
}

/* ---- slots and nodes of the hierarchy ---- */

static struct cs_model_slot resource_model_read_slot(
	const struct cs_nanite *resource, uint32_t index, unsigned s)
{
	const struct cs_nanite_node *node = &resource->nodes[index];
	bool inner = node->pages[s] == CS_INNER_SLOT;
	struct cs_model_slot slot = {
		.node = index,
		.slot = s,
		.child = inner ? node->extent[s].child : CS_NONE,
		.part = CS_NONE,
		.first_page = inner ? CS_NONE : node->pages[s] >> CS_SLOT_FIRST_PAGE,
		.n_pages =
			inner ? CS_NONE
			      : node->pages[s] >> CS_SLOT_PAGES & cs_bits_mask(CS_FIXUP_PAGES_BITS),
		.n_clusters = inner ? CS_NONE : node->pages[s] & cs_bits_mask(CS_SLOT_SIZE_BITS),
		.radius = node->lod[s].radius,
		.min_error = cs_nanite_slot_error(resource, node->box[s].min_error),
		.max_parent_error = cs_nanite_slot_error(resource, node->box[s].max_parent_error),
	};
	memcpy(slot.centre, node->lod[s].centre, sizeof(slot.centre));
	memcpy(slot.box_centre, node->box[s].centre, sizeof(slot.box_centre));
	memcpy(slot.box_extent, node->extent[s].extent, sizeof(slot.box_extent));
	return slot;
}

static void copy_nodes(struct maker *maker)
{
	struct cs_model *model = maker->model;
	size_t next = 0;
	uint32_t root = 0;
	for (uint32_t n = 0; n < model->n_nodes; n++) {
		const struct cs_nanite_node *node = &maker->resource->nodes[n];
		/* child numbers count from the mesh's root, the last root up to node n */
		while (next < maker->resource->n_roots && maker->resource->roots[next] <= n)
			root = maker->resource->roots[next++];
		model->nodes[n] = (struct cs_model_node){.first_slot = (uint32_t)model->n_slots,
			.parent = CS_NONE,
			.depth = CS_NONE};
		for (unsigned s = 0; s < CS_NODE_SLOTS; s++) {
			if (node->pages[s] == 0)
				continue;
			struct cs_model_slot slot = resource_model_read_slot(maker->resource, n, s);
			if (slot.child != CS_NONE)
				slot.child = slot.child < model->n_nodes - root ? slot.child + root
										: CS_NONE;
			model->slots[model->n_slots++] = slot;
		}
		model->nodes[n].n_slots = (uint32_t)model->n_slots - model->nodes[n].first_slot;
	}
	if (model->n_roots)
		memcpy(model->roots, maker->resource->roots,
			model->n_roots * sizeof(*model->roots));
}

/* Replaces slot numbers of parts by rows of the table of slots, and sets the part of each slot. */
static void place_slots(struct cs_model *model)
{
	for (uint32_t i = 0; i < model->n_parts; i++) {
		uint32_t *slot = &model->parts[i].slot;
		*slot = cs_model_slot_at(model, *slot / CS_NODE_SLOTS, *slot % CS_NODE_SLOTS);
		if (*slot != CS_NONE)
			model->slots[*slot].part = i;
	}
	for (size_t i = 0; i < model->n_fixups; i++) {
		uint32_t *slot = &model->fixups[i].slot;
		if (*slot != CS_NONE)
			*slot = cs_model_slot_at(
				model, *slot / CS_NODE_SLOTS, *slot % CS_NODE_SLOTS);
	}
}

/* ---- sections, padding and references from the bytes of pages ---- */

static uint32_t packed_size(const unsigned char *bytes, uint32_t size, char *room, int room_size)
{
	int n = size ? LZ4_compress_default((const char *)bytes, room, (int)size, room_size) : 0;
	return n > 0 ? (uint32_t)n : size ? CS_NONE : 0;
}

/* Adds up, for each section with padding, how many bytes the page's clusters use without it. */
static void used_bytes(
	const struct maker *maker, const struct cs_page_view *view, uint32_t used[CS_PAGE_SECTIONS])
{
	const struct cs_model_page *page = &maker->model->pages[view->page];
	for (uint32_t i = 0; i < view->n_clusters; i++) {
		const struct cs_model_cluster *cluster =
			&maker->model->clusters[page->first_cluster + i];
		used[CS_SECTION_STRIP_CODES] += view->plans[i].code_bytes;
		used[CS_SECTION_POSITIONS] +=
			cluster->n_coded * ((cs_position_bits(cluster) + 7) / 8);
		used[CS_SECTION_ATTRIBUTES] +=
			cluster->n_coded * ((cluster->attribute_bits + 7) / 8);
		if (cluster->n_materials > CS_FAST_MATERIALS)
			used[CS_SECTION_MATERIALS] += 4 * cluster->n_materials;
	}
}

static bool fill_sections(struct maker *maker, const struct cs_page_view *view)
{
	static const bool padded[CS_PAGE_SECTIONS] = {[CS_SECTION_MATERIALS] = true,
		[CS_SECTION_STRIP_CODES] = true,
		[CS_SECTION_POSITIONS] = true,
		[CS_SECTION_ATTRIBUTES] = true};
	uint32_t used[CS_PAGE_SECTIONS] = {0}, offset = 0;
	int room_size = LZ4_compressBound((int)view->size);
	char *room = malloc((size_t)room_size);
	if (!room)
		return false;
	used_bytes(maker, view, used);
	for (unsigned s = 0; s < CS_PAGE_SECTIONS; s++) {
		uint32_t bytes = maker->contents->sections[view->page][s];
		maker->model->sections[(size_t)view->page * CS_PAGE_SECTIONS + s] =
			(struct cs_model_section){
				.page = view->page,
				.name = cs_page_section_name((enum cs_page_section)s),
				.offset = offset,
				.bytes = bytes,
				.slack = padded[s] && used[s] <= bytes ? bytes - used[s] : 0,
				.packed_bytes =
					packed_size(view->bytes + offset, bytes, room, room_size),
			};
		offset += bytes;
	}
	free(room);
	return true;
}

/*
 * Appends a row for each cluster that contains vertices to which vertices of `cluster` refer. The
 * row contains the number of these references.
 */
static void count_sources(struct maker *maker, const struct cs_page_view *view, uint32_t cluster,
	uint32_t *counts, struct cs_model_reference *rows, uint32_t *n_rows)
{
	const struct cs_model_page *page = &maker->model->pages[view->page];
	struct cs_model_cluster *row = &maker->model->clusters[page->first_cluster + cluster];
	const struct cs_cluster_plan *plan = &view->plans[cluster];
	row->first_reference = *n_rows;
	for (uint32_t i = 0; i < plan->n_references; i++) {
		uint32_t word = cs_page_reference(view, cluster, i);
		uint32_t source = word >> CS_REFERENCE_CLUSTER;
		if (source < view->n_clusters && counts[source]++ == 0)
			rows[(*n_rows)++] = (struct cs_model_reference){
				page->first_cluster + cluster, page->first_cluster + source, 0};
	}
	row->n_references = *n_rows - row->first_reference;
	for (uint32_t i = row->first_reference; i < *n_rows; i++) {
		uint32_t source = rows[i].source - page->first_cluster;
		rows[i].vertices = counts[source];
		counts[source] = 0;
	}
}

static bool list_references(struct maker *maker, const struct cs_page_view *view)
{
	uint32_t most = 0, n = 0;
	for (uint32_t i = 0; i < view->n_clusters; i++)
		most += view->plans[i].n_references;
	uint32_t *counts = calloc(view->n_clusters + 1, sizeof(*counts));
	struct cs_model_reference *rows = malloc(((size_t)most + 1) * sizeof(*rows));
	for (uint32_t i = 0; counts && rows && i < view->n_clusters; i++)
		count_sources(maker, view, i, counts, rows, &n);
	bool ok = counts && rows;
	free(counts);
	maker->references[view->page] = rows;
	maker->n_references[view->page] = n;
	return ok;
}

static void resource_model_read_range(void *context, size_t begin, size_t end, int thread)
{
	struct maker *maker = context;
	(void)thread;
	for (size_t i = begin; i < end; i++) {
		struct cs_page_view view;
		if (cs_page_open(maker->resource, (uint32_t)i, &view) && cs_page_plan(&view))
			maker->failed[i] =
				!fill_sections(maker, &view) || !list_references(maker, &view);
		else
			maker->failed[i] = view.breaches.out_of_memory;
		cs_page_close(&view);
		cs_breaches_deinit(&view.breaches);
	}
}

/*
 * Joins the references of all pages into one array, and increases each first_reference to an index
 * in it. Returns false when memory runs out.
 */
static bool join_references(struct maker *maker)
{
	struct cs_model *model = maker->model;
	size_t total = 0;
	for (size_t page = 0; page < model->n_pages; page++)
		total += maker->n_references[page];
	if (!cs_model_allocate(&model->references, total, sizeof(*model->references)))
		return false;
	for (size_t page = 0; page < model->n_pages; page++) {
		const struct cs_model_page *row = &model->pages[page];
		if (maker->n_references[page])
			memcpy(model->references + model->n_references, maker->references[page],
				maker->n_references[page] * sizeof(*model->references));
		for (uint32_t i = 0; i < row->n_clusters; i++)
			model->clusters[row->first_cluster + i].first_reference +=
				(uint32_t)model->n_references;
		model->n_references += maker->n_references[page];
	}
	return true;
}

/* Removes the rows of sections of pages that could not be read, because these rows are empty. */
static void join_sections(struct cs_model *model)
{
	for (uint32_t page = 0; page < model->n_pages; page++) {
		const struct cs_model_section *from =
			model->sections + (size_t)page * CS_PAGE_SECTIONS;
		model->pages[page].first_section = (uint32_t)model->n_sections;
		model->pages[page].n_sections = from->name ? CS_PAGE_SECTIONS : 0;
		memmove(model->sections + model->n_sections, from,
			model->pages[page].n_sections * sizeof(*from));
		model->n_sections += model->pages[page].n_sections;
	}
}

/* ---- making the model ---- */

static void resource_model_describe(struct maker *maker)
{
	const struct cs_nanite_info *info = maker->resource->info;
	struct cs_model *model = maker->model;
	size_t n_atlas;
	model->writer = "cellscope";
	model->compressed = info->flags & CS_NANITE_LZ4;
	model->colors = info->flags & CS_NANITE_COLORS;
	model->position_precision = info->position_precision;
	model->input_triangles = info->input_triangles;
	model->input_vertices = info->input_vertices;
	model->n_uvs = maker->contents->n_uvs;
	model->n_root_pages = CS_ROOT_PAGES;
	model->node_slots = CS_NODE_SLOTS;
	model->cluster_bytes = CS_PACKED_CLUSTER;
	model->uv_range_bytes = CS_UV_RANGE;
	memcpy(model->min, info->min, sizeof(model->min));
	memcpy(model->max, info->max, sizeof(model->max));
	model->material_names = maker->resource->material_names;
	model->n_material_names = model->material_names ? (uint32_t)maker->resource->n_sections : 0;
	model->atlas = cs_nanite_atlas(maker->resource, &n_atlas);
	if (n_atlas != CS_ATLAS_SIZE)
		model->atlas = NULL;
	if (maker->resource->file) {
		memcpy(model->content_id, cs_file_info(maker->resource->file).content_id, 33);
		model->file_bytes = cs_file_info(maker->resource->file).size;
	}
}

static bool copy_all(struct maker *maker)
{
	take_decoded(maker);
	if (!allocate_rows(maker))
		return false;
	resource_model_describe(maker);
	for (uint32_t i = 0; i < maker->model->n_clusters; i++)
		place_vertices(maker, &maker->model->clusters[i]);
	copy_nodes(maker);
	place_slots(maker->model);
	cs_parallel_for(cs_job_threads(maker->job), maker->model->n_pages, 1,
		resource_model_read_range, maker);
	for (size_t page = 0; page < maker->model->n_pages; page++)
		if (maker->failed[page])
			return false;
	join_sections(maker->model);
	return join_references(maker);
}

static struct cs_error *resource_model_make(const struct cs_nanite *resource,
	struct cs_nanite_contents *contents, const char *name, const struct cs_job *job,
	struct cs_model **ret)
{
	struct maker maker = {.model = calloc(1, sizeof(*maker.model)),
		.resource = resource,
		.contents = contents,
		.job = job};
	struct cs_error *error = NULL;
	if (!maker.model)
		return cs_error_nomem();
	maker.model->resource = (struct cs_nanite *)resource;
	maker.model->name = strdup(name);
	maker.model->path = strdup(name);
	maker.model->source = strdup(cs_nanite_text(resource, resource->info->source));
	bool ok = maker.model->name && maker.model->path && maker.model->source && copy_all(&maker);
	for (size_t page = 0; maker.references && page < maker.model->n_pages; page++)
		free(maker.references[page]);
	free(maker.references);
	free(maker.n_references);
	free(maker.failed);
	error = ok ? cs_model_finish(maker.model) : cs_error_nomem();
	if (error)
		cs_model_free(maker.model);
	else
		*ret = maker.model;
	return error;
}

struct cs_error *cs_model_of_resource(const struct cs_nanite *resource, const char *name,
	const struct cs_job *job, struct cs_model **ret)
{
	struct cs_nanite_contents *contents;
	struct cs_error *error = cs_nanite_decode(resource, job, &contents);
	if (error)
		return error;
	error = resource_model_make(resource, contents, name, job, ret);
	cs_nanite_contents_free(contents);
	return error;
}

static void free_resource(void *owner)
{
	cs_nanite_free(owner);
}

/* Returns the name of a resource: "Rock" for the path "dir/Rock.cnanite". The caller frees it. */
static char *name_of_path(const char *path)
{
	const char *name = cs_base_name(path);
	const char *dot = strrchr(name, '.');
	return strndup(name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

struct cs_error *cs_model_open(const char *path, const struct cs_job *job, struct cs_model **ret)
{
	struct cs_nanite *resource;
	char *name = name_of_path(path);
	struct cs_error *error = name ? NULL : cs_error_nomem();
	if (!error)
		error = cs_nanite_open(path, CS_FILE_STRICT, job, &resource);
	if (!error) {
		error = cs_model_of_resource(resource, path, job, ret);
		if (error)
			cs_nanite_free(resource);
	}
	if (error) {
		free(name);
		return error;
	}
	free((*ret)->name);
	(*ret)->name = name;
	(*ret)->owner = resource;
	(*ret)->free_owner = free_resource;
	return NULL;
}

void cs_model_free(struct cs_model *model)
{
	if (!model)
		return;
	void *const arrays[] = {model->name, model->path, model->source, model->pages,
		model->sections, model->clusters, model->parts, model->groups, model->nodes,
		model->slots, model->fixups, model->needs, model->references, model->materials,
		model->group_parts, model->parents, model->roots, model->group_order,
		model->dependencies, model->dependency_first, model->positions, model->normals,
		model->corners, model->vertex_colors, model->vertex_uvs[0], model->vertex_uvs[1],
		model->vertex_uvs[2], model->vertex_uvs[3]};
	for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++)
		free(arrays[i]);
	if (model->free_owner)
		model->free_owner(model->owner);
	free(model);
}
