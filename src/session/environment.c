/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Owns: reading properties of the terminal and of the environment. */
#include "src/session/environment.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const char *wanted_locale(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *value = getenv(names[i]);
		if (value && *value)
			return value;
	}
	return "";
}

static bool ends_in_utf8(const char *name)
{
	size_t n = strlen(name);
	return (n >= 5 && strcasecmp(name + n - 5, "UTF-8") == 0) ||
	       (n >= 4 && strcasecmp(name + n - 4, "utf8") == 0);
}

static bool locale_is_ours;

void terminal_set_locale(void)
{
	if (!setlocale(LC_ALL, "") && ends_in_utf8(wanted_locale()))
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
