/* SPDX-License-Identifier: Apache-2.0 */
/* Inputs and results of a streaming run: paths, inputs, events, statistics, and going back. */
#ifndef CELLSCOPE_RUNS_H
#define CELLSCOPE_RUNS_H

#include <cellscope/stream.h>

CS_BEGIN_DECLS

/* ==== paths of streaming sources ==== */

/* Paths of streaming sources: positions at given times, or those of a recorded run of the game. */

struct cs_path;
struct cs_stream;

struct cs_path_key {
	double time; /* seconds since the start of the path */
	struct cs_vec3 position;
	struct cs_rotator rotation;
	struct cs_vec3 velocity; /* cm/s */
};

CS_API struct cs_error *cs_path_new(struct cs_path **ret) CS_MUST_USE;
CS_API void cs_path_free(struct cs_path *path);
/* Adds a key. Keys must be added in ascending order of time. */
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
 * the time of the key. A stream that follows it uses one key for each frame, and makes the frame as
 * long as the recorded one instead of sim.FrameTime.
 */
struct cs_path_view {
	const struct cs_path_key *keys;
	const struct cs_path_frame *frames; /* NULL if the path was not recorded frame by frame */
	size_t n;
	bool has_velocity;   /* whether keys have velocities; else they are computed */
	uint64_t run_frames; /* frames of a run along the path; 0 for none or above 4,000,000 */
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
 * [{"time", "position", "rotation", "velocity"}]}. Any other extension is CSV with the columns
 * time,x,y,z[,pitch,yaw,roll[,vx,vy,vz]] and an optional header line.
 */
CS_API struct cs_error *cs_path_read(const char *file, struct cs_path **ret) CS_MUST_USE;
CS_API struct cs_error *cs_path_write(const struct cs_path *path, const char *file) CS_MUST_USE;
/*
 * Starts a recording: each further frame adds a key with the position of the source to the path;
 * the first has time 0. The caller owns the path, which must outlive the recording. A `path` of
 * NULL ends the recording. Going back in the run removes the keys of later frames.
 */
CS_API struct cs_error *cs_stream_record_path(
	struct cs_stream *stream, const char *source, struct cs_path *path) CS_MUST_USE;

/* ---- events and statistics of frames ---- */

enum cs_event {
	CS_EVENT_SET,         /* cell; from, to: enum cs_layer_state that the policy requests */
	CS_EVENT_LEVEL,       /* cell; from, to: enum cs_level_state */
	CS_EVENT_LAYER,       /* detail: row of layers; from, to: effective states */
	CS_EVENT_HLOD,        /* cell; detail: row of hlods; from, to: enum cs_hlod_state */
	CS_EVENT_BUDGET,      /* the frame's budget is used up; detail: number of waiting cells */
	CS_EVENT_PERFORMANCE, /* from, to: enum cs_performance */
	CS_EVENT_BLOCK,       /* a blocking wait at the end of the frame; cell: the most critical */
	CS_EVENT_HOLD,      /* cell: the server begins (to 1) or ends (to 0) waiting for clients */
	CS_EVENT_EPOCH,     /* detail: server epoch that was published */
	CS_EVENT_WORLD,     /* the world was registered (to 1) or unregistered (to 0) */
	CS_EVENT_PURGE,     /* detail: number of levels whose memory was freed */
	CS_EVENT_WAIT,      /* cell: begins to wait to be loaded; to: wanted state */
	CS_EVENT_COMPANION, /* to: enum cs_companion_event; detail: value from the companion */
	CS_EVENT_LATE, /* cell: shown in a recorded run; detail: ms since the request; not logged */
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
	uint32_t world, cell;
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

/* Kinds of events as users list them and set breakpoints on them. */
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
	uint64_t ns[CS_WORKS];
	uint64_t game_ns;       /* time of the game itself, counted only with sim.FrameCost */
	uint64_t grown_ns;      /* time by which streaming made the frame longer */
	uint64_t show_each_ns;  /* time to show one actor, from sim.ShowPerActor */
	uint64_t show_limit_ns; /* time limit for showing levels in a frame; UINT64_MAX: none */
	/* cell with the dearest (most expensive) work, or CS_STREAM_NO_CELL */
	struct cs_stream_cell dearest;
	uint64_t dearest_ns;
	uint64_t dearest_each_ns;  /* ns of the dearest work for one actor, level or world */
	uint64_t dearest_limit_ns; /* time limit of the dearest work; UINT64_MAX: none */
	uint8_t dearest_work;      /* enum cs_frame_work */
};

struct cs_stream_frame {
	uint64_t frame, time_ns;
	uint64_t stall_ns; /* duration of the blocking wait at the end of the frame */
	uint64_t work_ns;  /* time for showing and hiding levels, without stall_ns */
	uint64_t cells_visible, cells_loaded, actors, bytes; /* totals at the end of the frame */
	/* number of levels whose load began, ended or failed; number of unloaded levels */
	uint32_t loads, loaded, failed, unloads;
	uint32_t shows, hides;
	uint32_t waiting;            /* number of cells that wait because the budget was used up */
	uint32_t budget;             /* number of cells that may begin to load; UINT32_MAX: any */
	uint32_t loading;            /* number of levels loading at the end of the frame */
	uint32_t thrash;             /* number of levels unloaded soon after loading */
	uint32_t evaluated, skipped; /* number of world partitions evaluated, and skipped */
	uint32_t hits;               /* number of cells that a source reaches */
	uint32_t critical;           /* number of cells of performance Critical */
	uint8_t performance, display_performance;
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

struct cs_stream_stall {
	uint64_t frame;
	uint64_t length_ns;
	bool by_performance; /* true: slow streaming caused the wait; false: an input caused it */
	uint32_t n_cells;    /* number of Critical cells; `cells` contains the first of them */
	struct cs_stream_cell cells[CS_STALL_CELLS];
	double ratios[CS_STALL_CELLS];
	char source[CS_SOURCE_NAME]; /* streaming source that reached cells[0] */
	uint32_t loads;              /* number of levels loaded during the wait */
};

enum { CS_REPORT_LOADS = 17 };

/* Sums over all frames since cs_stream_report_reset; cellscope/compare.h lists what they mean. */
struct cs_stream_report {
	uint64_t first_frame, frames;
	uint64_t loads, unloads, failures, thrash, stall_ns;
	uint64_t short_frames; /* frames in which the budget did not reach all cells */
	uint64_t slow_frames, critical_frames, stalls;
	uint64_t skipped_frames; /* frames in which no world partition had to be evaluated */
	uint64_t peak_cells, peak_actors, peak_bytes, peak_waiting, peak_loading;
	uint64_t peak_frame; /* number of the frame with peak_bytes */
	/* number of frames by number of loads; the last item also counts frames with more */
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
 * replaying the recorded inputs up to and including those of the frame. The next step continues
 * with the recorded inputs; a new input removes later recorded ones. Returns E_NOFRAME for a frame
 * that was not run.
 */
CS_API struct cs_error *cs_stream_goto(struct cs_stream *stream, uint64_t frame) CS_MUST_USE;
/*
 * Goes to any frame: replays frames that were run before, and then runs new ones. The job receives
 * the progress and may interrupt the run between frames: then the function returns E_INTERRUPTED,
 * and the run stays at the frame it reached.
 */
CS_API struct cs_error *cs_stream_run(
	struct cs_stream *stream, uint64_t frame, const struct cs_job *job) CS_MUST_USE;
/* Stores a checkpoint, which is kept when older history is deleted. Ids begin at 1 and ascend. */
CS_API struct cs_error *cs_stream_checkpoint(struct cs_stream *stream, uint32_t *ret) CS_MUST_USE;
/* Goes to a checkpoint. Returns E_NOFRAME for an unknown id. */
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
	CS_INPUT_VARIABLE, /* sets a variable, or returns E_SETTING with its range or E_UNKNOWN */
	CS_INPUT_HLOD,     /* switches wp.Runtime.HLOD on or off */
	CS_INPUT_RANGE,    /* loading range of a partition in cm; < 0: the cooked one */
	CS_INPUT_BLOCK,    /* the next frame ends in a blocking wait and skips no cell */
	CS_INPUT_LAYER,    /* sets a data layer, like cs_stream_layer_set without `ret` */
	CS_INPUT_REGISTER, /* registers a world; off: unregisters it and unloads its cells */
	/*
	 * adds a client, whose view the server respects (rule 2.7): it shows what its source
	 * reaches, for sim.ClientLag longer; without a source only HOLD counts
	 */
	CS_INPUT_CLIENT,
	CS_INPUT_CLIENT_REMOVE, /* removes a client; E_SETTING if there is no such client */
	CS_INPUT_HOLD,          /* a client shows a cell, wherever the cell is */
	CS_INPUT_FAULT,         /* sets a fault for later loads of a cell */
	CS_INPUT_COMPANION,     /* command line for the companion; E_USAGE without a companion */
	CS_INPUTS
};

/* An input of a run. Only the members of its kind are used. Names are compared ignoring case. */
struct cs_stream_input {
	uint64_t frame; /* in a record: frame after which the input took effect */
	enum cs_input kind;
	const struct cs_stream_source *source; /* SOURCE: the new source */
	const char *name; /* name of the source (MOVE, REMOVE, FOLLOW) or of the client */
	const char *text; /* VARIABLE: value; CLIENT: name of the source; COMPANION: command */
	struct cs_vec3 location;    /* MOVE: new location of the source */
	struct cs_rotator rotation; /* MOVE: new rotation of the source */
	const struct cs_path *path; /* FOLLOW: the path, or NULL */
	size_t variable;            /* VARIABLE: index of the variable */
	double number;              /* RANGE: range in cm; FAULT: factor */
	struct cs_stream_cell cell; /* HOLD, FAULT: the cell */
	uint32_t world;             /* LAYER, RANGE, REGISTER: index of the world */
	uint32_t row; /* LAYER, RANGE: row of layers, of partitions; FAULT: enum cs_fault */
	enum cs_layer_state state; /* LAYER: new state */
	/* HLOD, REGISTER, HOLD: switch on; FOLLOW: loop; LAYER: with children; VARIABLE: reset */
	bool on;
	bool replicated; /* LAYER: whether the state is replicated */
};

/* Applies an input at once and records it. An input that returns an error has no effect. */
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
	CS_HITCH_BUDGET,  /* the cell waited to be loaded longer than loading took */
	CS_HITCH_ACTORS,  /* showing the cell took more than a frame */
	CS_HITCH_LOADING, /* the cell took long to load */
	CS_HITCH_WAITS,   /* the cell still waits to be loaded or shown */
	CS_HITCH_NONE,
	CS_HITCH_CAUSES
};

enum { CS_HITCH_ADVICE = 96 }; /* size in bytes of a text of advice, with the NUL */

struct cs_hitch_cell {
	struct cs_stream_cell cell;
	uint64_t wanted, load, loaded, shown; /* frame numbers, or CS_NO_FRAME */
	uint64_t wait;                        /* frames from `wanted` to `load`, or until now */
	uint64_t loading;                     /* frames from `load` to `loaded`, or until now */
	/* show_ms: with the settings when the cell was shown; NAN: unknown */
	double show_ms, stall_ms;
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
	char reason[2 * CS_HITCH_ADVICE]; /* why the frame was long, with the limit; or "" */
};

/* Lists the frames `first` to `last` with a cost, dearest first. The caller frees the rows. */
CS_API struct cs_error *cs_hitch_frames(const struct cs_stream *stream, uint64_t first,
	uint64_t last, struct cs_hitch_frame **rows_ret, size_t *n_ret) CS_MUST_USE;
/* Lists the cells loading in frames `first` to `last`, dearest first. The caller frees the rows. */
CS_API struct cs_error *cs_hitch_cells(const struct cs_stream *stream, uint64_t first,
	uint64_t last, struct cs_hitch_cell **rows_ret, size_t *n_ret) CS_MUST_USE;

/* ==== fitting the load model ==== */

/*
 * Fits the load model to measurements. If a source follows a recorded run, each frame has both the
 * result of the simulation and the values that the engine's profiler measured (cs_path_frames).
 *
 * A cost is fitted as the sum of measured ms divided by the sum of simulated units of work, so that
 * it does not matter in which of two frames work was done. The goodness of a fit compares the
 * measured and simulated values frame by frame.
 */

enum cs_fit_kind {
	/* sim.ShowPerActor: ms of updating levels / actors shown, where a hidden actor counts as
	   sim.HidePerActor / sim.ShowPerActor actors */
	CS_FIT_SHOW,
	CS_FIT_HIDE,    /* sim.HidePerActor; its ratio to sim.ShowPerActor is not changed */
	CS_FIT_CREATE,  /* sim.LoadPerActor: ms of loading on the game thread / actors loaded */
	CS_FIT_UPDATE,  /* sim.WorldUpdateCost: ms of streaming updates / worlds evaluated */
	CS_FIT_LATENCY, /* sim.Latency: mean ms of a load, from the length of the read queue */
	CS_FITS
};

struct cs_fit {
	const char *variable;
	bool fitted;                /* false if nothing was measured or nothing simulated */
	double before, after;       /* value of the variable; both equal if it was not fitted */
	double measured, simulated; /* sums in ms, or means for LATENCY; simulated with `before` */
	/* 1 - residual / variance, with `after`; 1: exact, 0: no better than a constant, below 0:
	   worse; NAN: the measured value never changes */
	double goodness;
	uint64_t frames; /* number of frames that were compared */
};

/*
 * Fits the model to the frames that are kept. The mean duration of a load is the number of packages
 * in the queue summed over time, divided by the number of loads begun (Little's law); a level
 * counts as one package. Unless `dry`, the fitted variables are set within their limits as an
 * input, from the next frame on. Returns E_NOFRAME when no frame follows a recorded run.
 */
CS_API struct cs_error *cs_fit_model(
	struct cs_stream *stream, bool dry, struct cs_fit ret[CS_FITS]) CS_MUST_USE;

/* ==== maps of cells ==== */

/*
 * Draws a map: one level of a grid from above, divided into places. A place has zoom x zoom cells.
 *
 *	struct cs_map map;
 *	cs_map_draw(&(struct cs_map_request){.world = cooked, .grid = 0}, &map);
 *	for (size_t i = 0; i < map.columns * map.rows; i++)
 *		if (map.places[i].cells)
 *			show(map.keys[map.places[i].key].letter);
 *	cs_map_deinit(&map);
 *
 * A map shows one overlay. The keys of an overlay are the values that a place can have, each with a
 * letter of its own. If the cells of a place have several keys, the place shows the last of them.
 * The program chooses glyphs and colours for keys.
 */

enum cs_map_overlay {
	CS_MAP_STATE,    /* streaming state; keys are enum cs_map_state */
	CS_MAP_ACTORS,   /* number of actors in the fullest cell of a place, in powers of two */
	CS_MAP_BYTES,    /* bytes of all cells of a place by the load model, in powers of four */
	CS_MAP_LAYERS,   /* data layer of the cells; each layer in the picture has a letter */
	CS_MAP_HLOD,     /* state of the HLOD actors that replace the cell or are in it */
	CS_MAP_PRIORITY, /* position in the load order of the last frame, 1 is the next */
	CS_MAP_WHY_NOT,  /* rule that prevents the cell from being loaded */
	CS_MAP_OVERLAYS,
	CS_MAP_GIVEN = CS_MAP_OVERLAYS /* keys that the caller assigns to cells; has no name */
};

enum { CS_MAP_KEYS = 64, CS_MAP_MOST = 1000 };

struct cs_map_key {
	char letter;
	const char *words; /* may be a name from a file: escape it for a terminal */
	size_t cells;      /* number of cells in the picture that have this key */
};

/* All keys of an overlay with their letters and meanings. */
struct cs_map_legend {
	struct cs_map_key keys[CS_MAP_KEYS]; /* `words` is NULL if it depends on the picture */
	size_t n_keys;
	bool needs_run; /* whether the overlay is empty without a run */
};

CS_API void cs_map_legend(enum cs_map_overlay overlay, struct cs_map_legend *ret);

#define CS_MAP_MARK_SOURCE  1u /* a streaming source is in the place, which may have no cell */
#define CS_MAP_MARK_CHANGED 2u /* a cell of the place changed its state in the last frame */
#define CS_MAP_MARK_SEVERAL 4u /* cells have equal coordinates but different data layers */

struct cs_map_place {
	uint32_t cells;   /* number of cells drawn at the place; 0: the place is empty */
	uint32_t first;   /* lowest row number of the cells at the place, or CS_NONE */
	uint32_t actors;  /* number of actors in the fullest cell of the place */
	uint32_t changes; /* number of cells that changed in the last frame */
	uint64_t bytes;   /* bytes of the place's cells by the load model; 0 without a run */
	uint8_t state;    /* enum cs_map_state: highest state of a cell at the place */
	uint8_t key;      /* index in the keys of the overlay */
	uint8_t marks;    /* CS_MAP_MARK_ bits */
};

/*
 * An index of the cells of a level by coordinates. With it the time to draw a window is in
 * proportion to the visible cells, without it to all cells of the level. The first picture of the
 * states of a run with a zoom of 3 or more stores sums in the index for later pictures, so only one
 * thread at a time may use it. The world must outlive it. Returns E_NOGRID or E_NOMEM on failure.
 */
struct cs_map_index;
CS_API struct cs_error *cs_map_index_new(const struct cs_cooked *world, uint32_t grid,
	int32_t level, struct cs_map_index **ret) CS_MUST_USE;
CS_API void cs_map_index_free(struct cs_map_index *index);

struct cs_map_request {
	const struct cs_cooked *world;
	const struct cs_stream *stream; /* the run, or NULL */
	uint32_t index;                 /* index of the world in the run */
	uint32_t grid;
	int32_t level;
	enum cs_map_overlay overlay;
	uint64_t zoom;          /* a place has zoom x zoom cells; 0: the least zoom that fits */
	uint64_t columns, rows; /* largest number of columns and rows of places; 0: CS_MAP_MOST */
	bool window;            /* true: begin at x0, y0 with all columns and rows */
	int64_t x0, y0;
	bool sources; /* whether streaming sources are marked */
	/*
	 * Draws the cells of `level` and of all higher levels, in the coordinates of `level`. A
	 * cell covers the places that its box covers.
	 */
	bool all_levels;
	/* index of the cells of `level`, or NULL; an index of another level is ignored */
	const struct cs_map_index *sorted;
	/*
	 * CS_MAP_GIVEN: for each cell the number of its key, or 0 for none. Keys are numbered 1 to
	 * n_given_keys, at most CS_MAP_KEYS - 1.
	 */
	const unsigned char *given;
	const struct cs_map_key *given_keys;
	size_t n_given_keys;
	/* Returns whether to draw a cell. NULL draws all cells that have a box. */
	bool (*shows)(const void *context, uint32_t cell);
	const void *context;
};

struct cs_map {
	int64_t x0, y0; /* coordinates of the first cell that places[0] shows */
	uint64_t zoom;
	size_t columns, rows;
	struct cs_map_place *places; /* columns x rows places, row by row */
	struct cs_map_key keys[CS_MAP_KEYS];
	size_t n_keys;
	size_t cells;
	struct cs_stream_range range; /* loading range of the grid in the run */
	unsigned marks;               /* CS_MAP_MARK_ bits that at least one place has */
	double cell_side;             /* side of a cell of the level, as in the cooked world, cm */
	/*
	 * World position of the corner of cell 0,0 and side of a cell, computed from a drawn cell,
	 * in cm. `side` is 0 if it is not known.
	 */
	double origin_x, origin_y, side;
	/*
	 * For cs_map_redraw: the drawn state of each cell of the grid, or NULL; and counters of the
	 * run when the map was drawn.
	 */
	unsigned char *states;
	uint64_t events, frame, rewinds;
	struct cs_stream_load_sizes sizes;
};

/* Draws a map. Returns E_NOGRID, E_NOMEM, or E_NOCELL if no cell is drawn and `window` is false. */
CS_API struct cs_error *cs_map_draw(
	const struct cs_map_request *request, struct cs_map *ret) CS_MUST_USE;
/*
 * Draws a map again after further frames. `request` must be the same, except for x0 and y0. If the
 * map shows states in a window with `sorted`, the time is in proportion to the events since the
 * last drawing. Any other map, and one whose window moved, is drawn completely.
 */
CS_API struct cs_error *cs_map_redraw(
	const struct cs_map_request *request, struct cs_map *map) CS_MUST_USE;
CS_API void cs_map_deinit(struct cs_map *map);
/* Stores at most `room` rows of the cells at a place, ascending. Returns the number of all. */
CS_API size_t cs_map_cells_at(const struct cs_map_request *request, const struct cs_map *map,
	size_t place, uint32_t *cells, size_t room);
/* Returns the first place where a cell is drawn, or SIZE_MAX if it is not drawn in the map. */
CS_API size_t cs_map_place_of(
	const struct cs_map_request *request, const struct cs_map *map, uint32_t cell);
/*
 * Counts actors at a finer resolution than one cell, in a picture whose zoom is 1. Each place is
 * divided into `across` x `down` parts. A part counts the actors of drawn cells whose bounds have
 * their centre in the part, even if the cell is drawn at another place. `counts` contains the
 * counts row by row over the whole picture, `columns` * `across` numbers in each row. The time is
 * in proportion to the cells and actors of the picture, or without `sorted` to all cells of the
 * grid. Returns E_USAGE for another zoom, or E_NOMEM.
 */
CS_API struct cs_error *cs_map_inside(const struct cs_map_request *request,
	const struct cs_map *map, unsigned across, unsigned down, uint32_t *counts) CS_MUST_USE;
/* Returns the index of the first partition that streams and has cells; 0 when there is none. */
static inline uint32_t cs_map_default_grid(const struct cs_cooked *world)
{
	for (uint32_t i = 0; i < world->n_partitions; i++)
		if (world->partitions[i].cells.count > 0 &&
			world->partitions[i].flags & CS_PARTITION_SPATIAL)
			return i;
	return 0;
}

/* Returns the number of places in a row up to the last one that is not empty. */
static inline size_t cs_map_used(const struct cs_map *map, size_t row)
{
	size_t n = map->columns;
	const struct cs_map_place *places = map->places + row * map->columns;
	while (n > 0 && places[n - 1].cells == 0 && places[n - 1].marks == 0)
		n--;
	return n;
}

/* ---- a map by the engine's console variables ---- */

/* Filter of wp.Runtime.DebugFilter...: comma-separated words, ignoring case; NULL: no filter. */
struct cs_map_filter {
	const char *layers; /* labels of layers, one of which the cell must have; None: no layer */
	const char *grids;  /* names; the cell must be in one of the grids */
	/* numbers of enum cs_stream_state, one of which the cell must have; 0 without a run */
	const char *statuses;
	const char *names; /* words that the name of the cell must all contain */
};

CS_API bool cs_map_filter_shows(
	const struct cs_map_filter *filter, const struct cs_map_request *request, uint32_t cell);
/*
 * If the grid of the request is CS_NONE or its level INT32_MIN, chooses it: the one that the filter
 * and the variables wp.Runtime.Show... of the run select, otherwise the first grid with cells that
 * pass the filter, and its default level.
 */
CS_API void cs_map_console_choose(
	struct cs_map_request *request, const struct cs_map_filter *filter);
/* Returns the lowest level at which the partition has a cell with a box, or 0. */
static inline int32_t cs_map_default_level(const struct cs_cooked *world, uint32_t grid)
{
	struct cs_map_request request;
	memset(&request, 0, sizeof(request));
	request.world = world;
	request.grid = grid;
	request.level = INT32_MIN;
	cs_map_console_choose(&request, NULL);
	return request.level;
}

/* Other settings of a map, from variables of the run, or their initial values without a run. */
struct cs_map_console {
	enum cs_map_overlay overlay;
	uint32_t partition; /* wp.Runtime.DrawWorldPartitionIndex; CS_NONE if there is none */
	double scale; /* wp.Runtime.DrawRuntimeHash2DScaleFactor: multiplies the size of places */
};

CS_API struct cs_map_console cs_map_console(const struct cs_stream *stream);

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

CS_END_DECLS

#endif
