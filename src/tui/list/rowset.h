/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows that a command prints, as a table for a view; sentences are rows with one text. */
#pragma once

#include "src/session/session.h"

struct row_set {
	struct row_taker taker;
	struct cs_table table; /* the table whose source is this set */
	CS_VEC(struct cs_column) columns;
	/* values row by row; their texts point into `texts` once all rows are stored */
	CS_VEC(struct cs_value) values;
	CS_VEC(size_t) offsets; /* for each value, the offset of its text; SIZE_MAX = no text */
	CS_VEC(char) texts;
	CS_VEC(char) names; /* keys and labels of the columns, NUL-terminated */
	size_t n_rows;
	bool is_cut;    /* further rows were printed but not stored */
	bool is_record; /* the command printed one row as a record */
	bool is_said;   /* rows are lines of text */
};

/*
 * Runs a command line and stores the rows that it prints or, without `takes_rows`, its lines of
 * text. The caller must free the set, even after a failure, and must not move it.
 */
struct cs_error *row_set_of(struct session *session, const char *line, bool takes_rows,
	struct row_set *ret) CS_MUST_USE;
/* Stores the result of a query that counts rows: each row has a value and its count "n". */
struct cs_error *row_set_groups(const struct cs_result *result, const struct cs_column *column,
	struct row_set *ret) CS_MUST_USE;
/* Returns the value in the column with this key; null if the table has no such column. */
struct cs_value row_value(
	const struct cs_table *table, const void *source, size_t row, const char *key);
/* Returns the text in the column with this key; "" if there is none. */
const char *row_text(const struct cs_table *table, const void *source, size_t row, const char *key);
bool is_row_set(const struct cs_table *table);
void row_set_free(struct row_set *set);
