/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LIKE, GLOB, instr, replace and trim of the library against those of SQLite, on random texts of a
 * few characters that matter to them; and that they stop when they are asked to.
 */
#include "tests/samples/tap.h"

#include "core/random.h"
#include "query/sql/query_internal.h"

static const char *const expressions[] = {"?1 LIKE ?2", "?1 GLOB ?2", "?1 LIKE ?2 ESCAPE '%'",
	"?1 LIKE ?2 ESCAPE '_'", "?1 LIKE ?2 ESCAPE 'b'", "instr(?1, ?2)", "replace(?1, ?2, ?3)",
	"trim(?1, ?2)", "ltrim(?1, ?2)", "rtrim(?1, ?2)", "trim(?1)", "?2 NOT LIKE ?1",
	"instr(CAST(?1 AS BLOB), CAST(?2 AS BLOB))", "instr(?1, CAST(?2 AS BLOB))",
	"replace(zeroblob(0), ?1, ?2)", "replace(?1, NULL, ?3)", "NULL LIKE ?1", "trim(12, '1')"};
enum { EXPRESSIONS = sizeof(expressions) / sizeof(expressions[0]) };

static void make_up(struct cs_random *random, char text[64])
{
	static const char *const parts[] = {"a", "b", "A", "%", "_", "*", "?", "[a-b]", "[^b]", "[",
		"]", "-", " ", "\xc3\xa9", "\xf0\x9f\x98\x80", "ab", "a"};
	uint32_t n = cs_random_below(random, 8);
	*text = '\0';
	for (size_t size = 0; n > 0; n--) {
		const char *part = parts[cs_random_below(random, sizeof(parts) / sizeof(parts[0]))];
		memcpy(text + size, part, strlen(part) + 1);
		size += strlen(part);
	}
}

/* Returns the answer as a text; NULL for NULL and for an error. */
static char *answer(sqlite3 *db, const char *expression, char texts[3][64])
{
	char sql[256], *text = NULL;
	sqlite3_stmt *statement;
	snprintf(sql, sizeof(sql), "SELECT %s", expression);
	if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
		return NULL;
	for (int i = 0; i < sqlite3_bind_parameter_count(statement); i++)
		sqlite3_bind_text(statement, i + 1, texts[i], -1, SQLITE_STATIC);
	if (sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_text(statement, 0))
		text = strdup((const char *)sqlite3_column_text(statement, 0));
	sqlite3_finalize(statement);
	return text;
}

static void test_answers(struct cs_query *query)
{
	enum { ROUNDS = 2000 };
	struct cs_random random = {7};
	sqlite3 *db;
	size_t wrong = 0, answers = 0;
	sqlite3_open(":memory:", &db);
	for (size_t round = 0; round < ROUNDS; round++) {
		char texts[3][64];
		for (size_t i = 0; i < 3; i++)
			make_up(&random, texts[i]);
		for (size_t i = 0; i < EXPRESSIONS; i++) {
			char *want = answer(db, expressions[i], texts),
			     *got = answer(query->db, expressions[i], texts);
			bool same = want && got ? strcmp(want, got) == 0 : want == got;
			if (!same && wrong++ < 5)
				printf("# %s of '%s', '%s', '%s': %s, not %s\n", expressions[i],
					texts[0], texts[1], texts[2], got, want);
			answers += want != NULL;
			free(want);
			free(got);
		}
	}
	sqlite3_close(db);
	ok(wrong == 0, "%zu answers, as SQLite's own functions give them", answers);
}

static bool soon(void *context)
{
	return ++*(int *)context > 3;
}

static void test_stops(struct cs_query *query)
{
	static const char *const long_ones[] = {
		"hex(zeroblob(9000000)) GLOB '*' || substr(hex(zeroblob(499)), 2) || '1'",
		"hex(zeroblob(9000000)) LIKE '%' || substr(hex(zeroblob(499)), 2) || '1'",
		"length(trim(hex(zeroblob(9000000)), substr(hex(zeroblob(499)), 5) || '1'))",
		("(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
		 "SELECT max(length(upper(hex(zeroblob(1000000))))) FROM n)")};
	for (size_t i = 0; i < sizeof(long_ones) / sizeof(long_ones[0]); i++) {
		char sql[512];
		int asked = 0;
		const struct cs_job job = {.interrupted = soon, .context = &asked};
		struct cs_result *result;
		snprintf(sql, sizeof(sql), "SELECT %s", long_ones[i]);
		cs_query_set_job(query, &job);
		struct cs_error *error =
			cs_query_select(query, sql, (struct cs_parameters){0}, &result);
		ok(error && error->code == CS_E_INTERRUPTED, "stops: %s", long_ones[i]);
		if (!error)
			cs_result_free(result);
		cs_error_free(error);
	}
	cs_query_set_job(query, NULL);
}

/* Our functions take linear time where those of SQLite take minutes. */
static void test_linear(struct cs_query *query)
{
	static const char *const long_ones[] = {
		"instr(hex(zeroblob(9000000)), hex(zeroblob(4000000)) || '1')",
		"length(replace(hex(zeroblob(9000000)), hex(zeroblob(4000000)) || '1', 'x')) - 18000000",
	};
	char texts[3][64] = {"", "", ""};
	for (size_t i = 0; i < sizeof(long_ones) / sizeof(long_ones[0]); i++) {
		char *text = answer(query->db, long_ones[i], texts);
		is_text(text, "0", "one pass: %s", long_ones[i]);
		free(text);
	}
}

int main(void)
{
	struct cs_query *query;
	if (cs_query_new(&query))
		abort();
	test_answers(query);
	test_stops(query);
	test_linear(query);
	cs_query_free(query);
	return done();
}
