/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Regular expressions that users and scripts bring. The C library compiles any of them, however
 * much memory and time that takes: (a{1,255}){1,255}{1,255} takes gigabytes. So the parts that an
 * expression would be compiled to are counted first.
 */
#ifndef SRC_OUTPUT_PATTERN_H
#define SRC_OUTPUT_PATTERN_H

#include <cellscope/error.h>

#include <regex.h>
#include <stdbool.h>

/* Extended, without submatches. E_USAGE when it is none, E_LIMIT when it is too large. */
/* Whether the text holds a match; E_NOMEM. */
struct cs_error *pattern_match(const regex_t *pattern, const char *text, bool *ret) CS_MUST_USE;
struct cs_error *pattern_compile(const char *text, regex_t *ret) CS_MUST_USE;

#endif
