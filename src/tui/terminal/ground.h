/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether the ground of the terminal is dark or light. The terminal is asked for its colour (OSC
 * 11) and then for what it is (DA1), which every terminal answers: so the second answer says that
 * the first will not come any more. Nobody waits for either; they are met among the keys.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define GROUND_QUESTION "\033]11;?\007\033[c"

/* COLOURS_LIGHT or 0, as COLORFGBG says; 0 where it says nothing. */
uint32_t ground_of_environment(void);
/* The same of an answer, "11;rgb:ffff/ffff/ffff"; false when it is none. */
bool ground_of_answer(const char *answer, uint32_t *ret);
