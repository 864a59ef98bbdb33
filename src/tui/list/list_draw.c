/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws a list: columns fit visible values, the widest narrowed if needed, numbers align right. */
#include <cellscope/query.h>
#include <cellscope/runs.h>

#include "src/tui/terminal/looks.h"
#include "src/tui/terminal/paint.h"
#include "src/tui/view.h"

#include "core/utf8.h"

#include <stdio.h>
#include <string.h>

enum { GAP = 2, LEAST = 14, WIDEST = 48, LONGEST = 1024, STEP = 3, SIGN = 2 };

struct text {
	char at[LONGEST];
	size_t n;
};

static void append(void *context, const char *bytes, size_t n)
{
	struct text *text = context;
	size_t room = sizeof(text->at) - text->n;
	n = n < room ? n : room;
	memcpy(text->at + text->n, bytes, n);
	text->n += n;
}

/* Rounds a coordinate in cm to two decimals: precise enough, and three numbers fit in a column. */
static double hundredths(double number)
{
	char text[64];
	if (!(number > -1e9 && number < 1e9))
		return number;
	snprintf(text, sizeof(text), "%.2f", number);
	return strtod(text, NULL);
}

static void format(const struct cs_value *value, bool ascii, struct text *text)
{
	char number[64];
	text->n = 0;
	if (value->kind == CS_KIND_NUMBER) {
		snprintf(number, sizeof(number), "%.9g", value->number);
		struct cs_value shorter = cs_number(strtod(number, NULL));
		if (value->number != (double)(int64_t)value->number && value->number < 1e9 &&
			value->number > -1e9) {
			snprintf(number, sizeof(number), "%.4f", value->number);
			shorter = cs_number(strtod(number, NULL));
		}
		cs_value_put(&shorter, ascii ? CS_FORM_ASCII : CS_FORM_TEXT, append, text);
		return;
	}
	struct cs_value shorter = *value;
	if (value->kind == CS_KIND_VEC3)
		shorter.vec3 = (struct cs_vec3){hundredths(value->vec3.x),
			hundredths(value->vec3.y), hundredths(value->vec3.z)};
	cs_value_put(&shorter, ascii ? CS_FORM_ASCII : CS_FORM_TEXT, append, text);
}

static bool stands_right(const struct cs_column *column)
{
	return column->kind == CS_KIND_INTEGER || column->kind == CS_KIND_NUMBER;
}

/* Formats a number of bytes as KiB, MiB or GiB. Returns false for other values, and below 1 KiB. */
static bool say_size(const struct cs_column *column, const struct cs_value *value, char human[32])
{
	if (value->kind != CS_KIND_INTEGER || !counts_bytes(column) || value->integer < 1024)
		return false;
	say_bytes((double)value->integer, human, 32);
	return true;
}

/*
 * Returns the paint of a state or severity, the paint of links for a name of an object, or else
 * `otherwise`.
 */
static struct paint paint_of_value(
	const struct cs_column *column, const struct cs_value *value, struct paint otherwise)
{
	struct cs_map_legend states;
	struct object link;
	if (value->kind != CS_KIND_TEXT)
		return otherwise;
	if (strcmp(column->key, "severity") == 0)
		return inks[strcmp(value->text, "error") == 0     ? INK_BAD
			    : strcmp(value->text, "warning") == 0 ? INK_WARN
								  : INK_DIM];
	size_t n = strcmp(column->key, "state") == 0 ? CS_MAP_STATES : 0;
	if (n > 0)
		cs_map_legend(CS_MAP_STATE, &states);
	for (size_t i = 0; i < n; i++)
		if (strcmp(states.keys[i].words, value->text) == 0)
			return state_looks[i].paint;
	return n == 0 && object_of_value(column->key, value, &link) ? inks[INK_BLUE] : otherwise;
}

/*
 * Draws a name with a sign in place of its first `without` bytes, which all visible names share.
 * Returns false, without drawing, if the rest is too wide.
 */
static bool put_without(
	struct area area, struct paint paint, const struct cs_value *value, size_t without)
{
	struct text text;
	format(value, area.grid->ascii, &text);
	without = without < text.n ? without : text.n;
	if (1 + printed_columns(text.at + without, text.n - without) > area.columns)
		return false;
	put_glyph(area, 0, 0, paint, GLYPH_MORE);
	put_printed(area, 1, 0, paint, text.at + without, text.n - without);
	return true;
}

static void put_in_list(struct area area, struct paint paint, const struct cs_column *column,
	const struct cs_value *value, size_t without)
{
	char human[32];
	struct cs_value size = cs_text(human);
	if (without && value->kind == CS_KIND_TEXT && *value->text &&
		put_without(area, paint, value, without))
		return;
	put_value(area, 0, 0, area.columns, paint, say_size(column, value, human) ? &size : value,
		stands_right(column));
}

int put_value(struct area area, int x, int y, int columns, struct paint paint,
	const struct cs_value *value, bool right)
{
	struct text text;
	format(value, area.grid->ascii, &text);
	int wide = printed_columns(text.at, text.n);
	struct area part = area_part(area, x, y, columns, 1);
	bool is_name = value->kind == CS_KIND_TEXT && !memchr(text.at, ' ', text.n);
	if (wide > part.columns)
		return put_cut_printed(part, 0, 0, part.columns, paint, text.at, text.n, is_name);
	put_printed(part, right ? part.columns - wide : 0, 0, paint, text.at, text.n);
	return right ? part.columns : wide;
}

/* Returns how many bytes of a text to draw in a row; a cut text ends at a break if possible. */
static size_t part_of_row(const char *text, size_t n, int columns)
{
	static const char breaks[] = " ,/_.";
	size_t most = n;
	while (most > 1 &&
		((most < n && cs_utf8_inside(text[most])) || printed_columns(text, most) > columns))
		most--;
	size_t part = most;
	while (most < n && part > 0 && !strchr(breaks, text[part - 1]))
		part--;
	return part > most / 2 ? part : most;
}

int put_value_wrapped(struct area area, struct paint paint, const struct cs_value *value)
{
	struct text text;
	int rows = 0;
	format(value, area.grid->ascii, &text);
	for (size_t at = 0; at < text.n;) {
		size_t n = part_of_row(text.at + at, text.n - at, area.columns);
		put_printed(area, 0, rows++, paint, text.at + at, n);
		at += n;
	}
	return rows;
}

/* ---- widths of columns ---- */

static int width_of(
	const struct list *list, const struct cs_column *column, size_t rows, bool ascii, int most)
{
	int widest = (int)strlen(column_label(column));
	for (size_t i = list->top; i < list->top + rows && i < list->n; i++) {
		struct text text;
		char human[32];
		const struct cs_value value = list_get(list, i, column), size = cs_text(human);
		format(say_size(column, &value, human) ? &size : &value, ascii, &text);
		int wide = printed_columns(text.at, text.n);
		widest = wide > widest ? wide : widest;
	}
	return widest < most ? widest : most;
}

/* Narrows the widest columns until all fit in `room`, or until no column is wider than LEAST. */
static void squeeze(struct list *list, int room)
{
	for (;;) {
		int total = 0;
		size_t widest = 0;
		for (size_t c = list->left; c < list->widths.n; c++) {
			total += list->widths.at[c] + GAP;
			if (list->widths.at[c] > list->widths.at[widest] || widest < list->left)
				widest = c;
		}
		if (total - GAP <= room || list->widths.n == 0 || list->widths.at[widest] <= LEAST)
			return;
		int less = total - GAP - room;
		int most = list->widths.at[widest] - LEAST;
		list->widths.at[widest] -=
			less < 4 ? (less < most ? less : most) : (most < 4 ? most : 4);
	}
}

/* Returns the width of the tree lines left of a row. */
static int indent_of(const struct list_line *line)
{
	return line->depth * STEP + SIGN;
}

static int widest_indent(const struct list *list, size_t rows)
{
	int widest = 0;
	for (size_t i = list->top; i < list->lines.n && i < list->top + rows; i++) {
		int wide = list->lines.at[i].column ? 0 : indent_of(&list->lines.at[i]);
		widest = wide > widest ? wide : widest;
	}
	return widest;
}

/*
 * Returns how many leading bytes, all printable ASCII, the visible texts of a column share; 0 if a
 * text contains a space.
 */
static size_t alike_in(
	const struct list *list, const struct cs_column *column, size_t rows, bool ascii)
{
	struct text first = {.n = 0}, text;
	size_t alike = 0;
	for (size_t i = list->top; i < list->top + rows && i < list->n; i++) {
		struct cs_value value = list_get(list, i, column);
		if (value.kind != CS_KIND_TEXT || !*value.text)
			continue;
		format(&value, ascii, &text);
		if (memchr(text.at, ' ', text.n))
			return 0;
		size_t n = 0, most = first.n ? alike : text.n;
		const struct text *other = first.n ? &first : &text;
		while (n < most && n < text.n && text.at[n] == other->at[n] && text.at[n] > ' ' &&
			text.at[n] <= '~')
			n++;
		alike = n;
		if (!first.n)
			first = text;
	}
	return alike;
}

/*
 * Sets list->cuts: for each column, how many common leading bytes are not drawn so that the widest
 * text fits; 0 when all fit, or when they share too few bytes. Returns false if memory runs out.
 */
static bool measure_cuts(struct list *list, size_t rows, bool ascii)
{
	list->cuts.n = 0;
	for (size_t c = 0; c < list->columns.n; c++) {
		const struct cs_column *column = list->columns.at[c];
		int wide = c < list->left ? 0 : width_of(list, column, rows, ascii, LONGEST);
		int cut = wide - list->widths.at[c] + 1;
		bool fits = c < list->left || cut <= 1 || column->kind != CS_KIND_TEXT;
		if (fits || alike_in(list, column, rows, ascii) < (size_t)cut)
			cut = 0;
		if (!cs_vec_push(&list->cuts, cut))
			return false;
	}
	return true;
}

static bool list_draw_measure(struct list *list, size_t rows, int room, bool ascii)
{
	list->widths.n = 0;
	room -= widest_indent(list, rows);
	for (size_t c = 0; c < list->columns.n; c++)
		if (!cs_vec_push(&list->widths, c < list->left ? 0
							       : width_of(list, list->columns.at[c],
									 rows, ascii, WIDEST)))
			return false;
	squeeze(list, room);
	return measure_cuts(list, rows, ascii);
}

/* ---- drawing of rows and records ---- */

static bool is_marked(const struct list *list, size_t index)
{
	return !list->group && row_numbers_have(&list->marks, (uint32_t)list_row(list, index));
}

static bool has_stop(struct tui_view *view, size_t index)
{
	const struct list *list = &view->list;
	struct session *session = view->session;
	struct object object = {.row = CS_NONE};
	if (!session->run.debug || !cs_debug_stop_at(session->run.debug, 0))
		return false;
	return object_of_row(session, list->table, list->source, (uint32_t)list_row(list, index),
		       &object) &&
	       object_has_stop(session, &object);
}

static struct paint paint_of(struct tui_view *view, size_t index)
{
	const struct list *list = &view->list;
	if (index == list->cursor)
		return inks[view_has_focus(view) ? INK_CURSOR : INK_SHADOW];
	struct cs_value differs = list_value(list, index, "differs");
	if (differs.kind == CS_KIND_TEXT && strcmp(differs.text, "first") == 0)
		return inks[INK_WARN];
	return inks[!list->is_record && is_marked(list, index) ? INK_MARK : INK_NORMAL];
}

/* Returns whether to draw a column at x: a text may be cut at the area's edge, a number may not. */
static bool fits(const struct list *list, size_t column, int x, struct area area)
{
	enum { LEAST_SEEN = 6 };
	if (column >= list->columns.n)
		return false;
	int wide = list->widths.at[column];
	bool may_be_cut = !stands_right(list->columns.at[column]) && wide > LEAST_SEEN;
	return x + (may_be_cut ? LEAST_SEEN : wide) <= area.columns;
}

/* Returns whether the column of the cursor is visible. */
static bool list_has_room(const struct list *list, struct area area)
{
	int x = 1 + widest_indent(list, (size_t)area.rows);
	for (size_t c = list->left; c < list->column && c < list->widths.n; c++)
		x += list->widths.at[c] + GAP;
	return fits(list, list->column, x, area);
}

static void list_draw_draw_heading(const struct list *list, struct area area)
{
	int own = list->lines.n > 0 ? SIGN : 0, x = 1 + own;
	for (size_t c = list->left; fits(list, c, x, area); c++) {
		const struct cs_column *column = list->columns.at[c];
		int spare = c == list->left ? widest_indent(list, (size_t)area.rows) - own : 0;
		struct area part = area_part(area, x, 0, list->widths.at[c] + spare, 1);
		int wide = (int)strlen(column_label(column)), spare_left = part.columns - wide;
		const char *order = list_order(list);
		bool sorted = order && strcmp(order + (*order == '-'), column->key) == 0;
		struct paint paint = inks[sorted ? INK_KEY : INK_TITLE];
		if (c == list->column && list->columns.n > 1)
			paint.attributes |= ATTRIBUTE_UNDERLINE;
		put_cut(part, stands_right(column) && spare_left > 0 ? spare_left : 0, 0,
			part.columns, paint, column_label(column));
		x += part.columns + GAP;
	}
}

/* Draws the tree lines left of a row, and + or - if the row can be unfolded or folded. */
static int draw_indent(
	struct area area, int x, int y, struct paint paint, const struct list_line *line)
{
	int start = x;
	x += put_tree(area, x, y, (struct tree_place){line->depth, line->last, line->stems});
	put_printed(area, x, y, paint, !line->has_below ? " " : line->is_open ? "-" : "+", 1);
	return x + SIGN - start;
}

/* Draws the label and value of a field on a line below its row. */
static void draw_field(
	struct tui_view *view, struct area area, int y, struct paint paint, size_t index)
{
	enum { LABEL = 12 };
	const struct list *list = &view->list;
	const struct list_line *line = &list->lines.at[index];
	const struct cs_column *column = &list->table->columns[line->column - 1];
	struct cs_value value = cs_table_get(list->table, list->source, line->row, column);
	struct object link;
	int x = 1 + indent_of(line);
	bool here = index == list->cursor;
	bool links = object_of_value(column->key, &value, &link);
	put_cut(area, x, y, LABEL - 1, here ? paint : inks[INK_DIM], column_label(column));
	x += LABEL;
	put_field(area, x, y, area.columns - x, here || !links ? paint : inks[INK_KEY], column,
		&value);
}

static void draw_row(struct tui_view *view, struct area area, int y, size_t index)
{
	const struct list *list = &view->list;
	struct paint paint = paint_of(view, index);
	int x = 1;
	put_blank(area, 0, y, area.columns, paint);
	if (is_marked(list, index))
		put_printed(area, 0, y, inks[INK_MARK], "*", 1);
	else if (has_stop(view, index))
		put_printed(area, 0, y, inks[INK_MARK], "b", 1);
	if (list->lines.n > 0 && list->lines.at[index].column) {
		draw_field(view, area, y, paint, index);
		return;
	}
	int spare = widest_indent(list, (size_t)area.rows);
	if (list->lines.n > 0) {
		int own = draw_indent(area, x, y, paint, &list->lines.at[index]);
		spare -= own;
		x += own;
	}
	for (size_t c = list->left; fits(list, c, x, area); c++) {
		int wide = list->widths.at[c] + (c == list->left ? spare : 0);
		const struct cs_column *column = list->columns.at[c];
		struct cs_value value = list_get(list, index, column);
		bool is_plain = index != list->cursor && !is_marked(list, index);
		put_in_list(area_part(area, x, y, wide, 1),
			is_plain ? paint_of_value(column, &value, paint) : paint, column, &value,
			(size_t)list->cuts.at[c]);
		x += wide + GAP;
	}
}

/* Draws bars beside the counts of groups. */
static void draw_bars(struct tui_view *view, struct area area, int first)
{
	const struct list *list = &view->list;
	double most = 0;
	int x = 1, room;
	for (size_t c = 0; c < list->widths.n; c++)
		x += list->widths.at[c] + GAP;
	room = area.columns - x - 1;
	for (size_t i = 0; i < list->n; i++) {
		struct cs_value n = list_value(list, i, "n");
		most = n.kind == CS_KIND_INTEGER && (double)n.integer > most ? (double)n.integer
									     : most;
	}
	for (int y = first; y < area.rows && list->top + (size_t)(y - first) < list->n; y++) {
		struct cs_value n = list_value(list, list->top + (size_t)(y - first), "n");
		if (n.kind == CS_KIND_INTEGER && most > 0 && room > 3)
			put_bar(area, x, y, room, (double)n.integer / most, inks[INK_BLUE]);
	}
}

static void draw_table(struct tui_view *view, struct area area)
{
	struct list *list = &view->list;
	list_scroll(list, area.rows - 1);
	do
		if (!list_draw_measure(list, (size_t)area.rows, area.columns - 2, area.grid->ascii))
			return;
	while (list->left < list->column && !list_has_room(list, area) && ++list->left);
	list_draw_draw_heading(list, area);
	for (int y = 1; y < area.rows && list->top + (size_t)y - 1 < list->n; y++)
		draw_row(view, area, y, list->top + (size_t)y - 1);
	if (list->group)
		draw_bars(view, area, 1);
}

static void draw_fields(struct tui_view *view, struct area area)
{
	struct list *list = &view->list;
	int wide = 0;
	list_scroll(list, area.rows);
	for (size_t i = 0; i < list->columns.n; i++) {
		int n = (int)strlen(record_label(list->table, list->columns.at[i]));
		wide = n > wide ? n : wide;
	}
	for (int y = 0; y < area.rows && list->top + (size_t)y < list->columns.n; y++) {
		size_t index = list->top + (size_t)y;
		const struct cs_column *column = list->columns.at[index];
		struct cs_value value = list_get(list, 0, column);
		struct paint paint = paint_of(view, index);
		bool here = index == list->cursor;
		put_blank(area, 0, y, area.columns, paint);
		put_text(area, 1, y, here ? paint : inks[INK_DIM],
			record_label(list->table, column));
		put_field(area, wide + 3, y, area.columns - wide - 3, paint, column, &value);
	}
}

/* ---- drawing of sentences ---- */

/* Returns line `index` of the text that the command printed, with special characters escaped. */
static const char *said_at(const struct list *list, size_t index)
{
	return list_text(list, index, "text");
}

/* Returns how many screen lines the texts of the rows from the first visible one to `last` need. */
static int rows_said(const struct list *list, struct area area, size_t last)
{
	struct area nowhere = area_part(area, 0, area.rows, area.columns, 0);
	int rows = 0;
	nowhere.columns = area.columns;
	for (size_t i = list->top; i <= last && i < list->n && rows <= area.rows; i++)
		rows += put_lines(nowhere, 1, 0, inks[INK_NORMAL], said_at(list, i));
	return rows;
}

static void draw_said(struct tui_view *view, struct area area)
{
	struct list *list = &view->list;
	list_scroll(list, area.rows);
	while (list->top < list->cursor && rows_said(list, area, list->cursor) > area.rows)
		list->top++;
	int y = 0;
	for (size_t i = list->top; i < list->n && y < area.rows; i++) {
		struct paint paint = paint_of(view, i);
		int rows = put_lines(area, 1, y, paint, said_at(list, i));
		for (int line = y; i == list->cursor && line < y + rows; line++)
			put_paint(area, 0, line, area.columns, paint);
		y += rows;
	}
}

void list_draw(struct tui_view *view, struct area area)
{
	const struct list *list = &view->list;
	if (!list->table)
		return;
	if (list->n == 0)
		put_wrapped(area, 1, 1, inks[INK_DIM],
			list->where         ? "no row passes the filter"
			: view->type->empty ? view->type->empty
					    : "nothing to list");
	else if (list->is_record)
		draw_fields(view, area);
	else if (list->set.is_said && list->source == &list->set)
		draw_said(view, area);
	else
		draw_table(view, area);
}

void list_status(struct tui_view *view, struct output *out)
{
	const struct list *list = &view->list;
	if (!list->table || list->is_record)
		return;
	if (list->lines.n > 0)
		say(out, "%u of %zu", (unsigned)list->lines.at[list->cursor].number, list->n_rows);
	else if (list->n > 0)
		say(out, "%zu of %zu", list->cursor + 1, list->n);
	else
		say(out, "none");
	if (list->set.is_cut && list->source == &list->set)
		say(out, ", the first");
	if (list->is_of_before)
		say(out, ", of an earlier frame");
	if (list->marks.n && !list->group)
		say(out, ", %zu marked", list->marks.n);
	if (list_order(list))
		say(out, ", by %s", list_order(list));
	if (list->group)
		say(out, ", grouped by %s", list->group);
	if (list->where)
		say(out, ", %s", list->where);
}
