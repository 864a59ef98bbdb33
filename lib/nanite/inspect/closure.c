/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the pages that must be loaded for a page to be drawn, the pages that cannot be drawn
 * without it, the longest chain of dependencies, the edges between groups, and the groups that
 * count as loaded.
 *
 * There are two rules. Literal rule: a page needs the pages in its list of dependencies, and
 * recursively the dependencies of these pages. A page depends on the pages with clusters that its
 * fixups change. This rule may load only one of several pages of a group. Effective rule: a group
 * needs the groups that contain its parents, each with all of its pages. This rule draws a surface
 * without overlaps (nanite rules 3.4).
 */
#include "nanite/inspect/model_inside.h"

#include "core/vec.h"

#include <stdlib.h>
#include <string.h>

struct walk {
	const struct cs_model *model;
	bool *page, *group; /* flags of the pages and groups reached so far */
	/* pages (literal rule) or groups (effective rule, see above) still to be visited */
	uint32_t *queue, n;
};

static bool walk_init(const struct cs_model *model, struct walk *ret)
{
	size_t most = (model->n_pages > model->n_groups ? model->n_pages : model->n_groups) + 1;
	*ret = (struct walk){.model = model,
		.page = calloc(model->n_pages + 1, sizeof(bool)),
		.group = calloc(model->n_groups + 1, sizeof(bool)),
		.queue = malloc(most * sizeof(uint32_t))};
	return ret->page && ret->group && ret->queue;
}

static void walk_deinit(struct walk *walk)
{
	free(walk->page);
	free(walk->group);
	free(walk->queue);
}

/* Lists the pages that were reached, in ascending order. The caller frees *pages_ret. */
static struct cs_error *closure_list_pages(
	const struct walk *walk, uint32_t **pages_ret, size_t *n_ret)
{
	CS_VEC(uint32_t) pages = {0};
	if (!cs_vec_reserve(&pages, 1))
		return cs_error_nomem();
	struct cs_error *error = NULL;
	for (uint32_t p = 0; !error && p < walk->model->n_pages; p++)
		if (walk->page[p] && !cs_vec_push(&pages, p))
			error = cs_error_nomem();
	return cs_vec_give(&pages, error, pages_ret, n_ret);
}

/* ---- pages that a given page needs ---- */

static void reach_page(struct walk *walk, uint32_t page)
{
	if (page >= walk->model->n_pages || walk->page[page])
		return;
	walk->page[page] = true;
	walk->queue[walk->n++] = page;
}

static void follow_lists(struct walk *walk, uint32_t page)
{
	const struct cs_model *model = walk->model;
	reach_page(walk, page);
	for (uint32_t i = 0; i < walk->n; i++) {
		uint32_t at = walk->queue[i];
		for (uint32_t k = model->dependency_first[at]; k < model->dependency_first[at + 1];
			k++)
			reach_page(walk, model->dependencies[k]);
	}
}

static void reach_group(struct walk *walk, uint32_t g)
{
	if (g == CS_NONE || walk->group[g])
		return;
	walk->group[g] = true;
	walk->queue[walk->n++] = g;
}

static void reach_groups_of(struct walk *walk, uint32_t page)
{
	const struct cs_model_page *row = &walk->model->pages[page];
	walk->page[page] = true;
	for (uint32_t i = 0; i < row->n_parts; i++)
		reach_group(walk, walk->model->parts[row->first_part + i].group);
}

static void follow_groups(struct walk *walk, uint32_t page)
{
	const struct cs_model *model = walk->model;
	reach_groups_of(walk, page);
	for (uint32_t i = 0; i < walk->n; i++) {
		const struct cs_model_group *group = &model->groups[walk->queue[i]];
		for (uint32_t k = 0; k < group->n_parts; k++)
			walk->page[cs_model_group_page(model, group, k)] = true;
		for (uint32_t k = 0; k < group->n_parents; k++)
			reach_group(walk,
				model->clusters[model->parents[group->first_parent + k]].group);
	}
}

static void close_by(struct walk *walk, uint32_t page, enum cs_closure rule)
{
	if (rule == CS_CLOSURE_LISTED)
		follow_lists(walk, page);
	else
		follow_groups(walk, page);
	for (uint32_t p = 0; p < walk->model->n_pages; p++)
		walk->page[p] = walk->page[p] || walk->model->pages[p].root;
}

struct cs_error *cs_model_needed(
	const struct cs_model *model, uint32_t page, struct cs_model_needed **ret, size_t *n_ret)
{
	struct walk listed = {0}, groups = {0};
	if (page >= model->n_pages)
		return cs_error_new(CS_E_MISSING,
			"the resource has no page %u (number of pages: %u, counted from 0)", page,
			(unsigned)model->n_pages);
	struct cs_model_needed *rows = malloc((model->n_pages + 1) * sizeof(*rows));
	bool ok = rows && walk_init(model, &listed) && walk_init(model, &groups);
	size_t n = 0;
	if (ok) {
		close_by(&listed, page, CS_CLOSURE_LISTED);
		close_by(&groups, page, CS_CLOSURE_GROUPS);
	}
	for (uint32_t p = 0; ok && p < model->n_pages; p++)
		if (listed.page[p] || groups.page[p])
			rows[n++] = (struct cs_model_needed){p, listed.page[p], groups.page[p]};
	walk_deinit(&listed);
	walk_deinit(&groups);
	if (!ok) {
		free(rows);
		return cs_error_nomem();
	}
	*ret = rows;
	*n_ret = n;
	return NULL;
}

/* ---- pages that need a given page ---- */

/*
 * Finds the pages that depend on `page`, directly or through other pages, according to the lists of
 * dependencies. One pass over the pages is enough if each page depends only on earlier pages.
 */
static void fall_by_lists(struct walk *walk, uint32_t page)
{
	const struct cs_model *model = walk->model;
	bool changed = true;
	walk->page[page] = true;
	while (changed) {
		changed = false;
		for (uint32_t p = 0; p < model->n_pages; p++) {
			for (uint32_t k = model->dependency_first[p];
				!walk->page[p] && k < model->dependency_first[p + 1]; k++)
				walk->page[p] = changed = walk->page[model->dependencies[k]];
		}
	}
}

/*
 * Finds the pages of all groups that are not drawn without `page`. These are the groups with a part
 * in `page`, and the groups with a parent in a group that is not drawn.
 */
static void fall_by_groups(struct walk *walk, uint32_t page)
{
	const struct cs_model *model = walk->model;
	reach_groups_of(walk, page);
	for (uint32_t i = 0; i < walk->n; i++) {
		const struct cs_model_group *group = &model->groups[walk->queue[i]];
		for (uint32_t p = 0; p < group->n_parts; p++) {
			const struct cs_model_part *part = CS_GROUP_PART(model, group, p);
			walk->page[part->page] = true;
			for (uint32_t c = 0; c < part->n_clusters; c++)
				reach_group(walk, model->clusters[part->first_cluster + c].maker);
		}
	}
}

static void fall_by(struct walk *walk, uint32_t page, enum cs_closure which)
{
	if (walk->model->pages[page].root)
		memset(walk->page, true, walk->model->n_pages * sizeof(*walk->page));
	else if (which == CS_DEPENDENTS_LISTED)
		fall_by_lists(walk, page);
	else
		fall_by_groups(walk, page);
}

struct cs_error *cs_model_closure(const struct cs_model *model, uint32_t page,
	enum cs_closure which, uint32_t **pages_ret, size_t *n_ret)
{
	struct walk walk;
	if (page >= model->n_pages)
		return cs_error_new(CS_E_MISSING,
			"the resource has no page %u (number of pages: %u, counted from 0)", page,
			(unsigned)model->n_pages);
	struct cs_error *error = walk_init(model, &walk) ? NULL : cs_error_nomem();
	if (!error) {
		if (which == CS_CLOSURE_LISTED || which == CS_CLOSURE_GROUPS)
			close_by(&walk, page, which);
		else
			fall_by(&walk, page, which);
		error = closure_list_pages(&walk, pages_ret, n_ret);
	}
	walk_deinit(&walk);
	return error;
}

/* ---- the longest chain of dependencies ---- */

/*
 * Computes for each page the length of the longest chain of dependencies that starts at it, and the
 * next page of that chain. Returns the first page with the longest chain. Dependencies on later
 * pages, which only a broken file has, are ignored.
 */
static uint32_t measure_chains(const struct cs_model *model, uint32_t *length, uint32_t *next)
{
	uint32_t best = 0;
	for (uint32_t p = 0; p < model->n_pages; p++) {
		length[p] = 1;
		next[p] = CS_NONE;
		for (uint32_t k = model->dependency_first[p]; k < model->dependency_first[p + 1];
			k++) {
			uint32_t on = model->dependencies[k];
			if (on >= p || length[on] + 1 <= length[p])
				continue;
			length[p] = length[on] + 1;
			next[p] = on;
		}
		if (length[p] > length[best])
			best = p;
	}
	return best;
}

struct cs_error *cs_model_longest_chain(
	const struct cs_model *model, uint32_t **pages_ret, size_t *n_ret)
{
	uint32_t *length = malloc((model->n_pages + 1) * sizeof(*length));
	uint32_t *next = malloc((model->n_pages + 1) * sizeof(*next));
	uint32_t *pages = malloc((model->n_pages + 1) * sizeof(*pages));
	bool ok = length && next && pages;
	size_t n = 0;
	if (ok && model->n_pages)
		for (uint32_t p = measure_chains(model, length, next); p != CS_NONE; p = next[p])
			pages[n++] = p;
	free(length);
	free(next);
	if (!ok) {
		free(pages);
		return cs_error_nomem();
	}
	*pages_ret = pages;
	*n_ret = n;
	return NULL;
}

/* ---- edges between groups ---- */

struct cs_error *cs_model_edges(
	const struct cs_model *model, struct cs_model_edge **ret, size_t *n_ret)
{
	size_t n = 0, most = 0;
	for (size_t g = 0; g < model->n_groups; g++)
		most += model->groups[g].n_parents;
	struct cs_model_edge *edges = malloc((most + 1) * sizeof(*edges));
	/* for each group, 1 + the last group with an edge to it, so that each edge is added once */
	size_t *seen = calloc(model->n_groups + 1, sizeof(*seen));
	const bool ok = edges && seen;
	for (uint32_t g = 0; ok && g < model->n_groups; g++)
		for (uint32_t k = 0; k < model->groups[g].n_parents; k++) {
			uint32_t parent = model->parents[model->groups[g].first_parent + k];
			uint32_t above = model->clusters[parent].group;
			if (above == CS_NONE || seen[above] == (size_t)g + 1)
				continue;
			seen[above] = (size_t)g + 1;
			edges[n++] = (struct cs_model_edge){g, above};
		}
	free(seen);
	if (!ok) {
		free(edges);
		return cs_error_nomem();
	}
	*ret = edges;
	*n_ret = n;
	return NULL;
}

/* ---- groups that count as loaded (effective rule) ---- */

static bool group_is_there(
	const struct cs_model *model, const struct cs_model_group *group, const bool *installed)
{
	for (uint32_t i = 0; i < group->n_parts; i++)
		if (!installed[cs_model_group_page(model, group, i)])
			return false;
	return true;
}

void cs_model_effective(const struct cs_model *model, const bool *installed, bool *effective_ret)
{
	for (size_t i = 0; i < model->n_groups; i++) {
		uint32_t g = model->group_order[i];
		const struct cs_model_group *group = &model->groups[g];
		bool yes = group_is_there(model, group, installed);
		for (uint32_t k = 0; yes && k < group->n_parents; k++) {
			uint32_t above =
				model->clusters[model->parents[group->first_parent + k]].group;
			yes = above != CS_NONE && effective_ret[above];
		}
		effective_ret[g] = yes;
	}
}
