/* SPDX-License-Identifier: Apache-2.0 */
/* State of reading a trace: its streams, the types that it declares, the current event. */
#pragma once

#include "runs/real.h"

#include "core/slots.h"

enum {
	TRACE_LARGEST = 1 << 30,
	TRACE_NAME = 64,
	TRACE_STREAMS = 0x4000,
	TRACE_CHECKED = 4096,
	TRACE_WAITING = 1 << 24,
	TRACE_MOST_KEPT = 1 << 24
};

struct cs_trace_stream {
	uint32_t number; /* 0: declarations, 1: important events, else a thread */
	bool is_over;    /* the stream became invalid: further bytes are not read */
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
	uint32_t first, n; /* range of fields */
	size_t fixed;      /* bytes of all fields except strings and arrays */
	uint64_t fired;
};

/*
 * What is declared once and referred to by number: formats of bookmarks and messages, names of
 * counters.
 */
struct cs_trace_spec {
	uint8_t kind;
	uint64_t id, category; /* category: for a message */
	uint32_t text;
	double begin; /* time at which a package began to load */
};

/* Data of one field that follows the event's fixed part. */
struct cs_trace_aux {
	uint32_t field;
	const unsigned char *bytes;
	size_t n;
};

struct cs_trace {
	struct cs_real_reader *reader;
	uint8_t transport, protocol;
	bool has_header, is_broken; /* is_broken: the following bytes are no packets */
	uint64_t total;             /* bytes of all streams that wait to be read */
	CS_VEC(struct cs_trace_stream) streams;
	CS_VEC(struct cs_trace_type) types;
	CS_VEC(struct cs_trace_field) fields;
	uint32_t *by_number; /* for each number: row of streams + 1; TRACE_STREAMS entries */
	uint32_t *by_uid;    /* for each uid: row of types + 1; 65,536 entries */
	CS_VEC(struct cs_trace_spec) specs;
	size_t kept;  /* bytes of types, fields and specs with their texts */
	bool is_full; /* nearly TRACE_MOST_KEPT bytes of declarations: further ones are left out */
	struct cs_slots spec_slots;      /* finds a spec by kind and number */
	CS_VEC(struct cs_trace_aux) aux; /* data of the current event */
	double start, frequency;         /* start of the clock in cycles; cycles per second */
	/* beginning of the frame in seconds, NAN = no frame has begun */
	double frame_begin;
	uint64_t fired;
};

/* An event: its type, its fixed part, and trace->aux. */
struct cs_trace_event {
	const struct cs_trace_type *type;
	const unsigned char *fixed;
};

/* Reads the declarations of types, stream 0. */
void cs_trace_read_types(struct cs_trace *trace);
/*
 * Reads all other streams. An event of an undeclared type is skipped in stream 1; in a thread it
 * waits for its declaration, with all that follows.
 */
void cs_trace_read_events(struct cs_trace *trace);
/*
 * Ends threads with waiting bytes, most bytes first, until at most `most` bytes wait; dropped bytes
 * count as unread.
 */
void cs_trace_end_threads(struct cs_trace *trace, uint64_t most);
/* Returns whether `bytes` further bytes of declarations may be stored; if so, counts them. */
bool cs_trace_keeps(struct cs_trace *trace, size_t bytes);
/* Adds the rows that one event gives. */
void cs_trace_tell(struct cs_trace *trace, const struct cs_trace_event *event);
/* Writes into the row of the file which loggers never fired, and what is not read. */
void cs_trace_note(struct cs_trace *trace);
