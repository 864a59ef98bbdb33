/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that print rows in one format each; private to src/output. */
#pragma once

#include "src/output/output.h"

/* The columns that a listing prints. */
struct columns {
	const struct cs_table *table;
	const void *source;
	CS_VEC(const struct cs_column *) at;
};

static inline size_t row_at(const struct rows *rows, size_t i)
{
	return rows->at ? rows->at[i] : i;
}

/* Returns the error of reading the rows, after which their values mean nothing, or NULL. */
static inline struct cs_error *why_unread(const struct rows *rows)
{
	return rows->unread ? rows->unread(rows->context) : NULL;
}

/* Begins a loop over the rows that reads only these columns, or any if `columns` is NULL. */
static inline void begin_pass(const struct rows *rows, const struct columns *columns)
{
	if (!rows->reading)
		return;
	rows->reading->columns = columns ? columns->at.at : NULL;
	rows->reading->n_columns = columns ? columns->at.n : 0;
	rows->table->pass(rows->reading, CS_PASS_BEGIN);
}

static inline void pass_rows(const struct rows *rows, enum cs_pass what)
{
	if (rows->reading)
		rows->table->pass(rows->reading, what);
}

/* Loop condition: begins, steps or ends the pass over `columns`. Returns `go` if row i exists. */
static inline bool pass_goes(
	const struct rows *rows, const struct columns *columns, size_t i, bool go)
{
	go = go && i < rows->n;
	if (i == 0)
		begin_pass(rows, columns);
	else if (go)
		pass_rows(rows, CS_PASS_STEP);
	if (!go)
		pass_rows(rows, CS_PASS_END);
	return go;
}

/*
 * Writes escaped text where a list of rows is JSON in one line: a line of the text that begins as
 * a list does gets its brace escaped, so that it is no list.
 */
void put_unlike_list(struct output *out, const char *bytes, size_t n);

/* The text of a row or of one of its fields. */
struct line {
	CS_VEC(char) text;
	bool failed;
};

/* Appends bytes to a struct line; for cs_text_put() and cs_value_put(). */
void into_line(void *line, const char *bytes, size_t n);
/* Returns whether the filter, if any, accepts the whole text, even if only a part is printed. */
bool passes(const struct output *out, struct line *line);

/*
 * A function that prints rows in one format and returns the error of reading them. Values that
 * could not be read are not printed: a record ends before the first such field, and a table prints
 * nothing, because its column widths depend on all rows.
 */
typedef struct cs_error *emit_format(
	struct output *out, const struct rows *rows, const struct columns *columns);
emit_format emit_table, emit_record, emit_machine;
/* Prints the sentences of a command as JSON, with one row for each line of text. */
void emit_said(struct output *out);
