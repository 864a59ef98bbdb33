/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every table as rows, and SQL over them.
 *
 * A table is described once: its columns (key, kind, heading, doc) and how to get a value. From the
 * description follow the listings of the program, JSON, CSV and the SQLite virtual table of the
 * same name. A query holds tables and evaluates SQL over them: read-only, without side effects,
 * within limits, interruptible by its job, and the same answer every time (no time, no randomness).
 *
 * In SQL a NULL is a value that is not there. Booleans are 0 and 1. GUIDs are 32 hexadecimal
 * digits. A vector `v` is a JSON array, and its coordinates are v_x, v_y, v_z. A list is a JSON
 * array of texts. A name that is a keyword of SQL (references, order) goes in double quotes, or
 * with a trailing underscore (references_).
 */
#ifndef CELLSCOPE_QUERY_H
#define CELLSCOPE_QUERY_H

#include <cellscope/runs.h>

#include <string.h>

CS_BEGIN_DECLS

/* ---- values ---- */

enum cs_kind {
	CS_KIND_NULL,
	CS_KIND_TEXT,    /* as the file has it: not safe for a terminal */
	CS_KIND_INTEGER, /* i64 */
	CS_KIND_NUMBER,  /* finite double */
	CS_KIND_BOOL,
	CS_KIND_GUID,
	CS_KIND_HEX, /* a hash, an id or a colour */
	CS_KIND_VEC3,
	CS_KIND_QUAT,
	CS_KIND_LIST, /* of texts or GUIDs */
};

struct cs_value;

struct cs_value_hex {
	uint64_t bits;
	unsigned digits;
};

/* Its items are asked for one by one. */
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

/* Constructors. A text that is NULL and a number that is not finite are nulls. */
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
 * CS_FORM_TEXT and CS_FORM_ASCII are for people: safe for a terminal (cs_escape), "-" for null,
 * "yes" and "no", vectors as 1,2,3, lists joined by ", ", numbers with nine significant digits.
 * CS_FORM_JSON is for machines: plain ASCII; numbers read back as the same double.
 */
enum cs_form {
	CS_FORM_TEXT,
	CS_FORM_ASCII, /* bytes above 0x7e are escaped as well */
	CS_FORM_JSON,
	CS_FORM_XML, /* of texts alone */
};

/* A value as text or JSON. */
CS_API void cs_value_put(
	const struct cs_value *value, enum cs_form form, cs_put *put, void *context);
/*
 * A text as JSON, with its quotes; a byte that is not UTF-8 becomes U+FFFD. As XML or HTML: in an
 * element or between quotes; what is unsafe must be escaped first.
 */
CS_API void cs_text_put(
	const char *text, size_t length, enum cs_form form, cs_put *put, void *context);

/* ---- tables ---- */

struct cs_column;

/* A row of a table, for the getter of a column. */
struct cs_row {
	const void *source; /* of the table */
	const void *record; /* what the table's `row` gave */
	size_t index;
};

typedef void cs_column_get(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret);

struct cs_column {
	const char *key;   /* in JSON and SQL; never renamed */
	const char *label; /* heading; NULL = the key */
	const char *doc;
	const char *unit; /* "cm", "ms", "frame" of the number of one, but where the key says it; or
			     NULL */
	enum cs_kind kind; /* of the values that are not null */
	unsigned flags;    /* CS_COLUMN_ */
	unsigned part;     /* what `load` must have loaded */
	cs_column_get *get;
	/* arguments of the getter */
	size_t offset;
	uint32_t argument;
	const char *const *names;
};

#define CS_COLUMN_SHORT   1u  /* belongs to the short form, a line a row */
#define CS_COLUMN_KEY     2u  /* what users name rows by; equality goes through an index */
#define CS_COLUMN_INDEX   4u  /* joins over it go through an index */
#define CS_COLUMN_WORD    8u  /* a word of ours: SQL compares it without case, as enums */
#define CS_COLUMN_PRESENT 16u /* belongs to the short form where a row of the listing has it */

struct cs_query;

struct cs_table {
	const char *name;     /* of the SQL table: "cells" */
	const char *row_name; /* of a row, in schema names and functions: "cell" */
	const char *doc;
	const struct cs_column *columns;
	size_t n_columns;
	enum cs_code missing; /* error code when a name leads to no row */
	bool changes;         /* its rows come, go and change between queries: no index is kept */
	/* Loads part 0, 1, ... of the source; NULL when it is all there. */
	struct cs_error *(*load)(const void *source, unsigned part);
	size_t (*count)(const void *source);
	const void *(*row)(const void *source, size_t index);
	/*
	 * Of a table over several partitions: the source that getters get for a row, and its index
	 * there. NULL: the source itself.
	 */
	const void *(*locate)(const void *source, size_t *index);
	/*
	 * Further ways to name a row (cells: "L0:5,1"); CS_NONE when the text is none of them.
	 * May be NULL.
	 */
	struct cs_error *(*find)(struct cs_query *query, const struct cs_table *table,
		const void *source, const char *text, uint32_t *ret);
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

/* Variables of the user: $name in an expression. Texts, numbers, integers, booleans, nulls. */
struct cs_parameter {
	const char *name; /* without the $ */
	struct cs_value value;
};

struct cs_parameters {
	const struct cs_parameter *at;
	size_t n;
};

CS_API struct cs_error *cs_query_new(struct cs_query **ret) CS_MUST_USE;
CS_API void cs_query_free(struct cs_query *query);
/* The job of the calls that follow; it is asked whether to go on. Must outlive its use. */
CS_API void cs_query_set_job(struct cs_query *query, const struct cs_job *job);
/* Table and source must outlive the query. */
CS_API struct cs_error *cs_query_add(
	struct cs_query *query, const struct cs_table *table, const void *source) CS_MUST_USE;
struct cs_inspector;

/* The tables of Nanite resources: those that are open, whenever they are asked. */
CS_API struct cs_error *cs_query_add_nanite(
	struct cs_query *query, struct cs_inspector *inspector) CS_MUST_USE;
struct cs_pager;

/* The page streaming that these tables show from now on, NULL = none. */
CS_API void cs_query_show_pager(struct cs_query *query, const struct cs_pager *pager);
/* To be told when one was opened or closed: what was found by name before is forgotten. */
CS_API void cs_query_nanite_changed(struct cs_query *query);
/* All tables of a cooked world. */
CS_API struct cs_error *cs_query_add_cooked(
	struct cs_query *query, struct cs_cooked *cooked) CS_MUST_USE;

/* How many a query has of what is asked for by number. */
struct cs_query_counts {
	size_t tables, partitions;
	uint32_t focused; /* the partition whose rows alone the tables hold; CS_NONE: all */
};

CS_API struct cs_query_counts cs_query_counts(const struct cs_query *query);

/* ---- world partitions ---- */

/*
 * A table of records of a world (cells, actors, layers ...) holds those of all its partitions, the
 * main one first; the column `partition` names it. Standalone level instances of the cooked file
 * are there from the beginning, in the order in which a run numbers them.
 */
static inline size_t cs_query_partitions(const struct cs_query *query)
{
	return cs_query_counts(query).partitions;
}

/* The cooked world of one of them, and its name, which may be NULL. */
CS_API struct cs_cooked *cs_query_partition(
	const struct cs_query *query, uint32_t partition, const char **name_ret);
/*
 * One more, after all others; `cooked` outlives it. Without a name it is a world of its own, which
 * brings its standalone level instances: several worlds are one catalogue then.
 */
CS_API struct cs_error *cs_query_add_partition(
	struct cs_query *query, struct cs_cooked *cooked, const char *name) CS_MUST_USE;
/* Forgets all but the first `keep`. */
CS_API void cs_query_drop_partitions(struct cs_query *query, size_t keep);
/* From now on these tables hold the rows of one partition alone; CS_NONE: of all again. */
CS_API void cs_query_focus(struct cs_query *query, uint32_t partition);
static inline uint32_t cs_query_focused(const struct cs_query *query)
{
	return cs_query_counts(query).focused;
}

/* Turns a row of all into the row of its partition. */
CS_API void cs_query_place_row(const struct cs_query *query, const struct cs_table *table,
	uint32_t *row, uint32_t *partition);

static inline size_t cs_query_tables(const struct cs_query *query)
{
	return cs_query_counts(query).tables;
}

CS_API const struct cs_table *cs_query_table(
	const struct cs_query *query, size_t index, const void **source_ret);
/* NULL when there is no such table. */
CS_API const struct cs_table *cs_query_table_named(
	const struct cs_query *query, const char *name, const void **source_ret);
/* Makes the columns of that part of the table readable. */
CS_API struct cs_error *cs_query_load(
	struct cs_query *query, const struct cs_table *table, unsigned part) CS_MUST_USE;

/* A function for expressions. `arguments` are texts, numbers, integers and nulls. */
typedef struct cs_error *cs_query_call(
	void *context, const struct cs_value *arguments, struct cs_value *ret);
/*
 * The rows that a user means by `text`: those of the table's own syntax, else those of the first
 * key column that has the text exactly, else the first that has it in another case.
 */
CS_API struct cs_error *cs_query_find(struct cs_query *query, const struct cs_table *table,
	const char *text, uint32_t *rows, size_t room, size_t *n_ret) CS_MUST_USE;

/* What a listing asks for; NULL and 0 ask for nothing. */
struct cs_listing {
	const char *where; /* an expression over the columns */
	const char *sort;  /* "KEY,-KEY": columns, a minus for descending */
	uint64_t limit;    /* rows; 0 = all */
	struct cs_parameters variables;
	const char *partition;       /* of a table with that column; NULL = all */
	const char *scope;           /* a condition of the program, beside `where` */
	struct cs_value scope_value; /* $scope in it */
};

/* The rows in order, freed by the caller. E_SQL carries the byte offset in `where`. */
CS_API struct cs_error *cs_query_rows(struct cs_query *query, const struct cs_table *table,
	const struct cs_listing *listing, uint32_t **rows_ret, size_t *n_ret) CS_MUST_USE;

/* The answer of a statement: a table of its own. */
struct cs_result;
/* E_SQL carries the byte offset in `sql`. */
CS_API struct cs_error *cs_query_select(struct cs_query *query, const char *sql,
	struct cs_parameters variables, struct cs_result **ret) CS_MUST_USE;
/* An expression: one row of one column. */
CS_API struct cs_error *cs_query_evaluate(struct cs_query *query, const char *expression,
	struct cs_parameters variables, struct cs_result **ret) CS_MUST_USE;
struct cs_result_view {
	const struct cs_table *table; /* names columns and gets values of the result, its source */
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
/* Integers, numbers, booleans as 0 and 1; false for the rest, and *ret is as it was. */
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

/* As SQL sees it: a number that is not 0. */
static inline bool cs_value_is_true(const struct cs_value *value)
{
	double number;
	return cs_value_number(value, &number) && number != 0;
}

/*
 * An expression that is asked often. It stands alone, or over the rows of a table, of which the
 * first counts: the value is null without one. $variables keep what they are now. It must be freed
 * before the query.
 */
struct cs_expression;

/* ---- streaming ---- */

struct cs_stream;
struct cs_stream_cell_view;
struct cs_stream_event;

/*
 * The run that the tables of the cooked world show from now on, NULL = none: states of cells and
 * layers, sources, order, state_hash() and frame(). It must outlive the query or be taken away.
 */
CS_API void cs_query_show_stream(struct cs_query *query, struct cs_stream *stream);

/* ---- places ---- */

/* The smallest grid cell of a main partition that has the point in its box; CS_NONE without. */
CS_API uint32_t cs_cooked_cell_at(const struct cs_cooked *cooked, struct cs_vec3 point);

/* ==== charts ==== */

/*
 * Numbers made ready to be drawn: how those of a column of rows are spread over bins, bars, and
 * curves of more values than there is room for.
 */

/* ---- numbers ---- */

/* Those of the rows that have one; n = 0: none has, and least and most mean nothing. */
struct cs_numbers {
	double *at;
	size_t n;
	double least, most;
};

/* Of one column, in the order of `rows`: integers, numbers, booleans as 0 and 1. `at` is freed by
 * the caller. */
CS_API struct cs_error *cs_query_numbers(struct cs_query *query, const struct cs_table *table,
	const void *source, const struct cs_column *column, const uint32_t *rows, size_t n,
	struct cs_numbers *ret) CS_MUST_USE;

/* ---- bins ---- */

#define CS_MOST_BINS 1000u

/* Numbers from `from` on and below `to`; the last bin has the greatest too. */
struct cs_bin {
	double from, to;
	size_t count;
	double share; /* of all numbers, 0..1 */
};

/*
 * At most `most` bins of one width, the least number at the beginning of the first; freed by the
 * caller. Whole numbers get bins of a whole width, one each where there are few. No numbers, no
 * bins. E_USAGE: `most` is 0 or more than CS_MOST_BINS.
 */
CS_API struct cs_error *cs_bins(const struct cs_numbers *numbers, size_t most, struct cs_bin **ret,
	size_t *n_ret) CS_MUST_USE;
/* The count of the fullest, 0 of none. */
static inline size_t cs_bins_fullest(const struct cs_bin *bins, size_t n)
{
	size_t fullest = 0;
	for (size_t i = 0; i < n; i++)
		fullest = bins[i].count > fullest ? bins[i].count : fullest;
	return fullest;
}

/* ---- bars ---- */

/*
 * A bar of '#', `width` of them for `most` and in proportion for less: at least one for what is
 * above 0, none for the rest and for NAN. `ret` has room for `width` and a NUL; returns the length.
 */
CS_API size_t cs_bar(double value, double most, size_t width, char *ret);

/* ---- plots ---- */

/*
 * The highest of `n` values that share a column of `columns`, for peaks are what one looks for;
 * where there are more columns than values, of the one that is there. Values that are not finite
 * are left out; NAN where no other is.
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

/* Values over columns, above an axis at 0, or at the least where that is below. */
struct cs_plot {
	double *at;         /* of each column its highest value; NAN = none; freed by the caller */
	size_t columns;     /* 0: no value is finite */
	double least, most; /* of the axis; `most` is the greatest value, which may be below 0 */
};

/* At most `columns`, one a value where there is room. */
CS_API struct cs_error *cs_plot_init(
	const double *values, size_t n, size_t columns, struct cs_plot *ret) CS_MUST_USE;
/* The value at `part` of `parts` of the height. */
static inline double cs_plot_level(const struct cs_plot *plot, unsigned part, unsigned parts)
{
	const double share = (double)part / parts;
	const double top = plot->most > plot->least ? plot->most : plot->least + 1;
	return plot->least * (1 - share) + top * share;
}

/* How high a column is, of `height`: rounded up, so that what is above the axis is seen. */
static inline unsigned cs_plot_height(const struct cs_plot *plot, size_t column, unsigned height)
{
	/* halve before subtracting: the range may overflow to infinity */
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
 * A breakpoint halts at the end of a frame in which its event happened and its condition held; the
 * condition is an expression over the row of the table `event`. A watch halts when its expression
 * has another value than after the frame before. A display never halts: it is an expression that a
 * front shows wherever the run halts. Nothing is asked in a frame for which nothing is armed.
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
	enum cs_moment moment;  /* BREAK */
	const char *expression; /* BREAK: the condition, or NULL; else what is looked at */
	const char *commands;   /* lines for the front to run when it halts, or NULL */
	uint64_t ignore;        /* hits that it lets pass */
	uint64_t hits;
	bool enabled;
	bool once; /* deleted when it halts */
};

/*
 * Adds a stop, of which kind, moment, expression, once and commands count; it is enabled. E_SQL
 * carries the byte offset in the expression. $variables keep what they are now.
 */
CS_API struct cs_error *cs_debug_add(struct cs_debug *debug, const struct cs_stop *stop,
	struct cs_parameters variables, uint32_t *id_ret) CS_MUST_USE;
/* In the order of their ids; NULL behind the last. */
CS_API const struct cs_stop *cs_debug_stop_at(const struct cs_debug *debug, size_t index);
/*
 * Gives the stop of that id the condition, commands, ignore, enabled and once of `stop`, which is a
 * copy of what it was with changes. A condition that is not the same pointer is compiled with the
 * variables. E_MISSING for an id that does not exist, E_USAGE for a condition of what is no
 * breakpoint.
 */
CS_API struct cs_error *cs_debug_set(struct cs_debug *debug, const struct cs_stop *stop,
	struct cs_parameters variables) CS_MUST_USE;
/* E_MISSING for an id that does not exist. */
CS_API struct cs_error *cs_debug_delete(struct cs_debug *debug, uint32_t id) CS_MUST_USE;

/* What a watch or a display shows now. A text lives until the next question. */
CS_API struct cs_error *cs_debug_value(
	struct cs_debug *debug, uint32_t id, struct cs_value *ret) CS_MUST_USE;

/* ---- running ---- */

/*
 * The last frame before the one that the run is in in which something changed, as far as the log of
 * events goes back; 0 when there is none. `turns`: one of the few events that a run is remembered
 * by: a layer, a stall, another performance, a load that failed, a hole, a world that came or went,
 * a pool that is full.
 */
CS_API uint64_t cs_debug_frame_before(const struct cs_stream *stream, bool turns);

enum cs_halt_reason {
	CS_HALT_DONE,        /* all frames have run */
	CS_HALT_STOP,        /* at a stop */
	CS_HALT_UNTIL,       /* the expression is true */
	CS_HALT_CHANGE,      /* something changed */
	CS_HALT_IDLE,        /* nothing changes any more */
	CS_HALT_BEGIN,       /* back: no stop since the first frame of the history */
	CS_HALT_INTERRUPTED, /* by the job */
};

struct cs_run_request {
	uint64_t frames; /* at most; going back: how far at most */
	/*
	 * Back to the last frame at which a stop would have halted the run, else to the first of
	 * the history; of the rest only `frames` counts. Ignore counts and `once` do not count on
	 * the way back, and no hit is counted. After an error, as that of a condition, the stream
	 * is where it was.
	 */
	bool back;
	bool to_change;    /* halt behind a frame in which a cell, layer or HLOD changed */
	bool to_turn;      /* the same for what cs_debug_frame_before() calls turns */
	uint64_t idle;     /* halt when nothing has happened for so many frames, 0 = never */
	const char *until; /* condition in SQL: the run halts once it is true; NULL = none */
	struct cs_parameters variables;
};

enum { CS_HALT_TEXT = 64 };

struct cs_halt {
	enum cs_halt_reason reason;
	uint64_t frames; /* run, or gone back */
	/* STOP: the first that halted the run in this frame, as it was then */
	uint32_t stop;
	enum cs_stop_kind kind;
	enum cs_moment moment;
	uint64_t hits;
	bool deleted;                 /* it was for once */
	struct cs_stream_event event; /* BREAK, but for frames */
	char before[CS_HALT_TEXT];    /* WATCH: the values, cut where they are long */
	char after[CS_HALT_TEXT];
	uint32_t others;      /* further stops that halted it too */
	const char *commands; /* of the stop, until the next run; or NULL */
};

/* Frames that have run stay run, whatever error comes: that of an expression, or E_NOMEM. */
CS_API struct cs_error *cs_debug_run(struct cs_debug *debug, const struct cs_run_request *request,
	const struct cs_job *job, struct cs_halt *ret) CS_MUST_USE;

/* ---- what changed ---- */

/* What the cells of a run were at a moment. */
struct cs_states;

struct cs_state_change {
	struct cs_stream_cell cell;
	enum cs_map_state from, to; /* CS_MAP_UNLOADED where it was not there, or is no longer */
	enum cs_reason reason;      /* what keeps it from arriving, else the rule that decided */
	bool in_range;              /* a source reaches it now */
	double spatial;             /* its fourth sort key, the spatial one; -1 without */
	uint64_t bytes;             /* by the load model */
};

/* One block, freed by the caller. */
CS_API struct cs_error *cs_states_take(
	const struct cs_stream *stream, struct cs_states **ret) CS_MUST_USE;
/*
 * The cells whose state is another now than it was `before`, ascending by world and cell; freed by
 * the caller. That a cell began to wait for its turn, or no longer does, is none of them.
 */
CS_API struct cs_error *cs_states_changes(const struct cs_stream *stream,
	const struct cs_states *before, struct cs_state_change **ret, size_t *n_ret) CS_MUST_USE;

/* ==== runs of the game ==== */

/*
 * What really happened: runs of the game, from the files that the engine and the game wrote, as
 * tables beside those of a simulation.
 *
 *	struct cs_real *real;
 *	cs_real_new(&real);
 *	cs_real_read(real, "server.log", &job);
 *	cs_real_add_tables(query, real);
 *
 * A file is known by its content, never by its name: a CSV profile (packed or not), a log, a
 * memreport, a .tsv of level streaming, lines of JSON of the schema cellscope.run/1, a .utrace.
 * What a file does not hold is null, never zero, and stands in the column `missing` of run_files.
 * Times are seconds from the zero of each file, which its row in run_files names.
 */

struct cs_real;

CS_API struct cs_error *cs_real_new(struct cs_real **ret) CS_MUST_USE;
CS_API void cs_real_free(struct cs_real *real);
/*
 * Adds what a file holds; without anything known in it E_MAGIC. A cut end is no error: what was
 * read stays, and run_files says how many bytes were left. Any error leaves the rows as they were.
 */
CS_API struct cs_error *cs_real_read(
	struct cs_real *real, const char *file, const struct cs_job *job) CS_MUST_USE;
/* Forgets every row; what is followed is closed first. */
CS_API void cs_real_clear(struct cs_real *real);

/* ---- while it is written ---- */

struct cs_follow;

/*
 * Reads a file while it grows, through rotation and truncation: the rows are those of cs_real_read.
 * "-": standard input; ":PORT" or "ADDRESS:PORT": what connects there, one connection after the
 * other, at localhost where no address stands. Each file that takes the place of another, and each
 * connection, has a row of run_files of its own. `keep`: of each table the last rows stay, 64 bytes
 * times so many of them; 0 = a million. E_IO, E_USAGE for what is no address.
 */
CS_API struct cs_error *cs_follow_open(
	struct cs_real *real, const char *what, uint64_t keep, struct cs_follow **ret) CS_MUST_USE;
/* What waits for its end is read as it is. NULL is nothing. */
CS_API void cs_follow_close(struct cs_follow *follow);

struct cs_follow_request {
	double seconds;           /* for so long, 0 = what is there; negative: until it ends */
	bool is_spell;            /* of what is there, as much as takes 40 ms */
	struct cs_stream *stream; /* goes with frames that have places, Player0 in it; or NULL */
	struct cs_debug *debug;   /* its stops, or NULL */
};

enum cs_follow_end {
	CS_FOLLOW_TIME, /* the seconds have passed */
	CS_FOLLOW_OVER, /* nothing will come any more */
	CS_FOLLOW_STOP, /* at a stop; what is written meanwhile is read when it goes on */
	CS_FOLLOW_INTERRUPTED,
};

struct cs_follow_news {
	enum cs_follow_end end;
	uint64_t bytes;
	struct cs_halt halt; /* of a stop */
};

/*
 * Reads on, and waits for what comes. A cell of the stream's first world that becomes visible is
 * the event cell.late: `late` is how many ms the real one took from being asked for.
 */
CS_API struct cs_error *cs_follow_run(struct cs_follow *follow,
	const struct cs_follow_request *request, const struct cs_job *job,
	struct cs_follow_news *ret) CS_MUST_USE;

/* ---- beside a simulation ---- */

/* Of all visits: those that never came, those that came late, and the latest, in ms. */
struct cs_real_sums {
	double never, late, latest;
	uint64_t unknown_cells; /* rows of run_cells that name no cell of that world */
};

/*
 * Walks the frames of the files through a simulation of the first world of `model`, with its
 * variables, and holds each visit of a cell against its simulated one: the table run_pairs, worst
 * first. `offset` is added to the seconds of files that do not have the frames; NULL: what their
 * clocks say. `ret` may be NULL. E_NOFRAME without frames that have places.
 */
CS_API struct cs_error *cs_real_compare(struct cs_real *real, const struct cs_stream *model,
	const double *offset, const struct cs_job *job, struct cs_real_sums *ret) CS_MUST_USE;
/* The load model that meets the durations of the files best, in the table run_fits. */
CS_API struct cs_error *cs_real_fit(struct cs_real *real, const struct cs_stream *model,
	const double *offset, const struct cs_job *job) CS_MUST_USE;
/* Input: sets the variables of the last fit that meet what was held out. */
CS_API struct cs_error *cs_real_fit_apply(
	const struct cs_real *real, struct cs_stream *stream) CS_MUST_USE;
/* The tables run_files, run_frames, run_cells, run_levels, run_sources, run_events, run_pairs,
 * run_strips, run_fits. */
CS_API struct cs_error *cs_real_add_tables(
	struct cs_query *query, struct cs_real *real) CS_MUST_USE;

CS_END_DECLS

#endif
