/* SPDX-License-Identifier: Apache-2.0 */
/* State of reading a trace (.utrace): streams, declared event types, the current event. */
#pragma once

#include "runs/real.h"

#include "core/slots.h"

enum {
	TRACE_LARGEST = 1 << 30,
	TRACE_NAME = 64,
	TRACE_TEXT = 2048, /* longest text of an event with its NUL, bytes */
	TRACE_STREAMS = 0x4000,
	TRACE_CHECKED = 4096,
	TRACE_WAITING = 1 << 24,
	TRACE_MOST_KEPT = 1 << 24
};

struct cs_trace_stream {
	uint32_t number; /* 0 = declarations of types, 1 = important events, others = a thread's */
	bool is_over;    /* the data became invalid, so the rest of the stream is not read */
	CS_VEC(unsigned char) bytes;
};

struct cs_trace_field {
	char name[TRACE_NAME];
	uint16_t offset, size;
	uint8_t type;
};

struct cs_trace_type {
	char logger[TRACE_NAME], name[TRACE_NAME];
	uint8_t flags;
	uint32_t first, n; /* range in cs_trace.fields */
	size_t fixed;      /* size of the fixed part: all fields except strings and arrays */
	uint64_t fired;
};

/* A declaration that events cite by its id: format of a bookmark or message, name of a counter. */
struct cs_trace_spec {
	uint8_t kind;
	uint64_t id, category; /* category: id of a log message's category */
	uint32_t text;
	double begin; /* package: time at which it began to load, seconds */
};

/* A block of data of a string or array field; it follows the fixed part of the event. */
struct cs_trace_aux {
	uint32_t field;
	const unsigned char *bytes;
	size_t n;
};

struct cs_trace {
	struct cs_real_reader *reader;
	uint8_t transport, protocol;
	bool has_header, is_broken; /* is_broken: the following bytes are not valid packets */
	uint64_t total;             /* number of unread bytes in all streams */
	CS_VEC(struct cs_trace_stream) streams;
	CS_VEC(struct cs_trace_type) types;
	CS_VEC(struct cs_trace_field) fields;
	/* for each stream number: index into streams + 1; TRACE_STREAMS entries */
	uint32_t *by_number;
	uint32_t *by_uid; /* for each uid: index into types + 1; 65,536 entries */
	CS_VEC(struct cs_trace_spec) specs;
	size_t kept;  /* bytes of types, fields, and specs including their texts */
	bool is_full; /* `kept` has reached TRACE_MOST_KEPT: further declarations are ignored */
	struct cs_slots spec_slots;      /* hash index of specs by kind and id */
	CS_VEC(struct cs_trace_aux) aux; /* data blocks of the current event */
	/* clock of the trace: value at the start, in cycles; frequency, in cycles per second */
	double start, frequency;
	/* time at which the current frame began, seconds; NAN = none has begun */
	double frame_begin;
};

/* An event: its type and its fixed part. Its other fields are in trace->aux. */
struct cs_trace_event {
	const struct cs_trace_type *type;
	const unsigned char *fixed;
	bool is_important; /* the event is in stream 1, not in that of a thread */
};

/* Reads the declarations of event types from stream 0 of the trace. */
void cs_trace_read_types(struct cs_trace *trace);
/*
 * Reads the events of all other streams. Stream 1 stores the size of each event, so an event of an
 * undeclared type is skipped there. In the stream of a thread only the type tells the size, so
 * reading pauses at the event until its type is declared.
 */
void cs_trace_read_events(struct cs_trace *trace);
/*
 * Stops reading threads, those with the most unread bytes first, until at most `most` bytes of all
 * streams are unread. The dropped bytes are counted as unread in the file's row.
 */
void cs_trace_end_threads(struct cs_trace *trace, uint64_t most);
/* Counts `bytes` more bytes of declarations in trace->kept, or returns false if over the limit. */
bool cs_trace_keeps(struct cs_trace *trace, size_t bytes);
/* Adds to the recorded run the rows that an event of the trace gives. */
void cs_trace_tell(struct cs_trace *trace, const struct cs_trace_event *event);
/* Sets the trace's note: which loggers (groups of events) have no events, and what was skipped. */
void cs_trace_note(struct cs_trace *trace);
