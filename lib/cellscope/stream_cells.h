/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cells of a run and what they are now: their streaming levels, states and faults. Part of
 * cellscope/stream.h.
 */
#ifndef CELLSCOPE_STREAM_CELLS_H
#define CELLSCOPE_STREAM_CELLS_H

#include <cellscope/cooked.h>

CS_BEGIN_DECLS

struct cs_stream;

/* A cell of one of the world partitions. */
struct cs_stream_cell {
	uint32_t world;
	uint32_t cell; /* row of the cells table of its cooked world */
};

#define CS_STREAM_NO_CELL ((struct cs_stream_cell){CS_NONE, CS_NONE})

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

/* How far streaming is behind what sources need. */
enum cs_performance {
	CS_PERFORMANCE_GOOD,
	CS_PERFORMANCE_SLOW,
	CS_PERFORMANCE_CRITICAL,
	CS_PERFORMANCE_IMMEDIATE,
	CS_PERFORMANCES
};

CS_API const char *cs_level_state_name(enum cs_level_state state);
/* Its level is being loaded, or in memory. */
CS_API bool cs_level_is_there(enum cs_level_state state);
CS_API const char *cs_performance_name(enum cs_performance performance);
/* The number of the rule (cellscope/rulebook.h) that judges so. */
CS_API const char *cs_performance_rule(enum cs_performance performance);

struct cs_stream_cell_view {
	enum cs_stream_state state;    /* what wp debug shows */
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

CS_API struct cs_stream_cell_view cs_stream_cell(
	const struct cs_stream *stream, struct cs_stream_cell cell);

/* ---- faults ---- */

enum cs_fault {
	CS_FAULT_NONE,    /* takes a fault away */
	CS_FAULT_LOAD,    /* the package cannot be opened */
	CS_FAULT_CORRUPT, /* the package is found damaged after it was read */
	CS_FAULT_SLOW,    /* everything about its load takes `factor` times as long */
};

/* Input. Acts on loads that start from now on. */
CS_API struct cs_error *cs_stream_fault(struct cs_stream *stream, struct cs_stream_cell cell,
	enum cs_fault fault, double factor) CS_MUST_USE;
/* The cells that have one, ascending. */
CS_API size_t cs_stream_faults(const struct cs_stream *stream);
CS_API enum cs_fault cs_stream_fault_at(const struct cs_stream *stream, size_t index,
	struct cs_stream_cell *cell_ret, double *factor_ret);
CS_API enum cs_fault cs_stream_fault_of(
	const struct cs_stream *stream, struct cs_stream_cell cell, double *factor_ret);

CS_END_DECLS

#endif
