/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compiled expressions, for conditions that are evaluated after every frame. The text is parsed
 * once. Each evaluation resets the SQL statement, and allocates memory only if the value is a text.
 */
#include "query/sql/query_inside.h"
#include "query/sql/query_internal.h"

struct cs_expression {
	struct cs_query *query;
	sqlite3_stmt *stmt;
};

struct cs_error *cs_expression_new(struct cs_query *query, const char *text, const char *table,
	struct cs_parameters variables, struct cs_expression **ret)
{
	struct cs_expression *expression = calloc(1, sizeof(*expression));
	if (!expression)
		return cs_error_nomem();
	expression->query = query;
	struct cs_error *error =
		cs_sql_prepare_expression(query, text, table, &variables, &expression->stmt);
	if (!error && sqlite3_column_count(expression->stmt) != 1)
		error = cs_error_new(CS_E_SQL,
			"the expression '%.100s' must have exactly one value: write a query as "
			"(SELECT ... LIMIT 1)",
			text);
	if (error)
		cs_expression_free(expression);
	else
		*ret = expression;
	return error;
}

void cs_expression_free(struct cs_expression *expression)
{
	if (!expression)
		return;
	sqlite3_finalize(expression->stmt);
	free(expression);
}

struct cs_error *cs_expression_value(struct cs_expression *expression, struct cs_value *ret)
{
	sqlite3_reset(expression->stmt);
	int status = sqlite3_step(expression->stmt);
	if (status == SQLITE_ROW)
		*ret = cs_sql_column_value(expression->stmt, 0);
	else if (status == SQLITE_DONE)
		*ret = cs_null();
	else
		return cs_sql_error(expression->query, CS_NO_OFFSET);
	return NULL;
}

struct cs_error *cs_expression_is_true(struct cs_expression *expression, bool *ret)
{
	struct cs_value value;
	struct cs_error *error = cs_expression_value(expression, &value);
	if (!error)
		*ret = cs_value_is_true(&value);
	sqlite3_reset(expression->stmt);
	return error;
}
