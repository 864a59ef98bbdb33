/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text that is longer than the screen goes through a pager; what fits is printed as it is. The
 * pager starts when the first line too many arrives.
 */
#pragma once

#include "src/session/session.h"

struct pager_sink {
	struct sink sink;
	struct sink *to;   /* the terminal */
	CS_VEC(char) held; /* what came so far, while it fits */
	unsigned lines, rows, columns;
	unsigned column; /* of the last line */
	bool paging, failed;
	struct child_sink child;
};

/* Whether a command that prints into `to` may page. */
bool pager_is_wanted(const struct session *session, const struct sink *to);
void pager_sink_init(struct pager_sink *pager, struct sink *to);
