/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What changes from one moment of a run to another. */
#pragma once

#include "src/session/session.h"

/*
 * Prints the frame of the run, a line for each of the most important cells that changed since
 * `before`, and counts with the hash; for machine formats the changes as rows.
 */
struct cs_error *report_changes(
	struct call *call, struct cs_stream *stream, const struct cs_states *before) CS_MUST_USE;
/* Removes the name of the main world, which is the same for nearly all cells. */
const char *short_cell_name(const struct cs_stream *stream, const char *name);
