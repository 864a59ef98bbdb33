/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of a query. A binding ties a table to its source and to the SQLite module of the same
 * name. Invariant: bindings stay where they are, for SQLite keeps pointers to them; columns of a
 * part are only read after `load` of that part.
 */
#pragma once

#include <cellscope/query.h>

#include "core/vec.h"
#include "query/sql/index.h"

#include <sqlite3.h>

/* A column of the SQL table: a column of the table, or one coordinate of it. */
struct cs_sql_column {
	uint16_t column;
	uint8_t axis; /* 0 = the whole value, 1..4 = x, y, z, w */
};

struct cs_binding {
	struct cs_query *query;
	const struct cs_table *table;
	const void *source;
	struct cs_index *indexes; /* one a column; keys NULL = not built yet */
	bool loaded[2];           /* parts */
	CS_VEC(struct cs_sql_column) sql_columns;
};

#define CS_PARTS 2u

struct cs_cooked_source;
struct cs_nanite_source;

struct cs_function {
	struct cs_query *query;
	cs_query_call *call;
	void *context;
	int n_arguments;
};

struct cs_query {
	sqlite3 *db;
	const struct cs_job *job;
	CS_VEC(struct cs_binding *) bindings;
	CS_VEC(struct cs_function *) functions;
	CS_VEC(struct cs_cooked_source *) worlds;
	struct cs_nanite_source *nanite; /* of the resources, or NULL */
	struct cs_error *failure;        /* of a table or a function, while a statement runs */
	bool over_memory;
};

/* Names of the table's columns in SQL, in order; "v_x" and "references_" are among them. */
#define CS_SQL_NAME 80
void cs_sql_column_name(const struct cs_binding *binding, size_t index, char name[CS_SQL_NAME]);
bool cs_sql_is_alias(const struct cs_binding *binding, size_t index);

struct cs_error *cs_binding_of(
	struct cs_query *query, const struct cs_table *table, struct cs_binding **ret) CS_MUST_USE;
struct cs_error *cs_binding_load(struct cs_binding *binding, unsigned part) CS_MUST_USE;
/* The index of a key column, built when it is first asked for. */
struct cs_error *cs_binding_index(
	struct cs_binding *binding, size_t column, const struct cs_index **ret) CS_MUST_USE;
/* One coordinate of a value, or the value itself. */
struct cs_value cs_value_axis(const struct cs_value *value, unsigned axis);

/* What the getters of a row get: its part of the source, and its place there. */
struct cs_row cs_table_row(const struct cs_table *table, const void *source, size_t index);

/* Has SQLite connect a virtual table; afterwards statements may use it. */
int cs_sql_connect(struct cs_query *query, const char *table);
/* Registers the table as a module. */
struct cs_error *cs_vtab_register(struct cs_binding *binding) CS_MUST_USE;
/* Registers row_name(NAME, 'column'). */
struct cs_error *cs_row_function_register(struct cs_binding *binding) CS_MUST_USE;
void cs_sql_result(sqlite3_context *context, const struct cs_value *value);

/* Registers LIKE, GLOB and what else takes long over texts; a status of SQLite. */
int cs_text_functions_register(struct cs_query *query);
/* What of a world could not be read since it was asked last (cs_cooked_failed). */
struct cs_error *cs_query_failed(struct cs_query *query) CS_MUST_USE;
/*
 * Whether a running statement is to stop: the job says so, it is over its memory, or rows that it
 * asked for cannot be read.
 */
bool cs_sql_stop(struct cs_query *query);

/* "SELECT (text) FROM table", the table only where there is one. */
struct cs_error *cs_sql_prepare_expression(struct cs_query *query, const char *text,
	const char *table, const struct cs_parameters *variables, sqlite3_stmt **ret) CS_MUST_USE;

/* Takes the failure of the running statement, or makes E_SQL of SQLite's message. */
struct cs_error *cs_sql_error(struct cs_query *query, uint64_t offset) CS_MUST_USE;
