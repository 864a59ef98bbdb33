/* SPDX-License-Identifier: Apache-2.0 */
/* The past of a run: snapshots, checkpoints and inputs, from which earlier frames are restored. */
#pragma once

#include "core/cursor.h"
#include "core/vec.h"
#include "core/writer.h"
#include <cellscope/runs.h>

struct cs_run_world;
struct cs_stream;

struct cs_run_snapshot {
	uint64_t frame;
	size_t offset, size; /* range of the snapshot in timeline.bytes */
};

struct cs_run_checkpoint {
	uint32_t id;
	uint64_t frame;
	/* offset in timeline.inputs up to which inputs had been applied at the checkpoint */
	size_t cursor;
	bool rooted; /* replaying the recorded inputs leads to the state of the checkpoint */
	unsigned char *bytes;
	size_t size;
};

struct cs_run_timeline {
	/* largest size in bytes of all snapshots, and also of all recorded inputs */
	uint64_t limit;
	uint64_t last;     /* latest simulated frame; inputs up to it are recorded */
	uint64_t interval; /* number of frames between two snapshots */
	CS_VEC(struct cs_run_snapshot) snapshots;
	struct cs_writer bytes;         /* bytes of all snapshots, consecutively */
	struct cs_writer state, record; /* buffers for writing one snapshot and one input */
	struct cs_stream_source source; /* buffer for reading an input */
	struct cs_writer inputs;        /* recorded inputs, in ascending order of their frames */
	/* offset in `inputs` up to which inputs have been applied */
	size_t cursor;
	CS_VEC(struct cs_run_checkpoint) checkpoints;
	uint32_t last_checkpoint;
	/* number of times the run went back; restoring a state does not reset it */
	uint64_t rewinds;
};

/* ---- input.c: applying an input, and then recording it ---- */

struct cs_error *cs_run_input_apply(
	struct cs_stream *stream, const struct cs_stream_input *input) CS_MUST_USE;
void cs_run_input_write(const struct cs_stream *stream, const struct cs_stream_input *input,
	struct cs_writer *writer);
/* Applies the recorded inputs of the current frame. */
struct cs_error *cs_run_replay_inputs(struct cs_stream *stream) CS_MUST_USE;
/* Returns the offset in timeline.inputs of the first input of `frame` or a later frame. */
size_t cs_run_inputs_from(const struct cs_stream *stream, uint64_t frame);

/* Applies one kind of input, in the module whose state it changes. Changes nothing on an error. */
typedef struct cs_error *cs_run_apply(struct cs_stream *s, const struct cs_stream_input *input);
cs_run_apply cs_run_apply_source, cs_run_apply_move, cs_run_apply_remove, cs_run_apply_follow,
	cs_run_apply_variable, cs_run_apply_hlod, cs_run_apply_range, cs_run_apply_block,
	cs_run_apply_layer, cs_run_apply_register, cs_run_apply_client, cs_run_apply_client_remove,
	cs_run_apply_hold, cs_run_apply_fault;

/* ---- timeline.c: snapshots ---- */

struct cs_error *cs_run_timeline_init(
	struct cs_stream *stream, const struct cs_stream_options *options) CS_MUST_USE;
void cs_run_timeline_deinit(struct cs_stream *stream);
/* Called after a frame: takes a snapshot if one is due; applies the frame's recorded inputs. */
struct cs_error *cs_run_timeline_frame(struct cs_stream *stream) CS_MUST_USE;
/* Takes a snapshot of the run; false when memory runs out. */
bool cs_run_timeline_keep(struct cs_stream *stream);
/* Removes everything recorded after the current frame, as a new input or a restart replaces it. */
void cs_run_timeline_branch(struct cs_stream *stream);
/* Removes all snapshots and inputs: frames before the next snapshot cannot be restored any more. */
void cs_run_timeline_forget(struct cs_stream *stream);
/* Removes the older half of the snapshots and inputs when the inputs exceed timeline.limit. */
void cs_run_timeline_trim(struct cs_stream *stream);
