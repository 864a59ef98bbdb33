/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Implements the commands `help`, `apropos`, `complete` and `version`. */
#include "src/output/lines.h"
#include "src/session/help.h"

#include "cmds/cook/cmd_checkbook.h"
#include "cmds/cook/cmd_rules.h"
#include "src/language/topics.h"
#include "src/session/input/complete.h"
#include "src/session/plain.h"

#include <string.h>

/* ---- command help ---- */

static const struct topic *find_topic(const char *name)
{
	for (size_t i = 0; i < n_topics; i++)
		if (strcmp(topics[i].name, name) == 0)
			return &topics[i];
	return NULL;
}

PLAIN_GETTER(get_group, struct command, cs_text(group_title(at->group)))

static const struct cs_column command_columns[] = {
	SHORT(struct command, name, "name of the command, as it is typed"),
	PLAIN(struct command, alias, "a shorter name"),
	PLAIN_VALUE("group", TEXT, get_group, "group of the command"),
	SHORT(struct command, summary, "summary of the command"),
	PLAIN(struct command, examples, "example lines"),
};

static const struct cs_table command_table =
	PLAIN_TABLE_OF("commands", "command", command_columns, plain_count, plain_pointed);

/* Joins the arguments of the call from index `first` on, with blanks between them, into `ret`. */
static const char *words_from(const struct call *call, size_t first, char *ret, size_t size)
{
	*ret = '\0';
	for (size_t i = first; i < call->n_arguments; i++) {
		size_t n = strlen(ret);
		snprintf(ret + n, size - n, "%s%s", n ? " " : "", call_argument(call, i)->text);
	}
	return ret;
}

static struct cs_error *no_help(const struct call *call)
{
	char room[COMMAND_NAME], words[2 * COMMAND_NAME];
	const char *name = words_from(call, 0, words, sizeof(words));
	struct closest topic = closest_to(name);
	const char *close = command_closest(name, room);
	for (size_t i = 0; i < n_topics; i++)
		closest_consider(&topic, topics[i].name, strlen(topics[i].name));
	if (topic.best && !(close && closest_consider(&topic, close, strlen(close))))
		close = topic.best;
	return cs_error_new(CS_E_UNKNOWN, "no command or topic '%s'%s%s%s; `help` lists all", name,
		DID_YOU_MEAN(close));
}

/* Prints all commands with this first word, except old names. Returns their number. */
static size_t say_family(struct output *out, const char *word)
{
	size_t n = 0, length = strlen(word);
	for (size_t i = 0; i < n_commands; i++) {
		const char *name = commands[i]->name;
		if (strncmp(name, word, length) != 0 || !strchr(" ", name[length]))
			continue;
		if (name[length] && commands[i]->instead)
			continue;
		if (n == 1)
			say(out, "\nOther commands that begin with `%s`:\n", word);
		if (n++)
			say(out, "\n");
		say_command_help(out, commands[i]);
	}
	return n;
}

/* Prints the group with this first title word, after a blank line if `behind`, or returns false. */
static bool say_help_of_group(struct output *out, const char *word, bool behind)
{
	for (int group = 0; group < GROUPS; group++) {
		const char *title = group_title((enum command_group)group);
		const size_t n = strcspn(title, " ");
		if (strncmp(title, word, n) != 0 || word[n])
			continue;
		if (behind)
			say(out, "\n");
		say_group_of_commands(out, (enum command_group)group);
		return true;
	}
	return false;
}

static struct cs_error *run_help(struct call *call)
{
	const struct command *command;
	size_t words;
	char number[32]; /* of a rule, such as "1.6.4" or "nanite 2.1" */
	if (call->n_arguments == 0) {
		if (call->out->style.format != FORMAT_TEXT)
			return emit_plain(call, &command_table, commands, n_commands);
		return say_command_list(call->out);
	}
	const char *first = call_argument(call, 0)->text;
	const char *second = call->n_arguments > 1 ? call_argument(call, 1)->text : NULL;
	if (second && strcmp(first, "rule") == 0)
		return say_rule(call->out, words_from(call, 1, number, sizeof(number)));
	if (second && strcmp(first, "check") == 0)
		return say_check(call->out, second);
	const struct topic *topic = second ? NULL : find_topic(first);
	if (!second && strcmp(first, "Topics") == 0) {
		for (size_t i = 0; i < n_topics; i++)
			say(call->out, "%-12s %s\n", topics[i].name, topics[i].summary);
		return NULL;
	}
	if (topic) {
		say(call->out, "%s: %s\n\n", topic->name, topic->summary);
		say_fixed(call->out, topic->text, strlen(topic->text));
		say_help_of_group(call->out, first, true);
		return NULL;
	}
	if (!second &&
		(say_help_of_group(call->out, first, false) || say_family(call->out, first) > 0))
		return NULL;
	if (command_find(first, second, &command, &words) != MATCH_ONE || (second && words != 2))
		return no_help(call);
	say_command_help(call->out, command);
	return NULL;
}

const struct command command_help = {
	.name = "help",
	.alias = "?",
	.group = GROUP_HELP,
	.arguments = {{"COMMAND|TOPIC", ARGUMENT_COMMAND, .optional = true, .many = true}},
	.summary = "list the commands, or explain one command or topic",
	.examples = "help\nhelp cells\nhelp expressions",
	.help = "COMMAND is the name of a command, its first word, or the title of a line of\n"
		"`help`, such as Files. TOPIC is a name in the line Topics. Without an argument\n"
		"all commands and topics are listed. `help rule NUMBER` explains a rule of Unreal\n"
		"that cellscope follows; `rules` lists the numbers. `help check TOKEN` explains a\n"
		"check of validation; the column `check` of `findings` has the tokens.",
	.run = run_help,
};

/* ---- command apropos ---- */

/* Texts of a command, topic or option that the command `apropos` searches; NULL = unused. */
struct about {
	const char *texts[4];
};

/* Returns whether any of the texts contains the word, ignoring the case of ASCII letters. */
static bool help_has_word(const struct about *about, const char *word)
{
	for (size_t i = 0; i < sizeof(about->texts) / sizeof(about->texts[0]); i++)
		if (about->texts[i] && strcasestr(about->texts[i], word))
			return true;
	return false;
}

/* Returns whether each argument of the call occurs in the texts about a command or topic. */
static bool is_about(const struct call *call, const struct about *about)
{
	for (size_t i = 0; i < call->n_arguments; i++)
		if (!help_has_word(about, call_argument(call, i)->text))
			return false;
	return true;
}

/* An entry that `apropos` found. */
struct found {
	char name[COMMAND_NAME + 8];
	const char *summary;
};

static const struct cs_column found_columns[] = {
	SHORT(struct found, name, "command, topic, or `set` and the name of an option"),
	SHORT(struct found, summary, "summary of its help"),
};

static const struct cs_table found_table = PLAIN_TABLE("entries", "entry", found_columns);

struct all_found {
	CS_VEC(struct found) at;
	bool failed;
};

static void add_found(const struct call *call, const char *before, const char *name,
	const char *summary, const struct about *about, struct all_found *to)
{
	struct found found = {.summary = summary};
	snprintf(found.name, sizeof(found.name), "%s%s", before, name);
	if (is_about(call, about))
		cs_vec_push_in(to, at, found);
}

static struct cs_error *run_apropos(struct call *call)
{
	struct all_found all = {0};
	for (size_t i = 0; i < n_commands; i++) {
		const struct command *command = commands[i];
		add_found(call, "", command->name, command->summary,
			&(struct about){{command->name, command->summary, command->help,
				command->examples}},
			&all);
	}
	for (size_t i = 0; i < n_topics; i++)
		add_found(call, "", topics[i].name, topics[i].summary,
			&(struct about){{topics[i].name, topics[i].summary, topics[i].text}}, &all);
	for (size_t i = 0; i < SETTINGS; i++)
		add_found(call, "set ", setting_specs[i].name, setting_specs[i].help,
			&(struct about){{setting_specs[i].name, setting_specs[i].help}}, &all);
	const size_t n = all.at.n;
	if (!all.failed && n > 0 && wants_rows(call))
		return emit_plain_taken(call, &found_table, all.at.at, n);
	for (size_t i = 0; i < n; i++)
		say(call->out, "%-20s %s\n", all.at.at[i].name, all.at.at[i].summary);
	cs_vec_free(&all.at);
	if (all.failed)
		return cs_error_nomem();
	return n ? NULL
		 : cs_error_new(CS_E_UNKNOWN, "no help text contains '%s'%s",
			   call_argument(call, 0)->text,
			   call->n_arguments > 1 ? " and the other words" : "");
}

const struct command command_apropos = {
	.name = "apropos",
	.group = GROUP_HELP,
	.arguments = {{"TEXT", ARGUMENT_WORD, .many = true}},
	.summary = "list the commands, topics and options whose help contains some words",
	.examples = "apropos layer\napropos cell always",
	.help = "TEXT is one or several words. The help of each entry in the list contains all\n"
		"these words, in upper or lower case.",
	.run = run_apropos,
};

/* ---- commands complete and version ---- */

/* Prints the completions of a line. A line that ends in a blank must be in quotes. */
static struct cs_error *run_complete(struct call *call)
{
	struct candidates candidates = {.lists_files = true};
	const char *text = argument_text(call_argument(call, 0), "");
	size_t n = strlen(text);
	bool quoted = n > 1 && strchr("'\"", text[0]) && text[n - 1] == text[0];
	char *line = quoted ? strndup(text + 1, n - 2) : strdup(text);
	if (!line)
		return cs_error_nomem();
	complete_line(call->session, line, &candidates);
	free(line);
	for (size_t i = 0; i < candidates.at.n; i++) {
		say_printed(call->out, candidates.at.at[i]);
		say(call->out, "\n");
	}
	if (candidates.more)
		note(call->out, "... %zu more\n", candidates.more);
	bool failed = candidates.failed;
	candidates_free(&candidates);
	return failed ? cs_error_nomem() : NULL;
}

const struct command command_complete = {
	.name = "complete",
	.group = GROUP_HELP,
	.arguments = {{"TEXT", ARGUMENT_LINE, .optional = true}},
	.summary = "print how a command line can go on, for other programs",
	.examples = "complete cell MainGrid_5\ncomplete \"layer set DL_Night \"",
	.help = "TEXT is the beginning of a command line, in quotes when it ends in a blank. Each\n"
		"line of the output is a word that can replace the last word of TEXT or, without\n"
		"TEXT, begin a command line.",
	.run = run_complete,
};

static struct cs_error *run_version(struct call *call)
{
	say(call->out, "cellscope %s\n", cs_version());
	return NULL;
}

const struct command command_version = {
	.name = "version",
	.group = GROUP_HELP,
	.summary = "print the version",
	.examples = "version",
	.run = run_version,
};
