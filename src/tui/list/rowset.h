/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rows that a command prints, stored as a table, so that a view shows what the command prints.
 * For a command that prints sentences each row is one text.
 */
#pragma once

#include "src/session/session.h"

struct row_set {
	struct row_taker taker;
	struct cs_table table; /* table whose source is the row set */
	CS_VEC(struct cs_column) columns;
	CS_VEC(struct cs_value) values; /* row by row; texts are offsets into `texts` */
	CS_VEC(size_t) offsets;         /* for each value: offset of its text */
	CS_VEC(char) texts;
	CS_VEC(char) names; /* keys and labels of the columns */
	size_t n_rows;
	bool is_cut;    /* more rows were printed than a view stores */
	bool is_record; /* there is one row, which is shown field by field */
	bool is_said;   /* the rows are sentences */
};

/* Runs the line; free the set after success and failure alike, and do not move it. */
struct cs_error *row_set_of(
	struct session *session, const char *line, struct row_set *ret) CS_MUST_USE;
/* Stores the sentences that the line prints, one a row, even where it prints rows. */
struct cs_error *row_set_said(
	struct session *session, const char *line, struct row_set *ret) CS_MUST_USE;
/*
 * Counts the rows of another set by value of the column, the most frequent first; column "n" is the
 * count. `at` selects n rows, NULL = all of them.
 */
struct cs_error *row_set_count(const struct row_set *from, const uint32_t *at, size_t n,
	const struct cs_column *column, struct row_set *ret) CS_MUST_USE;
/* Returns whether the table belongs to a row set. */
bool is_row_set(const struct cs_table *table);
void row_set_free(struct row_set *set);
