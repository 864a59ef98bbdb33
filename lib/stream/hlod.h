/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The owner of HLOD actors: which are shown, and how far those are that warm up.
 */
#pragma once

#include "core/codec.h"
#include <cellscope/stream.h>

struct cs_run_world;
struct cs_stream;

/* An HLOD actor that warms up. */
struct cs_run_warm {
	uint32_t hlod;
	uint32_t left;  /* calls until it is warm */
	uint64_t frame; /* of the last call */
};

/* Of a world. */
struct cs_run_hlods {
	CS_VEC(struct cs_run_warm) warm; /* sparse set, slots in warm_slot */
	uint32_t *warm_slot;
};

/* Those that warm up as bytes. */
void cs_run_warm_code(struct cs_codec *codec, struct cs_stream *s, struct cs_run_world *w);
void cs_run_hlods_deinit(struct cs_run_hlods *hlods);

bool cs_run_hlods_init(struct cs_run_world *w);
/* The level of a cell was shown or hidden. */
void cs_run_hlods_shown(struct cs_stream *s, struct cs_run_world *w, uint32_t cell);
void cs_run_hlods_hidden(struct cs_stream *s, struct cs_run_world *w, uint32_t cell);
/* Asked once a frame until true; every HLOD actor concerned warms up meanwhile. */
bool cs_run_can_show(struct cs_stream *s, struct cs_run_world *w, uint32_t cell);
bool cs_run_can_hide(struct cs_stream *s, struct cs_run_world *w, uint32_t cell);
/* Forgets HLOD actors that were not asked for in this frame. */
void cs_run_warm_finish(struct cs_stream *s);
/* Calls that the HLOD actors of or for the cell still need. */
uint32_t cs_run_warm_left(const struct cs_run_world *w, uint32_t cell);
