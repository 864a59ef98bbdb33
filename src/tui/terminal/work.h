/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who tells of long work. Lines run, and views are drawn, on the thread of the session; while it is
 * busy with one of them a watcher of its own paints how far it is and meets signals. The watcher
 * reads nothing of the session: only what it was told here, behind a lock.
 *
 *	work_begin(work, line);          the terminal is the watcher's, from a moment later on
 *	... work_phase(work, "cook", 3, 12), from the middle of it ...
 *	work_end(work);                  and the session's again
 *
 * Work that takes no longer than a moment wakes nobody: it arms a timer and disarms it.
 */
#pragma once

#include <cellscope/core.h>

#include <stddef.h>
#include <stdint.h>

enum { WORK_TEXT = 48 };

/* What is known of it. */
struct work_state {
	char line[WORK_TEXT];  /* that runs, or what else is done; its beginning, not escaped */
	char phase[WORK_TEXT]; /* empty: it has told of none */
	uint64_t done, total;  /* of the phase; total 0 = not known */
	double begun, phase_begun;
	unsigned ticks; /* since it has begun to be told of */
};

/* Paints it; on the watcher's thread, which holds the terminal. */
typedef void work_painter(void *context, const struct work_state *state);

struct work;

/* E_IO: there can be no thread, or no timer; the work then goes untold. */
struct cs_error *work_new(work_painter *paint, void *context, struct work **ret) CS_MUST_USE;
/* NULL of all that follows is work that goes untold. */
void work_free(struct work *work);
void work_begin(struct work *work, const char *line);
void work_end(struct work *work);
/* Another line, a phase of it. */
void work_line(struct work *work, const char *line);
void work_phase(struct work *work, const char *phase, uint64_t done, uint64_t total);
/* For whoever is busy and needs the terminal for a call. */
void work_hold(struct work *work);
void work_release(struct work *work);
/*
 * "o cook 34%  12 s, 20 s left  ^C stops it  3400 of 10000", the most needed first; `stops`: it was
 * asked to. Not escaped.
 */
void work_say(const struct work_state *state, double now, bool stops, char *text, size_t size);
