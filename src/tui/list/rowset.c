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
		cs_value_put(&value, CS_FORM_TEXT, collect, &to);
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

/* ---- sentences as rows ---- */

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

/* Returns whether the line is the command of a view as such, which lists and changes nothing. */
static bool is_command_of_view(const char *line)
{
	for (size_t i = 0; view_types[i]; i++)
		if (view_types[i]->command && strcmp(view_types[i]->command, line) == 0)
			return true;
	return false;
}

static struct cs_error *rowset_gather(
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
		status; /* restored, because a view that shows differences has not failed */
	if (!error && ret->columns.n == 0)
		error = keep_lines(ret, said.text.at, said.text.n);
	if (!error)
		rowset_finish(ret);
	memory_sink_deinit(&said);
	return error;
}

struct cs_error *row_set_of(struct session *session, const char *line, struct row_set *ret)
{
	return rowset_gather(session, line, true, ret);
}

struct cs_error *row_set_said(struct session *session, const char *line, struct row_set *ret)
{
	return rowset_gather(session, line, false, ret);
}

/* ---- counting rows by value ---- */

enum { MOST_COUNTED = 1000 };

struct counted {
	char *text; /* text form of a value; owned */
	int64_t n;
};

struct counts {
	CS_VEC(struct counted) at;
	bool is_cut;
};

static struct cs_error *count_value(struct counts *counts, const struct cs_value *value)
{
	struct row_set room = {0};
	struct collected to = {&room, false};
	cs_value_put(value, CS_FORM_TEXT, collect, &to);
	const char *text = !to.failed && cs_vec_push(&room.texts, '\0') ? room.texts.at : NULL;
	size_t i = 0;
	while (text && i < counts->at.n && strcmp(counts->at.at[i].text, text) != 0)
		i++;
	bool is_kept = text && i < counts->at.n;
	if (is_kept)
		counts->at.at[i].n++;
	else if (text && i == MOST_COUNTED)
		is_kept = counts->is_cut = true;
	else if (text) {
		struct counted fresh = {strdup(text), 1};
		is_kept = fresh.text && cs_vec_push(&counts->at, fresh);
		if (!is_kept)
			free(fresh.text);
	}
	cs_vec_free(&room.texts);
	return is_kept ? NULL : cs_error_nomem();
}

/* Returns the index of the most frequent value; of equally frequent ones, of the first. */
static size_t take_most(struct counts *counts)
{
	size_t most = 0;
	for (size_t i = 1; i < counts->at.n; i++)
		if (counts->at.at[i].n > counts->at.at[most].n)
			most = i;
	return most;
}

static struct cs_error *keep_counts(
	struct row_set *set, const struct cs_column *column, struct counts *counts)
{
	static const struct cs_column n_column = {
		.key = "n", .kind = CS_KIND_INTEGER, .flags = CS_COLUMN_SHORT};
	struct cs_column key = *column;
	key.kind = CS_KIND_TEXT;
	key.flags |= CS_COLUMN_SHORT;
	if (!keep_column(set, &key) || !keep_column(set, &n_column))
		return cs_error_nomem();
	for (size_t i = 0; i < counts->at.n; i++) {
		struct counted *most = &counts->at.at[take_most(counts)];
		if (!keep_value(set, cs_text(most->text)) || !keep_value(set, cs_integer(most->n)))
			return cs_error_nomem();
		most->n = 0;
		set->n_rows++;
	}
	rowset_finish(set);
	return NULL;
}

struct cs_error *row_set_count(const struct row_set *from, const uint32_t *at, size_t n,
	const struct cs_column *column, struct row_set *ret)
{
	struct counts counts = {0};
	struct cs_error *error = NULL;
	*ret = (struct row_set){.table = shown};
	for (size_t i = 0; !error && i < (at ? n : from->n_rows); i++) {
		struct cs_value value = cs_table_get(&from->table, from, at ? at[i] : i, column);
		error = count_value(&counts, &value);
	}
	if (!error)
		error = keep_counts(ret, column, &counts);
	ret->is_cut = counts.is_cut;
	for (size_t i = 0; i < counts.at.n; i++)
		free(counts.at.at[i].text);
	cs_vec_free(&counts.at);
	return error;
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
