/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The timeline: strips over the frames of the run, a cursor on one of them, and below the cells
 * that made it long. The numbers are those of the table `frames`, marks those of `events`, the
 * cells the rows of `hitches`. Where a column has several frames it shows the highest, for peaks
 * are what one looks for.
 *
 * A run that went back has no record of what lies ahead; the view keeps what it has seen of that
 * and draws it dim, until the run comes there again.
 */
#include "core/search.h"
#include "src/tui/paint.h"
#include "src/tui/screen.h"
#include "src/tui/views.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
enum { KEPT = 8192, MOST_ZOOM = 4096, LABEL = 9, WIDE = 16, NARROW = 9, MOST_MARKS = 4096 };

/* What is read of a frame. */
enum number {
	LOADS,
	WAITING,
	LOADING,
	BYTES,
	WORK,
	STALL,
	PERFORMANCE,
	/* as they were recorded, along a path of the engine's profiler */
	REAL_FRAME,
	REAL_SHOW,
	REAL_CONSIDERED,
	REAL_QUEUED,
	/* of the pages of Nanite resources */
	PAGES_MISSING,
	PAGES_LOADING,
	PAGES_EVICTED,
	PAGES_USED,
	PAGES_WORST,
	NUMBERS
};

/* Who has a number. */
enum owner { OF_WORLD, OF_PROFILE, OF_PAGES };

static const struct strip {
	const char *label, *key;
	double unit; /* of the column, in that of the strip */
	/* on the right, around the highest of the window */
	const char *before, *behind;
	int decimals;
	enum owner owner;
} strips[NUMBERS] = {
	[LOADS] = {"loads", "loads", 1, "peak ", "", 0},
	[WAITING] = {"waiting", "waiting", 1, "peak ", "", 0},
	[LOADING] = {"loading", "loading", 1, "peak ", "", 0},
	[BYTES] = {"MiB", "bytes", 1.0 / (1 << 20), "peak ", "", 1},
	[WORK] = {"show ms", "work", 1, "peak ", "", 1},
	[STALL] = {"stalls", "stall", 1, "longest ", " ms", 0},
	[REAL_FRAME] = {"real ms", "recorded_frame_time", 1, "peak ", "", 1, OF_PROFILE},
	[REAL_SHOW] = {"real upd", "recorded_level_streaming", 1, "peak ", "", 2, OF_PROFILE},
	[REAL_CONSIDERED] = {"real lvl", "recorded_considered", 1, "peak ", "", 0, OF_PROFILE},
	[REAL_QUEUED] = {"real que", "recorded_queued", 1, "peak ", "", 0, OF_PROFILE},
	[PAGES_MISSING] = {"pages -", "missing", 1, "missing ", "", 0, OF_PAGES},
	[PAGES_LOADING] = {"pages ~", "loading", 1, "loading ", "", 0, OF_PAGES},
	[PAGES_EVICTED] = {"pages x", "evicted", 1, "evicted ", "", 0, OF_PAGES},
	[PAGES_USED] = {"pool", "used", 1, "used ", "", 0, OF_PAGES},
	[PAGES_WORST] = {"error px", "worst", 1, "worst ", "", 2, OF_PAGES},
	[PERFORMANCE] = {"perf", "performance", 1, "S slow C crit", NULL, 0},
};

/*
 * The strips in their order, the first to stay where there is little room. What was recorded stands
 * below what it is to be held against, and only where any of it was.
 */
static const enum number order[] = {LOADS, WAITING, WORK, REAL_SHOW, PERFORMANCE, STALL,
	PAGES_MISSING, PAGES_LOADING, PAGES_EVICTED, PAGES_USED, PAGES_WORST, REAL_FRAME, BYTES,
	LOADING, REAL_QUEUED, REAL_CONSIDERED};

enum { STRIPS = sizeof(order) / sizeof(order[0]), CURVES = 4 };

struct sample {
	uint64_t frame; /* 0 = none */
	double at[NUMBERS];
};

/* A change of a layer, or a hit of a stop. */
struct mark {
	uint64_t frame;
	char text[48];
};

struct timeline {
	struct sample *kept; /* by frame % KEPT */
	uint64_t now;        /* of the run when it was read last */
	uint64_t last;       /* that was ever read */
	uint64_t frame;      /* of the cursor */
	uint64_t first;      /* of the window */
	uint64_t zoom;       /* frames a column; 0 = all of them fit */
	int columns;
	bool has[OF_PAGES + 1];    /* a frame that was read has numbers of that owner */
	CS_VEC(struct mark) marks; /* of the window */
	struct tui_view *cells;    /* what the frames of the cursor's column cost */
	bool in_cells;             /* the cursor is there */
	bool has_cells;            /* there is room for them */
};

static struct timeline *timeline_of(const struct tui_view *view)
{
	return view->state;
}

/* ---- reading ---- */

static const struct sample *sample_at(const struct timeline *state, uint64_t frame)
{
	const struct sample *sample = &state->kept[frame % KEPT];
	return frame > 0 && sample->frame == frame ? sample : NULL;
}

static double timeline_number_of(const struct cs_value *value)
{
	static const char *const performances[] = {"good", "slow", "critical", "immediate"};
	if (value->kind == CS_KIND_INTEGER)
		return (double)value->integer;
	if (value->kind == CS_KIND_NUMBER)
		return value->number;
	for (int i = 0; value->kind == CS_KIND_TEXT && i < 4; i++)
		if (strcmp(value->text, performances[i]) == 0)
			return i;
	return 0;
}

/* What one of the tables has of a frame. */
static void read_sample(struct timeline *state, const struct cs_table *table, const void *source,
	size_t row, bool of_pages)
{
	const struct cs_column *frame = cs_table_column(table, "frame");
	struct cs_value number = cs_table_get(table, source, row, frame);
	struct sample *sample = &state->kept[(uint64_t)number.integer % KEPT];
	if (sample->frame != (uint64_t)number.integer)
		*sample = (struct sample){.frame = (uint64_t)number.integer};
	for (int i = 0; i < NUMBERS; i++) {
		const struct cs_column *column = cs_table_column(table, strips[i].key);
		if ((strips[i].owner == OF_PAGES) != of_pages || !column)
			continue;
		struct cs_value value = cs_table_get(table, source, row, column);
		sample->at[i] = timeline_number_of(&value) * strips[i].unit;
		state->has[strips[i].owner] |= value.kind != CS_KIND_NULL;
	}
}

/* The last rows of a table, as many as frames have run since. */
static void read_rows(
	struct tui_view *view, const struct cs_table *table, const void *source, bool of_pages)
{
	struct timeline *state = timeline_of(view);
	uint64_t now = cs_stream_status(view->session->run.stream).frame;
	size_t n = table->count(source);
	uint64_t unread = now > state->now ? now - state->now : 0;
	unread = unread < n ? unread : n;
	unread = unread < KEPT ? unread : KEPT;
	for (size_t i = n - unread; i < n; i++)
		read_sample(state, table, source, i, of_pages);
}

/* The frames that have run since. */
static void read_frames(struct tui_view *view, const struct cs_table *table, const void *source)
{
	struct timeline *state = timeline_of(view);
	uint64_t now = cs_stream_status(view->session->run.stream).frame;
	const void *pager;
	const struct cs_table *pages = view->session->run.pager
					       ? session_table(view->session, "page_frames", &pager)
					       : NULL;
	read_rows(view, table, source, false);
	if (pages)
		read_rows(view, pages, pager, true);
	state->has[OF_WORLD] = view->session->world;
	if (state->frame == state->now || state->frame == 0)
		state->frame = now;
	state->now = now;
	state->last = now > state->last ? now : state->last;
}

static uint64_t first_frame(const struct timeline *state)
{
	return state->last > KEPT ? state->last - KEPT + 1 : 1;
}

/* ---- marks ---- */

static uint64_t frame_of_event(const struct cs_table *table, const void *source, size_t row)
{
	struct cs_value value = cs_table_get(table, source, row, cs_table_column(table, "frame"));
	return value.kind == CS_KIND_INTEGER ? (uint64_t)value.integer : 0;
}

static size_t first_event(const struct cs_table *table, const void *source, uint64_t frame)
{
	size_t n = table->count(source);
	return cs_lower_bound(0, n, row, frame_of_event(table, source, row) < frame);
}

static const char *text_of(
	const struct cs_table *table, const void *source, size_t row, const char *key)
{
	const struct cs_column *column = cs_table_column(table, key);
	struct cs_value value = column ? cs_table_get(table, source, row, column) : cs_null();
	return value.kind == CS_KIND_TEXT && value.text ? value.text : "";
}

/* Events lie in the order of their frames: those of the window alone are looked at. */
static struct cs_error *read_marks(struct tui_view *view)
{
	struct timeline *state = timeline_of(view);
	const void *source;
	const struct cs_table *table = session_table(view->session, "events", &source);
	uint64_t end = state->first + state->zoom * (uint64_t)state->columns;
	state->marks.n = 0;
	if (!table)
		return NULL;
	size_t n = table->count(source);
	for (size_t i = first_event(table, source, state->first);
		i < n && state->marks.n < MOST_MARKS; i++) {
		struct mark mark = {.frame = frame_of_event(table, source, i)};
		if (mark.frame >= end)
			break;
		if (strcmp(text_of(table, source, i, "event"), "layer.change") != 0)
			continue;
		snprintf(mark.text, sizeof(mark.text), "%.30s %.12s",
			text_of(table, source, i, "layer"), text_of(table, source, i, "to"));
		if (!cs_vec_push(&state->marks, mark))
			return cs_error_nomem();
	}
	return NULL;
}

/* ---- the window ---- */

static uint64_t window(const struct timeline *state)
{
	return state->zoom * (uint64_t)state->columns;
}

/* Columns begin at multiples of the zoom, so that peaks stand still while time runs. */
static void timeline_scroll(struct timeline *state)
{
	uint64_t least = first_frame(state), columns = (uint64_t)state->columns;
	if (state->zoom == 0) {
		uint64_t n = state->last + 1 > least ? state->last + 1 - least : 1;
		state->zoom = n / columns + 1;
	}
	if (state->frame < state->first)
		state->first = state->frame;
	if (state->frame >= state->first + window(state))
		state->first = state->frame + state->zoom - window(state);
	state->first -= state->first % state->zoom;
	if (state->frame >= state->first + window(state))
		state->first += state->zoom;
}

static uint64_t column_of(const struct timeline *state, uint64_t frame)
{
	return (frame - state->first) / state->zoom;
}

/* Of resources alone there are no cells, but what became of pages. */
static char *line_of_cells(struct tui_view *view)
{
	const struct timeline *state = timeline_of(view->part_of);
	uint64_t first = state->frame - (state->frame - state->first) % state->zoom;
	char *line;
	int n = view->session->world
			? asprintf(&line, "hitches %s", view->argument)
			: asprintf(&line,
				  "page events -w \"frame BETWEEN %" PRIu64 " AND %" PRIu64 "\"",
				  first, first + state->zoom - 1);
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

/* One frame, or all that share its column. */
static struct cs_error *ask_for_cells(struct timeline *state)
{
	char argument[64];
	uint64_t first = state->frame - (state->frame - state->first) % state->zoom;
	if (state->zoom == 1)
		snprintf(argument, sizeof(argument), "%" PRIu64, state->frame);
	else
		snprintf(argument, sizeof(argument), "--cells -f %" PRIu64 "..%" PRIu64, first,
			first + state->zoom - 1);
	return view_set_argument(state->cells, argument);
}

static struct cs_error *open_timeline(struct tui_view *view)
{
	struct timeline *state = timeline_of(view);
	state->kept = calloc(KEPT, sizeof(*state->kept));
	if (!state->kept)
		return cs_error_nomem();
	return view_new_part(view, &cells_of_frame, "", &state->cells);
}

static struct cs_error *timeline_renew(struct tui_view *view)
{
	struct timeline *state = timeline_of(view);
	const void *source;
	const struct cs_table *table = session_table(view->session, "frames", &source);
	if (!table || !view->session->run.stream || (table->count(source) == 0 && state->last == 0))
		return cs_error_new(CS_E_NOFRAME, "nothing has run yet; . runs a frame");
	read_frames(view, table, source);
	state->cells->is_stale = true;
	if (state->columns == 0)
		return NULL; /* before it has been drawn nobody knows how much is seen */
	timeline_scroll(state);
	struct cs_error *error = read_marks(view);
	return error ? error : ask_for_cells(state);
}

static void close_timeline(struct tui_view *view)
{
	struct timeline *state = timeline_of(view);
	free(state->kept);
	cs_vec_free(&state->marks);
	view_free(state->cells);
}

/* ---- the cursor ---- */

static void put_cursor(struct tui_view *view, uint64_t frame)
{
	struct timeline *state = timeline_of(view);
	uint64_t least = first_frame(state);
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

/* Down goes into the cells, up from the first of them back to the frames. */
static struct cs_error *move_rows(struct tui_view *view, enum motion motion, long n)
{
	struct timeline *state = timeline_of(view);
	if (!state->in_cells) {
		view_renew(state->cells);
		state->in_cells = state->has_cells && n > 0 && state->cells->list.n > 0;
		return NULL;
	}
	if (n < 0 && state->cells->list.cursor == 0) {
		state->in_cells = false;
		return NULL;
	}
	return view_move(state->cells, motion, n);
}

static struct cs_error *timeline_move(struct tui_view *view, enum motion motion, long n)
{
	struct timeline *state = timeline_of(view);
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
		view_object(state->cells, ret);
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

/* ---- what is asked for ---- */

static struct cs_error *timeline_set_zoom(struct timeline *state, const char *value)
{
	uint64_t zoom = state->zoom;
	if (strcmp(value, "fit") == 0) {
		state->first = 0;
		state->zoom = 0;
		return NULL;
	}
	if (strcmp(value, "in") == 0)
		zoom = (zoom + 1) / 2;
	else if (strcmp(value, "out") == 0)
		zoom *= 2;
	else
		zoom = strtoull(value, NULL, 10);
	if (zoom < 1 || zoom > MOST_ZOOM)
		return cs_error_new(
			CS_E_USAGE, "zoom is in, out, fit, or 1 to %d frames a column", MOST_ZOOM);
	state->zoom = zoom;
	uint64_t half = window(state) / 2;
	state->first = state->frame > half ? state->frame - half : 0;
	return NULL;
}

/* The dearest frame of the window. */
static struct cs_error *go_to_worst(struct tui_view *view)
{
	struct timeline *state = timeline_of(view);
	struct row_set rows;
	char line[96];
	snprintf(line, sizeof(line), "hitches -f %" PRIu64 "..%" PRIu64 " -n 1", state->first,
		state->first + window(state) - 1);
	struct cs_error *error = row_set_of(view->session, line, &rows);
	if (!error && (rows.n_rows == 0 || !cs_table_column(&rows.table, "frame")))
		error = cs_error_new(CS_E_MISSING, "no frame of these cost anything");
	if (!error)
		put_cursor(view, frame_of_event(&rows.table, &rows, 0));
	row_set_free(&rows);
	return error;
}

/* The next frame, or the one before, for which an expression over `frames` holds. */
static struct cs_error *search(struct tui_view *view, const char *value)
{
	struct timeline *state = timeline_of(view);
	bool backward = strcmp(value, "-") == 0;
	struct cs_result *result;
	char *sql;
	if (*value && !backward) {
		free(view->list.search);
		view->list.search = strdup(value);
		if (!view->list.search)
			return cs_error_nomem();
	}
	if (asprintf(&sql, "SELECT %s(frame) FROM frames WHERE frame %s %" PRIu64 " AND (\n%s\n)",
		    backward ? "max" : "min", backward ? "<" : ">", state->frame,
		    view->list.search ? view->list.search : "stall > 0 OR performance <> 'good'") <
		0)
		return cs_error_nomem();
	struct cs_error *error = cs_query_select(
		view->session->query, sql, session_variables(view->session), &result);
	free(sql);
	if (error)
		return error;
	struct cs_value found = cs_result_value(result, 0, 0);
	if (found.kind == CS_KIND_INTEGER)
		put_cursor(view, (uint64_t)found.integer);
	else
		error = cs_error_new(
			CS_E_MISSING, "no such frame %s this one", backward ? "before" : "behind");
	cs_result_free(result);
	return error;
}

static struct cs_error *timeline_pan(struct tui_view *view, const char *value)
{
	long x;
	if (sscanf(value, "%ld", &x) != 1 || x < -10000 || x > 10000)
		return cs_error_new(CS_E_USAGE, "write pan X,Y: columns to the right");
	move_frames(view, x);
	return NULL;
}

static struct cs_error *timeline_set(struct tui_view *view, const char *what, const char *value)
{
	struct timeline *state = timeline_of(view);
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
	return list_set(state->cells, what, value);
}

/* ---- drawing ---- */

struct column {
	double at[NUMBERS];
	bool any, ahead; /* of where the run stands */
};

static struct column column_at(const struct timeline *state, uint64_t first, uint64_t n)
{
	struct column column = {.ahead = first > state->now};
	for (uint64_t frame = first; frame < first + n; frame++) {
		const struct sample *sample = sample_at(state, frame);
		column.any = column.any || sample;
		for (int i = 0; sample && i < NUMBERS; i++)
			column.at[i] = fmax(column.at[i], sample->at[i]);
	}
	return column;
}

/* For what stands to the right of the strips. */
static int right_columns(struct area area)
{
	return area.columns < 60 ? NARROW : WIDE;
}

static void draw_label(struct area area, int y, enum number number, double peak)
{
	const struct strip *strip = &strips[number];
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

/* Performance and stalls are letters: which, not how much. */
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
	if (column->ahead)
		return inks[INK_DIM];
	return inks[number == WAITING || number == PAGES_MISSING ? INK_WARN
		    : strips[number].owner == OF_PROFILE         ? INK_GOOD
								 : INK_BLUE];
}

static double peak_of(const struct column *columns, int n, enum number number)
{
	double peak = 0;
	for (int i = 0; i < n; i++)
		peak = fmax(peak, columns[i].at[number]);
	return peak;
}

/* `columns` are two for each place. */
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
		put_text(area, LABEL + (int)column_of(state, mark->frame), y, inks[INK_MARK], "L");
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
	int x = LABEL + (int)column_of(state, state->frame);
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
		state->first + window(state) - 1);
	char text[48];
	int n = snprintf(text, sizeof(text), "1 column = %" PRIu64 " frame%s", state->zoom,
		state->zoom == 1 ? "" : "s");
	if (n + 36 < area.columns)
		put_text(area, area.columns - n - 1, 0, inks[INK_DIM], text);
}

/* What the frame was, in numbers of its record. */
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
	state->cells->is_active = state->in_cells;
	view_draw(state->cells, area_part(area, 0, 2, area.columns, area.rows - 2));
}

/* Another width is another window. */
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

static void timeline_draw(struct tui_view *view, struct area area)
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
		if (!state->has[strips[order[i]].owner])
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

static const struct key keys[] = {
	{"x", "search worst", "Worst", "the dearest frame of those that are seen"},
	{"}", "search", "Next", "the next frame that stalls or is not good, or was searched"},
	{"{", "search -", "Before", "the one before"},
	{"+", "zoom in", "Zoom", "fewer frames a column", NULL, "+ -"},
	{"=", "zoom in", NULL, "the same"},
	{"-", "zoom out", NULL, "more frames a column"},
	{"[", "zoom out", NULL, "more frames a column"},
	{"]", "zoom in", NULL, "fewer frames a column"},
	{"z", "zoom fit", NULL, "all frames"},
	{"H", "cursor page-up", NULL, "a window to the left"},
	{"L", "cursor page-down", NULL, "a window to the right"},
	{0},
};

const struct view_type view_timeline = {
	.name = "timeline",
	.title = "Timeline",
	.help = "loads, waiting, memory, work and stalls, frame by frame",
	.is_of_time = true,
	.keys = keys,
	.is_bare = true,
	.room = ROOM_ALL_BUT_WIDE,
	.state_size = sizeof(struct timeline),
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
