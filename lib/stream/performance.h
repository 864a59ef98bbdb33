/* SPDX-License-Identifier: Apache-2.0 */
/* The owner of streaming performance: Good, Slow, Critical, and the blocking wait. */
#pragma once

#include "stream/range.h"
#include <cellscope/stream.h>

struct cs_run_world;
struct cs_stream;

/* A cell that makes the frame block. */
struct cs_run_critical {
	struct cs_stream_cell cell;
	double ratio;    /* distance / radius of the nearest blocking source */
	uint32_t source; /* source of the nearest target, in stream.sources.active, or CS_NONE */
};

/* State of a stream. cs_run_world_performance has `state` and `display` for one world. */
struct cs_run_performance {
	uint8_t state, display; /* enum cs_performance */
	bool block_requested, block_by_performance, in_block;
	CS_VEC(struct cs_run_critical) critical; /* lowest ratio first, at most CS_STALL_CELLS */
};

struct cs_run_world_performance {
	uint8_t state, display; /* enum cs_performance */
	bool judged;            /* hit.performance of its cells is that of the last frame */
};

/* Returns whether the policy ignores the cell in the current blocking wait. */
bool cs_run_skips(const struct cs_stream *stream, const struct cs_run_world *world, uint32_t cell);
void cs_run_performance_begin(struct cs_stream *stream, struct cs_run_world *world);
/*
 * Returns whether a cell that should be activated is judged: it is not visible yet, and it blocks
 * or the rules judge all cells.
 */
bool cs_run_judges(const struct cs_stream *stream, const struct cs_run_world *world, uint32_t cell);
/* Judges a cell for which cs_run_judges() is true; returns the value for hit.performance. */
uint8_t cs_run_judge(struct cs_stream *stream, struct cs_run_world *world, uint32_t cell,
	const struct cs_run_info *info);
/* After the evaluation of a world: requests a wait when its performance demands one. */
void cs_run_performance_request(struct cs_stream *stream, const struct cs_run_world *world);
/* After all worlds: sets the stream's state and display to the worst of any world. */
void cs_run_performance_finish(struct cs_stream *stream);
/* Waits as BlockTillLevelStreamingCompleted does. */
bool cs_run_block(struct cs_stream *stream);
