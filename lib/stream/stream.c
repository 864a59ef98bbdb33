/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: the life of a stream and of its world partitions, stepping, finding cells by name, status.
 */
#include "stream/stream.h"

#include "base/parallel.h"

#include <math.h>

/* ---- worlds ---- */

static void world_free(struct cs_run_world *w)
{
	if (!w)
		return;
	cs_run_model_deinit(&w->model);
	cs_run_layers_deinit(w);
	free(w->name);
	free(w->ranges);
	free(w->cell_slot);
	free(w->wait_slot);
	free(w->waited);
	free(w->hit_slot);
	free(w->warm_slot);
	free(w->target_first);
	cs_vec_free(&w->cells);
	cs_vec_free(&w->hits);
	cs_vec_free(&w->warm);
	cs_vec_free(&w->touches);
	cs_vec_free(&w->targets);
	cs_vec_free(&w->waiting[CS_ORDER_ACTIVATE]);
	cs_vec_free(&w->waiting[CS_ORDER_LOAD]);
	cs_vec_free(&w->found);
	cs_vec_free(&w->to_unload);
	free(w);
}

/* From the world into the space of the partition. */
static struct cs_transform inverse_of(const struct cs_transform *t)
{
	struct cs_quat turn = {-t->rotation.x, -t->rotation.y, -t->rotation.z, t->rotation.w};
	struct cs_vec3 back = cs_quat_rotate(
		turn, (struct cs_vec3){-t->translation.x, -t->translation.y, -t->translation.z});
	struct cs_vec3 scale = {1 / t->scale.x, 1 / t->scale.y, 1 / t->scale.z};
	return (struct cs_transform){
		turn, {back.x * scale.x, back.y * scale.y, back.z * scale.z}, scale};
}

static struct cs_error *place_world(
	struct cs_run_world *w, const struct cs_stream_instance *instance)
{
	const struct cs_transform *t = &instance->transform;
	struct cs_quat q = t->rotation;
	const double numbers[] = {q.x, q.y, q.z, q.w, t->translation.x, t->translation.y,
		t->translation.z, t->scale.x, t->scale.y, t->scale.z};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (!isfinite(numbers[i]))
			return cs_error_new(CS_E_SETTING, "level instance: not a finite transform");
	if (!(t->scale.x > 0 && t->scale.y > 0 && t->scale.z > 0) ||
		fabs(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1) > 1e-6)
		return cs_error_new(CS_E_SETTING,
			"level instance: scale must be positive and rotation of unit length");
	struct cs_vec3 forward = cs_quat_rotate(q, (struct cs_vec3){1, 0, 0});
	w->transform = *t;
	w->transformed = !cs_transform_is_identity(t);
	w->inverse = inverse_of(t);
	w->yaw = atan2(forward.y, forward.x) * (180 / acos(-1.0));
	w->owner = instance->owner;
	return NULL;
}

static struct cs_error *world_init(struct cs_stream *s, struct cs_run_world *w,
	const struct cs_cooked *cooked, const struct cs_stream_options *options, int threads)
{
	struct cs_error *error = cs_run_model_init(cooked, threads, &w->model);
	if (error)
		return error;
	w->ranges = malloc((cooked->n_partitions + 1) * sizeof(*w->ranges));
	w->target_first = calloc(cooked->n_partitions + 1, sizeof(*w->target_first));
	w->cell_slot = calloc(cooked->n_cells + 1, sizeof(*w->cell_slot));
	w->hit_slot = calloc(cooked->n_cells + 1, sizeof(*w->hit_slot));
	w->wait_slot = calloc(cooked->n_cells + 1, sizeof(*w->wait_slot));
	w->waited = calloc(cooked->n_cells + 1, sizeof(*w->waited));
	if (!w->ranges || !w->target_first || !w->cell_slot || !w->hit_slot || !w->wait_slot ||
		!w->waited || !cs_run_hlods_init(w))
		return cs_error_nomem();
	for (size_t i = 0; i < cooked->n_partitions; i++)
		w->ranges[i] = -1;
	error = cs_run_layers_init(s, w, options);
	if (!error)
		cs_run_disallow_update(s, w);
	return error;
}

static struct cs_error *add_world(struct cs_stream *s, const struct cs_cooked *cooked,
	const struct cs_stream_instance *instance, const struct cs_stream_options *options,
	const struct cs_job *job)
{
	if (s->worlds.n >= UINT16_MAX)
		return cs_error_new(CS_E_LIMIT, "more than %d world partitions", UINT16_MAX);
	struct cs_run_world *w = calloc(1, sizeof(*w));
	if (!w || !cs_vec_reserve(&s->worlds, 1)) {
		free(w);
		return cs_error_nomem();
	}
	w->id = (uint32_t)s->worlds.n;
	s->worlds.at[s->worlds.n++] = w; /* layers are found by the world's number */
	struct cs_error *error = place_world(w, instance);
	if (!error)
		error = world_init(s, w, cooked, options, cs_job_threads(job));
	if (!error)
		error = cs_run_world_name(s, w, instance->name);
	if (error) {
		s->worlds.n--;
		world_free(w);
	}
	return error;
}

struct cs_error *cs_stream_add_world(struct cs_stream *stream, const struct cs_cooked *cooked,
	const struct cs_stream_instance *instance, const struct cs_job *job, uint32_t *ret)
{
	if (instance->owner.cell != CS_NONE && !cs_run_cell_exists(stream, instance->owner))
		return cs_run_no_cell(instance->owner);
	struct cs_error *error = add_world(stream, cooked, instance, NULL, job);
	if (!error)
		*ret = (uint32_t)stream->worlds.n - 1;
	return error;
}

void cs_run_world_register(struct cs_stream *s, struct cs_run_world *w, bool on)
{
	w->registered = on;
	cs_run_event(s, CS_EVENT_WORLD, (struct cs_stream_cell){w->id, CS_NONE}, 0, !on, on,
		CS_REASON_NONE);
	if (!on)
		cs_run_unload_all(s, w);
}

struct cs_error *cs_run_apply_register(struct cs_stream *s, const struct cs_stream_input *input)
{
	if (input->world >= s->worlds.n)
		return cs_error_new(CS_E_SETTING, "no world partition %u", input->world);
	struct cs_run_world *w = s->worlds.at[input->world];
	if (w->registered != input->on)
		cs_run_world_register(s, w, input->on);
	return s->failed ? cs_error_nomem() : NULL;
}

struct cs_error *cs_stream_register(struct cs_stream *stream, uint32_t world, bool registered)
{
	return cs_run_submit(
		stream, &(struct cs_stream_input){
				.kind = CS_INPUT_REGISTER, .world = world, .on = registered});
}

/* ---- the stream ---- */

static struct cs_error *init(struct cs_stream *s, const struct cs_cooked *cooked,
	const struct cs_stream_options *options, const struct cs_job *job)
{
	const struct cs_stream_instance main = {
		.transform = CS_TRANSFORM_IDENTITY, .owner = CS_STREAM_NO_CELL};
	const char *profile = options && options->profile
				      ? options->profile
				      : cs_cooked_text(cooked, cooked->world->profile);
	struct cs_error *error = cs_run_rules_find(profile, &s->rules);
	if (error)
		return error;
	strncpy(s->profile, *profile ? profile : s->rules->name, sizeof(s->profile) - 1);
	if (options)
		s->companion = options->companion;
	s->role = options ? options->role : CS_ROLE_STANDALONE;
	s->hlod_enabled = true;
	s->showing = s->hiding = CS_STREAM_NO_CELL;
	cs_run_variables_init(&s->variables, s->rules);
	error = cs_run_log_init(&s->log, options);
	if (!error)
		error = add_world(s, cooked, &main, options, job);
	if (error)
		return error;
	s->worlds.at[0]->registered = true;
	error = cs_run_subs_init(s, job);
	return error ? error : cs_run_timeline_init(s, options);
}

struct cs_error *cs_stream_new(const struct cs_cooked *cooked,
	const struct cs_stream_options *options, const struct cs_job *job, struct cs_stream **ret)
{
	struct cs_stream *stream = calloc(1, sizeof(*stream));
	if (!stream)
		return cs_error_nomem();
	struct cs_error *error = init(stream, cooked, options, job);
	if (error)
		cs_stream_free(stream);
	else
		*ret = stream;
	return error;
}

void cs_stream_free(struct cs_stream *stream)
{
	if (!stream)
		return;
	for (size_t i = 0; i < stream->worlds.n; i++)
		world_free(stream->worlds.at[i]);
	for (size_t i = 0; i < stream->paths.n; i++)
		cs_path_free(stream->paths.at[i]);
	for (size_t i = 0; i < stream->clients.n; i++)
		cs_vec_free(&stream->clients.at[i].seen);
	for (int i = 0; i < CS_ORDER_LISTS; i++) {
		cs_vec_free(&stream->lists[i]);
		cs_vec_free(&stream->open[i]);
	}
	cs_vec_free(&stream->worlds);
	cs_vec_free(&stream->paths);
	cs_vec_free(&stream->clients);
	cs_vec_free(&stream->providers);
	cs_vec_free(&stream->sources);
	cs_vec_free(&stream->scratch);
	cs_vec_free(&stream->moving);
	cs_vec_free(&stream->faults);
	cs_vec_free(&stream->holds);
	cs_vec_free(&stream->critical);
	cs_run_log_deinit(&stream->log);
	cs_run_timeline_deinit(stream);
	free(stream);
}

/* ---- stepping ---- */

/* The frame; its steps are named in policy.c. */
struct cs_error *cs_run_frame(struct cs_stream *s)
{
	s->frame++;
	const struct cs_path_frame *recorded = cs_run_recorded_frame(s);
	uint64_t length = recorded ? recorded->length_ns : cs_run_ns(s, CS_VAR_FRAME_TIME);
	s->time += length;
	s->delta = length + s->stall;
	s->stall = 0;
	cs_run_frame_begin(s);
	s->now.length_ns = length;
	s->now.recorded = recorded;
	if (!cs_run_update(s) || !cs_run_levels_update(s, false) ||
		(s->block_requested && !cs_run_block(s)))
		return cs_error_nomem();
	cs_run_warm_finish(s);
	cs_run_frame_finish(s);
	if (!cs_run_order_finish(s) || !cs_run_targets_refresh(s) || s->failed)
		return cs_error_nomem();
	return cs_run_companion_frame(s, length);
}

struct cs_error *cs_stream_step(struct cs_stream *stream, uint64_t n)
{
	struct cs_error *error = NULL;
	for (uint64_t i = 0; !error && i < n; i++) {
		error = cs_run_frame(stream);
		if (!error)
			error = cs_run_record_frame(stream);
		if (!error)
			error = cs_run_timeline_frame(stream);
	}
	return error;
}

struct cs_error *cs_run_apply_block(struct cs_stream *s, const struct cs_stream_input *input)
{
	(void)input;
	s->block_requested = true;
	return NULL;
}

struct cs_error *cs_stream_block(struct cs_stream *stream)
{
	return cs_run_submit(stream, &(struct cs_stream_input){.kind = CS_INPUT_BLOCK});
}

/* ---- recording a path ---- */

double cs_run_recorder_time(const struct cs_stream *s)
{
	return ((double)s->time - (double)s->recorder.start) * 1e-9;
}

struct cs_error *cs_run_record_frame(struct cs_stream *s)
{
	if (!s->recorder.path || s->time < s->recorder.start)
		return NULL;
	size_t place = cs_stream_find_source(s, s->recorder.source);
	if (place == SIZE_MAX)
		return NULL;
	struct cs_stream_source_view view = cs_stream_source_at(s, place);
	struct cs_path_key key = {cs_run_recorder_time(s), view.source->location,
		view.source->rotation, view.velocity};
	return cs_path_add(s->recorder.path, &key);
}

struct cs_error *cs_stream_record_path(
	struct cs_stream *stream, const char *source, struct cs_path *path)
{
	if (path && cs_stream_find_source(stream, source) == SIZE_MAX)
		return cs_error_new(CS_E_NOSOURCE, "no streaming source '%.100s'", source);
	stream->recorder = (struct cs_run_recorder){.path = path, .start = stream->time};
	if (!path)
		return NULL;
	strncpy(stream->recorder.source, source, CS_SOURCE_NAME - 1);
	cs_path_set_velocity(path, true);
	return cs_run_record_frame(stream);
}

/* ---- finding ---- */

size_t cs_run_cell_place(const void *list, size_t n, size_t size, struct cs_stream_cell cell)
{
	const char *bytes = list;
	size_t low = 0, high = n;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct cs_stream_cell *at = (const void *)(bytes + middle * size);
		if (cs_run_cell_order(*at, cell) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool cs_run_cell_exists(const struct cs_stream *s, struct cs_stream_cell cell)
{
	return cell.world < s->worlds.n && cell.cell < s->worlds.at[cell.world]->model.n_cells;
}

struct cs_error *cs_run_no_cell(struct cs_stream_cell cell)
{
	return cs_error_new(CS_E_NOCELL, "no cell %u of world %u", cell.cell, cell.world);
}

size_t cs_stream_worlds(const struct cs_stream *stream)
{
	return stream->worlds.n;
}

const struct cs_cooked *cs_stream_cooked(const struct cs_stream *stream, uint32_t world)
{
	return stream->worlds.at[world]->model.cooked;
}

struct cs_stream_cell cs_stream_find_cell(const struct cs_stream *stream, const char *name)
{
	for (uint32_t world = 0; world < stream->worlds.n; world++) {
		const struct cs_cooked *cooked = cs_stream_cooked(stream, world);
		for (uint32_t i = 0; i < cooked->n_cells; i++) {
			const struct cs_cooked_cell *cell = &cooked->cells[i];
			if (cs_name_compare(cs_cooked_text(cooked, cell->name), name) == 0 ||
				cs_name_compare(cs_cooked_text(cooked, cell->short_name), name) ==
					0)
				return (struct cs_stream_cell){world, i};
		}
	}
	return CS_STREAM_NO_CELL;
}

uint32_t cs_stream_find_partition(const struct cs_stream *stream, uint32_t world, const char *name)
{
	const struct cs_cooked *cooked =
		world < stream->worlds.n ? cs_stream_cooked(stream, world) : NULL;
	for (uint32_t i = 0; cooked && i < cooked->n_partitions; i++)
		if (cs_name_compare(cs_cooked_text(cooked, cooked->partitions[i].name), name) == 0)
			return i;
	return CS_NONE;
}
