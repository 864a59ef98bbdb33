/* SPDX-License-Identifier: Apache-2.0 */
/* Stops, for events that are not of the stream. */
#pragma once

#include <cellscope/query.h>

/* Holds what happened elsewhere than in the stream against the breakpoints: halt.reason is STOP or
 * DONE. */
struct cs_error *cs_debug_event(struct cs_debug *debug, const struct cs_stream_event *event,
	struct cs_halt *ret) CS_MUST_USE;

/* The stop of that id; NULL when there is none. */
const struct cs_stop *cs_debug_stop(const struct cs_debug *debug, uint32_t id);
/* Whether an event changes a cell, a layer, an HLOD actor: not what is only counted. */
bool cs_debug_is_change(const struct cs_stream_event *event);
/* Whether it is one of the turns of cs_debug_frame_before. */
bool cs_debug_is_turn(const struct cs_stream_event *event);
