/* SPDX-License-Identifier: Apache-2.0 */
/* Installs pages; computes which groups count as loaded (effective rule), and what a view draws. */
#include "nanite/residency/residency.h"

#include "nanite/decode/decode.h"

#include "core/half.h"
#include "nanite/format/contents.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- installing pages ---- */

struct cs_error *cs_residency_init(
	const struct cs_nanite_contents *contents, struct cs_residency *ret)
{
	*ret = (struct cs_residency){.contents = contents,
		.installed = calloc(contents->n_pages + 1, sizeof(bool)),
		.part_loaded = calloc(contents->n_parts + 1, sizeof(bool)),
		.leaf = calloc(contents->n_clusters + 1, sizeof(bool)),
		.slot_part = malloc(
			(contents->resource->n_nodes + 1) * sizeof(uint32_t) * CS_NODE_SLOTS)};
	if (!ret->installed || !ret->part_loaded || !ret->leaf || !ret->slot_part) {
		cs_residency_deinit(ret);
		return cs_error_nomem();
	}
	memset(ret->slot_part, 0xff,
		contents->resource->n_nodes * sizeof(uint32_t) * CS_NODE_SLOTS);
	for (uint32_t part = 0; part < contents->n_parts; part++)
		ret->slot_part[contents->parts[part].slot] = part;
	for (uint32_t page = 0; page < CS_ROOT_PAGES && page < contents->n_pages; page++)
		cs_residency_install(ret, page);
	return NULL;
}

void cs_residency_deinit(struct cs_residency *residency)
{
	free(residency->installed);
	free(residency->part_loaded);
	free(residency->leaf);
	free(residency->slot_part);
	*residency = (struct cs_residency){0};
}

static bool range_is_installed(const struct cs_residency *residency, uint32_t first, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		if (first + i >= residency->contents->n_pages || !residency->installed[first + i])
			return false;
	return true;
}

void cs_residency_install(struct cs_residency *residency, uint32_t page)
{
	const struct cs_nanite_contents *contents = residency->contents;
	const struct cs_model_page *row = &contents->pages[page];
	residency->installed[page] = true;
	for (uint32_t i = 0; i < row->n_clusters; i++)
		residency->leaf[row->first_cluster + i] =
			contents->clusters[row->first_cluster + i].flags & CS_CLUSTER_LEAF;
	for (uint32_t i = 0; i < row->n_fixups; i++) {
		const struct cs_model_fixup *fixup = &contents->fixups[row->first_fixup + i];
		const uint32_t part = contents->clusters[fixup->cluster].part;
		if (!range_is_installed(residency, fixup->first_page, fixup->n_pages))
			continue;
		if (fixup->kind == CS_MODEL_FIXUP_CLUSTER)
			residency->leaf[fixup->cluster] = false;
		else if (part != CS_NONE)
			residency->part_loaded[part] = true;
	}
}

void cs_residency_uninstall(struct cs_residency *residency, uint32_t page)
{
	const struct cs_nanite_contents *contents = residency->contents;
	const struct cs_model_page *row = &contents->pages[page];
	residency->installed[page] = false;
	for (uint32_t i = 0; i < row->n_fixups; i++) {
		const struct cs_model_fixup *fixup = &contents->fixups[row->first_fixup + i];
		const uint32_t part = contents->clusters[fixup->cluster].part;
		if (fixup->kind == CS_MODEL_FIXUP_CLUSTER)
			residency->leaf[fixup->cluster] |= residency->installed[fixup->target_page];
		else if (part != CS_NONE)
			residency->part_loaded[part] = false;
	}
	memset(residency->leaf + row->first_cluster, 0, row->n_clusters * sizeof(*residency->leaf));
}

bool cs_residency_can_install(const struct cs_residency *residency, uint32_t page)
{
	const struct cs_nanite_page_state *state = &residency->contents->resource->pages[page];
	for (uint32_t i = 0; i < state->n_dependencies; i++) {
		uint32_t on =
			residency->contents->resource->dependencies[state->first_dependency + i];
		if (on >= residency->contents->n_pages || !residency->installed[on])
			return false;
	}
	return true;
}

bool cs_residency_can_uninstall(const struct cs_residency *residency, uint32_t page)
{
	if (page < CS_ROOT_PAGES)
		return false;
	for (uint32_t other = page + 1; other < residency->contents->n_pages; other++) {
		const struct cs_nanite_page_state *state =
			&residency->contents->resource->pages[other];
		for (uint32_t i = 0; residency->installed[other] && i < state->n_dependencies; i++)
			if (residency->contents->resource
					->dependencies[state->first_dependency + i] == page)
				return false;
	}
	return true;
}

/* ---- groups that are loaded with all their ancestors (effective rule) ---- */

static bool pages_are_installed(
	const struct cs_residency *residency, const struct cs_model_group *group)
{
	for (uint32_t i = 0; i < group->n_parts; i++)
		if (!residency->installed[CS_GROUP_PART(residency->contents, group, i)->page])
			return false;
	return true;
}

static void set_group(
	struct cs_residency *residency, const struct cs_model_group *group, bool loaded)
{
	for (uint32_t i = 0; i < group->n_parts; i++)
		residency->part_loaded[residency->contents->group_parts[group->first_part + i]] =
			loaded;
	for (uint32_t i = 0; i < group->n_parents; i++)
		residency->leaf[residency->contents->parents[group->first_parent + i]] = !loaded;
}

struct cs_error *cs_residency_make_effective(struct cs_residency *residency)
{
	const struct cs_nanite_contents *contents = residency->contents;
	uint32_t *order = cs_coarse_first(contents->groups, contents->n_groups);
	bool *effective = calloc(contents->n_groups + 1, sizeof(*effective));
	bool ok = order && effective;
	/* The coarsest groups come first, so the groups of all parents are already decided. */
	for (size_t i = 0; ok && i < contents->n_groups; i++) {
		uint32_t g = order[i];
		const struct cs_model_group *group = &contents->groups[g];
		effective[g] = pages_are_installed(residency, group);
		for (uint32_t k = 0; k < group->n_parents; k++) {
			uint32_t parent = contents->parents[group->first_parent + k];
			effective[g] = effective[g] && effective[contents->clusters[parent].group];
		}
		set_group(residency, group, effective[g]);
	}
	for (size_t i = 0; ok && i < contents->n_clusters; i++)
		if (contents->clusters[i].maker == CS_NONE)
			residency->leaf[i] = true;
	free(order);
	free(effective);
	return ok ? NULL : cs_error_nomem();
}

/* ---- drawing a view ---- */

struct cs_error *cs_drawn_init(const struct cs_nanite_contents *contents, struct cs_drawn *ret)
{
	*ret = (struct cs_drawn){.cluster = calloc(contents->n_clusters + 1, sizeof(bool)),
		.wanted = calloc(contents->n_parts + 1, sizeof(bool))};
	if (ret->cluster && ret->wanted)
		return NULL;
	cs_drawn_deinit(ret);
	return cs_error_nomem();
}

void cs_drawn_deinit(struct cs_drawn *drawn)
{
	free(drawn->cluster);
	free(drawn->wanted);
	*drawn = (struct cs_drawn){0};
}

bool cs_nanite_acceptable(
	const struct cs_nanite_view *view, float error, const float centre[3], float radius)
{
	double distance2 = 0;
	if (isinf(error)) /* a root group has no coarser cluster */
		return false;
	if (view->uniform)
		return (double)error <= view->threshold;
	for (unsigned axis = 0; axis < 3; axis++) {
		double d = (double)centre[axis] - view->eye[axis];
		distance2 += d * d;
	}
	double distance = fmax(view->near, sqrt(distance2) - (double)radius);
	return (double)error * view->pixels <= view->threshold * distance;
}

struct traversal {
	const struct cs_residency *residency;
	const struct cs_nanite_view *view;
	struct cs_drawn *drawn;
	float half_unit;
};

/*
 * Returns whether the traversal can skip the slot, because the parents of its groups, which are
 * coarser, have errors small enough to be drawn.
 */
static bool slot_is_fine(
	const struct traversal *traversal, const struct cs_nanite_node *node, unsigned slot)
{
	return cs_nanite_acceptable(traversal->view,
		traversal->half_unit * cs_half_value(node->box[slot].max_parent_error),
		node->lod[slot].centre, node->lod[slot].radius);
}

static void draw_part(const struct traversal *traversal, uint32_t part)
{
	if (part == CS_NONE)
		return;
	const struct cs_model_part *row = &traversal->residency->contents->parts[part];
	traversal->drawn->wanted[part] = true;
	if (!traversal->residency->part_loaded[part])
		return;
	for (uint32_t i = 0; i < row->n_clusters; i++) {
		uint32_t index = row->first_cluster + i;
		const struct cs_model_cluster *cluster =
			&traversal->residency->contents->clusters[index];
		traversal->drawn->cluster[index] =
			traversal->residency->leaf[index] ||
			cs_nanite_acceptable(traversal->view, cluster->lod_error,
				cluster->lod_centre, cluster->lod_radius);
	}
}

/* largest number of slots that wait to be visited, 8 on each level of the tree */
enum { MOST_PENDING = CS_TREE_DEPTH * CS_NODE_SLOTS };

void cs_residency_draw(const struct cs_residency *residency, const struct cs_nanite_view *view,
	struct cs_drawn *drawn)
{
	const struct cs_nanite *resource = residency->contents->resource;
	memset(drawn->cluster, 0, residency->contents->n_clusters * sizeof(*drawn->cluster));
	memset(drawn->wanted, 0, residency->contents->n_parts * sizeof(*drawn->wanted));
	const struct traversal traversal = {residency, view, drawn, cs_nanite_half_unit(resource)};
	for (size_t mesh = 0; mesh < resource->n_roots; mesh++) {
		uint32_t pending[MOST_PENDING], n = 0;
		pending[n++] = resource->roots[mesh];
		while (n > 0) {
			uint32_t index = pending[--n];
			const struct cs_nanite_node *node = &resource->nodes[index];
			for (unsigned slot = 0; slot < CS_NODE_SLOTS; slot++) {
				uint32_t part =
					residency->slot_part[(size_t)index * CS_NODE_SLOTS + slot];
				if (node->pages[slot] == 0 || slot_is_fine(&traversal, node, slot))
					continue;
				if (node->pages[slot] != CS_INNER_SLOT)
					draw_part(&traversal, part);
				else if (n < MOST_PENDING)
					pending[n++] =
						resource->roots[mesh] + node->extent[slot].child;
			}
		}
	}
}
