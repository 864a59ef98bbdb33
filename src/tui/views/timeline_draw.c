/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws the timeline: strips, marks, the cursor, and the numbers of the frame under the cursor. A
 * column of several frames shows the highest value, because users look for peaks.
 */
#include "src/tui/terminal/paint.h"
#include "src/tui/views/timeline_view.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LABEL = 9, WIDE = 16, NARROW = 9 };

/*
 * Order of the strips (each is one graph over the frames) from top to bottom; if they do not all
 * fit, those at the end of the list are left out. A strip of recorded values (REAL_) is drawn next
 * to the simulated one that it is compared with, and only if it has values.
 */
static const enum number order[] = {LOADS, WAITING, WORK, RUN_REAL, RUN_SIMULATED, REAL_SHOW,
	PERFORMANCE, STALL, PAGES_MISSING, PAGES_LOADING, PAGES_EVICTED, PAGES_USED, PAGES_WORST,
	REAL_FRAME, BYTES, LOADING, REAL_QUEUED, REAL_CONSIDERED};

enum { STRIPS = sizeof(order) / sizeof(order[0]) };

/* ---- strips ---- */

struct column {
	double at[NUMBERS];
	/*
	 * whether any frame of the column has a sample, and whether the column is after the current
	 * frame
	 */
	bool any, ahead;
};

static struct column column_at(const struct timeline *state, uint64_t first, uint64_t n)
{
	struct column column = {.ahead = first > state->now};
	for (uint64_t frame = first; frame < first + n; frame++) {
		const struct sample *sample = timeline_sample_at(state, frame);
		column.any = column.any || sample;
		for (int i = 0; sample && i < NUMBERS; i++)
			column.at[i] = fmax(column.at[i], sample->at[i]);
	}
	return column;
}

/* Returns the number of columns for the values on the right of the strips. */
static int right_columns(struct area area)
{
	return area.columns < 60 ? NARROW : WIDE;
}

static void draw_label(struct area area, int y, enum number number, double peak)
{
	const struct timeline_strip *strip = &timeline_strips[number];
	int room = right_columns(area), x = area.columns - room + 1;
	put_text(area_part(area, 1, y, LABEL - 1, 1), 0, 0, inks[INK_DIM], strip->label);
	if (strip->behind && room < WIDE)
		put_format(
			area, x, y, inks[INK_DIM], "%.*f%s", strip->decimals, peak, strip->behind);
	else if (strip->behind)
		put_format(area, x, y, inks[INK_DIM], "%s%.*f%s", strip->before, strip->decimals,
			peak, strip->behind);
	else
		put_text(area, x, y, inks[INK_DIM], strip->before);
}

/* Draws a performance value or a stall as a letter of its kind. Returns false for other numbers. */
static bool draw_letter(struct area area, int x, int y, enum number number, double value)
{
	static const char letters[] = ".SCI";
	static const enum ink inks_of[] = {INK_DIM, INK_WARN, INK_BAD, INK_BAD};
	if (number == PERFORMANCE) {
		int i = (int)value & 3;
		put_printed(area, x, y, inks[inks_of[i]], &letters[i], 1);
	} else if (number == STALL && value > 0) {
		put_printed(area, x, y, inks[INK_BAD], "B", 1);
	}
	return number == PERFORMANCE || number == STALL;
}

static struct paint strip_paint(enum number number, const struct column *column)
{
	if (column->ahead && timeline_strips[number].owner != OF_RUN)
		return inks[INK_DIM];
	return inks[number == WAITING || number == PAGES_MISSING  ? INK_WARN
		    : timeline_strips[number].owner == OF_PROFILE ? INK_GOOD
								  : INK_BLUE];
}

static double peak_of(const struct column *columns, int n, enum number number)
{
	double peak = 0;
	for (int i = 0; i < n; i++)
		peak = fmax(peak, columns[i].at[number]);
	return peak;
}

/* Draws a strip; `columns` has two elements for each column of the screen. */
static void draw_strip(struct area area, int y, int rows, enum number number,
	const struct column *columns, int places)
{
	double peak = peak_of(columns, places * 2, number);
	draw_label(area, y + rows - 1, number, peak);
	for (int x = 0; x < places; x++) {
		const struct column *pair = &columns[x * 2];
		const double values[] = {pair[0].at[number], pair[1].at[number]};
		double value = fmax(values[0], values[1]);
		if (!pair[0].any && !pair[1].any)
			continue;
		if (draw_letter(area, LABEL + x, y + rows - 1, number, value))
			continue;
		if (rows > 1)
			put_curve(area_part(area, LABEL + x, y, 1, rows), values, 2, peak,
				strip_paint(number, pair));
		else
			put_strip(area, LABEL + x, y, &value, 1, peak, strip_paint(number, pair));
	}
}

static void draw_marks(const struct timeline *state, struct area area, int y)
{
	const struct mark *near = NULL;
	put_text(area_part(area, 1, y, LABEL - 1, 1), 0, 0, inks[INK_DIM], "layers");
	for (size_t i = 0; i < state->marks.n; i++) {
		const struct mark *mark = &state->marks.at[i];
		put_text(area, LABEL + (int)timeline_column_of(state, mark->frame), y,
			inks[INK_MARK], "L");
		if (mark->frame <= state->frame)
			near = mark;
	}
	if (near)
		put_cut(area, area.columns - right_columns(area) + 1, y, right_columns(area) - 1,
			inks[INK_DIM], near->text);
}

static void timeline_draw_cursor(struct tui_view *view, struct area area, int rows)
{
	const struct timeline *state = timeline_of(view);
	int x = LABEL + (int)timeline_column_of(state, state->frame);
	bool here = view_has_focus(view) && !state->in_cells;
	for (int y = 1; y < rows; y++)
		put_ground(area, x, y, 1, here ? HUE_SHADE + 4 : HUE_SHADE + 2);
	char text[32];
	int n = snprintf(text, sizeof(text), "^ %" PRIu64, state->frame);
	int left = x + n > area.columns ? x - n + 1 : x;
	if (left < x)
		snprintf(text, sizeof(text), "%" PRIu64 " ^", state->frame);
	put_text(area, left, rows, inks[here ? INK_TITLE : INK_DIM], text);
}

static void timeline_draw_head(const struct timeline *state, struct area area)
{
	put_format(area, 1, 0, inks[INK_TITLE], "Timeline");
	put_format(area, LABEL + 2, 0, inks[INK_DIM], "frames %" PRIu64 "..%" PRIu64, state->first,
		state->first + timeline_window(state) - 1);
	char text[48];
	int n = snprintf(text, sizeof(text), "1 column = %" PRIu64 " frame%s", state->zoom,
		state->zoom == 1 ? "" : "s");
	if (n + 36 < area.columns)
		put_text(area, area.columns - n - 1, 0, inks[INK_DIM], text);
}

/* Draws the numbers of the frames in the cursor's column. */
static void draw_frame(struct tui_view *view, struct area area, int y)
{
	const struct timeline *state = timeline_of(view);
	uint64_t first = state->frame - (state->frame - state->first) % state->zoom;
	const struct column at = column_at(state, first, state->zoom);
	int x = 1;
	if (state->zoom == 1)
		x += put_format(area, x, y, inks[INK_TITLE], "frame %" PRIu64, first);
	else
		x += put_format(area, x, y, inks[INK_TITLE], "frames %" PRIu64 "..%" PRIu64, first,
			first + state->zoom - 1);
	if (state->has[OF_WORLD])
		x += 2 +
		     put_format(area, x + 2, y, inks[INK_NORMAL],
			     "show %.1f ms  stall %.1f ms  loads %.0f  waiting %.0f  loading %.0f",
			     at.at[WORK], at.at[STALL], at.at[LOADS], at.at[WAITING],
			     at.at[LOADING]);
	else
		x += 2 + put_format(area, x + 2, y, inks[INK_NORMAL],
				 "missing %.0f  loading %.0f  pool %.0f  worst %.2f px",
				 at.at[PAGES_MISSING], at.at[PAGES_LOADING], at.at[PAGES_USED],
				 at.at[PAGES_WORST]);
	if (state->has[OF_PROFILE])
		x += 2 +
		     put_format(area, x + 2, y, inks[INK_GOOD], "real %.1f ms", at.at[REAL_FRAME]);
	if (at.ahead)
		put_text(area, x + 2, y, inks[INK_WARN], "ahead");
}

static void draw_cells(struct tui_view *view, struct area area)
{
	struct timeline *state = timeline_of(view);
	put_line_across(area, 0, inks[INK_LINE]);
	draw_frame(view, area, 1);
	view->part->is_active = state->in_cells;
	view_draw(view->part, area_part(area, 0, 2, area.columns, area.rows - 2));
}

/* Adapts the number of columns to the width of the area. */
static void timeline_measure(struct tui_view *view, struct area area)
{
	struct timeline *state = timeline_of(view);
	int columns = area.columns - LABEL - right_columns(area);
	columns = columns > 1 ? columns : 1;
	view->is_stale = view->is_stale || columns != state->columns;
	if (state->columns && columns != state->columns)
		state->first = 0;
	state->columns = columns;
}

static struct column *columns_of(const struct timeline *state)
{
	struct column *columns = calloc((size_t)state->columns * 2, sizeof(*columns));
	uint64_t half = state->zoom / 2;
	for (int i = 0; columns && i < state->columns; i++) {
		uint64_t first = state->first + state->zoom * (uint64_t)i;
		columns[i * 2] = column_at(state, first, half ? half : 1);
		columns[i * 2 + 1] =
			half ? column_at(state, first + half, state->zoom - half) : columns[i * 2];
	}
	return columns;
}

void timeline_draw(struct tui_view *view, struct area area)
{
	enum { CELLS_FROM = 14, TALL_FROM = 26 };
	struct timeline *state = timeline_of(view);
	timeline_measure(view, area);
	view_renew(view);
	if (view->trouble[0]) {
		put_text(area, 1, 1, inks[INK_WARN], view->trouble);
		return;
	}
	struct column *columns = columns_of(state);
	int y = 1, most = area.rows - 2;
	for (int i = 0; columns && i < STRIPS && y <= most; i++) {
		if (!state->has[timeline_strips[order[i]].owner])
			continue;
		int rows = area.rows >= TALL_FROM && order[i] != PERFORMANCE && order[i] != STALL
				   ? 2
				   : 1;
		draw_strip(area, y, rows, order[i], columns, state->columns);
		y += rows;
	}
	free(columns);
	if (y <= most)
		draw_marks(state, area, y++);
	timeline_draw_head(state, area);
	timeline_draw_cursor(view, area, y);
	state->has_cells = area.rows >= CELLS_FROM;
	state->in_cells = state->in_cells && state->has_cells;
	if (state->has_cells)
		draw_cells(view, area_part(area, 0, y + 1, area.columns, area.rows - y - 1));
}
