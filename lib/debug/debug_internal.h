/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of a debugger: the stops as users see them, each with its expression kept ready.
 * Invariant: `armed` has the bit of every moment that an enabled breakpoint waits for, so that a
 * frame in which nothing else happened costs a look at its events and no more.
 */
#pragma once

#include "core/vec.h"
#include "debug/debug_inside.h"

struct cs_debug_stop {
	struct cs_stop row; /* its texts are owned */
	struct cs_expression *expression;
	char *value;     /* WATCH: as JSON, after the last frame */
	bool has_halted; /* in the frame that is looked at */
};

struct cs_debug {
	struct cs_stream *stream;
	struct cs_query *query;
	CS_VEC(struct cs_debug_stop) stops; /* ids ascend */
	CS_VEC(struct cs_vec3) places;      /* of the sources, when it was last asked */
	char *commands;                     /* of the stop that halted the run last */
	/* Events before this number were looked at; they are of this frame or earlier. */
	uint64_t seen, seen_frame;
	uint32_t last_id;
	uint32_t armed; /* bits of enum cs_moment */
	bool watches;   /* some watch is enabled */
};

_Static_assert(CS_MOMENTS <= 32, "armed has a bit for each");

/* All that has happened up to now is past. */
void cs_debug_forget_events(struct cs_debug *debug);
/* Values of all watches as they are now. */
struct cs_error *cs_debug_arm_watches(struct cs_debug *debug) CS_MUST_USE;
/* The value of an expression as JSON, freed by the caller. */
struct cs_error *cs_debug_text(struct cs_expression *expression, char **ret) CS_MUST_USE;
