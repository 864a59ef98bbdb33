/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Owns: where things stand on the screen (spec: title, body, side pane, log, key line) and drawing
 * the frame around the views. Below 72 columns the side pane goes, below 18 rows the log; below
 * 40x10 one line says so, and keys work on.
 */
#include "src/tui/paint.h"
#include "src/tui/screen.h"

#include <inttypes.h>
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
	struct area panes[MOST_PANES], heads[MOST_PANES];
};

/* ---- sizes ---- */

static int log_rows(const struct screen *screen)
{
	int rows = (int)screen->grid.rows;
	if (rows < LOG_FROM)
		return 0;
	if (screen->log_rows >= 0)
		return screen->log_rows;
	int n = 3 + (rows - 24) / 4;
	return n < 2 ? 2 : n > MOST_LOG_ROWS ? MOST_LOG_ROWS : n;
}

static int side_columns(const struct screen *screen)
{
	int columns = (int)screen->grid.columns;
	if (columns < SIDE_FROM || screen->hides_side || screen->n_panes > 1)
		return 0;
	const struct view_type *type = screen_view(screen)->type;
	if ((columns < BESIDE_FROM && type->is_wide) || (columns < WIDEST && type->is_widest))
		return 0;
	return columns < BESIDE_FROM ? 26 : columns < 140 ? 36 : 44;
}

static bool is_beside(const struct screen *screen)
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
	if (is_beside(screen)) {
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
	int log = log_rows(screen), side = side_columns(screen);
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

/* ---- the title ---- */

static void say_run(struct output *out, struct session *session)
{
	static const char *const performances[] = {"", "  Slow", "  Critical", "  Immediate"};
	const struct cs_stream_status status = cs_stream_status(session->run.stream);
	say(out, "  frame %" PRIu64 " %.3fs", status.frame, (double)status.time_ns * 1e-9);
	say(out, "  %s", session->display.screen->playing.rate > 0 ? "playing" : "paused");
	if (status.budget == UINT32_MAX)
		say(out, "  loading %" PRIu32, status.loading);
	else
		say(out, "  loading %" PRIu32 "/%" PRIu32, status.loading,
			status.loading + status.budget);
	if (status.waiting_activate + status.waiting_load > 0)
		say(out, "  waiting %" PRIu32, status.waiting_activate + status.waiting_load);
	say(out, "  %.1f MiB", (double)status.bytes / (1 << 20));
	if (status.performance > CS_PERFORMANCE_GOOD)
		say(out, "%s", performances[status.performance]);
}

static void say_title(struct screen *screen, struct output *out)
{
	struct session *session = screen->session;
	if (!session->world && cs_inspector_count(session->inspector) == 0) {
		say(out, " cellscope  no world is open");
		return;
	}
	say(out, " %s",
		session->world ? cs_cooked_text(session->world, session->world->world->name)
			       : "cellscope");
	struct tui_view *view = screen_view(screen);
	if (view->type->status) {
		say(out, "  ");
		view->type->status(view, out);
	}
	if (session->run.stream)
		say_run(out, session);
	if (session->world && session->world->n_findings)
		say(out, "  %zu finding%s", session->world->n_findings,
			session->world->n_findings == 1 ? "" : "s");
}

typedef void sayer(struct screen *screen, struct output *out);

/* What is said, over the whole width of a line. */
static void draw_said(struct screen *screen, struct area area, enum ink ink, sayer *what)
{
	const struct style style = {.ascii = screen->grid.ascii};
	struct memory_sink text;
	struct output out;
	memory_sink_init(&text);
	output_init(&out, &style, &text.sink);
	what(screen, &out);
	cs_error_free(output_end(&out));
	put_blank(area, 0, 0, area.columns, inks[ink]);
	put_printed(area, 0, 0, inks[ink], text.text.at, text.text.n);
	memory_sink_deinit(&text);
}

/* ---- panes ---- */

/* "Cells  3 of 306, by name". A map has its own axis, and needs no head. */
static void draw_head(struct tui_view *view, struct area area)
{
	const struct style style = {.ascii = area.grid->ascii};
	struct memory_sink text;
	struct output out;
	memory_sink_init(&text);
	output_init(&out, &style, &text.sink);
	say(&out, "%s", view->type->title);
	if (*view->argument && !view->type->table)
		say(&out, " %s", view->argument);
	say(&out, "  ");
	list_status(view, &out);
	cs_error_free(output_end(&out));
	put_printed(area, 1, 0, inks[view_has_focus(view) ? INK_TITLE : INK_DIM], text.text.at,
		text.text.n);
	memory_sink_deinit(&text);
}

static void draw_view(struct tui_view *view, struct area area)
{
	view_renew(view);
	if (view->type->is_bare) {
		view_draw(view, area);
		return;
	}
	draw_head(view, area_part(area, 0, 0, area.columns, 1));
	view_draw(view, area_part(area, 0, 1, area.columns, area.rows - 1));
}

/* The view of a pane that follows is about what the other's cursor stands on. */
static void follow_cursor(struct screen *screen, struct pane *pane)
{
	struct object object;
	char *word, *argument = NULL;
	if (!pane->follows)
		return;
	view_object(pane_view(&screen->panes[0]), &object);
	word = object.kind ? object_word(screen->session, &object) : NULL;
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
	if (is_beside(screen))
		put_line_down(
			area_part(all, second.x - 1, second.y, 1, second.rows), 0, inks[INK_LINE]);
	else
		put_line_across(area_part(all, 0, second.y - 1, all.columns, 1), 0, inks[INK_LINE]);
}

static void draw_panes(struct screen *screen, const struct layout *at)
{
	draw_view(pane_view(&screen->panes[0]), at->panes[0]);
	if (screen->n_panes > 1) {
		follow_cursor(screen, &screen->panes[1]);
		draw_view(pane_view(&screen->panes[1]), at->panes[1]);
	}
	draw_between(screen, at);
}

/* ---- the side pane ---- */

static bool says_something(const struct cs_value *value)
{
	switch (value->kind) {
	case CS_KIND_NULL:
		return false;
	case CS_KIND_TEXT:
		return *value->text != '\0';
	case CS_KIND_BOOL:
		return value->yes;
	case CS_KIND_LIST:
		return value->list.n > 0;
	case CS_KIND_HEX:
		return value->hex.bits != 0;
	case CS_KIND_GUID:
		return false; /* for machines */
	default:
		return true;
	}
}

/* What the side pane tells of a kind, the most telling first; of others the table's short form. */
static const struct {
	const char *kind, *keys;
} told[] = {
	{"cell", "state,wanted,since,level,actors,bytes,layers,hierarchical_level,priority,grid,"
		 "always_loaded,hlod,client_only,block_on_slow,content_min,content_max,package"},
	{"actor", "class,cell,placement,spatial,layers,grid,effective_grid,hlod_layer,bounds_min,"
		  "bounds_max,is_container,hlod,forced_non_spatial,assumed"},
	{"page", "state,since,root,fill,clusters,triangles,min_level,max_level,disk_bytes,"
		 "page_bytes,gpu_bytes,needs,users,cluster_fixups,hierarchy_fixups,priority,"
		 "requests,installs,evictions,stranded,offset"},
};

static int draw_field(
	struct area area, int y, const struct cs_column *column, const struct cs_value *value)
{
	enum { LABEL = 10 };
	const char *label = column->label ? column->label : column->key;
	if (!says_something(value) || y >= area.rows)
		return y;
	put_text(area_part(area, 1, y, LABEL, 1), 0, 0, inks[INK_DIM], label);
	put_value(area, LABEL + 2, y, area.columns - LABEL - 2, inks[INK_NORMAL], value, false);
	return y + 1;
}

static const char *keys_told(const char *kind)
{
	for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++)
		if (strcmp(told[i].kind, kind) == 0)
			return told[i].keys;
	return NULL;
}

static void draw_record(struct area area, const struct object *object, const struct cs_table *table,
	const void *source)
{
	const char *keys = keys_told(object->kind);
	int y = 1;
	for (size_t i = 0; !keys && i < table->n_columns; i++) {
		struct cs_value value =
			cs_table_get(table, source, object->row, &table->columns[i]);
		if (table->columns[i].flags & CS_COLUMN_SHORT)
			y = draw_field(area, y, &table->columns[i], &value);
	}
	while (keys && *keys) {
		char key[64];
		size_t n = strcspn(keys, ",");
		snprintf(key, sizeof(key), "%.*s", (int)n, keys);
		keys += n + (keys[n] == ',');
		const struct cs_column *column = cs_table_column(table, key);
		struct cs_value value = cs_null();
		if (column)
			value = cs_table_get(table, source, object->row, column);
		if (column)
			y = draw_field(area, y, column, &value);
	}
}

static void draw_side(struct screen *screen, struct area area)
{
	struct object object;
	const void *source;
	if (area.columns <= 0)
		return;
	put_line_down(area_part(grid_area(&screen->grid), area.x - 1, area.y, 1, area.rows), 0,
		inks[INK_LINE]);
	view_object(screen_view(screen), &object);
	if (!object.kind)
		return;
	put_format(area, 1, 0, inks[INK_TITLE], "%s %s", object.kind, object.name);
	const struct cs_table *table = object_table(screen->session, &object, &source);
	if (table && object_row(screen->session, &object) != CS_NONE &&
		object.row < table->count(source))
		draw_record(area, &object, table, source);
}

/* ---- the log, the keys ---- */

static void draw_log(struct screen *screen, struct area area)
{
	struct area all = grid_area(&screen->grid);
	if (area.rows <= 0)
		return;
	put_line_across(all, area.y - 1, inks[INK_LINE]);
	size_t n = screen->log.n, shown = n < (size_t)area.rows ? n : (size_t)area.rows;
	for (size_t i = 0; i < shown; i++) {
		const struct log_line *line = &screen->log.at[n - shown + i];
		put_printed(area, 1, (int)i, inks[line->ink], line->text, strlen(line->text));
	}
}

static int draw_key(struct area area, int x, const struct key *key)
{
	int room = printed_columns(key->keys, strlen(key->keys)) + 1 +
		   printed_columns(key->label, strlen(key->label));
	if (x + room > area.columns)
		return x;
	x += put_text(area, x, 0, inks[INK_KEY], key->keys) + 1;
	return x + put_text(area, x, 0, inks[INK_NORMAL], key->label) + 2;
}

static bool has_key(struct tui_view *view, const char *keys)
{
	for (const struct key *key = view->type->keys; key && key->keys; key++)
		if (strcmp(key->keys, keys) == 0 && key_applies(key, view))
			return true;
	return false;
}

/* Of several rows for one key it is the first that applies. */
static bool is_first(struct tui_view *view, const struct key *key)
{
	const struct key *first = view->type->keys;
	while (strcmp(first->keys, key->keys) != 0 || !key_applies(first, view))
		if (first++ == key)
			return false;
	return first == key;
}

static void draw_keys(struct screen *screen, struct area area)
{
	struct tui_view *view = screen_view(screen);
	int x = 1;
	for (const struct key *key = view->type->keys; key && key->keys; key++)
		if (key->label && is_first(view, key))
			x = draw_key(area, x, key);
	for (const struct key *key = common_keys; key->keys; key++)
		if (key->label && key_applies(key, view) && !has_key(view, key->keys))
			x = draw_key(area, x, key);
	const struct key more[] = {{":", NULL, "Command", NULL}, {"q", NULL, "Close", NULL}};
	for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++)
		x = draw_key(area, x, &more[i]);
}

static void draw_prompt(struct screen *screen, struct area area)
{
	const struct prompt *prompt = &screen->prompt;
	int before = printed_columns(prompt->text.at, prompt->at);
	int x = 1 - (before > area.columns - 3 ? before - (area.columns - 3) : 0);
	put_printed(area, x, 0, inks[INK_NORMAL], prompt->text.at, prompt->text.n);
	put_printed(area, 0, 0, inks[INK_KEY], ":", 1);
	put_paint(area, x + before, 0, 1, inks[INK_CURSOR]);
}

static void draw_bottom(struct screen *screen, struct area area)
{
	put_blank(area, 0, 0, area.columns, inks[INK_NORMAL]);
	if (screen->progress[0])
		put_text(area, 1, 0, inks[INK_WARN], screen->progress);
	else if (screen->prompt.is_open)
		draw_prompt(screen, area);
	else if (screen->message[0])
		put_printed(area, 1, 0, inks[INK_WARN], screen->message, strlen(screen->message));
	else if (screen->pending[0])
		put_format(area, 1, 0, inks[INK_KEY], "%s ...", screen->pending);
	else
		draw_keys(screen, area);
}

/* ---- the mouse ---- */

static bool is_inside(struct area area, int x, int y)
{
	return x >= area.x && y >= area.y && x < area.x + area.columns && y < area.y + area.rows;
}

/* What a view makes of it is told as any other value: "X,Y" within its area. */
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
	return cs_error_new(CS_E_USAGE, "there is no view at %d,%d", x, y);
}

/* ---- the whole ---- */

void screen_draw(struct screen *screen)
{
	struct area all = grid_area(&screen->grid);
	screen->is_drawn = true;
	grid_clear(&screen->grid);
	if (all.columns < LEAST_COLUMNS || all.rows < LEAST_ROWS) {
		put_format(all, 0, 0, inks[INK_WARN], "window too small: %dx%d of %dx%d",
			all.columns, all.rows, LEAST_COLUMNS, LEAST_ROWS);
		return;
	}
	struct layout at = layout_of(screen);
	draw_panes(screen, &at);
	draw_said(screen, at.title, INK_BAR, say_title);
	draw_side(screen, at.side);
	draw_log(screen, at.log);
	draw_bottom(screen, at.keys);
}
