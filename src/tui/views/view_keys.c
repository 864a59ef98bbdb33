/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Defines the view that lists the keys of the view under it, and the view of the whole log. */
#include "src/tui/screen.h"
#include "src/tui/views/views.h"

#include <string.h>

/* Returns the view whose keys are listed: the view below this one in the stack. */
static struct tui_view *view_below(const struct tui_view *view)
{
	const struct screen *screen = view->screen;
	for (size_t p = 0; p < screen->n_panes; p++) {
		const struct pane *pane = &screen->panes[p];
		for (size_t i = 1; i < pane->stack.n; i++)
			if (pane->stack.at[i] == view)
				return pane->stack.at[i - 1];
	}
	return NULL;
}

struct keys {
	CS_VEC(const struct key *) at;
};

static const struct key *key_at(const struct tui_view *view, size_t index)
{
	return ((const struct keys *)view->state)->at.at[index];
}

/* Lists the user's keys, the keys of the view below, and the common keys in that view. */
static struct cs_error *renew_keys(struct tui_view *view)
{
	struct keys *keys = view->state;
	struct tui_view *below = view_below(view);
	keys->at.n = 0;
	for (size_t i = 0; i < view->screen->bound.n; i++)
		if (!cs_vec_push(&keys->at, &view->screen->bound.at[i]))
			return cs_error_nomem();
	for (const struct key *key = below ? below->type->keys : NULL; key && key->keys; key++)
		if (!cs_vec_push(&keys->at, key))
			return cs_error_nomem();
	for (const struct key *key = common_keys; key->keys; key++)
		if ((!below || key_is_of(key, below)) && !cs_vec_push(&keys->at, key))
			return cs_error_nomem();
	view->list.n = keys->at.n;
	return NULL;
}

static void close_keys(struct tui_view *view)
{
	cs_vec_free(&((struct keys *)view->state)->at);
}

/* Draws the list of keys, and below it the full help of the key under the cursor. */
static void draw_all_keys(struct tui_view *view, struct area area)
{
	enum { KEYS = 12, LEAST_HELP = 34 };
	struct list *list = &view->list;
	int help = (area.columns - KEYS) * 55 / 100, rows = area.rows - 1;
	help = help > LEAST_HELP ? help : LEAST_HELP;
	list_scroll(list, rows);
	for (int y = 0; y < rows && list->top + (size_t)y < list->n; y++) {
		const struct key *key = key_at(view, list->top + (size_t)y);
		bool here = list->top + (size_t)y == list->cursor;
		struct paint paint = inks[here ? INK_CURSOR : INK_NORMAL];
		int line = KEYS + help + 2;
		put_blank(area, 0, y, area.columns, paint);
		put_text(area, 1, y, here ? paint : inks[INK_KEY], key->keys);
		put_cut(area, KEYS, y, help, paint, key->help);
		put_cut(area, line, y, area.columns - line, here ? paint : inks[INK_DIM],
			key->line);
	}
	if (list->cursor < list->n)
		put_cut(area, 1, rows, area.columns - 1, inks[INK_TITLE],
			key_at(view, list->cursor)->help);
}

static bool says_key(const struct tui_view *view, size_t row, const char *text)
{
	const struct key *key = key_at(view, row);
	return strcasestr(key->help, text) || strcasestr(key->line, text) ||
	       strcmp(key->keys, text) == 0;
}

static bool says_line(const struct tui_view *view, size_t row, const char *text)
{
	return strcasestr(view->screen->log.at[row].text, text);
}

const struct view_type view_keys = {
	.name = "keys",
	.room = ROOM_ALL,
	.title = "Keys, and what they submit",
	.help = "all keys of the last view",
	.renew = renew_keys,
	.says = says_key,
	.state_size = sizeof(struct keys),
	.close = close_keys,
	.draw = draw_all_keys,
	.object = view_no_object,
};

static struct cs_error *renew_log(struct tui_view *view)
{
	bool at_end = view->list.cursor + 1 >= view->list.n;
	view->list.n = view->screen->log.n;
	if (at_end)
		view->list.cursor = view->list.n ? view->list.n - 1 : 0;
	return NULL;
}

static void draw_whole_log(struct tui_view *view, struct area area)
{
	struct list *list = &view->list;
	const struct screen *screen = view->screen;
	renew_log(view);
	list_scroll(list, area.rows);
	for (int y = 0; y < area.rows && list->top + (size_t)y < list->n; y++) {
		const struct log_line *line = &screen->log.at[list->top + (size_t)y];
		bool here = list->top + (size_t)y == list->cursor;
		struct paint paint = inks[here ? INK_CURSOR : line->ink];
		put_blank(area, 0, y, area.columns, paint);
		put_cut_printed(
			area, 1, y, area.columns - 1, paint, line->text, strlen(line->text), false);
	}
}

const struct view_type view_log = {
	.name = "log",
	.room = ROOM_ALL,
	.title = "Log",
	.help = "commands of the session, with their output",
	.renew = renew_log,
	.says = says_line,
	.draw = draw_whole_log,
	.object = view_no_object,
};
