/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of a run. Each part has one owner, a module with a header of its own that has its
 * struct, what others may ask of it, and its slice of the state as bytes:
 *
 *	source.h    providers (what the user set) and active sources (what streaming sees)
 *	range.h     which cells the sources reach: world.reached, and the sort keys of a cell
 *	level.h     residents: streaming levels, their states; the model of loading, faults
 *	layer.h, hlod.h, server.h  what their names say
 *	queue.h     the queue: what would start, what waits
 *	order.h     sorting it, the priorities of requests under way
 *	performance.h  Good, Slow, Critical, and the blocking wait
 *	decision.h  what was decided about a cell, for all answers; its record is the hit (range.h),
 *the waiting row (queue.h) and the resident (level.h), each written by who decides event.h     the
 *log, statistics, stalls timeline.h  recorded inputs, snapshots, going back
 *
 * Here they are put together. control.c is what a user does; each becomes an input (input.c) and
 * acts in its owner. frame.c is the frame, the heart of which is policy.c: sets of cells, what to
 * activate, load, unload. partition.c has the life of worlds, state.c the slices in order, travel.c
 * goes back. Calls go down; tests/graph.sh knows the one circle, levels that hold worlds.
 *
 * Sparse sets: `slot[cell]` is the place of a cell in a dense list; it is believed only when the
 * list has that place and the entry there names the cell. Nothing is ever cleared cell by cell, so
 * a frame costs what it touches. Lists keep their memory; a frame allocates only when one grows.
 */
#pragma once

#include "stream/decision.h"
#include "stream/event.h"
#include "stream/hlod.h"
#include "stream/layer.h"
#include "stream/level.h"
#include "stream/model.h"
#include "stream/order.h"
#include "stream/performance.h"
#include "stream/queue.h"
#include "stream/range.h"
#include "stream/rules.h"
#include "stream/server.h"
#include "stream/source.h"
#include "stream/stream_inside.h"
#include "stream/timeline.h"
#include "stream/variable.h"

/* Where a world partition stands in the world. */
struct cs_run_standing {
	struct cs_transform transform, inverse;
	bool transformed;
	double yaw;
};

/* What the policy keeps of a world between two evaluations. */
struct cs_run_evaluation {
	uint64_t last_hash;        /* of all that an evaluation depends on */
	bool evaluated;            /* last_hash is of a complete evaluation */
	bool completed;            /* the budget reached all of the last lists */
	bool decided;              /* the hits are those of an evaluation, under `terms` */
	uint64_t decided_in;       /* the last frame that evaluated it or found nothing new */
	struct cs_run_terms terms; /* of the last evaluation */
	cs_ids found, to_unload;
};

/* A world partition: what it is, and what each owner keeps of it. */
struct cs_run_world {
	uint32_t id;
	char *name; /* or NULL: that of its map */
	struct cs_run_model model;
	struct cs_run_standing standing;
	struct cs_stream_cell owner; /* the cell that holds its level instance */
	bool registered;
	struct cs_run_reached reached;
	struct cs_run_layers layers;
	struct cs_run_residents residents;
	struct cs_run_hlods hlods;
	struct cs_run_waiting queue;
	struct cs_run_serving serving;
	struct cs_run_world_performance performance;
	struct cs_run_evaluation policy;
};

/* ---- the stream ---- */

struct cs_run_clock {
	uint64_t frame, time; /* ns */
	uint64_t delta;       /* ns since the frame before */
	uint64_t stall;       /* ns that the blocking wait of the last frame took */
	uint32_t since;       /* enum cs_changed: what was set since the last frame */
};

/* What a run is made of; each owner looks after its own part. */
struct cs_stream {
	struct cs_stream_companion companion;
	const struct cs_run_rules *rules;
	char profile[16];
	enum cs_role role;
	struct cs_run_variables variables;
	bool hlod_enabled;
	struct cs_run_clock clock;
	struct cs_run_sources sources;
	CS_VEC(struct cs_run_world *) worlds;
	uint32_t next_world; /* where the time limit stopped */
	struct cs_run_queue queue;
	struct cs_run_levels levels;
	struct cs_run_server server;
	struct cs_run_performance performance;
	struct cs_run_log log;
	struct cs_run_timeline timeline;
	bool failed; /* out of memory within a frame */
};

static inline double cs_run_number(const struct cs_stream *s, enum cs_run_variable variable)
{
	return s->variables.numbers[variable];
}

static inline bool cs_run_is_server(const struct cs_stream *s)
{
	return s->role == CS_ROLE_LISTEN_SERVER || s->role == CS_ROLE_DEDICATED_SERVER;
}

/* Milliseconds of a variable in nanoseconds. */
uint64_t cs_run_ns(const struct cs_stream *s, enum cs_run_variable variable);
uint64_t cs_run_ns_of_ms(double ms);

static inline bool cs_run_same_cell(struct cs_stream_cell a, struct cs_stream_cell b)
{
	return a.world == b.world && a.cell == b.cell;
}

static inline int cs_run_cell_order(struct cs_stream_cell a, struct cs_stream_cell b)
{
	if (a.world != b.world)
		return a.world < b.world ? -1 : 1;
	return a.cell < b.cell ? -1 : a.cell > b.cell;
}

/* Where a cell stands, or would, in an ascending list whose elements begin with their cell. */
size_t cs_run_cell_place(const void *list, size_t n, size_t size, struct cs_stream_cell cell);

/* The resident record of a cell, or NULL. Valid until a resident is added or removed. */
static inline struct cs_run_cell *cs_run_find(const struct cs_run_world *w, uint32_t cell)
{
	uint32_t slot = w->residents.cell_slot[cell];
	return slot < w->residents.cells.n && w->residents.cells.at[slot].cell == cell
		       ? &w->residents.cells.at[slot]
		       : NULL;
}

static inline struct cs_run_hit *cs_run_find_hit(const struct cs_run_world *w, uint32_t cell)
{
	uint32_t slot = w->reached.hit_slot[cell];
	return slot < w->reached.hits.n && w->reached.hits.at[slot].cell == cell
		       ? &w->reached.hits.at[slot]
		       : NULL;
}

static inline bool cs_run_level_loaded(uint8_t level)
{
	return level >= CS_LEVEL_NOT_VISIBLE;
}

/* One frame, without the timeline. */
struct cs_error *cs_run_frame(struct cs_stream *s) CS_MUST_USE;
void cs_run_world_register(struct cs_stream *s, struct cs_run_world *w, bool on);
bool cs_run_cell_exists(const struct cs_stream *s, struct cs_stream_cell cell);
struct cs_error *cs_run_no_cell(struct cs_stream_cell cell) CS_MUST_USE;

/* ---- partition.c ---- */

struct cs_error *cs_run_world_add(struct cs_stream *s, const struct cs_cooked *cooked,
	const struct cs_stream_instance *instance, const struct cs_stream_options *options,
	const struct cs_job *job) CS_MUST_USE;
void cs_run_world_free(struct cs_run_world *w);
/* Adds the standalone level instances of the main world. */
struct cs_error *cs_run_subs_init(struct cs_stream *s, const struct cs_job *job) CS_MUST_USE;

/* ---- policy.c ---- */

bool cs_run_update(struct cs_stream *s);
/* What the next evaluation, or a question in its stead, decides by: as it stands now. */
void cs_run_terms_take(const struct cs_stream *s, struct cs_run_world *w);
/* The frame sets of a world, with the sources as they stood when they were last evaluated. */
bool cs_run_find_hits(struct cs_stream *s, struct cs_run_world *w);
/* 2.3.4; UINT32_MAX = unlimited. */
uint32_t cs_run_max_cells_to_load(const struct cs_stream *s);
void cs_run_unload_all(struct cs_stream *s, struct cs_run_world *w);

/* ---- state.c ---- */

/* The whole state, canonical; `log` adds what is only told and not part of the hash. */
bool cs_run_state_write(struct cs_stream *s, struct cs_writer *writer, bool log);
/* Bytes of cs_run_state_write with `log`, of this stream. */
struct cs_error *cs_run_state_read(
	struct cs_stream *s, const unsigned char *bytes, size_t size) CS_MUST_USE;
void cs_run_cell_code(struct cs_codec *codec, struct cs_stream_cell *cell);
/* In ascending order, in the scratch memory of the queue; false without it. */
bool cs_run_sort_ids(struct cs_stream *s, cs_ids *ids);
/* The same of rows that are to be written; none is left when the codec has failed. */
void cs_run_sort_coded(struct cs_codec *codec, struct cs_stream *s, cs_ids *ids);

/* ---- companion.c ---- */

cs_run_apply cs_run_apply_companion;
struct cs_error *cs_run_companion_frame(struct cs_stream *stream, uint64_t length) CS_MUST_USE;
/* False without memory, or when it fails. */
bool cs_run_companion_write(struct cs_stream *stream, struct cs_writer *writer);
bool cs_run_companion_read(struct cs_stream *stream, struct cs_cursor *cursor);
