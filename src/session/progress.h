/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports of long commands while they run, on standard error: log messages and a progress line. */
#pragma once

#include <cellscope/core.h>

#include <time.h>

struct session;

struct progress_state {
	double start, phase_start, last;
	const char *phase;
	bool shown;
};

/* Returns a job (callbacks and limits of a long operation) for the session. */
struct cs_job progress_job(struct session *session);
/* Returns whether to show progress: by default if standard error is a terminal. */
bool progress_is_wanted(const struct session *session);
/* Marks the beginning of a command; its progress is shown after half a second. */
void progress_begin(struct session *session);
/* Erases the progress line. */
void progress_end(struct session *session);
/* Returns the time of the monotonic clock in seconds. */
static inline double progress_clock(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
