/* SPDX-License-Identifier: Apache-2.0 */
/* Reading fields of the current event by the names that its type declares. */
#pragma once

#include "runs/trace.h"

/* Returns the stream, a new one when there is none; NULL without memory. */
struct cs_trace_stream *cs_trace_stream_of(struct cs_trace *trace, uint32_t number);

/*
 * Return false, leaving *ret unchanged, when the type has no such field or one of another size than
 * 1 to 8 bytes; cs_trace_real also when the value is not finite.
 */
bool cs_trace_whole(const struct cs_trace *trace, const struct cs_trace_event *event,
	const char *name, uint64_t *ret);
bool cs_trace_real(const struct cs_trace *trace, const struct cs_trace_event *event,
	const char *name, double *ret);
/* Copies at most `room` bytes of an array; returns the number copied. */
size_t cs_trace_bytes(const struct cs_trace *trace, const struct cs_trace_event *event,
	const char *name, unsigned char *to, size_t room);
/* Copies a text with a NUL, cut to `room`; returns its length. */
size_t cs_trace_text(const struct cs_trace *trace, const struct cs_trace_event *event,
	const char *name, char *to, size_t room);
