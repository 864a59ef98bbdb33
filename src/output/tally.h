/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a run has counted, and the exit status that follows. Statuses are documented and never
 * reused; of several the one that says most wins: 99 > 2 > 3 > 1 > 77 > 0.
 */
#pragma once

#include <cellscope/core.h>

#include <stdbool.h>
#include <stddef.h>

enum status {
	STATUS_OK = 0,
	STATUS_NO = 1,       /* a check did not hold, verify found something */
	STATUS_USAGE = 2,    /* the request itself is wrong */
	STATUS_FAILED = 3,   /* a command failed */
	STATUS_SKIPPED = 77, /* a requirement of the script is not met */
	STATUS_BROKEN = 99,  /* no memory, no room for the output, a fault of ours */
};

struct tally {
	size_t passed, failed, skipped;
	size_t foretold;    /* failures that xfail foretold */
	bool tap;           /* test points are printed as they come */
	enum status status; /* the worst so far */
	bool interrupted;
	char skipped_for[80]; /* the requirement that was not met last */
};

void tally_status(struct tally *tally, enum status status);

/* Where a check of what a command says begins. */
struct tally_mark {
	enum status status;
	size_t failed;
};

struct tally_mark tally_mark(const struct tally *tally);
/*
 * What was said since the mark is what was expected: an answer "no" among it (verify, diff, check)
 * is no failure then. One that a failed check gave stays.
 */
void tally_expected(struct tally *tally, struct tally_mark mark);
/* What the failure of a command means for the exit status. */
enum status status_of_error(const struct cs_error *error);
