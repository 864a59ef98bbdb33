/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns the past: snapshots, and the list of recorded inputs.
 *
 * A snapshot is the state after a frame, before the inputs of that frame were applied. Frame F is
 * reached from the last snapshot before it by running the frames between with their inputs, so most
 * frames need no snapshot, and a run of millions of frames stores its whole past in a fixed amount
 * of memory: when the snapshots exceed their limit, every second one is removed and the interval
 * doubles. When the inputs exceed theirs, the oldest part of the past is removed with them.
 *
 * Invariants: snapshots are in ascending order and consecutive in `bytes`, and the first one is the
 * first frame that can be reached; `inputs` contains every input from that frame on; those before
 * `cursor` have been applied.
 */
#include "stream/stream_internal.h"

#include "core/invariant.h"

enum { INTERVAL = 600 };

#define HISTORY (UINT64_C(64) << 20)

/* ---- snapshots ---- */

static bool cs_timeline_holds(const struct cs_run_timeline *t)
{
	size_t end = 0;
	for (size_t i = 0; i < t->snapshots.n; i++) {
		const struct cs_run_snapshot *snapshot = &t->snapshots.at[i];
		if (snapshot->offset != end || (i > 0 && snapshot->frame <= snapshot[-1].frame))
			return false;
		end += snapshot->size;
	}
	return end == t->bytes.size && t->cursor <= t->inputs.size;
}

bool cs_run_timeline_keep(struct cs_stream *s)
{
	struct cs_run_timeline *t = &s->timeline;
	struct cs_run_snapshot snapshot = {s->clock.frame, t->bytes.size, 0};
	t->state.size = 0;
	if (!cs_run_state_write(s, &t->state, true))
		return false;
	snapshot.size = t->state.size;
	if (t->snapshots.n && snapshot.size > t->limit / 4)
		return true; /* so large that only the first one is stored */
	if (!cs_vec_reserve(&t->snapshots, 1))
		return false;
	cs_writer_bytes(&t->bytes, t->state.bytes, t->state.size);
	if (t->bytes.failed)
		return false;
	t->snapshots.at[t->snapshots.n++] = snapshot;
	CS_INVARIANT(cs_timeline_holds(t), "snapshots ascend and lie one behind the other");
	return true;
}

/* Moves the remaining snapshots together. */
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
	CS_INVARIANT(cs_timeline_holds(t), "snapshots ascend and lie one behind the other");
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
	return s->clock.frame % t->interval == 0 &&
	       t->snapshots.at[t->snapshots.n - 1].frame < s->clock.frame;
}

struct cs_error *cs_run_timeline_frame(struct cs_stream *s)
{
	struct cs_run_timeline *t = &s->timeline;
	t->last = s->clock.frame > t->last ? s->clock.frame : t->last;
	if (snapshot_is_due(s) && !cs_run_timeline_keep(s)) {
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
	return cs_run_timeline_keep(s) ? NULL : cs_error_nomem();
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

/* Marks checkpoints that are not in the past of the current frame. */
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
	uproot(t, s->clock.frame, t->cursor);
	t->inputs.size = t->cursor;
	drop_snapshots_behind(t, s->clock.frame);
	CS_INVARIANT(cs_timeline_holds(t), "snapshots ascend and lie one behind the other");
	t->last = s->clock.frame;
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

/* Removes the older half of the past with its inputs; all of it when there is only one snapshot. */
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
