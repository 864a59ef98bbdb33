/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Run-time streaming: sources move, cells load, one frame after the other on a virtual clock. It
 * knows a world only through a cooked file (cellscope/cooked.h), as a game would.
 *
 *	struct cs_stream *stream;
 *	cs_stream_new(cooked, NULL, NULL, &stream);
 *	struct cs_stream_source source = cs_stream_source_player("Player0");
 *	cs_stream_source_set(stream, &source);
 *	cs_stream_step(stream, 60);
 *	cs_stream_why(stream, cell, &why);
 *
 * Units: cm, degrees, nanoseconds of virtual time. A frame is the state after its step; frame 0 is
 * before the first. Whatever changes the run between two frames (a source, a variable, a layer, a
 * fault) is an input (cellscope/runs.h): it acts at once, is recorded with its frame and replayed
 *by cs_stream_goto. Rows and views are copies or point into the stream until its next change. A
 *stream belongs to one thread at a time; the cooked worlds outlive it and may be shared.
 */
#ifndef CELLSCOPE_STREAM_H
#define CELLSCOPE_STREAM_H

#include <cellscope/cooked.h>

CS_BEGIN_DECLS

/* ==== cells ==== */

/*
 * Cells of a run and what they are now: their streaming levels, states and faults.
 */

struct cs_stream;

/* A cell of one of the world partitions. */
struct cs_stream_cell {
	uint32_t world;
	uint32_t cell; /* row of the cells table of its cooked world */
};

#define CS_STREAM_NO_CELL ((struct cs_stream_cell){CS_NONE, CS_NONE})

/* How many a run has of what is asked for by number. */
struct cs_stream_counts {
	size_t worlds, sources;
	uint64_t events; /* ever, of which the log keeps the last ones */
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

/* Numbers as the console commands take them. */
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

/* What a cell shows, in the terms of data layers; words of the column `state`. */
enum cs_map_state {
	CS_MAP_LAYER_OFF, /* unloaded because its data layers say so */
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

/* How far streaming is behind what sources need. */
enum cs_performance {
	CS_PERFORMANCE_GOOD,
	CS_PERFORMANCE_SLOW,
	CS_PERFORMANCE_CRITICAL,
	CS_PERFORMANCE_IMMEDIATE,
	CS_PERFORMANCES
};

/* Its level is being loaded, or in memory. */
static inline bool cs_level_is_there(enum cs_level_state state)
{
	return state >= CS_LEVEL_LOADING && state < CS_LEVEL_STATES;
}

struct cs_stream_cell_view {
	enum cs_stream_state state;    /* what wp debug shows */
	enum cs_map_state shown;       /* the column `state`: never CS_MAP_LAYER_OFF */
	enum cs_map_state on_map;      /* the same, or CS_MAP_LAYER_OFF */
	enum cs_level_state level;     /* of its streaming level */
	enum cs_layer_state current;   /* the cell's own state, from its level */
	enum cs_layer_state set;       /* Activated, Loaded or neither set of the policy */
	enum cs_layer_state by_layers; /* what its data layers allow, set since the frame or not */
	enum cs_layer_state wanted; /* what the last frame wants: of a waiting cell above `set` */
	bool waiting;               /* wanted, but the budget has not reached it yet */
	bool should_load, should_show, waiting_to_show;
	uint32_t level_priority; /* among requests under way; 0 = none */
	uint64_t since;          /* frame of the last change of its level */
	uint64_t bytes_left, work_left_ns;
	uint64_t bytes; /* by the load model */
};

/* Without a stream (NULL) everything is unloaded. */
CS_API struct cs_stream_cell_view cs_stream_cell(
	const struct cs_stream *stream, struct cs_stream_cell cell);

/* ---- faults ---- */

enum cs_fault {
	CS_FAULT_NONE,    /* takes a fault away */
	CS_FAULT_LOAD,    /* the package cannot be opened */
	CS_FAULT_CORRUPT, /* the package is found damaged after it was read */
	CS_FAULT_SLOW,    /* everything about its load takes `factor` times as long */
};

struct cs_stream_fault_view {
	struct cs_stream_cell cell;
	enum cs_fault fault;
	double factor;
};

/* The cells that have one, ascending; CS_FAULT_NONE behind the last. */
CS_API struct cs_stream_fault_view cs_stream_fault_at(const struct cs_stream *stream, size_t index);

/* ==== sources ==== */

/*
 * Streaming sources (2.2): where players and cameras are, how far they reach, what they ask for.
 *
 */

struct cs_path;
struct cs_stream;

/* Degrees, as UE's rotator. */
struct cs_rotator {
	double pitch, yaw, roll;
};

enum { CS_SOURCE_NAME = 64, CS_SOURCE_SHAPES = 8, CS_SOURCE_GRIDS = 8 };

enum cs_source_behavior { CS_SOURCE_INCLUDE, CS_SOURCE_EXCLUDE };

/* A sphere or a spherical sector; there are no boxes. */
struct cs_stream_shape {
	bool use_grid_range; /* radius = loading range of the partition x range_scale */
	bool sector;
	double range_scale;
	double radius;              /* used without use_grid_range */
	double angle;               /* of the sector, 0..360; 360 is a sphere */
	struct cs_vec3 location;    /* in the space of the source */
	struct cs_rotator rotation; /* the axis is its X, composed with that of the source */
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
	bool replay, remote; /* remote = not a local controller: a source on servers only */
	bool force_2d;
	uint8_t priority;           /* 0 is highest, 128 normal */
	enum cs_layer_state target; /* CS_LAYER_LOADED or CS_LAYER_ACTIVATED */
	enum cs_source_behavior behavior;
	double extra_radius, extra_angle;
	uint32_t color; /* 0xRRGGBB, 0 = from the name */
	uint32_t n_grids, n_shapes;
	char grids[CS_SOURCE_GRIDS][CS_SOURCE_NAME]; /* partition names, compared without case */
	struct cs_stream_shape shapes[CS_SOURCE_SHAPES]; /* none = one sphere of the grid's range */
};

enum {
	CS_PRIORITY_HIGHEST = 0,
	CS_PRIORITY_HIGH = 64,
	CS_PRIORITY_NORMAL = 128,
	CS_PRIORITY_LOW = 192,
	CS_PRIORITY_LOWEST = 255,
};

/* The defaults of the struct, which are those of a streaming source component. */
CS_API struct cs_stream_source cs_stream_source_default(const char *name);

/* Those of a player controller, which blocks. */
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

/* Replaces its grids by those of a list "A,B"; "" = all. E_SETTING: too many, or too long a name.
 */
CS_API struct cs_error *cs_stream_source_act_on(
	struct cs_stream_source *source, const char *names) CS_MUST_USE;

struct cs_stream_source_view {
	const struct cs_stream_source *source; /* as it was set, at its present place */
	bool active;                           /* among the sources that streaming sees */
	bool following;                        /* a path */
	struct cs_vec3 velocity;               /* as streaming uses it */
	struct cs_vec3 evaluated;              /* where streaming last evaluated it */
	double server_radius, server_angle;    /* extra margin of server streaming */
};

/* How fast that is in the unit of wp.Runtime.DebugDisplaySpeedUnit, whose name is given. */
CS_API double cs_stream_speed(const struct cs_stream *stream, struct cs_vec3 v, const char **unit);
/* In the order of their names. */
static inline size_t cs_stream_sources(const struct cs_stream *stream)
{
	return cs_stream_counts(stream).sources;
}

CS_API struct cs_stream_source_view cs_stream_source_at(
	const struct cs_stream *stream, size_t index);
/* Index by name, or SIZE_MAX. */
CS_API size_t cs_stream_find_source(const struct cs_stream *stream, const char *name);

/* ==== HLOD actors ==== */

/*
 * HLOD actors of a run (2.9): which show, and what is wrong with them.
 */

struct cs_stream;

enum cs_hlod_state {
	CS_HLOD_HIDDEN,   /* loaded; its source cell is visible, or HLOD is off */
	CS_HLOD_SHOWN,    /* loaded, its source cell is hidden */
	CS_HLOD_AWAY,     /* not loaded: its source cell is visible, or streaming has not begun */
	CS_HLOD_HOLE,     /* neither it nor its source cell shows, though streaming has begun */
	CS_HLOD_OUTDATED, /* loaded, but no cell of this cook is its source */
	CS_HLOD_STATES
};

struct cs_stream_hlod_view {
	enum cs_hlod_state state;
	bool in_range; /* a source reaches the cell that holds it */
	bool needs_warmup;
	uint32_t warm_frames; /* calls until it is warm; 0 when it is or was not asked */
	bool warming;
};

/* Row `hlod` of the cooked hlods table. */
CS_API struct cs_error *cs_stream_hlod(const struct cs_stream *stream, uint32_t world,
	uint32_t hlod, struct cs_stream_hlod_view *ret) CS_MUST_USE;

enum cs_hlod_fault {
	CS_HLOD_FAULT_OUTDATED, /* its source GUID is no cell of this cook */
	/* Source hidden, though its layers allow it; HLOD in range, but not loaded. */
	CS_HLOD_FAULT_HOLE,
	CS_HLOD_FAULT_RANGE,   /* its partition loads no farther than that of its source */
	CS_HLOD_FAULT_NO_HOME, /* no cell holds it */
	CS_HLOD_FAULTS
};

struct cs_stream_hlod_finding {
	uint32_t world, hlod;
	enum cs_hlod_fault fault;
	double range, source_range; /* cm, for RANGE */
};

/* All that is wrong with HLODs now; rows are freed by the caller. */
CS_API struct cs_error *cs_stream_hlod_check(const struct cs_stream *stream,
	struct cs_stream_hlod_finding **rows_ret, size_t *n_ret) CS_MUST_USE;

/* ==== why ==== */

/*
 * Why a cell is what it is, which comes before which and when each will be there; what a source
 * would want. These questions change nothing.
 */

struct cs_stream;

enum cs_reason {
	CS_REASON_NONE,
	/* wanted because */
	CS_REASON_ALWAYS_LOADED, /* part of the persistent level */
	CS_REASON_NON_SPATIAL,   /* driven by its layers alone */
	CS_REASON_IN_RANGE,      /* a source reaches it */
	CS_REASON_SNAPPED,       /* a wanted cell of a lower level lies in it */
	CS_REASON_SERVER,        /* a server without server streaming loads everything */
	CS_REASON_NO_STREAM_OUT, /* the server does not stream out */
	CS_REASON_DISALLOWED,    /* a layer of it must not be streamed out by the server */
	CS_REASON_CLIENT_SEES,   /* held: a client still sees it */
	/* not wanted because */
	CS_REASON_NOT_REGISTERED, /* its world partition is not registered */
	CS_REASON_NO_SOURCE,
	CS_REASON_GRID_FILTER, /* the sources in range leave out its partition */
	CS_REASON_OUT_OF_RANGE,
	CS_REASON_LAYERS, /* its data layers say unloaded */
	CS_REASON_HLOD_OFF,
	CS_REASON_CLIENT_ONLY,  /* does not exist on this server */
	CS_REASON_LEVEL_FILTER, /* wp.Runtime.FilterRuntimeSpatialHashGridLevel */
	CS_REASON_NO_BOUNDS,
	CS_REASON_NOT_RUN, /* no frame has run since it could be wanted */
	/* wanted as loaded and no more because */
	CS_REASON_LAYERS_LOADED, /* its data layers allow no more */
	CS_REASON_TARGET_LOADED, /* the sources ask for no more */
	/* wanted, but not there yet because */
	CS_REASON_BUDGET,      /* waits for its turn to load */
	CS_REASON_PERFORMANCE, /* skipped in a blocking wait */
	CS_REASON_LOADING,
	CS_REASON_FAILED,
	CS_REASON_WARMUP, /* an HLOD actor is not warm */
	CS_REASON_TURN,   /* another level is being made visible or invisible */
	CS_REASON_MAKING_VISIBLE,
	CS_REASON_SERVER_ACK, /* the server has not answered yet */
	/* no longer wanted, but still there because */
	CS_REASON_MAKING_INVISIBLE,
	CS_REASON_CANCELLED,    /* the load cannot be stopped */
	CS_REASON_STILL_AROUND, /* garbage is not collected yet */
	CS_REASON_ARRIVED,      /* it is what it should be */
	CS_REASON_COUNT
};

enum cs_order_key {
	CS_KEY_NONE, /* the first of the list */
	CS_KEY_SOURCE,
	CS_KEY_LEVEL,
	CS_KEY_PRIORITY,
	CS_KEY_SPATIAL,
	CS_KEY_DISTANCE, /* tie break: squared 2D distance to the centre of the content */
	CS_KEY_NAME,     /* tie break */
	CS_ORDER_KEYS
};

/* The sort keys of a cell (2.4), as the sources gave them when it was evaluated (2.3.5). */
struct cs_stream_keys {
	uint8_t source_priority;
	int32_t hierarchical_level; /* high first */
	int32_t cell_priority;
	double spatial;
	double distance2; /* tie break, cm^2 */
};

/* What one source does to one cell. */
struct cs_stream_reach {
	const char *source; /* name; NULL = no source at all */
	uint32_t shape;     /* of the source; 0 also where it has none */
	bool accepted;      /* the grid filter lets it act on the partition */
	bool hit;
	double distance; /* from the shape to the bounds that are tested, cm */
	double radius;   /* effective, cm */
	bool assumed;    /* it follows from a loading range that is only assumed */
	double spatial;  /* 2.3.5; of hits */
};

/* What has become otherwise since a frame decided: the next may decide anew. */
enum cs_changed {
	CS_CHANGED_SOURCES = 1, /* or loading ranges */
	CS_CHANGED_LAYERS = 2,
	CS_CHANGED_SETTINGS = 4, /* variables, the switch of HLODs */
	CS_CHANGED_CLIENTS = 8,
	CS_CHANGED_FRAMES = 16, /* the time limit did not reach its partition since */
};

struct cs_stream_why {
	enum cs_layer_state wanted; /* what it should be, all rules considered */
	enum cs_reason reason;      /* the rule that decided `wanted` */
	enum cs_reason progress;    /* why it is not there yet, or ARRIVED */
	enum cs_reason obstacle;    /* why it is not activated, or NONE where it is */
	bool decided;               /* a frame has decided about it: */
	uint64_t decided_in;        /* the last, evaluated or skipped */
	uint32_t changed; /* enum cs_changed: what may decide otherwise in the next frame */
	enum cs_layer_state by_sources; /* without the layers */
	enum cs_layer_state by_layers;
	uint32_t layer;                 /* the layer that holds it down, or CS_NONE */
	struct cs_stream_cell blocker;  /* TURN: the level at work, or CS_STREAM_NO_CELL */
	struct cs_stream_reach nearest; /* best hit, else the nearest miss */
	uint32_t n_hits;                /* shapes that hit it */
	struct cs_stream_keys keys;
	bool blocking;                   /* a blocking source hits it */
	double blocking_ratio;           /* distance / radius of the nearest blocking source */
	bool blocks;                     /* the cell blocks on slow streaming */
	bool judged;                     /* it does, and was late: the ratio counted */
	enum cs_performance performance; /* as 2.5 judges the ratio, if it does */
	uint32_t rank, of;    /* place among the rows of cs_stream_order_open; 0 = none */
	uint32_t warm_frames; /* WARMUP: calls still needed */
	uint32_t client;      /* CLIENT_SEES: index of the client; CS_NONE: it has left */
};

/* The question behind why, why-not and why-loaded. E_NOCELL. */
CS_API struct cs_error *cs_stream_why(const struct cs_stream *stream, struct cs_stream_cell cell,
	struct cs_stream_why *ret) CS_MUST_USE;
/* Every source and shape against the cell; returns how many, fills at most `room`. */
CS_API size_t cs_stream_reaches(const struct cs_stream *stream, struct cs_stream_cell cell,
	struct cs_stream_reach *ret, size_t room);

enum cs_order_list {
	CS_ORDER_ACTIVATE,         /* ToActivate of the last frame */
	CS_ORDER_LOAD,             /* ToLoad */
	CS_ORDER_PENDING_ACTIVATE, /* requested, not shown yet */
	CS_ORDER_PENDING_LOAD,     /* requested, not loaded yet */
	CS_ORDER_LISTS
};

struct cs_stream_order_row {
	struct cs_stream_cell cell;
	struct cs_stream_keys keys;
	enum cs_order_key decided_by; /* against the row above */
	bool started;                 /* the budget reached it, or it was free */
};

/* Which of two cells comes first (-1, 0, 1) and the key that decides. E_NOCELL. */
CS_API struct cs_error *cs_stream_compare(const struct cs_stream *stream,
	struct cs_stream_cell left, struct cs_stream_cell right, int *order_ret,
	enum cs_order_key *key_ret) CS_MUST_USE;

struct cs_stream_forecast {
	struct cs_stream_cell cell;
	uint32_t load_frames;         /* until it begins to load; CS_NONE = beyond the horizon */
	uint32_t done_frames;         /* until it is loaded or shown, as wanted */
	enum cs_order_key decided_by; /* of its row in the list that it waits in */
};

/*
 * When every cell that is wanted but not there will be: the run itself, ahead of time, with sources
 * standing still, at most `horizon` frames. In the order of the lists above. The rows are freed by
 * the caller; the stream is as before.
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
	uint64_t actors, bytes; /* of all of them */
};

/* What a lone source would want, in the order of 2.4, activations first. */
CS_API struct cs_error *cs_stream_probe(struct cs_stream *stream,
	const struct cs_stream_source *source, struct cs_stream_probe *ret) CS_MUST_USE;

/*
 * 2.10: whether everything that the query source reaches has reached `state`; `exact` = that state
 * and no more. The first cell that has not is told, or CS_STREAM_NO_CELL.
 */
CS_API struct cs_error *cs_stream_completed(struct cs_stream *stream,
	const struct cs_stream_source *query, enum cs_layer_state state, bool exact, bool *ret,
	struct cs_stream_cell *cell_ret) CS_MUST_USE;

/* ==== data layers ==== */

/*
 * Data layers of a run (2.8): their states, what holds them down, what setting one would change.
 *
 */

struct cs_stream;

enum cs_layer_answer {
	CS_LAYER_SET,
	CS_LAYER_UNCHANGED,
	CS_LAYER_NOT_RUNTIME,  /* ignored: an editor layer */
	CS_LAYER_NO_AUTHORITY, /* ignored: clients do not decide */
	CS_LAYER_WRONG_ROLE,   /* ignored: client-only or server-only, and this is the other */
	CS_LAYER_ANSWERS
};

/*
 * Input. `replicated` stands for a change that the server sent to this client. The answer is that
 * of the layer itself; recursion goes on below whatever it is. E_NOLAYER.
 */
CS_API struct cs_error *cs_stream_layer_set(struct cs_stream *stream, uint32_t world,
	uint32_t layer, enum cs_layer_state state, bool recursive, bool replicated,
	enum cs_layer_answer *ret) CS_MUST_USE;

struct cs_stream_layer_view {
	enum cs_layer_state initial; /* after role and override */
	enum cs_layer_state target, effective;
	uint32_t limited_by;      /* ancestor that lowers the effective state, or CS_NONE */
	bool runtime, on_role;    /* exists at run time; its load filter fits the role */
	uint32_t cells;           /* that have it */
	uint32_t in_range;        /* of these, reached by a source now */
	uint32_t loaded, visible; /* of these, there now */
};

CS_API struct cs_error *cs_stream_layer(const struct cs_stream *stream, uint32_t world,
	uint32_t layer, struct cs_stream_layer_view *ret) CS_MUST_USE;

enum cs_layer_verdict {
	CS_LAYER_IS_EDITOR,
	CS_LAYER_OTHER_ROLE,
	CS_LAYER_ANCESTOR,      /* `holder` lowers it */
	CS_LAYER_NOT_SENT,      /* a client, and the server has not activated it */
	CS_LAYER_NOT_ACTIVATED, /* by whom it could */
	CS_LAYER_NO_CELLS,
	CS_LAYER_ABSENT, /* all its cells are client-only, on a server */
	CS_LAYER_OUT_OF_RANGE,
	CS_LAYER_EXTERNAL_OFF, /* `holder`, the external data layer of its cells, is not activated
				*/
	CS_LAYER_OTHERS_OFF,   /* `holder`, another layer of them that counts too */
	CS_LAYER_EXCLUDED,     /* its cells are switched off: `excluded_by` */
	CS_LAYER_CELLS_FAILED,
	CS_LAYER_ON_THE_WAY,
	CS_LAYER_NOT_RUN,     /* no frame has decided since about cells of it */
	CS_LAYER_ONLY_LOADED, /* sources ask for some of its cells as loaded alone, and they are */
	CS_LAYER_IS_VISIBLE,
	CS_LAYER_VERDICTS
};

struct cs_stream_why_layer {
	struct cs_stream_layer_view view;
	enum cs_layer_verdict verdict; /* the first thing in the way */
	uint32_t holder;               /* layers: that holds it, or its cells, down; or CS_NONE */
	uint32_t absent;               /* of its cells: client-only, on a server */
	uint32_t excluded;             /* of its cells: switched off */
	enum cs_reason excluded_by;
	uint32_t in_range; /* of the others: asked for by sources, or by a server without streaming
			    */
	uint32_t held;     /* of these: held down by other layers */
	uint32_t failed;   /* of these: could not be loaded */
	uint32_t arrived;  /* of these: are what they should be */
	uint32_t only_loaded; /* of these: should be loaded and no more */
	uint32_t undecided;   /* of its cells: no frame has run since something was set */
};

/* The question behind why-layer. E_NOLAYER. */
CS_API struct cs_error *cs_stream_why_layer(const struct cs_stream *stream, uint32_t world,
	uint32_t layer, struct cs_stream_why_layer *ret) CS_MUST_USE;

struct cs_stream_impact {
	uint32_t cell;
	enum cs_layer_state before, after; /* what its layers allow */
	bool in_range;
};

/* Which cells would change, without changing anything. Rows are freed by the caller. */
CS_API struct cs_error *cs_stream_layer_impact(const struct cs_stream *stream, uint32_t world,
	uint32_t layer, enum cs_layer_state state, bool recursive,
	struct cs_stream_impact **rows_ret, size_t *n_ret) CS_MUST_USE;

/* ==== variables ==== */

/*
 * What can be set of a run: the variables of the engine (part 3) and the loading ranges of grids.
 *
 */

struct cs_stream;

enum cs_variable_type { CS_VARIABLE_BOOL, CS_VARIABLE_INTEGER, CS_VARIABLE_REAL, CS_VARIABLE_TEXT };

/* Where a change shows. */
enum cs_variable_scope {
	CS_SCOPE_RUN,     /* streaming, from the next frame on */
	CS_SCOPE_ONCE,    /* streaming, read at its first use only */
	CS_SCOPE_MODEL,   /* the model of loading and of the machine around it */
	CS_SCOPE_DISPLAY, /* what maps and lists show */
	CS_SCOPE_COOK,    /* the next cook; nothing in a cooked world */
};

struct cs_variable {
	const char *name;
	const char *aliases; /* further spellings, separated by blanks, or NULL */
	enum cs_variable_type type;
	enum cs_variable_scope scope;
	double initial, low, high; /* numbers; the default of the default profile */
	const char *unit;          /* or NULL */
	const char *help;
	const char *instead; /* nothing here reads it: what does the like, or ""; else NULL */
};

CS_API const struct cs_variable *cs_stream_variables(size_t *n_ret);
/* By name or alias, without case; SIZE_MAX when there is none. */
CS_API size_t cs_stream_find_variable(const char *name);
CS_API size_t cs_stream_variable_format(
	const struct cs_stream *stream, size_t variable, char *ret, size_t size);

struct cs_stream_value {
	double number, initial; /* now; at first, by the stream's profile; of a text 0 */
	bool is_initial;        /* whether it is that */
};

CS_API struct cs_stream_value cs_stream_variable(const struct cs_stream *stream, size_t variable);
/* Where the loading range of a partition comes from. */
enum cs_range_origin {
	CS_RANGE_COOKED,
	CS_RANGE_ASSUMED, /* the source of the world does not say it */
	CS_RANGE_OVERRIDE,
};

struct cs_stream_range {
	double range; /* cm */
	enum cs_range_origin origin;
};

/* The loading range of a partition now. */
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

/* The initial state of one data layer, instead of the one it was cooked with. */
struct cs_stream_initial {
	const char *layer; /* instance name, asset or label */
	enum cs_layer_state state;
};

/*
 * Something that lives by the clock of a stream without being part of it, as the pages of meshes
 * do: its frames run behind those of the stream, its inputs and its state are part of the timeline.
 * The same inputs must give the same states. `save` answers bytes that live until the next call.
 */
struct cs_stream_companion {
	void *context;
	struct cs_error *(*frame)(void *context, uint64_t frame, uint64_t time, uint64_t length);
	struct cs_error *(*input)(void *context, const char *text);
	struct cs_error *(*save)(void *context, const void **bytes_ret, size_t *n_ret);
	struct cs_error *(*restore)(void *context, const void *bytes, size_t n);
};

struct cs_stream_options {
	size_t size; /* sizeof(struct cs_stream_options); api.h */
	enum cs_role role;
	const char *profile; /* engine profile, NULL = that of the cooked world */
	const struct cs_stream_initial *initial;
	size_t n_initial;
	/* what may be kept, 0 = the default */
	uint64_t history_bytes;               /* snapshots, and as much again for inputs: 64 MiB */
	uint32_t events;                      /* of the event log: 65,536 */
	uint32_t frames;                      /* of statistics: 4,096 */
	struct cs_stream_companion companion; /* zeros: none; it must outlive the stream */
};

/*
 * The cooked world becomes world 0, the persistent level; the standalone level instances that it
 * holds become the next ones, in the order of its sub_partitions. E_PROFILE, E_NOLAYER, E_NOMEM.
 */
CS_API struct cs_error *cs_stream_new(const struct cs_cooked *cooked,
	const struct cs_stream_options *options, const struct cs_job *job,
	struct cs_stream **ret) CS_MUST_USE;
CS_API void cs_stream_free(struct cs_stream *stream);

/* A standalone level instance: a world partition of its own inside the persistent level. */
struct cs_stream_instance {
	struct cs_transform transform;
	/*
	 * The cell that holds the level instance: the partition is registered when its level begins
	 * to be made visible, and gone when it begins to be hidden. CS_STREAM_NO_CELL: registered
	 * by cs_stream_register alone.
	 */
	struct cs_stream_cell owner;
	const char *name; /* NULL: that of its map; #2 ... is added to one that is taken */
};

/* Adds a world partition, not registered yet. The profile is that of the stream. */
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
	struct cs_stream_cell owner; /* or CS_STREAM_NO_CELL */
	bool registered, server_streaming;
	uint32_t cells_loaded, cells_visible;
};

/* A world partition of the run. */
struct cs_stream_world {
	const char *name; /* unique */
	const struct cs_cooked *cooked;
};

CS_API struct cs_stream_world cs_stream_world(const struct cs_stream *stream, uint32_t world);
/* By instance name, asset or label, without case. CS_NONE when there is none. */
CS_API uint32_t cs_stream_find_layer(
	const struct cs_stream *stream, uint32_t world, const char *name);

/* ---- stepping ---- */

/* Runs n frames. Only E_NOMEM can stop it; the frames before are complete. */
CS_API struct cs_error *cs_stream_step(struct cs_stream *stream, uint64_t n) CS_MUST_USE;

struct cs_stream_status {
	const char *profile;
	enum cs_role role;
	bool server_streaming, server_streaming_out;
	bool hlod_enabled;
	uint64_t frame, time_ns;
	enum cs_performance performance;         /* of cells that may block */
	enum cs_performance display_performance; /* 5.7: of any cell, without blocking */
	uint32_t loading, budget; /* levels loading; cells that may start now, UINT32_MAX = any */
	uint32_t waiting_activate, waiting_load;   /* cells that wait for budget */
	uint32_t making_visible, making_invisible; /* levels in these states */
	struct cs_stream_cell showing, hiding;     /* the one at work, or CS_STREAM_NO_CELL */
	uint32_t purging;                          /* unloaded levels still in memory */
	uint64_t cells_visible, cells_loaded;      /* loaded counts visible ones too */
	uint64_t actors, bytes;                    /* of loaded cells */
	uint64_t layer_epoch, server_epoch;
	uint64_t memory;  /* bytes the stream holds, cooked worlds not counted */
	uint64_t rewinds; /* times that it went back: what was read before may not be what was */
};

CS_API struct cs_stream_status cs_stream_status(const struct cs_stream *stream);

/* ---- servers (2.7) ---- */

struct cs_stream_client {
	const char *name; /* NULL behind the last */
	size_t cells;     /* that it sees */
};

CS_API struct cs_stream_client cs_stream_client_at(const struct cs_stream *stream, size_t client);

struct cs_stream_hold {
	struct cs_stream_cell cell;
	uint32_t client; /* first that sees it; CS_NONE: who did has left */
};

/* Cells the server keeps only because a client sees them, as of the last frame. */
CS_API const struct cs_stream_hold *cs_stream_server_hold(
	const struct cs_stream *stream, size_t *n_ret);

CS_END_DECLS

#endif
