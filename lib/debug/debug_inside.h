/* SPDX-License-Identifier: Apache-2.0 */
/* Stops, for events that are not of the stream. */
#pragma once

#include <cellscope/query.h>

/* Holds what happened elsewhere than in the stream against the breakpoints: halt.reason is STOP or
 * DONE. */
struct cs_error *cs_debug_event(struct cs_debug *debug, const struct cs_stream_event *event,
	struct cs_halt *ret) CS_MUST_USE;
