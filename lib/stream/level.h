/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The owner of levels: the cells that are there or come and go (residents of a world), and the
 * model of loading with the faults that were asked for, which a stream has once.
 */
#pragma once

#include <cellscope/stream.h>

#include "core/codec.h"

struct cs_run_world;
struct cs_stream;

/* A cell of the policy's sets, or one whose level is still there. */
struct cs_run_cell {
	uint32_t cell;
	uint8_t set;   /* enum cs_layer_state: neither, Loaded, Activated */
	uint8_t level; /* enum cs_level_state */
	bool should_load, should_show;
	bool pending_add; /* activated, not shown yet */
	bool moving;      /* in stream.levels.moving */
	bool asked;       /* the server, about showing or hiding */
	bool held;        /* the server waits for a client */
	bool around;      /* unloaded, but its memory is not freed yet */
	uint8_t fault;    /* enum cs_fault, of the load under way */
	uint8_t hold;     /* enum cs_reason: why its level, which moves, has not arrived */
	uint8_t source_priority;
	double spatial, distance2;            /* sort keys, as last evaluated */
	uint32_t priority;                    /* among requests under way */
	uint32_t hit;                         /* where its hit was last found: a guess */
	uint64_t since;                       /* frame of the last change of `level` */
	uint64_t ready_at, ack_at, loaded_at; /* ns */
	uint64_t bytes;                       /* of the package, by the model */
	uint64_t bytes_left, work_left;       /* to read; ns of visibility work */
};

struct cs_run_fault {
	struct cs_stream_cell cell;
	uint32_t fault; /* enum cs_fault */
	double factor;
};

/* Of a world. */
struct cs_run_residents {
	CS_VEC(struct cs_run_cell) cells; /* sparse set, slots in cell_slot */
	uint32_t *cell_slot;
	uint32_t n_in_sets, n_pending_add;
};

/* Of a stream. */
struct cs_run_levels {
	CS_VEC(struct cs_stream_cell) moving;  /* levels that are not where they should be */
	bool sorted;                           /* `moving` is */
	struct cs_stream_cell showing, hiding; /* at work */
	uint64_t io_time, io_carry;            /* when bytes were last delivered; remainder */
	uint32_t n_loading, n_around;
	uint64_t purge_time;
	uint64_t cells_visible, cells_loaded, actors, bytes;
	CS_VEC(struct cs_run_fault) faults; /* ascending */
};

/* As bytes: the residents of a world, and of the stream the clock of reading, the levels at work
 * and the faults. */
void cs_run_residents_code(struct cs_codec *codec, struct cs_stream *s, struct cs_run_world *w);
void cs_run_io_code(struct cs_codec *codec, struct cs_run_levels *levels);
void cs_run_turns_code(struct cs_codec *codec, struct cs_run_levels *levels);
void cs_run_faults_code(struct cs_codec *codec, struct cs_run_levels *levels);

/* What its level makes of a cell; NULL: it has none. */
enum cs_layer_state cs_run_current_state(const struct cs_run_cell *r);
/* Adds a resident for the cell where it has none. NULL without memory. */
struct cs_run_cell *cs_run_resident(struct cs_stream *s, struct cs_run_world *w, uint32_t cell);
/* Moves a cell between the sets of the policy; the level follows in cs_run_levels_update. */
void cs_run_set_change(struct cs_stream *s, struct cs_run_world *w, struct cs_run_cell *r,
	enum cs_layer_state set, enum cs_reason reason);
/* (2) of the frame; flush: until nothing moves, the clock runs along. */
bool cs_run_levels_update(struct cs_stream *s, bool flush);
bool cs_run_levels_idle(const struct cs_stream *s);
uint64_t cs_run_cell_bytes(const struct cs_stream *s, const struct cs_run_world *w, uint32_t cell);
uint32_t cs_run_cell_actors(const struct cs_run_world *w, uint32_t cell);
/* Recomputes what is derived from the residents, which were just read. */
bool cs_run_levels_restore(struct cs_stream *s);

/* ---- bandwidth.c ---- */

/* Bytes that arrived since the last call; what is less than one is kept for the next where more is
 * wanted. */
uint64_t cs_run_bytes_arrived(struct cs_stream *s, bool wanted);
/* ns until so many bytes have arrived, rounded up. */
uint64_t cs_run_bytes_time(const struct cs_stream *s, uint64_t bytes);

/* ---- cost.c ---- */

/* Whether frames take what their work costs. */
bool cs_run_costs(const struct cs_stream *s);
/* Takes off the work what fits into the slice, and off the slice what it took; returns that. */
uint64_t cs_run_cost_spend(struct cs_stream *s, enum cs_frame_work work, struct cs_stream_cell cell,
	uint64_t *work_left, uint64_t *slice);
/* ns of such work in a frame, UINT64_MAX = no limit. */
uint64_t cs_run_cost_limit(const struct cs_stream *s, enum cs_frame_work work);
/* Notes what the frame runs with. */
void cs_run_cost_begin(struct cs_stream *s);
void cs_run_cost_note(
	struct cs_stream *s, enum cs_frame_work work, struct cs_stream_cell cell, uint64_t length);
/* Behind the work of a frame: makes it as long as it took. */
void cs_run_cost_finish(struct cs_stream *s);

/* ---- fault.c ---- */

/* NULL when nothing was asked. */
const struct cs_run_fault *cs_run_fault_of(const struct cs_stream *s, struct cs_stream_cell cell);
