/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares our cook with the engine's cook of the same world: cell by cell, actor by actor, layer
 * by layer, with the number of the rule (cellscope/core.h) that explains a difference where one
 * does.
 *
 * The engine's side comes from one of three sources: a StreamingGeneration log (rules 4.3, ue 7b),
 * which lists all cells; the output of its cooker, which also has GUIDs and layers; or the HLOD
 * actors that were saved with a map (1.6.8, ue 7a), which name the cells that they were built from
 * and the actors in those.
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
	CS_COMPARE_RENAMED,     /* both cooks have it, under different names */
	CS_COMPARE_ONLY_OURS,   /* only our cook has it */
	CS_COMPARE_ONLY_THEIRS, /* only the engine's cook has it */
	CS_COMPARE_MOVED,       /* an actor in another cell */
	CS_COMPARE_PACKAGE,     /* a cell whose package has another name */
	CS_COMPARE_BOX,         /* a cell of another size or place */
	CS_COMPARE_CONTENT,     /* a cell with the same actors, whose bounds differ */
	CS_COMPARE_LAYERS,      /* a layer that splits the cell on one side only */
	CS_COMPARE_GUID,        /* a cell with another GUID */
	CS_COMPARE_CLASS,       /* a spatial hash on one side, a hash set on the other */
	CS_COMPARE_TWICE,       /* a cell that the engine lists twice, an actor in two cells */
	CS_COMPARE_CHANGES
};

/* Verdicts, the worst last. The verdict of the whole comparison is that of its worst row. */
enum cs_compare_verdict {
	CS_COMPARE_SAME,
	CS_COMPARE_BY_RULE,
	CS_COMPARE_STALE, /* a source cell of an HLOD actor whose source actors no longer exist */
	CS_COMPARE_UNEXPLAINED
};

struct cs_compare_row {
	enum cs_compare_kind kind;
	enum cs_compare_change change;
	enum cs_compare_verdict verdict; /* verdict of the row, never SAME */
	const char *name; /* name of the cell, actor or layer; our name if our cook has it */
	const char *ours, *theirs; /* cell or value of each side, NULL when the side has none */
	const char *rule;     /* number of the rule that explains the difference, NULL for none */
	const char *decided;  /* for an actor, the rule by which our cook placed it */
	uint32_t cell, actor; /* rows of our cook, or CS_NONE */
	/*
	 * The place of the engine's cell, which our cook need not have. NULL when its name doesn't
	 * contain it.
	 */
	const char *grid;
	int32_t level;
	int64_t x, y;
};

struct cs_comparison {
	/* sorted by kind, then in the order of the engine's side */
	const struct cs_compare_row *rows;
	size_t n;
	size_t compared[CS_COMPARE_KINDS]; /* how many rows of each kind were compared */
	size_t by_rule[CS_COMPARE_KINDS], unexplained[CS_COMPARE_KINDS];
	size_t all_by_rule, all_unexplained; /* sums over all kinds */
	size_t stale;
	enum cs_compare_verdict verdict;
};

/* The engine's cook of the world, from one of three sources. The others are NULL. */
struct cs_engine_side {
	const struct cs_ue_log *log; /* the engine's log */
	/*
	 * The output of its cooker, opened by cs_ue_place_open_map: all cells with their actors,
	 * GUIDs and packages, data layers, and actors of the persistent level.
	 */
	struct cs_cooked *cooked;
	/*
	 * The source of our cook, whose HLOD actors are the engine's answer. An actor that no HLOD
	 * actor includes is not compared.
	 */
	const struct cs_world *source;
};

/*
 * Compares both sides and loads the details of `cooked`. `cooked` and the side must outlive the
 * answer. Returns E_MISSING for a source without HLOD actors.
 */
CS_API struct cs_error *cs_compare_engine(struct cs_cooked *cooked,
	const struct cs_engine_side *side, const struct cs_comparison **ret) CS_MUST_USE;
CS_API void cs_comparison_free(const struct cs_comparison *comparison);

/* ---- what got worse ---- */

/* Measures, of which a smaller value is better. Budgets use their names. */
enum { CS_MEASURES = 16 };

struct cs_measure {
	const char *name; /* "always_loaded_actors", "fullest_cell" ... */
	const char *unit, *doc;
	double before, after; /* values in both cooks; NAN when unknown */
	/* budget of the measure: the largest value, and the largest rise; NAN when none */
	double most, rise;
	uint32_t cell_before, cell_after; /* the cell that has the value, or CS_NONE */
	bool worse, breaks; /* whether the value rose; whether it exceeds its budget */
};

/*
 * The figures of one cook along a path, and beside a real run. A figure that is not known is NAN.
 */
struct cs_along {
	double peak_cells, peak_bytes; /* largest numbers in memory, by the load model */
	double never_cells, late_cells,
		late_ms; /* numbers of visits that never came or came late; largest delay in ms */
};

/*
 * Measures both cooks, whose actors are loaded. `along` has two items, or is NULL. `budgets` is a
 * JSON file {"fullest_cell": 400, "errors": {"rise": 0}}, or NULL. Returns E_JSON for a name that
 * is no measure.
 */
CS_API struct cs_error *cs_worse(struct cs_cooked *before, struct cs_cooked *after,
	const struct cs_along *along, const char *budgets,
	struct cs_measure rows[CS_MEASURES]) CS_MUST_USE;

/* ==== worlds with changes ==== */

/*
 * Shows the result of changes to a world: its source with some changes (cellscope/world.h) is
 * cooked in memory and counted beside the cook of the unchanged source. It also finds the changes
 * with the largest gain.
 *
 * The cost of a world is one number, so that changes can be ranked. Its unit is an actor in memory,
 * on average over the positions of the world's own actors, with everything loaded within the
 * loading range and all layers on. A cell in memory counts as CS_COST_CELL actors. Faults count
 * too: an actor that is in no cell, an error or a warning of validation, an actor whose parent is
 * not cooked.
 */

#define CS_COST_CELL    8.0  /* cost of opening a package and adding a level */
#define CS_COST_LOST    20.0 /* cost of an actor that is dropped */
#define CS_COST_ERROR   10.0
#define CS_COST_WARNING 3.0
#define CS_COST_ORPHAN  10.0 /* cost of an actor that is attached to one that is not cooked */

enum { CS_COUNTED_LEVELS = 32 };

struct cs_whatif_counts {
	int64_t cells, streaming_cells, always_loaded_actors, cells_above_level_0;
	int64_t most_actors_in_a_cell; /* largest number of actors in a cell that streams */
	/*
	 * findings of all passes; errors and warnings of the reported pass; actors that were
	 * dropped
	 */
	int64_t findings, errors, warnings, lost;
	int64_t orphans; /* actors whose parent is not cooked */
	/* cells that stream, by level; the last item also counts all higher levels */
	int64_t levels[CS_COUNTED_LEVELS];
	int64_t always[CS_ALWAYS_REASONS]; /* numbers of always_loaded_actors, for each reason */
	uint32_t largest_cell;             /* row of cells, or CS_NONE */
	/* mean numbers of actors and cells in memory at a position */
	double near_actors, near_cells;
	double cost;
	/* Along a path. peak_cells is -1 without one. */
	int64_t peak_cells, peak_actors, peak_bytes, loads, stall_ms;
	/* frames whose budget was too small, and frames that were slow or worse */
	int64_t short_frames, slow_frames, stalls;
};

struct cs_whatif;

/*
 * Starts what-ifs. `now` was cooked from `source` with `options`. All of them, and the job, must
 * outlive the result. While a change is tried the source is changed, and each call restores it.
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

/* Cooks the source with these changes, in the form of cs_world_change, and "profile=NAME". */
CS_API struct cs_error *cs_whatif_cook(struct cs_whatif *whatif, const char *const *changes,
	size_t n, struct cs_whatif_world *ret) CS_MUST_USE;
/*
 * Works as cs_whatif_cook, without making the bytes of a file (cs_cook_open). While `visit` runs,
 * the cook is open and the source is changed. Returns the error of `visit`.
 */
CS_API struct cs_error *cs_whatif_visit(struct cs_whatif *whatif, const char *const *changes,
	size_t n, struct cs_error *(*visit)(void *context, struct cs_cooked *cooked),
	void *context) CS_MUST_USE;
/*
 * Counts a cook at the positions of the unchanged cook, and with a path also the loads of one
 * player along it. `path` may be NULL. Loads the actors of `cooked`.
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
 * Lists all numbers, those along a path when `before` has them, and then, where one side has any,
 * cells by level and always loaded actors by reason. Returns their count.
 */
CS_API size_t cs_whatif_pairs(const struct cs_whatif_counts *before,
	const struct cs_whatif_counts *after, struct cs_whatif_pair rows[CS_WHATIF_PAIRS]);

/* An actor that one cook always loads and the other does not. */
struct cs_always_change {
	bool becomes;          /* whether `after` always loads it; else `before` does */
	uint32_t actor;        /* row of the cook that always loads it */
	enum cs_always reason; /* reason of the actor in that cook */
};

/* Loads the actors of both cooks. The caller frees the result. */
CS_API struct cs_error *cs_whatif_always_changes(struct cs_cooked *before, struct cs_cooked *after,
	struct cs_always_change **ret, size_t *n_ret) CS_MUST_USE;

/* ---- settings at several values ---- */

enum { CS_SWEEP_RANGES = 2, CS_SWEEP_STEPS = 100 };

struct cs_sweep_range {
	const char *name; /* name of a setting, as in cs_world_change */
	double first, last;
};

struct cs_sweep_options {
	size_t size; /* sizeof(struct cs_sweep_options); core.h */
	struct cs_sweep_range ranges[CS_SWEEP_RANGES];
	size_t n_ranges;            /* number of ranges, at least 1 */
	size_t steps;               /* number of values of each range, 2 to CS_SWEEP_STEPS */
	const struct cs_path *path; /* a path to count along as well, or NULL */
	/*
	 * The name of the number to minimize, "value" or "second". NULL means "peak_bytes"
	 * with a path, and else for "cost".
	 */
	const char *best;
	/* "NAME=MOST,..." with names of numbers that must not exceed MOST, or NULL */
	const char *budget;
};

struct cs_sweep_row {
	double values[CS_SWEEP_RANGES]; /* the values that were tried; NAN without a second range */
	struct cs_whatif_counts counts;
	double number; /* the number to minimize; NAN when not known */
	bool within;   /* whether the number is within the budget */
	bool best;
};

struct cs_sweep {
	struct cs_sweep_row *rows; /* every value of the first range with each of the second */
	size_t n, down, across;    /* n = down x across: values of the first and the second range */
	size_t best;               /* the best row within the budget, SIZE_MAX when there is none */
	const char *key;           /* the name of the number to minimize */
	double most;               /* largest value of the minimized number, at least 0 */
};

/*
 * Tries each row by a what-if. Returns E_USAGE for a wrong number of ranges or steps and for
 * unknown names, before the first cook. Errors of a change are those of cs_whatif_visit.
 */
CS_API struct cs_error *cs_sweep(struct cs_whatif *whatif, const struct cs_sweep_options *options,
	struct cs_sweep *ret) CS_MUST_USE;

/* ---- two runs ---- */

/* A cook, and the variables of its run, such as "s.LevelStreamingActorsUpdateTimeLimit=2". */
struct cs_run_side {
	const struct cs_cooked *cooked;
	const char *const *settings;
	size_t n;
};

/* One frame of both runs. */
struct cs_run_pair {
	struct cs_stream_frame left, right;
	uint32_t cells; /* cells that are in another state, or only in one cook */
	/* whether all cells and the figures of memory, queue, work and stalls are equal */
	bool alike;
};

/* A cell that differs in a frame: rows of cells, CS_NONE where one cook doesn't have it. */
struct cs_run_parting {
	uint32_t left, right;
	enum cs_level_state left_state, right_state;
};

struct cs_run_difference {
	struct cs_run_pair *pairs; /* a row for each frame */
	size_t n, differing;       /* number of frames; number of frames with a cell that differs */
	size_t unlike;             /* frames that are not alike */
	uint64_t first;            /* first frame that differs, UINT64_MAX for none */
	uint64_t at;               /* requested frame, else `first` */
	struct cs_run_parting *partings; /* cells that differ in frame `at` */
	size_t n_partings;
	struct cs_stream_report left, right;
};

/*
 * Steps one player along the path in both cooks, frame by frame. Cells are the same when their
 * names are equal. The cost is in proportion to the loads, not to the size of the worlds. `at` is
 * the frame whose cells are listed, and 0 means the first that differs. Returns E_UNKNOWN for
 * a variable that does not exist, and E_NOFRAME for a frame beyond the path.
 */
CS_API struct cs_error *cs_run_compare(const struct cs_run_side *left,
	const struct cs_run_side *right, const struct cs_path *path, uint64_t at,
	const struct cs_job *job, struct cs_run_difference *ret) CS_MUST_USE;

/* ==== reports ==== */

/*
 * Writes pictures and pages that need none of our programs to be read: a report as one HTML file
 * with inline SVG, which has no script, needs no network and is readable on paper; single maps and
 * plots as SVG; all tables as an SQLite database. Names that come from files are escaped for the
 * language they are written into.
 */

struct cs_report_input {
	struct cs_query *query; /* query over the world, and over the run when there is one */
	struct cs_cooked *world;
	/* the run; NULL: the report has no timeline and no states */
	const struct cs_stream *stream;
	const char *title;        /* NULL means the name of the world */
	const char *source;       /* path of the file that was opened, NULL when unknown */
	int64_t written;          /* when that file was written, in seconds since 1970 UTC */
	struct cs_cooked *before; /* an earlier cook of the same world to compare with, or NULL */
	const struct cs_comparison *comparison; /* comparison with the engine's log, or NULL */
	/* comparison with the output of the engine's cooker, or NULL */
	const struct cs_comparison *cooked;
	const struct cs_inspector *resources; /* the resources whose pages are drawn, or NULL */
};

/* Writes the report and replaces the file atomically. */
CS_API struct cs_error *cs_report_write(
	const struct cs_report_input *input, const char *path) CS_MUST_USE;
/* Makes a map as one picture. */
CS_API struct cs_error *cs_map_svg(
	const struct cs_map_request *request, const char *title, const char *path) CS_MUST_USE;
/*
 * Numbers by one setting (rows) and another (columns). With only one setting they are drawn as
 * bars.
 */
struct cs_field_plot {
	const double *values; /* row by row; values that are not finite are gaps */
	size_t rows, columns;
	const char *title;
	double first_row, last_row, first_column, last_column; /* values of the settings */
};

CS_API struct cs_error *cs_field_svg(
	const struct cs_field_plot *field, const char *path) CS_MUST_USE;

/*
 * Makes a path that visits the whole world: lanes from side to side over the cells that stream, at
 * half their height. The speed is 2000 cm/s, and higher where that takes more than two minutes.
 * Returns E_NOCELL without cells that stream.
 */
CS_API struct cs_error *cs_report_tour(
	const struct cs_cooked *world, struct cs_path **ret) CS_MUST_USE;

/*
 * Writes every table of the query as a table of an SQLite database, with the views that are
 * documented in it: cell_actors_of (cell, actor), always_loaded (actor, placement), by_level
 * (level, cells, actors).
 */
CS_API struct cs_error *cs_query_export(
	struct cs_query *query, const struct cs_job *job, const char *path) CS_MUST_USE;

CS_END_DECLS

#endif
