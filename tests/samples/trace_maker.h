/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small .utrace made from the public descriptions of the format: protocol 7, types with their
 * fields, one thread with two frames, a message of the log and a package that loads.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { TRACE_MADE = 8192 };

/* Packs the packets of events with LZ4 where asked; returns the length. */
size_t trace_make(unsigned char ret[TRACE_MADE], int packed);

/* What may follow it. A packet of a stream, not packed. */
size_t trace_make_packet(
	unsigned char ret[TRACE_MADE], unsigned stream, const unsigned char *bytes, size_t n);
/* Of stream 0: a type with 255 fields. */
size_t trace_make_wide_type(unsigned char ret[TRACE_MADE]);
/* Of a thread: a frame of 16 ms; a package of this number that loads 10 ms. */
size_t trace_make_frame(unsigned char ret[TRACE_MADE]);
size_t trace_make_package(unsigned char ret[TRACE_MADE], uint64_t number, const char *name);
/* Of stream 0: the types of bookmarks. Of a thread: a bookmark, its format and its arguments. */
size_t trace_make_bookmark_types(unsigned char ret[TRACE_MADE]);
size_t trace_make_bookmark(unsigned char ret[TRACE_MADE], const char *format,
	const unsigned char *arguments, size_t n);
