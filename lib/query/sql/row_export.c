/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes all tables of a query to an SQLite database. Columns keep their order; values are those of
 * SQL, with vectors and lists as JSON. The file is written under a temporary name and then renamed.
 * It also contains a few SQL views, such as `largest_cells`, which its table `about` documents.
 */
#include "query/sql/query_inside.h"
#include "query/sql/query_internal.h"

#include "core/job.h"

#include <cellscope/compare.h>
#include <cellscope/core.h>

#include <sqlite3.h>

struct export
{
	struct cs_query *query;
	const struct cs_job *job;
	sqlite3 *database;
	const char *path;
};

static struct cs_error *failed(const struct export *export)
{
	if (sqlite3_errcode(export->database) == SQLITE_NOMEM)
		return cs_error_nomem();
	return cs_error_at(CS_E_IO, export->path, CS_NO_OFFSET,
		"cannot write the database of rows: %s", sqlite3_errmsg(export->database));
}

static struct cs_error *row_export_run(const struct export *export, const char *sql)
{
	return sqlite3_exec(export->database, sql, NULL, NULL, NULL) == SQLITE_OK ? NULL
										  : failed(export);
}

/* ---- binding values to statements ---- */

static void row_export_take(void *context, const char *bytes, size_t n)
{
	sqlite3_str_append(context, bytes, (int)n);
}

static void bind_text_of(sqlite3_stmt *statement, int at, const struct cs_value *value)
{
	sqlite3_str *text = sqlite3_str_new(NULL);
	const bool plain = value->kind == CS_KIND_GUID || value->kind == CS_KIND_HEX;
	cs_value_put(value, plain ? CS_FORM_TEXT : CS_FORM_JSON, row_export_take, text);
	int n = sqlite3_str_length(text);
	char *whole = sqlite3_str_finish(text);
	sqlite3_bind_text(statement, at, whole ? whole : "", whole ? n : 0,
		whole ? sqlite3_free : SQLITE_STATIC);
}

static void row_export_bind_value(sqlite3_stmt *statement, int at, const struct cs_value *value)
{
	switch (value->kind) {
	case CS_KIND_NULL:
	case CS_KIND_INTEGER:
	case CS_KIND_NUMBER:
	case CS_KIND_BOOL:
		cs_sql_bind(statement, at, value);
		break;
	/* not copied: SQLite reads the text when the row is inserted, before the text is freed */
	case CS_KIND_TEXT:
		sqlite3_bind_text(statement, at, value->text, -1, SQLITE_STATIC);
		break;
	default:
		bind_text_of(statement, at, value);
		break;
	}
}

/* ---- writing tables ---- */

/* Returns "CREATE TABLE" or "INSERT" with all columns; NULL when memory runs out. */
static char *statement_of(const struct cs_table *table, bool create)
{
	sqlite3_str *sql = sqlite3_str_new(NULL);
	sqlite3_str_appendf(
		sql, create ? "CREATE TABLE \"%w\"(" : "INSERT INTO \"%w\" VALUES(", table->name);
	for (size_t i = 0; i < table->n_columns; i++) {
		sqlite3_str_appendall(sql, i ? "," : "");
		if (create)
			sqlite3_str_appendf(sql, "\"%w\"", table->columns[i].key);
		else
			sqlite3_str_appendall(sql, "?");
	}
	sqlite3_str_appendall(sql, ")");
	return sqlite3_str_finish(sql);
}

static struct cs_error *load_all(struct cs_query *query, const struct cs_table *table)
{
	struct cs_error *error = NULL;
	for (size_t i = 0; i < table->n_columns && !error; i++)
		error = cs_query_load(query, table, table->columns[i].part);
	return error;
}

static struct cs_error *insert_rows(const struct export *export, const struct cs_table *table,
	const void *source, sqlite3_stmt *statement)
{
	size_t n = table->count(source);
	for (size_t row = 0; row < n; row++) {
		cs_reads_step(export->query);
		for (size_t i = 0; i < table->n_columns; i++) {
			struct cs_value value =
				cs_table_get(table, source, row, &table->columns[i]);
			row_export_bind_value(statement, (int)i + 1, &value);
		}
		if (sqlite3_step(statement) != SQLITE_DONE)
			return failed(export);
		sqlite3_reset(statement);
		struct cs_error *error = row % 4096 == 0 ? cs_job_check(export->job) : NULL;
		if (error)
			return error;
	}
	return NULL;
}

static struct cs_error *export_table(
	const struct export *export, const struct cs_table *table, const void *source)
{
	sqlite3_stmt *statement = NULL;
	char *create = statement_of(table, true), *insert = statement_of(table, false);
	struct cs_error *error =
		create && insert ? load_all(export->query, table) : cs_error_nomem();
	if (!error)
		error = row_export_run(export, create);
	if (!error &&
		sqlite3_prepare_v2(export->database, insert, -1, &statement, NULL) != SQLITE_OK)
		error = failed(export);
	export->query->reads.whole = true;
	const bool passes = !error && cs_reads_begin(export->query);
	if (!error)
		error = insert_rows(export, table, source, statement);
	cs_reads_end(export->query, passes);
	sqlite3_finalize(statement);
	sqlite3_free(create);
	sqlite3_free(insert);
	return error;
}

/* ---- views of the database ---- */

static const char views[] =
	"CREATE TABLE about(name TEXT, doc TEXT);"
	"INSERT INTO about VALUES"
	"('by_level', 'cells and actors of each grid and level'),"
	"('always_loaded', 'actors of cells that are part of the persistent level, with how they "
	"came there'),"
	"('largest_cells', 'cells, those with most actors first');"
	"CREATE VIEW by_level AS SELECT grid, level, count(*) AS cells, sum(actors) AS actors "
	"FROM cells GROUP BY grid, level;"
	"CREATE VIEW always_loaded AS SELECT a.label, a.name, a.class, a.placement, a.cell FROM "
	"actors a JOIN cells c ON c.name = a.cell AND c.partition = a.partition "
	"WHERE c.always_loaded;"
	"CREATE VIEW largest_cells AS SELECT name, level, actors, layers FROM cells ORDER BY "
	"actors DESC, name;";

static struct cs_error *export_all(const struct export *export)
{
	struct cs_error *error = row_export_run(export, "PRAGMA journal_mode = OFF; BEGIN");
	for (size_t i = 0; i < cs_query_tables(export->query) && !error; i++) {
		const void *source;
		const struct cs_table *table = cs_query_table(export->query, i, &source);
		error = export_table(export, table, source);
	}
	const void *cells;
	if (!error && cs_query_table_named(export->query, "cells", &cells))
		error = row_export_run(export, views);
	return error ? error : row_export_run(export, "COMMIT");
}

struct cs_error *cs_query_export(struct cs_query *query, const struct cs_job *job, const char *path)
{
	struct cs_save save;
	struct export export = {query, job, NULL, path};
	struct cs_error *error = cs_save_begin(path, &save);
	if (error)
		return error;
	if (sqlite3_open_v2(save.temporary, &export.database,
		    SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
		error = failed(&export);
	if (!error)
		error = export_all(&export);
	sqlite3_close(export.database);
	return cs_save_end(&save, error);
}
