/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows with a cursor, which most views are. A table is read cell by cell, so the cost of a list of
 * a million rows is that of the visible ones; a filter or an order runs one SQL query.
 */
#pragma once

#include "src/tui/list/rowset.h"
#include "src/tui/terminal/grid.h"

struct tui_view;
struct object;
enum motion;

/* A line of a list that folds: a row, or one of its fields below it. */
struct list_line {
	uint32_t row;    /* row of the table */
	uint32_t number; /* number of the row in the list, from 1 */
	uint16_t depth;
	uint16_t column; /* column of the table + 1; 0 = the row itself */
	uint64_t stems;  /* tree lines to the left of the row, as in struct tree_place */
	bool last, has_below, is_open;
};

struct list {
	const struct cs_table *table; /* table that the rows belong to; NULL = there are no rows */
	const void *source;
	struct row_set set; /* the rows that a command printed, when the view shows a command */
	struct row_set uncounted; /* the rows of the command before they were counted by group */
	uint32_t *at;  /* row numbers in the order shown; NULL = all rows in table order */
	size_t n;      /* number of lines: rows, or the fields of a record */
	size_t n_rows; /* number of rows, when `lines` has the visible ones */
	CS_VEC(struct list_line) lines; /* visible lines of a list that folds, else empty */
	/* rows whose folding the user changed */
	CS_VEC(uint32_t) turned;
	CS_VEC(const struct cs_column *) columns;
	CS_VEC(int) widths;
	/* for each column: bytes of a common beginning that are cut from each name */
	CS_VEC(int) cuts;
	bool is_record;
	size_t cursor, top;
	size_t left;   /* number of columns that are scrolled out on the left */
	size_t column; /* column of the cursor */
	char *where, *sort, *search, *group, *chosen; /* settings of the user; owned, or NULL */
	CS_VEC(uint32_t) marks;                       /* marked rows of the table, ascending */
	/* the rows belong to an earlier frame: there are too many to filter again each time */
	bool is_of_before;
};

/*
 * Reads the rows again with the same filter, order and cursor row, if that still exists. A filtered
 * or sorted list over a table of more than 50,000 rows is not read again: it is only marked as
 * older than the frame.
 */
struct cs_error *list_renew(struct tui_view *view) CS_MUST_USE;
void list_draw(struct tui_view *view, struct area area);
void list_object(struct tui_view *view, struct object *ret);
struct cs_error *list_move(struct tui_view *view, enum motion motion, long n) CS_MUST_USE;
bool list_go(struct tui_view *view, const struct object *object);
/*
 * Handles sort, filter, group, columns, search, tick, click; E_USAGE for settings it does not have.
 */
struct cs_error *list_set(struct tui_view *view, const char *what, const char *value) CS_MUST_USE;
void list_status(struct tui_view *view, struct output *out);
void list_free(struct list *list);

/* list_tree.c: builds the lines of a tree and of unfolded rows. */
struct cs_error *list_shape(struct tui_view *view) CS_MUST_USE;
/* Folds or unfolds the line under the cursor; changes nothing when it has no lines below it. */
struct cs_error *list_fold(struct tui_view *view, bool folds) CS_MUST_USE;

/* list_group.c: returns the column to group by next; "" after the last. */
const char *list_next_grouping(const struct list *list, const struct cs_table *table);
/* Returns the table whose rows are counted. */
const struct cs_table *list_counted_table(const struct tui_view *view);
/* Returns an SQL condition that the column has the value of a group; NULL = no memory. */
char *list_group_condition(const struct cs_column *column, const struct cs_value *value);

/*
 * The following functions are for views that draw rows themselves. This one returns the row of the
 * table.
 */
size_t list_row(const struct list *list, size_t index);
struct cs_value list_value(const struct list *list, size_t index, const char *key);
/* Returns the text in a column; "" where there is none. */
const char *list_text(const struct list *list, size_t index, const char *key);
/* Limits the cursor to the rows, and scrolls it into a window of `rows` lines. */
void list_scroll(struct list *list, int rows);
/* Draws the value as people read it, escaped, in at most `columns` columns. */
int put_value(struct area area, int x, int y, int columns, struct paint paint,
	const struct cs_value *value, bool right);
/* Draws the value over several rows; returns their number, of which some may be below the area. */
int put_value_wrapped(struct area area, struct paint paint, const struct cs_value *value);

/* measure.c: returns true when a column counts bytes; say_bytes formats them for a list. */
bool counts_bytes(const struct cs_column *column);
void say_bytes(double bytes, char *ret, size_t size);
/* measure.c: draws the value of one field with its unit where that fits. */
int put_field(struct area area, int x, int y, int columns, struct paint paint,
	const struct cs_column *column, const struct cs_value *value);
