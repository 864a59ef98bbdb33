/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lines that have changed the session, in order: replayed from nothing they lead to the same
 * state. They are kept from the beginning, so that a record can be asked for when it is worth one.
 */
#pragma once

#include "src/output/sink.h"

#include <stdio.h>

struct session;

struct record {
	struct memory_sink lines; /* until now */
	bool too_long;            /* they were dropped, and are no longer kept */
	FILE *file;               /* where further ones are written to, or NULL */
};

void record_init(struct record *record);
void record_deinit(struct record *record);

/* Keeps a line. What -D defined stands in it by value: the record needs no definitions. */
struct cs_error *session_record(struct session *session, const char *line) CS_MUST_USE;
/* Writes all lines until now into a new file, and those to come; E_LIMIT when there were too many.
 */
struct cs_error *session_record_begin(struct session *session, const char *path) CS_MUST_USE;
struct cs_error *session_record_end(struct session *session) CS_MUST_USE;
