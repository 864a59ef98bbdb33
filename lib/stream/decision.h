/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records what a frame decided about a cell, and what was measured for it. why.c, why_layer.c,
 * layer_view.c and hlod_view.c answer questions with this header and no other header of the run
 * (checked by tests/house.sh), so they can only report decisions, not decide anew.
 */
#pragma once

#include <cellscope/stream.h>

struct cs_run_decision {
	bool known; /* a frame has decided about the cell; the members below are valid */
	/* last frame that evaluated the cell's world partition, or skipped it as unchanged */
	uint64_t in;
	uint32_t changed; /* set of enum cs_changed: which inputs changed since frame `in` */
	enum cs_layer_state wanted;
	enum cs_reason reason;   /* rule that decided `wanted` */
	enum cs_reason waits;    /* why the cell has not reached `wanted`, or CS_REASON_ARRIVED */
	enum cs_reason obstacle; /* why the cell is not activated, or CS_REASON_NONE */
	enum cs_layer_state by_sources, by_layers;
	uint32_t layer;  /* data layer that limits the state, or CS_NONE */
	uint32_t client; /* for CS_REASON_CLIENT_SEES: index of the client that sees the cell */
	/* for CS_REASON_TURN: the cell that is being shown or hidden, or CS_STREAM_NO_CELL */
	struct cs_stream_cell blocker;
	uint32_t warm_frames; /* for CS_REASON_WARMUP: calls of cs_run_can_show/hide still needed */
	/* the cell is not visible, and the last evaluation judged its distance ratio (rule 2.5) */
	bool judged;
	enum cs_performance performance; /* streaming performance as judged by the distance ratio */
};

/* Fills *ret with what is recorded about the cell, which must exist. */
void cs_run_decision_of(
	const struct cs_stream *stream, struct cs_stream_cell cell, struct cs_run_decision *ret);

/* Returns whether sources reach the cell, or a server that ignores sources requests it. */
bool cs_run_is_asked_for(const struct cs_stream *stream, struct cs_stream_cell cell);
/*
 * Returns the cell's row in a list of cs_stream_order_open, its rank and the list's length, or
 * NULL.
 */
const struct cs_stream_order_row *cs_run_queue_row(const struct cs_stream *stream,
	struct cs_stream_cell cell, uint32_t *rank_ret, uint32_t *of_ret);

/* Distances and sort keys of a cell, computed from the sources of the last evaluation. */
struct cs_run_measures {
	/* shape that hits the cell with the lowest spatial key; without a hit, the nearest */
	struct cs_stream_reach nearest;
	uint32_t n_hits; /* number of shapes that reach the cell and apply to its partition */
	/* a shape reaches the cell, but its source's grid filter excludes the partition */
	bool filtered;
	struct cs_stream_keys keys;
	bool blocking; /* a source that blocks on slow streaming reaches the cell */
	double blocking_ratio;
	bool blocks; /* the cell makes the frame wait when streaming is slow */
};

void cs_run_measure(
	const struct cs_stream *stream, struct cs_stream_cell cell, struct cs_run_measures *ret);

/* ---- data layers ---- */

/*
 * Returns the states of a layer and what lowers them: all fields of the view except the counts of
 * cells.
 */
struct cs_error *cs_run_layer_record(const struct cs_stream *stream, uint32_t world, uint32_t layer,
	struct cs_stream_layer_view *ret) CS_MUST_USE;
/* Returns whether the cell has the layer, as a regular or as its external data layer. */
bool cs_run_has_layer(const struct cs_stream *stream, struct cs_stream_cell cell, uint32_t layer);

/* ---- HLOD actors ---- */

/* Stores an HLOD actor's state, except `in_range`. Returns E_MISSING if there is no such actor. */
struct cs_error *cs_run_hlod_record(const struct cs_stream *stream, uint32_t world, uint32_t hlod,
	struct cs_stream_hlod_view *ret) CS_MUST_USE;

/* Returns E_NOCELL when the run has no such cell, otherwise NULL. */
struct cs_error *cs_run_check_cell(
	const struct cs_stream *stream, struct cs_stream_cell cell) CS_MUST_USE;
