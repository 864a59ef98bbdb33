/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes what follows from the rows of a model: levels, the order of groups, the pages that a
 * page needs and why, depth and parents of nodes, and meshes of groups. The rules are those of page
 * streaming, as in the encoder's fixups: a group is drawn when all of its pages are loaded and the
 * groups of its parents are drawn.
 *
 * Rows of damaged files are tolerated: levels are computed even if groups form cycles, and a node
 * that is reached twice is a child of only one parent.
 */
#include "nanite/decode/decode.h"
#include "nanite/inspect/model_inside.h"

#include "core/sort.h"
#include "core/vec.h"

#include <stdlib.h>

bool cs_model_allocate(void *pointer, size_t n, size_t size)
{
	void *memory = calloc(n + 1, size);
	memcpy(pointer, &memory, sizeof(memory));
	return memory != NULL;
}

uint32_t cs_model_slot_at(const struct cs_model *model, uint32_t node, uint32_t slot)
{
	if (node >= model->n_nodes)
		return CS_NONE;
	const struct cs_model_node *at = &model->nodes[node];
	for (uint32_t i = at->first_slot; i < at->first_slot + at->n_slots; i++)
		if (model->slots[i].slot == slot)
			return i;
	return CS_NONE;
}

bool cs_model_depend(struct cs_model *model, const struct cs_nanite_page_state *states,
	const uint32_t *dependencies, size_t n)
{
	uint32_t next = 0;
	if (!cs_model_allocate(&model->dependencies, n, sizeof(uint32_t)) ||
		!cs_model_allocate(&model->dependency_first, model->n_pages, sizeof(uint32_t)))
		return false;
	for (uint32_t page = 0; page < model->n_pages; page++) {
		model->dependency_first[page] = next;
		for (uint32_t i = 0; i < states[page].n_dependencies && next < n; i++) {
			uint32_t on = dependencies[states[page].first_dependency + i];
			if (on < model->n_pages)
				model->dependencies[next++] = on;
		}
	}
	model->dependency_first[model->n_pages] = next;
	return true;
}

/* ---- levels of clusters and groups ---- */

static bool links_find_levels(struct cs_model *model)
{
	struct cs_links links = {.clusters = model->clusters,
		.groups = model->groups,
		.parents = model->parents,
		.n_clusters = model->n_clusters,
		.n_groups = model->n_groups};
	bool ok = model->n_levels || cs_link_levels(&links);
	model->n_levels = model->n_levels ? model->n_levels : links.n_levels;
	return ok;
}

static void sum_groups(struct cs_model *model)
{
	for (size_t i = 0; i < model->n_clusters; i++) {
		const struct cs_model_cluster *cluster = &model->clusters[i];
		if (cluster->group != CS_NONE)
			model->groups[cluster->group].triangles += cluster->n_triangles;
		if (cluster->maker != CS_NONE)
			model->groups[cluster->maker].parent_triangles += cluster->n_triangles;
	}
}

static void level_pages(struct cs_model *model)
{
	for (size_t p = 0; p < model->n_pages; p++) {
		struct cs_model_page *page = &model->pages[p];
		page->min_level = page->max_level = CS_NONE;
		for (uint32_t i = 0; i < page->n_clusters; i++) {
			uint32_t level = model->clusters[page->first_cluster + i].level;
			if (page->min_level == CS_NONE || level < page->min_level)
				page->min_level = level;
			if (page->max_level == CS_NONE || level > page->max_level)
				page->max_level = level;
		}
	}
}

/* ---- pages that a page needs ---- */

struct needs {
	struct cs_model *model;
	/*
	 * for each page, flags CS_NEED_ that say why the current page needs it, and the number of
	 * fixups that change it
	 */
	uint32_t *why, *fixups;
	CS_VEC(uint32_t) found; /* pages that the current page needs */
	CS_VEC(struct cs_model_need) rows;
	bool failed;
};

static void need(struct needs *needs, uint32_t self, uint32_t page, uint32_t why)
{
	if (page == self || page >= needs->model->n_pages)
		return;
	if (needs->why[page] == 0 && !cs_vec_push(&needs->found, page))
		needs->failed = true;
	needs->why[page] |= why;
}

static void need_group(struct needs *needs, uint32_t self, uint32_t g, uint32_t why)
{
	const struct cs_model_group *group = &needs->model->groups[g];
	for (uint32_t i = 0; i < group->n_parts; i++)
		need(needs, self, cs_model_group_page(needs->model, group, i), why);
}

static void need_parents(struct needs *needs, uint32_t self, const struct cs_model_group *group)
{
	for (uint32_t i = 0; i < group->n_parents; i++) {
		const struct cs_model_cluster *parent =
			&needs->model->clusters[needs->model->parents[group->first_parent + i]];
		need(needs, self, parent->page, CS_NEED_PARENTS);
		if (parent->group != CS_NONE)
			need_group(needs, self, parent->group, CS_NEED_PARENT_GROUP);
	}
}

static void keep_needs(struct needs *needs, uint32_t page)
{
	if (needs->failed || !cs_sort_u32(needs->found.at, needs->found.n)) {
		needs->failed = true;
		return;
	}
	needs->model->pages[page].first_need = (uint32_t)needs->rows.n;
	needs->model->pages[page].n_needs = (uint32_t)needs->found.n;
	for (size_t i = 0; i < needs->found.n; i++) {
		uint32_t on = needs->found.at[i];
		const struct cs_model_need row = {page, on, needs->why[on], needs->fixups[on]};
		if (row.why & CS_NEED_LISTED)
			needs->model->pages[on].n_users++;
		needs->failed = needs->failed || !cs_vec_push(&needs->rows, row);
		needs->why[on] = needs->fixups[on] = 0;
	}
	needs->found.n = 0;
}

static void needs_of_page(struct needs *needs, uint32_t page)
{
	const struct cs_model *model = needs->model;
	const struct cs_model_page *row = &model->pages[page];
	for (uint32_t i = model->dependency_first[page]; i < model->dependency_first[page + 1]; i++)
		need(needs, page, model->dependencies[i], CS_NEED_LISTED);
	for (uint32_t i = 0; i < row->n_parts; i++) {
		uint32_t g = model->parts[row->first_part + i].group;
		if (g == CS_NONE)
			continue;
		need_group(needs, page, g, CS_NEED_SIBLING);
		need_parents(needs, page, &model->groups[g]);
	}
	/* count the cluster fixups whose target is in another page that this page needs */
	for (uint32_t i = row->n_hierarchy_fixups; i < row->n_fixups; i++) {
		const uint32_t target = model->fixups[row->first_fixup + i].target_page;
		if (target < model->n_pages && needs->why[target])
			needs->fixups[target]++;
	}
	keep_needs(needs, page);
}

static bool link_needs(struct cs_model *model)
{
	struct needs needs = {.model = model,
		.why = calloc(model->n_pages + 1, sizeof(*needs.why)),
		.fixups = calloc(model->n_pages + 1, sizeof(*needs.fixups))};
	needs.failed = !needs.why || !needs.fixups;
	for (uint32_t page = 0; !needs.failed && page < model->n_pages; page++)
		needs_of_page(&needs, page);
	free(needs.why);
	free(needs.fixups);
	cs_vec_free(&needs.found);
	model->needs = needs.rows.at;
	model->n_needs = needs.rows.n;
	return !needs.failed;
}

/* ---- parents and depth of nodes ---- */

static bool link_nodes(struct cs_model *model)
{
	uint32_t *queue = malloc((model->n_nodes + 1) * sizeof(*queue)), n = 0;
	if (!queue)
		return false;
	for (size_t i = 0; i < model->n_roots; i++) {
		if (model->roots[i] >= model->n_nodes ||
			model->nodes[model->roots[i]].depth != CS_NONE)
			continue;
		model->nodes[model->roots[i]].depth = 0;
		model->nodes[model->roots[i]].mesh = (uint32_t)i;
		queue[n++] = model->roots[i];
	}
	for (uint32_t i = 0; i < n; i++) {
		const struct cs_model_node *node = &model->nodes[queue[i]];
		model->depth = node->depth + 1; /* the queue goes from the roots down */
		for (uint32_t s = node->first_slot; s < node->first_slot + node->n_slots; s++) {
			uint32_t child = model->slots[s].child;
			if (child >= model->n_nodes || model->nodes[child].depth != CS_NONE)
				continue;
			model->nodes[child].parent = s;
			model->nodes[child].depth = node->depth + 1;
			model->nodes[child].mesh = node->mesh;
			queue[n++] = child;
		}
	}
	free(queue);
	return true;
}

/* Sets each group's mesh: the mesh of the hierarchy node of its first part that has a node. */
static void link_meshes(struct cs_model *model)
{
	for (size_t g = 0; g < model->n_groups; g++) {
		struct cs_model_group *group = &model->groups[g];
		group->mesh = CS_NONE;
		for (uint32_t i = 0; i < group->n_parts && group->mesh == CS_NONE; i++) {
			const uint32_t part = model->group_parts[group->first_part + i];
			const uint32_t slot = model->parts[part].slot;
			const struct cs_model_node *node =
				slot == CS_NONE ? NULL : &model->nodes[model->slots[slot].node];
			if (node && node->depth != CS_NONE)
				group->mesh = node->mesh;
		}
	}
}

struct cs_error *cs_model_finish(struct cs_model *model)
{
	model->group_order =
		links_find_levels(model) ? cs_coarse_first(model->groups, model->n_groups) : NULL;
	if (!model->group_order || !link_needs(model) || !link_nodes(model))
		return cs_error_nomem();
	link_meshes(model);
	sum_groups(model);
	level_pages(model);
	for (uint32_t page = 0; page < model->n_pages; page++)
		model->pages[page].slack = cs_model_slack(model, page);
	model->sums = cs_model_summarise(model);
	return NULL;
}
