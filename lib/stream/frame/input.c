/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inputs: everything that changes the run between frames. The module that owns the changed state
 * applies an input. An input that succeeded is recorded with the frame after which it was applied,
 * so that the same frames can be run again.
 *
 * A record consists of: u32 size of the record in bytes, u64 frame, u8 kind, and the fields whose
 * bits the table `kinds` sets for that kind, in the order of the enumerators of the bits.
 */
#include "stream/stream_internal.h"

enum {
	SOURCE = 1,
	NAME = 2,
	TEXT = 4,
	PLACE = 8,
	PATH = 16,
	VARIABLE = 32,
	NUMBER = 64,
	CELL = 128,
	ROW = 256, /* the input has `world` and `row` */
	STATE = 512,
	FLAGS = 1024,
};

static const struct {
	cs_run_apply *apply;
	unsigned fields;
	/*
	 * true if the sort keys of the rows that the latest frame listed do not depend on this
	 * input; otherwise the keys are computed before the input is applied
	 */
	bool next;
	uint32_t since; /* set of enum cs_changed that the input causes */
} kinds[CS_INPUTS] = {
	[CS_INPUT_SOURCE] = {cs_run_apply_source, SOURCE, true, CS_CHANGED_SOURCES},
	[CS_INPUT_MOVE] = {cs_run_apply_move, NAME | PLACE, true, CS_CHANGED_SOURCES},
	[CS_INPUT_REMOVE] = {cs_run_apply_remove, NAME, true, CS_CHANGED_SOURCES},
	[CS_INPUT_FOLLOW] = {cs_run_apply_follow, NAME | PATH | FLAGS, true, CS_CHANGED_SOURCES},
	[CS_INPUT_VARIABLE] = {cs_run_apply_variable, VARIABLE | TEXT | FLAGS,
		.since = CS_CHANGED_SETTINGS},
	[CS_INPUT_HLOD] = {cs_run_apply_hlod, FLAGS, .since = CS_CHANGED_SETTINGS},
	[CS_INPUT_RANGE] = {cs_run_apply_range, ROW | NUMBER, .since = CS_CHANGED_SOURCES},
	[CS_INPUT_BLOCK] = {cs_run_apply_block, 0},
	[CS_INPUT_LAYER] = {cs_run_apply_layer, ROW | STATE | FLAGS, .since = CS_CHANGED_LAYERS},
	[CS_INPUT_REGISTER] = {cs_run_apply_register, ROW | FLAGS},
	[CS_INPUT_CLIENT] = {cs_run_apply_client, NAME | TEXT, .since = CS_CHANGED_CLIENTS},
	[CS_INPUT_CLIENT_REMOVE] = {cs_run_apply_client_remove, NAME, .since = CS_CHANGED_CLIENTS},
	[CS_INPUT_HOLD] = {cs_run_apply_hold, NAME | CELL | FLAGS, .since = CS_CHANGED_CLIENTS},
	[CS_INPUT_COMPANION] = {cs_run_apply_companion, TEXT},
	[CS_INPUT_FAULT] = {cs_run_apply_fault, CELL | ROW | NUMBER},
};

/* ---- records of inputs ---- */

static void code_input_text(struct cs_codec *codec, const char **text)
{
	uint32_t length = codec->out ? (uint32_t)strlen(*text) : 0;
	cs_code_u32(codec, &length);
	if (codec->out) {
		cs_writer_bytes(codec->out, *text, length + 1);
		return;
	}
	const unsigned char *at = cs_cursor_take(codec->in, (size_t)length + 1);
	*text = at ? (const char *)at : "";
}

static void code_path(
	struct cs_codec *codec, const struct cs_run_sources *sources, const struct cs_path **path)
{
	uint32_t number = CS_NONE;
	for (uint32_t i = 0; codec->out && i < sources->paths.n && number == CS_NONE; i++)
		number = sources->paths.at[i] == *path ? i : CS_NONE;
	cs_code_u32(codec, &number);
	*path = number < sources->paths.n ? sources->paths.at[number] : NULL;
}

/* Writes or reads, by the mode of `codec`, the fields of an input that are not single numbers. */
static void code_long_fields(struct cs_codec *codec, const struct cs_stream *stream,
	struct cs_stream_source *source, struct cs_stream_input *input)
{
	const unsigned fields = kinds[input->kind].fields;
	if (fields & SOURCE) {
		if (codec->out)
			*source = *input->source;
		cs_run_source_code(codec, source);
		input->source = source;
	}
	if (fields & NAME)
		code_input_text(codec, &input->name);
	if (fields & TEXT)
		code_input_text(codec, &input->text);
	if (fields & PLACE) {
		cs_code_vec3(codec, &input->location);
		cs_run_rotator_code(codec, &input->rotation);
	}
	if (fields & PATH)
		code_path(codec, &stream->sources, &input->path);
}

/* Writes or reads an input; `source` is a buffer for an input that has a source. */
static void code_input(struct cs_codec *codec, const struct cs_stream *stream,
	struct cs_stream_source *source, struct cs_stream_input *input)
{
	uint8_t kind = (uint8_t)input->kind, state = (uint8_t)input->state;
	uint8_t flags = (uint8_t)(input->on | input->replicated << 1);
	uint32_t variable = (uint32_t)input->variable;
	cs_code_u64(codec, &input->frame);
	cs_code_u8(codec, &kind);
	const unsigned fields = kinds[kind].fields;
	input->kind = (enum cs_input)kind;
	code_long_fields(codec, stream, source, input);
	if (fields & VARIABLE)
		cs_code_u32(codec, &variable);
	if (fields & NUMBER)
		cs_code_f64(codec, &input->number);
	if (fields & CELL)
		cs_run_cell_code(codec, &input->cell);
	if (fields & ROW) {
		cs_code_u32(codec, &input->world);
		cs_code_u32(codec, &input->row);
	}
	if (fields & STATE)
		cs_code_u8(codec, &state);
	if (fields & FLAGS)
		cs_code_u8(codec, &flags);
	input->variable = variable;
	input->state = (enum cs_layer_state)state;
	input->on = flags & 1;
	input->replicated = flags >> 1 & 1;
}

void cs_run_input_write(const struct cs_stream *stream, const struct cs_stream_input *input,
	struct cs_writer *writer)
{
	struct cs_codec codec = {.out = writer};
	struct cs_stream_source source;
	struct cs_stream_input copy = *input;
	copy.frame = stream->clock.frame;
	cs_writer_u32(writer, 0);
	code_input(&codec, stream, &source, &copy);
	if (!writer->failed)
		cs_store32(writer->bytes, (uint32_t)writer->size);
}

static uint64_t frame_of_record(const struct cs_writer *inputs, size_t at)
{
	return cs_load64(inputs->bytes + at + 4);
}

/* Reads the record at offset `at` of the recorded inputs. Returns its size in bytes. */
static size_t read_record(const struct cs_stream *stream, size_t at,
	struct cs_stream_source *source, struct cs_stream_input *ret)
{
	const struct cs_writer *inputs = &stream->timeline.inputs;
	size_t size = cs_load32(inputs->bytes + at);
	struct cs_cursor cursor = cs_cursor_over(inputs->bytes + at + 4, size - 4, 0, NULL);
	struct cs_codec codec = {.in = &cursor};
	*ret = (struct cs_stream_input){.frame = 0};
	code_input(&codec, stream, source, ret);
	return size;
}

size_t cs_run_inputs_from(const struct cs_stream *stream, uint64_t frame)
{
	const struct cs_writer *inputs = &stream->timeline.inputs;
	size_t at = 0;
	while (at < inputs->size && frame_of_record(inputs, at) < frame)
		at += cs_load32(inputs->bytes + at);
	return at;
}

/* ---- applying and replaying inputs ---- */

struct cs_error *cs_run_input_apply(struct cs_stream *stream, const struct cs_stream_input *input)
{
	if (!kinds[input->kind].next)
		cs_run_queue_order(stream);
	struct cs_error *error = kinds[input->kind].apply(stream, input);
	if (!error)
		stream->clock.since |= kinds[input->kind].since;
	return error;
}

struct cs_error *cs_run_replay_inputs(struct cs_stream *stream)
{
	struct cs_run_timeline *timeline = &stream->timeline;
	struct cs_error *error = NULL;
	while (!error && timeline->cursor < timeline->inputs.size &&
		frame_of_record(&timeline->inputs, timeline->cursor) == stream->clock.frame) {
		struct cs_stream_input input;
		timeline->cursor +=
			read_record(stream, timeline->cursor, &timeline->source, &input);
		error = cs_run_input_apply(stream, &input);
	}
	return error;
}

bool cs_stream_next_input(
	const struct cs_stream *stream, size_t *cursor, struct cs_stream_input *ret)
{
	const struct cs_run_timeline *timeline = &stream->timeline;
	if (*cursor >= timeline->inputs.size)
		return false;
	/* removing the const is safe: timeline.source is a buffer, not a part of the state */
	*cursor += read_record(stream, *cursor, (struct cs_stream_source *)&timeline->source, ret);
	return true;
}
