/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds out whether the background of the terminal is dark or light. The program asks for the
 * colour (OSC 11) and then for the type (DA1), which every terminal answers: when the second answer
 * arrives without the first, the first will not come. Nothing waits for the answers; they are read
 * among the keys.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define GROUND_QUESTION "\033]11;?\007\033[c"

/* Returns COLOURS_LIGHT or 0 by COLORFGBG; 0 when it is not set. */
uint32_t ground_of_environment(void);
/* Parses an answer, "11;rgb:ffff/ffff/ffff"; false when it is none. */
bool ground_of_answer(const char *answer, uint32_t *ret);
