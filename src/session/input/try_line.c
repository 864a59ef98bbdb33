/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints the line "try: ..." below an error. If one word of the failed line is wrong and a known
 * word is similar, the advice is the line with that word; otherwise it is general advice for the
 * error code.
 *
 * Errors about arguments contain both words ("no layer 'Nigth'; did you mean 'Night'?"). Errors of
 * SQL, columns, tables, variables and files contain only the wrong word; this file finds a similar
 * one.
 */
#include "src/session/input/try_line.h"

#include "src/language/lexer.h"
#include "src/output/lines.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 256 };

struct slip {
	char wrong[WORD], right[WORD];
};

/* Copies the text after `before` up to one of the characters `ends`. Returns false if none. */
static bool take_after(const char *text, const char *before, const char *ends, char ret[WORD])
{
	const char *at = strstr(text, before);
	size_t n = at ? strcspn(at + strlen(before), ends) : 0;
	if (n == 0 || n >= WORD)
		return false;
	snprintf(ret, WORD, "%.*s", (int)n, at + strlen(before));
	return true;
}

static bool keep_best(const struct closest *closest, struct slip *ret)
{
	if (!closest->best)
		return false;
	snprintf(ret->right, WORD, "%s", closest->best);
	return true;
}

/*
 * Returns whether a message contains advice: a command, an option, to copy the file again, or to
 * report the error. The general advice for the error code is then not printed.
 */
static bool has_own_advice(const char *message)
{
	const char *behind = strpbrk(message, ":;(");
	return strstr(message, "copy it ") || strstr(message, "report it") ||
	       (behind && (strchr(behind, '`') || strstr(behind, "--")));
}

static bool read_message(const char *message, struct slip *ret)
{
	if (!take_after(message, "did you mean '", "'", ret->right))
		return false;
	return take_after(message, "has no option ", ";", ret->wrong) ||
	       take_after(message, "unknown option ", ";", ret->wrong) ||
	       take_after(message, ", not '", "'", ret->wrong) ||
	       take_after(message, "'", "'", ret->wrong);
}

static bool find_second_word(const char *line, struct slip *ret)
{
	char first[COMMAND_NAME] = "", second[COMMAND_NAME] = "";
	if (!line || sscanf(line, " %63s %63s", first, second) < 2)
		return false;
	struct closest closest = closest_to(second);
	command_consider_words(&closest, first);
	snprintf(ret->wrong, WORD, "%s", second);
	return keep_best(&closest, ret);
}

/* ---- columns and tables ---- */

static bool has_word(const char *line, const char *word)
{
	size_t n = strlen(word);
	for (const char *at = line; (at = strstr(at, word)); at += n) {
		bool begins = at == line || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
		if (begins && !isalnum((unsigned char)at[n]) && at[n] != '_')
			return true;
	}
	return false;
}

const struct command *command_of_line(const char *line)
{
	const struct command *command = NULL;
	char first[COMMAND_NAME] = "", second[COMMAND_NAME] = "";
	size_t words;
	if (line)
		sscanf(line, " %63s %63s", first, second);
	return *first && command_find(first, second, &command, &words) == MATCH_ONE ? command
										    : NULL;
}

static void consider_columns(
	const struct cs_table *table, const char *wrong, struct closest *closest)
{
	for (size_t c = 0; c < table->n_columns; c++) {
		const char *key = table->columns[c].key;
		if (strcmp(key, wrong) != 0)
			closest_consider(closest, key, strlen(key));
	}
}

/*
 * Finds a column similar to the wrong word: in the table `only`, unless that is "". Else searches
 * the rows of the command, or its table and the tables that the line names, or all tables if there
 * is none.
 */
static bool find_column(
	const struct session *session, const char *line, const char *only, struct slip *ret)
{
	const void *source;
	struct closest closest = closest_to(ret->wrong);
	const struct command *command = command_of_line(line);
	if (command && command->rows && (!*only || strcmp(only, command->rows->name) == 0)) {
		consider_columns(command->rows, ret->wrong, &closest);
		return keep_best(&closest, ret);
	}
	const char *lists = !*only && command && command->lists ? command->lists : only;
	bool is_named = cs_query_table_named(session->query, lists, &source) != NULL;
	if (*only && !is_named)
		return false;
	line = *only ? only : line ? line : "";
	for (size_t t = 0; t < cs_query_tables(session->query); t++)
		is_named |= has_word(line, cs_query_table(session->query, t, &source)->name);
	for (size_t t = 0; t < cs_query_tables(session->query); t++) {
		const struct cs_table *table = cs_query_table(session->query, t, &source);
		if (!is_named || strcmp(table->name, lists) == 0 || has_word(line, table->name))
			consider_columns(table, ret->wrong, &closest);
	}
	return keep_best(&closest, ret);
}

/*
 * Finds a column whose name is a keyword of SQL and therefore has to be written as NAME_. Searches
 * the table that the command lists, or all tables if the line is a filter of a view.
 */
static bool find_word_of_sql(
	const struct session *session, const char *message, const char *line, struct slip *ret)
{
	char first[WORD];
	const void *source;
	if (!line || !take_after(message, "near \"", "\"", ret->wrong) ||
		!strstr(message, ": syntax error") || sscanf(line, "%255s", first) != 1)
		return false;
	const bool is_filter = has_word(line, "filter");
	for (size_t t = 0; t < cs_query_tables(session->query); t++) {
		const struct cs_table *table = cs_query_table(session->query, t, &source);
		if ((is_filter || strcmp(table->name, first) == 0) &&
			cs_table_column(table, ret->wrong))
			return snprintf(ret->right, WORD, "%s_", ret->wrong) < (int)WORD;
	}
	return false;
}

/*
 * Finds an expression in double quotes. SQL reads such an expression as the name of a column. The
 * correction is to remove the quotes, not to use the name of another column.
 */
static bool find_quoted_expression(const char *message, const char *line, struct slip *ret)
{
	static const char before[] = "no such column: ";
	const char *name = strstr(message, before);
	if (!line || !name)
		return false;
	name += strlen(before);
	bool is_name = true;
	for (const char *at = name; *at; at++)
		is_name = is_name && (isalnum((unsigned char)*at) || strchr("_.", *at));
	snprintf(ret->right, WORD, "%s", name);
	return !is_name && snprintf(ret->wrong, WORD, "\"%s\"", name) < (int)WORD &&
	       strstr(line, ret->wrong);
}

static bool find_table(const struct session *session, struct slip *ret)
{
	const void *source;
	struct closest closest = closest_to(ret->wrong);
	for (size_t t = 0; t < cs_query_tables(session->query); t++) {
		const struct cs_table *table = cs_query_table(session->query, t, &source);
		closest_consider(&closest, table->name, strlen(table->name));
	}
	return keep_best(&closest, ret);
}

/* ---- variables, rows and names listed in a message ---- */

static bool find_session_variable(const struct session *session, struct slip *ret)
{
	const struct cs_parameters variables = session_variables(session);
	struct closest closest = closest_to(ret->wrong);
	for (size_t i = 0; i < variables.n; i++)
		closest_consider(&closest, variables.at[i].name, strlen(variables.at[i].name));
	return keep_best(&closest, ret);
}

static bool find_engine_variable(struct slip *ret)
{
	size_t n;
	const struct cs_variable *variables = cs_stream_variables(&n);
	struct closest closest = closest_to(ret->wrong);
	for (size_t i = 0; i < n; i++)
		closest_consider(&closest, variables[i].name, strlen(variables[i].name));
	return keep_best(&closest, ret);
}

/*
 * The most similar key so far. `best` is a copy, because the text of a row is valid only until the
 * next row is read.
 */
struct close_key {
	struct closest closest;
	char *best;
};

static void take_row_key(void *context, const char *text, size_t n)
{
	struct close_key *key = context;
	if (!closest_consider(&key->closest, text, n))
		return;
	free(key->best);
	key->best = strdup(text);
}

char *closest_row(struct session *session, const struct cs_table *table, const char *text)
{
	struct close_key close = {.closest = closest_to(text)};
	const struct cs_column *key = table->columns, *end = key + table->n_columns;
	while (key < end && !(key->flags & CS_COLUMN_KEY))
		key++;
	/* an error while reading only means fewer suggestions */
	if (key < end)
		cs_error_free(cs_query_texts(session->query, table, key, take_row_key, &close));
	return close.best;
}

static bool find_close_partition(struct session *session, struct slip *ret)
{
	const void *source;
	const struct cs_table *table = cs_query_table_named(session->query, "grids", &source);
	char *best = table ? closest_row(session, table, ret->wrong) : NULL;
	snprintf(ret->right, WORD, "%s", best ? best : "");
	free(best);
	return *ret->right;
}

/* Finds the most similar name in a list at the end of a message: "it has cell_size, grid". */
static bool find_listed(const char *list, struct slip *ret)
{
	char name[WORD];
	struct slip best = *ret;
	struct closest closest = closest_to(ret->wrong);
	for (size_t n; *list; list += n + strspn(list + n, ", ")) {
		n = strcspn(list, ", ");
		snprintf(name, WORD, "%.*s", (int)n, list);
		if (closest_consider(&closest, name, strlen(name)))
			snprintf(best.right, WORD, "%s", name);
	}
	*ret = best;
	return *ret->right;
}

/* ---- files ---- */

static bool find_file(const char *path, struct slip *ret)
{
	const int folder_length = (int)(base_name(path) - path);
	char folder[WORD];
	struct closest closest = closest_to(path + folder_length);
	struct dirent *entry;
	char best[WORD] = "";
	if (strlen(path) >= WORD)
		return false;
	snprintf(folder, WORD, "%.*s", folder_length, path);
	DIR *dir = opendir(*folder ? folder : ".");
	while (dir && (entry = readdir(dir)))
		if (*entry->d_name != '.' &&
			closest_consider(&closest, entry->d_name, strlen(entry->d_name)))
			snprintf(best, WORD, "%s", entry->d_name);
	if (dir)
		closedir(dir);
	snprintf(ret->wrong, WORD, "%s", path);
	return *best && snprintf(ret->right, WORD, "%.*s%s", folder_length, path, best) < (int)WORD;
}

/* ---- the corrected line ---- */

static bool find_slip(
	struct session *session, const struct cs_error *error, const char *line, struct slip *ret)
{
	const char *message = error->message;
	if (read_message(message, ret))
		return true;
	if (error->code == CS_E_NOFILE && error->file && !has_own_advice(message))
		return find_file(error->file, ret);
	if (error->code == CS_E_SQL && find_word_of_sql(session, message, line, ret))
		return true;
	if (error->code == CS_E_SQL && find_quoted_expression(message, line, ret))
		return true;
	if (take_after(message, "no such table: ", " ", ret->wrong) ||
		take_after(message, "no table '", "'", ret->wrong))
		return find_table(session, ret);
	if (take_after(message, "no variable ${", "}", ret->wrong) ||
		take_after(message, "no variable $", " ;", ret->wrong))
		return find_session_variable(session, ret);
	if (take_after(message, "no variable '", "'", ret->wrong))
		return find_engine_variable(ret);
	if (take_after(message, "no partition '", "'", ret->wrong))
		return find_close_partition(session, ret);
	if (strstr(message, "; it has ") && take_after(message, " '", "'", ret->wrong))
		return find_listed(strstr(message, "; it has ") + strlen("; it has "), ret);
	if ((error->code == CS_E_USAGE || strstr(message, "no resource '")) &&
		find_second_word(line, ret))
		return true;
	char table[64] = "";
	const char *have = strstr(message, " have no column '");
	if (have)
		snprintf(table, sizeof(table), "%.*s", (int)(have - message), message);
	return (take_after(message, "no such column: ", " ", ret->wrong) ||
		       take_after(message, "no such column to sort by: ", " ", ret->wrong) ||
		       take_after(message, "have no column '", "'", ret->wrong)) &&
	       find_column(session, line, table, ret);
}

/* Returns the wrong word in the command line: at the error's offset, else its first occurrence. */
static const char *try_line_place_of(const char *line, const char *wrong, uint64_t offset)
{
	size_t n = strlen(wrong);
	if (offset < strlen(line) && strncmp(line + offset, wrong, n) == 0)
		return line + offset;
	for (const char *at = line; (at = strstr(at, wrong)); at++) {
		bool begins = at == line || !isalnum((unsigned char)at[-1]);
		if (begins && !isalnum((unsigned char)at[n]) && at[n] != '_')
			return at;
	}
	return NULL;
}

static void say_corrected(
	struct output *err, const struct slip *slip, const char *line, uint64_t offset)
{
	const char *at = line ? try_line_place_of(line, slip->wrong, offset) : NULL;
	bool in_quotes = at && at > line && strchr("'\"", at[-1]);
	bool is_plain =
		in_quotes || *slip->right == '-' || *slip->wrong == '"' || command_is(slip->right);
	char *word = is_plain ? strdup(slip->right) : quote_word(slip->right);
	say(err, "  try: ");
	if (at) {
		char *before = strndup(line, (size_t)(at - line));
		say_printed(err, before ? before : "");
		free(before);
	}
	say_printed(err, word ? word : slip->right);
	if (at)
		say_printed(err, at + strlen(slip->wrong));
	say(err, "\n");
	free(word);
}

/* Returns whether the error is in the typed line, as of E_USAGE, and of E_FIELD without a file. */
static bool is_wrong_request(const struct cs_error *error)
{
	return error->code == CS_E_USAGE || (error->code == CS_E_FIELD && !error->file);
}

/*
 * Prints advice: after a usage error the command's help, else the advice for the error code. A
 * usage error without a `line` concerns the program's own options, and gets no advice.
 */
static void say_general(struct output *err, const struct cs_error *error, const char *line)
{
	const struct command *command = is_wrong_request(error) ? command_of_line(line) : NULL;
	if (command)
		say(err, "  try: help %s\n", command->name);
	else if ((error->code != CS_E_MISSING || error->file) &&
		 (error->code != CS_E_USAGE || line) && !has_own_advice(error->message))
		say(err, "  %s\n", cs_word(CS_WORDS_CODE, error->code)->help);
}

/* If the command lacks the option but the program has it, prints this and returns true. */
static bool say_option_of_program(
	struct output *err, const struct session *session, const char *message)
{
	char option[WORD];
	if (!session->words.is_of_program || !take_after(message, "has no option ", ";", option) ||
		!session->words.is_of_program(option))
		return false;
	say(err, "  %s is an option of the program: start it with cellscope %s\n", option, option);
	return true;
}

void say_try_line(
	struct output *err, struct session *session, const struct cs_error *error, const char *line)
{
	struct slip slip = {"", ""};
	if (say_option_of_program(err, session, error->message))
		return;
	if (find_slip(session, error, line, &slip) && strcmp(slip.wrong, slip.right) != 0)
		say_corrected(err, &slip, line, error->offset);
	else
		say_general(err, error, line);
}
