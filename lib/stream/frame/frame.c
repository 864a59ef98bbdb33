/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs frames: advances the clock, runs the steps of policy.c and perhaps a blocking wait, records
 * the frame, and runs a frame of the companion (code such as a pager, companion.c). Also records
 * the path of one streaming source, with a key for its position in each frame.
 */
#include "stream/stream_internal.h"

/* ---- the blocking wait that ends a frame (rule 2.5) ---- */

/*
 * Largest number of rounds of a blocking wait. A round completes all changes that have begun. More
 * than 2 are needed only if a level that was loaded has world partitions of its own, whose cells
 * load next.
 */
enum { ROUNDS = 64 };

static void describe_stall(struct cs_stream *stream, struct cs_stream_stall *stall)
{
	bool by_performance = stream->performance.block_by_performance;
	struct cs_run_critical worst[CS_STALL_CELLS];
	size_t n = by_performance ? cs_run_worst_critical(stream, worst) : 0;
	*stall = (struct cs_stream_stall){
		.frame = stream->clock.frame, .by_performance = by_performance};
	stall->n_cells = by_performance ? (uint32_t)stream->performance.critical.n : 0;
	for (size_t i = 0; i < CS_STALL_CELLS; i++) {
		stall->cells[i] = i < n ? worst[i].cell : CS_STREAM_NO_CELL;
		stall->ratios[i] = i < n ? worst[i].ratio : 0;
	}
	if (n && worst[0].source < stream->sources.active.n)
		memcpy(stall->source, stream->sources.active.at[worst[0].source].source.name,
			CS_SOURCE_NAME);
	cs_run_event(stream, CS_EVENT_BLOCK, stall->cells[0], stall->n_cells, 0, 1,
		by_performance ? CS_REASON_PERFORMANCE : CS_REASON_NONE);
}

/*
 * Runs the policy with an unlimited budget until no level is being loaded, shown, hidden or
 * unloaded; a wait because of poor performance ignores cells that do not block. The virtual clock
 * advances by the duration of the wait, which is recorded as a stall.
 */
static bool block_frame(struct cs_stream *stream)
{
	uint64_t begin = stream->clock.time;
	uint32_t loads = stream->log.now.loaded;
	struct cs_stream_stall stall;
	bool good = true;
	describe_stall(stream, &stall);
	stream->performance.in_block = stream->log.now.blocked = true;
	for (int i = 0; good && i < ROUNDS; i++) {
		good = cs_run_update(stream);
		if (!good || cs_run_levels_idle(stream))
			break;
		good = cs_run_levels_update(stream, true);
	}
	for (size_t i = 0; i < stream->worlds.n; i++)
		stream->worlds.at[i]->policy.evaluated =
			false; /* the next update considers again the cells that the wait ignored */
	stream->performance.in_block = stream->performance.block_requested =
		stream->performance.block_by_performance = false;
	stream->log.now.stall_ns = stall.length_ns = stream->clock.time - begin;
	stream->clock.stall += stall.length_ns;
	stall.loads = stream->log.now.loaded - loads;
	cs_run_stall_add(stream, &stall);
	return good;
}

/* ---- frames ---- */

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
	if (stream->performance.block_requested && !block_frame(stream))
		return cs_error_nomem();
	cs_run_warm_finish(stream);
	cs_run_frame_finish(stream);
	if (!cs_run_queue_finish(stream) || !cs_run_targets_refresh(stream) || stream->failed)
		return cs_error_nomem();
	return cs_run_companion_frame(stream, stream->log.now.length_ns);
}

double cs_run_recorder_time(const struct cs_stream *stream)
{
	return ((double)stream->clock.time - (double)stream->sources.recorder.start) / 1e9;
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
