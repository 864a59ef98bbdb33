/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Copies the rows that a command prints. Texts are appended to one buffer, which may move, so they
 * are stored as offsets until all rows have arrived, and then as pointers. Lists are stored as
 * text.
 */
#include "src/tui/list/rowset.h"

#include "src/tui/view.h"

#include <string.h>

enum { MOST_ROWS = 100000 };
static const size_t no_text = SIZE_MAX;

/* ---- the set as a table ---- */

static size_t count(const void *source)
{
	return ((const struct row_set *)source)->n_rows;
}

static const void *row(const void *source, size_t index)
{
	const struct row_set *set = source;
	return &set->values.at[index * set->columns.n];
}

static void get(const struct cs_row *at, const struct cs_column *column, struct cs_value *ret)
{
	*ret = ((const struct cs_value *)at->record)[column->argument];
}

struct cs_value row_value(
	const struct cs_table *table, const void *source, size_t at, const char *key)
{
	const struct cs_column *column = cs_table_column(table, key);
	return column ? cs_table_get(table, source, at, column) : cs_null();
}

const char *row_text(const struct cs_table *table, const void *source, size_t at, const char *key)
{
	const struct cs_value value = row_value(table, source, at, key);
	return value.kind == CS_KIND_TEXT && value.text ? value.text : "";
}

/* ---- copying rows ---- */

static bool keep_text(struct row_set *set, const char *text, size_t n, size_t *offset_ret)
{
	*offset_ret = set->texts.n;
	return cs_vec_append(&set->texts, text, n) && cs_vec_push(&set->texts, '\0');
}

struct collected {
	struct row_set *set;
	bool failed;
};

static void collect(void *context, const char *bytes, size_t n)
{
	struct collected *to = context;
	if (!cs_vec_append(&to->set->texts, bytes, n))
		to->failed = true;
}

/* Appends the items of a list as they are, because a view escapes the texts that it draws. */
static void collect_items(struct collected *to, const struct cs_value *list)
{
	for (uint32_t i = 0; i < list->list.n; i++) {
		struct cs_value item;
		list->list.item(list, i, &item);
		if (i > 0)
			collect(to, ", ", 2);
		if (item.kind == CS_KIND_TEXT)
			collect(to, item.text, strlen(item.text));
		else
			cs_value_put(&item, CS_FORM_TEXT, collect, to);
	}
}

static bool keep_value(struct row_set *set, struct cs_value value)
{
	size_t offset = no_text;
	struct collected to = {set, false};
	if (value.kind == CS_KIND_TEXT) {
		if (!keep_text(set, value.text, strlen(value.text), &offset))
			return false;
	} else if (value.kind == CS_KIND_LIST) {
		bool empty = value.list.n == 0;
		offset = set->texts.n;
		collect_items(&to, &value);
		if (to.failed || !cs_vec_push(&set->texts, '\0'))
			return false;
		value = empty ? cs_null() : cs_text("");
	}
	return cs_vec_push(&set->values, value) && cs_vec_push(&set->offsets, offset);
}

/* Appends a column, and its key and label to `names`, where rowset_finish() finds them by order. */
static bool keep_column(struct row_set *set, const struct cs_column *column)
{
	struct cs_column copy = *column;
	copy.get = get;
	copy.argument = (uint32_t)set->columns.n;
	copy.part = 0;
	copy.flags &= ~(CS_COLUMN_KEY | CS_COLUMN_INDEX);
	if (copy.kind == CS_KIND_LIST)
		copy.kind = CS_KIND_TEXT;
	const char *label = column_label(column);
	return cs_vec_append(&set->names, column->key, strlen(column->key) + 1) &&
	       cs_vec_append(&set->names, label, strlen(label) + 1) &&
	       cs_vec_push(&set->columns, copy);
}

static bool keep_columns(struct row_set *set, const struct rows *rows)
{
	for (size_t i = 0; i < rows->table->n_columns; i++)
		if (!keep_column(set, &rows->table->columns[i]))
			return false;
	return true;
}

static struct cs_error *take_row(struct row_taker *taker, const struct rows *rows)
{
	struct row_set *set = (struct row_set *)((char *)taker - offsetof(struct row_set, taker));
	if (set->columns.n > 0)
		/* rows that a nested command lists are ignored */
		return NULL;
	if (!keep_columns(set, rows))
		return cs_error_nomem();
	set->table.row_name = rows->table->row_name;
	set->is_record = rows->as_record;
	set->is_cut = rows->n > MOST_ROWS;
	for (size_t i = 0; i < rows->n && i < MOST_ROWS; i++) {
		for (size_t c = 0; c < rows->table->n_columns; c++)
			if (!keep_value(set,
				    cs_table_get(rows->table, rows->source,
					    rows->at ? rows->at[i] : i, &rows->table->columns[c])))
				return cs_error_nomem();
		set->n_rows++;
	}
	return NULL;
}

static struct cs_error *keep_lines(struct row_set *set, const char *text, size_t n)
{
	static const struct cs_column column = {
		.key = "text", .kind = CS_KIND_TEXT, .flags = CS_COLUMN_SHORT};
	if (!keep_column(set, &column))
		return cs_error_nomem();
	set->is_said = true;
	while (n > 0 && set->n_rows < MOST_ROWS) {
		const char *end = memchr(text, '\n', n);
		size_t length = end ? (size_t)(end - text) : n, offset;
		if (!keep_text(set, text, length, &offset) ||
			!cs_vec_push(&set->values, cs_text("")) ||
			!cs_vec_push(&set->offsets, offset))
			return cs_error_nomem();
		set->n_rows++;
		text += length + (end != NULL);
		n -= length + (end != NULL);
	}
	return NULL;
}

/* ---- running the command ---- */

/* Replaces the offsets of names and texts by pointers, after all rows were stored. */
static void rowset_finish(struct row_set *set)
{
	const char *name = set->names.at;
	for (size_t i = 0; i < set->columns.n; i++) {
		set->columns.at[i].key = name;
		name += strlen(name) + 1;
		set->columns.at[i].label = name;
		name += strlen(name) + 1;
	}
	for (size_t i = 0; i < set->values.n; i++)
		if (set->offsets.at[i] != no_text && set->values.at[i].kind == CS_KIND_TEXT)
			set->values.at[i].text = set->texts.at + set->offsets.at[i];
	set->table.columns = set->columns.at;
	set->table.n_columns = set->columns.n;
}

static const struct cs_table shown = {
	.name = "shown", .row_name = "row", .missing = CS_E_MISSING, .count = count, .row = row};

/* Returns whether the line is just the command of a view, which lists rows and changes nothing. */
static bool is_command_of_view(const char *line)
{
	for (size_t i = 0; view_types[i]; i++)
		if (view_types[i]->command && strcmp(view_types[i]->command, line) == 0)
			return true;
	return false;
}

struct cs_error *row_set_of(
	struct session *session, const char *line, bool takes_rows, struct row_set *ret)
{
	struct memory_sink said;
	struct row_taker *before = session->channels.taker;
	const enum status status = session->expected.tally.status;
	const bool was_reading = session->display.is_reading;
	*ret = (struct row_set){.taker = {take_row}, .table = shown};
	memory_sink_init(&said);
	session->channels.taker = takes_rows ? &ret->taker : NULL;
	session->display.is_reading = !is_command_of_view(line);
	struct cs_error *error = run_nested(session, line, &said.sink);
	session->display.is_reading = was_reading;
	session->channels.taker = before;
	session->expected.tally.status =
		status; /* as before, because a view that lists differences has not failed */
	if (!error && ret->columns.n == 0)
		error = keep_lines(ret, said.text.at, said.text.n);
	if (!error)
		rowset_finish(ret);
	memory_sink_deinit(&said);
	return error;
}

/* ---- counting rows by value ---- */

struct cs_error *row_set_groups(
	const struct cs_result *result, const struct cs_column *column, struct row_set *ret)
{
	const struct cs_result_view view = cs_result_view(result);
	const bool is_bool = column->kind == CS_KIND_BOOL;
	struct cs_column key = view.table->columns[0];
	key.kind = is_bool ? CS_KIND_BOOL : key.kind;
	*ret = (struct row_set){.table = shown};
	if (!keep_column(ret, &key) || !keep_column(ret, &view.table->columns[1]))
		return cs_error_nomem();
	for (; ret->n_rows < view.rows; ret->n_rows++) {
		struct cs_value value = cs_result_value(result, ret->n_rows, 0);
		if (is_bool && value.kind == CS_KIND_INTEGER)
			value = cs_bool(value.integer != 0);
		if (!keep_value(ret, value) ||
			!keep_value(ret, cs_result_value(result, ret->n_rows, 1)))
			return cs_error_nomem();
	}
	rowset_finish(ret);
	return NULL;
}

bool is_row_set(const struct cs_table *table)
{
	return table->count == count;
}

void row_set_free(struct row_set *set)
{
	cs_vec_free(&set->columns);
	cs_vec_free(&set->values);
	cs_vec_free(&set->offsets);
	cs_vec_free(&set->texts);
	cs_vec_free(&set->names);
	*set = (struct row_set){0};
}
