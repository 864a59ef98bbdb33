/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The record of what a frame decided about a cell, and what was measured for it. The answers why.c,
 * why_layer.c, layer_view.c and hlod_view.c include this header and no other of the run
 * (tests/house.sh), so that they cannot decide again.
 */
#pragma once

#include <cellscope/stream.h>

struct cs_run_decision {
	bool known; /* a frame has decided about the cell; the members below are valid */
	/* number of the last frame that evaluated the cell's world or found it unchanged */
	uint64_t in;
	uint32_t changed; /* enum cs_changed: what was set since frame `in` */
	enum cs_layer_state wanted;
	enum cs_reason reason;   /* rule that decided the wanted state */
	enum cs_reason waits;    /* why the cell has not reached that state, or ARRIVED */
	enum cs_reason obstacle; /* why the cell is not activated, or NONE */
	enum cs_layer_state by_sources, by_layers;
	uint32_t layer;  /* layer that limits the state, or CS_NONE */
	uint32_t client; /* CLIENT_SEES: index of the client that sees the cell */
	/* TURN: the cell whose level is at work, or CS_STREAM_NO_CELL */
	struct cs_stream_cell blocker;
	uint32_t warm_frames; /* WARMUP: calls left until the HLOD actors are warm */
	bool judged;          /* the cell is missing, and the last evaluation judged its ratio */
	enum cs_performance performance; /* result of judging the ratio */
};

/* Returns the record of a cell that exists. */
void cs_run_decision_of(
	const struct cs_stream *stream, struct cs_stream_cell cell, struct cs_run_decision *ret);

/* Returns whether sources reach the cell, or a rule that replaces sources asks for it. */
bool cs_run_is_asked_for(const struct cs_stream *stream, struct cs_stream_cell cell);
/*
 * Returns the row of the cell in cs_stream_order_open, its rank from 1 and the number of rows of
 * its list; NULL: the cell has no row.
 */
const struct cs_stream_order_row *cs_run_queue_row(const struct cs_stream *stream,
	struct cs_stream_cell cell, uint32_t *rank_ret, uint32_t *of_ret);

/* Distances and sort keys, for the sources as they were in the last evaluation. */
struct cs_run_measures {
	/* best shape that reaches the cell, else the nearest that does not */
	struct cs_stream_reach nearest;
	uint32_t n_hits; /* number of shapes that reach the cell and apply to its partition */
	bool filtered;   /* a shape reaches the cell whose source leaves out its partition */
	struct cs_stream_keys keys;
	bool blocking; /* a blocking source reaches the cell */
	double blocking_ratio;
	bool blocks; /* the cell makes frames wait when streaming is slow */
};

void cs_run_measure(
	const struct cs_stream *stream, struct cs_stream_cell cell, struct cs_run_measures *ret);

/* ---- layers ---- */

/* Returns the states of a layer and what lowers them: the whole view except its counts of cells. */
struct cs_error *cs_run_layer_record(const struct cs_stream *stream, uint32_t world, uint32_t layer,
	struct cs_stream_layer_view *ret) CS_MUST_USE;
/* Returns whether the cell has the layer, as a data layer or as its external data layer. */
bool cs_run_has_layer(const struct cs_stream *stream, struct cs_stream_cell cell, uint32_t layer);

/* ---- HLOD actors ---- */

/*
 * Returns the state of an HLOD actor: the whole view except whether its home is asked for.
 * E_NOCELL.
 */
struct cs_error *cs_run_hlod_record(const struct cs_stream *stream, uint32_t world, uint32_t hlod,
	struct cs_stream_hlod_view *ret) CS_MUST_USE;

/* Returns E_NOCELL when there is no such cell. */
struct cs_error *cs_run_check_cell(
	const struct cs_stream *stream, struct cs_stream_cell cell) CS_MUST_USE;
