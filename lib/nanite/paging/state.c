/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: the state of a pager as bytes: numbers in one order, written and read by the same code.
 * What the rules make of it, and what views drew, follows: it is derived again.
 */
#include "nanite/paging/paging.h"

#include "base/cursor.h"

#include <stdlib.h>
#include <string.h>

struct codec {
	struct cs_writer *out; /* writing, or */
	struct cs_cursor *in;  /* reading */
	bool failed;
};

static void code_u32(struct codec *c, uint32_t *value)
{
	if (c->out)
		cs_writer_u32(c->out, *value);
	else
		*value = cs_cursor_u32(c->in);
}

static void code_u64(struct codec *c, uint64_t *value)
{
	if (c->out)
		cs_writer_u64(c->out, *value);
	else
		*value = cs_cursor_u64(c->in);
}

static void code_f64(struct codec *c, double *value)
{
	if (c->out)
		cs_writer_f64(c->out, *value);
	else
		*value = cs_cursor_f64(c->in);
}

static void code_float(struct codec *c, float *value)
{
	if (c->out)
		cs_writer_f32(c->out, *value);
	else
		*value = cs_cursor_f32(c->in);
}

static void code_bool(struct codec *c, bool *value)
{
	uint32_t word = *value;
	code_u32(c, &word);
	*value = word != 0;
}

static void code_vec3(struct codec *c, struct cs_vec3 *v)
{
	code_f64(c, &v->x);
	code_f64(c, &v->y);
	code_f64(c, &v->z);
}

#define code_length(c, v) \
	code_length_of(c, (void **)&(v)->at, &(v)->n, &(v)->room, sizeof(*(v)->at))

static void code_length_of(struct codec *c, void **at, size_t *n, size_t *room, size_t size)
{
	uint32_t length = (uint32_t)*n;
	code_u32(c, &length);
	if (c->out)
		return;
	*n = 0;
	if (cs_cursor_left(c->in) >= length && cs_vec_reserve_bytes(at, 0, room, length, size))
		*n = length;
	else
		c->failed = true;
}

/* ---- pages ---- */

static void code_page(struct codec *c, struct cs_run_page *page)
{
	struct cs_page_status *s = &page->status;
	uint32_t state = s->state;
	uint32_t *const words[] = {&state, &s->requests, &s->installs, &s->evictions, &s->camera,
		&s->group, &s->via, &s->evicted_for, &page->holders, &page->before, &page->after};
	uint64_t *const longs[] = {&s->since, &s->last_used, &s->ready, &s->asked, &s->evicted,
		&page->read, &page->wanted};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		code_u32(c, words[i]);
	for (size_t i = 0; i < sizeof(longs) / sizeof(longs[0]); i++)
		code_u64(c, longs[i]);
	code_float(c, &s->priority);
	code_bool(c, &s->blocked);
	code_bool(c, &s->stranded);
	s->state = (enum cs_page_state)state;
}

static void code_queue(struct codec *c, struct cs_pager *p)
{
	code_length(c, &p->queue);
	for (size_t i = 0; i < p->queue.n; i++) {
		struct cs_run_request *r = &p->queue.at[i];
		code_u64(c, &r->due);
		code_u32(c, &r->resource);
		code_u32(c, &r->group);
		code_u32(c, &r->camera);
		code_u32(c, &r->page);
		code_float(c, &r->priority);
	}
	code_length(c, &p->loading);
	for (size_t i = 0; i < p->loading.n; i++)
		code_u32(c, &p->loading.at[i]);
}

/* ---- cameras ---- */

static void code_keys(struct codec *c, struct cs_run_camera *camera)
{
	uint32_t n = camera->camera.n_keys;
	code_u32(c, &n);
	if (c->in) {
		bool fits = cs_cursor_left(c->in) / sizeof(*camera->keys) >= n;
		camera->keys = fits ? calloc(n + 1u, sizeof(*camera->keys)) : NULL;
		c->failed = c->failed || !camera->keys;
		n = camera->keys ? n : 0;
		camera->camera.n_keys = n;
		camera->camera.keys = camera->keys;
	}
	for (uint32_t i = 0; i < n; i++) {
		code_vec3(c, &camera->keys[i].eye);
		code_vec3(c, &camera->keys[i].target);
	}
}

static void code_camera(struct codec *c, struct cs_run_camera *camera)
{
	struct cs_camera *at = &camera->camera;
	uint32_t kind = at->kind, length = (uint32_t)strlen(at->name);
	double *const numbers[] = {
		&at->fov, &at->height, &at->aspect, &at->near, &at->period, &at->start};
	code_u32(c, &kind);
	code_u32(c, &length);
	if (c->out) {
		cs_writer_bytes(c->out, at->name, length);
	} else {
		const unsigned char *name = cs_cursor_take(c->in, length);
		if (name && length < CS_CAMERA_NAME)
			memcpy(at->name, name, length);
	}
	at->kind = (enum cs_camera_kind)kind;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		code_f64(c, numbers[i]);
	code_vec3(c, &at->eye);
	code_vec3(c, &at->target);
	code_bool(c, &at->loop);
	code_keys(c, camera);
}

static void code_cameras(struct codec *c, struct cs_pager *p)
{
	for (size_t i = 0; c->in && i < p->cameras.n; i++)
		free(p->cameras.at[i].keys);
	code_length(c, &p->cameras);
	for (size_t i = 0; c->in && i < p->cameras.n; i++)
		p->cameras.at[i] = (struct cs_run_camera){0};
	for (size_t i = 0; i < p->cameras.n; i++)
		code_camera(c, &p->cameras.at[i]);
}

/* ---- instances ---- */

static void code_instances(struct codec *c, struct cs_pager *p)
{
	code_length(c, &p->instances);
	for (size_t i = 0; i < p->instances.n; i++) {
		struct cs_run_instance *at = &p->instances.at[i];
		struct cs_quat *q = &at->at.rotation;
		double *const numbers[] = {&q->x, &q->y, &q->z, &q->w, &at->at.scale};
		code_u32(c, &at->at.resource);
		code_u32(c, &at->at.tag);
		code_vec3(c, &at->at.translation);
		for (size_t k = 0; k < sizeof(numbers) / sizeof(numbers[0]); k++)
			code_f64(c, numbers[k]);
		code_bool(c, &at->hidden);
		at->back = (struct cs_quat){-q->x, -q->y, -q->z, q->w};
	}
}

/* ---- the whole ---- */

static void code_pager(struct codec *c, struct cs_pager *p)
{
	code_u64(c, &p->frame);
	code_u64(c, &p->time);
	code_u64(c, &p->io_free);
	code_u64(c, &p->reads);
	code_u32(c, &p->first);
	code_u32(c, &p->last);
	code_u32(c, &p->used);
	code_f64(c, &p->quality);
	code_bool(c, &p->was_coarse);
	code_bool(c, &p->was_full);
	for (unsigned i = 0; i < CS_PAGER_NUMBERS; i++)
		code_f64(c, &p->settings[i]);
	code_cameras(c, p);
	code_instances(c, p);
	for (size_t i = 0; i < p->n_pages; i++)
		code_page(c, &p->pages[i]);
	code_queue(c, p);
}

struct cs_error *cs_pager_save(struct cs_pager *p, const void **bytes_ret, size_t *n_ret)
{
	struct codec c = {.out = &p->state};
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
	struct codec c = {.in = &cursor};
	code_pager(&c, p);
	if (cursor.bad)
		return cs_error_new(CS_E_INTERNAL, "a state of pages cannot be read back");
	if (c.failed)
		return cs_error_nomem();
	for (size_t i = 0; i < p->cameras.n; i++)
		cs_run_camera_move(&p->cameras.at[i], p->time);
	memset(p->drawn, 0, p->n_clusters * sizeof(*p->drawn));
	cs_run_derive(p);
	/* draws what the frame drew; what it asked for stands in the queue already */
	size_t queued = p->queue.n;
	cs_run_look(p);
	p->queue.n = queued;
	memset(p->asked, 0, p->n_groups * sizeof(*p->asked));
	return p->failed ? cs_error_nomem() : NULL;
}
