/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Owns: help for people, examples first. */
#include "src/session/help.h"

#include "src/language/parse.h"
#include "src/language/topics.h"

#include <stdlib.h>
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

/* Whether a command of the group before that one begins with its word. */
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

/* The words that commands of a group begin with, each once. */
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
			say_entry(out, commands[i]->name, commands[i]->summary);
}

static void say_titled(struct output *out, const char *title, size_t n, const char *text)
{
	enum { INDENT = 12, WIDTH = 78 };
	say_colour(out, COLOUR_TITLE);
	say(out, "%.*s%*s", (int)n, title, INDENT - (int)n, "");
	say_colour(out, COLOUR_NONE);
	size_t width = out->style.width && out->style.width < WIDTH ? out->style.width : WIDTH;
	say_wrapped(out, text, INDENT, width > 2 * INDENT ? width - INDENT : SIZE_MAX);
}

static void say_names_of_topics(struct output *out)
{
	for (size_t i = 0; i < n_topics; i++)
		say(out, "%s%s", i ? " " : "", topics[i].name);
}

/* A line of the list, or several: the word of a group, or Topics behind the last. */
static struct cs_error *say_words(struct output *out, enum command_group group)
{
	static const struct style plain;
	size_t n = strlen("Topics");
	const char *title = group < GROUPS ? group_word(group, &n) : "Topics";
	struct memory_sink words;
	struct output to;
	memory_sink_init(&words);
	output_init(&to, &plain, &words.sink);
	if (group == GROUP_ENGINE) /* their names are long, and known */
		say(&to, "variable overrides wp.*");
	else if (group < GROUPS)
		say_first_words(&to, group);
	else
		say_names_of_topics(&to);
	struct cs_error *error = output_end(&to);
	char *text = error || !words.text.at ? NULL : strndup(words.text.at, words.text.n);
	if (!error && !text)
		error = cs_error_nomem();
	if (!error)
		say_titled(out, title, n, text);
	free(text);
	memory_sink_deinit(&words);
	return error;
}

/* Two screens at most (tests/house.sh): the words, and where the rest is told. */
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
