/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --interpreter=jsonl: each line of standard input is a request, {"id":7,"cmd":"cell L0:5,1"}, and
 * is answered by one line. Requests are read until the end of input. The failure of a command is
 * reported in its answer, so the exit status of the program is 0.
 */
#pragma once

#include "src/session/session.h"

enum { LONGEST_REQUEST = 1 << 20 };

/* Reads a line of stdin, cut to LONGEST_REQUEST bytes, with its full length, or returns false. */
bool jsonl_read(char line[LONGEST_REQUEST + 1], uint64_t *n_ret);
void jsonl_run(struct session *session);
/* --mcp: a server of the Model Context Protocol on standard input and output. */
void mcp_run(struct session *session);
