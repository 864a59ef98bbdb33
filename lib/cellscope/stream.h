/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Run-time streaming: sources move and cells load, one frame after the other on a virtual clock. As
 * in a game, it reads a world only from a cooked file (cellscope/cooked.h).
 *
 *	struct cs_stream *stream;
 *	cs_stream_new(cooked, NULL, NULL, &stream);
 *	struct cs_stream_source source = cs_stream_source_player("Player0");
 *	cs_stream_source_set(stream, &source);
 *	cs_stream_step(stream, 60);
 *	cs_stream_why(stream, cell, &why);
 *
 * Units are cm, degrees, and nanoseconds of virtual time. A frame is the state after its step, and
 * frame 0 is before the first. Every change of the run between two frames (a source, a variable, a
 * layer, a fault) is an input (cellscope/runs.h): it takes effect at once, is recorded with its
 * frame, and cs_stream_goto replays it. Rows and views are copies or point into the stream until
 * its next change. A stream belongs to one thread at a time. The cooked worlds outlive it and may
 * be shared.
 */
#ifndef CELLSCOPE_STREAM_H
#define CELLSCOPE_STREAM_H

#include <cellscope/cooked.h>

CS_BEGIN_DECLS

/* ==== cells ==== */

/* The cells of a run and their current state: their streaming levels, states and faults. */

struct cs_stream;

/* A cell of one of the world partitions. */
struct cs_stream_cell {
	uint32_t world;
	uint32_t cell; /* row of the cells table of its cooked world */
};

#define CS_STREAM_NO_CELL ((struct cs_stream_cell){CS_NONE, CS_NONE})

/* How many items of each kind a run has. */
struct cs_stream_counts {
	size_t worlds, sources;
	uint64_t events; /* events since the start; the log keeps only the last of them */
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

/* The states of cells, with the numbers that console commands use. */
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
 * The state that a map shows for a cell, in the terms of data layers. The column `state` uses these
 * words.
 */
enum cs_map_state {
	CS_MAP_LAYER_OFF, /* unloaded because of its data layers */
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

/* How far streaming is behind the needs of sources. */
enum cs_performance {
	CS_PERFORMANCE_GOOD,
	CS_PERFORMANCE_SLOW,
	CS_PERFORMANCE_CRITICAL,
	CS_PERFORMANCE_IMMEDIATE,
	CS_PERFORMANCES
};

/* Returns whether a level is being loaded, or in memory. */
static inline bool cs_level_is_there(enum cs_level_state state)
{
	return state >= CS_LEVEL_LOADING && state < CS_LEVEL_STATES;
}

struct cs_stream_cell_view {
	enum cs_stream_state state;  /* the state that wp debug shows */
	enum cs_map_state shown;     /* the column `state`, which is never CS_MAP_LAYER_OFF */
	enum cs_map_state on_map;    /* `shown`, or CS_MAP_LAYER_OFF */
	enum cs_level_state level;   /* state of the cell's streaming level */
	enum cs_layer_state current; /* the cell's own state, from its level */
	/* in the set Activated, in the set Loaded, or in neither set of the policy */
	enum cs_layer_state set;
	/* the state that its data layers allow, with changes since the frame */
	enum cs_layer_state by_layers;
	/* the state that the last frame wants: higher than `set` for a waiting cell */
	enum cs_layer_state wanted;
	bool waiting; /* the cell is wanted, but the budget did not suffice yet */
	bool should_load, should_show, waiting_to_show;
	uint32_t level_priority; /* priority among current requests; 0 for none */
	uint64_t since;          /* frame in which its level last changed */
	uint64_t bytes_left, work_left_ns;
	uint64_t bytes; /* size in bytes by the load model */
};

/* Returns the view of a cell. Without a stream (NULL) every cell is unloaded. */
CS_API struct cs_stream_cell_view cs_stream_cell(
	const struct cs_stream *stream, struct cs_stream_cell cell);

/* ---- faults ---- */

enum cs_fault {
	CS_FAULT_NONE,    /* no fault: removes an earlier one */
	CS_FAULT_LOAD,    /* the package cannot be opened */
	CS_FAULT_CORRUPT, /* the package is found to be damaged after it was read */
	CS_FAULT_SLOW,    /* each step of its load takes `factor` times as long */
};

struct cs_stream_fault_view {
	struct cs_stream_cell cell;
	enum cs_fault fault;
	double factor;
};

/* Returns a cell that has a fault, in ascending order; its fault is CS_FAULT_NONE behind the last.
 */
CS_API struct cs_stream_fault_view cs_stream_fault_at(const struct cs_stream *stream, size_t index);

/* ==== sources ==== */

/*
 * Streaming sources (2.2): the positions of players and cameras, how far they reach, and the state
 * they ask for.
 */

struct cs_path;
struct cs_stream;

/* A rotation in degrees, as UE's rotator. */
struct cs_rotator {
	double pitch, yaw, roll;
};

enum { CS_SOURCE_NAME = 64, CS_SOURCE_SHAPES = 8, CS_SOURCE_GRIDS = 8 };

enum cs_source_behavior { CS_SOURCE_INCLUDE, CS_SOURCE_EXCLUDE };

/* A sphere or a spherical sector. There are no boxes. */
struct cs_stream_shape {
	bool use_grid_range; /* radius = loading range of the partition x range_scale */
	bool sector;
	double range_scale;
	double radius;              /* radius in cm without use_grid_range */
	double angle;               /* angle of the sector, 0..360; 360 is a sphere */
	struct cs_vec3 location;    /* centre in the space of the source */
	struct cs_rotator rotation; /* its X axis, turned with the source, is the sector's axis */
};

struct cs_stream_source {
	char name[CS_SOURCE_NAME];
	struct cs_vec3 location;
	struct cs_rotator rotation;
	struct cs_vec3 velocity; /* cm/s; used only with velocity_given, computed otherwise */
	bool velocity_given;
	bool enabled;
	bool block_on_slow;
	bool use_velocity;   /* velocity contributes to the order of cells */
	bool replay, remote; /* remote: not a local controller, so it is a source on servers only */
	bool force_2d;
	uint8_t priority;           /* 0 is highest, 128 normal */
	enum cs_layer_state target; /* CS_LAYER_LOADED or CS_LAYER_ACTIVATED */
	enum cs_source_behavior behavior;
	double extra_radius, extra_angle;
	uint32_t color; /* 0xRRGGBB; 0 computes it from the name */
	uint32_t n_grids, n_shapes;
	char grids[CS_SOURCE_GRIDS][CS_SOURCE_NAME]; /* partition names, compared without case */
	/* without one it has a sphere of the grid's range */
	struct cs_stream_shape shapes[CS_SOURCE_SHAPES];
};

enum {
	CS_PRIORITY_HIGHEST = 0,
	CS_PRIORITY_HIGH = 64,
	CS_PRIORITY_NORMAL = 128,
	CS_PRIORITY_LOW = 192,
	CS_PRIORITY_LOWEST = 255,
};

/* Returns the defaults of a streaming source component. */
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

/* Returns the defaults of a player controller, which blocks on slow streaming. */
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
 * Replaces the source's grids by a list "A,B", where "" means all. Returns E_SETTING for too many,
 * or too long a name.
 */
CS_API struct cs_error *cs_stream_source_act_on(
	struct cs_stream_source *source, const char *names) CS_MUST_USE;

struct cs_stream_source_view {
	const struct cs_stream_source *source; /* the source as set, at its current position */
	bool active;                           /* whether streaming uses the source */
	bool following;                        /* whether the source follows a path */
	struct cs_vec3 velocity;               /* velocity as streaming uses it */
	double speed;                          /* speed in the unit of the next field */
	const char *speed_unit;                /* unit of wp.Runtime.DebugDisplaySpeedUnit */
	struct cs_vec3 evaluated;              /* position at the last evaluation */
	double server_radius, server_angle;    /* extra margin of server streaming */
};

/* Returns how many sources there are. They are in the order of their names. */
static inline size_t cs_stream_sources(const struct cs_stream *stream)
{
	return cs_stream_counts(stream).sources;
}

CS_API struct cs_stream_source_view cs_stream_source_at(
	const struct cs_stream *stream, size_t index);
/* Returns an index by name, or SIZE_MAX. */
CS_API size_t cs_stream_find_source(const struct cs_stream *stream, const char *name);

/* ==== HLOD actors ==== */

/* The HLOD actors of a run (2.9): which are visible, and what is wrong with them. */

struct cs_stream;

enum cs_hlod_state {
	CS_HLOD_HIDDEN,   /* loaded; its source cell is visible, or HLOD is off */
	CS_HLOD_SHOWN,    /* loaded, and its source cell is hidden */
	CS_HLOD_AWAY,     /* not loaded: its source cell is visible, or streaming has not begun */
	CS_HLOD_HOLE,     /* actor and source cell are both hidden, though streaming has begun */
	CS_HLOD_OUTDATED, /* loaded, but no cell of this cook is its source */
	CS_HLOD_STATES
};

struct cs_stream_hlod_view {
	enum cs_hlod_state state;
	bool in_range; /* whether a source reaches the cell that contains the actor */
	bool needs_warmup;
	uint32_t warm_frames; /* calls until the actor is warm; 0: warm, or not called */
	bool warming;
};

/* Returns the view of row `hlod` of the cooked hlods table. */
CS_API struct cs_error *cs_stream_hlod(const struct cs_stream *stream, uint32_t world,
	uint32_t hlod, struct cs_stream_hlod_view *ret) CS_MUST_USE;

enum cs_hlod_fault {
	CS_HLOD_FAULT_OUTDATED, /* the actor's source GUID is no cell of this cook */
	/*
	 * The source is hidden, though its layers allow it, and the HLOD is in range, but not
	 * loaded.
	 */
	CS_HLOD_FAULT_HOLE,
	CS_HLOD_FAULT_RANGE,   /* the actor's partition loads no farther than its source cell's */
	CS_HLOD_FAULT_NO_HOME, /* no cell contains the actor */
	CS_HLOD_FAULTS
};

struct cs_stream_hlod_finding {
	uint32_t world, hlod;
	enum cs_hlod_fault fault;
	double range, source_range; /* cm, for RANGE */
};

/* Lists all current faults of HLODs. The caller frees the rows. */
CS_API struct cs_error *cs_stream_hlod_check(const struct cs_stream *stream,
	struct cs_stream_hlod_finding **rows_ret, size_t *n_ret) CS_MUST_USE;

/* ==== why ==== */

/*
 * Why a cell has its state, which cell comes before which, when each will arrive, and what a source
 * would want. These queries change nothing.
 */

struct cs_stream;

enum cs_reason {
	CS_REASON_NONE,
	/* The cell is wanted because: */
	CS_REASON_ALWAYS_LOADED, /* the cell is part of the persistent level */
	CS_REASON_NON_SPATIAL,   /* the cell is not spatial, and its layers decide */
	CS_REASON_IN_RANGE,      /* a source reaches the cell */
	CS_REASON_SNAPPED,       /* the cell contains a wanted cell of a lower level */
	CS_REASON_SERVER,        /* a server without server streaming loads everything */
	CS_REASON_NO_STREAM_OUT, /* the server does not stream out */
	CS_REASON_DISALLOWED,    /* the server must not stream out one of its layers */
	CS_REASON_CLIENT_SEES,   /* a client still sees the cell */
	/* The cell is not wanted because: */
	CS_REASON_NOT_REGISTERED, /* the cell's world partition is not registered */
	CS_REASON_NO_SOURCE,
	CS_REASON_GRID_FILTER, /* the sources in range exclude its partition */
	CS_REASON_OUT_OF_RANGE,
	CS_REASON_LAYERS, /* the cell's data layers are unloaded */
	CS_REASON_HLOD_OFF,
	CS_REASON_CLIENT_ONLY,  /* the cell does not exist on this server */
	CS_REASON_LEVEL_FILTER, /* wp.Runtime.FilterRuntimeSpatialHashGridLevel */
	CS_REASON_NO_BOUNDS,
	CS_REASON_NOT_RUN, /* no frame has run since a change that may make the cell wanted */
	/* The cell is wanted as loaded, but not as activated, because: */
	CS_REASON_LAYERS_LOADED, /* the cell's data layers allow no more */
	CS_REASON_TARGET_LOADED, /* the sources ask for no more */
	/* The cell is wanted, but has not arrived yet, because: */
	CS_REASON_BUDGET,      /* the cell waits for its turn to load */
	CS_REASON_PERFORMANCE, /* the cell was skipped in a blocking wait */
	CS_REASON_LOADING,
	CS_REASON_FAILED,
	CS_REASON_WARMUP, /* an HLOD actor is not warm */
	CS_REASON_TURN,   /* another level is being made visible or invisible */
	CS_REASON_MAKING_VISIBLE,
	CS_REASON_SERVER_ACK, /* the server has not answered yet */
	/* The cell is no longer wanted, but still in memory, because: */
	CS_REASON_MAKING_INVISIBLE,
	CS_REASON_CANCELLED,    /* the load cannot be stopped */
	CS_REASON_STILL_AROUND, /* garbage is not collected yet */
	CS_REASON_ARRIVED,      /* the cell has the state that it should have */
	CS_REASON_COUNT
};

enum cs_order_key {
	CS_KEY_NONE, /* the cell is the first of the list */
	CS_KEY_SOURCE,
	CS_KEY_LEVEL,
	CS_KEY_PRIORITY,
	CS_KEY_SPATIAL,
	CS_KEY_DISTANCE, /* squared 2D distance to the centre of the content, for ties */
	CS_KEY_NAME,     /* name of the cell, for ties */
	CS_ORDER_KEYS
};

/* The sort keys of a cell (2.4), computed from the sources when it was evaluated (2.3.5). */
struct cs_stream_keys {
	uint8_t source_priority;
	int32_t hierarchical_level; /* a higher level sorts first */
	int32_t cell_priority;
	double spatial;
	double distance2; /* squared distance, breaks ties, cm^2 */
};

/* The effect of one source on one cell. */
struct cs_stream_reach {
	const char *source; /* name of the source; NULL when there is no source at all */
	uint32_t shape;     /* number of the source's shape; 0 for a source without shapes */
	bool accepted;      /* the source's grid filter includes the partition */
	bool hit;
	double distance; /* centre of the shape to the bounds that are tested, cm; INFINITY: none */
	double radius;   /* effective radius of the shape, cm */
	bool assumed;    /* whether the radius follows from an assumed loading range */
	double spatial;  /* spatial sort key of hits (2.3.5) */
};

/* Changes since a frame decided, after which the next frame may decide differently. */
enum cs_changed {
	CS_CHANGED_SOURCES = 1, /* sources or loading ranges changed */
	CS_CHANGED_LAYERS = 2,
	CS_CHANGED_SETTINGS = 4, /* variables, and the switch of HLODs */
	CS_CHANGED_CLIENTS = 8,
	CS_CHANGED_FRAMES = 16, /* the time limit kept its partition from being updated since */
};

struct cs_stream_why {
	enum cs_layer_state wanted; /* the state that the cell should have by all rules */
	enum cs_reason reason;      /* the rule that decided `wanted` */
	enum cs_reason progress;    /* why the cell has not arrived yet, or ARRIVED */
	enum cs_reason obstacle;    /* why the cell is not activated, or NONE */
	bool decided;               /* whether a frame has decided about the cell */
	uint64_t decided_in;        /* last frame that decided, evaluated or skipped */
	uint32_t changed; /* enum cs_changed: what may change the decision in the next frame */
	enum cs_layer_state by_sources; /* state that sources alone ask for */
	enum cs_layer_state by_layers;
	uint32_t layer; /* the layer that limits the cell, or CS_NONE */
	/* TURN: the cell whose level is at work, or CS_STREAM_NO_CELL */
	struct cs_stream_cell blocker;
	struct cs_stream_reach nearest; /* best shape that hits, else nearest miss */
	uint32_t n_hits;                /* number of shapes that hit the cell */
	struct cs_stream_keys keys;
	bool blocking;         /* whether a blocking source hits the cell */
	double blocking_ratio; /* distance / radius of the nearest blocking source */
	bool blocks;           /* whether the cell blocks on slow streaming */
	bool judged;           /* whether the cell blocks and was late, so that the ratio counted */
	enum cs_performance performance; /* how rule 2.5 judges the ratio, when `judged` */
	uint32_t rank, of;    /* rank in its list of cs_stream_order_open, and its length */
	uint32_t warm_frames; /* WARMUP: calls still needed */
	uint32_t client;      /* CLIENT_SEES: index of the client; CS_NONE: it has left */
};

/* Answers why, why-not and why-loaded. Returns E_NOCELL for an unknown cell. */
CS_API struct cs_error *cs_stream_why(const struct cs_stream *stream, struct cs_stream_cell cell,
	struct cs_stream_why *ret) CS_MUST_USE;
/*
 * Tests every source and shape against the cell. Returns how many there are, and fills at most
 * `room`.
 */
CS_API size_t cs_stream_reaches(const struct cs_stream *stream, struct cs_stream_cell cell,
	struct cs_stream_reach *ret, size_t room);

enum cs_order_list {
	CS_ORDER_ACTIVATE,         /* ToActivate of the last frame */
	CS_ORDER_LOAD,             /* ToLoad of the last frame */
	CS_ORDER_PENDING_ACTIVATE, /* cells requested, not shown yet */
	CS_ORDER_PENDING_LOAD,     /* cells requested, not loaded yet */
	CS_ORDER_LISTS
};

struct cs_stream_order_row {
	struct cs_stream_cell cell;
	struct cs_stream_keys keys;
	enum cs_order_key decided_by; /* key that puts the row after the row above */
	bool started;                 /* whether the cell started, by budget or without */
};

/*
 * Returns which of two cells comes first (-1, 0, 1) and the key that decides. Returns E_NOCELL for
 * an unknown cell.
 */
CS_API struct cs_error *cs_stream_compare(const struct cs_stream *stream,
	struct cs_stream_cell left, struct cs_stream_cell right, int *order_ret,
	enum cs_order_key *key_ret) CS_MUST_USE;

struct cs_stream_forecast {
	struct cs_stream_cell cell;
	uint32_t load_frames; /* frames until it begins to load; CS_NONE: beyond the horizon */
	uint32_t done_frames; /* frames until it is loaded or shown, as wanted */
	enum cs_order_key decided_by; /* sort key that decided the cell's place in its list */
};

/*
 * Predicts when every cell that is wanted will arrive: it runs ahead with sources standing still,
 * for at most `horizon` frames. Rows: requested cells in the order of both PENDING lists,
 * activations first, then waiting ones as in ACTIVATE and LOAD, then those that a blocking wait
 * left out. The caller frees them. The stream is not changed.
 */
CS_API struct cs_error *cs_stream_queue(struct cs_stream *stream, uint32_t horizon,
	struct cs_stream_forecast **rows_ret, size_t *n_ret) CS_MUST_USE;

/* ---- questions that change nothing ---- */

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
	uint64_t actors, bytes; /* sums over all of them */
};

/*
 * Lists the cells that a single source would want, activations first, each in the order of rule 2.4
 * (`help rule 2.4`).
 */
CS_API struct cs_error *cs_stream_probe(struct cs_stream *stream,
	const struct cs_stream_source *source, struct cs_stream_probe *ret) CS_MUST_USE;

/*
 * Returns whether all cells that the query source reaches have reached `state` (rule 2.10).
 * `exact` asks for that state and no higher one. Returns the first cell that has not, or
 * CS_STREAM_NO_CELL.
 */
CS_API struct cs_error *cs_stream_completed(struct cs_stream *stream,
	const struct cs_stream_source *query, enum cs_layer_state state, bool exact, bool *ret,
	struct cs_stream_cell *cell_ret) CS_MUST_USE;

/* ==== data layers ==== */

/* The data layers of a run (2.8): their states, what limits them, and the effect of setting one. */

struct cs_stream;

enum cs_layer_answer {
	CS_LAYER_SET,
	CS_LAYER_UNCHANGED,
	CS_LAYER_NOT_RUNTIME,  /* ignored: an editor layer */
	CS_LAYER_NO_AUTHORITY, /* ignored: clients do not decide */
	/* ignored: a client-only layer on a server, or a server-only layer on a client */
	CS_LAYER_WRONG_ROLE,
	CS_LAYER_ANSWERS
};

/*
 * Sets the state of a layer. This is an input. `replicated` means a change that the server
 * sent to this client. The answer is that of the layer itself, and recursion sets the layers below
 * in any case. Returns E_NOLAYER for an unknown layer.
 */
CS_API struct cs_error *cs_stream_layer_set(struct cs_stream *stream, uint32_t world,
	uint32_t layer, enum cs_layer_state state, bool recursive, bool replicated,
	enum cs_layer_answer *ret) CS_MUST_USE;

struct cs_stream_layer_view {
	enum cs_layer_state initial; /* after role and override */
	enum cs_layer_state target, effective;
	uint32_t limited_by; /* the ancestor that lowers the effective state, or CS_NONE */
	/* whether it exists at run time, and its load filter fits the role */
	bool runtime, on_role;
	uint32_t cells;           /* cells that have it */
	uint32_t in_range;        /* number of cells that a source reaches now */
	uint32_t loaded, visible; /* numbers of cells that are loaded, and visible, now */
};

CS_API struct cs_error *cs_stream_layer(const struct cs_stream *stream, uint32_t world,
	uint32_t layer, struct cs_stream_layer_view *ret) CS_MUST_USE;

enum cs_layer_verdict {
	CS_LAYER_IS_EDITOR,
	CS_LAYER_OTHER_ROLE,
	CS_LAYER_ANCESTOR,      /* `holder` lowers it */
	CS_LAYER_NOT_SENT,      /* this is a client, and the server has not activated the layer */
	CS_LAYER_NOT_ACTIVATED, /* the layer could be activated here, but was not */
	CS_LAYER_NO_CELLS,
	CS_LAYER_ABSENT, /* all cells of the layer are client-only, on a server */
	CS_LAYER_OUT_OF_RANGE,
	/* `holder`, the external data layer of the layer's cells, is not activated */
	CS_LAYER_EXTERNAL_OFF,
	/* `holder`, another layer that limits the layer's cells, is not activated */
	CS_LAYER_OTHERS_OFF,
	CS_LAYER_EXCLUDED, /* the layer's cells are switched off: `excluded_by` */
	CS_LAYER_CELLS_FAILED,
	CS_LAYER_ON_THE_WAY,
	CS_LAYER_NOT_RUN,     /* no frame has decided about its cells since then */
	CS_LAYER_ONLY_LOADED, /* some of its cells are wanted only as loaded, and are loaded */
	CS_LAYER_IS_VISIBLE,
	CS_LAYER_VERDICTS
};

struct cs_stream_why_layer {
	struct cs_stream_layer_view view;
	enum cs_layer_verdict verdict; /* the first obstacle */
	uint32_t holder;   /* row of the layer that limits it or its cells, or CS_NONE */
	uint32_t absent;   /* number of client-only cells, on a server */
	uint32_t excluded; /* number of cells that are switched off */
	enum cs_reason excluded_by;
	uint32_t in_range; /* number of other cells that sources or the server ask for */
	uint32_t held;     /* number of cells in range that other layers limit */
	uint32_t failed;   /* number of cells in range that could not be loaded */
	uint32_t arrived;  /* number of cells in range that have the state that they should have */
	uint32_t only_loaded; /* number of cells in range that should only be loaded */
	uint32_t undecided;   /* number of cells not decided about since a change */
};

/* Answers why-layer. Returns E_NOLAYER for an unknown layer. */
CS_API struct cs_error *cs_stream_why_layer(const struct cs_stream *stream, uint32_t world,
	uint32_t layer, struct cs_stream_why_layer *ret) CS_MUST_USE;

struct cs_stream_impact {
	uint32_t cell;
	enum cs_layer_state before, after; /* state that the cell's layers allow */
	bool in_range;
};

/* Lists the cells that would change, without changing anything. The caller frees the rows. */
CS_API struct cs_error *cs_stream_layer_impact(const struct cs_stream *stream, uint32_t world,
	uint32_t layer, enum cs_layer_state state, bool recursive,
	struct cs_stream_impact **rows_ret, size_t *n_ret) CS_MUST_USE;

/* ==== variables ==== */

/* The settings of a run: the variables of the engine (part 3) and the loading ranges of grids. */

struct cs_stream;

enum cs_variable_type { CS_VARIABLE_BOOL, CS_VARIABLE_INTEGER, CS_VARIABLE_REAL, CS_VARIABLE_TEXT };

/* Where a change takes effect. */
enum cs_variable_scope {
	CS_SCOPE_RUN,     /* a change takes effect in streaming, from the next frame on */
	CS_SCOPE_ONCE,    /* a change takes effect in streaming only before the first use */
	CS_SCOPE_MODEL,   /* a change takes effect in the model of loading and of the machine */
	CS_SCOPE_DISPLAY, /* a change takes effect in maps and lists */
	CS_SCOPE_COOK,    /* a change takes effect in the next cook, not in a cooked world */
};

struct cs_variable {
	const char *name;
	const char *aliases; /* further spellings, separated by blanks, or NULL */
	enum cs_variable_type type;
	enum cs_variable_scope scope;
	double initial, low, high; /* for numbers; `initial`: in the default profile */
	const char *unit;          /* may be NULL */
	const char *help;
	/* for a variable that nothing reads: what has a similar effect, or ""; else NULL */
	const char *instead;
};

CS_API const struct cs_variable *cs_stream_variables(size_t *n_ret);
/* Finds a variable by name or alias, without case. Returns SIZE_MAX when there is none. */
CS_API size_t cs_stream_find_variable(const char *name);
CS_API size_t cs_stream_variable_format(
	const struct cs_stream *stream, size_t variable, char *ret, size_t size);

struct cs_stream_value {
	/* the current value, and the initial one of the stream's profile; 0 for a text */
	double number, initial;
	bool is_initial; /* whether the variable has its initial value */
};

CS_API struct cs_stream_value cs_stream_variable(const struct cs_stream *stream, size_t variable);
/* The origin of a partition's loading range. */
enum cs_range_origin {
	CS_RANGE_COOKED,
	CS_RANGE_ASSUMED, /* the world's source doesn't contain the range */
	CS_RANGE_OVERRIDE,
};

struct cs_stream_range {
	double range; /* cm */
	enum cs_range_origin origin;
};

/* Returns the current loading range of a partition. */
CS_API struct cs_stream_range cs_stream_range(
	const struct cs_stream *stream, uint32_t world, uint32_t partition);

struct cs_stream;

/* ---- life ---- */

enum cs_role {
	CS_ROLE_STANDALONE,
	CS_ROLE_CLIENT,
	CS_ROLE_LISTEN_SERVER,
	CS_ROLE_DEDICATED_SERVER
};

/* The initial state of one data layer, instead of the cooked one. */
struct cs_stream_initial {
	const char *layer; /* instance name, asset or label */
	enum cs_layer_state state;
};

struct cs_stream_options {
	size_t size; /* sizeof(struct cs_stream_options); core.h */
	enum cs_role role;
	const char *profile; /* engine profile, NULL for that of the cooked world */
	const struct cs_stream_initial *initial;
	size_t n_initial;
	/* Limits of what is kept; 0 means the default, which follows the colon. */
	uint64_t history_bytes; /* bytes of snapshots, and as much again for inputs: 64 MiB */
	uint32_t events;        /* number of events in the log: 65,536 */
	uint32_t frames;        /* number of frames with statistics: 4,096 */
	struct cs_companion companion; /* zeros: none; must outlive the stream */
};

/*
 * Makes a stream. The cooked world becomes world 0, the persistent level. The standalone level
 * instances in it become the next ones, in the order of its sub_partitions. Returns E_PROFILE,
 * E_NOLAYER or E_NOMEM on failure.
 */
CS_API struct cs_error *cs_stream_new(const struct cs_cooked *cooked,
	const struct cs_stream_options *options, const struct cs_job *job,
	struct cs_stream **ret) CS_MUST_USE;
CS_API void cs_stream_free(struct cs_stream *stream);

/* A standalone level instance: a world partition of its own inside the persistent level. */
struct cs_stream_instance {
	struct cs_transform transform;
	/*
	 * The cell that contains the level instance. The partition is registered when the level of
	 * the cell begins to be made visible, and removed when it begins to be hidden. With
	 * CS_STREAM_NO_CELL only cs_stream_register registers it.
	 */
	struct cs_stream_cell owner;
	const char *name; /* NULL means that of its map; #2 ... is appended to a taken name */
};

/* Adds a world partition, which is not registered yet. The profile is that of the stream. */
CS_API struct cs_error *cs_stream_add_world(struct cs_stream *stream,
	const struct cs_cooked *cooked, const struct cs_stream_instance *instance,
	const struct cs_job *job, uint32_t *ret) CS_MUST_USE;

static inline size_t cs_stream_worlds(const struct cs_stream *stream)
{
	return cs_stream_counts(stream).worlds;
}

struct cs_stream_partition {
	const char *name; /* unique */
	struct cs_transform transform;
	struct cs_stream_cell owner; /* cell of the owner, or CS_STREAM_NO_CELL */
	bool registered, server_streaming;
	uint32_t cells_loaded, cells_visible;
};

/* A world partition of the run. */
struct cs_stream_world {
	const char *name; /* unique */
	const struct cs_cooked *cooked;
};

CS_API struct cs_stream_world cs_stream_world(const struct cs_stream *stream, uint32_t world);
/*
 * Finds a layer by instance name, asset or label, without case. Returns CS_NONE when there is none.
 */
CS_API uint32_t cs_stream_find_layer(
	const struct cs_stream *stream, uint32_t world, const char *name);

/* ---- stepping ---- */

/* Runs n frames, unless memory runs out or the companion fails; frames before that are complete. */
CS_API struct cs_error *cs_stream_step(struct cs_stream *stream, uint64_t n) CS_MUST_USE;

struct cs_stream_status {
	const char *profile;
	enum cs_role role;
	bool server_streaming, server_streaming_out;
	bool hlod_enabled;
	uint64_t frame, time_ns;
	enum cs_performance performance;         /* performance of cells that may block */
	enum cs_performance display_performance; /* 5.7: of any cell, without blocking */
	/* number of levels loading; number of cells that may start now, UINT32_MAX: any */
	uint32_t loading, budget;
	uint32_t waiting_activate, waiting_load;   /* cells that wait for the budget */
	uint32_t making_visible, making_invisible; /* levels in these states */
	struct cs_stream_cell showing, hiding;     /* cell at work, or CS_STREAM_NO_CELL */
	uint32_t purging;                          /* unloaded levels that are still in memory */
	uint64_t cells_visible, cells_loaded;      /* loaded cells include visible ones */
	uint64_t actors, bytes;                    /* sums over loaded cells */
	uint64_t layer_epoch, server_epoch;
	uint64_t memory;  /* bytes that the stream uses, without the cooked worlds */
	uint64_t rewinds; /* number of times the run went back; earlier results are invalid */
};

CS_API struct cs_stream_status cs_stream_status(const struct cs_stream *stream);

/* ---- servers (2.7) ---- */

struct cs_stream_client {
	const char *name; /* NULL behind the last */
	size_t cells;     /* number of cells that the client sees */
};

CS_API struct cs_stream_client cs_stream_client_at(const struct cs_stream *stream, size_t client);

struct cs_stream_hold {
	struct cs_stream_cell cell;
	uint32_t client; /* first client that sees the cell; CS_NONE: it has left */
};

/* Returns the cells that the server keeps only because a client sees them, after the last frame. */
CS_API const struct cs_stream_hold *cs_stream_server_hold(
	const struct cs_stream *stream, size_t *n_ret);

CS_END_DECLS

#endif
