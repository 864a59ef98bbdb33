/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The map view, which draws the cells of a grid level to scale. A place of the map is two columns
 * wide and shows one or more cells; the library (cellscope/query.h) decides what it shows. The view
 * itself adds the window, the cursor in cell coordinates, and drawings over the cells, such as
 * ranges and headings of sources.
 */
#include "src/tui/screen.h"
#include "src/tui/terminal/paint.h"
#include "src/tui/views/map_view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LABEL_LEAST = 4, MOST_ZOOM = 1 << 20, SHARES = 4 };

/* ---- the window and its content ---- */

/* Returns whether the console's filters wp.Runtime.DebugFilter... let the map show a cell. */
static bool passes_filter(const void *context, uint32_t cell)
{
	const struct session *session = context;
	const struct cs_map_filter filter = view_filter(&session->view);
	const struct cs_map_request request = {
		.world = session->world, .stream = session->run.stream};
	return cs_map_filter_shows(&filter, &request, cell);
}

struct cs_map_request map_request(const struct tui_view *view)
{
	const struct map_view *state = map_state_of(view);
	const struct session *session = view->session;
	return (struct cs_map_request){.world = session->world,
		.stream = session->run.stream,
		.grid = state->grid,
		.level = state->level,
		.overlay = state->overlay,
		.zoom = state->zoom,
		.columns = (uint64_t)(state->columns > 0 ? state->columns : 1),
		.rows = (uint64_t)(state->rows > 0 ? state->rows : 1),
		.window = !state->fits,
		.x0 = state->x0,
		.y0 = state->y0,
		.sources = true,
		.all_levels = state->all_levels,
		.sorted = state->sorted.index,
		.given = state->given,
		.given_keys = state->given_keys,
		.n_given_keys = state->n_given_keys,
		/* The window fits the whole level, even if no cell of it passes the filters. */
		.shows = !state->fits && view_has_filter(&session->view) ? passes_filter : NULL,
		.context = session};
}

static void drop_map(struct map_view *state)
{
	if (state->has_map)
		cs_map_deinit(&state->map);
	state->has_map = false;
}

/* Creates the index of cells again if the world, grid or level has changed. */
static struct cs_error *sort_cells(struct tui_view *view)
{
	struct map_view *state = map_state_of(view);
	const struct cs_cooked *world = view->session->world;
	if (state->sorted.index && state->sorted.world == world &&
		state->sorted.grid == state->grid && state->sorted.level == state->level)
		return NULL;
	cs_map_index_free(state->sorted.index);
	state->sorted.index = NULL;
	state->sorted.world = world;
	state->sorted.grid = state->grid;
	state->sorted.level = state->level;
	snprintf(state->sorted.grid_name, sizeof(state->sorted.grid_name), "%s",
		cs_cooked_text(world, world->partitions[state->grid].name));
	drop_map(state);
	return cs_map_index_new(world, state->grid, state->level, &state->sorted.index);
}

/* Draws the map in the window; if the window has not moved, only the cells that changed. */
static struct cs_error *draw_window(struct tui_view *view)
{
	struct map_view *state = map_state_of(view);
	struct cs_error *error = sort_cells(view);
	const struct cs_map_request request = map_request(view);
	if (error)
		return error;
	/* a picture that a filter has thinned out cannot be completed: it is drawn anew */
	if (state->sorted.is_filtered || request.shows)
		drop_map(state);
	state->sorted.is_filtered = request.shows;
	if (state->has_map && state->map.states && !state->fits) {
		for (size_t i = 0; i < state->map.columns * state->map.rows; i++)
			state->map.places[i].marks &= (uint8_t)~MAP_MARK_STOP;
		error = cs_map_redraw(&request, &state->map);
	} else {
		drop_map(state);
		error = cs_map_draw(&request, &state->map);
	}
	if (error)
		drop_map(state);
	state->has_map = !error;
	if (!error)
		map_mark_stops(view);
	return error;
}

/* Computes how many columns and rows of cells fit. Returns whether this changed. */
static bool resize(struct map_view *state)
{
	const int side = (int)state->inside.side;
	int columns = state->inside.wide / side, rows = state->inside.high / side;
	bool is_other = columns != state->columns || rows != state->rows;
	state->columns = columns > 0 ? columns : 1;
	state->rows = rows > 0 ? rows : 1;
	return is_other;
}

/*
 * Draws each place as the largest square, 1, 2 or LARGEST characters wide, with which all places
 * fit.
 */
static void enlarge(struct tui_view *view)
{
	enum { LARGEST = 4 };
	struct map_view *state = map_state_of(view);
	unsigned side = 1;
	const size_t wide = state->inside.wide > 0 ? (size_t)state->inside.wide : 0,
		     high = state->inside.high > 0 ? (size_t)state->inside.high : 0;
	while (side < LARGEST && state->map.columns * side * 2 <= wide &&
		state->map.rows * side * 2 <= high)
		side *= 2;
	state->inside.side = side;
	resize(state);
}

/* Chooses zoom and position of the window so that the whole level is centred in it. */
static struct cs_error *fit(struct tui_view *view)
{
	struct map_view *state = map_state_of(view);
	state->zoom = 0;
	state->inside.side = 1;
	resize(state);
	struct cs_error *error = draw_window(view);
	if (error)
		return error;
	int64_t zoom = (int64_t)state->map.zoom;
	state->zoom = state->map.zoom;
	if (zoom == 1)
		enlarge(view);
	state->x0 = state->map.x0 - (state->columns - (int64_t)state->map.columns) / 2 * zoom;
	state->y0 = state->map.y0 - (state->rows - (int64_t)state->map.rows) / 2 * zoom;
	state->fits = state->is_moved = false;
	return NULL;
}

/* Moves the cursor to the cell nearest to the window's middle, or to the middle if none is near. */
static void choose_cursor(struct tui_view *view)
{
	struct map_view *state = map_state_of(view);
	state->x = state->x0 + state->columns / 2 * (int64_t)state->zoom;
	state->y = state->y0 + state->rows / 2 * (int64_t)state->zoom;
	int64_t best = INT64_MAX;
	int64_t middle_x = state->columns / 2, middle_y = state->rows / 2;
	for (size_t i = 0; i < state->map.columns * state->map.rows; i++) {
		int64_t x = (int64_t)(i % state->map.columns),
			y = (int64_t)(i / state->map.columns);
		int64_t far = (x - middle_x) * (x - middle_x) + (y - middle_y) * (y - middle_y);
		if (state->map.places[i].cells == 0 || far >= best)
			continue;
		best = far;
		state->x = state->x0 + x * (int64_t)state->zoom;
		state->y = state->y0 + y * (int64_t)state->zoom;
	}
}

size_t map_place_at(const struct map_view *state, int64_t x, int64_t y)
{
	int64_t zoom = (int64_t)state->zoom;
	if (!state->has_map || x < state->x0 || y < state->y0)
		return SIZE_MAX;
	int64_t column = (x - state->x0) / zoom, row = (y - state->y0) / zoom;
	if (column >= (int64_t)state->map.columns || row >= (int64_t)state->map.rows)
		return SIZE_MAX;
	return (size_t)row * state->map.columns + (size_t)column;
}

/* Returns whether the cursor is on a cell; if so, refitting the window does not move the cursor. */
static bool has_cursor(const struct map_view *state)
{
	size_t place = map_place_at(state, state->x, state->y);
	return place != SIZE_MAX && state->map.places[place].cells > 0;
}

static struct cs_error *map_check_world(const struct session *session)
{
	if (!session->world)
		return cs_error_new(CS_E_NOTOPEN, "no world is open: type : and open FILE");
	if (session->world->n_partitions == 0)
		return cs_error_new(CS_E_NOGRID,
			"the world has no grids, so there is no map to draw: `view cells` lists "
			"its cells");
	return NULL;
}

static struct cs_error *prepare_map(struct tui_view *view)
{
	struct map_view *state = map_state_of(view);
	bool fits = state->fits;
	if (!state->is_set) {
		state->grid = cs_map_default_grid(view->session->world);
		state->level = cs_map_default_level(view->session->world, state->grid);
		state->is_set = fits = state->fits = true;
	}
	struct cs_error *error = NULL;
	if (state->line && state->read_at != view->screen->changes + 1) {
		bool is_new = state->read_at == 0;
		error = map_read_rows(view);
		state->read_at = error ? 0 : view->screen->changes + 1;
		if (!error)
			map_go_where_told(view, is_new);
		fits = fits || state->fits;
	} else if (state->line) {
		map_go_where_told(view, false);
	}
	if (!error && fits)
		error = fit(view);
	if (!error)
		error = draw_window(view);
	for (size_t i = 0; !error && state->line && i < state->strangers.n; i++)
		if (map_place_of_stranger(state, &state->strangers.at[i]) != SIZE_MAX)
			state->map.keys[state->strangers.at[i].key].cells++;
	if (!error && fits && !has_cursor(state))
		choose_cursor(view);
	return error ? error : map_read_inside(view);
}

/* Ends dragging if another command moved or removed the source. */
static void end_drag(struct tui_view *view)
{
	struct map_view *state = map_state_of(view);
	const struct cs_stream *stream = view->session->run.stream;
	size_t at =
		*state->drags && stream ? cs_stream_find_source(stream, state->drags) : SIZE_MAX;
	const struct cs_vec3 *from = &state->dragged_from;
	struct cs_vec3 now = at == SIZE_MAX ? (struct cs_vec3){0}
					    : cs_stream_source_at(stream, at).source->location;
	if (at == SIZE_MAX || now.x != from->x || now.y != from->y)
		state->drags[0] = '\0';
}

static struct cs_error *renew_map(struct tui_view *view)
{
	struct map_view *state = map_state_of(view);
	end_drag(view);
	struct cs_error *error = map_check_world(view->session);
	if (error || state->columns == 0)
		return error; /* the size of the window is unknown before the first drawing */
	return prepare_map(view);
}

/* ---- moving the cursor ---- */

/* Scrolls the window so that it contains the cursor. */
static void scroll(struct tui_view *view)
{
	struct map_view *state = map_state_of(view);
	int64_t zoom = (int64_t)state->zoom, wide = state->columns * zoom,
		high = state->rows * zoom, x0 = state->x0, y0 = state->y0;
	if (zoom == 0)
		return;
	if (state->x < x0)
		x0 -= (x0 - state->x + zoom - 1) / zoom * zoom;
	if (state->x >= x0 + wide)
		x0 += ((state->x - x0 - wide) / zoom + 1) * zoom;
	if (state->y < y0)
		y0 -= (y0 - state->y + zoom - 1) / zoom * zoom;
	if (state->y >= y0 + high)
		y0 += ((state->y - y0 - high) / zoom + 1) * zoom;
	view->is_stale = view->is_stale || x0 != state->x0 || y0 != state->y0;
	state->x0 = x0;
	state->y0 = y0;
}

/* Adds `by` to a coordinate and limits the sum to +-2^40, as files may contain any coordinates. */
static int64_t map_moved(int64_t at, int64_t by)
{
	const int64_t most = INT64_C(1) << 40;
	at += by;
	return at > most ? most : at < -most ? -most : at;
}

static void centre(struct tui_view *view, int64_t x, int64_t y)
{
	struct map_view *state = map_state_of(view);
	state->x = x;
	state->y = y;
	state->x0 = map_moved(x, -(state->columns / 2) * (int64_t)state->zoom);
	state->y0 = map_moved(y, -(state->rows / 2) * (int64_t)state->zoom);
	view->is_stale = true;
}

/* Moves the cursor to the cell of the first streaming source; false if none is visible. */
static bool go_to_source(struct tui_view *view)
{
	struct map_view *state = map_state_of(view);
	for (size_t i = 0; state->has_map && i < state->map.columns * state->map.rows; i++)
		if (state->map.places[i].marks & CS_MAP_MARK_SOURCE) {
			int64_t zoom = (int64_t)state->zoom;
			centre(view, state->x0 + (int64_t)(i % state->map.columns) * zoom,
				state->y0 + (int64_t)(i / state->map.columns) * zoom);
			return true;
		}
	return false;
}

static struct cs_error *move(struct tui_view *view, enum motion motion, long n)
{
	struct map_view *state = map_state_of(view);
	int64_t step = n * (int64_t)(state->zoom ? state->zoom : 1);
	switch (motion) {
	case MOTION_ROWS:
		state->y = map_moved(state->y, step);
		break;
	case MOTION_COLUMNS:
		state->x = map_moved(state->x, step);
		break;
	case MOTION_PAGES:
		state->y = map_moved(state->y, step * (state->rows > 2 ? state->rows - 1 : 1));
		break;
	case MOTION_HALVES:
		state->y = map_moved(state->y, step * (state->rows > 2 ? state->rows / 2 : 1));
		break;
	case MOTION_LINE_END:
		state->x = map_moved(state->x0, (state->columns - 1) * (int64_t)state->zoom);
		break;
	case MOTION_FIRST:
	case MOTION_LAST:
	case MOTION_ROW:
		state->fits = view->is_stale = true;
		break;
	case MOTION_HOME:
		if (!go_to_source(view))
			state->fits = view->is_stale = true;
		break;
	}
	scroll(view);
	return NULL;
}

static void object(struct tui_view *view, struct object *ret)
{
	const struct map_view *state = map_state_of(view);
	const struct cs_cooked *world = view->session->world;
	size_t place = map_place_at(state, state->x, state->y);
	if (place == SIZE_MAX || state->map.places[place].cells == 0)
		return;
	uint32_t row = state->map.places[place].first;
	if (state->chosen && state->chosen <= world->n_cells) {
		const struct cs_map_request request = map_request(view);
		uint32_t chosen = state->chosen - 1;
		if (cs_map_place_of(&request, &state->map, chosen) == place)
			row = chosen;
	}
	ret->kind = "cell";
	ret->row = row;
	snprintf(ret->name, sizeof(ret->name), "%s", cs_cooked_cell_name(world, row));
}

static bool go(struct tui_view *view, const struct object *to)
{
	struct map_view *state = map_state_of(view);
	const struct cs_cooked *world = view->session->world;
	if (!to->kind || strcmp(to->kind, "cell") != 0 || to->row >= world->n_cells)
		return false;
	const struct cs_cooked_cell *cell = cs_cooked_cell(world, to->row);
	if (!cs_box_valid(&cell->box))
		return false;
	if (!state->is_set || state->grid != cell->partition || state->level != cell->level)
		state->fits = true;
	state->is_set = true;
	state->grid = cell->partition;
	state->level = cell->level;
	state->x = map_moved(cell->x, 0);
	state->y = map_moved(cell->y, 0);
	state->chosen = to->row + 1;
	view->is_stale = true;
	if (!state->fits)
		scroll(view);
	return true;
}

static int64_t coordinate(const struct map_view *state, int64_t first, int place)
{
	return first + (int64_t)state->zoom * place;
}

static int label_columns(const struct map_view *state, int rows)
{
	int first = digits_of(state->y0), last = digits_of(coordinate(state, state->y0, rows));
	int wide = first > last ? first : last;
	return (wide > LABEL_LEAST ? wide : LABEL_LEAST) + 1;
}

/* ---- settings: overlay, level, grid, zoom, pan, drag ---- */

/*
 * Returns the level of the grid's cells that is nearest to `level`, at least `level` if up is set,
 * else at most `level`; INT64_MAX = there is none.
 */
static int64_t nearest_level(const struct cs_cooked *world, uint32_t grid, int64_t level, bool up)
{
	const struct cs_range range = world->partitions[grid].cells;
	int64_t best = INT64_MAX;
	for (uint32_t i = range.first; i < range.first + range.count; i++) {
		const struct cs_cooked_cell *cell = cs_cooked_cell(world, i);
		const bool is_there = cs_box_valid(&cell->box) &&
				      (up ? cell->level >= level : cell->level <= level);
		if (is_there &&
			(best == INT64_MAX || (up ? cell->level < best : cell->level > best)))
			best = cell->level;
	}
	return best;
}

static bool level_has_cells(const struct cs_cooked *world, uint32_t grid, int64_t level)
{
	return nearest_level(world, grid, level, true) == level;
}

static struct cs_error *set_level(struct tui_view *view, const char *value)
{
	struct map_view *state = map_state_of(view);
	if (strcmp(value, "all") == 0) {
		state->all_levels = !state->all_levels;
		state->level = cs_map_default_level(view->session->world, state->grid);
		state->fits = true;
		return NULL;
	}
	const bool up = strcmp(value, "up") == 0, down = strcmp(value, "down") == 0;
	long level = (long)state->level + (up ? 1 : -1);
	if (!up && !down && !view_read_numbers(value, 1, &level))
		return cs_error_new(CS_E_USAGE,
			"level must be all, up, down or a whole number, not '%s'", value);
	const int64_t nearest = nearest_level(view->session->world, state->grid, level, !down);
	if (nearest == INT64_MAX || (nearest != level && !up && !down))
		return cs_error_new(CS_E_NOCELL, "grid '%s' has no cells on level %ld%s",
			cs_cooked_text(view->session->world,
				view->session->world->partitions[state->grid].name),
			level,
			up     ? " or above"
			: down ? " or below"
			       : "");
	state->level = (int32_t)nearest;
	state->all_levels = false;
	state->fits = true;
	return NULL;
}

/* Returns the index of the first grid of that name; CS_NONE if there is none. */
static uint32_t grid_named(const struct cs_cooked *world, const char *name)
{
	for (uint32_t i = 0; i < world->n_partitions; i++)
		if (strcmp(cs_cooked_text(world, world->partitions[i].name), name) == 0)
			return i;
	return CS_NONE;
}

static struct cs_error *set_grid(struct tui_view *view, const char *value)
{
	struct map_view *state = map_state_of(view);
	const struct cs_cooked *world = view->session->world;
	for (size_t i = 0; i < world->n_partitions; i++) {
		uint32_t grid = (uint32_t)i;
		if (strcmp(value, "next") == 0)
			grid = (uint32_t)((state->grid + 1 + i) % world->n_partitions);
		else if (strcmp(cs_cooked_text(world, world->partitions[i].name), value) != 0)
			continue;
		int32_t level = cs_map_default_level(world, grid);
		if (!level_has_cells(world, grid, level))
			continue;
		state->grid = grid;
		state->level = level;
		state->fits = true;
		return NULL;
	}
	return cs_error_new(CS_E_NOGRID,
		"no grid with the name '%s' has cells with a place on the map: `grids` lists "
		"the grids",
		value);
}

/*
 * Parses a zoom: "in", "out", "8" for 8 cells per place and axis, or "1/8" for cells of 8 x 8
 * places. Any other text gives a number out of range.
 */
static void read_zoom(const struct map_view *state, const char *value, long *zoom, long *side)
{
	const bool is_in = strcmp(value, "in") == 0, is_out = strcmp(value, "out") == 0;
	*zoom = (long)state->zoom;
	*side = (long)state->inside.side;
	if (is_in && *zoom == 1)
		*side *= 2;
	else if (is_in)
		*zoom = (*zoom + 1) / 2;
	else if (is_out && *side > 1)
		*side /= 2;
	else if (is_out)
		*zoom *= 2;
	else if (strncmp(value, "1/", 2) == 0)
		*zoom = view_read_numbers(value + 2, 1, side);
	else
		*side = view_read_numbers(value, 1, zoom);
}

/* Zooms around the cursor: to a given zoom, or with "in" and "out" by a factor of 2. */
static struct cs_error *set_zoom(struct tui_view *view, const char *value)
{
	struct map_view *state = map_state_of(view);
	long zoom, side;
	if (strcmp(value, "fit") == 0) {
		state->fits = true;
		return NULL;
	}
	if (strcmp(value, "dots") == 0)
		return cs_cooked_load_actors(view->session->world);
	read_zoom(state, value, &zoom, &side);
	bool is_valid = zoom >= 1 && zoom <= MOST_ZOOM && side >= 1 && side <= MOST_PLACES_A_CELL &&
			(side & (side - 1)) == 0;
	if (!is_valid && (strcmp(value, "in") == 0 || strcmp(value, "out") == 0))
		return cs_error_new(
			CS_E_USAGE, "the map is already zoomed as far %s as possible", value);
	if (!is_valid)
		return cs_error_new(CS_E_USAGE,
			"zoom must be in, out, fit, dots, 1 to %d cells a character, or 1/2, 1/4 "
			"to 1/%d, not '%s'",
			MOST_ZOOM, MOST_PLACES_A_CELL, value);
	state->zoom = (uint64_t)zoom;
	state->inside.side = (unsigned)side;
	state->is_moved = true;
	resize(state);
	centre(view, state->x, state->y);
	return NULL;
}

/* Moves the window and cursor by "X,Y": numbers of places (characters) to the right and down. */
static struct cs_error *pan(struct tui_view *view, const char *value)
{
	struct map_view *state = map_state_of(view);
	enum { MOST = 10000 };
	long by[2];
	if (!view_read_numbers(value, 2, by) || labs(by[0]) > MOST || labs(by[1]) > MOST)
		return cs_error_new(CS_E_USAGE,
			"pan needs X,Y, the numbers of characters to the right and down, each -%d to %d, "
			"not '%s'",
			MOST, MOST, value);
	const int64_t x = by[0] * (int64_t)state->zoom, y = by[1] * (int64_t)state->zoom;
	state->x0 = map_moved(state->x0, x);
	state->y0 = map_moved(state->y0, y);
	state->x = map_moved(state->x, x);
	state->y = map_moved(state->y, y);
	state->is_moved = true;
	return NULL;
}

/*
 * Begins dragging the streaming source named `value`, or the first one if `value` is "". If `value`
 * is "off", or "" while a source is being dragged, ends the dragging.
 */
static struct cs_error *drag(struct tui_view *view, const char *value)
{
	struct map_view *state = map_state_of(view);
	const struct cs_stream *stream = view->session->run.stream;
	size_t n = stream ? cs_stream_sources(stream) : 0, at = 0;
	if (strcmp(value, "off") == 0 || (!*value && *state->drags)) {
		state->drags[0] = '\0';
		return NULL;
	}
	if (*value)
		at = stream ? cs_stream_find_source(stream, value) : SIZE_MAX;
	if (at >= n)
		return cs_error_new(CS_E_MISSING,
			"the run has no streaming source%s%s to move: source add NAME X,Y,Z adds "
			"one",
			*value ? " " : "", value);
	const struct cs_stream_source *source = cs_stream_source_at(stream, at).source;
	memcpy(state->drags, source->name, sizeof(state->drags));
	state->dragged_from = source->location;
	return NULL;
}

/* Moves the cursor to the cell at the position X,Y in the view. */
static struct cs_error *click(struct tui_view *view, const char *value)
{
	struct map_view *state = map_state_of(view);
	long at[2];
	if (!view_read_numbers(value, 2, at))
		return cs_error_new(CS_E_USAGE,
			"click needs X,Y (a column and a row of the screen), not '%s'", value);
	const long side = state->inside.side, label = label_columns(state, state->rows);
	const long x = (at[0] - label) / 2 / side, y = (at[1] - 1) / side;
	if (at[0] < label || at[1] < 1 || x >= state->columns || y >= state->rows)
		return NULL;
	state->x = coordinate(state, state->x0, (int)x);
	state->y = coordinate(state, state->y0, (int)y);
	return NULL;
}

static struct cs_error *set_overlay(struct tui_view *view, const char *value)
{
	return map_set_overlay(map_state_of(view), value);
}

static struct cs_error *set(struct tui_view *view, const char *what, const char *value)
{
	static const struct {
		const char *what;
		struct cs_error *(*set)(struct tui_view *view, const char *value);
	} settings[] = {{"overlay", set_overlay}, {"level", set_level}, {"grid", set_grid},
		{"zoom", set_zoom}, {"pan", pan}, {"drag", drag}, {"click", click},
		{"search", map_search}};
	size_t i = 0;
	view_renew(view);
	if (view->trouble[0])
		return cs_error_new(view->trouble_code, "%s", view->trouble);
	while (i < CS_COUNT_OF(settings) && strcmp(settings[i].what, what) != 0)
		i++;
	if (i == CS_COUNT_OF(settings))
		return cs_error_new(CS_E_USAGE,
			"`view %s` does not apply to a map: `help screen` names the commands of "
			"views",
			what);
	struct cs_error *error = settings[i].set(view, value);
	view->is_stale = true;
	return error;
}

/* ---- drawing ---- */

static void draw_axis(const struct map_view *state, struct area area)
{
	int first = digits_of(state->x0),
	    last = digits_of(coordinate(state, state->x0, state->columns));
	enum { APART = 3 };
	int stride = ((first > last ? first : last) + APART) / 2;
	const int side = (int)state->inside.side;
	stride = (stride + side - 1) / side;
	for (int i = 0; i < state->columns; i += stride)
		put_format(area, i * 2 * side, 0, inks[INK_DIM], "%" PRId64,
			coordinate(state, state->x0, i));
}

static void draw_cursor(struct tui_view *view, struct area area)
{
	const struct map_view *state = map_state_of(view);
	size_t place = map_place_at(state, state->x, state->y);
	if (place == SIZE_MAX)
		return;
	const int side = (int)state->inside.side, corner = side > 2 ? 2 : side;
	const int x = (int)(place % state->map.columns) * 2 * side,
		  y = (int)(place / state->map.columns) * side;
	const struct paint paint = inks[view_has_focus(view) ? INK_CURSOR : INK_SHADOW];
	/* paints only two corners of a large cell, as each cursor movement resends them */
	put_paint(area, x, y, corner, paint);
	put_paint(area, x + 2 * side - corner, y + side - 1, corner, paint);
}

/* Adapts the window to the size of the area. */
static void measure_map(struct tui_view *view, struct area area)
{
	struct map_view *state = map_state_of(view);
	int rows = area.rows - 2, wide = (area.columns - label_columns(state, rows)) / 2;
	bool was_drawn = state->columns > 0;
	if (wide == state->inside.wide && rows == state->inside.high)
		return;
	state->inside.wide = wide;
	state->inside.high = rows;
	if (!resize(state) && was_drawn)
		return;
	view->is_stale = true;
	if (!was_drawn || !state->is_moved)
		state->fits = true;
	if (!state->fits)
		scroll(view);
}

static void draw(struct tui_view *view, struct area area)
{
	struct map_view *state = map_state_of(view);
	measure_map(view, area);
	view_renew(view);
	if (view->trouble[0]) {
		put_wrapped(area, 1, 1, inks[INK_WARN], view->trouble);
		return;
	}
	int label = label_columns(state, state->rows);
	const int side = (int)state->inside.side;
	struct area places =
		area_part(area, label, 1, state->columns * 2 * side, state->rows * side);
	draw_axis(state, area_part(area, label, 0, area.columns - label, 1));
	for (int y = 0; y < state->rows; y++)
		put_format(area, 0, y * side + 1, inks[INK_DIM], "%*" PRId64, label - 1,
			coordinate(state, state->y0, y));
	map_draw_places(view, places);
	map_draw_marks(view, places);
	map_draw_legend(view, area_part(area, 1, area.rows - 1, area.columns - 1, 1));
	draw_cursor(view, places);
}

static void status(struct tui_view *view, struct output *out)
{
	const struct map_view *state = map_state_of(view);
	const struct cs_cooked *world = view->session->world;
	if (!state->is_set || state->grid >= world->n_partitions)
		return;
	say(out, "%s", cs_cooked_text(world, world->partitions[state->grid].name));
	if (state->all_levels)
		say(out, " all levels");
	else
		say(out, " L%d", state->level);
	if (state->zoom > 1)
		say(out, " zoom %" PRIu64, state->zoom);
	if (state->inside.side > 1)
		say(out, " zoom 1/%u", state->inside.side);
	if (state->sorted.is_filtered)
		say(out, " filtered");
}

/* Copies the user's choices from `former`, the map view of the same world before a recook. */
static void replace_map(struct tui_view *view, struct tui_view *former)
{
	struct map_view *state = map_state_of(view), *was = map_state_of(former);
	const struct cs_cooked *world = view->session->world;
	map_take_overlay(state, was);
	const uint32_t grid = was->is_set ? grid_named(world, was->sorted.grid_name) : CS_NONE;
	if (grid == CS_NONE || !level_has_cells(world, grid, was->level))
		return;
	state->is_set = true;
	state->grid = grid;
	state->level = was->level;
	state->all_levels = was->all_levels;
	state->is_moved = was->is_moved;
	state->fits = was->fits || !was->is_moved;
	state->zoom = was->zoom;
	state->x0 = was->x0;
	state->y0 = was->y0;
	state->x = was->x;
	state->y = was->y;
	state->columns = was->columns;
	state->rows = was->rows;
	state->inside.side = was->inside.side;
	state->inside.wide = was->inside.wide;
	state->inside.high = was->inside.high;
}

static void close_map(struct tui_view *view)
{
	struct map_view *state = map_state_of(view);
	drop_map(state);
	cs_map_index_free(state->sorted.index);
	free(state->line);
	free(state->given);
	free(state->inside.counts);
	cs_vec_free(&state->strangers);
}

/* Opens the map. The argument may be an overlay or "rows LINE", a command whose rows name cells. */
static struct cs_error *open_map(struct tui_view *view)
{
	map_state_of(view)->inside.side = 1;
	return *view->argument ? map_set_overlay(map_state_of(view), view->argument) : NULL;
}

const struct view_type view_map = {
	.name = "map",
	.title = "Map",
	.help = "cells of a grid and level from above",
	.room = ROOM_SHARED,
	.is_of_time = true,
	.keys = map_keys,
	.is_bare = true,
	.state_size = sizeof(struct map_view),
	.renew = renew_map,
	.draw = draw,
	.object = object,
	.move = move,
	.go = go,
	.set = set,
	.status = status,
	.fill = map_fill,
	.open = open_map,
	.replace = replace_map,
	.close = close_map,
};
