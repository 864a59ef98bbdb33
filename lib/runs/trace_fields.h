/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of the event at hand, by the names that its type declares. */
#pragma once

#include "runs/trace.h"

/* Made where there is none; NULL without memory. */
struct cs_trace_stream *cs_trace_stream_of(struct cs_trace *trace, uint32_t number);

/* False where the type has no such field, and *ret is as it was. */
bool cs_trace_whole(const struct cs_trace *trace, const struct cs_trace_event *event,
	const char *name, uint64_t *ret);
bool cs_trace_real(const struct cs_trace *trace, const struct cs_trace_event *event,
	const char *name, double *ret);
/* At most `room` bytes of an array; the length. */
size_t cs_trace_bytes(const struct cs_trace *trace, const struct cs_trace_event *event,
	const char *name, unsigned char *to, size_t room);
/* A text with its NUL, cut to the room; the length. */
size_t cs_trace_text(const struct cs_trace *trace, const struct cs_trace_event *event,
	const char *name, char *to, size_t room);
