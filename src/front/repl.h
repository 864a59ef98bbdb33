/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interactive session at a prompt: line editing, history, completion, ^C and ^Z. */
#pragma once

#include "src/session/session.h"

/* repl_begin installs signal handlers and reads the history file; repl_end writes the file. */
void repl_begin(void);
void repl_end(void);
/* Runs the prompt until the session ends or full screen begins. Returns the ending signal or 0. */
int repl_run(struct session *session);

/* ---- history.c: typed lines, in $XDG_STATE_HOME/cellscope/history, for the user only ---- */

void history_start(void);
/* Adds a line unless it is blank, equals the last line, or contains control characters. */
void history_add(const char *line);
/* history_lines() returns the number of lines. history_line() returns one; 0 is the oldest. */
size_t history_lines(void);
const char *history_line(size_t index);
/* Appends the lines added in this session to the history file, and frees the file's path. */
void history_save(void);
