/* SPDX-License-Identifier: Apache-2.0 */
/* Models from the inside. */
#pragma once

#include <cellscope/pages.h>

/* For makers: n zeros and one more into an array of a model, whose pointer is at `pointer`. */
bool cs_model_allocate(void *pointer, size_t n, size_t size);
/* The row of a used slot; CS_NONE when there is none. */
uint32_t cs_model_slot_at(const struct cs_model *model, uint32_t node, uint32_t slot);
/* The page of a part of a group, by its place among the parts of the group. */
static inline uint32_t cs_model_group_page(
	const struct cs_model *model, const struct cs_model_group *group, uint32_t part)
{
	return model->parts[model->group_parts[group->first_part + part]].page;
}

/*
 * Groups that count as loaded when `installed` (by page) are there: all pages of the group, and the
 * groups of all its parents. effective_ret has n_groups of them.
 */
void cs_model_effective(const struct cs_model *model, const bool *installed, bool *effective_ret);
/* Bytes of its sections that only align what follows, as far as they are known. */
uint32_t cs_model_slack(const struct cs_model *model, uint32_t page);
/* A row of the table that has the rows of all resources one behind the other. */
size_t cs_inspector_rows(const struct cs_inspector *inspector, enum cs_model_row kind);
/* The same of a resource in memory, which must live longer than the model. */
struct cs_error *cs_model_of_resource(const struct cs_nanite *resource, const char *name,
	const struct cs_job *job, struct cs_model **ret) CS_MUST_USE;

/*
 * For makers: once the arrays are there. Fills in levels, unless their number is there, needs and
 * users of pages, triangles of groups, part and depth of slots and nodes. E_NOMEM.
 */
struct cs_error *cs_model_finish(struct cs_model *model) CS_MUST_USE;
