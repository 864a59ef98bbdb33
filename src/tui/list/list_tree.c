/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Builds the lines of lists that fold. Rows that name their parent form a tree, initially unfolded;
 * in other lists a row unfolds into its fields, and is initially folded. A tree that is filtered or
 * sorted is shown as a plain list. The lines are built when rows are read, in time linear in the
 * rows, because the children of each row form a linked list.
 */
#include "src/tui/view.h"

#include "core/items.h"

enum { DEEPEST = 60 };

/* ---- fields of unfolded rows ---- */

static bool list_tree_says_something(const struct cs_value *value)
{
	return value->kind != CS_KIND_NULL && !(value->kind == CS_KIND_TEXT && !*value->text) &&
	       !(value->kind == CS_KIND_INTEGER && value->integer == 0) &&
	       !(value->kind == CS_KIND_NUMBER && value->number == 0);
}

static struct cs_error *list_tree_add_field(
	struct list *list, struct list_line line, const struct cs_column *column)
{
	struct cs_value value = cs_table_get(list->table, list->source, line.row, column);
	if (!list_tree_says_something(&value))
		return NULL;
	line.column = (uint16_t)(column - list->table->columns + 1);
	line.depth = 1;
	line.has_below = line.is_open = false;
	return cs_vec_push(&list->lines, line) ? NULL : cs_error_nomem();
}

static struct cs_error *add_fields(struct list *list, const char *keys, struct list_line line)
{
	struct cs_error *error = NULL;
	struct cs_item item;
	while (!error && cs_next_item(&keys, &item)) {
		char key[64];
		const struct cs_column *column = cs_item_text(item, key, sizeof(key))
							 ? cs_table_column(list->table, key)
							 : NULL;
		if (column)
			error = list_tree_add_field(list, line, column);
	}
	list->lines.at[list->lines.n - 1].last = true;
	return error;
}

static struct cs_error *shape_fields(struct list *list, const char *keys)
{
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < list->n_rows; i++) {
		struct list_line line = {.row = list->at ? list->at[i] : (uint32_t)i,
			.number = (uint32_t)i + 1,
			.has_below = true};
		line.is_open = row_numbers_have(&list->turned, line.row);
		if (!cs_vec_push(&list->lines, line))
			return cs_error_nomem();
		if (line.is_open)
			error = add_fields(list, keys, line);
	}
	return error;
}

/* ---- rows as trees ---- */

/* Parent (above), first child and next sibling of a row of a tree, or CS_NONE where it has none. */
struct kin {
	uint32_t above, child, next;
};

/* The rows of a list in one world partition. The parent of a row is searched only among these. */
struct partition_rows {
	uint32_t partition; /* index of the partition; CS_NONE: the table has no partitions */
	uint32_t first;     /* index in the list of the group's first row */
};

/* Sets *rows to the group of `row`. Must be called for the rows in ascending order. */
static void enter_partition(const struct tui_view *view, uint32_t row, struct partition_rows *rows)
{
	const struct list *list = &view->list;
	const struct cs_query *query = view->session->query;
	const struct cs_value value = row_value(list->table, list->source, row, "partition");

	uint32_t partition = value.kind == CS_KIND_TEXT ? 0 : CS_NONE;
	const char *name = NULL;
	for (; partition < cs_query_partitions(query); partition++)
		if (cs_query_partition(query, partition, &name), strcmp(name, value.text) == 0)
			break;
	if (partition != rows->partition)
		*rows = (struct partition_rows){partition, row};
}

static uint32_t row_above(
	struct tui_view *view, uint32_t row, const struct partition_rows *partition)
{
	const struct list *list = &view->list;
	struct cs_query *query = view->session->query;
	struct cs_value value = row_value(list->table, list->source, row, view->type->folds.parent);

	uint32_t above = CS_NONE;
	size_t n = 0;
	if (value.kind != CS_KIND_TEXT || !*value.text)
		return CS_NONE;
	char *parent = strdup(value.text);
	const uint32_t now = cs_query_focused(query);
	cs_query_focus(query, partition->partition);
	if (parent)
		cs_error_free(cs_query_find(query, list->table, parent, &above, 1, &n));
	cs_query_focus(query, now);
	free(parent);
	above = n > 0 ? above + partition->first : CS_NONE;
	return above < list->n_rows ? above : CS_NONE;
}

/* Returns whether `row` is `other` or below it, and true also if the rows above form a cycle. */
static bool is_below(const struct kin *kin, uint32_t row, uint32_t other)
{
	for (unsigned depth = 0; row != CS_NONE && depth < DEEPEST; depth++) {
		if (row == other)
			return true;
		row = kin[row].above;
	}
	return row != CS_NONE;
}

static struct kin *kin_of(struct tui_view *view)
{
	const struct list *list = &view->list;
	struct kin *kin = malloc((list->n_rows + 1) * sizeof(*kin));
	/* index of an additional node, the parent of all roots */
	const uint32_t top = (uint32_t)list->n_rows;
	for (uint32_t i = 0; kin && i <= top; i++)
		kin[i] = (struct kin){CS_NONE, CS_NONE, CS_NONE};
	struct partition_rows partition = {CS_NONE, 0};
	for (uint32_t i = 0; kin && i < top; i++) {
		enter_partition(view, i, &partition);
		uint32_t above = row_above(view, i, &partition);
		kin[i].above = above == CS_NONE || is_below(kin, above, i) ? CS_NONE : above;
	}
	for (uint32_t i = top; kin && i-- > 0;) {
		uint32_t above = kin[i].above == CS_NONE ? top : kin[i].above;
		kin[i].next = kin[above].child;
		kin[above].child = i;
	}
	return kin;
}

/* Returns the next row to show: if open, the first child, else its or an ancestor's sibling. */
static uint32_t next_line(const struct kin *kin, const struct list_line *line, unsigned *depth)
{
	uint32_t row = line->row;
	if (line->is_open && line->has_below) {
		++*depth;
		return kin[row].child;
	}
	while (row != CS_NONE && kin[row].next == CS_NONE) {
		row = kin[row].above;
		*depth -= *depth > 0;
	}
	return row == CS_NONE ? CS_NONE : kin[row].next;
}

static struct cs_error *shape_tree(struct tui_view *view)
{
	struct list *list = &view->list;
	struct kin *kin = kin_of(view);
	unsigned depth = 0;
	uint64_t stems = 0;
	bool added = kin != NULL;
	uint32_t number = 0;
	for (uint32_t row = added ? kin[list->n_rows].child : CS_NONE; added && row != CS_NONE;) {
		struct list_line line = {.row = row,
			.number = ++number,
			.depth = (uint16_t)(depth < DEEPEST ? depth : DEEPEST),
			.last = kin[row].next == CS_NONE,
			.has_below = kin[row].child != CS_NONE,
			.is_open = !row_numbers_have(&list->turned, row)};
		stems &= (UINT64_C(1) << line.depth) - 1;
		line.stems = stems;
		stems |= line.last ? 0 : UINT64_C(1) << line.depth;
		added = cs_vec_push(&list->lines, line);
		row = next_line(kin, &line, &depth);
	}
	free(kin);
	return added ? NULL : cs_error_nomem();
}

/* ---- building the lines ---- */

struct cs_error *list_shape(struct tui_view *view)
{
	struct list *list = &view->list;
	const struct view_type *type = view->type;
	struct cs_error *error = NULL;
	list->lines.n = 0;
	list->n_rows = list->n;
	if (list->is_record || list->group || list->n == 0)
		return NULL;
	if (type->folds.fields && !list->set.is_said)
		error = shape_fields(list, type->folds.fields);
	else if (type->folds.parent && !list->at)
		error = shape_tree(view);
	if (!error && list->lines.n > 0)
		list->n = list->lines.n;
	return error;
}

/* Returns the index of the line that shows the parent of the row under the cursor. */
static size_t line_above(const struct list *list)
{
	size_t at = list->cursor;
	while (at > 0 && list->lines.at[at].depth >= list->lines.at[list->cursor].depth)
		at--;
	return at;
}

struct cs_error *list_fold(struct tui_view *view, bool folds)
{
	struct list *list = &view->list;
	const struct list_line *line = &list->lines.at[list->cursor];
	if (folds && (!line->has_below || !line->is_open) && line->depth > 0)
		list->cursor = line_above(list);
	line = &list->lines.at[list->cursor];
	if (!line->has_below || line->is_open != folds)
		return NULL;
	view->is_stale = true;
	return row_numbers_toggle(&list->turned, line->row);
}
