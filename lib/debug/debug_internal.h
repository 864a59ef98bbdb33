/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of a debugger: the stops, each with its compiled expression. Invariant: `armed` has the
 * bit of every event that an enabled breakpoint waits for, so that a frame without such an event
 * costs one pass over its events.
 */
#pragma once

#include "core/vec.h"
#include "debug/debug_inside.h"

struct cs_debug_stop {
	struct cs_stop row; /* owns its texts */
	struct cs_expression *expression;
	char *value;     /* value of a watch after the last frame, as JSON */
	bool has_halted; /* the stop has halted the run in the current frame */
};

struct cs_debug {
	struct cs_stream *stream;
	struct cs_query *query;
	CS_VEC(struct cs_debug_stop) stops; /* sorted by id */
	CS_VEC(struct cs_vec3) places;      /* places of the sources when they were last compared */
	char *commands;                     /* commands of the stop that halted the run last */
	/* Number of the first event that has not been examined, and its frame or an earlier one. */
	uint64_t seen, seen_frame;
	uint32_t last_id;
	uint32_t armed; /* bits of enum cs_moment */
	bool watches;   /* at least one watch is enabled */
};

_Static_assert(CS_MOMENTS <= 32, "armed has a bit for each");

/* Skips all events so far. */
void cs_debug_forget_events(struct cs_debug *debug);
/* Stores the current values of all enabled watches. */
struct cs_error *cs_debug_arm_watches(struct cs_debug *debug) CS_MUST_USE;
/* Returns the value of an expression as JSON, freed by the caller. */
struct cs_error *cs_debug_text(struct cs_expression *expression, char **ret) CS_MUST_USE;
