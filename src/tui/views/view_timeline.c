/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The timeline: strips over the frames of the run, a cursor on one frame, and below them the cells
 * that made this frame long (rows of `hitches`). timeline_rows.c reads, timeline_draw.c draws.
 *
 * When the run has gone back, its tables contain no frames ahead of the current one. The view keeps
 * the frames that it has read, and draws them dim until the run reaches them again.
 */
#include "src/tui/screen.h"
#include "src/tui/views/timeline_view.h"
#include "src/tui/views/views.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ZOOM = 4096 };

/* ---- the window and its content ---- */

/* Scrolls to the cursor by whole columns, so that the same frames stay together in a column. */
static void timeline_scroll(struct timeline *state)
{
	uint64_t least = timeline_first_frame(state), columns = (uint64_t)state->columns;
	if (state->zoom == 0) {
		uint64_t n = state->last + 1 > least ? state->last + 1 - least : 1;
		state->zoom = n / columns + 1;
	}
	if (state->frame < state->first)
		state->first = state->frame;
	if (state->frame >= state->first + timeline_window(state))
		state->first = state->frame + state->zoom - timeline_window(state);
	state->first -= state->first % state->zoom;
	if (state->frame >= state->first + timeline_window(state))
		state->first += state->zoom;
}

/* Returns the first and, in *last_ret, the last of the frames in the cursor's column. */
static uint64_t frames_at_cursor(const struct timeline *state, uint64_t *last_ret)
{
	const uint64_t zoom = state->zoom ? state->zoom : 1;
	const uint64_t first = state->frame - (state->frame - state->first) % zoom;
	*last_ret = first + zoom - 1;
	return first;
}

/*
 * Returns the command whose rows are below the strips: the cells that made the cursor's frames long
 * or, without a world, the page events of these frames.
 */
static char *line_of_cells(struct tui_view *view)
{
	const struct timeline *state = timeline_of(view->part_of);
	uint64_t last, first = frames_at_cursor(state, &last);
	char *line;
	int n = view->session->world
			? asprintf(&line, "hitches %s", view->argument)
			: asprintf(&line,
				  "page events -w \"frame BETWEEN %" PRIu64 " AND %" PRIu64 "\"",
				  first, last);
	return n < 0 ? NULL : line;
}

static const struct view_type cells_of_frame = {
	.name = "hitches",
	.title = "Cells",
	.command = "hitches",
	.line = line_of_cells,
	.columns = "ms,bytes,wait,loading,cell,actors,why,frame,event,page,reason",
	.needs_argument = true,
	.empty = "no cell or page was under way in these frames",
};

/* Requests the cells of the frame under the cursor, or of all frames in its column. */
static struct cs_error *ask_for_cells(struct tui_view *view)
{
	const struct timeline *state = timeline_of(view);
	char argument[64];
	uint64_t last, first = frames_at_cursor(state, &last);
	if (state->zoom == 1)
		snprintf(argument, sizeof(argument), "%" PRIu64, state->frame);
	else
		snprintf(argument, sizeof(argument), "--cells -f %" PRIu64 "..%" PRIu64, first,
			last);
	return view_set_argument(view->part, argument);
}

static struct cs_error *open_timeline(struct tui_view *view)
{
	struct timeline *state = timeline_of(view);
	state->kept = calloc(TIMELINE_KEPT, sizeof(*state->kept));
	return state->kept ? NULL : cs_error_nomem();
}

static struct cs_error *timeline_renew(struct tui_view *view)
{
	struct timeline *state = timeline_of(view);
	const void *source;
	const struct cs_table *table = session_table(view->session, "frames", &source);
	if (table && view->session->run.stream)
		timeline_read_frames(view, table, source);
	if (!table || !view->session->run.stream || state->last == 0)
		return cs_error_new(CS_E_NOFRAME, "no frame has run yet: the key . runs one");
	view->part->is_stale = true;
	if (state->columns == 0)
		return NULL; /* the size of the window is unknown before the first drawing */
	timeline_scroll(state);
	struct cs_error *error = timeline_read_marks(view);
	return error ? error : ask_for_cells(view);
}

static void close_timeline(struct tui_view *view)
{
	struct timeline *state = timeline_of(view);
	free(state->kept);
	cs_vec_free(&state->marks);
}

/* ---- moving the cursor ---- */

static void put_cursor(struct tui_view *view, uint64_t frame)
{
	struct timeline *state = timeline_of(view);
	uint64_t least = timeline_first_frame(state);
	state->frame = frame < least ? least : frame > state->last ? state->last : frame;
	view->is_stale = true;
}

static void move_frames(struct tui_view *view, long columns)
{
	struct timeline *state = timeline_of(view);
	uint64_t far = state->zoom * (uint64_t)labs(columns);
	if (columns < 0)
		put_cursor(view, far < state->frame ? state->frame - far : 0);
	else
		put_cursor(
			view, far < state->last - state->frame ? state->frame + far : state->last);
}

/* Moves the cursor from the frames down to the list of cells, in the list, or up to the frames. */
static struct cs_error *move_rows(struct tui_view *view, enum motion motion, long n)
{
	struct timeline *state = timeline_of(view);
	if (!state->in_cells) {
		view_renew(view->part);
		state->in_cells = state->has_cells && n > 0 && view->part->list.n > 0;
		return NULL;
	}
	if (n < 0 && view->part->list.cursor == 0) {
		state->in_cells = false;
		return NULL;
	}
	return view_move(view->part, motion, n);
}

/*
 * Draws the screen if it was never drawn with this view, as in a script: `columns` is then 0, but
 * cursor motions and the zoom that shows all frames depend on it.
 */
static void draw_first(struct tui_view *view)
{
	if (timeline_of(view)->columns == 0)
		screen_draw(view->screen);
}

static struct cs_error *timeline_move(struct tui_view *view, enum motion motion, long n)
{
	struct timeline *state = timeline_of(view);
	draw_first(view);
	if (state->zoom == 0)
		return NULL;
	switch (motion) {
	case MOTION_ROWS:
		return move_rows(view, motion, n);
	case MOTION_COLUMNS:
		move_frames(view, n);
		break;
	case MOTION_PAGES:
		move_frames(view, n * (state->columns > 2 ? state->columns - 1 : 1));
		break;
	case MOTION_HALVES:
		move_frames(view, n * (state->columns > 2 ? state->columns / 2 : 1));
		break;
	case MOTION_FIRST:
		put_cursor(view, 0);
		break;
	case MOTION_LAST:
	case MOTION_LINE_END:
		put_cursor(view, state->last);
		break;
	case MOTION_ROW:
		put_cursor(view, (uint64_t)n + 1);
		break;
	case MOTION_HOME:
		state->in_cells = false;
		put_cursor(view, state->now);
		break;
	}
	return NULL;
}

static void timeline_object(struct tui_view *view, struct object *ret)
{
	struct timeline *state = timeline_of(view);
	if (state->in_cells) {
		view_object(view->part, ret);
		return;
	}
	ret->kind = "frame";
	snprintf(ret->name, sizeof(ret->name), "%" PRIu64, state->frame);
}

static bool timeline_go(struct tui_view *view, const struct object *to)
{
	if (!to->kind || strcmp(to->kind, "frame") != 0)
		return false;
	put_cursor(view, strtoull(to->name, NULL, 10));
	return true;
}

static uint64_t frame(struct tui_view *view)
{
	return timeline_of(view)->frame;
}

/* ---- settings: zoom, pan, search ---- */

static struct cs_error *timeline_set_zoom(struct timeline *state, const char *value)
{
	long zoom = (long)state->zoom;
	if (strcmp(value, "fit") == 0) {
		state->first = 0;
		state->zoom = 0;
		return NULL;
	}
	if (strcmp(value, "in") == 0)
		zoom = (zoom + 1) / 2;
	else if (strcmp(value, "out") == 0)
		zoom *= 2;
	else if (!view_read_numbers(value, 1, &zoom))
		zoom = 0;
	if (zoom > MOST_ZOOM && strcmp(value, "out") == 0)
		return cs_error_new(CS_E_USAGE, "the timeline cannot be zoomed further out");
	if (zoom < 1 || zoom > MOST_ZOOM)
		return cs_error_new(CS_E_USAGE,
			"zoom must be in, out, fit, or 1 to %d frames a column, not '%s'",
			MOST_ZOOM, value);
	state->zoom = (uint64_t)zoom;
	uint64_t half = timeline_window(state) / 2;
	state->first = state->frame > half ? state->frame - half : 0;
	return NULL;
}

/* Moves the cursor to the most expensive frame of the window. */
static struct cs_error *go_to_worst(struct tui_view *view)
{
	struct timeline *state = timeline_of(view);
	struct row_set rows;
	char line[96];
	snprintf(line, sizeof(line), "hitches -f %" PRIu64 "..%" PRIu64 " -n 1", state->first,
		state->first + timeline_window(state) - 1);
	struct cs_error *error = row_set_of(view->session, line, true, &rows);
	if (!error && (rows.n_rows == 0 || !cs_table_column(&rows.table, "frame")))
		error = cs_error_new(CS_E_MISSING,
			"no frame that the timeline shows has a cost (ms of work or of waiting)");
	if (!error)
		put_cursor(view, timeline_frame_of_row(&rows.table, &rows, 0));
	row_set_free(&rows);
	return error;
}

/* Moves the cursor to the next or previous frame for which an SQL expression is true. */
static struct cs_error *search(struct tui_view *view, const char *value)
{
	struct timeline *state = timeline_of(view);
	const bool backward = strcmp(value, "-") == 0;
	const void *source;
	const struct cs_table *frames = session_table(view->session, "frames", &source);
	uint32_t *rows;
	size_t n;
	if (!frames)
		return session_no_table(view->session, "frames");
	if (*value && !backward) {
		free(view->list.search);
		view->list.search = strdup(value);
		if (!view->list.search)
			return cs_error_nomem();
	}
	const struct cs_listing listing = {.where = view->list.search
							    ? view->list.search
							    : "stall > 0 OR performance <> 'good'",
		.scope = backward ? "frame < $scope" : "frame > $scope",
		.scope_value = cs_integer((int64_t)state->frame),
		.sort = backward ? "-frame" : "frame",
		.limit = 1,
		.variables = session_variables(view->session)};
	struct cs_error *error = cs_query_rows(view->session->query, frames, &listing, &rows, &n);
	if (error)
		return error;
	if (n)
		put_cursor(view, (uint64_t)cs_table_get(
					 frames, source, rows[0], cs_table_column(frames, "frame"))
					 .integer);
	else
		error = cs_error_new(CS_E_MISSING, "no frame %s this one fulfils the condition",
			backward ? "before" : "after");
	free(rows);
	return error;
}

static struct cs_error *timeline_pan(struct tui_view *view, const char *value)
{
	enum { MOST = 10000 };
	long by[2];
	if (!view_read_numbers(value, 2, by) || labs(by[0]) > MOST)
		return cs_error_new(CS_E_USAGE,
			"pan needs X,Y, with X columns to the right, -%d to %d (Y has no effect "
			"here), not '%s'",
			MOST, MOST, value);
	move_frames(view, by[0]);
	return NULL;
}

static struct cs_error *timeline_set(struct tui_view *view, const char *what, const char *value)
{
	struct timeline *state = timeline_of(view);
	draw_first(view);
	view_renew(view);
	if (view->trouble[0])
		return cs_error_new(CS_E_NOFRAME, "%s", view->trouble);
	view->is_stale = true;
	if (strcmp(what, "zoom") == 0)
		return timeline_set_zoom(state, value);
	if (strcmp(what, "pan") == 0)
		return timeline_pan(view, value);
	if (strcmp(what, "search") == 0)
		return strcmp(value, "worst") == 0 ? go_to_worst(view) : search(view, value);
	return list_set(view->part, what, value);
}

static const struct key keys[] = {
	{"x", "view search worst", "Worst", "most expensive of the frames on the screen"},
	{"}", "view search", "Next", "next frame that stalls, is not good, or has the search text"},
	{"{", "view search -", "Before", "frame before that does so"},
	{"+", "view zoom in", "Zoom", "fewer frames a column", NULL, "+ -"},
	{"=", "view zoom in", NULL, "the same"},
	{"-", "view zoom out", NULL, "more frames a column"},
	{"[", "view zoom out", NULL, "more frames a column"},
	{"]", "view zoom in", NULL, "fewer frames a column"},
	{"z", "view zoom fit", NULL, "all frames"},
	{"H", "view cursor page-up", NULL, "a window to the left"},
	{"L", "view cursor page-down", NULL, "a window to the right"},
	{0},
};

const struct view_type view_timeline = {
	.name = "timeline",
	.title = "Timeline",
	.help = "loads, waiting, memory, work and stalls, frame by frame",
	.is_of_time = true,
	.keys = keys,
	.is_bare = true,
	.state_size = sizeof(struct timeline),
	.part = &cells_of_frame,
	.open = open_timeline,
	.renew = timeline_renew,
	.draw = timeline_draw,
	.object = timeline_object,
	.move = timeline_move,
	.go = timeline_go,
	.set = timeline_set,
	.frame = frame,
	.close = close_timeline,
};
