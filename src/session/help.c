/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Owns: help for people, examples first. */
#include "src/session/help.h"

#include "src/language/parse.h"
#include "src/language/topics.h"

#include <string.h>

static void help_say_option(struct output *out, const struct option_spec *option)
{
	const char letter[2] = {option->letter, '\0'};
	char form[48];
	snprintf(form, sizeof(form), "%s%s%s%s%s%s%s", option->letter ? "-" : "", letter,
		option->letter && option->name ? ", " : "", option->name ? "--" : "",
		option->name ? option->name : "", option->value ? " " : "",
		option->value ? option->value : "");
	say(out, "  %-22s %s\n", form, option->help);
}

static void say_indented(struct output *out, const char *lines)
{
	while (*lines) {
		size_t n = strcspn(lines, "\n");
		say_fixed(out, "  ", 2);
		say_fixed(out, lines, n);
		say_fixed(out, "\n", 1);
		lines += n + (lines[n] == '\n');
	}
}

void say_command_help(struct output *out, const struct command *command)
{
	const struct option_spec *option;
	say(out, "%s: %s\n\n", command->name, command->summary);
	if (command->examples) {
		say_indented(out, command->examples);
		say(out, "\n");
	}
	say(out, "usage: ");
	say_usage(out, command);
	for (size_t i = 0; (option = option_at(command, i)); i++)
		help_say_option(out, option);
	if (command->alias)
		say(out, "alias: %s\n", command->alias);
	if (command->help) {
		say(out, "\n");
		size_t n = strlen(command->help);
		say_fixed(out, command->help, n);
		say(out, command->help[n - 1] == '\n' ? "" : "\n");
	}
}

static bool has_commands(enum command_group group)
{
	for (size_t i = 0; i < n_commands; i++)
		if (commands[i]->group == group)
			return true;
	return false;
}

/* Words in lines that begin at the column `indent`; the first stands there already. */
static void say_wrapped(struct output *out, const char *text, size_t indent, size_t room)
{
	while (strlen(text) > room) {
		size_t n = room;
		while (n > 0 && text[n] != ' ')
			n--;
		n = n ? n : strcspn(text, " ");
		say(out, "%.*s\n%*s", (int)n, text, (int)indent, "");
		text += n + strspn(text + n, " ");
	}
	say(out, "%s\n", text);
}

void say_paragraph(struct output *out, const char *text)
{
	enum { WIDTH = 76 };
	size_t width = out->style.width;
	say_wrapped(out, text, 0, width && width < WIDTH ? width : WIDTH);
}

/* A long name has its line for itself. */
static void say_entry(struct output *out, const char *name, const char *summary)
{
	enum { WIDTH = 20 };
	if (strlen(name) > WIDTH) {
		say(out, "  %s\n", name);
		name = "";
	}
	say(out, "  %-*s ", WIDTH, name);
	size_t indent = WIDTH + 3, width = out->style.width;
	say_wrapped(out, summary, indent, width > 2 * indent ? width - indent : SIZE_MAX);
}

void say_command_list(struct output *out)
{
	for (int group = 0; group < GROUPS; group++) {
		if (!has_commands((enum command_group)group))
			continue;
		say_colour(out, COLOUR_TITLE);
		say(out, "%s\n", group_title((enum command_group)group));
		say_colour(out, COLOUR_NONE);
		for (size_t i = 0; i < n_commands; i++) {
			if (commands[i]->group != (enum command_group)group)
				continue;
			say_entry(out, commands[i]->name, commands[i]->summary);
		}
	}
	say(out, "\nTopics\n");
	for (size_t i = 0; i < n_topics; i++)
		say_entry(out, topics[i].name, topics[i].summary);
	say(out, "\nhelp NAME explains one of them, apropos TEXT searches all.\n");
}
