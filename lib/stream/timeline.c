/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: going back: snapshots, the recorded inputs as a whole, checkpoints.
 *
 * A snapshot is the state behind a frame, before the inputs of that frame acted. Frame F is reached
 * from the last snapshot before it by running the frames between with their inputs; so no snapshot
 * is needed for every frame, and a run of millions keeps its whole past in a fixed memory: when the
 * snapshots outgrow their limit, every second one goes and the interval doubles. Inputs that
 * outgrow theirs take the oldest part of the past with them.
 *
 * Invariants: snapshots ascend, lie one behind the other in `bytes`, and the first is the first
 * frame that can be reached; `inputs` holds every input from that frame on; those before `cursor`
 * have acted.
 */
#include "stream/stream.h"

enum { INTERVAL = 600, CHECKPOINTS = 1000 };

#define HISTORY (UINT64_C(64) << 20)

/* ---- snapshots ---- */

static bool keep_snapshot(struct cs_stream *s)
{
	struct cs_run_timeline *t = &s->timeline;
	struct cs_run_snapshot snapshot = {s->frame, t->bytes.size, 0};
	t->state.size = 0;
	if (!cs_run_state_write(s, &t->state, true))
		return false;
	snapshot.size = t->state.size;
	if (t->snapshots.n && snapshot.size > t->limit / 4)
		return true; /* too large to keep any but the first */
	cs_writer_bytes(&t->bytes, t->state.bytes, t->state.size);
	return !t->bytes.failed && cs_vec_push(&t->snapshots, snapshot);
}

/* Moves the kept snapshots together. */
static void close_gaps(struct cs_run_timeline *t, size_t n)
{
	size_t end = 0;
	t->snapshots.n = n;
	for (size_t i = 0; i < n; i++) {
		struct cs_run_snapshot *snapshot = &t->snapshots.at[i];
		memmove(t->bytes.bytes + end, t->bytes.bytes + snapshot->offset, snapshot->size);
		snapshot->offset = end;
		end += snapshot->size;
	}
	t->bytes.size = end;
}

static void thin(struct cs_run_timeline *t)
{
	size_t kept = 0;
	for (size_t i = 0; i < t->snapshots.n; i += 2)
		t->snapshots.at[kept++] = t->snapshots.at[i];
	close_gaps(t, kept);
	t->interval *= 2;
}

static void drop_snapshots_behind(struct cs_run_timeline *t, uint64_t frame)
{
	while (t->snapshots.n && t->snapshots.at[t->snapshots.n - 1].frame > frame)
		t->bytes.size = t->snapshots.at[--t->snapshots.n].offset;
}

static bool snapshot_is_due(const struct cs_stream *s)
{
	const struct cs_run_timeline *t = &s->timeline;
	if (t->snapshots.n == 0)
		return true;
	return s->frame % t->interval == 0 && t->snapshots.at[t->snapshots.n - 1].frame < s->frame;
}

struct cs_error *cs_run_timeline_frame(struct cs_stream *s)
{
	struct cs_run_timeline *t = &s->timeline;
	t->last = s->frame > t->last ? s->frame : t->last;
	if (snapshot_is_due(s) && !keep_snapshot(s)) {
		t->bytes.failed = t->state.failed = false;
		return cs_error_nomem();
	}
	while (t->bytes.size > t->limit && t->snapshots.n > 2)
		thin(t);
	return t->cursor < t->inputs.size ? cs_run_replay_inputs(s) : NULL;
}

/* ---- life ---- */

struct cs_error *cs_run_timeline_init(struct cs_stream *s, const struct cs_stream_options *options)
{
	struct cs_run_timeline *t = &s->timeline;
	t->limit = options && options->history_bytes ? options->history_bytes : HISTORY;
	t->interval = INTERVAL;
	return keep_snapshot(s) ? NULL : cs_error_nomem();
}

void cs_run_timeline_deinit(struct cs_stream *s)
{
	struct cs_run_timeline *t = &s->timeline;
	for (size_t i = 0; i < t->checkpoints.n; i++)
		free(t->checkpoints.at[i].bytes);
	cs_vec_free(&t->checkpoints);
	cs_vec_free(&t->snapshots);
	cs_writer_deinit(&t->bytes);
	cs_writer_deinit(&t->state);
	cs_writer_deinit(&t->inputs);
	cs_writer_deinit(&t->record);
}

/* ---- changing the past ---- */

/* Checkpoints from which the present cannot have come. */
static void uproot(struct cs_run_timeline *t, uint64_t frame, size_t cursor)
{
	for (size_t i = 0; i < t->checkpoints.n; i++) {
		struct cs_run_checkpoint *point = &t->checkpoints.at[i];
		if (point->frame > frame || (point->frame == frame && point->cursor > cursor))
			point->rooted = false;
	}
}

void cs_run_timeline_branch(struct cs_stream *s)
{
	struct cs_run_timeline *t = &s->timeline;
	uproot(t, s->frame, t->cursor);
	t->inputs.size = t->cursor;
	drop_snapshots_behind(t, s->frame);
	t->last = s->frame;
}

void cs_run_timeline_forget(struct cs_stream *s)
{
	struct cs_run_timeline *t = &s->timeline;
	t->snapshots.n = 0;
	t->bytes.size = t->inputs.size = t->cursor = 0;
	for (size_t i = 0; i < t->checkpoints.n; i++)
		t->checkpoints.at[i].rooted = false;
}

static void drop_inputs_before(struct cs_run_timeline *t, size_t at)
{
	memmove(t->inputs.bytes, t->inputs.bytes + at, t->inputs.size - at);
	t->inputs.size -= at;
	t->cursor -= at;
	for (size_t i = 0; i < t->checkpoints.n; i++) {
		struct cs_run_checkpoint *point = &t->checkpoints.at[i];
		point->rooted = point->rooted && point->cursor >= at;
		point->cursor -= point->rooted ? at : 0;
	}
}

/* The older half of the past goes with its inputs; all of it where there is but one snapshot. */
void cs_run_timeline_trim(struct cs_stream *s)
{
	struct cs_run_timeline *t = &s->timeline;
	if (t->inputs.size <= t->limit)
		return;
	if (t->snapshots.n < 2) {
		cs_run_timeline_forget(s);
		return;
	}
	size_t first = t->snapshots.n / 2;
	drop_inputs_before(t, cs_run_inputs_from(s, t->snapshots.at[first].frame));
	memmove(t->snapshots.at, t->snapshots.at + first,
		(t->snapshots.n - first) * sizeof(*t->snapshots.at));
	close_gaps(t, t->snapshots.n - first);
}

/* ---- moving ---- */

void cs_stream_history(const struct cs_stream *stream, uint64_t *first_ret, uint64_t *last_ret)
{
	const struct cs_run_timeline *t = &stream->timeline;
	*first_ret = t->snapshots.n ? t->snapshots.at[0].frame : stream->frame;
	*last_ret = t->last;
}

/* The last snapshot before the frame, or the first of all. */
static const struct cs_run_snapshot *snapshot_before(
	const struct cs_run_timeline *t, uint64_t frame)
{
	size_t i = t->snapshots.n - 1;
	while (i > 0 && t->snapshots.at[i].frame >= frame)
		i--;
	return &t->snapshots.at[i];
}

/* What a recorder has of times that are to come. */
static void cut_recording(struct cs_stream *s)
{
	if (s->recorder.path)
		cs_run_path_cut(s->recorder.path, cs_run_recorder_time(s));
}

static struct cs_error *restore(
	struct cs_stream *s, const unsigned char *bytes, size_t size, uint64_t frame)
{
	struct cs_run_timeline *t = &s->timeline;
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
			"frame %llu cannot be reached: the history holds %llu to %llu",
			(unsigned long long)frame, (unsigned long long)first,
			(unsigned long long)last);
	if (frame == stream->frame)
		return NULL;
	const struct cs_run_snapshot *from = snapshot_before(t, frame);
	if (stream->frame > frame || stream->frame < from->frame)
		error = restore(stream, t->bytes.bytes + from->offset, from->size, from->frame);
	while (!error && stream->frame < frame)
		error = cs_stream_step(stream, 1);
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
		.frame = stream->frame, .cursor = t->cursor, .rooted = true};
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

/* The past of a checkpoint from another branch is not kept: it is where history begins. */
static struct cs_error *begin_history(struct cs_stream *s, struct cs_run_checkpoint *point)
{
	cs_run_timeline_forget(s);
	point->rooted = true;
	point->cursor = 0;
	return keep_snapshot(s) ? NULL : cs_error_nomem();
}

struct cs_error *cs_stream_restart(struct cs_stream *stream, uint32_t id)
{
	struct cs_run_timeline *t = &stream->timeline;
	struct cs_run_checkpoint *point = find_checkpoint(t, id);
	if (!point)
		return no_checkpoint(id);
	bool rooted = point->rooted && t->snapshots.n && t->snapshots.at[0].frame <= point->frame;
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

struct cs_error *cs_stream_checkpoint_remove(struct cs_stream *stream, uint32_t id)
{
	struct cs_run_timeline *t = &stream->timeline;
	struct cs_run_checkpoint *point = find_checkpoint(t, id);
	if (!point)
		return no_checkpoint(id);
	free(point->bytes);
	size_t behind = (size_t)(t->checkpoints.at + t->checkpoints.n - (point + 1));
	memmove(point, point + 1, behind * sizeof(*point));
	t->checkpoints.n--;
	return NULL;
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
