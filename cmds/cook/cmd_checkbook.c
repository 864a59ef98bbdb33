/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pages of fixtures/checks, compiled into the program: they explain the findings of validation. A
 * finding's token may have several pages, and a page may explain several tokens.
 */
#include "cmds/cook/cmd_checkbook.h"
#include "src/session/help.h"

#include <string.h>

static const struct {
	const char *name, *title;
	/* tokens (names of checks) that the page explains, with a blank before and after each */
	const char *tokens;
	const char *text;
} pages[] = {
#include "cmds/checkbook.inc"
};

static bool shows_token(const char *tokens, const char *token)
{
	size_t n = strlen(token);
	for (const char *at = tokens; n > 0 && (at = strstr(at, token)) != NULL; at += n)
		if (at[-1] == ' ' && at[n] == ' ')
			return true;
	return false;
}

static void say_tokens(struct output *out, const char *tokens)
{
	for (tokens += strspn(tokens, " "); *tokens; tokens += strspn(tokens, " ")) {
		int n = (int)strcspn(tokens, " ");
		say(out, "token   %.*s\n", n, tokens);
		tokens += n;
	}
}

static void checkbook_say_page(struct output *out, size_t page, size_t before)
{
	if (before)
		say(out, "\n");
	say(out, "%s\n\n", pages[page].title);
	say_paragraph(out, pages[page].text);
	say(out, "\npage    fixtures/checks/%s.cmd\n", pages[page].name);
	say_tokens(out, pages[page].tokens);
}

/* Prints the pages that explain the token, first the pages that explain no other token. */
struct cs_error *say_check(struct output *out, const char *token)
{
	const size_t n_pages = sizeof(pages) / sizeof(pages[0]);
	size_t n = 0;
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < n_pages; i++) {
			bool is_alone = strlen(pages[i].tokens) == strlen(token) + 2;
			if (is_alone == (pass == 0) && (shows_token(pages[i].tokens, token) ||
							       strcmp(pages[i].name, token) == 0))
				checkbook_say_page(out, i, n++);
		}
	if (n > 0)
		return NULL;
	return cs_error_new(CS_E_UNKNOWN,
		"no check '%s': write its name as the column `check` of a finding shows it, such "
		"as hlod_loading_range",
		token);
}
