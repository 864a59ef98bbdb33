/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --interpreter=jsonl: a request a line, {"id":7,"cmd":"cell L0:5,1"}, an answer a line. Reads
 * standard input until it ends. Failures are answers: the tally is clean behind it.
 */
#ifndef SRC_FRONT_JSONL_H
#define SRC_FRONT_JSONL_H

#include "src/session/session.h"

void jsonl_run(struct session *session);

#endif
