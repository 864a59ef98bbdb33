/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walks through the hierarchies to find what a view requests and draws. A slot is entered if the
 * parents of its groups, which are coarser, have an error that is too large for the view. A leaf
 * slot that is reached is requested. When its part is loaded, a cluster of the part is drawn if its
 * error is small enough or if no loaded finer clusters replace it. The same comparison decides
 * everywhere, so every point of the surface is drawn once (nanite rules 3.1).
 */
#include "nanite/paging/paging_internal.h"
#include "nanite/residency/residency.h"

#include <math.h>
#include <string.h>

struct look {
	struct cs_pager *pager;
	uint32_t camera;
	const struct cs_run_camera *from;
	const struct cs_run_instance *instance;
	const struct cs_run_resource *resource;
	struct cs_nanite_view view;
};

double cs_run_pixels(
	const struct cs_nanite_view *view, float error, const float centre[3], float radius)
{
	double square = 0;
	for (unsigned axis = 0; axis < 3; axis++) {
		double d = (double)centre[axis] - view->eye[axis];
		square += d * d;
	}
	return (double)error * view->pixels / fmax(view->near, sqrt(square) - (double)radius);
}

/* ---- requests ---- */

static bool needs_pages(const struct cs_run_resource *resource, const struct cs_model_group *group)
{
	for (uint32_t i = 0; i < group->n_pages && i < resource->model->n_pages; i++)
		if (group->first_page + i < resource->model->n_pages &&
			!resource->model->pages[group->first_page + i].root)
			return true;
	return false;
}

/* Requests a group, once in a frame with the largest priority of all its requests. */
static void want(struct look *look, uint32_t group, double pixels)
{
	struct cs_pager *pager = look->pager;
	size_t row = look->resource->group + group;
	float priority = (float)fmin(pixels / look->view.threshold, 1e30);
	if (!needs_pages(look->resource, &look->resource->model->groups[group]))
		return;
	if (pager->asked[row] == pager->frame && pager->frame) {
		struct cs_pager_request *request = &pager->queue.at[pager->ask[row]];
		if (priority > request->priority) {
			request->priority = priority;
			request->camera = look->camera;
		}
		return;
	}
	const struct cs_pager_request request = {
		.due = pager->frame + (uint64_t)pager->settings.request_latency,
		.resource = (uint32_t)(look->resource - pager->resources),
		.group = group,
		.camera = look->camera,
		.page = CS_NONE,
		.priority = priority,
	};
	if (!cs_vec_push(&pager->queue, request)) {
		pager->failed = true;
		return;
	}
	pager->asked[row] = pager->frame;
	pager->ask[row] = (uint32_t)pager->queue.n - 1;
	pager->now.requests++;
}

/* ---- drawn clusters ---- */

/* Returns whether no finer clusters are loaded in place of the cluster (effective rule, rule.c). */
static bool is_leaf(const struct look *look, const struct cs_model_cluster *cluster)
{
	return cluster->maker == CS_NONE ||
	       !look->pager->effective[look->resource->group + cluster->maker];
}

static void paging_view_draw(struct look *look, uint32_t index, bool fine)
{
	struct cs_pager *pager = look->pager;
	const struct cs_model_cluster *cluster = &look->resource->model->clusters[index];
	uint8_t *drawn = &pager->drawn[look->resource->cluster + index];
	double pixels = cs_run_pixels(
		&look->view, cluster->lod_error, cluster->lod_centre, cluster->lod_radius);
	if (*drawn != CS_CLUSTER_COARSE)
		*drawn = fine ? CS_CLUSTER_DRAWN : CS_CLUSTER_COARSE;
	pager->now.clusters++;
	pager->now.triangles += cluster->n_triangles;
	pager->now.coarse += !fine;
	pager->now.worst = fmax(pager->now.worst, pixels);
}

static void paging_view_draw_part(struct look *look, uint32_t index)
{
	struct cs_pager *pager = look->pager;
	const struct cs_model_part *part = &look->resource->model->parts[index];
	bool counts =
		part->group != CS_NONE && pager->effective[look->resource->group + part->group];
	bool loaded = pager->loaded[look->resource->part + index];
	bool literal = pager->settings.literal > 0;
	if (!counts && !loaded)
		return;
	for (uint32_t i = 0; i < part->n_clusters; i++) {
		uint32_t at = part->first_cluster + i;
		const struct cs_model_cluster *cluster = &look->resource->model->clusters[at];
		bool fine = cs_nanite_acceptable(
			&look->view, cluster->lod_error, cluster->lod_centre, cluster->lod_radius);
		bool by_groups = counts && (fine || is_leaf(look, cluster));
		bool by_fixups = loaded && (fine || pager->leaf[look->resource->cluster + at]);
		pager->now.overlaps += by_fixups && !by_groups;
		pager->now.holes += by_groups && !by_fixups;
		if (literal ? by_fixups : by_groups)
			paging_view_draw(look, at, fine || cluster->maker == CS_NONE);
	}
}

/* ---- walking through a hierarchy ---- */

static void visit_slot(struct look *look, const struct cs_model_slot *slot)
{
	struct cs_pager *pager = look->pager;
	if (!cs_run_sees(pager, look->from, look->instance, slot->box_centre, slot->box_extent))
		return;
	pager->now.slots++;
	if (cs_nanite_acceptable(&look->view, slot->max_parent_error, slot->centre, slot->radius))
		return;
	if (slot->child != CS_NONE) {
		pager->now.inner++;
		cs_vec_push_in(pager, stack, slot->child);
		return;
	}
	if (slot->part == CS_NONE)
		return;
	pager->now.leaves++;
	uint32_t group = look->resource->model->parts[slot->part].group;
	if (group != CS_NONE)
		want(look, group,
			cs_run_pixels(
				&look->view, slot->max_parent_error, slot->centre, slot->radius));
	paging_view_draw_part(look, slot->part);
}

/*
 * Traverses the hierarchy. A node is entered only from the slot that is its parent, even if a
 * damaged file names it in several slots. So cycles do not make the loop endless.
 */
static void walk(struct look *look)
{
	const struct cs_model *model = look->resource->model;
	struct cs_pager *pager = look->pager;
	pager->stack.n = 0;
	for (size_t i = 0; i < model->n_roots; i++)
		if (model->roots[i] < model->n_nodes &&
			(i == 0 || model->roots[i] != model->roots[i - 1]))
			pager->failed =
				!cs_vec_push(&pager->stack, model->roots[i]) || pager->failed;
	while (pager->stack.n > 0 && !pager->failed) {
		uint32_t index = pager->stack.at[--pager->stack.n];
		const struct cs_model_node *node = &model->nodes[index];
		for (uint32_t s = node->first_slot; s < node->first_slot + node->n_slots; s++) {
			uint32_t child = model->slots[s].child;
			if (child == CS_NONE ||
				(child < model->n_nodes && model->nodes[child].parent == s))
				visit_slot(look, &model->slots[s]);
		}
	}
}

void cs_run_look(struct cs_pager *pager)
{
	memset(pager->drawn, CS_CLUSTER_HIDDEN, pager->n_clusters * sizeof(*pager->drawn));
	for (uint32_t camera = 0; camera < pager->cameras.n; camera++) {
		struct cs_run_camera *from = &pager->cameras.at[camera];
		cs_run_camera_move(from, pager->time);
		for (size_t i = 0; i < pager->instances.n; i++) {
			if (pager->instances.at[i].hidden)
				continue;
			struct look look = {.pager = pager,
				.camera = camera,
				.from = from,
				.instance = &pager->instances.at[i],
				.resource = &pager->resources[pager->instances.at[i].at.resource]};
			look.view = cs_run_view(pager, from, look.instance);
			walk(&look);
		}
	}
}
