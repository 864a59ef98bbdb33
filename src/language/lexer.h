/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A command line as words and signs.
 *
 *	verb ARGS [-options] [@ WHERE] [~ TEXT | | SHELL] [> FILE]
 *
 * The signs @ ~ | > count where a word may begin, outside quotes. 'text' is taken as it is; in
 * "text" and outside quotes \" and \\ are the character and \xHH is a byte, so a name that was
 * printed escaped can be typed as it was printed. @NAME@ is a value given with -D. A word may be
 * put together from several quoted and unquoted pieces.
 */
#pragma once

#include <cellscope/core.h>

#include "src/language/definitions.h"

#include <stdbool.h>
#include <stddef.h>

/* A word and where it stands in its line: [at, end) with its quotes. */
struct word {
	char *text; /* owned */
	size_t at, end;
	bool quoted;   /* its first character is */
	bool verbatim; /* that is a single quote: nothing in it stands for anything else */
};

enum sign { SIGN_END, SIGN_WORD, SIGN_WHERE, SIGN_FILTER, SIGN_PIPE, SIGN_INTO };

struct scanner {
	const char *line;
	size_t at;
	const struct definitions *definitions;
};

/*
 * The next word or sign. `ret` is set for SIGN_WORD alone. Errors are E_USAGE with the byte offset
 * in the line.
 */
struct cs_error *scan(struct scanner *scanner, enum sign *sign_ret, struct word *ret) CS_MUST_USE;
/*
 * At a word that is SQL: only quotes that begin it are taken off, state='failed' keeps its own.
 * Errors as of scan().
 */
struct cs_error *scan_expression(struct scanner *scanner, struct word *ret) CS_MUST_USE;
/* What comes next, without going there. */
enum sign scan_peek(struct scanner *scanner);
/* The rest of the line without blanks around it, with @NAME@ replaced where NAME is known. */
struct cs_error *scan_rest(struct scanner *scanner, struct word *ret) CS_MUST_USE;
void word_free(struct word *word);

/* The word as it must be typed to be read back as this text; freed by the caller, NULL = no memory.
 */
char *quote_word(const char *text);
