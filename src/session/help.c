/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints help for people: lists of commands and topics, and help on a command, examples first. */
#include "src/session/help.h"

#include "src/language/parse.h"
#include "src/language/topics.h"

#include <stdlib.h>
#include <string.h>

/* Returns the width of help texts in columns: 80, or that of a narrower terminal. */
static size_t help_width(const struct output *out)
{
	enum { MOST = 80 };
	return out->style.width && out->style.width < MOST ? out->style.width : MOST;
}

/* Prints words in lines of `width`, indented except the first, where `used` columns are taken. */
static void say_wrapped(
	struct output *out, const char *text, size_t used, size_t indent, size_t width)
{
	while (used + strlen(text) > width) {
		size_t room = width > used ? width - used : 0, n = strcspn(text, " ");
		while (n < room && n + 1 + strcspn(text + n + 1, " ") <= room)
			n += 1 + strcspn(text + n + 1, " ");
		if (!text[n])
			break;
		say(out, "%.*s\n%*s", (int)n, text, (int)indent, "");
		text += n + strspn(text + n, " ");
		used = indent;
	}
	say(out, "%s\n", text);
}

void say_paragraph(struct output *out, const char *text)
{
	enum { WIDTH = 76 };
	size_t width = help_width(out);
	say_wrapped(out, text, 0, 0, width < WIDTH ? width : WIDTH);
}

/* Prints a name in a column of `width`, and then its summary. A longer name gets its own line. */
static void say_entry(struct output *out, const char *name, size_t width, const char *summary)
{
	size_t indent = width + 3;
	if (strlen(name) > width) {
		say(out, "  %s\n", name);
		name = "";
	}
	say(out, "  %-*s ", (int)width, name);
	say_wrapped(out, summary, indent, indent, help_width(out));
}

static void help_say_option(struct output *out, const struct option_spec *option)
{
	const char letter[2] = {option->letter, '\0'};
	char form[48];
	snprintf(form, sizeof(form), "%s%s%s%s%s%s%s", option->letter ? "-" : "", letter,
		option->letter && option->name ? ", " : "", option->name ? "--" : "",
		option->name ? option->name : "", option->value ? " " : "",
		option->value ? option->value : "");
	say_entry(out, form, 22, option->help);
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

/* Returns the help text for the suffix "@ WHERE" of a command that has COMMAND_PLACE. */
static const char *meaning_of_place(const struct command *command)
{
	for (size_t i = 0; command->arguments[i].type != ARGUMENT_NONE; i++)
		if (command->arguments[i].type == ARGUMENT_WHERE)
			return "the same as WHERE without @";
	return command->flags & COMMAND_LISTS
		       ? "list only the rows that belong to this place (help where)"
		       : "use this place, not the current one (help where)";
}

/*
 * Returns whether help shows the option. -P is hidden where it has no effect: on commands that open
 * or close files, or that move, halt or change the whole run, if no argument names something in a
 * world.
 */
static bool help_shows(const struct command *command, const struct option_spec *option)
{
	const bool of_all = command->group == GROUP_MOVE || command->group == GROUP_SIMULATE ||
			    command->group == GROUP_STOPS || command->group == GROUP_FILES;
	bool named = !of_all || !(command->flags & COMMAND_CHANGES) ||
		     command->flags & COMMAND_LISTS || option->type != ARGUMENT_PARTITION;
	for (size_t i = 0; !named && command->arguments[i].type != ARGUMENT_NONE; i++) {
		const enum argument_type type = command->arguments[i].type;
		named = type == ARGUMENT_CELL || type == ARGUMENT_LAYER || type == ARGUMENT_POINT ||
			type == ARGUMENT_WHERE || type == ARGUMENT_EVENT ||
			type == ARGUMENT_EXPRESSION;
	}
	return option->help && named;
}

void say_command_help(struct output *out, const struct command *command)
{
	const struct option_spec *option;
	say(out, "%s: ", command->name);
	say_wrapped(out, command->summary, strlen(command->name) + 2, 2, help_width(out));
	say(out, "\n");
	if (command->examples) {
		say_indented(out, command->examples);
		say(out, "\n");
	}
	say_usage(out, command, help_width(out));
	for (size_t i = 0; command->arguments[i].type != ARGUMENT_NONE; i++)
		if (argument_meaning(command, i))
			say_entry(
				out, command->arguments[i].name, 22, argument_meaning(command, i));
	if (command->flags & COMMAND_PLACE)
		say_entry(out, "@ WHERE", 22, meaning_of_place(command));
	for (size_t i = 0; (option = option_at(command, i)); i++)
		if (help_shows(command, option))
			help_say_option(out, option);
	say_entry(out, "--json, --csv, --tsv", 22, "print the output as JSON, CSV or TSV");
	if (command->alias)
		say(out, "alias: %s\n", command->alias);
	if (command->help) {
		say(out, "\n");
		size_t n = strlen(command->help);
		say_fixed(out, command->help, n);
		say(out, command->help[n - 1] == '\n' ? "" : "\n");
	}
}

/* Returns whether an earlier command of the group begins with the same word. */
static bool is_named_before(size_t command)
{
	const char *name = commands[command]->name;
	size_t n = strcspn(name, " ");
	for (size_t i = 0; i < command; i++)
		if (commands[i]->group == commands[command]->group && !commands[i]->instead &&
			strncmp(commands[i]->name, name, n) == 0 &&
			strchr(" ", commands[i]->name[n]))
			return true;
	return false;
}

/* Prints the first words of the commands of a group, each once. */
static void say_first_words(struct output *out, enum command_group group)
{
	const char *before = "";
	for (size_t i = 0; i < n_commands; i++) {
		const char *name = commands[i]->name;
		if (commands[i]->group != group || commands[i]->instead || is_named_before(i))
			continue;
		say(out, "%s%.*s", before, (int)strcspn(name, " "), name);
		before = " ";
	}
}

void say_group_of_commands(struct output *out, enum command_group group)
{
	say_colour(out, COLOUR_TITLE);
	say(out, "%s\n", group_title(group));
	say_colour(out, COLOUR_NONE);
	for (size_t i = 0; i < n_commands; i++)
		if (commands[i]->group == group && !commands[i]->instead)
			say_entry(out, commands[i]->name, 20, commands[i]->summary);
}

static void say_titled(struct output *out, const char *title, size_t n, const char *text)
{
	enum { INDENT = 12, WIDTH = 78 };
	say_colour(out, COLOUR_TITLE);
	say(out, "%.*s%*s", (int)n, title, INDENT - (int)n, "");
	say_colour(out, COLOUR_NONE);
	size_t width = help_width(out);
	say_wrapped(out, text, INDENT, INDENT, width < WIDTH ? width : WIDTH);
}

/* Prints the first words of the commands of a group; for GROUPS, the names of the topics. */
static struct cs_error *say_words(struct output *out, enum command_group group)
{
	const char *title = group < GROUPS ? group_title(group) : "Topics";
	struct text_output text;
	struct output *to = text_output_begin(&text, (struct style){0});
	/* only a summary, because the names of the engine's commands are long */
	if (group == GROUP_ENGINE)
		say(to, "variable overrides wp.*");
	else if (group < GROUPS)
		say_first_words(to, group);
	else
		for (size_t i = 0; i < n_topics; i++)
			say(to, "%s%s", i ? " " : "", topics[i].name);
	char *words = text_output_end(&text);
	if (!words)
		return cs_error_nomem();
	say_titled(out, title, strcspn(title, " "), words);
	free(words);
	return NULL;
}

/* The list fits two screens (tests/house.sh checks that). */
struct cs_error *say_command_list(struct output *out)
{
	struct cs_error *error = NULL;
	for (int group = 0; !error && group <= GROUPS; group++)
		error = say_words(out, (enum command_group)group);
	if (!error)
		say(out,
			"\nhelp NAME explains a command or topic, help Files all of that line,\n"
			"apropos TEXT searches. Begin with: open FILE, info, map, cells, why WHAT,\n"
			"explain WHAT, diff A B.\n");
	return error;
}
