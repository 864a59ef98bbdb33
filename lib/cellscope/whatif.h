/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What would come of another world: its source with some changes (cellscope/world.h), cooked in
 * memory and counted beside the cook of the source as it is; and the changes that would gain most.
 *
 * What a world costs is one number, so that changes can be ranked: in actors that are in memory,
 * on average over places where its own actors stand, everything within its loading range and all
 * layers on. A cell that is in memory counts as CS_COST_CELL actors, and so do faults: an actor
 * that is in no cell, an error or a warning of validation, an actor whose parent is not cooked.
 */
#ifndef CELLSCOPE_WHATIF_H
#define CELLSCOPE_WHATIF_H

#include <cellscope/cook.h>
#include <cellscope/explain.h>
#include <cellscope/stream_events.h>

CS_BEGIN_DECLS

#define CS_COST_CELL    8.0  /* a package to open, a level to add */
#define CS_COST_LOST    20.0 /* an actor that validation drops */
#define CS_COST_ERROR   10.0
#define CS_COST_WARNING 3.0
#define CS_COST_ORPHAN  10.0 /* an actor that is attached to one that is not cooked */

enum { CS_COUNTED_LEVELS = 32 };

struct cs_whatif_counts {
	int64_t cells, streaming_cells, always_loaded_actors, cells_above_level_0;
	int64_t most_actors_in_a_cell;            /* of those that stream */
	int64_t findings, errors, warnings, lost; /* of the reported pass; actors in no cell */
	int64_t orphans;                          /* actors whose parent is not cooked */
	int64_t levels[CS_COUNTED_LEVELS]; /* cells that stream, by level; the last: and above */
	int64_t always[CS_ALWAYS_REASONS]; /* of always_loaded_actors */
	uint32_t largest_cell;             /* row of cells, CS_NONE */
	double near_actors, near_cells;    /* in memory at a place, on average */
	double cost;
	/* along a path; peak_cells is -1 without one */
	int64_t peak_cells, peak_actors, peak_bytes, loads, stall_ms;
	int64_t short_frames, slow_frames, stalls; /* budget did not reach all; slow or worse */
};

struct cs_whatif;

/*
 * `source` is what `now` was cooked from with `options`. All of them, and the job, must outlive the
 * answer; the source is changed while a change is tried, and is as it was after each call.
 */
CS_API struct cs_error *cs_whatif_new(struct cs_world *source, struct cs_cooked *now,
	const struct cs_cook_options *options, const struct cs_job *job,
	struct cs_whatif **ret) CS_MUST_USE;
CS_API void cs_whatif_free(struct cs_whatif *whatif);

/* A cook in memory. */
struct cs_whatif_world {
	struct cs_cooked *cooked;
	unsigned char *bytes;
	size_t size;
};

/* The source with these changes, as cs_world_change reads them, and "profile=NAME". */
CS_API struct cs_error *cs_whatif_cook(struct cs_whatif *whatif, const char *const *changes,
	size_t n, struct cs_whatif_world *ret) CS_MUST_USE;
CS_API void cs_whatif_world_close(struct cs_whatif_world *world);
/*
 * The same without its bytes (cs_cook_open): it is open, and the source is changed, while `visit`
 * looks at it, whose error comes back.
 */
CS_API struct cs_error *cs_whatif_visit(struct cs_whatif *whatif, const char *const *changes,
	size_t n, struct cs_error *(*visit)(void *context, struct cs_cooked *cooked),
	void *context) CS_MUST_USE;
/*
 * Counts a cook, at the places of the one as it is, and with a path what one player along it loads.
 * `path` may be NULL. Loads the actors of `cooked`.
 */
CS_API struct cs_error *cs_whatif_count(const struct cs_whatif *whatif, struct cs_cooked *cooked,
	const struct cs_path *path, struct cs_whatif_counts *ret) CS_MUST_USE;

/* ---- numbers of cooks ---- */

enum { CS_WHATIF_NUMBERS = 18 };

/* Of counts, in the order that they are told in: "cells", "cost"; NULL behind the last. */
CS_API const char *cs_whatif_number_name(size_t number);
/* SIZE_MAX when there is none of that name. */
CS_API size_t cs_whatif_find_number(const char *name);
/* NAN for what is counted along a path, without one. */
CS_API double cs_whatif_number(const struct cs_whatif_counts *counts, size_t number);

/* One number of two cooks. */
struct cs_whatif_pair {
	char name[40]; /* "cells", "level 2", "always: reference" */
	double before, after;
};

enum { CS_WHATIF_PAIRS = (int)CS_WHATIF_NUMBERS + (int)CS_COUNTED_LEVELS + (int)CS_ALWAYS_REASONS };

/*
 * All numbers, those along a path where `before` has them, then cells by level and always loaded
 * actors by reason where one side has some; returns how many.
 */
CS_API size_t cs_whatif_pairs(const struct cs_whatif_counts *before,
	const struct cs_whatif_counts *after, struct cs_whatif_pair rows[CS_WHATIF_PAIRS]);

/* An actor that one cook always loads and the other does not. */
struct cs_always_change {
	bool becomes;          /* `after` always loads it, else `before` */
	uint32_t actor;        /* row of that cook */
	enum cs_always reason; /* there */
};

/* Loads the actors of both; freed by the caller. */
CS_API struct cs_error *cs_whatif_always_changes(struct cs_cooked *before, struct cs_cooked *after,
	struct cs_always_change **ret, size_t *n_ret) CS_MUST_USE;

/* ---- settings at several values ---- */

enum { CS_SWEEP_RANGES = 2, CS_SWEEP_STEPS = 100 };

struct cs_sweep_range {
	const char *name; /* of a setting, as cs_world_change knows it */
	double first, last;
};

struct cs_sweep_options {
	size_t size; /* sizeof(struct cs_sweep_options); api.h */
	struct cs_sweep_range ranges[CS_SWEEP_RANGES];
	size_t n_ranges;            /* at least 1 */
	size_t steps;               /* values of each range, 2 to CS_SWEEP_STEPS */
	const struct cs_path *path; /* counted along it too; or NULL */
	/* The name of a number, "value" or "second": what shall be least. NULL = "peak_bytes" with
	 * a path, else "cost". */
	const char *best;
	const char *budget; /* "NAME=MOST,..." of such names: what must not be exceeded; or NULL */
};

struct cs_sweep_row {
	double values[CS_SWEEP_RANGES]; /* that were tried; NAN for no second range */
	struct cs_whatif_counts counts;
	double number; /* what shall be least; NAN = not known */
	bool within;   /* it keeps to the budget */
	bool best;
};

struct cs_sweep {
	struct cs_sweep_row *rows; /* every value of the first range with each of the second */
	size_t n, down, across;    /* n = down x across: values of the first and the second */
	size_t best;               /* the row with the least within; SIZE_MAX: there is none */
	const char *key;           /* what shall be least */
	double most;               /* of that, 0 or more */
};

/*
 * Tries each row by a what-if. E_USAGE for another number of ranges or steps and for names that are
 * none, all before the first cook; errors of a change as cs_whatif_visit has them.
 */
CS_API struct cs_error *cs_sweep(struct cs_whatif *whatif, const struct cs_sweep_options *options,
	struct cs_sweep *ret) CS_MUST_USE;
CS_API void cs_sweep_deinit(struct cs_sweep *sweep);

/* ---- two runs ---- */

/* A cook, and what its run sets: "s.LevelStreamingActorsUpdateTimeLimit=2", as variables do. */
struct cs_run_side {
	const struct cs_cooked *cooked;
	const char *const *settings;
	size_t n;
};

/* A frame of both. */
struct cs_run_pair {
	struct cs_stream_frame left, right;
	uint32_t cells; /* that are in another state, or there on one side alone */
	bool alike; /* no cell differs, nor what is in memory, waits, and was worked and stalled */
};

/* A cell that differs in a frame; rows of cells, CS_NONE where one cook has it not. */
struct cs_run_parting {
	uint32_t left, right;
	enum cs_level_state left_state, right_state;
};

struct cs_run_difference {
	struct cs_run_pair *pairs;       /* all frames */
	size_t n, differing;             /* frames; those with a cell that differs */
	size_t unlike;                   /* frames that are not alike */
	uint64_t first;                  /* the first of these, UINT64_MAX for none */
	uint64_t at;                     /* the frame that was asked for, else the first of these */
	struct cs_run_parting *partings; /* its cells that differ */
	size_t n_partings;
	struct cs_stream_report left, right;
};

/*
 * One player along the path in both, frame by frame. Cells are the same by name. Costs follow what
 * happens, not the size of the worlds. `at` is the frame whose cells are wanted, 0 = the first that
 * differs. E_UNKNOWN for a variable that does not exist, E_NOFRAME for a frame that the path has
 * not.
 */
CS_API struct cs_error *cs_run_compare(const struct cs_run_side *left,
	const struct cs_run_side *right, const struct cs_path *path, uint64_t at,
	const struct cs_job *job, struct cs_run_difference *ret) CS_MUST_USE;
CS_API void cs_run_difference_deinit(struct cs_run_difference *difference);

CS_END_DECLS

#endif
