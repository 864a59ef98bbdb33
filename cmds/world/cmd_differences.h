/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Showing what differs between two worlds. */
#pragma once

#include <cellscope/compare.h>

#include "src/session/session.h"

/*
 * Lists the differences, or prints that there are none. A field of the world named `expected`
 * differs on purpose and is left out; may be NULL.
 */
struct cs_error *emit_differences(struct call *call, struct cs_cooked *left,
	struct cs_cooked *right, const char *expected) CS_MUST_USE;

/* cmd_diff_review.c: prints the same for a reviewer of a change, in groups with a summary. */
struct cs_error *say_review(
	struct call *call, struct cs_cooked *left, struct cs_cooked *right) CS_MUST_USE;

/*
 * Prints "same: 64 cells, 137 actors compared"; `counts` are differences explained by a rule,
 * unexplained, and stale.
 */
void say_verdict(struct output *out, enum cs_compare_verdict verdict, size_t cells, size_t actors,
	const size_t counts[3]);
/* cmd_diff_engine.c: compare our cook with a log of the engine, and with what its cooker wrote. */
struct cs_error *tell_log(struct call *call, struct cs_cooked *ours, const char *path) CS_MUST_USE;
struct cs_error *tell_cooked(
	struct call *call, struct cs_cooked *ours, struct cs_cooked *theirs) CS_MUST_USE;
