/* SPDX-License-Identifier: Apache-2.0 */
/* An SQLite connection to an empty database: read only, with cellscope's tables and functions. */
#include "query/sql/query_internal.h"

#include "core/job.h"
#include "query/sql/readers.h"

#include <stdio.h>
#include <string.h>

/* ---- limits of statements ---- */

/* Returns whether a function depends on more than tables, or takes quadratic time (json_patch). */
static bool is_forbidden_function(const char *name)
{
	static const char *const forbidden[] = {"random", "randomblob", "load_extension",
		"fts3_tokenizer", "date", "time", "datetime", "julianday", "strftime", "unixepoch",
		"timediff", "current_date", "current_time", "current_timestamp", "json_patch"};
	for (size_t i = 0; i < sizeof(forbidden) / sizeof(forbidden[0]); i++)
		if (sqlite3_stricmp(name, forbidden[i]) == 0)
			return true;
	return false;
}

static int authorize(void *context, int action, const char *first, const char *second,
	const char *database, const char *trigger)
{
	const struct cs_query *query = context;
	(void)database;
	(void)trigger;
	if (query->declaring)
		return SQLITE_OK;
	switch (action) {
	case SQLITE_READ:
		cs_reads_sql_column(context, first, second);
		return SQLITE_OK;
	case SQLITE_SELECT:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	case SQLITE_FUNCTION:
		cs_reads_sql_function(context, second);
		return is_forbidden_function(second) ? SQLITE_DENY : SQLITE_OK;
	default:
		return SQLITE_DENY;
	}
}

struct cs_error *cs_query_failed(struct cs_query *query)
{
	struct cs_error *error = NULL;
	for (size_t i = 0; i < query->worlds.n; i++)
		for (size_t k = 0; !error && k < query->worlds.at[i]->parts.n; k++)
			error = cs_cooked_failed(query->worlds.at[i]->parts.at[k]->world);
	return error;
}

bool cs_sql_stop(struct cs_query *query)
{
	if (!query->failure)
		query->failure = cs_query_failed(query);
	if (query->failure)
		return true;
	if ((uint64_t)sqlite3_memory_used() > cs_job_limits(query->job).memory) {
		query->over_memory = true;
		return true;
	}
	return cs_job_interrupted(query->job);
}

/*
 * SQLite calls this every 100 instructions, not less often, because one instruction may read a
 * value of 64 MiB. A result != 0 stops the statement.
 */
static int stop(void *context)
{
	return cs_sql_stop(context);
}

enum { LONGEST_VALUE = 64 << 20 }; /* largest size of a text or blob in bytes */

static void set_limits(sqlite3 *db)
{
	static const struct {
		int limit, value;
	} limits[] = {
		{SQLITE_LIMIT_LENGTH, LONGEST_VALUE},
		{SQLITE_LIMIT_SQL_LENGTH, 1 << 20},
		{SQLITE_LIMIT_COLUMN, 500},
		{SQLITE_LIMIT_EXPR_DEPTH, 200},
		{SQLITE_LIMIT_COMPOUND_SELECT, 50},
		{SQLITE_LIMIT_VDBE_OP, 100000},
		{SQLITE_LIMIT_ATTACHED, 0},
		{SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000},
		{SQLITE_LIMIT_TRIGGER_DEPTH, 1},
		{SQLITE_LIMIT_WORKER_THREADS, 0},
	};
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		sqlite3_limit(db, limits[i].limit, limits[i].value);
}

/*
 * Connects a table-valued function of SQLite. A statement that is the first to name it would
 * connect it, too, but then the authorizer refuses to declare its columns.
 */
static int connect_function(struct cs_query *query, const char *sql)
{
	sqlite3_stmt *stmt = NULL;
	query->declaring = true;
	int status = sqlite3_prepare_v2(query->db, sql, -1, &stmt, NULL);
	query->declaring = false;
	sqlite3_finalize(stmt);
	return status;
}

struct cs_error *cs_query_new(struct cs_query **ret)
{
	enum { STEPS = 100, KEPT_BYTES = 64 << 20 };
	struct cs_query *query = calloc(1, sizeof(*query));
	if (!query)
		return cs_error_nomem();
	query->kept_bytes = KEPT_BYTES;
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY;
	if (sqlite3_open_v2(":memory:", &query->db, flags, NULL) != SQLITE_OK ||
		sqlite3_exec(query->db, "PRAGMA temp_store=MEMORY", NULL, NULL, NULL) !=
			SQLITE_OK ||
		sqlite3_set_authorizer(query->db, authorize, query) != SQLITE_OK ||
		connect_function(query, "SELECT 1 FROM json_each") != SQLITE_OK ||
		connect_function(query, "SELECT 1 FROM json_tree") != SQLITE_OK ||
		cs_text_functions_register(query) != SQLITE_OK) {
		struct cs_error *error = cs_sql_error(query, CS_NO_OFFSET);
		cs_query_free(query);
		return error;
	}
	set_limits(query->db);
	/* a name in double quotes is always a column; SQLite would read an unknown one as a text */
	sqlite3_db_config(query->db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
	sqlite3_db_config(query->db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
	sqlite3_db_config(query->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_progress_handler(query->db, STEPS, stop, query);
	*ret = query;
	return NULL;
}

static void free_binding(struct cs_binding *binding)
{
	for (size_t i = 0; binding->indexes && i < binding->table->n_columns; i++)
		cs_index_deinit(&binding->indexes[i]);
	free(binding->indexes);
	cs_vec_free(&binding->sql_columns);
	free(binding);
}

void cs_query_free(struct cs_query *query)
{
	if (!query)
		return;
	sqlite3_close(query->db);
	for (size_t i = 0; i < query->bindings.n; i++)
		free_binding(query->bindings.at[i]);
	for (size_t i = 0; i < query->functions.n; i++)
		free(query->functions.at[i]);
	for (size_t i = 0; i < query->worlds.n; i++)
		cs_source_free(query->worlds.at[i]);
	free(query->nanite);
	cs_vec_free(&query->worlds);
	cs_vec_free(&query->bindings);
	cs_vec_free(&query->functions);
	cs_vec_free(&query->reads.fields);
	cs_error_free(query->failure);
	free(query);
}

void cs_query_set_job(struct cs_query *query, const struct cs_job *job)
{
	uint64_t most = cs_job_limits(job).memory;
	query->job = job;
	/* limits the whole process, because SQLite has one heap */
	sqlite3_hard_heap_limit64(most < INT64_MAX ? (sqlite3_int64)most : INT64_MAX);
}

struct cs_error *cs_query_too_large(const struct cs_query *query)
{
	return cs_error_new(CS_E_LIMIT,
		"the query needs more memory than the limit of %llu bytes (raise it with "
		"--max-mem)",
		(unsigned long long)cs_job_limits(query->job).memory);
}

/*
 * Returns the error after SQLite ran out of memory; SQLite does not report the cause. The cause is
 * the job's limit if SQLite has used more than half of it, or would exceed it with one more value
 * of the largest size; otherwise the machine has no more memory.
 */
static struct cs_error *out_of_memory(const struct cs_query *query)
{
	uint64_t limit = cs_job_limits(query->job).memory;
	uint64_t most = (uint64_t)sqlite3_memory_highwater(0);
	return most + LONGEST_VALUE > limit || most > limit / 2 ? cs_query_too_large(query)
								: cs_error_nomem();
}

struct cs_error *cs_sql_error(struct cs_query *query, uint64_t offset)
{
	struct cs_error *failure = query->failure;
	int code = query->db ? sqlite3_errcode(query->db) : SQLITE_NOMEM;
	query->failure = NULL;
	if (failure)
		return failure;
	if (query->over_memory) {
		query->over_memory = false;
		return cs_query_too_large(query);
	}
	if (code == SQLITE_NOMEM)
		return out_of_memory(query);
	if (code == SQLITE_TOOBIG)
		return cs_error_new(CS_E_LIMIT,
			"a value of the query is longer than the limit of %d bytes",
			sqlite3_limit(query->db, SQLITE_LIMIT_LENGTH, -1));
	if (code == SQLITE_INTERRUPT)
		return cs_error_new(CS_E_INTERRUPTED, "the query was interrupted");
	const char *message = sqlite3_errmsg(query->db);
	if (strcmp(message, "incomplete input") == 0)
		message = "the SQL statement ends before it is complete";
	return cs_error_at(CS_E_SQL, NULL, offset, "%s", message);
}

/* ---- tables of the query ---- */

struct cs_value cs_table_get(const struct cs_table *table, const void *source, size_t row,
	const struct cs_column *column)
{
	struct cs_row at = cs_table_row(table, source, row);
	struct cs_value value;
	column->get(&at, column, &value);
	return value;
}

/*
 * Lists a table's columns in SQL: its own, one for each coordinate of a vector, and a second name
 * for each column whose name is an SQL keyword.
 */
static bool add_sql_columns(struct cs_binding *binding)
{
	const struct cs_table *table = binding->table;
	for (size_t i = 0; i < table->n_columns; i++)
		if (!cs_vec_push(&binding->sql_columns, (struct cs_sql_column){(uint16_t)i, 0}))
			return false;
	for (size_t i = 0; i < table->n_columns; i++) {
		unsigned axes = table->columns[i].kind == CS_KIND_VEC3   ? 3
				: table->columns[i].kind == CS_KIND_QUAT ? 4
									 : 0;
		const char *key = table->columns[i].key;
		for (unsigned axis = 1; axis <= axes; axis++)
			if (!cs_vec_push(&binding->sql_columns,
				    (struct cs_sql_column){(uint16_t)i, (uint8_t)axis}))
				return false;
		if (sqlite3_keyword_check(key, (int)strlen(key)) &&
			!cs_vec_push(&binding->sql_columns, (struct cs_sql_column){(uint16_t)i, 0}))
			return false;
	}
	return true;
}

bool cs_sql_is_alias(const struct cs_binding *binding, size_t index)
{
	return index >= binding->table->n_columns;
}

void cs_sql_column_name(const struct cs_binding *binding, size_t index, char name[CS_SQL_NAME])
{
	static const char *const suffixes[] = {"_", "_x", "_y", "_z", "_w"};
	const struct cs_sql_column *at = &binding->sql_columns.at[index];
	snprintf(name, CS_SQL_NAME, "%s%s", binding->table->columns[at->column].key,
		cs_sql_is_alias(binding, index) ? suffixes[at->axis] : "");
}

static struct cs_error *new_binding(struct cs_query *query, const struct cs_table *table,
	const void *source, struct cs_binding **ret)
{
	struct cs_binding *binding = calloc(1, sizeof(*binding));
	if (!binding)
		return cs_error_nomem();
	*binding = (struct cs_binding){.query = query, .table = table, .source = source};
	binding->indexes = calloc(table->n_columns, sizeof(*binding->indexes));
	if (!binding->indexes || !add_sql_columns(binding)) {
		free_binding(binding);
		return cs_error_nomem();
	}
	*ret = binding;
	return NULL;
}

struct cs_error *cs_query_add(
	struct cs_query *query, const struct cs_table *table, const void *source)
{
	struct cs_binding *binding = NULL;
	struct cs_error *error = new_binding(query, table, source, &binding);
	if (error)
		return error;
	if (!cs_vec_push(&query->bindings, binding)) {
		free_binding(binding);
		return cs_error_nomem();
	}
	error = cs_vtab_register(binding);
	return error ? error : cs_row_function_register(binding);
}

const struct cs_table *cs_query_table(
	const struct cs_query *query, size_t index, const void **source_ret)
{
	*source_ret = query->bindings.at[index]->source;
	return query->bindings.at[index]->table;
}

struct cs_error *cs_binding_of(
	struct cs_query *query, const struct cs_table *table, struct cs_binding **ret)
{
	for (size_t i = 0; i < query->bindings.n; i++)
		if (query->bindings.at[i]->table == table) {
			*ret = query->bindings.at[i];
			return NULL;
		}
	return cs_error_new(
		CS_E_INTERNAL, "the query was prepared without the table %s", table->name);
}

struct cs_error *cs_binding_load(struct cs_binding *binding, unsigned part)
{
	for (unsigned i = 0; i <= part && i < CS_PARTS; i++) {
		if (binding->loaded[i])
			continue;
		struct cs_error *error =
			binding->table->load ? binding->table->load(binding->source, i) : NULL;
		if (error)
			return error;
		binding->loaded[i] = true;
	}
	return NULL;
}

struct cs_error *cs_query_load(struct cs_query *query, const struct cs_table *table, unsigned part)
{
	struct cs_binding *binding = NULL;
	struct cs_error *error = cs_binding_of(query, table, &binding);
	return error ? error : cs_binding_load(binding, part);
}

static struct cs_error *index_column(
	struct cs_binding *binding, const struct cs_column *column, struct cs_index *ret)
{
	struct cs_query *query = binding->query;
	const bool passes = cs_reads_begin_column(query, binding->table, column);
	struct cs_error *error =
		cs_index_build(binding->table, binding->source, column, query, ret);
	cs_reads_end(query, passes);
	return error;
}

struct cs_error *cs_binding_index(
	struct cs_binding *binding, size_t column, const struct cs_index **ret)
{
	const struct cs_column *at = &binding->table->columns[column];
	struct cs_index *index = &binding->indexes[column];
	struct cs_error *error = cs_binding_load(binding, at->part);
	if (binding->table->changes)
		cs_index_deinit(index);
	if (!error && !index->entries)
		error = index_column(binding, at, index);
	if (!error && (error = cs_query_failed(binding->query)))
		cs_index_deinit(index);
	if (!error)
		*ret = index;
	return error;
}

struct cs_error *cs_binding_order(
	struct cs_binding *binding, size_t column, const struct cs_value_order **ret)
{
	const struct cs_column *at = &binding->table->columns[column];
	struct cs_value_order **order = &binding->indexes[column].order;
	struct cs_error *error = cs_binding_load(binding, at->part);
	if (!error && !*order) {
		const bool passes = cs_reads_begin_column(binding->query, binding->table, at);
		error = cs_value_order_new(
			binding->table, binding->source, at, binding->query, order);
		cs_reads_end(binding->query, passes);
	}
	if (!error && (error = cs_query_failed(binding->query))) {
		cs_value_order_free(*order);
		*order = NULL;
	}
	if (!error)
		*ret = *order;
	return error;
}

struct cs_value cs_value_axis(const struct cs_value *value, unsigned axis)
{
	if (axis == 0)
		return *value;
	if (value->kind == CS_KIND_VEC3) {
		const double axes[] = {value->vec3.x, value->vec3.y, value->vec3.z};
		return axis <= 3 ? cs_number(axes[axis - 1]) : cs_null();
	}
	if (value->kind == CS_KIND_QUAT) {
		const double axes[] = {value->quat.x, value->quat.y, value->quat.z, value->quat.w};
		return axis <= 4 ? cs_number(axes[axis - 1]) : cs_null();
	}
	return cs_null();
}
