/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The history of typed lines: $XDG_STATE_HOME/cellscope/history, readable by the user only. */
#pragma once

#include <stddef.h>

void history_start(void);
/* Adds a line; leaves out blank lines, repeated ones and those with control characters. */
void history_add(const char *line);
/* Returns all lines, the oldest first. */
size_t history_lines(void);
const char *history_line(size_t index);
/* Appends the lines added since the start to the file, after those of other sessions. */
void history_save(void);
