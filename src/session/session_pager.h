/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sends output that exceeds the screen to a pager, started when the first line does not fit. */
#pragma once

#include "src/session/session.h"

struct pager_sink {
	struct sink sink;
	struct sink *to;   /* sink to the terminal */
	CS_VEC(char) held; /* output that is collected until the pager starts */
	unsigned lines, rows, columns;
	unsigned column; /* number of columns written so far in the current line */
	bool paging, failed;
	struct child_sink child;
};

/* Returns whether a command that prints to `to` may use the pager. */
bool pager_is_wanted(const struct session *session, const struct sink *to);
void pager_sink_init(struct pager_sink *pager, struct sink *to);
/*
 * Returns whether what is written to `to` goes to standard output, so that a child may print there.
 * If `to` is a pager that has not started, first prints the lines that it holds.
 */
bool pager_steps_aside(const struct session *session, struct sink *to);
