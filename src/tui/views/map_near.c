/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws the content of cells larger than a place (two columns of the map): the library counts
 * actors by quarters of a column (cellscope/query.h), drawn as dots in UTF-8, and as darker
 * characters for more actors in ASCII. Actors are counted when the window moves, not when the run
 * advances.
 */
#include "src/tui/views/map_view.h"

#include <string.h>

/* Divides each place (two map columns) into ACROSS x DOWN parts, in which actors are counted. */
enum { ACROSS = 4, DOWN = 2 };

/* Returns whether the actors were counted for this map. Cells that a filter shows may change. */
static bool is_of(const struct map_view *state, const struct cs_map_request *request)
{
	const struct map_inside *inside = &state->inside;
	const struct cs_map_request *of = &inside->of;
	return inside->counts && !of->shows && !request->shows && inside->of_side == inside->side &&
	       inside->columns == state->map.columns && inside->rows == state->map.rows &&
	       of->world == request->world && of->grid == request->grid &&
	       of->level == request->level && of->all_levels == request->all_levels &&
	       of->x0 == request->x0 && of->y0 == request->y0;
}

bool map_has_many_unread(const struct cs_cooked *world)
{
	enum { MOST_AT_ONCE = 100000 };
	return world->n_cell_actors > MOST_AT_ONCE && !world->has_actors;
}

struct cs_error *map_read_inside(struct tui_view *view)
{
	struct map_view *state = view->state;
	struct map_inside *inside = &state->inside;
	const struct cs_map_request request = map_request(view);
	unsigned across = inside->side * ACROSS, down = inside->side * DOWN;
	inside->waits = inside->side > 1 && map_has_many_unread(view->session->world);
	if (inside->side <= 1 || inside->waits || is_of(state, &request))
		return NULL;
	struct cs_error *error = cs_cooked_load_actors(view->session->world);
	if (error)
		return error;
	free(inside->counts);
	inside->counts = calloc(
		state->map.columns * across * state->map.rows * down + 1, sizeof(*inside->counts));
	if (!inside->counts)
		return cs_error_nomem();
	inside->of = request;
	inside->of_side = inside->side;
	inside->columns = state->map.columns;
	inside->rows = state->map.rows;
	return cs_map_inside(&request, &state->map, across, down, inside->counts);
}

/* Glyphs by set of dots: bit 0 is upper left, 1 upper right, 2 lower left, 3 lower right. */
static const char *const quarters[] = {" ", "\xe2\x96\x98", "\xe2\x96\x9d", "\xe2\x96\x80",
	"\xe2\x96\x96", "\xe2\x96\x8c", "\xe2\x96\x9e", "\xe2\x96\x9b", "\xe2\x96\x97",
	"\xe2\x96\x9a", "\xe2\x96\x90", "\xe2\x96\x9c", "\xe2\x96\x84", "\xe2\x96\x99",
	"\xe2\x96\x9f", "\xe2\x96\x88"};

/* ASCII characters for 0 actors, 1, 2 to 3, and more. */
static const char *const darker[] = {" ", "`", ":", "%"};

static void draw_column(struct area area, int x, int y, struct paint paint, const uint32_t *upper,
	const uint32_t *lower)
{
	uint32_t n = upper[0] + upper[1] + lower[0] + lower[1];
	unsigned bits = (upper[0] > 0 ? 1u : 0) | (upper[1] > 0 ? 2u : 0) |
			(lower[0] > 0 ? 4u : 0) | (lower[1] > 0 ? 8u : 0);
	const char *text = area.grid->ascii ? darker[n > 3 ? 3 : n > 1 ? 2 : n] : quarters[bits];
	if (n > 0)
		put_printed(area, x, y, paint, text, strlen(text));
}

/* Returns the paint of dots for actors: dim, on the background of the cell's state. */
static struct paint paint_of_dots(const struct map_view *state, const struct cs_map_place *at)
{
	struct paint paint = at->cells ? map_paint_of(state, at) : inks[INK_NORMAL];
	if (paint.bg == HUE_DEFAULT)
		paint.fg = HUE_FAINT;
	else if (paint.bg == HUE_FILL)
		paint.fg = HUE_SKY;
	else if (paint.bg == HUE_SKY)
		paint.fg = HUE_FILL;
	return paint;
}

void map_draw_inside(const struct tui_view *view, struct area places)
{
	const struct map_view *state = view->state;
	const struct map_inside *inside = &state->inside;
	const int side = (int)inside->side;
	const size_t columns = state->map.columns * inside->side * ACROSS;
	if (!inside->counts || inside->columns != state->map.columns)
		return;
	for (int y = 0; y < (int)state->map.rows * side; y++)
		for (int x = 0; x < (int)state->map.columns * side * 2; x++) {
			size_t place =
				(size_t)(y / side) * state->map.columns + (size_t)(x / 2 / side);
			const struct cs_map_place *at = &state->map.places[place];
			const uint32_t *upper =
				&inside->counts[(size_t)y * DOWN * columns + (size_t)x * 2];
			draw_column(places, x, y, paint_of_dots(state, at), upper, upper + columns);
		}
}
