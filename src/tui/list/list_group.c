/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Groups of rows: the columns that `group next` steps through, counts, and the SQL condition that
 * selects the rows of a group.
 */
#include "src/language/lexer.h"
#include "src/tui/view.h"

#include <stdio.h>
#include <string.h>

/* Columns to group by, most useful first. The other columns of the table's short form follow. */
static const char *const groupings[] = {"state", "severity", "placement", "verdict", "check",
	"change", "kind", "class", "to", "type", "event", "level", "grid", "layers", "cell", NULL};

static bool is_grouping(const char *key)
{
	size_t i = 0;
	while (groupings[i] && strcmp(groupings[i], key) != 0)
		i++;
	return groupings[i] != NULL;
}

static bool can_count(const struct cs_column *column)
{
	return !(column->flags & CS_COLUMN_KEY) &&
	       (column->kind == CS_KIND_TEXT || column->kind == CS_KIND_BOOL) &&
	       !is_grouping(column->key);
}

/* Returns the column to group by at position `index`; NULL after the last. */
static const char *grouping_at(const struct cs_table *table, size_t index)
{
	for (size_t i = 0; groupings[i]; i++)
		if (cs_table_column(table, groupings[i]) && index-- == 0)
			return groupings[i];
	for (size_t i = 0; i < table->n_columns; i++)
		if (table->columns[i].flags & CS_COLUMN_SHORT && can_count(&table->columns[i]) &&
			index-- == 0)
			return table->columns[i].key;
	return NULL;
}

/* Returns the key of the next column to group by; "" (no grouping) after the last one. */
static const char *next_grouping(const struct list *list, const struct cs_table *table)
{
	const char *key = grouping_at(table, 0);
	for (size_t i = 0; list->group && key; key = grouping_at(table, ++i))
		if (strcmp(key, list->group) == 0) {
			key = grouping_at(table, i + 1);
			break;
		}
	return key ? key : "";
}

const struct cs_table *list_counted_table(const struct tui_view *view)
{
	const void *source;
	if (view->type->table)
		return session_table(view->session, view->type->table, &source);
	return view->list.group ? &view->list.uncounted.table : view->list.table;
}

/* Returns an SQL condition that a column equals the value, or NULL if memory runs out. */
static char *condition_of_value(const struct cs_column *column, const struct cs_value *value)
{
	const char *key = column->key;
	char *ret = NULL;
	char number[64] = "";
	if (value->kind == CS_KIND_INTEGER)
		snprintf(number, sizeof(number), "%lld", (long long)value->integer);
	else if (value->kind == CS_KIND_BOOL)
		snprintf(number, sizeof(number), "%d", value->yes);
	else if (value->kind == CS_KIND_NUMBER)
		snprintf(number, sizeof(number), "%.17g", value->number);
	if (*number)
		return asprintf(&ret, "\"%s\" = %s", key, number) < 0 ? NULL : ret;
	if (value->kind != CS_KIND_TEXT)
		return asprintf(&ret, "\"%s\" IS NULL", key) < 0 ? NULL : ret;
	char *text = quote_sql(value->text);
	bool is_text = column->kind == CS_KIND_TEXT;
	if (text && asprintf(&ret, is_text ? "\"%s\" = %s" : "CAST(\"%s\" AS TEXT) = %s", key,
			    text) < 0)
		ret = NULL;
	free(text);
	return ret;
}

char *list_group_condition(const struct list *list, size_t index)
{
	const struct cs_column *column = &list->table->columns[0];
	const struct cs_value value = list_value(list, index, column->key);
	return condition_of_value(column, &value);
}

char *list_counting(const struct list *list, const char *table)
{
	char *ret;
	int n = asprintf(&ret,
		"SELECT \"%s\", count(*) AS n FROM %s WHERE (\n%s\n) GROUP BY 1 ORDER BY 2 DESC, 1",
		list->group, table, list->where ? list->where : "1");
	return n < 0 ? NULL : ret;
}

struct cs_error *list_count_uncounted(struct tui_view *view, const struct cs_column *column)
{
	struct list *list = &view->list;
	const struct cs_table *table = &list->uncounted.table;
	struct cs_query *own = NULL;
	struct cs_result *result = NULL;
	char *sql = list_counting(list, table->name);
	struct cs_error *error = sql ? cs_query_new(&own) : cs_error_nomem();
	if (!error)
		error = cs_query_add(own, table, &list->uncounted);
	if (!error) {
		cs_query_set_job(own, &view->session->job);
		error = cs_query_select(own, sql, session_variables(view->session), &result);
	}
	if (!error)
		error = row_set_groups(result, column, &list->set);
	cs_result_free(result);
	cs_query_free(own);
	free(sql);
	return error;
}

/* Sets or ends grouping. Drops the order of the old groups, as new groups may lack its column. */
static struct cs_error *regroup(struct list *list, const char *key)
{
	struct cs_error *error = list_keep(&list->group_sort, "");
	list->cursor = list->top = 0;
	return error ? error : list_keep(&list->group, key);
}

/* Ends grouping, then filters the list by the value of the group that was under the cursor. */
static struct cs_error *pick_group(struct tui_view *view)
{
	struct list *list = &view->list;
	if (!list->group || list->cursor >= list->n)
		return cs_error_new(CS_E_USAGE,
			"there is no group of rows to open: `view group KEY` groups the rows of "
			"the view");
	struct cs_value value = list_value(list, list->cursor, list->group);
	const struct cs_table *table = list_counted_table(view);
	const struct cs_column *column = table ? cs_table_column(table, list->group) : NULL;
	char *where = NULL, *is = column ? condition_of_value(column, &value) : NULL;
	int n = !is           ? -1
		: list->where ? asprintf(&where, "(%s) AND %s", list->where, is)
			      : asprintf(&where, "%s", is);
	free(is);
	if (n < 0)
		return cs_error_nomem();
	free(list->where);
	list->where = where;
	return regroup(list, "");
}

struct cs_error *list_set_group(struct tui_view *view, const char *value)
{
	struct list *list = &view->list;
	const struct cs_table *table = list_counted_table(view);
	const bool next = strcmp(value, "next") == 0;
	if (strcmp(value, "pick") == 0)
		return pick_group(view);
	if (strcmp(value, "off") == 0)
		value = "";
	else if (next && table)
		value = next_grouping(list, table);
	if (!*value && !list->group)
		return cs_error_new(CS_E_MISSING, next ? "this view has no columns to group by"
						       : "the rows of the view are not grouped");
	struct cs_error *error = *value ? list_check_column(table, value, strlen(value)) : NULL;
	if (error)
		return error;
	list->column = list->left = 0;
	return regroup(list, value);
}
