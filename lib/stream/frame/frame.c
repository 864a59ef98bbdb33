/* SPDX-License-Identifier: Apache-2.0 */
/* Owns: the steps of a frame in their order, and stepping; policy.c lists the first steps. */
#include "stream/stream_internal.h"

/* Runs one frame; policy.c lists its steps. */
struct cs_error *cs_run_frame(struct cs_stream *s)
{
	s->clock.frame++;
	const struct cs_path_frame *recorded = cs_run_recorded_frame(s);
	uint64_t length = recorded ? recorded->length_ns : cs_run_ns(s, CS_VAR_FRAME_TIME);
	s->clock.time += length;
	s->clock.delta = length + s->clock.stall;
	s->clock.stall = 0;
	s->clock.since = 0;
	cs_run_frame_begin(s);
	s->log.now.length_ns = length;
	s->log.now.recorded = recorded;
	cs_run_cost_begin(s);
	if (!cs_run_update(s) || !cs_run_levels_update(s, false))
		return cs_error_nomem();
	cs_run_cost_finish(s);
	if (s->performance.block_requested && !cs_run_block(s))
		return cs_error_nomem();
	cs_run_warm_finish(s);
	cs_run_frame_finish(s);
	if (!cs_run_queue_finish(s) || !cs_run_targets_refresh(s) || s->failed)
		return cs_error_nomem();
	return cs_run_companion_frame(s, s->log.now.length_ns);
}

struct cs_error *cs_stream_step(struct cs_stream *stream, uint64_t n)
{
	struct cs_error *error = NULL;
	for (uint64_t i = 0; !error && i < n; i++) {
		error = cs_run_frame(stream);
		if (!error)
			error = cs_run_record_frame(stream);
		if (!error)
			error = cs_run_timeline_frame(stream);
	}
	return error;
}
