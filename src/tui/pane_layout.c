/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes the layout of the screen (title, body with one or two panes, side pane, log, key line),
 * and draws all of it except title and side pane. Below 72 columns the side pane is left out, below
 * 18 rows the log; below 40x10 the screen only shows that the window is too small, but keys still
 * work.
 */
#include "src/output/lines.h"
#include "src/tui/screen.h"
#include "src/tui/terminal/paint.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum {
	LEAST_COLUMNS = 40,
	LEAST_ROWS = 10,
	SIDE_FROM = 72,
	LOG_FROM = 18,
	BESIDE_FROM = 100,
	WIDEST = 180,
	MOST_LOG_ROWS = 8
};

struct layout {
	struct area title, body, side, log, keys;
	struct area panes[MOST_PANES];
};

/* ---- sizes of the parts ---- */

int screen_log_rows(const struct screen *screen)
{
	int rows = (int)screen->grid.rows;
	if (rows < LOG_FROM)
		return 0;
	if (screen->log_rows >= 0)
		return screen->log_rows;
	bool is_silent = screen->log.n == 0 || (screen->log.n == 1 && screen->log.at[0].only_moves);
	/* an empty log, or one that only reports cursor moves, is not shown */
	if (is_silent)
		return 0;
	int n = 3 + (rows - 24) / 4;
	return n < 2 ? 2 : n > MOST_LOG_ROWS ? MOST_LOG_ROWS : n;
}

/*
 * Returns whether the side pane has nothing to add: the list is empty, or the object under the
 * cursor is a frame, which the view itself shows.
 */
static bool has_nothing_beside(struct tui_view *view)
{
	struct object object = {.kind = NULL};
	if (view->type->frame)
		view_object(view, &object);
	return (object.kind && strcmp(object.kind, "frame") == 0) ||
	       (!view->type->object && view->list.table && view->list.n == 0);
}

static int side_columns(const struct screen *screen)
{
	int columns = (int)screen->grid.columns;
	struct tui_view *view = screen_view(screen);
	if (columns < SIDE_FROM || screen->hides_side || screen->n_panes > 1)
		return 0;
	view_renew(view);
	const struct view_type *type = view->type;
	if (has_nothing_beside(view))
		return 0;
	static const int beside_from[] = {[ROOM_ALL_BUT_WIDE] = BESIDE_FROM,
		[ROOM_SHARED] = 0,
		[ROOM_ALL_BUT_WIDEST] = WIDEST,
		[ROOM_ALL] = INT_MAX};
	if (columns < beside_from[type->room])
		return 0;
	return columns < BESIDE_FROM ? 26 : columns < 140 ? 36 : 44;
}

static bool is_pane_beside(const struct screen *screen)
{
	if (screen->n_panes > 1 && pane_view(&screen->panes[1])->type->rows)
		return false;
	if (screen->split == SPLIT_AUTO)
		return screen->grid.columns >= BESIDE_FROM;
	return screen->split == SPLIT_BESIDE;
}

static void split_body(const struct screen *screen, struct layout *at)
{
	struct area body = at->body;
	at->panes[0] = body;
	if (screen->n_panes < MOST_PANES)
		return;
	if (is_pane_beside(screen)) {
		int half = (body.columns - 1) * 55 / 100;
		at->panes[0] = area_part(body, 0, 0, half, body.rows);
		at->panes[1] = area_part(body, half + 1, 0, body.columns - half - 1, body.rows);
	} else {
		int wanted = pane_view(&screen->panes[1])->type->rows;
		int half = (body.rows - 1) * 55 / 100;
		half = wanted && wanted < half ? body.rows - 1 - wanted : half;
		at->panes[0] = area_part(body, 0, 0, body.columns, half);
		at->panes[1] = area_part(body, 0, half + 1, body.columns, body.rows - half - 1);
	}
}

static struct layout layout_of(struct screen *screen)
{
	struct area all = grid_area(&screen->grid);
	int log = screen_log_rows(screen), side = side_columns(screen);
	int below = log + (log > 0) + 1;
	struct layout at = {.title = area_part(all, 0, 0, all.columns, 1),
		.keys = area_part(all, 0, all.rows - 1, all.columns, 1),
		.log = area_part(all, 0, all.rows - 1 - log, all.columns, log)};
	int high = all.rows - 1 - below;
	int wide = all.columns - side - (side > 0);
	at.body = area_part(all, 0, 1, wide, high);
	at.side = area_part(all, wide + 1, 1, side, high);
	split_body(screen, &at);
	return at;
}

/* ---- panes ---- */

/* Draws the names of the last three views below this one in the stack: "map > cells >". */
static void draw_way(const struct tui_view *view, struct area area)
{
	enum { MOST = 3 };
	const struct screen *screen = view->screen;
	char way[128] = "";
	for (unsigned p = 0; p < screen->n_panes; p++) {
		const struct pane *pane = &screen->panes[p];
		size_t below = pane_view(pane) == view ? pane->stack.n - 1 : 0;
		size_t first = below > MOST ? below - MOST : 0;
		for (size_t i = first; i < below; i++) {
			size_t n = strlen(way);
			snprintf(way + n, sizeof(way) - n, "%s%s >",
				i == first && first ? "... > "
				: i == first        ? ""
						    : " ",
				pane->stack.at[i]->type->name);
		}
	}
	int wide = (int)strlen(way);
	if (wide > 0 && wide + 2 <= area.columns)
		put_text(area, 1, 0, inks[INK_DIM], way);
}

/* Draws the heading of a view: "Cells  3 of 306, by name". */
static void draw_head(struct tui_view *view, struct area area)
{
	struct text_output text;
	struct output *out = text_output_begin(&text, (struct style){.ascii = area.grid->ascii});
	say(out, "%s", view->type->title);
	if (*view->argument && !view->type->table) {
		say(out, " ");
		say_printed(out, view->argument);
	}
	say(out, "  ");
	list_status(view, out);
	char *said = text_output_end(&text);
	int x = 2;
	if (said)
		x += put_cut_printed(area, 1, 0, area.columns - 1,
			inks[view_has_focus(view) ? INK_TITLE : INK_DIM], said, strlen(said),
			false);
	free(said);
	draw_way(view, area_part(area, x, 0, area.columns - x, 1));
}

static void draw_view(struct tui_view *view, struct area area)
{
	int head = view->type->is_bare ? 0 : 1;
	view_renew(view);
	if (head)
		draw_head(view, area_part(area, 0, 0, area.columns, 1));
	struct area body = area_part(area, 0, head, area.columns, area.rows - head);
	view_draw(view, body);
	if (view->list.search)
		put_hits(body, inks[INK_HIT], view->list.search);
}

/* Shows in a pane that follows the first pane the object under its cursor, if the view can. */
static void follow_cursor(struct screen *screen, struct pane *pane)
{
	struct object object;
	char *word, *argument = NULL;
	if (!pane->follows)
		return;
	view_object(pane_view(&screen->panes[0]), &object);
	const bool is_shown = object.kind && key_opens(pane_view(pane)->type, &object);
	word = is_shown ? object_word(screen->session, &object) : NULL;
	if (word && asprintf(&argument, "%s %s", object.kind, word) >= 0)
		cs_error_free(view_set_argument(pane_view(pane), argument));
	free(argument);
	free(word);
}

static void draw_between(struct screen *screen, const struct layout *at)
{
	struct area all = grid_area(&screen->grid);
	if (screen->n_panes < MOST_PANES)
		return;
	struct area second = at->panes[1];
	if (is_pane_beside(screen))
		put_line_down(
			area_part(all, second.x - 1, second.y, 1, second.rows), 0, inks[INK_LINE]);
	else
		put_line_across(area_part(all, 0, second.y - 1, all.columns, 1), 0, inks[INK_LINE]);
}

/* ---- log and key line ---- */

static void draw_log(struct screen *screen, struct area area)
{
	struct area all = grid_area(&screen->grid);
	if (area.rows <= 0)
		return;
	put_line_across(all, area.y - 1, inks[INK_LINE]);
	size_t n = screen->log.n, shown = n < (size_t)area.rows ? n : (size_t)area.rows;
	for (size_t i = 0; i < shown; i++) {
		const struct log_line *line = &screen->log.at[n - shown + i];
		put_cut_printed(area, 1, (int)i, area.columns - 1, inks[line->ink], line->text,
			strlen(line->text), false);
	}
}

static const char *sign_of(const struct key *key)
{
	return key->sign ? key->sign : key->keys;
}

static int key_columns(const struct key *key)
{
	return printed_columns(sign_of(key), strlen(sign_of(key))) + 1 +
	       printed_columns(key->label, strlen(key->label));
}

static int draw_key(struct area area, int x, const struct key *key)
{
	if (x + key_columns(key) > area.columns)
		return x;
	x += put_text(area, x, 0, inks[INK_KEY], sign_of(key)) + 1;
	return x + put_text(area, x, 0, inks[INK_NORMAL], key->label) + 2;
}

static bool has_key(struct tui_view *view, const char *keys)
{
	for (const struct key *key = view->type->keys; key && key->keys; key++)
		if (strcmp(key->keys, keys) == 0 && key_applies(key, view))
			return true;
	return false;
}

/* Returns whether a row of the key table is the first row of its key that applies in the view. */
static bool is_first(struct tui_view *view, const struct key *key)
{
	const struct key *first = view->type->keys;
	while (strcmp(first->keys, key->keys) != 0 || !key_applies(first, view))
		if (first++ == key)
			return false;
	return first == key;
}

/* Draws the keys of the view, then the common ones; the line ends with the help key. */
static void draw_keys(struct screen *screen, struct area area)
{
	static const struct key help = {"?", NULL, "Help", NULL, NULL, NULL};
	static const struct key more[] = {
		{":", NULL, "Command", NULL, NULL, NULL}, {"q", NULL, "Close", NULL, NULL, NULL}};
	struct tui_view *view = screen_view(screen);
	struct object object;
	int x = 1, room = key_columns(&help) + 2;
	struct area most = area_part(area, 0, 0, area.columns - room, 1);
	view_object(view, &object);
	for (const struct key *key = view->type->keys; key && key->keys; key++)
		if (key->label && is_first(view, key))
			x = draw_key(most, x, key);
	for (const struct key *key = common_keys; key->keys; key++)
		if (key->label && key_applies(key, view) && !has_key(view, key->keys) &&
			(object.kind || key->line[0] != '%'))
			x = draw_key(most, x, key);
	for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++)
		x = draw_key(most, x, &more[i]);
	draw_key(area, x, &help);
}

static void draw_prompt(struct screen *screen, struct area area)
{
	const struct prompt *prompt = &screen->prompt;
	int before = printed_columns(prompt->text.at, prompt->at);
	int x = 1 - (before > area.columns - 3 ? before - (area.columns - 3) : 0);
	put_printed(area, x, 0, inks[INK_NORMAL], prompt->text.at, prompt->text.n);
	put_printed(area, 0, 0, inks[INK_KEY], prompt->seeks ? "?" : ":", 1);
	if (prompt->seeks)
		put_format(area, area.columns * 2 / 3, 0, inks[INK_DIM], "in the history: %s",
			prompt->pattern);
	put_paint(area, x + before, 0, 1, inks[INK_CURSOR]);
}

static void draw_bottom(struct screen *screen, struct area area)
{
	put_blank(area, 0, 0, area.columns, inks[INK_NORMAL]);
	if (screen->prompt.is_open && !screen->prompt.pasted)
		draw_prompt(screen, area);
	else if (screen->message[0])
		put_cut_printed(area, 1, 0, area.columns - 1,
			inks[screen->is_trouble ? INK_BAD : INK_WARN], screen->message,
			strlen(screen->message), false);
	else if (screen->typed.count)
		put_format(area, 1, 0, inks[INK_KEY], "%u ...", screen->typed.count);
	else if (screen->typed.pending[0])
		put_format(area, 1, 0, inks[INK_KEY], "%s ...", screen->typed.pending);
	else
		draw_keys(screen, area);
}

/* ---- the mouse ---- */

static bool is_inside(struct area area, int x, int y)
{
	return x >= area.x && y >= area.y && x < area.x + area.columns && y < area.y + area.rows;
}

/* Passes a click to the view at this position, as a setting "X,Y" relative to the view's area. */
struct cs_error *screen_click(struct screen *screen, int x, int y)
{
	struct layout at = layout_of(screen);
	for (unsigned p = 0; p < screen->n_panes; p++) {
		struct tui_view *view = pane_view(&screen->panes[p]);
		char place[32];
		int head = view->type->is_bare ? 0 : 1;
		if (!is_inside(at.panes[p], x, y))
			continue;
		screen_focus(screen, p);
		snprintf(
			place, sizeof(place), "%d,%d", x - at.panes[p].x, y - at.panes[p].y - head);
		view_renew(view);
		return view->type->set ? view->type->set(view, "click", place)
				       : list_set(view, "click", place);
	}
	return cs_error_new(CS_E_USAGE,
		"there is no view at column %d, row %d of the screen, both counted from 0", x, y);
}

/* ---- drawing the whole screen ---- */

void screen_draw(struct screen *screen)
{
	struct area all = grid_area(&screen->grid);
	screen->is_drawn = true;
	grid_clear(&screen->grid);
	if (all.columns < LEAST_COLUMNS || all.rows < LEAST_ROWS) {
		put_format(all, 0, 0, inks[INK_WARN], "too small: %dx%d of %dx%d", all.columns,
			all.rows, LEAST_COLUMNS, LEAST_ROWS);
		return;
	}
	struct layout at = layout_of(screen);
	draw_view(pane_view(&screen->panes[0]), at.panes[0]);
	if (screen->n_panes > 1) {
		follow_cursor(screen, &screen->panes[1]);
		draw_view(pane_view(&screen->panes[1]), at.panes[1]);
	}
	draw_between(screen, &at);
	title_draw(screen, at.title);
	if (at.side.columns > 0) {
		put_line_down(area_part(all, at.side.x - 1, at.side.y, 1, at.side.rows), 0,
			inks[INK_LINE]);
		side_pane_draw(screen, at.side);
	}
	draw_log(screen, at.log);
	draw_bottom(screen, at.keys);
}
