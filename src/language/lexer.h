/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A command line as words and signs.
 *
 *	verb ARGS [-options] [@ WHERE] [~ TEXT | | SHELL] [> FILE]
 *
 * The signs @ ~ | > are recognised where a word may begin, outside of quotes. 'text' is taken
 * literally; in "text" and outside of quotes \" and \\ are the character and \xHH is a byte, so
 * a name that was printed with escapes can be typed as it was printed. @NAME@ is a value given with
 * -D. A word may consist of several quoted and unquoted pieces.
 */
#pragma once

#include <cellscope/core.h>

#include "src/language/definitions.h"

#include <stdbool.h>
#include <stddef.h>

/* A word and its position in the line: [at, end) with its quotes. */
struct word {
	char *text; /* owned */
	size_t at, end;
	bool quoted;   /* the word begins with a quotation mark */
	bool verbatim; /* the word begins with a single quotation mark: nothing in it is replaced */
};

enum sign { SIGN_END, SIGN_WORD, SIGN_WHERE, SIGN_FILTER, SIGN_PIPE, SIGN_INTO };

struct scanner {
	const char *line;
	size_t at;
	const struct definitions *definitions;
};

/*
 * Reads the next word or sign. `ret` is set for SIGN_WORD only. Errors are E_USAGE with the byte
 * offset in the line.
 */
struct cs_error *scan(struct scanner *scanner, enum sign *sign_ret, struct word *ret) CS_MUST_USE;
/*
 * Reads a word of SQL: removes only quotes that begin it; state='failed' keeps its quotes. Errors
 * as of scan().
 */
struct cs_error *scan_expression(struct scanner *scanner, struct word *ret) CS_MUST_USE;
/* Returns the next sign without moving. */
enum sign scan_peek(struct scanner *scanner);
/*
 * Returns the rest of the line without surrounding blanks, with @NAME@ replaced where NAME is
 * defined.
 */
struct cs_error *scan_rest(struct scanner *scanner, struct word *ret) CS_MUST_USE;
void word_free(struct word *word);

/* Quotes a text so that the lexer reads it as one word; freed by the caller, NULL = no memory. */
char *quote_word(const char *text);
