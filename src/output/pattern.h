/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Regular expressions of users and scripts. The C library compiles any expression regardless of
 * memory and time: (a{1,255}){1,255}{1,255} takes gigabytes. The number of parts is therefore
 * counted first. The more parts, the shorter are the texts that may be matched.
 */
#pragma once

#include <cellscope/core.h>

#include <regex.h>
#include <stdbool.h>
#include <stdint.h>

struct pattern {
	regex_t expression;
	/* upper bound of the characters of the expression with its repeats written out */
	uint32_t parts;
};

/* Compiles a POSIX extended expression. Returns E_USAGE if invalid, E_LIMIT if too large. */
struct cs_error *pattern_compile(const char *text, struct pattern *ret) CS_MUST_USE;
void pattern_free(struct pattern *pattern);
/* Sets *ret to whether the text has a match. Returns E_LIMIT if it is too long for the pattern. */
struct cs_error *pattern_match(
	const struct pattern *pattern, const char *text, bool *ret) CS_MUST_USE;
