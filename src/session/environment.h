/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the terminal and the locale can do. */
#pragma once

#include <stdbool.h>

/* Returns the value of the first of these variables that has one. NULL ends the names. */
const char *environment_first(const char *const *names, const char *otherwise);
/*
 * Sets the locale for characters. When the requested locale is not installed and its name ends in
 * UTF-8, as happens over SSH, it uses C.UTF-8. Numbers always use the C locale.
 */
void terminal_set_locale(void);
bool terminal_is_input(void);
bool terminal_is_output(void);
/* Returns true unless TERM is "dumb" or empty. */
bool terminal_can_draw(void);
/* Returns whether the locale encodes characters as UTF-8. */
bool terminal_has_utf8(void);
/*
 * Returns whether to use colour, by NO_COLOR, CLICOLOR_FORCE and whether the output is a terminal.
 */
bool terminal_wants_colour(void);
/*
 * Returns whether the locale of the environment is not installed and C.UTF-8 is used instead: child
 * processes then need LC_ALL=C.UTF-8.
 */
bool terminal_chose_locale(void);
void terminal_size(unsigned *columns_ret, unsigned *rows_ret);
