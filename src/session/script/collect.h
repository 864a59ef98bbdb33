/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines that are collected instead of run: the bodies of if, foreach, define and commands. A body
 * ends with the `end` of its block; blocks inside of it are part of the text.
 */
#pragma once

#include "src/session/session.h"

/* Returns how a line changes the depth of blocks: 1 begins one, -1 ends one, else 0. */
int block_step(const char *line);
/*
 * Collects lines from now on; `finish` runs at the `end`, and takes head, name and lines with
 * take_block().
 */
struct cs_error *begin_block(struct session *session, const char *head, const char *name,
	struct cs_error *(*finish)(struct session *session, struct sink *to)) CS_MUST_USE;
/* Ends collecting and returns what begin_block() was given, and the lines; owned by the caller. */
struct cs_error *take_block(
	struct session *session, char **head_ret, char **name_ret, char **lines_ret) CS_MUST_USE;
/* Runs the lines of a text in order. The error says which line failed. */
struct cs_error *run_lines(struct session *session, const char *lines, struct sink *to) CS_MUST_USE;
