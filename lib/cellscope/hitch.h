/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a run has cost: frames and cells, the dearest first. Cost is told in milliseconds (of the
 * virtual clock: visibility work and waits for streaming), then in bytes, then in waiting.
 *
 * A cell costs once for each time that it comes: from the frame in which it was wanted to the one
 * in which it was there. All of it follows from the event log and the frame records of the stream,
 * so it reaches back as far as these are kept.
 */
#ifndef CELLSCOPE_HITCH_H
#define CELLSCOPE_HITCH_H

#include <cellscope/stream_events.h>

CS_BEGIN_DECLS

/* No such frame yet. */
#define CS_NO_FRAME UINT64_MAX

/* What made a cell dear; the first that holds. */
enum cs_hitch_cause {
	CS_HITCH_FAILED,  /* it could not be loaded */
	CS_HITCH_STALL,   /* the game waited for it */
	CS_HITCH_BUDGET,  /* it waited for its turn longer than it took to load */
	CS_HITCH_ACTORS,  /* visibility work of more than a frame */
	CS_HITCH_LOADING, /* it took long to load */
	CS_HITCH_WAITS,   /* it is not there yet */
	CS_HITCH_NONE,
	CS_HITCH_CAUSES
};

CS_API const char *cs_hitch_cause_name(enum cs_hitch_cause cause);

enum { CS_HITCH_ADVICE = 96 }; /* bytes of what would avoid it, with the NUL */

struct cs_hitch_cell {
	struct cs_stream_cell cell;
	uint64_t wanted, load, loaded, shown; /* frames, or CS_NO_FRAME */
	uint64_t wait;                        /* frames between wanted and load, or until now */
	uint64_t loading;                     /* frames between load and loaded, or until now */
	double show_ms, stall_ms;
	uint64_t bytes, actors;
	enum cs_hitch_cause cause;
	char avoid[CS_HITCH_ADVICE]; /* what would avoid that, with numbers of this run; or "" */
};

struct cs_hitch_frame {
	uint64_t frame;
	double show_ms, stall_ms;
	uint64_t bytes; /* of the cells whose load ended in it */
	uint32_t loads, shows, waiting;
	uint32_t cells;             /* that were on their way */
	struct cs_stream_cell dear; /* the dearest of them, or CS_STREAM_NO_CELL */
	enum cs_hitch_cause cause;  /* of the dearest */
	char avoid[CS_HITCH_ADVICE];
	enum cs_performance performance;
	double length_ms, grown_ms; /* without the wait; of that, grown by what streaming cost */
	double load_ms, purge_ms;   /* with sim.FrameCost */
	char reason[2 * CS_HITCH_ADVICE]; /* what made it long, with the limit; or "" */
};

/* Frames first to last that cost anything, dearest first; rows are freed by the caller. */
CS_API struct cs_error *cs_hitch_frames(const struct cs_stream *stream, uint64_t first,
	uint64_t last, struct cs_hitch_frame **rows_ret, size_t *n_ret) CS_MUST_USE;
/* Cells that were on their way in these frames, dearest first; rows are freed by the caller. */
CS_API struct cs_error *cs_hitch_cells(const struct cs_stream *stream, uint64_t first,
	uint64_t last, struct cs_hitch_cell **rows_ret, size_t *n_ret) CS_MUST_USE;

CS_END_DECLS

#endif
