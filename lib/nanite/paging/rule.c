/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Applies the effects of installing and uninstalling a page, by two rules that define what counts
 * as loaded.
 *
 * Literal rule: a fixup is applied when its page is installed and all pages of the page range that
 * it names are loaded. When one of these pages is removed, the fixup is undone. A hierarchy fixup
 * marks a slot of a hierarchy node as loaded; a cluster fixup clears the leaf flag of a cluster.
 * The pages that a page depends on are installed before it and removed after it, so the target of a
 * fixup is loaded too.
 *
 * Effective rule: a group counts as loaded when all its pages are installed and the groups of its
 * parents count as loaded; it is computed from the coarsest groups down (nanite rules 3.4).
 */
#include "nanite/inspect/model_inside.h"
#include "nanite/paging/paging_internal.h"

#include <string.h>

static bool range_is_there(const struct cs_pager *pager, const struct cs_run_resource *resource,
	const struct cs_model_fixup *fixup)
{
	for (uint32_t i = 0; i < fixup->n_pages; i++) {
		uint32_t page = fixup->first_page + i;
		if (page >= resource->model->n_pages || !pager->installed[resource->page + page])
			return false;
	}
	return true;
}

static void rule_apply(struct cs_pager *pager, const struct cs_run_resource *resource,
	const struct cs_model_fixup *fixup, bool there)
{
	const struct cs_model *model = resource->model;
	if (fixup->cluster >= model->n_clusters)
		return;
	if (fixup->kind == CS_MODEL_FIXUP_CLUSTER)
		pager->leaf[resource->cluster + fixup->cluster] = !there;
	else if (model->clusters[fixup->cluster].part != CS_NONE)
		pager->loaded[resource->part + model->clusters[fixup->cluster].part] = there;
}

static void place_data(struct cs_pager *pager, uint32_t row, bool there)
{
	const struct cs_run_resource *resource = &pager->resources[pager->pages[row].resource];
	const struct cs_model_page *page = &resource->model->pages[pager->pages[row].page];
	pager->installed[row] = there;
	for (uint32_t i = 0; i < page->n_clusters; i++)
		pager->leaf[resource->cluster + page->first_cluster + i] =
			there && resource->model->clusters[page->first_cluster + i].leaf;
	for (uint32_t i = 0; i < page->n_parts; i++)
		if (!there)
			pager->loaded[resource->part + page->first_part + i] = false;
}

void cs_run_install(struct cs_pager *pager, uint32_t row)
{
	struct cs_run_resource *resource = &pager->resources[pager->pages[row].resource];
	const struct cs_model_page *page = &resource->model->pages[pager->pages[row].page];
	place_data(pager, row, true);
	for (uint32_t i = 0; i < page->n_fixups; i++) {
		const struct cs_model_fixup *fixup =
			&resource->model->fixups[page->first_fixup + i];
		if (range_is_there(pager, resource, fixup))
			rule_apply(pager, resource, fixup, true);
	}
	resource->changed = true;
}

void cs_run_uninstall(struct cs_pager *pager, uint32_t row)
{
	struct cs_run_resource *resource = &pager->resources[pager->pages[row].resource];
	const struct cs_model_page *page = &resource->model->pages[pager->pages[row].page];
	for (uint32_t i = 0; i < page->n_fixups; i++)
		rule_apply(pager, resource, &resource->model->fixups[page->first_fixup + i], false);
	place_data(pager, row, false);
	resource->changed = true;
}

void cs_run_settle(struct cs_pager *pager)
{
	for (size_t i = 0; i < pager->n_resources; i++) {
		struct cs_run_resource *resource = &pager->resources[i];
		if (!resource->changed)
			continue;
		resource->changed = false;
		cs_model_effective(resource->model, pager->installed + resource->page,
			pager->effective + resource->group);
	}
}

void cs_run_derive(struct cs_pager *pager)
{
	memset(pager->installed, 0, pager->n_pages * sizeof(*pager->installed));
	memset(pager->leaf, 0, pager->n_clusters * sizeof(*pager->leaf));
	memset(pager->loaded, 0, pager->n_parts * sizeof(*pager->loaded));
	for (size_t i = 0; i < pager->n_resources; i++)
		pager->resources[i].changed = true;
	for (uint32_t row = 0; row < pager->n_pages; row++)
		if (pager->pages[row].status.state >= CS_PAGE_RESIDENT)
			cs_run_install(pager, row);
	cs_run_settle(pager);
}
