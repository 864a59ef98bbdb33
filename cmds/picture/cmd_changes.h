/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints what changed between two frames of a run. */
#pragma once

#include "src/session/session.h"

/* Table of the rows that report_changes() lists. */
extern const struct cs_table change_table;

/*
 * Prints the changes since an earlier frame; `before` contains the states of all cells at that
 * frame. Text output has the frame, a line for each of the most important changed cells, and counts
 * with the hash. Machine formats have one row per change.
 */
struct cs_error *report_changes(
	struct call *call, struct cs_stream *stream, const struct cs_states *before) CS_MUST_USE;
/* Returns the name of a cell, or NULL when the run has no such cell. */
const char *stream_cell_name(const struct cs_stream *stream, struct cs_stream_cell cell);
/* Returns the name of a cell without the prefix of the main world, which nearly all cells share. */
const char *short_cell_name(const struct cs_stream *stream, const char *name);
