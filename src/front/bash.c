/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Owns: the completion script for bash. */
#include "src/front/manual.h"

#include "src/front/command_line.h"

#include <string.h>

static void say_program_words(struct output *out)
{
	for (size_t i = 0; i < n_program_options; i++) {
		const struct program_option *option = &program_options[i];
		if (option->section == SECTION_HIDDEN)
			continue;
		if (option->letter)
			say(out, " -%c", option->letter);
		if (option->name)
			say(out, " --%s%s", option->name, option->value ? "=" : "");
	}
}

static bool is_first_of_its_name(size_t index)
{
	size_t n = strcspn(commands[index]->name, " ");
	for (size_t i = 0; i < index; i++)
		if (strcspn(commands[i]->name, " ") == n &&
			memcmp(commands[i]->name, commands[index]->name, n) == 0)
			return false;
	return true;
}

static void say_verbs(struct output *out, const char *separator)
{
	for (size_t i = 0; i < n_commands; i++)
		if (is_first_of_its_name(i))
			say(out, "%s%.*s", separator, (int)strcspn(commands[i]->name, " "),
				commands[i]->name);
}

static void say_case(struct output *out, const struct command *command)
{
	const struct option_spec *option;
	size_t first = strcspn(command->name, " ");
	say(out, "\t%.*s) words='", (int)first, command->name);
	for (size_t i = 0; i < n_commands; i++) /* subcommands */
		if (strncmp(commands[i]->name, command->name, first) == 0 &&
			commands[i]->name[first] == ' ')
			say(out, " %s", commands[i]->name + first + 1);
	for (size_t i = 0; command->arguments[0].choices && command->arguments[0].choices[i]; i++)
		say(out, " %s", command->arguments[0].choices[i]);
	for (size_t i = 0; (option = option_at(command, i)); i++) {
		if (option->letter)
			say(out, " -%c", option->letter);
		if (option->name)
			say(out, " --%s", option->name);
	}
	say(out, "' ;;\n");
}

bool say_completion(struct output *out, const char *shell)
{
	if (strcmp(shell, "bash") != 0)
		return false;
	say(out, "# completion of cellscope for bash, made by --dump-completion=bash\n"
		 "_cellscope()\n{\n"
		 "\tlocal current=${COMP_WORDS[COMP_CWORD]} verb= words= i\n"
		 "\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
		 "\t\tcase ${COMP_WORDS[i]} in\n\t\t-*) ;;\n\t\t");
	for (size_t i = 0, shown = 0; i < n_commands; i++)
		if (is_first_of_its_name(i))
			say(out, "%s%.*s", shown++ ? "|" : "", (int)strcspn(commands[i]->name, " "),
				commands[i]->name);
	say(out, ")\n\t\t\tverb=${COMP_WORDS[i]}; break ;;\n\t\tesac\n\tdone\n"
		 "\tcase $verb in\n\t'') words='");
	say_program_words(out);
	say_verbs(out, " ");
	say(out, "' ;;\n");
	for (size_t i = 0; i < n_commands; i++)
		if (is_first_of_its_name(i))
			say_case(out, commands[i]);
	say(out, "\tesac\n"
		 "\tCOMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
		 "\tif [[ $current != -* ]]; then\n"
		 "\t\tCOMPREPLY+=($(compgen -f -- \"$current\"))\n\tfi\n"
		 "}\n"
		 "complete -o filenames -F _cellscope cellscope\n");
	return true;
}
