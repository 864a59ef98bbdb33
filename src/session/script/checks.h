/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts and reports test points (outcomes of checks). */
#pragma once

#include "src/session/session.h"

/*
 * Records a check. `kind` and `what` name the check ("assert", "1 = 2"); `why` says what was found
 * instead, in one line or in lines that each end with a newline. Inside xfail (a block that is
 * expected to fail) the outcome is stored but not reported.
 */
void check_point(
	struct session *session, bool holds, const char *kind, const char *what, const char *why);

/* Returns whether checks are also reported as test points (TAP, JUnit or annotations). */
bool reports_points(const struct session *session);
/*
 * Records the answer yes or no of a command (verify, diff, check). It sets the exit status, and is
 * a test point if points are reported. If expected output is compared with the command's output,
 * that comparison is the test point instead.
 */
void check_verdict(const struct call *call, bool holds, const char *why);
/* Adds a failed test point when the run ends with an error status and no point has failed. */
void check_status(struct session *session);

/* Outcome of the checks inside an xfail block. */
struct foretold {
	bool failed;
	char *why; /* reason of the first failure; owned */
};

/* Records the outcome of an xfail block: unexpected success is a failure. */
void check_foretold(struct session *session, const struct foretold *foretold, const char *what,
	const char *reason);
/* Skips the rest of the running script, counts that as a skip, and prints the reason `why`. */
void check_skip(struct session *session, const char *why);
/*
 * Compares output with a golden file and records the result as a test point. With --bless the file
 * is rewritten at the end instead. E_NOFILE when the file does not exist.
 */
struct cs_error *check_golden(
	struct session *session, const char *path, const char *output, size_t n) CS_MUST_USE;
/* Prints a summary such as "14 passed, 0 failed, 1 skipped". In TAP it is the plan ("1..15"). */
void say_tally(struct session *session);
