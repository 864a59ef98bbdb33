/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines that are taken instead of run: bodies of loops, procedures, commands of stops. */
#pragma once

#include "core/vec.h"
#include "src/output/sink.h"

struct session;

struct line_block {
	/* Takes lines instead of running them, until it takes itself away; or NULL. */
	struct cs_error *(*collect)(struct session *session, const char *line, struct sink *to);
	struct cs_error *(*finish)(struct session *session, struct sink *to);
	int depth;          /* of blocks within */
	char *head, *name;  /* of the block that is collected */
	unsigned running;   /* of blocks that run */
	CS_VEC(char) lines; /* collected */
	uint32_t stop;      /* that they are for */
};
