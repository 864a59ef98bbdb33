/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The owner of how well streaming keeps up: Good, Slow, Critical, and the blocking wait.
 */
#pragma once

#include "stream/range.h"
#include <cellscope/stream.h>

struct cs_run_world;
struct cs_stream;

/* A cell that makes the frame block. */
struct cs_run_critical {
	struct cs_stream_cell cell;
	double ratio;
	uint32_t source; /* stream.sources.active: of the nearest target, or CS_NONE */
};

/* Of a stream, and its first two of each world. */
struct cs_run_performance {
	uint8_t state, display; /* enum cs_performance */
	bool block_requested, block_by_performance, in_block;
	CS_VEC(struct cs_run_critical) critical; /* of the frame, nearest first */
};

struct cs_run_world_performance {
	uint8_t state, display; /* enum cs_performance */
	bool judged;            /* hit.performance of its cells is of the last frame */
};

/* Whether the policy leaves the cell alone in this blocking wait. */
bool cs_run_skips(const struct cs_stream *s, const struct cs_run_world *w, uint32_t cell);
void cs_run_performance_begin(struct cs_stream *s, struct cs_run_world *w);
/* Whether a cell of FrameActivate has a say. */
bool cs_run_judges(const struct cs_stream *s, const struct cs_run_world *w, uint32_t cell);
/* Judges such a cell: what hit.performance is to be. */
uint8_t cs_run_judge(
	struct cs_stream *s, struct cs_run_world *w, uint32_t cell, const struct cs_run_info *info);
/* Behind the evaluation of a world: asks for a wait where it is that bad. */
void cs_run_performance_request(struct cs_stream *s, const struct cs_run_world *w);
/* Behind all worlds: the worst of them. */
void cs_run_performance_finish(struct cs_stream *s);
/* BlockTillLevelStreamingCompleted. */
bool cs_run_block(struct cs_stream *s);
