/* SPDX-License-Identifier: Apache-2.0 */
/* Finds hits (cells that sources reach): hits.c finds all anew, kept.c updates previous ones. */
#pragma once

#include "stream/range.h"

/* State of a loop over the targets (each one shape of one source in one grid) of a world. */
struct cs_run_sweep {
	struct cs_stream *stream;
	struct cs_run_world *world;
	uint32_t target;
	bool excluding, load_only;
	uint8_t priority; /* priority of the target's source */
	bool touching;    /* the targets that reach a cell are recorded in its hit */
};

/* Selects the target whose cells the following calls add to the hits. */
void cs_run_sweep_aim(struct cs_run_sweep *sweep, uint32_t target);
/* Returns the CS_WANT_ and CS_ASKED_ bits of the current target for a cell; 0 = excluded. */
uint8_t cs_run_sweep_wants(const struct cs_run_sweep *sweep, uint32_t cell);
/* Records in the hit that the target of the sweep reaches the cell; false when memory runs out. */
bool cs_run_hit_touch(const struct cs_run_sweep *sweep, struct cs_run_hit *hit, uint8_t want);
/* Adds hits for cells that are not spatial, if their data layers allow; false = no memory. */
bool cs_run_hits_non_spatial(struct cs_stream *stream, struct cs_run_world *world);
/*
 * Adds to the hits the cells that the targets reach (a target is what one shape of a source reaches
 * in a grid); false when memory runs out. world.reached.targets must be prepared, and
 * world.reached.kept must have an entry for each target.
 */
bool cs_run_hits_sweep(struct cs_stream *stream, struct cs_run_world *world);
