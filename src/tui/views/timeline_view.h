/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the timeline share: what is read of frames, its window and its cursor. */
#pragma once

#include "src/tui/view.h"

/* What is read of a frame. */
enum number {
	LOADS,
	WAITING,
	LOADING,
	BYTES,
	WORK,
	STALL,
	PERFORMANCE,
	/* as they were recorded, along a path of the engine's profiler */
	REAL_FRAME,
	REAL_SHOW,
	REAL_CONSIDERED,
	REAL_QUEUED,
	/* of a real run and its simulation (`run compare`) */
	RUN_REAL,
	RUN_SIMULATED,
	/* of the pages of Nanite resources */
	PAGES_MISSING,
	PAGES_LOADING,
	PAGES_EVICTED,
	PAGES_USED,
	PAGES_WORST,
	NUMBERS
};

/* Who has a number. */
enum owner { OF_WORLD, OF_PROFILE, OF_PAGES, OF_RUN };

struct timeline_strip {
	const char *label, *key;
	double unit; /* of the column, in that of the strip */
	/* on the right, around the highest of the window */
	const char *before, *behind;
	int decimals;
	enum owner owner;
};

extern const struct timeline_strip timeline_strips[NUMBERS];

struct sample {
	uint64_t frame; /* 0 = none */
	double at[NUMBERS];
};

/* A change of a layer, or a hit of a stop. */
struct mark {
	uint64_t frame;
	char text[48];
};

struct timeline {
	struct sample *kept; /* by frame % KEPT */
	uint64_t now;        /* of the run when it was read last */
	uint64_t last;       /* that was ever read */
	uint64_t frame;      /* of the cursor */
	uint64_t first;      /* of the window */
	uint64_t zoom;       /* frames a column; 0 = all of them fit */
	int columns;
	bool has[OF_RUN + 1];      /* a frame that was read has numbers of that owner */
	CS_VEC(struct mark) marks; /* of the window */
	struct tui_view *cells;    /* what the frames of the cursor's column cost */
	bool in_cells;             /* the cursor is there */
	bool has_cells;            /* there is room for them */
};

static inline struct timeline *timeline_of(const struct tui_view *view)
{
	return view->state;
}

/* The frames that are seen. */
static inline uint64_t timeline_window(const struct timeline *state)
{
	return state->zoom * (uint64_t)state->columns;
}

/* Where a frame of the window stands. */
static inline uint64_t timeline_column_of(const struct timeline *state, uint64_t frame)
{
	return (frame - state->first) / state->zoom;
}

/* timeline_rows.c: as many samples are kept. */
enum { TIMELINE_KEPT = 8192 };
/* What was read of a frame; NULL = nothing, or no longer. */
const struct sample *timeline_sample_at(const struct timeline *state, uint64_t frame);
/* The first that is kept. */
uint64_t timeline_first_frame(const struct timeline *state);
/* Reads the frames that have run since, of the table `frames`. */
void timeline_read_frames(struct tui_view *view, const struct cs_table *table, const void *source);
/* The frame that a row of a table tells of, 0 = none. */
uint64_t timeline_frame_of_row(const struct cs_table *table, const void *source, size_t row);
/* The changes of layers in the window. */
struct cs_error *timeline_read_marks(struct tui_view *view) CS_MUST_USE;

/* timeline_draw.c */
void timeline_draw(struct tui_view *view, struct area area);
