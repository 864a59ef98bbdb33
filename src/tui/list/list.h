/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows with a cursor: what most views are. The rows are of a table that is asked cell by cell, so
 * that a list of a million costs what is seen of it; a filter or a sort asks SQL once.
 */
#pragma once

#include "src/tui/list/rowset.h"
#include "src/tui/terminal/grid.h"

struct tui_view;
struct object;
enum motion;

/* A line of a list that folds: a row, or one of its fields below it. */
struct list_line {
	uint32_t row;    /* of the table */
	uint32_t number; /* of the row among those that are listed, 1 first */
	uint16_t depth;
	uint16_t column; /* of the table + 1; 0 = the row itself */
	uint64_t stems;  /* as tree_place has them */
	bool last, has_below, is_open;
};

struct list {
	const struct cs_table *table; /* NULL = there are no rows */
	const void *source;
	struct row_set set;             /* where they come from a command */
	struct row_set uncounted;       /* what the groups of a command's rows are counted from */
	uint32_t *at;                   /* rows in their order; NULL = all, as they are */
	size_t n;                       /* rows of the view; of a record its fields */
	size_t n_rows;                  /* that it is of, where `lines` has what is seen of them */
	CS_VEC(struct list_line) lines; /* of a list that folds, else none */
	CS_VEC(uint32_t) turned; /* rows that are not folded, or open, as they are at first */
	CS_VEC(const struct cs_column *) columns;
	CS_VEC(int) widths;
	CS_VEC(int) cuts; /* of those, how much of the names is cut where all are alike */
	bool is_record;
	size_t cursor, top;
	size_t left;                                  /* columns that went out on the left */
	size_t column;                                /* of the cursor */
	char *where, *sort, *search, *group, *chosen; /* owned, or NULL */
	CS_VEC(uint32_t) marks;                       /* rows of the table, ascending */
	bool is_of_before; /* too many rows to filter again after each frame */
};

/* Gets the rows again: the same filter, order and, where it still exists, the same row. */
struct cs_error *list_renew(struct tui_view *view) CS_MUST_USE;
void list_draw(struct tui_view *view, struct area area);
void list_object(struct tui_view *view, struct object *ret);
struct cs_error *list_move(struct tui_view *view, enum motion motion, long n) CS_MUST_USE;
bool list_go(struct tui_view *view, const struct object *object);
/* sort, where, group, columns, search, mark. E_USAGE for what it has not. */
struct cs_error *list_set(struct tui_view *view, const char *what, const char *value) CS_MUST_USE;
void list_status(struct tui_view *view, struct output *out);
void list_free(struct list *list);

/* list_tree.c: rows below others, and fields below rows. */
struct cs_error *list_shape(struct tui_view *view) CS_MUST_USE;
/* The line below the cursor is folded, or unfolded; true when there was something to do. */
struct cs_error *list_fold(struct tui_view *view, bool folds) CS_MUST_USE;

/* list_group.c: the column behind the one that rows are counted by; "" behind the last. */
const char *list_next_grouping(const struct list *list, const struct cs_table *table);
/* The table whose rows are counted. */
const struct cs_table *list_counted_table(const struct tui_view *view);
/* That a column has the value of a group, in SQL; NULL = no memory. */
char *list_group_condition(const struct cs_column *column, const struct cs_value *value);

/* For views that draw rows their own way. */
size_t list_row(const struct list *list, size_t index); /* of the table */
struct cs_value list_value(const struct list *list, size_t index, const char *key);
/* The same of texts; "" where there is none. */
const char *list_text(const struct list *list, size_t index, const char *key);
/* Keeps the cursor among the rows and on a screen of `rows`. */
void list_scroll(struct list *list, int rows);
/* The value as people see it, escaped, at a place of at most `columns`. */
int put_value(struct area area, int x, int y, int columns, struct paint paint,
	const struct cs_value *value, bool right);
/* Over several rows of the area; returns how many it takes, of which some may be below the area. */
int put_value_wrapped(struct area area, struct paint paint, const struct cs_value *value);

/* measure.c: whether a column counts bytes, and what of them is said in a list. */
bool counts_bytes(const struct cs_column *column);
void say_bytes(double bytes, char *ret, size_t size);
/* measure.c: the value of a field that stands alone, with its unit where there is room. */
int put_field(struct area area, int x, int y, int columns, struct paint paint,
	const struct cs_column *column, const struct cs_value *value);
