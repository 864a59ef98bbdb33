/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns the walk through the hierarchies. A slot is entered while the parents of the groups below it
 * are not fine enough. A leaf that is reached is wanted, and drawn when it is loaded: each of its
 * clusters that is fine enough, or that has no finer clusters loaded in its place. The same
 * comparison decides everywhere, so every piece of the surface is drawn once (nanite rules 3.1).
 */
#include "nanite/paging/paging_internal.h"
#include "nanite/residency/residency.h"

#include <math.h>

struct look {
	struct cs_pager *p;
	uint32_t camera;
	const struct cs_run_camera *from;
	const struct cs_run_instance *instance;
	const struct cs_run_resource *r;
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

/* ---- wanting ---- */

static bool needs_pages(const struct cs_run_resource *r, const struct cs_model_group *group)
{
	for (uint32_t i = 0; i < group->n_pages && i < r->model->n_pages; i++)
		if (group->first_page + i < r->model->n_pages &&
			!r->model->pages[group->first_page + i].root)
			return true;
	return false;
}

/* Makes one request for each group and frame, with the largest priority of all views. */
static void want(struct look *l, uint32_t group, double pixels)
{
	struct cs_pager *p = l->p;
	size_t row = l->r->group + group;
	float priority = (float)fmin(pixels / l->view.threshold, 1e30);
	if (!needs_pages(l->r, &l->r->model->groups[group]))
		return;
	if (p->asked[row] == p->frame && p->frame) {
		struct cs_pager_request *request = &p->queue.at[p->ask[row]];
		if (priority > request->priority) {
			request->priority = priority;
			request->camera = l->camera;
		}
		return;
	}
	const struct cs_pager_request request = {
		.due = p->frame + (uint64_t)p->settings[CS_PAGER_REQUEST_LATENCY],
		.resource = (uint32_t)(l->r - p->resources),
		.group = group,
		.camera = l->camera,
		.page = CS_NONE,
		.priority = priority,
	};
	p->asked[row] = p->frame;
	p->ask[row] = (uint32_t)p->queue.n;
	p->failed = !cs_vec_push(&p->queue, request) || p->failed;
	p->now.requests++;
}

/* ---- drawing ---- */

/* Returns whether, by the effective rule, no finer clusters are loaded in its place. */
static bool is_leaf(const struct look *l, const struct cs_model_cluster *cluster)
{
	return cluster->maker == CS_NONE || !l->p->effective[l->r->group + cluster->maker];
}

static void paging_view_draw(struct look *l, uint32_t index, bool fine)
{
	struct cs_pager *p = l->p;
	const struct cs_model_cluster *cluster = &l->r->model->clusters[index];
	uint64_t *drawn = &p->drawn[l->r->cluster + index];
	double pixels = cs_run_pixels(
		&l->view, cluster->lod_error, cluster->lod_centre, cluster->lod_radius);
	uint32_t level = cluster->level < CS_PAGER_LEVELS ? cluster->level : CS_PAGER_LEVELS - 1;
	*drawn = *drawn / 2 == p->frame ? *drawn | !fine : 2 * p->frame + !fine;
	p->now.clusters++;
	p->now.triangles += cluster->n_triangles;
	p->now.coarse += !fine;
	p->now.levels[level]++;
	p->now.worst = fmax(p->now.worst, pixels);
}

static void paging_view_draw_part(struct look *l, uint32_t index)
{
	struct cs_pager *p = l->p;
	const struct cs_model_part *part = &l->r->model->parts[index];
	bool counts = part->group != CS_NONE && p->effective[l->r->group + part->group];
	bool loaded = p->loaded[l->r->part + index];
	bool literal = p->settings[CS_PAGER_LITERAL] > 0;
	if (!counts && !loaded)
		return;
	for (uint32_t i = 0; i < part->n_clusters; i++) {
		uint32_t at = part->first_cluster + i;
		const struct cs_model_cluster *c = &l->r->model->clusters[at];
		bool fine =
			cs_nanite_acceptable(&l->view, c->lod_error, c->lod_centre, c->lod_radius);
		bool by_groups = counts && (fine || is_leaf(l, c));
		bool by_fixups = loaded && (fine || p->leaf[l->r->cluster + at]);
		p->now.overlaps += by_fixups && !by_groups;
		p->now.holes += by_groups && !by_fixups;
		if (literal ? by_fixups : by_groups)
			paging_view_draw(l, at, fine || c->maker == CS_NONE);
	}
}

/* ---- walking ---- */

static void visit_slot(struct look *l, const struct cs_model_slot *slot)
{
	struct cs_pager *p = l->p;
	if (!cs_run_sees(p, l->from, l->instance, slot->box_centre, slot->box_extent))
		return;
	p->now.slots++;
	if (cs_nanite_acceptable(&l->view, slot->max_parent_error, slot->centre, slot->radius))
		return;
	if (slot->child != CS_NONE) {
		p->now.inner++;
		p->failed = !cs_vec_push(&p->stack, slot->child) || p->failed;
		return;
	}
	if (slot->part == CS_NONE)
		return;
	p->now.leaves++;
	uint32_t group = l->r->model->parts[slot->part].group;
	if (group != CS_NONE)
		want(l, group,
			cs_run_pixels(
				&l->view, slot->max_parent_error, slot->centre, slot->radius));
	paging_view_draw_part(l, slot->part);
}

/* A node is entered only from its parent, so the walk ends for any file. */
static void walk(struct look *l)
{
	const struct cs_model *m = l->r->model;
	struct cs_pager *p = l->p;
	p->stack.n = 0;
	for (size_t i = 0; i < m->n_roots; i++)
		if (m->roots[i] < m->n_nodes && (i == 0 || m->roots[i] != m->roots[i - 1]))
			p->failed = !cs_vec_push(&p->stack, m->roots[i]) || p->failed;
	while (p->stack.n > 0 && !p->failed) {
		uint32_t index = p->stack.at[--p->stack.n];
		const struct cs_model_node *node = &m->nodes[index];
		for (uint32_t s = node->first_slot; s < node->first_slot + node->n_slots; s++) {
			uint32_t child = m->slots[s].child;
			if (child == CS_NONE || (child < m->n_nodes && m->nodes[child].parent == s))
				visit_slot(l, &m->slots[s]);
		}
	}
}

void cs_run_look(struct cs_pager *p)
{
	for (uint32_t camera = 0; camera < p->cameras.n; camera++) {
		struct cs_run_camera *from = &p->cameras.at[camera];
		cs_run_camera_move(from, p->time);
		for (size_t i = 0; i < p->instances.n; i++) {
			if (p->instances.at[i].hidden)
				continue;
			struct look look = {.p = p,
				.camera = camera,
				.from = from,
				.instance = &p->instances.at[i],
				.r = &p->resources[p->instances.at[i].at.resource]};
			look.view = cs_run_view(p, from, look.instance);
			walk(&look);
		}
	}
}
