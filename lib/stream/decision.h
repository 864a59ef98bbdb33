/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gives read access to what a frame decided and measured about a cell. why.c, why_layer.c and
 * hlod_view.c include no other header of the run (tests/house.sh checks this), so they can only
 * report decisions, not make them.
 */
#pragma once

#include <cellscope/stream.h>

/*
 * Fills *ret from the record of the decisions about the cell (decision.c), which must exist.
 * Members computed from source distances or from the load order stay zero.
 */
void cs_run_decision_of(
	const struct cs_stream *stream, struct cs_stream_cell cell, struct cs_stream_why *ret);

/*
 * Returns the state that the sources that reach the cell, or a server that ignores sources,
 * request. Cells that do not exist on this role, or that settings exclude, are never requested.
 */
enum cs_layer_state cs_run_asked_for(const struct cs_stream *stream, struct cs_stream_cell cell);
/*
 * Returns the cell's row in a list of cs_stream_order_open, its rank and the list's length, or NULL
 * if it is in none.
 */
const struct cs_stream_order_row *cs_run_queue_row(const struct cs_stream *stream,
	struct cs_stream_cell cell, uint32_t *rank_ret, uint32_t *of_ret);

/*
 * Sets the members of *ret for distances and sort keys of the cell, computed from the sources of
 * the last evaluation. Returns true if the cell is in reach of a source whose grid filter excludes
 * the partition.
 */
bool cs_run_measure(
	const struct cs_stream *stream, struct cs_stream_cell cell, struct cs_stream_why *ret);

/* ---- data layers ---- */

/* Fills `ret`, except for the counts of cells. */
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
