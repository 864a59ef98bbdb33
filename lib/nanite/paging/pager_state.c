/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns the state of a pager as bytes: numbers in one order, written and read by the same code. The
 * results of the rules, and the drawn clusters, are not stored, because they can be computed again.
 */
#include "nanite/paging/paging_internal.h"

#include "core/codec.h"

#include <stdlib.h>
#include <string.h>

/* Codes a flag as one word. */
static void code_flag(struct cs_codec *c, bool *value)
{
	uint32_t word = *value;
	cs_code_u32(c, &word);
	*value = word != 0;
}

/* ---- pages ---- */

static void code_page(struct cs_codec *c, struct cs_run_page *page)
{
	struct cs_page_status *s = &page->status;
	uint32_t state = s->state;
	uint32_t *const words[] = {&state, &s->requests, &s->installs, &s->evictions, &s->camera,
		&s->group, &s->via, &s->evicted_for, &page->holders, &page->before, &page->after};
	uint64_t *const longs[] = {&s->since, &s->last_used, &s->ready, &s->asked, &s->evicted,
		&page->read, &page->wanted};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		cs_code_u32(c, words[i]);
	for (size_t i = 0; i < sizeof(longs) / sizeof(longs[0]); i++)
		cs_code_u64(c, longs[i]);
	cs_code_f32(c, &s->priority);
	code_flag(c, &s->blocked);
	code_flag(c, &s->stranded);
	s->state = (enum cs_page_state)state;
}

static void code_queue(struct cs_codec *c, struct cs_pager *p)
{
	cs_code_length(c, &p->queue);
	for (size_t i = 0; i < p->queue.n; i++) {
		struct cs_pager_request *r = &p->queue.at[i];
		cs_code_u64(c, &r->due);
		cs_code_u32(c, &r->resource);
		cs_code_u32(c, &r->group);
		cs_code_u32(c, &r->camera);
		cs_code_u32(c, &r->page);
		cs_code_f32(c, &r->priority);
	}
	cs_code_length(c, &p->loading);
	for (size_t i = 0; i < p->loading.n; i++)
		cs_code_u32(c, &p->loading.at[i]);
}

/* ---- cameras ---- */

static void code_keys(struct cs_codec *c, struct cs_run_camera *camera)
{
	uint32_t n = camera->camera.n_keys;
	cs_code_u32(c, &n);
	if (c->in) {
		bool fits = cs_cursor_left(c->in) / sizeof(*camera->keys) >= n;
		camera->keys = fits ? calloc(n + 1u, sizeof(*camera->keys)) : NULL;
		c->failed = c->failed || !camera->keys;
		n = camera->keys ? n : 0;
		camera->camera.n_keys = n;
		camera->camera.keys = camera->keys;
	}
	for (uint32_t i = 0; i < n; i++) {
		cs_code_vec3(c, &camera->keys[i].eye);
		cs_code_vec3(c, &camera->keys[i].target);
	}
}

static void code_camera(struct cs_codec *c, struct cs_run_camera *camera)
{
	struct cs_camera *at = &camera->camera;
	uint32_t kind = at->kind;
	double *const numbers[] = {
		&at->fov, &at->height, &at->aspect, &at->near, &at->period, &at->start};
	cs_code_u32(c, &kind);
	cs_code_text(c, at->name, CS_CAMERA_NAME);
	at->kind = (enum cs_camera_kind)kind;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		cs_code_f64(c, numbers[i]);
	cs_code_vec3(c, &at->eye);
	cs_code_vec3(c, &at->target);
	cs_code_text(c, at->leader, CS_CAMERA_NAME);
	cs_code_vec3(c, &at->offset);
	code_flag(c, &at->loop);
	code_keys(c, camera);
}

static void code_cameras(struct cs_codec *c, struct cs_pager *p)
{
	for (size_t i = 0; c->in && i < p->cameras.n; i++)
		free(p->cameras.at[i].keys);
	cs_code_length(c, &p->cameras);
	for (size_t i = 0; c->in && i < p->cameras.n; i++)
		p->cameras.at[i] = (struct cs_run_camera){0};
	for (size_t i = 0; i < p->cameras.n; i++)
		code_camera(c, &p->cameras.at[i]);
}

/* ---- instances ---- */

static void code_instances(struct cs_codec *c, struct cs_pager *p)
{
	cs_code_length(c, &p->instances);
	for (size_t i = 0; i < p->instances.n; i++) {
		struct cs_run_instance *at = &p->instances.at[i];
		struct cs_quat *q = &at->at.rotation;
		double *const numbers[] = {&q->x, &q->y, &q->z, &q->w, &at->at.scale};
		cs_code_u32(c, &at->at.resource);
		cs_code_u32(c, &at->at.tag);
		cs_code_vec3(c, &at->at.translation);
		for (size_t k = 0; k < sizeof(numbers) / sizeof(numbers[0]); k++)
			cs_code_f64(c, numbers[k]);
		code_flag(c, &at->hidden);
		at->back = (struct cs_quat){-q->x, -q->y, -q->z, q->w};
	}
}

/* ---- the whole ---- */

static void code_pager(struct cs_codec *c, struct cs_pager *p)
{
	cs_code_u64(c, &p->frame);
	cs_code_u64(c, &p->time);
	cs_code_u64(c, &p->io_free);
	cs_code_u64(c, &p->reads);
	cs_code_u32(c, &p->first);
	cs_code_u32(c, &p->last);
	cs_code_u32(c, &p->used);
	cs_code_f64(c, &p->quality);
	code_flag(c, &p->was_full);
	for (unsigned i = 0; i < CS_PAGER_NUMBERS; i++)
		cs_code_f64(c, &p->settings[i]);
	code_cameras(c, p);
	code_instances(c, p);
	for (size_t i = 0; i < p->n_pages; i++)
		code_page(c, &p->pages[i]);
	code_queue(c, p);
}

struct cs_error *cs_pager_save(struct cs_pager *p, const void **bytes_ret, size_t *n_ret)
{
	struct cs_codec c = {.out = &p->state};
	p->state.size = 0;
	p->state.failed = false;
	code_pager(&c, p);
	if (p->state.failed)
		return cs_error_nomem();
	*bytes_ret = p->state.bytes;
	*n_ret = p->state.size;
	return NULL;
}

struct cs_error *cs_pager_restore(struct cs_pager *p, const void *bytes, size_t n)
{
	struct cs_cursor cursor = cs_cursor_over(bytes, n, 0, NULL);
	struct cs_codec c = {.in = &cursor};
	code_pager(&c, p);
	if (cursor.bad)
		return cs_error_new(CS_E_INTERNAL, "a state of pages cannot be read back");
	if (c.failed)
		return cs_error_nomem();
	for (size_t i = 0; i < p->cameras.n; i++)
		cs_run_camera_move(&p->cameras.at[i], p->time);
	memset(p->drawn, 0, p->n_clusters * sizeof(*p->drawn));
	cs_run_derive(p);
	/* This draws what the frame drew. Its requests are already in the queue. */
	size_t queued = p->queue.n;
	cs_run_look(p);
	p->queue.n = queued;
	memset(p->asked, 0, p->n_groups * sizeof(*p->asked));
	return p->failed ? cs_error_nomem() : NULL;
}
