/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns the effects of installing and uninstalling, by the two rules.
 *
 * Literal: a fixup is applied when its page is installed and all pages of its range are loaded.
 * When one of these pages leaves, the fixup is undone. A slot then has clusters or not, and a
 * cluster is a leaf or not. The pages that a list names are loaded before and after, so the target
 * of a fixup is loaded too.
 *
 * Effective: groups are decided coarse first (nanite rules 3.4).
 */
#include "nanite/inspect/model_inside.h"
#include "nanite/paging/paging_internal.h"

#include <string.h>

static bool range_is_there(const struct cs_pager *p, const struct cs_run_resource *r,
	const struct cs_model_fixup *fixup)
{
	for (uint32_t i = 0; i < fixup->n_pages; i++) {
		uint32_t page = fixup->first_page + i;
		if (page >= r->model->n_pages || !p->installed[r->page + page])
			return false;
	}
	return true;
}

static void rule_apply(struct cs_pager *p, const struct cs_run_resource *r,
	const struct cs_model_fixup *fixup, bool there)
{
	const struct cs_model *m = r->model;
	if (fixup->cluster >= m->n_clusters)
		return;
	if (fixup->kind == CS_MODEL_FIXUP_CLUSTER)
		p->leaf[r->cluster + fixup->cluster] = !there;
	else if (m->clusters[fixup->cluster].part != CS_NONE)
		p->loaded[r->part + m->clusters[fixup->cluster].part] = there;
}

static void place_data(struct cs_pager *p, uint32_t row, bool there)
{
	const struct cs_run_resource *r = &p->resources[p->pages[row].resource];
	const struct cs_model_page *page = &r->model->pages[p->pages[row].page];
	p->installed[row] = there;
	for (uint32_t i = 0; i < page->n_clusters; i++)
		p->leaf[r->cluster + page->first_cluster + i] =
			there && r->model->clusters[page->first_cluster + i].leaf;
	for (uint32_t i = 0; i < page->n_parts; i++)
		if (!there)
			p->loaded[r->part + page->first_part + i] = false;
}

void cs_run_install(struct cs_pager *p, uint32_t row)
{
	struct cs_run_resource *r = &p->resources[p->pages[row].resource];
	const struct cs_model_page *page = &r->model->pages[p->pages[row].page];
	place_data(p, row, true);
	for (uint32_t i = 0; i < page->n_fixups; i++) {
		const struct cs_model_fixup *fixup = &r->model->fixups[page->first_fixup + i];
		if (range_is_there(p, r, fixup))
			rule_apply(p, r, fixup, true);
	}
	r->changed = true;
}

void cs_run_uninstall(struct cs_pager *p, uint32_t row)
{
	struct cs_run_resource *r = &p->resources[p->pages[row].resource];
	const struct cs_model_page *page = &r->model->pages[p->pages[row].page];
	for (uint32_t i = 0; i < page->n_fixups; i++)
		rule_apply(p, r, &r->model->fixups[page->first_fixup + i], false);
	place_data(p, row, false);
	r->changed = true;
}

void cs_run_settle(struct cs_pager *p)
{
	for (size_t i = 0; i < p->n_resources; i++) {
		struct cs_run_resource *r = &p->resources[i];
		if (!r->changed)
			continue;
		r->changed = false;
		cs_model_effective(r->model, p->installed + r->page, p->effective + r->group);
	}
}

void cs_run_derive(struct cs_pager *p)
{
	memset(p->installed, 0, p->n_pages * sizeof(*p->installed));
	memset(p->leaf, 0, p->n_clusters * sizeof(*p->leaf));
	memset(p->loaded, 0, p->n_parts * sizeof(*p->loaded));
	for (size_t i = 0; i < p->n_resources; i++)
		p->resources[i].changed = true;
	for (uint32_t row = 0; row < p->n_pages; row++)
		if (p->pages[row].status.state >= CS_PAGE_RESIDENT)
			cs_run_install(p, row);
	cs_run_settle(p);
}
