/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that SQL expressions can call: those registered with cs_query_function(), and one for
 * each table. For example, cell(NAME,'state') returns the column `state` of the cell that NAME
 * refers to, in any form that a user may type.
 */
#include "query/sql/query_inside.h"
#include "query/sql/query_internal.h"

#include <string.h>

enum { MOST_ARGUMENTS = 8 };

static struct cs_value value_of_sql(sqlite3_value *value)
{
	switch (sqlite3_value_type(value)) {
	case SQLITE_INTEGER:
		return cs_integer(sqlite3_value_int64(value));
	case SQLITE_FLOAT:
		return cs_number(sqlite3_value_double(value));
	case SQLITE_NULL:
		return cs_null();
	default:
		return cs_text((const char *)sqlite3_value_text(value));
	}
}

static void call(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	const struct cs_function *function = sqlite3_user_data(context);
	struct cs_value arguments[MOST_ARGUMENTS], value;
	for (int i = 0; i < argc && i < MOST_ARGUMENTS; i++)
		arguments[i] = value_of_sql(argv[i]);
	struct cs_error *error = function->call(function->context, arguments, &value);
	if (!error) {
		cs_sql_result(context, &value);
		return;
	}
	cs_error_free(function->query->failure);
	function->query->failure = error;
	sqlite3_result_error(context, error->message, -1);
}

struct cs_error *cs_query_function(struct cs_query *query, const char *name, int n_arguments,
	cs_query_call *called, void *context)
{
	struct cs_function *function = calloc(1, sizeof(*function));
	if (!function)
		return cs_error_nomem();
	*function = (struct cs_function){query, name, called, context, n_arguments};
	if (n_arguments > MOST_ARGUMENTS || !cs_vec_push(&query->functions, function)) {
		free(function);
		return cs_error_nomem();
	}
	if (sqlite3_create_function(query->db, name, n_arguments, SQLITE_UTF8, function, call, NULL,
		    NULL) != SQLITE_OK)
		return cs_sql_error(query, CS_NO_OFFSET);
	return NULL;
}

/* ---- the function of each table, such as cell(NAME, 'column') ---- */

static struct cs_error *functions_column_named(
	const struct cs_binding *binding, const char *key, struct cs_sql_column *ret)
{
	char name[CS_SQL_NAME];
	for (size_t i = 0; i < binding->sql_columns.n; i++) {
		cs_sql_column_name(binding, i, name);
		if (strcmp(name, key) == 0) {
			*ret = binding->sql_columns.at[i];
			return NULL;
		}
	}
	return cs_error_new(CS_E_SQL, "no such column: %s.%s (`info tables` lists the columns)",
		binding->table->name, key);
}

static struct cs_error *row_function(
	void *context, const struct cs_value *arguments, struct cs_value *ret)
{
	struct cs_binding *binding = context;
	struct cs_sql_column at = {0};
	uint32_t row = 0;
	size_t n = 0;
	if (arguments[0].kind != CS_KIND_TEXT || arguments[1].kind != CS_KIND_TEXT)
		return cs_error_new(CS_E_SQL,
			"both arguments of %s(NAME, COLUMN) must be texts, not numbers or null",
			binding->table->row_name);
	struct cs_error *error = functions_column_named(binding, arguments[1].text, &at);
	if (!error)
		error = cs_query_find(
			binding->query, binding->table, arguments[0].text, &row, 1, &n);
	if (error)
		return error;
	if (n == 0)
		return cs_error_new(binding->table->missing, "there is no %s named '%s'",
			binding->table->row_name, arguments[0].text);
	if (n > 1)
		return cs_error_new(CS_E_AMBIGUOUS,
			"%zu %s have the name '%s', but %s(NAME, COLUMN) needs exactly one", n,
			binding->table->name, arguments[0].text, binding->table->row_name);
	const struct cs_column *column = &binding->table->columns[at.column];
	error = cs_binding_load(binding, column->part);
	if (error)
		return error;
	struct cs_value value = cs_table_get(binding->table, binding->source, row, column);
	*ret = cs_value_axis(&value, at.axis);
	return NULL;
}

struct cs_error *cs_row_function_register(struct cs_binding *binding)
{
	bool has_key = binding->table->find != NULL;
	for (size_t i = 0; i < binding->table->n_columns; i++)
		has_key = has_key || binding->table->columns[i].flags & CS_COLUMN_KEY;
	if (!has_key)
		return NULL;
	return cs_query_function(
		binding->query, binding->table->row_name, 2, row_function, binding);
}
