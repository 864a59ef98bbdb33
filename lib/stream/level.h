/* SPDX-License-Identifier: Apache-2.0 */
/* Streaming levels: residents (cells that have a level), the model of loading, planned faults. */
#pragma once

#include <cellscope/stream.h>

#include "core/codec.h"

struct cs_run_world;
struct cs_stream;

/* State of a resident: a cell that the policy wants, or whose level still exists. */
struct cs_run_cell {
	uint32_t cell;
	uint8_t set;   /* enum cs_layer_state: state that the policy has requested */
	uint8_t level; /* enum cs_level_state */
	bool should_load, should_show;
	/* the policy has requested activation, but the level is not visible yet */
	bool pending_add;
	bool moving;   /* the level is to change its state: it is listed in levels.moving */
	bool asked;    /* the client has asked the server whether the cell may be shown or hidden */
	bool held;     /* the server waits for a client before it lowers the cell's state */
	bool around;   /* the level is unloaded, but its memory is not freed yet */
	uint8_t fault; /* enum cs_fault of the current load */
	uint8_t hold;  /* enum cs_reason: why the level has not reached its requested state */
	uint8_t source_priority;
	double spatial, distance2; /* sort keys in the last evaluation */
	/* priority among the current loads, where the highest number loads first (0 = none) */
	uint32_t priority;
	/* index in reached.hits at which the cell was found last, tried first by the next search */
	uint32_t hit;
	uint64_t since; /* frame in which `level` last changed */
	/* virtual times in ns: earliest end of the load, answer of the server, end of the load */
	uint64_t ready_at, ack_at, loaded_at;
	uint64_t bytes; /* bytes of the package that the load model assumes */
	/* bytes of the package still to read, and ns of work that its actors still need */
	uint64_t bytes_left, work_left;
};

struct cs_run_fault {
	struct cs_stream_cell cell;
	uint32_t fault; /* enum cs_fault */
	double factor;
};

/* The residents (cells that have a level) of a world partition. */
struct cs_run_residents {
	CS_VEC(struct cs_run_cell) cells; /* sparse set: cell_slot[cell] is an index in `cells` */
	uint32_t *cell_slot;
	uint32_t n_in_sets, n_pending_add;
};

/* State of the streaming levels of the whole run. */
struct cs_run_levels {
	CS_VEC(struct cs_stream_cell) moving; /* cells whose level is not in its requested state */
	/* `moving` is sorted: highest priority first, then by world and cell */
	bool sorted;
	struct cs_stream_cell showing, hiding; /* cells whose levels are shown and hidden now */
	/* virtual time in ns of the last delivery of bytes, and the next byte's fraction in 1e-9 */
	uint64_t io_time, io_carry;
	uint32_t n_loading, n_around;
	uint64_t purge_time;
	uint64_t cells_visible, cells_loaded, actors, bytes;
	CS_VEC(struct cs_run_fault) faults; /* sorted by cell */
};

/* Writes or reads the faults, by the mode of `codec`. */
void cs_run_faults_code(struct cs_codec *codec, struct cs_run_levels *levels);

/*
 * Returns the state of a cell, derived from its level: activated while the level is visible, loaded
 * while it is only in memory, otherwise unloaded. `resident` is NULL for a cell without a level,
 * which is unloaded.
 */
enum cs_layer_state cs_run_current_state(const struct cs_run_cell *resident);
/* Returns or creates the resident (streaming state) of the cell; NULL when memory runs out. */
struct cs_run_cell *cs_run_resident(
	struct cs_stream *stream, struct cs_run_world *world, uint32_t cell);
/* Requests a state for the cell; cs_run_levels_update() then moves its level to that state. */
void cs_run_set_change(struct cs_stream *stream, struct cs_run_world *world,
	struct cs_run_cell *resident, enum cs_layer_state set, enum cs_reason reason);
/* Step 10 of a frame: advances levels, with `flush` until all is loaded; false = no memory. */
bool cs_run_levels_update(struct cs_stream *stream, bool flush);
bool cs_run_levels_idle(const struct cs_stream *stream);
uint64_t cs_run_cell_bytes(
	const struct cs_stream *stream, const struct cs_run_world *world, uint32_t cell);
uint32_t cs_run_cell_actors(const struct cs_run_world *world, uint32_t cell);
/* Recomputes counts and levels.moving after a snapshot was read; false when memory runs out. */
bool cs_run_levels_restore(struct cs_stream *stream);

/* ---- bandwidth.c: bytes that arrive ---- */

/*
 * Returns the bytes that arrived since the last call, UINT64_MAX for unlimited bandwidth. The
 * remaining fraction of a byte is added in the next call if `wanted`, else it is lost.
 */
uint64_t cs_run_bytes_arrived(struct cs_stream *stream, bool wanted);
/* Returns the time in ns until `bytes` bytes have arrived, rounded up. */
uint64_t cs_run_bytes_time(const struct cs_stream *stream, uint64_t bytes);

/* ---- cost.c: time that the work of a frame takes ---- */

/* Returns whether the work of streaming can make a frame longer (variable sim.FrameCost). */
bool cs_run_costs(const struct cs_stream *stream);
/* Does as much of *work_left (ns) as *slice (ns) allows, subtracts it from both and returns it. */
uint64_t cs_run_cost_spend(struct cs_stream *stream, enum cs_frame_work work,
	struct cs_stream_cell cell, uint64_t *work_left, uint64_t *slice);
/* Returns the time limit of one kind of work in a frame, in ns; UINT64_MAX = unlimited. */
uint64_t cs_run_cost_limit(const struct cs_stream *stream, enum cs_frame_work work);
/* Stores in the record of the frame the cost of showing an actor and the time limit for showing. */
void cs_run_cost_begin(struct cs_stream *stream);
void cs_run_cost_note(struct cs_stream *stream, enum cs_frame_work work, struct cs_stream_cell cell,
	uint64_t length);
/* Lengthens the frame to the time that its work takes, if that is longer. */
void cs_run_cost_finish(struct cs_stream *stream);

/* ---- fault.c: planned faults ---- */

/* Returns the fault planned for the cell, or NULL. */
const struct cs_run_fault *cs_run_fault_of(
	const struct cs_stream *stream, struct cs_stream_cell cell);
