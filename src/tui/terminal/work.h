/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports on long work. Lines run and views are drawn on the session's thread; while it is busy, a
 * watcher thread paints the progress and handles signals. The watcher reads nothing of the session,
 * only what these functions report under a lock.
 *
 *	work_begin(work, line);          0.3 s later the watcher controls the terminal
 *	... work_phase(work, "cook", 3, 12), from within the work ...
 *	work_end(work);                  the session controls the terminal again
 *
 * Shorter work wakes no thread: it only arms and disarms a timer.
 */
#pragma once

#include <cellscope/core.h>

#include <stddef.h>
#include <stdint.h>

enum { WORK_TEXT = 48 };

/* Progress of the work, as it was last reported. */
struct work_state {
	/* running command line, perhaps truncated, or name of other work; not escaped */
	char line[WORK_TEXT];
	char phase[WORK_TEXT]; /* name of the current phase; "" = none was reported */
	uint64_t done, total;  /* steps of the phase: done so far, in all (0 if unknown) */
	double begun, phase_begun;
	unsigned ticks; /* number of reports painted, including this one */
};

/* Paints the progress; called on the watcher's thread while the watcher's lock is held. */
typedef void work_painter(void *context, const struct work_state *state);

struct work;

/* Starts a watcher thread that paints progress. Returns E_IO if it gets no thread or timer. */
struct cs_error *work_new(work_painter *paint, void *context, struct work **ret) CS_MUST_USE;
/* All functions from here on accept NULL as the watcher, and then do nothing. */
void work_free(struct work *work);
void work_begin(struct work *work, const char *line);
void work_end(struct work *work);
/* Report the command line that runs, or a phase of its work. */
void work_line(struct work *work, const char *line);
void work_phase(struct work *work, const char *phase, uint64_t done, uint64_t total);
/* Between work_hold() and work_release() the session's thread may use the terminal during work. */
void work_hold(struct work *work);
void work_release(struct work *work);
/*
 * Formats progress as "o cook 34% 12 s, 20 s left ^C stops it 3400 of 10000", whose "o" is animated
 * and whose end may be cut off. `stops`: the user asked to stop the work. The text is not escaped.
 */
void work_say(const struct work_state *state, double now, bool stops, char *text, size_t size);
