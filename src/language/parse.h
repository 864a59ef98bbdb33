/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parses a line into an invocation: the command, its words by argument and option, and the
 * destination of its output. Parsing needs no open file and changes nothing, so a whole script can
 * be parsed before any of it runs.
 */
#pragma once

#include "src/language/command.h"
#include "src/language/lexer.h"

struct given_option {
	size_t index; /* index of the option for option_at() */
	struct word value;
};

struct invocation {
	const struct command *command; /* the command; NULL for an empty line */
	CS_VEC(struct word) words;
	CS_VEC(struct given_option) options;
	bool help; /* whether -h was given */
	/* words after @ ~ | >; their text is NULL when they are not given */
	struct word where, filter, shell, into;
	size_t raw_at; /* offset of the raw argument in the line, or SIZE_MAX */
};

/* Names that lines may use besides those of the table. */
struct parse_context {
	const struct definitions *definitions;
	/* aliases: the value of a definition is the replacement */
	const struct definitions *aliases;
};

/* Errors have the byte offset in the line: E_USAGE, E_UNKNOWN, E_AMBIGUOUS. */
struct cs_error *parse_line(
	const struct parse_context *context, const char *line, struct invocation *ret) CS_MUST_USE;
/* Parses words that a shell has split: they contain no signs and no quotes. */
struct cs_error *parse_words(const struct parse_context *context, char *const *words, size_t n,
	struct invocation *ret) CS_MUST_USE;
void invocation_free(struct invocation *invocation);

/* Prints "usage: cells [-n N] [-w EXPR]" in lines of at most `width` columns. */
void say_usage(struct output *out, const struct command *command, size_t width);
