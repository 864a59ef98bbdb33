/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stores command lines to run later: bodies of loops, procedures, and breakpoint commands. */
#pragma once

#include "core/vec.h"
#include "src/output/sink.h"

struct session;

/* A block with all its lines: what was passed to begin_block(), and the collected lines. */
struct block_text {
	char *head, *name, *lines;
	unsigned first; /* number of the block's first line in the running script; 0 = none */
};

struct line_block {
	/* called with each line instead of running it; NULL when no block is open */
	struct cs_error *(*collect)(struct session *session, const char *line, struct sink *to);
	struct cs_error *(*finish)(
		struct session *session, const struct block_text *text, struct sink *to);
	unsigned first; /* number of the block's first line in the running script; 0 = none */
	/* the lines that are running are not from the script, but from a procedure or breakpoint */
	bool foreign;
	int depth;          /* number of open blocks inside the collected block */
	char *head, *name;  /* first line and name of the open block */
	unsigned running;   /* nesting depth of blocks that are running */
	CS_VEC(char) lines; /* command lines of the block that were collected so far */
	/* all lines of the block, first and last included, for session_record() */
	CS_VEC(char) whole;
	uint32_t stop; /* number of the breakpoint to which the collected commands belong */
};
