/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Why something is where it is: the trail of rules, a row a step, alone or beside that of another
 * cook; and why it is there now, in the sentences of the command.
 */
#include "src/language/lexer.h"
#include "src/tui/views.h"

#include <stdio.h>
#include <string.h>

/* The argument as it was typed, to be gone on with: "actor NAME". */
static bool fill_argument(struct tui_view *view, char letter, struct output *out)
{
	if (letter == 's')
		say(out, "%s", view->argument);
	return letter == 's';
}

static const struct key explain_keys[] = {
	{"W", ":view explain %s ", "What if",
		"beside the trail that other settings would give: NAME=VALUE"},
	{0},
};

const struct view_type view_explain = {
	.name = "explain",
	.is_wide = true,
	.is_widest = true,
	.title = "Explain",
	.help = "the trail of rules that led to it; two, side by side",
	.command = "explain",
	.columns = "step,title,input,now,verdict,then,then_verdict,differs",
	.keys = explain_keys,
	.needs_argument = true,
	.has_object = true,
	.fill = fill_argument,
};

/* What the argument names, whatever the line of the cursor says. */
static void object_of_argument(struct tui_view *view, struct object *ret)
{
	struct scanner scanner = {view->argument, 0, NULL};
	static const char *const kinds[] = {"cell", "actor", "layer", "page", "cluster"};
	struct word words[2] = {{0}};
	enum sign sign;
	for (size_t i = 0; i < 2; i++)
		cs_error_free(scan(&scanner, &sign, &words[i]));
	for (size_t i = 0; words[0].text && words[1].text && i < sizeof(kinds) / sizeof(kinds[0]);
		i++)
		if (strcmp(kinds[i], words[0].text) == 0) {
			ret->kind = kinds[i];
			snprintf(ret->name, sizeof(ret->name), "%s", words[1].text);
			object_row(view->session, ret);
		}
	word_free(&words[0]);
	word_free(&words[1]);
}

static const struct key why_keys[] = {
	{"u", "view queue", "Queue", "the queue"},
	{"L", "view layers", "Layers", "the data layers"},
	{"s", "view sources", "Sources", "the sources"},
	{0},
};

const struct view_type view_why = {
	.name = "why",
	.title = "Why",
	.help = "why it is, or is not, there now",
	.command = "why",
	.keys = why_keys,
	.needs_argument = true,
	.is_prose = true,
	.is_wide = true,
	.has_object = true,
	.object = object_of_argument,
};
