/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shows two runs along the same path: strips (graphs over the frames) of both with recorded values,
 * and below them a row for each frame in which they differ. The strips mark the frame under the
 * cursor. The rows are those of the command `diff run`; Enter lists the cells that differ in a
 * frame.
 */
#include "src/tui/screen.h"
#include "src/tui/terminal/paint.h"
#include "src/tui/views/views.h"

#include <inttypes.h>
#include <math.h>

enum { LABEL = 12, RIGHT = 12, STRIPS_FROM = 10 };

/*
 * Strips from top to bottom, one for each column. `twin` is the key of the column with the same
 * quantity of the other run, which is drawn with the same scale.
 */
static const struct strip {
	const char *label, *key, *twin;
	double unit;
} strips[] = {
	{"differ", "differ", NULL, 1},
	{"loaded  l", "left_loaded", "right_loaded", 1},
	{"        r", "right_loaded", "left_loaded", 1},
	{"waiting l", "left_waiting", "right_waiting", 1},
	{"        r", "right_waiting", "left_waiting", 1},
	{"show ms l", "left_ms", "right_ms", 1},
	{"        r", "right_ms", "left_ms", 1},
	{"real show", "recorded_level_streaming", NULL, 1},
	{"real ms", "recorded_frame_time", NULL, 1},
	{"MiB     l", "left_bytes", "right_bytes", 1.0 / (1 << 20)},
	{"        r", "right_bytes", "left_bytes", 1.0 / (1 << 20)},
};

enum { STRIPS = sizeof(strips) / sizeof(strips[0]) };

static const struct view_type frames_of_runs = {
	.name = "frames",
	.title = "Frames",
	.command = "diff run",
	.needs_argument = true,
};

static struct cs_error *open_runs(struct tui_view *view)
{
	return view_new_part(view, &frames_of_runs, view->argument);
}

static struct cs_error *view_runs_renew(struct tui_view *view)
{
	struct tui_view *rows = view->part;
	rows->is_stale = true;
	view_renew(rows);
	return rows->trouble[0] ? cs_error_new(CS_E_MISSING, "%s", rows->trouble) : NULL;
}

static double number_at(const struct list *list, size_t row, const char *key)
{
	struct cs_value value = key ? list_value(list, row, key) : cs_null();
	return value.kind == CS_KIND_INTEGER  ? (double)value.integer
	       : value.kind == CS_KIND_NUMBER ? value.number
					      : (double)NAN;
}

static double view_runs_peak_of(const struct list *list, const struct strip *strip)
{
	double peak = NAN;
	for (size_t i = 0; i < list->n; i++)
		peak = fmax(peak,
			fmax(number_at(list, i, strip->key), number_at(list, i, strip->twin)));
	return peak * strip->unit;
}

/* Returns how many frames share a column so that all frames are visible. */
static uint64_t frames_of_column(const struct list *list, int columns)
{
	double last = list->n ? number_at(list, list->n - 1, "frame") : 0;
	for (size_t i = 0; i < list->n; i++)
		last = fmax(last, number_at(list, i, "frame"));
	return (uint64_t)(last > 0 ? last : 0) / (uint64_t)columns + 1;
}

/* Draws a strip of strip->key: a column shows the highest value of `frames` frames. */
static void view_runs_draw_strip(const struct list *list, struct area area, int y,
	const struct strip *strip, uint64_t frames, double peak)
{
	int columns = area.columns - LABEL - RIGHT;
	double *values = calloc((size_t)columns + 1, sizeof(*values));
	for (size_t i = 0; values && i < list->n; i++) {
		double value = number_at(list, i, strip->key) * strip->unit,
		       frame = number_at(list, i, "frame");
		int x = frame >= 0 ? (int)((uint64_t)frame / frames) : columns;
		if (x < columns && value > values[x])
			values[x] = value;
	}
	put_text(area_part(area, 1, y, LABEL - 1, 1), 0, 0, inks[INK_DIM], strip->label);
	if (values)
		put_strip(area, LABEL, y, values, columns, peak,
			inks[strip->key == strips[0].key ? INK_WARN : INK_BLUE]);
	put_format(area, area.columns - RIGHT + 1, y, inks[INK_DIM], "peak %.4g", peak);
	free(values);
}

/* Draws the strips with values, one per row, as many as fit; returns the number of rows used. */
static int draw_strips(struct tui_view *view, struct area area, int most)
{
	const struct list *list = &view->part->list;
	int columns = area.columns - LABEL - RIGHT, y = 1;
	if (columns < 8 || list->n == 0)
		return 0;
	uint64_t frames = frames_of_column(list, columns);
	put_text(area, 1, 0, inks[INK_TITLE], "Runs");
	put_format(area, LABEL, 0, inks[INK_DIM], "1 column = %" PRIu64 " frame%s", frames,
		frames == 1 ? "" : "s");
	for (size_t i = 0; i < STRIPS && y < most; i++) {
		double peak = view_runs_peak_of(list, &strips[i]);
		if (!isnan(peak))
			view_runs_draw_strip(list, area, y++, &strips[i], frames, peak);
	}
	double frame = number_at(list, list->cursor, "frame");
	int x = LABEL + (int)((uint64_t)(frame >= 0 ? frame : 0) / frames);
	for (int i = 1; i < y; i++)
		put_ground(area, x, i, 1, view_has_focus(view) ? HUE_SHADE + 4 : HUE_SHADE + 2);
	put_format(area, x, y, inks[INK_TITLE], "^ %.0f", frame);
	return y + 1;
}

static void view_runs_draw(struct tui_view *view, struct area area)
{
	struct tui_view *rows = view->part;
	int used = area.rows >= STRIPS_FROM ? draw_strips(view, area, area.rows / 2 + 2) : 0;
	if (used)
		put_line_across(area, used++, inks[INK_LINE]);
	rows->is_active = true;
	if (rows->list.n == 0)
		put_text(area, 1, used + 1, inks[INK_DIM], "the runs are the same in every frame");
	else
		view_draw(rows, area_part(area, 0, used, area.columns, area.rows - used));
}

static void view_runs_object(struct tui_view *view, struct object *ret)
{
	view_object(view->part, ret);
}

static struct cs_error *view_runs_move(struct tui_view *view, enum motion motion, long n)
{
	return view_move(view->part, motion, n);
}

static struct cs_error *view_runs_set(struct tui_view *view, const char *what, const char *value)
{
	view->is_stale = true;
	return list_set(view->part, what, value);
}

/* Replaces %p by the command line that lists the cells of the frame under the cursor. */
static bool fill_runs(struct tui_view *view, char letter, struct output *out)
{
	struct object frame = {.row = CS_NONE};
	view_object(view->part, &frame);
	if (letter != 'p' || !frame.kind)
		return false;
	say(out, "diff run %s --at %s", view->argument, frame.name);
	return true;
}

static const struct key keys[] = {
	{"Enter", "view rows %p", "Cells", "cells that differ in the frame"},
	{"m", "view map rows %p", "On map", "show the cells on the map"},
	{0},
};

const struct view_type view_runs = {
	.name = "runs",
	.title = "Runs",
	.help = "two runs along a path, frame by frame: LEFT RIGHT -p PATH",
	.needs_argument = true,
	.keys = keys,
	.is_bare = true,
	.is_list = true,

	.open = open_runs,
	.renew = view_runs_renew,
	.draw = view_runs_draw,
	.object = view_runs_object,
	.move = view_runs_move,
	.set = view_runs_set,
	.fill = fill_runs,
};
