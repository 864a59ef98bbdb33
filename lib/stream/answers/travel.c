/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns going to other frames: forward by running them, back from a snapshot; checkpoints.
 * timeline.c stores the past.
 */
#include "stream/stream_internal.h"

#include "core/job.h"

enum { CHECKPOINTS = 1000 };

/* ---- moving ---- */

void cs_stream_history(const struct cs_stream *stream, uint64_t *first_ret, uint64_t *last_ret)
{
	const struct cs_run_timeline *t = &stream->timeline;
	*first_ret = t->snapshots.n ? t->snapshots.at[0].frame : stream->clock.frame;
	*last_ret = t->last;
}

/* Returns the last snapshot before the frame, or the first of all. */
static const struct cs_run_snapshot *snapshot_before(
	const struct cs_run_timeline *t, uint64_t frame)
{
	size_t i = t->snapshots.n - 1;
	while (i > 0 && t->snapshots.at[i].frame >= frame)
		i--;
	return &t->snapshots.at[i];
}

/* Removes recorded keys of times after the current one. */
static void cut_recording(struct cs_stream *s)
{
	if (s->sources.recorder.path)
		cs_run_path_cut(s->sources.recorder.path, cs_run_recorder_time(s));
}

static struct cs_error *travel_restore(
	struct cs_stream *s, const unsigned char *bytes, size_t size, uint64_t frame)
{
	struct cs_run_timeline *t = &s->timeline;
	t->rewinds++;
	struct cs_error *error = cs_run_state_read(s, bytes, size);
	if (error)
		return error;
	cut_recording(s);
	t->cursor = cs_run_inputs_from(s, frame);
	return cs_run_replay_inputs(s);
}

struct cs_error *cs_stream_goto(struct cs_stream *stream, uint64_t frame)
{
	struct cs_run_timeline *t = &stream->timeline;
	uint64_t first, last;
	struct cs_error *error = NULL;
	cs_stream_history(stream, &first, &last);
	if (frame < first || frame > last)
		return cs_error_new(CS_E_NOFRAME,
			"frame %llu cannot be reached: the history contains %llu to %llu",
			(unsigned long long)frame, (unsigned long long)first,
			(unsigned long long)last);
	if (frame == stream->clock.frame)
		return NULL;
	const struct cs_run_snapshot *from = snapshot_before(t, frame);
	if (stream->clock.frame > frame || stream->clock.frame < from->frame)
		error = travel_restore(
			stream, t->bytes.bytes + from->offset, from->size, from->frame);
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
			return cs_error_new(CS_E_INTERRUPTED, "interrupted at frame %llu of %llu",
				(unsigned long long)now, (unsigned long long)frame);
		error = cs_stream_step(stream, frame - now < PIECE ? frame - now : PIECE);
		cs_job_progress(job, "goto", now, frame);
	}
	return error;
}

/* ---- checkpoints ---- */

static struct cs_run_checkpoint *find_checkpoint(const struct cs_run_timeline *t, uint32_t id)
{
	for (size_t i = 0; i < t->checkpoints.n; i++)
		if (t->checkpoints.at[i].id == id)
			return &t->checkpoints.at[i];
	return NULL;
}

static struct cs_error *no_checkpoint(uint32_t id)
{
	return cs_error_new(CS_E_NOFRAME, "no checkpoint %u", id);
}

struct cs_error *cs_stream_checkpoint(struct cs_stream *stream, uint32_t *ret)
{
	struct cs_run_timeline *t = &stream->timeline;
	if (t->checkpoints.n >= CHECKPOINTS)
		return cs_error_new(CS_E_LIMIT, "more than %d checkpoints", CHECKPOINTS);
	t->state.size = 0;
	struct cs_run_checkpoint point = {
		.frame = stream->clock.frame, .cursor = t->cursor, .rooted = true};
	if (!cs_vec_reserve(&t->checkpoints, 1) || !cs_run_state_write(stream, &t->state, true) ||
		!(point.bytes = malloc(t->state.size))) {
		t->state.failed = false;
		return cs_error_nomem();
	}
	memcpy(point.bytes, t->state.bytes, t->state.size);
	point.size = t->state.size;
	point.id = ++t->last_checkpoint;
	t->checkpoints.at[t->checkpoints.n++] = point;
	*ret = point.id;
	return NULL;
}

/* Begins the history at a checkpoint of another branch, whose past is not stored. */
static struct cs_error *begin_history(struct cs_stream *s, struct cs_run_checkpoint *point)
{
	cs_run_timeline_forget(s);
	point->rooted = true;
	point->cursor = 0;
	return cs_run_timeline_keep(s) ? NULL : cs_error_nomem();
}

struct cs_error *cs_stream_restart(struct cs_stream *stream, uint32_t id)
{
	struct cs_run_timeline *t = &stream->timeline;
	struct cs_run_checkpoint *point = find_checkpoint(t, id);
	if (!point)
		return no_checkpoint(id);
	bool rooted = point->rooted && t->snapshots.n && t->snapshots.at[0].frame <= point->frame;
	t->rewinds++;
	struct cs_error *error = cs_run_state_read(stream, point->bytes, point->size);
	if (error)
		return error;
	cut_recording(stream);
	t->cursor = rooted ? point->cursor : 0;
	if (!rooted)
		error = begin_history(stream, point);
	cs_run_timeline_branch(stream);
	return error;
}

bool cs_stream_checkpoint_at(
	const struct cs_stream *stream, size_t index, uint32_t *id_ret, uint64_t *frame_ret)
{
	const struct cs_run_timeline *t = &stream->timeline;
	if (index >= t->checkpoints.n)
		return false;
	*id_ret = t->checkpoints.at[index].id;
	*frame_ret = t->checkpoints.at[index].frame;
	return true;
}
