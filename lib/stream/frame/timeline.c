/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stores the past of a run: snapshots, and the list of recorded inputs.
 *
 * A snapshot is the state after a frame, before the inputs of that frame were applied. To reach
 * frame F, the last snapshot before F is restored and the frames between are run with their inputs.
 * So most frames need no snapshot, and millions of frames fit into a fixed amount of memory: when
 * the snapshots exceed their limit, every second one is removed and the interval between snapshots
 * doubles. When the inputs exceed their limit, the older half of the snapshots and inputs is
 * removed.
 *
 * Invariants: snapshots are in ascending order of frames and consecutive in `bytes`, and the frame
 * of the first one is the first frame that can be reached; `inputs` contains every input from that
 * frame on; inputs before `cursor` have been applied.
 */
#include "stream/stream_internal.h"

#include "core/invariant.h"

enum { INTERVAL = 600 };

#define HISTORY (UINT64_C(64) << 20)

/* ---- snapshots ---- */

static bool timeline_holds(const struct cs_run_timeline *timeline)
{
	size_t end = 0;
	for (size_t i = 0; i < timeline->snapshots.n; i++) {
		const struct cs_run_snapshot *snapshot = &timeline->snapshots.at[i];
		if (snapshot->offset != end || (i > 0 && snapshot->frame <= snapshot[-1].frame))
			return false;
		end += snapshot->size;
	}
	return end == timeline->bytes.size && timeline->cursor <= timeline->inputs.size;
}

bool cs_run_timeline_keep(struct cs_stream *stream)
{
	struct cs_run_timeline *timeline = &stream->timeline;
	struct cs_run_snapshot snapshot = {stream->clock.frame, timeline->bytes.size, 0};
	timeline->state.size = 0;
	if (!cs_run_state_write(stream, &timeline->state, true))
		return false;
	snapshot.size = timeline->state.size;
	if (timeline->snapshots.n && snapshot.size > timeline->limit / 4)
		/* more snapshots of this size would soon exceed the limit: store only the first */
		return true;
	if (!cs_vec_reserve(&timeline->snapshots, 1))
		return false;
	cs_writer_bytes(&timeline->bytes, timeline->state.bytes, timeline->state.size);
	if (timeline->bytes.failed)
		return false;
	timeline->snapshots.at[timeline->snapshots.n++] = snapshot;
	CS_INVARIANT(timeline_holds(timeline), "snapshots ascend and lie one behind the other");
	return true;
}

/* Truncates the list to n snapshots, and moves their bytes together in `bytes`. */
static void close_gaps(struct cs_run_timeline *timeline, size_t n)
{
	size_t end = 0;
	timeline->snapshots.n = n;
	for (size_t i = 0; i < n; i++) {
		struct cs_run_snapshot *snapshot = &timeline->snapshots.at[i];
		memmove(timeline->bytes.bytes + end, timeline->bytes.bytes + snapshot->offset,
			snapshot->size);
		snapshot->offset = end;
		end += snapshot->size;
	}
	timeline->bytes.size = end;
	CS_INVARIANT(timeline_holds(timeline), "snapshots ascend and lie one behind the other");
}

static void thin(struct cs_run_timeline *timeline)
{
	size_t kept = 0;
	for (size_t i = 0; i < timeline->snapshots.n; i += 2)
		timeline->snapshots.at[kept++] = timeline->snapshots.at[i];
	close_gaps(timeline, kept);
	timeline->interval *= 2;
}

static bool snapshot_is_due(const struct cs_stream *stream)
{
	const struct cs_run_timeline *timeline = &stream->timeline;
	if (timeline->snapshots.n == 0)
		return true;
	return stream->clock.frame % timeline->interval == 0 &&
	       timeline->snapshots.at[timeline->snapshots.n - 1].frame < stream->clock.frame;
}

struct cs_error *cs_run_timeline_frame(struct cs_stream *stream)
{
	struct cs_run_timeline *timeline = &stream->timeline;
	timeline->last =
		stream->clock.frame > timeline->last ? stream->clock.frame : timeline->last;
	if (snapshot_is_due(stream) && !cs_run_timeline_keep(stream)) {
		timeline->bytes.failed = timeline->state.failed = false;
		return cs_error_nomem();
	}
	while (timeline->bytes.size > timeline->limit && timeline->snapshots.n > 2)
		thin(timeline);
	return timeline->cursor < timeline->inputs.size ? cs_run_replay_inputs(stream) : NULL;
}

/* ---- creating and freeing ---- */

struct cs_error *cs_run_timeline_init(
	struct cs_stream *stream, const struct cs_stream_options *options)
{
	struct cs_run_timeline *timeline = &stream->timeline;
	timeline->limit = options && options->history_bytes ? options->history_bytes : HISTORY;
	timeline->interval = INTERVAL;
	return cs_run_timeline_keep(stream) ? NULL : cs_error_nomem();
}

void cs_run_timeline_deinit(struct cs_stream *stream)
{
	struct cs_run_timeline *timeline = &stream->timeline;
	for (size_t i = 0; i < timeline->checkpoints.n; i++)
		free(timeline->checkpoints.at[i].bytes);
	cs_vec_free(&timeline->checkpoints);
	cs_vec_free(&timeline->snapshots);
	cs_writer_deinit(&timeline->bytes);
	cs_writer_deinit(&timeline->state);
	cs_writer_deinit(&timeline->inputs);
	cs_writer_deinit(&timeline->record);
}

/* ---- removing recorded frames and inputs ---- */

void cs_run_timeline_branch(struct cs_stream *stream)
{
	struct cs_run_timeline *timeline = &stream->timeline;
	/* checkpoints after the current frame and input need inputs that are removed below */
	for (size_t i = 0; i < timeline->checkpoints.n; i++) {
		struct cs_run_checkpoint *point = &timeline->checkpoints.at[i];
		if (point->frame > stream->clock.frame ||
			(point->frame == stream->clock.frame && point->cursor > timeline->cursor))
			point->rooted = false;
	}
	timeline->inputs.size = timeline->cursor;
	while (timeline->snapshots.n &&
		timeline->snapshots.at[timeline->snapshots.n - 1].frame > stream->clock.frame)
		timeline->bytes.size = timeline->snapshots.at[--timeline->snapshots.n].offset;
	CS_INVARIANT(timeline_holds(timeline), "snapshots ascend and lie one behind the other");
	timeline->last = stream->clock.frame;
}

void cs_run_timeline_forget(struct cs_stream *stream)
{
	struct cs_run_timeline *timeline = &stream->timeline;
	timeline->snapshots.n = 0;
	timeline->bytes.size = timeline->inputs.size = timeline->cursor = 0;
	for (size_t i = 0; i < timeline->checkpoints.n; i++)
		timeline->checkpoints.at[i].rooted = false;
}

static void drop_inputs_before(struct cs_run_timeline *timeline, size_t at)
{
	memmove(timeline->inputs.bytes, timeline->inputs.bytes + at, timeline->inputs.size - at);
	timeline->inputs.size -= at;
	timeline->cursor -= at;
	for (size_t i = 0; i < timeline->checkpoints.n; i++) {
		struct cs_run_checkpoint *point = &timeline->checkpoints.at[i];
		point->rooted = point->rooted && point->cursor >= at;
		point->cursor -= point->rooted ? at : 0;
	}
}

/* Removes the older half of snapshots and inputs, or everything if there is only one snapshot. */
void cs_run_timeline_trim(struct cs_stream *stream)
{
	struct cs_run_timeline *timeline = &stream->timeline;
	if (timeline->inputs.size <= timeline->limit)
		return;
	if (timeline->snapshots.n < 2) {
		cs_run_timeline_forget(stream);
		return;
	}
	size_t first = timeline->snapshots.n / 2;
	drop_inputs_before(
		timeline, cs_run_inputs_from(stream, timeline->snapshots.at[first].frame));
	memmove(timeline->snapshots.at, timeline->snapshots.at + first,
		(timeline->snapshots.n - first) * sizeof(*timeline->snapshots.at));
	close_gaps(timeline, timeline->snapshots.n - first);
}
