/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Signals. Soft ones (INT, TERM, HUP, WINCH, TSTP, CONT) only leave a byte in a pipe, which the
 * REPL reads; ^C also sets a flag that long commands ask for. Fatal ones (SEGV, BUS, QUIT, ABRT,
 * FPE, ILL) put the terminal back as it was and go their way.
 */
#pragma once

#include <stdbool.h>

/* Handlers of every mode: fatal signals, ^C, a closed pipe. */
void signals_init(void);
/* The REPL: soft signals come through the pipe whose reading end this returns, or -1. */
int signals_init_interactive(void);
/* That end again; -1 before. */
int signals_pipe(void);
/*
 * The screen has the terminal: ^Z comes through the pipe, and whatever ends the process writes
 * `restore` first. NULL: no longer. The text must live as long.
 */
void signals_screen_has_terminal(const char *restore);
/* The next signal from the pipe, 0 when there is none. */
int signals_next(void);
/* ^C was pressed, or the process is asked to end. */
bool signals_interrupted(void);
/*
 * Batch alone: from then on signals_time_is_up(); whoever does not stop for that, or for a signal,
 * within a second, is ended: with this status and E_TIMEOUT, or by the signal.
 */
enum { SIGNALS_LATE_STATUS = 3 };
void signals_set_deadline(double seconds);
bool signals_time_is_up(void);
/* While a call may wait for ever: a signal ends it with EINTR, where else it would go on. */
void signals_end_calls(bool end);
/* Which one: SIGINT, SIGTERM, SIGHUP, or 0. */
int signals_interruption(void);
void signals_clear_interruption(void);
/* While a pager runs ^C is meant for it. */
void signals_child_has_terminal(bool has);
/* Ends the process as the signal would have: the shell sees 128 + number. */
_Noreturn void signals_end_by(int signal);
/* ^Z comes through the pipe while the line editor has the terminal, and stops at once else. */
void signals_editor_has_terminal(bool has);
/* Stops the process as ^Z does, until it is continued. */
void signals_stop(void);
