/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The owner of the past: snapshots, checkpoints and recorded inputs, from which every earlier frame
 * can be restored.
 */
#pragma once

#include "core/cursor.h"
#include "core/vec.h"
#include "core/writer.h"
#include <cellscope/runs.h>

struct cs_run_world;
struct cs_stream;

struct cs_run_snapshot {
	uint64_t frame;
	size_t offset, size; /* range of its bytes in timeline.bytes */
};

struct cs_run_checkpoint {
	uint32_t id;
	uint64_t frame;
	size_t cursor; /* offset in timeline.inputs: earlier inputs had been applied */
	bool rooted;   /* the recorded inputs still lead to the checkpoint */
	unsigned char *bytes;
	size_t size;
};

struct cs_run_timeline {
	uint64_t limit;    /* most bytes of snapshots, and of inputs */
	uint64_t last;     /* last frame that can be reached */
	uint64_t interval; /* frames between snapshots */
	CS_VEC(struct cs_run_snapshot) snapshots;
	struct cs_writer bytes;         /* bytes of all snapshots, consecutively */
	struct cs_writer state, record; /* buffers for a snapshot and for an input */
	struct cs_stream_source source; /* buffer for a decoded input */
	struct cs_writer inputs;        /* records in ascending order of frames */
	size_t cursor;                  /* offset in inputs: earlier inputs have been applied */
	CS_VEC(struct cs_run_checkpoint) checkpoints;
	uint32_t last_checkpoint;
	uint64_t rewinds; /* number of times the run went back; never restored */
};

/* ---- input.c: an input acts, then it is recorded ---- */

/* Applies an input. */
struct cs_error *cs_run_input_apply(
	struct cs_stream *stream, const struct cs_stream_input *input) CS_MUST_USE;
/* Writes the record of an input. */
void cs_run_input_write(const struct cs_stream *stream, const struct cs_stream_input *input,
	struct cs_writer *writer);
/* Applies the recorded inputs of the current frame. */
struct cs_error *cs_run_replay_inputs(struct cs_stream *stream) CS_MUST_USE;
/* Returns the offset of the first recorded input of `frame` or a later one. */
size_t cs_run_inputs_from(const struct cs_stream *stream, uint64_t frame);

/*
 * Applies an input of one kind, in the module that owns what it changes; changes nothing on an
 * error.
 */
typedef struct cs_error *cs_run_apply(struct cs_stream *s, const struct cs_stream_input *input);
cs_run_apply cs_run_apply_source, cs_run_apply_move, cs_run_apply_remove, cs_run_apply_follow,
	cs_run_apply_variable, cs_run_apply_hlod, cs_run_apply_range, cs_run_apply_block,
	cs_run_apply_layer, cs_run_apply_register, cs_run_apply_client, cs_run_apply_client_remove,
	cs_run_apply_hold, cs_run_apply_fault;

/* ---- timeline.c ---- */

struct cs_error *cs_run_timeline_init(
	struct cs_stream *stream, const struct cs_stream_options *options) CS_MUST_USE;
void cs_run_timeline_deinit(struct cs_stream *stream);
/*
 * After a frame: takes a snapshot when one is due, then applies the recorded inputs of the frame.
 */
struct cs_error *cs_run_timeline_frame(struct cs_stream *stream) CS_MUST_USE;
/* Takes a snapshot; false without memory. */
bool cs_run_timeline_keep(struct cs_stream *stream);
/* Removes what was recorded after the current frame: a new input, or a restart, replaces it. */
void cs_run_timeline_branch(struct cs_stream *stream);
/* Removes snapshots and inputs: frames before the next snapshot cannot be reached any more. */
void cs_run_timeline_forget(struct cs_stream *stream);
/* Removes the older half of the past when the inputs exceed their limit. */
void cs_run_timeline_trim(struct cs_stream *stream);
