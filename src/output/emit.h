/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The formats of rows; private to output.c and emit.c. */
#pragma once

#include "src/output/output.h"

/* The chosen columns of a listing. */
struct columns {
	const struct cs_table *table;
	const void *source;
	CS_VEC(const struct cs_column *) at;
};

static inline size_t row_at(const struct rows *rows, size_t i)
{
	return rows->at ? rows->at[i] : i;
}

/* Returns why the row that was just read has no meaning, NULL when it has one. */
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
 * A function that prints rows in one format. It prints no row that cannot be read: a record ends in
 * front of the first field that cannot be read, and a table is not begun at all, because its widths
 * come from all of its rows.
 */
typedef struct cs_error *emit_format(
	struct output *out, const struct rows *rows, const struct columns *columns);
emit_format emit_table, emit_record, emit_json, emit_separated;
/* Prints the sentences of a command as JSON rows, one text a line. */
void emit_said(struct output *out);
