/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Regular expressions of users and scripts. The C library compiles any of them regardless of memory
 * and time: (a{1,255}){1,255}{1,255} takes gigabytes. So the parts of the compiled expression are
 * counted first, and limit the length of a text.
 */
#pragma once

#include <cellscope/core.h>

#include <regex.h>
#include <stdbool.h>
#include <stdint.h>

struct pattern {
	regex_t expression;
	uint32_t parts; /* upper bound of its compiled parts */
};

/*
 * Compiles an extended expression without submatches. E_USAGE when it is invalid, E_LIMIT when it
 * is too large.
 */
struct cs_error *pattern_compile(const char *text, struct pattern *ret) CS_MUST_USE;
void pattern_free(struct pattern *pattern);
/*
 * Sets *ret to whether the text contains a match. E_LIMIT when the text is too long for the
 * pattern; E_NOMEM.
 */
struct cs_error *pattern_match(
	const struct pattern *pattern, const char *text, bool *ret) CS_MUST_USE;
