/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What long commands tell while they run: log lines and progress, both on standard error. */
#pragma once

#include <cellscope/core.h>

#include <time.h>

struct session;

struct progress_state {
	double start, phase_start, last;
	const char *phase;
	bool shown;
};

/* The job of a session: its callbacks and limits. */
struct cs_job progress_job(struct session *session);
/* Whether progress is to be told at all: on a terminal, or as the settings say. */
bool progress_is_wanted(const struct session *session);
/* A command begins; half a second later its progress may show. */
void progress_begin(struct session *session);
/* Clears the progress line, if there is one. */
void progress_end(struct session *session);
/* Seconds of a clock that only goes forward. */
static inline double progress_clock(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
