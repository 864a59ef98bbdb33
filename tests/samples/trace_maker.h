/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small .utrace made from the public descriptions of the format: protocol 7, types with their
 * fields, one thread with two frames, a message of the log and a package that loads.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { TRACE_MADE = 8192 };

/* Makes a trace, whose packets of events are packed with LZ4 if asked for; returns its length. */
size_t trace_make(unsigned char ret[TRACE_MADE], int packed);

/*
 * The following functions make what may come after it. This one makes a packet of a stream that is
 * not packed.
 */
size_t trace_make_packet(
	unsigned char ret[TRACE_MADE], unsigned stream, const unsigned char *bytes, size_t n);
/* Makes the declaration of a type with 255 fields, for stream 0. */
size_t trace_make_wide_type(unsigned char ret[TRACE_MADE]);
/*
 * These make events of a thread: a frame of 16 ms, and a package of this number that loads for 10
 * ms.
 */
size_t trace_make_frame(unsigned char ret[TRACE_MADE]);
size_t trace_make_package(unsigned char ret[TRACE_MADE], uint64_t number, const char *name);
/*
 * These make the types of bookmarks, for stream 0, and a bookmark of a thread with its format and
 * arguments.
 */
size_t trace_make_bookmark_types(unsigned char ret[TRACE_MADE]);
size_t trace_make_bookmark(unsigned char ret[TRACE_MADE], const char *format,
	const unsigned char *arguments, size_t n);
