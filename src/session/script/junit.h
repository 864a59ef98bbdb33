/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Test points for the services that run checks: a file of JUnit (--junit FILE), written at the end
 * of the run, and lines that a service shows beside the source (--annotate).
 */
#pragma once

#include "src/session/session.h"

struct test_point {
	char *file, *name, *why; /* owned; why is NULL where it holds */
	unsigned line;
	bool skipped; /* for `why` */
};

/* The script of the line that runs is left out. */
void junit_skip(struct session *session, const char *why);
/* Keeps the point and annotates a failure, as the run was asked to. */
void junit_point(
	struct session *session, bool holds, const char *kind, const char *what, const char *why);
/* Writes what was kept, where a file was asked for. */
struct cs_error *junit_write(const struct session *session) CS_MUST_USE;
void junit_free(struct session *session);
