/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The owner of levels: for each world its residents (the cells that have a level), and for the
 * whole stream the model of loading with its planned faults.
 */
#pragma once

#include <cellscope/stream.h>

#include "core/codec.h"

struct cs_run_world;
struct cs_stream;

/* A cell in a set of the policy, or one whose level still exists. */
struct cs_run_cell {
	uint32_t cell;
	uint8_t set;   /* enum cs_layer_state: in neither set, in Loaded, in Activated */
	uint8_t level; /* enum cs_level_state */
	bool should_load, should_show;
	bool pending_add; /* activated, but not shown yet */
	bool moving;      /* the level is in stream.levels.moving */
	bool asked;    /* the client has asked the server whether the cell may be shown or hidden */
	bool held;     /* the server waits for a client before lowering the cell's state */
	bool around;   /* unloaded, while its memory is not freed yet */
	uint8_t fault; /* enum cs_fault of the current load */
	uint8_t hold;  /* enum cs_reason: why its moving level has not arrived */
	uint8_t source_priority;
	double spatial, distance2; /* sort keys of the last evaluation */
	uint32_t priority;         /* priority of the load among the current loads */
	uint32_t hit;              /* index of the cell's hit when last looked up; tested first */
	uint64_t since;            /* frame of the last change of `level` */
	uint64_t ready_at, ack_at, loaded_at; /* times in ns */
	uint64_t bytes;                       /* bytes of the package in the model */
	uint64_t bytes_left, work_left;       /* bytes left to read; ns of visibility work left */
};

struct cs_run_fault {
	struct cs_stream_cell cell;
	uint32_t fault; /* enum cs_fault */
	double factor;
};

/* State of a world. */
struct cs_run_residents {
	CS_VEC(struct cs_run_cell) cells; /* sparse set, slots in cell_slot */
	uint32_t *cell_slot;
	uint32_t n_in_sets, n_pending_add;
};

/* State of a stream. */
struct cs_run_levels {
	CS_VEC(struct cs_stream_cell) moving;  /* cells whose level is not in its target state */
	bool sorted;                           /* `moving` is sorted */
	struct cs_stream_cell showing, hiding; /* cells whose level is at work */
	/* time in ns up to which bytes were delivered; remainder of dividing by the rate */
	uint64_t io_time, io_carry;
	uint32_t n_loading, n_around;
	uint64_t purge_time;
	uint64_t cells_visible, cells_loaded, actors, bytes;
	CS_VEC(struct cs_run_fault) faults; /* sorted by cell */
};

/*
 * Read or write, as the codec says: the residents of a world; for the stream the clocks of reading
 * and of garbage collection, the levels that are shown and hidden, and the faults.
 */
void cs_run_residents_code(
	struct cs_codec *codec, struct cs_stream *stream, struct cs_run_world *world);
void cs_run_io_code(struct cs_codec *codec, struct cs_run_levels *levels);
void cs_run_turns_code(struct cs_codec *codec, struct cs_run_levels *levels);
void cs_run_faults_code(struct cs_codec *codec, struct cs_run_levels *levels);

/*
 * Returns the state that its streaming level gives a cell: activated while visible, loaded while in
 * memory, else unloaded. `resident` is NULL for a cell without a level, which is unloaded.
 */
enum cs_layer_state cs_run_current_state(const struct cs_run_cell *resident);
/* Returns the resident of the cell, a new one when it had none. NULL without memory. */
struct cs_run_cell *cs_run_resident(
	struct cs_stream *stream, struct cs_run_world *world, uint32_t cell);
/* Moves a cell between the sets of the policy; its level follows in cs_run_levels_update. */
void cs_run_set_change(struct cs_stream *stream, struct cs_run_world *world,
	struct cs_run_cell *resident, enum cs_layer_state set, enum cs_reason reason);
/*
 * Step 10 of the frame (policy.c): advances the levels; false without memory. With `flush`, the
 * clock advances until every current load and its work are complete.
 */
bool cs_run_levels_update(struct cs_stream *stream, bool flush);
bool cs_run_levels_idle(const struct cs_stream *stream);
uint64_t cs_run_cell_bytes(
	const struct cs_stream *stream, const struct cs_run_world *world, uint32_t cell);
uint32_t cs_run_cell_actors(const struct cs_run_world *world, uint32_t cell);
/* Recomputes counts and the moving cells from residents that were read; false without memory. */
bool cs_run_levels_restore(struct cs_stream *stream);

/* ---- bandwidth.c ---- */

/*
 * Returns the bytes that arrived since the last call, UINT64_MAX with an unlimited bandwidth. The
 * remaining fraction of a byte counts in the next call if `wanted`, else it is dropped.
 */
uint64_t cs_run_bytes_arrived(struct cs_stream *stream, bool wanted);
/* Returns the ns until that many bytes have arrived, rounded up. */
uint64_t cs_run_bytes_time(const struct cs_stream *stream, uint64_t bytes);

/* ---- cost.c ---- */

/* Returns whether the length of a frame includes the cost of its work. */
bool cs_run_costs(const struct cs_stream *stream);
/*
 * Does as much of *work_left as *slice allows, and subtracts the time from both; returns it in ns.
 */
uint64_t cs_run_cost_spend(struct cs_stream *stream, enum cs_frame_work work,
	struct cs_stream_cell cell, uint64_t *work_left, uint64_t *slice);
/* Returns the limit on work of one kind in a frame in ns, UINT64_MAX = none. */
uint64_t cs_run_cost_limit(const struct cs_stream *stream, enum cs_frame_work work);
/* Stores the cost of showing an actor, and its limit, in the record of the frame. */
void cs_run_cost_begin(struct cs_stream *stream);
void cs_run_cost_note(struct cs_stream *stream, enum cs_frame_work work, struct cs_stream_cell cell,
	uint64_t length);
/* Lengthens the frame to the time that its work takes, if that is longer. */
void cs_run_cost_finish(struct cs_stream *stream);

/* ---- fault.c ---- */

/* Returns NULL when no fault was planned for the cell. */
const struct cs_run_fault *cs_run_fault_of(
	const struct cs_stream *stream, struct cs_stream_cell cell);
