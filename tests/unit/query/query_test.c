/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of the query module: values as text and JSON, tables against the cooked world, SQL over
 * them, lookups against a brute-force twin, what statements may not do.
 */
#include <cellscope/query.h>

#include "core/random.h"
#include "query/sql/index.h"
#include "query/sql/query_inside.h"
#include "tests/samples/folder.h"
#include "tests/samples/sample.h"
#include "tests/samples/tap.h"

#include <jansson.h>
#include <math.h>

static char path[4096];

/* ---- values ---- */

static char collected[4096];
static size_t collected_size;

static void collect(void *context, const char *bytes, size_t n)
{
	(void)context;
	if (collected_size + n < sizeof(collected)) {
		memcpy(collected + collected_size, bytes, n);
		collected_size += n;
	}
	collected[collected_size] = '\0';
}

static const char *as_text(struct cs_value value)
{
	collected_size = 0;
	collected[0] = '\0';
	cs_value_put(&value, CS_FORM_ASCII, collect, NULL);
	return collected;
}

static const char *as_json(struct cs_value value)
{
	collected_size = 0;
	cs_value_put(&value, CS_FORM_JSON, collect, NULL);
	return collected;
}

static void number_item(const struct cs_value *list, uint32_t index, struct cs_value *ret)
{
	(void)list;
	*ret = cs_integer(index);
}

static void test_values(void)
{
	struct cs_value list = {.kind = CS_KIND_LIST, .list = {.n = 3, .item = number_item}};
	is_text(as_text(cs_null()), "-", "null as text");
	is_text(as_json(cs_null()), "null", "null as JSON");
	is_text(as_text(cs_number(NAN)), "-", "not a number is null");
	is_text(as_json(cs_number(INFINITY)), "null", "infinity is null");
	is_text(as_json(cs_vec3_value((struct cs_vec3){0, NAN, 0})), "null", "no NaN in vectors");
	is_text(as_text(cs_number(1 / 3.0)), "0.333333333", "nine digits for people");
	is_text(as_json(cs_number(0.1)), "0.1", "the shortest form for machines");
	is_text(as_json(cs_integer(INT64_MIN)), "-9223372036854775808", "the least integer");
	is_text(as_text(cs_bool(true)), "yes", "a boolean as text");
	is_text(as_json(cs_bool(false)), "false", "a boolean as JSON");
	is_text(as_json(cs_hex(UINT64_MAX, 16)), "\"ffffffffffffffff\"", "2^64-1 as hex");
	is_text(as_json(cs_hex(0x5a17, 8)), "\"00005a17\"", "a padded hex");
	is_text(as_text(cs_vec3_value((struct cs_vec3){-1, 2.5, -0.0})), "-1,2.5,0", "a vector");
	is_text(as_json(cs_quat_value((struct cs_quat){0, 0, 0, 1})), "[0,0,0,1]", "a quaternion");
	is_text(as_json(cs_guid_value((struct cs_guid){1, 2, 3, 0xABCDEF})),
		"\"00000001000000020000000300ABCDEF\"", "a guid");
	is_text(as_text(list), "0, 1, 2", "a list as text");
	is_text(as_json(list), "[0,1,2]", "a list as JSON");
	is_text(as_text(cs_text("a\x1b[31m\xc3\xa9")), "a\\x1b[31m\\xc3\\xa9", "hostile text");
	is_text(as_json(cs_text("\"\\\n\xc3\xa9\xf0\x9f\x98\x80\xff")),
		"\"\\\"\\\\\\u000a\\u00e9\\ud83d\\ude00\\ufffd\"", "hostile text as JSON");
}

/* A strict JSON reader gets every short byte string back as the same text. */
static void test_json_texts(void)
{
	size_t wrong = 0, n = 0;
	for (unsigned a = 1; a < 256; a++) {
		for (unsigned b = 1; b < 256; b++) {
			const char text[] = {(char)a, (char)b, '\0'};
			json_t *json = json_loads(as_json(cs_text(text)), JSON_DECODE_ANY, NULL);
			const char *back = json_string_value(json);
			bool ascii = a < 0x80 && b < 0x80;
			wrong += !back || (ascii && strcmp(back, text) != 0);
			json_decref(json);
			n++;
		}
	}
	is_int(wrong, 0, "%zu texts of two bytes are JSON", n);
}

/* ---- tables ---- */

static struct cs_cooked *world;
static struct cs_query *query;

static const struct cs_table *table_named(const char *name, const void **source)
{
	return cs_query_table_named(query, name, source);
}

static struct cs_value get(const char *name, size_t row, const char *key)
{
	const void *source;
	const struct cs_table *table = table_named(name, &source);
	const struct cs_column *column = cs_table_column(table, key);
	cs_error_free(cs_query_load(query, table, column->part));
	return cs_table_get(table, source, row, column);
}

static void test_tables(void)
{
	static const char *const cell_keys[] = {"name", "guid", "grid", "level", "x", "y", "z",
		"always_loaded", "layers", "actors", "cell_min", "cell_max", "content_min",
		"content_max", "state"};
	static const char *const actor_keys[] = {"name", "label", "class", "guid", "cell", "grid",
		"spatial", "editor_only", "bounds_min", "bounds_max", "layers", "references",
		"parent", "assumed"};
	const void *source;
	for (size_t i = 0; i < sizeof(cell_keys) / sizeof(*cell_keys); i++)
		ok(cs_table_column(table_named("cells", &source), cell_keys[i]), "cells have %s",
			cell_keys[i]);
	for (size_t i = 0; i < sizeof(actor_keys) / sizeof(*actor_keys); i++)
		ok(cs_table_column(table_named("actors", &source), actor_keys[i]), "actors have %s",
			actor_keys[i]);
	is_text(as_json(get("cells", 0, "name")), "\"Valley_MainGrid_L0_X-2_Y-2\"",
		"a cell's name");
	is_text(as_json(get("cells", 0, "grid")), "\"MainGrid\"", "a cell's grid");
	is_text(as_json(get("cells", 16, "layers")), "[\"DL_Night\"]", "a cell's layers");
	is_text(as_json(get("cells", 18, "cell_min")), "null", "no box, no corner");
	is_text(as_json(get("cells", 0, "content_min")), "[-25499.5,-25400,0]", "content bounds");
	is_text(as_json(get("actors", 16, "references")),
		"[\"A0000000000000010000000200000003\",\"0000DEAD000000000000000000000001\"]",
		"an actor's references");
	is_text(as_json(get("actors", 16, "assumed")), "[\"editor_only\",\"hlod_layer\"]",
		"assumed fields");
	is_text(as_json(get("actors", 16, "class")), "\"/Game/BP_Lamp.BP_Lamp_C\"",
		"the Blueprint class");
	is_text(as_json(get("actors", 0, "class")), "\"/Script/Engine.StaticMeshActor\"",
		"the native class where there is no other");
	is_text(as_json(get("actors", 0, "grid")), "null", "no grid of its own");
	is_text(as_json(get("actors", 17, "parent")), "\"A0000000000000010000000200000003\"",
		"a parent by GUID");
	is_text(as_json(get("actors", 16, "tags")), "[\"Light\"]", "tags, from the details");
	is_text(as_json(get("references", 1, "actor")), "\"Lamp\"", "who refers");
	is_text(as_json(get("references", 1, "state")), "\"missing\"", "to what");
}

/* Every value of every table can be read and written as JSON. */
static void test_all_values(void)
{
	size_t n = 0, wrong = 0;
	for (size_t t = 0; t < cs_query_tables(query); t++) {
		const void *source;
		const struct cs_table *table = cs_query_table(query, t, &source);
		cs_error_free(cs_query_load(query, table, 1));
		for (size_t row = 0; row < table->count(source); row++) {
			for (size_t c = 0; c < table->n_columns; c++) {
				const struct cs_column *column = &table->columns[c];
				struct cs_value value = cs_table_get(table, source, row, column);
				json_t *json = json_loads(as_json(value), JSON_DECODE_ANY, NULL);
				wrong += !json ||
					 (value.kind != CS_KIND_NULL && value.kind != column->kind);
				json_decref(json);
				n++;
			}
		}
	}
	ok(n > 1000 && wrong == 0, "%zu values of all tables have the kind of their column", n);
}

/* ---- SQL ---- */

static const char *evaluate(const char *expression)
{
	struct cs_result *result;
	struct cs_error *error =
		cs_query_evaluate(query, expression, NULL, (struct cs_parameters){0}, &result);
	collected_size = 0;
	if (error) {
		snprintf(collected, sizeof(collected), "%s %s",
			cs_word(CS_WORDS_CODE, error->code)->name, error->message);
		cs_error_free(error);
	} else {
		as_json(cs_result_value(result, 0, 0));
		cs_result_free(result);
	}
	return collected;
}

static void test_expressions(void)
{
	is_text(evaluate("1 + 1"), "2", "arithmetic");
	is_text(evaluate("(SELECT count(*) FROM cells)"), "19", "count");
	is_text(evaluate("(SELECT count(*) FROM cells WHERE level > 0 AND actors < 3)"), "1",
		"the condition of the manual");
	is_text(evaluate("cell('L0:0,0','name')"), "\"Valley_MainGrid_L0_X0_Y0\"",
		"a cell by its coordinates: the variant without layers");
	is_text(evaluate("cell('MainGrid_L0_X1_Y-1','x')"), "1", "a cell by its short name");
	is_text(evaluate("cell('valley_maingrid_l0_x1_y-1','y')"), "-1", "in any case");
	is_text(evaluate("cell('L0:0,0','cell_max_x')"), "12800", "a coordinate of a vector");
	is_text(evaluate("cell('L0:99,99','x')"), "E_NOCELL there is no cell named 'L0:99,99'",
		"no such cell");
	is_text(evaluate("cell('L0:0,0','weight')"),
		"E_SQL no such column: cells.weight (`info tables` lists the columns)",
		"no such column");
	is_text(evaluate("1 +"), "E_SQL the expression ends before it is complete",
		"the parenthesis that SQLite stops at is not the user's");
	is_text(evaluate("actor('Lamp','location_z')"), "25", "an actor's height");
	is_text(evaluate("layer('DL_Night','initial')"), "\"unloaded\"", "a layer");
	is_text(evaluate("(SELECT count(*) FROM actors a JOIN cells c ON a.cell = c.name "
			 "WHERE c.level = 1)"),
		"1", "a join");
	is_text(evaluate("(SELECT group_concat(value) FROM cells, json_each(layers))"),
		"\"DL_Night\"", "a list is JSON");
	is_text(evaluate("(SELECT count(*) FROM \"references\")"), "2",
		"a table named by a keyword");
	is_text(evaluate("(SELECT count(*) FROM references_)"), "2", "and its other name");
	is_text(evaluate("(SELECT max(json_array_length(references_)) FROM actors)"), "2",
		"a column named by a keyword");
	is_text(evaluate("1 = 1 -- so it is"), "1", "a comment");
	ok(strncmp(evaluate("nonsense + 1"), "E_SQL no such column", 20) == 0, "a wrong name");
	ok(strncmp(evaluate("1) UNION SELECT (2"), "E_SQL", 5) == 0, "two values are no value");
	ok(strncmp(evaluate(""), "E_SQL", 5) == 0, "nothing is no value");
	ok(strncmp(evaluate("$v"), "E_SQL no variable $v", 20) == 0, "an unknown variable");
}

/* An expression is complete, so it neither swallows what follows it nor adds to the statement. */
static void test_whole_expressions(void)
{
	static const char *const whole[] = {"'it''s; (fine)'", "(1) or ((0))",
		"(SELECT \"x)\" = [b;(] FROM (SELECT 1 AS \"x)\", 2 AS [b;(]))", "1 -1 > - 2",
		"1 -- ) ;", "1 /* ( ; */ + 1", "1 --"};
	static const char *const wrong[] = {"(1", "1)", "level) or (1", "'x", "\"x", "[b", "`c",
		"1; DROP", "1 /* b", "1 /*/", "'it''s", ")("};
	for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++)
		ok(strncmp(evaluate(whole[i]), "E_SQL", 5) != 0, "whole: %s", whole[i]);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		ok(strncmp(evaluate(wrong[i]), "E_SQL a", 7) == 0 ||
				strncmp(collected, "E_SQL this ')'", 14) == 0,
			"not whole: %s", wrong[i]);
}

static void test_offsets(void)
{
	struct cs_result *result;
	struct cs_error *error =
		cs_query_evaluate(query, "level > 2", NULL, (struct cs_parameters){0}, &result);
	is_int(error ? error->offset : 99, 0, "an error tells its place");
	cs_error_free(error);
	error = cs_query_evaluate(query, "1 + (2; 3)", NULL, (struct cs_parameters){0}, &result);
	is_int(error ? error->offset : 99, 6, "also that of a character which ends the expression");
	cs_error_free(error);
	error = cs_query_select(query, "SELECT name FROM cells WHERE bites > 2",
		(struct cs_parameters){0}, &result);
	is_int(error ? error->offset : 99, 29, "in a statement too");
	cs_error_free(error);
}

static void test_variables(void)
{
	const struct cs_parameter at[] = {{"n", cs_integer(41)}, {"t", cs_text("it's")}};
	struct cs_parameters variables = {at, 2};
	struct cs_result *result;
	works(cs_query_evaluate(query, "$n + 1 || $t", NULL, variables, &result), "variables");
	is_text(as_json(cs_result_value(result, 0, 0)), "42", "have their types");
	cs_result_free(result);
}

/* Everything but reading is refused, and a refused statement changes nothing. */
static void test_refusals(void)
{
	static const char *const refused[] = {"CREATE TABLE t(x)", "DELETE FROM cells",
		"INSERT INTO cells(name) VALUES('x')",
		"INSERT INTO sqlite_master(name) VALUES('x')", "CREATE VIEW v AS SELECT 1",
		"UPDATE cells SET name = ''", "ATTACH '/tmp/cellscope-attached' AS a",
		"PRAGMA temp_store", "BEGIN", "VACUUM", "VACUUM INTO '/tmp/cellscope-vacuum'",
		"DROP TABLE cells", "ANALYZE", "CREATE TEMP TABLE t AS SELECT 1", "SELECT random()",
		"SELECT randomblob(3)", "SELECT datetime('now')", "SELECT current_timestamp",
		"SELECT load_extension('x')", "SELECT 1; SELECT 2", "",
		"SELECT * FROM pragma_database_list", "SELECT ?1",
		"SELECT writefile('/tmp/cellscope-written', 'x')",
		"SELECT * FROM cells WHERE name = \"Valley\""};
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		struct cs_result *result;
		struct cs_error *error =
			cs_query_select(query, refused[i], (struct cs_parameters){0}, &result);
		ok(error && error->code == CS_E_SQL, "refused: %s (%s)", refused[i],
			error ? error->message : "accepted");
		cs_error_free(error);
	}
	struct cs_result *result;
	fails(cs_query_select(
		      query, "SELECT zeroblob(1000000000)", (struct cs_parameters){0}, &result),
		CS_E_LIMIT, "refused: a value of 1 GB");
	enum { LONGEST = 1 << 20 };
	for (size_t more = 0; more < 2; more++) { /* a statement of a mebibyte, and a byte more */
		char *text = malloc(LONGEST + 2);
		memset(text, ' ', LONGEST + 1);
		memcpy(text, "SELECT 1", 8);
		text[LONGEST + more] = '\0';
		struct cs_error *error =
			cs_query_select(query, text, (struct cs_parameters){0}, &result);
		ok((error != NULL) == more, "a statement of %zu bytes is %s", LONGEST + more,
			error ? error->message : "read");
		if (!error)
			cs_result_free(result);
		cs_error_free(error);
		free(text);
	}
}

static bool at_once(void *context)
{
	++*(int *)context;
	return true;
}

static void test_interruption(void)
{
	static const char endless[] =
		"WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c";
	static const char growing[] =
		"WITH RECURSIVE c(x) AS (SELECT 1 UNION SELECT x + 1 FROM c) SELECT count(*) FROM c";
	int asked = 0;
	struct cs_limits limits = cs_limits_default();
	struct cs_job job = {.interrupted = at_once, .context = &asked};
	struct cs_result *result;
	cs_query_set_job(query, &job);
	fails(cs_query_select(query, endless, (struct cs_parameters){0}, &result), CS_E_INTERRUPTED,
		"an endless query can be interrupted");
	ok(asked > 0, "the job was asked");
	limits.memory = 4 << 20;
	job = (struct cs_job){.limits = &limits};
	fails(cs_query_select(query, growing, (struct cs_parameters){0}, &result), CS_E_LIMIT,
		"a growing query ends at the limit");
	fails(cs_query_select(query,
		      "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "
		      "SELECT x FROM c",
		      (struct cs_parameters){0}, &result),
		CS_E_LIMIT, "so does a growing result");
	cs_query_set_job(query, NULL);
	is_text(evaluate("1"), "1", "and the next query works");
}

/* ---- listings ---- */

static const char *rows(const char *table_name, struct cs_listing listing)
{
	const void *source;
	uint32_t *at;
	size_t n;
	struct cs_error *error =
		cs_query_rows(query, table_named(table_name, &source), &listing, &at, &n);
	collected_size = 0;
	collected[0] = '\0';
	if (error) {
		snprintf(collected, sizeof(collected), "%s",
			cs_word(CS_WORDS_CODE, error->code)->name);
		cs_error_free(error);
		return collected;
	}
	for (size_t i = 0; i < n && collected_size + 20 < sizeof(collected); i++)
		collected_size +=
			(size_t)sprintf(collected + collected_size, "%s%u", i ? " " : "", at[i]);
	free(at);
	return collected;
}

static void test_listings(void)
{
	is_text(rows("cells", (struct cs_listing){.limit = 3}), "0 1 2", "a limit");
	is_text(rows("cells", (struct cs_listing){.where = "x = 1 AND level = 0"}), "3 7 11 15",
		"a condition");
	is_text(rows("cells",
			(struct cs_listing){.where = "level = 0", .sort = "-x,y", .limit = 5}),
		"3 7 11 15 2", "sorted by two keys");
	is_text(rows("cells", (struct cs_listing){.where = "cell_min_x > 0"}), "3 7 11 15",
		"a coordinate, and a comment that ends with its line");
	is_text(rows("cells", (struct cs_listing){.sort = "-rowid"}), "E_SQL",
		"only columns are sorted by");
	is_text(rows("cells", (struct cs_listing){.sort = "x\";--"}), "E_SQL", "and nothing else");
	is_text(rows("cells", (struct cs_listing){.where = "1) UNION SELECT (77"}), "E_SQL",
		"a row outside the table");
	is_text(rows("actors", (struct cs_listing){.where = "references_ != '[]'"}), "16",
		"a keyword with an underscore");
	is_text(rows("actors", (struct cs_listing){.where = "folder = 'Props'", .limit = 2}), "0 1",
		"a column of the details");
	is_text(rows("cells", (struct cs_listing){.where = "rowid = 7"}), "7", "a row number");
	is_text(rows("cells", (struct cs_listing){.where = "rowid = 1e9"}), "", "outside");
	is_text(rows("cells", (struct cs_listing){.where = "rowid = -1"}), "", "below");
	is_text(rows("cells",
			(struct cs_listing){.where = "guid = 'C0000007000000040000000500000006'"}),
		"7", "a guid, through its index");
	is_text(rows("cells", (struct cs_listing){.where = "name = 'valley_maingrid_l0_x1_y-1'"}),
		"", "equality minds the case");
	is_text(rows("cells",
			(struct cs_listing){
				.where = "name = 'valley_maingrid_l0_x1_y-1' COLLATE NOCASE"}),
		"7", "unless told otherwise");
	is_text(rows("cells", (struct cs_listing){.where = "name = NULL"}), "",
		"null is not equal");
}

static void test_find(void)
{
	const void *source;
	const struct cs_table *actors = table_named("actors", &source);
	uint32_t row = CS_NONE;
	size_t n;
	works(cs_query_find(query, actors, "Rock_5", &row, 1, &n), "find a label");
	ok(n == 1 && row == 5, "row 5");
	works(cs_query_find(query, actors, "a0000003-00000001-00000002-00000003", &row, 1, &n),
		"find a guid with dashes");
	ok(n == 1 && row == 3, "row 3");
	works(cs_query_find(query, actors, "rock_5", &row, 1, &n), "find in another case");
	ok(n == 1 && row == 5, "row 5 again");
	works(cs_query_find(query, actors, "Rock_555", &row, 1, &n), "find nothing");
	is_int(n, 0, "nothing");
	works(cs_query_find(query, actors, "", &row, 1, &n), "find the empty name");
	is_int(n, 0, "nothing either");
	is_int(cs_cooked_cell_at(world, (struct cs_vec3){12799, 5, 1e9}), 10, "a point in a cell");
	is_int(cs_cooked_cell_at(world, (struct cs_vec3){12800, 5, 0}), 11, "a point on a border");
	is_int(cs_cooked_cell_at(world, (struct cs_vec3){1e9, 5, 0}), CS_NONE, "a point nowhere");
}

/* A table of hostile keys: few distinct ones, so that an index has long runs of equal hashes. */
struct key_row {
	char text[8];
};

static size_t key_count(const void *source)
{
	(void)source;
	return 5000;
}

static const void *key_row(const void *source, size_t index)
{
	return (const struct key_row *)source + index;
}

static void key_get(const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	const struct key_row *at = row->record;
	(void)column;
	*ret = at->text[0] == '-' ? cs_null() : cs_text(at->text);
}

static const struct cs_column key_columns[] = {
	{.key = "key", .kind = CS_KIND_TEXT, .get = key_get, .flags = CS_COLUMN_KEY, .doc = ""}};
static const struct cs_table key_table = {.name = "keys",
	.row_name = "key_row",
	.columns = key_columns,
	.n_columns = 1,
	.missing = CS_E_MISSING,
	.count = key_count,
	.row = key_row};

static void test_index(void)
{
	struct key_row *keys = calloc(key_count(NULL), sizeof(*keys));
	struct cs_random random = {7};
	size_t wrong = 0, found = 0;
	for (size_t i = 0; i < key_count(NULL); i++)
		snprintf(keys[i].text, sizeof(keys[i].text), "%c%u",
			"aAb-"[cs_random_below(&random, 4)], cs_random_below(&random, 30));
	works(cs_query_add(query, &key_table, keys), "a table of one's own");
	for (unsigned k = 0; k < 30; k++) {
		char text[8];
		uint32_t at[5000];
		size_t n, want = 0;
		snprintf(text, sizeof(text), "a%u", k);
		for (int fold = 0; fold < 2; fold++) {
			cs_error_free(cs_query_lookup(
				query, &key_table, key_columns, text, fold, at, 5000, &n));
			want = 0;
			for (uint32_t i = 0; i < key_count(NULL); i++) {
				bool same = fold ? cs_name_compare(keys[i].text, text) == 0
						 : strcmp(keys[i].text, text) == 0;
				wrong += same && (want >= n || at[want] != i);
				want += same;
			}
			wrong += n != want;
			found += n;
		}
	}
	ok(wrong == 0 && found > 1000, "%zu rows found as by reading all", found);
	is_text(evaluate("(SELECT count(*) FROM keys a JOIN keys b ON a.key = b.key) = "
			 "(SELECT sum(n * n) FROM (SELECT count(*) n FROM keys "
			 "WHERE key IS NOT NULL GROUP BY +key))"),
		"1", "a join on the key");
	cs_query_free(query);
	query = NULL;
	free(keys);
}

static void test_results(void)
{
	struct cs_result *result;
	works(cs_query_select(query,
		      "SELECT name, name, level, NULL FROM cells ORDER BY name LIMIT 2",
		      (struct cs_parameters){0}, &result),
		"a statement");
	const struct cs_table *table = cs_result_table(result);
	is_int(table->count(result), 2, "rows");
	is_text(table->columns[1].key, "name_2", "equal names become distinct");
	is_int(table->columns[2].kind, CS_KIND_INTEGER, "kinds are known");
	is_text(as_json(cs_table_get(table, result, 1, &table->columns[3])), "null", "null");
	cs_result_free(result);
}

static void no_finding(void *context, const struct cs_finding *finding)
{
	(void)context;
	diag("%s: %s", finding->place, finding->message);
}

int main(void)
{
	size_t findings = 1;
	snprintf(path, sizeof(path), "%s/query.cworld", test_folder());
	test_values();
	test_json_texts();
	works(sample_save(path, &(struct sample_options){0}), "the sample");
	works(cs_cooked_verify(path, NULL, no_finding, NULL, &findings), "verifies");
	is_int(findings, 0, "without findings");
	works(cs_cooked_open(path, NULL, &world), "opens");
	works(cs_query_new(&query), "a query");
	works(cs_query_add_cooked(query, world), "over it");
	test_tables();
	test_all_values();
	test_expressions();
	test_whole_expressions();
	test_offsets();
	test_variables();
	test_refusals();
	test_interruption();
	test_listings();
	test_find();
	test_results();
	test_index();
	cs_query_free(query);
	cs_cooked_close(world);
	return done();
}
