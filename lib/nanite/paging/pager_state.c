/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Saves and restores the state of a pager as bytes: numbers in a fixed order, written and read by
 * the same code. The groups that count as loaded by the literal and the effective rule (rule.c) are
 * not saved, but computed again. The drawn clusters are saved, because inputs after the frame, such
 * as another position of a camera, do not change what the frame drew.
 */
#include "nanite/paging/paging_internal.h"

#include "core/codec.h"
#include "nanite/paging/pager_inside.h"

#include <stdlib.h>
#include <string.h>

/* Writes or reads a flag as a 32-bit word. */
static void code_flag(struct cs_codec *codec, bool *value)
{
	uint32_t word = *value;
	cs_code_u32(codec, &word);
	*value = word != 0;
}

/* ---- state of pages ---- */

static void code_page(struct cs_codec *codec, struct cs_run_page *page)
{
	struct cs_page_status *status = &page->status;
	uint32_t state = status->state;
	uint32_t *const words[] = {&state, &status->requests, &status->installs, &status->evictions,
		&status->camera, &status->group, &status->via, &status->evicted_for, &page->holders,
		&page->before, &page->after};
	uint64_t *const longs[] = {&status->since, &status->last_used, &status->ready,
		&status->asked, &status->evicted, &page->read, &page->wanted};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		cs_code_u32(codec, words[i]);
	for (size_t i = 0; i < sizeof(longs) / sizeof(longs[0]); i++)
		cs_code_u64(codec, longs[i]);
	cs_code_f32(codec, &status->priority);
	code_flag(codec, &status->blocked);
	code_flag(codec, &status->stranded);
	status->state = (enum cs_page_state)state;
}

static void code_queue(struct cs_codec *codec, struct cs_pager *pager)
{
	cs_code_length(codec, &pager->queue);
	for (size_t i = 0; i < pager->queue.n; i++) {
		struct cs_pager_request *request = &pager->queue.at[i];
		cs_code_u64(codec, &request->due);
		cs_code_u32(codec, &request->resource);
		cs_code_u32(codec, &request->group);
		cs_code_u32(codec, &request->camera);
		cs_code_u32(codec, &request->page);
		cs_code_f32(codec, &request->priority);
	}
	cs_code_length(codec, &pager->loading);
	for (size_t i = 0; i < pager->loading.n; i++)
		cs_code_u32(codec, &pager->loading.at[i]);
}

/* ---- state of cameras and instances ---- */

static void code_keys(struct cs_codec *codec, struct cs_run_camera *camera)
{
	uint32_t n = camera->camera.n_keys;
	cs_code_u32(codec, &n);
	if (codec->in) {
		bool fits = cs_cursor_left(codec->in) / sizeof(*camera->keys) >= n;
		camera->keys = fits ? calloc(n + 1u, sizeof(*camera->keys)) : NULL;
		codec->failed = codec->failed || !camera->keys;
		n = camera->keys ? n : 0;
		camera->camera.n_keys = n;
		camera->camera.keys = camera->keys;
	}
	for (uint32_t i = 0; i < n; i++) {
		cs_code_vec3(codec, &camera->keys[i].eye);
		cs_code_vec3(codec, &camera->keys[i].target);
	}
}

static void code_camera(struct cs_codec *codec, struct cs_run_camera *camera)
{
	struct cs_camera *at = &camera->camera;
	uint32_t kind = at->kind;
	double *const numbers[] = {
		&at->fov, &at->height, &at->aspect, &at->near, &at->period, &at->start};
	cs_code_u32(codec, &kind);
	cs_code_text(codec, at->name, CS_CAMERA_NAME);
	at->kind = (enum cs_camera_kind)kind;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		cs_code_f64(codec, numbers[i]);
	cs_code_vec3(codec, &at->eye);
	cs_code_vec3(codec, &at->target);
	cs_code_text(codec, at->leader, CS_CAMERA_NAME);
	cs_code_vec3(codec, &at->offset);
	code_flag(codec, &at->loop);
	code_keys(codec, camera);
}

static void code_cameras(struct cs_codec *codec, struct cs_pager *pager)
{
	for (size_t i = 0; codec->in && i < pager->cameras.n; i++)
		free(pager->cameras.at[i].keys);
	cs_code_length(codec, &pager->cameras);
	for (size_t i = 0; codec->in && i < pager->cameras.n; i++)
		pager->cameras.at[i] = (struct cs_run_camera){0};
	for (size_t i = 0; i < pager->cameras.n; i++)
		code_camera(codec, &pager->cameras.at[i]);
}

static void code_instances(struct cs_codec *codec, struct cs_pager *pager)
{
	cs_code_length(codec, &pager->instances);
	for (size_t i = 0; i < pager->instances.n; i++) {
		struct cs_run_instance *at = &pager->instances.at[i];
		struct cs_quat *q = &at->at.rotation;
		double *const numbers[] = {&q->x, &q->y, &q->z, &q->w, &at->at.scale};
		cs_code_u32(codec, &at->at.resource);
		cs_code_u32(codec, &at->at.tag);
		cs_code_vec3(codec, &at->at.translation);
		for (size_t k = 0; k < sizeof(numbers) / sizeof(numbers[0]); k++)
			cs_code_f64(codec, numbers[k]);
		code_flag(codec, &at->hidden);
		at->back = (struct cs_quat){-q->x, -q->y, -q->z, q->w};
	}
}

/* ---- writing and reading the state of the pager ---- */

/* Numbers of the last frame's record that change when the user evicts a page after the frame. */
static void code_frame_record(struct cs_codec *codec, struct cs_pager *pager)
{
	struct cs_page_frame *record = &pager->frames[pager->frame % CS_PAGER_FRAMES];
	struct cs_page_frame coded = *record;
	cs_code_u32(codec, &coded.evicted);
	cs_code_u32(codec, &coded.used);
	cs_code_u32(codec, &coded.loading);
	cs_code_u32(codec, &coded.stranded);
	code_flag(codec, &coded.stable);
	if (codec->in && record->frame == pager->frame)
		*record = coded;
}

static void code_pager(struct cs_codec *codec, struct cs_pager *pager)
{
	cs_code_u64(codec, &pager->frame);
	code_frame_record(codec, pager);
	cs_code_u64(codec, &pager->time);
	cs_code_u64(codec, &pager->io_free);
	cs_code_u64(codec, &pager->reads);
	cs_code_u32(codec, &pager->first);
	cs_code_u32(codec, &pager->last);
	cs_code_u32(codec, &pager->used);
	cs_code_f64(codec, &pager->quality);
	code_flag(codec, &pager->was_full);
	for (unsigned i = 0; i < CS_PAGER_NUMBERS; i++)
		cs_code_f64(codec, &pager->numbers[i]);
	code_cameras(codec, pager);
	code_instances(codec, pager);
	for (size_t i = 0; i < pager->n_pages; i++)
		code_page(codec, &pager->pages[i]);
	cs_code_bytes(codec, pager->drawn, pager->n_clusters);
	code_queue(codec, pager);
}

struct cs_error *cs_pager_save(void *context, const void **bytes_ret, size_t *n_ret)
{
	struct cs_pager *pager = context;
	struct cs_codec codec = {.out = &pager->state};
	pager->state.size = 0;
	pager->state.failed = false;
	code_pager(&codec, pager);
	if (pager->state.failed)
		return cs_error_nomem();
	*bytes_ret = pager->state.bytes;
	*n_ret = pager->state.size;
	return NULL;
}

struct cs_error *cs_pager_restore(void *context, const void *bytes, size_t n)
{
	struct cs_pager *pager = context;
	struct cs_cursor cursor = cs_cursor_over(bytes, n, 0, NULL);
	struct cs_codec codec = {.in = &cursor};
	code_pager(&codec, pager);
	if (cursor.bad)
		return cs_error_new(CS_E_INTERNAL, "the saved state of page streaming is damaged");
	if (codec.failed)
		return cs_error_nomem();
	for (size_t i = 0; i < pager->cameras.n; i++)
		cs_run_camera_move(&pager->cameras.at[i], pager->time);
	cs_run_derive(pager);
	memset(pager->asked, 0, pager->n_groups * sizeof(*pager->asked));
	return pager->failed ? cs_error_nomem() : NULL;
}
