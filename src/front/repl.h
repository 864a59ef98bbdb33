/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interactive session at a prompt: line editing, history, completion, ^C and ^Z. */
#pragma once

#include "src/session/session.h"

/* repl_begin installs signal handlers and reads the history file; repl_end writes the file. */
void repl_begin(void);
void repl_end(void);
/* Runs the prompt until the session ends or full screen begins. Returns the ending signal or 0. */
int repl_run(struct session *session);
