/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Splits a command line into words and signs.
 *
 *	COMMAND ARGS [-options] [@ WHERE] [~ TEXT] [| SHELL]
 *	COMMAND ARGS [-options] [@ WHERE] [~ TEXT] [> FILE]
 *
 * The signs @ ~ | > are recognised outside of quotes at the beginning of a word. Text in single
 * quotes is literal. In double quotes and outside of quotes, \" and \\ stand for " and \, and \xHH
 * for a byte, so a name that was printed with escapes can be typed as it was printed. @NAME@ is
 * replaced by the value given with -D. A word may consist of several quoted and unquoted parts.
 */
#pragma once

#include <cellscope/core.h>

#include "src/language/definitions.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A word and its byte range in the line, [at, end), which includes its quotation marks. */
struct word {
	char *text; /* owned */
	size_t at, end;
	bool quoted;      /* the word begins with a quotation mark */
	uint64_t literal; /* bit i: the dollar sign i of the text is escaped, or in single quotes */
};

enum sign { SIGN_END, SIGN_WORD, SIGN_WHERE, SIGN_FILTER, SIGN_PIPE, SIGN_INTO };

struct scanner {
	const char *line;
	size_t at;
	const struct definitions *definitions;
};

/*
 * Reads the next word or sign (@ ~ | > or the end of the line) and moves past it. *ret is set for
 * SIGN_WORD only. Errors are E_USAGE with the byte offset in the line.
 */
struct cs_error *scan(struct scanner *scanner, enum sign *sign_ret, struct word *ret) CS_MUST_USE;
/* Reads an SQL word without quotation marks at its start, but with those inside. Errors: scan(). */
struct cs_error *scan_expression(struct scanner *scanner, struct word *ret) CS_MUST_USE;
/* Returns the kind of the sign at the scanner's position, without moving past it. */
enum sign scan_peek(struct scanner *scanner);
/* Reads the rest of the line without surrounding blanks; replaces @NAME@ where NAME is defined. */
struct cs_error *scan_rest(struct scanner *scanner, struct word *ret) CS_MUST_USE;
void word_free(struct word *word);

/* Quotes a text so that the lexer reads it as one word. The caller frees it; NULL = no memory. */
char *quote_word(const char *text);
/* Returns a text as an SQL literal, with single quotes in it doubled. The caller frees it. */
char *quote_sql(const char *text);
