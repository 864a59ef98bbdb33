/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts of passed and failed checks, and the exit status. Statuses are documented and never get
 * another meaning. The most severe status is kept; by severity: 99 > 2 > 3 > 1 > 77 > 0.
 */
#pragma once

#include <cellscope/core.h>

#include <stdbool.h>
#include <stddef.h>

enum status {
	STATUS_OK = 0,
	STATUS_NO = 1,       /* a check failed, or `verify` reported a finding */
	STATUS_USAGE = 2,    /* the request is wrong: bad usage */
	STATUS_FAILED = 3,   /* a command failed with an error */
	STATUS_SKIPPED = 77, /* something that a script requires is not available */
	STATUS_BROKEN = 99,  /* no memory, no space for the output, or a fault of the program */
};

struct tally {
	size_t passed, failed, skipped;
	size_t foretold;    /* number of failures that `xfail` predicted */
	bool tap;           /* print each TAP test point when it is known */
	enum status status; /* most severe status until now */
	bool interrupted;
	char skipped_for[80]; /* what was missing when the last script was skipped */
};

void tally_status(struct tally *tally, enum status status);

/* State of a tally before a command whose output is compared. */
struct tally_mark {
	enum status status;
	size_t failed;
};

struct tally_mark tally_mark(const struct tally *tally);
/*
 * Called when the output since `mark` was as expected. An answer "no" (status 1) of verify, diff or
 * check in that output is then no failure: restores the status of the mark, unless a test point has
 * failed since.
 */
void tally_expected(struct tally *tally, struct tally_mark mark);
/* Returns the exit status for an error of a command. */
enum status status_of_error(const struct cs_error *error);
