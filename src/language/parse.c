/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses command lines into invocations of commands (struct invocation). */
#include "src/language/parse.h"

#include "src/language/argument_values.h"
#include "src/language/arguments.h"

#include <cellscope/stream.h>

#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct parser {
	struct scanner scanner;
	struct invocation *to;
	bool options_over; /* "--" was read: words after it are not options */
};

/* ---- the name of the command ---- */

static struct cs_error *ambiguous(const char *word, size_t at)
{
	enum { SHOWN = 8 };
	const char *names[SHOWN];
	char list[400] = "";
	size_t n = command_candidates(word, names, SHOWN), length = 0;
	for (size_t i = 0; i < n && i < SHOWN; i++)
		length += (size_t)snprintf(list + length, sizeof(list) - length, "%s%.*s",
			i ? ", " : "", (int)strcspn(names[i], " "), names[i]);
	return cs_error_at(CS_E_AMBIGUOUS, NULL, at,
		"'%s' is the beginning of several commands: %s%s", word, list,
		n > SHOWN ? ", ..." : "");
}

/* Writes the second words of commands that begin with `first` to `list`: "add, move"; "" = none. */
static void list_second_words(const char *first, char *list, size_t size)
{
	size_t n = strlen(first), length = 0;
	*list = '\0';
	for (size_t i = 0; i < n_commands; i++) {
		const char *name = commands[i]->name;
		if (strncmp(name, first, n) == 0 && name[n] == ' ' && length < size)
			length += (size_t)snprintf(list + length, size - length, "%s%s",
				length ? ", " : "", name + n + 1);
	}
}

/* Writes commands whose summary has the word, as "; about that: source move, goto"; "" = none. */
static void list_about(const char *word, char *list, size_t size)
{
	enum { SHOWN = 4 };
	const char *names[SHOWN];
	size_t n = command_about(word, names, SHOWN), length = 0;
	*list = '\0';
	for (size_t i = 0; i < n && length < size; i++)
		length += (size_t)snprintf(list + length, size - length, "%s%s",
			i ? ", " : "; about that: ", names[i]);
}

static struct cs_error *unknown(const char *word, size_t at)
{
	char list[200], room[COMMAND_NAME], plural[COMMAND_NAME];
	list_second_words(word, list, sizeof(list));
	snprintf(plural, sizeof(plural), "%ss", word);
	bool is_listed = *list && command_is(plural);
	if (*list)
		return cs_error_at(CS_E_USAGE, NULL, at,
			"'%s' must be followed by one of: %s%s%s%s", word, list,
			is_listed ? "; '" : "", is_listed ? plural : "",
			is_listed ? "' lists them" : "");
	const char *meant = command_meant(word);
	const char *close = meant ? meant : command_closest(word, room);
	if (!close)
		list_about(word, list, sizeof(list));
	return cs_error_at(CS_E_UNKNOWN, NULL, at, "unknown command '%s'%s%s%s%s", word,
		DID_YOU_MEAN(close), list);
}

/* Reads the line's second word; ret->text stays NULL at a sign such as > or the end of the line. */
static struct cs_error *scan_second(struct scanner *scanner, struct word *ret)
{
	enum sign sign;
	if (scan_peek(scanner) != SIGN_WORD)
		return NULL;
	struct cs_error *error = scan(scanner, &sign, ret);
	if (error && cs_error_is_final(error))
		return error;
	/* ignores the error: the word may be part of a raw argument, or is read again later */
	cs_error_free(error);
	return NULL;
}

/*
 * Returns the name of the command that takes the whole line as its argument although the line does
 * not begin with a command, such as `sql` for "SELECT ...". Returns NULL if there is none.
 */
static const char *stands_for(const char *word)
{
	static const char *const statements[] = {"SELECT", "WITH", "VALUES"};
	for (size_t i = 0; i < sizeof(statements) / sizeof(statements[0]); i++)
		if (strcasecmp(statements[i], word) == 0)
			return "sql";
	return cs_stream_find_variable(word) == SIZE_MAX ? NULL : "variable";
}

/* Finds the command that one or two words name, and moves the scanner past the name. */
static struct cs_error *find_command(
	struct parser *parser, const struct word *first, const struct word *second, size_t behind)
{
	size_t n_words = 0;
	const struct command **to = &parser->to->command;
	enum match match = command_find(first->text, second->text, to, &n_words);
	const char *instead = match == MATCH_NONE ? stands_for(first->text) : NULL;
	if (instead) {
		match = command_find(instead, NULL, to, &n_words);
		behind = first->at;
	}
	if (match == MATCH_NONE)
		return unknown(first->text, first->at);
	if (match == MATCH_SEVERAL)
		return ambiguous(first->text, first->at);
	if (n_words == 1)
		parser->scanner.at = behind;
	return NULL;
}

static struct cs_error *parse_name(struct parser *parser)
{
	struct word first = {0}, second = {0};
	enum sign sign;
	struct scanner *scanner = &parser->scanner;
	struct cs_error *error = scan(scanner, &sign, &first);
	if (error || sign == SIGN_END)
		return error;
	if (sign != SIGN_WORD)
		return cs_error_at(CS_E_USAGE, NULL, scanner->at - 1,
			"a command must come before '%c'", scanner->line[scanner->at - 1]);
	size_t behind_first = scanner->at;
	error = scan_second(scanner, &second);
	if (!error)
		error = find_command(parser, &first, &second, behind_first);
	word_free(&first);
	word_free(&second);
	return error;
}

/* ---- reading options ---- */

static bool looks_like_option(const struct word *word)
{
	const char *text = word->text;
	return !word->quoted && text[0] == '-' && text[1] != '\0' && text[1] != '.' &&
	       !isdigit((unsigned char)text[1]);
}

static bool names_option(const struct option_spec *option, const char *name, size_t n)
{
	return option->name && strlen(option->name) == n && memcmp(option->name, name, n) == 0;
}

/*
 * Finds the option of "--name=value", "-nvalue" or UE's "-name=value". Sets *value_ret to the value
 * in the word, or to NULL if the word has none.
 */
static const struct option_spec *find_option(
	const struct command *command, const char *text, size_t *index_ret, const char **value_ret)
{
	const struct option_spec *option;
	size_t dashes = text[1] == '-' ? 2 : 1;
	size_t n = strcspn(text + dashes, "=");
	for (size_t i = 0; (option = option_at(command, i)); i++) {
		*index_ret = i;
		if (names_option(option, text + dashes, n)) {
			*value_ret = text[dashes + n] == '=' ? text + dashes + n + 1 : NULL;
			return option;
		}
	}
	for (size_t i = 0; dashes == 1 && (option = option_at(command, i)); i++) {
		*index_ret = i;
		if (option->letter && option->letter == text[1] && (option->value || !text[2])) {
			*value_ret = text[2] ? text + 2 : NULL;
			return option;
		}
	}
	return NULL;
}

static struct cs_error *unknown_option(const struct command *command, const struct word *word)
{
	const struct option_spec *option;
	const char *names[MOST_OPTIONS + 8];
	size_t n = 0;
	for (size_t i = 0; (option = option_at(command, i)) && n < MOST_OPTIONS + 8; i++)
		if (option->name)
			names[n++] = option->name;
	const char *close = closest_name(word->text + strspn(word->text, "-"), names, n);
	if (command->flags & COMMAND_TOGETHER &&
		(strncmp(word->text, "-P", 2) == 0 || strncmp(word->text, "--partition", 11) == 0))
		return cs_error_at(CS_E_USAGE, NULL, word->at,
			"%s has no option -P, because it is about all world partitions together",
			command->name);
	return cs_error_at(CS_E_USAGE, NULL, word->at, "%s has no option %s%s%s%s", command->name,
		word->text, close ? "; did you mean '--" : "", close ? close : "",
		close ? "'?" : "");
}

/*
 * Returns the length of the name of an option's value, such as VALUE, if a message about the value
 * begins with that name, else 0.
 */
static size_t subject_length(const char *message, const char *value)
{
	const char *const names[] = {value, UNNAMED_ARGUMENT};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const size_t n = names[i] ? strlen(names[i]) : 0;
		if (n > 0 && strncmp(message, names[i], n) == 0 && message[n] == ' ')
			return n;
	}
	return 0;
}

/* Puts the option's name before the message about its value, or in place of the value's name. */
static struct cs_error *of_option(const struct option_spec *option, struct cs_error *error)
{
	if (error->code != CS_E_USAGE || !option->name)
		return error;
	const char *message = error->message;
	const size_t n = subject_length(message, option->value);
	struct cs_error *better = cs_error_at(CS_E_USAGE, NULL, error->offset, "--%s%s%s",
		option->name, n > 0 ? "" : ": ", message + n);
	cs_error_free(error);
	return better;
}

static struct cs_error *keep_option(
	struct parser *parser, size_t index, const struct option_spec *option, struct word *value)
{
	struct argument_spec spec = {option->value, option->type, false, false, option->choices};
	struct cs_error *error = option->value ? argument_check(&spec, value) : NULL;
	if (error)
		error = of_option(option, error);
	if (!error && !cs_vec_push(&parser->to->options, (struct given_option){index, *value}))
		error = cs_error_nomem();
	if (error)
		word_free(value);
	return error;
}

static bool is_condition(const struct option_spec *option)
{
	return option->type == ARGUMENT_EXPRESSION || option->type == ARGUMENT_FILTER;
}

/* Reads the next word; ret->text stays NULL when no word follows. */
static struct cs_error *next_word(struct parser *parser, struct word *ret)
{
	enum sign sign;
	if (scan_peek(&parser->scanner) != SIGN_WORD)
		return NULL;
	return scan(&parser->scanner, &sign, ret);
}

/* Reads the next word as the value of the option. */
static struct cs_error *next_value(
	struct parser *parser, const struct option_spec *option, struct word *ret)
{
	if (is_condition(option) && scan_peek(&parser->scanner) == SIGN_WORD)
		return scan_expression(&parser->scanner, ret);
	return next_word(parser, ret);
}

/*
 * Gets the value of an option from a word that contains the name and the value, such as
 * "--NAME=VALUE". `text` is the value. An SQL condition is read from the line a second time,
 * because SQL treats quotes in it differently.
 */
static struct cs_error *glued_value(struct parser *parser, const struct option_spec *option,
	const struct word *word, const char *text, struct word *ret)
{
	const char *typed = parser->scanner.line + word->at;
	size_t name = is_condition(option) ? (size_t)(text - word->text) : 0;
	if (name && strncmp(typed, word->text, name) == 0) {
		parser->scanner.at = word->at + name;
		return scan_expression(&parser->scanner, ret);
	}
	ret->text = strdup(text);
	ret->literal = word->literal;
	return ret->text ? NULL : cs_error_nomem();
}

/* Parses an option; `word` is the word that begins with a dash, owned by the caller. */
static struct cs_error *parse_option(struct parser *parser, const struct word *word)
{
	const struct command *command = parser->to->command;
	const char *text = NULL;
	size_t index;
	struct word value = {.at = word->at, .end = word->end};
	const struct option_spec *option = find_option(command, word->text, &index, &text);
	if (!option)
		return unknown_option(command, word);
	if (!option->value && text)
		return cs_error_at(CS_E_USAGE, NULL, word->at, "%s takes no value", word->text);
	if (option->name && strcmp(option->name, "help") == 0)
		parser->to->help = true;
	struct cs_error *error;
	if (option->value && !text)
		error = next_value(parser, option, &value);
	else
		error = glued_value(parser, option, word, text ? text : "", &value);
	if (!error && !value.text)
		error = cs_error_at(
			CS_E_USAGE, NULL, word->at, "%s needs %s", word->text, option->value);
	return error ? error : keep_option(parser, index, option, &value);
}

/* ---- reading arguments ---- */

static const struct argument_spec *spec_at(const struct command *command, size_t index)
{
	size_t n = 0;
	while (command->arguments[n].type != ARGUMENT_NONE)
		n++;
	if (index < n)
		return &command->arguments[index];
	return n && command->arguments[n - 1].many ? &command->arguments[n - 1] : NULL;
}

/* Appends the next word to a first word "actor", "page" and so on: "actor NAME", "page 7". */
static struct cs_error *join_place(struct parser *parser, struct word *word)
{
	static const char *const kinds[] = {"actor", "page", "cluster", "group", "node"};
	struct word name = {0};
	bool is_kind = false;
	for (size_t i = 0; word->text && !word->quoted && i < sizeof(kinds) / sizeof(*kinds); i++)
		is_kind = is_kind || strcmp(word->text, kinds[i]) == 0;
	struct cs_error *error = is_kind ? next_word(parser, &name) : NULL;
	if (error || !name.text)
		return error;
	char *both;
	if (asprintf(&both, "%s %s", word->text, name.text) < 0)
		both = NULL;
	word->literal = name.literal;
	word_free(&name);
	free(word->text);
	word->text = both;
	word->end = parser->scanner.at;
	return both ? NULL : cs_error_nomem();
}

static struct cs_error *keep_word(struct parser *parser, struct word *word)
{
	const struct argument_spec *spec = spec_at(parser->to->command, parser->to->words.n);
	struct cs_error *error =
		spec && argument_is_place(spec->type) ? join_place(parser, word) : NULL;
	if (error) {
		word_free(word);
		return error;
	}
	if (!spec)
		error = cs_error_at(CS_E_USAGE, NULL, word->at, "%s takes no further argument '%s'",
			parser->to->command->name, word->text);
	else
		error = argument_check(spec, word);
	if (!error && !cs_vec_push(&parser->to->words, *word))
		error = cs_error_nomem();
	if (error)
		word_free(word);
	return error;
}

static struct cs_error *check_count(const struct parser *parser, size_t at)
{
	const struct argument_spec *spec = spec_at(parser->to->command, parser->to->words.n);
	if (parser->to->help || !spec || spec->optional ||
		(spec->many &&
			parser->to->words.n >= (size_t)(spec - parser->to->command->arguments) + 1))
		return NULL;
	return cs_error_at(
		CS_E_USAGE, NULL, at, "%s needs %s", parser->to->command->name, spec->name);
}

/* Parses --json, --csv or --tsv after an SQL text, in which "--" would begin a comment. */
static struct cs_error *take_trailing_options(struct parser *parser, struct word *raw)
{
	static const char *const names[] = {"--json", "--csv", "--tsv"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t length = strlen(raw->text), n = strlen(names[i]);
		if (length <= n || strcmp(raw->text + length - n, names[i]) != 0 ||
			raw->text[length - n - 1] != ' ')
			continue;
		struct word option = {
			raw->text + length - n, raw->at + length - n, raw->end, false, 0};
		struct cs_error *error = parse_option(parser, &option);
		if (error)
			return error;
		raw->text[length - n - 1] = '\0';
	}
	return NULL;
}

static struct cs_error *parse_raw(struct parser *parser, const struct argument_spec *spec)
{
	struct word raw = {0};
	struct cs_error *error = scan_rest(&parser->scanner, &raw);
	if (error)
		return error;
	parser->to->raw_at = raw.at;
	if (spec->type != ARGUMENT_LINE)
		error = take_trailing_options(parser, &raw);
	if (error || *raw.text == '\0') {
		word_free(&raw);
		return error;
	}
	return keep_word(parser, &raw);
}

/* Returns the specification of the next argument if it consumes the rest of the line, else NULL. */
static const struct argument_spec *next_is_raw(struct parser *parser)
{
	const struct argument_spec *spec = spec_at(parser->to->command, parser->to->words.n);
	if (!spec || scan_peek(&parser->scanner) == SIGN_END ||
		!argument_is_raw(spec->type, parser->scanner.line + parser->scanner.at))
		return NULL;
	char c = parser->scanner.line[parser->scanner.at];
	if (spec->type == ARGUMENT_STATEMENT && c == '"')
		return NULL;
	struct word next = {(char *)parser->scanner.line + parser->scanner.at, 0, 0, false, 0};
	return c == '-' && !parser->options_over && looks_like_option(&next) ? NULL : spec;
}

/*
 * Returns whether the word is the `?` of "NAME ?", which prints help about a console command of UE.
 */
static bool is_question(const struct parser *parser, const struct word *word)
{
	return strchr(parser->to->command->name, '.') && parser->to->words.n == 0 &&
	       !word->quoted && strcmp(word->text, "?") == 0;
}

/*
 * Returns whether the word "-KEY" is a column to sort by in descending order: the next argument
 * names columns, and the command has no such option.
 */
static bool is_descending(const struct parser *parser, const struct word *word)
{
	const struct argument_spec *spec = spec_at(parser->to->command, parser->to->words.n);
	const char *value;
	size_t index;
	return spec && spec->type == ARGUMENT_KEYS && word->text[1] != '-' &&
	       !find_option(parser->to->command, word->text, &index, &value);
}

static struct cs_error *parse_word(struct parser *parser)
{
	struct word word = {0};
	struct cs_error *error = next_word(parser, &word);
	if (error)
		return error;
	if (!parser->options_over && !word.quoted && strcmp(word.text, "--") == 0) {
		parser->options_over = true;
		word_free(&word);
		return NULL;
	}
	if (is_question(parser, &word)) {
		parser->to->help = true;
		word_free(&word);
		return NULL;
	}
	if (parser->options_over || !looks_like_option(&word) || is_descending(parser, &word))
		return keep_word(parser, &word);
	error = parse_option(parser, &word);
	word_free(&word);
	return error;
}

static struct cs_error *parse_sign(struct parser *parser)
{
	struct invocation *to = parser->to;
	struct word none;
	enum sign sign;
	struct cs_error *error = scan(&parser->scanner, &sign, &none);
	size_t at = parser->scanner.at - 1;
	struct word *target = sign == SIGN_WHERE    ? &to->where
			      : sign == SIGN_FILTER ? &to->filter
			      : sign == SIGN_PIPE   ? &to->shell
						    : &to->into;
	if (!error && target->text)
		return cs_error_at(CS_E_USAGE, NULL, at, "'%c' may be in the line only once",
			parser->scanner.line[at]);
	if (!error && sign == SIGN_PIPE)
		error = scan_rest(&parser->scanner, target);
	else if (!error && sign == SIGN_WHERE) {
		error = next_word(parser, target);
		if (!error)
			error = join_place(parser, target);
	} else if (!error)
		error = next_word(parser, target);
	if (!error && (!target->text || *target->text == '\0'))
		error = cs_error_at(CS_E_USAGE, NULL, at, "%s must follow '%c'",
			sign == SIGN_WHERE    ? "a place"
			: sign == SIGN_FILTER ? "a text"
			: sign == SIGN_PIPE   ? "a shell command"
					      : "the name of a file",
			parser->scanner.line[at]);
	return error;
}

/* ---- whole lines ---- */

static struct cs_error *parse_rest(struct parser *parser)
{
	struct cs_error *error = NULL;
	while (!error) {
		enum sign sign = scan_peek(&parser->scanner);
		const struct argument_spec *raw = next_is_raw(parser);
		if (sign == SIGN_END)
			return check_count(parser, parser->scanner.at);
		if (raw)
			error = parse_raw(parser, raw);
		else if (sign == SIGN_WORD)
			error = parse_word(parser);
		else
			error = parse_sign(parser);
	}
	return error;
}

/* If the line begins with an alias, *ret is the line with the alias replaced, else NULL. */
static struct cs_error *expand_alias(
	const struct parse_context *context, const char *line, char **ret)
{
	size_t start = strspn(line, " \t"), n = strcspn(line + start, " \t");
	const char *value = definition_of(context->aliases, line + start, n);
	*ret = NULL;
	if (value && asprintf(ret, "%s%s", value, line + start + n) < 0) {
		*ret = NULL;
		return cs_error_nomem();
	}
	return NULL;
}

static bool is_format(const struct option_spec *option)
{
	static const char *const formats[] = {"json", "csv", "tsv"};
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (option->name && strcmp(option->name, formats[i]) == 0)
			return true;
	return false;
}

static struct cs_error *check_formats(const struct invocation *invocation)
{
	const struct option_spec *first = NULL;
	for (size_t i = 0; i < invocation->options.n; i++) {
		const struct given_option *given = &invocation->options.at[i];
		const struct option_spec *option = option_at(invocation->command, given->index);
		if (!is_format(option))
			continue;
		if (first && option != first)
			return cs_error_at(CS_E_USAGE, NULL, given->value.at,
				"give either --%s or --%s, not both", first->name, option->name);
		first = option;
	}
	return NULL;
}

static struct cs_error *parse_plain(
	const struct parse_context *context, const char *line, struct invocation *ret)
{
	struct invocation invocation = {.raw_at = SIZE_MAX};
	struct parser parser = {{line, 0, context->definitions}, &invocation, false};
	struct cs_error *error = parse_name(&parser);
	if (!error && invocation.command)
		error = parse_rest(&parser);
	if (!error && invocation.command)
		error = check_formats(&invocation);
	if (error)
		invocation_free(&invocation);
	else
		*ret = invocation;
	return error;
}

struct cs_error *parse_line(
	const struct parse_context *context, const char *line, struct invocation *ret)
{
	enum { LONGEST_LINE = 64 << 10 };
	char *expanded;
	if (strlen(line) > LONGEST_LINE)
		return cs_error_new(CS_E_LIMIT, "the line has %zu bytes, more than the limit of %d",
			strlen(line), LONGEST_LINE);
	struct cs_error *error = expand_alias(context, line, &expanded);
	if (error)
		return error;
	/* an alias is expanded only once, so it may have the name of a command in its value */
	error = parse_plain(context, expanded ? expanded : line, ret);
	if (error && expanded)
		/* removes the offset, which refers to the expanded line, not to the typed one */
		cs_error_move(error, CS_NO_OFFSET);
	free(expanded);
	return error;
}

/* ---- lines from words that a shell has split ---- */

typedef CS_VEC(char) buffer;

static struct cs_error *parse_add_quoted(buffer *line, const char *text)
{
	char *quoted = quote_word(text);
	bool room = quoted && cs_vec_append(line, quoted, strlen(quoted));
	free(quoted);
	return room ? NULL : cs_error_nomem();
}

/*
 * Returns the length of "-x", "--name" or "--name=" at the start of a word. Returns 0 if another
 * character than "=" follows the name.
 */
static size_t option_name(const char *word)
{
	if (word[1] != '-')
		return isalnum((unsigned char)word[1]) || word[1] == '?' ? 2 : 0;
	size_t n = 2;
	while (isalnum((unsigned char)word[n]) || (word[n] && strchr("-_.", word[n])))
		n++;
	return word[n] == '=' ? n + 1 : word[n] ? 0 : n;
}

/* Appends a word with a leading dash to the line: option name unquoted, value quoted. */
static struct cs_error *add_option_word(buffer *line, const char *word)
{
	size_t name = option_name(word);
	if (!cs_vec_append(line, word, name))
		return cs_error_nomem();
	return name == 0 || word[name] ? parse_add_quoted(line, word + name) : NULL;
}

static struct cs_error *parse_add_word(buffer *line, const char *word, bool raw)
{
	const struct word bare = {(char *)word, 0, 0, false, 0};
	if (line->n && !cs_vec_push(line, ' '))
		return cs_error_nomem();
	if (raw)
		return cs_vec_append(line, word, strlen(word)) ? NULL : cs_error_nomem();
	return looks_like_option(&bare) ? add_option_word(line, word)
					: parse_add_quoted(line, word);
}

/*
 * Puts quotes around words from which a shell has removed them, and joins the words to a line, so
 * that one parser serves words from a shell and lines of scripts.
 */
struct cs_error *parse_words(
	const struct parse_context *context, char *const *words, size_t n, struct invocation *ret)
{
	buffer line = {0};
	struct cs_error *error = NULL;
	const struct command *command;
	size_t taken = 0;
	bool raw = n > 0 &&
		   command_find(words[0], n > 1 ? words[1] : NULL, &command, &taken) == MATCH_ONE &&
		   taken < n && argument_is_raw(command->arguments[0].type, words[taken]);
	for (size_t i = 0; !error && i < n; i++)
		error = parse_add_word(&line, words[i], raw && i >= taken);
	if (!error && !cs_vec_push(&line, '\0'))
		error = cs_error_nomem();
	if (!error)
		error = parse_plain(context, line.at, ret);
	cs_vec_free(&line);
	return error;
}

void invocation_free(struct invocation *invocation)
{
	for (size_t i = 0; i < invocation->words.n; i++)
		word_free(&invocation->words.at[i]);
	for (size_t i = 0; i < invocation->options.n; i++)
		word_free(&invocation->options.at[i].value);
	cs_vec_free(&invocation->words);
	cs_vec_free(&invocation->options);
	word_free(&invocation->where);
	word_free(&invocation->filter);
	word_free(&invocation->shell);
	word_free(&invocation->into);
}

/* Prints a part of a usage line, on a new line when it does not fit in the current one. */
static void say_usage_part(struct output *out, size_t width, size_t *column, const char *part)
{
	enum { INDENT = 7 };
	size_t n = strlen(part);
	bool has_room = *column + 1 + n <= width;
	if (!has_room)
		say(out, "\n");
	say(out, "%*s%s", has_room ? 1 : INDENT, "", part);
	*column = (has_room ? *column + 1 : INDENT) + n;
}

void say_usage(struct output *out, const struct command *command, size_t width)
{
	enum { MANY = 6 };
	char part[96];
	size_t column = strlen("usage: ") + strlen(command->name);
	say(out, "usage: %s", command->name);
	for (size_t i = 0; command->arguments[i].type != ARGUMENT_NONE; i++) {
		const struct argument_spec *spec = &command->arguments[i];
		snprintf(part, sizeof(part), "%s%s%s%s", spec->optional ? "[" : "", spec->name,
			spec->many ? "..." : "", spec->optional ? "]" : "");
		say_usage_part(out, width, &column, part);
	}
	size_t own = option_count(command) - shared_option_count(command);
	for (size_t i = 0; i < own; i++) {
		const struct option_spec *option = option_at(command, i);
		if (own > MANY && !option->required)
			continue;
		const char letter[2] = {option->letter, '\0'};
		snprintf(part, sizeof(part), "%s%s%s%s%s%s", option->required ? "" : "[",
			option->letter ? "-" : "--", option->letter ? letter : option->name,
			option->value ? " " : "", option->value ? option->value : "",
			option->required ? "" : "]");
		say_usage_part(out, width, &column, part);
	}
	if (own > MANY)
		say_usage_part(out, width, &column, "[OPTION]...");
	if (command->flags & COMMAND_PLACE)
		say_usage_part(out, width, &column, "[@ WHERE]");
	say(out, "\n");
}
