/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of models. */
#pragma once

#include <cellscope/pages.h>

/*
 * Allocates n + 1 items of zeros for an array of a model, whose pointer is at `pointer`. Returns
 * false without memory. For makers of models.
 */
bool cs_model_allocate(void *pointer, size_t n, size_t size);
/*
 * Sets the dependencies of pages from slices of a table. Slices may overlap in a damaged file, so
 * no more are copied than there are entries. Returns false without memory. For makers of models.
 */
bool cs_model_depend(struct cs_model *model, const struct cs_nanite_page_state *states,
	const uint32_t *dependencies, size_t n);
/* Returns the row of a used slot, or CS_NONE when there is none. */
uint32_t cs_model_slot_at(const struct cs_model *model, uint32_t node, uint32_t slot);
/* Returns the page of a part of a group, by its index among the parts of the group. */
static inline uint32_t cs_model_group_page(
	const struct cs_model *model, const struct cs_model_group *group, uint32_t part)
{
	return model->parts[model->group_parts[group->first_part + part]].page;
}

/*
 * Computes which groups count as loaded: all pages of the group are installed, and the groups of
 * all its parents count as loaded. effective_ret has n_groups items.
 */
void cs_model_effective(const struct cs_model *model, const bool *installed, bool *effective_ret);
/* Returns the bytes of the page's sections that are only padding, as far as they are known. */
uint32_t cs_model_slack(const struct cs_model *model, uint32_t page);
/* Returns how many rows all resources have together in that table. */
size_t cs_inspector_rows(const struct cs_inspector *inspector, enum cs_model_row kind);
/* Makes a model of a resource in memory, which must live longer than the model. */
struct cs_error *cs_model_of_resource(const struct cs_nanite *resource, const char *name,
	const struct cs_job *job, struct cs_model **ret) CS_MUST_USE;

/*
 * Completes a model whose arrays are set. It computes levels unless their number is set, the order
 * and triangles of groups, needs, users, levels and padding of pages, depth and parents of nodes,
 * and meshes of nodes and groups. Returns E_NOMEM without memory. For makers of models.
 */
struct cs_error *cs_model_finish(struct cs_model *model) CS_MUST_USE;
