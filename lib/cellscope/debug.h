/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A debugger of a run: stops that halt it, and running to them, forward and back.
 *
 *	struct cs_debug *debug;
 *	cs_debug_new(stream, query, &debug);
 *	cs_debug_break(debug, CS_MOMENT_CELL_LOAD, "bytes > 1e6", variables, &id);
 *	cs_debug_run(debug, &(struct cs_run_request){.frames = 1000}, NULL, &halt);
 *
 * A breakpoint halts at the end of a frame in which its event happened and its condition held; the
 * condition is an expression over the row of the table `event`. A watch halts when its expression
 * has another value than after the frame before. A display never halts: it is an expression that a
 * front shows wherever the run halts. Nothing is asked in a frame for which nothing is armed.
 *
 * The stream and the query (which must show the stream) outlive the debugger.
 */
#ifndef CELLSCOPE_DEBUG_H
#define CELLSCOPE_DEBUG_H

#include <cellscope/map.h>
#include <cellscope/query.h>
#include <cellscope/stream_events.h>

CS_BEGIN_DECLS

struct cs_debug;

CS_API struct cs_error *cs_debug_new(
	struct cs_stream *stream, struct cs_query *query, struct cs_debug **ret) CS_MUST_USE;
CS_API void cs_debug_free(struct cs_debug *debug);

/* ---- stops ---- */

enum cs_stop_kind { CS_STOP_BREAK, CS_STOP_WATCH, CS_STOP_DISPLAY };

struct cs_stop {
	uint32_t id; /* ascending from 1, never used again */
	enum cs_stop_kind kind;
	enum cs_moment moment;  /* BREAK */
	const char *expression; /* BREAK: the condition, or NULL; else what is looked at */
	const char *commands;   /* lines for the front to run when it halts, or NULL */
	uint64_t ignore;        /* hits that it lets pass */
	uint64_t hits;
	bool enabled;
	bool once; /* deleted when it halts */
};

/* E_SQL carries the byte offset in the expression. $variables keep what they are now. */
CS_API struct cs_error *cs_debug_break(struct cs_debug *debug, enum cs_moment moment,
	const char *condition, struct cs_parameters variables, uint32_t *id_ret) CS_MUST_USE;
CS_API struct cs_error *cs_debug_watch(struct cs_debug *debug, const char *expression,
	struct cs_parameters variables, uint32_t *id_ret) CS_MUST_USE;
CS_API struct cs_error *cs_debug_display(struct cs_debug *debug, const char *expression,
	struct cs_parameters variables, uint32_t *id_ret) CS_MUST_USE;

CS_API size_t cs_debug_stops(const struct cs_debug *debug);
CS_API const struct cs_stop *cs_debug_stop_at(const struct cs_debug *debug, size_t index);
/* NULL when there is none. */
CS_API const struct cs_stop *cs_debug_stop(const struct cs_debug *debug, uint32_t id);

/* All: E_MISSING for an id that does not exist. */
/* NULL takes the condition away. E_USAGE for what is no breakpoint. */
CS_API struct cs_error *cs_debug_condition(struct cs_debug *debug, uint32_t id,
	const char *condition, struct cs_parameters variables) CS_MUST_USE;
CS_API struct cs_error *cs_debug_ignore(
	struct cs_debug *debug, uint32_t id, uint64_t hits) CS_MUST_USE;
CS_API struct cs_error *cs_debug_enable(
	struct cs_debug *debug, uint32_t id, bool enabled) CS_MUST_USE;
CS_API struct cs_error *cs_debug_once(struct cs_debug *debug, uint32_t id) CS_MUST_USE;
/* NULL or "" takes them away. */
CS_API struct cs_error *cs_debug_commands(
	struct cs_debug *debug, uint32_t id, const char *commands) CS_MUST_USE;
CS_API struct cs_error *cs_debug_delete(struct cs_debug *debug, uint32_t id) CS_MUST_USE;

/* What a watch or a display shows now. A text lives until the next question. */
CS_API struct cs_error *cs_debug_value(
	struct cs_debug *debug, uint32_t id, struct cs_value *ret) CS_MUST_USE;

/* ---- running ---- */

/* Whether an event changes a cell, a layer, an HLOD actor: not what is only counted. */
CS_API bool cs_debug_is_change(const struct cs_stream_event *event);
/* Whether it is one of the few that a run is remembered by: a layer, a stall, another performance,
 * a load that failed, a hole, a world that came or went, a pool that is full.
 */
CS_API bool cs_debug_is_turn(const struct cs_stream_event *event);
/*
 * The last frame before the one that the run is in with such an event, as far as the log of events
 * goes back; 0 when there is none.
 */
CS_API uint64_t cs_debug_frame_before(
	const struct cs_stream *stream, bool (*is)(const struct cs_stream_event *));

enum cs_halt_reason {
	CS_HALT_DONE,        /* all frames have run */
	CS_HALT_STOP,        /* at a stop */
	CS_HALT_UNTIL,       /* the expression is true */
	CS_HALT_CHANGE,      /* something changed */
	CS_HALT_IDLE,        /* nothing changes any more */
	CS_HALT_BEGIN,       /* back: no stop since the first frame of the history */
	CS_HALT_INTERRUPTED, /* by the job */
};

struct cs_run_request {
	uint64_t frames;   /* at most; going back: how far at most */
	bool to_change;    /* halt behind a frame in which a cell, layer or HLOD changed */
	bool to_turn;      /* the same for what cs_debug_is_turn() tells apart */
	uint64_t idle;     /* halt when nothing has happened for so many frames, 0 = never */
	const char *until; /* halt when it becomes true, or NULL */
	struct cs_parameters variables;
};

enum { CS_HALT_TEXT = 64 };

struct cs_halt {
	enum cs_halt_reason reason;
	uint64_t frames; /* run, or gone back */
	/* STOP: the first that halted the run in this frame, as it was then */
	uint32_t stop;
	enum cs_stop_kind kind;
	enum cs_moment moment;
	uint64_t hits;
	bool deleted;                 /* it was for once */
	struct cs_stream_event event; /* BREAK, but for frames */
	char before[CS_HALT_TEXT];    /* WATCH: the values, cut where they are long */
	char after[CS_HALT_TEXT];
	uint32_t others;      /* further stops that halted it too */
	const char *commands; /* of the stop, until the next run; or NULL */
};

/* Frames that have run stay run, whatever error comes: that of an expression, or E_NOMEM. */
CS_API struct cs_error *cs_debug_run(struct cs_debug *debug, const struct cs_run_request *request,
	const struct cs_job *job, struct cs_halt *ret) CS_MUST_USE;
#ifdef CS_INSIDE
/* Holds what happened elsewhere than in the stream against the breakpoints: halt.reason is STOP or
 * DONE. */
struct cs_error *cs_debug_event(struct cs_debug *debug, const struct cs_stream_event *event,
	struct cs_halt *ret) CS_MUST_USE;
#endif
/*
 * Back to the last frame at which a stop would have halted the run, else to the first of the
 * history. Ignore counts and `once` do not count on the way back, and no hit is counted. Of the
 * request only `frames`. After an error, as that of a condition, the stream is where it was.
 */
CS_API struct cs_error *cs_debug_run_back(struct cs_debug *debug,
	const struct cs_run_request *request, const struct cs_job *job,
	struct cs_halt *ret) CS_MUST_USE;

/* ---- what changed ---- */

/* What the cells of a run were at a moment. */
struct cs_states;

struct cs_state_change {
	struct cs_stream_cell cell;
	enum cs_map_state from, to; /* CS_MAP_UNLOADED where it was not there, or is no longer */
	enum cs_reason reason;      /* what keeps it from arriving, else the rule that decided */
	bool in_range;              /* a source reaches it now */
	double spatial;             /* sort key 4 there, else -1 */
	uint64_t bytes;             /* by the load model */
};

CS_API struct cs_error *cs_states_take(
	const struct cs_stream *stream, struct cs_states **ret) CS_MUST_USE;
CS_API void cs_states_free(struct cs_states *states);
/*
 * The cells whose state is another now than it was `before`, ascending by world and cell; freed by
 * the caller. That a cell began to wait for its turn, or no longer does, is none of them.
 */
CS_API struct cs_error *cs_states_changes(const struct cs_stream *stream,
	const struct cs_states *before, struct cs_state_change **ret, size_t *n_ret) CS_MUST_USE;

CS_END_DECLS

#endif
