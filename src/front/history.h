/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The history of typed lines: $XDG_STATE_HOME/cellscope/history, readable by the user only. */
#pragma once

#include <stddef.h>

void history_start(void);
/* Adds a line unless it is blank, equals the last line, or contains control characters. */
void history_add(const char *line);
/* history_lines() returns the number of lines, history_line() one of them; 0 is the oldest. */
size_t history_lines(void);
const char *history_line(size_t index);
/*
 * Appends to the history file the lines that were added in this session, and frees the path of the
 * file.
 */
void history_save(void);
