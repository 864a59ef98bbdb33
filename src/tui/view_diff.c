/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What differs, as a tree: of two cooks the settings, cells, actors and findings, of two frames of
 * the run the cells by what became of them. The rows are those of the command `diff`; the view adds
 * a heading for each group with how many rows it has, and folds them.
 */
#include "src/tui/paint.h"
#include "src/tui/screen.h"
#include "src/tui/views.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_GROUPS = 32, NO_ROW = -1 };

struct group {
	char name[40];
	size_t rows, added, gone;
	bool is_folded;
};

/* A line: a heading, or a row of the part below it. */
struct line {
	unsigned group;
	long row; /* NO_ROW of a heading */
	bool last;
};

struct diff {
	struct tui_view *rows;
	struct group groups[MOST_GROUPS];
	unsigned n_groups;
	CS_VEC(struct line) lines;
};

static struct diff *state_of(const struct tui_view *view)
{
	return view->state;
}

static const struct view_type rows_of_diff = {
	.name = "differences",
	.title = "Differences",
	.command = "diff",
	.needs_argument = true,
};

/* ---- groups ---- */

static const char *text_of(const struct diff *state, size_t row, const char *key)
{
	struct cs_value value = list_value(&state->rows->list, row, key);
	return value.kind == CS_KIND_TEXT && value.text ? value.text : "";
}

/* Of cooks what kind of thing it is, of frames what the cell has become. */
static const char *group_name(const struct diff *state, size_t row)
{
	const char *kind = text_of(state, row, "kind");
	return *kind ? kind : text_of(state, row, "to");
}

/* The last group takes what has no room. */
static unsigned group_of(struct diff *state, const char *name)
{
	unsigned i = 0;
	while (i < state->n_groups && strcmp(state->groups[i].name, name) != 0)
		i++;
	if (i == MOST_GROUPS)
		return MOST_GROUPS - 1;
	if (i == state->n_groups) {
		snprintf(state->groups[i].name, sizeof(state->groups[i].name), "%.39s", name);
		state->n_groups++;
	}
	return i;
}

static void count_groups(struct diff *state)
{
	for (unsigned g = 0; g < state->n_groups; g++)
		state->groups[g].rows = state->groups[g].added = state->groups[g].gone = 0;
	for (size_t i = 0; i < state->rows->list.n; i++) {
		struct group *group = &state->groups[group_of(state, group_name(state, i))];
		const char *change = text_of(state, i, "change");
		group->rows++;
		group->added += *change == '+';
		group->gone += *change == '-';
	}
}

static struct cs_error *add_rows(struct diff *state, unsigned group)
{
	size_t left = state->groups[group].rows;
	for (size_t i = 0; left > 0 && i < state->rows->list.n; i++) {
		if (group_of(state, group_name(state, i)) != group)
			continue;
		const struct line line = {group, (long)i, --left == 0};
		if (!cs_vec_push(&state->lines, line))
			return cs_error_nomem();
	}
	return NULL;
}

static struct cs_error *make_lines(struct tui_view *view)
{
	struct diff *state = state_of(view);
	struct cs_error *error = NULL;
	state->lines.n = 0;
	count_groups(state);
	for (unsigned g = 0; !error && g < state->n_groups; g++) {
		const struct line heading = {g, NO_ROW, false};
		if (state->groups[g].rows == 0)
			continue;
		if (!cs_vec_push(&state->lines, heading))
			return cs_error_nomem();
		if (!state->groups[g].is_folded)
			error = add_rows(state, g);
	}
	view->list.n = state->lines.n;
	if (view->list.cursor >= view->list.n)
		view->list.cursor = view->list.n ? view->list.n - 1 : 0;
	return error;
}

/* ---- the view ---- */

static struct cs_error *open_diff(struct tui_view *view)
{
	return view_new_part(view, &rows_of_diff, "", &state_of(view)->rows);
}

/* Without an argument: the frame before, and now. */
static struct cs_error *renew(struct tui_view *view)
{
	struct diff *state = state_of(view);
	const struct cs_stream *stream = view->session->run.stream;
	char before[48];
	uint64_t now = stream ? cs_stream_status(stream).frame : 0;
	if (!*view->argument && now == 0)
		return cs_error_new(CS_E_NOFRAME,
			"of what? : view diff world A.cworld B.cworld, or frame 40 42");
	snprintf(before, sizeof(before), "frame %" PRIu64 " %" PRIu64, now ? now - 1 : 0, now);
	struct cs_error *error =
		view_set_argument(state->rows, *view->argument ? view->argument : before);
	if (error)
		return error;
	state->rows->is_stale = true;
	view_renew(state->rows);
	if (state->rows->trouble[0])
		return cs_error_new(CS_E_MISSING, "%s", state->rows->trouble);
	return make_lines(view);
}

static void fold(struct tui_view *view, bool folds)
{
	struct diff *state = state_of(view);
	if (view->list.cursor >= state->lines.n)
		return;
	unsigned group = state->lines.at[view->list.cursor].group;
	state->groups[group].is_folded = folds;
	while (folds && state->lines.at[view->list.cursor].row != NO_ROW)
		view->list.cursor--;
	view->is_stale = true;
}

static struct cs_error *move(struct tui_view *view, enum motion motion, long n)
{
	if (motion != MOTION_COLUMNS)
		return list_move(view, motion, n);
	fold(view, n < 0);
	return NULL;
}

static struct cs_error *set(struct tui_view *view, const char *what, const char *value)
{
	view->is_stale = true;
	return list_set(state_of(view)->rows, what, value);
}

static const struct line *line_at(const struct tui_view *view)
{
	const struct diff *state = state_of(view);
	return view->list.cursor < state->lines.n ? &state->lines.at[view->list.cursor] : NULL;
}

static void object(struct tui_view *view, struct object *ret)
{
	const struct line *line = line_at(view);
	struct diff *state = state_of(view);
	static const char *const kinds[] = {"cell", "actor", "layer"};
	if (!line || line->row == NO_ROW)
		return;
	const char *what = text_of(state, (size_t)line->row, "what");
	for (size_t i = 0; *what && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(text_of(state, (size_t)line->row, "kind"), kinds[i]) == 0) {
			ret->kind = kinds[i];
			snprintf(ret->name, sizeof(ret->name), "%s", what);
			return;
		}
	state->rows->list.cursor = (size_t)line->row;
	list_object(state->rows, ret);
}

/* ---- drawing ---- */

static void draw_heading(struct area area, int y, struct paint paint, const struct group *group)
{
	int x = 1 + put_text(area, 1, y, paint, group->is_folded ? "+ " : "- ");
	x += put_text(area, x, y, paint, group->name);
	x += put_format(area, x, y, paint, "  %zu", group->rows);
	if (group->added || group->gone)
		put_format(area, x, y, paint, "  (+%zu -%zu ~%zu)", group->added, group->gone,
			group->rows - group->added - group->gone);
}

static struct paint paint_of_change(const char *change)
{
	return inks[*change == '+' ? INK_GOOD : *change == '-' ? INK_BAD : INK_NORMAL];
}

/* "~ name  left -> right  reasons", or "name  from -> to  reason". */
static void draw_row(
	const struct diff *state, struct area area, int y, struct paint paint, size_t row)
{
	const char *change = text_of(state, row, "change"), *what = text_of(state, row, "what");
	const char *from = text_of(state, row, *what ? "left" : "from");
	const char *to = text_of(state, row, *what ? "right" : "to");
	const char *why = text_of(state, row, *what ? "reasons" : "reason");
	int half = area.columns / 2 > 40 ? 40 : area.columns / 2, x = 4;
	if (*change)
		x += put_text(area, x, y, paint, change) + 1;
	put_text(area_part(area, x, y, half - x, 1), 0, 0, paint,
		*what ? what : text_of(state, row, "cell"));
	x = half + 1;
	if (*from || *to)
		x += put_format(area, x, y, paint, "%s -> %s", *from ? from : "-", *to ? to : "-") +
		     2;
	put_text(area, x, y, paint, why);
}

static void draw(struct tui_view *view, struct area area)
{
	const struct diff *state = state_of(view);
	struct list *list = &view->list;
	if (list->n == 0)
		put_text(area, 1, 1, inks[INK_DIM], "no differences");
	list_scroll(list, area.rows);
	for (int y = 0; y < area.rows && list->top + (size_t)y < list->n; y++) {
		const struct line *line = &state->lines.at[list->top + (size_t)y];
		bool here = list->top + (size_t)y == list->cursor;
		struct paint paint = inks[view_has_focus(view) ? INK_CURSOR : INK_SHADOW];
		if (!here && line->row == NO_ROW)
			paint = inks[INK_TITLE];
		else if (!here)
			paint = paint_of_change(text_of(state, (size_t)line->row, "change"));
		put_blank(area, 0, y, area.columns, here ? paint : inks[INK_NORMAL]);
		if (line->row == NO_ROW) {
			draw_heading(area, y, paint, &state->groups[line->group]);
			continue;
		}
		put_tree(area, 1, y, (struct tree_place){1, line->last, 0});
		draw_row(state, area, y, paint, (size_t)line->row);
	}
}

static void close_diff(struct tui_view *view)
{
	struct diff *state = state_of(view);
	cs_vec_free(&state->lines);
	view_free(state->rows);
}

static const struct key keys[] = {
	{"Left", "cursor left", "Fold", "fold the group"},
	{"Right", "cursor right", "Unfold", "unfold it"},
	{"[", "view diff frame 1", NULL, "since the first frame"},
	{0},
};

const struct view_type view_diff = {
	.name = "diff",
	.title = "Diff",
	.help = "two cooks, or two frames of the run; without a word the last frame",
	.keys = keys,
	.is_wide = true,
	.state_size = sizeof(struct diff),
	.open = open_diff,
	.renew = renew,
	.draw = draw,
	.object = object,
	.move = move,
	.set = set,
	.close = close_diff,
};
