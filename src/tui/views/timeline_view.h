/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State of the timeline view (graphs of numbers over frames): samples, visible window, cursor. */
#pragma once

#include "src/tui/view.h"

/*
 * Numbers that are read for each frame; each is drawn as a strip (a row of bars over the frames).
 */
enum number {
	LOADS,
	WAITING,
	LOADING,
	BYTES,
	WORK,
	STALL,
	PERFORMANCE,
	/* recorded by the engine's profiler */
	REAL_FRAME,
	REAL_SHOW,
	REAL_CONSIDERED,
	REAL_QUEUED,
	/* values of a real run, and of its simulation by `run compare` */
	RUN_REAL,
	RUN_SIMULATED,
	/* numbers of pages of Nanite resources */
	PAGES_MISSING,
	PAGES_LOADING,
	PAGES_EVICTED,
	PAGES_USED,
	PAGES_WORST,
	NUMBERS
};

/* Sources of the numbers of a strip. */
enum owner { OF_WORLD, OF_PROFILE, OF_PAGES, OF_RUN };

struct timeline_strip {
	const char *label, *key;
	double unit; /* value of the column times `unit` = value drawn in the strip */
	/* text before and after the highest value, printed on the right */
	const char *before, *behind;
	int decimals;
	enum owner owner;
};

extern const struct timeline_strip timeline_strips[NUMBERS];

struct sample {
	uint64_t frame; /* 0 = the sample is empty */
	double at[NUMBERS];
};

/* A mark of the timeline: a frame in which a data layer changed its state. */
struct mark {
	uint64_t frame;
	char text[48];
};

struct timeline {
	struct sample *kept; /* ring of samples, that of a frame at index frame % TIMELINE_KEPT */
	uint64_t now;        /* current frame of the run when samples were last read */
	uint64_t last;       /* highest frame whose sample was ever read */
	uint64_t frame;      /* frame under the cursor */
	uint64_t first;      /* first frame of the window */
	uint64_t zoom;       /* frames per column; 0 = choose it so that all frames fit */
	int columns;
	/* by enum owner (a table of numbers): whether any frame has a number from that table */
	bool has[OF_RUN + 1];
	CS_VEC(struct mark) marks; /* data layer changes in the visible window */

	bool in_cells;  /* the cursor is in view->part, the list of cells */
	bool has_cells; /* the area is high enough for view->part */
};

static inline struct timeline *timeline_of(const struct tui_view *view)
{
	return view->state;
}

/* Returns the number of frames in the window. */
static inline uint64_t timeline_window(const struct timeline *state)
{
	return state->zoom * (uint64_t)state->columns;
}

/* Returns the column that shows a frame of the window. */
static inline uint64_t timeline_column_of(const struct timeline *state, uint64_t frame)
{
	return (frame - state->first) / state->zoom;
}

/* Number of samples (one for each frame) that the ring buffer stores (timeline_rows.c). */
enum { TIMELINE_KEPT = 8192 };
/* Returns the sample of a frame, or NULL if it was never read or is overwritten. */
const struct sample *timeline_sample_at(const struct timeline *state, uint64_t frame);
/* Returns the lowest frame whose sample is still in the ring buffer. */
uint64_t timeline_first_frame(const struct timeline *state);
/* Reads the samples of frames that have run since the last call from the table `frames`. */
void timeline_read_frames(struct tui_view *view, const struct cs_table *table, const void *source);
/* Returns the frame number in the column `frame` of a row, or 0 without such a column. */
uint64_t timeline_frame_of_row(const struct cs_table *table, const void *source, size_t row);
/* Reads the changes of data layers in the frames of the window. */
struct cs_error *timeline_read_marks(struct tui_view *view) CS_MUST_USE;

/* defined in timeline_draw.c */
void timeline_draw(struct tui_view *view, struct area area);
