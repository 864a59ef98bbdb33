/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What was decided about a cell, as the frame recorded it, and what was measured for it: all that
 * an answer may look at. Whoever answers includes this header and no other of the run
 * (tests/house.sh), so that no answer can decide anew.
 */
#pragma once

#include <cellscope/stream.h>

struct cs_run_decision {
	bool known;       /* a frame has decided about the cell: */
	uint64_t in;      /* the last one, evaluated or skipped */
	uint32_t changed; /* enum cs_changed */
	enum cs_layer_state wanted;
	enum cs_reason reason;   /* the rule behind it */
	enum cs_reason waits;    /* why it is not that yet, or ARRIVED */
	enum cs_reason obstacle; /* why it is not activated, or NONE */
	enum cs_layer_state by_sources, by_layers;
	uint32_t layer;                /* that holds it down, or CS_NONE */
	uint32_t client;               /* CLIENT_SEES */
	struct cs_stream_cell blocker; /* TURN: the level at work, or CS_STREAM_NO_CELL */
	uint32_t warm_frames;          /* WARMUP */
	bool judged;                   /* as late, and how badly: */
	enum cs_performance performance;
};

/* Of a cell that exists. */
void cs_run_decision_of(
	const struct cs_stream *s, struct cs_stream_cell cell, struct cs_run_decision *ret);

/* Whether sources reach it, or what asks in their stead. */
bool cs_run_is_asked_for(const struct cs_stream *s, struct cs_stream_cell cell);
/* The row of the cell in cs_stream_order_open, its place there from 1 on and how many rows its list
 * has; NULL: it has none. */
const struct cs_stream_order_row *cs_run_queue_row(const struct cs_stream *s,
	struct cs_stream_cell cell, uint32_t *rank_ret, uint32_t *of_ret);

/* Places and keys, with the sources as they stood in the last evaluation. */
struct cs_run_measures {
	struct cs_stream_reach nearest; /* best hit, else the nearest miss */
	uint32_t n_hits;                /* shapes that reach it and may */
	bool filtered;                  /* one reaches it that leaves out its partition */
	struct cs_stream_keys keys;
	bool blocking; /* a blocking source reaches it */
	double blocking_ratio;
	bool blocks; /* the cell blocks on slow streaming */
};

void cs_run_measure(
	const struct cs_stream *s, struct cs_stream_cell cell, struct cs_run_measures *ret);

/* ---- layers ---- */

/* The states of a layer and what lowers them: all of the view but the cells. */
struct cs_error *cs_run_layer_record(const struct cs_stream *s, uint32_t world, uint32_t layer,
	struct cs_stream_layer_view *ret) CS_MUST_USE;
/* The external one among them. */
bool cs_run_has_layer(const struct cs_stream *s, struct cs_stream_cell cell, uint32_t layer);

/* ---- HLOD actors ---- */

/* How one stands: all of the view but whether its home is asked for. E_NOCELL. */
struct cs_error *cs_run_hlod_record(const struct cs_stream *s, uint32_t world, uint32_t hlod,
	struct cs_stream_hlod_view *ret) CS_MUST_USE;

/* E_NOCELL where there is no such cell. */
struct cs_error *cs_run_check_cell(
	const struct cs_stream *s, struct cs_stream_cell cell) CS_MUST_USE;
