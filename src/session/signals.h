/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Signals. INT, TERM, HUP, WINCH and TSTP write a byte into a pipe, which the REPL and the screen
 * read; INT, TERM and HUP also set a flag that long commands check. In interactive sessions SEGV,
 * BUS, QUIT, ABRT, FPE and ILL restore the terminal and then take their default action.
 */
#pragma once

#include <stdbool.h>

/*
 * Installs the handlers of every mode: requests to end (INT, TERM, HUP) and the time limit. Ignores
 * broken pipes and the limit on the size of files, so that writing fails with an error.
 */
void signals_init(void);
/*
 * Installs the handlers of the REPL. Returns the end of the pipe from which signals_next() reads
 * the numbers of the signals that arrived (^C, SIGTERM, SIGHUP, a new window size ...), or -1.
 */
int signals_init_interactive(void);
/* Returns the end of the pipe for signals_next(); -1 without the handlers of the REPL. */
int signals_pipe(void);
/*
 * Says that the screen has the terminal: ^Z then comes through the pipe, and whatever ends the
 * process first writes `restore`, which must stay valid. NULL ends this.
 */
void signals_screen_has_terminal(const char *restore);
/* Returns the next signal from the pipe, 0 when there is none. */
int signals_next(void);
/* Returns true after ^C, or when the process was asked to end. */
bool signals_interrupted(void);
/*
 * Status of a batch run that exceeds its time limit. When the time is over, signals_time_is_up() is
 * true; a command that does not stop within a second after that, or after a signal, is ended with
 * this status and E_TIMEOUT, or by the signal.
 */
enum { SIGNALS_LATE_STATUS = 3 };
void signals_set_deadline(double seconds);
bool signals_time_is_up(void);
/*
 * While `end` is true, a signal makes a blocking system call fail with EINTR instead of being
 * restarted.
 */
void signals_end_calls(bool end);
/* Returns the signal: SIGINT, SIGTERM, SIGHUP, or 0. */
int signals_interruption(void);
void signals_clear_interruption(void);
/* While a child such as a pager has the terminal, ^C is meant for the child. */
void signals_child_has_terminal(bool has);
/* Ends the process by the signal's default action: the shell sees 128 + number. */
_Noreturn void signals_end_by(int signal);
/*
 * While the line editor has the terminal, ^Z comes through the pipe; otherwise it stops the process
 * at once.
 */
void signals_editor_has_terminal(bool has);
/* Stops the process as ^Z does, until it is continued. */
void signals_stop(void);
