/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads .utrace files. Written from public descriptions of the format: no capture of the engine is
 * public, so tests make the files. Packets are appended to one block of bytes per stream: stream 0
 * declares the types of events, stream 1 has important events, which are complete from the start of
 * the trace, and the others are threads. Events are recognised by the names that the file declares.
 * An event type that is not declared never fired, so its rows are missing, not zero.
 *
 * Safety: sizes come from the file, so each is compared with the remaining bytes. A stream that
 * becomes invalid ends there, and `unread` counts the rest of it.
 */
#include "runs/trace.h"

#include "core/cursor.h"
#include "core/job.h"
#include "core/sort.h"
#include "format/unpack.h"
#include "runs/trace_fields.h"

#include <string.h>

/* ---- header and packets ---- */

static bool trace_magic(const char *bytes, size_t size, const char *magic)
{
	return size >= 4 && memcmp(bytes, magic, 4) == 0;
}

bool cs_real_is_trace(const char *bytes, size_t size)
{
	return trace_magic(bytes, size, "2CRT") || trace_magic(bytes, size, "ECRT") ||
	       trace_magic(bytes, size, "TRC2") || trace_magic(bytes, size, "TRCE") ||
	       trace_magic(bytes, size, "\1\0\0");
}

static struct cs_error *trace_header(struct cs_trace *trace, struct cs_cursor *cursor)
{
	const char *magic = (const char *)cs_cursor_take(cursor, 4);
	if (magic && *magic == 'T')
		return cs_error_at(CS_E_FEATURE, trace->reader->name, 0,
			"the trace was written by a big-endian machine, which cannot be read");
	if (magic && *magic == '\1')
		return cs_error_at(CS_E_FEATURE, trace->reader->name, 0,
			"the trace has a format older than that of Unreal Engine 4.26, which "
			"cannot be read: record it with a later engine");
	if (magic && *magic == '2')
		cs_cursor_skip(cursor, cs_cursor_u16(cursor));
	trace->transport = cs_cursor_u8(cursor);
	trace->protocol = cs_cursor_u8(cursor);
	struct cs_error *error = cs_cursor_error(cursor, "trace");
	if (!error && (trace->transport < 2 || trace->transport > 4 || trace->protocol < 4 ||
			      trace->protocol > 7))
		error = cs_error_at(CS_E_FEATURE, trace->reader->name, cursor->position - 2,
			"trace: transport version %u with protocol version %u cannot be read; "
			"transport versions 2 to 4 with protocol versions 4 to 7 can",
			trace->transport, trace->protocol);
	return error;
}

/*
 * Appends the payload of one packet to its stream. Returns false when the packet is invalid
 * (is_broken) or incomplete, when the limit of bytes is reached, or when memory runs out.
 */
static bool trace_packet(struct cs_trace *trace, struct cs_cursor *cursor)
{
	size_t size = cs_cursor_u16(cursor);
	const uint32_t word = cs_cursor_u16(cursor);
	trace->is_broken = !cursor->bad && size < 4u + (word & 0x8000 ? 2 : 0);
	if (cursor->bad || trace->is_broken)
		return false;
	const bool packed = word & 0x8000;
	const uint32_t number = word & 0x3fff;
	const size_t raw = packed ? cs_cursor_u16(cursor) : size - 4;
	const size_t stored = size - 4 - (packed ? 2 : 0);
	const unsigned char *bytes = cs_cursor_take(cursor, stored);
	if (word & 0x4000)
		cs_cursor_skip(cursor, 8);
	if (!bytes || cursor->bad)
		return false;
	if (number == 0x3fff || raw == 0)
		return true;
	struct cs_trace_stream *stream = cs_trace_stream_of(trace, number);
	if (trace->total + raw > TRACE_LARGEST)
		return false;
	if (stream && stream->is_over) {
		trace->reader->unread += (int64_t)raw;
		return true;
	}
	if (!stream || !cs_vec_reserve(&stream->bytes, raw)) {
		trace->reader->real->no_memory = true;
		return false;
	}
	unsigned char *to = stream->bytes.at + stream->bytes.n;
	trace->is_broken = packed ? !cs_unpack(bytes, stored, to, raw) : !memcpy(to, bytes, raw);
	if (trace->is_broken)
		return false;
	stream->bytes.n += raw;
	trace->total += raw;
	return true;
}

/* Reads all complete packets. *whole_ret is the offset after the last of them. */
static struct cs_error *trace_packets(
	struct cs_trace *trace, struct cs_cursor *cursor, size_t *whole_ret)
{
	struct cs_error *error = NULL;
	*whole_ret = cursor->position;
	for (uint32_t i = 1; !error && cs_cursor_left(cursor) > 0; i++) {
		if (!trace_packet(trace, cursor))
			break;
		*whole_ret = cursor->position;
		if (i % TRACE_CHECKED == 0)
			error = cs_job_check(trace->reader->job);
	}
	return error;
}

/* ---- sorting rows by time ---- */

_Static_assert(offsetof(struct cs_real_cell, time) == offsetof(struct cs_real_frame, time) &&
		       offsetof(struct cs_real_event, time) == offsetof(struct cs_real_frame, time),
	"rows are compared at one offset");

static int trace_by_time(const void *left, const void *right, void *context)
{
	const double l = ((const struct cs_real_frame *)left)->time;
	const double r = ((const struct cs_real_frame *)right)->time;
	(void)context;
	return l < r ? -1 : l > r;
}

static bool trace_sort(void *rows, size_t from, size_t n, size_t size)
{
	return n <= from ||
	       cs_sort((char *)rows + from * size, n - from, size, trace_by_time, NULL);
}

/*
 * Sorts by time the rows of this file, which begin at the row numbers in `from`: the threads of the
 * trace were read one after the other, so their rows are not in order.
 */
static bool trace_sort_rows(struct cs_real *real, const struct cs_real_marks *from)
{
	return trace_sort(
		       real->frames.at, from->frames, real->frames.n, sizeof(*real->frames.at)) &&
	       trace_sort(real->cells.at, from->cells, real->cells.n, sizeof(*real->cells.at)) &&
	       trace_sort(real->events.at, from->events, real->events.n, sizeof(*real->events.at));
}

/* ---- reading a file ---- */

static void trace_free(struct cs_real_reader *reader)
{
	struct cs_trace *trace = reader->state;
	for (size_t i = 0; i < trace->streams.n; i++)
		cs_vec_free(&trace->streams.at[i].bytes);
	cs_vec_free(&trace->streams);
	cs_vec_free(&trace->types);
	cs_vec_free(&trace->fields);
	cs_vec_free(&trace->specs);
	cs_slots_deinit(&trace->spec_slots);
	cs_vec_free(&trace->aux);
	free(trace->by_uid);
	free(trace->by_number);
}

static struct cs_error *trace_begin(struct cs_real_reader *reader)
{
	struct cs_trace *trace = reader->state;
	trace->reader = reader;
	trace->frequency = trace->frame_begin = (double)NAN;
	trace->by_uid = calloc(65536, sizeof(*trace->by_uid));
	trace->by_number = calloc(TRACE_STREAMS, sizeof(*trace->by_number));
	reader->origin.line = 0;
	reader->origin.offset = -1;
	return trace->by_uid && trace->by_number ? NULL : cs_error_nomem();
}

/*
 * Moves the data of complete packets to their streams, then reads complete events from the streams:
 * first declarations of types, then important events, then the events of threads.
 */
static struct cs_error *trace_bytes(
	struct cs_real_reader *reader, const char *bytes, size_t n, bool last, size_t *taken_ret)
{
	struct cs_trace *trace = reader->state;
	struct cs_cursor cursor = cs_cursor_over(bytes, n, 0, reader->name);
	struct cs_error *error = NULL;
	const struct cs_real_marks from = cs_real_mark(reader->real);
	trace->reader = reader;
	*taken_ret = 0;
	if (!trace->has_header)
		error = trace_header(trace, &cursor);
	if (error && !last && error->code == CS_E_TRUNCATED) {
		cs_error_free(error);
		return NULL;
	}
	trace->has_header = !error;
	if (!error)
		error = trace_packets(trace, &cursor, taken_ret);
	if (error || reader->real->no_memory)
		return error;
	if (trace->total + UINT16_MAX >= TRACE_LARGEST)
		return cs_error_at(CS_E_LIMIT, reader->name, *taken_ret,
			"trace: the unpacked events have more than %d bytes, the limit",
			TRACE_LARGEST);
	if (last || trace->is_broken)
		reader->unread += (int64_t)(n - *taken_ret);
	*taken_ret = trace->is_broken ? n : *taken_ret;
	reader->known = true;
	cs_trace_read_types(trace);
	cs_trace_read_events(trace);
	cs_trace_note(trace);
	if (!last)
		cs_trace_end_threads(trace, TRACE_WAITING);
	reader->waiting = last ? 0 : trace->total;
	return reader->real->no_memory || trace_sort_rows(reader->real, &from) ? NULL
									       : cs_error_nomem();
}

static struct cs_error *trace_end(struct cs_real_reader *reader)
{
	cs_trace_end_threads(reader->state, 0);
	reader->waiting = 0;
	return trace_sort_rows(reader->real, &reader->begin) ? NULL : cs_error_nomem();
}

static void trace_texts(
	struct cs_real_reader *reader, void (*each)(void *context, uint32_t *text), void *context)
{
	struct cs_trace *trace = reader->state;
	for (size_t i = 0; i < trace->specs.n; i++)
		each(context, &trace->specs.at[i].text);
}

const struct cs_real_form cs_real_trace_form = {.kind = "trace",
	.zero = "the start of the trace",
	.state_size = sizeof(struct cs_trace),
	.begin = trace_begin,
	.bytes = trace_bytes,
	.end = trace_end,
	.free = trace_free,
	.texts = trace_texts};
