/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The command lines that changed the session, in order; running them in a new session leads to the
 * same state. They are stored from the start of the session, so that the command `record` can begin
 * at any time.
 */
#pragma once

#include "src/output/sink.h"

#include <stdio.h>

struct call;
struct session;

struct record {
	struct memory_sink lines; /* command lines stored so far */
	bool too_long;            /* the limit was exceeded, so all stored lines were dropped */
	FILE *file;               /* file of `record` that later lines are appended to; or NULL */
	char *path;               /* path of `file`; or NULL */
};

void record_init(struct record *record);
void record_deinit(struct record *record);

/* Stores a command line. @NAME@ is replaced by its value, so that a replay needs no definitions. */
struct cs_error *session_record(struct session *session, const char *line) CS_MUST_USE;
/*
 * Stores lines that failed after they had changed the session, so that a replay runs them up to the
 * failure and then goes on. Stores nothing if `error` is an interruption, or if the lines are in a
 * block, because a block is stored as a whole.
 */
struct cs_error *session_record_failed(
	struct session *session, const char *lines, const struct cs_error *error) CS_MUST_USE;
/*
 * Stores the line of a failed call as session_record_failed() does. Returns `error`, or the error
 * of writing the record.
 */
struct cs_error *record_failed_call(struct call *call, struct cs_error *error) CS_MUST_USE;
/* Writes stored and later lines to a new file; E_LIMIT: the stored lines exceeded their limit. */
struct cs_error *session_record_begin(struct session *session, const char *path) CS_MUST_USE;
struct cs_error *session_record_end(struct session *session) CS_MUST_USE;
