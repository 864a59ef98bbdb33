/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows with a cursor, the content of most views. Cells of a table are read when they are drawn, so
 * a list of a million rows costs only its visible ones; a filter or an order runs one SQL query.
 */
#pragma once

#include "src/tui/list/rowset.h"
#include "src/tui/terminal/grid.h"

struct tui_view;
struct object;
enum motion;

/* A line of a list that folds: a row, or a field of an unfolded row below it. */
struct list_line {
	uint32_t row;    /* index of the row in the table */
	uint32_t number; /* position of the row in the list, from 1 */
	uint16_t depth;
	/* for the line of a field: index of its column in the table + 1; 0 = the line of a row */
	uint16_t column;
	uint64_t stems; /* bit d: the ancestor at depth d has more siblings below */
	bool last, has_below, is_open;
};

/* Rows of a table, in no order. */
typedef CS_VEC(uint32_t) row_numbers;

struct list {
	const struct cs_table *table; /* table of the rows; NULL = there are no rows */
	const void *source;
	struct row_set set;       /* rows that a command printed, if the view shows a command */
	struct row_set uncounted; /* when grouping: rows of the command before they were counted */
	uint32_t *at;             /* table rows in the order shown (NULL = all in table order) */
	size_t n;      /* number of lines: rows, fields of a record, or lines.n if the list folds */
	size_t n_rows; /* number of table rows shown, not counting lines of unfolded fields */
	CS_VEC(struct list_line) lines; /* lines of a list that folds; else empty */
					/* table rows that the user folded or unfolded */
	row_numbers turned;
	CS_VEC(const struct cs_column *) columns;
	CS_VEC(int) widths;
	/* for each column, bytes of the beginning that all its values share, which is not drawn */
	CS_VEC(int) cuts;
	bool is_record;
	size_t cursor, top;
	size_t left;   /* number of columns scrolled out of view on the left */
	size_t column; /* index of the cursor's column */
	/*
	 * settings of the user, owned (NULL = none). `sort` orders rows, `group_sort` orders groups
	 */
	char *where, *sort, *search, *group, *group_sort, *chosen;
	row_numbers marks; /* marked table rows, in no order */
	/*
	 * number of rows of the table when the list was last read without groups (`marks` are
	 * removed if it becomes smaller)
	 */
	size_t marked_of;
	/* the rows show an earlier frame, because there are too many to filter in every frame */
	bool is_of_before;
};

/*
 * Reads the rows again with the same filter and order; the cursor stays on its row if that still
 * exists. A filtered or sorted list over a table of more than 50,000 rows is not read, but marked
 * as older than the current frame.
 */
struct cs_error *list_renew(struct tui_view *view) CS_MUST_USE;
void list_draw(struct tui_view *view, struct area area);
void list_object(struct tui_view *view, struct object *ret);
struct cs_error *list_move(struct tui_view *view, enum motion motion, long n) CS_MUST_USE;
bool list_go(struct tui_view *view, const struct object *object);
/* Handles `view` settings sort, filter, group, columns, search, tick, click. E_USAGE for others. */
struct cs_error *list_set(struct tui_view *view, const char *what, const char *value) CS_MUST_USE;
void list_status(struct tui_view *view, struct output *out);
void list_free(struct list *list);

/* Replaces a setting by a copy of the text (list_settings.c). NULL and "" remove the setting. */
struct cs_error *list_keep(char **at, const char *value) CS_MUST_USE;
/* Returns the order of the rows or, if there are groups, of the groups. NULL means no order. */
static inline const char *list_order(const struct list *list)
{
	return list->group ? list->group_sort : list->sort;
}
/* Returns the address of the member that stores the setting `what`; NULL for other words. */
char **list_slot_of(struct list *list, const char *what);
/* Returns E_USAGE if the table has no column of that name. If `table` is NULL, checks nothing. */
struct cs_error *list_check_column(
	const struct cs_table *table, const char *key, size_t n) CS_MUST_USE;
/* Returns E_USAGE if a key in the list `keys` names no column of the view's rows. */
struct cs_error *list_check_columns(const struct tui_view *view, const char *keys) CS_MUST_USE;
/* Copies the settings and the place of the cursor. The caller frees the copy, also on failure. */
struct cs_error *list_copy_settings(struct list *list, struct list *ret) CS_MUST_USE;
/* Exchanges the settings with those of a copy, and moves the cursor to the place in the copy. */
void list_restore_settings(struct list *list, struct list *copy);
void list_free_settings(struct list *list);

bool row_numbers_have(const row_numbers *rows, uint32_t row);
/* Adds a row to the list of row numbers, or removes the row if the list contains it. */
struct cs_error *row_numbers_toggle(row_numbers *rows, uint32_t row) CS_MUST_USE;

/* Builds a folding list's lines: tree rows, or rows with fields of unfolded ones (list_tree.c). */
struct cs_error *list_shape(struct tui_view *view) CS_MUST_USE;
/* Folds or unfolds the cursor's row. Folding a field or leaf moves the cursor to its parent. */
struct cs_error *list_fold(struct tui_view *view, bool folds) CS_MUST_USE;

/*
 * Handles the setting "group" (list_group.c): a column to count by; "next", the next such column;
 * "off"; or "pick", which ends grouping and shows the rows of the group under the cursor.
 */
struct cs_error *list_set_group(struct tui_view *view, const char *value) CS_MUST_USE;
/* Returns the table whose rows a grouped list counts: the view's, or that of its command's rows. */
const struct cs_table *list_counted_table(const struct tui_view *view);
/* Returns the SQL condition of a group's rows. The caller frees it; NULL = no memory. */
char *list_group_condition(const struct list *list, size_t index);
/* Returns SQL that counts the filtered rows of a table by the grouping column; NULL = no memory. */
char *list_counting(const struct list *list, const char *table);
/*
 * Counts the rows in list->uncounted (the output of a command) by the grouping column, and stores
 * the groups in list->set.
 */
struct cs_error *list_count_uncounted(
	struct tui_view *view, const struct cs_column *column) CS_MUST_USE;

/* Functions for views that draw rows themselves. list_row() returns the row of line `index`. */
size_t list_row(const struct list *list, size_t index);
/* Returns the value of a column in the table row of a line. */
struct cs_value list_get(const struct list *list, size_t index, const struct cs_column *column);
struct cs_value list_value(const struct list *list, size_t index, const char *key);
/* Returns the text in a column of a row; "" if the value is not a text. */
const char *list_text(const struct list *list, size_t index, const char *key);
/* Scrolls the list so that the cursor is in a window of `rows` lines. */
void list_scroll(struct list *list, int rows);
/* Draws a value as escaped text in at most `columns` columns; returns the columns used. */
int put_value(struct area area, int x, int y, int columns, struct paint paint,
	const struct cs_value *value, bool right);
/* Draws a value over several rows. Returns their number, including rows below the area. */
int put_value_wrapped(struct area area, struct paint paint, const struct cs_value *value);

/* Returns whether a column counts bytes; say_bytes() formats such a number (measure.c). */
bool counts_bytes(const struct cs_column *column);
void say_bytes(double bytes, char *ret, size_t size);
/* Draws a field's value, with its unit if that fits. Returns the columns used (measure.c). */
int put_field(struct area area, int x, int y, int columns, struct paint paint,
	const struct cs_column *column, const struct cs_value *value);
