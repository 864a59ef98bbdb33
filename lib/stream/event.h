/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The log of a run: its events, the statistics of each frame, stalls (blocking waits), and sums
 * over all frames. Functions that answer questions about the run read the log; the run itself reads
 * only the record of the current frame.
 */
#pragma once

#include "core/codec.h"
#include <cellscope/runs.h>

struct cs_run_world;
struct cs_stream;

struct cs_run_event {
	uint64_t number;
	struct cs_stream_event event;
};

struct cs_run_stall {
	uint64_t number;
	struct cs_stream_stall stall;
};

struct cs_run_log {
	/* three ring buffers: item number i is at index i modulo the size of the array */
	struct cs_run_event *events;
	struct cs_stream_frame *frames;
	struct cs_run_stall *stalls;
	uint32_t n_events, n_frames;
	uint64_t event_count, stall_count; /* number of events and stalls so far */
	/* last frame whose record in `frames` an earlier frame overwrote after going back, or 0 */
	uint64_t last_hole;
	struct cs_stream_report report;
	struct cs_stream_frame now; /* record of the current frame */
};

/* Writes or reads the snapshot's part of the log: event_count, stall_count and `report`. */
void cs_run_log_code(struct cs_codec *codec, struct cs_run_log *log);

struct cs_error *cs_run_log_init(
	struct cs_run_log *log, const struct cs_stream_options *options) CS_MUST_USE;
void cs_run_log_deinit(struct cs_run_log *log);
void cs_run_event(struct cs_stream *stream, enum cs_event event, struct cs_stream_cell cell,
	uint32_t detail, unsigned from, unsigned to, enum cs_reason reason);
void cs_run_frame_begin(struct cs_stream *stream);
void cs_run_frame_finish(struct cs_stream *stream);
void cs_run_stall_add(struct cs_stream *stream, const struct cs_stream_stall *stall);
