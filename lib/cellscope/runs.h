/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs and results of a streaming run: paths, inputs, events, statistics, costs, and stops. */
#ifndef CELLSCOPE_RUNS_H
#define CELLSCOPE_RUNS_H

#include <cellscope/stream.h>

CS_BEGIN_DECLS

/* ==== paths of streaming sources ==== */

struct cs_path;
struct cs_stream;

struct cs_path_key {
	double time; /* seconds since the start of the path */
	struct cs_vec3 position;
	struct cs_rotator rotation;
	struct cs_vec3 velocity; /* cm/s; used only if cs_path_view.has_velocity */
};

CS_API struct cs_error *cs_path_new(struct cs_path **ret) CS_MUST_USE;
CS_API void cs_path_free(struct cs_path *path);
/* Adds a copy of a key. Returns E_SETTING for numbers out of range, or a time before the last. */
CS_API struct cs_error *cs_path_add(
	struct cs_path *path, const struct cs_path_key *key) CS_MUST_USE;

/* The streaming values that the engine's CSV profiler records for each frame. */
enum cs_recorded {
	CS_RECORDED_FRAME_TIME,      /* ms of the whole frame */
	CS_RECORDED_GAME_THREAD,     /* ms of the game thread */
	CS_RECORDED_CONSIDERED,      /* number of streaming levels to consider */
	CS_RECORDED_PENDING_PURGE,   /* number of levels that are unloaded, but still in memory */
	CS_RECORDED_STREAMING,       /* ms for updating the streaming state */
	CS_RECORDED_LEVEL_STREAMING, /* ms for updating, showing and hiding levels */
	CS_RECORDED_ASYNC_LOADING,   /* ms for loading on the game thread */
	CS_RECORDED_QUEUED,          /* number of packages in the queue of file reads */
	CS_RECORDED_COUNT
};

/* A frame of a recorded run. */
struct cs_path_frame {
	uint64_t length_ns;
	double values[CS_RECORDED_COUNT]; /* NAN if the record has no such column */
	const char *events;               /* events in the frame, separated by ';'; or NULL */
	size_t line;                      /* line in the file, 0 if not read from a file */
};

/*
 * The contents of a path. A path recorded frame by frame has a frame for each key, which ends at
 * the time of the key. While a source follows such a path, each frame of the run uses one key and
 * is as long as the recorded frame, instead of sim.FrameTime.
 */
struct cs_path_view {
	const struct cs_path_key *keys;
	const struct cs_path_frame *frames; /* NULL if the path was not recorded frame by frame */
	size_t n;
	bool has_velocity; /* whether the file or recording has velocities; else computed */
	/* frames of a run along the path at 60 a second (0: no keys, or above 4,000,000) */
	uint64_t run_frames;
	/* frames of a profile whose length is no number (left out), or whose position is none */
	size_t unknown_frames;
};

CS_API struct cs_path_view cs_path_view(const struct cs_path *path);

static inline size_t cs_path_keys(const struct cs_path *path, const struct cs_path_key **ret)
{
	const struct cs_path_view view = cs_path_view(path);
	*ret = view.keys;
	return view.n;
}

static inline const struct cs_path_frame *cs_path_frames(const struct cs_path *path)
{
	return cs_path_view(path).frames;
}

static inline bool cs_path_has_velocity(const struct cs_path *path)
{
	return cs_path_view(path).has_velocity;
}

/*
 * Reads a path. A CSV profile of the engine (first cell EVENTS), which may be packed as .csv.gz, is
 * detected by its content and becomes a path recorded frame by frame: View/PosX.. are the
 * positions, View/ForwardX.. and View/UpX.. the directions. The header may be at the end of the
 * file, missing cells of short rows are 0, and the command line is skipped. Returns E_TRUNCATED for
 * a truncated profile, E_MISSING without columns of time and position, E_FEATURE for .csv.bin.
 *
 * For other files the extension decides: .json contains {"schema": "cellscope.path/1", "keys":
 * [{"time": 0, "position": [x, y, z], "rotation": [pitch, yaw, roll], "velocity": [x, y, z]}]},
 * where rotation and velocity are optional. Any other extension is CSV with the columns
 * time,x,y,z[,pitch,yaw,roll[,vx,vy,vz]] and an optional header line.
 */
CS_API struct cs_error *cs_path_read(const char *file, struct cs_path **ret) CS_MUST_USE;
/* Writes the keys of a path, without its frames, in the format that the extension names. */
CS_API struct cs_error *cs_path_write(const struct cs_path *path, const char *file) CS_MUST_USE;
/*
 * Starts a recording, and ends an earlier one. It adds a key with the position of the source and
 * time 0 to the path, and then a key after each further frame. The caller owns the path, which must
 * outlive the recording. If `path` is NULL, an earlier recording ends and none begins. Going back
 * in the run removes the keys of later frames. Returns E_NOSOURCE for an unknown source.
 */
CS_API struct cs_error *cs_stream_record_path(
	struct cs_stream *stream, const char *source, struct cs_path *path) CS_MUST_USE;

/* ---- events and statistics of frames ---- */

/* Kinds of events. The comments name the used members of struct cs_stream_event. */
enum cs_event {
	CS_EVENT_SET,         /* cell; from, to: enum cs_layer_state that the policy requests */
	CS_EVENT_LEVEL,       /* cell; from, to: enum cs_level_state */
	CS_EVENT_LAYER,       /* detail: row of layers; from, to: effective states */
	CS_EVENT_HLOD,        /* cell; detail: row of hlods; from, to: enum cs_hlod_state */
	CS_EVENT_BUDGET,      /* the frame's budget is used up; detail: number of waiting cells */
	CS_EVENT_PERFORMANCE, /* from, to: enum cs_performance */
	CS_EVENT_BLOCK,       /* a blocking wait ends the frame; cell: the most critical one */
	CS_EVENT_HOLD,        /* cell; to: 1 if a server begins to keep it for clients, else 0 */
	CS_EVENT_EPOCH,       /* detail: server epoch that was published */
	CS_EVENT_WORLD,       /* world; to: 1 if it was registered, 0 if it was unregistered */
	CS_EVENT_PURGE,       /* detail: number of levels whose memory was freed */
	CS_EVENT_WAIT,        /* cell: begins to wait to be loaded; to: wanted state */
	CS_EVENT_COMPANION,   /* to: enum cs_companion_event; detail: value from the companion */
	/* cell: shown in a followed real game, detail: ms from its request. Not in the log */
	CS_EVENT_LATE,
	CS_EVENTS
};

/* Events of a companion (code outside of the run that pages Nanite resources in each frame). */
enum cs_companion_event {
	CS_COMPANION_PAGE_REQUEST,
	CS_COMPANION_PAGE_INSTALL,
	CS_COMPANION_PAGE_EVICT,
	CS_COMPANION_POOL_FULL,
	CS_COMPANION_QUALITY_DROP,
};

struct cs_stream_event {
	uint64_t frame;
	uint32_t world, cell; /* CS_NONE for an event without a world or cell */
	uint32_t detail;
	uint8_t event; /* enum cs_event */
	uint8_t from, to;
	uint8_t reason; /* enum cs_reason */
};

/* Returns the number of all events so far. The log keeps only the latest ones. */
static inline uint64_t cs_stream_event_count(const struct cs_stream *stream)
{
	return cs_stream_counts(stream).events;
}

/* Kinds of events as users list them and set breakpoints on them; CS_WORDS_MOMENT explains each. */
enum cs_moment {
	CS_MOMENT_FRAME, /* the end of every frame; never in the log */
	CS_MOMENT_CELL_WAIT,
	CS_MOMENT_CELL_WANT,
	CS_MOMENT_CELL_DROP,
	CS_MOMENT_CELL_LOAD,
	CS_MOMENT_CELL_LOADED,
	CS_MOMENT_CELL_SHOWING,
	CS_MOMENT_CELL_SHOW,
	CS_MOMENT_CELL_HIDE,
	CS_MOMENT_CELL_HIDDEN,
	CS_MOMENT_CELL_UNLOAD,
	CS_MOMENT_CELL_REMOVE,
	CS_MOMENT_CELL_FAIL,
	CS_MOMENT_CELL_LATE,
	CS_MOMENT_LAYER,
	CS_MOMENT_HLOD,
	CS_MOMENT_HLOD_HOLE,
	CS_MOMENT_BUDGET,
	CS_MOMENT_PERFORMANCE,
	CS_MOMENT_BLOCK,
	CS_MOMENT_HOLD,
	CS_MOMENT_RELEASE,
	CS_MOMENT_EPOCH,
	CS_MOMENT_WORLD,
	CS_MOMENT_PURGE,
	CS_MOMENT_PAGE_REQUEST, /* this and the next four as in enum cs_companion_event */
	CS_MOMENT_PAGE_INSTALL,
	CS_MOMENT_PAGE_EVICT,
	CS_MOMENT_POOL_FULL,
	CS_MOMENT_QUALITY_DROP,
	CS_MOMENTS
};

/* Returns the names of the states `from` and `to` of an event, NULL if the event has no states. */
CS_API void cs_event_words(
	const struct cs_stream_event *event, const char **from_ret, const char **to_ret);

/* Kinds of work that the game thread does for streaming. */
enum cs_frame_work {
	CS_WORK_SHOW,   /* registering actors and calling their BeginPlay */
	CS_WORK_HIDE,   /* unregistering actors */
	CS_WORK_LOAD,   /* creating actors while their level loads */
	CS_WORK_PURGE,  /* freeing unloaded levels */
	CS_WORK_UPDATE, /* deciding which cells are wanted */
	CS_WORKS
};

/* The cost of a frame. Without the variable sim.FrameCost only showing and hiding are counted. */
struct cs_frame_cost {
	uint64_t ns[CS_WORKS];  /* time for each kind of work */
	uint64_t game_ns;       /* time of the game itself, counted only with sim.FrameCost */
	uint64_t grown_ns;      /* time by which streaming made the frame longer */
	uint64_t show_each_ns;  /* time to show one actor, from sim.ShowPerActor */
	uint64_t show_limit_ns; /* time limit for showing levels in a frame; UINT64_MAX: none */
	/* cell with the dearest (most expensive) work, or CS_STREAM_NO_CELL */
	struct cs_stream_cell dearest;
	uint64_t dearest_ns;       /* time for that work */
	uint64_t dearest_each_ns;  /* ns of that work for one actor (PURGE: level, UPDATE: world) */
	uint64_t dearest_limit_ns; /* time limit of the dearest work; UINT64_MAX: none */
	uint8_t dearest_work;      /* enum cs_frame_work */
};

struct cs_stream_frame {
	uint64_t frame, time_ns;
	uint64_t stall_ns; /* duration of the blocking wait at the end of the frame */
	uint64_t work_ns;  /* time for showing and hiding levels, without stall_ns */
	uint64_t cells_visible, cells_loaded, actors, bytes; /* totals at the end of the frame */
	/* numbers of levels: load begun, succeeded, failed, and levels unloaded */
	uint32_t loads, loaded, failed, unloads;
	uint32_t shows, hides;       /* levels that became visible, levels that became invisible */
	uint32_t waiting;            /* number of cells that wait because the budget was used up */
	uint32_t budget;             /* number of cells that may begin to load; UINT32_MAX: any */
	uint32_t loading;            /* number of levels loading at the end of the frame */
	uint32_t thrash;             /* levels unloaded within sim.ThrashTime after their load */
	uint32_t evaluated, skipped; /* number of world partitions evaluated, and skipped */
	uint32_t hits;               /* number of cells that a source reaches */
	uint32_t critical;           /* number of cells of performance Critical or worse */
	uint8_t performance, display_performance; /* as in struct cs_stream_status */
	bool blocked;       /* whether the frame ended in a blocking wait, even of 0 ns */
	uint64_t length_ns; /* length of the frame, without the wait */
	/* recorded frame of the path that a source follows, or NULL; valid as long as the stream */
	const struct cs_path_frame *recorded;
	struct cs_frame_cost cost;
};

/* Returns the statistics of a frame, or NULL when they are not kept. */
CS_API const struct cs_stream_frame *cs_stream_frame(
	const struct cs_stream *stream, uint64_t frame);

enum { CS_STALL_CELLS = 8 };

/* A blocking wait: a row of the table `stalls` (cellscope/query.h). */
struct cs_stream_stall {
	uint64_t frame;
	uint64_t length_ns;
	bool by_performance; /* true: slow streaming caused the wait; false: an input caused it */
	uint32_t n_cells;    /* number of Critical cells, if by_performance; else 0 */
	/* the most critical cells, lowest ratio first */
	struct cs_stream_cell cells[CS_STALL_CELLS];
	double ratios[CS_STALL_CELLS]; /* blocking_ratio of `cells`, as in struct cs_stream_why */
	char source[CS_SOURCE_NAME];   /* streaming source that reached cells[0] */
	uint32_t loads;                /* number of levels loaded during the wait */
};

enum { CS_REPORT_LOADS = 17 };

/* Totals and maxima of the frames since cs_stream_report_reset (explained in compare.h). */
struct cs_stream_report {
	uint64_t first_frame, frames;
	uint64_t loads, unloads, failures, thrash, stall_ns;
	uint64_t short_frames; /* frames in which the budget did not reach all cells */
	uint64_t slow_frames, critical_frames, stalls;
	uint64_t skipped_frames; /* frames in which no world partition had to be evaluated */
	uint64_t peak_cells, peak_actors, peak_bytes, peak_waiting, peak_loading;
	uint64_t peak_frame; /* number of the frame with peak_bytes */
	/* number of frames by number of loads (the last item also counts frames with more) */
	uint64_t frames_by_loads[CS_REPORT_LOADS];
};

CS_API struct cs_stream_report cs_stream_report(const struct cs_stream *stream);
CS_API void cs_stream_report_reset(struct cs_stream *stream);
/* Bytes that the load model counts for each cell and each actor; set by variables. */
struct cs_stream_load_sizes {
	uint64_t cell, actor;
};
/* Appends an event to the log. A companion calls this in its callbacks `frame` and `input`. */
CS_API void cs_stream_tell(
	struct cs_stream *stream, enum cs_companion_event event, uint32_t detail);

/* ---- going back and forward in a run ---- */

/* Returns a hash (XXH3-64) of the whole state of a run. Equal states have equal hashes. */
CS_API struct cs_error *cs_stream_hash(struct cs_stream *stream, uint64_t *ret) CS_MUST_USE;
/*
 * Goes back, or forward to a frame that was run before, by restoring the nearest snapshot and
 * replaying the recorded inputs up to and including those of the frame. The next steps replay those
 * of later frames, until a new input removes them. Returns E_NOFRAME for a frame that was not run,
 * or whose history is no longer kept.
 */
CS_API struct cs_error *cs_stream_goto(struct cs_stream *stream, uint64_t frame) CS_MUST_USE;
/*
 * Goes to any frame: replays frames that were run before, and then runs new ones. The job receives
 * the progress and may interrupt the run between frames: then the function returns E_INTERRUPTED,
 * and the run stays at the frame it reached.
 */
CS_API struct cs_error *cs_stream_run(
	struct cs_stream *stream, uint64_t frame, const struct cs_job *job) CS_MUST_USE;
/* Stores a checkpoint, kept when history is deleted. Ids ascend from 1. E_LIMIT: there are 1000. */
CS_API struct cs_error *cs_stream_checkpoint(struct cs_stream *stream, uint32_t *ret) CS_MUST_USE;
/* Goes to a checkpoint. Returns E_MISSING for an unknown id. */
CS_API struct cs_error *cs_stream_restart(struct cs_stream *stream, uint32_t id) CS_MUST_USE;
/* Returns id and frame of the checkpoint at an index, or false after the last one. */
CS_API bool cs_stream_checkpoint_at(
	const struct cs_stream *stream, size_t index, uint32_t *id_ret, uint64_t *frame_ret);

/* ==== inputs of a run ==== */

/* Kinds of inputs: changes of a run between two frames, which are recorded. */
enum cs_input {
	CS_INPUT_SOURCE, /* adds or replaces a source; E_SETTING for values out of range */
	CS_INPUT_MOVE,   /* moves a source; E_NOSOURCE if unknown, also for REMOVE and FOLLOW */
	CS_INPUT_REMOVE,
	CS_INPUT_FOLLOW,   /* sets the path that a source follows (a copy); NULL: none */
	CS_INPUT_VARIABLE, /* sets a variable; E_SETTING: value out of range, E_UNKNOWN: index */
	CS_INPUT_HLOD,     /* switches wp.Runtime.HLOD on or off */
	CS_INPUT_RANGE,    /* loading range of a partition in cm; < 0: the cooked one */
	CS_INPUT_BLOCK,    /* the next frame ends in a blocking wait for all cells */
	CS_INPUT_LAYER,    /* sets a data layer, like cs_stream_layer_set without `ret` */
	CS_INPUT_REGISTER, /* registers a world, or unregisters it and unloads its cells (`on`) */
	/*
	 * adds a client, or sets its source. The server keeps cells that the client sees (rule
	 * 2.7): those that the source reaches, or reached in the last sim.ClientLag ms, and those
	 * set by CS_INPUT_HOLD. The source "" reaches no cell.
	 */
	CS_INPUT_CLIENT,
	CS_INPUT_CLIENT_REMOVE, /* removes a client; E_SETTING if there is no such client */
	CS_INPUT_HOLD,          /* a client shows a cell, wherever the cell is */
	CS_INPUT_FAULT,         /* sets a fault for later loads of a cell */
	CS_INPUT_COMPANION,     /* command for the run's cs_companion; E_USAGE without one */
	CS_INPUTS
};

/* An input of a run. Only the members of its kind are used. Names are compared ignoring case. */
struct cs_stream_input {
	uint64_t frame; /* frame after which a recorded input took effect; else ignored */
	enum cs_input kind;
	const struct cs_stream_source *source; /* SOURCE: the new source */
	const char *name; /* name of the source (MOVE, REMOVE, FOLLOW) or of the client */
	const char *text; /* VARIABLE: value; CLIENT: name of the source; COMPANION: command */
	struct cs_vec3 location;    /* MOVE: new location of the source */
	struct cs_rotator rotation; /* MOVE: new rotation of the source */
	const struct cs_path *path; /* FOLLOW: the path, or NULL */
	size_t variable;            /* VARIABLE: index of the variable */
	double number;              /* RANGE: range in cm; FAULT: factor of the load time */
	struct cs_stream_cell cell; /* HOLD, FAULT: the cell */
	uint32_t world;             /* LAYER, RANGE, REGISTER: index of the world */
	uint32_t row; /* LAYER, RANGE: row of layers, of partitions; FAULT: enum cs_fault */
	enum cs_layer_state state; /* LAYER: new state */
	/* HLOD, REGISTER, HOLD: switch on; FOLLOW: loop; LAYER: with children */
	bool on;
	bool replicated; /* LAYER: a server sent the state to this client */
};

/* Applies an input at once and records a copy. An input that returns an error has no effect. */
CS_API struct cs_error *cs_stream_input(
	struct cs_stream *stream, const struct cs_stream_input *input) CS_MUST_USE;

static inline struct cs_stream_input cs_input_of(enum cs_input kind, const char *name)
{
	struct cs_stream_input input = {0, kind, NULL, name, NULL, {0, 0, 0}, {0, 0, 0}, NULL, 0, 0,
		{CS_NONE, CS_NONE}, 0, 0, CS_LAYER_UNLOADED, false, false};
	return input;
}

/* Each of the following functions applies one kind of input. */
static inline struct cs_error *cs_stream_source_set(
	struct cs_stream *stream, const struct cs_stream_source *source)
{
	struct cs_stream_input input = cs_input_of(CS_INPUT_SOURCE, NULL);
	input.source = source;
	return cs_stream_input(stream, &input);
}

static inline struct cs_error *cs_stream_source_move(struct cs_stream *stream, const char *name,
	struct cs_vec3 location, struct cs_rotator rotation)
{
	struct cs_stream_input input = cs_input_of(CS_INPUT_MOVE, name);
	input.location = location;
	input.rotation = rotation;
	return cs_stream_input(stream, &input);
}

static inline struct cs_error *cs_stream_source_remove(struct cs_stream *stream, const char *name)
{
	struct cs_stream_input input = cs_input_of(CS_INPUT_REMOVE, name);
	return cs_stream_input(stream, &input);
}

static inline struct cs_error *cs_stream_source_follow(
	struct cs_stream *stream, const char *name, const struct cs_path *path, bool loop)
{
	struct cs_stream_input input = cs_input_of(CS_INPUT_FOLLOW, name);
	input.path = path;
	input.on = loop;
	return cs_stream_input(stream, &input);
}

static inline struct cs_error *cs_stream_variable_set(
	struct cs_stream *stream, size_t variable, const char *text)
{
	struct cs_stream_input input = cs_input_of(CS_INPUT_VARIABLE, NULL);
	input.variable = variable;
	input.text = text;
	return cs_stream_input(stream, &input);
}

static inline struct cs_error *cs_stream_override_range(
	struct cs_stream *stream, uint32_t world, uint32_t partition, double range)
{
	struct cs_stream_input input = cs_input_of(CS_INPUT_RANGE, NULL);
	input.world = world;
	input.row = partition;
	input.number = range;
	return cs_stream_input(stream, &input);
}

static inline struct cs_error *cs_stream_register(
	struct cs_stream *stream, uint32_t world, bool registered)
{
	struct cs_stream_input input = cs_input_of(CS_INPUT_REGISTER, NULL);
	input.world = world;
	input.on = registered;
	return cs_stream_input(stream, &input);
}

static inline struct cs_error *cs_stream_fault(
	struct cs_stream *stream, struct cs_stream_cell cell, enum cs_fault fault, double factor)
{
	struct cs_stream_input input = cs_input_of(CS_INPUT_FAULT, NULL);
	input.cell = cell;
	input.row = (uint32_t)fault;
	input.number = factor;
	return cs_stream_input(stream, &input);
}

static inline struct cs_error *cs_stream_hlod_enable(struct cs_stream *stream, bool on)
{
	struct cs_stream_input input = cs_input_of(CS_INPUT_HLOD, NULL);
	input.on = on;
	return cs_stream_input(stream, &input);
}

static inline struct cs_error *cs_stream_block(struct cs_stream *stream)
{
	struct cs_stream_input input = cs_input_of(CS_INPUT_BLOCK, NULL);
	return cs_stream_input(stream, &input);
}

/* Sets the source of a client. A `source` of NULL removes the client. */
static inline struct cs_error *cs_stream_client_set(
	struct cs_stream *stream, const char *name, const char *source)
{
	struct cs_stream_input input =
		cs_input_of(source ? CS_INPUT_CLIENT : CS_INPUT_CLIENT_REMOVE, name);
	input.text = source;
	return cs_stream_input(stream, &input);
}

static inline struct cs_error *cs_stream_client_hold(
	struct cs_stream *stream, const char *name, struct cs_stream_cell cell, bool hold)
{
	struct cs_stream_input input = cs_input_of(CS_INPUT_HOLD, name);
	input.cell = cell;
	input.on = hold;
	return cs_stream_input(stream, &input);
}

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
 * Stores in *ret whether all cells that `query`, as the only source, reaches have at least the
 * state `state`, or exactly it if `exact` (rule 2.10), or the lower state that their data layers
 * allow. *cell_ret is the first cell for which this is false, or CS_STREAM_NO_CELL.
 */
CS_API struct cs_error *cs_stream_completed(struct cs_stream *stream,
	const struct cs_stream_source *query, enum cs_layer_state state, bool exact, bool *ret,
	struct cs_stream_cell *cell_ret) CS_MUST_USE;

/* ==== the cost of frames and cells ==== */

/*
 * The cost of a run: frames and cells, the most expensive first. Costs are compared by milliseconds
 * of the virtual clock (visibility work and waits for streaming), then by bytes, then by waiting
 * time.
 *
 * A cell has one row for each time that it was loaded: from the frame in which it was wanted to the
 * frame in which it was visible. All numbers are computed from the event log and the frame records
 * of the stream, and so are available only as far back as these are kept.
 */

/* Frame number of something that has not happened yet. */
#define CS_NO_FRAME UINT64_MAX

/* Why a cell was expensive. If several causes apply, the first is reported. */
enum cs_hitch_cause {
	CS_HITCH_FAILED,  /* the cell could not be loaded */
	CS_HITCH_STALL,   /* the game was blocked until the cell was loaded */
	CS_HITCH_BUDGET,  /* the cell waited to be loaded as long as loading took, or longer */
	CS_HITCH_ACTORS,  /* showing the cell takes more than the time limit for it in a frame */
	CS_HITCH_LOADING, /* the cell took more than one frame to load */
	CS_HITCH_WAITS,   /* the cell still waits to be loaded or shown */
	CS_HITCH_NONE,    /* the cell was not expensive */
	CS_HITCH_CAUSES
};

enum { CS_HITCH_ADVICE = 96 }; /* size in bytes of a text of advice, with the NUL */

struct cs_hitch_cell {
	struct cs_stream_cell cell;
	/* frames in which the cell was wanted, began to load, was loaded, shown, or CS_NO_FRAME */
	uint64_t wanted, load, loaded, shown;
	uint64_t wait;    /* frames from `wanted` to `load`, or until now */
	uint64_t loading; /* frames from `load` to `loaded`, or until now */
	double show_ms;  /* ms of showing the cell, by sim.ShowPerActor at the time; NAN: unknown */
	double stall_ms; /* ms of blocking waits for the cell */
	uint64_t bytes, actors;
	enum cs_hitch_cause cause;
	char avoid[CS_HITCH_ADVICE]; /* advice how to avoid the cost, with numbers; or "" */
};

struct cs_hitch_frame {
	uint64_t frame;
	double show_ms, stall_ms;
	uint64_t bytes; /* bytes of the cells whose loading ended in the frame */
	uint32_t loads, shows, waiting;
	uint32_t cells;             /* number of cells that were loading */
	struct cs_stream_cell dear; /* the most expensive cell, or CS_STREAM_NO_CELL */
	enum cs_hitch_cause cause;  /* cause of the cost of that cell */
	char avoid[CS_HITCH_ADVICE];
	enum cs_performance performance;
	double length_ms, grown_ms;       /* frame length without wait; part added by streaming */
	double load_ms, purge_ms;         /* ms of loading, freeing; only with sim.FrameCost */
	char reason[2 * CS_HITCH_ADVICE]; /* why the frame was long, with the time limit; or "" */
};

/* Lists the frames `first` to `last` with a cost, dearest first. The caller frees the rows. */
CS_API struct cs_error *cs_hitch_frames(const struct cs_stream *stream, uint64_t first,
	uint64_t last, struct cs_hitch_frame **rows_ret, size_t *n_ret) CS_MUST_USE;
/*
 * Lists the loads of cells of which a part falls in frames `first` to `last`, in descending order
 * of show_ms + stall_ms. The caller frees the rows.
 */
CS_API struct cs_error *cs_hitch_cells(const struct cs_stream *stream, uint64_t first,
	uint64_t last, struct cs_hitch_cell **rows_ret, size_t *n_ret) CS_MUST_USE;

/* ==== fitting the load model ==== */

/*
 * Fits the load model to measurements. If a source follows a recorded run, each frame has both the
 * result of the simulation and the values that the engine's profiler measured (cs_path_frames).
 *
 * A cost is fitted as the sum of measured ms divided by the sum of simulated units of work, so that
 * it does not matter if the game did some work a frame earlier or later than the simulation. The
 * goodness of a fit compares the measured and simulated values frame by frame.
 */

enum cs_fit_kind {
	/* sim.ShowPerActor: ms of updating levels / actors shown, where a hidden actor counts as
	   sim.HidePerActor / sim.ShowPerActor actors */
	CS_FIT_SHOW,
	CS_FIT_HIDE,    /* sim.HidePerActor; changes by the same factor as sim.ShowPerActor */
	CS_FIT_CREATE,  /* sim.LoadPerActor: ms of loading on the game thread / actors loaded */
	CS_FIT_UPDATE,  /* sim.WorldUpdateCost: ms of streaming updates / worlds evaluated */
	CS_FIT_LATENCY, /* sim.Latency: mean ms of a load, from the length of the read queue */
	CS_FITS
};

struct cs_fit {
	const char *variable;
	bool fitted;          /* false if nothing was measured or nothing simulated */
	double before, after; /* values before and after, equal if it was not fitted */
	/* totals in ms (LATENCY: means per load), simulated with the value `before` */
	double measured, simulated;
	/*
	 * 1 - residual / variance, with `after`: 1 exact, 0 no better than a constant, below 0
	 * worse, NAN the measured value never changes
	 */
	double goodness;
	uint64_t frames; /* number of frames that were compared */
};

/*
 * Fits the model to the frames that are kept. The mean duration of a load is the number of packages
 * in the queue summed over time, divided by the number of loads begun (Little's law); a level
 * counts as one package. Unless `dry`, an input sets the fitted variables, within their limits,
 * from the next frame on. Returns E_NOFRAME if in none of these frames a source followed a recorded
 * run.
 */
CS_API struct cs_error *cs_fit_model(
	struct cs_stream *stream, bool dry, struct cs_fit ret[CS_FITS]) CS_MUST_USE;

/* ---- history of a cell ---- */

enum { CS_HISTORY_UNKNOWN = 255 };

/*
 * Lists the states (enum cs_map_state) of a cell in the course of a run: `n` columns of `zoom`
 * frames each, from frame `first` on. A column has the highest state in its frames, or
 * CS_HISTORY_UNKNOWN for frames that have not run or are not in the event log any more. The time is
 * in proportion to the number of events since `first`.
 */
CS_API void cs_cell_history(const struct cs_stream *stream, struct cs_stream_cell cell,
	uint64_t first, uint64_t zoom, unsigned char *states, size_t n);

/* ==== stops of a run ==== */

/*
 * A debugger of a run: it runs frames until a stop halts the run, or goes back to a stop.
 *
 *	struct cs_debug *debug;
 *	cs_debug_new(stream, query, &debug);
 *	struct cs_stop stop = {.moment = CS_MOMENT_CELL_LOAD, .expression = "bytes > 1e6"};
 *	cs_debug_add(debug, &stop, variables, &id);
 *	cs_debug_run(debug, &(struct cs_run_request){.frames = 1000}, NULL, &halt);
 *
 * A breakpoint halts the run after a frame in which its event happened and its condition was true.
 * The condition is an expression over the row of the event in the table `event`. A watch halts the
 * run when the value of its expression has changed since the previous frame. A display never halts
 * the run; the program prints its expression at every halt. Without enabled stops nothing is
 * evaluated.
 *
 * Stream and query must outlive the debugger, and the query must show the stream (cs_query_show).
 */

struct cs_debug;
struct cs_query; /* cellscope/query.h */
struct cs_value; /* cellscope/query.h */

/* Variables of expressions and SQL statements; struct cs_parameter is in cellscope/query.h. */
struct cs_parameters {
	const struct cs_parameter *at;
	size_t n;
};

CS_API struct cs_error *cs_debug_new(
	struct cs_stream *stream, struct cs_query *query, struct cs_debug **ret) CS_MUST_USE;
CS_API void cs_debug_free(struct cs_debug *debug);

/* ---- breakpoints, watches and displays ---- */

enum cs_stop_kind { CS_STOP_BREAK, CS_STOP_WATCH, CS_STOP_DISPLAY };

struct cs_stop {
	uint32_t id; /* number of the stop, from 1; never used again */
	enum cs_stop_kind kind;
	enum cs_moment moment;  /* BREAK: kind of event at which the stop halts */
	const char *expression; /* BREAK: condition, or NULL; else what is watched or displayed */
	const char *commands;   /* commands that the program runs at a halt, or NULL */
	uint64_t ignore;        /* further hits that don't halt the run; each one reduces it by 1 */
	uint64_t hits;          /* number of hits so far, also of the ignored ones */
	bool enabled;
	bool once; /* whether the stop is deleted after it has halted the run */
};

/*
 * Adds an enabled stop with the kind, moment, once and copies of the expression and commands of
 * `stop`. E_SQL contains the byte offset in the expression; E_LIMIT: there are 1000 stops.
 * Variables in the expression keep the values that they have in `variables`.
 */
CS_API struct cs_error *cs_debug_add(struct cs_debug *debug, const struct cs_stop *stop,
	struct cs_parameters variables, uint32_t *id_ret) CS_MUST_USE;
/*
 * Returns the stop at an index in ascending order of ids, or NULL after the last one. It is valid
 * until stops are added, changed or deleted, or the run goes on.
 */
CS_API const struct cs_stop *cs_debug_stop_at(const struct cs_debug *debug, size_t index);
/*
 * Changes a stop: copy the struct that cs_debug_stop_at returned, change the members expression,
 * commands, ignore, enabled and once of the copy, and pass it as `stop`. If the pointer
 * `expression` was changed, the condition is compiled with `variables`. Returns E_MISSING for an
 * unknown id, and E_USAGE for a new condition of a stop that is not a breakpoint.
 */
CS_API struct cs_error *cs_debug_set(struct cs_debug *debug, const struct cs_stop *stop,
	struct cs_parameters variables) CS_MUST_USE;
/* Deletes a stop. Returns E_MISSING for an id that does not exist. */
CS_API struct cs_error *cs_debug_delete(struct cs_debug *debug, uint32_t id) CS_MUST_USE;

/*
 * Evaluates a watch or a display. A text in the value is valid until it is evaluated again. Returns
 * E_MISSING for an unknown id, and E_USAGE for a breakpoint.
 */
CS_API struct cs_error *cs_debug_value(
	struct cs_debug *debug, uint32_t id, struct cs_value *ret) CS_MUST_USE;

/* ---- running to a stop ---- */

/*
 * Returns the last frame before the current one with a change, or 0 when the event log has none. A
 * change is any event but the WAIT, BUDGET, EPOCH and PURGE ones (enum cs_event). If `turns`, only
 * rare events count: a layer that changed, a stall, a change of streaming performance, a failed
 * load, an HLOD hole, a world that was registered or removed, a full pool, lower quality of meshes.
 */
CS_API uint64_t cs_debug_frame_before(const struct cs_stream *stream, bool turns);

enum cs_halt_reason {
	CS_HALT_DONE,        /* all requested frames have run */
	CS_HALT_STOP,        /* a stop halted the run */
	CS_HALT_UNTIL,       /* the condition `until` is true */
	CS_HALT_CHANGE,      /* a change (to_change) or rare event (to_turn) has happened */
	CS_HALT_IDLE,        /* `idle` frames passed in which nothing happened */
	CS_HALT_BEGIN,       /* going back: no stop halts the run in the recorded history */
	CS_HALT_INTERRUPTED, /* the job interrupted the run */
};

struct cs_run_request {
	uint64_t frames; /* largest number of frames to run, or to go back */
	/*
	 * Goes back to the last frame at which a stop would have halted the run, or else to the
	 * first frame of the history. Only the field `frames` is used besides this. Going back
	 * ignores `ignore` and `once` of stops, and counts no hits. After an error, such as that of
	 * a condition, the stream is in the frame where it was before.
	 */
	bool back;
	bool to_change; /* halts after a frame with a change: an event, see cs_debug_frame_before */
	bool to_turn;   /* halts after a frame with a rare event, such as a failed load */
	/* halts after so many frames in a row without an event or a move of a source (0: never) */
	uint64_t idle;
	const char *until; /* SQL condition: halts when it is true; or NULL */
	struct cs_parameters variables;
};

enum { CS_HALT_TEXT = 64 };

struct cs_halt {
	enum cs_halt_reason reason;
	uint64_t frames; /* number of frames that were run, or gone back */
	/*
	 * For CS_HALT_STOP: the first stop that halted the run in this frame, with `kind` to
	 * `after` as they were then.
	 */
	uint32_t stop;
	enum cs_stop_kind kind;
	enum cs_moment moment;
	uint64_t hits;
	bool deleted;                 /* whether the stop was deleted, because of `once` */
	struct cs_stream_event event; /* BREAK: the event; none for CS_MOMENT_FRAME */
	char before[CS_HALT_TEXT];    /* WATCH: old and new value, shortened if they are long */
	char after[CS_HALT_TEXT];
	uint32_t others;      /* number of further stops that halted the run */
	const char *commands; /* commands of the stop, or NULL; valid until the next run */
};

/* Runs frames until a halt. An error, such as that of an expression, does not undo frames. */
CS_API struct cs_error *cs_debug_run(struct cs_debug *debug, const struct cs_run_request *request,
	const struct cs_job *job, struct cs_halt *ret) CS_MUST_USE;

/* ---- changes between two moments ---- */

/* The states of all cells of a run at one moment. */
struct cs_states;

struct cs_state_change {
	struct cs_stream_cell cell;
	enum cs_map_state from, to; /* CS_MAP_UNLOADED also if the cell doesn't exist */
	enum cs_reason reason;      /* why `to` is not the wanted state, or else why it is wanted */
	bool in_range;              /* whether a streaming source reaches the cell */
	/* if in_range, the spatial sort key (rule 2.3.5), where lower is sooner, else -1 */
	double spatial;
	uint64_t bytes; /* size in bytes by the load model */
};

/* Copies the current states of all cells into one block of memory, which the caller frees. */
CS_API struct cs_error *cs_states_take(
	const struct cs_stream *stream, struct cs_states **ret) CS_MUST_USE;
/*
 * Lists the cells whose state differs from `before`, ascending by world and cell. A change between
 * waiting and not waiting to be loaded is not listed. The caller frees the list.
 */
CS_API struct cs_error *cs_states_changes(const struct cs_stream *stream,
	const struct cs_states *before, struct cs_state_change **ret, size_t *n_ret) CS_MUST_USE;

CS_END_DECLS

#endif
