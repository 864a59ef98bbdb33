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

#include <cellscope/cooked.h>

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

CS_API struct cs_value cs_number(double number);
CS_API struct cs_value cs_vec3_value(struct cs_vec3 vec3);
CS_API struct cs_value cs_quat_value(struct cs_quat quat);

/* Receives the pieces of a text one after the other. */
typedef void cs_put(void *context, const char *bytes, size_t n);

/*
 * For people: safe for a terminal (cs_escape), "-" for null, "yes" and "no", vectors as 1,2,3,
 * lists joined by ", ", numbers with nine significant digits.
 */
CS_API void cs_value_put_text(const struct cs_value *value, bool ascii, cs_put *put, void *context);
/* For machines: JSON in plain ASCII; numbers read back as the same double. */
CS_API void cs_value_put_json(const struct cs_value *value, cs_put *put, void *context);
/* A text as a JSON string with its quotes; a byte that is not UTF-8 becomes U+FFFD. */
CS_API void cs_text_put_json(const char *text, size_t length, cs_put *put, void *context);
/* A text inside XML or HTML, in an element or between quotes; what is unsafe must be escaped first.
 */
CS_API void cs_text_put_xml(const char *text, size_t length, cs_put *put, void *context);

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

CS_API const struct cs_column *cs_table_column(const struct cs_table *table, const char *key);
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

/* ---- world partitions ---- */

/*
 * A table of records of a world (cells, actors, layers ...) holds those of all its partitions, the
 * main one first; the column `partition` names it. Standalone level instances of the cooked file
 * are there from the beginning, in the order in which a run numbers them.
 */
CS_API size_t cs_query_partitions(const struct cs_query *query);
/* The cooked world of one of them, and its name, which may be NULL. */
CS_API struct cs_cooked *cs_query_partition(
	const struct cs_query *query, uint32_t partition, const char **name_ret);
#ifdef CS_INSIDE
/* By name, without case; CS_NONE when there is none. */
uint32_t cs_query_find_partition(const struct cs_query *query, const char *name);
#endif
/* One more, behind all; `cooked` outlives it. */
CS_API struct cs_error *cs_query_add_partition(
	struct cs_query *query, struct cs_cooked *cooked, const char *name) CS_MUST_USE;
/* Forgets all but the first `keep`. */
CS_API void cs_query_drop_partitions(struct cs_query *query, size_t keep);
/* From now on these tables hold the rows of one partition alone; CS_NONE: of all again. */
CS_API void cs_query_focus(struct cs_query *query, uint32_t partition);
CS_API uint32_t cs_query_focused(const struct cs_query *query);
/* Turns a row of all into the row of its partition. */
CS_API void cs_query_place_row(const struct cs_query *query, const struct cs_table *table,
	uint32_t *row, uint32_t *partition);

CS_API size_t cs_query_tables(const struct cs_query *query);
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
#ifdef CS_INSIDE
struct cs_error *cs_query_function(struct cs_query *query, const char *name, int n_arguments,
	cs_query_call *call, void *context) CS_MUST_USE;
#endif

/*
 * Rows whose key `column` is `text`, at most `room` of them in ascending order; *n_ret counts all.
 * `fold` ignores ASCII case.
 */
CS_API struct cs_error *cs_query_lookup(struct cs_query *query, const struct cs_table *table,
	const struct cs_column *column, const char *text, bool fold, uint32_t *rows, size_t room,
	size_t *n_ret) CS_MUST_USE;
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
/* Names the columns and gets the values; the result is the source. */
CS_API const struct cs_table *cs_result_table(const struct cs_result *result);
CS_API size_t cs_result_rows(const struct cs_result *result);
CS_API struct cs_value cs_result_value(const struct cs_result *result, size_t row, size_t column);
CS_API void cs_result_free(struct cs_result *result);
/* As SQL sees it: a number that is not 0. */
/* Integers, numbers, booleans as 0 and 1; false for the rest, and *ret is as it was. */
CS_API bool cs_value_number(const struct cs_value *value, double *ret);
CS_API bool cs_value_is_true(const struct cs_value *value);

/*
 * An expression that is asked often. It stands alone, or over the rows of a table, of which the
 * first counts: the value is null without one. $variables keep what they are now. It must be freed
 * before the query.
 */
struct cs_expression;
/* E_SQL carries the byte offset in `text`. */
CS_API struct cs_error *cs_expression_new(struct cs_query *query, const char *text,
	const char *table, struct cs_parameters variables, struct cs_expression **ret) CS_MUST_USE;
CS_API void cs_expression_free(struct cs_expression *expression);
/* A text lives until the next question. */
CS_API struct cs_error *cs_expression_value(
	struct cs_expression *expression, struct cs_value *ret) CS_MUST_USE;
CS_API struct cs_error *cs_expression_is_true(
	struct cs_expression *expression, bool *ret) CS_MUST_USE;

/* ---- streaming ---- */

struct cs_stream;
struct cs_stream_cell_view;
struct cs_stream_event;

/*
 * The run that the tables of the cooked world show from now on, NULL = none: states of cells and
 * layers, sources, order, state_hash() and frame(). It must outlive the query or be taken away.
 */
CS_API void cs_query_show_stream(struct cs_query *query, struct cs_stream *stream);
#ifdef CS_INSIDE
/* The one row of the table `event`, which conditions of stops are over; NULL = none. */
void cs_query_show_event(struct cs_query *query, const struct cs_stream_event *event);
#endif
/* The word of the column `state`: the state of a level in the terms of data layers. */
CS_API const char *cs_cell_state_name(const struct cs_stream_cell_view *view);

/* ---- places ---- */

/* The smallest grid cell of a main partition that has the point in its box; CS_NONE without. */
CS_API uint32_t cs_cooked_cell_at(const struct cs_cooked *cooked, struct cs_vec3 point);

CS_END_DECLS

#endif
