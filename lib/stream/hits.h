/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that find hits (the cells that sources reach), shared by hits.c, which computes all
 * hits anew, and kept.c, which updates the hits of the last evaluation.
 */
#pragma once

#include "stream/range.h"

/* State of a pass over the targets of a world. */
struct cs_run_sweep {
	struct cs_stream *stream;
	struct cs_run_world *world;
	uint32_t target;
	bool excluding, load_only;
	uint8_t priority; /* priority of the source */
	bool touching;    /* each hit records its targets */
};

/* Sets the target whose cells are added next. */
void cs_run_sweep_aim(struct cs_run_sweep *sweep, uint32_t target);
/*
 * Returns what the target asks for a cell that it reaches, CS_WANT_ and CS_ASKED_; 0: the cell is
 * excluded.
 */
uint8_t cs_run_sweep_wants(const struct cs_run_sweep *sweep, uint32_t cell);
/* Records that the target reaches the cell; false without memory. */
bool cs_run_hit_touch(const struct cs_run_sweep *sweep, struct cs_run_hit *hit, uint8_t want);
/* Adds the cells that are not spatial and that their layers allow; false without memory. */
bool cs_run_hits_non_spatial(struct cs_stream *stream, struct cs_run_world *world);
/*
 * Adds the cells that the targets reach to the hits; false without memory. `targets` must be
 * prepared, and `kept` must have an entry for each.
 */
bool cs_run_hits_sweep(struct cs_stream *stream, struct cs_run_world *world);
