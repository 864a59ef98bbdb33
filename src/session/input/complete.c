/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Completes command lines with Tab. The line is split into words. The first words name the command;
 * the position of the last word determines its candidates: commands, options, values of an option,
 * values of an argument's type, or locations after @.
 */
#include "src/session/input/complete.h"

#include "src/output/lines.h"
#include "src/session/session.h"

#include <ctype.h>
#include <string.h>

struct typed {
	CS_VEC(struct word) words; /* words before the one to complete */
	struct word last;
	bool behind_where; /* an @ precedes the word to complete */
};

static void forget_words(struct typed *typed)
{
	while (typed->words.n > 0)
		word_free(&typed->words.at[--typed->words.n]);
	typed->behind_where = false;
}

/* Splits the line with `ending` after it into words; returns false when this is impossible. */
static bool split_with(
	const struct session *session, const char *line, const char *ending, struct typed *to)
{
	char *copy;
	if (asprintf(&copy, "%s%s", line, ending) < 0)
		return false;
	struct scanner scanner = {copy, 0, &session->words.definitions};
	enum sign sign = SIGN_WORD;
	bool good = true;
	forget_words(to);
	while (good && sign != SIGN_END) {
		struct word word = {0};
		struct cs_error *error = scan(&scanner, &sign, &word);
		good = !error && (sign != SIGN_WORD || cs_vec_push(&to->words, word));
		if (!good)
			word_free(&word);
		cs_error_free(error);
		to->behind_where |= sign == SIGN_WHERE;
	}
	free(copy);
	return good;
}

/*
 * Splits the line, with an open quotation mark closed, into words and the word to complete; returns
 * false when this is impossible.
 */
static bool complete_split(const struct session *session, const char *line, struct typed *to)
{
	size_t length = strlen(line);
	bool ends_in_blank = length == 0 || strchr(" \t", line[length - 1]);
	if (!split_with(session, line, "", to) && !split_with(session, line, "\"", to) &&
		!split_with(session, line, "'", to))
		return false;
	if (!ends_in_blank && to->words.n > 0)
		to->last = to->words.at[--to->words.n];
	else
		to->last = (struct word){strdup(""), length, length, false, 0};
	return to->last.text;
}

/* Adds first words of commands, engine variables if the prefix has a dot, and aliases. */
static void complete_name(
	struct session *session, const char *prefix, struct candidates *candidates)
{
	const char *names[MOST_CANDIDATES];
	size_t n = command_candidates(prefix, names, MOST_CANDIDATES);
	for (size_t i = 0; i < n && i < MOST_CANDIDATES; i++) {
		char word[64];
		snprintf(word, sizeof(word), "%.*s", (int)strcspn(names[i], " "), names[i]);
		candidates_add(candidates, word);
	}
	if (strchr(prefix, '.')) {
		const struct argument_spec spec = {"NAME", ARGUMENT_VARIABLE, false, false, NULL};
		argument_complete(session, &spec, prefix, candidates);
	}
	for (size_t i = 0; i < session->words.aliases.n; i++)
		candidates_add_matching(candidates, prefix, session->words.aliases.at[i].name);
}

static void complete_second_word(
	const char *first, const char *prefix, struct candidates *candidates)
{
	size_t n = strlen(first);
	for (size_t i = 0; i < n_commands; i++)
		if (strncmp(commands[i]->name, first, n) == 0 && commands[i]->name[n] == ' ')
			candidates_add_matching(candidates, prefix, commands[i]->name + n + 1);
}

static void complete_option_name(
	const struct command *command, const char *prefix, struct candidates *candidates)
{
	const struct option_spec *option;
	for (size_t i = 0; (option = option_at(command, i)); i++) {
		char text[48];
		if (option->name)
			snprintf(text, sizeof(text), "--%s", option->name);
		else
			snprintf(text, sizeof(text), "-%c", option->letter);
		candidates_add_matching(candidates, prefix, text);
	}
}

/* Returns the option that `word` names, if the next word is the option's value; else NULL. */
static const struct option_spec *pending_option(
	const struct command *command, const struct word *word)
{
	const struct option_spec *option;
	for (size_t i = 0; !word->quoted && (option = option_at(command, i)); i++) {
		if (!option->value)
			continue;
		if (option->letter && word->text[0] == '-' && word->text[1] == option->letter &&
			word->text[2] == '\0')
			return option;
		if (option->name && strncmp(word->text, "--", 2) == 0 &&
			strcmp(word->text + 2, option->name) == 0)
			return option;
	}
	return NULL;
}

/* Adds the values of the session setting that `name` denotes. */
static void complete_value(
	const struct word *name, const char *prefix, struct candidates *candidates)
{
	enum setting setting;
	struct cs_error *error = setting_find(name->text, &setting);
	const char *choice;
	for (size_t i = 0; !error && (choice = setting_choice(&setting_specs[setting], i)); i++)
		candidates_add_matching(candidates, prefix, choice);
	cs_error_free(error);
}

static bool has_candidate(const struct candidates *candidates, const char *text)
{
	for (size_t i = 0; i < candidates->at.n; i++)
		if (strcmp(candidates->at.at[i], text) == 0)
			return true;
	return false;
}

/* Adds the columns of the table that has the name of the command, or else of all tables. */
static void complete_columns(struct session *session, const struct command *command,
	const char *before, const char *prefix, struct candidates *candidates)
{
	const void *source;
	const struct cs_table *own = session_table(session, command->name, &source);
	for (size_t i = 0; i < cs_query_tables(session->query); i++) {
		const struct cs_table *table = cs_query_table(session->query, i, &source);
		if (own && table != own)
			continue;
		for (size_t k = 0; k < table->n_columns; k++) {
			char text[256];
			snprintf(text, sizeof(text), "%s%s", before, table->columns[k].key);
			if (strncmp(table->columns[k].key, prefix, strlen(prefix)) == 0 &&
				!has_candidate(candidates, text))
				candidates_add(candidates, text);
		}
	}
}

/* Completes the last of several column names, as in "name,-le", and keeps the text before it. */
static void complete_keys(struct session *session, const struct command *command, const char *typed,
	struct candidates *candidates)
{
	const char *comma = strrchr(typed, ',');
	const char *name = comma ? comma + 1 : typed;
	char before[256];
	name += *name == '-';
	snprintf(before, sizeof(before), "%.*s", (int)(name - typed), typed);
	candidates->goes_on = true;
	complete_columns(session, command, before, name, candidates);
}

/* Completes the name of a table or column at the end of an SQL text. Keeps the text before it. */
static void complete_sql(struct session *session, const struct command *command, const char *typed,
	struct candidates *candidates)
{
	size_t n = strlen(typed);
	char before[256];
	while (n > 0 && (isalnum((unsigned char)typed[n - 1]) || typed[n - 1] == '_'))
		n--;
	snprintf(before, sizeof(before), "%.*s", (int)n, typed);
	for (size_t i = 0; i < cs_query_tables(session->query); i++) {
		const void *source;
		char text[256];
		const char *name = cs_query_table(session->query, i, &source)->name;
		snprintf(text, sizeof(text), "%s%s", before, name);
		if (strncmp(name, typed + n, strlen(typed + n)) == 0)
			candidates_add(candidates, text);
	}
	complete_columns(session, command, before, typed + n, candidates);
}

static bool is_sql(enum argument_type type)
{
	return type == ARGUMENT_EXPRESSION || type == ARGUMENT_FILTER || type == ARGUMENT_STATEMENT;
}

static void complete_value_of(struct session *session, const struct command *command,
	const struct argument_spec *spec, const char *typed, struct candidates *candidates)
{
	if (spec->type == ARGUMENT_KEYS)
		complete_keys(session, command, typed, candidates);
	else if (is_sql(spec->type))
		complete_sql(session, command, typed, candidates);
	else
		argument_complete(session, spec, typed, candidates);
}

static void complete_argument(struct session *session, const struct command *command,
	const struct typed *typed, size_t first, struct candidates *candidates)
{
	size_t index = 0;
	for (size_t i = first; i < typed->words.n; i++) {
		const struct word *word = &typed->words.at[i];
		bool is_option = !word->quoted && word->text[0] == '-';
		bool is_value = i > first && pending_option(command, &typed->words.at[i - 1]);
		index += !is_option && !is_value;
	}
	if (index == 1 && command->arguments[0].type == ARGUMENT_SETTING &&
		typed->words.at[first].text[0] != '$') {
		complete_value(&typed->words.at[first], typed->last.text, candidates);
		return;
	}
	for (size_t i = 0; command->arguments[i].type != ARGUMENT_NONE; i++)
		if (i == index || (i < index && (command->arguments[i].many ||
							is_sql(command->arguments[i].type)))) {
			complete_value_of(session, command, &command->arguments[i],
				typed->last.text, candidates);
			return;
		}
}

static void complete_in_command(struct session *session, const struct command *command,
	const struct typed *typed, size_t first, struct candidates *candidates)
{
	const struct option_spec *option =
		typed->words.n > first
			? pending_option(command, &typed->words.at[typed->words.n - 1])
			: NULL;
	struct argument_spec where = {"WHERE", ARGUMENT_WHERE, false, false, NULL};
	if (option) {
		struct argument_spec spec = {
			option->value, option->type, false, false, option->choices};
		complete_value_of(session, command, &spec, typed->last.text, candidates);
	} else if (typed->behind_where) {
		argument_complete(session, &where, typed->last.text, candidates);
	} else if (typed->last.text[0] == '-' && !typed->last.quoted) {
		complete_option_name(command, typed->last.text, candidates);
	} else {
		complete_argument(session, command, typed, first, candidates);
	}
}

void complete_line(struct session *session, const char *line, struct candidates *candidates)
{
	struct typed typed = {0};
	const struct command *command;
	size_t words;
	if (complete_split(session, line, &typed)) {
		candidates->first = typed.last.at;
		const char *first = typed.words.n > 0 ? typed.words.at[0].text : NULL;
		const char *second = typed.words.n > 1 ? typed.words.at[1].text : NULL;
		if (!first) {
			complete_name(session, typed.last.text, candidates);
		} else {
			if (!second)
				complete_second_word(first, typed.last.text, candidates);
			if (command_find(first, second, &command, &words) == MATCH_ONE)
				complete_in_command(session, command, &typed, words, candidates);
		}
		/*
		 * if candidates have no quotation mark, the typed one is kept, and only the text
		 * after it is replaced
		 */
		const char mark = line[candidates->first];
		if (candidates->at.n > 0 && (mark == '"' || mark == '\'') &&
			*candidates->at.at[0] != '"')
			candidates->first++;
	}
	forget_words(&typed);
	cs_vec_free(&typed.words);
	word_free(&typed.last);
}

void candidates_to_ascii(struct candidates *candidates)
{
	for (size_t i = 0; i < candidates->at.n; i++) {
		char *text = typed_text(candidates->at.at[i], true);
		if (!text)
			continue;
		free(candidates->at.at[i]);
		candidates->at.at[i] = text;
	}
}
