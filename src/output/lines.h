/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of lines, and the differences between two lists. */
#pragma once

#include "src/output/output.h"

/* The beginning of a list of rows in JSON, by which an answer in one line is recognised. */
#define JSON_LIST_BEGIN "{\"schema\":\"cellscope."

struct line_list {
	char *text; /* copy of the text, in which `at` points to the lines; owned */
	CS_VEC(char *) at;
};

/* Splits a text of `n` bytes into lines without newlines; a NUL byte inside ends the text. */
struct cs_error *split_lines(const char *text, size_t n, struct line_list *ret) CS_MUST_USE;
void line_list_free(struct line_list *lines);

/* Prints a unified diff with one hunk, from the first to the last difference; cuts a long hunk. */
void say_diff(struct output *out, const char *want_name, const struct line_list *want,
	const char *got_name, const struct line_list *got);
/* Prints a line of earlier output, whose special characters are escaped already. */
void say_printed(struct output *out, const char *line);
/* Returns a line in a form that can be typed, in ASCII if `ascii`. The caller frees it. */
char *typed_text(const char *line, bool ascii);
