/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the completion scripts for bash, zsh and fish, which offer words that fit a command. */

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

static void say_verbs_between(struct output *out, const char *separator)
{
	for (size_t i = 0, shown = 0; i < n_commands; i++)
		if (!command_is_repeated(i))
			say(out, "%s%.*s", shown++ ? separator : "",
				(int)strcspn(commands[i]->name, " "), commands[i]->name);
}

static void say_verbs(struct output *out, const char *separator)
{
	say(out, "%s", separator);
	say_verbs_between(out, separator);
}

/* Prints what may follow a command's first word: second words, choices, and options. */
static void say_words_of(struct output *out, const struct command *command)
{
	const struct option_spec *option;
	size_t first = strcspn(command->name, " ");
	/* prints the second words of the command names that begin with this word */
	for (size_t i = 0; i < n_commands; i++)
		if (strncmp(commands[i]->name, command->name, first) == 0 &&
			commands[i]->name[first] == ' ')
			say(out, " %s", commands[i]->name + first + 1);
	const struct argument_spec *argument = &command->arguments[0];
	for (size_t i = 0; argument->type == ARGUMENT_CHOICE && argument->choices[i]; i++)
		say(out, " %s", argument->choices[i]);
	for (size_t i = 0; (option = option_at(command, i)); i++) {
		if (option->letter)
			say(out, " -%c", option->letter);
		if (option->name)
			say(out, " --%s", option->name);
	}
}

/*
 * Prints clauses of a `case` statement, valid in bash and zsh: one for no word, and one for each
 * first word of a command, with `before`, the words that may come next, and `after`.
 */
static void say_cases(struct output *out, const char *before, const char *after)
{
	say(out, "\t'') %s", before);
	say_program_words(out);
	say_verbs(out, " ");
	say(out, "%s ;;\n", after);
	for (size_t i = 0; i < n_commands; i++) {
		if (command_is_repeated(i))
			continue;
		say(out, "\t%.*s) %s", (int)strcspn(commands[i]->name, " "), commands[i]->name,
			before);
		say_words_of(out, commands[i]);
		say(out, "%s ;;\n", after);
	}
}

static void say_bash(struct output *out)
{
	say(out, "# completion of cellscope for bash, made by --dump-completion=bash\n"
		 "_cellscope()\n{\n"
		 "\tlocal current=${COMP_WORDS[COMP_CWORD]} verb= words= i\n"
		 "\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
		 "\t\tcase ${COMP_WORDS[i]} in\n\t\t-*) ;;\n\t\t");
	say_verbs_between(out, "|");
	say(out, ")\n\t\t\tverb=${COMP_WORDS[i]}; break ;;\n\t\tesac\n\tdone\n"
		 "\tcase $verb in\n");
	say_cases(out, "words='", "'");
	say(out, "\tesac\n"
		 "\tCOMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
		 "\tif [[ $current != -* ]]; then\n"
		 "\t\tCOMPREPLY+=($(compgen -f -- \"$current\"))\n\tfi\n"
		 "}\n"
		 "complete -o filenames -F _cellscope cellscope\n");
}

static void say_zsh(struct output *out)
{
	say(out, "#compdef cellscope\n"
		 "# completion of cellscope for zsh, made by --dump-completion=zsh\n"
		 "_cellscope()\n{\n"
		 "\tlocal verb= i\n\tlocal -a candidates\n"
		 "\tfor ((i = 2; i < CURRENT; i++)); do\n"
		 "\t\tcase $words[i] in\n\t\t-*) ;;\n\t\t");
	say_verbs_between(out, "|");
	say(out, ")\n\t\t\tverb=$words[i]; break ;;\n\t\tesac\n\tdone\n"
		 "\tcase $verb in\n");
	say_cases(out, "candidates=(", ")");
	say(out, "\tesac\n"
		 "\tcompadd -a candidates\n"
		 "\t[[ $PREFIX == -* ]] || _files\n"
		 "}\n"
		 "if [[ $funcstack[1] == _cellscope ]]; then _cellscope \"$@\"\n"
		 "else compdef _cellscope cellscope\nfi\n");
}

static void say_fish(struct output *out)
{
	say(out, "# completion of cellscope for fish, made by --dump-completion=fish\n"
		 "set -l verbs");
	say_verbs(out, " ");
	say(out, "\ncomplete -c cellscope -n \"not __fish_seen_subcommand_from $verbs\" -a '");
	say_program_words(out);
	say_verbs(out, " ");
	say(out, "'\n");
	for (size_t i = 0; i < n_commands; i++) {
		if (command_is_repeated(i))
			continue;
		say(out, "complete -c cellscope -n '__fish_seen_subcommand_from %.*s' -a '",
			(int)strcspn(commands[i]->name, " "), commands[i]->name);
		say_words_of(out, commands[i]);
		say(out, "'\n");
	}
}

bool say_completion(struct output *out, const char *shell)
{
	static const struct {
		const char *name;
		void (*say)(struct output *out);
	} shells[] = {{"bash", say_bash}, {"zsh", say_zsh}, {"fish", say_fish}};
	for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++)
		if (strcmp(shells[i].name, shell) == 0) {
			shells[i].say(out);
			return true;
		}
	return false;
}
