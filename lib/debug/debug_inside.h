/* SPDX-License-Identifier: Apache-2.0 */
/* Stops for events that do not come from the stream. */
#pragma once

#include <cellscope/query.h>

/*
 * Compares an event from outside of the stream with the breakpoints: halt.reason is STOP or DONE.
 */
struct cs_error *cs_debug_event(struct cs_debug *debug, const struct cs_stream_event *event,
	struct cs_halt *ret) CS_MUST_USE;

/* Returns the stop with this id; NULL when there is none. */
const struct cs_stop *cs_debug_stop(const struct cs_debug *debug, uint32_t id);
/*
 * Returns false for an exceeded budget, a published epoch and freed memory, which change nothing
 * that users look at; true for all other events.
 */
bool cs_debug_is_change(const struct cs_stream_event *event);
/* Returns true for the events that cs_debug_frame_before searches. */
bool cs_debug_is_turn(const struct cs_stream_event *event);
