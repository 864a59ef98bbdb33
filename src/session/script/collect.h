/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines that are collected instead of run: the bodies of if, foreach, define and commands. They end
 * with the `end` of their own block; blocks within are part of the text.
 */
#pragma once

#include "src/session/session.h"

/* What a line does to the depth of blocks: 1 begins one, -1 ends one, else 0. */
int block_step(const char *line);
/* Lines are collected from now on; `finish` runs at the `end`, and takes head, name and text. */
struct cs_error *begin_block(struct session *session, const char *head, const char *name,
	struct cs_error *(*finish)(struct session *session, struct sink *to)) CS_MUST_USE;
/* What was given to begin_block, and the lines; owned by the caller. Collecting is over. */
struct cs_error *take_block(
	struct session *session, char **head_ret, char **name_ret, char **lines_ret) CS_MUST_USE;
/* Runs the lines of a text one after the other. An error tells which line it was. */
struct cs_error *run_lines(struct session *session, const char *lines, struct sink *to) CS_MUST_USE;
