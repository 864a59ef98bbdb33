/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines that are collected instead of run: the bodies of the commands `if`, `foreach`, `define` and
 * `commands`. A body ends at the `end` of its block; blocks inside a body are collected with it.
 */
#pragma once

#include "src/session/session.h"

/* Returns whether a line begins the second part of an `if`. */
bool line_is_else(const char *line);
/* Returns how a command line changes block nesting: 1 at a block's start, -1 for `end`, else 0. */
int block_step(const char *line);
/* Returns whether the first word of a line is this one. */
bool line_begins_with(const char *line, const char *word);
/*
 * Begins a block: the following lines are collected instead of run. At the `end` of the block
 * `finish` is called with the lines, `head` and `name`, and may change them. `head` is
 * the condition of `if` or the items of `foreach`; `name` is the name that the block defines.
 */
struct cs_error *begin_block(struct session *session, const char *head, const char *name,
	struct cs_error *(*finish)(struct session *session, const struct block_text *text,
		struct sink *to)) CS_MUST_USE;
/*
 * Runs the lines of a text in order, until one fails; the error names that line. Line 1 of the text
 * is line `before` + 1 of the running script; `before` is 0 for a text that is not part of the
 * script. After a failure, session->channels.place stays at the failed line of the script.
 */
struct cs_error *run_lines(
	struct session *session, const char *lines, unsigned before, struct sink *to) CS_MUST_USE;
