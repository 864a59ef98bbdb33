/* SPDX-License-Identifier: Apache-2.0 */
/* Runs frames: clock, steps of policy.c, blocking wait, record, companion, path, timeline. */
#include "stream/stream_internal.h"

struct cs_error *cs_run_frame(struct cs_stream *stream)
{
	stream->clock.frame++;
	const struct cs_path_frame *recorded = cs_run_recorded_frame(stream);
	uint64_t length = recorded ? recorded->length_ns : cs_run_ns(stream, CS_VAR_FRAME_TIME);
	stream->clock.time += length;
	stream->clock.delta = length + stream->clock.stall;
	stream->clock.stall = 0;
	stream->clock.since = 0;
	cs_run_frame_begin(stream);
	stream->log.now.length_ns = length;
	stream->log.now.recorded = recorded;
	cs_run_cost_begin(stream);
	if (!cs_run_update(stream) || !cs_run_levels_update(stream, false))
		return cs_error_nomem();
	cs_run_cost_finish(stream);
	if (stream->performance.block_requested && !cs_run_block(stream))
		return cs_error_nomem();
	cs_run_warm_finish(stream);
	cs_run_frame_finish(stream);
	if (!cs_run_queue_finish(stream) || !cs_run_targets_refresh(stream) || stream->failed)
		return cs_error_nomem();
	return cs_run_companion_frame(stream, stream->log.now.length_ns);
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
