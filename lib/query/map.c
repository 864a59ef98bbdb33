/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Owns: the picture of a level of a grid. Each cell is asked for its state and, but for the
 * overlay of states, for a key of the overlay; a place takes the greatest key of its cells, so that
 * what says most is seen.
 */
#include <cellscope/query.h>

#include "query/overlay.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- states ---- */

static const char *const state_names[CS_MAP_STATES] = {
	[CS_MAP_LAYER_OFF] = "layer_off",
	[CS_MAP_UNLOADED] = "unloaded",
	[CS_MAP_STILL_AROUND] = "still_around",
	[CS_MAP_WAITING] = "waiting",
	[CS_MAP_PRELOADING] = "preloading",
	[CS_MAP_LOADING] = "loading",
	[CS_MAP_LOADED] = "loaded",
	[CS_MAP_SHOWING] = "showing",
	[CS_MAP_ACTIVATED] = "activated",
	[CS_MAP_LEAVING] = "leaving",
	[CS_MAP_FAILED] = "failed",
};

const char *cs_map_state_name(enum cs_map_state state)
{
	return state_names[state];
}

static enum cs_map_state state_of_view(
	const struct cs_stream_cell_view *view, const struct cs_cooked_cell *cell)
{
	const char *name = cs_cell_state_name(view);
	if (cell->layers.count > 0 && view->by_layers == CS_LAYER_UNLOADED &&
		view->state == CS_STATE_UNLOADED)
		return CS_MAP_LAYER_OFF;
	for (int i = 0; i < CS_MAP_STATES; i++)
		if (strcmp(state_names[i], name) == 0)
			return (enum cs_map_state)i;
	return CS_MAP_UNLOADED;
}

enum cs_map_state cs_map_state_of(
	const struct cs_stream *stream, const struct cs_cooked *world, struct cs_stream_cell cell)
{
	if (!stream)
		return CS_MAP_UNLOADED;
	const struct cs_stream_cell_view view = cs_stream_cell(stream, cell);
	return state_of_view(&view, &world->cells[cell.cell]);
}

/* ---- the size of the picture ---- */

static bool is_drawn(const struct cs_map_request *request, uint32_t row)
{
	const struct cs_cooked_cell *cell = &request->world->cells[row];
	return cell->level == request->level && cs_box_valid(&cell->box) &&
	       (!request->shows || request->shows(request->context, row));
}

static struct cs_range cells_of(const struct cs_map_request *request)
{
	return request->world->partitions[request->grid].cells;
}

struct extent {
	int64_t x0, y0, x1, y1;
	bool any;
};

static struct extent extent_of(const struct cs_map_request *request)
{
	struct cs_range range = cells_of(request);
	struct extent e = {0};
	for (uint32_t i = range.first; i < range.first + range.count; i++) {
		const struct cs_cooked_cell *cell = &request->world->cells[i];
		if (!is_drawn(request, i))
			continue;
		e.x0 = !e.any || cell->x < e.x0 ? cell->x : e.x0;
		e.y0 = !e.any || cell->y < e.y0 ? cell->y : e.y0;
		e.x1 = !e.any || cell->x > e.x1 ? cell->x : e.x1;
		e.y1 = !e.any || cell->y > e.y1 ? cell->y : e.y1;
		e.any = true;
	}
	return e;
}

/* Cells from first to last, both included; coordinates of a file can be anything. */
static uint64_t span(int64_t first, int64_t last)
{
	return (uint64_t)last - (uint64_t)first;
}

static uint64_t most(uint64_t asked)
{
	return asked && asked < CS_MAP_MOST ? asked : CS_MAP_MOST;
}

/* The least zoom at which the picture fits, or the one asked for while it is bounded at all. */
static struct cs_error *choose_size(const struct cs_map_request *request, struct cs_map *map)
{
	struct extent e = extent_of(request);
	uint64_t wide = span(e.x0, e.x1), high = span(e.y0, e.y1);
	if (request->window) {
		map->x0 = request->x0;
		map->y0 = request->y0;
		map->zoom = request->zoom ? request->zoom : 1;
		map->columns = (size_t)most(request->columns);
		map->rows = (size_t)most(request->rows);
		return NULL;
	}
	if (!e.any)
		return cs_error_new(CS_E_NOCELL, "no cells on level %" PRId32 " of %s",
			request->level,
			cs_cooked_text(
				request->world, request->world->partitions[request->grid].name));
	uint64_t across = wide / most(request->columns), down = high / most(request->rows);
	map->x0 = e.x0;
	map->y0 = e.y0;
	map->zoom = request->zoom ? request->zoom : (across > down ? across : down) + 1;
	while (map->zoom < UINT64_MAX / 2 &&
		(wide / map->zoom >= CS_MAP_MOST || high / map->zoom >= CS_MAP_MOST))
		map->zoom *= 2;
	map->columns = (size_t)(wide / map->zoom) + 1;
	map->rows = (size_t)(high / map->zoom) + 1;
	return NULL;
}

size_t cs_map_place_of(const struct cs_map_request *request, const struct cs_map *map, uint32_t row)
{
	const struct cs_cooked_cell *cell = &request->world->cells[row];
	if (cell->x < map->x0 || cell->y < map->y0)
		return SIZE_MAX;
	uint64_t x = span(map->x0, cell->x) / map->zoom, y = span(map->y0, cell->y) / map->zoom;
	return x < map->columns && y < map->rows ? (size_t)(y * map->columns + x) : SIZE_MAX;
}

/* ---- drawing ---- */

static struct cs_error *begin_overlay(struct cs_drawing *drawing)
{
	const struct cs_overlay *overlay = &cs_overlays[drawing->request->overlay];
	struct cs_map *map = drawing->map;
	map->n_keys = cs_map_overlay_keys(drawing->request->overlay, map->keys);
	return overlay->prepare ? overlay->prepare(drawing) : NULL;
}

/* A sum over the cells of a place has its key at the end. */
static unsigned key_of_place(enum cs_map_overlay overlay, const struct cs_map_place *place)
{
	return overlay == CS_MAP_STATE   ? place->state
	       : overlay == CS_MAP_BYTES ? cs_bytes_magnitude(place->bytes)
					 : place->key;
}

/* Two data layers are several; of anything else the greater key says more. */
static unsigned joined(enum cs_map_overlay overlay, unsigned left, unsigned right)
{
	if (overlay == CS_MAP_LAYERS && left && right && left != right)
		return CS_SEVERAL_LAYERS;
	return left > right ? left : right;
}

static void draw_cell(struct cs_drawing *drawing, uint32_t row, struct cs_map_place *place)
{
	const struct cs_map_request *request = drawing->request;
	const struct cs_overlay *overlay = &cs_overlays[request->overlay];
	const struct cs_cooked_cell *cell = &request->world->cells[row];
	struct cs_stream_cell_view view = {
		.state = CS_STATE_UNLOADED, .by_layers = CS_LAYER_ACTIVATED};
	if (request->stream)
		view = cs_stream_cell(
			request->stream, (struct cs_stream_cell){request->index, row});
	unsigned state = state_of_view(&view, cell), key = overlay->key(drawing, row);
	place->first = place->cells++ ? place->first : row;
	place->state = (uint8_t)(place->cells == 1 || state > place->state ? state : place->state);
	place->key = (uint8_t)joined(request->overlay, place->key, key);
	place->actors = cell->actors.count > place->actors ? cell->actors.count : place->actors;
	place->bytes += view.bytes;
	place->changes += drawing->frame > 0 && view.since == drawing->frame;
	if (request->overlay == CS_MAP_STATE)
		key = state;
	if (request->overlay != CS_MAP_BYTES) /* which are of places, not of cells */
		drawing->map->keys[key].cells++;
	drawing->map->cells++;
}

static void draw_cells(struct cs_drawing *drawing)
{
	struct cs_map *map = drawing->map;
	struct cs_range range = cells_of(drawing->request);
	uint64_t coordinates = map->zoom < UINT32_MAX ? map->zoom * map->zoom : UINT64_MAX;
	for (uint32_t i = range.first; i < range.first + range.count; i++) {
		size_t at = is_drawn(drawing->request, i)
				    ? cs_map_place_of(drawing->request, map, i)
				    : SIZE_MAX;
		if (at != SIZE_MAX)
			draw_cell(drawing, i, &map->places[at]);
	}
	for (size_t i = 0; i < map->columns * map->rows; i++) {
		struct cs_map_place *place = &map->places[i];
		place->key = (uint8_t)key_of_place(drawing->request->overlay, place);
		place->first = place->cells ? place->first : CS_NONE;
		if (drawing->request->overlay == CS_MAP_BYTES)
			map->keys[place->key].cells += place->cells;
		place->marks |= place->changes ? CS_MAP_MARK_CHANGED : 0;
		place->marks |= place->cells > coordinates ? CS_MAP_MARK_SEVERAL : 0;
	}
}

/* Marks the place whose cell has the source in its box. */
static void draw_sources(struct cs_drawing *drawing)
{
	const struct cs_map_request *request = drawing->request;
	struct cs_range range = cells_of(request);
	if (!request->sources || !request->stream || request->index)
		return; /* places of another partition are in its own space */
	for (size_t s = 0; s < cs_stream_sources(request->stream); s++) {
		const struct cs_stream_source_view view = cs_stream_source_at(request->stream, s);
		for (uint32_t i = range.first; i < range.first + range.count; i++) {
			const struct cs_cooked_cell *cell = &request->world->cells[i];
			size_t at = SIZE_MAX;
			if (is_drawn(request, i) &&
				cs_box_distance2(&cell->box, view.source->location, true) <= 0)
				at = cs_map_place_of(request, drawing->map, i);
			if (at != SIZE_MAX) {
				drawing->map->places[at].marks |= CS_MAP_MARK_SOURCE;
				break;
			}
		}
	}
}

struct cs_error *cs_map_draw(const struct cs_map_request *request, struct cs_map *ret)
{
	struct cs_map map = {0};
	struct cs_drawing drawing = {.request = request, .map = &map};
	if (request->grid >= request->world->n_partitions)
		return cs_error_new(CS_E_NOGRID, "the world has no grids");
	struct cs_error *error = choose_size(request, &map);
	if (!error)
		error = begin_overlay(&drawing);
	if (!error) {
		map.places = calloc(map.columns * map.rows, sizeof(*map.places));
		error = map.places ? NULL : cs_error_nomem();
	}
	if (!error) {
		drawing.frame = request->stream ? cs_stream_status(request->stream).frame : 0;
		draw_cells(&drawing);
		draw_sources(&drawing);
		*ret = map;
	}
	free(drawing.ranks);
	free(drawing.of_layer);
	free(drawing.of_cell);
	return error;
}

void cs_map_deinit(struct cs_map *map)
{
	free(map->places);
	*map = (struct cs_map){0};
}

size_t cs_map_cells_at(const struct cs_map_request *request, const struct cs_map *map, size_t place,
	uint32_t *cells, size_t room)
{
	struct cs_range range = cells_of(request);
	size_t n = 0;
	for (uint32_t i = range.first; i < range.first + range.count; i++) {
		if (!is_drawn(request, i) || cs_map_place_of(request, map, i) != place)
			continue;
		if (n < room)
			cells[n] = i;
		n++;
	}
	return n;
}

/* ---- what is shown first ---- */

uint32_t cs_map_default_grid(const struct cs_cooked *world)
{
	for (uint32_t i = 0; i < world->n_partitions; i++)
		if (world->partitions[i].cells.count > 0 &&
			world->partitions[i].flags & CS_PARTITION_SPATIAL)
			return i;
	return 0;
}

int32_t cs_map_default_level(const struct cs_cooked *world, uint32_t grid)
{
	struct cs_range range = world->partitions[grid].cells;
	int32_t level = INT32_MAX;
	for (uint32_t i = range.first; i < range.first + range.count; i++)
		if (world->cells[i].level < level && cs_box_valid(&world->cells[i].box))
			level = world->cells[i].level;
	return level == INT32_MAX ? 0 : level;
}
