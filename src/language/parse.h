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
	size_t index; /* index of the option, as for option_at() */
	struct word value;
};

struct invocation {
	const struct command *command; /* NULL for an empty line */
	CS_VEC(struct word) words;
	CS_VEC(struct given_option) options;
	bool help; /* help about the command was requested, with -h or ? */
	/* words after the signs @ ~ | >; `text` of an absent one is NULL */
	struct word where, filter, shell, into;
	/* byte offset of the argument that consumes the rest of the line; SIZE_MAX = none */
	size_t raw_at;
};

/* Names that a command line may use, such as aliases and variables, with their values. */
struct parse_context {
	const struct definitions *definitions;
	/* aliases of commands, each with the text that replaces it */
	const struct definitions *aliases;
};

/* Parses a line. Errors are E_USAGE, E_UNKNOWN or E_AMBIGUOUS with the byte offset in the line. */
struct cs_error *parse_line(
	const struct parse_context *context, const char *line, struct invocation *ret) CS_MUST_USE;
/* Parses words split by a shell; operators and quotes are ordinary, except in a raw argument. */
struct cs_error *parse_words(const struct parse_context *context, char *const *words, size_t n,
	struct invocation *ret) CS_MUST_USE;
void invocation_free(struct invocation *invocation);

/* Prints a usage line such as "usage: cells [-n N] [-w EXPR]", broken at `width` columns. */
void say_usage(struct output *out, const struct command *command, size_t width);
