/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maintains the rows of a list: reads, filters and sorts them, and moves the cursor among them. */
#include "src/tui/list/list.h"

#include "src/tui/view.h"

#include "core/items.h"

#include <stdio.h>
#include <string.h>

/* Largest list (in rows) that is filtered again after each frame; a larger one only on request. */
enum { RENEWED = 50000 };

/* ---- rows and columns ---- */

size_t list_row(const struct list *list, size_t index)
{
	if (list->lines.n > 0)
		return list->lines.at[index].row;
	/* all lines of a record show fields of the same table row */
	return list->at ? list->at[list->is_record ? 0 : index] : index;
}

struct cs_value list_get(const struct list *list, size_t index, const struct cs_column *column)
{
	return cs_table_get(list->table, list->source, list_row(list, index), column);
}

struct cs_value list_value(const struct list *list, size_t index, const char *key)
{
	if (!list->table || index >= list->n)
		return cs_null();
	return row_value(
		list->table, list->source, list_row(list, list->is_record ? 0 : index), key);
}

const char *list_text(const struct list *list, size_t index, const char *key)
{
	struct cs_value value = list_value(list, index, key);
	return value.kind == CS_KIND_TEXT && value.text ? value.text : "";
}

static bool is_empty(const struct cs_value *value)
{
	return value->kind == CS_KIND_NULL || (value->kind == CS_KIND_TEXT && !*value->text);
}

/*
 * Returns whether to show a column. A list shows the columns flagged CS_COLUMN_SHORT, or all
 * columns if none has that flag; a record (one row with a column on each line) shows columns that
 * have a value.
 */
static bool shows_column(const struct list *list, const struct cs_column *column)
{
	const struct cs_table *table = list->table;
	bool has_short = false;
	if (list->is_record) {
		struct cs_value value = list_get(list, 0, column);
		return !is_empty(&value);
	}
	for (size_t i = 0; i < table->n_columns; i++)
		has_short = has_short || table->columns[i].flags & CS_COLUMN_SHORT;
	return !has_short || column->flags & CS_COLUMN_SHORT;
}

static struct cs_error *load(struct list *list)
{
	for (unsigned part = 0; list->table->load && part < 2; part++) {
		struct cs_error *error = list->table->load(list->source, part);
		if (error)
			return error;
	}
	return NULL;
}

static bool has_chosen(const struct list *list, const struct cs_column *column)
{
	for (size_t i = 0; i < list->columns.n; i++)
		if (list->columns.at[i] == column)
			return true;
	return false;
}

/* Adds the chosen columns in order; skips unknown keys and, in records, columns without a value. */
static struct cs_error *named_columns(struct list *list)
{
	const char *keys = list->chosen;
	struct cs_item item;
	while (cs_next_item(&keys, &item)) {
		char key[64];
		const struct cs_column *column = cs_item_text(item, key, sizeof(key))
							 ? cs_table_column(list->table, key)
							 : NULL;
		bool says = column && (!list->is_record || shows_column(list, column));
		if (says && !cs_vec_push(&list->columns, column))
			return cs_error_nomem();
	}
	return NULL;
}

static struct cs_error *choose_columns(struct list *list)
{
	list->columns.n = list->widths.n = 0;
	if (list->chosen && !list->group) {
		struct cs_error *error = named_columns(list);
		if (error || (list->columns.n > 0 && !list->is_record))
			return error;
	}
	for (size_t i = 0; i < list->table->n_columns; i++) {
		const struct cs_column *column = &list->table->columns[i];
		if (shows_column(list, column) && !has_chosen(list, column) &&
			!cs_vec_push(&list->columns, column))
			return cs_error_nomem();
	}
	return NULL;
}

/*
 * Adds the column of the world partition, unless the user chose the columns, because names may be
 * the same in several partitions. As the second column it is visible even if not all columns fit.
 */
static struct cs_error *add_partition_column(struct tui_view *view)
{
	struct list *list = &view->list;
	const struct cs_column *column = cs_query_partitions(view->session->query) > 1
						 ? cs_table_column(list->table, "partition")
						 : NULL;
	const char *of_view = view->type->columns;
	bool is_added = column && column->flags & CS_COLUMN_WORD && !list->is_record &&
			!list->group &&
			(!list->chosen || (of_view && strcmp(list->chosen, of_view) == 0));
	if (!is_added || has_chosen(list, column))
		return NULL;
	if (!cs_vec_push(&list->columns, column))
		return cs_error_nomem();
	for (size_t i = list->columns.n - 1; i > 1; i--) {
		list->columns.at[i] = list->columns.at[i - 1];
		list->columns.at[i - 1] = column;
	}
	return NULL;
}

/* ---- reading rows ---- */

static struct cs_error *row_set_of_view(struct tui_view *view, struct row_set *ret)
{
	const struct view_type *type = view->type;
	char *line = type->line ? type->line(view) : NULL;
	if (!line && asprintf(&line, "%s%s%s", type->command, *view->argument ? " " : "",
			     view->argument) < 0)
		return cs_error_nomem();
	struct cs_error *error =
		row_set_of(view->session, line, view->type->form != FORM_PROSE, ret);
	free(line);
	return error;
}

static struct cs_error *rows_of_command(struct tui_view *view)
{
	row_set_free(&view->list.set);
	struct cs_error *error = row_set_of_view(view, &view->list.set);
	view->list.table = error ? NULL : &view->list.set.table;
	view->list.source = &view->list.set;
	return error;
}

static struct cs_error *rows_of_table(struct tui_view *view)
{
	struct list *list = &view->list;
	list->table = session_table(view->session, view->type->table, &list->source);
	if (!list->table)
		return cs_error_new(CS_E_NOTOPEN, "no world is open: `open FILE` opens one");
	return load(list);
}

/* Finds the table row of the object that the view's argument names. */
static struct cs_error *row_of_object(struct tui_view *view)
{
	struct list *list = &view->list;
	struct object object;
	bool is_known = object_of_words(view->session, view->argument, &object);
	list->table = is_known ? object_table(view->session, &object, &list->source) : NULL;
	if (!list->table || object.row == CS_NONE)
		return cs_error_new(CS_E_MISSING, "this view has no object to show: there is no %s",
			*view->argument ? view->argument : "object under the cursor");
	list->at = malloc(sizeof(*list->at));
	if (!list->at)
		return cs_error_nomem();
	list->at[0] = object.row;
	list->n = 1;
	return load(list);
}

/* Reads the rows of the view's command, and counts them by the grouping column. */
static struct cs_error *groups_of_command(struct tui_view *view)
{
	struct list *list = &view->list;
	row_set_free(&list->uncounted);
	struct cs_error *error = row_set_of_view(view, &list->uncounted);
	const struct cs_column *column =
		error ? NULL : cs_table_column(&list->uncounted.table, list->group);
	if (!error && !column)
		error = cs_error_new(CS_E_MISSING,
			"the rows of the view cannot be grouped by '%s', because they have no such "
			"column",
			list->group);
	row_set_free(&list->set);
	if (!error)
		error = list_count_uncounted(view, column);
	list->table = error ? NULL : &list->set.table;
	list->source = &list->set;
	return error;
}

/* Reads the groups and the number of rows of each by a query. */
static struct cs_error *rows_of_groups(struct tui_view *view)
{
	struct list *list = &view->list;
	char *line = NULL, *sql;
	if (!view->type->table)
		return groups_of_command(view);
	sql = list_counting(list, view->type->table);
	int n = sql ? asprintf(&line, "sql %s", sql) : -1;
	free(sql);
	if (n < 0)
		return cs_error_nomem();
	row_set_free(&list->set);
	struct cs_error *error = row_set_of(view->session, line, true, &list->set);
	free(line);
	list->table = error ? NULL : &list->set.table;
	list->source = &list->set;
	return error;
}

static struct cs_error *query_rows(struct session *session, struct list *list)
{
	struct cs_query *query = session->query, *own = NULL;
	struct cs_error *error = NULL;
	const struct cs_listing listing = {.where = list->group ? NULL : list->where,
		.sort = list_order(list),
		.variables = session_variables(session)};
	if (is_row_set(list->table)) {
		error = cs_query_new(&own);
		query = own;
		if (!error)
			error = cs_query_add(own, list->table, list->source);
	}
	if (!error) {
		cs_query_set_job(query, &session->job);
		error = cs_query_rows(query, list->table, &listing, &list->at, &list->n);
	}
	cs_query_free(own);
	return error;
}

/* Counts, filters and sorts the rows, and decides whether the view shows one record. */
static struct cs_error *count_rows(struct tui_view *view)
{
	struct list *list = &view->list;
	list->n = list->at ? list->n : list->table->count(list->source);
	list->is_record = (view->type->form == FORM_RECORD || list->set.is_record) &&
			  !list->group && list->n == 1;
	const char *order = list_order(list);
	if (list->is_record || (!order && (list->group || !list->where)))
		return NULL;
	return query_rows(view->session, list);
}

/* The row under the cursor: its number in the table, or the SQL condition of a group (owned). */
struct place_in_list {
	bool any;
	uint32_t row;
	char *group;
};

static struct place_in_list place_in_list(const struct list *list)
{
	struct place_in_list ret = {.any = list->table && list->cursor < list->n};
	if (ret.any && list->group)
		ret.group = list_group_condition(list, list->cursor);
	else if (ret.any)
		ret.row = (uint32_t)list_row(list, list->cursor);
	ret.any = ret.any && (ret.group || !list->group);
	return ret;
}

/* Returns whether the line at `index` is the group that the cursor was on. */
static bool is_group_of(const struct list *list, size_t index, const struct place_in_list *before)
{
	char *group = list_group_condition(list, index);
	const bool is_it = group && before->group && strcmp(group, before->group) == 0;
	free(group);
	return is_it;
}

/* Moves the cursor back to the row on which it was, if the list still has that row. */
static void keep_cursor(struct list *list, struct place_in_list before)
{
	if (list->is_record)
		list->n = list->columns.n;
	/* without groups, sort order, filter and folding, line i shows row i of the table */
	size_t i = list->group || list->at || list->lines.n > 0 ? 0 : before.row;
	for (; before.any && !list->is_record && i < list->n; i++)
		if (list->group ? is_group_of(list, i, &before) : list_row(list, i) == before.row) {
			list->cursor = i;
			break;
		}
	if (list->cursor >= list->n)
		list->cursor = list->n ? list->n - 1 : 0;
}

/*
 * Forgets the marks when the table has fewer rows than before, because row numbers then belong to
 * other rows. Groups are rows of another table, so the marks stay until grouping ends.
 */
static void renew_marks(struct list *list)
{
	if (list->group)
		return;
	size_t rows = list->table->count(list->source);
	if (rows < list->marked_of)
		list->marks.n = 0;
	list->marked_of = rows;
}

static struct cs_error *list_rows_of(struct tui_view *view)
{
	const struct view_type *type = view->type;
	return type->table     ? rows_of_table(view)
	       : type->command ? rows_of_command(view)
			       : row_of_object(view);
}

/*
 * Returns the number of rows that a list of a table or a command would read. Gets the source of a
 * table from the session again, because the old source may have been closed.
 */
static size_t rows_to_read(struct tui_view *view)
{
	const struct cs_table *table = view->list.table;
	const void *source = view->list.source;
	if (table && view->type->table && !view->list.group)
		table = session_table(view->session, view->type->table, &source);
	return table ? table->count(source) : 0;
}

struct cs_error *list_renew(struct tui_view *view)
{
	struct list *list = &view->list;
	if (list->at && list->n > 0 && !list->is_record && rows_to_read(view) > RENEWED) {
		list->is_of_before = true;
		return NULL;
	}
	struct place_in_list before = {0};
	if (list->group || list->at || list->lines.n > 0)
		before = place_in_list(list);
	free(list->at);
	list->at = NULL;
	list->n = list->lines.n = 0;
	list->is_of_before = false;
	struct cs_error *error = list->group ? rows_of_groups(view) : list_rows_of(view);
	if (!error) {
		renew_marks(list);
		error = count_rows(view);
	}
	if (!error)
		error = choose_columns(list);
	if (!error)
		error = add_partition_column(view);
	if (!error)
		error = list_shape(view);
	if (!error)
		keep_cursor(list, before);
	free(before.group);
	if (!error)
		return NULL;
	list->table = NULL;
	list->columns.n = 0; /* the columns belong to the table, which may be freed */
	return error;
}

static void free_rows(struct list *list)
{
	row_set_free(&list->set);
	row_set_free(&list->uncounted);
	free(list->at);
	cs_vec_free(&list->columns);
	cs_vec_free(&list->widths);
	cs_vec_free(&list->cuts);
	cs_vec_free(&list->lines);
}

void list_free(struct list *list)
{
	free_rows(list);
	list_free_settings(list);
	free(list->search);
	cs_vec_free(&list->marks);
	cs_vec_free(&list->turned);
	*list = (struct list){0};
}

/* ---- the cursor ---- */

void list_scroll(struct list *list, int rows)
{
	size_t room = rows > 0 ? (size_t)rows : 1;
	if (list->cursor < list->top)
		list->top = list->cursor;
	if (list->cursor >= list->top + room)
		list->top = list->cursor - room + 1;
	if (list->top > 0 && list->top + room > list->n)
		list->top = list->n > room ? list->n - room : 0;
}

static void move_by(struct list *list, long n)
{
	size_t far = n < 0 ? (size_t) - (n + 1) + 1 : (size_t)n;
	if (n < 0)
		list->cursor -= far < list->cursor ? far : list->cursor;
	else if (list->n > 0)
		list->cursor += far < list->n - 1 - list->cursor ? far : list->n - 1 - list->cursor;
}

/* Moves the cursor to the column and scrolls left if necessary; list_draw.c scrolls right. */
static void go_to_column(struct list *list, size_t column)
{
	size_t most = list->columns.n && !list->is_record ? list->columns.n - 1 : 0;
	list->column = column < most ? column : most;
	if (list->column < list->left)
		list->left = list->column;
}

struct cs_error *list_move(struct tui_view *view, enum motion motion, long n)
{
	struct list *list = &view->list;
	long page = view->rows > 3 ? view->rows - 2 : 1;
	switch (motion) {
	case MOTION_ROWS:
		move_by(list, n);
		break;
	case MOTION_PAGES:
		move_by(list, n * page);
		break;
	case MOTION_HALVES:
		move_by(list, n * (page > 1 ? page / 2 : 1));
		break;
	case MOTION_COLUMNS:
		if (list->lines.n > 0)
			return list_fold(view, n < 0);
		go_to_column(
			list, n < 0 && (size_t)-n > list->column ? 0 : list->column + (size_t)n);
		break;
	case MOTION_LINE_END:
		go_to_column(list, SIZE_MAX);
		break;
	case MOTION_FIRST:
		list->cursor = 0;
		break;
	case MOTION_LAST:
		list->cursor = list->n ? list->n - 1 : 0;
		break;
	case MOTION_ROW:
		list->cursor = 0;
		move_by(list, n);
		break;
	case MOTION_HOME:
		list->cursor = list->left = list->column = 0;
		break;
	}
	return NULL;
}

/* Returns the column that a line shows as a field of a record or of an unfolded row, else NULL. */
static const struct cs_column *field_at(const struct list *list, size_t index)
{
	if (list->is_record)
		return list->columns.at[index];
	if (list->lines.n > 0 && list->lines.at[index].column)
		return &list->table->columns[list->lines.at[index].column - 1];
	return NULL;
}

/* Gets the object whose record the list shows from the view's argument, or returns false. */
static bool object_of_argument(struct tui_view *view, struct object *ret)
{
	const struct list *list = &view->list;
	const void *source;
	char *words = NULL;
	struct object itself = {.kind = list->table->row_name};
	if (list->is_record && view->type->has_object)
		return object_of_words(view->session, view->argument, ret);
	bool is_known = list->is_record && *view->argument &&
			object_table(view->session, &itself, &source) &&
			asprintf(&words, "%s %s", list->table->row_name, view->argument) >= 0 &&
			object_of_words(view->session, words, ret);
	free(words);
	return is_known;
}

void list_object(struct tui_view *view, struct object *ret)
{
	struct list *list = &view->list;
	if (!list->table || list->cursor >= list->n)
		return;
	const struct cs_column *column = field_at(list, list->cursor);
	if (column) {
		uint32_t row = (uint32_t)list_row(list, list->is_record ? 0 : list->cursor);
		/* skips the record's own name field, because a page number lacks the resource */
		bool is_own = list->is_record && strcmp(column->key, list->table->row_name) == 0;
		if (!is_own &&
			object_of_field(view->session, list->table, list->source, row, column, ret))
			return;
	}
	if (object_of_argument(view, ret))
		return;
	if (!object_of_row(view->session, list->table, list->source,
		    (uint32_t)list_row(list, list->is_record ? 0 : list->cursor), ret) &&
		view->type->has_object)
		object_of_words(view->session, view->argument, ret);
}

bool list_go(struct tui_view *view, const struct object *object)
{
	struct list *list = &view->list;
	if (!list->table || list->is_record || !object->kind ||
		strcmp(list->table->row_name, object->kind) != 0 || object->row == CS_NONE)
		return false;
	const bool is_copy = is_row_set(list->table);
	bool is_ordered = list->at || list->lines.n > 0 || is_copy;
	for (size_t i = is_ordered ? 0 : object->row; i < list->n; i++) {
		const uint32_t row = (uint32_t)list_row(list, i);
		if (is_copy ? object_is_copy(view->session, object, list->table, list->source, row)
			    : row == object->row) {
			list->cursor = i;
			return true;
		}
		if (!is_ordered)
			break;
	}
	return false;
}

/* ---- settings of the user: search, sort, group, filter ---- */

/* Returns whether the label or the value of a record's line contains the text. */
static bool field_matches(const struct list *list, size_t index, const char *text)
{
	const struct cs_column *column = list->columns.at[index];
	struct cs_value value = list_get(list, 0, column);
	return strcasestr(record_label(list->table, column), text) ||
	       (value.kind == CS_KIND_TEXT && strcasestr(value.text, text));
}

static bool row_matches(const struct tui_view *view, size_t index, const char *text)
{
	const struct list *list = &view->list;
	if (view->type->says)
		return view->type->says(view, index, text);
	if (list->is_record)
		return field_matches(list, index, text);
	if (list->lines.n > 0 && list->lines.at[index].column)
		return false; /* a field was searched with its row already */
	for (size_t c = 0; c < list->columns.n; c++) {
		char room[512];
		const struct cs_column *column = list->columns.at[c];
		struct cs_value value = list_get(list, index, column);
		if (value.kind == CS_KIND_TEXT && strcasestr(value.text, text))
			return true;
		if (value.kind == CS_KIND_INTEGER) {
			snprintf(room, sizeof(room), "%lld", (long long)value.integer);
			if (strcmp(room, text) == 0)
				return true;
		}
	}
	return false;
}

/* Moves the cursor to the next row that contains the searched text, wrapping around at the end. */
static struct cs_error *list_search(struct tui_view *view, bool backward)
{
	struct list *list = &view->list;
	for (size_t i = 1; list->search && i <= list->n; i++) {
		size_t at = backward ? (list->cursor + list->n - i) % list->n
				     : (list->cursor + i) % list->n;
		if (row_matches(view, at, list->search)) {
			list->cursor = at;
			return NULL;
		}
	}
	return cs_error_new(CS_E_MISSING,
		list->search ? "no row contains '%s'"
			     : "no text was searched for: press / and enter a text%s",
		list->search ? list->search : "");
}

bool row_numbers_have(const row_numbers *rows, uint32_t row)
{
	for (size_t i = 0; i < rows->n; i++)
		if (rows->at[i] == row)
			return true;
	return false;
}

struct cs_error *row_numbers_toggle(row_numbers *rows, uint32_t row)
{
	for (size_t i = 0; i < rows->n; i++)
		if (rows->at[i] == row) {
			rows->at[i] = rows->at[--rows->n];
			return NULL;
		}
	return cs_vec_push(rows, row) ? NULL : cs_error_nomem();
}

static struct cs_error *mark(struct list *list)
{
	if (list->is_record || list->cursor >= list->n)
		return cs_error_new(CS_E_MISSING, "the view has no row under the cursor to mark");
	if (list->group)
		return cs_error_new(CS_E_MISSING, "a group cannot be marked: Enter shows its rows");
	struct cs_error *error =
		row_numbers_toggle(&list->marks, (uint32_t)list_row(list, list->cursor));
	if (!error)
		move_by(list, 1);
	return error;
}

/*
 * Sets the sort order of a list. "here" sorts by the column under the cursor, numbers descending,
 * or reverses the order if it is by that column. "next" sorts by the next column, and after the
 * last column not at all. Other values are "KEY", "-KEY" and "reverse".
 */
static struct cs_error *sort(struct list *list, const char *value)
{
	char key[128];
	const char *order = list_order(list), *now = order ? order + (*order == '-') : NULL;
	const struct cs_column *here =
		list->column < list->columns.n ? list->columns.at[list->column] : NULL;
	if (strcmp(value, "here") == 0 && (!here || list->is_record))
		return cs_error_new(CS_E_MISSING, "this view has no columns to sort by");
	if (strcmp(value, "here") == 0 && (!now || strcmp(now, here->key) != 0)) {
		bool is_number = here->kind == CS_KIND_INTEGER || here->kind == CS_KIND_NUMBER;
		snprintf(key, sizeof(key), "%s%s", is_number ? "-" : "", here->key);
	} else if (strcmp(value, "reverse") == 0 || strcmp(value, "here") == 0) {
		if (!now)
			return cs_error_new(CS_E_USAGE,
				"the rows of the view are not sorted, so no order can be reversed: "
				"`view sort KEY` sorts them");
		snprintf(key, sizeof(key), "%s%s", *order == '-' ? "" : "-", now);
	} else if (strcmp(value, "next") == 0) {
		size_t next = 0;
		for (size_t i = 0; now && i < list->columns.n; i++)
			if (strcmp(list->columns.at[i]->key, now) == 0)
				next = i + 1;
		snprintf(key, sizeof(key), "%s",
			next < list->columns.n ? list->columns.at[next]->key : "");
	} else {
		snprintf(key, sizeof(key), "%s", value);
	}
	const char *name = key + (*key == '-');
	struct cs_error *error = *key ? list_check_column(list->table, name, strlen(name)) : NULL;
	return error ? error : list_keep(list_slot_of(list, "sort"), key);
}

/*
 * Searches for `value`. "" repeats the last search, "-" repeats it backward; "off" forgets the
 * text, so that the key n runs to the next change instead of searching.
 */
static struct cs_error *search_for(struct tui_view *view, const char *value)
{
	struct list *list = &view->list;
	bool backward = strcmp(value, "-") == 0;
	char *before = list->search;
	if (strcmp(value, "off") == 0)
		return list_keep(&list->search, "");
	if (!*value || backward)
		return list_search(view, backward);
	list->search = strdup(value);
	struct cs_error *error = list->search ? list_search(view, false) : cs_error_nomem();
	if (error) { /* nothing was found: keep the previous search text */
		free(list->search);
		list->search = before;
	} else {
		free(before);
	}
	return error;
}

/* Rereads even very many rows, because the user asked for it. Keeps the old rows on an error. */
static struct cs_error *renew_now(struct tui_view *view)
{
	struct list *list = &view->list, before = *list, none = {0};
	list->set = none.set;
	list->uncounted = none.uncounted;
	list->at = NULL;
	list->n = 0;
	memset(&list->columns, 0, sizeof(list->columns));
	memset(&list->widths, 0, sizeof(list->widths));
	memset(&list->cuts, 0, sizeof(list->cuts));
	memset(&list->lines, 0, sizeof(list->lines));
	struct cs_error *error = list_renew(view);
	if (!error) {
		free_rows(&before);
		return NULL;
	}
	free_rows(list);
	*list = before;
	return error;
}

/* Moves the cursor to the row at the position X,Y in the view, below the heading. */
static struct cs_error *list_click(struct list *list, const char *value)
{
	long at[2];
	bool has_heading = !list->is_record && !(list->set.is_said && list->source == &list->set);
	if (!view_read_numbers(value, 2, at))
		return cs_error_new(CS_E_USAGE,
			"click needs X,Y, a column and a row of the screen, not '%s'", value);
	const long y = at[1] - has_heading;
	if (y >= 0 && list->top + (size_t)y < list->n)
		list->cursor = list->top + (size_t)y;
	return NULL;
}

static struct cs_error *change_setting(struct tui_view *view, char **slot, const char *value)
{
	struct list *list = &view->list;
	if (slot == list_slot_of(list, "sort"))
		return sort(list, value);
	if (slot == &list->group)
		return list_set_group(view, value);
	if (slot != &list->chosen)
		return list_keep(slot, value);
	struct cs_error *error = list_check_columns(view, value);
	return error ? error : list_keep(slot, *value ? value : view->type->columns);
}

/* Changes a setting and reads the rows again. If that fails, all settings are restored. */
static struct cs_error *set_and_renew(struct tui_view *view, char **slot, const char *value)
{
	struct list *list = &view->list, before;
	/* the cursor stays on its row, except on the first line, or when the grouping changes */
	struct place_in_list at = {0};
	if (list->cursor > 0 && slot != &list->group)
		at = place_in_list(list);
	struct cs_error *error = list_copy_settings(list, &before);
	if (!error) {
		error = change_setting(view, slot, value);
		if (!error)
			error = renew_now(view);
		if (error)
			list_restore_settings(list, &before);
		else
			keep_cursor(list, at);
	}
	free(at.group);
	list_free_settings(&before);
	return error;
}

struct cs_error *list_set(struct tui_view *view, const char *what, const char *value)
{
	struct list *list = &view->list;
	char **slot = list_slot_of(list, what);
	if ((list->table || view->type->says) && strcmp(what, "search") == 0)
		return search_for(view, value);
	if (list->table && strcmp(what, "tick") == 0)
		return mark(list);
	if (list->table && strcmp(what, "click") == 0)
		return list_click(list, value);
	if (strcmp(what, "tick") == 0)
		return cs_error_new(CS_E_MISSING, "this view has no rows that could be marked");
	if (!slot || !(view->type->table || view->type->command))
		return cs_error_new(CS_E_USAGE,
			"`view %s` does not apply to the view '%s': `help screen` names the "
			"commands of views",
			what, view->type->name);
	return set_and_renew(view, slot, value);
}
