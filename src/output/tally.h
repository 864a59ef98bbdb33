/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts of a run, and its exit status. Statuses are documented and never reused; the most severe
 * one wins: 99 > 2 > 3 > 1 > 77 > 0.
 */
#pragma once

#include <cellscope/core.h>

#include <stdbool.h>
#include <stddef.h>

enum status {
	STATUS_OK = 0,
	STATUS_NO = 1,       /* a check failed, or verify found something */
	STATUS_USAGE = 2,    /* the request itself is wrong */
	STATUS_FAILED = 3,   /* a command failed with an error */
	STATUS_SKIPPED = 77, /* something that the script requires was not available */
	STATUS_BROKEN = 99,  /* no memory, no space for the output, or a fault of the program */
};

struct tally {
	size_t passed, failed, skipped;
	size_t foretold;    /* number of failures that xfail expected */
	bool tap;           /* print test points as they come */
	enum status status; /* the most severe status so far */
	bool interrupted;
	char skipped_for[80]; /* what was missing when a script was skipped last */
};

void tally_status(struct tally *tally, enum status status);

/* Remembers the status before a check of output begins. */
struct tally_mark {
	enum status status;
	size_t failed;
};

struct tally_mark tally_mark(const struct tally *tally);
/*
 * Says that output since the mark was expected: an answer "no" in it (verify, diff, check) is then
 * no failure. The failure of a check remains.
 */
void tally_expected(struct tally *tally, struct tally_mark mark);
/* Returns the exit status for the error of a command. */
enum status status_of_error(const struct cs_error *error);
