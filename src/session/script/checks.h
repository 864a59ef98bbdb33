/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Test points: counting and reporting checks. */
#pragma once

#include "src/session/session.h"

/*
 * Records a check. `kind` and `what` name it ("assert", "1 = 2"); `why` says what was found
 * instead, in one line or in lines that each end with a newline. Inside xfail the outcome is only
 * stored.
 */
void check_point(
	struct session *session, bool holds, const char *kind, const char *what, const char *why);

/*
 * Returns whether results of checks are reported besides the exit status: as TAP, JUnit or
 * annotations.
 */
bool reports_points(const struct session *session);
/*
 * Records the answer of a command that says yes or no (verify, diff, check): it sets the exit
 * status, and is a test point where those are reported. When a block or golden file compares the
 * answer, that comparison is the point instead.
 */
void check_verdict(const struct call *call, bool holds, const char *why);
/* Adds a failed point when the run ends with an error status and no point has failed. */
void check_status(struct session *session);

/* What xfail records about the checks inside of it. */
struct foretold {
	bool failed;
	char *why; /* reason of the first failure; owned */
};

/* Records the outcome of xfail: an unexpected success is a failure. */
void check_foretold(struct session *session, const struct foretold *foretold, const char *what,
	const char *reason);
/* Skips the rest of the script. */
void check_skip(struct session *session, const char *why);
/*
 * Compares output with a golden file and reports the difference. With --bless the file will be
 * rewritten instead. E_NOFILE when it does not exist.
 */
struct cs_error *check_golden(
	struct session *session, const char *path, const char *output, size_t n) CS_MUST_USE;
/* Prints "14 passed, 0 failed, 1 skipped", or the plan of TAP. */
void say_tally(struct session *session);
