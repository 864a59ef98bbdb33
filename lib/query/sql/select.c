/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs SQL: the rows of a listing, the value of an expression, the result of a statement. An
 * expression of the user is put on lines of its own inside the generated statement, so that a
 * comment in it ends there, and error offsets are converted to offsets in the user's text.
 */
#include "query/sql/query_internal.h"

#include "core/arena.h"
#include "core/items.h"
#include "core/job.h"
#include "core/writer.h"

#include <stdio.h>
#include <string.h>

/* ---- generated statements ---- */

/* A generated statement that contains a text of the user. */
struct statement {
	struct cs_writer sql;
	size_t own;    /* number of bytes in `sql` before the text of the user */
	size_t length; /* bytes of the text of the user */
};

static void select_add(struct statement *statement, const char *sql)
{
	cs_writer_bytes(&statement->sql, sql, strlen(sql));
}

static void add_users(struct statement *statement, const char *text)
{
	statement->own = statement->sql.size;
	statement->length = strlen(text);
	select_add(statement, text);
}

static uint64_t users_offset(const struct statement *statement, sqlite3 *db)
{
	int offset = sqlite3_error_offset(db);
	if (offset < 0 || (size_t)offset < statement->own ||
		(size_t)offset - statement->own > statement->length)
		return CS_NO_OFFSET;
	return (size_t)offset - statement->own;
}

/* Returns whether SQLite's error is behind the user's expression, in what was added to it. */
static bool ends_early(const struct statement *statement, sqlite3 *db)
{
	const int offset = sqlite3_error_offset(db);
	return statement->own && offset >= 0 && (size_t)offset > statement->own + statement->length;
}

/* Returns the last character of the quoted text or comment that begins at `at`; NULL = none. */
static const char *end_of_quote(const char *at)
{
	if (strncmp(at, "--", 2) == 0)
		return at + strcspn(at, "\n") - 1;
	if (strncmp(at, "/*", 2) == 0) {
		const char *end = strstr(at + 2, "*/");
		return end ? end + 1 : NULL;
	}
	return strchr("'\"`[", *at) ? strchr(at + 1, *at == '[' ? ']' : *at) : at;
}

/*
 * Checks that the user's text is one expression, which cannot end the statement around it or add to
 * it: quotes and parentheses are closed, and no ";" is outside of quotes. A condition must have no
 * comment, because it becomes part of further statements.
 */
static struct cs_error *check_whole_expression(const char *text, bool is_condition)
{
	size_t open = 0;
	for (const char *at = text; *at; at++) {
		const char *end = end_of_quote(at);
		const bool comments = strncmp(at, "--", 2) == 0 || strncmp(at, "/*", 2) == 0;
		const char *why = !end                       ? "a quote or comment is not closed"
				  : *at == ')' && open == 0  ? "this ')' closes no '('"
				  : *at == ';'               ? "an expression must have no ';'"
				  : comments && is_condition ? "a condition must have no comment"
							     : NULL;
		if (why)
			return cs_error_at(CS_E_SQL, NULL, (uint64_t)(at - text), "%s", why);
		open += (size_t)(*at == '(') - (size_t)(*at == ')');
		at = end;
	}
	return open ? cs_error_at(CS_E_SQL, NULL, strlen(text), "a '(' is not closed") : NULL;
}

static const struct cs_value *variable_named(
	const struct cs_parameters *variables, const char *name)
{
	for (size_t i = 0; i < variables->n; i++)
		if (strcmp(variables->at[i].name, name) == 0)
			return &variables->at[i].value;
	return NULL;
}

int cs_sql_bind(sqlite3_stmt *stmt, int at, const struct cs_value *value)
{
	switch (value->kind) {
	case CS_KIND_TEXT:
		return sqlite3_bind_text(stmt, at, value->text, -1, SQLITE_TRANSIENT);
	case CS_KIND_INTEGER:
		return sqlite3_bind_int64(stmt, at, value->integer);
	case CS_KIND_NUMBER:
		return sqlite3_bind_double(stmt, at, value->number);
	case CS_KIND_BOOL:
		return sqlite3_bind_int(stmt, at, value->yes);
	default:
		return sqlite3_bind_null(stmt, at);
	}
}

static struct cs_error *bind_variables(
	struct cs_query *query, sqlite3_stmt *stmt, const struct cs_parameters *variables)
{
	for (int i = 1; i <= sqlite3_bind_parameter_count(stmt); i++) {
		const char *name = sqlite3_bind_parameter_name(stmt, i);
		if (!name || name[0] != '$')
			return cs_error_new(CS_E_SQL,
				"the SQL text has the parameter '%s', but a parameter can only be "
				"a variable, written $NAME",
				name ? name : "?");
		const struct cs_value *value = variable_named(variables, name + 1);
		if (!value)
			return cs_error_new(CS_E_SQL,
				"no variable %s is set: `set %s = EXPR` sets it", name, name);
		if (cs_sql_bind(stmt, i, value) != SQLITE_OK)
			return cs_sql_error(query, CS_NO_OFFSET);
	}
	return NULL;
}

/* Completes the statement, compiles it to *ret, and frees its text. */
static struct cs_error *select_prepare(struct cs_query *query, struct statement *statement,
	const struct cs_parameters *variables, sqlite3_stmt **ret)
{
	sqlite3_stmt *stmt = NULL;
	const char *tail;
	struct cs_error *error = NULL;
	cs_reads_nothing(query);
	cs_writer_u8(&statement->sql, 0);
	if (statement->sql.failed)
		error = cs_error_nomem();
	else if (sqlite3_prepare_v2(query->db, (const char *)statement->sql.bytes, -1, &stmt,
			 &tail) != SQLITE_OK)
		error = ends_early(statement, query->db)
				? cs_error_at(CS_E_SQL, NULL, statement->length,
					  "the expression ends before it is complete")
				: cs_sql_error(query, users_offset(statement, query->db));
	else if (!stmt)
		error = cs_error_new(CS_E_SQL, "the SQL statement is empty");
	else if (tail[strspn(tail, " \t\r\n;")])
		error = cs_error_new(CS_E_SQL,
			"the line has more than one SQL statement: write each in a line of its "
			"own");
	else
		error = bind_variables(query, stmt, variables);
	cs_writer_deinit(&statement->sql);
	if (error)
		sqlite3_finalize(stmt);
	else
		*ret = stmt;
	return error;
}

/* Begins a statement with the user's expression as a column, behind the columns in `before`. */
static struct cs_error *compose_expression(
	struct statement *statement, const char *before, const char *text)
{
	struct cs_error *error = check_whole_expression(text, false);
	if (error)
		return error;
	select_add(statement, "SELECT ");
	select_add(statement, before);
	select_add(statement, "(\n");
	add_users(statement, text);
	select_add(statement, "\n)");
	return NULL;
}

struct cs_error *cs_sql_prepare_expression(struct cs_query *query, const char *text,
	const char *table, const struct cs_parameters *variables, sqlite3_stmt **ret)
{
	struct statement statement = {0};
	struct cs_error *error = compose_expression(&statement, "", text);
	if (error)
		return error;
	if (table) {
		select_add(&statement, " FROM \"");
		select_add(&statement, table);
		select_add(&statement, "\"");
	}
	return select_prepare(query, &statement, variables, ret);
}

/* ---- rows of a listing ---- */

static struct cs_error *add_sort_key(struct statement *statement, const struct cs_binding *binding,
	const char *key, size_t length)
{
	bool descending = length > 0 && key[0] == '-';
	char name[CS_SQL_NAME];
	key += descending;
	length -= descending;
	for (size_t i = 0; i < binding->sql_columns.n; i++) {
		cs_sql_column_name(binding, i, name);
		if (strlen(name) != length || memcmp(name, key, length) != 0)
			continue;
		select_add(statement, "\"");
		select_add(statement, name);
		select_add(statement, descending ? "\" DESC, " : "\", ");
		return NULL;
	}
	return cs_error_new(CS_E_SQL,
		"no such column to sort by: %.*s (option -c ? lists the columns)", (int)length,
		key);
}

static struct cs_error *add_sort(
	struct statement *statement, const struct cs_binding *binding, const char *sort)
{
	select_add(statement, " ORDER BY ");
	struct cs_item key;
	while (cs_next_item(&sort, &key)) {
		struct cs_error *error = add_sort_key(statement, binding, key.at, key.n);
		if (error)
			return error;
	}
	select_add(statement, "rowid");
	return NULL;
}

static struct cs_error *compose_rows(struct statement *statement, const struct cs_binding *binding,
	const struct cs_listing *listing)
{
	char limit[32];
	select_add(statement, "SELECT rowid FROM \"");
	select_add(statement, binding->table->name);
	select_add(statement, "\"");
	select_add(statement, " WHERE (");
	select_add(statement, listing->scope ? listing->scope : "1");
	select_add(statement, listing->partition ? ") AND (partition = $partition)" : ")");
	if (listing->where) {
		select_add(statement, " AND (\n");
		add_users(statement, listing->where);
		select_add(statement, "\n)");
	}
	struct cs_error *error = add_sort(statement, binding, listing->sort);
	if (listing->limit) {
		snprintf(limit, sizeof(limit), " LIMIT %llu", (unsigned long long)listing->limit);
		select_add(statement, limit);
	}
	return error;
}

typedef CS_VEC(uint32_t) row_list;

static struct cs_error *all_rows(const struct cs_binding *binding, uint64_t limit, row_list *rows)
{
	size_t n = binding->table->count(binding->source);
	if (limit && n > limit)
		n = (size_t)limit;
	if (!cs_vec_reserve(rows, n + 1))
		return cs_error_nomem();
	for (size_t i = 0; i < n; i++)
		rows->at[rows->n++] = (uint32_t)i;
	return NULL;
}

static struct cs_error *step_rows(
	const struct cs_binding *binding, sqlite3_stmt *stmt, row_list *rows)
{
	int status;
	while ((status = sqlite3_step(stmt)) == SQLITE_ROW) {
		if (!cs_vec_push(rows, (uint32_t)sqlite3_column_int64(stmt, 0)))
			return cs_error_nomem();
	}
	return status == SQLITE_DONE ? cs_query_failed(binding->query)
				     : cs_sql_error(binding->query, CS_NO_OFFSET);
}

/* Returns the user's variables with $scope and $partition added. The caller frees the array. */
static struct cs_error *with_scope(const struct cs_listing *listing, struct cs_parameters *ret)
{
	size_t n = listing->variables.n;
	struct cs_parameter *at = calloc(n + 2, sizeof(*at));
	if (!at)
		return cs_error_nomem();
	at[0] = (struct cs_parameter){"scope", listing->scope_value};
	at[1] = (struct cs_parameter){"partition", cs_text(listing->partition)};
	if (n)
		memcpy(at + 2, listing->variables.at, n * sizeof(*at));
	*ret = (struct cs_parameters){at, n + 2};
	return NULL;
}

static struct cs_error *selected_rows(
	struct cs_binding *binding, const struct cs_listing *listing, row_list *rows)
{
	struct statement statement = {0};
	sqlite3_stmt *stmt = NULL;
	struct cs_error *error =
		listing->where ? check_whole_expression(listing->where, true) : NULL;
	struct cs_parameters variables = {0};
	if (!error)
		error = compose_rows(&statement, binding, listing);
	if (!error)
		error = with_scope(listing, &variables);
	if (error) {
		cs_writer_deinit(&statement.sql);
		return error;
	}
	error = select_prepare(binding->query, &statement, &variables, &stmt);
	free((void *)variables.at);
	if (!error)
		error = cs_reads_load(binding->query);
	const bool passes = !error && cs_reads_begin(binding->query);
	if (!error)
		error = step_rows(binding, stmt, rows);
	sqlite3_finalize(stmt);
	cs_reads_end(binding->query, passes);
	return error;
}

struct cs_error *cs_query_rows(struct cs_query *query, const struct cs_table *table,
	const struct cs_listing *listing, uint32_t **rows_ret, size_t *n_ret)
{
	struct cs_binding *binding;
	row_list rows = {0};
	struct cs_error *error = cs_binding_of(query, table, &binding);
	if (!error)
		error = cs_binding_load(binding, 0);
	if (!error && !listing->where && !listing->sort && !listing->scope && !listing->partition)
		error = all_rows(binding, listing->limit, &rows);
	else if (!error)
		error = selected_rows(binding, listing, &rows);
	return cs_vec_give(&rows, error, rows_ret, n_ret);
}

/* ---- results of statements ---- */

struct cs_result {
	struct cs_arena arena; /* owns the names of columns and all texts */
	struct cs_table table;
	CS_VEC(struct cs_column) columns;
	CS_VEC(struct cs_value) values; /* values of all rows, row after row */
};

static size_t result_count(const void *source)
{
	return cs_result_rows(source);
}

static const void *result_row(const void *source, size_t index)
{
	const struct cs_result *result = source;
	return &result->values.at[index * result->columns.n];
}

static void result_get(
	const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	*ret = ((const struct cs_value *)row->record)[column->argument];
}

static bool name_is_taken(const struct cs_result *result, const char *name)
{
	for (size_t i = 0; i < result->columns.n; i++)
		if (strcmp(result->columns.at[i].key, name) == 0)
			return true;
	return false;
}

/* Returns a key for a column that is unique in JSON: a second column `name` gets the key name_2. */
static const char *distinct_name(struct cs_result *result, const char *name)
{
	char numbered[CS_SQL_NAME];
	const char *key = name;
	for (unsigned n = 2; name_is_taken(result, key); n++) {
		snprintf(numbered, sizeof(numbered), "%.60s_%u", name, n);
		key = numbered;
	}
	return cs_arena_text(&result->arena, key, strlen(key));
}

static struct cs_error *add_columns(struct cs_result *result, sqlite3_stmt *stmt)
{
	for (int i = 0; i < sqlite3_column_count(stmt); i++) {
		const char *name = sqlite3_column_name(stmt, i);
		struct cs_column column = {.doc = "",
			.flags = CS_COLUMN_SHORT,
			.get = result_get,
			.argument = (uint32_t)i};
		column.key = name ? distinct_name(result, name) : NULL;
		if (!column.key || !cs_vec_push(&result->columns, column))
			return cs_error_nomem();
	}
	return NULL;
}

struct cs_value cs_sql_column_value(sqlite3_stmt *stmt, int column)
{
	switch (sqlite3_column_type(stmt, column)) {
	case SQLITE_INTEGER:
		return cs_integer(sqlite3_column_int64(stmt, column));
	case SQLITE_FLOAT:
		return cs_number(sqlite3_column_double(stmt, column));
	case SQLITE_NULL:
		return cs_null();
	default:
		return cs_text((const char *)sqlite3_column_text(stmt, column));
	}
}

static struct cs_error *column_value(
	struct cs_result *result, sqlite3_stmt *stmt, int i, struct cs_value *ret)
{
	const int type = sqlite3_column_type(stmt, i);
	*ret = cs_sql_column_value(stmt, i);
	if (type != SQLITE_TEXT && type != SQLITE_BLOB)
		return NULL;
	if (ret->kind == CS_KIND_TEXT)
		*ret = cs_text(cs_arena_text(&result->arena, ret->text, strlen(ret->text)));
	return ret->kind == CS_KIND_TEXT ? NULL : cs_error_nomem();
}

static struct cs_error *select_add_row(struct cs_result *result, sqlite3_stmt *stmt)
{
	for (size_t i = 0; i < result->columns.n; i++) {
		struct cs_value value;
		struct cs_error *error = column_value(result, stmt, (int)i, &value);
		if (error)
			return error;
		if (!cs_vec_push(&result->values, value))
			return cs_error_nomem();
		struct cs_column *column = &result->columns.at[i];
		if (column->kind == CS_KIND_NULL)
			column->kind = value.kind;
	}
	return NULL;
}

static struct cs_error *collect_rows(
	struct cs_query *query, struct cs_result *result, sqlite3_stmt *stmt)
{
	const struct cs_limits limits = cs_job_limits(query->job);
	int status;
	while ((status = sqlite3_step(stmt)) == SQLITE_ROW) {
		struct cs_error *error = select_add_row(result, stmt);
		if (error)
			return error;
		if (result->arena.total + result->values.n * sizeof(struct cs_value) >
			limits.memory)
			return cs_query_too_large(query);
	}
	return status == SQLITE_DONE ? cs_query_failed(query) : cs_sql_error(query, CS_NO_OFFSET);
}

static struct cs_error *select_run(struct cs_query *query, struct statement *statement,
	const struct cs_parameters *variables, struct cs_result **ret)
{
	sqlite3_stmt *stmt = NULL;
	struct cs_result *result = calloc(1, sizeof(*result));
	struct cs_error *error = select_prepare(query, statement, variables, &stmt);
	if (!error && !result)
		error = cs_error_nomem();
	if (!error)
		error = add_columns(result, stmt);
	if (!error)
		error = cs_reads_load(query);
	const bool passes = !error && cs_reads_begin(query);
	if (!error)
		error = collect_rows(query, result, stmt);
	sqlite3_finalize(stmt);
	cs_reads_end(query, passes);
	if (error) {
		cs_result_free(result);
		return error;
	}
	result->table = (struct cs_table){.name = "result",
		.row_name = "result",
		.columns = result->columns.at,
		.n_columns = result->columns.n,
		.missing = CS_E_SQL,
		.count = result_count,
		.row = result_row};
	*ret = result;
	return NULL;
}

struct cs_error *cs_query_select(struct cs_query *query, const char *sql,
	struct cs_parameters variables, struct cs_result **ret)
{
	struct statement statement = {0};
	add_users(&statement, sql);
	return select_run(query, &statement, &variables, ret);
}

struct cs_error *cs_query_evaluate(struct cs_query *query, const char *expression,
	const char *const each[2], struct cs_parameters variables, struct cs_result **ret)
{
	struct statement statement = {0};
	struct cs_error *error = compose_expression(&statement, each ? each[0] : "", expression);
	if (error)
		return error;
	select_add(&statement, each ? each[1] : " AS value");
	return select_run(query, &statement, &variables, ret);
}

struct cs_result_view cs_result_view(const struct cs_result *result)
{
	return (struct cs_result_view){
		&result->table, result->columns.n ? result->values.n / result->columns.n : 0};
}

struct cs_value cs_result_value(const struct cs_result *result, size_t row, size_t column)
{
	return result->values.at[row * result->columns.n + column];
}

void cs_result_free(struct cs_result *result)
{
	if (!result)
		return;
	cs_arena_deinit(&result->arena);
	cs_vec_free(&result->columns);
	cs_vec_free(&result->values);
	free(result);
}
