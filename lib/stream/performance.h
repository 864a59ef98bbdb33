/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Streaming performance of a run (Good, Slow, Critical), and the blocking wait that it can cause.
 */
#pragma once

#include "stream/range.h"
#include <cellscope/stream.h>

struct cs_run_world;
struct cs_stream;

/* A cell for which the frame blocks (waits until the cell is loaded). */
struct cs_run_critical {
	struct cs_stream_cell cell;
	double ratio; /* distance / radius for the nearest blocking source */
	/* index in stream.sources.active of the blocking source nearest to the cell, or CS_NONE */
	uint32_t source;
};

/* Performance of the whole run: the worst `state` and `display` of all world partitions. */
struct cs_run_performance {
	uint8_t state, display; /* enum cs_performance */
	bool block_requested, block_by_performance, in_block;
	/* critical cells, in the order in which their world partitions were evaluated */
	CS_VEC(struct cs_run_critical) critical;
};

struct cs_run_world_performance {
	uint8_t state;   /* enum cs_performance: the worst of the cells that may block */
	uint8_t display; /* enum cs_performance: the worst of all cells */
	/* whether cs_run_hit.performance of the cells was computed in the last frame */
	bool judged;
};

/* Returns whether the policy ignores the cell in the current blocking wait. */
bool cs_run_skips(const struct cs_stream *stream, const struct cs_run_world *world, uint32_t cell);
void cs_run_performance_begin(struct cs_stream *stream, struct cs_run_world *world);
/*
 * Returns whether the cell counts for the streaming performance (rule 2.5): it should be activated
 * but is not visible yet, and either it blocks on slow streaming or the engine version counts all
 * cells.
 */
bool cs_run_judges(const struct cs_stream *stream, const struct cs_run_world *world, uint32_t cell);
/*
 * Returns cs_run_hit.performance for a cell that cs_run_judges() accepts, and worsens that of its
 * world partition to it.
 */
uint8_t cs_run_judge(struct cs_stream *stream, struct cs_run_world *world, uint32_t cell,
	const struct cs_run_info *info);
/* Stores in `worst` the struct cs_run_critical of lowest ratio, lowest first; returns how many. */
size_t cs_run_worst_critical(
	const struct cs_stream *stream, struct cs_run_critical worst[CS_STALL_CELLS]);
/* Requests a blocking wait if the performance of a just evaluated world partition demands one. */
void cs_run_performance_request(struct cs_stream *stream, const struct cs_run_world *world);
/* After all evaluations: sets the run's `state` and `display` to the worst of all partitions. */
void cs_run_performance_finish(struct cs_stream *stream);
