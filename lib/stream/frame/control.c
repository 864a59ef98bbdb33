/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: what the user of a run does between frames. Each becomes an input, which acts through the
 * module that owns what it changes (input.c) and, when it worked, is recorded with the frame behind
 * which it acted.
 */
#include "stream/stream_internal.h"

/* Acts and is recorded (control.c). */
static struct cs_error *run_submit(struct cs_stream *s, const struct cs_stream_input *input)
{
	struct cs_run_timeline *t = &s->timeline;
	struct cs_writer *record = &t->record;
	struct cs_error *error = cs_run_input_apply(s, input);
	if (error)
		return error;
	cs_run_timeline_branch(s);
	record->size = 0;
	cs_run_input_write(s, input, record);
	cs_writer_bytes(&t->inputs, record->bytes, record->size);
	if (record->failed || t->inputs.failed) {
		/* it acted, so frames before it can no longer be run again */
		record->failed = t->inputs.failed = false;
		cs_run_timeline_forget(s);
		return cs_error_nomem();
	}
	t->cursor = t->inputs.size;
	cs_run_timeline_trim(s);
	return NULL;
}

/* ---- sources ---- */

struct cs_error *cs_stream_source_set(
	struct cs_stream *stream, const struct cs_stream_source *source)
{
	return run_submit(
		stream, &(struct cs_stream_input){.kind = CS_INPUT_SOURCE, .source = source});
}

struct cs_error *cs_stream_source_move(struct cs_stream *stream, const char *name,
	struct cs_vec3 location, struct cs_rotator rotation)
{
	return run_submit(stream, &(struct cs_stream_input){.kind = CS_INPUT_MOVE,
					  .name = name,
					  .location = location,
					  .rotation = rotation});
}

struct cs_error *cs_stream_source_remove(struct cs_stream *stream, const char *name)
{
	return run_submit(stream, &(struct cs_stream_input){.kind = CS_INPUT_REMOVE, .name = name});
}

static struct cs_error *keep_copy(
	struct cs_stream *s, const struct cs_path *path, const struct cs_path **ret)
{
	struct cs_path *copy = NULL;
	const struct cs_path_key *keys;
	size_t n = cs_path_keys(path, &keys);
	const struct cs_path_frame *frames = cs_path_frames(path);
	struct cs_error *error = cs_path_new(&copy);
	for (size_t i = 0; !error && i < n; i++)
		error = frames ? cs_path_add_frame(copy, &keys[i], &frames[i])
			       : cs_path_add(copy, &keys[i]);
	if (error) {
		cs_path_free(copy);
		return error;
	}
	cs_path_set_velocity(copy, cs_path_has_velocity(path));
	if (!cs_vec_push(&s->sources.paths, copy)) {
		cs_path_free(copy);
		return cs_error_nomem();
	}
	*ret = copy;
	return NULL;
}

struct cs_error *cs_stream_source_follow(
	struct cs_stream *stream, const char *name, const struct cs_path *path, bool loop)
{
	struct cs_stream_input input = {.kind = CS_INPUT_FOLLOW, .name = name, .on = loop};
	struct cs_error *error = NULL;
	if (cs_stream_find_source(stream, name) == SIZE_MAX)
		return cs_error_new(CS_E_NOSOURCE, "no streaming source '%.100s'", name);
	if (path && cs_path_keys(path, &(const struct cs_path_key *){NULL}) == 0)
		return cs_error_new(CS_E_SETTING, "the path has no keys");
	if (path)
		error = keep_copy(stream, path, &input.path);
	return error ? error : run_submit(stream, &input);
}

/* ---- settings ---- */

struct cs_error *cs_stream_variable_set(struct cs_stream *stream, size_t variable, const char *text)
{
	return run_submit(
		stream, &(struct cs_stream_input){
				.kind = CS_INPUT_VARIABLE, .variable = variable, .text = text});
}

struct cs_error *cs_stream_override_range(
	struct cs_stream *stream, uint32_t world, uint32_t partition, double range)
{
	return run_submit(stream,
		&(struct cs_stream_input){
			.kind = CS_INPUT_RANGE, .world = world, .row = partition, .number = range});
}

/* ---- layers ---- */

struct cs_error *cs_stream_layer_set(struct cs_stream *stream, uint32_t world, uint32_t layer,
	enum cs_layer_state state, bool recursive, bool replicated, enum cs_layer_answer *ret)
{
	struct cs_error *error = cs_run_check_layer(stream, world, layer);
	if (!error && (unsigned)state > CS_LAYER_ACTIVATED)
		error = cs_error_new(CS_E_SETTING, "no such layer state");
	if (error)
		return error;
	const struct cs_run_world *w = stream->worlds.at[world];
	enum cs_layer_answer answer = cs_run_layer_may_set(stream, w, layer, replicated);
	if (answer == CS_LAYER_SET && w->layers.target[layer] == state)
		answer = CS_LAYER_UNCHANGED;
	error = run_submit(stream, &(struct cs_stream_input){.kind = CS_INPUT_LAYER,
					   .world = world,
					   .row = layer,
					   .state = state,
					   .on = recursive,
					   .replicated = replicated});
	if (!error)
		*ret = answer;
	return error;
}

/* ---- clients ---- */

struct cs_error *cs_stream_client_set(
	struct cs_stream *stream, const char *name, const char *source)
{
	return run_submit(stream,
		&(struct cs_stream_input){.kind = source ? CS_INPUT_CLIENT : CS_INPUT_CLIENT_REMOVE,
			.name = name,
			.text = source});
}

struct cs_error *cs_stream_client_hold(
	struct cs_stream *stream, const char *name, struct cs_stream_cell cell, bool hold)
{
	return run_submit(
		stream, &(struct cs_stream_input){
				.kind = CS_INPUT_HOLD, .name = name, .cell = cell, .on = hold});
}

/* ---- the rest ---- */

struct cs_error *cs_stream_fault(
	struct cs_stream *stream, struct cs_stream_cell cell, enum cs_fault fault, double factor)
{
	return run_submit(stream, &(struct cs_stream_input){.kind = CS_INPUT_FAULT,
					  .cell = cell,
					  .row = (uint32_t)fault,
					  .number = factor});
}

struct cs_error *cs_stream_hlod_enable(struct cs_stream *stream, bool on)
{
	return run_submit(stream, &(struct cs_stream_input){.kind = CS_INPUT_HLOD, .on = on});
}

struct cs_error *cs_stream_register(struct cs_stream *stream, uint32_t world, bool registered)
{
	return run_submit(
		stream, &(struct cs_stream_input){
				.kind = CS_INPUT_REGISTER, .world = world, .on = registered});
}

struct cs_error *cs_stream_block(struct cs_stream *stream)
{
	return run_submit(stream, &(struct cs_stream_input){.kind = CS_INPUT_BLOCK});
}

struct cs_error *cs_stream_companion_input(struct cs_stream *stream, const char *text)
{
	return run_submit(
		stream, &(struct cs_stream_input){.kind = CS_INPUT_COMPANION, .text = text});
}
