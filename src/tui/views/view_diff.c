/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shows differences as a tree with a heading for each group. Differences between two cooks, or
 * between our cook and the engine's, are grouped into settings, cells, actors and findings;
 * differences between two frames of a run are grouped by the new state of the cell. Two runs are
 * compared frame by frame without a tree (view_runs.c). The rows are those of `diff` and `whatif
 * --diff`; the view adds headings with counts, and folding. Rows are read again when the world or
 * the run may have changed, not for folding.
 */
#include "src/tui/screen.h"
#include "src/tui/terminal/paint.h"
#include "src/tui/views/views.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_GROUPS = 32, NO_ROW = -1 };
enum { COOKS, ENGINE, FRAMES, SHAPES };

struct group {
	char name[40];
	size_t rows, added, gone, unexplained;
	bool is_folded;
};

/* A visible line: the heading of a group, or a row of the command's output. */
struct line {
	unsigned group;
	long row; /* index of the row in the command's output; NO_ROW for a heading */
	bool last;
};

struct diff {
	struct list *rows; /* list of view->part; NULL if that is the view of two runs */
	const struct shape *shape;
	struct group groups[MOST_GROUPS];
	unsigned n_groups;
	CS_VEC(struct line) lines;
};

static struct diff *view_diff_state_of(const struct tui_view *view)
{
	return view->state;
}

/* ---- sides of the comparison ---- */

/* Columns for each kind of comparison. A view uses the first row whose `name` its rows have. */
static const struct shape {
	const char *name, *group, *sign, *left, *right, *why, *rule;
} shapes[SHAPES] = {
	[COOKS] = {"what", "kind", "change", "left", "right", "reasons", "rule"},
	[ENGINE] = {"name", "kind", "mark", "ours", "theirs", "change", "rule"},
	[FRAMES] = {"cell", "to", "change", "from", "to", "reason", "rule"},
};

static bool is_two_runs(struct tui_view *view)
{
	return !view_diff_state_of(view)->rows;
}

static bool is_tree(struct tui_view *view)
{
	return !is_two_runs(view);
}

static const char *behind(const char *text, const char *word)
{
	size_t n = strlen(word);
	return strncmp(text, word, n) == 0 && text[n] == ' ' ? text + n + 1 : NULL;
}

/* Returns the view's command; without argument, a diff of the current and the previous frame. */
static char *line_of(struct tui_view *view)
{
	const char *argument = view->part_of ? view->part_of->argument : view->argument;
	const struct cs_stream *stream = view->session->run.stream;
	uint64_t now = stream ? cs_stream_status(stream).frame : 0;
	char *line = NULL;
	int n = !*argument
			? asprintf(&line, "diff frame %" PRIu64 " %" PRIu64, now ? now - 1 : 0, now)
		: behind(argument, "whatif") ? asprintf(&line, "%s --diff", argument)
					     : asprintf(&line, "diff %s", argument);
	return n < 0 ? NULL : line;
}

static const struct view_type rows_of_diff = {
	.name = "differences",
	.title = "Differences",
	.command = "diff",
	.line = line_of,
	.needs_argument = true,
};

/*
 * Returns the heading above a row: for two cooks the kind of object ("settings" for world and
 * grid), for two frames the new state.
 */
static const char *group_name(const struct diff *state, size_t row)
{
	static const char *const kinds[][2] = {{"world", "settings"}, {"grid", "settings"},
		{"layer", "layers"}, {"cell", "cells"}, {"actor", "actors"},
		{"finding", "findings"}};
	const char *kind = list_text(state->rows, row, state->shape->group);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i][0], kind) == 0)
			return kinds[i][1];
	return kind;
}

/*
 * Returns the index of the group with this name, and adds the group if it is new. When there are
 * MOST_GROUPS groups, rows of further names are added to the last one.
 */
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
		state->groups[g].rows = state->groups[g].added = state->groups[g].gone =
			state->groups[g].unexplained = 0;
	for (size_t i = 0; i < state->rows->n; i++) {
		struct group *group = &state->groups[group_of(state, group_name(state, i))];
		const char *change = list_text(state->rows, i, state->shape->sign);
		group->unexplained +=
			strcmp(list_text(state->rows, i, "verdict"), "unexplained") == 0;
		group->rows++;
		group->added += *change == '+';
		group->gone += *change == '-';
	}
}

static struct cs_error *add_rows(struct diff *state, unsigned group)
{
	size_t left = state->groups[group].rows;
	for (size_t i = 0; left > 0 && i < state->rows->n; i++) {
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
	struct diff *state = view_diff_state_of(view);
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

/* ---- opening, moving, folding ---- */

static struct cs_error *open_diff(struct tui_view *view)
{
	const char *runs = behind(view->argument, "run");
	struct cs_error *error = runs ? view_new_part(view, &view_runs, runs)
				      : view_new_part(view, &rows_of_diff, "");
	if (!error && !runs)
		view_diff_state_of(view)->rows = &view->part->list;
	return error;
}

static struct cs_error *view_diff_renew(struct tui_view *view)
{
	struct diff *state = view_diff_state_of(view);
	const struct cs_stream *stream = view->session->run.stream;
	view->part->is_stale = true;
	if (!state->rows)
		return NULL;

	if (!*view->argument && (!stream || cs_stream_status(stream).frame == 0))
		return cs_error_new(CS_E_USAGE,
			"the view needs two things to compare: write view diff A.cworld B.cworld, "
			"or view diff frame 40 42");
	view_renew(view->part);
	if (view->part->trouble[0])
		return cs_error_new(view->part->trouble_code, "%s", view->part->trouble);
	const struct cs_table *table = state->rows->table;
	size_t i = 0;
	while (i < FRAMES && !cs_table_column(table, shapes[i].name))
		i++;
	state->shape = &shapes[i];
	return make_lines(view);
}

static struct cs_error *view_diff_fold(struct tui_view *view, bool folds)
{
	struct diff *state = view_diff_state_of(view);
	if (view->list.cursor >= state->lines.n)
		return NULL;
	unsigned group = state->lines.at[view->list.cursor].group;
	state->groups[group].is_folded = folds;
	while (folds && state->lines.at[view->list.cursor].row != NO_ROW)
		view->list.cursor--;
	return make_lines(view);
}

static struct cs_error *view_diff_move(struct tui_view *view, enum motion motion, long n)
{
	if (is_two_runs(view))
		return view_move(view->part, motion, n);
	return motion == MOTION_COLUMNS ? view_diff_fold(view, n < 0) : list_move(view, motion, n);
}

static struct cs_error *view_diff_set(struct tui_view *view, const char *what, const char *value)
{
	if (strcmp(what, "search") == 0 && is_tree(view))
		return list_set(view, what, value);
	view->is_stale = true;
	return list_set(view->part, what, value);
}

static bool view_diff_says(const struct tui_view *view, size_t row, const char *text)
{
	const struct diff *state = view_diff_state_of(view);
	const struct line *line = &state->lines.at[row];
	const struct shape *shape = state->shape;
	if (line->row == NO_ROW)
		return strcasestr(state->groups[line->group].name, text);
	const char *const keys[] = {shape->name, shape->left, shape->right, shape->why};
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strcasestr(list_text(state->rows, (size_t)line->row, keys[i]), text))
			return true;
	return false;
}

static const struct line *line_at(const struct tui_view *view)
{
	const struct diff *state = view_diff_state_of(view);
	return view->list.cursor < state->lines.n ? &state->lines.at[view->list.cursor] : NULL;
}

static bool is_actor(struct tui_view *view)
{
	const struct line *line = line_at(view);
	return line && line->row != NO_ROW &&
	       strcmp(list_text(view_diff_state_of(view)->rows, (size_t)line->row, "kind"),
		       "actor") == 0;
}

/* Returns the row of the open world's actor with this GUID (labels are ambiguous), or CS_NONE. */
static uint32_t row_by_guid(struct tui_view *view, size_t row)
{
	struct cs_value guid = list_value(view_diff_state_of(view)->rows, row, "guid");
	struct object its = {.row = CS_NONE};
	if (guid.kind != CS_KIND_GUID || !object_of_value("actor_guid", &guid, &its))
		return CS_NONE;
	return object_row(view->session, &its);
}

static void view_diff_object(struct tui_view *view, struct object *ret)
{
	const struct line *line = line_at(view);
	struct diff *state = view_diff_state_of(view);
	static const char *const kinds[] = {"cell", "actor", "layer"};
	if (is_two_runs(view)) {
		view_object(view->part, ret);
		return;
	}

	if (!line || line->row == NO_ROW)
		return;
	const char *kind = list_text(state->rows, (size_t)line->row, "kind");
	const char *name = list_text(state->rows, (size_t)line->row, state->shape->name);
	for (size_t i = 0; *name && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kind, kinds[i]) == 0) {
			ret->kind = kinds[i];
			snprintf(ret->name, sizeof(ret->name), "%s", name);
			ret->row = row_by_guid(view, (size_t)line->row);
			return;
		}
	state->rows->cursor = (size_t)line->row;
	list_object(view->part, ret);
}

/* ---- drawing lines ---- */

static void view_diff_draw_heading(
	struct area area, int y, struct paint paint, const struct group *group)
{
	int x = 1 + put_text(area, 1, y, paint, group->is_folded ? "+ " : "- ");
	x += put_text(area, x, y, paint, group->name);
	x += put_format(area, x, y, paint, "  %zu", group->rows);
	if (group->added || group->gone)
		x += put_format(area, x, y, paint, "  (+%zu -%zu ~%zu)", group->added, group->gone,
			group->rows - group->added - group->gone);
	if (group->unexplained)
		put_format(area, x, y, paint, "  %zu unexplained", group->unexplained);
}

static bool is_of_engine(const struct diff *state)
{
	return cs_table_column(state->rows->table, "theirs") != NULL;
}

/*
 * Returns the paint of a row: in a comparison with the engine by whether a rule explains the
 * difference, otherwise by whether the object was added or removed.
 */
static struct paint paint_of_row(const struct diff *state, size_t row)
{
	const char *change = list_text(state->rows, row, state->shape->sign);
	const char *verdict = list_text(state->rows, row, "verdict");
	if (*verdict && is_of_engine(state))
		return inks[strcmp(verdict, "unexplained") == 0 ? INK_BAD : INK_NORMAL];
	return inks[*change == '+' ? INK_GOOD : *change == '-' ? INK_BAD : INK_NORMAL];
}

struct spot {
	int x, y;
	struct paint paint;
};

/*
 * Returns the length of the common beginning of two names, which ends with a separator. Returns 0
 * if it is shorter than LEAST, or is the whole of a name.
 */
static size_t begins_as(const char *left, const char *right)
{
	enum { LEAST = 6 };
	size_t n = 0, same = 0;
	for (; left[n] && left[n] == right[n]; n++)
		if (left[n] == '_' || left[n] == '/')
			same = n + 1;
	return same >= LEAST && left[same] && right[same] ? same : 0;
}

/*
 * Draws "left -> right". A long common beginning is drawn as an ellipsis, and the left side is left
 * out if the row already shows the same text as its name.
 */
static int draw_sides(const struct diff *state, struct area area, struct spot at, size_t row)
{
	const struct shape *shape = state->shape;
	const char *from = list_text(state->rows, row, shape->left),
		   *to = list_text(state->rows, row, shape->right);
	if (!*from && !*to)
		return 0;
	if (*to && strcmp(from, list_text(state->rows, row, shape->name)) == 0)
		return put_format(area, at.x, at.y, at.paint, "-> %s", to) + 2;
	size_t same = begins_as(from, to);
	if (same > 0) {
		int taken = put_glyph(area, at.x, at.y, at.paint, GLYPH_MORE);
		taken += put_format(area, at.x + taken, at.y, at.paint, "%s -> ", from + same);
		taken += put_glyph(area, at.x + taken, at.y, at.paint, GLYPH_MORE);
		return taken + put_text(area, at.x + taken, at.y, at.paint, to + same) + 2;
	}
	return put_format(
		       area, at.x, at.y, at.paint, "%s -> %s", *from ? from : "-", *to ? to : "-") +
	       2;
}

/*
 * Draws "~ name why rule 1.5 left -> right"; in a comparison of frames "left -> right" precedes
 * "why".
 */
static void view_diff_draw_row(
	const struct diff *state, struct area area, int y, struct paint paint, size_t row)
{
	const struct shape *shape = state->shape;
	const char *change = list_text(state->rows, row, shape->sign),
		   *rule = list_text(state->rows, row, shape->rule);
	bool is_frame = shape == &shapes[FRAMES];
	int half = area.columns / 2 > 40 ? 40 : area.columns / 2, x = 4;
	if (*change)
		x += put_text(area, x, y, paint, change) + 1;
	put_text(area_part(area, x, y, half - x, 1), 0, 0, paint,
		list_text(state->rows, row, shape->name));
	x = half + 1;
	if (is_frame)
		x += draw_sides(state, area, (struct spot){x, y, paint}, row);
	x += put_text(area, x, y, paint, list_text(state->rows, row, shape->why)) + 2;
	if (*rule)
		x += put_format(area, x, y, paint, "rule %s", rule) + 2;
	if (!is_frame)
		draw_sides(state, area, (struct spot){x, y, paint}, row);
}

static void view_diff_draw(struct tui_view *view, struct area area)
{
	const struct diff *state = view_diff_state_of(view);
	struct list *list = &view->list;
	if (is_two_runs(view)) {
		view->part->is_active = true;
		view_draw(view->part, area);
		return;
	}

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
			paint = paint_of_row(state, (size_t)line->row);
		put_blank(area, 0, y, area.columns, here ? paint : inks[INK_NORMAL]);
		if (line->row == NO_ROW) {
			view_diff_draw_heading(area, y, paint, &state->groups[line->group]);
			continue;
		}
		put_tree(area, 1, y, (struct tree_place){1, line->last, 0});
		view_diff_draw_row(state, area, y, paint, (size_t)line->row);
	}
}

static void close_diff(struct tui_view *view)
{
	cs_vec_free(&view_diff_state_of(view)->lines);
}

/* ---- keys and their placeholders ---- */

/* Returns whether the line under the cursor is an actor that has a trail in two cooks. */
static bool has_trails(struct tui_view *view)
{
	const struct diff *state = view_diff_state_of(view);
	return is_tree(view) && state->shape == &shapes[COOKS] && is_actor(view) &&
	       !*list_text(state->rows, (size_t)line_at(view)->row, "partition");
}

static bool is_whatif(struct tui_view *view)
{
	return behind(view->argument, "whatif") && has_trails(view);
}

static bool is_two_cooks(struct tui_view *view)
{
	return !behind(view->argument, "whatif") && !behind(view->argument, "pie") &&
	       has_trails(view);
}

/* Prints the sides of the comparison as arguments of `trails`; the open world is the left one. */
static void say_sides(const char *argument, struct output *out)
{
	const char *sides = behind(argument, "whatif");
	sides = sides ? sides : behind(argument, "world");
	if (sides) {
		say(out, "%s", sides);
		return;
	}
	const bool is_one = !argument[*argument == '"' ? strcspn(argument + 1, "\"") + 2
						       : strcspn(argument, " ")];
	say(out, "%s%s", is_one ? "now " : "", argument);
}

/*
 * Replaces the placeholders %s (sides of the comparison) and %p (command that lists the rows of the
 * view; of two runs, the cells that differ in the frame under the cursor).
 */
static bool fill_diff(struct tui_view *view, char letter, struct output *out)
{
	struct object frame = {.row = CS_NONE};
	if (letter == 's') {
		say_sides(view->argument, out);
		return *view->argument;
	}
	if (letter != 'p')
		return false;
	char *line = line_of(view);
	if (line)
		say(out, "%s", line);
	free(line);
	if (is_tree(view))
		return line != NULL;
	view_object(view->part, &frame);
	say(out, " --at %s", frame.name);
	return line && frame.kind;
}

static void view_diff_status(struct tui_view *view, struct output *out)
{
	const struct diff *state = view_diff_state_of(view);
	size_t unexplained = 0, n = 0;
	if (!state->rows)
		say(out, "two runs");
	if (!state->rows || !state->shape || view->trouble[0])
		return;
	for (unsigned g = 0; g < state->n_groups; g++) {
		unexplained += state->groups[g].unexplained;
		n += state->groups[g].rows;
	}
	if (!is_of_engine(state))
		say(out, "%zu difference%s", n, n == 1 ? "" : "s");
	else
		say(out, "%s", n == 0 ? "same" : unexplained ? "unexplained" : "differs by rule");
}

static const struct key keys[] = {
	{"Left", "view cursor left", "Fold", "fold the group", is_tree},
	{"Right", "view cursor right", "Unfold", "unfold the row", is_tree},
	{"e", "view trails %a now %s", "Trails", "trails of the actor now and then, side by side",
		is_whatif},
	{"e", "view trails %a %s", "Trails", "trails of the actor in both cooks, side by side",
		is_two_cooks},
	{"Enter", "view rows %p", "Cells", "cells that differ in the frame", is_two_runs},
	{"m", "view map rows %p", "On map", "show the differences on the map"},
	{"[", "view diff frame 1", NULL, "since the first frame"},
	{0},
};

const struct view_type view_diff = {
	.name = "diff",
	.title = "Diff",
	.help = "differences of two cooks, of a cook and the engine, of two runs or two frames",
	.keys = keys,
	.is_list = true,
	.says = view_diff_says,
	.state_size = sizeof(struct diff),
	.open = open_diff,
	.renew = view_diff_renew,
	.draw = view_diff_draw,
	.object = view_diff_object,
	.move = view_diff_move,
	.set = view_diff_set,
	.status = view_diff_status,
	.fill = fill_diff,
	.close = close_diff,
};
