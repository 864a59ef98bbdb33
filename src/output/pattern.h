/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Regular expressions that users and scripts bring. The C library compiles any of them, however
 * much memory and time that takes: (a{1,255}){1,255}{1,255} takes gigabytes. So the parts that an
 * expression would be compiled to are counted first, and the length of a text is bounded by them.
 */
#pragma once

#include <cellscope/core.h>

#include <regex.h>
#include <stdbool.h>
#include <stdint.h>

struct pattern {
	regex_t expression;
	uint32_t parts; /* that it was compiled to, at most */
};

/* Extended, without submatches. E_USAGE when it is none, E_LIMIT when it is too large. */
struct cs_error *pattern_compile(const char *text, struct pattern *ret) CS_MUST_USE;
void pattern_free(struct pattern *pattern);
/* Whether the text holds a match. E_LIMIT when the text is too long for such a pattern; E_NOMEM. */
struct cs_error *pattern_match(
	const struct pattern *pattern, const char *text, bool *ret) CS_MUST_USE;
