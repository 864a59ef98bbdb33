/* SPDX-License-Identifier: Apache-2.0 */
/* Reads fields of the current event of an Unreal trace by the names that the trace declares. */
#pragma once

#include "runs/trace.h"

/* Returns the stream with this number, which is created if necessary; NULL when memory runs out. */
struct cs_trace_stream *cs_trace_stream_of(struct cs_trace *trace, uint32_t number);

/*
 * Read a field of an event as an integer, or as a floating-point number. Return false and leave
 * *ret unchanged when the type has no such field, or when the field does not have 1 to 8 bytes.
 * cs_trace_real() also does so when the value is not finite.
 */
bool cs_trace_whole(const struct cs_trace *trace, const struct cs_trace_event *event,
	const char *name, uint64_t *ret);
bool cs_trace_real(const struct cs_trace *trace, const struct cs_trace_event *event,
	const char *name, double *ret);
/* Copies at most `room` bytes of an array field, joining its data blocks. Returns how many. */
size_t cs_trace_bytes(const struct cs_trace *trace, const struct cs_trace_event *event,
	const char *name, unsigned char *to, size_t room);
/* Converts UTF-16 up to a NUL, cut to `room` bytes with a NUL. Returns the bytes before that. */
size_t cs_trace_narrow(const unsigned char *bytes, size_t units, char *to, size_t room);
/* Copies a string field, cut to `room` bytes with its NUL. Returns the bytes before the NUL. */
size_t cs_trace_text(const struct cs_trace *trace, const struct cs_trace_event *event,
	const char *name, char *to, size_t room);
