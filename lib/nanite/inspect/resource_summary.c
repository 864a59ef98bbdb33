/* SPDX-License-Identifier: Apache-2.0 */
/* Sums up a model's levels, lists its hierarchy, and counts the bytes of its pages by content. */
#include "nanite/decode/decode.h"
#include "nanite/inspect/model_inside.h"

#include <math.h>
#include <stdlib.h>

enum { FULL_CLUSTER = 128 }; /* number of triangles of a full cluster in every format */

/* ---- sums of each level ---- */

static void resource_summary_add_group(
	const struct cs_model_group *group, struct cs_model_level *level)
{
	level->groups++;
	if (group->n_parents == 0)
		return;
	level->reduced_triangles += group->triangles;
	level->parent_triangles += group->parent_triangles;
	level->stuck += 5.0 * group->parent_triangles > 4.0 * group->triangles;
	if (isfinite(group->max_parent_error) && group->max_parent_error > level->parent_error)
		level->parent_error = group->max_parent_error;
}

static void resource_summary_add_cluster(
	const struct cs_model_cluster *cluster, struct cs_model_level *level)
{
	if (level->clusters == 0 || cluster->lod_error < level->min_error)
		level->min_error = cluster->lod_error;
	if (level->clusters == 0 || cluster->lod_error > level->max_error)
		level->max_error = cluster->lod_error;
	if (level->clusters == 0 || cluster->page < level->first_page)
		level->first_page = cluster->page;
	if (level->clusters == 0 || cluster->page > level->last_page)
		level->last_page = cluster->page;
	level->clusters++;
	level->triangles += cluster->n_triangles;
}

struct cs_error *cs_model_levels(
	const struct cs_model *model, struct cs_model_level **ret, size_t *n_ret)
{
	size_t n = model->n_levels;
	for (size_t i = 0; i < model->n_clusters; i++)
		n = model->clusters[i].level >= n ? model->clusters[i].level + 1 : n;
	struct cs_model_level *levels = calloc(n + 1, sizeof(*levels));
	if (!levels)
		return cs_error_nomem();
	for (size_t i = 0; i < n; i++)
		levels[i].level = (uint32_t)i;
	for (size_t i = 0; i < model->n_clusters; i++)
		resource_summary_add_cluster(
			&model->clusters[i], &levels[model->clusters[i].level]);
	for (size_t i = 0; i < model->n_groups; i++)
		resource_summary_add_group(&model->groups[i], &levels[model->groups[i].level]);
	*ret = levels;
	*n_ret = n;
	return NULL;
}

/* ---- the hierarchy in reading order ---- */

/*
 * Lists the slots below node `root` depth first. A damaged file may name a child in several slots,
 * but the child is entered only from the slot that is its parent.
 */
static void list_node(const struct cs_model *model, uint32_t root, uint32_t *list, size_t *n)
{
	uint32_t node = root, slot = model->nodes[root].first_slot;
	for (;;) {
		const struct cs_model_node *at = &model->nodes[node];
		if (slot == at->first_slot + at->n_slots) {
			if (node == root || at->parent == CS_NONE)
				return;
			slot = at->parent + 1;
			node = model->slots[at->parent].node;
			continue;
		}
		uint32_t child = model->slots[slot].child;
		list[(*n)++] = slot;
		if (child < model->n_nodes && model->nodes[child].parent == slot) {
			node = child;
			slot = model->nodes[child].first_slot;
		} else {
			slot++;
		}
	}
}

static struct cs_model_tree tree_cost(const struct cs_model *model)
{
	struct cs_model_tree cost = {.fill = NAN, .surface = NAN};
	double whole = 0, inner = 0;
	size_t used = 0;
	for (size_t i = 0; i < model->n_nodes; i++) {
		const struct cs_model_node *node = &model->nodes[i];
		if (node->depth == CS_NONE)
			continue;
		cost.nodes++;
		used += node->n_slots;
		cost.depth = node->depth + 1 > cost.depth ? node->depth + 1 : cost.depth;
		for (uint32_t s = node->first_slot; s < node->first_slot + node->n_slots; s++) {
			double area = cs_box_surface(model->slots[s].box_extent);
			whole = area > whole ? area : whole;
			inner += area;
		}
	}
	if (cost.nodes && model->node_slots)
		cost.fill = (double)used / ((double)cost.nodes * model->node_slots);
	if (whole > 0)
		cost.surface = inner / whole;
	return cost;
}

struct cs_error *cs_model_tree(const struct cs_model *model, struct cs_model_tree *ret)
{
	struct cs_model_tree tree = tree_cost(model);
	tree.slots = malloc((model->n_slots + 1) * sizeof(*tree.slots));
	if (!tree.slots)
		return cs_error_nomem();
	for (size_t i = 0; i < model->n_roots; i++)
		if (model->roots[i] < model->n_nodes && model->nodes[model->roots[i]].depth == 0 &&
			(i == 0 || model->roots[i] != model->roots[i - 1]))
			list_node(model, model->roots[i], tree.slots, &tree.n);
	*ret = tree;
	return NULL;
}

/* ---- bytes of pages by content ---- */

static void add_content(const struct cs_model *model, const struct cs_model_cluster *cluster,
	struct cs_model_content *content)
{
	struct cs_gpu_bytes bytes = {0};
	cs_gpu_advance(&bytes, cluster, cluster->index_bits);
	content->headers += model->cluster_bytes;
	content->materials +=
		cluster->n_materials > CS_FAST_MATERIALS ? 4 * (uint64_t)cluster->n_materials : 0;
	content->uvs += model->uv_range_bytes * (uint64_t)cluster->n_uvs;
	content->triangles += bytes.index;
	content->positions += bytes.position;
	content->attributes += bytes.attribute;
	content->full += cluster->n_triangles >= FULL_CLUSTER;
	content->light += cluster->n_triangles < FULL_CLUSTER / 2;
}

struct cs_model_content cs_model_content(const struct cs_model *model, uint32_t first, uint32_t n)
{
	struct cs_model_content content = {0};
	for (uint32_t i = 0; i < n; i++)
		add_content(model, &model->clusters[first + i], &content);
	content.bytes = content.headers + content.materials + content.uvs + content.triangles +
			content.positions + content.attributes;
	return content;
}

uint32_t cs_model_slack(const struct cs_model *model, uint32_t page)
{
	const struct cs_model_page *at = &model->pages[page];
	uint32_t slack = 0;
	for (uint32_t i = 0; i < at->n_sections; i++) {
		const struct cs_model_section *section = &model->sections[at->first_section + i];
		slack += section->slack == CS_NONE ? 0 : section->slack;
	}
	return slack;
}

static double quotient(double part, double whole)
{
	return whole > 0 ? part / whole : CS_NO_NUMBER;
}

static void divide_sums(const struct cs_model *model, struct cs_nanite_summary *sum)
{
	const uint32_t triangles = model->input_triangles == CS_NONE ? 0 : model->input_triangles;
	sum->bytes_per_triangle = quotient((double)model->file_bytes, triangles);
	sum->referring = quotient((double)sum->references, (double)model->n_vertices);
	sum->fill = quotient((double)model->n_triangles, FULL_CLUSTER * (double)model->n_clusters);
	sum->compression = quotient(
		(double)sum->page_bytes, (double)sum->disk_bytes - (double)sum->fixup_bytes);
	sum->utilisation = quotient((double)sum->gpu_bytes, (double)sum->gpu_room);
}

struct cs_nanite_summary cs_model_summarise(const struct cs_model *model)
{
	struct cs_nanite_summary sum = {
		.coarse_triangles =
			model->resource ? (uint32_t)model->resource->n_coarse_triangles : CS_NONE,
		.dependencies = model->dependency_first[model->n_pages]};
	for (size_t p = 0; p < model->n_pages; p++) {
		const struct cs_model_page *page = &model->pages[p];
		const uint32_t n = model->dependency_first[p + 1] - model->dependency_first[p];
		sum.disk_bytes += page->disk_bytes;
		sum.fixup_bytes += page->chunk_bytes;
		sum.page_bytes += page->page_bytes;
		const uint32_t gpu_bytes = page->gpu_bytes == CS_NONE ? 0 : page->gpu_bytes;
		sum.gpu_bytes += gpu_bytes;
		sum.gpu_room += page->gpu_bytes == CS_NONE ? 0 : page->gpu_limit;
		sum.root_gpu_bytes += page->root ? gpu_bytes : 0;
		sum.references += page->references == CS_NONE ? 0 : page->references;
		sum.most_dependencies = n > sum.most_dependencies ? n : sum.most_dependencies;
	}
	for (size_t i = 0; i < model->n_clusters; i++)
		sum.leaf_clusters +=
			model->clusters[i].maker == CS_NONE && model->clusters[i].level == 0;
	divide_sums(model, &sum);
	return sum;
}

struct cs_error *cs_model_page_bytes(
	const struct cs_model *model, uint32_t page, unsigned char **bytes_ret, size_t *n_ret)
{
	struct cs_page_view view;
	struct cs_error *error = NULL;
	if (!model->resource)
		return cs_error_new(CS_E_MISSING,
			"--hex and --section show only pages of resources that cellscope built: "
			"leave them out");
	if (page >= model->n_pages)
		return cs_error_new(CS_E_MISSING,
			"the resource has no page %u (number of pages: %u, counted from 0)", page,
			(unsigned)model->n_pages);
	if (cs_page_open(model->resource, page, &view)) {
		*bytes_ret = view.bytes;
		*n_ret = view.size;
		view.bytes = NULL;
	} else {
		error = view.breaches.out_of_memory
				? cs_error_nomem()
				: cs_error_new(CS_E_NANITE,
					  "page %u of the resource %s is damaged: `verify` lists "
					  "its faults",
					  page, model->name);
	}
	cs_page_close(&view);
	cs_breaches_deinit(&view.breaches);
	return error;
}

uint32_t cs_model_cluster_words(
	const struct cs_model *model, uint32_t cluster, uint32_t *words, uint32_t room)
{
	const struct cs_model_cluster *row = &model->clusters[cluster];
	struct cs_page_view view;
	uint32_t n = 0;
	if (!model->resource)
		return 0;
	if (cs_page_open(model->resource, row->page, &view) && cs_page_plan(&view)) {
		const struct cs_packed_cluster *packed = &view.plans[row->index].packed;
		for (; n < room && n < CS_PACKED_CLUSTER / 4; n++)
			words[n] = packed->words[n];
	}
	cs_page_close(&view);
	cs_breaches_deinit(&view.breaches);
	return n;
}
