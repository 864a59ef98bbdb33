/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small .utrace made from the public descriptions of the format: protocol 7, types with their
 * fields, one thread with two frames, a message of the log and a package that loads.
 */
#pragma once

#include <stddef.h>

enum { TRACE_MADE = 8192 };

/* Packs the packets of events with LZ4 where asked; returns the length. */
size_t trace_make(unsigned char ret[TRACE_MADE], int packed);
