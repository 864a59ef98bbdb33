/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a run of streaming has done: events, statistics of each frame, the inputs that led there and
 * the way back to an earlier frame.
 */
#ifndef CELLSCOPE_STREAM_EVENTS_H
#define CELLSCOPE_STREAM_EVENTS_H

#include <cellscope/stream.h>

CS_BEGIN_DECLS

/* ---- events and statistics ---- */

enum cs_event {
	CS_EVENT_SET,         /* cell: from, to are enum cs_layer_state of the policy's sets */
	CS_EVENT_LEVEL,       /* cell: from, to are enum cs_level_state */
	CS_EVENT_LAYER,       /* detail: layer; from, to are effective states */
	CS_EVENT_HLOD,        /* cell: home; detail: hlod; from, to are enum cs_hlod_state */
	CS_EVENT_BUDGET,      /* detail: cells left waiting */
	CS_EVENT_PERFORMANCE, /* from, to are enum cs_performance */
	CS_EVENT_BLOCK,       /* the frame ends in a blocking wait; cell: the worst */
	CS_EVENT_HOLD,      /* cell: the server begins (to 1) or ends (to 0) to wait for clients */
	CS_EVENT_EPOCH,     /* detail: the server epoch published */
	CS_EVENT_WORLD,     /* registered (to 1) or torn down (to 0) */
	CS_EVENT_PURGE,     /* detail: levels whose memory was freed */
	CS_EVENT_WAIT,      /* cell: it begins to wait for its turn to load; to: as it is wanted */
	CS_EVENT_COMPANION, /* to: enum cs_companion_event; detail: as it was told */
	CS_EVENT_LATE,      /* cell: visible in a real run; detail: ms since it was asked for;
			       never in the log */
	CS_EVENTS
};

/* What happens to the pages of meshes. */
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

/*
 * Events are numbered from 0; the log keeps the last ones. A front reads what a step did:
 *	for (uint64_t i = before; i < cs_stream_event_count(s); i++)
 *		if ((event = cs_stream_event_at(s, i))) ...
 */
CS_API uint64_t cs_stream_event_count(const struct cs_stream *stream);
/* NULL when it is no longer, or not yet, in the log. */
CS_API const struct cs_stream_event *cs_stream_event_at(
	const struct cs_stream *stream, uint64_t number);

/* What an event is called where users list it and stop at it. */
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

CS_API const char *cs_moment_name(enum cs_moment moment);
/* One line of help. */
CS_API const char *cs_moment_help(enum cs_moment moment);
/* By name; CS_MOMENTS when there is none. */
CS_API enum cs_moment cs_moment_find(const char *name);
CS_API enum cs_moment cs_moment_of(const struct cs_stream_event *event);
/* The words of `from` and `to`, NULL for events that have none. */
CS_API const char *cs_event_from(const struct cs_stream_event *event);
CS_API const char *cs_event_to(const struct cs_stream_event *event);

/* Work of the game thread for streaming. */
enum cs_frame_work {
	CS_WORK_SHOW,   /* registering actors and their begin of play */
	CS_WORK_HIDE,   /* unregistering them */
	CS_WORK_LOAD,   /* creating actors while their level loads */
	CS_WORK_PURGE,  /* freeing unloaded levels */
	CS_WORK_UPDATE, /* deciding which cells are wanted */
	CS_WORKS
};

/* With sim.FrameCost; otherwise of showing and hiding alone. */
struct cs_frame_cost {
	uint64_t ns[CS_WORKS];
	uint64_t game_ns;  /* of the game itself, which counts with sim.FrameCost alone */
	uint64_t grown_ns; /* by which it made the frame longer */
	struct cs_stream_cell dearest; /* of the dearest piece of work, or CS_STREAM_NO_CELL */
	uint64_t dearest_ns;
	uint64_t dearest_each_ns;  /* of that, what one actor, level or world takes */
	uint64_t dearest_limit_ns; /* UINT64_MAX = none */
	uint8_t dearest_work;      /* enum cs_frame_work */
};

struct cs_stream_frame {
	uint64_t frame, time_ns;
	uint64_t stall_ns; /* length of the blocking wait that ended it */
	uint64_t work_ns;  /* visibility work, without that of the wait */
	uint64_t cells_visible, cells_loaded, actors, bytes; /* at its end */
	uint32_t loads, loaded, failed, unloads;             /* levels: started, finished, ... */
	uint32_t shows, hides;
	uint32_t waiting;            /* cells that the budget did not reach */
	uint32_t budget;             /* at its start, UINT32_MAX = unlimited */
	uint32_t loading;            /* at its end */
	uint32_t thrash;             /* levels unloaded soon after they were loaded */
	uint32_t evaluated, skipped; /* worlds */
	uint32_t hits;               /* cells in the frame sets */
	uint32_t critical;           /* cells judged Critical */
	uint8_t performance, display_performance;
	bool blocked;       /* it ended in a blocking wait, perhaps of no length */
	uint64_t length_ns; /* of the frame, without the wait */
	/* of the recorded run that a source follows, or NULL; as long as the stream */
	const struct cs_path_frame *recorded;
	struct cs_frame_cost cost;
};

/* The record of a frame, NULL when it is not kept. */
CS_API const struct cs_stream_frame *cs_stream_frame(
	const struct cs_stream *stream, uint64_t frame);

enum { CS_STALL_CELLS = 8 };

struct cs_stream_stall {
	uint64_t frame;
	uint64_t length_ns;
	bool by_performance; /* else asked for */
	uint32_t n_cells;    /* Critical cells; the nearest few are named */
	struct cs_stream_cell cells[CS_STALL_CELLS];
	double ratios[CS_STALL_CELLS];
	char source[CS_SOURCE_NAME]; /* the blocking source of the first */
	uint32_t loads;              /* levels that were loaded in it */
};

/* The last stalls, oldest first. */
CS_API size_t cs_stream_stalls(const struct cs_stream *stream);
CS_API const struct cs_stream_stall *cs_stream_stall_at(
	const struct cs_stream *stream, size_t index);

enum { CS_REPORT_LOADS = 17 };

/* Sums since cs_stream_report_reset, for a path report. */
struct cs_stream_report {
	uint64_t first_frame, frames;
	uint64_t loads, unloads, failures, thrash, stall_ns;
	uint64_t short_frames; /* in which the budget did not reach all */
	uint64_t slow_frames, critical_frames, stalls;
	uint64_t skipped_frames; /* nothing had to be evaluated */
	uint64_t peak_cells, peak_actors, peak_bytes, peak_waiting;
	uint64_t peak_frame;                       /* of peak_bytes */
	uint64_t frames_by_loads[CS_REPORT_LOADS]; /* the last: that many or more */
};

CS_API struct cs_stream_report cs_stream_report(const struct cs_stream *stream);
CS_API void cs_stream_report_reset(struct cs_stream *stream);
/* What variables add to the bytes of cells: while both are the same, so are the bytes of all. */
struct cs_stream_load_sizes {
	uint64_t cell, actor;
};
#ifdef CS_INSIDE
struct cs_stream_load_sizes cs_stream_load_sizes(const struct cs_stream *stream);
/* The `bytes` of a cell's view alone; 0 of a cell that does not exist. */
uint64_t cs_stream_cell_bytes(const struct cs_stream *stream, struct cs_stream_cell cell);
/* Cells that are not plainly unloaded, ascending; freed by the caller. */
struct cs_error *cs_stream_residents(const struct cs_stream *stream, uint32_t world,
	uint32_t **cells_ret, size_t *n_ret) CS_MUST_USE;
/* Frames that a run along the path takes: its rows, or at 60 a second with both ends. */
uint64_t cs_path_run_frames(const struct cs_path *path);
/* The sums of a run of its own: one player along the path, at 60 frames a second, to its end. */
struct cs_error *cs_stream_along(const struct cs_cooked *cooked, const struct cs_path *path,
	const struct cs_job *job, struct cs_stream_report *ret) CS_MUST_USE;
#endif

/* ---- the companion ---- */

/* Gives it an input, which is recorded. E_USAGE without one, and its own errors. */
CS_API struct cs_error *cs_stream_companion_input(
	struct cs_stream *stream, const char *text) CS_MUST_USE;
/* For the companion, in its frame or input: puts an event into the log. */
CS_API void cs_stream_tell(
	struct cs_stream *stream, enum cs_companion_event event, uint32_t detail);

/* ---- the timeline ---- */

/* XXH3-64 over the whole state: equal for equal states, whatever led to them. */
CS_API struct cs_error *cs_stream_hash(struct cs_stream *stream, uint64_t *ret) CS_MUST_USE;
/*
 * Back, or forth over frames that were run before: nearest snapshot, then the recorded inputs.
 * The frame's own inputs have acted; the next step goes on with the recorded ones. A new input
 * drops what was recorded behind it. E_NOFRAME.
 */
CS_API struct cs_error *cs_stream_goto(struct cs_stream *stream, uint64_t frame) CS_MUST_USE;
/*
 * To any frame: over those that were run before as they were, then on. The job is told how far it
 * is and may interrupt it between frames: E_INTERRUPTED, and the run stands where it came to.
 */
CS_API struct cs_error *cs_stream_run(
	struct cs_stream *stream, uint64_t frame, const struct cs_job *job) CS_MUST_USE;
/* The frames that goto can reach. */
CS_API void cs_stream_history(
	const struct cs_stream *stream, uint64_t *first_ret, uint64_t *last_ret);
/* A checkpoint stays reachable whatever happens to the history. Ids ascend from 1. */
CS_API struct cs_error *cs_stream_checkpoint(struct cs_stream *stream, uint32_t *ret) CS_MUST_USE;
/* E_NOFRAME for an unknown id. */
CS_API struct cs_error *cs_stream_restart(struct cs_stream *stream, uint32_t id) CS_MUST_USE;
/* Ids and frames of checkpoints by index; false behind the last. */
CS_API bool cs_stream_checkpoint_at(
	const struct cs_stream *stream, size_t index, uint32_t *id_ret, uint64_t *frame_ret);

enum cs_input {
	CS_INPUT_SOURCE, /* set */
	CS_INPUT_MOVE,
	CS_INPUT_REMOVE,
	CS_INPUT_FOLLOW,
	CS_INPUT_VARIABLE,
	CS_INPUT_HLOD,
	CS_INPUT_RANGE,
	CS_INPUT_BLOCK,
	CS_INPUT_LAYER,
	CS_INPUT_REGISTER,
	CS_INPUT_CLIENT,
	CS_INPUT_CLIENT_REMOVE,
	CS_INPUT_HOLD,
	CS_INPUT_FAULT,
	CS_INPUT_COMPANION, /* text */
	CS_INPUTS
};

/* One recorded input, for `record`: the fields that its kind uses. */
struct cs_stream_input {
	uint64_t frame; /* it acted behind this frame */
	enum cs_input kind;
	const struct cs_stream_source *source; /* SOURCE */
	const char *name;           /* MOVE, REMOVE, FOLLOW: source; CLIENT, HOLD: client */
	const char *text;           /* VARIABLE: value; CLIENT: source */
	struct cs_vec3 location;    /* MOVE */
	struct cs_rotator rotation; /* MOVE */
	const struct cs_path *path; /* FOLLOW; NULL = none */
	size_t variable;            /* VARIABLE */
	double number;              /* RANGE: range; FAULT: factor */
	struct cs_stream_cell cell; /* HOLD, FAULT */
	uint32_t world;             /* LAYER, RANGE, REGISTER */
	uint32_t row;               /* LAYER: layer; RANGE: partition; FAULT: enum cs_fault */
	enum cs_layer_state state;  /* LAYER */
	bool on;                    /* HLOD, REGISTER, HOLD; FOLLOW: loop; LAYER: recursive;
				       VARIABLE: reset */
	bool replicated;            /* LAYER */
};

/* Walks the recorded inputs: *cursor starts at 0; false behind the last. */
CS_API bool cs_stream_next_input(
	const struct cs_stream *stream, size_t *cursor, struct cs_stream_input *ret);

CS_END_DECLS

#endif
