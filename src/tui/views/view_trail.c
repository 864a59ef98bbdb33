/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Views of why an object is where it is: the trail of rules that placed it, one step per row, alone
 * or beside the trail in another cook; and why it is in its present state, in sentences.
 */
#include "src/tui/terminal/paint.h"
#include "src/tui/views/views.h"

#include <string.h>

static const char actor_kind[] = "actor ";

/*
 * Prints the value of a placeholder of a command line: for %s the view's argument as typed, for %r
 * the name in an argument "actor NAME". Returns false for any other placeholder.
 */
static bool fill_argument(struct tui_view *view, char letter, struct output *out)
{
	const bool is_name =
		letter == 'r' && strncmp(view->argument, actor_kind, sizeof(actor_kind) - 1) == 0;
	if (letter == 's' || is_name)
		say(out, "%s", view->argument + (is_name ? sizeof(actor_kind) - 1 : 0));
	return letter == 's' || is_name;
}

static bool is_of_actor(struct tui_view *view)
{
	return strncmp(view->argument, actor_kind, sizeof(actor_kind) - 1) == 0;
}

static const struct key explain_keys[] = {
	{"Right", "view cursor right", "Unfold", "show all facts and links of the step"},
	{"Left", "view cursor left", "Fold", "show only the step"},
	{"W", ":view trails %r now ", "What if",
		"beside the trail that other settings would give: NAME=VALUE", is_of_actor},
	{"W", ":view explain %s ", "What if",
		"beside the trail that other settings would give: NAME=VALUE"},
	{0},
};

const struct view_type view_explain = {
	.name = "explain",
	.room = ROOM_ALL_BUT_WIDEST,
	.title = "Explain",
	.help = "rules that led an actor to its cell; one trail, or two side by side",
	.command = "explain",
	.columns = "step,title,input,now,verdict,then,then_verdict,differs",
	.folds.fields =
		"rule,input,now,verdict,then,then_verdict,level,cells,length,actor,partition,"
		"cell,finding",
	.keys = explain_keys,
	.needs_argument = true,
	.has_object = true,
	.fill = fill_argument,
	.empty = "no trail was recorded for the object",
};

/* ---- two trails side by side ---- */

enum { STEP = 4, GAP = 2, TALLEST = 8, LEAST_TITLE = 12, MOST_TITLE = 26 };

struct trails {
	bool is_found;    /* the cursor has already been moved to the first difference */
	struct grid room; /* used to measure how many lines a step occupies */
};

/* Skips one word of the argument NAME LEFT RIGHT; the name may be quoted. */
static const char *skip_word(const char *text)
{
	const char quote = *text == '\'' || *text == '"' ? *text++ : ' ';
	text = strchrnul(text, quote);
	text += *text != '\0';
	return text + strspn(text, " ");
}

static const char *last_part(const char *path)
{
	const char *name = base_name(path);
	return *name ? name : path;
}

/* Draws what a step of the explanation examined and decided. Returns the number of lines. */
static int draw_side(struct area area, struct paint paint, const char *looked, const char *decided)
{
	int rows = *looked ? put_wrapped(area, 0, 0, paint, looked) : 0;
	char verdict[300];
	if (*decided) {
		snprintf(verdict, sizeof(verdict), "-> %s", decided);
		rows += put_wrapped(area_part(area, 0, rows, area.columns, area.rows - rows), 0, 0,
			paint, verdict);
	}
	return rows > 0 ? rows : 1;
}

struct sides {
	int title, left, right; /* widths in columns */
};

static struct sides sides_of(int columns)
{
	int title = columns / 4;
	title = title < LEAST_TITLE ? LEAST_TITLE : title > MOST_TITLE ? MOST_TITLE : title;
	int rest = columns - STEP - title - 2 * GAP;
	return (struct sides){title, rest / 2, rest - rest / 2};
}

/* Draws a step of both trails, with a mark if the two differ. Returns the number of lines. */
static int draw_step(const struct list *list, struct area area, size_t row, struct paint paint)
{
	const struct sides sides = sides_of(area.columns);
	const char *differs = list_text(list, row, "differs");
	int x = STEP + sides.title + GAP;
	bool is_first = strcmp(differs, "first") == 0;
	struct cs_value step = list_value(list, row, "step");
	put_format(area, 1, 0, paint, "%lld", (long long)step.integer);
	if (*differs)
		put_printed(
			area, 0, 0, inks[is_first ? INK_BAD : INK_WARN], is_first ? ">" : "~", 1);
	int high = put_wrapped(area_part(area, STEP, 0, sides.title, area.rows), 0, 0, paint,
		list_text(list, row, "title"));
	int left = draw_side(area_part(area, x, 0, sides.left, area.rows), paint,
		list_text(list, row, "now"), list_text(list, row, "verdict"));
	int right = draw_side(area_part(area, x + sides.left + GAP, 0, sides.right, area.rows),
		paint, list_text(list, row, "then"), list_text(list, row, "then_verdict"));
	high = left > high ? left : high;
	return right > high ? right : high;
}

static int rows_of_step(struct tui_view *view, int columns, size_t row)
{
	struct trails *state = view->state;
	cs_error_free(grid_resize(&state->room, (unsigned)columns, TALLEST));
	if (!state->room.at)
		return 1;
	int rows = draw_step(&view->list, grid_area(&state->room), row, inks[INK_NORMAL]);
	return rows < TALLEST ? rows : TALLEST;
}

/* Draws the names of both sides: two files, or the open world and the settings of a what-if. */
static void draw_names(struct tui_view *view, struct area area)
{
	const struct sides sides = sides_of(area.columns);
	const char *left = skip_word(view->argument), *right = skip_word(left);
	char name[256];
	int x = STEP + sides.title + GAP;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(left, " "), left);
	put_cut(area, x, 0, sides.left, inks[INK_TITLE], last_part(name));
	put_cut(area, x + sides.left + GAP, 0, sides.right, inks[INK_TITLE],
		strchr(right, '=') ? right : last_part(right));
}

static struct cs_error *renew_trails(struct tui_view *view)
{
	struct trails *state = view->state;
	struct list *list = &view->list;
	struct cs_error *error = list_renew(view);
	for (size_t i = 0; !error && !state->is_found && i < list->n; i++)
		if (strcmp(list_text(list, i, "differs"), "first") == 0)
			list->cursor = i, state->is_found = true;
	return error;
}

static void draw_trails(struct tui_view *view, struct area area)
{
	struct list *list = &view->list;
	int y = 1, below = 0;
	draw_names(view, area);
	if (list->cursor < list->top)
		list->top = list->cursor;
	for (size_t i = list->cursor + 1; i-- > list->top;) {
		below += rows_of_step(view, area.columns, i);
		if (below > area.rows - 1 && i < list->cursor)
			list->top = i + 1;
	}
	for (size_t i = list->top; i < list->n && y < area.rows; i++) {
		int rows = rows_of_step(view, area.columns, i);
		bool here = i == list->cursor;
		struct paint paint = inks[!here                  ? INK_NORMAL
					  : view_has_focus(view) ? INK_CURSOR
								 : INK_SHADOW];
		if (!here && *list_text(list, i, "differs"))
			paint = inks[INK_WARN];
		for (int line = 0; here && line < rows; line++)
			put_blank(area, 0, y + line, area.columns, paint);
		draw_step(list, area_part(area, 0, y, area.columns, rows), i, paint);
		y += rows;
	}
}

static void close_trails(struct tui_view *view)
{
	grid_free(&((struct trails *)view->state)->room);
}

const struct view_type view_trails = {
	.name = "trails",
	.title = "Trails",
	.help = "the trails of an actor in two cooks, side by side: NAME A.cworld B.cworld",
	.command = "diff actor",
	.columns = "step,title,now,verdict,then,then_verdict,differs",
	.needs_argument = true,
	.room = ROOM_ALL,
	.state_size = sizeof(struct trails),
	.renew = renew_trails,
	.draw = draw_trails,
	.close = close_trails,
};

/* ---- why an object is in its present state ---- */

/* Returns the explaining command: `why-layer NAME` for a data layer, else `why KIND NAME`. */
static char *line_of_why(struct tui_view *view)
{
	static const char layer[] = "layer ";
	char *line = NULL;
	bool is_layer = strncmp(view->argument, layer, sizeof(layer) - 1) == 0;
	if (asprintf(&line, "why%s%s", is_layer ? "-" : " ", view->argument) < 0)
		return NULL;
	return line;
}

/* The answer as a record. The fields of the record name the objects in the sentences. */
static const struct view_type record_of_why = {
	.name = "answer",
	.title = "Answer",
	.command = "why",
	.line = line_of_why,
	.form = FORM_RECORD,
};

static struct cs_error *renew_why(struct tui_view *view)
{
	struct cs_error *error = list_renew(view);
	if (error)
		return error;
	view->part->is_stale = true;
	return view_set_argument(view->part, view->argument);
}

/*
 * Finds the first object in the fields of the answer whose name is in the sentence under the
 * cursor; false = none.
 */
static bool object_of_sentence(struct tui_view *view, struct object *ret)
{
	struct cs_value line = list_value(&view->list, view->list.cursor, "text");
	const struct list *answer = &view->part->list;
	view_renew(view->part);
	for (size_t i = 0; line.kind == CS_KIND_TEXT && answer->is_record && i < answer->columns.n;
		i++) {
		struct cs_value value = list_value(answer, i, answer->columns.at[i]->key);
		if (value.kind == CS_KIND_TEXT && *value.text && strstr(line.text, value.text) &&
			object_of_value(answer->columns.at[i]->key, &value, ret))
			return true;
	}
	return false;
}

/* Gets the object in the sentence under the cursor, or else the one that the view explains. */
static void object_of_why(struct tui_view *view, struct object *ret)
{
	if (!object_of_sentence(view, ret))
		object_of_words(view->session, view->argument, ret);
}

static const struct key why_keys[] = {
	{"u", "view queue", "Queue", "the queue"},
	{"L", "view layers", "Layers", "the data layers"},
	{"s", "view sources", "Sources", "the sources"},
	{0},
};

const struct view_type view_why = {
	.name = "why",
	.title = "Why",
	.help = "why an object is there now, or not there",
	.command = "why",
	.line = line_of_why,
	.keys = why_keys,
	.needs_argument = true,
	.form = FORM_PROSE,
	.has_object = true,
	.part = &record_of_why,
	.renew = renew_why,
	.object = object_of_why,
};
