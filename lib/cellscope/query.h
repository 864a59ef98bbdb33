/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables of rows, and SQL over them.
 *
 * The description of a table contains its columns (key, kind, heading, doc) and functions that
 * return the values. The listings of the program, JSON, CSV and the SQLite virtual table of the
 * same name are all generated from it. A query has tables and evaluates SQL over them: read-only,
 * without side effects, within limits, interruptible by its job, and with the same answer every
 * time (no time, no randomness).
 *
 * In SQL a missing value is NULL. Booleans are 0 and 1. GUIDs are 32 hexadecimal digits. A vector
 * `v` is a JSON array, and its coordinates are the columns v_x, v_y, v_z. A list is a JSON array of
 * texts. A name that is a keyword of SQL (references, order) is written in double quotes, or with a
 * trailing underscore (references_).
 */
#ifndef CELLSCOPE_QUERY_H
#define CELLSCOPE_QUERY_H

#include <cellscope/runs.h>

#include <string.h>

CS_BEGIN_DECLS

/* ---- values of columns ---- */

enum cs_kind {
	CS_KIND_NULL,
	CS_KIND_TEXT,    /* text as in its file; escape it for a terminal */
	CS_KIND_INTEGER, /* i64 */
	CS_KIND_NUMBER,  /* finite double */
	CS_KIND_BOOL,
	CS_KIND_GUID,
	CS_KIND_HEX, /* hash, id or colour, shown in hexadecimal */
	CS_KIND_VEC3,
	CS_KIND_QUAT,
	CS_KIND_LIST, /* list of texts or GUIDs */
};

struct cs_value;

struct cs_value_hex {
	uint64_t bits;
	unsigned digits;
};

/* A list of `n` items. `item` returns one of them; `source` and `items` are for `item` only. */
struct cs_value_list {
	const void *source, *items;
	uint32_t n;
	void (*item)(const struct cs_value *list, uint32_t index, struct cs_value *ret);
};

struct cs_value {
	enum cs_kind kind;
	union {
		const char *text; /* NUL-terminated; valid as long as the source of the value */
		int64_t integer;
		double number;
		bool yes;
		struct cs_guid guid;
		struct cs_value_hex hex;
		struct cs_vec3 vec3;
		struct cs_quat quat;
		struct cs_value_list list;
	};
};

/* These functions create a value. A NULL text and a number that is not finite become null. */
static inline struct cs_value cs_null(void)
{
	struct cs_value value = {CS_KIND_NULL, {NULL}};
	return value;
}

static inline struct cs_value cs_text(const char *text)
{
	struct cs_value value = {text ? CS_KIND_TEXT : CS_KIND_NULL, {text}};
	return value;
}

static inline struct cs_value cs_integer(int64_t integer)
{
	struct cs_value value = {CS_KIND_INTEGER, {NULL}};
	value.integer = integer;
	return value;
}

static inline struct cs_value cs_bool(bool yes)
{
	struct cs_value value = {CS_KIND_BOOL, {NULL}};
	value.yes = yes;
	return value;
}

static inline struct cs_value cs_guid_value(struct cs_guid guid)
{
	struct cs_value value = {CS_KIND_GUID, {NULL}};
	value.guid = guid;
	return value;
}

static inline struct cs_value cs_hex(uint64_t bits, unsigned digits)
{
	struct cs_value value = {CS_KIND_HEX, {NULL}};
	value.hex.bits = bits;
	value.hex.digits = digits;
	return value;
}

static inline struct cs_value cs_number(double number)
{
	struct cs_value value = {isfinite(number) ? CS_KIND_NUMBER : CS_KIND_NULL, {NULL}};
	value.number = number;
	return value;
}

static inline struct cs_value cs_vec3_value(struct cs_vec3 vec3)
{
	const bool finite = isfinite(vec3.x) && isfinite(vec3.y) && isfinite(vec3.z);
	struct cs_value value = {finite ? CS_KIND_VEC3 : CS_KIND_NULL, {NULL}};
	value.vec3 = vec3;
	return value;
}

/* A callback that receives a text in several parts, in order. */
typedef void cs_put(void *context, const char *bytes, size_t n);

/*
 * The forms in which values are printed. CS_FORM_TEXT and CS_FORM_ASCII are for people: safe for a
 * terminal (cs_escape), "-" for null, "yes" and "no", vectors as 1,2,3, lists joined by ", ",
 * numbers with nine significant digits. CS_FORM_JSON is for machines: plain ASCII, and parsing a
 * number returns the same double.
 */
enum cs_form {
	CS_FORM_TEXT,
	CS_FORM_ASCII, /* like CS_FORM_TEXT, with bytes above 0x7e escaped */
	CS_FORM_JSON,
	CS_FORM_XML, /* only for cs_text_put */
};

/* Formats a value in one of these forms, except CS_FORM_XML. */
CS_API void cs_value_put(
	const struct cs_value *value, enum cs_form form, cs_put *put, void *context);
/*
 * Formats a text. In JSON it is quoted, and each byte that is not UTF-8 becomes U+FFFD. In XML or
 * HTML it may be the content of an element or of a quoted attribute; the caller must escape control
 * characters before (cs_escape).
 */
CS_API void cs_text_put(
	const char *text, size_t length, enum cs_form form, cs_put *put, void *context);

/* ---- tables of rows ---- */

struct cs_column;

/* A row of a table, as the getter of a column receives it. */
struct cs_row {
	const void *source; /* source of the table, as passed to cs_query_add */
	const void *record; /* the record that the table's callback `row` returned */
	size_t index;
};

typedef void cs_column_get(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret);

struct cs_column {
	const char *key;   /* name of the column in JSON and SQL; never changes */
	const char *label; /* heading, or NULL for the key */
	const char *doc;
	const char *unit;  /* "cm", "ms", "frame" (a frame number); NULL: none, or part of `key` */
	enum cs_kind kind; /* kind of all values that are not null */
	unsigned flags;    /* CS_COLUMN_ bits */
	unsigned part;     /* part of the source that has the values; given to cs_table.load */
	cs_column_get *get;
	/* Parameters of the getter. */
	size_t offset;
	uint32_t argument;
	const char *const *names;
};

#define CS_COLUMN_SHORT   1u  /* listed in the short form, which has one line for each row */
#define CS_COLUMN_KEY     2u  /* users identify rows by the column; SQL compares with an index */
#define CS_COLUMN_INDEX   4u  /* SQL uses an index to join tables over the column */
#define CS_COLUMN_WORD    8u  /* has words of cellscope or names of partitions: SQL ignores case */
#define CS_COLUMN_PRESENT 16u /* listed in the short form if a row of the listing has a value */

struct cs_query;

struct cs_table {
	const char *name;     /* name of the SQL table: "cells" */
	const char *row_name; /* name of one row: "cell" */
	const char *doc;
	const struct cs_column *columns;
	size_t n_columns;
	enum cs_code missing; /* code of the error for a name that no row has */
	bool changes;         /* whether rows change between queries, so that no index is kept */
	/* Loads one part of the source, numbered from 0. NULL: nothing must be loaded. */
	struct cs_error *(*load)(const void *source, unsigned part);
	size_t (*count)(const void *source);
	const void *(*row)(const void *source, size_t index);
	/*
	 * Returns the source of the partition that contains a row, and converts the index to the
	 * row in that source. NULL: the table has only one source.
	 */
	const void *(*locate)(const void *source, size_t *index);
	/*
	 * Finds a row by a name that no key column has (cells: "L0:5,1"). Sets *ret to CS_NONE if
	 * the text is not such a name. May be NULL.
	 */
	struct cs_error *(*find)(struct cs_query *query, const struct cs_table *table,
		const void *source, const char *text, uint32_t *ret);
	const struct cs_getter *getters; /* fields that the getters read, or NULL */
	/*
	 * Called around a loop over many rows, like cs_cooked_pass(). NULL: not needed for this
	 * table.
	 */
	void (*pass)(struct cs_reading *reading, enum cs_pass what);
};

static inline const struct cs_column *cs_table_column(const struct cs_table *table, const char *key)
{
	for (size_t i = 0; i < table->n_columns; i++)
		if (strcmp(table->columns[i].key, key) == 0)
			return &table->columns[i];
	return NULL;
}

CS_API struct cs_value cs_table_get(const struct cs_table *table, const void *source, size_t row,
	const struct cs_column *column);

/* ---- queries over tables ---- */

/*
 * A variable of the user, written $name in expressions: a text, number, integer, boolean or null.
 */
struct cs_parameter {
	const char *name; /* name without the $ */
	struct cs_value value;
};

struct cs_parameters {
	const struct cs_parameter *at;
	size_t n;
};

CS_API struct cs_error *cs_query_new(struct cs_query **ret) CS_MUST_USE;
CS_API void cs_query_free(struct cs_query *query);
/* Sets the job that later calls check for interruption. It must outlive these calls. */
CS_API void cs_query_set_job(struct cs_query *query, const struct cs_job *job);
/* Adds a table and its source. Both must outlive the query. */
CS_API struct cs_error *cs_query_add(
	struct cs_query *query, const struct cs_table *table, const void *source) CS_MUST_USE;
struct cs_inspector;

/* Adds the tables of Nanite resources, which list those that are open at the time of a query. */
CS_API struct cs_error *cs_query_add_nanite(
	struct cs_query *query, struct cs_inspector *inspector) CS_MUST_USE;
/* Must be called after a resource was opened or closed: the query caches rows found by name. */
CS_API void cs_query_nanite_changed(struct cs_query *query);
/* Adds all tables of a cooked world. */
CS_API struct cs_error *cs_query_add_cooked(
	struct cs_query *query, struct cs_cooked *cooked) CS_MUST_USE;

/* Numbers of tables and partitions of a query. */
struct cs_query_counts {
	size_t tables, partitions;
	uint32_t focused; /* partition that all tables are restricted to; CS_NONE for none */
};

CS_API struct cs_query_counts cs_query_counts(const struct cs_query *query);

/* ---- world partitions ---- */

/*
 * Returns the number of world partitions. A table of a world (cells, actors, layers ...) lists the
 * rows of all partitions, the main partition first. Its column `partition` contains their names.
 * The standalone level instances of the cooked file are partitions from the beginning, in the order
 * in which a run numbers them.
 */
static inline size_t cs_query_partitions(const struct cs_query *query)
{
	return cs_query_counts(query).partitions;
}

/* Returns the cooked world of a partition and the name of the partition, which may be NULL. */
CS_API struct cs_cooked *cs_query_partition(
	const struct cs_query *query, uint32_t partition, const char **name_ret);
/*
 * Adds a partition as the last one. `cooked` must outlive the partition. If `name` is NULL,
 * `cooked` is added as a separate world with its standalone level instances, so that one query
 * covers several worlds.
 */
CS_API struct cs_error *cs_query_add_partition(
	struct cs_query *query, struct cs_cooked *cooked, const char *name) CS_MUST_USE;
/* Removes all partitions but the first `keep`. */
CS_API void cs_query_drop_partitions(struct cs_query *query, size_t keep);
/* Restricts the tables of worlds to the rows of one partition. CS_NONE lists all partitions. */
CS_API void cs_query_focus(struct cs_query *query, uint32_t partition);
static inline uint32_t cs_query_focused(const struct cs_query *query)
{
	return cs_query_counts(query).focused;
}

/*
 * Splits *row, which counts rows over all partitions, into the partition and its own row number.
 * For a table without partitions, *row stays the same and *partition is 0.
 */
CS_API void cs_query_place_row(const struct cs_query *query, const struct cs_table *table,
	uint32_t *row, uint32_t *partition);

static inline size_t cs_query_tables(const struct cs_query *query)
{
	return cs_query_counts(query).tables;
}

CS_API const struct cs_table *cs_query_table(
	const struct cs_query *query, size_t index, const void **source_ret);
/* Finds a table by its name. Returns NULL when the query has no such table. */
static inline const struct cs_table *cs_query_table_named(
	const struct cs_query *query, const char *name, const void **source_ret)
{
	*source_ret = NULL;
	for (size_t i = 0; i < cs_query_tables(query); i++) {
		const struct cs_table *table = cs_query_table(query, i, source_ret);
		if (strcmp(table->name, name) == 0)
			return table;
	}
	return NULL;
}
/* Calls `put` with a column's text in each row, NUL-terminated, valid only during that call. */
CS_API struct cs_error *cs_query_texts(struct cs_query *query, const struct cs_table *table,
	const struct cs_column *column, cs_put *put, void *context) CS_MUST_USE;

/*
 * Finds the rows that `text` names: by `find` of the table; or else the rows with this text in the
 * first key column that contains it; or else the same ignoring case. `room` limits the stored rows.
 */
CS_API struct cs_error *cs_query_find(struct cs_query *query, const struct cs_table *table,
	const char *text, uint32_t *rows, size_t room, size_t *n_ret) CS_MUST_USE;

/* Options of a listing. NULL and 0 mean that an option is not used. */
struct cs_listing {
	const char *where; /* condition in SQL over the columns */
	const char *sort;  /* "KEY,-KEY": columns to sort by; a minus means descending */
	uint64_t limit;    /* largest number of rows; 0 for all */
	struct cs_parameters variables;
	const char *partition;       /* name of the partition, for tables with that column */
	const char *scope;           /* a second condition, set by the program */
	struct cs_value scope_value; /* value of the variable $scope in `scope` */
};

/*
 * Returns the numbers of the rows that a listing selects, in its order; the caller frees them.
 * E_SQL contains the byte offset of a mistake in listing->where.
 */
CS_API struct cs_error *cs_query_rows(struct cs_query *query, const struct cs_table *table,
	const struct cs_listing *listing, uint32_t **rows_ret, size_t *n_ret) CS_MUST_USE;

/* The result of an SQL statement: a table of values. */
struct cs_result;
/* Runs an SQL statement. E_SQL contains the byte offset in `sql`. */
CS_API struct cs_error *cs_query_select(struct cs_query *query, const char *sql,
	struct cs_parameters variables, struct cs_result **ret) CS_MUST_USE;
/* Evaluates an SQL expression. The result has one row and one column. */
CS_API struct cs_error *cs_query_evaluate(struct cs_query *query, const char *expression,
	struct cs_parameters variables, struct cs_result **ret) CS_MUST_USE;
struct cs_result_view {
	const struct cs_table *table; /* columns of the result; `get` returns their values */
	size_t rows;
};

CS_API struct cs_result_view cs_result_view(const struct cs_result *result);

static inline const struct cs_table *cs_result_table(const struct cs_result *result)
{
	return cs_result_view(result).table;
}

static inline size_t cs_result_rows(const struct cs_result *result)
{
	return cs_result_view(result).rows;
}

CS_API struct cs_value cs_result_value(const struct cs_result *result, size_t row, size_t column);
CS_API void cs_result_free(struct cs_result *result);
/* Converts an integer, number or boolean (0 or 1). Returns false and keeps *ret for other kinds. */
static inline bool cs_value_number(const struct cs_value *value, double *ret)
{
	switch (value->kind) {
	case CS_KIND_INTEGER:
		*ret = (double)value->integer;
		return true;
	case CS_KIND_NUMBER:
		*ret = value->number;
		return true;
	case CS_KIND_BOOL:
		*ret = value->yes;
		return true;
	default:
		return false;
	}
}

/* Returns whether a value is true in SQL: a number that is not 0. */
static inline bool cs_value_is_true(const struct cs_value *value)
{
	double number;
	return cs_value_number(value, &number) && number != 0;
}

/* ---- the run that tables show ---- */

struct cs_pager;
/*
 * Sets the run that the tables show (states of cells and layers, sources, order, state_hash() and
 * frame()) and its paging of Nanite resources. NULL means none. Stream and pager must outlive the
 * query or be replaced.
 */
CS_API void cs_query_show(
	struct cs_query *query, struct cs_stream *stream, const struct cs_pager *pager);

/* ---- cells at positions ---- */

/* Returns the smallest grid cell of a main partition whose box contains the point, or CS_NONE. */
CS_API uint32_t cs_cooked_cell_at(const struct cs_cooked *cooked, struct cs_vec3 point);

/* ==== charts ==== */

/* Prepares numbers for drawing: histograms, bars, and curves with more values than columns. */

/* ---- the numbers in a column ---- */

/* The numbers among the values of a column. `least` and `most` are valid only if n > 0. */
struct cs_numbers {
	double *at;
	size_t n;
	double least, most;
};

/* Reads a numeric column (booleans as 0 and 1) in the order of `rows`. The caller frees ret->at. */
CS_API struct cs_error *cs_query_numbers(struct cs_query *query, const struct cs_table *table,
	const void *source, const struct cs_column *column, const uint32_t *rows, size_t n,
	struct cs_numbers *ret) CS_MUST_USE;

/* ---- bins of a histogram ---- */

#define CS_MOST_BINS 1000u

/* Counts the numbers from `from` to below `to`. The last bin also counts the largest number. */
struct cs_bin {
	double from, to;
	size_t count;
	double share; /* fraction of all numbers, 0..1 */
};

/*
 * Sorts numbers into at most `most` bins of equal width. The first bin begins at the smallest
 * number. For whole numbers the width is whole, or there is a bin for each value if they are few.
 * Without numbers there are no bins. The caller frees the bins. Returns E_USAGE when `most` is 0 or
 * above CS_MOST_BINS.
 */
CS_API struct cs_error *cs_bins(const struct cs_numbers *numbers, size_t most, struct cs_bin **ret,
	size_t *n_ret) CS_MUST_USE;
/* Returns the largest `count` of the n bins, or 0 if n is 0. */
static inline size_t cs_bins_fullest(const struct cs_bin *bins, size_t n)
{
	size_t fullest = 0;
	for (size_t i = 0; i < n; i++)
		fullest = bins[i].count > fullest ? bins[i].count : fullest;
	return fullest;
}

/*
 * Writes a bar of '#' and a NUL to `ret`, which has room for `width` + 1 bytes, and returns its
 * length. The value `most` has `width` marks, a smaller value above 0 proportionally fewer but at
 * least one, other values and NAN none.
 */
static inline size_t cs_bar(double value, double most, size_t width, char *ret)
{
	/* for counts, the product is exact, but the quotient value / most would be rounded */
	const double times = value * (double)width;
	const double part = isfinite(times) ? times / most : value / most * (double)width;
	const size_t n = !(value > 0 && most > 0)  ? 0
			 : !(part < (double)width) ? width
						   : (size_t)ceil(part);
	memset(ret, '#', n);
	ret[n] = '\0';
	return n;
}

/* ---- plots of a curve ---- */

/*
 * Returns the highest of the `n` values that are drawn in column `column` of `columns`, so that
 * peaks stay visible. If there are more columns than values, returns the nearest value. Values that
 * are not finite are ignored; the result is NAN when no value is finite.
 */
static inline double cs_highest(const double *values, size_t n, size_t column, size_t columns)
{
	const size_t first = column * n / columns, end = (column + 1) * n / columns;
	double highest = NAN;
	for (size_t i = first; i < end || (i == first && i < n); i++)
		if (isfinite(values[i]))
			highest = fmax(highest, values[i]);
	return highest;
}

/* A curve to draw. The axis is at 0, or at the smallest value if that is below 0. */
struct cs_plot {
	double *at;         /* highest value in each column, or NAN; the caller frees it */
	size_t columns;     /* number of columns; 0 when no value is finite */
	double least, most; /* values at bottom and top of the plot; `most` may be below 0 */
};

/* Computes the curve in at most `columns` columns, or in `n` columns if `n` is smaller. */
CS_API struct cs_error *cs_plot_init(
	const double *values, size_t n, size_t columns, struct cs_plot *ret) CS_MUST_USE;
/* Returns the value at the height `part` / `parts` of the plot. */
static inline double cs_plot_level(const struct cs_plot *plot, unsigned part, unsigned parts)
{
	const double share = (double)part / parts;
	const double top = plot->most > plot->least ? plot->most : plot->least + 1;
	return plot->least * (1 - share) + top * share;
}

/* Returns how many of `height` rows a column fills, rounded up to show any value above 0. */
static inline unsigned cs_plot_height(const struct cs_plot *plot, size_t column, unsigned height)
{
	/*
	 * Halve the values before subtracting, because the difference of large values may overflow.
	 */
	const double above = plot->at[column] / 2 - plot->least / 2;
	const double range = plot->most > plot->least ? plot->most / 2 - plot->least / 2 : .5;
	return above > 0 ? (unsigned)ceil(above / range * height) : 0;
}

/* ==== stops of a run ==== */

/*
 * A debugger of a run: it runs frames until a stop halts the run, or goes back to a stop.
 *
 *	struct cs_debug *debug;
 *	cs_debug_new(stream, query, &debug);
 *	struct cs_stop stop = {.moment = CS_MOMENT_CELL_LOAD, .expression = "bytes > 1e6"};
 *	cs_debug_add(debug, &stop, variables, &id);
 *	cs_debug_run(debug, &(struct cs_run_request){.frames = 1000}, NULL, &halt);
 *
 * A breakpoint halts the run after a frame in which its event happened and its condition was true.
 * The condition is an expression over the row of the event in the table `event`. A watch halts the
 * run when the value of its expression has changed since the previous frame. A display never halts
 * the run; the program prints its expression at every halt. Without enabled stops nothing is
 * evaluated.
 *
 * Stream and query must outlive the debugger, and the query must show the stream (cs_query_show).
 */

struct cs_debug;

CS_API struct cs_error *cs_debug_new(
	struct cs_stream *stream, struct cs_query *query, struct cs_debug **ret) CS_MUST_USE;
CS_API void cs_debug_free(struct cs_debug *debug);

/* ---- breakpoints, watches and displays ---- */

enum cs_stop_kind { CS_STOP_BREAK, CS_STOP_WATCH, CS_STOP_DISPLAY };

struct cs_stop {
	uint32_t id; /* number of the stop, from 1; never used again */
	enum cs_stop_kind kind;
	enum cs_moment moment;  /* BREAK: kind of event at which the stop halts */
	const char *expression; /* BREAK: condition, or NULL; else what is watched or displayed */
	const char *commands;   /* commands that the program runs at a halt, or NULL */
	uint64_t ignore;        /* number of hits that don't halt the run */
	uint64_t hits;
	bool enabled;
	bool once; /* whether the stop is deleted after it has halted the run */
};

/*
 * Adds an enabled stop with the kind, moment, expression, once and commands of `stop`. E_SQL
 * contains the byte offset in the expression. Variables in the expression keep the values that they
 * have in `variables`.
 */
CS_API struct cs_error *cs_debug_add(struct cs_debug *debug, const struct cs_stop *stop,
	struct cs_parameters variables, uint32_t *id_ret) CS_MUST_USE;
/* Returns the stop at an index in ascending order of ids, or NULL after the last one. */
CS_API const struct cs_stop *cs_debug_stop_at(const struct cs_debug *debug, size_t index);
/*
 * Changes the stop that has the id of `stop`: its members expression, commands, ignore, enabled and
 * once become those of `stop`, a changed copy of it. If `expression` is another pointer than in the
 * original, the condition is compiled again with `variables`. Returns E_MISSING for an
 * unknown id, and E_USAGE for a new condition of a stop that is not a breakpoint.
 */
CS_API struct cs_error *cs_debug_set(struct cs_debug *debug, const struct cs_stop *stop,
	struct cs_parameters variables) CS_MUST_USE;
/* Deletes a stop. Returns E_MISSING for an id that does not exist. */
CS_API struct cs_error *cs_debug_delete(struct cs_debug *debug, uint32_t id) CS_MUST_USE;

/* Evaluates a watch or a display. A text in the value is valid until the next call. */
CS_API struct cs_error *cs_debug_value(
	struct cs_debug *debug, uint32_t id, struct cs_value *ret) CS_MUST_USE;

/* ---- running to a stop ---- */

/*
 * Returns the last frame before the current one with an event that is a change, or 0 when the event
 * log has none. With `turns` only rare events count: a layer, a stall, a change of streaming
 * performance, a failed load, a hole, a world that was registered or removed, a full pool, lower
 * quality of meshes.
 */
CS_API uint64_t cs_debug_frame_before(const struct cs_stream *stream, bool turns);

enum cs_halt_reason {
	CS_HALT_DONE,        /* all requested frames have run */
	CS_HALT_STOP,        /* a stop halted the run */
	CS_HALT_UNTIL,       /* the condition `until` is true */
	CS_HALT_CHANGE,      /* a frame had a change (to_change) or a rare event (to_turn) */
	CS_HALT_IDLE,        /* `idle` frames had no event */
	CS_HALT_BEGIN,       /* going back: no stop halts the run in the recorded history */
	CS_HALT_INTERRUPTED, /* the job interrupted the run */
};

struct cs_run_request {
	uint64_t frames; /* largest number of frames to run, or to go back */
	/*
	 * Goes back to the last frame at which a stop would have halted the run, or else to the
	 * first frame of the history. Only the field `frames` is used besides this. Going back
	 * ignores `ignore` and `once` of stops, and counts no hits. After an error, such as that of
	 * a condition, the stream is in the frame where it was before.
	 */
	bool back;
	bool to_change; /* halts after a frame in which a cell, layer or HLOD changed */
	/* halts after a frame with a rare event, such as a failed load (cs_debug_frame_before) */
	bool to_turn;
	uint64_t idle;     /* halts after this many frames without an event; 0: never */
	const char *until; /* SQL condition: halts when it is true; or NULL */
	struct cs_parameters variables;
};

enum { CS_HALT_TEXT = 64 };

struct cs_halt {
	enum cs_halt_reason reason;
	uint64_t frames; /* number of frames that were run, or gone back */
	/* STOP: the first stop that halted the run in this frame, with its members at that time. */
	uint32_t stop;
	enum cs_stop_kind kind;
	enum cs_moment moment;
	uint64_t hits;
	bool deleted;                 /* whether the stop was deleted, because of `once` */
	struct cs_stream_event event; /* BREAK: the event; none for CS_MOMENT_FRAME */
	char before[CS_HALT_TEXT];    /* WATCH: old and new value, shortened if they are long */
	char after[CS_HALT_TEXT];
	uint32_t others;      /* number of further stops that halted the run */
	const char *commands; /* commands of the stop, or NULL; valid until the next run */
};

/* Runs frames until a halt. An error, such as that of an expression, does not undo frames. */
CS_API struct cs_error *cs_debug_run(struct cs_debug *debug, const struct cs_run_request *request,
	const struct cs_job *job, struct cs_halt *ret) CS_MUST_USE;

/* ---- changes between two moments ---- */

/* The states of all cells of a run at one moment. */
struct cs_states;

struct cs_state_change {
	struct cs_stream_cell cell;
	enum cs_map_state from, to; /* CS_MAP_UNLOADED also if the cell doesn't exist */
	enum cs_reason reason;      /* why the cell is not loaded, else the rule that decided */
	bool in_range;              /* whether a streaming source reaches the cell */
	double spatial;             /* spatial value, the fourth sort key of loading; -1 for none */
	uint64_t bytes;             /* size in bytes by the load model */
};

/* Copies the current states of all cells into one block of memory, which the caller frees. */
CS_API struct cs_error *cs_states_take(
	const struct cs_stream *stream, struct cs_states **ret) CS_MUST_USE;
/*
 * Lists the cells whose state differs from `before`, ascending by world and cell. A change between
 * waiting and not waiting to be loaded is not listed. The caller frees the list.
 */
CS_API struct cs_error *cs_states_changes(const struct cs_stream *stream,
	const struct cs_states *before, struct cs_state_change **ret, size_t *n_ret) CS_MUST_USE;

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
 * log, a memreport, a .tsv of level streaming, lines of JSON of the schema cellscope.run/1, a
 * .utrace. Values that a file doesn't contain are null, never zero, and the column `missing` of
 * run_files lists them. Times are seconds since a zero that run_files names for each file.
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
/* Removes all rows of recordings, after closing the files that are followed. */
CS_API void cs_real_clear(struct cs_real *real);

/* ---- following files that grow ---- */

struct cs_follow;

/*
 * Reads a file while it grows, through rotation and truncation. The rows are those of cs_real_read.
 * "-" is standard input. ":PORT" or "ADDRESS:PORT" accepts TCP connections, one after the other, on
 * localhost if there is no address. Each file that replaces the first, and each connection, has a
 * row in run_files. `keep` is the number of rows that each table keeps, the newest ones; a row is
 * 64 bytes, and 0 means a million rows. Returns E_IO, or E_USAGE for an invalid address.
 */
CS_API struct cs_error *cs_follow_open(
	struct cs_real *real, const char *what, uint64_t keep, struct cs_follow **ret) CS_MUST_USE;
/* Stops following. An incomplete last line is parsed as it is. NULL is allowed. */
CS_API void cs_follow_close(struct cs_follow *follow);

struct cs_follow_request {
	double seconds;           /* how long to read; 0: only present data; negative: to the end */
	bool is_spell;            /* with 0 seconds: returns after 40 ms at the latest */
	struct cs_stream *stream; /* runs a frame for each position of Player0; or NULL */
	struct cs_debug *debug;   /* a stop of this debugger ends the reading; or NULL */
};

enum cs_follow_end {
	CS_FOLLOW_TIME, /* the requested seconds have passed */
	CS_FOLLOW_OVER, /* the file has ended */
	CS_FOLLOW_STOP, /* a stop has halted the run; the next call reads later data */
	CS_FOLLOW_INTERRUPTED,
};

struct cs_follow_news {
	enum cs_follow_end end;
	uint64_t bytes;
	struct cs_halt halt; /* the halt, if `end` is CS_FOLLOW_STOP */
};

/*
 * Reads on, and waits for new data. When a cell of the stream's first world becomes visible in the
 * file, it causes the event cell.late, which contains how many ms it took since the request.
 */
CS_API struct cs_error *cs_follow_run(struct cs_follow *follow,
	const struct cs_follow_request *request, const struct cs_job *job,
	struct cs_follow_news *ret) CS_MUST_USE;

/* ---- comparison with a simulation ---- */

/* Sums over visits (periods of a wanted cell): never shown, shown late, and largest delay in ms. */
struct cs_real_sums {
	double never, late, latest;
	uint64_t unknown_cells; /* rows of run_cells whose name is not a cell of the first world */
	double apart; /* seconds between the frames and the states of cells; 0 = they overlap */
};

/*
 * Simulates the recorded frames in the first world of `model`, with the console variables of
 * `model`, and compares each recorded visit of a cell (a period in which it was loaded) with the
 * simulated visit. The table run_pairs receives the result, largest differences first. `offset` is
 * added to the seconds of files without frame numbers; NULL uses the clocks of the files. `ret` may
 * be NULL. Returns E_NOFRAME when no frame has a position.
 */
CS_API struct cs_error *cs_real_compare(struct cs_real *real, const struct cs_stream *model,
	const double *offset, const struct cs_job *job, struct cs_real_sums *ret) CS_MUST_USE;
/*
 * Fits the parameters of the load model to the durations in the files and stores them in the table
 * run_fits. Unless `dry`, it also sets the variables of `model`, as an input of the run would, but
 * only those whose fitted values also predict the visits (periods in which a cell was loaded) that
 * were left out of the fit.
 */
CS_API struct cs_error *cs_real_fit(struct cs_real *real, struct cs_stream *model, bool dry,
	const double *offset, const struct cs_job *job) CS_MUST_USE;
/* Adds the tables run_*: files, frames, cells, levels, sources, events, pairs, strips and fits. */
CS_API struct cs_error *cs_real_add_tables(
	struct cs_query *query, struct cs_real *real) CS_MUST_USE;

CS_END_DECLS

#endif
