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

/*
 * Returns the error that occurred while the values of the rows were read, which makes the values
 * meaningless; NULL when all values are valid.
 */
static inline struct cs_error *why_unread(const struct rows *rows)
{
	return rows->unread ? rows->unread(rows->context) : NULL;
}

static inline void pass_rows(const struct rows *rows, enum cs_pass what)
{
	if (rows->pass)
		rows->pass(rows->context, what);
}

/*
 * A function that prints rows in one format and returns the error of reading them. Values that
 * could not be read are not printed: a record ends before the first such field, and a table prints
 * nothing, because its column widths depend on all rows.
 */
typedef struct cs_error *emit_format(
	struct output *out, const struct rows *rows, const struct columns *columns);
emit_format emit_table, emit_record, emit_json, emit_separated;
/* Prints the sentences of a command as JSON, with one row for each line of text. */
void emit_said(struct output *out);
