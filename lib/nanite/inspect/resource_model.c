/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns the model of a resource in our own format. It takes over decoded rows where they have the
 * same form, and adds the facts that only the bytes of the pages contain: sections, padding, and
 * which clusters refer to which.
 *
 * For those the pages are opened once more, in parallel, and each writes its own results.
 */
#include "nanite/decode/decode.h"
#include "nanite/inspect/model_inside.h"

#include "core/cursor.h"
#include "core/parallel.h"
#include "core/text.h"
#include "nanite/format/contents.h"

#include <cellscope/pages.h>

#include <lz4.h>
#include <stdlib.h>
#include <string.h>

struct maker {
	struct cs_model *m;
	const struct cs_nanite *resource;
	struct cs_nanite_contents *c; /* arrays that the model takes over are removed from it */
	const struct cs_job *job;
	/* For each page, its rows of references, owned until they are joined. */
	struct cs_model_reference **references;
	uint32_t *n_references;
	bool *failed; /* for each page, whether memory was short */
};

/* ---- arrays ---- */

bool cs_model_allocate(void *pointer, size_t n, size_t size)
{
	void *memory = calloc(n + 1, size);
	memcpy(pointer, &memory, sizeof(memory));
	return memory != NULL;
}

/* Moves decoded arrays to the model, which owns them from now on. */
#define TAKE(to, from) ((to) = (from), (from) = NULL)

static void take_decoded(struct maker *k)
{
	struct cs_nanite_contents *c = k->c;
	struct cs_model *m = k->m;
	m->n_pages = c->n_pages;
	m->n_clusters = c->n_clusters;
	m->n_parts = c->n_parts;
	m->n_groups = c->n_groups;
	m->n_nodes = k->resource->n_nodes;
	m->n_fixups = c->n_hierarchy_fixups + c->n_cluster_fixups;
	m->n_materials = c->n_material_ranges;
	m->n_group_parts = c->n_parts;
	m->n_parents = c->n_parents;
	m->n_roots = k->resource->n_roots;
	m->n_vertices = c->n_vertices;
	m->n_triangles = c->n_triangles;
	m->n_levels = c->n_levels;
	TAKE(m->clusters, c->clusters);
	TAKE(m->materials, c->material_ranges);
	TAKE(m->groups, c->groups);
	TAKE(m->group_parts, c->group_parts);
	TAKE(m->parents, c->parents);
	TAKE(m->corners, c->corners);
}

static bool allocate_rows(struct maker *k)
{
	struct cs_model *m = k->m;
	const size_t slots = m->n_nodes * CS_NODE_SLOTS;
	return cs_model_allocate(&m->pages, m->n_pages, sizeof(*m->pages)) &&
	       cs_model_allocate(
		       &m->sections, m->n_pages * CS_PAGE_SECTIONS, sizeof(*m->sections)) &&
	       cs_model_allocate(&m->parts, m->n_parts, sizeof(*m->parts)) &&
	       cs_model_allocate(&m->nodes, m->n_nodes, sizeof(*m->nodes)) &&
	       cs_model_allocate(&m->slots, slots, sizeof(*m->slots)) &&
	       cs_model_allocate(&m->fixups, m->n_fixups, sizeof(*m->fixups)) &&
	       cs_model_allocate(&m->roots, m->n_roots, sizeof(*m->roots)) &&
	       cs_model_allocate(&m->dependencies, k->resource->n_dependencies, sizeof(uint32_t)) &&
	       cs_model_allocate(&m->dependency_first, m->n_pages, sizeof(uint32_t)) &&
	       cs_model_allocate(&m->positions, m->n_vertices, 3 * sizeof(float)) &&
	       cs_model_allocate(&m->normals, m->n_vertices, 3 * sizeof(float)) &&
	       cs_model_allocate(&k->references, m->n_pages, sizeof(*k->references)) &&
	       cs_model_allocate(&k->n_references, m->n_pages, sizeof(*k->n_references)) &&
	       cs_model_allocate(&k->failed, m->n_pages, sizeof(*k->failed));
}

/* ---- rows that were decoded ---- */

static void resource_model_copy_page(struct maker *k, uint32_t page)
{
	const struct cs_nanite_page *from = &k->c->pages[page];
	const struct cs_nanite_page_state *state = &k->resource->pages[page];
	k->m->pages[page] = (struct cs_model_page){
		.offset = cs_page_offset(k->resource, page),
		.disk_bytes = state->bulk_size,
		.chunk_bytes = from->chunk_bytes,
		.stored_bytes = from->stored_bytes,
		.page_bytes = from->page_bytes,
		.gpu_bytes = from->gpu_bytes,
		.gpu_limit = CS_PAGE_GPU_BYTES,
		.first_cluster = from->first_cluster,
		.n_clusters = from->n_clusters,
		.first_part = from->first_part,
		.n_parts = from->n_parts,
		.triangles = from->triangles,
		.vertices = from->vertices,
		.references = from->references,
		.root = page < CS_ROOT_PAGES,
		.damaged = from->damaged,
	};
}

static void place_vertices(struct maker *k, const struct cs_model_cluster *cluster)
{
	size_t first = cluster->first_vertex;
	for (size_t v = 3 * first; v < 3 * (first + cluster->n_vertices); v++)
		k->m->positions[v] = (float)(k->c->grid[v] * cluster->grid_step);
	for (size_t v = first; v < first + cluster->n_vertices; v++)
		cs_nanite_normal(k->c->normals[v], k->m->normals + 3 * v);
}

/* ---- the hierarchy ---- */

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

static void copy_nodes(struct maker *k)
{
	struct cs_model *m = k->m;
	size_t next = 0;
	uint32_t root = 0;
	for (uint32_t n = 0; n < m->n_nodes; n++) {
		const struct cs_nanite_node *node = &k->resource->nodes[n];
		/*
		 * Children are counted from the first node of their mesh, the last root before
		 * them.
		 */
		while (next < k->resource->n_roots && k->resource->roots[next] <= n)
			root = k->resource->roots[next++];
		m->nodes[n] = (struct cs_model_node){
			.first_slot = (uint32_t)m->n_slots, .parent = CS_NONE, .depth = CS_NONE};
		for (unsigned s = 0; s < CS_NODE_SLOTS; s++) {
			if (node->pages[s] == 0)
				continue;
			struct cs_model_slot slot = resource_model_read_slot(k->resource, n, s);
			if (slot.child != CS_NONE)
				slot.child = slot.child < m->n_nodes - root ? slot.child + root
									    : CS_NONE;
			m->slots[m->n_slots++] = slot;
		}
		m->nodes[n].n_slots = (uint32_t)m->n_slots - m->nodes[n].first_slot;
	}
	if (m->n_roots)
		memcpy(m->roots, k->resource->roots, m->n_roots * sizeof(*m->roots));
}

static void copy_parts(struct maker *k)
{
	for (uint32_t i = 0; i < k->c->n_parts; i++) {
		const struct cs_nanite_part *from = &k->c->parts[i];
		uint32_t slot = cs_model_slot_at(k->m, from->node, from->slot);
		k->m->parts[i] = (struct cs_model_part){
			from->group, from->page, from->first_cluster, from->n_clusters, slot};
		if (slot != CS_NONE)
			k->m->slots[slot].part = i;
	}
}

/* ---- fixups and dependencies ---- */

static void copy_page_fixups(struct maker *k, uint32_t page, size_t *n)
{
	const struct cs_nanite_page *from = &k->c->pages[page];
	struct cs_model_page *to = &k->m->pages[page];
	to->first_fixup = (uint32_t)*n;
	to->n_hierarchy_fixups = from->n_hierarchy_fixups;
	to->n_fixups = from->n_hierarchy_fixups + from->n_cluster_fixups;
	for (uint32_t i = 0; i < from->n_hierarchy_fixups; i++) {
		const struct cs_nanite_hierarchy_fixup *f =
			&k->c->hierarchy_fixups[from->first_hierarchy_fixup + i];
		k->m->fixups[(*n)++] = (struct cs_model_fixup){CS_MODEL_FIXUP_HIERARCHY, page,
			f->target_page, k->c->pages[f->target_page].first_cluster + f->cluster,
			cs_model_slot_at(k->m, f->node, f->slot), f->first_page, f->n_pages};
	}
	for (uint32_t i = 0; i < from->n_cluster_fixups; i++) {
		const struct cs_nanite_cluster_fixup *f =
			&k->c->cluster_fixups[from->first_cluster_fixup + i];
		k->m->fixups[(*n)++] = (struct cs_model_fixup){CS_MODEL_FIXUP_CLUSTER, page,
			f->target_page, k->c->pages[f->target_page].first_cluster + f->cluster,
			CS_NONE, f->first_page, f->n_pages};
	}
}

static void copy_fixups(struct maker *k)
{
	size_t n = 0;
	for (uint32_t page = 0; page < k->m->n_pages; page++)
		copy_page_fixups(k, page, &n);
	k->m->n_fixups = n;
}

static void resource_model_copy_dependencies(struct maker *k)
{
	uint32_t n = 0;
	for (uint32_t page = 0; page < k->m->n_pages; page++) {
		const struct cs_nanite_page_state *state = &k->resource->pages[page];
		k->m->dependency_first[page] = n;
		for (uint32_t i = 0; i < state->n_dependencies; i++) {
			uint32_t on = k->resource->dependencies[state->first_dependency + i];
			/*
			 * Slices may overlap in a damaged file, so no more are copied than there
			 * are entries.
			 */
			if (on < k->m->n_pages && n < k->resource->n_dependencies)
				k->m->dependencies[n++] = on;
		}
	}
	k->m->dependency_first[k->m->n_pages] = n;
}

/* ---- what the bytes tell ---- */

static uint32_t packed_size(const unsigned char *bytes, uint32_t size, char *room, int room_size)
{
	int n = size ? LZ4_compress_default((const char *)bytes, room, (int)size, room_size) : 0;
	return n > 0 ? (uint32_t)n : size ? CS_NONE : 0;
}

/* Counts the bytes of a page's clusters that are data, in the sections that are padded. */
static void used_bytes(
	const struct maker *k, const struct cs_page_view *view, uint32_t used[CS_PAGE_SECTIONS])
{
	const struct cs_model_page *page = &k->m->pages[view->page];
	for (uint32_t i = 0; i < view->n_clusters; i++) {
		const struct cs_model_cluster *c = &k->m->clusters[page->first_cluster + i];
		uint32_t position = (uint32_t)(c->position_bits[0] + c->position_bits[1] +
					       c->position_bits[2] + 7) /
				    8;
		used[CS_SECTION_STRIP_CODES] += view->plans[i].code_bytes;
		used[CS_SECTION_POSITIONS] += c->n_coded * position;
		used[CS_SECTION_ATTRIBUTES] += c->n_coded * ((c->attribute_bits + 7) / 8);
		if (c->n_materials > CS_FAST_MATERIALS)
			used[CS_SECTION_MATERIALS] += 4 * c->n_materials;
	}
}

static bool fill_sections(struct maker *k, const struct cs_page_view *view)
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
	used_bytes(k, view, used);
	for (unsigned s = 0; s < CS_PAGE_SECTIONS; s++) {
		uint32_t bytes = k->c->pages[view->page].sections[s];
		k->m->sections[(size_t)view->page * CS_PAGE_SECTIONS + s] =
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

/* Counts how often `cluster` refers to each cluster of the page, and makes a row for each. */
static void count_sources(struct maker *k, const struct cs_page_view *view, uint32_t cluster,
	uint32_t *counts, struct cs_model_reference *rows, uint32_t *n_rows)
{
	const struct cs_model_page *page = &k->m->pages[view->page];
	struct cs_model_cluster *row = &k->m->clusters[page->first_cluster + cluster];
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

static bool list_references(struct maker *k, const struct cs_page_view *view)
{
	uint32_t most = 0, n = 0;
	for (uint32_t i = 0; i < view->n_clusters; i++)
		most += view->plans[i].n_references;
	uint32_t *counts = calloc(view->n_clusters + 1, sizeof(*counts));
	struct cs_model_reference *rows = malloc(((size_t)most + 1) * sizeof(*rows));
	for (uint32_t i = 0; counts && rows && i < view->n_clusters; i++)
		count_sources(k, view, i, counts, rows, &n);
	bool ok = counts && rows;
	free(counts);
	k->references[view->page] = rows;
	k->n_references[view->page] = n;
	return ok;
}

static void resource_model_read_range(void *context, size_t begin, size_t end, int thread)
{
	struct maker *k = context;
	(void)thread;
	for (size_t i = begin; i < end; i++) {
		struct cs_page_view view;
		if (cs_page_open(k->resource, (uint32_t)i, &view) && cs_page_plan(&view))
			k->failed[i] = !fill_sections(k, &view) || !list_references(k, &view);
		else
			k->failed[i] = view.breaches.out_of_memory;
		cs_page_close(&view);
		cs_breaches_deinit(&view.breaches);
	}
}

/* Joins the rows of all pages. */
static bool join_references(struct maker *k)
{
	struct cs_model *m = k->m;
	size_t total = 0;
	for (size_t page = 0; page < m->n_pages; page++)
		total += k->n_references[page];
	if (!cs_model_allocate(&m->references, total, sizeof(*m->references)))
		return false;
	for (size_t page = 0; page < m->n_pages; page++) {
		const struct cs_model_page *row = &m->pages[page];
		if (k->n_references[page])
			memcpy(m->references + m->n_references, k->references[page],
				k->n_references[page] * sizeof(*m->references));
		for (uint32_t i = 0; i < row->n_clusters; i++)
			m->clusters[row->first_cluster + i].first_reference +=
				(uint32_t)m->n_references;
		m->n_references += k->n_references[page];
	}
	return true;
}

/* Removes the sections of pages that could not be read, instead of keeping empty rows. */
static void join_sections(struct cs_model *m)
{
	for (uint32_t page = 0; page < m->n_pages; page++) {
		const struct cs_model_section *from = m->sections + (size_t)page * CS_PAGE_SECTIONS;
		m->pages[page].first_section = (uint32_t)m->n_sections;
		m->pages[page].n_sections = from->name ? CS_PAGE_SECTIONS : 0;
		memmove(m->sections + m->n_sections, from,
			m->pages[page].n_sections * sizeof(*from));
		m->n_sections += m->pages[page].n_sections;
	}
}

static bool read_pages(struct maker *k)
{
	cs_parallel_for(cs_job_threads(k->job), k->m->n_pages, 1, resource_model_read_range, k);
	for (size_t page = 0; page < k->m->n_pages; page++)
		if (k->failed[page])
			return false;
	join_sections(k->m);
	return join_references(k);
}

/* ---- the driver ---- */

static void resource_model_describe(struct maker *k)
{
	const struct cs_nanite_info *info = k->resource->info;
	struct cs_model *m = k->m;
	size_t n_atlas;
	m->writer = "cellscope";
	m->known = CS_MODEL_SECTIONS | CS_MODEL_FIXUPS | CS_MODEL_NODES | CS_MODEL_DEPENDENCIES |
		   CS_MODEL_GEOMETRY | CS_MODEL_GROUPS | CS_MODEL_REFERENCES | CS_MODEL_STRIPS;
	m->compressed = info->flags & CS_NANITE_LZ4;
	m->colors = info->flags & CS_NANITE_COLORS;
	m->position_precision = info->position_precision;
	m->input_triangles = info->input_triangles;
	m->input_vertices = info->input_vertices;
	m->n_uvs = k->c->n_uvs;
	m->depth = k->c->depth;
	m->n_root_pages = CS_ROOT_PAGES;
	m->node_slots = CS_NODE_SLOTS;
	memcpy(m->min, info->min, sizeof(m->min));
	memcpy(m->max, info->max, sizeof(m->max));
	m->atlas = cs_nanite_atlas(k->resource, &n_atlas);
	if (n_atlas != CS_ATLAS_SIZE)
		m->atlas = NULL;
	if (k->resource->file) {
		memcpy(m->content_id, cs_file_info(k->resource->file).content_id, 33);
		m->file_bytes = cs_file_info(k->resource->file).size;
	}
}

static bool name_materials(struct maker *k)
{
	uint32_t n = (uint32_t)k->resource->n_sections;
	k->m->material_names = calloc(n + 1, sizeof(*k->m->material_names));
	if (!k->m->material_names)
		return false;
	k->m->n_material_names = n;
	for (uint32_t i = 0; i < n; i++)
		k->m->material_names[i] =
			cs_nanite_text(k->resource, k->resource->sections[i].name);
	return true;
}

static bool copy_all(struct maker *k)
{
	take_decoded(k);
	if (!allocate_rows(k) || !name_materials(k))
		return false;
	resource_model_describe(k);
	for (uint32_t page = 0; page < k->m->n_pages; page++)
		resource_model_copy_page(k, page);
	for (uint32_t i = 0; i < k->m->n_clusters; i++)
		place_vertices(k, &k->m->clusters[i]);
	copy_nodes(k);
	copy_parts(k);
	copy_fixups(k);
	resource_model_copy_dependencies(k);
	return read_pages(k);
}

static void finish_maker(struct maker *k)
{
	for (size_t page = 0; k->references && page < k->m->n_pages; page++)
		free(k->references[page]);
	free(k->references);
	free(k->n_references);
	free(k->failed);
}

static struct cs_error *resource_model_make(const struct cs_nanite *resource,
	struct cs_nanite_contents *c, const char *name, const struct cs_job *job,
	struct cs_model **ret)
{
	struct maker k = {.m = calloc(1, sizeof(*k.m)), .resource = resource, .c = c, .job = job};
	struct cs_error *error = NULL;
	if (!k.m)
		return cs_error_nomem();
	k.m->resource = (struct cs_nanite *)resource;
	k.m->name = strdup(name);
	k.m->path = strdup(name);
	k.m->source = strdup(cs_nanite_text(resource, resource->info->source));
	bool ok = k.m->name && k.m->path && k.m->source && copy_all(&k);
	finish_maker(&k);
	error = ok ? cs_model_finish(k.m) : cs_error_nomem();
	if (error)
		cs_model_free(k.m);
	else
		*ret = k.m;
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

/* Returns the name of a file's resource: that of "dir/Rock.cnanite" is Rock. */
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

void cs_model_free(struct cs_model *m)
{
	if (!m)
		return;
	void *const arrays[] = {m->name, m->path, m->source, m->pages, m->sections, m->clusters,
		m->parts, m->groups, m->nodes, m->slots, m->fixups, m->needs, m->references,
		m->materials, m->group_parts, m->parents, m->roots, m->group_order, m->dependencies,
		m->dependency_first, m->positions, m->normals, m->corners, m->material_names,
		m->vertex_colors, m->vertex_uvs[0], m->vertex_uvs[1], m->vertex_uvs[2],
		m->vertex_uvs[3]};
	for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++)
		free(arrays[i]);
	if (m->free_owner)
		m->free_owner(m->owner);
	free(m);
}
