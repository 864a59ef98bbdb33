/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Comparisons: of our cook with the engine's, of a world with changed ones (what-ifs, sweeps), of
 * recorded runs of the game with a simulation; and reports.
 *
 * Compares our cook with the engine's cook of the same world: cell by cell, actor by actor, layer
 * by layer. A difference that a rule (cellscope/core.h) explains is reported with the number of the
 * rule.
 *
 * The engine's cook is read from one of three sources: a StreamingGeneration log (rules 4.3, ue
 * 7b), which lists all cells; the output of the engine's cooker, which also has GUIDs and layers;
 * or the HLOD actors that were saved with a map (rules 1.6.8, ue 7a), which name the cells that
 * they were built from and the actors of these cells.
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
	CS_COMPARE_RENAMED,     /* the two cooks have the object, under different names */
	CS_COMPARE_ONLY_OURS,   /* only our cook has the object */
	CS_COMPARE_ONLY_THEIRS, /* only the engine's cook has the object */
	CS_COMPARE_MOVED,       /* the actor is in different cells of the two cooks */
	CS_COMPARE_PACKAGE,     /* the package of the cell has another name */
	CS_COMPARE_BOX,         /* the cell has another size or position */
	CS_COMPARE_CONTENT,     /* the cell has the same actors, but its content has other bounds */
	CS_COMPARE_LAYERS,      /* a data layer splits the cell in only one of the cooks */
	CS_COMPARE_GUID,        /* the cell has another GUID */
	CS_COMPARE_CLASS,       /* one cook has a spatial hash, the other a hash set */
	CS_COMPARE_TWICE,       /* the engine lists the cell twice, or the actor in two cells */
	CS_COMPARE_CHANGES
};

/*
 * Verdicts on a difference between our cook and the engine's, from the best to the worst. The
 * verdict of a whole comparison is the worst verdict of its rows.
 */
enum cs_compare_verdict {
	CS_COMPARE_SAME,
	CS_COMPARE_BY_RULE,
	CS_COMPARE_STALE, /* listed only for an HLOD actor that was built from deleted actors */
	CS_COMPARE_UNEXPLAINED
};

struct cs_compare_row {
	enum cs_compare_kind kind;
	enum cs_compare_change change;
	enum cs_compare_verdict verdict; /* verdict on the difference, never CS_COMPARE_SAME */
	const char *name; /* name of the cell, actor or layer in our cook, or else the engine's */
	const char *ours, *theirs; /* cell or value in our and in the engine's cook, or NULL */
	const char *rule;          /* number of the rule that explains the difference, or NULL */
	const char *decided;  /* for an actor: number of the rule by which our cook placed it */
	uint32_t cell, actor; /* row of the cell and of the actor in our cook, or CS_NONE */
	/*
	 * grid, level and coordinates of a cell that only the engine has, parsed from the name of
	 * the cell. `grid` is NULL for other rows and for names that don't contain them.
	 */
	const char *grid;
	int32_t level;
	int64_t x, y;
};

struct cs_comparison {
	/* differences, sorted by kind and then in the order of the engine's cook */
	const struct cs_compare_row *rows;
	size_t n;
	size_t compared[CS_COMPARE_KINDS]; /* number of compared objects of each kind */
	size_t by_rule[CS_COMPARE_KINDS], unexplained[CS_COMPARE_KINDS];
	size_t all_by_rule, all_unexplained; /* sums of the counts over all kinds */
	size_t stale;                        /* number of rows with the verdict CS_COMPARE_STALE */
	enum cs_compare_verdict verdict;
};

/* The engine's cook of the world. One of the three sources is set, the other two are NULL. */
struct cs_engine_side {
	const struct cs_ue_log *log; /* the engine's StreamingGeneration log */
	/*
	 * output of the engine's cooker, opened by cs_ue_place_open_map: all cells with their
	 * actors, GUIDs and packages, data layers, and actors of the persistent level
	 */
	struct cs_cooked *cooked;
	/*
	 * the uncooked world that our cook was made from. The engine's cook is then known only from
	 * the HLOD actors of this world, each of which lists source actors of a cell. Actors that
	 * no HLOD actor lists are not compared
	 */
	const struct cs_world *source;
};

/*
 * Compares `cooked`, our cook, with `side`, the engine's. It loads the details of `cooked`.
 * `cooked` and `side` must outlive the comparison. Returns E_MISSING when `side` is a source
 * without HLOD actors.
 */
CS_API struct cs_error *cs_compare_engine(struct cs_cooked *cooked,
	const struct cs_engine_side *side, const struct cs_comparison **ret) CS_MUST_USE;
CS_API void cs_comparison_free(const struct cs_comparison *comparison);

/* ---- measures that rose from one cook to another ---- */

/* Number of measures of a cook. Smaller values of a measure are better. */
enum { CS_MEASURES = 16 };

struct cs_measure {
	const char *name; /* name of the measure, such as "fullest_cell" */
	const char *unit, *doc;
	double before, after; /* value in each cook; NAN when not known */
	double most, rise;    /* budget: largest allowed value and rise; NAN: none */
	/* name of the cell that has the value, in each cook, while the cook is open; or NULL */
	const char *cell_before, *cell_after;
	bool worse, breaks; /* whether the value rose; whether it exceeds the budget */
	bool unchecked;     /* a value that the budget needs is not known */
};

/*
 * Numbers of one cook that were measured in a run along a path, and by comparing that run with a
 * recorded run of the game. A number that is not known is NAN.
 */
struct cs_along {
	/* largest number of cells, and of bytes by the load model, in memory at one time */
	double peak_cells, peak_bytes;
	/*
	 * as in cs_real_sums: simulated visits in which the recorded run never showed the cell, or
	 * showed it later, and the largest delay in ms
	 */
	double never_cells, late_cells, late_ms;
};

/*
 * Computes the measures of two cooks, each with its standalone level instances: the sum or, for
 * measures of one cell, the largest value. Their actors must be loaded. `along` is NULL or an array
 * of two items, for `before` and `after`. `budgets` is NULL or the path of a JSON file with limits
 * by name of a measure: {"fullest_cell": 400, "errors": {"rise": 0}}. Returns E_JSON if the file is
 * malformed or contains a name that is not a measure.
 */
CS_API struct cs_error *cs_worse(struct cs_cooked *before, struct cs_cooked *after,
	const struct cs_along *along, const char *budgets,
	struct cs_measure rows[CS_MEASURES]) CS_MUST_USE;

/* ==== what-ifs: worlds with changes ==== */

/*
 * What-ifs: cooks of a world with changes. The source of a world is changed, cooked in memory, and
 * counted; the counts are compared with those of the unchanged source.
 *
 * The cost of a cook is one number, by which changes are ranked. Its unit is one actor in memory.
 * The cost is the mean over viewer positions, which are those of the world's own actors. Everything
 * within the loading range of a viewer counts as loaded, whatever the data layers are. A cell in
 * memory costs as much as CS_COST_CELL actors. Faults have a cost too: an actor that the engine
 * drops, an error or a warning of validation, an actor whose parent is not cooked.
 */

#define CS_COST_CELL    8.0  /* cost of a cell in memory: its package and its level */
#define CS_COST_LOST    20.0 /* cost of an actor that the engine drops */
#define CS_COST_ERROR   10.0
#define CS_COST_WARNING 3.0
#define CS_COST_ORPHAN  10.0 /* cost of an actor whose parent is not cooked */

enum { CS_COUNTED_LEVELS = 32 };

struct cs_whatif_counts {
	int64_t cells, streaming_cells, always_loaded_actors, cells_above_level_0;
	int64_t most_actors_in_a_cell; /* largest number of actors in a cell that streams */
	int64_t findings;              /* number of findings of all passes of validation */
	int64_t errors, warnings;      /* numbers of them in pass 0 (cs_cooked_finding.pass) */
	int64_t lost;                  /* number of actors that the engine drops */
	int64_t orphans; /* cooked actors whose parent is editor-only and therefore not cooked */
	/* number of streaming cells of each level; the last item also counts all higher levels */
	int64_t levels[CS_COUNTED_LEVELS];
	int64_t non_spatial;               /* streaming cells of level -1, which have no position */
	int64_t always[CS_ALWAYS_REASONS]; /* number of always loaded actors for each reason */
	uint32_t largest_cell;          /* row of the cell with most_actors_in_a_cell, or CS_NONE */
	double near_actors, near_cells; /* mean numbers loaded around a viewer position */
	double cost;
	/* results of a simulated run along a path; peak_cells is -1 when there was no path */
	int64_t peak_cells, peak_actors, peak_bytes, loads;
	/* numbers as in struct cs_stream_report */
	int64_t short_frames, slow_frames, critical_frames, stalls;
	double stall_ms;
};

struct cs_whatif;

/*
 * Creates an object that tries changes of a world. `now` was cooked from `source` with `options`.
 * `source`, `now`, `options` and `job` must outlive the result. Functions that try changes change
 * the source while they run and restore it before they return.
 */
CS_API struct cs_error *cs_whatif_new(struct cs_world *source, struct cs_cooked *now,
	const struct cs_cook_options *options, const struct cs_job *job,
	struct cs_whatif **ret) CS_MUST_USE;
CS_API void cs_whatif_free(struct cs_whatif *whatif);

/*
 * A cook of a changed world: the bytes of its file in memory, and the cook opened from them. The
 * caller closes `cooked` (cs_cooked_close), and then frees `bytes` with free().
 */
struct cs_whatif_world {
	struct cs_cooked *cooked;
	unsigned char *bytes;
	size_t size;
};

/*
 * Cooks the source with `n` changes. A change is "KEY=VALUE" for a setting of the world,
 * "GRID.KEY=VALUE" for a grid, "actor.NAME.KEY=VALUE" for an actor, or "profile=NAME". Returns
 * E_SETTING for a malformed change, an unknown key or an invalid value; E_NOGRID, E_NOACTOR or
 * E_AMBIGUOUS for a name that no grid, no actor or several actors have; and errors of cs_cook.
 */
CS_API struct cs_error *cs_whatif_cook(struct cs_whatif *whatif, const char *const *changes,
	size_t n, struct cs_whatif_world *ret) CS_MUST_USE;
/*
 * Works as cs_whatif_cook, but passes the cook to `visit` without encoding it as a file
 * (cs_cook_open). The cook is valid, and the source changed, only until `visit` returns. Also
 * returns the error of `visit`.
 */
CS_API struct cs_error *cs_whatif_visit(struct cs_whatif *whatif, const char *const *changes,
	size_t n, struct cs_error *(*visit)(void *context, struct cs_cooked *cooked),
	void *context) CS_MUST_USE;
/*
 * Computes the counts of `cooked`, whose actors it loads, at the positions of the actors in the
 * unchanged cook. If `path` is not NULL, also counts the loads of one player along the path.
 */
CS_API struct cs_error *cs_whatif_count(const struct cs_whatif *whatif, struct cs_cooked *cooked,
	const struct cs_path *path, struct cs_whatif_counts *ret) CS_MUST_USE;

/* ---- counts of two cooks side by side ---- */

enum { CS_WHATIF_NUMBERS = 19 };

/* A count in each of two cooks. */
struct cs_whatif_pair {
	char name[40]; /* name of the count: "cells", "level 2", "always: reference" */
	double before, after;
};

enum {
	CS_WHATIF_PAIRS =
		(int)CS_WHATIF_NUMBERS + 1 + (int)CS_COUNTED_LEVELS + (int)CS_ALWAYS_REASONS
};

/*
 * Fills in `rows` with the counts of both cooks and returns the number of rows. The counts of a run
 * are included only if `before` has them. The number of cells on a grid level and the number of
 * actors that are always loaded for a certain reason are left out if both cooks have none.
 */
CS_API size_t cs_whatif_pairs(const struct cs_whatif_counts *before,
	const struct cs_whatif_counts *after, struct cs_whatif_pair rows[CS_WHATIF_PAIRS]);

/* An actor that one cook always loads and the other does not. */
struct cs_always_change {
	/* true: only `after` always loads the actor; false: only `before` does */
	bool becomes;
	uint32_t actor;        /* row of the actor in the cook that always loads it */
	enum cs_always reason; /* why that cook always loads the actor */
};

/* Lists each actor that only one cook always loads; loads all actors. The caller frees the list. */
CS_API struct cs_error *cs_whatif_always_changes(struct cs_cooked *before, struct cs_cooked *after,
	struct cs_always_change **ret, size_t *n_ret) CS_MUST_USE;

/* ---- sweeps: settings tried at several values ---- */

enum { CS_SWEEP_RANGES = 2, CS_SWEEP_STEPS = 100 };

struct cs_sweep_range {
	const char *name; /* what is set: the KEY or GRID.KEY of a change */
	double first, last;
};

struct cs_sweep_options {
	size_t size; /* sizeof(struct cs_sweep_options); see cellscope/core.h */
	struct cs_sweep_range ranges[CS_SWEEP_RANGES];
	size_t n_ranges; /* number of ranges, 1 to CS_SWEEP_RANGES */
	/* number of values tried in each range, evenly from `first` to `last`; 2..CS_SWEEP_STEPS */
	size_t steps;
	const struct cs_path *path; /* path for the counts of a run, or NULL */
	/*
	 * number to minimize: one of the first CS_WHATIF_NUMBERS names that cs_whatif_pairs
	 * returns, such as "cells" or "cost", or "value" or "second", the setting of the first or
	 * second range. NULL means "peak_bytes" with a path, otherwise "cost"
	 */
	const char *best;
	const char *budget; /* "NAME=MOST,...": largest allowed value of each count, or NULL */
};

struct cs_sweep_row {
	double values[CS_SWEEP_RANGES]; /* value of each setting; NAN for an unused second range */
	struct cs_whatif_counts counts;
	double number; /* value of the count to minimize; NAN when not known */
	bool within;   /* whether all counts are within the budget */
	bool best;
};

struct cs_sweep {
	/* rows[i * across + j]: step i of range 1 and step j of range 2. The caller frees them */
	struct cs_sweep_row *rows;
	size_t n, down, across; /* n = down (steps of range 1) x across (of range 2) */
	size_t best;     /* index of the best row within the budget, SIZE_MAX when there is none */
	const char *key; /* name of the count to minimize */
	double most;     /* largest value of the count `key` in all rows, at least 0 */
};

/*
 * Cooks the world for every combination of values, and computes its counts each time. Returns
 * E_USAGE, before the first cook, for a wrong number of ranges or steps, an unknown name of a
 * count, and a budget of a count that needs a path. Other errors are those of cs_whatif_cook.
 */
CS_API struct cs_error *cs_sweep(struct cs_whatif *whatif, const struct cs_sweep_options *options,
	struct cs_sweep *ret) CS_MUST_USE;

/* ---- runs of two cooks along one path ---- */

/* A cook, and `n` console variables of its run: "s.LevelStreamingActorsUpdateTimeLimit=2". */
struct cs_run_side {
	const struct cs_cooked *cooked;
	const char *const *settings;
	size_t n;
};

/* A frame of the left run and the frame of the right run with the same number. */
struct cs_run_pair {
	struct cs_stream_frame left, right;
	uint32_t cells; /* number of cells whose states differ, or that only one cook has */
	/*
	 * whether `cells` is 0 and the two frames have equal numbers of loaded cells, actors, bytes
	 * and waiting cells, and equal work and stall times
	 */
	bool alike;
};

/*
 * A cell whose state differs between the two runs in a frame. `left` and `right` are row numbers of
 * the cell in the two cooked worlds, CS_NONE if that world does not have the cell.
 */
struct cs_run_parting {
	uint32_t left, right;
	enum cs_level_state left_state, right_state;
};

/*
 * Lists the sums of a run (struct cs_stream_report) in the order in which they are printed:
 * COUNT(MEMBER, MEANING, ...) for a number, where `...` initializes more members of struct
 * cs_column; TIME(KEY, MEMBER, MEANING) for a time (MEMBER in ns, KEY in ms).
 */
#define CS_STREAM_REPORT_SUMS(COUNT, TIME)                                                \
	COUNT(first_frame, "frame in which counting began")                               \
	COUNT(frames, "frames counted")                                                   \
	COUNT(loads, "number of levels that began to load")                               \
	COUNT(unloads, "number of levels that were unloaded")                             \
	COUNT(failures, "number of levels that could not be loaded")                      \
	COUNT(thrash, "number of levels that were unloaded soon after they were loaded")  \
	COUNT(short_frames, "number of frames whose budget did not reach all cells")      \
	COUNT(slow_frames, "number of frames with performance slow")                      \
	COUNT(critical_frames, "number of frames with performance critical or immediate") \
	COUNT(stalls, "number of frames that ended in a wait for streaming")              \
	TIME(stall_ms, stall_ns, "length of all waits together")                          \
	COUNT(skipped_frames, "number of frames in which nothing had to be evaluated")    \
	COUNT(peak_cells, "largest number of cells in memory")                            \
	COUNT(peak_actors, "largest number of actors in memory")                          \
	COUNT(peak_bytes, "largest number of bytes in memory, by the load model")         \
	COUNT(peak_frame, "frame in which peak_bytes was reached", .unit = "frame")       \
	COUNT(peak_waiting, "largest number of cells that waited for their turn")         \
	COUNT(peak_loading, "largest number of levels that were loading at once")

struct cs_run_difference {
	struct cs_run_pair *pairs; /* an item for each frame; the caller frees it */
	size_t n, differing;       /* number of frames, and of those with a differing cell */
	size_t unlike;             /* number of frames whose cs_run_pair.alike is false */
	uint64_t first;            /* first frame in which a cell differs, UINT64_MAX for none */
	/* frame that `partings` describes: the requested one, or `first` (0 when there is none) */
	uint64_t at;
	/* cells that differ in frame `at` (the caller frees them) */
	struct cs_run_parting *partings;
	size_t n_partings;
	struct cs_stream_report left, right;
};

/*
 * Runs one player along the path in both cooks, frame by frame, and compares the states of cells of
 * equal name. The computing time of a frame is in proportion to its events, not to the size of the
 * worlds. `at` is the frame whose differing cells are listed in `partings`, and 0 means the first
 * frame with a difference. Returns E_SETTING for a setting that is not NAME=VALUE, E_UNKNOWN for a
 * variable that does not exist, and E_NOFRAME for a frame beyond the path.
 */
CS_API struct cs_error *cs_run_compare(const struct cs_run_side *left,
	const struct cs_run_side *right, const struct cs_path *path, uint64_t at,
	const struct cs_job *job, struct cs_run_difference *ret) CS_MUST_USE;

/* ==== reports as HTML, SVG and SQLite ==== */

/*
 * Writes reports that can be read without cellscope: one HTML file with inline SVG, which has no
 * script, needs no network and can be printed; single maps and plots as SVG; all tables as an
 * SQLite database. Names from files are escaped for HTML, SVG or SQL.
 */

struct cs_report_input {
	struct cs_query *query; /* query over the world, and over the run if there is one */
	struct cs_cooked *world;
	const struct cs_stream *stream; /* the run, or NULL: no timeline and no states */
	const char *title;              /* title of the report; NULL means the name of the world */
	const char *source;             /* path of the file of the world, NULL when not known */
	int64_t written;          /* when `source` was last written, in seconds since 1970 UTC */
	struct cs_cooked *before; /* an earlier cook of the same world to compare with, or NULL */
	const struct cs_comparison *comparison; /* comparison with the engine's log, or NULL */
	const struct cs_comparison *cooked;     /* comparison with the cooker's output, or NULL */
	const struct cs_inspector *resources;   /* resources whose pages are drawn, or NULL */
};

/* Writes a report as an HTML file, which is replaced atomically. */
CS_API struct cs_error *cs_report_write(
	const struct cs_report_input *input, const char *path) CS_MUST_USE;
/* Writes one map as an SVG file, which is replaced atomically. Errors are those of cs_map_draw. */
CS_API struct cs_error *cs_map_svg(
	const struct cs_map_request *request, const char *title, const char *path) CS_MUST_USE;
/*
 * A plot of numbers that depend on two settings: one for the rows, another for the columns. With a
 * single column the numbers are drawn as bars. cs_field_svg replaces the file atomically.
 */
struct cs_field_plot {
	const double *values; /* numbers, row by row; a number that is not finite is left blank */
	size_t rows, columns;
	const char *title;
	/* value of the setting in the first and the last row and column */
	double first_row, last_row, first_column, last_column;
};

CS_API struct cs_error *cs_field_svg(
	const struct cs_field_plot *field, const char *path) CS_MUST_USE;

/*
 * Creates a path across the whole world: parallel lanes over the cells that stream, at half of the
 * height of their bounds. The speed is 2000 cm/s, or what is needed to finish in two minutes.
 * Returns E_NOCELL for a world without cells that stream. The caller frees the path.
 */
CS_API struct cs_error *cs_report_tour(
	const struct cs_cooked *world, struct cs_path **ret) CS_MUST_USE;

/*
 * Writes every table of the query into a new SQLite database, which replaces the file atomically.
 * The database of a world also has views, which its table `about` explains.
 */
CS_API struct cs_error *cs_query_export(
	struct cs_query *query, const struct cs_job *job, const char *path) CS_MUST_USE;

/* ==== recorded runs of the game ==== */

/*
 * Recorded runs of the game: reads files that the engine and the game wrote into tables, which can
 * be compared with the tables of a simulation.
 *
 *	struct cs_real *real;
 *	cs_real_new(&real);
 *	cs_real_read(real, "server.log", &job);
 *	cs_real_add_tables(query, real);
 *
 * The kind of a file is detected from its content, not its name: a CSV profile (packed or not), a
 * log, a memreport, a .tsv of level streaming, lines of JSON of the schema cellscope.run/1
 * (cellscope-format(5)), a .utrace. Values that a file doesn't contain are null, never zero, and
 * the column `missing` of run_files lists them. Times are seconds since a zero that run_files names
 * for each file.
 */

struct cs_real;

CS_API struct cs_error *cs_real_new(struct cs_real **ret) CS_MUST_USE;
CS_API void cs_real_free(struct cs_real *real);
/*
 * Adds the contents of a file. Returns E_MAGIC for content of an unknown kind. A truncated file is
 * not an error: its complete rows are added, and run_files contains the number of bytes that were
 * not read. After an error the tables are unchanged.
 */
CS_API struct cs_error *cs_real_read(
	struct cs_real *real, const char *file, const struct cs_job *job) CS_MUST_USE;
/* Removes all rows. The caller must have closed every struct cs_follow of `real` before. */
CS_API void cs_real_clear(struct cs_real *real);

/* ---- following files that grow ---- */

struct cs_follow;

/*
 * Reads a file while it grows, through rotation and truncation. The rows are those of cs_real_read.
 * "-" is standard input. ":PORT" or "ADDRESS:PORT" accepts TCP connections, one after the other, on
 * localhost if there is no address. Each file that replaces the first, and each connection, has a
 * row in run_files. Each table keeps its newest rows in about `keep` * 64 bytes; `keep` 0 means a
 * million. Returns E_IO, or E_USAGE for an invalid address.
 */
CS_API struct cs_error *cs_follow_open(
	struct cs_real *real, const char *what, uint64_t keep, struct cs_follow **ret) CS_MUST_USE;
/* Stops following. An incomplete last line is parsed as it is. NULL is allowed. */
CS_API void cs_follow_close(struct cs_follow *follow);

struct cs_follow_request {
	/* how many seconds to read: 0 only the present data, negative to the end of the file */
	double seconds;
	bool is_spell; /* with 0 seconds: returns after about 40 ms even if more data is present */
	/* run that gets a frame, with the source Player0, for each recorded position; or NULL */
	struct cs_stream *stream;
	struct cs_debug *debug; /* debugger whose stops end the reading, or NULL */
};

enum cs_follow_end {
	CS_FOLLOW_TIME, /* the requested seconds have passed */
	CS_FOLLOW_OVER, /* the file has ended */
	CS_FOLLOW_STOP, /* a stop has halted the run; the next call reads later data */
	CS_FOLLOW_INTERRUPTED,
};

struct cs_follow_news {
	enum cs_follow_end end;
	uint64_t bytes;      /* number of bytes that this call read */
	struct cs_halt halt; /* which breakpoint or watch halted, if `end` is CS_FOLLOW_STOP */
};

/*
 * Reads on, and waits for new data. When a cell of the stream's first world becomes visible in the
 * file, `debug` receives the event cell.late (CS_EVENT_LATE), whose detail is the time in ms from
 * the beginning of the cell's load, as the file states it. There is no event if the file does not
 * state that time.
 */
CS_API struct cs_error *cs_follow_run(struct cs_follow *follow,
	const struct cs_follow_request *request, const struct cs_job *job,
	struct cs_follow_news *ret) CS_MUST_USE;

/* ---- comparison with a simulation ---- */

/*
 * Sums over the visits of a comparison. A visit of a cell is a period in which it is loaded, from
 * the request to the unloading; the n-th recorded visit is compared with the n-th simulated one.
 */
struct cs_real_sums {
	double never;  /* simulated visits that show a cell where the recorded run never did */
	double late;   /* visits that the recorded run showed later than the simulation */
	double latest; /* largest delay of a visit that is counted in `late`, in ms */
	uint64_t unknown_cells; /* rows of run_cells whose name is not a cell of the first world */
	/* gap in s between the period of the frames and that of the cell states, 0: they overlap */
	double apart;
};

/*
 * Simulates the recorded frames in the first world of `model`, with the console variables of
 * `model`, and compares each recorded visit of a cell with the simulated one. The table run_pairs
 * receives the result, largest differences first. `offset` is added to the seconds of files without
 * frame numbers; NULL uses the clocks of the files. `ret` may be NULL. Returns E_NOFRAME when no
 * frame has a position.
 */
CS_API struct cs_error *cs_real_compare(struct cs_real *real, const struct cs_stream *model,
	const double *offset, const struct cs_job *job, struct cs_real_sums *ret) CS_MUST_USE;
/*
 * Fits the parameters of the load model to the durations in the files and stores them in the table
 * run_fits. Unless `dry`, it also sets the console variables of `model` to fitted values, as inputs
 * of the run, but only those whose values also predict the visits that were left out of the fit.
 * `offset` is as in cs_real_compare.
 */
CS_API struct cs_error *cs_real_fit(struct cs_real *real, struct cs_stream *model, bool dry,
	const double *offset, const struct cs_job *job) CS_MUST_USE;
/*
 * Adds the tables run_files, run_frames, run_cells, run_levels, run_sources, run_events,
 * run_objects, run_pairs, run_strips and run_fits. `real` must outlive the query.
 */
CS_API struct cs_error *cs_real_add_tables(
	struct cs_query *query, struct cs_real *real) CS_MUST_USE;

CS_END_DECLS

#endif
