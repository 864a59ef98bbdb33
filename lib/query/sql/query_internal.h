/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data of a query. A binding connects a table with its source and with the SQLite module of the
 * same name. Invariants: bindings never move, because SQLite stores pointers to them; columns of a
 * part are read only after `load` of that part.
 */
#pragma once

#include <cellscope/query.h>

#include "core/vec.h"
#include "format/file_inside.h"
#include "query/sql/index.h"
#include "query/sql/query_inside.h"

#include <sqlite3.h>

/* A column of the SQL table: a column of the table, or one coordinate of it. */
struct cs_sql_column {
	uint16_t column;
	uint8_t axis; /* 0 = the whole value, 1 to 4 = x, y, z, w */
};

struct cs_binding {
	struct cs_query *query;
	const struct cs_table *table;
	const void *source;
	struct cs_index *indexes; /* index of each column; its keys are NULL until it is built */
	bool loaded[2];           /* whether each part is loaded */
	unsigned named;           /* parts that the statement reads: 1 = the first, 2 = both */
	CS_VEC(struct cs_sql_column) sql_columns;
};

#define CS_PARTS 2u

/* Fields of rows that a statement, or a loop over a column, reads, and the state of its pass. */
struct cs_reads {
	CS_VEC(struct cs_record_byte) fields;
	bool whole;     /* the query may read any field */
	bool passing;   /* a pass has begun and not ended */
	size_t rows;    /* rows read in the pass */
	unsigned steps; /* a row that was found before the last step must be found again */
};

/*
 * The fields that a getter reads: its column's field in `record`, unless that is "", and the fields
 * in `also`.
 */
struct cs_getter {
	cs_column_get *get;
	/* name of a record; NULL = the record named like the table, "" = none */
	const char *record;
	/* other fields that it reads, RECORD.FIELD separated by blanks, or NULL */
	const char *also;
	bool is_field; /* the value is null or the field of the column, a text or a GUID */
};

/* The fields that a title is made of. */
#define CS_TITLE_FIELDS "actors.label actors.name actors.container"

/*
 * Empties the list of fields, to which the next functions add those of columns and SQL functions.
 */
void cs_reads_nothing(struct cs_query *query);
void cs_reads_column(
	struct cs_reads *reads, const struct cs_table *table, const struct cs_column *column);
/* Returns the field that a column shows unchanged, and its table; NULL for other columns. */
const struct cs_field *cs_reads_field(
	const struct cs_table *table, const struct cs_column *column, uint16_t *table_ret);
void cs_reads_sql_column(struct cs_query *query, const char *table, const char *column);
void cs_reads_sql_function(struct cs_query *query, const char *name);
/*
 * Begins a pass that reads the listed fields. Returns false when the worlds are small, or a pass
 * has begun already; otherwise the caller ends the pass. cs_reads_step() makes texts and rows that
 * were read before it invalid.
 */
bool cs_reads_begin(struct cs_query *query);
/*
 * Loads the tables that the statement reads and that load their rows themselves, which each do in a
 * pass of their own.
 */
struct cs_error *cs_reads_load(struct cs_query *query) CS_MUST_USE;
/* Begins a pass over one column. */
bool cs_reads_begin_column(
	struct cs_query *query, const struct cs_table *table, const struct cs_column *column);
/* Counts a row that was read, and frees parts that are no longer needed. */
void cs_reads_step(struct cs_query *query);
void cs_reads_end(struct cs_query *query);

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
	uint64_t kept_bytes; /* worlds of more decoded bytes in all are read in passes */
	const struct cs_job *job;
	CS_VEC(struct cs_binding *) bindings;
	CS_VEC(struct cs_function *) functions;
	CS_VEC(struct cs_cooked_source *) worlds;
	struct cs_nanite_source *nanite; /* source of the tables of resources, or NULL */
	struct cs_error *failure;        /* error of a table or a function while a statement runs */
	bool over_memory;
};

/*
 * Returns the SQL name of a column by its number; names such as "v_x" and "references_" are
 * included.
 */
#define CS_SQL_NAME 80
void cs_sql_column_name(const struct cs_binding *binding, size_t index, char name[CS_SQL_NAME]);
bool cs_sql_is_alias(const struct cs_binding *binding, size_t index);

struct cs_error *cs_binding_of(
	struct cs_query *query, const struct cs_table *table, struct cs_binding **ret) CS_MUST_USE;
struct cs_error *cs_binding_load(struct cs_binding *binding, unsigned part) CS_MUST_USE;
/*
 * Returns the index of a key column. The first call builds it; for a table that changes, every call
 * does.
 */
struct cs_error *cs_binding_index(
	struct cs_binding *binding, size_t column, const struct cs_index **ret) CS_MUST_USE;
/* Returns the rows sorted by a column, which the first call sorts. */
struct cs_error *cs_binding_order(
	struct cs_binding *binding, size_t column, const struct cs_value_order **ret) CS_MUST_USE;
/* Returns coordinate number `axis` of a vector, or the value itself. */
struct cs_value cs_value_axis(const struct cs_value *value, unsigned axis);

/* Returns what getters of a row need: its part of the source, and its index there. */
struct cs_row cs_table_row(const struct cs_table *table, const void *source, size_t index);

/* Makes SQLite connect a virtual table; statements may use it afterwards. */
int cs_sql_connect(struct cs_query *query, const char *table);
/* Registers the table as a module. */
struct cs_error *cs_vtab_register(struct cs_binding *binding) CS_MUST_USE;
/* Registers row_name(NAME, 'column'). */
struct cs_error *cs_row_function_register(struct cs_binding *binding) CS_MUST_USE;
void cs_sql_result(sqlite3_context *context, const struct cs_value *value);

/*
 * Registers LIKE, GLOB and other functions that take long on long texts; returns a status of
 * SQLite.
 */
int cs_text_functions_register(struct cs_query *query);
/*
 * Returns the error of parts of a world that could not be read since the last call
 * (cs_cooked_failed).
 */
struct cs_error *cs_query_failed(struct cs_query *query) CS_MUST_USE;
/*
 * Returns true when a running statement must stop: the job says so, its memory is used up, or rows
 * that it needs cannot be read.
 */
bool cs_sql_stop(struct cs_query *query);

/* Compiles "SELECT (text) FROM table"; without a table "SELECT (text)". */
struct cs_error *cs_sql_prepare_expression(struct cs_query *query, const char *text,
	const char *table, const struct cs_parameters *variables, sqlite3_stmt **ret) CS_MUST_USE;

/* Returns the error of a query that needs more memory than its job permits. */
struct cs_error *cs_query_too_large(const struct cs_query *query) CS_MUST_USE;
/* Returns the error of the running statement, or E_SQL with SQLite's message. */
struct cs_error *cs_sql_error(struct cs_query *query, uint64_t offset) CS_MUST_USE;
