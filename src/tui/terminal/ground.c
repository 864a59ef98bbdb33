/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Determines the background colour of the terminal from its environment and its replies. */
#include "src/tui/terminal/ground.h"

#include "src/tui/terminal/palette.h"

#include <stdlib.h>
#include <string.h>

/* Parses COLORFGBG ("15;0"), whose last number is the background: 7 and 9 to 15 are light. */
uint32_t ground_of_environment(void)
{
	const char *grounds = getenv("COLORFGBG"), *last = grounds ? strrchr(grounds, ';') : NULL;
	long ground = last ? strtol(last + 1, NULL, 10) : 0;
	return ground == 7 || (ground >= 9 && ground <= 15) ? COLOURS_LIGHT : 0;
}

/* Parses one to four hexadecimal digits, scaled so that all F are 1. Returns their number, or 0. */
static size_t read_channel(const char *text, double *ret)
{
	size_t n = strspn(text, "0123456789abcdefABCDEF");
	char digits[5] = "";
	if (n < 1 || n > 4)
		return 0;
	memcpy(digits, text, n);
	*ret = (double)strtol(digits, NULL, 16) / (double)((1 << 4 * n) - 1);
	return n;
}

/* *ret becomes COLOURS_LIGHT if the background's luma (ITU-R BT.709) is above one half, else 0. */
bool ground_of_answer(const char *answer, uint32_t *ret)
{
	double parts[3];
	const char *at = strchr(answer, ':');
	if (strncmp(answer, "11;rgb", 6) != 0 || !at)
		return false;
	for (int i = 0; i < 3; i++) {
		size_t n = read_channel(++at, &parts[i]);
		at += n;
		if (n == 0 || (i < 2 && *at != '/'))
			return false;
	}
	*ret = .2126 * parts[0] + .7152 * parts[1] + .0722 * parts[2] > .5 ? COLOURS_LIGHT : 0;
	return true;
}
