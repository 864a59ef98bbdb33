/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables over several partitions that come, go and are looked at alone: after each of many steps by
 * chance, every column that is found through an index answers as a scan of all rows does, all rows
 * are those of the partitions one behind the other, a row of all leads to its place there, and
 * names lead where a scan of the keys does.
 */
#include <cellscope/query.h>
#include <cellscope/world.h>

#include "core/random.h"
#include "query/sql/query_inside.h"
#include "tests/make/make.h"
#include "tests/samples/tap.h"
#include "tests/unit/cook/cooking.h"

enum { WORLDS = 4, STEPS = 30 };

static struct cs_query *query;

static int64_t number_of(const char *sql)
{
	struct cs_result *result = NULL;
	struct cs_error *error = cs_query_select(query, sql, (struct cs_parameters){0}, &result);
	int64_t number = -1;
	if (error)
		diag("%s: %s", sql, error->message);
	if (!error && cs_result_rows(result) == 1)
		number = cs_result_value(result, 0, 0).integer;
	cs_error_free(error);
	if (result)
		cs_result_free(result);
	return number;
}

static int64_t rows_of(const struct cs_table *table)
{
	char sql[200];
	snprintf(sql, sizeof(sql), "SELECT count(*) FROM \"%s\"", table->name);
	return number_of(sql);
}

/* Counts the values of the column for which an index finds another number of rows than a scan. */
static int64_t found_otherwise(const struct cs_table *table, const char *key)
{
	char sql[600];
	snprintf(sql, sizeof(sql),
		"SELECT count(*) FROM (SELECT DISTINCT \"%s\" AS k FROM \"%s\" LIMIT 25) WHERE "
		"(SELECT count(*) FROM \"%s\" b WHERE b.\"%s\" = k) <> "
		"(SELECT count(*) FROM \"%s\" b WHERE +b.\"%s\" = k)",
		key, table->name, table->name, key, table->name, key);
	return number_of(sql);
}

static size_t check_indexes(size_t *n_columns)
{
	size_t wrong = 0;
	for (size_t i = 0; i < cs_query_tables(query); i++) {
		const void *source;
		const struct cs_table *table = cs_query_table(query, i, &source);
		for (size_t k = 0; k < table->n_columns; k++) {
			const struct cs_column *column = &table->columns[k];
			if (!(column->flags & (CS_COLUMN_KEY | CS_COLUMN_INDEX)))
				continue;
			int64_t n = found_otherwise(table, column->key);
			if (n != 0)
				diag("%s.%s: %d values", table->name, column->key, (int)n);
			wrong += n != 0;
			++*n_columns;
		}
	}
	return wrong;
}

/*
 * Compares the rows of all partitions with those of each partition when it is looked at alone;
 * returns the number of differences.
 */
static size_t check_rows(void)
{
	uint32_t kept = cs_query_focused(query);
	size_t wrong = 0, parts = cs_query_partitions(query);
	for (size_t i = 0; i < cs_query_tables(query); i++) {
		const void *source;
		const struct cs_table *table = cs_query_table(query, i, &source);
		int64_t sum = 0;
		if (!table->locate)
			continue;
		for (uint32_t part = 0; part < parts; part++) {
			cs_query_focus(query, part);
			int64_t n = rows_of(table), first = sum;
			sum += n;
			cs_query_focus(query, CS_NONE);
			for (int64_t row = n > 3 ? n - 3 : 0; row < n; row++) {
				uint32_t at = (uint32_t)(first + row), in = CS_NONE;
				cs_query_place_row(query, table, &at, &in);
				wrong += in != part || at != row;
			}
		}
		wrong += rows_of(table) != sum;
	}
	cs_query_focus(query, kept);
	return wrong;
}

/* ---- rows by name ---- */

static struct cs_value key_of(const struct cs_table *table, const void *source, size_t row,
	const struct cs_column *column)
{
	return cs_table_get(table, source, row, column);
}

static bool is_called(const struct cs_value *value, const char *text, bool fold)
{
	return value->kind == CS_KIND_TEXT &&
	       (fold ? cs_name_compare(value->text, text) == 0 : strcmp(value->text, text) == 0);
}

/*
 * Counts the rows of the first key that has the text, exactly or else in another case, by reading
 * all rows.
 */
static size_t find_by_scan(const struct cs_table *table, const void *source, const char *text,
	size_t rows, uint32_t *ret)
{
	for (int fold = 0; fold < 2; fold++) {
		for (size_t k = 0; k < table->n_columns; k++) {
			const struct cs_column *column = &table->columns[k];
			size_t n = 0;
			for (size_t row = 0; row < rows && column->flags & CS_COLUMN_KEY; row++) {
				const struct cs_value value = key_of(table, source, row, column);
				if (is_called(&value, text, fold)) {
					*ret = n == 0 ? (uint32_t)row : *ret;
					n++;
				}
			}
			if (n > 0)
				return n;
		}
	}
	return 0;
}

/*
 * Returns whether names are found as by a scan: first in the main partition when all are looked at,
 * then in all of them.
 */
static bool finds_as_scan(const struct cs_table *table, const void *source, const char *text)
{
	uint32_t row = CS_NONE, want_row = CS_NONE, focus = cs_query_focused(query);
	size_t n = 0, want = 0;
	if (cs_query_find(query, table, text, &row, 1, &n))
		return false;
	if (focus == CS_NONE && table->locate) {
		cs_query_focus(query, 0);
		size_t main_rows = table->count(source);
		cs_query_focus(query, CS_NONE);
		want = find_by_scan(table, source, text, main_rows, &want_row);
	}
	if (want == 0)
		want = find_by_scan(table, source, text, table->count(source), &want_row);
	return n == want && row == want_row;
}

static size_t check_names(struct cs_random *random)
{
	size_t wrong = 0;
	for (size_t i = 0; i < cs_query_tables(query); i++) {
		const void *source;
		const struct cs_table *table = cs_query_table(query, i, &source);
		if (table->find || cs_query_load(query, table, 0) || table->count(source) == 0)
			continue;
		for (size_t k = 0; k < table->n_columns; k++) {
			const struct cs_column *column = &table->columns[k];
			size_t row = cs_random_below(random, (uint32_t)table->count(source));
			const struct cs_value value = key_of(table, source, row, column);
			char text[300];
			if (!(column->flags & CS_COLUMN_KEY) || value.kind != CS_KIND_TEXT)
				continue;
			snprintf(text, sizeof(text), "%s", value.text);
			bool right = finds_as_scan(table, source, text);
			for (char *at = text; *at; at++)
				*at = (char)(*at >= 'a' && *at <= 'z' ? *at - 32 : *at);
			right = right && finds_as_scan(table, source, text);
			strcat(text, "?");
			right = right && finds_as_scan(table, source, text);
			if (!right)
				diag("%s.%s: %s", table->name, column->key, text);
			wrong += !right;
		}
	}
	return wrong;
}

/*
 * Checks the table of partitions: names, numbers and contents; returns the number of differences.
 */
static size_t check_partitions(void)
{
	size_t wrong = 0;
	for (uint32_t i = 0; i < cs_query_partitions(query); i++) {
		char sql[300];
		const char *name = NULL;
		const struct cs_cooked *cooked = cs_query_partition(query, i, &name);
		bool seen = cs_query_focused(query) == CS_NONE || cs_query_focused(query) == i;
		if (!name)
			return 1;
		wrong += cs_query_find_partition(query, name) != i;
		snprintf(sql, sizeof(sql), "SELECT count(*) FROM cells WHERE partition = '%s'",
			name);
		wrong += number_of(sql) != (seen ? (int64_t)cooked->n_cells : 0);
		snprintf(sql, sizeof(sql),
			"SELECT \"index\" FROM partitions WHERE name = '%s' AND cells = %d AND "
			"state = '%s' AND partition(name, 'index') = \"index\"",
			name, (int)cooked->n_cells, i ? "waiting" : "registered");
		wrong += number_of(sql) != i;
	}
	wrong += cs_query_find_partition(query, "no partition") != CS_NONE;
	return wrong;
}

/*
 * Each actor names the row of its set, which is in the partition of the actor; returns the number
 * of differences.
 */
static size_t check_sets(void)
{
	const void *source, *of_sets;
	const struct cs_table *actors = cs_query_table_named(query, "actors", &source);
	const struct cs_table *sets = cs_query_table_named(query, "sets", &of_sets);
	const struct cs_column *column = cs_table_column(actors, "set");
	size_t wrong = 0;
	if (cs_query_load(query, actors, column->part) || cs_query_load(query, sets, 0))
		return 1;
	for (uint32_t row = 0; row < actors->count(source); row++) {
		const struct cs_value set = cs_table_get(actors, source, row, column);
		uint32_t actor = row, part = CS_NONE, at = (uint32_t)set.integer, in = CS_NONE;
		cs_query_place_row(query, actors, &actor, &part);
		const struct cs_cooked *world = cs_query_partition(query, part, NULL);
		uint32_t want = cs_cooked_actor(world, actor)->set;
		if (set.kind == CS_KIND_NULL || want == CS_NONE) {
			wrong += set.kind != CS_KIND_NULL || want != CS_NONE;
			continue;
		}
		cs_query_place_row(query, sets, &at, &in);
		wrong += in != part || at != want;
	}
	return wrong;
}

static void step(struct cs_random *random, const struct cooked_world *worlds)
{
	char name[16];
	size_t parts = cs_query_partitions(query);
	switch (cs_random_below(random, 4)) {
	case 0:
		if (parts == WORLDS)
			break;
		snprintf(name, sizeof(name), "part%zu", parts);
		works(cs_query_add_partition(query, worlds[parts].c, name), "one more");
		break;
	case 1:
		cs_query_focus(query, CS_NONE);
		if (parts > 1)
			cs_query_drop_partitions(
				query, 1 + cs_random_below(random, (uint32_t)parts));
		break;
	case 2:
		cs_query_focus(query, CS_NONE);
		break;
	default:
		cs_query_focus(query, cs_random_below(random, (uint32_t)parts));
		break;
	}
}

/* There is a function for each table whose rows have names, and for no other. */
static void test_functions(void)
{
	size_t wrong = 0;
	for (size_t i = 0; i < cs_query_tables(query); i++) {
		const void *source;
		const struct cs_table *table = cs_query_table(query, i, &source);
		bool has = table->find != NULL, same = false;
		char sql[200];
		for (size_t k = 0; k < table->n_columns; k++)
			has = has || table->columns[k].flags & CS_COLUMN_KEY;
		for (size_t k = 0; k < cs_query_tables(query); k++)
			same = same ||
			       (k != i && strcmp(cs_query_table(query, k, &source)->row_name,
						  table->row_name) == 0);
		if (same)
			continue;
		snprintf(sql, sizeof(sql), "SELECT %s('', 'no column')", table->row_name);
		struct cs_result *result;
		struct cs_error *error =
			cs_query_select(query, sql, (struct cs_parameters){0}, &result);
		bool missing = error && strstr(error->message, "no such function");
		if (!ok(error && missing != has, "%s(NAME, COLUMN) is %s", table->row_name,
			    has ? "a function" : "none"))
			wrong++;
		cs_error_free(error);
	}
	is_int(wrong, 0, "rows with a name have a function");
}

int main(void)
{
	struct cooked_world worlds[WORLDS];
	struct cs_job job = {.threads = 1};
	struct cs_random random = {3};
	size_t wrong = 0, columns = 0;
	for (uint64_t i = 0; i < WORLDS; i++) {
		const struct cs_world_recipe recipe = {
			i % 2 ? CS_WORLD_HARD : CS_WORLD_CITY, 30 + 11 * i, i + 1};
		struct cs_world *world;
		if (make_test_world(&recipe, &job, &world))
			abort();
		worlds[i] = cook_world(world, NULL, 1);
		cs_world_free(world);
	}
	works(cs_query_new(&query), "a query");
	works(cs_query_add_cooked(query, worlds[0].c), "over a world");
	for (int i = 0; i < STEPS; i++) {
		step(&random, worlds);
		wrong += check_indexes(&columns);
		wrong += check_rows();
		wrong += check_names(&random);
		wrong += check_partitions();
		wrong += check_sets();
	}
	ok(columns > STEPS * 20, "%zu columns are found through an index", columns);
	is_int(wrong, 0, "as by a scan, and all rows are those of the partitions");
	test_functions();
	cs_query_free(query);
	for (size_t i = 0; i < WORLDS; i++)
		cooked_free(&worlds[i]);
	return done();
}
