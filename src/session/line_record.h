/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lines that changed the session, in order: running them in a new session leads to the same
 * state. They are stored from the beginning, so that `record` can be started at any time.
 */
#pragma once

#include "src/output/sink.h"

#include <stdio.h>

struct session;

struct record {
	struct memory_sink lines; /* the lines that ran so far */
	bool too_long;            /* the lines exceeded the limit and were dropped */
	FILE *file;               /* file that further lines are written to, or NULL */
};

void record_init(struct record *record);
void record_deinit(struct record *record);

/*
 * Stores a line with the values of -D instead of their names, so that a replay needs no
 * definitions.
 */
struct cs_error *session_record(struct session *session, const char *line) CS_MUST_USE;
/*
 * Writes all lines so far into a new file, and later ones when they run; E_LIMIT when the lines
 * exceeded the limit.
 */
struct cs_error *session_record_begin(struct session *session, const char *path) CS_MUST_USE;
struct cs_error *session_record_end(struct session *session) CS_MUST_USE;
