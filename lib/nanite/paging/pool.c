/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Manages the pool of pages. Requests that are due become wanted pages, each with the largest
 * priority of its requests. The pages that a page depends on are wanted too, with a priority that
 * is larger by one, so that they are read first and removed last. Wanted pages that are loaded are
 * marked as used. Missing pages get slots in the order of falling priority; ties are broken by
 * resource and page. A page gets a free slot or replaces another page: the one that was used
 * longest ago (without the setting lru: loaded longest ago), among those that are not wanted in
 * this frame and that no page with a slot depends on. If there is none, the remaining pages wait
 * for the next frame. Reads share the bandwidth in the order in which they started. Completed reads
 * are installed in a later frame (nanite rules 3.2).
 */
#include "nanite/paging/paging_internal.h"

#include "core/cursor.h"
#include "core/sort.h"

#include <math.h>

enum { THRASH_FRAMES = 60, BY_HAND = 1 << 20 };

/* ---- the list of installed pages, in the order of removal ---- */

static void unlink_page(struct cs_pager *pager, uint32_t row)
{
	struct cs_run_page *page = &pager->pages[row];
	*(page->before == CS_NONE ? &pager->first : &pager->pages[page->before].after) =
		page->after;
	*(page->after == CS_NONE ? &pager->last : &pager->pages[page->after].before) = page->before;
}

static void append_page(struct cs_pager *pager, uint32_t row)
{
	struct cs_run_page *page = &pager->pages[row];
	page->before = pager->last;
	page->after = CS_NONE;
	*(pager->last == CS_NONE ? &pager->first : &pager->pages[pager->last].after) = row;
	pager->last = row;
}

/* ---- slots of the pool ---- */

static void hold_needs(struct cs_pager *pager, uint32_t row, bool hold)
{
	const struct cs_run_page *page = &pager->pages[row];
	const struct cs_model *model = pager->resources[page->resource].model;
	for (uint32_t i = model->dependency_first[page->page];
		i < model->dependency_first[page->page + 1]; i++) {
		uint32_t *holders =
			&pager->pages[cs_run_row(pager, page->resource, model->dependencies[i])]
				 .holders;
		*holders = hold ? *holders + 1 : *holders - 1;
	}
}

static void pool_leave(struct cs_pager *pager, uint32_t row, uint32_t taker)
{
	struct cs_run_page *page = &pager->pages[row];
	unlink_page(pager, row);
	cs_run_uninstall(pager, row);
	hold_needs(pager, row, false);
	page->status.state = CS_PAGE_ABSENT;
	page->status.since = page->status.evicted = pager->frame;
	page->status.evicted_for = taker;
	page->status.evictions++;
	pager->used--;
	pager->now.evicted++;
	cs_run_tell(pager, CS_PAGE_EVICTED, page->resource, page->page);
}

struct cs_error *cs_run_evict(struct cs_pager *pager, uint32_t row)
{
	const struct cs_run_page *page = &pager->pages[row];
	if (page->status.state == CS_PAGE_ROOT)
		return cs_error_new(CS_E_MISSING,
			"page %u is a root page: it is always in memory, so it cannot be evicted",
			page->page);
	if (page->status.state != CS_PAGE_RESIDENT)
		return cs_error_new(CS_E_MISSING,
			"page %u of resource %u (both counted from 0) is not in the pool, so it "
			"cannot be evicted; `pages -w \"state = 'resident'\"` lists the resident "
			"pages",
			page->page, page->resource);
	if (page->holders)
		return cs_error_new(CS_E_USAGE,
			"%u other page%s in the pool need%s page %u: evict the other pages first "
			"(`rdeps %u` lists them)",
			page->holders, page->holders == 1 ? "" : "s", page->holders == 1 ? "s" : "",
			page->page, page->page);
	pool_leave(pager, row, CS_NONE);
	return NULL;
}

/* Makes room for page `taker`, removing a page if needed. Returns false if none may be removed. */
static bool pool_make_room(struct cs_pager *pager, uint32_t taker)
{
	if (pager->used < pager->settings.pool)
		return true;
	for (uint32_t row = pager->first; row != CS_NONE; row = pager->pages[row].after) {
		const struct cs_run_page *page = &pager->pages[row];
		if (page->holders || page->wanted == pager->frame)
			continue;
		pool_leave(pager, row, taker);
		return true;
	}
	return false;
}

/* ---- reads of pages ---- */

static uint64_t nanoseconds(double seconds)
{
	return (uint64_t)fmin(seconds * 1e9, 0x1p62);
}

static void begin_read(struct cs_pager *pager, uint32_t row)
{
	struct cs_run_page *page = &pager->pages[row];
	uint32_t bytes = pager->resources[page->resource].model->pages[page->page].disk_bytes;
	double bandwidth = pager->settings.bandwidth;
	uint64_t begin =
		bandwidth > 0 && pager->io_free > pager->time ? pager->io_free : pager->time;
	pager->io_free = begin + (bandwidth > 0 ? nanoseconds(bytes / bandwidth) : 0);
	page->status.ready = pager->io_free + nanoseconds(pager->settings.latency);
	page->read = pager->reads++;
	pager->now.bytes_read += bytes;
}

static void issue(struct cs_pager *pager, uint32_t row)
{
	struct cs_run_page *page = &pager->pages[row];
	pager->now.thrash +=
		page->status.evicted && pager->frame - page->status.evicted <= THRASH_FRAMES;
	page->status.state = CS_PAGE_LOADING;
	page->status.since = pager->frame;
	page->status.priority = page->priority;
	page->status.camera = page->camera;
	page->status.group = page->group;
	page->status.via = page->via;
	page->status.asked = pager->frame;
	pager->used++;
	pager->now.issued++;
	hold_needs(pager, row, true);
	begin_read(pager, row);
	cs_vec_push_in(pager, loading, row);
	cs_run_tell(pager, CS_PAGE_REQUESTED, page->resource, page->page);
}

/* ---- wanted pages ---- */

struct cause {
	uint32_t camera, group, via;
};

static void want_page(
	struct cs_pager *pager, uint32_t row, float priority, struct cause cause, bool *again)
{
	struct cs_run_page *page = &pager->pages[row];
	*again = false;
	if (page->status.state == CS_PAGE_ROOT)
		return;
	if (page->wanted != pager->frame) {
		page->wanted = pager->frame;
		page->priority = -1;
		cs_vec_push_in(pager, wanted, row);
	}
	if (priority <= page->priority)
		return;
	page->priority = priority;
	page->via = cause.via;
	page->camera = cause.camera;
	page->group = cause.group;
	*again = true;
}

/*
 * Marks as wanted a page and, recursively, all pages that it depends on. A page already marked in
 * this frame is processed again only if the new priority is higher.
 */
static void want_all(struct cs_pager *pager, uint32_t row, float priority, struct cause cause)
{
	bool again;
	want_page(pager, row, priority, cause, &again);
	pager->stack.n = 0;
	pager->failed = (again && !cs_vec_push(&pager->stack, row)) || pager->failed;
	while (pager->stack.n > 0 && !pager->failed) {
		uint32_t at = pager->stack.at[--pager->stack.n];
		const struct cs_run_page *page = &pager->pages[at];
		const struct cs_model *model = pager->resources[page->resource].model;
		struct cause next = {page->camera, page->group, page->page};
		for (uint32_t i = model->dependency_first[page->page];
			i < model->dependency_first[page->page + 1]; i++) {
			/* dependencies on later pages could form cycles, so they are skipped */
			if (model->dependencies[i] >= page->page)
				continue;
			uint32_t on =
				(uint32_t)cs_run_row(pager, page->resource, model->dependencies[i]);
			want_page(pager, on, pager->pages[at].priority + 1, next, &again);
			pager->failed = (again && !cs_vec_push(&pager->stack, on)) || pager->failed;
		}
	}
}

static void act(struct cs_pager *pager, const struct cs_pager_request *request)
{
	const struct cs_run_resource *resource = &pager->resources[request->resource];
	struct cause cause = {request->camera, request->group, CS_NONE};
	if (request->group == CS_NONE) {
		want_all(pager, (uint32_t)(resource->page + request->page), BY_HAND, cause);
		return;
	}
	const struct cs_model_group *group = &resource->model->groups[request->group];
	for (uint32_t i = 0; i < group->n_pages && i < resource->model->n_pages; i++)
		if (group->first_page + i < resource->model->n_pages)
			want_all(pager, (uint32_t)(resource->page + group->first_page + i),
				request->priority, cause);
}

/* Processes the requests that are due, and moves the others to the front of the queue. */
static void take_requests(struct cs_pager *pager)
{
	size_t kept = 0, n = pager->queue.n;
	pager->wanted.n = 0;
	for (size_t i = 0; i < n; i++)
		if (pager->queue.at[i].due <= pager->frame)
			act(pager, &pager->queue.at[i]);
	for (size_t i = 0; i < n; i++)
		if (pager->queue.at[i].due > pager->frame)
			pager->queue.at[kept++] = pager->queue.at[i];
	pager->queue.n = kept;
}

/* Sorts wanted pages by falling priority, then by row. Returns false when memory runs out. */
static bool sort_wanted(struct cs_pager *pager)
{
	struct cs_sort_key *keys = malloc((pager->wanted.n + 1) * sizeof(*keys));
	if (!keys)
		return false;
	for (size_t i = 0; i < pager->wanted.n; i++)
		keys[i] = (struct cs_sort_key){
			.high = UINT32_MAX -
				cs_bits_of_float(pager->pages[pager->wanted.at[i]].priority),
			.low = pager->wanted.at[i],
			.index = pager->wanted.at[i]};
	bool ok = cs_sort_keys(keys, pager->wanted.n);
	for (size_t i = 0; ok && i < pager->wanted.n; i++)
		pager->wanted.at[i] = keys[i].index;
	free(keys);
	return ok;
}

/*
 * Marks wanted pages as used, in the order of rising priority. So the page with the highest
 * priority is the last to be removed.
 */
static void use_pages(struct cs_pager *pager)
{
	for (size_t i = pager->wanted.n; i-- > 0;) {
		uint32_t row = pager->wanted.at[i];
		struct cs_run_page *page = &pager->pages[row];
		page->status.requests++;
		page->status.last_used = pager->frame;
		page->status.blocked = false;
		pager->now.max_priority = fmaxf(pager->now.max_priority, page->priority);
		pager->now.min_priority = i + 1 == pager->wanted.n
						  ? page->priority
						  : fminf(pager->now.min_priority, page->priority);
		if (page->status.state != CS_PAGE_RESIDENT) {
			pager->now.missing++;
			continue;
		}
		pager->now.resident++;
		if (pager->settings.lru > 0) {
			unlink_page(pager, row);
			append_page(pager, row);
		}
	}
}

/*
 * Removes pages when the pool became smaller: first pages that are not wanted, beginning with the
 * one that was used longest ago, then wanted pages, beginning with the lowest priority. The pool
 * then contains the pages that it would contain if it had always been this small. A page is removed
 * before the pages that it depends on, because these have a higher priority.
 */
static void shrink(struct cs_pager *pager)
{
	/* a page that is removed may have been the last to need a page earlier in the list */
	for (uint32_t before = CS_NONE, next; before != pager->used;) {
		before = pager->used;
		for (uint32_t row = pager->first;
			row != CS_NONE && pager->used > pager->settings.pool; row = next) {
			const struct cs_run_page *page = &pager->pages[row];
			next = page->after;
			if (!page->holders && page->wanted != pager->frame)
				pool_leave(pager, row, CS_NONE);
		}
	}
	for (size_t i = pager->wanted.n; i-- > 0 && pager->used > pager->settings.pool;) {
		const struct cs_run_page *page = &pager->pages[pager->wanted.at[i]];
		if (page->status.state == CS_PAGE_RESIDENT && !page->holders)
			pool_leave(pager, pager->wanted.at[i], CS_NONE);
	}
}

static void claim_slots(struct cs_pager *pager)
{
	bool full = false;
	for (size_t i = 0; i < pager->wanted.n; i++) {
		uint32_t row = pager->wanted.at[i];
		struct cs_run_page *page = &pager->pages[row];
		if (page->status.state != CS_PAGE_ABSENT)
			continue;
		if (!full && pager->loading.n >= pager->settings.pending) {
			pager->now.dropped++;
			continue;
		}
		if (!full && pool_make_room(pager, row)) {
			issue(pager, row);
			continue;
		}
		if (!full && !pager->was_full)
			cs_run_tell(pager, CS_PAGE_POOL_FULL, page->resource, page->page);
		full = page->status.blocked = true;
		pager->now.dropped++;
	}
	pager->was_full = full;
}

/* Adapts the quality (inverse of the allowed error) to the ratio of wanted pages to pool slots. */
static void adapt(struct cs_pager *pager)
{
	const double most = 0.85, least = 0.70, step = 0.97, worst = 0.3;
	const double before = pager->quality;
	double part = pager->settings.pool > 0 ? (double)pager->wanted.n / pager->settings.pool : 1;
	if (!(pager->settings.quality > 0))
		pager->quality = 1;
	else if (part > most)
		pager->quality = fmax(worst, pager->quality * step);
	else if (part < least)
		pager->quality = fmin(1, pager->quality / step);
	if (before >= 1 && pager->quality < 1)
		cs_run_tell(pager, CS_PAGE_QUALITY_DROP, CS_NONE, CS_NONE);
}

void cs_run_requests(struct cs_pager *pager)
{
	take_requests(pager);
	pager->now.pages = (uint32_t)pager->wanted.n;
	if (pager->failed || !sort_wanted(pager)) {
		pager->failed = true;
		return;
	}
	shrink(pager);
	use_pages(pager);
	claim_slots(pager);
	adapt(pager);
}

/* ---- installing pages that were read ---- */

static bool needs_are_there(const struct cs_pager *pager, uint32_t row)
{
	const struct cs_run_page *page = &pager->pages[row];
	const struct cs_model *model = pager->resources[page->resource].model;
	for (uint32_t i = model->dependency_first[page->page];
		i < model->dependency_first[page->page + 1]; i++)
		if (model->dependencies[i] < page->page &&
			!pager->installed[cs_run_row(
				pager, page->resource, model->dependencies[i])])
			return false;
	return true;
}

static void finish_read(struct cs_pager *pager, uint32_t row)
{
	struct cs_run_page *page = &pager->pages[row];
	uint32_t bytes = pager->resources[page->resource].model->pages[page->page].gpu_bytes;
	page->status.state = CS_PAGE_RESIDENT;
	page->status.since = pager->frame;
	page->status.installs++;
	append_page(pager, row);
	cs_run_install(pager, row);
	pager->now.installed++;
	pager->now.bytes_installed += bytes == CS_NONE ? 0 : bytes;
	cs_run_tell(pager, CS_PAGE_INSTALLED, page->resource, page->page);
}

/*
 * Installs pages in read order, and starts over while installed pages let others be installed. No
 * read that began in this frame is complete, even if it takes no time.
 */
void cs_run_installs(struct cs_pager *pager)
{
	bool progress = true;
	while (progress && pager->now.installed < pager->settings.installs) {
		size_t kept = 0;
		progress = false;
		for (size_t i = 0; i < pager->loading.n; i++) {
			uint32_t row = pager->loading.at[i];
			const struct cs_page_status *status = &pager->pages[row].status;
			if (status->ready <= pager->time && status->asked < pager->frame &&
				pager->now.installed < pager->settings.installs &&
				needs_are_there(pager, row)) {
				finish_read(pager, row);
				progress = true;
			} else {
				pager->loading.at[kept++] = row;
			}
		}
		pager->loading.n = kept;
	}
}
