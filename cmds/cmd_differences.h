/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Showing what differs between two cooks. */
#ifndef CMDS_CMD_DIFFERENCES_H
#define CMDS_CMD_DIFFERENCES_H

#include "src/session/session.h"

/*
 * A listing of the differences, or the sentence that there are none. A world field named `expected`
 * differs on purpose and is left out; may be NULL.
 */
struct cs_error *emit_differences(struct call *call, struct cs_cooked *left,
	struct cs_cooked *right, const char *expected) CS_MUST_USE;

/* The same for someone who reviews a change: in groups, with a summary. Of cmd_diff_review.c. */
struct cs_error *say_review(
	struct call *call, struct cs_cooked *left, struct cs_cooked *right) CS_MUST_USE;

#endif
