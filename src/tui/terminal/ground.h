/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Detection of a dark or light background of the terminal. The program queries the colour (OSC 11)
 * and then the type of the terminal (DA1). Every terminal replies to DA1, so when that reply
 * arrives first, the terminal does not support OSC 11. The program does not wait for the replies;
 * it recognises them among the keys.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define GROUND_QUESTION "\033]11;?\007\033[c"

/* Returns COLOURS_LIGHT if COLORFGBG names a light background, else 0. */
uint32_t ground_of_environment(void);
/* Parses a reply "11;rgb:ffff/ffff/ffff"; returns false for any other text. */
bool ground_of_answer(const char *answer, uint32_t *ret);
