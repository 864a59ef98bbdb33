/* SPDX-License-Identifier: Apache-2.0 */
/*
 * HLOD actors of a run (2.9): which show, and what is wrong with them. Part of cellscope/stream.h.
 */
#ifndef CELLSCOPE_STREAM_HLOD_H
#define CELLSCOPE_STREAM_HLOD_H

#include <cellscope/cooked.h>

CS_BEGIN_DECLS

struct cs_stream;

/* Inputs. The switch wp.Runtime.HLOD. */
CS_API struct cs_error *cs_stream_hlod_enable(struct cs_stream *stream, bool on) CS_MUST_USE;
CS_API bool cs_stream_hlod_enabled(const struct cs_stream *stream);

enum cs_hlod_state {
	CS_HLOD_HIDDEN,   /* loaded; its source cell is visible, or HLOD is off */
	CS_HLOD_SHOWN,    /* loaded, its source cell is hidden */
	CS_HLOD_AWAY,     /* not loaded: its source cell is visible, or streaming has not begun */
	CS_HLOD_HOLE,     /* neither it nor its source cell shows, though streaming has begun */
	CS_HLOD_OUTDATED, /* loaded, but no cell of this cook is its source */
	CS_HLOD_STATES
};

CS_API const char *cs_hlod_state_name(enum cs_hlod_state state);
/* The number of the rule that has it show or not. */
CS_API const char *cs_hlod_state_rule(enum cs_hlod_state state);

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

/* The number of the rule that is broken, or cannot do its work. */
CS_API const char *cs_hlod_fault_rule(enum cs_hlod_fault fault);

struct cs_stream_hlod_finding {
	uint32_t world, hlod;
	enum cs_hlod_fault fault;
	double range, source_range; /* cm, for RANGE */
};

/* All that is wrong with HLODs now; rows are freed by the caller. */
CS_API struct cs_error *cs_stream_hlod_check(const struct cs_stream *stream,
	struct cs_stream_hlod_finding **rows_ret, size_t *n_ret) CS_MUST_USE;

CS_END_DECLS

#endif
