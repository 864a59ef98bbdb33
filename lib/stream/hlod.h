/* SPDX-License-Identifier: Apache-2.0 */
/* HLOD actors of a run: which of them are shown, and the progress of those that warm up. */
#pragma once

#include "core/codec.h"
#include <cellscope/stream.h>

struct cs_run_world;
struct cs_stream;

/* An HLOD actor that is warming up. */
struct cs_run_warm {
	uint32_t hlod;
	uint32_t left;  /* number of calls of PrepareToWarmup left until the actor is warm */
	uint64_t frame; /* frame of the last warm-up call for the actor */
};

/* HLOD state of a world partition. */
struct cs_run_hlods {
	CS_VEC(struct cs_run_warm) warm; /* sparse set: warm_slot[hlod] is an index in `warm` */
	uint32_t *warm_slot;
};

/* Writes or reads, by the mode of `codec`, the HLOD actors that are warming up. */
void cs_run_warm_code(struct cs_codec *codec, struct cs_stream *stream, struct cs_run_world *world);
void cs_run_hlods_deinit(struct cs_run_hlods *hlods);

bool cs_run_hlods_init(struct cs_run_world *world);
/* Updates the cell's HLOD actors after the level of the cell was shown or hidden. */
void cs_run_hlods_shown(struct cs_stream *stream, struct cs_run_world *world, uint32_t cell);
void cs_run_hlods_hidden(struct cs_stream *stream, struct cs_run_world *world, uint32_t cell);
/*
 * Returns whether the cell may be shown or hidden: false while HLOD actors in the cell, or
 * representing it, warm up. Called once a frame until it returns true, because each call warms the
 * actors.
 */
bool cs_run_can_show(struct cs_stream *stream, struct cs_run_world *world, uint32_t cell);
bool cs_run_can_hide(struct cs_stream *stream, struct cs_run_world *world, uint32_t cell);
/*
 * Resets the warm-up count of each HLOD actor for which PrepareToWarmup was not called in this
 * frame, by cs_run_can_show() or cs_run_can_hide().
 */
void cs_run_warm_finish(struct cs_stream *stream);
/*
 * Returns the largest number of warm-up calls that an HLOD actor in the cell, or representing it,
 * still needs.
 */
uint32_t cs_run_warm_left(const struct cs_run_world *world, uint32_t cell);
