/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of reading a trace: its streams, the types that it declares, an event at hand. */
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
	uint32_t number; /* 0 declarations, 1 important, else a thread */
	bool is_over;    /* it made no sense any more: what comes is not read */
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
	uint32_t first, n; /* fields */
	size_t fixed;      /* bytes of the fields without those of strings and arrays */
	uint64_t fired;
};

/* What is said once and cited by number: formats of bookmarks and messages, names of counters. */
struct cs_trace_spec {
	uint8_t kind;
	uint64_t id, category; /* category: of a message */
	uint32_t text;
	double begin; /* of a package: when it began to load */
};

/* Data behind the fixed part, of one field. */
struct cs_trace_aux {
	uint32_t field;
	const unsigned char *bytes;
	size_t n;
};

struct cs_trace {
	struct cs_real_reader *reader;
	uint8_t transport, protocol;
	bool has_header, is_broken; /* broken: what follows makes no packets */
	uint64_t total;             /* bytes of all streams that wait to be read */
	CS_VEC(struct cs_trace_stream) streams;
	CS_VEC(struct cs_trace_type) types;
	CS_VEC(struct cs_trace_field) fields;
	uint32_t *by_number; /* row of streams + 1; TRACE_STREAMS of them */
	uint32_t *by_uid;    /* row of types + 1; 65,536 of them */
	CS_VEC(struct cs_trace_spec) specs;
	size_t kept;                     /* bytes of types, fields and specs with their texts */
	bool is_full;                    /* TRACE_MOST_KEPT: later ones are left out */
	struct cs_slots spec_slots;      /* by kind and number */
	CS_VEC(struct cs_trace_aux) aux; /* of the event at hand */
	double start, frequency;         /* cycles; cycles a second */
	double frame_begin;              /* seconds, NAN = none is open */
	uint64_t fired;
};

/* An event: its type, its fixed part, and trace->aux. */
struct cs_trace_event {
	const struct cs_trace_type *type;
	const unsigned char *fixed;
};

void cs_trace_read_types(struct cs_trace *trace);
/* All streams but the declarations; what no type explains waits for one. */
void cs_trace_read_events(struct cs_trace *trace);
/* Threads whose bytes wait are over, the fullest first, until no more than so many wait; these
 * bytes count as not read. */
void cs_trace_end_threads(struct cs_trace *trace, uint64_t most);
/* Whether so many bytes more may be kept of what is said once. */
bool cs_trace_keeps(struct cs_trace *trace, size_t bytes);
/* What one event says about the run. */
void cs_trace_tell(struct cs_trace *trace, const struct cs_trace_event *event);
/* Which events never fired, for the row of the file. */
void cs_trace_note(struct cs_trace *trace);
