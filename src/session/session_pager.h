/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sends text that is longer than the screen through a pager, and prints shorter text directly. The
 * pager starts when the first line too many arrives.
 */
#pragma once

#include "src/session/session.h"

struct pager_sink {
	struct sink sink;
	struct sink *to;   /* sink that writes to the terminal */
	CS_VEC(char) held; /* the output so far, while it fits */
	unsigned lines, rows, columns;
	unsigned column; /* columns of the last line */
	bool paging, failed;
	struct child_sink child;
};

/* Returns whether a command that prints into `to` may use the pager. */
bool pager_is_wanted(const struct session *session, const struct sink *to);
void pager_sink_init(struct pager_sink *pager, struct sink *to);
