/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads properties of the terminal and of the environment. */
#include "src/session/environment.h"

#include <cellscope/core.h>

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

const char *environment_first(const char *const *names, const char *otherwise)
{
	for (; *names; names++) {
		const char *value = getenv(*names);
		if (value && *value)
			return value;
	}
	return otherwise;
}

static bool locale_is_ours;

void terminal_set_locale(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG", NULL};
	const char *name = environment_first(names, "");
	if (!setlocale(LC_ALL, "") && (cs_ends_with(name, "UTF-8") || cs_ends_with(name, "utf8")))
		locale_is_ours = setlocale(LC_CTYPE, "C.UTF-8") != NULL;
	setlocale(LC_NUMERIC, "C");
}

bool terminal_is_input(void)
{
	return isatty(STDIN_FILENO);
}

bool terminal_is_output(void)
{
	return isatty(STDOUT_FILENO);
}

bool terminal_can_draw(void)
{
	const char *term = getenv("TERM");
	return term && *term && strcmp(term, "dumb") != 0;
}

bool terminal_chose_locale(void)
{
	return locale_is_ours;
}

bool terminal_has_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static bool is_set(const char *name)
{
	const char *value = getenv(name);
	return value && *value;
}

bool terminal_wants_colour(void)
{
	const char *force = getenv("CLICOLOR_FORCE");
	if (is_set("NO_COLOR"))
		return false;
	if (force && *force && strcmp(force, "0") != 0)
		return true;
	return terminal_is_output() && terminal_can_draw();
}

void terminal_size(unsigned *columns_ret, unsigned *rows_ret)
{
	struct winsize size;
	*columns_ret = 80;
	*rows_ret = 24;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0)
		return;
	if (size.ws_col > 0)
		*columns_ret = size.ws_col;
	if (size.ws_row > 0)
		*rows_ret = size.ws_row;
}
