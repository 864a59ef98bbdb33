/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hits as they are found, for the two that find them: hits.c from nothing, kept.c from those of the
 * last evaluation.
 */
#pragma once

#include "stream/range.h"

/* Under way through the targets of a world. */
struct cs_run_sweep {
	struct cs_stream *s;
	struct cs_run_world *w;
	uint32_t target;
	bool excluding, load_only;
	uint8_t priority; /* of the source */
	bool touching;    /* each hit notes its target */
};

/* Goes on to a target of the world. */
void cs_run_sweep_aim(struct cs_run_sweep *sweep, uint32_t target);
/* What the target asks for a cell that it reaches, CS_WANT_ and CS_ASKED_; 0: the cell takes no
 * part. */
uint8_t cs_run_sweep_wants(const struct cs_run_sweep *sweep, uint32_t cell);
/* Notes that the target took the cell; false without memory. */
bool cs_run_hit_touch(const struct cs_run_sweep *sweep, struct cs_run_hit *hit, uint8_t want);
bool cs_run_hits_non_spatial(struct cs_stream *s, struct cs_run_world *w);
/* Adds to the hits what all targets reach, which are prepared and have their neighbourhoods. */
bool cs_run_hits_sweep(struct cs_stream *s, struct cs_run_world *w);
