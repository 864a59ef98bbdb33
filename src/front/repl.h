/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The session on a terminal: line editing, history, completion, ^C and ^Z. */
#pragma once

#include "src/session/session.h"

/* repl_begin installs signal handlers and reads the history; repl_end writes it. */
void repl_begin(void);
void repl_end(void);
/* Runs until the session ends or the screen is requested; returns the signal that ends it, or 0. */
int repl_run(struct session *session);
