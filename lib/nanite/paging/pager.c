/* SPDX-License-Identifier: Apache-2.0 */
/* Creates and frees a pager, applies inputs, runs the steps of a frame, returns results. */
#include "nanite/paging/paging_internal.h"

#include "core/invariant.h"
#include "nanite/inspect/model_inside.h"
#include "nanite/paging/pager_inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SETTING_NUMBER(member) (offsetof(struct cs_pager_settings, member) / sizeof(double))
#define SETTING(member, ...)   [SETTING_NUMBER(member)] = {#member, __VA_ARGS__}
static const struct cs_pager_setting settings[CS_PAGER_NUMBERS] = {
	SETTING(pool, 0, 1 << 20, 4096, true,
		"size of the pool in pages of 128 KiB, without root pages"),
	SETTING(pending, 1, 1 << 20, 128, true,
		"largest number of pages that are read at the same time"),
	SETTING(installs, 1, 1 << 20, 128, true,
		"largest number of pages that are installed in a frame"),
	SETTING(latency, 0, 1e6, 0.05, false, "shortest duration of a read in seconds"),
	SETTING(bandwidth, 0, 1e15, 0, false, "bytes that are read in a second; 0: no limit"),
	SETTING(request_latency, 1, 1000, 1, true,
		"frames from a view to the page requests that follow from it"),
	SETTING(threshold, 1e-6, 1e9, 1, false, "largest allowed error in pixels"),
	SETTING(lru, 0, 1, 1, true, "evict 1: the least recently used page; 0: the oldest page"),
	SETTING(cull, 0, 1, 1, true, "1: only clusters in the view of a camera are requested"),
	SETTING(quality, 0, 1, 0, true, "1: raise the threshold when requests exceed the pool"),
	SETTING(literal, 0, 1, 0, true,
		"1: only fixups decide what is drawn, as the format does; 0: the exact rule"),
};

const struct cs_pager_setting *cs_pager_setting_list(size_t *n_ret)
{
	*n_ret = CS_PAGER_NUMBERS;
	return settings;
}

/* ---- creating and freeing a pager ---- */

static bool pager_allocate(struct cs_pager *pager)
{
	struct cs_arena *arena = &pager->arena;
	pager->pages = CS_ARENA_ARRAY(arena, struct cs_run_page, pager->n_pages);
	pager->installed = CS_ARENA_ARRAY(arena, bool, pager->n_pages);
	pager->effective = CS_ARENA_ARRAY(arena, bool, pager->n_groups);
	pager->asked = cs_arena_alloc(arena, pager->n_groups, sizeof(*pager->asked));
	pager->ask = cs_arena_alloc(arena, pager->n_groups, sizeof(*pager->ask));
	pager->loaded = cs_arena_alloc(arena, pager->n_parts, sizeof(*pager->loaded));
	pager->leaf = cs_arena_alloc(arena, pager->n_clusters, sizeof(*pager->leaf));
	pager->drawn = cs_arena_alloc(arena, pager->n_clusters, sizeof(*pager->drawn));
	pager->frames = CS_ARENA_ARRAY(arena, struct cs_page_frame, CS_PAGER_FRAMES);
	return !arena->failed;
}

static bool list_resources(struct cs_pager *pager)
{
	pager->n_resources = cs_inspector_models(pager->inspector).n;
	pager->resources =
		CS_ARENA_ARRAY(&pager->arena, struct cs_run_resource, pager->n_resources);
	if (!pager->resources)
		return false;
	for (uint32_t i = 0; i < pager->n_resources; i++)
		pager->resources[i] = (struct cs_run_resource){
			.model = cs_inspector_models(pager->inspector).at[i],
			.page = cs_inspector_first(pager->inspector, CS_ROWS_PAGES, i),
			.cluster = cs_inspector_first(pager->inspector, CS_ROWS_CLUSTERS, i),
			.group = cs_inspector_first(pager->inspector, CS_ROWS_GROUPS, i),
			.part = cs_inspector_first(pager->inspector, CS_ROWS_PARTS, i),
		};
	pager->n_pages = cs_inspector_rows(pager->inspector, CS_ROWS_PAGES);
	pager->n_clusters = cs_inspector_rows(pager->inspector, CS_ROWS_CLUSTERS);
	pager->n_groups = cs_inspector_rows(pager->inspector, CS_ROWS_GROUPS);
	pager->n_parts = cs_inspector_rows(pager->inspector, CS_ROWS_PARTS);
	return true;
}

static void list_pages(struct cs_pager *pager)
{
	for (uint32_t i = 0; i < pager->n_resources; i++) {
		const struct cs_model *model = pager->resources[i].model;
		for (uint32_t page = 0; page < model->n_pages; page++)
			pager->pages[pager->resources[i].page + page] = (struct cs_run_page){
				.status = {.state = model->pages[page].root ? CS_PAGE_ROOT
									    : CS_PAGE_ABSENT,
					.camera = CS_NONE,
					.group = CS_NONE,
					.via = CS_NONE,
					.evicted_for = CS_NONE},
				.resource = i,
				.page = page,
				.before = CS_NONE,
				.after = CS_NONE};
	}
}

static bool place_once(struct cs_pager *pager)
{
	for (uint32_t i = 0; i < pager->n_resources; i++) {
		const struct cs_run_instance one = {
			.at = {i, {0, 0, 0, 1}, {0, 0, 0}, 1, CS_NONE}, .back = {0, 0, 0, 1}};
		if (!cs_vec_push(&pager->instances, one))
			return false;
	}
	return true;
}

struct cs_error *cs_pager_new(const struct cs_inspector *inspector,
	const struct cs_pager_owner *owner, struct cs_pager **ret)
{
	struct cs_pager *pager = calloc(1, sizeof(*pager));
	if (!pager)
		return cs_error_nomem();
	pager->inspector = inspector;
	if (owner)
		pager->owner = *owner;
	pager->first = pager->last = CS_NONE;
	pager->quality = 1;
	for (unsigned i = 0; i < CS_PAGER_NUMBERS; i++)
		pager->numbers[i] = settings[i].otherwise;
	if (!list_resources(pager) || !pager_allocate(pager) || !place_once(pager)) {
		cs_pager_free(pager);
		return cs_error_nomem();
	}
	list_pages(pager);
	cs_run_derive(pager);
	*ret = pager;
	return NULL;
}

void cs_pager_free(struct cs_pager *pager)
{
	if (!pager)
		return;
	cs_arena_deinit(&pager->arena);
	for (size_t i = 0; i < pager->cameras.n; i++)
		free(pager->cameras.at[i].keys);
	cs_vec_free(&pager->cameras);
	cs_vec_free(&pager->instances);
	cs_vec_free(&pager->queue);
	cs_vec_free(&pager->wanted);
	cs_vec_free(&pager->loading);
	cs_vec_free(&pager->stack);
	cs_writer_deinit(&pager->state);
	free(pager);
}

const struct cs_pager_instance *cs_pager_instance_at(const struct cs_pager *pager, size_t index)
{
	return index < pager->instances.n ? &pager->instances.at[index].at : NULL;
}

void cs_pager_show(struct cs_pager *pager, size_t index, bool shown)
{
	pager->instances.at[index].hidden = !shown;
}

/* ---- the record of a frame ---- */

static void count_stranded(struct cs_pager *pager)
{
	pager->now.stranded = 0;
	for (uint32_t row = pager->first; row != CS_NONE; row = pager->pages[row].after) {
		struct cs_run_page *page = &pager->pages[row];
		const struct cs_run_resource *resource = &pager->resources[page->resource];
		const struct cs_model_page *at = &resource->model->pages[page->page];
		bool counts = true;
		for (uint32_t i = 0; counts && i < at->n_parts; i++) {
			uint32_t group = resource->model->parts[at->first_part + i].group;
			counts = group != CS_NONE && pager->effective[resource->group + group];
		}
		page->status.stranded = !counts;
		pager->now.stranded += !counts;
	}
}

static void record_frame(struct cs_pager *pager)
{
	count_stranded(pager);
	pager->now.used = pager->used;
	pager->now.loading = (uint32_t)pager->loading.n;
	pager->now.quality = pager->quality;
	pager->now.stable = pager->now.missing == 0 && pager->loading.n == 0;
	pager->frames[pager->frame % CS_PAGER_FRAMES] = pager->now;
}

/* ---- inputs from the user or a log ---- */

/* Returns the length of the word at *text, and moves *text to the next word. */
static size_t pager_take_word(const char **text, const char **word_ret)
{
	size_t n = strcspn(*text, " ");
	*word_ret = *text;
	*text += n;
	*text += strspn(*text, " ");
	return n;
}

static bool pager_is_word(const char *word, size_t n, const char *what)
{
	return strlen(what) == n && memcmp(word, what, n) == 0;
}

/* Sets the settings of an engine version ("5.0", "5.5"), except pool size and timing of reads. */
static struct cs_error *set_profile(struct cs_pager *pager, const char *text)
{
	static const size_t others[] = {
		SETTING_NUMBER(pending), SETTING_NUMBER(installs), SETTING_NUMBER(lru)};
	const bool is_late = strcmp(text, "5.5") == 0;
	if (!is_late && strcmp(text, "5.0") != 0)
		return cs_error_new(CS_E_SETTING,
			"the paging profile must be 5.0 (engines before 5.5) or 5.5, not '%.40s'",
			text);
	for (size_t k = 0; k < CS_COUNT_OF(others); k++)
		pager->numbers[others[k]] = settings[others[k]].otherwise;
	pager->settings.quality = is_late;
	return NULL;
}

static struct cs_error *input_set(struct cs_pager *pager, const char *text)
{
	const char *name;
	size_t n = pager_take_word(&text, &name);
	double value;
	if (pager_is_word(name, n, "profile"))
		return set_profile(pager, text);
	for (unsigned i = 0; i < CS_PAGER_NUMBERS; i++) {
		const struct cs_pager_setting *setting = &settings[i];
		if (!pager_is_word(name, n, setting->name))
			continue;
		if (!cs_double_parse(text, strlen(text), &value) ||
			!(value >= setting->least && value <= setting->most) ||
			(setting->whole && value != trunc(value)))
			return cs_error_new(CS_E_SETTING,
				"%s must be %s%.10g to %.10g, not '%.40s'; `pool` explains the "
				"settings",
				setting->name, setting->whole ? "a whole number " : "",
				setting->least, setting->most, text);
		pager->numbers[i] = value;
		return NULL;
	}
	return cs_error_new(CS_E_SETTING, "the page pool has no setting '%.*s'; `pool` lists them",
		(int)n, name);
}

static size_t find_camera(const struct cs_pager *pager, const char *name, size_t n)
{
	size_t i = 0;
	while (i < pager->cameras.n && !pager_is_word(name, n, pager->cameras.at[i].camera.name))
		i++;
	return i;
}

static struct cs_error *input_camera(struct cs_pager *pager, const char *text)
{
	struct cs_run_camera camera;
	struct cs_error *error = cs_run_camera_parse(pager, text, &camera);
	if (error)
		return error;
	cs_run_camera_move(&camera, pager->time);
	size_t at = find_camera(pager, camera.camera.name, strlen(camera.camera.name));
	if (at < pager->cameras.n) {
		free(pager->cameras.at[at].keys);
		pager->cameras.at[at] = camera;
	} else if (!cs_vec_push(&pager->cameras, camera)) {
		free(camera.keys);
		return cs_error_nomem();
	}
	return NULL;
}

/* Updates the index of a camera after the removal of `removed`, whose own index becomes CS_NONE. */
static void renumber_camera(uint32_t *camera, uint32_t removed)
{
	if (*camera != CS_NONE && *camera >= removed)
		*camera = *camera == removed ? CS_NONE : *camera - 1;
}

static struct cs_error *input_uncamera(struct cs_pager *pager, const char *text)
{
	size_t at = find_camera(pager, text, strlen(text));
	if (at == pager->cameras.n)
		return cs_error_new(CS_E_MISSING, "no camera '%.60s'; `cameras` lists them", text);
	free(pager->cameras.at[at].keys);
	for (size_t i = 0; i < pager->n_pages; i++) {
		renumber_camera(&pager->pages[i].camera, (uint32_t)at);
		renumber_camera(&pager->pages[i].status.camera, (uint32_t)at);
	}
	for (size_t i = 0; i < pager->queue.n; i++)
		renumber_camera(&pager->queue.at[i].camera, (uint32_t)at);
	pager->cameras.n--;
	memmove(&pager->cameras.at[at], &pager->cameras.at[at + 1],
		(pager->cameras.n - at) * sizeof(*pager->cameras.at));
	return NULL;
}

static struct cs_error *take_page(
	const struct cs_pager *pager, const char *text, uint32_t *resource_ret, uint32_t *page_ret)
{
	double resource, page;
	const char *word;
	size_t n = pager_take_word(&text, &word);
	if (!cs_double_parse(word, n, &resource) || !cs_double_parse(text, strlen(text), &page) ||
		!(resource >= 0 && resource < (double)pager->n_resources) || !(page >= 0) ||
		!(page < (double)pager->resources[(uint32_t)resource].model->n_pages))
		return cs_error_new(CS_E_MISSING,
			"there is no page '%.40s': write RESOURCE PAGE, two numbers counted from "
			"0, of an open resource and of its page",
			word);
	*resource_ret = (uint32_t)resource;
	*page_ret = (uint32_t)page;
	return NULL;
}

/* Removes the instance of the resource that place_once() placed at the origin. */
static void drop_origin(struct cs_pager *pager, uint32_t resource)
{
	size_t kept = 0;
	for (size_t i = 0; i < pager->instances.n; i++) {
		const struct cs_pager_instance *at = &pager->instances.at[i].at;
		if (at->resource != resource || at->tag != CS_NONE)
			pager->instances.at[kept++] = pager->instances.at[i];
	}
	pager->instances.n = kept;
}

enum { INSTANCES = 1000000, INSTANCE_NUMBERS = 9 };

typedef CS_VEC(struct cs_run_instance) instance_list;

static struct cs_error *place_one(uint32_t resource, const double *at, instance_list *list)
{
	const double turn = at[4] * at[4] + at[5] * at[5] + at[6] * at[6] + at[7] * at[7];
	if (!(at[0] >= 0 && at[0] < CS_NONE))
		return cs_error_new(CS_E_SETTING,
			"the tag of instance %zu (counted from 0) must be 0 to %u, not %g", list->n,
			CS_NONE - 1, at[0]);
	if (fabs(turn - 1) > 1e-6)
		return cs_error_new(CS_E_SETTING,
			"the rotation of instance %zu (counted from 0) must be a unit quaternion, "
			"not %g %g %g %g",
			list->n, at[4], at[5], at[6], at[7]);
	if (!(at[8] > 0))
		return cs_error_new(CS_E_SETTING,
			"the scale of instance %zu (counted from 0) must be above 0, not %g",
			list->n, at[8]);
	const struct cs_run_instance one = {.at = {resource, {at[4], at[5], at[6], at[7]},
						    {at[1], at[2], at[3]}, at[8], (uint32_t)at[0]},
		.back = {-at[4], -at[5], -at[6], at[7]}};
	if (list->n >= INSTANCES)
		return cs_error_new(
			CS_E_LIMIT, "more instances are placed than the limit of %d", INSTANCES);
	return cs_vec_push(list, one) ? NULL : cs_error_nomem();
}

static struct cs_error *parse_instances(const char *text, uint32_t resource, instance_list *list)
{
	struct cs_error *error = NULL;
	double at[INSTANCE_NUMBERS];
	while (!error && *text) {
		for (unsigned i = 0; !error && i < INSTANCE_NUMBERS; i++) {
			const char *word;
			size_t n = pager_take_word(&text, &word);
			if (!cs_double_parse(word, n, &at[i]) || !isfinite(at[i]))
				error = cs_error_new(CS_E_USAGE,
					"'%.*s' in instance %zu (counted from 0) is not a finite "
					"number",
					(int)n, word, list->n);
		}
		if (!error)
			error = place_one(resource, at, list);
	}
	return error;
}

/* Places all instances that the input lists. If one of them is invalid, places none. */
static struct cs_error *input_place(struct cs_pager *pager, const char *text)
{
	const char *word;
	double resource;
	instance_list list = {0};
	size_t n = pager_take_word(&text, &word);
	if (!cs_double_parse(word, n, &resource) || !(resource >= 0) ||
		!(resource < (double)pager->n_resources))
		return cs_error_new(CS_E_MISSING,
			"no resource '%.*s': resources have the numbers 0 to %zu", (int)n, word,
			(size_t)pager->n_resources - 1);
	struct cs_error *error = parse_instances(text, (uint32_t)resource, &list);
	if (!error && !cs_vec_reserve(&pager->instances, list.n))
		error = cs_error_nomem();
	if (!error) {
		drop_origin(pager, (uint32_t)resource);
		for (size_t i = 0; i < list.n; i++)
			pager->instances.at[pager->instances.n++] = list.at[i];
	}
	cs_vec_free(&list);
	return error;
}

static struct cs_error *input_request(struct cs_pager *pager, const char *text)
{
	struct cs_pager_request request = {
		.due = pager->frame + 1, .group = CS_NONE, .camera = CS_NONE, .priority = 0};
	struct cs_error *error = take_page(pager, text, &request.resource, &request.page);
	if (!error && !cs_vec_push(&pager->queue, request))
		error = cs_error_nomem();
	return error;
}

/* Evicts a page in the last frame, whose record counts it. */
static struct cs_error *input_evict(struct cs_pager *pager, const char *text)
{
	uint32_t resource = 0, page = 0;
	struct cs_error *error = take_page(pager, text, &resource, &page);
	pager->now = pager->frames[pager->frame % CS_PAGER_FRAMES];
	if (!error)
		error = cs_run_evict(pager, (uint32_t)cs_run_row(pager, resource, page));
	if (error)
		return error;
	cs_run_settle(pager);
	record_frame(pager);
	return NULL;
}

struct cs_error *cs_pager_input(void *pager, const char *text)
{
	static const struct {
		const char *verb;
		struct cs_error *(*act)(struct cs_pager *pager, const char *text);
	} verbs[] = {{"set", input_set}, {"camera", input_camera}, {"uncamera", input_uncamera},
		{"place", input_place}, {"request", input_request}, {"evict", input_evict}};
	const char *verb;
	size_t n = pager_take_word(&text, &verb);
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (pager_is_word(verb, n, verbs[i].verb))
			return verbs[i].act(pager, text);
	return cs_error_new(CS_E_USAGE,
		"page streaming has no input '%.*s': inputs begin with set, camera, uncamera, "
		"place, request or evict",
		(int)n, verb);
}

/* ---- running a frame ---- */

/* Returns whether the list of installed pages is linked correctly and has all resident pages. */
static bool pool_list_holds(const struct cs_pager *pager)
{
	uint32_t before = CS_NONE;
	size_t listed = 0, resident = 0;
	for (uint32_t row = pager->first; row != CS_NONE && listed <= pager->n_pages;
		before = row, row = pager->pages[row].after, listed++)
		if (pager->pages[row].before != before || !pager->installed[row] ||
			pager->pages[row].status.state != CS_PAGE_RESIDENT)
			return false;
	for (size_t i = 0; i < pager->n_pages; i++)
		resident += pager->pages[i].status.state == CS_PAGE_RESIDENT;
	return pager->last == before && listed == resident;
}

/* Returns whether each page's `holders` is the number of pages with a pool slot that need it. */
static bool holders_hold(const struct cs_pager *pager)
{
	uint32_t *counts = calloc(pager->n_pages + 1, sizeof(*counts));
	bool holds = true;
	for (size_t i = 0; counts && i < pager->n_pages; i++) {
		const struct cs_model *model = pager->resources[pager->pages[i].resource].model;
		enum cs_page_state state = pager->pages[i].status.state;
		uint32_t page = pager->pages[i].page;
		if (state == CS_PAGE_ABSENT || state == CS_PAGE_ROOT)
			continue;
		for (uint32_t k = model->dependency_first[page];
			k < model->dependency_first[page + 1]; k++)
			counts[cs_run_row(
				pager, pager->pages[i].resource, model->dependencies[k])]++;
	}
	for (size_t i = 0; counts && holds && i < pager->n_pages; i++)
		holds = pager->pages[i].holders == counts[i];
	free(counts);
	return holds;
}

static void finish_frame(struct cs_pager *pager)
{
	CS_INVARIANT_SOMETIMES(pager->frame, pool_list_holds(pager),
		"the list holds exactly the installed pages that are no root pages");
	CS_INVARIANT_SOMETIMES(pager->frame, holders_hold(pager),
		"`holders` counts the pages with a slot whose list names a page");
	record_frame(pager);
}

struct cs_error *cs_pager_frame(void *context, uint64_t frame, uint64_t time, uint64_t length)
{
	struct cs_pager *pager = context;
	(void)length;
	if (pager->owner.before_frame)
		pager->owner.before_frame(pager->owner.context);
	pager->frame = frame;
	pager->time = time;
	pager->now = (struct cs_page_frame){.frame = frame, .time = time};
	cs_run_requests(pager);
	cs_run_installs(pager);
	cs_run_settle(pager);
	cs_run_look(pager);
	finish_frame(pager);
	bool failed = pager->failed;
	pager->failed = false;
	return failed ? cs_error_nomem() : NULL;
}

struct cs_companion cs_pager_companion(struct cs_pager *pager)
{
	return (struct cs_companion){
		pager, cs_pager_frame, cs_pager_input, cs_pager_save, cs_pager_restore};
}

/* ---- access to the state ---- */

struct cs_pager_view cs_pager_view(const struct cs_pager *pager)
{
	return (struct cs_pager_view){pager->frame, pager->settings, pager->cameras.n};
}

const struct cs_camera *cs_pager_camera(const struct cs_pager *pager, size_t index)
{
	return &pager->cameras.at[index].camera;
}

struct cs_camera_key cs_pager_camera_place(const struct cs_pager *pager, size_t index)
{
	return pager->cameras.at[index].place;
}

struct cs_page_status cs_pager_page(const struct cs_pager *pager, size_t row)
{
	return pager->pages[row].status;
}

enum cs_cluster_state cs_pager_cluster(const struct cs_pager *pager, size_t row)
{
	return (enum cs_cluster_state)pager->drawn[row];
}

bool cs_pager_group(const struct cs_pager *pager, size_t row)
{
	return pager->effective[row];
}

const struct cs_page_frame *cs_pager_frame_at(const struct cs_pager *pager, uint64_t frame)
{
	const struct cs_page_frame *record = &pager->frames[frame % CS_PAGER_FRAMES];
	return frame > 0 && frame <= pager->frame && record->frame == frame ? record : NULL;
}
