/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Determines the capabilities of the terminal and of the locale. */
#pragma once

#include <stdbool.h>

/* Returns the first non-empty environment variable of `names` (up to NULL), else `otherwise`. */
const char *environment_first(const char *const *names, const char *otherwise);
/*
 * Sets the locale for characters. If the requested locale is not installed, as often over SSH, and
 * its name ends in UTF-8, C.UTF-8 is used. Numbers always use the C locale.
 */
void terminal_set_locale(void);
bool terminal_is_input(void);
bool terminal_is_output(void);
/* Returns true unless TERM is empty, unset or "dumb". */
bool terminal_can_draw(void);
/* Returns whether the locale encodes characters as UTF-8. */
bool terminal_has_utf8(void);
/* Returns whether to print colours, as NO_COLOR, CLICOLOR_FORCE and the terminal determine. */
bool terminal_wants_colour(void);
/* Returns whether C.UTF-8 replaces a missing locale; child processes then need LC_ALL=C.UTF-8. */
bool terminal_chose_locale(void);
void terminal_size(unsigned *columns_ret, unsigned *rows_ret);
