/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of a run, for the modules of this folder. Who owns what:
 *
 *	source.c    providers (what the user set) and active sources (what streaming sees)
 *	range.c     which cells the sources reach: world.hits, and the sort keys of a cell
 *	partition.c names of world partitions, those that the cooked file brings
 *	policy.c    the frame: sets of cells, what to activate, load, unload
 *	order.c     sorting, and the priorities of requests under way
 *	performance.c  Good, Slow, Critical, and the blocking wait
 *	level.c     residents: streaming levels, their states and the model of loading
 *	fault.c     loads that were asked to go wrong
 *	layer.c, hlod.c, server.c  what their names say
 *	event.c     the log, statistics, stalls
 *	state.c     the whole state as bytes: hash, snapshots
 *	input.c, timeline.c  recorded inputs, going back
 *
 * Sparse sets: `slot[cell]` is the place of a cell in a dense list; it is believed only when the
 * list has that place and the entry there names the cell. Nothing is ever cleared cell by cell, so
 * a frame costs what it touches. Lists keep their memory; a frame allocates only when one grows.
 */
#ifndef STREAM_STREAM_H
#define STREAM_STREAM_H

#include <cellscope/stream_events.h>

#include "base/cursor.h"
#include "base/vec.h"
#include "base/writer.h"
#include "stream/model.h"
#include "stream/reach.h"
#include "stream/rules.h"
#include "stream/variable.h"

/* ---- sources ---- */

struct cs_run_provider {
	struct cs_stream_source source;
	uint64_t hash; /* of all fields but place and velocity */
	uint32_t path; /* stream.paths, or CS_NONE */
	bool loop;
	uint64_t path_start; /* ns; of a path that was recorded frame by frame: the frame */
};

/* Where a source stood when the worlds were last evaluated. */
struct cs_run_stand {
	struct cs_vec3 location, velocity;
	struct cs_rotator rotation;
};

struct cs_run_source {
	struct cs_stream_source source;
	uint64_t hash;                    /* as of its provider */
	struct cs_vec3 velocity;          /* computed or given */
	struct cs_vec3 step;              /* quantised location, with hysteresis */
	struct cs_rotator turn;           /* quantised rotation */
	double extra_radius, extra_angle; /* with the server's margin */
	struct cs_run_stand evaluated;
};

/* ---- cells ---- */

enum { CS_WANT_LOAD = 1, CS_WANT_ACTIVATE = 2 };

/* A cell of the frame sets. */
struct cs_run_hit {
	uint32_t cell;
	uint8_t want;    /* CS_WANT_ */
	uint8_t reason;  /* enum cs_reason */
	uint32_t touch;  /* first of world.touches, or CS_NONE */
	uint32_t target; /* world.targets: the last that reached it, or CS_NONE */
};

/* Which target took a cell: those of the snap rule, and all where there are many targets. */
struct cs_run_touch {
	uint32_t target; /* world.targets */
	uint32_t next;   /* world.touches */
};

/* What one shape of one source reaches in one partition. */
struct cs_run_target {
	struct cs_run_reach reach;
	uint32_t source; /* stream.sources */
	uint32_t shape;  /* of the source; 0 also where it has none */
};

/* 2.3.5, of one cell. */
struct cs_run_info {
	struct cs_stream_keys keys;
	uint32_t hits;
	uint32_t target;       /* world.targets: that gave the spatial key, or CS_NONE */
	bool blocking;         /* a blocking source hits it */
	double blocking_ratio; /* infinite without */
	double ratio;          /* of any source */
};

/* A cell of the policy's sets, or one whose level is still there. */
struct cs_run_cell {
	uint32_t cell;
	uint8_t set;   /* enum cs_layer_state: neither, Loaded, Activated */
	uint8_t level; /* enum cs_level_state */
	bool should_load, should_show;
	bool pending_add; /* activated, not shown yet */
	bool moving;      /* in stream.moving */
	bool asked;       /* the server, about showing or hiding */
	bool held;        /* the server waits for a client */
	bool around;      /* unloaded, but its memory is not freed yet */
	uint8_t fault;    /* enum cs_fault, of the load under way */
	uint8_t hold;     /* enum cs_reason: why its level does not go on */
	uint8_t source_priority;
	double spatial, distance2;            /* sort keys, as last evaluated */
	uint32_t priority;                    /* among requests under way */
	uint64_t since;                       /* frame of the last change of `level` */
	uint64_t ready_at, ack_at, loaded_at; /* ns */
	uint64_t bytes;                       /* of the package, by the model */
	uint64_t bytes_left, work_left;       /* to read; ns of visibility work */
};

/* An HLOD actor that warms up. */
struct cs_run_warm {
	uint32_t hlod;
	uint32_t left;  /* calls until it is warm */
	uint64_t frame; /* of the last call */
};

/* Of a server; fixed at the first use, as the engine does. */
enum cs_run_server_mode { CS_MODE_UNKNOWN, CS_MODE_OFF, CS_MODE_IN, CS_MODE_IN_OUT };

struct cs_run_world {
	uint32_t id;
	char *name; /* or NULL: that of its map */
	struct cs_run_model model;
	struct cs_transform transform, inverse;
	bool transformed;
	double yaw;
	struct cs_stream_cell owner; /* the cell that holds its level instance */
	bool registered;
	uint8_t server_mode; /* enum cs_run_server_mode */
	double *ranges;      /* of partitions that are overridden, else negative */

	uint8_t *initial, *target, *effective; /* of layers, enum cs_layer_state */
	uint64_t layer_epoch;
	uint8_t *set_wanted;  /* of model.sets: enum cs_layer_state */
	uint64_t *set_epoch;  /* layer_epoch + 1 of set_wanted; 0 = never asked */
	bool *set_disallowed; /* a layer of it must not be streamed out by a server */

	CS_VEC(struct cs_run_cell) cells; /* sparse set, slots in cell_slot */
	uint32_t *cell_slot;
	CS_VEC(struct cs_run_hit) hits; /* sparse set, slots in hit_slot */
	uint32_t *hit_slot;
	CS_VEC(struct cs_run_warm) warm; /* sparse set, slots in warm_slot */
	uint32_t *warm_slot;
	CS_VEC(struct cs_run_touch) touches;
	CS_VEC(struct cs_run_target) targets; /* grouped by partition */
	uint32_t *target_first;               /* of each partition, then the end */
	uint64_t target_version;              /* stream.source_version they were made from */

	CS_VEC(struct cs_stream_order_row) waiting[2]; /* by CS_ORDER_ACTIVATE, _LOAD; disjoint */
	uint32_t *wait_slot;                           /* in either */
	uint32_t *waited;    /* of each cell: wait_round when it waited at its begin */
	uint32_t wait_round; /* of updates */
	cs_ids found, to_unload;
	uint64_t last_hash; /* of all that an evaluation depends on */
	bool evaluated;     /* last_hash is of a complete evaluation */
	bool completed;     /* the budget reached all of the last lists */
	uint32_t n_in_sets, n_pending_add;
	uint8_t performance, display_performance;
	bool wants_changed; /* a set changed since the server epoch was published */
	bool epoch_held;    /* a client held a cell in the last evaluation */
};

/* ---- what is kept about the past ---- */

struct cs_run_event {
	uint64_t number;
	struct cs_stream_event event;
};

struct cs_run_stall {
	uint64_t number;
	struct cs_stream_stall stall;
};

struct cs_run_log {
	struct cs_run_event *events; /* rings: number modulo size */
	struct cs_stream_frame *frames;
	struct cs_run_stall *stalls;
	uint32_t n_events, n_frames;
	uint64_t event_count, stall_count; /* told until now */
	/* Up to it the records of frames have holes: the run went back, and forth by a snapshot. */
	uint64_t last_hole;
	struct cs_stream_report report;
};

struct cs_run_snapshot {
	uint64_t frame;
	size_t offset, size; /* in timeline.bytes */
};

struct cs_run_checkpoint {
	uint32_t id;
	uint64_t frame;
	size_t cursor; /* in timeline.inputs: those before it had acted */
	bool rooted;   /* these are still the inputs that led to it */
	unsigned char *bytes;
	size_t size;
};

struct cs_run_timeline {
	uint64_t limit;    /* bytes of snapshots; as much again for inputs */
	uint64_t last;     /* frame that can be reached */
	uint64_t interval; /* frames between snapshots */
	CS_VEC(struct cs_run_snapshot) snapshots;
	struct cs_writer bytes;         /* of all snapshots, one behind the other */
	struct cs_writer state, record; /* scratch */
	struct cs_stream_source source; /* scratch: of a decoded input */
	struct cs_writer inputs;        /* records, ascending in frame */
	size_t cursor;                  /* in inputs: those before it have acted */
	CS_VEC(struct cs_run_checkpoint) checkpoints;
	uint32_t last_checkpoint;
};

/* ---- the stream ---- */

/* A cell that makes the frame block. */
struct cs_run_critical {
	struct cs_stream_cell cell;
	double ratio;
	uint32_t source; /* stream.sources: of the nearest target, or CS_NONE */
};

struct cs_run_fault {
	struct cs_stream_cell cell;
	uint32_t fault; /* enum cs_fault */
	double factor;
};

/* A cell that a simulated client sees. */
struct cs_run_seen {
	struct cs_stream_cell cell;
	uint64_t until; /* ns; UINT64_MAX while its source reaches it */
	uint64_t frame; /* in which it was last in range */
	bool held;      /* by cs_stream_client_hold */
};

struct cs_run_client {
	char name[CS_SOURCE_NAME], source[CS_SOURCE_NAME];
	CS_VEC(struct cs_run_seen) seen; /* ascending */
};

struct cs_run_recorder {
	struct cs_path *path;
	char source[CS_SOURCE_NAME];
	uint64_t start; /* ns */
};

struct cs_stream {
	struct cs_stream_companion companion;
	const struct cs_run_rules *rules;
	char profile[16];
	enum cs_role role;
	struct cs_run_variables variables;
	bool hlod_enabled;

	uint64_t frame, time; /* ns */
	uint64_t delta;       /* ns since the frame before */
	uint64_t stall;       /* ns that the blocking wait of the last frame took */

	CS_VEC(struct cs_run_provider) providers; /* by name */
	CS_VEC(struct cs_run_source) sources;     /* by name */
	uint64_t source_version; /* changes when a place in `sources` changes its owner */
	CS_VEC(struct cs_path *) paths;
	CS_VEC(struct cs_run_world *) worlds;
	uint32_t next_world; /* where the time limit stopped */

	CS_VEC(struct cs_stream_order_row) lists[CS_ORDER_LISTS];
	CS_VEC(struct cs_stream_order_row) open[CS_ORDER_LISTS]; /* of these, not there yet */
	CS_VEC(unsigned char) scratch;                           /* of sorting */

	CS_VEC(struct cs_stream_cell) moving; /* levels that are not where they should be */
	bool moving_sorted;
	struct cs_stream_cell showing, hiding; /* at work */
	uint64_t io_time, io_carry;            /* when bytes were last delivered; remainder */
	uint32_t n_loading, n_around;
	uint64_t purge_time;
	uint64_t cells_visible, cells_loaded, actors, bytes;
	CS_VEC(struct cs_run_fault) faults; /* ascending */

	uint64_t server_epoch;
	CS_VEC(struct cs_run_client) clients; /* by name */
	CS_VEC(struct cs_stream_hold) holds;

	uint8_t performance, display_performance;
	bool block_requested, block_by_performance, in_block;
	CS_VEC(struct cs_run_critical) critical; /* of the frame, nearest first */
	bool failed;                             /* out of memory within a frame */

	struct cs_stream_frame now; /* record of the frame under way */
	struct cs_run_log log;
	struct cs_run_timeline timeline;
	struct cs_run_recorder recorder;
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
	uint32_t slot = w->cell_slot[cell];
	return slot < w->cells.n && w->cells.at[slot].cell == cell ? &w->cells.at[slot] : NULL;
}

static inline struct cs_run_hit *cs_run_find_hit(const struct cs_run_world *w, uint32_t cell)
{
	uint32_t slot = w->hit_slot[cell];
	return slot < w->hits.n && w->hits.at[slot].cell == cell ? &w->hits.at[slot] : NULL;
}

/* What a cell waits to become that the budget did not reach; Unloaded when it does not wait. */
static inline enum cs_layer_state cs_run_waits_for(const struct cs_run_world *w, uint32_t cell)
{
	static const enum cs_layer_state states[] = {
		[CS_ORDER_ACTIVATE] = CS_LAYER_ACTIVATED, [CS_ORDER_LOAD] = CS_LAYER_LOADED};
	uint32_t slot = w->wait_slot[cell];
	for (int list = 0; list < 2; list++)
		if (slot < w->waiting[list].n && w->waiting[list].at[slot].cell.cell == cell)
			return states[list];
	return CS_LAYER_UNLOADED;
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

/* Gives the world a name that no other has; NULL: that of its map. */
struct cs_error *cs_run_world_name(
	struct cs_stream *s, struct cs_run_world *w, const char *name) CS_MUST_USE;
/* Adds the standalone level instances of the main world. */
struct cs_error *cs_run_subs_init(struct cs_stream *s, const struct cs_job *job) CS_MUST_USE;

/* ---- source.c ---- */

/* What was recorded of the frame under way by the first source that follows a record, or NULL. */
const struct cs_path_frame *cs_run_recorded_frame(const struct cs_stream *s);
/* (1) of the frame: what the providers give now; with dt, velocities follow. */
bool cs_run_sources_update(struct cs_stream *s);
/* Quantised places and all fields: what an evaluation depends on. */
uint64_t cs_run_sources_hash(const struct cs_stream *s);
/* Remembers where the sources stand, when a world is evaluated. */
void cs_run_sources_stand(struct cs_stream *s);
bool cs_run_source_accepts(const struct cs_stream_source *source, const char *partition);
struct cs_run_source *cs_run_find_source(const struct cs_stream *s, const char *name);
struct cs_error *cs_run_source_check(const struct cs_stream_source *source) CS_MUST_USE;

/* ---- range.c ---- */

/* Prepares world.targets from where the sources stood when they were last evaluated. */
bool cs_run_targets_prepare(const struct cs_stream *s, struct cs_run_world *w);
/* The same for worlds whose targets are those of other sources. */
bool cs_run_targets_refresh(const struct cs_stream *s);
/* e. of the policy: fills world.hits. */
bool cs_run_hits_update(struct cs_stream *s, struct cs_run_world *w);
/* Adds a cell to the hits; `want` CS_WANT_. NULL without memory. */
struct cs_run_hit *cs_run_hit_add(
	struct cs_run_world *w, uint32_t cell, uint8_t want, enum cs_reason reason);
void cs_run_cell_info(
	const struct cs_stream *s, struct cs_run_world *w, uint32_t cell, struct cs_run_info *ret);
/* The same within an evaluation, of a cell that was hit in it. */
void cs_run_hit_info(const struct cs_stream *s, struct cs_run_world *w,
	const struct cs_run_hit *hit, struct cs_run_info *ret);
/* Why a cell takes no part at all, whatever the sources do; NONE if it does. */
enum cs_reason cs_run_cell_excluded(
	const struct cs_stream *s, const struct cs_run_world *w, uint32_t cell);
/* Whether a source reaches the cell now; cells that are not spatial are everywhere. */
bool cs_run_in_range(const struct cs_stream *s, const struct cs_run_world *w, uint32_t cell);
/* world.found: cells that a source reaches with the plain loading ranges. */
bool cs_run_client_finds(
	const struct cs_stream *s, struct cs_run_world *w, const struct cs_run_source *source);
double cs_run_range(const struct cs_run_world *w, uint32_t partition);
enum cs_range_origin cs_run_range_origin(const struct cs_run_world *w, uint32_t partition);
struct cs_run_target cs_run_target_make(const struct cs_stream *s, const struct cs_run_world *w,
	uint32_t partition, uint32_t source, uint32_t shape);
struct cs_run_metric cs_run_target_metric(const struct cs_stream *s, const struct cs_run_world *w,
	struct cs_run_target *target, uint32_t cell);
double cs_run_spatial_key(const struct cs_stream *s, const struct cs_run_metric *metric);
/* The highest state that a source asks for the cell. */
enum cs_layer_state cs_run_sources_ask(
	const struct cs_stream *s, const struct cs_run_world *w, uint32_t cell);
/* Whether the target hits the cell by its exact bounds. */
bool cs_run_target_hits(
	const struct cs_run_world *w, const struct cs_run_target *target, uint32_t cell);

/* ---- policy.c ---- */

bool cs_run_update(struct cs_stream *s);
/* The frame sets of a world, with the sources as they stood when they were last evaluated. */
bool cs_run_find_hits(struct cs_stream *s, struct cs_run_world *w);
/* 2.3.4; UINT32_MAX = unlimited. */
uint32_t cs_run_max_cells_to_load(const struct cs_stream *s);
void cs_run_unload_all(struct cs_stream *s, struct cs_run_world *w);

/* ---- order.c ---- */

bool cs_run_order_sort(struct cs_stream *s, enum cs_order_list list);
enum cs_order_key cs_run_order_decide(const struct cs_stream *s,
	const struct cs_stream_order_row *left, const struct cs_stream_order_row *right,
	int *order_ret);
bool cs_run_prioritise(struct cs_stream *s);
/* Whether the cell is where the list would take it. */
bool cs_run_order_arrived(
	const struct cs_stream *s, enum cs_order_list list, struct cs_stream_cell cell);
/* Behind a frame: fills stream.open. */
bool cs_run_order_finish(struct cs_stream *s);
/* Room for sorting n elements of `size`; NULL without memory. */
void *cs_run_scratch(struct cs_stream *s, size_t n, size_t size);

/* ---- performance.c ---- */

/* Whether the policy leaves the cell alone in this blocking wait. */
bool cs_run_skips(const struct cs_stream *s, const struct cs_run_world *w, uint32_t cell);
void cs_run_performance_begin(struct cs_stream *s, struct cs_run_world *w);
/* Whether the cell, if it should be active, is late and counts. */
bool cs_run_is_late(const struct cs_stream *s, const struct cs_run_world *w, uint32_t cell);
/* Judges one cell of FrameActivate. */
void cs_run_judge(
	struct cs_stream *s, struct cs_run_world *w, uint32_t cell, const struct cs_run_info *info);
/* Behind the evaluation of a world: asks for a wait where it is that bad. */
void cs_run_performance_request(struct cs_stream *s, const struct cs_run_world *w);
enum cs_performance cs_run_performance_of(const struct cs_stream *s, double ratio, bool blocking);
/* Behind all worlds: the worst of them. */
void cs_run_performance_finish(struct cs_stream *s);
/* BlockTillLevelStreamingCompleted. */
bool cs_run_block(struct cs_stream *s);

/* ---- level.c ---- */

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

/* ---- layer.c ---- */

struct cs_error *cs_run_layers_init(struct cs_stream *s, struct cs_run_world *w,
	const struct cs_stream_options *options) CS_MUST_USE;
void cs_run_layers_deinit(struct cs_run_world *w);
/* What the layers of the cell allow. */
enum cs_layer_state cs_run_layers_allow(
	const struct cs_stream *s, struct cs_run_world *w, uint32_t cell);
enum cs_layer_state cs_run_set_wanted(const struct cs_stream *s, const struct cs_run_world *w,
	uint32_t set, const uint8_t *effective);
void cs_run_layers_effective(
	const struct cs_run_world *w, const uint8_t *target, uint8_t *effective);
/* The external one among them. */
bool cs_run_cell_has_layer(const struct cs_run_world *w, uint32_t cell, uint32_t layer);
bool cs_run_layer_is_runtime(const struct cs_run_world *w, uint32_t layer);
void cs_run_disallow_update(struct cs_stream *s, struct cs_run_world *w);

/* ---- fault.c ---- */

/* NULL when nothing was asked. */
const struct cs_run_fault *cs_run_fault_of(const struct cs_stream *s, struct cs_stream_cell cell);

/* ---- server.c ---- */

/* Reads the variables of the modes for the last time. */
void cs_run_server_fix_modes(struct cs_stream *s);
bool cs_run_server_streams(const struct cs_stream *s, const struct cs_run_world *w);
bool cs_run_server_streams_out(const struct cs_stream *s, const struct cs_run_world *w);
bool cs_run_server_streams_any(const struct cs_stream *s);
bool cs_run_clients_update(struct cs_stream *s);
/* Index of the first client that sees the cell, or CS_NONE. */
uint32_t cs_run_seen_by(const struct cs_stream *s, struct cs_stream_cell cell);
void cs_run_epoch_publish(struct cs_stream *s);

/* ---- hlod.c ---- */

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
enum cs_hlod_state cs_run_hlod_state(
	const struct cs_stream *s, const struct cs_run_world *w, uint32_t hlod);

/* ---- path.c, csv_profile.c, and recording ---- */

/* Whether the text is a CSV profile of the engine. */
bool cs_run_profile_is(const char *text, size_t size);
/* Adds its frames to the path. */
struct cs_error *cs_run_profile_read(
	const char *file, const char *text, size_t size, struct cs_path *path) CS_MUST_USE;

/* Drops the keys behind a time. */
void cs_run_path_cut(struct cs_path *path, double time);
/* Seconds since the recording began; negative before. */
double cs_run_recorder_time(const struct cs_stream *s);
struct cs_error *cs_run_record_frame(struct cs_stream *s) CS_MUST_USE;

/* ---- event.c ---- */

struct cs_error *cs_run_log_init(
	struct cs_run_log *log, const struct cs_stream_options *options) CS_MUST_USE;
void cs_run_log_deinit(struct cs_run_log *log);
void cs_run_event(struct cs_stream *s, enum cs_event event, struct cs_stream_cell cell,
	uint32_t detail, unsigned from, unsigned to, enum cs_reason reason);
void cs_run_frame_begin(struct cs_stream *s);
void cs_run_frame_finish(struct cs_stream *s);
void cs_run_stall_add(struct cs_stream *s, const struct cs_stream_stall *stall);

/* ---- state.c ---- */

/* The whole state, canonical; `log` adds what is only told and not part of the hash. */
bool cs_run_state_write(struct cs_stream *s, struct cs_writer *writer, bool log);
/* Bytes of cs_run_state_write with `log`, of this stream. */
struct cs_error *cs_run_state_read(
	struct cs_stream *s, const unsigned char *bytes, size_t size) CS_MUST_USE;

/* A source without (for its hash) or with the place where it stands. */
void cs_run_source_write(
	const struct cs_stream_source *source, bool place, struct cs_writer *writer);
void cs_run_source_read(struct cs_cursor *cursor, struct cs_stream_source *ret);

/* ---- input.c: an input acts, then it is recorded ---- */

struct cs_error *cs_run_submit(
	struct cs_stream *s, const struct cs_stream_input *input) CS_MUST_USE;
/* Lets the recorded inputs of the present frame act. */
struct cs_error *cs_run_replay_inputs(struct cs_stream *s) CS_MUST_USE;
/* Place of the first recorded input of this frame or a later one. */
size_t cs_run_inputs_from(const struct cs_stream *s, uint64_t frame);

/* How each kind acts, in the module that owns what it changes; nothing happens on an error. */
typedef struct cs_error *cs_run_apply(struct cs_stream *s, const struct cs_stream_input *input);
cs_run_apply cs_run_apply_source, cs_run_apply_move, cs_run_apply_remove, cs_run_apply_follow,
	cs_run_apply_variable, cs_run_apply_hlod, cs_run_apply_range, cs_run_apply_block,
	cs_run_apply_layer, cs_run_apply_register, cs_run_apply_client, cs_run_apply_client_remove,
	cs_run_apply_hold, cs_run_apply_fault;

/* ---- timeline.c ---- */

struct cs_error *cs_run_timeline_init(
	struct cs_stream *s, const struct cs_stream_options *options) CS_MUST_USE;
void cs_run_timeline_deinit(struct cs_stream *s);
/* Behind a frame: a snapshot when one is due, then the recorded inputs of the frame. */
struct cs_error *cs_run_timeline_frame(struct cs_stream *s) CS_MUST_USE;
/* Something new happens behind this frame: what was recorded behind it is dropped. */
void cs_run_timeline_branch(struct cs_stream *s);
/* Nothing before the next frame can be reached any more. */
void cs_run_timeline_forget(struct cs_stream *s);
/* Keeps the inputs within their limit. */
void cs_run_timeline_trim(struct cs_stream *s);

/* ---- companion.c ---- */

cs_run_apply cs_run_apply_companion;
struct cs_error *cs_run_companion_frame(struct cs_stream *stream, uint64_t length) CS_MUST_USE;
/* False without memory, or when it fails. */
bool cs_run_companion_write(struct cs_stream *stream, struct cs_writer *writer);
bool cs_run_companion_read(struct cs_stream *stream, struct cs_cursor *cursor);

#endif
