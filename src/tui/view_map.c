/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The map: cells of a grid and level to scale, two columns a place. What a place shows is the
 * library's (cellscope/map.h); the view keeps a window on it and a cursor in cell coordinates, and
 * adds what only a picture has: the range of sources and their heading.
 */
#include <cellscope/map.h>

#include "src/tui/looks.h"
#include "src/tui/paint.h"
#include "src/tui/screen.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LABEL_LEAST = 4, MOST_ZOOM = 1 << 20, SHARES = 4 };

struct map_view {
	bool is_set;   /* grid and level are chosen */
	bool is_moved; /* by the user: another size keeps it where it is */
	bool fits;     /* the window is to be chosen so that all is seen */
	uint32_t grid;
	int32_t level;
	enum cs_map_overlay overlay;
	uint64_t zoom; /* cells a place */
	int64_t x0, y0;
	int64_t x, y; /* of the cursor, a cell */
	struct cs_map map;
	bool has_map;
	int columns, rows; /* places that the map was drawn for */
};

static struct map_view *state_of(const struct tui_view *view)
{
	return view->state;
}

/* ---- the picture ---- */

static struct cs_map_request request_of(const struct tui_view *view)
{
	const struct map_view *state = state_of(view);
	const struct session *session = view->session;
	return (struct cs_map_request){.world = session->world,
		.stream = session->stream,
		.grid = state->grid,
		.level = state->level,
		.overlay = state->overlay,
		.zoom = state->zoom,
		.columns = (uint64_t)(state->columns > 0 ? state->columns : 1),
		.rows = (uint64_t)(state->rows > 0 ? state->rows : 1),
		.window = !state->fits,
		.x0 = state->x0,
		.y0 = state->y0,
		.sources = true};
}

static void drop_map(struct map_view *state)
{
	if (state->has_map)
		cs_map_deinit(&state->map);
	state->has_map = false;
}

static struct cs_error *draw_window(struct tui_view *view)
{
	struct map_view *state = state_of(view);
	const struct cs_map_request request = request_of(view);
	drop_map(state);
	struct cs_error *error = cs_map_draw(&request, &state->map);
	state->has_map = !error;
	return error;
}

/* All of the level, in the middle of the window. */
static struct cs_error *fit(struct tui_view *view)
{
	struct map_view *state = state_of(view);
	state->zoom = 0;
	struct cs_error *error = draw_window(view);
	if (error)
		return error;
	int64_t zoom = (int64_t)state->map.zoom;
	state->zoom = state->map.zoom;
	state->x0 = state->map.x0 - (state->columns - (int64_t)state->map.columns) / 2 * zoom;
	state->y0 = state->map.y0 - (state->rows - (int64_t)state->map.rows) / 2 * zoom;
	state->fits = false;
	return NULL;
}

static void go_to_middle(struct map_view *state)
{
	state->x = state->x0 + state->columns / 2 * (int64_t)state->zoom;
	state->y = state->y0 + state->rows / 2 * (int64_t)state->zoom;
}

/* The first cell of the picture that is nearest to the middle, or the middle. */
static void choose_cursor(struct tui_view *view)
{
	struct map_view *state = state_of(view);
	go_to_middle(state);
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

static size_t place_at(const struct map_view *state, int64_t x, int64_t y)
{
	int64_t zoom = (int64_t)state->zoom;
	if (!state->has_map || x < state->x0 || y < state->y0)
		return SIZE_MAX;
	int64_t column = (x - state->x0) / zoom, row = (y - state->y0) / zoom;
	if (column >= (int64_t)state->map.columns || row >= (int64_t)state->map.rows)
		return SIZE_MAX;
	return (size_t)row * state->map.columns + (size_t)column;
}

/* Another size shows all again, and leaves the cursor where it is. */
static bool has_cursor(const struct map_view *state)
{
	size_t place = place_at(state, state->x, state->y);
	return place != SIZE_MAX && state->map.places[place].cells > 0;
}

static struct cs_error *prepare(struct tui_view *view)
{
	struct map_view *state = state_of(view);
	bool fits = state->fits;
	if (!view->session->world)
		return cs_error_new(CS_E_NOTOPEN, "no world is open; : open FILE opens one");
	if (view->session->world->n_partitions == 0)
		return cs_error_new(CS_E_NOGRID, "the world has no grids");
	if (!state->is_set) {
		state->grid = cs_map_default_grid(view->session->world);
		state->level = cs_map_default_level(view->session->world, state->grid);
		state->is_set = fits = state->fits = true;
	}
	struct cs_error *error = fits ? fit(view) : NULL;
	if (!error)
		error = draw_window(view);
	if (!error && fits && !has_cursor(state))
		choose_cursor(view);
	return error;
}

static struct cs_error *renew(struct tui_view *view)
{
	struct map_view *state = state_of(view);
	if (state->columns == 0)
		return NULL; /* before it has been drawn nobody knows how much is seen */
	return prepare(view);
}

/* ---- the cursor ---- */

/* Keeps the cursor in the window. */
static void scroll(struct tui_view *view)
{
	struct map_view *state = state_of(view);
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

/* Coordinates of a file can be anything; the cursor stays where sums are safe. */
static int64_t moved(int64_t at, int64_t by)
{
	const int64_t most = INT64_C(1) << 40;
	at += by;
	return at > most ? most : at < -most ? -most : at;
}

static void centre(struct tui_view *view, int64_t x, int64_t y)
{
	struct map_view *state = state_of(view);
	state->x = x;
	state->y = y;
	state->x0 = moved(x, -(state->columns / 2) * (int64_t)state->zoom);
	state->y0 = moved(y, -(state->rows / 2) * (int64_t)state->zoom);
	view->is_stale = true;
}

/* The cell that has the first source above it. */
static bool go_to_source(struct tui_view *view)
{
	struct map_view *state = state_of(view);
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
	struct map_view *state = state_of(view);
	int64_t step = n * (int64_t)(state->zoom ? state->zoom : 1);
	switch (motion) {
	case MOTION_ROWS:
		state->y = moved(state->y, step);
		break;
	case MOTION_COLUMNS:
		state->x = moved(state->x, step);
		break;
	case MOTION_PAGES:
		state->y = moved(state->y, step * (state->rows > 2 ? state->rows - 1 : 1));
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
	const struct map_view *state = state_of(view);
	const struct cs_cooked *world = view->session->world;
	size_t place = place_at(state, state->x, state->y);
	if (place == SIZE_MAX || state->map.places[place].cells == 0)
		return;
	uint32_t row = state->map.places[place].first;
	ret->kind = "cell";
	ret->row = row;
	snprintf(ret->name, sizeof(ret->name), "%s", cs_cooked_text(world, world->cells[row].name));
}

static bool go(struct tui_view *view, const struct object *to)
{
	struct map_view *state = state_of(view);
	const struct cs_cooked *world = view->session->world;
	if (!to->kind || strcmp(to->kind, "cell") != 0 || to->row >= world->n_cells)
		return false;
	const struct cs_cooked_cell *cell = &world->cells[to->row];
	if (!cs_box_valid(&cell->box))
		return false;
	if (!state->is_set || state->grid != cell->partition || state->level != cell->level)
		state->fits = true;
	state->is_set = true;
	state->grid = cell->partition;
	state->level = cell->level;
	state->x = moved(cell->x, 0);
	state->y = moved(cell->y, 0);
	view->is_stale = true;
	if (!state->fits)
		scroll(view);
	return true;
}

/* ---- what is asked for ---- */

static struct cs_error *set_overlay(struct map_view *state, const char *value)
{
	if (strcmp(value, "next") == 0) {
		state->overlay = (enum cs_map_overlay)((state->overlay + 1) % CS_MAP_OVERLAYS);
		return NULL;
	}
	for (int i = 0; i < CS_MAP_OVERLAYS; i++)
		if (strcmp(cs_map_overlay_name((enum cs_map_overlay)i), value) == 0) {
			state->overlay = (enum cs_map_overlay)i;
			return NULL;
		}
	return cs_error_new(CS_E_USAGE, "no overlay '%s'; `help map` lists them", value);
}

static bool level_has_cells(const struct cs_cooked *world, uint32_t grid, int64_t level)
{
	struct cs_range range = world->partitions[grid].cells;
	for (uint32_t i = range.first; i < range.first + range.count; i++)
		if (world->cells[i].level == level && cs_box_valid(&world->cells[i].box))
			return true;
	return false;
}

static struct cs_error *set_level(struct tui_view *view, const char *value)
{
	struct map_view *state = state_of(view);
	int64_t level = strcmp(value, "up") == 0     ? (int64_t)state->level + 1
			: strcmp(value, "down") == 0 ? (int64_t)state->level - 1
						     : strtol(value, NULL, 10);
	if (level < INT32_MIN || level > INT32_MAX ||
		!level_has_cells(view->session->world, state->grid, level))
		return cs_error_new(CS_E_NOCELL, "no cells on level %" PRId64, level);
	state->level = (int32_t)level;
	state->fits = true;
	return NULL;
}

static struct cs_error *set_grid(struct tui_view *view, const char *value)
{
	struct map_view *state = state_of(view);
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
	return cs_error_new(CS_E_NOGRID, "no grid '%s' with cells on a map", value);
}

/* Around the cursor, in powers of two. */
static struct cs_error *set_zoom(struct tui_view *view, const char *value)
{
	struct map_view *state = state_of(view);
	uint64_t zoom = state->zoom;
	if (strcmp(value, "fit") == 0) {
		state->fits = true;
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
			CS_E_USAGE, "zoom is in, out, fit, or 1 to %d cells a place", MOST_ZOOM);
	state->zoom = zoom;
	centre(view, state->x, state->y);
	return NULL;
}

/* "4,0": places to the right and down. */
static struct cs_error *pan(struct tui_view *view, const char *value)
{
	struct map_view *state = state_of(view);
	long x, y;
	char rest;
	if (sscanf(value, "%ld,%ld%c", &x, &y, &rest) != 2 || x < -10000 || x > 10000 ||
		y < -10000 || y > 10000)
		return cs_error_new(CS_E_USAGE, "write pan X,Y: places to the right and down");
	state->x0 = moved(state->x0, x * (int64_t)state->zoom);
	state->y0 = moved(state->y0, y * (int64_t)state->zoom);
	state->x = moved(state->x, x * (int64_t)state->zoom);
	state->y = moved(state->y, y * (int64_t)state->zoom);
	return NULL;
}

static struct cs_error *set(struct tui_view *view, const char *what, const char *value)
{
	struct cs_error *error;
	view_renew(view);
	if (view->trouble[0])
		return cs_error_new(CS_E_NOTOPEN, "%s", view->trouble);
	if (strcmp(what, "overlay") == 0)
		error = set_overlay(state_of(view), value);
	else if (strcmp(what, "level") == 0)
		error = set_level(view, value);
	else if (strcmp(what, "grid") == 0)
		error = set_grid(view, value);
	else if (strcmp(what, "zoom") == 0)
		error = set_zoom(view, value);
	else if (strcmp(what, "pan") == 0)
		error = pan(view, value);
	else
		return cs_error_new(CS_E_USAGE, "the map has no %s", what);
	state_of(view)->is_moved = error ? state_of(view)->is_moved : !state_of(view)->fits;
	view->is_stale = true;
	return error;
}

/* ---- drawing ---- */

static int digits(int64_t number)
{
	return snprintf(NULL, 0, "%" PRId64, number);
}

static int64_t coordinate(const struct map_view *state, int64_t first, int place)
{
	return first + (int64_t)state->zoom * place;
}

static int label_columns(const struct map_view *state, int rows)
{
	int first = digits(state->y0), last = digits(coordinate(state, state->y0, rows));
	int wide = first > last ? first : last;
	return (wide > LABEL_LEAST ? wide : LABEL_LEAST) + 1;
}

static void draw_axis(const struct map_view *state, struct area area)
{
	int first = digits(state->x0), last = digits(coordinate(state, state->x0, state->columns));
	int stride = (first > last ? first : last) / 2 + 1;
	for (int i = 0; i < state->columns; i += stride)
		put_format(
			area, i * 2, 0, inks[INK_DIM], "%" PRId64, coordinate(state, state->x0, i));
}

static struct paint paint_of_key(const struct map_view *state, const struct cs_map_place *place)
{
	enum { HEAT_KEYS = 10 };
	if (state->overlay == CS_MAP_STATE)
		return state_looks[place->key].paint;
	if (state->overlay == CS_MAP_ACTORS || state->overlay == CS_MAP_BYTES)
		return (struct paint){
			(uint8_t)(HUE_HEAT + (place->key >= HEAT_KEYS
							     ? HEATS - 1
							     : place->key * HEATS / HEAT_KEYS)),
			HUE_DEFAULT, 0};
	static const uint8_t hues[] = {
		HUE_GREY, HUE_SKY, HUE_ORANGE, HUE_GREEN, HUE_YELLOW, HUE_PINK, HUE_RED, HUE_WHITE};
	return (struct paint){hues[place->key % sizeof(hues)], HUE_DEFAULT, 0};
}

static void draw_place(const struct map_view *state, struct area area, int x, int y,
	const struct cs_map_place *place)
{
	const char letter[] = {state->map.keys[place->key].letter, '\0'};
	const char *text = letter;
	if (state->overlay == CS_MAP_STATE)
		text = area.grid->ascii ? state_looks[place->key].ascii
					: state_looks[place->key].utf8;
	put_printed(area, x, y, paint_of_key(state, place), text, strlen(text));
	const char *mark = place->marks & CS_MAP_MARK_SOURCE    ? "@"
			   : place->marks & CS_MAP_MARK_CHANGED ? "*"
			   : place->marks & CS_MAP_MARK_SEVERAL ? "+"
								: NULL;
	if (mark)
		put_printed(area, x + 1, y, inks[INK_MARK], mark, 1);
}

static void draw_places(const struct map_view *state, struct area area)
{
	for (size_t i = 0; i < state->map.columns * state->map.rows; i++) {
		const struct cs_map_place *place = &state->map.places[i];
		if (place->cells)
			draw_place(state, area, (int)(i % state->map.columns) * 2,
				(int)(i / state->map.columns), place);
	}
}

/* ---- sources ---- */

/* From the world to places: where cell 0,0 begins and how long a side is. */
struct scale {
	double x, y, side;
	bool known;
};

static struct scale scale_of(const struct tui_view *view)
{
	const struct map_view *state = state_of(view);
	const struct cs_cooked *world = view->session->world;
	for (size_t i = 0; i < state->map.columns * state->map.rows; i++) {
		if (state->map.places[i].cells == 0)
			continue;
		const struct cs_cooked_cell *cell = &world->cells[state->map.places[i].first];
		double side = cell->box.max.x - cell->box.min.x;
		if (side > 0)
			return (struct scale){cell->box.min.x - (double)cell->x * side,
				cell->box.min.y - (double)cell->y * side, side, true};
	}
	return (struct scale){0};
}

static struct cs_vec3 to_places(
	const struct map_view *state, const struct scale *scale, struct cs_vec3 at)
{
	double zoom = (double)state->zoom;
	return (struct cs_vec3){((at.x - scale->x) / scale->side - (double)state->x0) / zoom,
		((at.y - scale->y) / scale->side - (double)state->y0) / zoom, 0};
}

static bool is_blank(struct area area, int x, int y)
{
	if (x < 0 || y < 0 || x >= area.columns || y >= area.rows)
		return false;
	return strcmp(area.grid->at[(size_t)(area.y + y) * area.grid->columns +
				       (size_t)(area.x + x)]
			       .text,
		       " ") == 0;
}

/* In the columns between the places, so that no state is covered. */
static void draw_circle(struct area area, struct cs_vec3 middle, double radius)
{
	enum { LEAST_STEPS = 16, MOST_STEPS = 2000 };
	double around = radius * 8;
	int steps = !(around > LEAST_STEPS) ? LEAST_STEPS
		    : around > MOST_STEPS   ? MOST_STEPS
					    : (int)around;
	for (int i = 0; i < steps; i++) {
		double angle = 6.283185307179586 * i / steps;
		double px = floor(middle.x + radius * cos(angle)),
		       py = floor(middle.y + radius * sin(angle));
		if (px < 0 || py < 0 || px > area.columns || py > area.rows)
			continue;
		int x = (int)px * 2 + 1, y = (int)py;
		if (is_blank(area, x, y))
			put_glyph(area, x, y, inks[INK_DIM], GLYPH_CIRCLE);
	}
}

static enum glyph heading(double x, double y)
{
	if (fabs(x) >= fabs(y))
		return x > 0 ? GLYPH_EAST : GLYPH_WEST;
	return y > 0 ? GLYPH_SOUTH : GLYPH_NORTH; /* y goes down */
}

static void draw_heading(struct area area, struct cs_vec3 at, struct cs_vec3 velocity)
{
	double length = hypot(velocity.x, velocity.y);
	if (!(length > 0))
		return;
	double px = floor(at.x + velocity.x / length * 1.5),
	       py = floor(at.y + velocity.y / length * 1.5);
	if (px < 0 || py < 0 || px > area.columns || py > area.rows)
		return;
	if (is_blank(area, (int)px * 2 + 1, (int)py))
		put_glyph(area, (int)px * 2 + 1, (int)py, inks[INK_MARK],
			heading(velocity.x, velocity.y));
}

static void draw_sources(struct tui_view *view, struct area area)
{
	const struct map_view *state = state_of(view);
	const struct cs_stream *stream = view->session->stream;
	const struct scale scale = scale_of(view);
	if (!stream || !scale.known)
		return;
	double range = cs_stream_range(stream, 0, state->grid);
	for (size_t i = 0; i < cs_stream_sources(stream); i++) {
		const struct cs_stream_source_view source = cs_stream_source_at(stream, i);
		struct cs_vec3 at = to_places(state, &scale, source.source->location);
		draw_heading(area, at, source.velocity);
		draw_circle(area, at, range / scale.side / (double)state->zoom);
	}
}

/* ---- the whole ---- */

static void draw_legend(const struct map_view *state, struct area area, int y)
{
	int x = 0;
	if (state->overlay != CS_MAP_STATE)
		x += put_format(
			     area, x, y, inks[INK_KEY], "%s", cs_map_overlay_name(state->overlay)) +
		     2;
	for (size_t i = 0; i < state->map.n_keys; i++) {
		const struct cs_map_key *key = &state->map.keys[i];
		const struct cs_map_place place = {.key = (uint8_t)i};
		char letter[] = {key->letter, '\0'};
		const char *sign = letter;
		if (key->cells == 0)
			continue;
		if (state->overlay == CS_MAP_STATE)
			sign = area.grid->ascii ? state_looks[i].ascii : state_looks[i].utf8;
		int room = 3 + (int)strlen(key->words) + digits((int64_t)key->cells) + 1;
		if (x + room > area.columns)
			return;
		x += put_printed(area, x, y, paint_of_key(state, &place), sign, strlen(sign));
		x += put_format(area, x, y, inks[INK_DIM], " %s %zu", key->words, key->cells) + 2;
	}
}

static void draw_cursor(struct tui_view *view, struct area area)
{
	const struct map_view *state = state_of(view);
	size_t place = place_at(state, state->x, state->y);
	if (place == SIZE_MAX)
		return;
	put_paint(area, (int)(place % state->map.columns) * 2, (int)(place / state->map.columns), 2,
		inks[view_has_focus(view) ? INK_CURSOR : INK_SHADOW]);
}

/* Another size is another window. */
static void measure(struct tui_view *view, struct area area)
{
	struct map_view *state = state_of(view);
	int rows = area.rows - 2, columns = (area.columns - label_columns(state, rows)) / 2;
	if (columns == state->columns && rows == state->rows)
		return;
	view->is_stale = true;
	if (state->columns == 0 || !state->is_moved)
		state->fits = true;
	state->columns = columns > 0 ? columns : 1;
	state->rows = rows > 0 ? rows : 1;
	if (!state->fits)
		scroll(view);
}

static void draw(struct tui_view *view, struct area area)
{
	struct map_view *state = state_of(view);
	measure(view, area);
	view_renew(view);
	if (view->trouble[0]) {
		put_text(area, 1, 1, inks[INK_WARN], view->trouble);
		return;
	}
	int label = label_columns(state, state->rows);
	struct area places = area_part(area, label, 1, state->columns * 2, state->rows);
	draw_axis(state, area_part(area, label, 0, area.columns - label, 1));
	for (int y = 0; y < state->rows; y++)
		put_format(area, 0, y + 1, inks[INK_DIM], "%*" PRId64, label - 1,
			coordinate(state, state->y0, y));
	draw_places(state, places);
	draw_sources(view, places);
	draw_legend(state, area_part(area, 1, 0, area.columns - 1, area.rows), area.rows - 1);
	draw_cursor(view, places);
}

static void status(struct tui_view *view, struct output *out)
{
	const struct map_view *state = state_of(view);
	const struct cs_cooked *world = view->session->world;
	if (!state->is_set || state->grid >= world->n_partitions)
		return;
	say(out, "%s L%" PRId32, cs_cooked_text(world, world->partitions[state->grid].name),
		state->level);
	if (state->zoom > 1)
		say(out, " zoom %" PRIu64, state->zoom);
}

static void close_map(struct tui_view *view)
{
	drop_map(state_of(view));
}

static const struct key keys[] = {
	{"m", "overlay next", "Overlay",
		"the next overlay: actors, bytes, layers, HLOD, order, why-not"},
	{"+", "zoom in", "In", "fewer cells a place"},
	{"=", "zoom in", NULL, "the same"},
	{"-", "zoom out", "Out", "more cells a place"},
	{"z", "zoom fit", NULL, "the whole level"},
	{"[", "level down", NULL, "the level below"},
	{"]", "level up", "Level", "the level above"},
	{"R", "view grid next", NULL, "the next grid"},
	{"(", "pan -8,0", NULL, "the window to the left"},
	{")", "pan 8,0", NULL, "the window to the right"},

	{"J", "pan 0,6", NULL, "the window down"},
	{"K", "pan 0,-6", NULL, "the window up"},
	{"g", "zoom fit", NULL, "the whole level"},
	{0},
};

const struct view_type view_map = {
	.name = "map",
	.title = "Map",
	.help = "cells of a grid and level from above",
	.keys = keys,
	.is_bare = true,
	.state_size = sizeof(struct map_view),
	.renew = renew,
	.draw = draw,
	.object = object,
	.move = move,
	.go = go,
	.set = set,
	.status = status,
	.close = close_map,
};
