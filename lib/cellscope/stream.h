/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Run-time streaming: simulates frame by frame, on a virtual clock, how sources move and cells are
 * loaded. Like a game it reads a world only from a cooked file (cellscope/cooked.h).
 *
 *	struct cs_stream *stream;
 *	cs_stream_new(cooked, NULL, NULL, &stream);
 *	struct cs_stream_source source = cs_stream_source_player("Player0");
 *	cs_stream_source_set(stream, &source);
 *	cs_stream_step(stream, 60);
 *	cs_stream_why(stream, cell, &why);
 *
 * Units are cm, degrees, and nanoseconds of virtual time. Frame n is the state after step n, and
 * frame 0 the state before the first step. Every change of the run between two frames (of a
 * source, a variable, a layer, a fault) is an input (cellscope/runs.h): it takes effect at once,
 * is recorded with its frame, and cs_stream_goto replays it. Pointers that functions return are
 * valid until the next change of the stream. A stream belongs to one thread at a time. The cooked
 * worlds must outlive it and may be shared.
 */
#ifndef CELLSCOPE_STREAM_H
#define CELLSCOPE_STREAM_H

#include <cellscope/cooked.h>

CS_BEGIN_DECLS

/* ==== cells of a run ==== */

/* Cells of a run: their streaming levels, current states and faults. */

struct cs_stream;

/* A cell in one of the world partitions of a run. */
struct cs_stream_cell {
	uint32_t world;
	uint32_t cell; /* row of cells in the cooked world of `world` */
};

#define CS_STREAM_NO_CELL ((struct cs_stream_cell){CS_NONE, CS_NONE})

/* Numbers of world partitions, sources and events of a run. */
struct cs_stream_counts {
	size_t worlds, sources;
	uint64_t events; /* number of all events so far; the log keeps only the latest */
};

CS_API struct cs_stream_counts cs_stream_counts(const struct cs_stream *stream);

enum cs_level_state {
	CS_LEVEL_REMOVED,
	CS_LEVEL_UNLOADED,
	CS_LEVEL_FAILED,
	CS_LEVEL_LOADING,
	CS_LEVEL_NOT_VISIBLE,
	CS_LEVEL_MAKING_VISIBLE,
	CS_LEVEL_VISIBLE,
	CS_LEVEL_MAKING_INVISIBLE,
	CS_LEVEL_STATES
};

/* States of a cell, with the numbers that the engine's console commands use. */
enum cs_stream_state {
	CS_STATE_UNLOADED,
	CS_STATE_STILL_AROUND,
	CS_STATE_LOADING,
	CS_STATE_LOADED,
	CS_STATE_MAKING_VISIBLE,
	CS_STATE_VISIBLE,
	CS_STATE_PRELOADING,
	CS_STATE_FAILED,
	CS_STATE_MAKING_INVISIBLE,
	CS_STATE_COUNT
};

/*
 * States of a cell as maps show them; loaded and activated mean the same as for data layers (enum
 * cs_layer_state). Tables of cells show the words for these values in the column `state`.
 */
enum cs_map_state {
	CS_MAP_LAYER_OFF, /* unloaded because of the cell's data layers */
	CS_MAP_UNLOADED,
	CS_MAP_STILL_AROUND,
	CS_MAP_WAITING,
	CS_MAP_PRELOADING,
	CS_MAP_LOADING,
	CS_MAP_LOADED,
	CS_MAP_SHOWING,
	CS_MAP_ACTIVATED,
	CS_MAP_LEAVING,
	CS_MAP_FAILED,
	CS_MAP_STATES
};

/* How far streaming is behind what the sources need. */
enum cs_performance {
	CS_PERFORMANCE_GOOD,
	CS_PERFORMANCE_SLOW,
	CS_PERFORMANCE_CRITICAL,
	CS_PERFORMANCE_IMMEDIATE,
	CS_PERFORMANCES
};

/* Returns whether a level is loading or loaded. */
static inline bool cs_level_is_there(enum cs_level_state state)
{
	return state >= CS_LEVEL_LOADING && state < CS_LEVEL_STATES;
}

struct cs_stream_cell_view {
	enum cs_stream_state state; /* state that wp debug commands show */
	/* state that the column `state` of tables shows; never CS_MAP_LAYER_OFF */
	enum cs_map_state shown;
	enum cs_map_state on_map;    /* state on a map: `shown` or CS_MAP_LAYER_OFF */
	enum cs_level_state level;   /* state of the cell's streaming level */
	enum cs_layer_state current; /* layer state that the cell's level has reached */
	/* set of the streaming policy that contains the cell; CS_LAYER_UNLOADED: in no set */
	enum cs_layer_state set;
	/* highest state that the data layers of the cell allow, as of the latest inputs */
	enum cs_layer_state by_layers;
	enum cs_layer_state wanted; /* decided by the last frame; above `set` if the cell waits */
	bool waiting;               /* wanted, but not yet started because of the frame budget */
	bool waiting_to_show;
	uint64_t since; /* frame in which `level` last changed */
	uint64_t bytes_left, work_left_ns;
	uint64_t bytes; /* size in bytes by the load model */
};

/* Returns the view of a cell. If `stream` is NULL, every cell is unloaded. */
CS_API struct cs_stream_cell_view cs_stream_cell(
	const struct cs_stream *stream, struct cs_stream_cell cell);

/* ---- faults of loads ---- */

enum cs_fault {
	CS_FAULT_NONE,    /* no fault; removes an earlier fault */
	CS_FAULT_LOAD,    /* the package cannot be opened */
	CS_FAULT_CORRUPT, /* the package is read, but then found to be damaged */
	CS_FAULT_SLOW,    /* each step of the load takes `factor` times as long */
};

struct cs_stream_fault_view {
	struct cs_stream_cell cell;
	enum cs_fault fault;
	double factor;
};

/* Returns the fault at an index, in the order of cells; CS_FAULT_NONE after the last one. */
CS_API struct cs_stream_fault_view cs_stream_fault_at(const struct cs_stream *stream, size_t index);

/* ==== streaming sources ==== */

/*
 * Streaming sources (rule 2.2): the positions of players and cameras, the shapes in which they load
 * cells, and the state that they request.
 */

struct cs_path;
struct cs_stream;

/* A rotation, as UE's rotator, in degrees. */
struct cs_rotator {
	double pitch, yaw, roll;
};

enum { CS_SOURCE_NAME = 64, CS_SOURCE_SHAPES = 8, CS_SOURCE_GRIDS = 8 };

enum cs_source_behavior { CS_SOURCE_INCLUDE, CS_SOURCE_EXCLUDE };

/* The shape of a source: a sphere or a spherical sector. Other shapes don't exist. */
struct cs_stream_shape {
	bool use_grid_range; /* true: radius = loading range of the partition x range_scale */
	bool sector;
	double range_scale;
	double radius;           /* radius in cm if use_grid_range is false */
	double angle;            /* angle of the sector in degrees; 360 is a sphere */
	struct cs_vec3 location; /* centre relative to the source, cm */
	/* axis of the sector: the X axis, rotated by this and then as the source is rotated */
	struct cs_rotator rotation;
};

struct cs_stream_source {
	char name[CS_SOURCE_NAME];
	struct cs_vec3 location;
	struct cs_rotator rotation;
	struct cs_vec3 velocity; /* cm/s; used only with velocity_given, else computed */
	bool velocity_given;
	bool enabled;
	bool block_on_slow;
	bool use_velocity;   /* whether the velocity affects the order of cells */
	bool replay, remote; /* remote: not a local controller, so a source on servers only */
	bool force_2d;
	uint8_t priority;           /* 0 is the highest, 128 is normal */
	enum cs_layer_state target; /* state requested: CS_LAYER_LOADED or CS_LAYER_ACTIVATED */
	enum cs_source_behavior behavior;
	double extra_radius, extra_angle;
	uint32_t color; /* 0xRRGGBB; 0: computed from the name */
	uint32_t n_grids, n_shapes;
	char grids[CS_SOURCE_GRIDS][CS_SOURCE_NAME]; /* names of partitions, ignoring case */
	/* if n_shapes is 0: a sphere with the loading range of the partition */
	struct cs_stream_shape shapes[CS_SOURCE_SHAPES];
};

enum {
	CS_PRIORITY_HIGHEST = 0,
	CS_PRIORITY_HIGH = 64,
	CS_PRIORITY_NORMAL = 128,
	CS_PRIORITY_LOW = 192,
	CS_PRIORITY_LOWEST = 255,
};

/* Returns a source with the defaults of the engine's streaming source component. */
static inline struct cs_stream_source cs_stream_source_default(const char *name)
{
	struct cs_stream_source source;
	memset(&source, 0, sizeof(source));
	for (size_t i = 0; i < CS_SOURCE_NAME - 1 && name[i]; i++)
		source.name[i] = name[i];
	source.enabled = true;
	source.priority = CS_PRIORITY_NORMAL;
	source.target = CS_LAYER_ACTIVATED;
	source.behavior = CS_SOURCE_INCLUDE;
	return source;
}

/* Returns a source with the defaults of a player controller, which blocks on slow streaming. */
static inline struct cs_stream_source cs_stream_source_player(const char *name)
{
	struct cs_stream_source source = cs_stream_source_default(name);
	source.block_on_slow = true;
	return source;
}

static inline struct cs_stream_shape cs_stream_shape_default(void)
{
	struct cs_stream_shape shape = {true, false, 1, 10000, 360, {0, 0, 0}, {0, 0, 0}};
	return shape;
}

/*
 * Replaces the grids of a source by a list of names "A,B"; "" means all grids. Returns E_SETTING
 * for too many names, or a name that is too long.
 */
CS_API struct cs_error *cs_stream_source_act_on(
	struct cs_stream_source *source, const char *names) CS_MUST_USE;

struct cs_stream_source_view {
	const struct cs_stream_source *source; /* the source at its current position */
	bool active;                           /* whether streaming uses the source */
	bool following;                        /* whether the source follows a path */
	struct cs_vec3 velocity;               /* velocity in cm/s that streaming uses */
	double speed;                          /* speed in the unit speed_unit */
	const char *speed_unit;             /* unit that wp.Runtime.DebugDisplaySpeedUnit selects */
	double server_radius, server_angle; /* margins added by server streaming; cm, degrees */
};

/* Returns the number of sources. Sources are sorted by name. */
static inline size_t cs_stream_sources(const struct cs_stream *stream)
{
	return cs_stream_counts(stream).sources;
}

CS_API struct cs_stream_source_view cs_stream_source_at(
	const struct cs_stream *stream, size_t index);
/* Returns the index of the source with a name, or SIZE_MAX. */
CS_API size_t cs_stream_find_source(const struct cs_stream *stream, const char *name);

/* ==== HLOD actors ==== */

/* HLOD actors of a run (rule 2.9): which of them are visible, and their faults. */

struct cs_stream;

enum cs_hlod_state {
	CS_HLOD_HIDDEN,   /* loaded but hidden: the source cell is visible, or HLOD is off */
	CS_HLOD_SHOWN,    /* loaded; the source cell is not visible */
	CS_HLOD_AWAY,     /* not loaded: the source cell is visible, or streaming has not begun */
	CS_HLOD_HOLE,     /* actor and source cell are both hidden, though streaming has begun */
	CS_HLOD_OUTDATED, /* loaded, but this cook has no cell with the source GUID */
	CS_HLOD_STATES
};

struct cs_stream_hlod_view {
	enum cs_hlod_state state;
	bool in_range; /* whether a source reaches the cell with the HLOD actor */
	bool needs_warmup;
	uint32_t warm_frames; /* warm-up calls still needed; 0: the warm-up is over or not begun */
	bool warming;
};

/* Returns the view of an HLOD actor; `hlod` is a row of hlods in the cooked world. */
CS_API struct cs_error *cs_stream_hlod(const struct cs_stream *stream, uint32_t world,
	uint32_t hlod, struct cs_stream_hlod_view *ret) CS_MUST_USE;

enum cs_hlod_fault {
	CS_HLOD_FAULT_OUTDATED, /* this cook has no cell with the GUID of the source cell */
	/* actor in range but not loaded, and its source cell hidden although its layers allow it */
	CS_HLOD_FAULT_HOLE,
	CS_HLOD_FAULT_RANGE,   /* the HLOD's loading range is not larger than the source cell's */
	CS_HLOD_FAULT_NO_HOME, /* no cell contains the actor */
	CS_HLOD_FAULTS
};

struct cs_stream_hlod_finding {
	uint32_t world, hlod;
	enum cs_hlod_fault fault;
	double range, source_range; /* loading ranges in cm, for CS_HLOD_FAULT_RANGE */
};

/* Lists all current faults of HLOD actors. The caller frees the rows. */
CS_API struct cs_error *cs_stream_hlod_check(const struct cs_stream *stream,
	struct cs_stream_hlod_finding **rows_ret, size_t *n_ret) CS_MUST_USE;

/* ==== explanations of a run ==== */

/*
 * Explains why a cell has its state, which of two cells is loaded first, when each cell will be
 * loaded, and what a source would load. These functions don't change the run.
 */

struct cs_stream;

enum cs_reason {
	CS_REASON_NONE,
	/* Reasons why the cell is wanted: */
	CS_REASON_ALWAYS_LOADED, /* the cell is part of the persistent level */
	CS_REASON_NON_SPATIAL,   /* the cell is not spatial; only its layers decide */
	CS_REASON_IN_RANGE,      /* a source reaches the cell */
	CS_REASON_SNAPPED,       /* the cell contains a wanted cell of a lower level */
	CS_REASON_SERVER,        /* a server without server streaming loads everything */
	CS_REASON_NO_STREAM_OUT, /* the server does not stream out: it keeps loaded cells */
	CS_REASON_DISALLOWED,    /* the server must not stream out a layer of the cell */
	CS_REASON_CLIENT_SEES,   /* a client still sees the cell */
	/* Reasons why the cell is not wanted: */
	CS_REASON_NOT_REGISTERED, /* the cell's world partition is not registered */
	CS_REASON_NO_SOURCE,
	CS_REASON_GRID_FILTER, /* the sources in range don't load this partition */
	CS_REASON_OUT_OF_RANGE,
	CS_REASON_LAYERS, /* the cell's data layers are unloaded */
	CS_REASON_HLOD_OFF,
	CS_REASON_CLIENT_ONLY,  /* client-only cells don't exist on this server */
	CS_REASON_LEVEL_FILTER, /* excluded by wp.Runtime.FilterRuntimeSpatialHashGridLevel */
	CS_REASON_NO_BOUNDS,
	CS_REASON_NOT_RUN, /* no frame has run since a change that may cause a load */
	/* Reasons why the cell should only be loaded, not activated: */
	CS_REASON_LAYERS_LOADED, /* the cell's data layers allow no higher state */
	CS_REASON_TARGET_LOADED, /* the sources request no higher state */
	/* Reasons why the cell should be loaded or activated, but is not yet: */
	CS_REASON_BUDGET,      /* the frame budget does not reach the cell yet */
	CS_REASON_PERFORMANCE, /* a wait because of poor performance skips the cell */
	CS_REASON_LOADING,
	CS_REASON_FAILED,
	CS_REASON_WARMUP, /* an HLOD actor of the cell is not warm yet */
	CS_REASON_TURN,   /* another level is being made visible or invisible */
	CS_REASON_MAKING_VISIBLE,
	CS_REASON_SERVER_ACK, /* the server has not confirmed the state yet */
	/* Reasons why the cell should be unloaded, but is still in memory: */
	CS_REASON_MAKING_INVISIBLE,
	CS_REASON_CANCELLED,    /* a load in progress cannot be stopped */
	CS_REASON_STILL_AROUND, /* garbage collection has not freed the level yet */
	CS_REASON_ARRIVED,      /* the cell has the wanted state */
	CS_REASON_COUNT
};

enum cs_order_key {
	CS_KEY_NONE, /* no key: the cell is the first in the list */
	CS_KEY_SOURCE,
	CS_KEY_LEVEL,
	CS_KEY_PRIORITY,
	CS_KEY_SPATIAL,
	CS_KEY_DISTANCE, /* for ties: squared 2D distance to the centre of the content */
	CS_KEY_NAME,     /* for further ties: name of the cell */
	CS_KEY_LIST, /* no key: one cell is to be activated, and goes before one that is only to be
			loaded */
	CS_ORDER_KEYS
};

/* Sort keys of a cell in the load order (rule 2.4), computed with the cell's state (rule 2.3.5). */
struct cs_stream_keys {
	uint8_t source_priority;
	int32_t hierarchical_level; /* higher levels come first */
	int32_t cell_priority;
	double spatial;
	double distance2; /* for ties: squared distance of the content from the source, cm^2 */
};

/* Whether and how one source reaches one cell. */
struct cs_stream_reach {
	const char *source; /* name of the source; NULL if the run has no source */
	uint32_t shape;     /* index in the shapes of the source; 0 if there are none */
	bool accepted;      /* whether the source's list of grids includes the partition */
	bool hit;
	/* from the centre of the shape to the tested bounds, cm; INFINITY: no bounds */
	double distance;
	double radius;  /* radius of the shape after scale and margins, cm */
	bool assumed;   /* whether the loading range in `radius` is only assumed */
	double spatial; /* spatial sort key of the hit (rule 2.3.5) */
};

/*
 * What changed since a frame decided about a cell, so that the next frame may decide differently.
 */
enum cs_changed {
	CS_CHANGED_SOURCES = 1, /* sources or loading ranges */
	CS_CHANGED_LAYERS = 2,
	CS_CHANGED_SETTINGS = 4, /* variables, or whether HLODs are on */
	CS_CHANGED_CLIENTS = 8,
	CS_CHANGED_FRAMES = 16, /* later frames had no time to update the partition */
};

struct cs_stream_why {
	enum cs_layer_state wanted; /* state that the cell should have by all rules */
	enum cs_reason reason;      /* the rule that decided `wanted` */
	/* why the cell does not have that state yet, or CS_REASON_ARRIVED */
	enum cs_reason progress;
	enum cs_reason obstacle; /* why the cell is not activated, or CS_REASON_NONE */
	bool decided;            /* whether any frame has decided about the cell */
	uint64_t decided_in;     /* last frame that decided about the cell, or skipped it */
	uint32_t changed;        /* enum cs_changed bits: what may change the next decision */
	enum cs_layer_state by_sources; /* state that the sources request */
	enum cs_layer_state by_layers;
	uint32_t layer; /* row of the layer that limits the cell, or CS_NONE */
	/*
	 * for CS_REASON_TURN: the cell whose level is being shown or hidden, or CS_STREAM_NO_CELL
	 */
	struct cs_stream_cell blocker;
	struct cs_stream_reach nearest; /* hit of lowest spatial key, else the nearest shape */
	uint32_t n_hits;                /* number of shapes that reach the cell */
	struct cs_stream_keys keys;
	bool blocking;         /* whether a source that blocks reaches the cell */
	double blocking_ratio; /* distance of the nearest source that blocks / its loading radius */
	bool blocks;           /* whether the cell blocks on slow streaming */
	bool judged;           /* whether blocking_ratio was tested, because the cell was late */
	enum cs_performance performance; /* performance by rule 2.5, valid if `judged` */
	uint32_t rank, of;    /* position in the load order, from 1; number of cells in the order */
	uint32_t warm_frames; /* for CS_REASON_WARMUP: number of warm-up calls still needed */
	uint32_t client;      /* for CLIENT_SEES: index of the client; CS_NONE: it has left */
};

/* Explains the state of a cell. Returns E_NOCELL for an unknown cell. */
CS_API struct cs_error *cs_stream_why(const struct cs_stream *stream, struct cs_stream_cell cell,
	struct cs_stream_why *ret) CS_MUST_USE;
/* Tests each shape of each source against the cell. Returns the number; stores at most `room`. */
CS_API size_t cs_stream_reaches(const struct cs_stream *stream, struct cs_stream_cell cell,
	struct cs_stream_reach *ret, size_t room);

enum cs_order_list {
	CS_ORDER_ACTIVATE,         /* the engine's list ToActivate of the last frame */
	CS_ORDER_LOAD,             /* the engine's list ToLoad of the last frame */
	CS_ORDER_PENDING_ACTIVATE, /* cells that were requested, but are not visible yet */
	CS_ORDER_PENDING_LOAD,     /* cells that were requested, but are not loaded yet */
	CS_ORDER_LISTS
};

struct cs_stream_order_row {
	struct cs_stream_cell cell;
	struct cs_stream_keys keys;
	enum cs_order_key decided_by; /* key by which this row sorts after the previous row */
	bool started;                 /* whether the load of the cell was started */
};

/*
 * Compares two cells in the load order: -1, 0 or 1 in *order_ret, and the key that decided, or
 * CS_KEY_LIST if one is to be activated and the other to be loaded. Returns E_NOCELL for an unknown
 * cell.
 */
CS_API struct cs_error *cs_stream_compare(const struct cs_stream *stream,
	struct cs_stream_cell left, struct cs_stream_cell right, int *order_ret,
	enum cs_order_key *key_ret) CS_MUST_USE;

struct cs_stream_forecast {
	struct cs_stream_cell cell;
	uint32_t load_frames;         /* frames until loading begins; CS_NONE: after the horizon */
	uint32_t done_frames;         /* frames until the cell is loaded or visible, as wanted */
	enum cs_order_key decided_by; /* sort key that decided the cell's position */
};

/*
 * Predicts when every wanted cell will be loaded or visible, by running a copy of the state for at
 * most `horizon` frames with sources that don't move. Rows: requested cells in the order of both
 * PENDING lists, activations first, then waiting cells as in ACTIVATE and LOAD, then cells that a
 * blocking wait skips. The caller frees the rows. The run is not changed.
 */
CS_API struct cs_error *cs_stream_queue(struct cs_stream *stream, uint32_t horizon,
	struct cs_stream_forecast **rows_ret, size_t *n_ret) CS_MUST_USE;

/* ---- tests with an additional source ---- */

struct cs_stream_probe_row {
	struct cs_stream_cell cell;
	enum cs_layer_state wanted;
	enum cs_reason reason;
	struct cs_stream_keys keys;
	uint64_t actors, bytes;
};

struct cs_stream_probe {
	struct cs_stream_probe_row *rows; /* freed by the caller */
	size_t n;
	uint64_t actors, bytes; /* sums over all rows */
};

/*
 * Lists the cells that streaming would request if `source` were the only streaming source: first
 * the cells to activate, then the cells to load, each list sorted by rule 2.4.
 */
CS_API struct cs_error *cs_stream_probe(struct cs_stream *stream,
	const struct cs_stream_source *source, struct cs_stream_probe *ret) CS_MUST_USE;

/*
 * Stores in *ret whether all cells that the source `query` reaches have the state `state` (rule
 * 2.10), or with `exact` that state and no higher one. *cell_ret is the first cell that does not,
 * or CS_STREAM_NO_CELL.
 */
CS_API struct cs_error *cs_stream_completed(struct cs_stream *stream,
	const struct cs_stream_source *query, enum cs_layer_state state, bool exact, bool *ret,
	struct cs_stream_cell *cell_ret) CS_MUST_USE;

/* ==== data layers ==== */

/*
 * Data layers of a run (rule 2.8): their states, what limits them, and the effect of setting one.
 */

struct cs_stream;

enum cs_layer_answer {
	CS_LAYER_SET,
	CS_LAYER_UNCHANGED,
	CS_LAYER_NOT_RUNTIME,  /* ignored, because it is an editor layer */
	CS_LAYER_NO_AUTHORITY, /* ignored, because only a server may set the state */
	CS_LAYER_WRONG_ROLE,   /* ignored: the layer is only for clients, or only for servers */
	CS_LAYER_ANSWERS
};

/*
 * Sets the state of a data layer; the run records the change as an input. `recursive` also sets its
 * child layers, even if the layer itself is not set. `replicated` means that a server sent the
 * change to this client. *ret is the answer for the layer itself. Returns E_NOLAYER for an unknown
 * layer.
 */
CS_API struct cs_error *cs_stream_layer_set(struct cs_stream *stream, uint32_t world,
	uint32_t layer, enum cs_layer_state state, bool recursive, bool replicated,
	enum cs_layer_answer *ret) CS_MUST_USE;

struct cs_stream_layer_view {
	enum cs_layer_state initial; /* initial state by the cook, the role and the options */
	enum cs_layer_state target, effective;
	uint32_t limited_by; /* row of the ancestor that limits `effective`, or CS_NONE */
	/* whether the layer is a runtime layer, and its load filter includes the role */
	bool runtime, on_role;
	uint32_t cells;           /* number of cells with the layer */
	uint32_t in_range;        /* number of the layer's cells that a source reaches */
	uint32_t loaded, visible; /* number of the layer's cells in memory, and visible */
};

CS_API struct cs_error *cs_stream_layer(const struct cs_stream *stream, uint32_t world,
	uint32_t layer, struct cs_stream_layer_view *ret) CS_MUST_USE;

enum cs_layer_verdict {
	CS_LAYER_IS_EDITOR,
	CS_LAYER_OTHER_ROLE,
	CS_LAYER_ANCESTOR,      /* `holder`, an ancestor, limits the layer */
	CS_LAYER_NOT_SENT,      /* the server has not sent that the layer is activated */
	CS_LAYER_NOT_ACTIVATED, /* nothing has activated the layer */
	CS_LAYER_NO_CELLS,
	CS_LAYER_ABSENT, /* all cells of the layer are client-only, and this is a server */
	CS_LAYER_OUT_OF_RANGE,
	CS_LAYER_EXTERNAL_OFF, /* the cells' external data layer, `holder`, is not activated */
	/* `holder`, another layer of the cells, is not activated */
	CS_LAYER_OTHERS_OFF,
	CS_LAYER_EXCLUDED, /* the layer's cells are not streamed because of `excluded_by` */
	CS_LAYER_CELLS_FAILED,
	CS_LAYER_ON_THE_WAY,
	CS_LAYER_NOT_RUN,     /* no frame has run since a change that may affect its cells */
	CS_LAYER_ONLY_LOADED, /* some cells are wanted only as loaded, and are loaded */
	CS_LAYER_IS_VISIBLE,
	CS_LAYER_VERDICTS
};

struct cs_stream_why_layer {
	struct cs_stream_layer_view view;
	enum cs_layer_verdict verdict; /* first reason why the layer is not visible */
	uint32_t holder;   /* row of the layer that limits this layer or its cells, or CS_NONE */
	uint32_t absent;   /* on a server: number of the layer's cells that only clients load */
	uint32_t excluded; /* number of the layer's cells excluded by `excluded_by` */
	enum cs_reason excluded_by;
	/* number of cells, neither absent nor excluded, that sources or the server request */
	uint32_t in_range;
	uint32_t held;        /* number of cells in range whose state another layer limits */
	uint32_t failed;      /* number of cells in range that failed to load */
	uint32_t arrived;     /* number of cells in range that have the wanted state */
	uint32_t only_loaded; /* cells in range that should only be loaded, not activated */
	uint32_t undecided;   /* number of the layer's cells whose reason is CS_REASON_NOT_RUN */
};

/* Explains why a layer is visible or not. Returns E_NOLAYER for an unknown layer. */
CS_API struct cs_error *cs_stream_why_layer(const struct cs_stream *stream, uint32_t world,
	uint32_t layer, struct cs_stream_why_layer *ret) CS_MUST_USE;

struct cs_stream_impact {
	uint32_t cell;
	enum cs_layer_state before, after; /* highest state that the layers of the cell allow */
	bool in_range;
};

/* Lists the cells that setting a layer would change. Nothing is set. The caller frees the rows. */
CS_API struct cs_error *cs_stream_layer_impact(const struct cs_stream *stream, uint32_t world,
	uint32_t layer, enum cs_layer_state state, bool recursive,
	struct cs_stream_impact **rows_ret, size_t *n_ret) CS_MUST_USE;

/* ==== settings of a run ==== */

/* Settings of a run: console variables of the engine, and the loading ranges of partitions. */

struct cs_stream;

enum cs_variable_type { CS_VARIABLE_BOOL, CS_VARIABLE_INTEGER, CS_VARIABLE_REAL, CS_VARIABLE_TEXT };

/* What a change of a variable affects. */
enum cs_variable_scope {
	CS_SCOPE_RUN,     /* streaming, from the next frame on */
	CS_SCOPE_ONCE,    /* streaming, but only if the variable is changed before its first use */
	CS_SCOPE_MODEL,   /* the model of loading and of the machine */
	CS_SCOPE_DISPLAY, /* the display in maps and lists */
	CS_SCOPE_COOK,    /* the next cook, not a world that is cooked already */
};

struct cs_variable {
	const char *name;
	const char *aliases; /* other names, separated by blanks, or NULL */
	enum cs_variable_type type;
	enum cs_variable_scope scope;
	double initial, low, high; /* of a number: default and limits in the default profile */
	const char *unit;          /* unit of a number, or NULL */
	const char *help;
	const char *instead; /* for a variable without effect: what to use, or ""; else NULL */
};

CS_API const struct cs_variable *cs_stream_variables(size_t *n_ret);
/* Finds a variable by name or alias, ignoring case. Returns SIZE_MAX when there is none. */
CS_API size_t cs_stream_find_variable(const char *name);
CS_API size_t cs_stream_variable_format(
	const struct cs_stream *stream, size_t variable, char *ret, size_t size);

struct cs_stream_value {
	/* current value, and initial value in the profile of the stream; 0 for a text */
	double number, initial;
	bool is_initial; /* whether the value is the initial one */
};

CS_API struct cs_stream_value cs_stream_variable(const struct cs_stream *stream, size_t variable);
/* Where the loading range of a partition comes from. */
enum cs_range_origin {
	CS_RANGE_COOKED,
	CS_RANGE_ASSUMED, /* assumed, because the source of the world lacks it */
	CS_RANGE_OVERRIDE,
};

struct cs_stream_range {
	double range; /* loading range in cm */
	enum cs_range_origin origin;
};

/* Returns the current loading range of a partition. */
CS_API struct cs_stream_range cs_stream_range(
	const struct cs_stream *stream, uint32_t world, uint32_t partition);

struct cs_stream;

/* ---- creating a run ---- */

enum cs_role {
	CS_ROLE_STANDALONE,
	CS_ROLE_CLIENT,
	CS_ROLE_LISTEN_SERVER,
	CS_ROLE_DEDICATED_SERVER
};

/* An initial state of a data layer that replaces the cooked one. */
struct cs_stream_initial {
	const char *layer; /* instance name, asset or label of the layer */
	enum cs_layer_state state;
};

struct cs_stream_options {
	size_t size; /* sizeof(struct cs_stream_options); see cellscope/core.h */
	enum cs_role role;
	const char *profile; /* engine profile; NULL: that of the cooked world */
	const struct cs_stream_initial *initial;
	size_t n_initial;
	/* Limits of the recorded history. 0 means the default, which each comment states. */
	uint64_t history_bytes; /* bytes of snapshots, and as much for inputs; default 64 MiB */
	uint32_t events;        /* events in the log; default 65,536 */
	uint32_t frames;        /* frames with statistics; default 4,096 */
	/* library that steps with the run; all zeros: none; its context must outlive the stream */
	struct cs_companion companion;
};

/*
 * Creates a run. The cooked world is world 0, the persistent level. The standalone level instances
 * in it are the next worlds, in the order of sub_partitions. Returns E_PROFILE, E_NOLAYER or
 * E_NOMEM on failure.
 */
CS_API struct cs_error *cs_stream_new(const struct cs_cooked *cooked,
	const struct cs_stream_options *options, const struct cs_job *job,
	struct cs_stream **ret) CS_MUST_USE;
CS_API void cs_stream_free(struct cs_stream *stream);

/* A standalone level instance: a world partition of its own in the persistent level. */
struct cs_stream_instance {
	struct cs_transform transform;
	/*
	 * The cell that contains the level instance. The partition is registered when the level of
	 * the cell begins to become visible, and removed when it begins to be hidden. With
	 * CS_STREAM_NO_CELL only cs_stream_register registers it.
	 */
	struct cs_stream_cell owner;
	const char *name; /* NULL: name of the map; #2 ... is appended to a taken name */
};

/* Adds a world partition, not registered yet, with the stream's profile. *ret is its number. */
CS_API struct cs_error *cs_stream_add_world(struct cs_stream *stream,
	const struct cs_cooked *cooked, const struct cs_stream_instance *instance,
	const struct cs_job *job, uint32_t *ret) CS_MUST_USE;

static inline size_t cs_stream_worlds(const struct cs_stream *stream)
{
	return cs_stream_counts(stream).worlds;
}

struct cs_stream_partition {
	const char *name; /* unique name of the world partition */
	struct cs_transform transform;
	struct cs_stream_cell owner; /* cell with the level instance, or CS_STREAM_NO_CELL */
	bool registered, server_streaming;
	uint32_t cells_loaded, cells_visible;
};

/* A world partition of a run. */
struct cs_stream_world {
	const char *name; /* unique name */
	const struct cs_cooked *cooked;
};

CS_API struct cs_stream_world cs_stream_world(const struct cs_stream *stream, uint32_t world);
/* Finds a layer by instance name, asset or label, ignoring case. Returns its row or CS_NONE. */
CS_API uint32_t cs_stream_find_layer(
	const struct cs_stream *stream, uint32_t world, const char *name);

/* ---- running frames ---- */

/* Runs n frames. After an error (no memory, companion failed) the frames before it are complete. */
CS_API struct cs_error *cs_stream_step(struct cs_stream *stream, uint64_t n) CS_MUST_USE;

struct cs_stream_status {
	const char *profile;
	enum cs_role role;
	bool hlod_enabled;
	uint64_t frame, time_ns;
	enum cs_performance performance;         /* performance of the cells that may block */
	enum cs_performance display_performance; /* 5.7: performance of all cells; never blocks */
	/* number of loading levels; number of cells that may start to load, UINT32_MAX: any */
	uint32_t loading, budget;
	uint32_t waiting_activate, waiting_load;   /* number of cells that wait for the budget */
	uint32_t making_visible, making_invisible; /* number of levels in this state */
	/* cell being shown, being hidden; or CS_STREAM_NO_CELL */
	struct cs_stream_cell showing, hiding;
	uint32_t purging; /* number of unloaded levels still in memory */
	/* numbers of cells; loaded cells include visible ones */
	uint64_t cells_visible, cells_loaded;
	uint64_t actors, bytes; /* sums over all loaded cells */
	uint64_t server_epoch;
	uint64_t rewinds; /* how often the run went back, which makes results invalid */
};

CS_API struct cs_stream_status cs_stream_status(const struct cs_stream *stream);

/* ---- servers (rule 2.7) ---- */

struct cs_stream_client {
	const char *name; /* name of the client, NULL after the last one */
	size_t cells;     /* number of cells that the client shows */
};

CS_API struct cs_stream_client cs_stream_client_at(const struct cs_stream *stream, size_t client);

struct cs_stream_hold {
	struct cs_stream_cell cell;
	uint32_t client; /* first client that shows the cell; CS_NONE: it has left */
};

/*
 * Returns the cells that the server keeps only because a client shows them, after the last frame.
 */
CS_API const struct cs_stream_hold *cs_stream_server_hold(
	const struct cs_stream *stream, size_t *n_ret);

CS_END_DECLS

#endif
