/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws on the map, in addition to the states of cells: sources with range and heading, loaded
 * paths, bounds of the object under the cursor, breakpoints. A place of the map is two columns
 * wide: the first shows the state of its cells, the second these marks.
 */
#include "src/tui/screen.h"
#include "src/tui/views/map_view.h"

#include <math.h>
#include <string.h>

/* ---- streaming sources ---- */

static struct cs_vec3 to_places(const struct map_view *state, struct cs_vec3 at)
{
	const struct cs_map *map = &state->map;
	/* map cells along a side of a place (two screen columns); below 1 if cells are larger */
	double zoom = (double)state->zoom / state->inside.side;
	return (struct cs_vec3){((at.x - map->origin_x) / map->side - (double)state->x0) / zoom,
		((at.y - map->origin_y) / map->side - (double)state->y0) / zoom, 0};
}

bool map_point(const struct tui_view *view, struct cs_vec3 *ret)
{
	const struct map_view *state = view->state;
	if (!state->has_map || !(state->map.side > 0))
		return false;
	*ret = (struct cs_vec3){state->map.origin_x + ((double)state->x + .5) * state->map.side,
		state->map.origin_y + ((double)state->y + .5) * state->map.side,
		state->dragged_from.z};
	return true;
}

/*
 * Draws a glyph in the right one of the two columns of the screen that show a place, unless it has
 * a mark already.
 */
static void draw_point(struct area area, double x, double y, enum glyph which, enum ink ink)
{
	double px = floor(x), py = floor(y);
	if (!(px >= 0 && py >= 0 && px < area.columns && py < area.rows))
		return;
	const struct grid_cell *cell = area_cell(area, (int)px * 2 + 1, (int)py);
	if (!cell || strcmp(cell->text, " ") != 0)
		return;
	const uint8_t ground = cell->paint.bg;
	struct paint paint = inks[ink];
	paint.bg = ground;
	if (ground != HUE_DEFAULT)
		paint.fg = ground == HUE_FILL ? HUE_WHITE : HUE_BLACK;
	put_glyph(area, (int)px * 2 + 1, (int)py, paint, which);
}

static void draw_circle(struct area area, struct cs_vec3 middle, double radius)
{
	enum { LEAST_STEPS = 16, MOST_STEPS = 2000 };
	double around = radius * 8;
	int steps = !(around > LEAST_STEPS) ? LEAST_STEPS
		    : around > MOST_STEPS   ? MOST_STEPS
					    : (int)around;
	for (int i = 0; i < steps; i++) {
		double angle = 6.283185307179586 * i / steps;
		draw_point(area, middle.x + radius * cos(angle), middle.y + radius * sin(angle),
			GLYPH_CIRCLE, INK_DIM);
	}
}

static enum glyph heading(double x, double y)
{
	if (fabs(x) >= fabs(y))
		return x > 0 ? GLYPH_EAST : GLYPH_WEST;
	return y > 0 ? GLYPH_SOUTH : GLYPH_NORTH; /* y grows downward on the screen */
}

static void draw_heading(struct area area, struct cs_vec3 at, struct cs_vec3 velocity)
{
	double length = hypot(velocity.x, velocity.y);
	if (!(length > 0))
		return;
	draw_point(area, at.x + velocity.x / length * 1.5, at.y + velocity.y / length * 1.5,
		heading(velocity.x, velocity.y), INK_MARK);
}

/*
 * Draws a source at its position if a cell is drawn larger than a place of the map (two columns).
 * Otherwise the place of the source has a mark already.
 */
static void draw_source(const struct map_view *state, struct area area, struct cs_vec3 at)
{
	double x = floor(at.x * 2), y = floor(at.y);
	bool is_seen = x >= 0 && y >= 0 && x < area.columns && y < area.rows;
	if (state->inside.side > 1 && is_seen)
		put_printed(area, (int)x, (int)y, inks[INK_MARK], "@", 1);
}

static void draw_sources(struct tui_view *view, struct area area)
{
	const struct map_view *state = view->state;
	const struct cs_stream *stream = view->session->run.stream;
	double range = cs_stream_range(stream, 0, state->grid).range;
	for (size_t i = 0; i < cs_stream_sources(stream); i++) {
		const struct cs_stream_source_view source = cs_stream_source_at(stream, i);
		struct cs_vec3 at = to_places(state, source.source->location);
		draw_source(state, area, at);
		draw_heading(area, at, source.velocity);
		draw_circle(area, at,
			range / state->map.side / (double)state->zoom * state->inside.side);
	}
}

/* ---- paths of streaming sources ---- */

/* Draws a line: a point for each place (two screen columns) that it crosses. */
static void draw_line(
	struct area area, struct cs_vec3 from, struct cs_vec3 to, enum glyph which, enum ink ink)
{
	enum { MOST_STEPS = 2000 };
	double length = fmax(fabs(to.x - from.x), fabs(to.y - from.y));
	int steps = !(length > 1) ? 1 : length > MOST_STEPS ? MOST_STEPS : (int)ceil(length);
	for (int i = 0; i <= steps; i++)
		draw_point(area, from.x + (to.x - from.x) * i / steps,
			from.y + (to.y - from.y) * i / steps, which, ink);
}

/* Draws the stored paths; of a path with more than MOST_LINES keys only every n-th key. */
static void draw_paths(struct tui_view *view, struct area area)
{
	enum { MOST_LINES = 4000 };
	const struct map_view *state = view->state;
	for (size_t p = 0; p < view->session->run.paths.n; p++) {
		const struct cs_path_key *keys;
		size_t n = cs_path_keys(view->session->run.paths.at[p].path, &keys);
		size_t stride = n / MOST_LINES + 1;
		for (size_t i = 0; i + 1 < n; i += stride) {
			size_t next = i + stride < n ? i + stride : n - 1;
			draw_line(area, to_places(state, keys[i].position),
				to_places(state, keys[next].position), GLYPH_PATH, INK_GOOD);
		}
	}
}

/* ---- bounds of the object under the cursor, and breakpoints ---- */

/* Returns the bounds of the actor or cell content under the cursor of the focused pane. */
static bool hovered_bounds(struct tui_view *view, struct cs_box *ret)
{
	static const char *const keys[][2] = {
		{"bounds_min", "bounds_max"}, {"content_min", "content_max"}};
	struct object object;
	const void *source;
	view_object(screen_view(view->screen), &object);
	const struct cs_table *table =
		object.kind ? object_table(view->session, &object, &source) : NULL;
	if (!table || object_row(view->session, &object) == CS_NONE)
		return false;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		struct cs_value least = row_value(table, source, object.row, keys[i][0]),
				most = row_value(table, source, object.row, keys[i][1]);
		*ret = (struct cs_box){least.vec3, most.vec3};
		if (least.kind == CS_KIND_VEC3 && most.kind == CS_KIND_VEC3)
			return true;
	}
	return false;
}

static void draw_bounds(struct tui_view *view, struct area area)
{
	const struct map_view *state = view->state;
	struct cs_box box;
	if (!hovered_bounds(view, &box))
		return;
	struct cs_vec3 min = to_places(state, box.min), max = to_places(state, box.max);
	if (!(max.x - min.x >= 1 || max.y - min.y >= 1))
		return; /* too small to draw, because both corners are in the same place */
	const struct cs_vec3 corners[] = {min, {max.x, min.y, 0}, max, {min.x, max.y, 0}, min};
	for (int i = 0; i < 4; i++)
		draw_line(area, corners[i], corners[i + 1], GLYPH_BOUNDS, INK_WARN);
}

/* Draws the marks. A glyph is not drawn where a place has a mark already. */
void map_draw_marks(struct tui_view *view, struct area places)
{
	const struct map_view *state = view->state;
	if (!(state->map.side > 0))
		return;
	draw_bounds(view, places);
	if (view->session->run.stream)
		draw_sources(view, places);
	draw_paths(view, places);
}

void map_mark_stops(struct tui_view *view)
{
	struct map_view *state = view->state;
	const struct cs_debug *debug = view->session->run.debug;
	const struct cs_map_request request = map_request(view);
	for (size_t i = 0; debug && cs_debug_stop_at(debug, i); i++) {
		struct object object;
		if (!object_of_stop(view->session, cs_debug_stop_at(debug, i), &object) ||
			strcmp(object.kind, "cell") != 0 ||
			object.row >= view->session->world->n_cells)
			continue;
		size_t place = cs_map_place_of(&request, &state->map, object.row);
		if (place != SIZE_MAX)
			state->map.places[place].marks |= MAP_MARK_STOP;
	}
}
