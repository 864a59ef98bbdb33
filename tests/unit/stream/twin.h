/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A naive twin of streaming: the rules of a frame written down once more as plain loops over all
 * cells, sharing no code with lib/stream. Slow and simple; what it says must be what the library
 * says, in every frame.
 *
 * Variables are read from the stream that it is compared with; everything else it is told.
 */
#pragma once

#include <cellscope/runs.h>
#include <cellscope/stream.h>

enum { TWIN_SOURCES = 8, TWIN_CLIENTS = 2, TWIN_WORLDS = 3, TWIN_VARIABLES = 48 };

struct twin_cell {
	bool spatial, always, exists;
	enum cs_layer_state allowed;
	bool want_load, want_activate; /* the frame sets, as last evaluated */
	enum cs_layer_state set;
	enum cs_level_state level;
	bool should_load, should_show, pending;
	bool held, around;
	/* what the last evaluation said of it, and its level since */
	enum cs_layer_state sought; /* by sources, or a rule in their stead; layers aside */
	enum cs_reason rule;        /* behind what is wanted */
	enum cs_reason absent;      /* it takes no part, or NONE */
	bool filtered, left_out;    /* a source in range leaves out its grid; 2.5 skips it */
	unsigned direct;            /* sources reach it: 1 to load, 2 to activate */
	enum cs_reason waits;       /* of its level */
	/* keys */
	uint8_t source_priority;
	double spatial_key, distance2, ratio, blocking_ratio;
	int hits;
	/* level */
	bool asked;
	uint32_t priority;
	uint64_t ready_at, ack_at, bytes_left, work_left;
	enum cs_fault fault;
	/* faults asked for */
	enum cs_fault next_fault;
	double factor;
	uint64_t seen_until[TWIN_CLIENTS];
	bool seen_held[TWIN_CLIENTS];
};

struct twin_row {
	uint32_t world, cell;
	bool started;
};

/* One change of the state of a level in a frame. */
struct twin_change {
	uint32_t world, cell;
	enum cs_level_state from, to;
};

struct twin_world {
	const struct cs_cooked *cooked;
	bool registered;
	struct cs_stream_cell owner;
	struct cs_transform transform;
	struct cs_vec3 from[8]; /* local centres */
	struct twin_cell *cells;
	uint8_t *target, *effective;
	uint64_t epoch;
	double ranges[16];
	int *warm; /* calls left, of each HLOD; -1 = none */
	uint64_t *warm_frame;
	int mode;            /* of a server: 0 off, 1 in, 2 in and out; -1 = not yet */
	double memory[1024]; /* what the last evaluation depended on */
	int n_memory;
	bool evaluated, complete, held;
	bool decided; /* an evaluation stands, since it was registered */
	uint64_t decided_in;
	int n_sources;            /* of that evaluation */
	struct twin_row *left[2]; /* waiting to activate, to load */
	int n_left[2];
	enum cs_performance performance, display;
};

struct twin_source {
	struct cs_stream_source s;
	struct cs_vec3 velocity, step;
	struct cs_rotator turn;
	double extra_radius, extra_angle;
	bool seen;
};

struct twin {
	const struct cs_stream *stream; /* for its variables */
	size_t places[TWIN_VARIABLES];
	double variables[TWIN_VARIABLES];
	int minor; /* of the engine */
	enum cs_role role;
	bool hlod;
	uint64_t frame, time, delta, stall;
	struct cs_stream_source providers[TWIN_SOURCES];
	int n_providers;
	struct twin_source sources[TWIN_SOURCES];
	int n_sources;
	char clients[TWIN_CLIENTS][64]; /* the source of each, "" = none */
	int n_clients;
	struct twin_world worlds[TWIN_WORLDS];
	int n_worlds, next_world;
	struct twin_row *lists[CS_ORDER_LISTS];
	int n_lists[CS_ORDER_LISTS];
	struct twin_row showing, hiding;
	struct twin_change *changes; /* of the last frame, in order */
	int n_changes;
	uint64_t io_time, io_carry, purge_time;
	bool block_asked, block_by_performance, in_block;
	bool critical;
	enum cs_performance performance, display;
	uint64_t epoch;
	bool changed;
	bool evaluated_any;
	uint32_t budget;
	uint32_t since; /* enum cs_changed: what was set since the last frame */
};

/* What an answer must say of a cell, by the rules alone. */
struct twin_words {
	enum cs_layer_state wanted, asked, allowed;
	enum cs_reason reason, waits;
	bool measured; /* what is said of cells that are not wanted is of the last frame */
};

struct twin_words twin_says(const struct twin *t, uint32_t world, uint32_t cell);
/*
 * Returns the first obstacle of a data layer; CS_LAYER_VERDICTS when an answer need not name one.
 */
enum cs_layer_verdict twin_says_of_layer(const struct twin *t, uint32_t world, uint32_t layer);

void twin_init(struct twin *t, const struct cs_stream *stream, int minor, enum cs_role role);
void twin_add_world(struct twin *t, const struct cs_cooked *cooked,
	const struct cs_transform *transform, struct cs_stream_cell owner, bool registered);
void twin_deinit(struct twin *t);

void twin_source(struct twin *t, const struct cs_stream_source *source);
void twin_remove(struct twin *t, const char *name);
void twin_layer(
	struct twin *t, int world, uint32_t layer, enum cs_layer_state state, bool recursive);
void twin_register(struct twin *t, int world, bool on);

void twin_step(struct twin *t);
