/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports on long work. Lines run and views are drawn on the session's thread; while it is busy, a
 * watcher thread paints the progress and handles signals. The watcher reads nothing of the session,
 * only what is reported here under a lock.
 *
 *	work_begin(work, line);          a moment later the watcher has the terminal
 *	... work_phase(work, "cook", 3, 12), from within the work ...
 *	work_end(work);                  the session has the terminal again
 *
 * Work that takes less than that moment wakes no thread: it arms a timer and disarms it.
 */
#pragma once

#include <cellscope/core.h>

#include <stddef.h>
#include <stdint.h>

enum { WORK_TEXT = 48 };

/* The reported state of the work. */
struct work_state {
	/* beginning of the running line, or name of other work; not escaped */
	char line[WORK_TEXT];
	char phase[WORK_TEXT]; /* name of the phase; "" = none was reported */
	uint64_t done, total;  /* steps of the phase; total 0 = unknown */
	double begun, phase_begun;
	unsigned ticks; /* reports painted so far */
};

/* Paints the state; called on the watcher's thread while it has the terminal. */
typedef void work_painter(void *context, const struct work_state *state);

struct work;

/* Returns E_IO when no thread or timer can be made; the work is then not reported. */
struct cs_error *work_new(work_painter *paint, void *context, struct work **ret) CS_MUST_USE;
/* The functions below accept NULL, a watcher that reports nothing. */
void work_free(struct work *work);
void work_begin(struct work *work, const char *line);
void work_end(struct work *work);
/* Reports that another line runs, or a phase of the running line. */
void work_line(struct work *work, const char *line);
void work_phase(struct work *work, const char *phase, uint64_t done, uint64_t total);
/* work_hold takes the terminal from the watcher for one call, and work_release gives it back. */
void work_hold(struct work *work);
void work_release(struct work *work);
/*
 * Formats "o cook 34%  12 s, 20 s left  ^C stops it  3400 of 10000", the most important first;
 * `stops`: the user asked it to stop. Not escaped.
 */
void work_say(const struct work_state *state, double now, bool stops, char *text, size_t size);
