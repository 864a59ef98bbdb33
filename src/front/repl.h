/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The session on a terminal: line editing, history, completion, ^C and ^Z. */
#ifndef SRC_FRONT_REPL_H
#define SRC_FRONT_REPL_H

#include "src/session/session.h"

/* Reads and runs lines until ^D, quit or a signal that ends the program, which it returns, or 0. */
int repl_run(struct session *session);

#endif
