/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Signals. INT, TERM, HUP, WINCH and TSTP write a byte to a pipe, which the REPL and the screen
 * read; INT, TERM and HUP also set a flag that long commands check. In interactive sessions SEGV,
 * BUS, QUIT, ABRT, FPE and ILL restore the terminal and then take their default action.
 */
#pragma once

#include <stdbool.h>

/*
 * Installs the handlers that every mode needs: requests to end (INT, TERM, HUP) and the time limit.
 * SIGPIPE and SIGXFSZ are ignored, so that writing fails with an error instead.
 */
void signals_init(void);
/* Installs the REPL's handlers: ^C, SIGTERM, SIGHUP, size, ^Z. Returns the signals' pipe or -1. */
int signals_init_interactive(void);
/* Returns the descriptor of the pipe of signals; -1 before signals_init_interactive(). */
int signals_pipe(void);
/*
 * To be called when the full screen takes over the terminal: from then on ^Z goes to the pipe, and
 * a signal handler that ends the process writes the text `restore` to the terminal. The text must
 * stay valid. NULL ends this.
 */
void signals_screen_has_terminal(const char *restore);
/* Returns the number of the next signal from the pipe, 0 when there is none. */
int signals_next(void);
/* Returns whether ^C or a request to end the process has arrived. */
bool signals_interrupted(void);
/*
 * Exit status of a run that exceeds its time limit. At the limit signals_time_is_up() becomes true;
 * a command that does not stop within a second after that, or after a signal, is ended with this
 * status and E_TIMEOUT, or by the signal.
 */
enum { SIGNALS_LATE_STATUS = 3 };
/* Text of E_TIMEOUT, whether the command stopped by itself or was ended. */
#define SIGNALS_LATE_TEXT "the time limit is reached: raise --timeout"
void signals_set_deadline(double seconds);
bool signals_time_is_up(void);
/* While `end` is true, a signal makes a blocking system call fail with EINTR. */
void signals_end_calls(bool end);
/* Returns the signal that interrupted work: SIGINT, SIGTERM or SIGHUP; 0 if there was none. */
int signals_interruption(void);
void signals_clear_interruption(void);
/* While a child such as a pager controls the terminal, ^C is ignored: the child handles it. */
void signals_child_has_terminal(bool has);
/* Ends the process by the default action of a signal, so that a shell sees status 128 + number. */
_Noreturn void signals_end_by(int signal);
/*
 * Sets whether the editor has the terminal: ^Z then goes to signals_next(), else stops cellscope.
 */
void signals_editor_has_terminal(bool has);
/* Stops the process as ^Z does, until SIGCONT. */
void signals_stop(void);
