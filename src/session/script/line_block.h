/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines that are collected instead of run: bodies of loops, procedures, commands of stops. */
#pragma once

#include "core/vec.h"
#include "src/output/sink.h"

struct session;

struct line_block {
	/* takes each line instead of running it, until it resets itself to NULL */
	struct cs_error *(*collect)(struct session *session, const char *line, struct sink *to);
	struct cs_error *(*finish)(struct session *session, struct sink *to);
	int depth;          /* depth of further blocks inside of the body */
	char *head, *name;  /* first line and name of the block that is collected */
	unsigned running;   /* number of nested blocks that are running */
	CS_VEC(char) lines; /* lines collected so far */
	uint32_t stop;      /* the stop that the collected commands belong to */
};
