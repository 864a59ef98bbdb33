/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the command that typed words name. */
#include "src/language/command.h"

#include <cellscope/stream.h>

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

/* ---- options shared by many commands ---- */

static const struct option_spec listing_options[] = {
	{'n', NULL, "N", ARGUMENT_WHOLE, "print at most N rows"},
	{'s', NULL, "KEY", ARGUMENT_KEYS,
		"sort by columns KEY,KEY; -KEY sorts in descending order"},
	{'w', NULL, "EXPR", ARGUMENT_FILTER,
		"print only rows for which EXPR holds (help expressions)"},
	COLUMNS_OPTION,
};
static const struct option_spec world_options[] = {
	{'P', "partition", "NAME", ARGUMENT_PARTITION,
		"use only this world partition (`partitions` lists them)"},
};
/* Options that all commands have; help.c explains them together. */
static const struct option_spec common_options[] = {
	{0, "json", NULL, ARGUMENT_NONE, NULL},
	{0, "csv", NULL, ARGUMENT_NONE, NULL},
	{0, "tsv", NULL, ARGUMENT_NONE, NULL},
	{'h', "help", NULL, ARGUMENT_NONE, NULL},
};

enum {
	N_LISTING = sizeof(listing_options) / sizeof(listing_options[0]),
	N_WORLD = sizeof(world_options) / sizeof(world_options[0]),
	N_COMMON = sizeof(common_options) / sizeof(common_options[0])
};

const char *argument_meaning(const struct command *command, size_t index)
{
	static const char *const meanings[ARGUMENT_TYPES] = {
		[ARGUMENT_CELL] = "a cell, by name, coordinates or point (help where)",
		[ARGUMENT_ACTOR] = "an actor, by label, name, path or GUID",
		[ARGUMENT_LAYER] = "a data layer, by name or by the number of its row in `layers`",
		[ARGUMENT_POINT] = "a point X,Y or X,Y,Z in cm, `actor NAME` or `.` (help where)",
		[ARGUMENT_WHERE] = "a place, such as a cell, a point or an actor (help where)",
		[ARGUMENT_SOURCE] = "the name of a streaming source (`sources` lists them)",
		[ARGUMENT_RESOURCE] =
			"the name of an open Nanite resource (`resources` lists them)",
		[ARGUMENT_PAGE] = "a page, by its number in the Nanite resource opened last, or as "
				  "RESOURCE:NUMBER",
	};
	const struct argument_spec *spec = &command->arguments[index];
	return index > 0 && strcmp(spec->name, spec[-1].name) == 0 ? NULL : meanings[spec->type];
}

static size_t own_options(const struct command *command)
{
	size_t n = 0;
	while (n < MOST_OPTIONS && (command->options[n].letter || command->options[n].name))
		n++;
	return n;
}

static bool takes_partition(const struct command *command)
{
	return command->flags & COMMAND_PARTS || (command->flags & COMMAND_WHOLE) == COMMAND_WORLD;
}

size_t shared_option_count(const struct command *command)
{
	return (takes_partition(command) ? N_WORLD : 0) + N_COMMON;
}

size_t option_count(const struct command *command)
{
	return own_options(command) + (command->flags & COMMAND_LISTS ? N_LISTING : 0) +
	       shared_option_count(command);
}

const struct option_spec *option_at(const struct command *command, size_t index)
{
	size_t own = own_options(command);
	if (index < own)
		return &command->options[index];
	index -= own;
	if (command->flags & COMMAND_LISTS) {
		if (index < N_LISTING)
			return &listing_options[index];
		index -= N_LISTING;
	}
	if (takes_partition(command)) {
		if (index < N_WORLD)
			return &world_options[index];
		index -= N_WORLD;
	}
	return index < N_COMMON ? &common_options[index] : NULL;
}

const struct argument *call_option(const struct call *call, const char *name)
{
	static const struct argument absent;
	const struct option_spec *option;
	for (size_t i = 0; (option = option_at(call->command, i)); i++)
		if ((option->name && strcmp(option->name, name) == 0) ||
			(name[1] == '\0' && option->letter == name[0]))
			return &call->options[i];
	return &absent;
}

const char *argument_text(const struct argument *argument, const char *otherwise)
{
	return argument->given ? argument->text : otherwise;
}

uint64_t argument_count(const struct argument *argument, uint64_t otherwise)
{
	return argument->given ? argument->count : otherwise;
}

double call_number(const struct call *call, const char *name, double otherwise)
{
	const struct argument *option = call_option(call, name);
	return option->given ? option->number : otherwise;
}

struct cs_error *call_number_within(const struct call *call, const char *name, double least,
	double most, double otherwise, double *ret)
{
	const double value = call_number(call, name, otherwise);
	const bool given = call_option(call, name)->given;
	if (given && value < least && most >= NUMBER_END)
		return cs_error_new(
			CS_E_USAGE, "--%s must be at least %g, not %g", name, least, value);
	if (given && !(value >= least && value <= most))
		return cs_error_new(
			CS_E_USAGE, "--%s must be %g to %g, not %g", name, least, most, value);
	*ret = value;
	return NULL;
}

struct cs_error *call_whole_within(const struct call *call, const char *name, uint64_t least,
	uint64_t most, uint64_t otherwise, uint64_t *ret)
{
	const struct argument *option = call_option(call, name);
	const uint64_t value = option->given ? option->count : otherwise;
	if (option->given && (value < least || value > most))
		return cs_error_new(CS_E_USAGE,
			"%s%s must be %" PRIu64 " to %" PRIu64 ", not %" PRIu64,
			name[1] ? "--" : "-", name, least, most, value);
	*ret = value;
	return NULL;
}

/* ---- names of commands ---- */

static size_t first_word_length(const struct command *command)
{
	return strcspn(command->name, " ");
}

static const char *second_word(const struct command *command)
{
	size_t n = first_word_length(command);
	return command->name[n] ? command->name + n + 1 : NULL;
}

/* Compares a word with a command's first word, ignoring case for UE's (wp.runtime.hlod). */
static bool same_first_word(const struct command *command, const char *word)
{
	size_t n = first_word_length(command);
	if (strlen(word) != n)
		return false;
	return command->group == GROUP_ENGINE ? cs_name_compare(command->name, word) == 0
					      : memcmp(command->name, word, n) == 0;
}

static bool same_beginning(const struct command *left, const struct command *right)
{
	size_t n = first_word_length(left);
	return n == first_word_length(right) && memcmp(left->name, right->name, n) == 0;
}

/*
 * Returns whether the command `first` accepts an argument. Then the word after it may be this
 * argument, and not the abbreviated second word of a command name. A command that takes a resource
 * (`info`) is an exception: `info b` more often means `info breakpoints` than the resource b.
 */
static bool takes_arguments(const char *first)
{
	for (size_t i = 0; i < n_commands; i++)
		if (same_first_word(commands[i], first) && !second_word(commands[i]) &&
			commands[i]->arguments[0].type != ARGUMENT_NONE &&
			commands[i]->arguments[0].type != ARGUMENT_RESOURCE)
			return true;
	return false;
}

/*
 * Counts the commands whose first word is `first` and whose second word begins with `second`; *ret
 * is the last of them.
 */
static size_t count_second_words(const char *first, const char *second, const struct command **ret)
{
	size_t n = 0;
	for (size_t i = 0; i < n_commands; i++) {
		const struct command *command = commands[i];
		if (!same_first_word(command, first) || !second_word(command) ||
			strncmp(second_word(command), second, strlen(second)) != 0)
			continue;
		*ret = command;
		n++;
	}
	return n;
}

/* Finds "info breakpoints" for "info b"; NULL unless exactly one command matches. */
static const struct command *find_short_second(
	const char *first, const char *second, size_t *words_ret)
{
	const struct command *found = NULL;
	if (!second || !*second || takes_arguments(first) ||
		count_second_words(first, second, &found) != 1)
		return NULL;
	*words_ret = 2;
	return found;
}

/* Finds a command by its exact first word. A command of which both words match is preferred. */
static const struct command *find_exact(const char *first, const char *second, size_t *words_ret)
{
	const struct command *found = NULL;
	for (size_t i = 0; i < n_commands; i++) {
		const struct command *command = commands[i];
		if (!same_first_word(command, first))
			continue;
		if (!second_word(command)) {
			*words_ret = 1;
			found = command;
		} else if (second && strcmp(second_word(command), second) == 0) {
			*words_ret = 2;
			return command;
		}
	}
	const struct command *in_short = find_short_second(first, second, words_ret);
	return in_short ? in_short : found;
}

static const struct command *find_alias(const char *word)
{
	for (size_t i = 0; i < n_commands; i++)
		if (commands[i]->alias && strcmp(commands[i]->alias, word) == 0)
			return commands[i];
	return NULL;
}

/* If the words form the command's old name (`was`), returns how many of them it has, else 0. */
static size_t words_of_old_name(
	const struct command *command, const char *first, const char *second)
{
	size_t n = command->was ? strcspn(command->was, " ") : 0;
	if (!n || strlen(first) != n || memcmp(command->was, first, n) != 0)
		return 0;
	if (!command->was[n])
		return 1;
	return second && strcmp(command->was + n + 1, second) == 0 ? 2 : 0;
}

bool command_was(const struct command *command, const char *line)
{
	size_t n = command->was ? strlen(command->was) : 0;
	return n && strncmp(line, command->was, n) == 0 && strchr(" \t", line[n]);
}

static const struct command *find_old(const char *first, const char *second, size_t *words_ret)
{
	for (size_t i = 0; i < n_commands; i++)
		if ((*words_ret = words_of_old_name(commands[i], first, second)))
			return commands[i];
	return NULL;
}

bool command_is_repeated(size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (same_beginning(commands[i], commands[index]))
			return true;
	return false;
}

/*
 * Returns whether the command's first word begins with `first`. Names of UE's console commands
 * match only when `first` contains a dot, because they are long and similar.
 */
static bool has_beginning(const struct command *command, const char *first)
{
	size_t length = strlen(first);
	if (command->group == GROUP_ENGINE && !strchr(first, '.'))
		return false;
	return strncmp(command->name, first, length) == 0 && first_word_length(command) >= length;
}

size_t command_candidates(const char *first, const char **names, size_t room)
{
	size_t n = 0;
	for (size_t i = 0; i < n_commands; i++) {
		if (!has_beginning(commands[i], first) || command_is_repeated(i))
			continue;
		if (n < room)
			names[n] = commands[i]->name;
		n++;
	}
	return n;
}

static bool begins_two_words(const char *first)
{
	for (size_t i = 0; i < n_commands; i++)
		if (second_word(commands[i]) && same_first_word(commands[i], first))
			return true;
	return false;
}

enum match command_find(
	const char *first, const char *second, const struct command **ret, size_t *words_ret)
{
	const char *name;
	char whole[COMMAND_NAME];
	*ret = find_exact(first, second, words_ret);
	if (*ret)
		return MATCH_ONE;
	*ret = find_old(first, second, words_ret);
	if (!*ret && (*ret = find_alias(first)))
		*words_ret = 1;
	if (*ret)
		return MATCH_ONE;
	if (begins_two_words(first))
		return MATCH_NONE;
	size_t n = *first ? command_candidates(first, &name, 1) : 0;
	if (n != 1)
		return n ? MATCH_SEVERAL : MATCH_NONE;
	snprintf(whole, sizeof(whole), "%.*s", (int)strcspn(name, " "), name);
	*ret = find_exact(whole, second, words_ret);
	return *ret ? MATCH_ONE : MATCH_NONE;
}

bool command_is(const char *name)
{
	for (size_t i = 0; i < n_commands; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return true;
	return false;
}

bool command_begins(const char *word)
{
	for (size_t i = 0; i < n_commands; i++)
		if (same_first_word(commands[i], word))
			return true;
	return false;
}

const char *group_title(enum command_group group)
{
	static const char *const titles[GROUPS] = {
		[GROUP_FILES] = "Files",
		[GROUP_MOVE] = "Moving about",
		[GROUP_INSPECT] = "Looking at the world",
		[GROUP_WHY] = "Asking why",
		[GROUP_MAP] = "Maps",
		[GROUP_SIMULATE] = "Streaming",
		[GROUP_STOPS] = "Stopping",
		[GROUP_DIFF] = "Comparing",
		[GROUP_NANITE] = "Nanite",
		[GROUP_FARM] = "Farms of machines",
		[GROUP_SCREEN] = "Screens and keys",
		[GROUP_OUTPUT] = "Output and options",
		[GROUP_SCRIPT] = "Scripts and checks",
		[GROUP_HELP] = "Help",
		[GROUP_ENGINE] = "Console of the engine",
	};
	return titles[group];
}

/* ---- the closest name, for "did you mean" ---- */

enum { LONGEST = 64 };

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Returns the edit distance: letters changed, left out, added, swapped. `m`: length of `right`. */
static unsigned distance(const char *left, const char *right, size_t m)
{
	unsigned rows[3][LONGEST + 1];
	size_t n = strlen(left);
	if (n > LONGEST || m > LONGEST)
		return LONGEST;
	for (size_t j = 0; j <= m; j++)
		rows[0][j] = (unsigned)j;
	for (size_t i = 1; i <= n; i++) {
		unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3];
		const unsigned *two_above = rows[(i + 1) % 3];
		row[0] = (unsigned)i;
		for (size_t j = 1; j <= m; j++) {
			bool same = tolower((unsigned char)left[i - 1]) ==
				    tolower((unsigned char)right[j - 1]);
			row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + !same);
			if (i > 1 && j > 1 && left[i - 1] == right[j - 2] &&
				left[i - 2] == right[j - 1])
				row[j] = least(row[j], two_above[j - 2] + 1);
		}
	}
	return rows[n % 3][m];
}

struct closest closest_to(const char *name)
{
	/* At most 5 letters may differ: different long names of a world often begin alike. */
	return (struct closest){
		.name = name, .limit = least(((unsigned)strlen(name) + 1) / 3 + 1, 6)};
}

bool closest_consider(struct closest *closest, const char *candidate, size_t n)
{
	size_t length = strlen(closest->name);
	size_t apart = n > length ? n - length : length - n;
	unsigned d = apart < closest->limit ? distance(closest->name, candidate, n) : UINT_MAX;
	/* a longer candidate may match by its beginning: for "nigt", "Night" of Night_0 */
	if (n > length + 1 && strncasecmp(closest->name, candidate, 2) == 0)
		d = least(d, distance(closest->name, candidate, length + 1) + 1);
	/* a word that was not typed to its end is no mistake in any of its letters */
	if (n > length && length > 2 && strncasecmp(closest->name, candidate, length) == 0)
		d = 1;
	if (d >= closest->limit)
		return false;
	closest->limit = d;
	closest->best = candidate;
	return true;
}

const char *closest_name(const char *name, const char *const *names, size_t n)
{
	struct closest closest = closest_to(name);
	for (size_t i = 0; i < n; i++)
		closest_consider(&closest, names[i], strlen(names[i]));
	return closest.best;
}

/* Command names of other programs, and common words, each with the equivalent command. */
static const struct {
	const char *word, *command;
} meanings[] = {
	{"bt", "why cell"},
	{"backtrace", "why cell"},
	{"where", "pwd"},
	{"list", "cells"},
	{"dir", "ls"},
	{"load", "open"},
	{"read", "open"},
	{"save", "transcript"},
	{"write", "cook"},
	{"build", "cook"},
	{"stop", "break"},
	{"halt", "break"},
	{"tb", "tbreak"},
	{"undo", "reverse-step"},
	{"rewind", "goto"},
	{"frame", "goto"},
	{"time", "goto"},
	{"play", "continue"},
	{"start", "run"},
	{"advance", "step"},
	{"tick", "step"},
	{"move", "source move"},
	{"teleport", "source move"},
	{"player", "source add"},
	{"camera", "source add"},
	{"spawn", "source add"},
	{"add", "source add"},
	{"activate", "layer set"},
	{"enable-layer", "layer set"},
	{"errors", "check"},
	{"validate", "check"},
	{"lint", "check"},
	{"warnings", "findings"},
	{"find", "actors"},
	{"search", "apropos"},
	{"grep", "actors"},
	{"select", "sql"},
	{"query", "sql"},
	{"draw", "map"},
	{"graph", "plot"},
	{"chart", "plot"},
	{"profile", "hitches"},
	{"perf", "hitches"},
	{"slow", "hitches"},
	{"stutter", "hitches"},
	{"stat", "state"},
	{"status", "state"},
	{"compare", "order"},
	{"priority", "order"},
	{"level", "why-level"},
	{"missing", "drops"},
	{"dropped", "drops"},
	{"top", "cells"},
	{"heaviest", "cells"},
	{"history", "events"},
	{"for", "foreach"},
	{"while", "foreach"},
	{"macro", "define"},
	{"function", "define"},
	{"man", "help"},
	{"bookmark", "mark"},
	{"go", "cd"},
	{"select-layer", "layer set"},
	{"tree", "containers"},
	{"bye", "quit"},
};

const char *command_meant(const char *word)
{
	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++)
		if (strcasecmp(meanings[i].word, word) == 0)
			return meanings[i].command;
	return NULL;
}

size_t command_about(const char *word, const char **names, size_t room)
{
	enum { LEAST = 4 };
	size_t n = 0;
	for (size_t i = 0; strlen(word) >= LEAST && i < n_commands && n < room; i++)
		if (commands[i]->group != GROUP_ENGINE && strcasestr(commands[i]->summary, word))
			names[n++] = commands[i]->name;
	return n;
}

const char *command_closest(const char *name, char room[COMMAND_NAME])
{
	struct closest closest = closest_to(name);
	size_t length = 0;
	for (size_t i = 0; i < n_commands; i++) {
		size_t first = first_word_length(commands[i]), whole = strlen(commands[i]->name);
		if (closest_consider(&closest, commands[i]->name, first))
			length = first;
		if (closest_consider(&closest, commands[i]->name, whole))
			length = whole;
	}
	size_t n;
	const struct cs_variable *variables = cs_stream_variables(&n);
	bool is_variable = false;
	for (size_t i = 0; i < n; i++)
		is_variable |=
			closest_consider(&closest, variables[i].name, strlen(variables[i].name));
	if (is_variable)
		return closest.best; /* it may be longer than a command */
	snprintf(room, COMMAND_NAME, "%.*s", (int)length, length ? closest.best : "");
	return length ? room : NULL;
}

void command_consider_words(struct closest *closest, const char *first)
{
	size_t n = strlen(first);
	for (size_t i = 0; i < n_commands; i++)
		if (strncmp(commands[i]->name, first, n) == 0 && commands[i]->name[n] == ' ')
			closest_consider(closest, commands[i]->name + n + 1,
				strlen(commands[i]->name + n + 1));
}
