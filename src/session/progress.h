/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What long commands report while they run: log lines and progress, both on standard error. */
#pragma once

#include <cellscope/core.h>

#include <time.h>

struct session;

struct progress_state {
	double start, phase_start, last;
	const char *phase;
	bool shown;
};

/* Returns the job of a session: its callbacks and limits. */
struct cs_job progress_job(struct session *session);
/*
 * Returns true when progress is reported: when standard error is a terminal, or as the settings
 * say.
 */
bool progress_is_wanted(const struct session *session);
/* Begins a command; its progress is shown after half a second. */
void progress_begin(struct session *session);
/* Erases the progress line. */
void progress_end(struct session *session);
/* Returns the seconds of the monotonic clock. */
static inline double progress_clock(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
