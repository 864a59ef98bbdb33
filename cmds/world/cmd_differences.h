/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that print the differences of two worlds, shared by several commands. */
#pragma once

#include <cellscope/compare.h>

#include "src/session/session.h"

/* A difference. `sides`: 0 = between the worlds, n > 0 = in the n-th level that both contain. */
struct listed_difference {
	const struct cs_diff_row *row;
	uint32_t sides;
};

/* Table of the rows that emit_differences() lists. */
extern const struct cs_table diff_table;

/*
 * Lists the differences, or prints that there are none. `expected` is the name of a world field
 * that is meant to differ, and is left out; it may be NULL.
 */
struct cs_error *emit_differences(struct call *call, struct cs_cooked *left,
	struct cs_cooked *right, const char *expected) CS_MUST_USE;

/* cmd_diff_review.c: prints the numbers of differences of each kind. */
struct cs_error *emit_stat(
	struct call *call, const struct listed_difference *differences, size_t n) CS_MUST_USE;

/* cmd_diff_review.c: prints the differences in groups, for a reviewer of the change. */
struct cs_error *say_review(struct call *call, struct cs_cooked *left, struct cs_cooked *right,
	const struct listed_difference *rows, size_t n) CS_MUST_USE;

/*
 * Prints the verdict of a comparison, e.g. "same: 64 cells, 137 actors compared". `counts` are the
 * numbers of differences that a rule explains, that are unexplained, and that are stale
 * (CS_COMPARE_STALE).
 */
void say_verdict(struct output *out, enum cs_compare_verdict verdict, size_t cells, size_t actors,
	const size_t counts[3]);
/* cmd_diff_engine.c: print how our cook differs from the engine's log at `path`, or its cook. */
struct cs_error *tell_log(struct call *call, struct cs_cooked *ours, const char *path) CS_MUST_USE;
struct cs_error *tell_cooked(
	struct call *call, struct cs_cooked *ours, struct cs_cooked *theirs) CS_MUST_USE;
