/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State that the files of the timeline share: samples of frames, window, cursor. */
#pragma once

#include "src/tui/view.h"

/* Numbers that are read for each frame. */
enum number {
	LOADS,
	WAITING,
	LOADING,
	BYTES,
	WORK,
	STALL,
	PERFORMANCE,
	/* recorded by the engine's profiler along a path */
	REAL_FRAME,
	REAL_SHOW,
	REAL_CONSIDERED,
	REAL_QUEUED,
	/* numbers of a real run and of its simulation (`run compare`) */
	RUN_REAL,
	RUN_SIMULATED,
	/* numbers of the pages of Nanite resources */
	PAGES_MISSING,
	PAGES_LOADING,
	PAGES_EVICTED,
	PAGES_USED,
	PAGES_WORST,
	NUMBERS
};

/* The source of a number. */
enum owner { OF_WORLD, OF_PROFILE, OF_PAGES, OF_RUN };

struct timeline_strip {
	const char *label, *key;
	double unit; /* factor that converts values of the column to the unit of the strip */
	/* text before and after the highest value of the window, on the right */
	const char *before, *behind;
	int decimals;
	enum owner owner;
};

extern const struct timeline_strip timeline_strips[NUMBERS];

struct sample {
	uint64_t frame; /* number of the frame; 0 = none */
	double at[NUMBERS];
};

/* A mark of the timeline: a layer changed its state, or a breakpoint or watch halted the run. */
struct mark {
	uint64_t frame;
	char text[48];
};

struct timeline {
	struct sample *kept; /* ring of samples: that of a frame is at frame % TIMELINE_KEPT */
	uint64_t now;        /* frame of the run at the last reading */
	uint64_t last;       /* last frame that was ever read */
	uint64_t frame;      /* frame under the cursor */
	uint64_t first;      /* first frame of the window */
	uint64_t zoom; /* frames in each column; 0 = as many as are needed to show all frames */
	int columns;
	bool has[OF_RUN + 1];      /* for each owner: whether some frame has its numbers */
	CS_VEC(struct mark) marks; /* marks in the window */
	struct tui_view *cells;    /* the cells that made the frames of the cursor's column long */
	bool in_cells;             /* the cursor is in `cells` */
	bool has_cells;            /* there is room for `cells` */
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

/* Returns the column of a frame in the window. */
static inline uint64_t timeline_column_of(const struct timeline *state, uint64_t frame)
{
	return (frame - state->first) / state->zoom;
}

/* timeline_rows.c: number of samples in the ring. */
enum { TIMELINE_KEPT = 8192 };
/* Returns the sample of a frame; NULL = never read, or overwritten. */
const struct sample *timeline_sample_at(const struct timeline *state, uint64_t frame);
/* Returns the first frame whose sample is still there. */
uint64_t timeline_first_frame(const struct timeline *state);
/* Reads the frames that have run since the last call from the table `frames`. */
void timeline_read_frames(struct tui_view *view, const struct cs_table *table, const void *source);
/* Returns the frame that a row of a table names, 0 = none. */
uint64_t timeline_frame_of_row(const struct cs_table *table, const void *source, size_t row);
/* Reads the changes of layers in the window. */
struct cs_error *timeline_read_marks(struct tui_view *view) CS_MUST_USE;

/* timeline_draw.c */
void timeline_draw(struct tui_view *view, struct area area);
