/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a line to an invocation: the command, its words by argument and option, and where its
 * output goes. Parsing needs no open file and changes nothing, so a whole script can be parsed
 * before any of it runs.
 */
#pragma once

#include "src/language/command.h"
#include "src/language/lexer.h"

struct given_option {
	size_t index; /* of option_at() */
	struct word value;
};

struct invocation {
	const struct command *command; /* NULL for an empty line */
	CS_VEC(struct word) words;
	CS_VEC(struct given_option) options;
	bool help;                              /* -h */
	struct word where, filter, shell, into; /* text NULL = not there */
	size_t raw_at; /* where the raw argument begins in the line, or SIZE_MAX */
};

/* Names that parsing may meet beside those of the table. */
struct parse_context {
	const struct definitions *definitions;
	const struct definitions *aliases; /* value is the replacement */
};

/* Errors carry the byte offset in the line: E_USAGE, E_UNKNOWN, E_AMBIGUOUS. */
struct cs_error *parse_line(
	const struct parse_context *context, const char *line, struct invocation *ret) CS_MUST_USE;
/* The same from words that a shell has split: no signs, no quotes. */
struct cs_error *parse_words(const struct parse_context *context, char *const *words, size_t n,
	struct invocation *ret) CS_MUST_USE;
void invocation_free(struct invocation *invocation);

/* "usage: cells [-n N] [-w EXPR]", in lines of at most `width` columns. */
void say_usage(struct output *out, const struct command *command, size_t width);
