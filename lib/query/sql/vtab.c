/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a table available as an SQLite virtual table, eponymous and read-only. The rowid of SQL is
 * the number of the row. There are four plans: all rows; one row by its number; the rows with a
 * key, by an index (in these three SQLite checks the condition again); and all rows sorted by the
 * only column that is read, so that GROUP BY and ORDER BY need not sort. A row is located only when
 * a column of it is read, so counting rows reads none.
 */
#include "query/sql/query_internal.h"

#include "core/writer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct vtab {
	sqlite3_vtab base;
	struct cs_binding *binding;
};

enum plan { PLAN_ALL, PLAN_ROW, PLAN_KEY, PLAN_ORDERED };

/*
 * Bits of idxNum that xBestIndex passes to xFilter: the plan, whether a column is used whose member
 * `part` is not 0, whether the order is descending, and the column of the key or the order.
 */
enum { PLAN_MASK = 3, PLAN_PART = 4, PLAN_DESCENDING = 8, PLAN_COLUMN_SHIFT = 4 };

struct cursor {
	sqlite3_vtab_cursor base;
	enum plan plan;
	size_t row, end; /* rows still to return are [row, end) */
	/* for PLAN_KEY: the index of the column; `row` and `end` are then entries of the index */
	const struct cs_index *index;
	/* for PLAN_ORDERED: the order; `row` then counts the rows that were returned */
	const struct cs_value_order *order;
	bool descending;
	size_t group, place; /* current row: its group in `order`, and its index in order->rows */
	size_t number;       /* number of the current row, counted over all world partitions */
	struct cs_row at;
	bool found;     /* `at` contains row `number` */
	unsigned steps; /* reads.steps when the row was found: a later value makes `at` invalid */
};

/* ---- values as SQL ---- */

static void vtab_collect(void *context, const char *bytes, size_t n)
{
	cs_writer_bytes(context, bytes, n);
}

static void json_result(sqlite3_context *context, const struct cs_value *value)
{
	struct cs_writer text = {0};
	cs_value_put(value, CS_FORM_JSON, vtab_collect, &text);
	if (text.failed) {
		sqlite3_result_error_nomem(context);
		cs_writer_deinit(&text);
	} else {
		sqlite3_result_text64(context, (char *)text.bytes, text.size, free, SQLITE_UTF8);
	}
}

void cs_sql_result(sqlite3_context *context, const struct cs_value *value)
{
	char room[CS_GUID_TEXT];
	switch (value->kind) {
	case CS_KIND_NULL:
		sqlite3_result_null(context);
		break;
	case CS_KIND_TEXT:
		sqlite3_result_text(context, value->text, -1, SQLITE_TRANSIENT);
		break;
	case CS_KIND_INTEGER:
		sqlite3_result_int64(context, value->integer);
		break;
	case CS_KIND_NUMBER:
		sqlite3_result_double(context, value->number);
		break;
	case CS_KIND_BOOL:
		sqlite3_result_int(context, value->yes);
		break;
	case CS_KIND_GUID:
		cs_guid_format(value->guid, room);
		sqlite3_result_text(context, room, -1, SQLITE_TRANSIENT);
		break;
	case CS_KIND_HEX:
		snprintf(room, sizeof(room), "%0*llx", (int)value->hex.digits,
			(unsigned long long)value->hex.bits);
		sqlite3_result_text(context, room, -1, SQLITE_TRANSIENT);
		break;
	case CS_KIND_VEC3:
	case CS_KIND_QUAT:
	case CS_KIND_LIST:
		json_result(context, value);
		break;
	}
}

/* ---- functions of the SQLite module ---- */

static const char *sql_type(const struct cs_binding *binding, size_t index)
{
	const struct cs_sql_column *at = &binding->sql_columns.at[index];
	if (at->axis)
		return "REAL";
	switch (binding->table->columns[at->column].kind) {
	case CS_KIND_INTEGER:
	case CS_KIND_BOOL:
		return "INTEGER";
	case CS_KIND_NUMBER:
		return "REAL";
	case CS_KIND_NULL:
		return "";
	default:
		return "TEXT";
	}
}

/* Returns whether SQL ignores case in the column, because its texts are keywords of cellscope. */
static bool is_word(const struct cs_binding *binding, size_t index)
{
	const struct cs_sql_column *at = &binding->sql_columns.at[index];
	const struct cs_column *column = &binding->table->columns[at->column];
	return column->kind == CS_KIND_TEXT && (column->names || column->flags & CS_COLUMN_WORD);
}

static void write_declaration(const struct cs_binding *binding, struct cs_writer *sql)
{
	char name[CS_SQL_NAME];
	cs_writer_bytes(sql, "CREATE TABLE x(", 15);
	for (size_t i = 0; i < binding->sql_columns.n; i++) {
		cs_sql_column_name(binding, i, name);
		cs_writer_print(sql, "%s\"%s\" %s%s%s", i ? ", " : "", name, sql_type(binding, i),
			cs_sql_is_alias(binding, i) ? " HIDDEN" : "",
			is_word(binding, i) ? " COLLATE NOCASE" : "");
	}
	cs_writer_bytes(sql, ")", 2);
}

static int vtab_connect(sqlite3 *db, void *context, int argc, const char *const *argv,
	sqlite3_vtab **ret, char **message)
{
	(void)argc;
	(void)argv;
	(void)message;
	struct cs_writer sql = {0};
	write_declaration(context, &sql);
	struct vtab *vtab = sqlite3_malloc(sizeof(*vtab));
	if (sql.failed || !vtab) {
		cs_writer_deinit(&sql);
		sqlite3_free(vtab);
		return SQLITE_NOMEM;
	}
	*vtab = (struct vtab){.binding = context};
	vtab->binding->query->declaring = true;
	int status = sqlite3_declare_vtab(db, (const char *)sql.bytes);
	vtab->binding->query->declaring = false;
	cs_writer_deinit(&sql);
	if (status != SQLITE_OK) {
		sqlite3_free(vtab);
		return status;
	}
	*ret = &vtab->base;
	return SQLITE_OK;
}

static int vtab_disconnect(sqlite3_vtab *base)
{
	sqlite3_free(base);
	return SQLITE_OK;
}

static bool needs_part(const struct cs_binding *binding, const sqlite3_index_info *info)
{
	enum { LAST_BIT = 63 };
	for (size_t i = 0; i < binding->sql_columns.n; i++) {
		unsigned bit = i < LAST_BIT ? (unsigned)i : LAST_BIT;
		if (info->colUsed >> bit & 1 &&
			binding->table->columns[binding->sql_columns.at[i].column].part > 0)
			return true;
	}
	return false;
}

/*
 * Returns whether an index is used for a constraint. In a column that is not a key, many rows have
 * equal values. An index of such a column is faster only in a join, where the value is not
 * constant, so that the rows are searched many times.
 */
static bool is_worth_index(const struct cs_column *column, sqlite3_index_info *info, int constraint)
{
	sqlite3_value *constant;
	if (column->flags & CS_COLUMN_KEY)
		return true;
	return column->flags & CS_COLUMN_INDEX &&
	       sqlite3_vtab_rhs_value(info, constraint, &constant) != SQLITE_OK;
}

/* Returns the query plan that constraint number i of the statement allows. */
static enum plan constraint_plan(const struct cs_binding *binding, sqlite3_index_info *info, int i)
{
	const struct sqlite3_index_constraint *constraint = &info->aConstraint[i];
	if (!constraint->usable || constraint->op != SQLITE_INDEX_CONSTRAINT_EQ)
		return PLAN_ALL;
	if (constraint->iColumn < 0)
		return PLAN_ROW;
	const struct cs_sql_column *at = &binding->sql_columns.at[constraint->iColumn];
	if (!is_worth_index(&binding->table->columns[at->column], info, i) || at->axis ||
		sqlite3_stricmp(sqlite3_vtab_collation(info, i), "BINARY") != 0)
		return PLAN_ALL;
	return PLAN_KEY;
}

/* Returns whether `column` is the only column of the table that the statement reads. */
static bool reads_alone(
	const struct cs_binding *binding, const sqlite3_index_info *info, size_t column)
{
	enum { LAST_BIT = 63 };
	for (size_t i = 0; i < LAST_BIT && i < binding->sql_columns.n; i++) {
		const struct cs_sql_column *at = &binding->sql_columns.at[i];
		if (info->colUsed >> i & 1 && (at->column != column || at->axis))
			return false;
	}
	return !(info->colUsed >> LAST_BIT);
}

/*
 * Returns whether the statement reads only one column of the table, which has few different texts,
 * and sorts by that column, perhaps with the rowid as the second key.
 */
static bool asks_for_order(const struct cs_binding *binding, const sqlite3_index_info *info)
{
	const bool then_rows =
		info->nOrderBy == 2 && info->aOrderBy[1].iColumn < 0 && !info->aOrderBy[1].desc;
	if ((info->nOrderBy != 1 && !then_rows) || info->aOrderBy[0].iColumn < 0)
		return false;
	const size_t index = (size_t)info->aOrderBy[0].iColumn;
	const struct cs_sql_column *at = &binding->sql_columns.at[index];
	const struct cs_column *column = &binding->table->columns[at->column];
	return column->kind == CS_KIND_TEXT && column->flags & CS_COLUMN_INDEX &&
	       !(column->flags & CS_COLUMN_KEY) && !is_word(binding, index) &&
	       !binding->table->changes && reads_alone(binding, info, at->column);
}

static int vtab_best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
	static const double costs[] = {
		[PLAN_ALL] = 1e6, [PLAN_ROW] = 1, [PLAN_KEY] = 20, [PLAN_ORDERED] = 1e6};
	const struct cs_binding *binding = ((struct vtab *)base)->binding;
	enum plan best = PLAN_ALL;
	int chosen = -1;
	for (int i = 0; i < info->nConstraint; i++) {
		enum plan plan = constraint_plan(binding, info, i);
		if (plan == PLAN_ALL || (best != PLAN_ALL && plan >= best))
			continue;
		best = plan;
		chosen = i;
	}
	int column = 0;
	if (best == PLAN_ALL && asks_for_order(binding, info)) {
		best = PLAN_ORDERED;
		column = binding->sql_columns.at[info->aOrderBy[0].iColumn].column;
		info->orderByConsumed = 1;
	}
	if (chosen >= 0) {
		info->aConstraintUsage[chosen].argvIndex = 1;
		if (best == PLAN_KEY)
			column = binding->sql_columns.at[info->aConstraint[chosen].iColumn].column;
	}
	const bool descending = best == PLAN_ORDERED && info->aOrderBy[0].desc;
	info->idxNum = (int)best | (needs_part(binding, info) ? PLAN_PART : 0) |
		       (descending ? PLAN_DESCENDING : 0) | column << PLAN_COLUMN_SHIFT;
	info->estimatedCost = costs[best];
	info->estimatedRows = best == PLAN_ROW ? 1 : best == PLAN_KEY ? 4 : 1000000;
	return SQLITE_OK;
}

static int vtab_open(sqlite3_vtab *base, sqlite3_vtab_cursor **ret)
{
	(void)base;
	struct cursor *cursor = sqlite3_malloc(sizeof(*cursor));
	if (!cursor)
		return SQLITE_NOMEM;
	*cursor = (struct cursor){0};
	*ret = &cursor->base;
	return SQLITE_OK;
}

static int vtab_close(sqlite3_vtab_cursor *base)
{
	sqlite3_free(base);
	return SQLITE_OK;
}

static const struct cs_binding *binding_of(const struct cursor *cursor)
{
	return ((const struct vtab *)cursor->base.pVtab)->binding;
}

/* Sets `number` to the row at the cursor. */
static void vtab_settle(struct cursor *cursor)
{
	size_t row = cursor->row;
	if (row >= cursor->end)
		return;
	if (cursor->plan == PLAN_KEY)
		row = cs_index_entry_row(cursor->index, row);
	if (cursor->plan == PLAN_ORDERED) {
		/* the next group (rows with the same text) that has further rows */
		const struct cs_value_order *order = cursor->order;
		while (cursor->place == order->starts[cursor->group + 1]) {
			cursor->group += cursor->descending ? -1 : 1;
			cursor->place = order->starts[cursor->group];
		}
		row = cursor->order->rows[cursor->place];
	}
	cursor->number = row;
	cursor->found = false;
}

static int vtab_fail(struct cs_binding *binding, struct cs_error *error)
{
	cs_error_free(binding->query->failure);
	binding->query->failure = error;
	return SQLITE_ERROR;
}

/* Returns a value's key; NULL if no row can have it. In integer columns 7, 7.0, '7' are equal. */
static const char *vtab_key_of(
	const struct cs_column *column, sqlite3_value *value, char room[CS_GUID_TEXT])
{
	if (column->kind != CS_KIND_INTEGER)
		return (const char *)sqlite3_value_text(value);
	int type = sqlite3_value_numeric_type(value);
	double number = sqlite3_value_double(value);
	if ((type != SQLITE_INTEGER && type != SQLITE_FLOAT) ||
		(type == SQLITE_FLOAT && !(fabs(number) < 0x1p53 && number == trunc(number))))
		return NULL;
	struct cs_value integer = cs_integer(sqlite3_value_int64(value));
	return cs_index_key(&integer, room);
}

static struct cs_error *vtab_seek_key(
	struct cs_binding *binding, struct cursor *cursor, size_t column, sqlite3_value *value)
{
	char room[CS_GUID_TEXT];
	const char *key = vtab_key_of(&binding->table->columns[column], value, room);
	struct cs_error *error = cs_binding_index(binding, column, &cursor->index);
	if (error)
		return error;
	const struct cs_range found =
		key ? cs_index_find(cursor->index, key) : (struct cs_range){0};
	cursor->row = found.first;
	cursor->end = (size_t)found.first + found.count;
	return NULL;
}

static struct cs_error *vtab_seek_order(
	struct cs_binding *binding, struct cursor *cursor, size_t column, bool descending)
{
	struct cs_error *error = cs_binding_order(binding, column, &cursor->order);
	if (error)
		return error;
	cursor->descending = descending;
	cursor->group = descending ? cursor->order->n_groups - 1 : 0;
	cursor->place = cursor->order->starts[cursor->group];
	return NULL;
}

static int vtab_filter(
	sqlite3_vtab_cursor *base, int plan, const char *text, int argc, sqlite3_value **argv)
{
	(void)text;
	(void)argc;
	struct cursor *cursor = (struct cursor *)base;
	struct cs_binding *binding = ((struct vtab *)base->pVtab)->binding;
	cursor->plan = (enum plan)(plan & PLAN_MASK);
	struct cs_error *error = cs_binding_load(binding, plan & PLAN_PART ? 1 : 0);
	if (!error && cursor->plan == PLAN_KEY)
		error = vtab_seek_key(binding, cursor, (size_t)plan >> PLAN_COLUMN_SHIFT, argv[0]);
	if (!error && cursor->plan == PLAN_ORDERED)
		error = vtab_seek_order(
			binding, cursor, (size_t)plan >> PLAN_COLUMN_SHIFT, plan & PLAN_DESCENDING);
	if (error)
		return vtab_fail(binding, error);
	if (cursor->plan != PLAN_KEY) {
		size_t n = binding->table->count(binding->source);
		cursor->row = 0;
		cursor->end = n;
		if (cursor->plan == PLAN_ROW) {
			sqlite3_int64 row = sqlite3_value_int64(argv[0]);
			bool inside = row >= 0 && (uint64_t)row < n;
			cursor->row = inside ? (size_t)row : 0;
			cursor->end = inside ? (size_t)row + 1 : 0;
		}
	}
	vtab_settle(cursor);
	return SQLITE_OK;
}

static int vtab_next(sqlite3_vtab_cursor *base)
{
	struct cursor *cursor = (struct cursor *)base;
	cs_reads_step(binding_of(cursor)->query);
	cursor->row++;
	cursor->place++;
	vtab_settle(cursor);
	return SQLITE_OK;
}

static int vtab_eof(sqlite3_vtab_cursor *base)
{
	const struct cursor *cursor = (const struct cursor *)base;
	return cursor->row >= cursor->end;
}

static void vtab_find_row(struct cursor *cursor)
{
	const struct cs_binding *binding = binding_of(cursor);
	if (cursor->found && cursor->steps == binding->query->reads.steps)
		return;
	cursor->at = cs_table_row(binding->table, binding->source, cursor->number);
	cursor->found = true;
	cursor->steps = binding->query->reads.steps;
}

static int vtab_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int index)
{
	struct cursor *cursor = (struct cursor *)base;
	const struct cs_binding *binding = binding_of(cursor);
	const struct cs_sql_column *at = &binding->sql_columns.at[index];
	const struct cs_column *column = &binding->table->columns[at->column];
	struct cs_value value;
	if (cursor->plan == PLAN_ORDERED) {
		const char *text = cursor->order->texts[cursor->group];
		value = text ? cs_text(text) : cs_null();
		cs_sql_result(context, &value);
		return SQLITE_OK;
	}
	vtab_find_row(cursor);
	column->get(&cursor->at, column, &value);
	if (at->axis)
		value = cs_value_axis(&value, at->axis);
	cs_sql_result(context, &value);
	return SQLITE_OK;
}

static int vtab_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *ret)
{
	*ret = (sqlite3_int64)((const struct cursor *)base)->number;
	return SQLITE_OK;
}

static const sqlite3_module module = {
	.xConnect = vtab_connect,
	.xBestIndex = vtab_best_index,
	.xDisconnect = vtab_disconnect,
	.xOpen = vtab_open,
	.xClose = vtab_close,
	.xFilter = vtab_filter,
	.xNext = vtab_next,
	.xEof = vtab_eof,
	.xColumn = vtab_column,
	.xRowid = vtab_rowid,
};

static struct cs_error *register_as(struct cs_binding *binding, const char *name)
{
	struct cs_query *query = binding->query;
	if (sqlite3_create_module(query->db, name, &module, binding) != SQLITE_OK)
		return cs_sql_error(query, CS_NO_OFFSET);
	return NULL;
}

struct cs_error *cs_vtab_register(struct cs_binding *binding)
{
	const char *name = binding->table->name;
	char alias[CS_SQL_NAME];
	struct cs_error *error = register_as(binding, name);
	if (error || !sqlite3_keyword_check(name, (int)strlen(name)))
		return error;
	snprintf(alias, sizeof(alias), "%s_", name);
	return register_as(binding, alias);
}
