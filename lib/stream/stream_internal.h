/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of a run. Each part has one owner: a module whose header declares the struct of the
 * part, the functions that other modules may call, and how the part is written and read as bytes:
 *
 *	source.h    providers (what the user set) and active sources (what streaming uses)
 *	range.h     hits (which cells the sources reach), and the sort keys of a cell
 *	level.h     residents (cells with a streaming level) and their states; the model of
 *	            loading; faults
 *	layer.h, hlod.h, server.h  data layers, HLOD actors, servers
 *	queue.h     the cells that could start to load, and those that wait
 *	order.h     sorting the queue, and the priorities of loads
 *	performance.h  Good, Slow, Critical, and the blocking wait
 *	decision.h  what was decided about a cell, for commands that explain it. The record combines
 *	            the hit (range.h), the waiting row (queue.h) and the resident (level.h)
 *	event.h     the log, statistics, stalls
 *	timeline.h  recorded inputs, snapshots, going back
 *
 * This header combines them. control.c converts an action of the user into an input (input.c),
 * which the owner of the changed part applies. frame.c runs a frame, in which policy.c decides what
 * to activate, load and unload. loaded_partition.c adds worlds, state.c writes and reads all parts,
 * travel.c goes to other frames. A module calls only modules further down in this list, with one
 * exception: a level that is removed also removes the world partition inside it (see
 * tests/graph.sh).
 *
 * Sparse sets: `slot[cell]` is an index into a dense list. The cell is in the set only if that
 * index is within the list and the element at that index has this cell. Therefore slots are never
 * cleared, and the cost of a frame depends only on the cells that the frame processes. Lists keep
 * their memory; a frame allocates only when a list grows.
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

/* The transform of a world partition. */
struct cs_run_standing {
	struct cs_transform transform, inverse;
	bool transformed;
	double yaw;
};

/* The results of the streaming policy for a world partition, kept until its next evaluation. */
struct cs_run_evaluation {
	uint64_t last_hash; /* hash of all inputs of the last evaluation */
	bool evaluated;     /* false: the next update must evaluate again */
	/*
	 * the budget sufficed for all cells that the latest evaluation listed to activate or load
	 */
	bool completed;
	bool decided; /* whether an evaluation found the hits, with the settings in `terms` */
	/* latest frame that evaluated the partition, or skipped it because nothing changed */
	uint64_t decided_in;
	struct cs_run_terms terms; /* settings in the last evaluation */
	cs_ids found, to_unload;
};

/* A world partition: its constant data, and the state that each module of the run keeps for it. */
struct cs_run_world {
	uint32_t id;
	char *name; /* NULL: the name of its map is used */
	struct cs_run_model model;
	struct cs_run_standing standing;
	/* cell that contains the level instance of this world partition */
	struct cs_stream_cell owner;
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

/* ---- state of the run ---- */

struct cs_run_clock {
	uint64_t frame, time; /* time in ns */
	uint64_t delta;       /* ns since the previous frame */
	uint64_t stall;       /* ns that waits and costly work added to the last frame */
	/* set of enum cs_changed: which inputs changed since the last frame */
	uint32_t since;
};

/* The state of a run. Each member belongs to the module whose header declares its type. */
struct cs_stream {
	struct cs_companion companion;
	const struct cs_run_rules *rules;
	char profile[16];
	enum cs_role role;
	struct cs_run_variables variables;
	bool hlod_enabled;
	struct cs_run_clock clock;
	struct cs_run_sources sources;
	CS_VEC(struct cs_run_world *) worlds;
	/* index in `worlds` at which the next update continues after the time limit stopped it */
	uint32_t next_world;
	struct cs_run_queue queue;
	struct cs_run_levels levels;
	struct cs_run_server server;
	struct cs_run_performance performance;
	struct cs_run_log log;
	struct cs_run_timeline timeline;
	bool failed; /* an allocation failed within a frame */
};

static inline double cs_run_number(const struct cs_stream *stream, enum cs_run_variable variable)
{
	return stream->variables.numbers[variable];
}

static inline bool cs_run_is_server(const struct cs_stream *stream)
{
	return stream->role == CS_ROLE_LISTEN_SERVER || stream->role == CS_ROLE_DEDICATED_SERVER;
}

/* Converts the value of a variable from milliseconds to nanoseconds. */
uint64_t cs_run_ns(const struct cs_stream *stream, enum cs_run_variable variable);
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

/*
 * Returns the index at which a cell is, or would be inserted, in n ascending elements of `size`
 * bytes that begin with a struct cs_stream_cell.
 */
size_t cs_run_cell_place(const void *list, size_t n, size_t size, struct cs_stream_cell cell);

/* Returns the struct cs_run_cell of a cell, or NULL; valid until one is added or removed. */
static inline struct cs_run_cell *cs_run_find(const struct cs_run_world *world, uint32_t cell)
{
	uint32_t slot = world->residents.cell_slot[cell];
	return slot < world->residents.cells.n && world->residents.cells.at[slot].cell == cell
		       ? &world->residents.cells.at[slot]
		       : NULL;
}

static inline struct cs_run_hit *cs_run_find_hit(const struct cs_run_world *world, uint32_t cell)
{
	uint32_t slot = world->reached.hit_slot[cell];
	return slot < world->reached.hits.n && world->reached.hits.at[slot].cell == cell
		       ? &world->reached.hits.at[slot]
		       : NULL;
}

static inline bool cs_run_level_loaded(uint8_t level)
{
	return level >= CS_LEVEL_NOT_VISIBLE;
}

/* Runs one frame without storing a snapshot or replaying inputs. */
struct cs_error *cs_run_frame(struct cs_stream *stream) CS_MUST_USE;
void cs_run_world_register(struct cs_stream *stream, struct cs_run_world *world, bool on);
/* Returns whether a world partition is not registered because its owner's level is not visible. */
bool cs_run_waits_for_owner(const struct cs_stream *stream, const struct cs_run_world *world);
bool cs_run_cell_exists(const struct cs_stream *stream, struct cs_stream_cell cell);
struct cs_error *cs_run_no_cell(struct cs_stream_cell cell) CS_MUST_USE;

/* ---- loaded_partition.c: adding world partitions ---- */

struct cs_error *cs_run_world_add(struct cs_stream *stream, const struct cs_cooked *cooked,
	const struct cs_stream_instance *instance, const struct cs_stream_options *options,
	const struct cs_job *job) CS_MUST_USE;
void cs_run_world_free(struct cs_run_world *world);
/* Adds a world partition for each standalone level instance of the main world. */
struct cs_error *cs_run_subs_init(struct cs_stream *stream, const struct cs_job *job) CS_MUST_USE;

/* ---- policy.c: deciding which cells load ---- */

bool cs_run_update(struct cs_stream *stream);
/* Stores the current settings and layer states in `world` for the next evaluation. */
void cs_run_terms_take(const struct cs_stream *stream, struct cs_run_world *world);
/*
 * Fills world.reached.hits with the cells that sources reach from their positions in the last
 * evaluation, and those that a server keeps loaded. False when memory runs out.
 */
bool cs_run_find_hits(struct cs_stream *stream, struct cs_run_world *world);
/* Returns why a server keeps the state of the cell although less is wanted, or CS_REASON_NONE. */
enum cs_reason cs_run_keeps(
	const struct cs_stream *stream, const struct cs_run_world *world, uint32_t cell);
/* Returns a client for which a server keeps the state of a cell (rule 2.7), or CS_NONE. */
uint32_t cs_run_holder(const struct cs_stream *stream, const struct cs_run_world *world,
	const struct cs_run_cell *resident);
/* Returns how many cells may start to load in this frame (rule 2.3.4), UINT32_MAX = unlimited. */
uint32_t cs_run_max_cells_to_load(const struct cs_stream *stream);
void cs_run_unload_all(struct cs_stream *stream, struct cs_run_world *world);

/* ---- state.c: writing and reading the state ---- */

/* Writes the state in canonical form; with `log` also parts that are reported but not hashed. */
bool cs_run_state_write(struct cs_stream *stream, struct cs_writer *writer, bool log);
/* Reads a state that cs_run_state_write wrote for this stream with `log` set. */
struct cs_error *cs_run_state_read(
	struct cs_stream *stream, const unsigned char *bytes, size_t size) CS_MUST_USE;
void cs_run_cell_code(struct cs_codec *codec, struct cs_stream_cell *cell);
/* Sorts ids in ascending order, using cs_run_scratch(); false when memory runs out. */
bool cs_run_sort_ids(struct cs_stream *stream, cs_ids *ids);
/* Sorts ids whose rows the codec will write; empties `ids` if that or the codec fails. */
void cs_run_sort_coded(struct cs_codec *codec, struct cs_stream *stream, cs_ids *ids);

/* ---- companion.c: state of another library that steps with the run ---- */

cs_run_apply cs_run_apply_companion;
struct cs_error *cs_run_companion_frame(struct cs_stream *stream, uint64_t length) CS_MUST_USE;
/* Write or restore the companion's state. Return false if it fails or memory runs out. */
bool cs_run_companion_write(struct cs_stream *stream, struct cs_writer *writer);
bool cs_run_companion_read(struct cs_stream *stream, struct cs_cursor *cursor);
