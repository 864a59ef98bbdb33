/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The owner of the past: snapshots, checkpoints and recorded inputs, from which any frame comes
 * back.
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
	size_t offset, size; /* in timeline.bytes */
};

struct cs_run_checkpoint {
	uint32_t id;
	uint64_t frame;
	size_t cursor; /* in timeline.inputs: those before it had acted */
	bool rooted;   /* these are still the inputs that led to it */
	unsigned char *bytes;
	size_t size;
};

struct cs_run_timeline {
	uint64_t limit;    /* bytes of snapshots; as much again for inputs */
	uint64_t last;     /* frame that can be reached */
	uint64_t interval; /* frames between snapshots */
	CS_VEC(struct cs_run_snapshot) snapshots;
	struct cs_writer bytes;         /* of all snapshots, one behind the other */
	struct cs_writer state, record; /* scratch */
	struct cs_stream_source source; /* scratch: of a decoded input */
	struct cs_writer inputs;        /* records, ascending in frame */
	size_t cursor;                  /* in inputs: those before it have acted */
	CS_VEC(struct cs_run_checkpoint) checkpoints;
	uint32_t last_checkpoint;
	uint64_t rewinds; /* never goes back itself */
};

/* ---- input.c: an input acts, then it is recorded ---- */

/* Lets an input act. */
struct cs_error *cs_run_input_apply(
	struct cs_stream *s, const struct cs_stream_input *input) CS_MUST_USE;
/* Its record. */
void cs_run_input_write(
	const struct cs_stream *s, const struct cs_stream_input *input, struct cs_writer *writer);
/* Lets the recorded inputs of the present frame act. */
struct cs_error *cs_run_replay_inputs(struct cs_stream *s) CS_MUST_USE;
/* Place of the first recorded input of this frame or a later one. */
size_t cs_run_inputs_from(const struct cs_stream *s, uint64_t frame);

/* How each kind acts, in the module that owns what it changes; nothing happens on an error. */
typedef struct cs_error *cs_run_apply(struct cs_stream *s, const struct cs_stream_input *input);
cs_run_apply cs_run_apply_source, cs_run_apply_move, cs_run_apply_remove, cs_run_apply_follow,
	cs_run_apply_variable, cs_run_apply_hlod, cs_run_apply_range, cs_run_apply_block,
	cs_run_apply_layer, cs_run_apply_register, cs_run_apply_client, cs_run_apply_client_remove,
	cs_run_apply_hold, cs_run_apply_fault;

/* ---- timeline.c ---- */

struct cs_error *cs_run_timeline_init(
	struct cs_stream *s, const struct cs_stream_options *options) CS_MUST_USE;
void cs_run_timeline_deinit(struct cs_stream *s);
/* Behind a frame: a snapshot when one is due, then the recorded inputs of the frame. */
struct cs_error *cs_run_timeline_frame(struct cs_stream *s) CS_MUST_USE;
/* A snapshot of now; false without memory. */
bool cs_run_timeline_keep(struct cs_stream *s);
/* Something new happens behind this frame: what was recorded behind it is dropped. */
void cs_run_timeline_branch(struct cs_stream *s);
/* Nothing before the next frame can be reached any more. */
void cs_run_timeline_forget(struct cs_stream *s);
/* Keeps the inputs within their limit. */
void cs_run_timeline_trim(struct cs_stream *s);
