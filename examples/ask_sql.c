/* SPDX-License-Identifier: Apache-2.0 */
/* Asks a cooked world in SQL: ask_sql FILE.cworld "SELECT level, count(*) FROM cells GROUP BY 1" */
#include "tell.h"

#include <cellscope/query.h>

static void put(void *context, const char *bytes, size_t n)
{
	fwrite(bytes, 1, n, context);
}

/* A value for people: names that come from files are escaped. */
static void print_rows(const struct cs_result *result)
{
	size_t n_columns = cs_result_table(result)->n_columns;
	for (size_t row = 0; row < cs_result_rows(result); row++) {
		for (size_t column = 0; column < n_columns; column++) {
			struct cs_value value = cs_result_value(result, row, column);
			cs_value_put(&value, CS_FORM_TEXT, put, stdout);
			putchar(column + 1 < n_columns ? '\t' : '\n');
		}
	}
}

static struct cs_error *ask(struct cs_cooked *cooked, const char *sql)
{
	struct cs_query *query;
	struct cs_result *result;
	struct cs_error *error = cs_query_new(&query);
	if (error)
		return error;
	error = cs_query_add_cooked(query, cooked);
	if (!error)
		error = cs_query_select(query, sql, (struct cs_parameters){NULL, 0}, &result);
	if (!error) {
		print_rows(result);
		cs_result_free(result);
	}
	cs_query_free(query);
	return error;
}

int main(int argc, char **argv)
{
	struct cs_cooked *cooked;
	if (argc != 3) {
		fprintf(stderr, "usage: ask_sql FILE.cworld SELECT\n");
		return 2;
	}
	struct cs_error *error = cs_cooked_open(argv[1], NULL, &cooked);
	if (!error) {
		error = ask(cooked, argv[2]);
		cs_cooked_close(cooked);
	}
	return tell(error);
}
