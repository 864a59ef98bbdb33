/* SPDX-License-Identifier: Apache-2.0 */
/* Goes to frames: forward by running, back by a snapshot. Takes and restores checkpoints. */
#include "stream/stream_internal.h"

#include "core/job.h"

enum { CHECKPOINTS = 1000 };

/* ---- going to a frame ---- */

void cs_stream_history(const struct cs_stream *stream, uint64_t *first_ret, uint64_t *last_ret)
{
	const struct cs_run_timeline *timeline = &stream->timeline;
	*first_ret = timeline->snapshots.n ? timeline->snapshots.at[0].frame : stream->clock.frame;
	*last_ret = timeline->last;
}

/* Removes the keys that the path recorder added after the current time. */
static void cut_recording(struct cs_stream *stream)
{
	if (stream->sources.recorder.path)
		cs_run_path_cut(stream->sources.recorder.path, cs_run_recorder_time(stream));
}

static struct cs_error *travel_restore(
	struct cs_stream *stream, const unsigned char *bytes, size_t size, uint64_t frame)
{
	struct cs_run_timeline *timeline = &stream->timeline;
	timeline->rewinds++;
	struct cs_error *error = cs_run_state_read(stream, bytes, size);
	if (error)
		return error;
	cut_recording(stream);
	timeline->cursor = cs_run_inputs_from(stream, frame);
	return cs_run_replay_inputs(stream);
}

struct cs_error *cs_stream_goto(struct cs_stream *stream, uint64_t frame)
{
	struct cs_run_timeline *timeline = &stream->timeline;
	uint64_t first, last;
	struct cs_error *error = NULL;
	cs_stream_history(stream, &first, &last);
	if (frame < first || frame > last)
		return cs_error_new(CS_E_NOFRAME,
			"frame %llu cannot be reached: the history contains frames %llu to %llu",
			(unsigned long long)frame, (unsigned long long)first,
			(unsigned long long)last);
	if (frame == stream->clock.frame)
		return NULL;
	/* the last snapshot that was taken before the frame, or else the first one */
	const struct cs_run_snapshot *from = &timeline->snapshots.at[timeline->snapshots.n - 1];
	while (from > timeline->snapshots.at && from->frame >= frame)
		from--;
	if (stream->clock.frame > frame || stream->clock.frame < from->frame)
		error = travel_restore(
			stream, timeline->bytes.bytes + from->offset, from->size, from->frame);
	while (!error && stream->clock.frame < frame)
		error = cs_stream_step(stream, 1);
	return error;
}

struct cs_error *cs_stream_run(struct cs_stream *stream, uint64_t frame, const struct cs_job *job)
{
	enum { PIECE = 64 };
	uint64_t first, last, now;
	cs_stream_history(stream, &first, &last);
	struct cs_error *error = cs_stream_goto(stream, frame < last ? frame : last);
	while (!error && (now = stream->clock.frame) < frame) {
		if (cs_job_interrupted(job))
			return cs_error_new(CS_E_INTERRUPTED,
				"the run was interrupted at frame %llu of %llu",
				(unsigned long long)now, (unsigned long long)frame);
		error = cs_stream_step(stream, frame - now < PIECE ? frame - now : PIECE);
		cs_job_progress(job, "goto", now, frame);
	}
	return error;
}

/* ---- checkpoints ---- */

static struct cs_run_checkpoint *find_checkpoint(
	const struct cs_run_timeline *timeline, uint32_t id)
{
	for (size_t i = 0; i < timeline->checkpoints.n; i++)
		if (timeline->checkpoints.at[i].id == id)
			return &timeline->checkpoints.at[i];
	return NULL;
}

struct cs_error *cs_stream_checkpoint(struct cs_stream *stream, uint32_t *ret)
{
	struct cs_run_timeline *timeline = &stream->timeline;
	if (timeline->checkpoints.n >= CHECKPOINTS)
		return cs_error_new(CS_E_LIMIT,
			"no checkpoint was stored, because the run already has the limit of %d "
			"checkpoints: `role` begins a new run without checkpoints",
			CHECKPOINTS);
	timeline->state.size = 0;
	struct cs_run_checkpoint point = {
		.frame = stream->clock.frame, .cursor = timeline->cursor, .rooted = true};
	if (!cs_vec_reserve(&timeline->checkpoints, 1) ||
		!cs_run_state_write(stream, &timeline->state, true) ||
		!(point.bytes = malloc(timeline->state.size))) {
		timeline->state.failed = false;
		return cs_error_nomem();
	}
	memcpy(point.bytes, timeline->state.bytes, timeline->state.size);
	point.size = timeline->state.size;
	point.id = ++timeline->last_checkpoint;
	timeline->checkpoints.at[timeline->checkpoints.n++] = point;
	*ret = point.id;
	return NULL;
}

struct cs_error *cs_stream_restart(struct cs_stream *stream, uint32_t id)
{
	struct cs_run_timeline *timeline = &stream->timeline;
	struct cs_run_checkpoint *point = find_checkpoint(timeline, id);
	if (!point)
		return cs_error_new(
			CS_E_MISSING, "no checkpoint %u; 'info checkpoints' lists them", id);
	bool rooted = point->rooted && timeline->snapshots.n &&
		      timeline->snapshots.at[0].frame <= point->frame;
	timeline->rewinds++;
	struct cs_error *error = cs_run_state_read(stream, point->bytes, point->size);
	if (error)
		return error;
	cut_recording(stream);
	timeline->cursor = rooted ? point->cursor : 0;
	if (!rooted) {
		/* the recorded inputs no longer lead to the checkpoint: a new history starts */
		cs_run_timeline_forget(stream);
		point->rooted = true;
		point->cursor = 0;
		error = cs_run_timeline_keep(stream) ? NULL : cs_error_nomem();
	}
	cs_run_timeline_branch(stream);
	return error;
}

bool cs_stream_checkpoint_at(
	const struct cs_stream *stream, size_t index, uint32_t *id_ret, uint64_t *frame_ret)
{
	const struct cs_run_timeline *timeline = &stream->timeline;
	if (index >= timeline->checkpoints.n)
		return false;
	*id_ret = timeline->checkpoints.at[index].id;
	*frame_ret = timeline->checkpoints.at[index].frame;
	return true;
}
