/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts split into lines, and the difference of two. */
#pragma once

#include "src/output/output.h"

struct line_list {
	char *text; /* owned */
	CS_VEC(char *) at;
};

/* Splits a text; a NUL inside of it ends it. */
struct cs_error *split_lines(const char *text, size_t n, struct line_list *ret) CS_MUST_USE;
void line_list_free(struct line_list *lines);

/*
 * Prints a unified diff of one hunk: what is between the common beginning and the common end. Long
 * hunks are cut.
 */
void say_diff(struct output *out, const char *want_name, const struct line_list *want,
	const char *got_name, const struct line_list *got);
/* Prints a line that was escaped when it was printed first, without escaping it again. */
void say_printed(struct output *out, const char *line);
