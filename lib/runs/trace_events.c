/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the event types that stream 0 of a trace declares, and divides the other streams into
 * events.
 */
#include "runs/trace.h"

#include "core/cursor.h"
#include "runs/trace_fields.h"

#include <string.h>

enum { TRACE_MAYBE_AUX = 2, TRACE_NO_SYNC = 4, TRACE_MOST_AUX = 4096 };

/* ---- declarations of types ---- */

static void trace_copy_name(char *ret, struct cs_cursor *cursor, size_t n)
{
	const unsigned char *text = cs_cursor_take(cursor, n);
	if (!text)
		return;
	n = n < TRACE_NAME - 1 ? n : TRACE_NAME - 1;
	memcpy(ret, text, n);
	ret[n] = '\0';
}

static bool trace_declare_fields(
	struct cs_trace *trace, struct cs_cursor *cursor, size_t n, struct cs_trace_type *type)
{
	type->first = (uint32_t)trace->fields.n;
	for (size_t i = 0; i < n; i++) {
		struct cs_trace_field field = {.name = ""};
		if (trace->protocol >= 6)
			cs_cursor_skip(cursor, 2); /* skip the kind of the field, and padding */
		field.offset = cs_cursor_u16(cursor);
		field.size = cs_cursor_u16(cursor);
		field.type = cs_cursor_u8(cursor);
		cs_cursor_skip(cursor, 1); /* length of the field's name */
		if (cursor->bad || !cs_trace_keeps(trace, sizeof(field)))
			return false;
		if (!cs_vec_push(&trace->fields, field)) {
			trace->reader->real->no_memory = true;
			return false;
		}
		const size_t end = (size_t)field.offset + field.size;
		type->fixed = end > type->fixed ? end : type->fixed;
	}
	type->n = (uint32_t)n;
	return true;
}

/* Reads one declaration of a type of events. Returns false when it is invalid. */
static bool trace_declare(struct cs_trace *trace, struct cs_cursor *cursor)
{
	struct cs_trace_type type = {.logger = ""};
	uint8_t lengths[256] = {0};
	const uint16_t uid = cs_cursor_u16(cursor);
	const size_t n = cs_cursor_u8(cursor);
	type.flags = cs_cursor_u8(cursor);
	const size_t logger = cs_cursor_u8(cursor), name = cs_cursor_u8(cursor);
	const unsigned char *numbers = cursor->bytes + cursor->position;
	if (cursor->bad || !trace_declare_fields(trace, cursor, n, &type))
		return false;
	/* the length of a field's name is the last byte of the field's fixed data */
	const size_t width = trace->protocol >= 6 ? 8 : 6;
	for (size_t i = 0; i < n; i++)
		lengths[i] = numbers[i * width + width - 1];
	trace_copy_name(type.logger, cursor, logger);
	trace_copy_name(type.name, cursor, name);
	/* the names of the fields follow the fixed data of all fields */
	for (uint32_t i = 0; i < type.n; i++)
		trace_copy_name(trace->fields.at[type.first + i].name, cursor, lengths[i]);
	if (cursor->bad || uid == 0 || !cs_trace_keeps(trace, sizeof(type)))
		return false;
	if (!cs_vec_push(&trace->types, type)) {
		trace->reader->real->no_memory = true;
		return false;
	}
	trace->by_uid[uid] = (uint32_t)trace->types.n;
	return true;
}

static struct cs_cursor trace_cursor(const struct cs_trace *trace, struct cs_trace_stream *stream)
{
	return cs_cursor_over(stream->bytes.at, stream->bytes.n, 0, trace->reader->name);
}

/* Reads an event of stream 0 or 1; *whole receives its start. Returns false if it is incomplete. */
static bool trace_next_sized(
	struct cs_cursor *cursor, size_t *whole, uint16_t *uid_ret, struct cs_cursor *body_ret)
{
	*whole = cursor->position;
	if (cs_cursor_left(cursor) < 4)
		return false;
	*uid_ret = cs_cursor_u16(cursor);
	const size_t size = cs_cursor_u16(cursor);
	const unsigned char *bytes = cs_cursor_take(cursor, size);
	if (!bytes)
		return false;
	*body_ret = cs_cursor_over(bytes, size, 0, cursor->file);
	return true;
}

/* Removes the first `whole` bytes, which were read, and keeps the rest. */
static void trace_keep_rest(struct cs_trace *trace, struct cs_trace_stream *stream, size_t whole)
{
	trace->total -= whole;
	stream->bytes.n -= whole;
	if (whole)
		memmove(stream->bytes.at, stream->bytes.at + whole, stream->bytes.n);
}

void cs_trace_read_types(struct cs_trace *trace)
{
	struct cs_trace_stream *stream = cs_trace_stream_of(trace, 0);
	struct cs_cursor body;
	size_t whole = 0;
	uint16_t uid;
	if (!stream) {
		trace->reader->real->no_memory = true;
		return;
	}
	struct cs_cursor cursor = trace_cursor(trace, stream);
	while (!trace->reader->real->no_memory && trace_next_sized(&cursor, &whole, &uid, &body)) {
		const size_t fields = trace->fields.n, kept = trace->kept;
		if (uid != 0 || trace_declare(trace, &body))
			continue;
		trace->fields.n = fields;
		trace->kept = kept;
	}
	trace_keep_rest(trace, stream, whole);
}

/* ---- events of streams 1 and above ---- */

static const struct cs_trace_type *trace_type_of(const struct cs_trace *trace, uint32_t uid)
{
	uint32_t row = uid < 65536 ? trace->by_uid[uid] : 0;
	return row ? &trace->types.at[row - 1] : NULL;
}

static void trace_fire(struct cs_trace *trace, const struct cs_trace_type *type,
	const unsigned char *fixed, bool is_important)
{
	const struct cs_trace_event event = {type, fixed, is_important};
	trace->types.at[type - trace->types.at].fired++;
	cs_trace_tell(trace, &event);
}

/* Reads a data block: a word with type, field index and size, then the data. */
static bool trace_take_aux(struct cs_trace *trace, struct cs_cursor *cursor)
{
	const uint32_t word = cs_cursor_u32(cursor);
	const size_t n = word >> 13;
	const struct cs_trace_aux aux = {word >> 8 & 0x1f, cs_cursor_take(cursor, n), n};
	if (cursor->bad)
		return false;
	if (trace->aux.n < TRACE_MOST_AUX && !cs_vec_push(&trace->aux, aux))
		trace->reader->real->no_memory = true;
	return !trace->reader->real->no_memory;
}

/*
 * Reads the data blocks of an event: in the stream of a thread up to a terminator; in stream 1,
 * which stores the size of each event, up to the event's end. `shift` is the position of the block
 * type in the first byte of a block: 1 in threads, else 0.
 */
static bool trace_take_blocks(struct cs_trace *trace, struct cs_cursor *cursor, unsigned shift)
{
	while (cs_cursor_left(cursor) > 0) {
		const unsigned number = cursor->bytes[cursor->position] >> shift;
		if (number == 3) {
			cs_cursor_skip(cursor, 1);
			if (shift)
				return true;
		} else if (number != 1 || !trace_take_aux(trace, cursor)) {
			return false;
		}
	}
	return !shift;
}

static void trace_read_important(struct cs_trace *trace, struct cs_trace_stream *stream)
{
	struct cs_cursor cursor = trace_cursor(trace, stream), body;
	size_t whole = 0;
	uint16_t uid;
	while (!trace->reader->real->no_memory && trace_next_sized(&cursor, &whole, &uid, &body)) {
		const struct cs_trace_type *type = trace_type_of(trace, uid);
		const unsigned char *fixed = type ? cs_cursor_take(&body, type->fixed) : NULL;
		if (!fixed)
			continue;
		trace->aux.n = 0;
		if (type->flags & TRACE_MAYBE_AUX)
			trace_take_blocks(trace, &body, 0);
		trace_fire(trace, type, fixed, true);
	}
	trace_keep_rest(trace, stream, whole);
}

/*
 * Skips an entry of a trace stream that is no event: a data block, or the begin or end of a scope.
 */
static bool trace_skip_known(struct cs_cursor *cursor, unsigned number)
{
	if (number == 1)
		cs_cursor_skip(cursor, cs_cursor_u32(cursor) >> 13);
	else if (number >= 3 && number <= 5)
		cs_cursor_skip(cursor, 1);
	else if (number >= 6 && number <= 9)
		cs_cursor_skip(cursor, 8);
	else
		return false;
	return !cursor->bad;
}

static bool trace_thread_event(struct cs_trace *trace, struct cs_cursor *cursor)
{
	const unsigned char first = cursor->bytes[cursor->position];
	if (!(first & 1))
		return trace_skip_known(cursor, first >> 1);
	const struct cs_trace_type *type = trace_type_of(trace, cs_cursor_u16(cursor) >> 1);
	if (!type || cursor->bad)
		return false;
	if (!(type->flags & TRACE_NO_SYNC))
		cs_cursor_skip(cursor, 3);
	const unsigned char *fixed = cs_cursor_take(cursor, type->fixed);
	trace->aux.n = 0;
	if (!fixed || ((type->flags & TRACE_MAYBE_AUX) && !trace_take_blocks(trace, cursor, 1)))
		return false;
	trace_fire(trace, type, fixed, false);
	return true;
}

static void trace_read_thread(struct cs_trace *trace, struct cs_trace_stream *stream)
{
	struct cs_cursor cursor = trace_cursor(trace, stream);
	size_t whole = 0;
	while (!trace->reader->real->no_memory && cs_cursor_left(&cursor) > 0 &&
		trace_thread_event(trace, &cursor))
		whole = cursor.position;
	trace_keep_rest(trace, stream, whole);
}

void cs_trace_read_events(struct cs_trace *trace)
{
	for (size_t i = 0; i < trace->streams.n; i++)
		if (trace->streams.at[i].number == 1)
			trace_read_important(trace, &trace->streams.at[i]);
	for (size_t i = 0; i < trace->streams.n; i++)
		if (trace->streams.at[i].number > 1)
			trace_read_thread(trace, &trace->streams.at[i]);
}

/* Returns the thread with the most unread bytes; NULL when no thread has any. */
static struct cs_trace_stream *trace_fullest(const struct cs_trace *trace)
{
	struct cs_trace_stream *fullest = NULL;
	for (size_t i = 0; i < trace->streams.n; i++) {
		struct cs_trace_stream *stream = &trace->streams.at[i];
		if (stream->number > 1 && stream->bytes.n > (fullest ? fullest->bytes.n : 0))
			fullest = stream;
	}
	return fullest;
}

void cs_trace_end_threads(struct cs_trace *trace, uint64_t most)
{
	struct cs_trace_stream *stream;
	while (trace->total > most && (stream = trace_fullest(trace))) {
		trace->reader->unread += (int64_t)stream->bytes.n;
		trace->total -= stream->bytes.n;
		cs_vec_free(&stream->bytes);
		stream->is_over = true;
	}
}
