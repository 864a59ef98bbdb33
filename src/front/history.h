/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines typed before: $XDG_STATE_HOME/cellscope/history, for the user alone. */
#pragma once

#include <stddef.h>

void history_start(void);
/* Blank lines, repeated ones and those with control characters are left out. */
void history_add(const char *line);
/* All of them, the oldest first. */
size_t history_lines(void);
const char *history_line(size_t index);
/* Writes what was added since the start behind what other sessions wrote. */
void history_save(void);
