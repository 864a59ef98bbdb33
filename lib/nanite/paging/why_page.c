/* SPDX-License-Identifier: Apache-2.0 */
/* Explains why a page is loaded or not, lists the pages it needs, simulates other pool sizes. */
#include "nanite/paging/paging_internal.h"

#include "core/job.h"
#include "nanite/paging/pager_inside.h"

#include <math.h>
#include <string.h>

/* ---- why a page is loaded or not ---- */

/* Returns whether the camera sees the box of a part's slot, or true for a part without a slot. */
static bool part_is_in_view(const struct cs_pager *pager, const struct cs_run_resource *resource,
	uint32_t part, const struct cs_run_instance *instance, uint32_t camera)
{
	const struct cs_model *model = resource->model;
	const uint32_t slot = model->parts[part].slot;
	return slot >= model->n_slots ||
	       cs_run_sees(pager, &pager->cameras.at[camera], instance,
		       model->slots[slot].box_centre, model->slots[slot].box_extent);
}

/*
 * Finds the group of the page whose parents have the largest error in pixels in the view of a
 * camera. If any group of the page is inside the view, only groups inside the view count.
 */
static void why_page_look_at(const struct cs_pager *pager, const struct cs_run_page *page,
	const struct cs_run_instance *instance, uint32_t camera, struct cs_page_reason *ret)
{
	const struct cs_run_resource *resource = &pager->resources[page->resource];
	const struct cs_model_page *at = &resource->model->pages[page->page];
	const struct cs_nanite_view view = cs_run_view(pager, &pager->cameras.at[camera], instance);
	for (uint32_t k = 0; k < at->n_parts; k++) {
		uint32_t g = resource->model->parts[at->first_part + k].group;
		if (g == CS_NONE)
			continue;
		const struct cs_model_group *group = &resource->model->groups[g];
		const uint32_t part = at->first_part + k;
		const bool in_view = part_is_in_view(pager, resource, part, instance, camera);
		double pixels =
			cs_run_pixels(&view, group->max_parent_error, group->centre, group->radius);
		if (ret->group != CS_NONE &&
			(in_view == ret->in_view ? !(pixels > ret->pixels) : ret->in_view))
			continue;
		ret->pixels = pixels;
		ret->in_view = in_view;
		ret->group = g;
		ret->camera = camera;
		ret->tag = instance->at.tag;
	}
}

/*
 * Counts the instances of the page's resource. Finds the group of the page whose parents have the
 * largest error in pixels, for visible instances, or for all if none is visible.
 */
static void nearest_group(
	const struct cs_pager *pager, const struct cs_run_page *page, struct cs_page_reason *ret)
{
	for (size_t i = 0; i < pager->instances.n; i++) {
		bool own = pager->instances.at[i].at.resource == page->resource;
		ret->instances += own;
		ret->shown += own && !pager->instances.at[i].hidden;
	}
	for (uint32_t camera = 0; camera < pager->cameras.n; camera++)
		for (size_t i = 0; i < pager->instances.n; i++)
			if (pager->instances.at[i].at.resource == page->resource &&
				(ret->shown == 0 || !pager->instances.at[i].hidden))
				why_page_look_at(pager, page, &pager->instances.at[i], camera, ret);
}

static enum cs_page_why why_page_decide(
	const struct cs_pager *pager, const struct cs_run_page *page)
{
	const struct cs_page_status *status = &page->status;
	bool wanted = pager->frame > 0 && page->wanted == pager->frame;
	switch (status->state) {
	case CS_PAGE_ROOT:
		return CS_WHY_ROOT;
	case CS_PAGE_RESIDENT:
		return wanted ? CS_WHY_WANTED : CS_WHY_KEPT;
	case CS_PAGE_LOADING:
		return CS_WHY_LOADING;
	default:
		break;
	}
	/* a page that was evicted after the requests of this frame is not reported as pending */
	if (wanted && (status->blocked || status->evicted < pager->frame))
		return status->blocked ? CS_WHY_NO_SLOT : CS_WHY_PENDING;
	return status->evicted ? CS_WHY_EVICTED : CS_WHY_UNWANTED;
}

struct cs_page_reason cs_pager_why_page(const struct cs_pager *pager, size_t row)
{
	const struct cs_run_page *page = &pager->pages[row];
	struct cs_page_reason reason = {.why = why_page_decide(pager, page),
		.status = page->status,
		.group = CS_NONE,
		.camera = CS_NONE,
		.tag = CS_NONE,
		.pixels = NAN,
		.threshold = pager->settings.threshold / pager->quality};
	nearest_group(pager, page, &reason);
	return reason;
}

/* ---- order in which pages must be installed ---- */

struct cs_error *cs_page_order(const struct cs_inspector *inspector, const struct cs_pager *pager,
	uint32_t resource, uint32_t page, struct cs_page_order *ret)
{
	const struct cs_model *model = cs_inspector_models(inspector).at[resource];
	struct cs_page_order order = {.blocker = CS_NONE};
	size_t all;
	struct cs_error *error =
		cs_model_closure(model, page, CS_CLOSURE_GROUPS, &order.pages, &all);
	if (error)
		return error;
	for (size_t i = 0; i < all; i++) {
		const uint32_t p = order.pages[i];
		uint32_t missing;
		if (model->pages[p].root)
			continue;
		order.pages[order.n++] = p;
		if (p != page && order.blocker == CS_NONE &&
			cs_pages_missing(inspector, pager, resource, &p, 1, &missing) > 0)
			order.blocker = p;
	}
	*ret = order;
	return NULL;
}

/* ---- simulating pools of other sizes ---- */

static struct cs_error *copy_views(const struct cs_pager *from, struct cs_pager *to)
{
	to->settings = from->settings;
	to->instances.n = 0;
	if (!cs_vec_append(&to->instances, from->instances.at, from->instances.n))
		return cs_error_nomem();
	for (size_t i = 0; i < from->cameras.n; i++) {
		char *text = cs_camera_input(&from->cameras.at[i].camera);
		struct cs_error *error = text ? cs_pager_input(to, text) : cs_error_nomem();
		free(text);
		if (error)
			return error;
	}
	return NULL;
}

static void add_frame(const struct cs_page_frame *now, struct cs_pager_sweep *sum)
{
	sum->requests += now->pages;
	sum->hits += now->resident;
	sum->issued += now->issued;
	sum->evicted += now->evicted;
	sum->thrash += now->thrash;
	sum->bytes_read += now->bytes_read;
	sum->coarse_frames += now->coarse > 0;
	sum->peak = now->used > sum->peak ? now->used : sum->peak;
	sum->worst = now->worst;
	/* in frame 1 no request has taken effect, so nothing can be missing */
	if (!now->stable || now->frame <= 1)
		sum->stable = 0;
	else if (sum->stable == 0)
		sum->stable = now->frame;
}

struct cs_error *cs_pager_try(const struct cs_pager *from, double pool, uint64_t frames,
	uint64_t length, const struct cs_job *job, struct cs_pager_sweep *ret)
{
	struct cs_pager_sweep sum = {.pool = pool, .frames = frames};
	struct cs_pager *pager;
	struct cs_error *error = cs_pager_new(from->inspector, NULL, &pager);
	if (error)
		return error;
	error = copy_views(from, pager);
	pager->settings.pool = pool;
	for (uint64_t frame = 1; !error && frame <= frames; frame++) {
		error = cs_pager_frame(pager, frame, frame * length, length);
		if (!error)
			error = cs_job_check(job);
		add_frame(&pager->now, &sum);
	}
	cs_pager_free(pager);
	sum.hit_rate = sum.requests ? (double)sum.hits / (double)sum.requests : CS_NO_NUMBER;
	if (!error)
		*ret = sum;
	return error;
}

struct cs_error *cs_pager_try_range(const struct cs_pager *pager, uint64_t first, uint64_t last,
	uint64_t frames, uint64_t length, const struct cs_job *job,
	struct cs_pager_sweep rows_ret[CS_PAGER_SWEEPS], size_t *n_ret)
{
	struct cs_error *error = NULL;
	const uint64_t step = first <= last ? (last - first) / CS_PAGER_SWEEPS + 1 : 1;
	const size_t n = first <= last ? (size_t)((last - first) / step + 1) : 0;
	for (size_t i = 0; i < n && !error; i++)
		error = cs_pager_try(
			pager, (double)(first + i * step), frames, length, job, &rows_ret[i]);
	if (!error)
		*n_ret = n;
	return error;
}
