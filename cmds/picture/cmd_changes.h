/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What changes from one moment of a run to another. */
#pragma once

#include "src/session/session.h"

/* A line a cell that changed since, then where the run stands; or rows. */
struct cs_error *report_changes(
	struct call *call, struct cs_stream *stream, const struct cs_states *before) CS_MUST_USE;
/* Without the name of the main world, which is the same for nearly all. */
const char *short_cell_name(const struct cs_stream *stream, const char *name);
