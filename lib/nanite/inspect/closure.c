/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns the pages that must be loaded for a page to be drawn, those that fall with it, and the
 * longest chain.
 *
 * There are two rules. The list of a page names the pages whose clusters its fixups change;
 * following it page by page is the literal rule. It works page by page, so of a group in several
 * pages it may load only one. The other rule goes from group to group, each with all of its pages,
 * and it draws without overlap (nanite rules 3.4).
 */
#include "nanite/inspect/model_inside.h"

#include "core/vec.h"

#include <stdlib.h>
#include <string.h>

struct walk {
	const struct cs_model *m;
	bool *page, *group; /* those that were reached */
	uint32_t *queue, n; /* pages or groups (by the rule) that are still to be visited */
};

static bool walk_init(const struct cs_model *m, struct walk *ret)
{
	size_t most = (m->n_pages > m->n_groups ? m->n_pages : m->n_groups) + 1;
	*ret = (struct walk){.m = m,
		.page = calloc(m->n_pages + 1, sizeof(bool)),
		.group = calloc(m->n_groups + 1, sizeof(bool)),
		.queue = malloc(most * sizeof(uint32_t))};
	return ret->page && ret->group && ret->queue;
}

static void walk_deinit(struct walk *w)
{
	free(w->page);
	free(w->group);
	free(w->queue);
}

/* Lists the pages that were reached, in ascending order. */
static struct cs_error *closure_list_pages(
	const struct walk *w, uint32_t **pages_ret, size_t *n_ret)
{
	CS_VEC(uint32_t) pages = {0};
	if (!cs_vec_reserve(&pages, 1))
		return cs_error_nomem();
	for (uint32_t p = 0; p < w->m->n_pages; p++) {
		if (!w->page[p] || cs_vec_push(&pages, p))
			continue;
		cs_vec_free(&pages);
		return cs_error_nomem();
	}
	*pages_ret = pages.at;
	*n_ret = pages.n;
	return NULL;
}

/* ---- what it needs ---- */

static void reach_page(struct walk *w, uint32_t page)
{
	if (page >= w->m->n_pages || w->page[page])
		return;
	w->page[page] = true;
	w->queue[w->n++] = page;
}

static void follow_lists(struct walk *w, uint32_t page)
{
	const struct cs_model *m = w->m;
	reach_page(w, page);
	for (uint32_t i = 0; i < w->n && m->known & CS_MODEL_DEPENDENCIES; i++) {
		uint32_t at = w->queue[i];
		for (uint32_t k = m->dependency_first[at]; k < m->dependency_first[at + 1]; k++)
			reach_page(w, m->dependencies[k]);
	}
}

static void reach_group(struct walk *w, uint32_t g)
{
	if (g == CS_NONE || w->group[g])
		return;
	w->group[g] = true;
	w->queue[w->n++] = g;
}

static void reach_groups_of(struct walk *w, uint32_t page)
{
	const struct cs_model_page *row = &w->m->pages[page];
	w->page[page] = true;
	for (uint32_t i = 0; i < row->n_parts; i++)
		reach_group(w, w->m->parts[row->first_part + i].group);
}

static void follow_groups(struct walk *w, uint32_t page)
{
	const struct cs_model *m = w->m;
	reach_groups_of(w, page);
	for (uint32_t i = 0; i < w->n; i++) {
		const struct cs_model_group *group = &m->groups[w->queue[i]];
		for (uint32_t k = 0; k < group->n_parts; k++)
			w->page[cs_model_group_page(m, group, k)] = true;
		for (uint32_t k = 0; k < group->n_parents; k++)
			reach_group(w, m->clusters[m->parents[group->first_parent + k]].group);
	}
}

static void close_by(struct walk *w, uint32_t page, enum cs_closure rule)
{
	if (rule == CS_CLOSURE_LISTED)
		follow_lists(w, page);
	else
		follow_groups(w, page);
	for (uint32_t p = 0; p < w->m->n_pages; p++)
		w->page[p] = w->page[p] || w->m->pages[p].root;
}

struct cs_error *cs_model_needed(
	const struct cs_model *model, uint32_t page, struct cs_model_needed **ret, size_t *n_ret)
{
	struct walk listed = {0}, groups = {0};
	if (page >= model->n_pages)
		return cs_error_new(CS_E_MISSING, "no page %u", page);
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

/* ---- what falls with it ---- */

/*
 * Finds the pages that fall, page by page: coarse pages come first, and a page needs only coarser
 * ones.
 */
static void fall_by_lists(struct walk *w, uint32_t page)
{
	const struct cs_model *m = w->m;
	bool changed = true;
	w->page[page] = true;
	while (changed && m->known & CS_MODEL_DEPENDENCIES) {
		changed = false;
		for (uint32_t p = 0; p < m->n_pages; p++) {
			for (uint32_t k = m->dependency_first[p];
				!w->page[p] && k < m->dependency_first[p + 1]; k++)
				w->page[p] = changed = w->page[m->dependencies[k]];
		}
	}
}

/*
 * A group without one of its pages falls, and so does every group that was simplified into its
 * clusters.
 */
static void fall_by_groups(struct walk *w, uint32_t page)
{
	const struct cs_model *m = w->m;
	reach_groups_of(w, page);
	for (uint32_t i = 0; i < w->n; i++) {
		const struct cs_model_group *group = &m->groups[w->queue[i]];
		for (uint32_t p = 0; p < group->n_parts; p++) {
			const struct cs_model_part *part =
				&m->parts[m->group_parts[group->first_part + p]];
			w->page[part->page] = true;
			for (uint32_t c = 0; c < part->n_clusters; c++)
				reach_group(w, m->clusters[part->first_cluster + c].maker);
		}
	}
}

static void fall_by(struct walk *w, uint32_t page, enum cs_closure which)
{
	if (w->m->pages[page].root)
		memset(w->page, true, w->m->n_pages * sizeof(*w->page));
	else if (which == CS_DEPENDENTS_LISTED)
		fall_by_lists(w, page);
	else
		fall_by_groups(w, page);
}

struct cs_error *cs_model_closure(const struct cs_model *model, uint32_t page,
	enum cs_closure which, uint32_t **pages_ret, size_t *n_ret)
{
	struct walk w;
	if (page >= model->n_pages)
		return cs_error_new(CS_E_MISSING, "no page %u", page);
	struct cs_error *error = walk_init(model, &w) ? NULL : cs_error_nomem();
	if (!error) {
		if (which == CS_CLOSURE_LISTED || which == CS_CLOSURE_GROUPS)
			close_by(&w, page, which);
		else
			fall_by(&w, page, which);
		error = closure_list_pages(&w, pages_ret, n_ret);
	}
	walk_deinit(&w);
	return error;
}

/* ---- the longest chain ---- */

/*
 * Computes the length of the chain of each page. A dependency on a later page, which only a broken
 * file has, is ignored.
 */
static uint32_t measure_chains(const struct cs_model *m, uint32_t *length, uint32_t *next)
{
	uint32_t best = 0;
	for (uint32_t p = 0; p < m->n_pages; p++) {
		length[p] = 1;
		next[p] = CS_NONE;
		for (uint32_t k = m->dependency_first[p]; k < m->dependency_first[p + 1]; k++) {
			uint32_t on = m->dependencies[k];
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
	const struct cs_model *m, uint32_t **pages_ret, size_t *n_ret)
{
	uint32_t *length = malloc((m->n_pages + 1) * sizeof(*length));
	uint32_t *next = malloc((m->n_pages + 1) * sizeof(*next));
	uint32_t *pages = malloc((m->n_pages + 1) * sizeof(*pages));
	bool ok = length && next && pages;
	size_t n = 0;
	if (ok && m->n_pages && m->known & CS_MODEL_DEPENDENCIES)
		for (uint32_t p = measure_chains(m, length, next); p != CS_NONE; p = next[p])
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

/* ---- which groups stand above which ---- */

struct cs_error *cs_model_edges(const struct cs_model *m, struct cs_model_edge **ret, size_t *n_ret)
{
	size_t n = 0, most = 0;
	for (size_t g = 0; g < m->n_groups; g++)
		most += m->groups[g].n_parents;
	struct cs_model_edge *edges = malloc((most + 1) * sizeof(*edges));
	/* For each group, the last one that has it above, and one more. */
	size_t *seen = calloc(m->n_groups + 1, sizeof(*seen));
	const bool ok = edges && seen;
	for (uint32_t g = 0; ok && g < m->n_groups; g++)
		for (uint32_t k = 0; k < m->groups[g].n_parents; k++) {
			uint32_t parent = m->parents[m->groups[g].first_parent + k];
			uint32_t above = m->clusters[parent].group;
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

/* ---- the effective rule ---- */

static bool group_is_there(
	const struct cs_model *m, const struct cs_model_group *group, const bool *installed)
{
	for (uint32_t i = 0; i < group->n_parts; i++)
		if (!installed[cs_model_group_page(m, group, i)])
			return false;
	return true;
}

void cs_model_effective(const struct cs_model *m, const bool *installed, bool *effective_ret)
{
	for (size_t i = 0; i < m->n_groups; i++) {
		uint32_t g = m->group_order[i];
		const struct cs_model_group *group = &m->groups[g];
		bool yes = group_is_there(m, group, installed);
		for (uint32_t k = 0; yes && k < group->n_parents; k++) {
			uint32_t above = m->clusters[m->parents[group->first_parent + k]].group;
			yes = above != CS_NONE && effective_ret[above];
		}
		effective_ret[g] = yes;
	}
}
