/* SPDX-License-Identifier: Apache-2.0 */
/* Debugger functions for lib/runs: they test breakpoints on recorded events and classify events. */
#pragma once

#include <cellscope/query.h>

/*
 * Tests the breakpoints against an event that does not come from the stream. Stores CS_HALT_STOP as
 * the reason of `ret` if one of them halts the run, otherwise CS_HALT_DONE.
 */
struct cs_error *cs_debug_event(struct cs_debug *debug, const struct cs_stream_event *event,
	struct cs_halt *ret) CS_MUST_USE;

/* Returns the breakpoint, watch or display with this id; NULL if there is none. */
const struct cs_stop *cs_debug_stop(const struct cs_debug *debug, uint32_t id);
/* Returns false for events that users do not see: used-up budget, published epoch, freed memory. */
bool cs_debug_is_change(const struct cs_stream_event *event);
/* Returns whether an event is one of the rare events that cs_debug_frame_before() lists. */
bool cs_debug_is_turn(const struct cs_stream_event *event);
