/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --interpreter=jsonl: each request is a line, {"id":7,"cmd":"cell L0:5,1"}, and so is its answer.
 * Standard input is read until it ends. A command that fails is an answer, so the exit status of
 * the program is that of a success.
 */
#pragma once

#include "src/session/session.h"

enum { LONGEST_REQUEST = 1 << 20 };

/*
 * Reads the next line of standard input, cut at the buffer's size; *n_ret is its full length. False
 * at the end.
 */
bool jsonl_read(char line[LONGEST_REQUEST + 1], uint64_t *n_ret);
void jsonl_run(struct session *session);
