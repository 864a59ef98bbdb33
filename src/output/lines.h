/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts cut into lines, and how two of them differ. */
#pragma once

#include "src/output/output.h"

struct line_list {
	char *text; /* owned */
	CS_VEC(char *) at;
};

/* NULs inside end the text. */
struct cs_error *split_lines(const char *text, size_t n, struct line_list *ret) CS_MUST_USE;
void line_list_free(struct line_list *lines);

/*
 * Says a unified diff of one hunk: what is between the common beginning and the common end. Long
 * hunks are cut.
 */
void say_diff(struct output *out, const char *want_name, const struct line_list *want,
	const char *got_name, const struct line_list *got);
/* A line that was printed before, and escaped then: its backslashes are its own. */
void say_printed(struct output *out, const char *line);
