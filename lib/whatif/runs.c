/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares two runs along one path, frame by frame. At the start, the cells of both cooks are
 * paired by name. Each pair stores the states of its cells, which events change, so that the cost
 * of a frame depends on its events and not on the number of cells.
 */
#include "whatif/whatif_internal.h"

#include "core/job.h"
#include "core/sort.h"
#include "stream/stream_inside.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdlib.h>
#include <string.h>

struct pair {
	uint32_t cells[2];
	uint8_t states[2]; /* enum cs_level_state of the cell in each run */
};

struct side {
	struct cs_stream *stream;
	const struct cs_cooked *cooked;
	uint32_t *pair_of; /* indexed by cell: index of the cell's pair in runs.pairs */
	uint64_t events;   /* number of events read so far */
};

struct runs {
	struct side sides[2];
	struct pair *pairs;
	size_t n_pairs;
	uint32_t differing; /* number of pairs whose states differ in the current frame */
};

/* ---- pairing the cells of two cooks ---- */

static struct cs_sort_key *keys_of(const struct cs_cooked *cooked)
{
	struct cs_sort_key *keys = malloc((cooked->n_cells + 1) * sizeof(*keys));
	for (uint32_t i = 0; keys && i < cooked->n_cells; i++) {
		const char *name = cs_cooked_cell_name(cooked, i);
		XXH128_hash_t hash = XXH3_128bits(name, strlen(name));
		keys[i] = (struct cs_sort_key){hash.high64, hash.low64, i};
	}
	if (!keys || cs_sort_keys(keys, cooked->n_cells))
		return keys;
	free(keys);
	return NULL;
}

static void add_pair(struct runs *runs, uint32_t left, uint32_t right)
{
	const uint32_t cells[2] = {left, right};
	for (int i = 0; i < 2; i++)
		if (cells[i] != CS_NONE)
			runs->sides[i].pair_of[cells[i]] = (uint32_t)runs->n_pairs;
	runs->pairs[runs->n_pairs++] = (struct pair){.cells = {left, right}};
}

static void merge(struct runs *runs, const struct cs_sort_key *l, const struct cs_sort_key *r)
{
	const size_t nl = runs->sides[0].cooked->n_cells, nr = runs->sides[1].cooked->n_cells;
	for (size_t i = 0, j = 0; i < nl || j < nr;) {
		int order = i == nl ? 1 : j == nr ? -1 : cs_sort_key_compare(&l[i], &r[j]);
		add_pair(
			runs, order <= 0 ? l[i].index : CS_NONE, order >= 0 ? r[j].index : CS_NONE);
		i += order <= 0;
		j += order >= 0;
	}
}

static struct cs_error *pair_cells(struct runs *runs)
{
	size_t n = 1;
	struct cs_sort_key *keys[2] = {NULL, NULL};
	bool good = true;
	for (int i = 0; i < 2; i++) {
		const struct cs_cooked *cooked = runs->sides[i].cooked;
		n += cooked->n_cells;
		runs->sides[i].pair_of = calloc(cooked->n_cells + 1, sizeof(uint32_t));
		keys[i] = keys_of(cooked);
		good = good && keys[i] && runs->sides[i].pair_of;
	}
	runs->pairs = calloc(n, sizeof(*runs->pairs));
	good = good && runs->pairs;
	if (good)
		merge(runs, keys[0], keys[1]);
	free(keys[0]);
	free(keys[1]);
	return good ? NULL : cs_error_nomem();
}

/* ---- running both cooks ---- */

static struct cs_error *runs_set_variable(struct cs_stream *stream, const char *setting)
{
	const char *equals = strchr(setting, '=');
	char name[128];
	size_t n = equals ? (size_t)(equals - setting) : 0;
	if (n == 0)
		return cs_error_new(
			CS_E_SETTING, "the setting '%s' must have the form NAME=VALUE", setting);
	if (n >= sizeof(name))
		return cs_error_new(CS_E_SETTING,
			"no variable has a name as long as %.40s... (`variable` lists them)",
			setting);
	memcpy(name, setting, n);
	name[n] = '\0';
	return cs_stream_variable_set(stream, cs_stream_find_variable(name), equals + 1);
}

static struct cs_error *runs_start(struct side *side, const struct cs_run_side *from,
	const struct cs_path *path, const struct cs_job *job)
{
	const struct cs_stream_source source = cs_stream_source_player("Player0");
	side->cooked = from->cooked;
	struct cs_error *error = cs_stream_new(from->cooked, NULL, job, &side->stream);
	for (size_t i = 0; !error && i < from->n; i++)
		error = runs_set_variable(side->stream, from->settings[i]);
	if (!error)
		error = cs_stream_source_set(side->stream, &source);
	if (!error)
		error = cs_stream_source_follow(side->stream, source.name, path, false);
	return error;
}

static bool differs(const struct pair *pair)
{
	return pair->states[0] != pair->states[1];
}

static void take_events(struct runs *runs, int which)
{
	struct side *side = &runs->sides[which];
	const uint64_t n = cs_stream_event_count(side->stream);
	for (; side->events < n; side->events++) {
		const struct cs_stream_event *event =
			cs_stream_event_at(side->stream, side->events);
		if (!event || event->event != CS_EVENT_LEVEL || event->world != 0)
			continue;
		struct pair *pair = &runs->pairs[side->pair_of[event->cell]];
		runs->differing -= differs(pair);
		pair->states[which] = event->to;
		runs->differing += differs(pair);
	}
}

static struct cs_error *tell_partings(
	const struct runs *runs, uint64_t frame, struct cs_run_difference *ret)
{
	ret->at = frame;
	ret->partings = calloc((size_t)runs->differing + 1, sizeof(*ret->partings));
	if (!ret->partings)
		return cs_error_nomem();
	for (size_t i = 0; i < runs->n_pairs && ret->n_partings < runs->differing; i++)
		if (differs(&runs->pairs[i]))
			ret->partings[ret->n_partings++] = (struct cs_run_parting){
				runs->pairs[i].cells[0], runs->pairs[i].cells[1],
				(enum cs_level_state)runs->pairs[i].states[0],
				(enum cs_level_state)runs->pairs[i].states[1]};
	return NULL;
}

static bool numbers_differ(const struct cs_stream_frame *l, const struct cs_stream_frame *r)
{
	return l->cells_loaded != r->cells_loaded || l->bytes != r->bytes ||
	       l->actors != r->actors || l->waiting != r->waiting || l->work_ns != r->work_ns ||
	       l->stall_ns != r->stall_ns;
}

static struct cs_error *step_both(struct runs *runs, struct cs_run_pair *pair)
{
	struct cs_stream_frame *frames[2] = {&pair->left, &pair->right};
	for (int i = 0; i < 2; i++) {
		struct cs_stream *stream = runs->sides[i].stream;
		struct cs_error *error = cs_stream_step(stream, 1);
		if (error)
			return error;
		take_events(runs, i);
		const struct cs_stream_frame *frame =
			cs_stream_frame(stream, cs_stream_status(stream).frame);
		if (!frame)
			return cs_error_new(
				CS_E_INTERNAL, "the simulation did not record a frame that it ran");
		*frames[i] = *frame;
		/* the stream frees the recorded values; the caller finds them in the path */
		frames[i]->recorded = NULL;
	}
	pair->cells = runs->differing;
	pair->alike = pair->cells == 0 && !numbers_differ(&pair->left, &pair->right);
	return NULL;
}

static struct cs_error *run_frames(
	struct runs *runs, uint64_t at, const struct cs_job *job, struct cs_run_difference *ret)
{
	struct cs_error *error = NULL;
	const size_t n = ret->n;
	for (ret->n = 0; !error && ret->n < n;) {
		struct cs_run_pair *pair = &ret->pairs[ret->n];
		error = step_both(runs, pair);
		if (error)
			break;
		if (pair->cells && ret->differing++ == 0)
			ret->first = pair->left.frame;
		ret->unlike += !pair->alike;
		if (pair->left.frame == (at ? at : ret->first))
			error = tell_partings(runs, pair->left.frame, ret);
		ret->n++;
		if (!error)
			error = cs_job_check(job);
	}
	ret->left = cs_stream_report(runs->sides[0].stream);
	ret->right = cs_stream_report(runs->sides[1].stream);
	return error;
}

struct cs_error *cs_run_compare(const struct cs_run_side *left, const struct cs_run_side *right,
	const struct cs_path *path, uint64_t at, const struct cs_job *job,
	struct cs_run_difference *ret)
{
	struct runs runs = {.differing = 0};
	uint64_t frames = 0;
	struct cs_error *error = cs_path_run_frames(path, &frames);
	if (error)
		return error;
	struct cs_run_difference difference = {.n = (size_t)frames, .first = UINT64_MAX, .at = at};
	if (at > difference.n)
		return cs_error_new(CS_E_NOFRAME,
			"--at names frame %llu, but the path has only %zu frames",
			(unsigned long long)at, difference.n);
	error = runs_start(&runs.sides[0], left, path, job);
	if (!error)
		error = runs_start(&runs.sides[1], right, path, job);
	if (!error)
		error = pair_cells(&runs);
	difference.pairs = calloc(difference.n + 1, sizeof(*difference.pairs));
	if (!error && !difference.pairs)
		error = cs_error_nomem();
	if (!error)
		error = run_frames(&runs, at, job, &difference);
	for (int i = 0; i < 2; i++) {
		cs_stream_free(runs.sides[i].stream);
		free(runs.sides[i].pair_of);
	}
	free(runs.pairs);
	if (error) {
		free(difference.pairs);
		free(difference.partings);
	} else
		*ret = difference;
	return error;
}
