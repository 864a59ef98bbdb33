/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns the pool. Requests that are due become pages, each with the largest priority of all that
 * want it. The pages in a page's list are wanted with one more, so that they are read first and
 * leave last. Loaded pages are used now. Missing pages claim slots, the most wanted first, and ties
 * are broken by resource and page. A slot comes from the free ones, or else from the page that was
 * used longest ago, not in this frame, and that no page with a slot needs. When there is none, the
 * other pages wait for the next frame. Reads share the bandwidth in the order in which they were
 * begun. Completed ones are installed at the beginning of a later frame (nanite rules 3.2).
 */
#include "nanite/paging/paging_internal.h"

#include "core/cursor.h"
#include "core/sort.h"

#include <math.h>

enum { THRASH_FRAMES = 60, BY_HAND = 1 << 20 };

/* ---- the list of pages that may leave ---- */

static void unlink_page(struct cs_pager *p, uint32_t row)
{
	struct cs_run_page *page = &p->pages[row];
	*(page->before == CS_NONE ? &p->first : &p->pages[page->before].after) = page->after;
	*(page->after == CS_NONE ? &p->last : &p->pages[page->after].before) = page->before;
}

static void append_page(struct cs_pager *p, uint32_t row)
{
	struct cs_run_page *page = &p->pages[row];
	page->before = p->last;
	page->after = CS_NONE;
	*(p->last == CS_NONE ? &p->first : &p->pages[p->last].after) = row;
	p->last = row;
}

/* ---- slots ---- */

static void hold_needs(struct cs_pager *p, uint32_t row, bool hold)
{
	const struct cs_run_page *page = &p->pages[row];
	const struct cs_model *m = p->resources[page->resource].model;
	if (!(m->known & CS_MODEL_DEPENDENCIES))
		return;
	for (uint32_t i = m->dependency_first[page->page]; i < m->dependency_first[page->page + 1];
		i++) {
		uint32_t *holders =
			&p->pages[cs_run_row(p, page->resource, m->dependencies[i])].holders;
		*holders = hold ? *holders + 1 : *holders - 1;
	}
}

static void pool_leave(struct cs_pager *p, uint32_t row, uint32_t taker)
{
	struct cs_run_page *page = &p->pages[row];
	unlink_page(p, row);
	cs_run_uninstall(p, row);
	hold_needs(p, row, false);
	page->status.state = CS_PAGE_ABSENT;
	page->status.since = page->status.evicted = p->frame;
	page->status.evicted_for = taker;
	page->status.evictions++;
	p->used--;
	p->now.evicted++;
	cs_run_tell(p, CS_PAGE_EVICTED, page->resource, page->page);
}

struct cs_error *cs_run_evict(struct cs_pager *p, uint32_t row)
{
	const struct cs_run_page *page = &p->pages[row];
	if (page->status.state == CS_PAGE_ROOT)
		return cs_error_new(
			CS_E_MISSING, "a root page is always there: it cannot be evicted");
	if (page->status.state != CS_PAGE_RESIDENT)
		return cs_error_new(CS_E_MISSING, "page %u is not there", page->page);
	if (page->holders)
		return cs_error_new(CS_E_USAGE, "%u page%s with a slot need%s page %u",
			page->holders, page->holders == 1 ? "" : "s", page->holders == 1 ? "s" : "",
			page->page);
	pool_leave(p, row, CS_NONE);
	return NULL;
}

/* Makes room for one page. Returns false when no page may leave. */
static bool pool_make_room(struct cs_pager *p, uint32_t taker)
{
	if (p->used < p->settings[CS_PAGER_POOL])
		return true;
	for (uint32_t row = p->first; row != CS_NONE; row = p->pages[row].after) {
		const struct cs_run_page *page = &p->pages[row];
		if (page->holders || page->wanted == p->frame)
			continue;
		pool_leave(p, row, taker);
		return true;
	}
	return false;
}

/* ---- reads ---- */

static uint64_t nanoseconds(double seconds)
{
	return (uint64_t)fmin(seconds * 1e9, 0x1p62);
}

static void begin_read(struct cs_pager *p, uint32_t row)
{
	struct cs_run_page *page = &p->pages[row];
	uint32_t bytes = p->resources[page->resource].model->pages[page->page].disk_bytes;
	double bandwidth = p->settings[CS_PAGER_BANDWIDTH];
	uint64_t begin = p->io_free > p->time ? p->io_free : p->time;
	p->io_free = begin + (bandwidth > 0 ? nanoseconds(bytes / bandwidth) : 0);
	page->status.ready = p->io_free + nanoseconds(p->settings[CS_PAGER_LATENCY]);
	page->read = p->reads++;
	p->now.bytes_read += bytes;
}

static void issue(struct cs_pager *p, uint32_t row)
{
	struct cs_run_page *page = &p->pages[row];
	p->now.thrash += page->status.evicted && p->frame - page->status.evicted <= THRASH_FRAMES;
	page->status.state = CS_PAGE_LOADING;
	page->status.since = p->frame;
	page->status.priority = page->priority;
	page->status.camera = page->camera;
	page->status.group = page->group;
	page->status.via = page->via;
	page->status.asked = p->frame;
	p->used++;
	p->now.issued++;
	hold_needs(p, row, true);
	begin_read(p, row);
	p->failed = !cs_vec_push(&p->loading, row) || p->failed;
	cs_run_tell(p, CS_PAGE_REQUESTED, page->resource, page->page);
}

/* ---- what is wanted ---- */

struct cause {
	uint32_t camera, group, via;
};

static void want_page(
	struct cs_pager *p, uint32_t row, float priority, struct cause cause, bool *again)
{
	struct cs_run_page *page = &p->pages[row];
	*again = false;
	if (page->status.state == CS_PAGE_ROOT)
		return;
	if (page->wanted != p->frame) {
		page->wanted = p->frame;
		page->priority = -1;
		p->failed = !cs_vec_push(&p->wanted, row) || p->failed;
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
 * Wants a page and all that it needs. A page is handled again only when it is wanted more than
 * before.
 */
static void want_all(struct cs_pager *p, uint32_t row, float priority, struct cause cause)
{
	bool again;
	want_page(p, row, priority, cause, &again);
	p->stack.n = 0;
	p->failed = (again && !cs_vec_push(&p->stack, row)) || p->failed;
	while (p->stack.n > 0 && !p->failed) {
		uint32_t at = p->stack.at[--p->stack.n];
		const struct cs_run_page *page = &p->pages[at];
		const struct cs_model *m = p->resources[page->resource].model;
		struct cause next = {page->camera, page->group, page->page};
		if (!(m->known & CS_MODEL_DEPENDENCIES))
			continue;
		for (uint32_t i = m->dependency_first[page->page];
			i < m->dependency_first[page->page + 1]; i++) {
			/* Coarser pages come first, and others would lead to cycles. */
			if (m->dependencies[i] >= page->page)
				continue;
			uint32_t on = (uint32_t)cs_run_row(p, page->resource, m->dependencies[i]);
			want_page(p, on, p->pages[at].priority + 1, next, &again);
			p->failed = (again && !cs_vec_push(&p->stack, on)) || p->failed;
		}
	}
}

static void act(struct cs_pager *p, const struct cs_pager_request *request)
{
	const struct cs_run_resource *r = &p->resources[request->resource];
	struct cause cause = {request->camera, request->group, CS_NONE};
	if (request->group == CS_NONE) {
		want_all(p, (uint32_t)(r->page + request->page), BY_HAND, cause);
		return;
	}
	const struct cs_model_group *group = &r->model->groups[request->group];
	for (uint32_t i = 0; i < group->n_pages && i < r->model->n_pages; i++)
		if (group->first_page + i < r->model->n_pages)
			want_all(p, (uint32_t)(r->page + group->first_page + i), request->priority,
				cause);
}

/* Takes the requests that are due, and moves the others to the front. */
static void take_requests(struct cs_pager *p)
{
	size_t kept = 0, n = p->queue.n;
	p->wanted.n = 0;
	for (size_t i = 0; i < n; i++)
		if (p->queue.at[i].due <= p->frame)
			act(p, &p->queue.at[i]);
	for (size_t i = 0; i < n; i++)
		if (p->queue.at[i].due > p->frame)
			p->queue.at[kept++] = p->queue.at[i];
	p->queue.n = kept;
}

/* Sorts the most wanted page first. Ties are broken by row, which is by resource and page. */
static bool sort_wanted(struct cs_pager *p)
{
	struct cs_sort_key *keys = malloc((p->wanted.n + 1) * sizeof(*keys));
	if (!keys)
		return false;
	for (size_t i = 0; i < p->wanted.n; i++)
		keys[i] = (struct cs_sort_key){
			.high = UINT32_MAX - cs_bits_of_float(p->pages[p->wanted.at[i]].priority),
			.low = p->wanted.at[i],
			.index = p->wanted.at[i]};
	bool ok = cs_sort_keys(keys, p->wanted.n);
	for (size_t i = 0; ok && i < p->wanted.n; i++)
		p->wanted.at[i] = keys[i].index;
	free(keys);
	return ok;
}

/* Marks pages as used. The most wanted becomes the last to leave. */
static void use_pages(struct cs_pager *p)
{
	for (size_t i = p->wanted.n; i-- > 0;) {
		uint32_t row = p->wanted.at[i];
		struct cs_run_page *page = &p->pages[row];
		page->status.requests++;
		page->status.last_used = p->frame;
		page->status.blocked = false;
		p->now.max_priority = fmaxf(p->now.max_priority, page->priority);
		p->now.min_priority = i + 1 == p->wanted.n
					      ? page->priority
					      : fminf(p->now.min_priority, page->priority);
		if (page->status.state != CS_PAGE_RESIDENT) {
			p->now.missing++;
			continue;
		}
		p->now.resident++;
		if (p->settings[CS_PAGER_LRU] > 0) {
			unlink_page(p, row);
			append_page(p, row);
		}
	}
}

/*
 * Shrinks a pool that was made smaller. Pages that nobody wants leave first, starting with the one
 * that was used longest ago, and then those that are wanted least, so that it contains the pages of
 * a pool that was always this small. The pages that a page needs are wanted more than the page, so
 * they leave after it.
 */
static void shrink(struct cs_pager *p)
{
	uint32_t next;
	for (uint32_t row = p->first; row != CS_NONE && p->used > p->settings[CS_PAGER_POOL];
		row = next) {
		const struct cs_run_page *page = &p->pages[row];
		next = page->after;
		if (!page->holders && page->wanted != p->frame)
			pool_leave(p, row, CS_NONE);
	}
	for (size_t i = p->wanted.n; i-- > 0 && p->used > p->settings[CS_PAGER_POOL];) {
		const struct cs_run_page *page = &p->pages[p->wanted.at[i]];
		if (page->status.state == CS_PAGE_RESIDENT && !page->holders)
			pool_leave(p, p->wanted.at[i], CS_NONE);
	}
}

static void claim_slots(struct cs_pager *p)
{
	bool full = false;
	for (size_t i = 0; i < p->wanted.n; i++) {
		uint32_t row = p->wanted.at[i];
		struct cs_run_page *page = &p->pages[row];
		if (page->status.state != CS_PAGE_ABSENT)
			continue;
		if (!full && p->loading.n >= p->settings[CS_PAGER_PENDING]) {
			p->now.dropped++;
			continue;
		}
		if (!full && pool_make_room(p, row)) {
			issue(p, row);
			continue;
		}
		if (!full && !p->was_full)
			cs_run_tell(p, CS_PAGE_POOL_FULL, page->resource, page->page);
		full = page->status.blocked = true;
		p->now.dropped++;
	}
	p->was_full = full;
}

/*
 * Raises the allowed error when there are too many requests for the pool, and lowers it when there
 * are few.
 */
static void adapt(struct cs_pager *p)
{
	const double most = 0.85, least = 0.70, step = 0.97, worst = 0.3;
	const double before = p->quality;
	double part = p->settings[CS_PAGER_POOL] > 0
			      ? (double)p->wanted.n / p->settings[CS_PAGER_POOL]
			      : 1;
	if (!(p->settings[CS_PAGER_QUALITY] > 0))
		p->quality = 1;
	else if (part > most)
		p->quality = fmax(worst, p->quality * step);
	else if (part < least)
		p->quality = fmin(1, p->quality / step);
	if (before >= 1 && p->quality < 1)
		cs_run_tell(p, CS_PAGE_QUALITY_DROP, CS_NONE, CS_NONE);
}

void cs_run_requests(struct cs_pager *p)
{
	take_requests(p);
	p->now.pages = (uint32_t)p->wanted.n;
	if (p->failed || !sort_wanted(p)) {
		p->failed = true;
		return;
	}
	shrink(p);
	use_pages(p);
	claim_slots(p);
	adapt(p);
}

/* ---- installing ---- */

static bool needs_are_there(const struct cs_pager *p, uint32_t row)
{
	const struct cs_run_page *page = &p->pages[row];
	const struct cs_model *m = p->resources[page->resource].model;
	if (!(m->known & CS_MODEL_DEPENDENCIES))
		return true;
	for (uint32_t i = m->dependency_first[page->page]; i < m->dependency_first[page->page + 1];
		i++)
		if (m->dependencies[i] < page->page &&
			!p->installed[cs_run_row(p, page->resource, m->dependencies[i])])
			return false;
	return true;
}

static void finish_read(struct cs_pager *p, uint32_t row)
{
	struct cs_run_page *page = &p->pages[row];
	uint32_t bytes = p->resources[page->resource].model->pages[page->page].gpu_bytes;
	page->status.state = CS_PAGE_RESIDENT;
	page->status.since = p->frame;
	page->status.installs++;
	append_page(p, row);
	cs_run_install(p, row);
	p->now.installed++;
	p->now.bytes_installed += bytes == CS_NONE ? 0 : bytes;
	cs_run_tell(p, CS_PAGE_INSTALLED, page->resource, page->page);
}

/* Installs pages in the order of the reads, repeated as long as one page enables others. */
void cs_run_installs(struct cs_pager *p)
{
	bool progress = true;
	while (progress && p->now.installed < p->settings[CS_PAGER_INSTALLS]) {
		size_t kept = 0;
		progress = false;
		for (size_t i = 0; i < p->loading.n; i++) {
			uint32_t row = p->loading.at[i];
			if (p->pages[row].status.ready <= p->time &&
				p->now.installed < p->settings[CS_PAGER_INSTALLS] &&
				needs_are_there(p, row)) {
				finish_read(p, row);
				progress = true;
			} else {
				p->loading.at[kept++] = row;
			}
		}
		p->loading.n = kept;
	}
}
