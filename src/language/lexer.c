/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Divides a command line into words and signs (@ ~ | >). */
#include "src/language/lexer.h"

#include "core/vec.h"

#include <ctype.h>
#include <string.h>

/* The text of a word. Its first members are those of CS_VEC(char), for the cs_vec_ functions. */
typedef struct {
	char *at;
	size_t n, room;
	uint64_t literal; /* see struct word */
} buffer;

static struct cs_error *syntax_error(size_t at, const char *problem)
{
	return cs_error_at(CS_E_USAGE, NULL, at, "%s", problem);
}

static bool lexer_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void skip_blanks(struct scanner *scanner)
{
	while (lexer_is_blank(scanner->line[scanner->at]))
		scanner->at++;
}

/* Returns the length of NAME when the text begins with "@NAME@", else 0. */
static size_t definition_length(const char *text)
{
	size_t n = 1;
	if (text[0] != '@' || !(isalpha((unsigned char)text[1]) || text[1] == '_'))
		return 0;
	while (isalnum((unsigned char)text[n]) || text[n] == '_')
		n++;
	return text[n] == '@' ? n - 1 : 0;
}

/* Returns true for a path "~/folder/file", false for "~/re/", a regular expression to filter by. */
static bool is_home_path(const char *text)
{
	size_t n = strcspn(text, " \t");
	return text[1] == '/' && text[n - 1] != '/';
}

enum sign scan_peek(struct scanner *scanner)
{
	skip_blanks(scanner);
	const char *at = scanner->line + scanner->at;
	switch (*at) {
	case '\0':
		return SIGN_END;
	case '|':
		return SIGN_PIPE;
	case '>':
		return SIGN_INTO;
	case '@':
		return definition_length(at) ? SIGN_WORD : SIGN_WHERE;
	case '~':
		return is_home_path(at) ? SIGN_WORD : SIGN_FILTER;
	default:
		return SIGN_WORD;
	}
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static struct cs_error *lexer_add(buffer *to, const char *bytes, size_t n)
{
	return cs_vec_append(to, bytes, n) ? NULL : cs_error_nomem();
}

/* Adds a character that is taken literally. For a "$", sets the bit of this sign in to->literal. */
static struct cs_error *lexer_add_literal(buffer *to, char c)
{
	size_t dollars = 0;
	for (size_t i = 0; c == '$' && i < to->n; i++)
		dollars += to->at[i] == '$';
	if (c == '$' && dollars < 64)
		to->literal |= UINT64_C(1) << dollars;
	return lexer_add(to, &c, 1);
}

/* Reads a backslash and what it escapes: one character, or the byte of \xHH. */
static struct cs_error *read_escape(struct scanner *scanner, buffer *to)
{
	const char *at = scanner->line + scanner->at;
	if (at[1] == '\0')
		return syntax_error(
			scanner->at, "nothing follows the backslash at the end of the line");
	if (at[1] == 'x' && hex_digit(at[2]) >= 0 && hex_digit(at[3]) >= 0) {
		char byte = (char)(hex_digit(at[2]) << 4 | hex_digit(at[3]));
		if (byte == '\0')
			return syntax_error(
				scanner->at, "a text cannot contain a zero byte, \\x00");
		scanner->at += 4;
		return lexer_add_literal(to, byte);
	}
	scanner->at += 2;
	return lexer_add_literal(to, at[1]);
}

static struct cs_error *read_definition(struct scanner *scanner, size_t n, buffer *to)
{
	const char *name = scanner->line + scanner->at + 1;
	const char *value = definition_of(scanner->definitions, name, n);
	if (!value)
		return cs_error_at(CS_E_USAGE, NULL, scanner->at,
			"no value for @%.*s@; give it with -D %.*s=VALUE", (int)n, name, (int)n,
			name);
	scanner->at += n + 2;
	return lexer_add(to, value, strlen(value));
}

/* Reads one character, one escape, or one @NAME@, which is replaced by its value. */
static struct cs_error *read_piece(struct scanner *scanner, buffer *to)
{
	const char *at = scanner->line + scanner->at;
	size_t n = definition_length(at);
	if (*at == '\\')
		return read_escape(scanner, to);
	if (n)
		return read_definition(scanner, n, to);
	scanner->at++;
	return lexer_add(to, at, 1);
}

static struct cs_error *read_quoted(struct scanner *scanner, buffer *to)
{
	size_t start = scanner->at;
	char mark = scanner->line[scanner->at++];
	while (scanner->line[scanner->at] != mark) {
		const char *at = scanner->line + scanner->at;
		struct cs_error *error = NULL;
		if (*at == '\0')
			return syntax_error(start, "the quotation mark is not closed");
		if (mark == '"')
			error = read_piece(scanner, to);
		else
			error = lexer_add_literal(to, scanner->line[scanner->at++]);
		if (error)
			return error;
	}
	scanner->at++;
	return NULL;
}

/* Copies a quoted text with its quotation marks, which SQL needs: state='failed'. */
static struct cs_error *keep_quoted(struct scanner *scanner, buffer *to)
{
	const char *mark = scanner->line + scanner->at;
	struct cs_error *error = lexer_add(to, mark, 1);
	if (!error)
		error = read_quoted(scanner, to);
	return error ? error : lexer_add(to, mark, 1);
}

static struct cs_error *finish_word(struct scanner *scanner, buffer *text, struct word *ret)
{
	struct cs_error *error = lexer_add(text, "", 1);
	if (error)
		return error;
	ret->text = text->at;
	ret->literal = text->literal;
	ret->end = scanner->at;
	return NULL;
}

static struct cs_error *read_word(struct scanner *scanner, bool expression, struct word *ret)
{
	buffer text = {0};
	struct cs_error *error = NULL;
	ret->at = scanner->at;
	ret->quoted = strchr("'\"", scanner->line[scanner->at]) != NULL;
	while (!error && scanner->line[scanner->at] &&
		!lexer_is_blank(scanner->line[scanner->at])) {
		char c = scanner->line[scanner->at];
		if (c != '\'' && c != '"')
			error = read_piece(scanner, &text);
		else if (expression && scanner->at > ret->at)
			error = keep_quoted(scanner, &text);
		else
			error = read_quoted(scanner, &text);
	}
	if (!error)
		error = finish_word(scanner, &text, ret);
	if (error)
		cs_vec_free(&text);
	return error;
}

struct cs_error *scan(struct scanner *scanner, enum sign *sign_ret, struct word *ret)
{
	enum sign sign = scan_peek(scanner);
	struct cs_error *error = NULL;
	if (sign == SIGN_WORD)
		error = read_word(scanner, false, ret);
	else if (sign != SIGN_END)
		scanner->at++;
	if (!error)
		*sign_ret = sign;
	return error;
}

struct cs_error *scan_expression(struct scanner *scanner, struct word *ret)
{
	return read_word(scanner, true, ret);
}

struct cs_error *scan_rest(struct scanner *scanner, struct word *ret)
{
	buffer text = {0};
	struct cs_error *error = NULL;
	skip_blanks(scanner);
	ret->at = scanner->at;
	ret->quoted = false;
	while (!error && scanner->line[scanner->at]) {
		const char *at = scanner->line + scanner->at;
		size_t n = definition_length(at);
		if (n && definition_of(scanner->definitions, at + 1, n)) {
			error = read_definition(scanner, n, &text);
		} else {
			scanner->at++;
			error = lexer_add(&text, at, 1);
		}
	}
	while (text.n > 0 && lexer_is_blank(text.at[text.n - 1]))
		text.n--;
	if (!error)
		error = finish_word(scanner, &text, ret);
	if (error)
		cs_vec_free(&text);
	return error;
}

void word_free(struct word *word)
{
	free(word->text);
	*word = (struct word){0};
}

/* ---- quoting of words ---- */

static bool needs_quotes(const char *text)
{
	if (*text == '\0' || strchr("~|>-#", *text))
		return true;
	for (const unsigned char *c = (const unsigned char *)text; *c; c++)
		if (*c <= ' ' || *c >= 0x7f || strchr("\"'\\@$", *c))
			return true;
	return false;
}

/* Appends a text; characters that a terminal cannot show become \xHH. */
static bool add_shown(buffer *to, const char *text, size_t n)
{
	size_t length = cs_escape(text, n, false, NULL, 0);
	if (!cs_vec_reserve(to, length + 1))
		return false;
	to->n += cs_escape(text, n, false, to->at + to->n, length + 1);
	return true;
}

char *quote_sql(const char *text)
{
	buffer quoted = {0};
	bool room = cs_vec_push(&quoted, '\'');
	for (; room && *text; text++)
		room = (*text != '\'' || cs_vec_push(&quoted, '\'')) && cs_vec_push(&quoted, *text);
	if (room && cs_vec_append(&quoted, "'", 2))
		return quoted.at;
	cs_vec_free(&quoted);
	return NULL;
}

char *quote_word(const char *text)
{
	buffer quoted = {0};
	if (!needs_quotes(text))
		return strdup(text);
	bool room = cs_vec_push(&quoted, '"');
	while (*text && room) {
		size_t n = strcspn(text, "\"\\@$");
		room = add_shown(&quoted, text, n);
		text += n;
		if (!*text || !room)
			continue;
		const char escaped[] = {'\\', *text, '\0'};
		/* a backslash would not keep @NAME@ from being replaced */
		const char *safe = *text++ == '@' ? "\\x40" : escaped;
		room = cs_vec_append(&quoted, safe, strlen(safe));
	}
	if (room && cs_vec_append(&quoted, "\"", 2))
		return quoted.at;
	cs_vec_free(&quoted);
	return NULL;
}
