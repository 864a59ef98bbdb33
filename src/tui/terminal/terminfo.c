/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads terminfo; only this file includes its header, whose macros include `columns`. */
#include "src/tui/terminal/terminfo.h"

#include "src/session/environment.h"

#include <stdlib.h>

#include <curses.h>
#include <string.h>
#include <term.h>
#include <unistd.h>

struct cs_error *terminfo_check(void)
{
	int result;
	const char *term = getenv("TERM");
	if (!terminal_is_input() || !terminal_is_output())
		return cs_error_new(
			CS_E_USAGE, "the screen needs a terminal as standard input and output");
	if (!term || !*term)
		return cs_error_new(CS_E_USAGE,
			"cannot show the screen: the environment variable TERM is not set; set it "
			"to the name of the terminal, such as xterm-256color");
	if (setupterm(NULL, STDOUT_FILENO, &result) != OK)
		return cs_error_new(CS_E_USAGE,
			"cannot show the screen: TERM names '%s', which terminfo does "
			"not know; set TERM to another name, such as xterm-256color",
			term);
	if (!cursor_address)
		return cs_error_new(CS_E_USAGE,
			"cannot show the screen: TERM names '%s', which cannot move "
			"its cursor; set TERM to another name, such as xterm-256color",
			term);
	return NULL;
}

bool terminfo_has_mouse(void)
{
	return key_mouse && *key_mouse;
}

const char *terminfo_restoring(void)
{
	static char text[192]; /* static, because signal handlers read it */
	const char *parts[] = {terminfo_has_mouse() ? "\033[?1006l\033[?1000l\033[?2004l" : NULL,
		exit_attribute_mode, keypad_local, exit_ca_mode, cursor_normal};
	text[0] = '\0';
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		size_t n = strlen(text);
		if (parts[i] && n + strlen(parts[i]) < sizeof(text))
			memcpy(text + n, parts[i], strlen(parts[i]) + 1);
	}
	return text;
}
