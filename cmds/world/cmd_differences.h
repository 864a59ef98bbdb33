/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Showing what differs between two worlds. */
#pragma once

#include <cellscope/compare.h>

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

/* "same: 64 cells, 137 actors compared": by rule, unexplained, stale are counted. */
void say_verdict(struct output *out, enum cs_compare_verdict verdict, size_t cells, size_t actors,
	const size_t counts[3]);
/* Ours against a log of the engine, against what its cooker wrote. Of cmd_diff_engine.c. */
struct cs_error *tell_log(struct call *call, struct cs_cooked *ours, const char *path) CS_MUST_USE;
struct cs_error *tell_cooked(
	struct call *call, struct cs_cooked *ours, struct cs_cooked *theirs) CS_MUST_USE;
