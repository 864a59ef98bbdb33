/* SPDX-License-Identifier: Apache-2.0 */
/* Internals of struct cs_model, for the functions that make models and read them. */
#pragma once

#include <cellscope/pages.h>

#include "nanite/format/contents.h"

/*
 * Allocates n + 1 items of `size` bytes, filled with zeros, for an array of a model. `pointer` is
 * the address of the pointer to the array. Returns false when memory runs out.
 */
bool cs_model_allocate(void *pointer, size_t n, size_t size);
/*
 * Sets the dependencies of all pages: each page state refers to a slice of the table
 * `dependencies`. At most n dependencies are copied in total, because slices may overlap in a
 * damaged file. Returns false when memory runs out.
 */
bool cs_model_depend(struct cs_model *model, const struct cs_nanite_page_state *states,
	const uint32_t *dependencies, size_t n);
/* Returns the row of a node's slot in the table of slots, or CS_NONE when the slot is unused. */
uint32_t cs_model_slot_at(const struct cs_model *model, uint32_t node, uint32_t slot);
/* Returns the page that contains part number `part` of a group. */
static inline uint32_t cs_model_group_page(
	const struct cs_model *model, const struct cs_model_group *group, uint32_t part)
{
	return CS_GROUP_PART(model, group, part)->page;
}

/*
 * Computes which groups count as loaded: groups whose pages are all installed, if the groups that
 * contain their parents count as loaded too. effective_ret has n_groups items.
 */
void cs_model_effective(const struct cs_model *model, const bool *installed, bool *effective_ret);
/* Returns how many bytes of the page are known to be padding, over all its sections. */
uint32_t cs_model_slack(const struct cs_model *model, uint32_t page);
/* Returns the number of rows that all resources together have in the table `kind`. */
size_t cs_inspector_rows(const struct cs_inspector *inspector, enum cs_model_row kind);
/* Makes a model of a resource that is in memory. The resource must live longer than the model. */
struct cs_error *cs_model_of_resource(const struct cs_nanite *resource, const char *name,
	const struct cs_job *job, struct cs_model **ret) CS_MUST_USE;

/*
 * Completes a model whose arrays are set: computes the levels (unless their number is set), the
 * order and triangles of groups, the needs, users, levels and padding of pages, the depth and
 * parents of nodes, the meshes of nodes and groups, and the sums. Returns E_NOMEM when memory runs
 * out.
 */
struct cs_error *cs_model_finish(struct cs_model *model) CS_MUST_USE;
/* Returns the sums of a model, as cs_model_finish() sets them. */
struct cs_nanite_summary cs_model_summarise(const struct cs_model *model);

/* Returns the surface area of a box, of which `extent` is half of each side. */
static inline double cs_box_surface(const float extent[3])
{
	double x = 2 * (double)extent[0], y = 2 * (double)extent[1], z = 2 * (double)extent[2];
	return 2 * (x * y + y * z + z * x);
}
