/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Our cook against what the engine made of the same world: cell by cell, actor by actor, layer by
 * layer, with the number of the rule (cellscope/core.h) that explains a difference where one
 * does. The engine's side comes from a StreamingGeneration log (rules 4.3, ue 7b), which tells all
 * cells, from what its cooker wrote, which tells GUIDs and layers as well, or from the HLOD actors
 * that were saved with a map (1.6.8, ue 7a), which tell the cells that they were built from and the
 * actors in those.
 */
#ifndef CELLSCOPE_COMPARE_H
#define CELLSCOPE_COMPARE_H

#include <cellscope/cook.h>
#include <cellscope/query.h>
#include <cellscope/ue.h>

CS_BEGIN_DECLS

enum cs_compare_kind { CS_COMPARE_WORLD, CS_COMPARE_CELL, CS_COMPARE_ACTOR, CS_COMPARE_LAYER };
enum { CS_COMPARE_KINDS = CS_COMPARE_LAYER + 1 };

enum cs_compare_change {
	CS_COMPARE_RENAMED,     /* the same, under another name */
	CS_COMPARE_ONLY_OURS,   /* the engine has it not */
	CS_COMPARE_ONLY_THEIRS, /* we have it not */
	CS_COMPARE_MOVED,       /* an actor in another cell */
	CS_COMPARE_PACKAGE,     /* a cell whose package is called otherwise */
	CS_COMPARE_BOX,         /* a cell of another size or place */
	CS_COMPARE_CONTENT,     /* a cell with the same actors and other bounds of them */
	CS_COMPARE_LAYERS,      /* a layer that splits the cell on one side alone */
	CS_COMPARE_GUID,        /* a cell of another GUID */
	CS_COMPARE_CLASS,       /* a spatial hash on one side, a hash set on the other */
	CS_COMPARE_TWICE,       /* a cell that the engine tells twice, an actor in two cells */
	CS_COMPARE_CHANGES
};

/* Worst last: that of the whole is that of its worst row. */
enum cs_compare_verdict {
	CS_COMPARE_SAME,
	CS_COMPARE_BY_RULE,
	CS_COMPARE_STALE, /* of an HLOD actor whose source actors are all gone */
	CS_COMPARE_UNEXPLAINED
};

struct cs_compare_row {
	enum cs_compare_kind kind;
	enum cs_compare_change change;
	enum cs_compare_verdict verdict; /* any but SAME */
	const char *name;                /* of the cell, actor or layer; ours where we have it */
	const char *ours, *theirs;       /* cell or value on each side, NULL = none */
	const char *rule;                /* its number: what explains it, NULL for none */
	const char *decided;             /* actors: the rule by which ours came to its cell */
	uint32_t cell, actor;            /* rows of our cook, CS_NONE */
	/* where the engine's cell is, which we need not have; NULL where its name does not tell */
	const char *grid;
	int32_t level;
	int64_t x, y;
};

struct cs_comparison {
	const struct cs_compare_row *rows; /* by kind, then in the order of the engine's side */
	size_t n;
	size_t compared[CS_COMPARE_KINDS]; /* cells and actors looked at */
	size_t by_rule[CS_COMPARE_KINDS], unexplained[CS_COMPARE_KINDS];
	size_t all_by_rule, all_unexplained; /* of all kinds */
	size_t stale;
	enum cs_compare_verdict verdict;
};

/* What the engine made of the world, one of: */
struct cs_engine_side {
	const struct cs_ue_log *log; /* what it told of it */
	/*
	 * What it cooked, opened by cs_ue_place_open_map: all cells with their actors, GUIDs and
	 * packages, data layers, actors of the persistent level.
	 */
	struct cs_cooked *cooked;
	/*
	 * The source of our cook, whose HLOD actors are the engine's answer. An actor that no HLOD
	 * actor stands for is not compared.
	 */
	const struct cs_world *source;
};

/*
 * Loads the details of `cooked`, which must outlive the answer, as must the side. E_MISSING for a
 * source without HLOD actors.
 */
CS_API struct cs_error *cs_compare_engine(struct cs_cooked *cooked,
	const struct cs_engine_side *side, const struct cs_comparison **ret) CS_MUST_USE;
CS_API void cs_comparison_free(const struct cs_comparison *comparison);

/* ---- what got worse ---- */

/* Of which less is better: their names are those of budgets. */
enum { CS_MEASURES = 16 };

struct cs_measure {
	const char *name; /* "always_loaded_actors", "fullest_cell" ... */
	const char *unit, *doc;
	double before, after; /* NAN: not known */
	double most, rise;    /* its budget: at most, and more than before; NAN = none */
	uint32_t cell_before, cell_after; /* the cell that it is of, or CS_NONE */
	bool worse, breaks;               /* it rose; it is beyond its budget */
};

/* What a side says along a path, and beside a real run; NAN: not known. */
struct cs_along {
	double peak_cells, peak_bytes; /* in memory, by the load model */
	double never_cells, late_cells,
		late_ms; /* visits that never came, or came late; the worst */
};

/*
 * All measures of both; the actors are loaded. `along` are two, or NULL.
 * `budgets` is a JSON file {"fullest_cell": 400, "errors": {"rise": 0}}, or NULL; E_JSON names what
 * is no measure.
 */
CS_API struct cs_error *cs_worse(struct cs_cooked *before, struct cs_cooked *after,
	const struct cs_along *along, const char *budgets,
	struct cs_measure rows[CS_MEASURES]) CS_MUST_USE;

/* ==== worlds with changes ==== */

/*
 * What would come of another world: its source with some changes (cellscope/world.h), cooked in
 * memory and counted beside the cook of the source as it is; and the changes that would gain most.
 *
 * What a world costs is one number, so that changes can be ranked: in actors that are in memory,
 * on average over places where its own actors stand, everything within its loading range and all
 * layers on. A cell that is in memory counts as CS_COST_CELL actors, and so do faults: an actor
 * that is in no cell, an error or a warning of validation, an actor whose parent is not cooked.
 */

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

/* ==== reports ==== */

/*
 * Pictures and pages that need no program of ours: a report as one HTML file with inline SVG, no
 * script, nothing from the network, readable on paper; single maps and plots as SVG; all tables as
 * an SQLite database. Names that come from files are escaped for where they stand.
 */

struct cs_report_input {
	struct cs_query *query; /* over the world, and the run where there is one */
	struct cs_cooked *world;
	const struct cs_stream *stream; /* may be NULL: no timeline, no states */
	const char *title;              /* NULL = the name of the world */
	const char *source;             /* path of what was opened, and when it was written: */
	int64_t written;                /* seconds since 1970 UTC; source NULL = not known */
	struct cs_cooked *before;       /* the same world as it was: what differs; or NULL */
	const struct cs_comparison *comparison; /* with the engine's log, or NULL */
	const struct cs_comparison *cooked;     /* with what its cooker wrote, or NULL */
	const struct cs_inspector *resources;   /* whose pages are drawn, or NULL */
};

/* Replaces the file atomically. */
CS_API struct cs_error *cs_report_write(
	const struct cs_report_input *input, const char *path) CS_MUST_USE;
/* A map as a picture by itself. */
CS_API struct cs_error *cs_map_svg(
	const struct cs_map_request *request, const char *title, const char *path) CS_MUST_USE;
/* Values in a row as bars; those that are not finite are gaps. */
CS_API struct cs_error *cs_plot_svg(
	const double *values, size_t n, const char *title, const char *path) CS_MUST_USE;

/* Numbers by one setting, down, and another, across; of one setting they are bars. */
struct cs_field_plot {
	const double *values; /* by row, then by column; those that are not finite are gaps */
	size_t rows, columns;
	const char *title;
	double first_row, last_row, first_column, last_column; /* of the settings */
};

CS_API struct cs_error *cs_field_svg(
	const struct cs_field_plot *field, const char *path) CS_MUST_USE;

/*
 * A path that visits all of the world: lanes from side to side over the cells that stream, at half
 * their height. At 2000 cm/s, faster where that takes more than two minutes. E_NOCELL without cells
 * that stream.
 */
CS_API struct cs_error *cs_report_tour(
	const struct cs_cooked *world, struct cs_path **ret) CS_MUST_USE;

/*
 * Every table of the query as one of an SQLite database, and the views that are documented in it:
 * cell_actors_of (cell, actor), always_loaded (actor, placement), by_level (level, cells, actors).
 */
CS_API struct cs_error *cs_query_export(
	struct cs_query *query, const struct cs_job *job, const char *path) CS_MUST_USE;

CS_END_DECLS

#endif
