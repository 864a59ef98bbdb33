/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of the map: their command lines, placeholders in these, and when each applies. */
#include "src/tui/views/map_view.h"

#include <inttypes.h>

/* Prints an SQL condition that selects the cells of the place under the cursor. */
static bool map_keys_say_place(struct tui_view *view, struct output *out)
{
	const struct map_view *state = map_state_of(view);
	const struct cs_cooked *world = view->session->world;
	size_t place = map_place_at(state, state->x, state->y);
	int64_t zoom = (int64_t)state->zoom;
	if (place == SIZE_MAX || state->map.places[place].cells == 0)
		return false;
	const struct cs_map_request request = map_request(view);
	if (state->all_levels) {
		uint32_t cells[32];
		size_t n = cs_map_cells_at(&request, &state->map, place, cells, 32);
		say(out, "name IN (");
		for (size_t i = 0; i < n && i < 32; i++)
			say(out, "%s'%s'", i ? ", " : "", cs_cooked_cell_name(world, cells[i]));
		say(out, ")");
		return true;
	}
	int64_t x = state->x0 + (int64_t)(place % state->map.columns) * zoom,
		y = state->y0 + (int64_t)(place / state->map.columns) * zoom;
	say(out, "grid = '%s' AND level = %d",
		cs_cooked_text(world, world->partitions[state->grid].name), state->level);
	if (zoom == 1)
		say(out, " AND x = %" PRId64 " AND y = %" PRId64, x, y);
	else
		say(out,
			" AND x BETWEEN %" PRId64 " AND %" PRId64 " AND y BETWEEN %" PRId64
			" AND %" PRId64,
			x, x + zoom - 1, y, y + zoom - 1);
	return true;
}

bool map_fill(struct tui_view *view, char letter, struct output *out)
{
	const struct map_view *state = map_state_of(view);
	struct cs_vec3 point;
	if (letter == 'w')
		return map_keys_say_place(view, out);
	if (letter == 's')
		say(out, "%s", state->drags);
	if (letter == 's')
		return *state->drags != '\0';
	if (letter != 'p' || !map_point(view, &point))
		return false;
	say(out, "%.0f,%.0f,%.0f", point.x, point.y, point.z);
	return true;
}

static bool has_no_source(struct tui_view *view)
{
	const struct cs_stream *stream = view->session->run.stream;
	return !stream || cs_stream_sources(stream) == 0;
}

static bool has_unread(struct tui_view *view)
{
	return view->session->world && map_has_many_unread(view->session->world);
}

static bool is_dragging(struct tui_view *view)
{
	return *map_state_of(view)->drags != '\0';
}

static bool has_several(struct tui_view *view)
{
	const struct map_view *state = map_state_of(view);
	size_t place = map_place_at(state, state->x, state->y);
	return place != SIZE_MAX && state->map.places[place].cells > 1;
}

const struct key map_keys[] = {
	{"m", "view overlay next", "Overlay",
		"the next overlay: actors, bytes, layers, HLOD, order, why-not, loads, thrash"},
	{"Enter", "source move %s %p", "Put", "put the source down here", is_dragging},
	{"Enter", "view cells %w", "Cells", "list the cells of the place", has_several},
	{"S", "source add Player0 %p", "Source", "a source here", has_no_source},
	{"p", "path follow Player0 picked", NULL, "let the source follow the chosen path",
		view_has_picked_path},
	{"p", "view pick files:.csv,.csv.gz path load {} picked", NULL,
		"choose a path for the source; p again lets the source follow it"},
	{"S", "view drag", "Move", "move the source with the cursor; Enter puts the source down"},
	{"Esc", "view drag off", NULL, "leave the source where it was", is_dragging},
	{"H", "view events cell = %q", NULL, "events of the cell"},
	{"a", "view level all", NULL, "all levels at once, or one level"},
	{"+", "view zoom in", "Zoom",
		"fewer cells in a character, then several characters for a cell", NULL, "+ -"},
	{"=", "view zoom in", NULL, "the same"},
	{"-", "view zoom out", NULL, "more cells in a character"},
	{"z", "view zoom fit", NULL, "show the whole level"},
	{"D", "view zoom dots", NULL, "read the actors of a large world, to draw dots for them",
		has_unread},
	{"[", "view level down", "Level", "the level below", NULL, "[ ]"},
	{"]", "view level up", NULL, "the level above"},
	{"R", "view grid next", NULL, "the next grid"},
	{"(", "view pan -8,0", NULL, "the window to the left"},
	{")", "view pan 8,0", NULL, "the window to the right"},
	{"J", "view pan 0,6", NULL, "the window down"},
	{"K", "view pan 0,-6", NULL, "the window up"},
	{0},
};
