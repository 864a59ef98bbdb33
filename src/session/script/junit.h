/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Results of the checks in scripts (test points), for continuous integration services: a JUnit file
 * (--junit FILE), written at the end of the run, and annotations (--annotate), which a service
 * shows beside the lines of the script.
 */
#pragma once

#include "src/session/session.h"

struct test_point {
	char *file, *name, *why; /* `why` is NULL when the check passed; all are owned */
	unsigned line;
	bool skipped; /* `why` is then the reason for skipping */
};

/* Records that the rest of the running script is skipped. */
void junit_skip(struct session *session, const char *why);
/* Stores a test point for --junit, and prints a failure for --annotate, if these are given. */
void junit_point(
	struct session *session, bool holds, const char *kind, const char *what, const char *why);
/* Writes the stored test points to the file that the option --junit names, if it is given. */
struct cs_error *junit_write(const struct session *session) CS_MUST_USE;
void junit_free(struct session *session);
