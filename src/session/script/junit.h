/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Test points for CI services: a JUnit file (--junit FILE), written at the end of the run, and
 * lines that a service shows beside the source (--annotate).
 */
#pragma once

#include "src/session/session.h"

struct test_point {
	char *file, *name, *why; /* `why` is NULL when the check holds; all are owned */
	unsigned line;
	bool skipped; /* `why` is the reason for skipping */
};

/* Records that the rest of the running script is skipped. */
void junit_skip(struct session *session, const char *why);
/* Records the point and annotates a failure, each when the user asked for it. */
void junit_point(
	struct session *session, bool holds, const char *kind, const char *what, const char *why);
/* Writes the points to the file, when the user asked for one. */
struct cs_error *junit_write(const struct session *session) CS_MUST_USE;
void junit_free(struct session *session);
