/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: reading .utrace, from public descriptions of the format alone: no capture of the engine is
 * public, so this is proved on files that tests make. The packets are taken apart into a block of
 * bytes for each stream; stream 0 declares the types of events, stream 1 has those that are
 * replayed, the others are threads. Events are known by the names that the file declares. One of
 * which the type is not declared never fired: it is missing, not zero.
 *
 * Limits: sizes are the writer's word, so each is held against what is left; a stream that makes no
 * sense any more ends there, and `unread` counts what was left of it.
 */
#include "runs/trace.h"

#include "core/cursor.h"
#include "core/job.h"
#include "core/sort.h"
#include "format/unpack.h"
#include "runs/trace_fields.h"

#include <string.h>

/* ---- the header and the packets ---- */

static bool trace_magic(const char *bytes, size_t size, const char *magic)
{
	return size >= 4 && memcmp(bytes, magic, 4) == 0;
}

bool cs_real_is_trace(const char *bytes, size_t size)
{
	return trace_magic(bytes, size, "2CRT") || trace_magic(bytes, size, "ECRT") ||
	       trace_magic(bytes, size, "TRC2") || trace_magic(bytes, size, "TRCE");
}

static struct cs_error *trace_header(struct cs_trace *trace, struct cs_cursor *cursor)
{
	const char *magic = (const char *)cs_cursor_take(cursor, 4);
	if (magic && *magic == 'T')
		return cs_error_at(CS_E_FEATURE, trace->reader->name, 0,
			"trace: its numbers have the other order of bytes");
	if (magic && *magic == '2')
		cs_cursor_skip(cursor, cs_cursor_u16(cursor));
	trace->transport = cs_cursor_u8(cursor);
	trace->protocol = cs_cursor_u8(cursor);
	struct cs_error *error = cs_cursor_error(cursor, "trace");
	if (!error && (trace->transport < 2 || trace->transport > 4 || trace->protocol < 4 ||
			      trace->protocol > 7))
		error = cs_error_at(CS_E_FEATURE, trace->reader->name, cursor->position - 2,
			"trace: transport %u and protocol %u are not read (2 to 4, 4 to 7 are)",
			trace->transport, trace->protocol);
	return error;
}

/* The payload of one packet, behind its size and its word. False at the cut or broken end. */
static bool trace_packet(struct cs_trace *trace, struct cs_cursor *cursor)
{
	size_t size = cs_cursor_u16(cursor);
	const uint32_t word = cs_cursor_u16(cursor);
	if (cursor->bad || size < 4)
		return false;
	const bool packed = word & 0x8000;
	const uint32_t number = word & 0x3fff;
	const size_t raw = packed ? cs_cursor_u16(cursor) : size - 4;
	const size_t stored = size - 4 - (packed ? 2 : 0);
	const unsigned char *bytes =
		size >= 4u + (packed ? 2 : 0) ? cs_cursor_take(cursor, stored) : NULL;
	if (word & 0x4000)
		cs_cursor_skip(cursor, 8);
	if (!bytes || cursor->bad)
		return false;
	if (number == 0x3fff || raw == 0)
		return true;
	struct cs_trace_stream *stream = cs_trace_stream_of(trace, number);
	trace->total += raw;
	if (trace->total > TRACE_LARGEST)
		return false;
	if (!stream || !cs_vec_reserve(&stream->bytes, raw)) {
		trace->reader->real->no_memory = true;
		return false;
	}
	unsigned char *to = stream->bytes.at + stream->bytes.n;
	if (packed ? !cs_unpack(bytes, stored, to, raw) : !memcpy(to, bytes, raw))
		return false;
	stream->bytes.n += raw;
	return true;
}

static struct cs_error *trace_packets(struct cs_trace *trace, struct cs_cursor *cursor)
{
	size_t whole = cursor->position;
	struct cs_error *error = NULL;
	for (uint32_t i = 1; !error && cs_cursor_left(cursor) > 0; i++) {
		if (!trace_packet(trace, cursor))
			break;
		whole = cursor->position;
		if (i % TRACE_CHECKED == 0)
			error = cs_job_check(trace->reader->job);
	}
	cs_real_file_row(trace->reader)->unread = (int64_t)(cursor->size - whole);
	if (!error && trace->total > TRACE_LARGEST)
		error = cs_error_at(CS_E_LIMIT, trace->reader->name, whole,
			"trace: more than %d bytes unpacked", TRACE_LARGEST);
	return error;
}

/* ---- rows in the order of time ---- */

#define TRACE_BY_TIME(name, type)                                                       \
	static int name(const void *left, const void *right, void *context)             \
	{                                                                               \
		double l = ((const type *)left)->time, r = ((const type *)right)->time; \
		(void)context;                                                          \
		return l < r ? -1 : l > r;                                              \
	}

TRACE_BY_TIME(trace_frames_by_time, struct cs_real_frame)
TRACE_BY_TIME(trace_cells_by_time, struct cs_real_cell)
TRACE_BY_TIME(trace_events_by_time, struct cs_real_event)

/* Threads came one after the other; the rows of this file are the last ones. */
static bool trace_sort_rows(struct cs_real_reader *reader)
{
	const struct cs_real_file *file = cs_real_file_row(reader);
	struct cs_real *real = reader->real;
	const size_t frames = (size_t)file->frames, cells = (size_t)file->cells,
		     events = (size_t)file->events;
	return (!frames || cs_sort(real->frames.at + real->frames.n - frames, frames,
				   sizeof(*real->frames.at), trace_frames_by_time, NULL)) &&
	       (!cells || cs_sort(real->cells.at + real->cells.n - cells, cells,
				  sizeof(*real->cells.at), trace_cells_by_time, NULL)) &&
	       (!events || cs_sort(real->events.at + real->events.n - events, events,
				   sizeof(*real->events.at), trace_events_by_time, NULL));
}

/* ---- the file ---- */

static void trace_free(struct cs_trace *trace)
{
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

static struct cs_error *trace_read(struct cs_trace *trace)
{
	struct cs_real_reader *reader = trace->reader;
	struct cs_cursor cursor = cs_cursor_over(reader->text, reader->size, 0, reader->name);
	struct cs_error *error = trace_header(trace, &cursor);
	if (error)
		return error;
	trace->by_uid = calloc(65536, sizeof(*trace->by_uid));
	trace->by_number = calloc(TRACE_STREAMS, sizeof(*trace->by_number));
	if (!trace->by_uid || !trace->by_number)
		return cs_error_nomem();
	reader->known = true;
	error = trace_packets(trace, &cursor);
	if (error || reader->real->no_memory)
		return error ? error : cs_error_nomem();
	cs_trace_read_types(trace);
	cs_trace_read_events(trace);
	return !reader->real->no_memory && trace_sort_rows(reader) ? NULL : cs_error_nomem();
}

struct cs_error *cs_real_read_trace(struct cs_real_reader *reader)
{
	struct cs_trace trace = {.reader = reader, .frequency = (double)NAN};
	struct cs_real_file *file = cs_real_file_row(reader);
	file->kind = cs_real_keep_z(reader, "trace");
	file->zero = cs_real_keep_z(reader, "the start of the trace");
	reader->origin.line = reader->origin.offset = -1;
	struct cs_error *error = trace_read(&trace);
	if (!error)
		cs_trace_note(&trace);
	trace_free(&trace);
	return error;
}
