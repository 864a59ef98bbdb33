/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the terminal and the locale can do. */
#pragma once

#include <stdbool.h>

/*
 * Chooses the locale of characters. Where the one that is asked for is not there but ends in
 * UTF-8, as happens over SSH, C.UTF-8 stands in. Numbers keep the C locale always.
 */
void terminal_set_locale(void);
bool terminal_is_input(void);
bool terminal_is_output(void);
/* TERM is not "dumb" and not empty. */
bool terminal_can_draw(void);
/* The locale writes UTF-8. */
bool terminal_has_utf8(void);
/* By NO_COLOR, CLICOLOR_FORCE and whether the output is a terminal. */
bool terminal_wants_colour(void);
/* The locale of the environment is not installed, and C.UTF-8 stands in for it: children that are
 * to show the same need LC_ALL=C.UTF-8.
 */
bool terminal_chose_locale(void);
void terminal_size(unsigned *columns_ret, unsigned *rows_ret);
