/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Statements that read the columns of a large world in passes, against a twin that reads whole rows
 * and keeps them: each column of each table, statements by chance, and damaged values, whose errors
 * must be the same; rows in the order of a column, against sorted ones. What a pass read is gone
 * after it. The world has every rule of the cook, and
 * several parts of each table.
 */
#include "core/random.h"
#include "format/cooked_inside.h"
#include "format/file_inside.h"
#include "format/file_writer.h"
#include "format/layout.h"
#include "format/reader.h"
#include "query/sql/query_inside.h"
#include "query/sql/query_internal.h"
#include "query/sql/readers.h"
#include "tests/make/make.h"
#include "tests/samples/tap.h"
#include "tests/unit/cook/cooking.h"

#include <ctype.h>

enum { ACTORS = 8000, ROW = 5900, SQL_SIZE = 600 };

static struct cooked_world cooked;

/* A query with a world of its own. */
struct reader {
	struct cs_cooked *c;
	struct cs_query *query;
};

static void must(struct cs_error *error)
{
	if (error) {
		printf("Bail out! %s\n", error->message);
		exit(99);
	}
}

static struct reader open_reader(const void *bytes, size_t size, uint64_t kept_bytes)
{
	struct reader reader = {0};
	must(cs_cooked_open_bytes(bytes, size, "world", NULL, &reader.c));
	must(cs_query_new(&reader.query));
	must(cs_query_add_cooked(reader.query, reader.c));
	reader.query->kept_bytes = kept_bytes;
	return reader;
}

static void close_reader(struct reader *reader)
{
	cs_query_free(reader->query);
	cs_cooked_close(reader->c);
}

struct change {
	uint16_t table;
	const void *rows;
	size_t n;
};

/* Writes the world anew with other rows in some tables. */
static unsigned char *write_with(const struct change *changes, size_t n_changes, size_t *size_ret)
{
	const struct cs_schema *schema = cs_schema_of_kind(1);
	unsigned char *bytes;
	struct cs_file_writer *w;
	must(cs_file_writer_new(schema, NULL, &w));
	for (size_t i = 0; i < schema->n_records; i++) {
		const uint16_t id = schema->records[i]->table;
		const void *rows;
		size_t n;
		must(cs_file_load(cooked.c->file, id, &rows, &n));
		for (size_t k = 0; k < n_changes; k++)
			if (changes[k].table == id) {
				rows = changes[k].rows;
				n = changes[k].n;
			}
		must(cs_file_writer_table(w, id, rows, n));
	}
	must(cs_file_writer_bytes(w, &bytes, size_ret));
	cs_file_writer_free(w);
	return bytes;
}

/* Returns rows of the table, each several times, that take more than one part. */
static struct change repeat_rows(uint16_t table, size_t size)
{
	const size_t room = CS_PART_BYTES * 9 / 8 / size;
	const void *rows;
	size_t n;
	unsigned char *more = malloc(room * size);
	must(cs_file_load(cooked.c->file, table, &rows, &n));
	for (size_t i = 0; i < room; i++)
		memcpy(more + i * size, (const unsigned char *)rows + i % n * size, size);
	return (struct change){table, more, room};
}

/*
 * Gives flags and tags to actors that getters ask for and this cook does not set, and appends sets
 * and references.
 */
static void change_world(void)
{
	const size_t n = cooked.c->n_actors;
	struct cs_cooked_actor *rows = malloc(n * sizeof(*rows));
	memcpy(rows, cs_cooked_actor(cooked.c, 0), n * sizeof(*rows));
	for (size_t i = 0; i < n; i += 3)
		rows[i].flags |= i % 2 ? CS_ACTOR_NO_TRANSFORM : CS_ACTOR_MADE_GUID;
	struct cs_cooked_actor_detail *details = malloc(n * sizeof(*details));
	memcpy(details, cs_cooked_detail(cooked.c, 0), n * sizeof(*details));
	const uint32_t tags[] = {rows[0].name, rows[1].name};
	for (size_t i = 0; i < n; i++)
		details[i].tags = (struct cs_range){i % 2, 1};
	struct cooked_world flagged = {0};
	const struct change changes[] = {{CS_TABLE_ACTORS, rows, n},
		{CS_TABLE_ACTOR_DETAILS, details, n}, {CS_TABLE_ACTOR_TAGS, tags, 2},
		repeat_rows(CS_TABLE_SETS, sizeof(struct cs_cooked_set)),
		repeat_rows(CS_TABLE_REFERENCES, sizeof(struct cs_cooked_reference))};
	flagged.bytes = write_with(changes, CS_COUNT_OF(changes), &flagged.size);
	free((void *)changes[3].rows);
	free((void *)changes[4].rows);
	must(cs_cooked_open_bytes(flagged.bytes, flagged.size, "world", NULL, &flagged.c));
	must(cs_cooked_load_details(flagged.c));
	free(rows);
	free(details);
	cooked_free(&cooked);
	cooked = flagged;
}

/* ---- answers ---- */

static bool same_value(struct cs_value l, struct cs_value r)
{
	if (l.kind != r.kind)
		return false;
	switch (l.kind) {
	case CS_KIND_TEXT:
		return strcmp(l.text, r.text) == 0;
	case CS_KIND_NUMBER:
		return memcmp(&l.number, &r.number, sizeof(l.number)) == 0;
	case CS_KIND_INTEGER:
		return l.integer == r.integer;
	default:
		return true;
	}
}

static bool same_result(const struct cs_result *l, const struct cs_result *r)
{
	const size_t rows = cs_result_rows(l), columns = cs_result_view(l).table->n_columns;
	bool same = rows == cs_result_rows(r);
	for (size_t i = 0; same && i < rows; i++)
		for (size_t k = 0; k < columns; k++)
			same = same &&
			       same_value(cs_result_value(l, i, k), cs_result_value(r, i, k));
	return same;
}

static bool same_error(const struct cs_error *l, const struct cs_error *r)
{
	return l && r ? l->code == r->code && strcmp(l->message, r->message) == 0 : l == r;
}

/* Returns whether both readers answer alike, also with an error. Counts rows. */
static bool same_answer(struct reader *whole, struct reader *some, const char *sql, size_t *rows)
{
	struct cs_result *l = NULL, *r = NULL;
	struct cs_error *left = cs_query_select(whole->query, sql, (struct cs_parameters){0}, &l);
	struct cs_error *right = cs_query_select(some->query, sql, (struct cs_parameters){0}, &r);
	const bool same = same_error(left, right) && (left || same_result(l, r));
	if (!same)
		diag("%s: %s / %s", sql, left ? left->message : "rows",
			right ? right->message : "rows");
	*rows += l ? cs_result_rows(l) : 0;
	cs_error_free(left);
	cs_error_free(right);
	cs_result_free(l);
	cs_result_free(r);
	return same;
}

/* Returns whether no part of a table of several parts is in memory. */
static bool is_clean(const struct reader *reader)
{
	const struct cs_file *file = reader->c->file;
	bool clean = !file->passing && !reader->query->reads.passing;
	for (uint16_t i = 0; i < CS_MAX_TABLES; i++) {
		const struct cs_loaded_table *table = &file->tables[i];
		clean = clean && !table->narrow;
		if (table->here && !table->loaded && cs_file_parts_of(file, i).n > 1)
			clean = clean && table->n_here == 0;
	}
	return clean;
}

static void test_columns(struct reader *whole)
{
	size_t wrong = 0, unclean = 0, by_fields = 0, rows = 0;
	for (size_t i = 0; i < cs_query_tables(whole->query); i++) {
		const void *source;
		const struct cs_table *table = cs_query_table(whole->query, i, &source);
		struct reader some = open_reader(cooked.bytes, cooked.size, 0);
		for (size_t k = 0; k < table->n_columns; k++) {
			char sql[SQL_SIZE];
			snprintf(sql, sizeof(sql), "SELECT \"%s\" FROM \"%s\"",
				table->columns[k].key, table->name);
			wrong += !same_answer(whole, &some, sql, &rows);
			by_fields += !some.query->reads.whole && some.query->reads.fields.n > 0;
			unclean += !is_clean(&some);
		}
		close_reader(&some);
	}
	is_int(wrong, 0, "each column of each table by fields is that of whole rows, %zu values",
		rows);
	is_int(unclean, 0, "what a statement read is gone after it");
	ok(by_fields > 120, "%zu columns are read by fields", by_fields);
}

/* ---- statements ---- */

static const char *any_column(struct cs_random *random, const struct cs_table *table)
{
	return table->columns[cs_random_below(random, (uint32_t)table->n_columns)].key;
}

static void compose(struct cs_random *random, const struct cs_table *table, char sql[SQL_SIZE])
{
	static const char *const forms[] = {
		"SELECT \"%2$s\", \"%3$s\" FROM \"%1$s\" WHERE \"%4$s\" IS NOT NULL LIMIT 70",
		"SELECT \"%2$s\", \"%3$s\" FROM \"%1$s\" ORDER BY \"%4$s\", rowid LIMIT 40 OFFSET 5500",
		"SELECT \"%2$s\", count(*), min(\"%3$s\"), max(\"%4$s\") FROM \"%1$s\" GROUP BY \"%2$s\"",
		"SELECT DISTINCT \"%2$s\", \"%3$s\" FROM \"%1$s\" WHERE rowid %% 7 = 3",
		"SELECT count(*), count(\"%2$s\"), total(\"%3$s\") FROM \"%1$s\" WHERE \"%4$s\" > 'M'",
		"SELECT a.\"%2$s\", b.\"%3$s\" FROM \"%1$s\" a JOIN \"%1$s\" b ON b.rowid = "
		"(a.rowid * 7919) %% 7001 WHERE a.rowid %% 11 = 1",
		"SELECT \"%2$s\", (SELECT count(*) FROM sets s WHERE s.cell = \"%1$s\".\"%3$s\") FROM "
		"\"%1$s\" WHERE rowid IN (5, 4000, 7900)",
		"SELECT a.\"%2$s\", actor(a.name, 'bounds_max'), a.\"%3$s\" FROM actors a WHERE a.rowid > "
		"7000 LIMIT 20",
	};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-extra-args"
	snprintf(sql, SQL_SIZE, forms[cs_random_below(random, CS_COUNT_OF(forms))], table->name,
		any_column(random, table), any_column(random, table), any_column(random, table));
#pragma GCC diagnostic pop
}

static void test_statements(struct reader *whole)
{
	static const char *const tables[] = {"actors", "actors", "sets", "references", "cells"};
	struct cs_random random = {11};
	struct reader some = open_reader(cooked.bytes, cooked.size, 0);
	size_t wrong = 0, rows = 0;
	for (unsigned i = 0; i < tap_long(150, 3000); i++) {
		const void *source;
		char sql[SQL_SIZE];
		const char *name = tables[cs_random_below(&random, CS_COUNT_OF(tables))];
		compose(&random, cs_query_table_named(whole->query, name, &source), sql);
		wrong += !same_answer(whole, &some, sql, &rows);
	}
	is_int(wrong, 0, "statements by chance, %zu rows", rows);
	close_reader(&some);
}

/* ---- order ---- */

/*
 * Compares each column whose order is made by counting with the same column after a +, which SQLite
 * sorts.
 */
static size_t check_order(struct reader *reader, const struct cs_table *table, const char *key)
{
	static const char *const forms[] = {
		"SELECT %1$s\"%2$s\", count(*) FROM \"%3$s\" GROUP BY %1$s\"%2$s\"",
		"SELECT %1$s\"%2$s\" FROM \"%3$s\" ORDER BY %1$s\"%2$s\"",
		"SELECT %1$s\"%2$s\", rowid FROM \"%3$s\" ORDER BY %1$s\"%2$s\", rowid",
		"SELECT %1$s\"%2$s\", rowid FROM \"%3$s\" ORDER BY %1$s\"%2$s\" DESC, rowid",
		"SELECT DISTINCT %1$s\"%2$s\" FROM \"%3$s\" ORDER BY %1$s\"%2$s\" DESC",
		"SELECT a.\"%2$s\", count(*) FROM cells c JOIN \"%3$s\" a ON %1$sc.rowid < 3 GROUP BY 1",
	};
	size_t wrong = 0;
	for (size_t i = 0; i < CS_COUNT_OF(forms); i++) {
		struct cs_result *results[2] = {NULL, NULL};
		for (size_t k = 0; k < 2; k++) {
			char sql[SQL_SIZE];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
			snprintf(sql, sizeof(sql), forms[i], k ? "+" : "", key, table->name);
#pragma GCC diagnostic pop
			must(cs_query_select(
				reader->query, sql, (struct cs_parameters){0}, &results[k]));
		}
		if (!same_result(results[0], results[1])) {
			diag("%s.%s: form %zu", table->name, key, i);
			wrong++;
		}
		cs_result_free(results[0]);
		cs_result_free(results[1]);
	}
	return wrong;
}

static void test_order(struct reader *reader)
{
	size_t wrong = 0, ordered = 0;
	for (size_t i = 0; i < cs_query_tables(reader->query); i++) {
		const void *source;
		const struct cs_table *table = cs_query_table(reader->query, i, &source);
		struct cs_binding *binding;
		must(cs_binding_of(reader->query, table, &binding));
		for (size_t k = 0; k < table->n_columns; k++) {
			const struct cs_column *column = &table->columns[k];
			if (!(column->flags & CS_COLUMN_INDEX) || column->kind != CS_KIND_TEXT)
				continue;
			wrong += check_order(reader, table, column->key);
			ordered += binding->indexes[k].order != NULL;
		}
	}
	is_int(wrong, 0, "rows in the order of a column are those that SQLite sorts");
	ok(ordered > 5, "%zu columns have an order", ordered);
}

/* ---- names ---- */

/* The first searches for a name read the column; the next one uses an index. */
static void test_names(struct reader *whole)
{
	enum { MOST = 4, TURNS = 5 };
	const struct cs_column *column = cs_table_column(&cs_actors_table, "label");
	struct cs_random random = {7};
	size_t wrong = 0, found = 0;
	for (size_t i = 0; i < 8; i++) {
		const uint32_t row = cs_random_below(&random, (uint32_t)cooked.c->n_actors);
		const bool fold = i % 2;
		char text[200];
		snprintf(text, sizeof(text), "%s",
			cs_cooked_text(cooked.c, cs_cooked_actor(cooked.c, row)->label));
		for (char *at = text; fold && *at; at++)
			*at = (char)toupper((unsigned char)*at);
		struct reader some = open_reader(cooked.bytes, cooked.size, 0);
		uint32_t want[MOST] = {0};
		size_t n_want, n;
		must(cs_query_lookup(
			whole->query, &cs_actors_table, column, text, fold, want, MOST, &n_want));
		for (size_t turn = 0; turn < TURNS; turn++) {
			uint32_t rows[MOST] = {0};
			must(cs_query_lookup(
				some.query, &cs_actors_table, column, text, fold, rows, MOST, &n));
			wrong += n != n_want || memcmp(rows, want, sizeof(rows)) != 0;
		}
		found += n_want;
		struct cs_binding *binding;
		must(cs_binding_of(some.query, &cs_actors_table, &binding));
		wrong += !binding->indexes[column - cs_actors_table.columns].entries;
		close_reader(&some);
	}
	is_int(wrong, 0, "names are found in a column as through its index");
	ok(found > 3, "%zu rows", found);
}

/* Every key of an actor finds the rows that whole rows have, and so does a part of a text. */
static void test_keys(struct reader *whole)
{
	enum { MOST = 4 };
	static const char *const keys[] = {"label", "name", "guid", "instance_guid"};
	struct cs_random random = {11};
	size_t wrong = 0, found = 0;
	for (size_t i = 0; i < 6 * CS_COUNT_OF(keys); i++) {
		const uint32_t at = cs_random_below(&random, (uint32_t)cooked.c->n_actors);
		const void *source;
		cs_query_table_named(whole->query, "actors", &source);
		const struct cs_value value = cs_table_get(&cs_actors_table, source, at,
			cs_table_column(&cs_actors_table, keys[i % CS_COUNT_OF(keys)]));
		char room[CS_GUID_TEXT];
		const char *key = cs_index_key(&value, room);
		key = key && i % 5 == 4 ? key + strlen(key) - 1 : key;
		struct reader some = open_reader(cooked.bytes, cooked.size, 0);
		uint32_t want[MOST] = {0}, rows[MOST] = {0};
		size_t n_want = 0, n = 0;
		if (key) {
			must(cs_query_find(
				whole->query, &cs_actors_table, key, want, MOST, &n_want));
			must(cs_query_find(some.query, &cs_actors_table, key, rows, MOST, &n));
		}
		wrong += n != n_want || memcmp(rows, want, sizeof(rows)) != 0;
		wrong += !is_clean(&some);
		found += n;
		close_reader(&some);
	}
	is_int(wrong, 0, "keys find the rows that they find among whole rows");
	ok(found > 12, "%zu rows", found);
}

struct texts {
	uint64_t sum;
	size_t n;
};

static void add_text(void *context, const char *text, size_t n)
{
	struct texts *texts = context;
	for (size_t i = 0; i <= n; i++)
		texts->sum = texts->sum * 31 + (unsigned char)text[i];
	texts->n++;
}

/* Texts of a column are loaded one by one; those of a large world in a pass. */
static void test_texts(struct reader *whole)
{
	static const struct {
		const char *table, *column;
	} some_columns[] = {{"actors", "label"}, {"actors", "title"}, {"references", "actor"},
		{"cells", "name"}, {"drops", "detail"}, {"actors", "bounds_min"}};
	size_t wrong = 0, unclean = 0, n = 0;
	for (size_t i = 0; i < CS_COUNT_OF(some_columns); i++) {
		struct reader some = open_reader(cooked.bytes, cooked.size, 0);
		struct texts left = {0}, right = {0};
		const void *source;
		const struct cs_table *table =
			cs_query_table_named(some.query, some_columns[i].table, &source);
		const struct cs_column *column = cs_table_column(table, some_columns[i].column);
		must(cs_query_texts(whole->query, table, column, add_text, &left));
		must(cs_query_texts(some.query, table, column, add_text, &right));
		wrong += left.sum != right.sum || left.n != right.n;
		unclean += !is_clean(&some);
		n += left.n;
		close_reader(&some);
	}
	is_int(wrong, 0, "texts of columns are those of whole rows");
	is_int(unclean, 0, "nothing of them stays");
	ok(n > 2 * ACTORS, "%zu texts", n);
}

/* ---- what is loaded during a pass ---- */

static void test_widen(void)
{
	struct reader some = open_reader(cooked.bytes, cooked.size, 0);
	struct cs_file *file = some.c->file;
	const struct cs_record_byte cell = {
		CS_TABLE_ACTORS, offsetof(struct cs_cooked_actor, cell)};
	const size_t last = some.c->n_actors - 1;
	ok(cs_cooked_pass_fields(some.c, &cell, 1), "a pass by fields");
	ok(!cs_cooked_pass_fields(some.c, &cell, 1), "no other pass within it");
	const struct cs_cooked_actor *narrow = cs_cooked_actor(some.c, last);
	const struct cs_cooked_actor *same = cs_cooked_actor(cooked.c, last);
	ok(narrow->cell == same->cell && file->tables[CS_TABLE_ACTORS].narrow,
		"reads one field of a row");
	works(cs_cooked_load_actors(some.c), "loading all actors");
	ok(memcmp(narrow, same, sizeof(*same)) == 0, "reads all fields of the same row");
	cs_cooked_pass(some.c, CS_PASS_END);
	ok(memcmp(cs_cooked_actor(some.c, last), same, sizeof(*same)) == 0, "which stays");
	ok(file->tables[CS_TABLE_ACTORS].loaded, "with all others");
	close_reader(&some);
}

/* ---- damage ---- */

/* Writes the world anew with one row in which the field has a value that its type forbids. */
static unsigned char *write_spoilt(
	const struct cs_record *record, const struct cs_field *field, size_t row, size_t *size_ret)
{
	const void *rows;
	size_t n;
	must(cs_file_load(cooked.c->file, record->table, &rows, &n));
	unsigned char *copy = malloc(n * record->size);
	memcpy(copy, rows, n * record->size);
	unsigned char *at = copy + row * record->size + field->offset;
	memset(at, 0xff, cs_field_element_size(field));
	*at = 0xfe;
	const struct change change = {record->table, copy, n};
	unsigned char *bytes = write_with(&change, 1, size_ret);
	free(copy);
	return bytes;
}

/* Returns the first column of the table that reads the field, and no field that is not listed. */
static const char *column_of(
	const struct cs_table *table, const struct cs_record *record, const struct cs_field *field)
{
	struct cs_reads reads = {0};
	const char *found = NULL;
	for (size_t i = 0; i < table->n_columns && !found; i++) {
		reads.fields.n = 0;
		reads.whole = false;
		cs_reads_column(&reads, table, &table->columns[i]);
		for (size_t k = 0; k < reads.fields.n && !reads.whole; k++)
			if (reads.fields.at[k].table == record->table &&
				reads.fields.at[k].offset == field->offset)
				found = table->columns[i].key;
	}
	cs_vec_free(&reads.fields);
	return found;
}

static bool may_be_invalid(const struct cs_field *field)
{
	return field->type != CS_FIELD_GUID && field->type != CS_FIELD_U32 &&
	       field->type != CS_FIELD_I32 && field->type != CS_FIELD_I64;
}

static void test_damage(const struct cs_table *table, const char *record_name)
{
	const struct cs_schema *schema = cs_schema_of_kind(1);
	size_t tried = 0, wrong = 0, rows = 0, errors = 0;
	for (size_t i = 0; i < schema->n_records; i++) {
		const struct cs_record *record = schema->records[i];
		if (strcmp(record->name, record_name) != 0)
			continue;
		for (size_t f = 0; f < record->n_fields; f++) {
			const struct cs_field *field = &record->fields[f];
			const char *column = column_of(table, record, field);
			char sql[SQL_SIZE];
			if (!column || !may_be_invalid(field) || f % tap_long(3, 1) != 0)
				continue;
			snprintf(sql, sizeof(sql), "SELECT count(\"%s\") FROM \"%s\"", column,
				table->name);
			size_t size;
			unsigned char *bytes = write_spoilt(record, field, ROW, &size);
			struct reader whole = open_reader(bytes, size, UINT64_MAX);
			struct reader some = open_reader(bytes, size, 0);
			const size_t before = rows;
			wrong += !same_answer(&whole, &some, sql, &rows);
			errors += rows == before;
			tried++;
			close_reader(&whole);
			close_reader(&some);
			free(bytes);
		}
	}
	ok(tried > 0 && errors == tried, "%s: %zu damaged fields are errors", record_name, errors);
	is_int(wrong, 0, "%s: the same by fields as by whole rows", record_name);
}

int main(void)
{
	const struct cs_world_recipe recipe = {CS_WORLD_HARD, ACTORS, 5};
	const struct cs_job job = {.threads = 1};
	struct cs_world *world;
	if (make_test_world(&recipe, &job, &world))
		abort();
	cooked = cook_world(world, NULL, 1);
	cs_world_free(world);
	change_world();
	struct reader whole = open_reader(cooked.bytes, cooked.size, UINT64_MAX);
	ok(cs_file_parts_of(cooked.c->file, CS_TABLE_ACTORS).n > 1 &&
			cs_file_parts_of(cooked.c->file, CS_TABLE_ACTOR_DETAILS).n > 1,
		"actors and their details have several parts");
	test_columns(&whole);
	test_statements(&whole);
	test_order(&whole);
	struct reader some = open_reader(cooked.bytes, cooked.size, 0);
	test_order(&some);
	close_reader(&some);
	test_names(&whole);
	test_keys(&whole);
	test_texts(&whole);
	test_widen();
	test_damage(&cs_actors_table, "actors");
	test_damage(&cs_actors_table, "actor_details");
	test_damage(&cs_sets_table, "sets");
	close_reader(&whole);
	cooked_free(&cooked);
	return done();
}
