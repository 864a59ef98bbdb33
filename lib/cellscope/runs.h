/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inputs and the results of a streaming run: paths, inputs, events, statistics of each frame,
 * and going back to an earlier frame.
 */
#ifndef CELLSCOPE_RUNS_H
#define CELLSCOPE_RUNS_H

#include <cellscope/stream.h>

CS_BEGIN_DECLS

/* ==== paths ==== */

/* Paths that sources follow: keys in time, or a run that the engine recorded frame by frame. */

struct cs_path;
struct cs_stream;

struct cs_path_key {
	double time; /* seconds from the start of the path */
	struct cs_vec3 position;
	struct cs_rotator rotation;
	struct cs_vec3 velocity; /* cm/s */
};

CS_API struct cs_error *cs_path_new(struct cs_path **ret) CS_MUST_USE;
CS_API void cs_path_free(struct cs_path *path);
/* Adds a key. Keys come in ascending time. */
CS_API struct cs_error *cs_path_add(
	struct cs_path *path, const struct cs_path_key *key) CS_MUST_USE;

/* The values of a frame that the engine's CSV profiler measures and that concern streaming. */
enum cs_recorded {
	CS_RECORDED_FRAME_TIME,      /* ms of the whole frame */
	CS_RECORDED_GAME_THREAD,     /* ms of the game thread */
	CS_RECORDED_CONSIDERED,      /* streaming levels to consider */
	CS_RECORDED_PENDING_PURGE,   /* levels that are unloaded, but still in memory */
	CS_RECORDED_STREAMING,       /* ms of updating the streaming state */
	CS_RECORDED_LEVEL_STREAMING, /* ms of updating levels: showing and hiding */
	CS_RECORDED_ASYNC_LOADING,   /* ms of loading on the game thread */
	CS_RECORDED_QUEUED,          /* packages in the queue of file reads */
	CS_RECORDED_COUNT
};

/* A frame of a recorded run. */
struct cs_path_frame {
	uint64_t length_ns;
	double values[CS_RECORDED_COUNT]; /* NAN when the record has no such column */
	const char *events;               /* events of the frame, separated by ';'; NULL for none */
	size_t line;                      /* line of the file that it was read from, 0 for none */
};

/*
 * A path. A path recorded frame by frame has a frame for each key, and the key's time is the end of
 * the frame: a stream that follows the path uses a row in each frame and gives the frame that
 * length, instead of sim.FrameTime.
 */
struct cs_path_view {
	const struct cs_path_key *keys;
	const struct cs_path_frame *frames; /* NULL for other paths */
	size_t n;
	bool has_velocity; /* keys have velocities, which replace computed ones */
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
 * Reads a path. A CSV profile of the engine (first cell EVENTS) is recognised by its content,
 * packed as .csv.gz or not. It gives a path that was recorded frame by frame, with View/PosX.. as
 * positions, and View/ForwardX.. and View/UpX.. as directions. Its header may be at its end, and
 * missing cells of short rows are 0. The command line in it is skipped. Returns E_TRUNCATED for a
 * truncated one, E_MISSING without the columns of time and position, E_FEATURE for .csv.bin.
 *
 * Other files are read by extension: .json contains {"schema": "cellscope.path/1", "keys":
 * [{"time", "position", "rotation", "velocity"}]}. Any other extension is CSV with the columns
 * time,x,y,z[,pitch,yaw,roll[,vx,vy,vz]] and an optional header line.
 */
CS_API struct cs_error *cs_path_read(const char *file, struct cs_path **ret) CS_MUST_USE;
CS_API struct cs_error *cs_path_write(const struct cs_path *path, const char *file) CS_MUST_USE;
/*
 * Makes every frame add a key with the position of the source, starting at time 0. The caller owns
 * the path, which outlives the recording. NULL ends it. Going back drops later keys.
 */
CS_API struct cs_error *cs_stream_record_path(
	struct cs_stream *stream, const char *source, struct cs_path *path) CS_MUST_USE;

/* ---- events and statistics ---- */

enum cs_event {
	CS_EVENT_SET,         /* cell: from, to are enum cs_layer_state of the policy's sets */
	CS_EVENT_LEVEL,       /* cell: from, to are enum cs_level_state */
	CS_EVENT_LAYER,       /* detail: layer; from, to are effective states */
	CS_EVENT_HLOD,        /* cell: home; detail: hlod; from, to are enum cs_hlod_state */
	CS_EVENT_BUDGET,      /* the budget of a frame is spent; detail: cells that wait */
	CS_EVENT_PERFORMANCE, /* from, to are enum cs_performance */
	CS_EVENT_BLOCK,       /* the frame ends in a blocking wait; cell: the worst */
	CS_EVENT_HOLD,      /* cell: the server begins (to 1) or stops (to 0) waiting for clients */
	CS_EVENT_EPOCH,     /* detail: the server epoch that was published */
	CS_EVENT_WORLD,     /* registered (to 1) or torn down (to 0) */
	CS_EVENT_PURGE,     /* detail: levels whose memory was freed */
	CS_EVENT_WAIT,      /* cell: it begins to wait for its turn to load; to: its wanted state */
	CS_EVENT_COMPANION, /* to: enum cs_companion_event; detail: from the companion */
	CS_EVENT_LATE,      /* cell: visible in a real run; detail: ms since it was asked for;
			       never in the log */
	CS_EVENTS
};

/* Events of the pages of meshes. */
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

/* Returns the number of events so far, of which the log keeps the last ones. */
static inline uint64_t cs_stream_event_count(const struct cs_stream *stream)
{
	return cs_stream_counts(stream).events;
}

/* The events that users list and stop at. */
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
	CS_MOMENT_PAGE_REQUEST, /* in the order of enum cs_companion_event */
	CS_MOMENT_PAGE_INSTALL,
	CS_MOMENT_PAGE_EVICT,
	CS_MOMENT_POOL_FULL,
	CS_MOMENT_QUALITY_DROP,
	CS_MOMENTS
};

/* Returns the words of `from` and `to`, NULL for events that have none. */
CS_API void cs_event_words(
	const struct cs_stream_event *event, const char **from_ret, const char **to_ret);

/* Work of the game thread for streaming. */
enum cs_frame_work {
	CS_WORK_SHOW,   /* registering actors and their begin of play */
	CS_WORK_HIDE,   /* unregistering actors */
	CS_WORK_LOAD,   /* creating actors while their level loads */
	CS_WORK_PURGE,  /* freeing unloaded levels */
	CS_WORK_UPDATE, /* deciding which cells are wanted */
	CS_WORKS
};

/* The cost of a frame with sim.FrameCost. Otherwise only showing and hiding are counted. */
struct cs_frame_cost {
	uint64_t ns[CS_WORKS];
	uint64_t game_ns;       /* time of the game itself, which only counts with sim.FrameCost */
	uint64_t grown_ns;      /* time by which streaming lengthened the frame */
	uint64_t show_each_ns;  /* time for showing one actor of the level, by sim.ShowPerActor */
	uint64_t show_limit_ns; /* the time limit of showing; UINT64_MAX for none */
	/* cell of the most expensive piece of work, or CS_STREAM_NO_CELL */
	struct cs_stream_cell dearest;
	uint64_t dearest_ns;
	uint64_t dearest_each_ns;  /* ns of that work for one actor, level or world */
	uint64_t dearest_limit_ns; /* limit of that work in ns; UINT64_MAX: none */
	uint8_t dearest_work;      /* enum cs_frame_work */
};

struct cs_stream_frame {
	uint64_t frame, time_ns;
	uint64_t stall_ns; /* ns of the blocking wait that ended the frame */
	uint64_t work_ns;  /* ns of visibility work before the wait */
	uint64_t cells_visible, cells_loaded, actors, bytes; /* at the end of the frame */
	uint32_t loads, loaded, failed, unloads;             /* levels: started, finished, ... */
	uint32_t shows, hides;
	uint32_t waiting;            /* cells that the budget did not reach */
	uint32_t budget;             /* at the start of the frame, UINT32_MAX for unlimited */
	uint32_t loading;            /* at the end of the frame */
	uint32_t thrash;             /* levels unloaded soon after they were loaded */
	uint32_t evaluated, skipped; /* numbers of worlds */
	uint32_t hits;               /* cells in the frame sets */
	uint32_t critical;           /* cells judged Critical */
	uint8_t performance, display_performance;
	bool blocked;       /* whether the frame ended in a blocking wait, even of 0 ns */
	uint64_t length_ns; /* length of the frame, without the wait */
	/* The recorded frame that a source follows, or NULL. It lives as long as the stream. */
	const struct cs_path_frame *recorded;
	struct cs_frame_cost cost;
};

/* Returns the record of a frame, or NULL when it is not kept. */
CS_API const struct cs_stream_frame *cs_stream_frame(
	const struct cs_stream *stream, uint64_t frame);

enum { CS_STALL_CELLS = 8 };

struct cs_stream_stall {
	uint64_t frame;
	uint64_t length_ns;
	bool by_performance; /* false: an input asked for the wait */
	uint32_t n_cells;    /* Critical cells, of which the nearest few are named */
	struct cs_stream_cell cells[CS_STALL_CELLS];
	double ratios[CS_STALL_CELLS];
	char source[CS_SOURCE_NAME]; /* source of the first cell */
	uint32_t loads;              /* levels that were loaded in the wait */
};

enum { CS_REPORT_LOADS = 17 };

/* Sums since cs_stream_report_reset, for a path report. */
struct cs_stream_report {
	uint64_t first_frame, frames;
	uint64_t loads, unloads, failures, thrash, stall_ns;
	uint64_t short_frames; /* number of frames in which the budget did not reach all cells */
	uint64_t slow_frames, critical_frames, stalls;
	uint64_t skipped_frames; /* number of frames in which no world had to be evaluated */
	uint64_t peak_cells, peak_actors, peak_bytes, peak_waiting;
	uint64_t peak_frame; /* frame of peak_bytes */
	/* item i: number of frames with i loads; the last item also counts frames with more */
	uint64_t frames_by_loads[CS_REPORT_LOADS];
};

CS_API struct cs_stream_report cs_stream_report(const struct cs_stream *stream);
CS_API void cs_stream_report_reset(struct cs_stream *stream);
/* The bytes that variables add to cells. While both are equal, so are the bytes of all cells. */
struct cs_stream_load_sizes {
	uint64_t cell, actor;
};
/* Appends an event to the log. The companion calls it in its frame or input. */
CS_API void cs_stream_tell(
	struct cs_stream *stream, enum cs_companion_event event, uint32_t detail);

/* ---- the timeline ---- */

/* Returns XXH3-64 over the whole state. Equal states have equal hashes. */
CS_API struct cs_error *cs_stream_hash(struct cs_stream *stream, uint64_t *ret) CS_MUST_USE;
/*
 * Goes back, or forward over frames that were run before: it restores the nearest snapshot and
 * replays the recorded inputs. The frame's own inputs have taken effect, and the next step
 * continues with the recorded ones. A new input drops later recorded ones. Returns E_NOFRAME for an
 * unknown frame.
 */
CS_API struct cs_error *cs_stream_goto(struct cs_stream *stream, uint64_t frame) CS_MUST_USE;
/*
 * Goes to any frame: it replays the frames that were run before, and then runs further ones. The
 * job receives the progress and may interrupt it between frames. Then it returns E_INTERRUPTED, and
 * the run stays at the frame it reached.
 */
CS_API struct cs_error *cs_stream_run(
	struct cs_stream *stream, uint64_t frame, const struct cs_job *job) CS_MUST_USE;
/* Makes a checkpoint, which stays reachable when the history is shortened. Ids ascend from 1. */
CS_API struct cs_error *cs_stream_checkpoint(struct cs_stream *stream, uint32_t *ret) CS_MUST_USE;
/* Goes to a checkpoint. Returns E_NOFRAME for an unknown id. */
CS_API struct cs_error *cs_stream_restart(struct cs_stream *stream, uint32_t id) CS_MUST_USE;
/* Returns ids and frames of checkpoints by index, and false behind the last. */
CS_API bool cs_stream_checkpoint_at(
	const struct cs_stream *stream, size_t index, uint32_t *id_ret, uint64_t *frame_ret);

/* ==== inputs ==== */

/* A change of a run between two frames, and the record of it. */
enum cs_input {
	CS_INPUT_SOURCE, /* a source is added or replaced; E_SETTING for values out of range */
	CS_INPUT_MOVE,   /* E_NOSOURCE for an unknown source, as for the next two */
	CS_INPUT_REMOVE,
	CS_INPUT_FOLLOW, /* the source follows a copy of the path, or none when there is no path */
	CS_INPUT_VARIABLE, /* E_SETTING contains the range; E_UNKNOWN for an unknown variable */
	CS_INPUT_HLOD,     /* the switch wp.Runtime.HLOD */
	CS_INPUT_RANGE,    /* the loading range of a partition; < 0 restores the cooked one */
	CS_INPUT_BLOCK,    /* the next frame ends in a blocking wait, and no cell is skipped */
	CS_INPUT_LAYER,    /* cs_stream_layer_set, without its answer */
	CS_INPUT_REGISTER, /* a world partition; when off, all its cells are unloaded */
	CS_INPUT_CLIENT, /* a client whose view the server respects (2.7): it shows what its source
			    reaches, for sim.ClientLag longer; without a source only HOLD counts */
	CS_INPUT_CLIENT_REMOVE, /* E_SETTING when there is no client of that name */
	CS_INPUT_HOLD,          /* a client sees a cell, wherever it is */
	CS_INPUT_FAULT,         /* a fault of loads that start from now on */
	CS_INPUT_COMPANION,     /* E_USAGE without a companion, and the companion's errors */
	CS_INPUTS
};

/* An input, with the fields that its kind uses. Names are compared without case. */
struct cs_stream_input {
	uint64_t frame; /* in a record: the frame after which the input took effect */
	enum cs_input kind;
	const struct cs_stream_source *source; /* SOURCE: the new source */
	const char *name; /* MOVE, REMOVE, FOLLOW: source; CLIENT, HOLD: client */
	const char *text; /* the value of VARIABLE, the source of CLIENT, the line of COMPANION */
	struct cs_vec3 location;    /* MOVE: new location of the source */
	struct cs_rotator rotation; /* MOVE: new rotation of the source */
	const struct cs_path *path; /* FOLLOW: the path; NULL = none */
	size_t variable;            /* VARIABLE: its number */
	double number;              /* RANGE: range; FAULT: factor */
	struct cs_stream_cell cell; /* HOLD, FAULT: the cell */
	uint32_t world;             /* LAYER, RANGE, REGISTER: the world */
	uint32_t row;               /* LAYER: layer; RANGE: partition; FAULT: enum cs_fault */
	enum cs_layer_state state;  /* LAYER: new state */
	bool on;                    /* HLOD, REGISTER, HOLD; FOLLOW: loop; LAYER: recursive;
				       VARIABLE: reset */
	bool replicated;            /* LAYER: the state is replicated */
};

/* Applies an input at once and records it. An input that fails changes nothing. */
CS_API struct cs_error *cs_stream_input(
	struct cs_stream *stream, const struct cs_stream_input *input) CS_MUST_USE;

static inline struct cs_stream_input cs_input_of(enum cs_input kind, const char *name)
{
	struct cs_stream_input input = {0, kind, NULL, name, NULL, {0, 0, 0}, {0, 0, 0}, NULL, 0, 0,
		{CS_NONE, CS_NONE}, 0, 0, CS_LAYER_UNLOADED, false, false};
	return input;
}

/* The common inputs as functions. */
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

/* Sets the source of a client. When `source` is NULL the client leaves. */
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

/* ==== costs ==== */

/*
 * The cost of a run: frames and cells, the most expensive first. Cost is compared in milliseconds
 * (of the virtual clock: visibility work and waits for streaming), then in bytes, then in waiting.
 *
 * A cell has one row for each time that it is loaded: from the frame in which it was wanted to the
 * one in which it was visible. All figures follow from the event log and the frame records of the
 * stream, so they reach back as far as these are kept.
 */

/* Stands for a frame that has not come yet. */
#define CS_NO_FRAME UINT64_MAX

/* Why a cell was expensive: the first of these causes that applies. */
enum cs_hitch_cause {
	CS_HITCH_FAILED,  /* the cell could not be loaded */
	CS_HITCH_STALL,   /* the game waited for the cell */
	CS_HITCH_BUDGET,  /* the cell waited for its turn longer than it took to load */
	CS_HITCH_ACTORS,  /* the cell's visibility work took more than a frame */
	CS_HITCH_LOADING, /* the cell took long to load */
	CS_HITCH_WAITS,   /* the cell has not arrived yet */
	CS_HITCH_NONE,
	CS_HITCH_CAUSES
};

enum { CS_HITCH_ADVICE = 96 }; /* bytes of an advice, with the NUL */

struct cs_hitch_cell {
	struct cs_stream_cell cell;
	uint64_t wanted, load, loaded, shown; /* frames, or CS_NO_FRAME */
	uint64_t wait;                        /* frames between wanted and load, or until now */
	uint64_t loading;                     /* frames between load and loaded, or until now */
	double show_ms, stall_ms; /* show_ms by the variables of its frames; NAN = unknown */
	uint64_t bytes, actors;
	enum cs_hitch_cause cause;
	char avoid[CS_HITCH_ADVICE]; /* how to avoid the cost, with numbers of this run; or "" */
};

struct cs_hitch_frame {
	uint64_t frame;
	double show_ms, stall_ms;
	uint64_t bytes; /* bytes of the cells whose load ended in the frame */
	uint32_t loads, shows, waiting;
	uint32_t cells;             /* cells that were loading */
	struct cs_stream_cell dear; /* the most expensive cell, or CS_STREAM_NO_CELL */
	enum cs_hitch_cause cause;  /* cause of that cell's cost */
	char avoid[CS_HITCH_ADVICE];
	enum cs_performance performance;
	double length_ms, grown_ms;       /* length without the wait; part of it due to streaming */
	double load_ms, purge_ms;         /* ms with sim.FrameCost */
	char reason[2 * CS_HITCH_ADVICE]; /* why the frame was long, with the limit; or "" */
};

/* Lists frames first to last with a cost, the most expensive first. The caller frees the rows. */
CS_API struct cs_error *cs_hitch_frames(const struct cs_stream *stream, uint64_t first,
	uint64_t last, struct cs_hitch_frame **rows_ret, size_t *n_ret) CS_MUST_USE;
/* Lists cells that were loading in these frames, in the same way. */
CS_API struct cs_error *cs_hitch_cells(const struct cs_stream *stream, uint64_t first,
	uint64_t last, struct cs_hitch_cell **rows_ret, size_t *n_ret) CS_MUST_USE;

/* ==== fitting the load model ==== */

/*
 * Fits the load model to measurements. Frames of a run that follow a record (cs_path_frames) have
 * both the results of the simulation and the measurements of the engine's profiler.
 *
 * A cost is fitted by sums, as measured ms divided by simulated units of work, so that it does not
 * matter in which of two frames a piece of work was done. The quality of the fit is judged frame by
 * frame.
 */

enum cs_fit_kind {
	/* sim.ShowPerActor: ms of updating levels, divided by actors shown; an actor that is hidden
	   counts as sim.HidePerActor / sim.ShowPerActor of one */
	CS_FIT_SHOW,
	CS_FIT_HIDE,    /* sim.HidePerActor, which keeps its ratio to sim.ShowPerActor */
	CS_FIT_CREATE,  /* sim.LoadPerActor: ms of loading on the game thread by actors loaded */
	CS_FIT_UPDATE,  /* sim.WorldUpdateCost: ms of streaming updates by worlds evaluated */
	CS_FIT_LATENCY, /* sim.Latency: mean ms of a load, computed from the length of the read
			   queue */
	CS_FITS
};

struct cs_fit {
	const char *variable;
	bool fitted;          /* false when nothing was measured, or nothing was simulated */
	double before, after; /* values of the variable, which are equal when it is not fitted */
	double measured, simulated; /* ms: sums, and means for LATENCY; simulated with `before` */
	double goodness; /* 1 - residual / variance, with `after`: 1 = exact, 0 = no better than a
			    constant, below: worse; NAN = what was measured never changes */
	uint64_t frames; /* the frames that were compared */
};

/*
 * Fits the frames that are kept. The mean time of a load is the number of packages in the queue
 * summed over time, divided by the loads begun (Little's law), where a level counts as one package.
 * Unless `dry`, it sets the fitted variables, within their limits, from the next frame on, which is
 * an input. Returns E_NOFRAME when no frame follows a record.
 */
CS_API struct cs_error *cs_fit_model(
	struct cs_stream *stream, bool dry, struct cs_fit ret[CS_FITS]) CS_MUST_USE;

/* ==== the map ==== */

/*
 * The map: a level of a grid from above, as places of one or more cells with their contents.
 *
 *	struct cs_map map;
 *	cs_map_draw(&(struct cs_map_request){.world = cooked, .grid = 0}, &map);
 *	for (size_t i = 0; i < map.columns * map.rows; i++)
 *		if (map.places[i].cells)
 *			show(map.keys[map.places[i].key].letter);
 *	cs_map_deinit(&map);
 *
 * A picture shows one overlay. Its keys are the meanings that a place can have, each with a letter
 * that no other key of the overlay has. Where several cells share a place the later key wins. A
 * front chooses glyphs and colours, and decides nothing about streaming.
 */

enum cs_map_overlay {
	CS_MAP_STATE,    /* state of streaming: enum cs_map_state is the key */
	CS_MAP_ACTORS,   /* actors of the fullest cell, in powers of two */
	CS_MAP_BYTES,    /* bytes of all cells of the place by the load model, in powers of four */
	CS_MAP_LAYERS,   /* a letter for each data layer in the picture */
	CS_MAP_HLOD,     /* state of the HLOD actors that represent the cell or are in it */
	CS_MAP_PRIORITY, /* rank in the order of the last frame: 1 is the next */
	CS_MAP_WHY_NOT,  /* the rule that keeps the cell from being loaded */
	CS_MAP_OVERLAYS,
	CS_MAP_GIVEN = CS_MAP_OVERLAYS /* given by the caller for each cell; has no name */
};

enum { CS_MAP_KEYS = 64, CS_MAP_MOST = 1000 };

struct cs_map_key {
	char letter;
	const char *words; /* may be a name of the file: not safe for a terminal */
	size_t cells;      /* number of cells with this key in the picture */
};

/* The meaning of the letters of an overlay. */
struct cs_map_legend {
	struct cs_map_key keys[CS_MAP_KEYS]; /* words are NULL when they depend on the picture */
	size_t n_keys;
	bool needs_run; /* whether the overlay is empty until a run has begun */
};

CS_API void cs_map_legend(enum cs_map_overlay overlay, struct cs_map_legend *ret);

#define CS_MAP_MARK_SOURCE  1u /* a source is above a cell of the place */
#define CS_MAP_MARK_CHANGED 2u /* a cell changed in the last frame */
#define CS_MAP_MARK_SEVERAL 4u /* more cells than coordinates, because data layers split them */

struct cs_map_place {
	uint32_t cells;   /* number of cells drawn there; 0: an empty place */
	uint32_t first;   /* least row of these cells, or CS_NONE */
	uint32_t actors;  /* actors of the fullest cell */
	uint32_t changes; /* cells that changed in the last frame */
	uint64_t bytes;   /* bytes of all cells, by the load model; 0 without a run */
	uint8_t state;    /* enum cs_map_state: the highest of the place's cells */
	uint8_t key;      /* key of the overlay */
	uint8_t marks;    /* CS_MAP_MARK_ */
};

/*
 * The cells of a level indexed by their coordinates. With it the cost of a window is in proportion
 * to the visible cells, and without it to the cells of the level. The first picture of the states
 * of a run at zoom 3 or more stores sums in it for the following ones, so only one thread may use
 * it at a time. The world outlives it. Returns E_NOGRID or E_NOMEM on failure.
 */
struct cs_map_index;
CS_API struct cs_error *cs_map_index_new(const struct cs_cooked *world, uint32_t grid,
	int32_t level, struct cs_map_index **ret) CS_MUST_USE;
CS_API void cs_map_index_free(struct cs_map_index *index);

struct cs_map_request {
	const struct cs_cooked *world;
	const struct cs_stream *stream; /* the run, or NULL */
	uint32_t index;                 /* index of the world among the partitions of the run */
	uint32_t grid;
	int32_t level;
	enum cs_map_overlay overlay;
	uint64_t zoom;          /* zoom x zoom cells for each place; 0: least that fits */
	uint64_t columns, rows; /* the most places; 0 means CS_MAP_MOST */
	bool window;            /* the picture begins at x0, y0 and has all columns and rows */
	int64_t x0, y0;
	bool sources; /* whether sources are marked */
	/*
	 * Draws cells of all levels from `level` on, in the coordinates of `level`. A cell covers
	 * the places that its box covers.
	 */
	bool all_levels;
	/* index of the level's cells, or NULL; an index of another level has no effect */
	const struct cs_map_index *sorted;
	/*
	 * CS_MAP_GIVEN: the number of each cell's key, 0 for none; keys 1 to n_given_keys, at most
	 * CS_MAP_KEYS - 1.
	 */
	const unsigned char *given;
	const struct cs_map_key *given_keys;
	size_t n_given_keys;
	/* Returns whether a cell is drawn. NULL draws all that have a box. */
	bool (*shows)(const void *context, uint32_t cell);
	const void *context;
};

struct cs_map {
	int64_t x0, y0; /* coordinates of the first cell of the first place */
	uint64_t zoom;
	size_t columns, rows;
	struct cs_map_place *places; /* row by row */
	struct cs_map_key keys[CS_MAP_KEYS];
	size_t n_keys;
	size_t cells;
	struct cs_stream_range range; /* current loading range of the grid */
	unsigned marks;               /* all CS_MAP_MARK_ of its places */
	double cell_side;             /* the length of a cell of the level, cm */
	/* Corner of cell 0,0 in the world, and side of a cell, in cm; `side` 0: unknown. */
	double origin_x, origin_y, side;
	/*
	 * For cs_map_redraw: the drawn state of each cell of the grid, or NULL; events, frame and
	 * so on of the run at that time.
	 */
	unsigned char *states;
	uint64_t events, frame, rewinds;
	struct cs_stream_load_sizes sizes;
};

/* Draws a map. Returns E_NOGRID, E_NOMEM, or E_NOCELL when it would be empty without a window. */
CS_API struct cs_error *cs_map_draw(
	const struct cs_map_request *request, struct cs_map *ret) CS_MUST_USE;
/*
 * Draws the map again after further frames. The cost of a picture of states in a window, with
 * `sorted`, is in proportion to the events since then. Any other picture, and one whose window
 * moved, is drawn as a whole. The request is the former one, except for x0 and y0.
 */
CS_API struct cs_error *cs_map_redraw(
	const struct cs_map_request *request, struct cs_map *map) CS_MUST_USE;
CS_API void cs_map_deinit(struct cs_map *map);
/* Lists the cells of a place, ascending, at most `room`. Returns how many there are. */
CS_API size_t cs_map_cells_at(const struct cs_map_request *request, const struct cs_map *map,
	size_t place, uint32_t *cells, size_t room);
/* Returns the first place of a cell, or SIZE_MAX when it is not drawn or outside the window. */
CS_API size_t cs_map_place_of(
	const struct cs_map_request *request, const struct cs_map *map, uint32_t cell);
/*
 * Counts actors inside the places of a picture whose zoom is 1. Each place is cut into `across` x
 * `down` parts, and each part counts the actors of cells in the picture whose bounds have their
 * middle there. The counts are row by row over the whole picture, `columns` * `across` numbers in
 * each row, and `counts` has room for all of them. An actor counts at its position, whichever place
 * that is. The cost is in proportion to the cells of the picture with their actors, or without
 * `sorted` to all cells of the grid. Returns E_USAGE for another zoom, or E_NOMEM.
 */
CS_API struct cs_error *cs_map_inside(const struct cs_map_request *request,
	const struct cs_map *map, unsigned across, unsigned down, uint32_t *counts) CS_MUST_USE;
/* Returns the first partition that streams and has cells, or 0 when there is none. */
static inline uint32_t cs_map_default_grid(const struct cs_cooked *world)
{
	for (uint32_t i = 0; i < world->n_partitions; i++)
		if (world->partitions[i].cells.count > 0 &&
			world->partitions[i].flags & CS_PARTITION_SPATIAL)
			return i;
	return 0;
}

/* Returns the lowest level at which the partition has a cell with a box, or 0. */
static inline int32_t cs_map_default_level(const struct cs_cooked *world, uint32_t grid)
{
	struct cs_range range = world->partitions[grid].cells;
	int32_t level = INT32_MAX;
	for (uint32_t i = range.first; i < range.first + range.count; i++) {
		const struct cs_cooked_cell *cell = cs_cooked_cell(world, i);
		if (cell->level < level && cs_box_valid(&cell->box))
			level = cell->level;
	}
	return level == INT32_MAX ? 0 : level;
}

/* Returns how many places a row has up to the last one that is not empty. */
static inline size_t cs_map_used(const struct cs_map *map, size_t row)
{
	size_t n = map->columns;
	while (n > 0 && map->places[row * map->columns + n - 1].cells == 0)
		n--;
	return n;
}

/* ---- what a map shows by the engine's console variables ---- */

/* wp.Runtime.DebugFilter...: words separated by commas, compared without case. NULL for none. */
struct cs_map_filter {
	const char *layers; /* labels of which the cell must have a layer; None: it has no layers */
	const char *grids;  /* names; the cell must be in one of these grids */
	const char *statuses; /* numbers of enum cs_stream_state; the cell must be in one, 0 without
				 a run */
	const char *names;    /* words that the name of the cell must all contain */
};

CS_API bool cs_map_filter_shows(
	const struct cs_map_filter *filter, const struct cs_map_request *request, uint32_t cell);
/*
 * Chooses the grid of a request, where it is CS_NONE, and its level, where it is INT32_MIN: those
 * that the filter and the variables wp.Runtime.Show... of the run select, and else the first grid
 * with cells that pass the filter, and the default level.
 */
CS_API void cs_map_console_choose(
	struct cs_map_request *request, const struct cs_map_filter *filter);

/* The other settings of the map: variables of the run, or their initial values without one. */
struct cs_map_console {
	enum cs_map_overlay overlay;
	uint32_t
		partition; /* wp.Runtime.DrawWorldPartitionIndex; CS_NONE when there is none such */
	double scale; /* wp.Runtime.DrawRuntimeHash2DScaleFactor: a factor for the room of places */
};

CS_API struct cs_map_console cs_map_console(const struct cs_stream *stream);

/* ---- history ---- */

enum { CS_HISTORY_UNKNOWN = 255 };

/*
 * Lists the states (enum cs_map_state) of a cell over the frames of a run: `n` columns of `zoom`
 * frames from frame `first` on. Each column has the highest state of its frames, or
 * CS_HISTORY_UNKNOWN for frames that have not run and for those that are no longer in the log of
 * events. The cost is in proportion to the events since `first`.
 */
CS_API void cs_cell_history(const struct cs_stream *stream, struct cs_stream_cell cell,
	uint64_t first, uint64_t zoom, unsigned char *states, size_t n);

CS_END_DECLS

#endif
