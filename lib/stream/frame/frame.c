/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs frames: clock, steps of policy.c, blocking wait, record, companion, path, timeline. The path
 * has the position of one streaming source in every frame as its keys.
 */
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

double cs_run_recorder_time(const struct cs_stream *stream)
{
	return ((double)stream->clock.time - (double)stream->sources.recorder.start) * 1e-9;
}

static struct cs_error *record_path_key(struct cs_stream *stream)
{
	if (!stream->sources.recorder.path || stream->clock.time < stream->sources.recorder.start)
		return NULL;
	size_t place = cs_stream_find_source(stream, stream->sources.recorder.source);
	if (place == SIZE_MAX)
		return NULL;
	struct cs_stream_source_view view = cs_stream_source_at(stream, place);
	struct cs_path_key key = {cs_run_recorder_time(stream), view.source->location,
		view.source->rotation, view.velocity};
	return cs_path_add(stream->sources.recorder.path, &key);
}

struct cs_error *cs_stream_record_path(
	struct cs_stream *stream, const char *source, struct cs_path *path)
{
	if (path && cs_stream_find_source(stream, source) == SIZE_MAX)
		return cs_error_new(
			CS_E_NOSOURCE, "the run has no streaming source '%.100s'", source);
	stream->sources.recorder =
		(struct cs_run_recorder){.path = path, .start = stream->clock.time};
	if (!path)
		return NULL;
	strncpy(stream->sources.recorder.source, source, CS_SOURCE_NAME - 1);
	cs_path_set_velocity(path, true);
	return record_path_key(stream);
}

struct cs_error *cs_stream_step(struct cs_stream *stream, uint64_t n)
{
	struct cs_error *error = NULL;
	for (uint64_t i = 0; !error && i < n; i++) {
		error = cs_run_frame(stream);
		if (!error)
			error = record_path_key(stream);
		if (!error)
			error = cs_run_timeline_frame(stream);
	}
	return error;
}
