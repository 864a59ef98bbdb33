/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rows that a command prints, kept as a table: what a view shows is what the command says. A
 * command that only says sentences gives rows of one text.
 */
#pragma once

#include "src/session/session.h"

struct row_set {
	struct row_taker taker;
	struct cs_table table; /* the set is its source */
	CS_VEC(struct cs_column) columns;
	CS_VEC(struct cs_value) values; /* row by row; texts lie in `texts` by their offset */
	CS_VEC(size_t) offsets;         /* of each value's text */
	CS_VEC(char) texts;
	CS_VEC(char) names; /* keys and labels */
	size_t n_rows;
	bool is_cut;    /* there were more rows than a view holds */
	bool is_record; /* one row, meant to be read field by field */
	bool is_said;   /* sentences */
};

/* Runs the line; the set is to be freed whatever comes of it, and must not move. */
struct cs_error *row_set_of(
	struct session *session, const char *line, struct row_set *ret) CS_MUST_USE;
/* The sentences that it prints, a row each, even where it has rows. */
struct cs_error *row_set_said(
	struct session *session, const char *line, struct row_set *ret) CS_MUST_USE;
/*
 * How many of the rows of another set have each value of the column, the most frequent first; "n"
 * is the count. `at` are those rows, NULL = all of them.
 */
struct cs_error *row_set_count(const struct row_set *from, const uint32_t *at, size_t n,
	const struct cs_column *column, struct row_set *ret) CS_MUST_USE;
/* Whether a table is that of a set. */
bool is_row_set(const struct cs_table *table);
void row_set_free(struct row_set *set);
