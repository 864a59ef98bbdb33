/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Run-time streaming: simulates frame by frame, on a virtual clock, how sources move and cells are
 * loaded. Like a game it reads a world only from a cooked file (cellscope/cooked.h).
 *
 * A run, or stream, has one or more world partitions (`world` is the index of one, 0 the main
 * world), which consist of partitions, the runtime grids of the engine (`partition` is a row of
 * partitions in the cooked world).
 *
 *	struct cs_stream *stream; // this example needs <cellscope/runs.h>
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
 * valid until the next call with a stream that is not const. A stream belongs to one thread at a
 * time. The cooked worlds must outlive it and may be shared. "The load model" is the model of
 * reading and of work that the variables sim.* set (cs_stream_variables).
 */
#ifndef CELLSCOPE_STREAM_H
#define CELLSCOPE_STREAM_H

#include <cellscope/cooked.h>

CS_BEGIN_DECLS

/* ==== cells of a run ==== */

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
	CS_LEVEL_REMOVED,  /* the cell has no streaming level */
	CS_LEVEL_UNLOADED, /* the level object exists, but its package is not loaded */
	CS_LEVEL_FAILED,   /* the package could not be loaded */
	CS_LEVEL_LOADING,
	CS_LEVEL_NOT_VISIBLE, /* loaded */
	CS_LEVEL_MAKING_VISIBLE,
	CS_LEVEL_VISIBLE,
	CS_LEVEL_MAKING_INVISIBLE,
	CS_LEVEL_STATES
};

/* States of a cell, with the numbers that the engine's console commands use. */
enum cs_stream_state {
	CS_STATE_UNLOADED,
	CS_STATE_STILL_AROUND, /* unloaded, but the memory is not freed yet */
	CS_STATE_LOADING,
	CS_STATE_LOADED, /* not visible */
	CS_STATE_MAKING_VISIBLE,
	CS_STATE_VISIBLE,
	CS_STATE_PRELOADING, /* the simulation never sets this state */
	CS_STATE_FAILED,
	CS_STATE_MAKING_INVISIBLE,
	CS_STATE_COUNT
};

/*
 * States of a cell as maps show them; loaded and activated mean the same as for data layers (enum
 * cs_layer_state). The column `state` of the table cells has the words of these values.
 */
enum cs_map_state {
	CS_MAP_LAYER_OFF, /* unloaded because of the cell's data layers */
	CS_MAP_UNLOADED,
	CS_MAP_STILL_AROUND, /* unloaded, but the memory is not freed yet */
	CS_MAP_WAITING,      /* wanted, but not loading yet */
	CS_MAP_PRELOADING,   /* a state of the engine that a run never has */
	CS_MAP_LOADING,
	CS_MAP_LOADED,
	CS_MAP_SHOWING, /* the level is being made visible */
	CS_MAP_ACTIVATED,
	CS_MAP_LEAVING, /* the level is being made invisible */
	CS_MAP_FAILED,
	CS_MAP_STATES
};

/* How far streaming is behind what the sources need (rule 2.5). */
enum cs_performance {
	CS_PERFORMANCE_GOOD,
	CS_PERFORMANCE_SLOW,
	CS_PERFORMANCE_CRITICAL,  /* the game waits for the cell */
	CS_PERFORMANCE_IMMEDIATE, /* 5.7: a source is in a cell that is not visible */
	CS_PERFORMANCES
};

/* Returns whether a level is loading or loaded. */
static inline bool cs_level_is_there(enum cs_level_state state)
{
	return state >= CS_LEVEL_LOADING && state < CS_LEVEL_STATES;
}

struct cs_stream_cell_view {
	enum cs_stream_state state; /* state that wp debug commands show */
	/* state that the column `state` of tables shows, which is never CS_MAP_LAYER_OFF */
	enum cs_map_state shown;
	enum cs_map_state on_map;    /* state on a map: `shown` or CS_MAP_LAYER_OFF */
	enum cs_level_state level;   /* state of the cell's streaming level */
	enum cs_layer_state current; /* layer state that the cell's level has reached */
	/* requested state: whether the engine's set of loaded, or of activated, cells has it */
	enum cs_layer_state set;
	/* highest state that the cell's data layers allow, even before the next frame has run */
	enum cs_layer_state by_layers;
	enum cs_layer_state wanted; /* decided by the last frame; above `set` if the cell waits */
	bool waiting;               /* wanted, but not yet started because of the frame budget */
	bool waiting_to_show;       /* activation was requested, but the level is not visible yet */
	uint64_t since;             /* frame in which `level` last changed */
	uint64_t bytes_left;        /* bytes that the current load must still read */
	uint64_t work_left_ns; /* work left for the level's actors: create, show or hide them */
	uint64_t bytes;        /* size in bytes by the load model */
};

/* Returns the view of a cell, or of an unloaded one if `stream` is NULL or has no such cell. */
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
	double factor; /* CS_FAULT_SLOW: 1 to 1e9; else unused */
};

/* Returns the fault at an index, in the order of cells, or CS_FAULT_NONE after the last fault. */
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

/* Size in bytes of a name with its NUL; largest number of shapes of a source, and of grids. */
enum { CS_SOURCE_NAME = 64, CS_SOURCE_SHAPES = 8, CS_SOURCE_GRIDS = 8 };

/* Whether a source loads only the partitions that it lists (`grids`), or all but these. */
enum cs_source_behavior { CS_SOURCE_INCLUDE, CS_SOURCE_EXCLUDE };

/* The shape of a source: a sphere or a spherical sector. Other shapes don't exist. */
struct cs_stream_shape {
	bool use_grid_range; /* true: radius = loading range of the partition x range_scale */
	bool sector;         /* true: a sector of `angle` degrees; false: a sphere */
	double range_scale;
	double radius;           /* radius in cm if use_grid_range is false */
	double angle;            /* whole opening angle of the sector, 0 to 360; 360 is a sphere */
	struct cs_vec3 location; /* centre relative to the source, turned as the source is, cm */
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
	bool use_velocity;          /* whether the velocity affects the order of cells */
	bool replay;                /* the source belongs to a replay; without effect */
	bool remote;                /* of a remote controller, so a source only on servers */
	bool force_2d;              /* shapes reach cells at any height */
	uint8_t priority;           /* 0 is the highest, 128 is normal */
	enum cs_layer_state target; /* state requested: CS_LAYER_LOADED or CS_LAYER_ACTIVATED */
	enum cs_source_behavior behavior;
	double extra_radius; /* added to the radius of every shape, cm */
	double extra_angle;  /* added to the angle of every sector, degrees */
	uint32_t color;      /* 0xRRGGBB; 0: computed from the name */
	uint32_t n_grids, n_shapes;
	/* names, ignoring case, of partitions to include or exclude (n_grids 0: includes all) */
	char grids[CS_SOURCE_GRIDS][CS_SOURCE_NAME];
	/* if n_shapes is 0, the source has one sphere with the partition's loading range */
	struct cs_stream_shape shapes[CS_SOURCE_SHAPES];
};

enum {
	CS_PRIORITY_HIGHEST = 0,
	CS_PRIORITY_HIGH = 64,
	CS_PRIORITY_NORMAL = 128,
	CS_PRIORITY_LOW = 192,
	CS_PRIORITY_LOWEST = 255,
};

/* Returns a source with the defaults of UE's streaming source component; cuts the name at 63. */
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
 * Replaces the grids of a source by a list of names "A,B", where "" means all grids. Returns
 * E_SETTING for too many names, or a name that is too long.
 */
CS_API struct cs_error *cs_stream_source_act_on(
	struct cs_stream_source *source, const char *names) CS_MUST_USE;

struct cs_stream_source_view {
	const struct cs_stream_source *source; /* the source at its current position */
	bool active;                           /* whether streaming uses the source */
	bool following;                        /* whether the source follows a path */
	struct cs_vec3 velocity;               /* velocity in cm/s that streaming uses */
	double speed;                          /* speed in the unit speed_unit */
	const char *speed_unit; /* unit that wp.Runtime.DebugDisplaySpeedUnit selects */
	/* added to radii (cm) and angles: what the source adds or, if larger, what a server adds */
	double server_radius, server_angle;
};

/* Returns the number of sources. Sources are sorted by name. */
static inline size_t cs_stream_sources(const struct cs_stream *stream)
{
	return cs_stream_counts(stream).sources;
}

/* Returns the source at an index, which must be less than cs_stream_sources(). */
CS_API struct cs_stream_source_view cs_stream_source_at(
	const struct cs_stream *stream, size_t index);
/* Returns the index of the source with a name, or SIZE_MAX. */
CS_API size_t cs_stream_find_source(const struct cs_stream *stream, const char *name);

/* ==== HLOD actors ==== */

/*
 * HLOD actors of a run (rule 2.9): which of them are visible, and their faults. The source cell of
 * an HLOD actor is the cell that it was built from and replaces. An HLOD actor is loaded when the
 * cell that contains it is visible.
 */

struct cs_stream;

enum cs_hlod_state {
	CS_HLOD_HIDDEN,   /* loaded but hidden: the source cell is visible, or HLOD is off */
	CS_HLOD_SHOWN,    /* loaded; the source cell is not visible */
	CS_HLOD_AWAY,     /* not loaded: the source cell is visible, or streaming has not begun */
	CS_HLOD_HOLE,     /* not loaded, and the source cell is not visible either */
	CS_HLOD_OUTDATED, /* loaded, but this cook has no cell with the source GUID */
	CS_HLOD_STATES
};

struct cs_stream_hlod_view {
	enum cs_hlod_state state;
	bool in_range;     /* whether the cell with the HLOD actor is requested and not excluded */
	bool needs_warmup; /* whether showing it and hiding its source cell need a warm-up */
	uint32_t warm_frames; /* frames of warm-up still needed; 0: it is over or not begun */
	bool warming;         /* whether the warm-up has begun, even if it is over */
};

/* Gets the view of the HLOD actor in row `hlod` of hlods. Returns E_MISSING if there is none. */
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
	uint32_t world, hlod; /* `hlod`: row of hlods in the cooked world of `world` */
	enum cs_hlod_fault fault;
	/* CS_HLOD_FAULT_RANGE: loading ranges in cm of the HLOD actor's cell and its source cell */
	double range, source_range;
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
	CS_REASON_SNAPPED,       /* the cell contains a wanted cell of a lower level of the grid */
	CS_REASON_SERVER,        /* a server without server streaming loads everything */
	CS_REASON_NO_STREAM_OUT, /* the server does not stream out: it keeps loaded cells */
	CS_REASON_DISALLOWED,    /* the server's settings forbid streaming out one of its layers */
	CS_REASON_CLIENT_SEES,   /* a client still sees the cell */
	/* Reasons why the cell is not wanted: */
	CS_REASON_NOT_REGISTERED, /* the cell's world partition is not registered */
	CS_REASON_NO_SOURCE,      /* the run has no active streaming source */
	CS_REASON_GRID_FILTER,    /* the sources in range don't load this partition */
	CS_REASON_OUT_OF_RANGE,   /* no source reaches the cell */
	CS_REASON_LAYERS,         /* the cell's data layers are unloaded */
	CS_REASON_HLOD_OFF,       /* a cell of HLOD actors, while HLOD is switched off */
	CS_REASON_CLIENT_ONLY,    /* client-only cells don't exist on this server */
	CS_REASON_LEVEL_FILTER,   /* excluded by wp.Runtime.FilterRuntimeSpatialHashGridLevel */
	CS_REASON_NO_BOUNDS,      /* the cell has no bounds that a source could reach */
	CS_REASON_NOT_RUN,        /* no frame has run since a change that may cause a load */
	/* Reasons why the cell should only be loaded, not activated: */
	CS_REASON_LAYERS_LOADED, /* the cell's data layers allow no higher state */
	CS_REASON_TARGET_LOADED, /* the sources request no higher state */
	/* Reasons why the cell should be loaded or activated, but is not yet: */
	CS_REASON_BUDGET,      /* the frame budget does not reach the cell yet */
	CS_REASON_PERFORMANCE, /* the game waits only for cells that block on slow streaming */
	CS_REASON_LOADING,     /* the level of the cell is loading */
	CS_REASON_FAILED,      /* the level of the cell failed to load */
	CS_REASON_WARMUP,      /* an HLOD actor of the cell is not warm yet */
	CS_REASON_TURN,        /* another level is being made visible or invisible just now */
	CS_REASON_MAKING_VISIBLE,
	CS_REASON_SERVER_ACK, /* the server has not confirmed the state yet */
	/* Reasons why the cell should be unloaded, but is still in memory: */
	CS_REASON_MAKING_INVISIBLE,
	CS_REASON_CANCELLED,    /* the load was cancelled, but cannot be stopped */
	CS_REASON_STILL_AROUND, /* garbage collection has not freed the level yet */
	/* No reason: */
	CS_REASON_ARRIVED, /* the cell has the wanted state */
	CS_REASON_COUNT
};

/* SOURCE to DISTANCE are the members of struct cs_stream_keys in their order. */
enum cs_order_key {
	CS_KEY_NONE, /* no key: the cell is the first in the list */
	CS_KEY_SOURCE,
	CS_KEY_LEVEL,
	CS_KEY_PRIORITY,
	CS_KEY_SPATIAL,
	CS_KEY_DISTANCE, /* breaks ties of these: squared 2D distance to the content's centre */
	CS_KEY_NAME,     /* breaks the ties that remain: name of the cell */
	/* not a key: a cell to be activated precedes a cell that is only to be loaded */
	CS_KEY_LIST,
	CS_ORDER_KEYS
};

/* Sort keys of a cell in the load order (rules 2.3.5, 2.4), in this order, lowest value first. */
struct cs_stream_keys {
	uint8_t source_priority;
	int32_t hierarchical_level; /* unlike the other keys, the highest level comes first */
	int32_t cell_priority;
	double spatial;
	/* after equal keys: least squared 2D distance of a source to the content's centre, cm^2 */
	double distance2;
};

/* Whether and how one source reaches one cell. */
struct cs_stream_reach {
	const char *source; /* name of the source; NULL if the run has no source */
	uint32_t shape;     /* index in the shapes of the source; 0 if there are none */
	bool accepted;      /* whether the source's list of grids includes the partition */
	bool hit;
	/* whether the distance would do, but the sector's angle or Z culling leaves the cell out */
	bool aside;
	/* from the centre of the shape to the tested bounds, in cm (INFINITY: no bounds) */
	double distance;
	double radius;  /* radius of the shape after scale and margins, cm */
	bool assumed;   /* whether the loading range in `radius` is only assumed */
	double spatial; /* if `hit`: spatial sort key, distance and angle combined (rule 2.3.5) */
};

/* Inputs that changed since a frame decided about a cell: the next frame may decide differently. */
enum cs_changed {
	CS_CHANGED_SOURCES = 1, /* sources or loading ranges */
	CS_CHANGED_LAYERS = 2,
	CS_CHANGED_SETTINGS = 4, /* variables, or whether HLODs are on */
	CS_CHANGED_CLIENTS = 8,
	/* the frames since `decided_in` had no time to evaluate the partition */
	CS_CHANGED_FRAMES = 16,
};

struct cs_stream_why {
	enum cs_layer_state wanted; /* state that the cell should have by all rules */
	enum cs_reason reason;      /* the rule that decided `wanted` */
	/* why the cell does not have that state yet, or CS_REASON_ARRIVED */
	enum cs_reason progress;
	/*
	 * why the cell is not activated: `reason`, `progress`, or what limits it to the state
	 * loaded. CS_REASON_NONE if the cell is activated
	 */
	enum cs_reason obstacle;
	bool decided; /* whether any frame has decided about the cell */
	/* last frame that evaluated the partition or skipped it for lack of changes (0: none) */
	uint64_t decided_in;
	uint32_t changed; /* enum cs_changed bits: what may change the next decision */
	enum cs_layer_state by_sources; /* state that the sources request */
	enum cs_layer_state by_layers;
	uint32_t layer; /* row of the layer that limits the cell, or CS_NONE */
	/* TURN: the cell being shown or hidden. NOT_REGISTERED: `owner`, which is not visible */
	struct cs_stream_cell blocker;
	/* shape that reaches the cell with the lowest spatial key, else the nearest shape */
	struct cs_stream_reach nearest;
	uint32_t n_hits; /* number of shapes that reach the cell */
	struct cs_stream_keys keys;
	bool blocking;         /* whether a source with block_on_slow reaches the cell */
	double blocking_ratio; /* least distance / radius of these sources; INFINITY: none */
	bool blocks;           /* whether the cell has CS_CELL_BLOCK_ON_SLOW */
	/* whether the last frame rated the cell, because it was to become visible */
	bool judged;
	/* rating of the streaming of this cell (rule 2.5), valid if `judged` */
	enum cs_performance performance;
	uint32_t rank;        /* position of the cell in the load order, from 1; 0: not in it */
	uint32_t of;          /* number of cells in the load order */
	uint32_t warm_frames; /* for CS_REASON_WARMUP: number of warm-up calls still needed */
	uint32_t client;      /* for CLIENT_SEES: index of the client; CS_NONE: it has left */
};

/* Explains the state of a cell. Returns E_NOCELL for an unknown cell. */
CS_API struct cs_error *cs_stream_why(const struct cs_stream *stream, struct cs_stream_cell cell,
	struct cs_stream_why *ret) CS_MUST_USE;
/*
 * Tests each shape of each active source against a spatial cell (a source without shapes has one).
 * Returns the number of tests, hits or not, and stores at most `room` of them.
 */
CS_API size_t cs_stream_reaches(const struct cs_stream *stream, struct cs_stream_cell cell,
	struct cs_stream_reach *ret, size_t room);

enum cs_order_list {
	CS_ORDER_ACTIVATE,         /* the engine's list ToActivate of the last frame */
	CS_ORDER_LOAD,             /* the engine's list ToLoad of the last frame */
	CS_ORDER_PENDING_ACTIVATE, /* cells that were requested, but are not visible yet */
	CS_ORDER_PENDING_LOAD,     /* cells that were requested, but are not loaded yet */
	CS_ORDER_LISTS
};

/* A cell in a list of the load order (enum cs_order_list); also a row of the table `order`. */
struct cs_stream_order_row {
	struct cs_stream_cell cell;
	struct cs_stream_keys keys;
	enum cs_order_key decided_by; /* key by which this row sorts after the previous row */
	bool started;                 /* whether the load of the cell was started */
};

/*
 * Compares two cells in the load order: *order_ret is < 0 if `left` comes first, > 0 if `right`
 * does, 0 for the same cell. *key_ret is the key that decided, or CS_KEY_LIST if one is to be
 * activated and the other only to be loaded. Returns E_NOCELL for an unknown cell.
 */
CS_API struct cs_error *cs_stream_compare(const struct cs_stream *stream,
	struct cs_stream_cell left, struct cs_stream_cell right, int *order_ret,
	enum cs_order_key *key_ret) CS_MUST_USE;

struct cs_stream_forecast {
	struct cs_stream_cell cell;
	uint32_t load_frames; /* frames until loading begins; 0: has begun; CS_NONE: later */
	uint32_t done_frames; /* frames until loaded or visible, as wanted; CS_NONE: later */
	enum cs_order_key decided_by; /* sort key that decided the cell's position */
};

/*
 * Predicts when every wanted cell will be loaded or visible, by running a copy of the state for at
 * most `horizon` frames with sources that don't move. Events after these frames are "later"
 * (CS_NONE). The rows are the cells of the lists CS_ORDER_PENDING_ACTIVATE and _PENDING_LOAD, then
 * the waiting cells of CS_ORDER_ACTIVATE and _LOAD, then the cells with CS_REASON_PERFORMANCE. The
 * caller frees the rows. The run is not changed.
 */
CS_API struct cs_error *cs_stream_queue(struct cs_stream *stream, uint32_t horizon,
	struct cs_stream_forecast **rows_ret, size_t *n_ret) CS_MUST_USE;

/* ==== data layers (rule 2.8) ==== */

struct cs_stream;

enum cs_layer_answer {
	CS_LAYER_SET,          /* the layer was set to the state */
	CS_LAYER_UNCHANGED,    /* the layer had the state already */
	CS_LAYER_NOT_RUNTIME,  /* ignored, because it is an editor layer */
	CS_LAYER_NO_AUTHORITY, /* ignored, because only a server may set the state */
	CS_LAYER_WRONG_ROLE,   /* ignored: the layer is only for clients, or only for servers */
	CS_LAYER_ANSWERS
};

/*
 * Sets the state of a data layer; the run records the change as an input. With `recursive` the
 * child layers are set too, even if the layer itself is not. `replicated` means that a server sent
 * the change to this client. *ret is the answer for the layer itself. This and the next functions
 * return E_NOLAYER for an unknown layer.
 */
CS_API struct cs_error *cs_stream_layer_set(struct cs_stream *stream, uint32_t world,
	uint32_t layer, enum cs_layer_state state, bool recursive, bool replicated,
	enum cs_layer_answer *ret) CS_MUST_USE;

struct cs_stream_layer_view {
	enum cs_layer_state initial;   /* initial state by the cook, the role and the options */
	enum cs_layer_state target;    /* UE's runtime state: last state set, or else `initial` */
	enum cs_layer_state effective; /* UE's effective state: `target`, limited by ancestors */
	uint32_t limited_by;           /* row of the ancestor that limits `effective`, or CS_NONE */
	bool runtime;                  /* whether the layer is a runtime layer */
	bool on_role;                  /* whether its load filter includes the role of the run */
	uint32_t cells;                /* number of cells with the layer */
	uint32_t in_range; /* number of the layer's cells that sources or the server request */
	uint32_t loaded, visible; /* number of the layer's cells in memory, and visible */
};

CS_API struct cs_error *cs_stream_layer(const struct cs_stream *stream, uint32_t world,
	uint32_t layer, struct cs_stream_layer_view *ret) CS_MUST_USE;

enum cs_layer_verdict {
	CS_LAYER_IS_EDITOR,     /* an editor layer doesn't exist at run time */
	CS_LAYER_OTHER_ROLE,    /* the load filter of the layer excludes the role of the run */
	CS_LAYER_ANCESTOR,      /* `holder`, an ancestor, limits the layer */
	CS_LAYER_NOT_SENT,      /* the server has not sent the activation of the layer */
	CS_LAYER_NOT_ACTIVATED, /* nothing has activated the layer */
	CS_LAYER_NO_CELLS,      /* no cell has the layer */
	CS_LAYER_ABSENT,        /* all cells of the layer are client-only, and this is a server */
	CS_LAYER_OUT_OF_RANGE,  /* no source reaches a cell with the layer */
	CS_LAYER_EXTERNAL_OFF,  /* the cells' external data layer, `holder`, is not activated */
	/* `holder`, another layer of the cells, is not activated */
	CS_LAYER_OTHERS_OFF,
	CS_LAYER_EXCLUDED,     /* the layer's cells are not streamed because of `excluded_by` */
	CS_LAYER_CELLS_FAILED, /* a cell in range failed to load */
	CS_LAYER_ON_THE_WAY,   /* a cell in range has not reached its wanted state yet */
	CS_LAYER_NOT_RUN, /* no frame has run since a change that may affect the layer's cells */
	CS_LAYER_ONLY_LOADED, /* some cells are wanted only as loaded, and are loaded */
	CS_LAYER_IS_VISIBLE,  /* all cells in range are visible */
	CS_LAYER_VERDICTS
};

struct cs_stream_why_layer {
	struct cs_stream_layer_view view;
	enum cs_layer_verdict verdict; /* first reason why the layer is not visible */
	uint32_t holder;   /* row of the layer that limits this layer or its cells, or CS_NONE */
	uint32_t absent;   /* on a server: number of the layer's cells that only clients load */
	uint32_t excluded; /* number of the layer's cells excluded by `excluded_by` */
	enum cs_reason excluded_by;
	/* cells in range: requested by sources or the server, neither absent nor excluded */
	uint32_t in_range;    /* number of cells in range */
	uint32_t held;        /* number of cells in range whose state another layer limits */
	uint32_t failed;      /* number of cells in range that failed to load */
	uint32_t arrived;     /* number of cells in range that have the wanted state */
	uint32_t only_loaded; /* cells in range that should only be loaded, not activated */
	uint32_t undecided;   /* number of the layer's cells whose reason is CS_REASON_NOT_RUN */
};

/* Explains why a layer is visible or not. */
CS_API struct cs_error *cs_stream_why_layer(const struct cs_stream *stream, uint32_t world,
	uint32_t layer, struct cs_stream_why_layer *ret) CS_MUST_USE;

struct cs_stream_impact {
	uint32_t cell;                     /* row of cells */
	enum cs_layer_state before, after; /* highest state that the layers allow */
	bool in_range; /* whether sources request the cell so that its state would change at once */
};

/* Lists the cells whose allowed state would change, and sets nothing. The caller frees the rows. */
CS_API struct cs_error *cs_stream_layer_impact(const struct cs_stream *stream, uint32_t world,
	uint32_t layer, enum cs_layer_state state, bool recursive,
	struct cs_stream_impact **rows_ret, size_t *n_ret) CS_MUST_USE;

/* ==== settings of a run ==== */

struct cs_stream;

enum cs_variable_type { CS_VARIABLE_BOOL, CS_VARIABLE_INTEGER, CS_VARIABLE_REAL, CS_VARIABLE_TEXT };

/* Parts that a change of a variable affects. */
enum cs_variable_scope {
	CS_SCOPE_RUN,     /* streaming, from the next frame on */
	CS_SCOPE_ONCE,    /* streaming, but only if the variable is changed before its first use */
	CS_SCOPE_MODEL,   /* the simulated game: loading, costs, network and so on */
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
	const char *instead; /* without effect: the command to use instead, "" if none; else NULL */
};

CS_API const struct cs_variable *cs_stream_variables(size_t *n_ret);
/* Finds a variable by name or alias, ignoring case. Returns SIZE_MAX when there is none. */
CS_API size_t cs_stream_find_variable(const char *name);
/* Formats the current value of a variable; writes and returns lengths as snprintf does. */
CS_API size_t cs_stream_variable_format(
	const struct cs_stream *stream, size_t variable, char *ret, size_t size);

struct cs_stream_value {
	/* current value, and initial value in the profile of the stream, both 0 for a text */
	double number, initial;
	bool is_initial; /* whether the value is the initial one */
};

CS_API struct cs_stream_value cs_stream_variable(const struct cs_stream *stream, size_t variable);
/* Origin of the loading range of a partition. */
enum cs_range_origin {
	CS_RANGE_COOKED,   /* from the cooked world */
	CS_RANGE_ASSUMED,  /* assumed, because the source of the world lacks it */
	CS_RANGE_OVERRIDE, /* set in the run by CS_INPUT_RANGE */
};

struct cs_stream_range {
	double range; /* loading range in cm */
	enum cs_range_origin origin;
};

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

/* Replaces the initial state that a data layer has in the cooked world. */
struct cs_stream_initial {
	const char *layer; /* instance name, asset or label of the layer */
	enum cs_layer_state state;
};

struct cs_stream_options {
	size_t size; /* sizeof(struct cs_stream_options); see cellscope/core.h */
	enum cs_role role;
	const char *profile; /* engine profile (cs_profiles); NULL: that of the cooked world */
	const struct cs_stream_initial *initial;
	size_t n_initial;
	/* Limits of the recorded history. 0 means the default, which each comment states. */
	uint64_t history_bytes; /* bytes of snapshots, and as much for inputs; default 64 MiB */
	uint32_t events;        /* events in the log; default 65,536 */
	uint32_t frames;        /* last frames whose statistics are kept; default 4,096 */
	/* code that runs in each frame, or zeros for none. Its context must outlive the stream */
	struct cs_companion companion;
};

/*
 * Creates a run. The cooked world is world 0, the persistent level. The standalone level instances
 * in it are the next worlds, in the order of sub_partitions. Errors are E_PROFILE, E_NOLAYER for an
 * unknown layer in options->initial, and those of opening the levels.
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
	const char *name; /* NULL: name of the map; a taken name gets a suffix like #2 */
};

/*
 * Adds a world partition, not registered yet, which follows the profile of the run. *ret is the
 * index of the new world. This is no input: going back does not remove the world. Returns E_NOCELL
 * for an unknown owner.
 */
CS_API struct cs_error *cs_stream_add_world(struct cs_stream *stream,
	const struct cs_cooked *cooked, const struct cs_stream_instance *instance,
	const struct cs_job *job, uint32_t *ret) CS_MUST_USE;

static inline size_t cs_stream_worlds(const struct cs_stream *stream)
{
	return cs_stream_counts(stream).worlds;
}

/* State of a world partition of a run: a row of the table `partitions` (cellscope/query.h). */
struct cs_stream_partition {
	const char *name; /* unique name of the world partition */
	struct cs_transform transform;
	struct cs_stream_cell owner; /* cell with the level instance, or CS_STREAM_NO_CELL */
	bool registered, server_streaming;
	bool waits; /* not registered, because the cell `owner` is not visible */
	uint32_t cells_loaded, cells_visible;
};

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
	uint64_t frame, time_ns;                 /* number of the current frame; virtual time */
	enum cs_performance performance;         /* worst rating of cells with block_on_slow */
	enum cs_performance display_performance; /* UE 5.7: worst of all cells, causes no wait */
	uint32_t loading;                        /* number of loading levels */
	uint32_t budget; /* number of cells that may start to load; UINT32_MAX: any */
	uint32_t waiting_activate, waiting_load;   /* number of cells that wait for the budget */
	uint32_t making_visible, making_invisible; /* number of levels in this state */
	/* cell that is being shown, and cell that is being hidden, or CS_STREAM_NO_CELL */
	struct cs_stream_cell showing, hiding;
	uint32_t purging; /* number of unloaded levels still in memory */
	/* numbers of cells, where cells_loaded includes the visible ones */
	uint64_t cells_visible, cells_loaded;
	uint64_t actors, bytes; /* sums over all loaded cells */
	uint64_t server_epoch;
	uint64_t rewinds; /* times that the run went back, which makes older results invalid */
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
	uint32_t client; /* first client that shows the cell; CS_NONE: no client does any more */
};

/*
 * Returns the cells that the server keeps only because a client shows them, after the last frame.
 */
CS_API const struct cs_stream_hold *cs_stream_server_hold(
	const struct cs_stream *stream, size_t *n_ret);

CS_END_DECLS

#endif
