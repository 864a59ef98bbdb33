/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of a debugger: its stops (breakpoints, watches, displays), each with its compiled
 * expression. Invariant: `armed` has the bit of every kind of event that an enabled breakpoint
 * waits for, so that most events are skipped by testing one bit.
 */
#pragma once

#include "core/vec.h"
#include "debug/debug_inside.h"

struct cs_debug_stop {
	struct cs_stop row; /* settings and counters of the stop; owns its texts */
	struct cs_expression *expression;
	char *value;     /* JSON of a watch's value after the last frame, or NULL */
	bool has_halted; /* whether the stop has halted the run in the current frame */
};

struct cs_debug {
	struct cs_stream *stream;
	struct cs_query *query;
	CS_VEC(struct cs_debug_stop) stops; /* sorted by id */
	/* positions of the sources at the last call of stands_still() */
	CS_VEC(struct cs_vec3) places;
	/* copy of the commands of the stop that last halted the run, or NULL */
	char *commands;
	/* seen: number of the first untested event; seen_frame: frame in which `seen` was set */
	uint64_t seen, seen_frame;
	uint32_t last_id;
	uint32_t armed; /* set of enum cs_moment: moments that an enabled breakpoint waits for */
	bool watches;   /* whether at least one watch is enabled */
};

_Static_assert(CS_MOMENTS <= 32, "armed has a bit for each");

/* Marks all events up to the current frame as seen, so that no stop is tested against them. */
void cs_debug_forget_events(struct cs_debug *debug);
/* Stores the current values of all enabled watches, with which later values are compared. */
struct cs_error *cs_debug_arm_watches(struct cs_debug *debug) CS_MUST_USE;
/* Evaluates an expression. Returns its value as JSON, which the caller frees. */
struct cs_error *cs_debug_text(struct cs_expression *expression, char **ret) CS_MUST_USE;
