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

static void input_write_text(struct cs_writer *writer, const char *text)
{
	uint32_t length = (uint32_t)strlen(text);
	cs_writer_u32(writer, length);
	cs_writer_bytes(writer, text, length + 1);
}

static const char *input_read_text(struct cs_cursor *cursor)
{
	uint32_t length = cs_cursor_u32(cursor);
	const unsigned char *text = cs_cursor_take(cursor, (size_t)length + 1);
	return text ? (const char *)text : "";
}

static void write_place(struct cs_writer *writer, const struct cs_stream_input *input)
{
	cs_writer_vec3(writer, input->location);
	cs_writer_f64(writer, input->rotation.pitch);
	cs_writer_f64(writer, input->rotation.yaw);
	cs_writer_f64(writer, input->rotation.roll);
}

static void read_place(struct cs_cursor *cursor, struct cs_stream_input *input)
{
	input->location = cs_cursor_vec3(cursor);
	input->rotation.pitch = cs_cursor_f64(cursor);
	input->rotation.yaw = cs_cursor_f64(cursor);
	input->rotation.roll = cs_cursor_f64(cursor);
}

static uint32_t path_number(const struct cs_stream *stream, const struct cs_path *path)
{
	for (uint32_t i = 0; i < stream->sources.paths.n; i++)
		if (stream->sources.paths.at[i] == path)
			return i;
	return CS_NONE;
}

void cs_run_input_write(const struct cs_stream *stream, const struct cs_stream_input *input,
	struct cs_writer *writer)
{
	unsigned fields = kinds[input->kind].fields;
	cs_writer_u32(writer, 0);
	cs_writer_u64(writer, stream->clock.frame);
	cs_writer_u8(writer, (uint8_t)input->kind);
	if (fields & SOURCE)
		cs_run_source_write(input->source, true, writer);
	if (fields & NAME)
		input_write_text(writer, input->name);
	if (fields & TEXT)
		input_write_text(writer, input->text);
	if (fields & PLACE)
		write_place(writer, input);
	if (fields & PATH)
		cs_writer_u32(writer, path_number(stream, input->path));
	if (fields & VARIABLE)
		cs_writer_u32(writer, (uint32_t)input->variable);
	if (fields & NUMBER)
		cs_writer_f64(writer, input->number);
	if (fields & CELL) {
		cs_writer_u32(writer, input->cell.world);
		cs_writer_u32(writer, input->cell.cell);
	}
	if (fields & ROW) {
		cs_writer_u32(writer, input->world);
		cs_writer_u32(writer, input->row);
	}
	if (fields & STATE)
		cs_writer_u8(writer, (uint8_t)input->state);
	if (fields & FLAGS)
		cs_writer_u8(writer, (uint8_t)(input->on | input->replicated << 1));
	if (!writer->failed)
		cs_store32(writer->bytes, (uint32_t)writer->size);
}

/* Reads the record of an input into *input. `source` is a buffer for an input that has a source. */
static void read_record(const struct cs_stream *stream, struct cs_cursor *cursor,
	struct cs_stream_source *source, struct cs_stream_input *input)
{
	*input = (struct cs_stream_input){.frame = cs_cursor_u64(cursor)};
	uint8_t kind = cs_cursor_u8(cursor);
	unsigned fields = kinds[kind].fields;
	input->kind = (enum cs_input)kind;
	if (fields & SOURCE) {
		cs_run_source_read(cursor, source);
		input->source = source;
	}
	if (fields & NAME)
		input->name = input_read_text(cursor);
	if (fields & TEXT)
		input->text = input_read_text(cursor);
	if (fields & PLACE)
		read_place(cursor, input);
	if (fields & PATH) {
		uint32_t path = cs_cursor_u32(cursor);
		input->path =
			path < stream->sources.paths.n ? stream->sources.paths.at[path] : NULL;
	}
	if (fields & VARIABLE)
		input->variable = cs_cursor_u32(cursor);
	if (fields & NUMBER)
		input->number = cs_cursor_f64(cursor);
	if (fields & CELL)
		input->cell = (struct cs_stream_cell){cs_cursor_u32(cursor), cs_cursor_u32(cursor)};
	if (fields & ROW) {
		input->world = cs_cursor_u32(cursor);
		input->row = cs_cursor_u32(cursor);
	}
	if (fields & STATE)
		input->state = (enum cs_layer_state)cs_cursor_u8(cursor);
	if (fields & FLAGS) {
		uint8_t flags = cs_cursor_u8(cursor);
		input->on = flags & 1;
		input->replicated = flags >> 1 & 1;
	}
}

/* Returns the size in bytes of the record at offset `at` of `inputs`; *frame is its frame. */
static size_t record_at(const struct cs_writer *inputs, size_t at, uint64_t *frame)
{
	*frame = cs_load64(inputs->bytes + at + 4);
	return cs_load32(inputs->bytes + at);
}

size_t cs_run_inputs_from(const struct cs_stream *stream, uint64_t frame)
{
	const struct cs_writer *inputs = &stream->timeline.inputs;
	size_t at = 0;
	while (at < inputs->size) {
		uint64_t then;
		size_t size = record_at(inputs, at, &then);
		if (then >= frame)
			break;
		at += size;
	}
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
	while (!error && timeline->cursor < timeline->inputs.size) {
		struct cs_stream_input input;
		uint64_t frame;
		size_t size = record_at(&timeline->inputs, timeline->cursor, &frame);
		struct cs_cursor cursor = cs_cursor_over(
			timeline->inputs.bytes + timeline->cursor + 4, size - 4, 0, NULL);
		if (frame != stream->clock.frame)
			break;
		read_record(stream, &cursor, &timeline->source, &input);
		error = cs_run_input_apply(stream, &input);
		timeline->cursor += size;
	}
	return error;
}

bool cs_stream_next_input(
	const struct cs_stream *stream, size_t *cursor, struct cs_stream_input *ret)
{
	const struct cs_run_timeline *timeline = &stream->timeline;
	uint64_t frame;
	if (*cursor >= timeline->inputs.size)
		return false;
	size_t size = record_at(&timeline->inputs, *cursor, &frame);
	struct cs_cursor at =
		cs_cursor_over(timeline->inputs.bytes + *cursor + 4, size - 4, 0, NULL);
	/* the const is safe to cast away: timeline.source is a buffer, no state */
	read_record(stream, &at, (struct cs_stream_source *)&timeline->source, ret);
	*cursor += size;
	return true;
}
