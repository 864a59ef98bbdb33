/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Actions of the user of a run between frames. Each action becomes an input, which the module that
 * owns the changed state applies (input.c). An input that succeeded is recorded with the frame
 * after which it was applied.
 */
#include "stream/stream_internal.h"

/* Applies an input and records it, which removes what was recorded after the current frame. */
static struct cs_error *run_submit(struct cs_stream *stream, const struct cs_stream_input *input)
{
	struct cs_run_timeline *timeline = &stream->timeline;
	struct cs_writer *record = &timeline->record;
	struct cs_error *error = cs_run_input_apply(stream, input);
	if (error)
		return error;
	cs_run_timeline_branch(stream);
	record->size = 0;
	cs_run_input_write(stream, input, record);
	cs_writer_bytes(&timeline->inputs, record->bytes, record->size);
	if (record->failed || timeline->inputs.failed) {
		/* the input takes effect but cannot be replayed: earlier frames are lost */
		record->failed = timeline->inputs.failed = false;
		cs_run_timeline_forget(stream);
		return cs_error_nomem();
	}
	timeline->cursor = timeline->inputs.size;
	cs_run_timeline_trim(stream);
	return NULL;
}

/* Copies a path into the stream, which owns the copy, so that the input can be repeated later. */
static struct cs_error *keep_copy(
	struct cs_stream *stream, const struct cs_path *path, const struct cs_path **ret)
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
	if (!cs_vec_push(&stream->sources.paths, copy)) {
		cs_path_free(copy);
		return cs_error_nomem();
	}
	*ret = copy;
	return NULL;
}

static struct cs_error *follow_copy(struct cs_stream *stream, struct cs_stream_input input)
{
	if (cs_stream_find_source(stream, input.name) == SIZE_MAX)
		return cs_error_new(
			CS_E_NOSOURCE, "the run has no streaming source '%.100s'", input.name);
	if (input.path && cs_path_keys(input.path, &(const struct cs_path_key *){NULL}) == 0)
		return cs_error_new(CS_E_SETTING,
			"the path that source '%.100s' shall follow has no keys", input.name);
	struct cs_error *error = input.path ? keep_copy(stream, input.path, &input.path) : NULL;
	return error ? error : run_submit(stream, &input);
}

struct cs_error *cs_stream_input(struct cs_stream *stream, const struct cs_stream_input *input)
{
	if ((unsigned)input->kind >= CS_INPUTS)
		return cs_error_new(CS_E_USAGE,
			"the kind of an input to the run (enum cs_input) must be 0 to %d, not %d",
			CS_INPUTS - 1, (int)input->kind);
	enum cs_layer_answer answer;
	switch (input->kind) {
	case CS_INPUT_FOLLOW:
		return follow_copy(stream, *input);
	case CS_INPUT_LAYER:
		return cs_stream_layer_set(stream, input->world, input->row, input->state,
			input->on, input->replicated, &answer);
	default:
		return run_submit(stream, input);
	}
}

struct cs_error *cs_stream_layer_set(struct cs_stream *stream, uint32_t world, uint32_t layer,
	enum cs_layer_state state, bool recursive, bool replicated, enum cs_layer_answer *ret)
{
	struct cs_error *error = cs_run_check_layer(stream, world, layer);
	if (!error && (unsigned)state > CS_LAYER_ACTIVATED)
		error = cs_error_new(CS_E_SETTING,
			"the state of a data layer must be 0 (unloaded), 1 (loaded) or 2 "
			"(activated), not %d",
			(int)state);
	if (error)
		return error;
	const struct cs_run_world *run_world = stream->worlds.at[world];
	enum cs_layer_answer answer = cs_run_layer_may_set(stream, run_world, layer, replicated);
	if (answer == CS_LAYER_SET && run_world->layers.target[layer] == state)
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
