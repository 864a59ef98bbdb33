/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns the facts that follow from the rows of a model: levels, the order of groups, the pages that
 * a page needs and why, and depth and parents of nodes. The rules are those of page streaming, as
 * in the encoder's fixups: a group is drawn when all of its pages are loaded and the groups of its
 * parents are.
 *
 * The code trusts no row: a group in a cycle keeps level 0, and a node that is reached again is no
 * child.
 */
#include "nanite/decode/decode.h"
#include "nanite/inspect/model_inside.h"

#include "core/sort.h"
#include "core/vec.h"

#include <math.h>
#include <stdlib.h>

uint32_t cs_model_slot_at(const struct cs_model *m, uint32_t node, uint32_t slot)
{
	if (node >= m->n_nodes)
		return CS_NONE;
	const struct cs_model_node *at = &m->nodes[node];
	for (uint32_t i = at->first_slot; i < at->first_slot + at->n_slots; i++)
		if (m->slots[i].slot == slot)
			return i;
	return CS_NONE;
}

/* ---- levels ---- */

static bool links_find_levels(struct cs_model *m)
{
	struct cs_levels levels = {m->clusters, m->groups, m->parents, m->n_clusters, m->n_groups};
	bool ok = m->n_levels || cs_link_levels(&levels);
	m->n_levels = m->n_levels ? m->n_levels : levels.n_levels;
	return ok;
}

static bool links_order_groups(struct cs_model *m)
{
	struct cs_sort_key *keys = malloc((m->n_groups + 1) * sizeof(*keys));
	m->group_order = malloc((m->n_groups + 1) * sizeof(*m->group_order));
	bool ok = keys && m->group_order;
	for (uint32_t g = 0; ok && g < m->n_groups; g++)
		keys[g] = (struct cs_sort_key){.low = UINT32_MAX - m->groups[g].level, .index = g};
	ok = ok && cs_sort_keys(keys, m->n_groups);
	for (size_t i = 0; ok && i < m->n_groups; i++)
		m->group_order[i] = keys[i].index;
	free(keys);
	return ok;
}

static void sum_groups(struct cs_model *m)
{
	for (size_t i = 0; i < m->n_clusters; i++) {
		const struct cs_model_cluster *c = &m->clusters[i];
		if (c->group != CS_NONE)
			m->groups[c->group].triangles += c->n_triangles;
		if (c->maker != CS_NONE)
			m->groups[c->maker].parent_triangles += c->n_triangles;
	}
}

static void level_pages(struct cs_model *m)
{
	for (size_t p = 0; p < m->n_pages; p++) {
		struct cs_model_page *page = &m->pages[p];
		page->min_level = page->max_level = CS_NONE;
		for (uint32_t i = 0; i < page->n_clusters; i++) {
			uint32_t level = m->clusters[page->first_cluster + i].level;
			if (page->min_level == CS_NONE || level < page->min_level)
				page->min_level = level;
			if (page->max_level == CS_NONE || level > page->max_level)
				page->max_level = level;
		}
	}
}

/* ---- needs ---- */

struct needs {
	struct cs_model *m;
	uint32_t *why, *fixups; /* one for each page, about the current page */
	CS_VEC(uint32_t) found; /* the pages that it needs */
	CS_VEC(struct cs_model_need) rows;
	bool failed;
};

static void need(struct needs *n, uint32_t self, uint32_t page, uint32_t why)
{
	if (page == self || page >= n->m->n_pages)
		return;
	if (n->why[page] == 0 && !cs_vec_push(&n->found, page))
		n->failed = true;
	n->why[page] |= why;
}

static void need_group(struct needs *n, uint32_t self, uint32_t g, uint32_t why)
{
	const struct cs_model_group *group = &n->m->groups[g];
	for (uint32_t i = 0; i < group->n_parts; i++)
		need(n, self, cs_model_group_page(n->m, group, i), why);
}

static void need_parents(struct needs *n, uint32_t self, const struct cs_model_group *group)
{
	for (uint32_t i = 0; i < group->n_parents; i++) {
		const struct cs_model_cluster *parent =
			&n->m->clusters[n->m->parents[group->first_parent + i]];
		need(n, self, parent->page, CS_NEED_PARENTS);
		if (parent->group != CS_NONE)
			need_group(n, self, parent->group, CS_NEED_PARENT_GROUP);
	}
}

static void need_fixups(struct needs *n, const struct cs_model_page *page)
{
	const struct cs_model *m = n->m;
	for (uint32_t i = page->n_hierarchy_fixups; i < page->n_fixups; i++)
		if (m->fixups[page->first_fixup + i].target_page < m->n_pages)
			n->fixups[m->fixups[page->first_fixup + i].target_page]++;
}

static void keep_needs(struct needs *n, uint32_t page)
{
	if (n->failed || !cs_sort_u32(n->found.at, n->found.n)) {
		n->failed = true;
		return;
	}
	n->m->pages[page].first_need = (uint32_t)n->rows.n;
	n->m->pages[page].n_needs = (uint32_t)n->found.n;
	for (size_t i = 0; i < n->found.n; i++) {
		uint32_t on = n->found.at[i];
		const struct cs_model_need row = {page, on, n->why[on], n->fixups[on]};
		if (row.why & CS_NEED_LISTED)
			n->m->pages[on].n_users++;
		n->failed = n->failed || !cs_vec_push(&n->rows, row);
		n->why[on] = n->fixups[on] = 0;
	}
	n->found.n = 0;
}

static void needs_of_page(struct needs *n, uint32_t page)
{
	const struct cs_model *m = n->m;
	const struct cs_model_page *row = &m->pages[page];
	if (m->known & CS_MODEL_DEPENDENCIES)
		for (uint32_t i = m->dependency_first[page]; i < m->dependency_first[page + 1]; i++)
			need(n, page, m->dependencies[i], CS_NEED_LISTED);
	for (uint32_t i = 0; i < row->n_parts; i++) {
		uint32_t g = m->parts[row->first_part + i].group;
		if (g == CS_NONE)
			continue;
		need_group(n, page, g, CS_NEED_SIBLING);
		need_parents(n, page, &m->groups[g]);
	}
	need_fixups(n, row);
	keep_needs(n, page);
}

static bool link_needs(struct cs_model *m)
{
	struct needs n = {.m = m,
		.why = calloc(m->n_pages + 1, sizeof(*n.why)),
		.fixups = calloc(m->n_pages + 1, sizeof(*n.fixups))};
	n.failed = !n.why || !n.fixups;
	for (uint32_t page = 0; !n.failed && page < m->n_pages; page++)
		needs_of_page(&n, page);
	free(n.why);
	free(n.fixups);
	cs_vec_free(&n.found);
	m->needs = n.rows.at;
	m->n_needs = n.rows.n;
	return !n.failed;
}

/* ---- nodes ---- */

static bool link_nodes(struct cs_model *m)
{
	uint32_t *queue = malloc((m->n_nodes + 1) * sizeof(*queue)), n = 0;
	if (!queue)
		return false;
	for (size_t i = 0; i < m->n_roots; i++) {
		if (m->roots[i] >= m->n_nodes || m->nodes[m->roots[i]].depth != CS_NONE)
			continue;
		m->nodes[m->roots[i]].depth = 0;
		m->nodes[m->roots[i]].mesh = (uint32_t)i;
		queue[n++] = m->roots[i];
	}
	for (uint32_t i = 0; i < n; i++) {
		const struct cs_model_node *node = &m->nodes[queue[i]];
		for (uint32_t s = node->first_slot; s < node->first_slot + node->n_slots; s++) {
			uint32_t child = m->slots[s].child;
			if (child >= m->n_nodes || m->nodes[child].depth != CS_NONE)
				continue;
			m->nodes[child].parent = s;
			m->nodes[child].depth = node->depth + 1;
			m->nodes[child].mesh = node->mesh;
			queue[n++] = child;
		}
	}
	free(queue);
	return true;
}

/* A group belongs to the mesh whose root is above the slots of its parts. */
static void link_meshes(struct cs_model *m)
{
	for (size_t g = 0; g < m->n_groups; g++) {
		struct cs_model_group *group = &m->groups[g];
		group->mesh = CS_NONE;
		for (uint32_t i = 0; i < group->n_parts && group->mesh == CS_NONE; i++) {
			const uint32_t part = m->group_parts[group->first_part + i];
			const uint32_t slot = m->parts[part].slot;
			const struct cs_model_node *node =
				slot == CS_NONE ? NULL : &m->nodes[m->slots[slot].node];
			if (node && node->depth != CS_NONE)
				group->mesh = node->mesh;
		}
	}
}

struct cs_error *cs_model_finish(struct cs_model *m)
{
	if (!links_find_levels(m) || !links_order_groups(m) || !link_needs(m) || !link_nodes(m))
		return cs_error_nomem();
	link_meshes(m);
	sum_groups(m);
	level_pages(m);
	for (uint32_t page = 0; page < m->n_pages; page++)
		m->pages[page].slack = cs_model_slack(m, page);
	return NULL;
}
