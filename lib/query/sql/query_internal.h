/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data of a query. A binding connects a table with its source and with the SQLite module of the
 * same name. Invariants: bindings never move in memory, because SQLite stores pointers to them; a
 * column is read only after the part of the table that it needs was loaded.
 */
#pragma once

#include <cellscope/query.h>

#include "core/vec.h"
#include "format/cooked_inside.h"
#include "format/file_inside.h"
#include "query/sql/index.h"
#include "query/sql/query_inside.h"

#include <sqlite3.h>

/* A column as SQL sees it: a column of the table, or one coordinate of a vector column. */
struct cs_sql_column {
	uint16_t column;
	uint8_t axis; /* 0 = the whole value, 1 to 4 = x, y, z, w */
};

struct cs_binding {
	struct cs_query *query;
	const struct cs_table *table;
	const void *source;
	/* a search index for each column; `keys` is NULL until the index is built */
	struct cs_index *indexes;
	/* whether part 0 and part 1 of the source's values (see cs_column.part) are loaded */
	bool loaded[2];
	/* parts of the source that the statement reads: 0 = none, 1 = part 0, 2 = parts 0 and 1 */
	unsigned named;
	CS_VEC(struct cs_sql_column) sql_columns;
};

#define CS_PARTS 2u

/*
 * The record fields that a statement reads, and the state of a pass over rows. A pass reads a large
 * world row by row, decodes only these fields, and frees rows that are no longer needed.
 */
struct cs_reads {
	CS_VEC(struct cs_record_byte) fields;
	bool whole;     /* the statement may read any field */
	bool passing;   /* a pass over the rows of a file has begun and not ended */
	size_t rows;    /* number of rows read in the pass */
	unsigned steps; /* number of times that rows were freed (invalidates pointers) */
};

/* The fields that a getter reads: the field of its column in `record`, and the fields in `also`. */
struct cs_getter {
	cs_column_get *get;
	/* name of a record; NULL = the record with the name of the table, "" = no record */
	const char *record;
	/* other fields that the getter reads, as RECORD.FIELD separated by blanks, or NULL */
	const char *also;
	/* the value is the unchanged field of the column (a text or a GUID), or null */
	bool is_field;
	/*
	 * for a value that is the name, title or GUID (`kind`) of a row of another table: returns
	 * that row, or CS_NONE
	 */
	uint32_t (*refers)(const struct cs_row *row, const struct cs_column *column);
	enum cs_named kind;
};

/* The fields from which an actor's title is composed. */
#define CS_TITLE_FIELDS "actors.label actors.name actors.container"

/* Empties the list of fields that a statement reads; the other cs_reads_ functions add to it. */
void cs_reads_nothing(struct cs_query *query);
void cs_reads_column(
	struct cs_reads *reads, const struct cs_table *table, const struct cs_column *column);
/* Adds only the column's own field, without the fields that its getter reads from other rows. */
void cs_reads_own_field(
	struct cs_reads *reads, const struct cs_table *table, const struct cs_column *column);
/* Returns the entry that says which fields the getter of a column reads, or NULL. */
const struct cs_getter *cs_reads_getter(
	const struct cs_table *table, const struct cs_column *column);
/* Returns the record field that a column shows unchanged and its table, NULL if it is computed. */
const struct cs_field *cs_reads_field(
	const struct cs_table *table, const struct cs_column *column, uint16_t *table_ret);
void cs_reads_sql_column(struct cs_query *query, const char *table, const char *column);
void cs_reads_sql_function(struct cs_query *query, const char *name);
/*
 * Begins a pass over the fields that the cs_reads_ functions have listed; the caller must end it.
 * Returns false and begins no pass if the worlds are small or a pass is running already. During a
 * pass, cs_reads_step() invalidates texts and rows that were read before.
 */
bool cs_reads_begin(struct cs_query *query);
/* Loads the tables that the statement reads and that load their rows in passes of their own. */
struct cs_error *cs_reads_load(struct cs_query *query) CS_MUST_USE;
/* Begins a pass (see cs_reads_begin) in which only this column of the table is read. */
bool cs_reads_begin_column(
	struct cs_query *query, const struct cs_table *table, const struct cs_column *column);
/* Counts one row as read, and every 1024 rows frees rows that the pass no longer needs. */
void cs_reads_step(struct cs_query *query);
/* Ends the pass that cs_reads_begin() began, if it returned `passes`. */
void cs_reads_end(struct cs_query *query, bool passes);

struct cs_cooked_source;
struct cs_nanite_source;

struct cs_function {
	struct cs_query *query;
	const char *name;
	cs_query_call *call;
	void *context;
	int n_arguments;
};

struct cs_query {
	sqlite3 *db;
	struct cs_reads reads;
	/* worlds whose decoded size in bytes exceeds this are read in passes */
	uint64_t kept_bytes;
	const struct cs_job *job;
	CS_VEC(struct cs_binding *) bindings;
	CS_VEC(struct cs_function *) functions;
	CS_VEC(struct cs_cooked_source *) worlds;
	struct cs_nanite_source *nanite; /* source of the tables about Nanite resources, or NULL */
	struct cs_error *failure;        /* error of a table or function in the running statement */
	bool over_memory;
	bool declaring; /* SQLite connects a table, and the authorizer lets it declare columns */
};

/* Stores the SQL name of a column: "v_x" for a coordinate, "references_" for an SQL keyword. */
#define CS_SQL_NAME 80
void cs_sql_column_name(const struct cs_binding *binding, size_t index, char name[CS_SQL_NAME]);
bool cs_sql_is_alias(const struct cs_binding *binding, size_t index);

struct cs_error *cs_binding_of(
	struct cs_query *query, const struct cs_table *table, struct cs_binding **ret) CS_MUST_USE;
struct cs_error *cs_binding_load(struct cs_binding *binding, unsigned part) CS_MUST_USE;
/* Returns a key column's index, built by the first call, or by each call if the rows change. */
struct cs_error *cs_binding_index(
	struct cs_binding *binding, size_t column, const struct cs_index **ret) CS_MUST_USE;
/* Returns the rows sorted by a column. The first call sorts them. */
struct cs_error *cs_binding_order(
	struct cs_binding *binding, size_t column, const struct cs_value_order **ret) CS_MUST_USE;
/* Returns coordinate `axis` of a vector (1 to 4), or the value itself for 0. */
struct cs_value cs_value_axis(const struct cs_value *value, unsigned axis);

/* Returns row `index` of a table: its record, and the world partition that contains it. */
struct cs_row cs_table_row(const struct cs_table *table, const void *source, size_t index);

/* Registers the table of the binding as a virtual table module of SQLite. */
struct cs_error *cs_vtab_register(struct cs_binding *binding) CS_MUST_USE;
/* Registers the SQL function of a table, such as cell(NAME, 'column'). */
struct cs_error *cs_row_function_register(struct cs_binding *binding) CS_MUST_USE;
void cs_sql_result(sqlite3_context *context, const struct cs_value *value);

/* Returns a column of the statement's row: a number, null, or a text valid until the next step. */
struct cs_value cs_sql_column_value(sqlite3_stmt *stmt, int column);

/* Binds a number, boolean or text (copied), or else null. Returns a status of SQLite. */
int cs_sql_bind(sqlite3_stmt *stmt, int at, const struct cs_value *value);

/* Replaces functions of SQLite that are slow on long texts, such as LIKE; returns its status. */
int cs_text_functions_register(struct cs_query *query);
/* Returns the error of reading rows of a world since the last call (cs_cooked_failed). */
struct cs_error *cs_query_failed(struct cs_query *query) CS_MUST_USE;
/* Whether a statement must stop: cancelled, over limits or memory, or rows unreadable. */
bool cs_sql_stop(struct cs_query *query);

/* Compiles "SELECT (text) FROM table", or "SELECT (text)" if `table` is NULL. */
struct cs_error *cs_sql_prepare_expression(struct cs_query *query, const char *text,
	const char *table, const struct cs_parameters *variables, sqlite3_stmt **ret) CS_MUST_USE;

/* Returns an error that says that the query needs more memory than its job permits. */
struct cs_error *cs_query_too_large(const struct cs_query *query) CS_MUST_USE;
/* Returns the statement's error: query->failure, else that of an exceeded limit, else E_SQL. */
struct cs_error *cs_sql_error(struct cs_query *query, uint64_t offset) CS_MUST_USE;
