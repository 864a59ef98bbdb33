/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Test points: how checks are counted and told. */
#pragma once

#include "src/session/session.h"

/*
 * A check that holds or does not. `kind` and `what` name it ("assert", "1 = 2"); `why` is what was
 * found instead: a line, or lines each ended. Under xfail the outcome is only kept.
 */
void check_point(
	struct session *session, bool holds, const char *kind, const char *what, const char *why);

/* Whether the results of checks go to a reader other than the exit status: TAP, JUnit, a service.
 */
bool reports_points(const struct session *session);
/*
 * The answer of a command that says yes or no (verify, diff, check): it sets the exit status, and
 * is a test point where those are reported. A block or golden file that has the answer decides
 * instead.
 */
void check_verdict(const struct call *call, bool holds, const char *why);
/* Adds a failed point when the run ends with an error status and no point says so yet. */
void check_status(struct session *session);

/* What xfail sees of the checks inside of it. */
struct foretold {
	bool failed;
	char *why; /* owned; of the first that failed */
};

/* The outcome of xfail: a success that nobody expected is a failure. */
void check_foretold(struct session *session, const struct foretold *foretold, const char *what,
	const char *reason);
/* The rest of the script does not run. */
void check_skip(struct session *session, const char *why);
/*
 * Output against a file: reads it, compares, tells the difference. With --bless it will be
 * rewritten instead. E_NOFILE when there is none.
 */
struct cs_error *check_golden(
	struct session *session, const char *path, const char *output, size_t n) CS_MUST_USE;
/* "14 passed, 0 failed, 1 skipped", or the plan of TAP. */
void say_tally(struct session *session);
