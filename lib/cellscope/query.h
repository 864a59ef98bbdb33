/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every table as rows, and SQL over them.
 *
 * A table is described once: its columns (key, kind, heading, doc) and how to get a value. The
 * listings of the program, JSON, CSV and the SQLite virtual table of the same name follow from the
 * description. A query has tables and evaluates SQL over them: read-only, without side effects,
 * within limits, interruptible by its job, and with the same answer every time (no time, no
 * randomness).
 *
 * In SQL a NULL is a missing value. Booleans are 0 and 1. GUIDs are 32 hexadecimal digits. A vector
 * `v` is a JSON array, and its coordinates are v_x, v_y, v_z. A list is a JSON array of texts. A
 * name that is a keyword of SQL (references, order) is written in double quotes, or with a trailing
 * underscore (references_).
 */
#ifndef CELLSCOPE_QUERY_H
#define CELLSCOPE_QUERY_H

#include <cellscope/runs.h>

#include <string.h>

CS_BEGIN_DECLS

/* ---- values ---- */

enum cs_kind {
	CS_KIND_NULL,
	CS_KIND_TEXT,    /* text as in the file, not safe for a terminal */
	CS_KIND_INTEGER, /* i64 */
	CS_KIND_NUMBER,  /* finite double */
	CS_KIND_BOOL,
	CS_KIND_GUID,
	CS_KIND_HEX, /* a hash, an id or a colour */
	CS_KIND_VEC3,
	CS_KIND_QUAT,
	CS_KIND_LIST, /* list of texts or GUIDs */
};

struct cs_value;

struct cs_value_hex {
	uint64_t bits;
	unsigned digits;
};

/* A list, whose items are read one by one. */
struct cs_value_list {
	const void *source, *items;
	uint32_t n;
	void (*item)(const struct cs_value *list, uint32_t index, struct cs_value *ret);
};

struct cs_value {
	enum cs_kind kind;
	union {
		const char *text; /* NUL-terminated; lives as long as its source */
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

/* Constructors. A text that is NULL, and a number that is not finite, become null. */
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

/* Receives the pieces of a text one after the other. */
typedef void cs_put(void *context, const char *bytes, size_t n);

/*
 * The forms of a text. CS_FORM_TEXT and CS_FORM_ASCII are for people: safe for a terminal
 * (cs_escape), "-" for null, "yes" and "no", vectors as 1,2,3, lists joined by ", ", numbers with
 * nine significant digits. CS_FORM_JSON is for machines: plain ASCII, and numbers read back as the
 * same double.
 */
enum cs_form {
	CS_FORM_TEXT,
	CS_FORM_ASCII, /* bytes above 0x7e are escaped as well */
	CS_FORM_JSON,
	CS_FORM_XML, /* only for texts */
};

/* Formats a value as text or JSON. */
CS_API void cs_value_put(
	const struct cs_value *value, enum cs_form form, cs_put *put, void *context);
/*
 * Formats a text. As JSON it has quotes, and a byte that is not UTF-8 becomes U+FFFD. As XML or
 * HTML it fits into an element or between quotes, and the caller escapes what is unsafe before.
 */
CS_API void cs_text_put(
	const char *text, size_t length, enum cs_form form, cs_put *put, void *context);

/* ---- tables ---- */

struct cs_column;

/* A row of a table, for the getter of a column. */
struct cs_row {
	const void *source; /* source of the table */
	const void *record; /* the result of the table's `row` */
	size_t index;
};

typedef void cs_column_get(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret);

struct cs_column {
	const char *key;   /* name in JSON and SQL; never renamed */
	const char *label; /* heading; NULL: the key */
	const char *doc;
	const char *unit;  /* "cm", "ms"; "frame" for a number of a frame; NULL for none, or where
			      the key names it */
	enum cs_kind kind; /* kind of the values that are not null */
	unsigned flags;    /* CS_COLUMN_ bits */
	unsigned part;     /* number of the part that `load` must have loaded */
	cs_column_get *get;
	/* The arguments of the getter. */
	size_t offset;
	uint32_t argument;
	const char *const *names;
};

#define CS_COLUMN_SHORT   1u  /* part of the short form, which has one line for each row */
#define CS_COLUMN_KEY     2u  /* users name rows by the column; equality uses an index */
#define CS_COLUMN_INDEX   4u  /* joins over the column use an index */
#define CS_COLUMN_WORD    8u  /* words of this program, names of partitions: no case in SQL */
#define CS_COLUMN_PRESENT 16u /* part of the short form when a row of the listing has a value */

struct cs_query;

struct cs_table {
	const char *name;     /* name of the SQL table: "cells" */
	const char *row_name; /* name of a row, in schema names and functions: "cell" */
	const char *doc;
	const struct cs_column *columns;
	size_t n_columns;
	enum cs_code missing; /* error code when a name means no row */
	bool changes;         /* the table's rows change between queries, so no index is kept */
	/* Loads part 0, 1, ... of the source. NULL when everything is loaded. */
	struct cs_error *(*load)(const void *source, unsigned part);
	size_t (*count)(const void *source);
	const void *(*row)(const void *source, size_t index);
	/*
	 * For a table over several partitions: returns the source for the getters of a row, and
	 * changes the index to that within the source. NULL: the source itself.
	 */
	const void *(*locate)(const void *source, size_t *index);
	/*
	 * Finds a row by another name than its key (cells: "L0:5,1"). Sets *ret to CS_NONE when the
	 * text is no such name. May be NULL.
	 */
	struct cs_error *(*find)(struct cs_query *query, const struct cs_table *table,
		const void *source, const char *text, uint32_t *ret);
	const struct cs_getter *getters; /* fields read by the table's own getters, or NULL */
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

/* ---- queries ---- */

/*
 * A variable of the user, $name in an expression. It may be a text, number, integer, boolean or
 * null.
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
/* Sets the job of later calls, which asks whether to continue and must outlive them. */
CS_API void cs_query_set_job(struct cs_query *query, const struct cs_job *job);
/* Adds a table. Table and source must outlive the query. */
CS_API struct cs_error *cs_query_add(
	struct cs_query *query, const struct cs_table *table, const void *source) CS_MUST_USE;
struct cs_inspector;

/*
 * Adds the tables of Nanite resources. They list the resources that are open at the time of the
 * query.
 */
CS_API struct cs_error *cs_query_add_nanite(
	struct cs_query *query, struct cs_inspector *inspector) CS_MUST_USE;
/*
 * Must be called when a resource was opened or closed, because rows that were found by name are
 * cached.
 */
CS_API void cs_query_nanite_changed(struct cs_query *query);
/* Adds all tables of a cooked world. */
CS_API struct cs_error *cs_query_add_cooked(
	struct cs_query *query, struct cs_cooked *cooked) CS_MUST_USE;

/* How many items of each kind a query has. */
struct cs_query_counts {
	size_t tables, partitions;
	uint32_t focused; /* the only partition whose rows the tables list; CS_NONE for all */
};

CS_API struct cs_query_counts cs_query_counts(const struct cs_query *query);

/* ---- world partitions ---- */

/*
 * Returns the number of partitions. A table of records of a world (cells, actors, layers ...) lists
 * those of all its partitions, the main one first, and the column `partition` names it. Standalone
 * level instances of the cooked file are there from the beginning, in the order in which a run
 * numbers them.
 */
static inline size_t cs_query_partitions(const struct cs_query *query)
{
	return cs_query_counts(query).partitions;
}

/* Returns the cooked world of a partition, and its name, which may be NULL. */
CS_API struct cs_cooked *cs_query_partition(
	const struct cs_query *query, uint32_t partition, const char **name_ret);
/*
 * Adds a partition after all others. `cooked` outlives it. Without a name it is a world of its own
 * with its standalone level instances, and several worlds form one catalogue.
 */
CS_API struct cs_error *cs_query_add_partition(
	struct cs_query *query, struct cs_cooked *cooked, const char *name) CS_MUST_USE;
/* Removes all partitions but the first `keep`. */
CS_API void cs_query_drop_partitions(struct cs_query *query, size_t keep);
/* Makes these tables list the rows of one partition only. CS_NONE lists all again. */
CS_API void cs_query_focus(struct cs_query *query, uint32_t partition);
static inline uint32_t cs_query_focused(const struct cs_query *query)
{
	return cs_query_counts(query).focused;
}

/* Converts a row of all partitions into the row of its partition. */
CS_API void cs_query_place_row(const struct cs_query *query, const struct cs_table *table,
	uint32_t *row, uint32_t *partition);

static inline size_t cs_query_tables(const struct cs_query *query)
{
	return cs_query_counts(query).tables;
}

CS_API const struct cs_table *cs_query_table(
	const struct cs_query *query, size_t index, const void **source_ret);
/* Returns NULL when there is no such table. */
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
/* Puts the texts of a column row by row, with a NUL behind each, which is valid during its call. */
CS_API struct cs_error *cs_query_texts(struct cs_query *query, const struct cs_table *table,
	const struct cs_column *column, cs_put *put, void *context) CS_MUST_USE;

/*
 * Finds the rows that `text` names: those of the table's own syntax, or else those of the first key
 * column that has exactly this text, or else those of the first that has it in another case.
 */
CS_API struct cs_error *cs_query_find(struct cs_query *query, const struct cs_table *table,
	const char *text, uint32_t *rows, size_t room, size_t *n_ret) CS_MUST_USE;

/* The options of a listing. NULL and 0 mean none. */
struct cs_listing {
	const char *where; /* an expression over the columns */
	const char *sort;  /* "KEY,-KEY": columns, with a minus for descending */
	uint64_t limit;    /* the most rows; 0 for all */
	struct cs_parameters variables;
	const char *partition;       /* partition of a table with that column; NULL for all */
	const char *scope;           /* a condition that the program adds to `where` */
	struct cs_value scope_value; /* $scope in that condition */
};

/* Lists the rows in order. The caller frees them. E_SQL contains the byte offset in `where`. */
CS_API struct cs_error *cs_query_rows(struct cs_query *query, const struct cs_table *table,
	const struct cs_listing *listing, uint32_t **rows_ret, size_t *n_ret) CS_MUST_USE;

/* The answer of a statement, which is a table. */
struct cs_result;
/* Runs a statement. E_SQL contains the byte offset in `sql`. */
CS_API struct cs_error *cs_query_select(struct cs_query *query, const char *sql,
	struct cs_parameters variables, struct cs_result **ret) CS_MUST_USE;
/* Evaluates an expression: the answer has one row and one column. */
CS_API struct cs_error *cs_query_evaluate(struct cs_query *query, const char *expression,
	struct cs_parameters variables, struct cs_result **ret) CS_MUST_USE;
struct cs_result_view {
	const struct cs_table *table; /* names columns of the result, and gets values from it */
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
/*
 * Converts integers, numbers, and booleans as 0 and 1. Returns false for other values and leaves
 * *ret unchanged.
 */
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

/* ---- streaming ---- */

struct cs_pager;
/*
 * Sets the run that the tables show from now on (states of cells and layers, sources, order,
 * state_hash() and frame()), and its page streaming. NULL means none. Both must outlive the query
 * or be removed.
 */
CS_API void cs_query_show(
	struct cs_query *query, struct cs_stream *stream, const struct cs_pager *pager);

/* ---- places ---- */

/* Returns the smallest grid cell of a main partition whose box contains the point, or CS_NONE. */
CS_API uint32_t cs_cooked_cell_at(const struct cs_cooked *cooked, struct cs_vec3 point);

/* ==== charts ==== */

/*
 * Prepares numbers for drawing: the distribution of a column's values over bins, bars, and curves
 * of more values than there is room for.
 */

/* ---- numbers ---- */

/* The values of the rows that have one. When n is 0, `least` and `most` have no meaning. */
struct cs_numbers {
	double *at;
	size_t n;
	double least, most;
};

/*
 * Reads the numbers of one column, in the order of `rows`: integers, numbers, booleans as 0 and 1.
 * The caller frees `at`.
 */
CS_API struct cs_error *cs_query_numbers(struct cs_query *query, const struct cs_table *table,
	const void *source, const struct cs_column *column, const uint32_t *rows, size_t n,
	struct cs_numbers *ret) CS_MUST_USE;

/* ---- bins ---- */

#define CS_MOST_BINS 1000u

/* Counts numbers from `from` on and below `to`. The last bin also counts the largest number. */
struct cs_bin {
	double from, to;
	size_t count;
	double share; /* share of all numbers, 0..1 */
};

/*
 * Makes at most `most` bins of one width, with the smallest number at the beginning of the first.
 * The caller frees them. Whole numbers get bins of a whole width, or one each where there are few.
 * Without numbers there are no bins. Returns E_USAGE when `most` is 0 or more than CS_MOST_BINS.
 */
CS_API struct cs_error *cs_bins(const struct cs_numbers *numbers, size_t most, struct cs_bin **ret,
	size_t *n_ret) CS_MUST_USE;
/* Returns the count of the fullest bin, 0 without bins. */
static inline size_t cs_bins_fullest(const struct cs_bin *bins, size_t n)
{
	size_t fullest = 0;
	for (size_t i = 0; i < n; i++)
		fullest = bins[i].count > fullest ? bins[i].count : fullest;
	return fullest;
}

/*
 * Makes a bar of '#': `width` of them for `most` and proportionally fewer for less, at least one
 * for a value above 0, and none for other values and NAN. `ret` has room for `width` and a NUL.
 * Returns the length.
 */
static inline size_t cs_bar(double value, double most, size_t width, char *ret)
{
	const double times = value * (double)width; /* exact for counts, unlike value / most */
	const double part = isfinite(times) ? times / most : value / most * (double)width;
	const size_t n = !(value > 0 && most > 0)  ? 0
			 : !(part < (double)width) ? width
						   : (size_t)ceil(part);
	memset(ret, '#', n);
	ret[n] = '\0';
	return n;
}

/* ---- plots ---- */

/*
 * Returns the highest of the `n` values that share a column of `columns`, because users look for
 * peaks. Where there are more columns than values it is the nearest value. Values that are not
 * finite are ignored, and the result is NAN where there is no other.
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

/* Values over columns, above an axis at 0, or at the smallest value where that is below 0. */
struct cs_plot {
	double *at;     /* the highest value of each column, NAN for none; freed by the caller */
	size_t columns; /* 0 when no value is finite */
	double least, most; /* ends of the axis; `most`, the greatest value, may be below 0 */
};

/* Makes at most `columns` columns, one for each value where there is room. */
CS_API struct cs_error *cs_plot_init(
	const double *values, size_t n, size_t columns, struct cs_plot *ret) CS_MUST_USE;
/* Returns the value at `part` of `parts` of the height. */
static inline double cs_plot_level(const struct cs_plot *plot, unsigned part, unsigned parts)
{
	const double share = (double)part / parts;
	const double top = plot->most > plot->least ? plot->most : plot->least + 1;
	return plot->least * (1 - share) + top * share;
}

/*
 * Returns how high a column is, of `height`. It is rounded up, so that any value above the axis is
 * visible.
 */
static inline unsigned cs_plot_height(const struct cs_plot *plot, size_t column, unsigned height)
{
	/*
	 * The values are halved before subtracting, because their difference may overflow to
	 * infinity.
	 */
	const double above = plot->at[column] / 2 - plot->least / 2;
	const double range = plot->most > plot->least ? plot->most / 2 - plot->least / 2 : .5;
	return above > 0 ? (unsigned)ceil(above / range * height) : 0;
}

/* ==== stops ==== */

/*
 * A debugger of a run: stops that halt it, and running to them, forward and back.
 *
 *	struct cs_debug *debug;
 *	cs_debug_new(stream, query, &debug);
 *	struct cs_stop stop = {.moment = CS_MOMENT_CELL_LOAD, .expression = "bytes > 1e6"};
 *	cs_debug_add(debug, &stop, variables, &id);
 *	cs_debug_run(debug, &(struct cs_run_request){.frames = 1000}, NULL, &halt);
 *
 * A breakpoint halts at the end of a frame in which its event happened and its condition was true.
 * The condition is an expression over the row of the table `event`. A watch halts when the value of
 * its expression differs from that after the previous frame. A display never halts: a front shows
 * its expression wherever the run halts. A frame without enabled stops evaluates nothing.
 *
 * The stream and the query (which must show the stream) outlive the debugger.
 */

struct cs_debug;

CS_API struct cs_error *cs_debug_new(
	struct cs_stream *stream, struct cs_query *query, struct cs_debug **ret) CS_MUST_USE;
CS_API void cs_debug_free(struct cs_debug *debug);

/* ---- stops ---- */

enum cs_stop_kind { CS_STOP_BREAK, CS_STOP_WATCH, CS_STOP_DISPLAY };

struct cs_stop {
	uint32_t id; /* ascending from 1, never used again */
	enum cs_stop_kind kind;
	enum cs_moment moment;  /* BREAK: kind of event that halts */
	const char *expression; /* BREAK: the condition, or NULL; else the watched expression */
	const char *commands;   /* lines for the front to run at a halt, or NULL */
	uint64_t ignore;        /* number of hits to ignore */
	uint64_t hits;
	bool enabled;
	bool once; /* whether the stop is deleted when it halts the run */
};

/*
 * Adds an enabled stop with the kind, moment, expression, once and commands of `stop`. E_SQL
 * contains the byte offset in the expression. $variables keep their current values.
 */
CS_API struct cs_error *cs_debug_add(struct cs_debug *debug, const struct cs_stop *stop,
	struct cs_parameters variables, uint32_t *id_ret) CS_MUST_USE;
/* Returns a stop, in the order of their ids, or NULL behind the last. */
CS_API const struct cs_stop *cs_debug_stop_at(const struct cs_debug *debug, size_t index);
/*
 * Changes the condition, commands, ignore, enabled and once of a stop to those of `stop`, a changed
 * copy of it. A condition with another pointer is compiled with the variables. Returns E_MISSING
 * for an id that does not exist, and E_USAGE for a condition of a stop that is no breakpoint.
 */
CS_API struct cs_error *cs_debug_set(struct cs_debug *debug, const struct cs_stop *stop,
	struct cs_parameters variables) CS_MUST_USE;
/* Deletes a stop. Returns E_MISSING for an id that does not exist. */
CS_API struct cs_error *cs_debug_delete(struct cs_debug *debug, uint32_t id) CS_MUST_USE;

/* Returns the current value of a watch or a display. A text is valid until the next call. */
CS_API struct cs_error *cs_debug_value(
	struct cs_debug *debug, uint32_t id, struct cs_value *ret) CS_MUST_USE;

/* ---- running ---- */

/*
 * Returns the last frame before the current one in which something changed, as far back as the log
 * of events goes, or 0 when there is none. With `turns` only the rare events that characterise a
 * run count: a layer, a stall, another performance, a failed load, a hole, a world that was
 * registered or torn down, a full pool, lower quality of meshes.
 */
CS_API uint64_t cs_debug_frame_before(const struct cs_stream *stream, bool turns);

enum cs_halt_reason {
	CS_HALT_DONE,        /* all frames have run */
	CS_HALT_STOP,        /* a stop halted the run */
	CS_HALT_UNTIL,       /* the expression is true */
	CS_HALT_CHANGE,      /* something changed */
	CS_HALT_IDLE,        /* nothing changes any more */
	CS_HALT_BEGIN,       /* back: there is no stop since the first frame of the history */
	CS_HALT_INTERRUPTED, /* the job interrupted the run */
};

struct cs_run_request {
	uint64_t frames; /* the most frames to run, or to go back */
	/*
	 * Goes back to the last frame at which a stop would have halted the run, or else to the
	 * first of the history. Only `frames` is used of the other fields. On the way back ignore
	 * counts and `once` have no effect, and no hit is counted. After an error, such as that of
	 * a condition, the stream is in its former frame.
	 */
	bool back;
	bool to_change;    /* halts after a frame in which a cell, layer or HLOD changed */
	bool to_turn;      /* halts after an event of the kind `turns` of cs_debug_frame_before() */
	uint64_t idle;     /* halts after that many frames without an event, 0 for never */
	const char *until; /* a condition in SQL: the run halts once it is true; NULL for none */
	struct cs_parameters variables;
};

enum { CS_HALT_TEXT = 64 };

struct cs_halt {
	enum cs_halt_reason reason;
	uint64_t frames; /* frames run, or gone back */
	/* STOP: the first stop that halted the run in this frame, as it was at that time. */
	uint32_t stop;
	enum cs_stop_kind kind;
	enum cs_moment moment;
	uint64_t hits;
	bool deleted;                 /* the stop was deleted because it has `once` */
	struct cs_stream_event event; /* BREAK, unless it is for frames */
	char before[CS_HALT_TEXT];    /* WATCH: the values, shortened where they are long */
	char after[CS_HALT_TEXT];
	uint32_t others;      /* number of further stops that halted the run */
	const char *commands; /* commands of the stop, valid until the next run; or NULL */
};

/* Runs. Frames that have run stay run after any error: that of an expression, or E_NOMEM. */
CS_API struct cs_error *cs_debug_run(struct cs_debug *debug, const struct cs_run_request *request,
	const struct cs_job *job, struct cs_halt *ret) CS_MUST_USE;

/* ---- what changed ---- */

/* The states of a run's cells at one moment. */
struct cs_states;

struct cs_state_change {
	struct cs_stream_cell cell;
	enum cs_map_state from, to; /* CS_MAP_UNLOADED: the cell did or does not exist */
	enum cs_reason reason;      /* why the cell has not arrived, else the rule that decided */
	bool in_range;              /* whether a source reaches the cell now */
	double spatial; /* fourth sort key, the spatial one; -1 when the cell has none */
	uint64_t bytes; /* size in bytes by the load model */
};

/* Stores the states in one block of memory, which the caller frees. */
CS_API struct cs_error *cs_states_take(
	const struct cs_stream *stream, struct cs_states **ret) CS_MUST_USE;
/*
 * Lists the cells whose state differs from `before`, ascending by world and cell. The caller frees
 * the result. A cell that began or stopped waiting for its turn isn't listed.
 */
CS_API struct cs_error *cs_states_changes(const struct cs_stream *stream,
	const struct cs_states *before, struct cs_state_change **ret, size_t *n_ret) CS_MUST_USE;

/* ==== runs of the game ==== */

/*
 * Real runs of the game, from the files that the engine and the game wrote, as tables beside those
 * of a simulation.
 *
 *	struct cs_real *real;
 *	cs_real_new(&real);
 *	cs_real_read(real, "server.log", &job);
 *	cs_real_add_tables(query, real);
 *
 * A file is recognised by its content, never by its name: a CSV profile (packed or not), a log, a
 * memreport, a .tsv of level streaming, lines of JSON of the schema cellscope.run/1, a .utrace. A
 * value that a file doesn't contain is null, never zero, and is listed in the column `missing` of
 * run_files. Times are seconds from the zero of each file, which its row in run_files names.
 */

struct cs_real;

CS_API struct cs_error *cs_real_new(struct cs_real **ret) CS_MUST_USE;
CS_API void cs_real_free(struct cs_real *real);
/*
 * Adds the contents of a file. Returns E_MAGIC when it has no known content. A truncated end is no
 * error: the rows before it stay, and run_files contains the number of bytes that were left. Any
 * error leaves the rows unchanged.
 */
CS_API struct cs_error *cs_real_read(
	struct cs_real *real, const char *file, const struct cs_job *job) CS_MUST_USE;
/* Removes all rows. Files that are followed are closed first. */
CS_API void cs_real_clear(struct cs_real *real);

/* ---- while it is written ---- */

struct cs_follow;

/*
 * Reads a file while it grows, through rotation and truncation. The rows are those of cs_real_read.
 * "-" is standard input. ":PORT" or "ADDRESS:PORT" accepts connections, one after the other, at
 * localhost without an address. Each file that replaces another, and each connection, has a row of
 * its own in run_files. `keep`: the last rows of each table are kept, 64 bytes times this many; 0
 * means a million. Returns E_IO, or E_USAGE for an invalid address.
 */
CS_API struct cs_error *cs_follow_open(
	struct cs_real *real, const char *what, uint64_t keep, struct cs_follow **ret) CS_MUST_USE;
/* Ends following. An unfinished line is read as it is. NULL is allowed. */
CS_API void cs_follow_close(struct cs_follow *follow);

struct cs_follow_request {
	double seconds;           /* how long to read; 0: what is there now; negative: to the end */
	bool is_spell;            /* with 0 seconds: ends after 40 ms even if more is there */
	struct cs_stream *stream; /* steps with each frame that has a place of Player0; or NULL */
	struct cs_debug *debug;   /* debugger whose stops end the reading, or NULL */
};

enum cs_follow_end {
	CS_FOLLOW_TIME, /* the seconds have passed */
	CS_FOLLOW_OVER, /* nothing more will come */
	CS_FOLLOW_STOP, /* at a stop; data that is written meanwhile is read later */
	CS_FOLLOW_INTERRUPTED,
};

struct cs_follow_news {
	enum cs_follow_end end;
	uint64_t bytes;
	struct cs_halt halt; /* the halt at a stop */
};

/*
 * Continues reading, and waits for new data. A cell of the stream's first world that becomes
 * visible is the event cell.late: `late` is how many ms the real cell took from its request.
 */
CS_API struct cs_error *cs_follow_run(struct cs_follow *follow,
	const struct cs_follow_request *request, const struct cs_job *job,
	struct cs_follow_news *ret) CS_MUST_USE;

/* ---- beside a simulation ---- */

/* Sums over all visits: cells that never came, cells that came late, largest delay in ms. */
struct cs_real_sums {
	double never, late, latest;
	uint64_t unknown_cells; /* rows of run_cells that name no cell of that world */
};

/*
 * Steps the frames of the files through a simulation of the first world of `model`, with its
 * variables, and compares each visit of a cell with the simulated one in the table run_pairs, worst
 * first. `offset` is added to the seconds of files that have no frames; NULL uses their clocks.
 * `ret` may be NULL. Returns E_NOFRAME without frames that have places.
 */
CS_API struct cs_error *cs_real_compare(struct cs_real *real, const struct cs_stream *model,
	const double *offset, const struct cs_job *job, struct cs_real_sums *ret) CS_MUST_USE;
/*
 * Finds the load model that fits the durations of the files best, in the table run_fits. Unless
 * `dry`, it sets the variables that also predict the data which was held out, which is an input.
 */
CS_API struct cs_error *cs_real_fit(struct cs_real *real, struct cs_stream *model, bool dry,
	const double *offset, const struct cs_job *job) CS_MUST_USE;
/*
 * Adds the tables run_files, run_frames, run_cells, run_levels, run_sources, run_events, run_pairs,
 * run_strips and run_fits.
 */
CS_API struct cs_error *cs_real_add_tables(
	struct cs_query *query, struct cs_real *real) CS_MUST_USE;

CS_END_DECLS

#endif
