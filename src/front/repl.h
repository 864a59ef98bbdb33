/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The session on a terminal: line editing, history, completion, ^C and ^Z. */
#pragma once

#include "src/session/session.h"

/* Before the first run: signals and history; behind the last: the history is written. */
void repl_begin(void);
void repl_end(void);
/* Until the session ends or the screen is wanted; returns the signal that ends it, or 0. */
int repl_run(struct session *session);
