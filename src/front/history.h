/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The history of typed lines: $XDG_STATE_HOME/cellscope/history, readable by the user only. */
#pragma once

#include <stddef.h>

void history_start(void);
/* Adds a line unless it is blank, equals the last line, or contains control characters. */
void history_add(const char *line);
/* history_lines() returns the number of lines. history_line() returns one; 0 is the oldest. */
size_t history_lines(void);
const char *history_line(size_t index);
/* Appends the lines added in this session to the history file, and frees the file's path. */
void history_save(void);
