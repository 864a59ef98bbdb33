/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The view of the queue: the cells that should load but have not yet, in the order in which
 * streaming loads them, with the sort keys of that order; and the slots of the load budget as
 * lanes, each with the cell that it loads. Both are read from the rows of the command `queue`.
 */
#include "src/tui/screen.h"
#include "src/tui/terminal/paint.h"
#include "src/tui/views/views.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_LANES = 64 };

struct queue {
	size_t lanes[MOST_LANES]; /* for each slot of the load budget, the list row of its cell */
	size_t n_lanes;
};

static int64_t whole_of(const struct list *list, size_t index, const char *key)
{
	struct cs_value value = list_value(list, index, key);
	return value.kind == CS_KIND_INTEGER ? value.integer : 0;
}

static struct cs_error *view_queue_renew(struct tui_view *view)
{
	struct queue *state = view->state;
	struct cs_error *error = list_renew(view);
	state->n_lanes = 0;
	for (size_t i = 0; !error && i < view->list.n && state->n_lanes < MOST_LANES; i++)
		if (strcmp(list_text(&view->list, i, "level_state"), "loading") == 0)
			state->lanes[state->n_lanes++] = i;
	return error;
}

/* ---- lanes: slots of the load budget ---- */

static void draw_lane(struct tui_view *view, struct area area, int y, size_t lane)
{
	enum { NAME = 6, BAR = 20 };
	const struct queue *state = view->state;
	const struct list *list = &view->list;
	size_t row = state->lanes[lane];
	int64_t bytes = whole_of(list, row, "bytes"), left = whole_of(list, row, "bytes_left");
	for (int i = 0; i < BAR; i++)
		put_glyph(area, NAME + i, y, inks[INK_DIM], GLYPH_EMPTY);
	if (bytes > 0)
		put_bar(area, NAME, y, BAR, (double)(bytes - left) / (double)bytes, inks[INK_BLUE]);
	int x = NAME + BAR + 2;
	x += put_text(area_part(area, x, y, 30, 1), 0, 0, inks[INK_NORMAL],
		     list_text(list, row, "cell")) +
	     2;
	put_format(area, x, y, inks[INK_DIM], "%.1f of %.1f MiB  done in %" PRId64,
		(double)(bytes - left) / (1 << 20), (double)bytes / (1 << 20),
		whole_of(list, row, "done_in"));
}

/* Draws a lane for each slot of the load budget; without a budget, for each loading cell. */
static void draw_lanes(struct tui_view *view, struct area area, size_t slots)
{
	const struct queue *state = view->state;
	put_line_across(area, 0, inks[INK_LINE]);
	for (int y = 1; y < area.rows && (size_t)y <= slots; y++) {
		put_format(area, 1, y, inks[INK_TITLE], "%3d", y);
		if ((size_t)y <= state->n_lanes)
			draw_lane(view, area, y, (size_t)y - 1);
		else
			put_text(area, 6, y, inks[INK_DIM], "free");
	}
}

static size_t slots_of(const struct tui_view *view)
{
	const struct queue *state = view->state;
	const struct cs_stream *stream = view->session->run.stream;
	const struct cs_stream_status status =
		stream ? cs_stream_status(stream) : (struct cs_stream_status){0};
	size_t slots = status.budget == UINT32_MAX ? 0 : (size_t)status.loading + status.budget;
	return slots > state->n_lanes ? slots : state->n_lanes;
}

static void view_queue_draw(struct tui_view *view, struct area area)
{
	enum { LANES_FROM = 12 };
	size_t slots = slots_of(view);
	int room = area.rows >= LANES_FROM ? area.rows / 3 : 0;
	int lanes = room > 1 ? ((int)slots + 1 < room ? (int)slots + 1 : room) : 0;
	if (view->list.n == 0)
		put_text(area, 1, 1, inks[INK_DIM], "every wanted cell is loaded");
	else
		list_draw(view, area_part(area, 0, 0, area.columns, area.rows - lanes));
	if (lanes > 0)
		draw_lanes(view, area_part(area, 0, area.rows - lanes, area.columns, lanes), slots);
}

static const struct key keys[] = {
	{"y", "view why %o", "Why", "explain why the cell waits, and for whom"},
	{"B", ":wp.Runtime.MaxLoadingStreamingCells ", "Budget", "how many may load at once"},
	{"L", "view layers", NULL, "the data layers"},
	{0},
};

const struct view_type view_queue = {
	.name = "queue",
	.title = "Queue",
	.help = "cells that are wanted and not there, in order, with the slots of the budget",
	.command = "queue --horizon 240",
	.columns = "rank,short_name,source,level,priority,spatial,decided_by,starts_in,done_in",
	.is_of_time = true,
	.keys = keys,
	.state_size = sizeof(struct queue),
	.renew = view_queue_renew,
	.draw = view_queue_draw,
};
