/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws the picture of one level of a grid. A place is one character of the picture, and shows one
 * or more cells. Each cell has a state and, except in the overlay of states, a key of the overlay.
 * A place shows the highest key of its cells, so that the most important one is visible.
 */
#include <cellscope/query.h>
#include <cellscope/runs.h>

#include "core/geometry.h"
#include "format/cooked_inside.h"
#include "format/file_inside.h"
#include "query/picture/map_index.h"
#include "query/picture/overlay.h"
#include "stream/stream_inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the size of the picture ---- */

/* Returns the request's index of cells if it is of the requested grid and level, else NULL. */
static const struct cs_map_index *index_of(const struct cs_map_request *request)
{
	const struct cs_map_index *index = request->sorted;
	bool fits = index && !request->all_levels && index->world == request->world &&
		    index->grid == request->grid && index->level == request->level;
	return fits ? index : NULL;
}

/*
 * Begins a loop over the cells. Without an index, a picture reads all cells several times; with an
 * index, it reads only some cells, which stay loaded for the next picture.
 */
static struct cs_cooked_loop begin_map_cells(const struct cs_map_request *request)
{
	static const struct cs_record_byte fields[] = {
		{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, box)},
		{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, x)},
		{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, y)},
		{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, partition)},
		{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, level)},
		{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, flags)},
		{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, layers)},
		{CS_TABLE_CELLS, offsetof(struct cs_cooked_cell, actors)}};
	struct cs_cooked *world = (struct cs_cooked *)request->world;
	/* decode all fields: a filter may read any, and the load order compares cell names */
	const bool whole = request->shows || request->overlay == CS_MAP_PRIORITY;
	return index_of(request)
		       ? (struct cs_cooked_loop){world, false}
		       : cs_cooked_loop(world, whole ? NULL : fields, CS_COUNT_OF(fields));
}

static void end_map_cells(const struct cs_cooked_loop *loop)
{
	if (loop->passes)
		cs_cooked_pass(loop->cooked, CS_PASS_END);
}

static bool is_drawn(const struct cs_map_request *request, uint32_t row)
{
	cs_cooked_loop_step(
		&(struct cs_cooked_loop){(struct cs_cooked *)request->world, true}, row);
	const struct cs_cooked_cell *cell = cs_cooked_cell(request->world, row);
	bool right =
		request->all_levels ? cell->level >= request->level : cell->level == request->level;
	return right && cs_box_valid(&cell->box) &&
	       (!request->shows || request->shows(request->context, row));
}

static struct cs_range cells_of(const struct cs_map_request *request)
{
	return request->world->partitions[request->grid].cells;
}

struct extent {
	int64_t x0, y0, x1, y1;
};

/* Computes cell size and origin of coordinates from the first cell of the level that has a box. */
static void find_scale(const struct cs_map_request *request, struct cs_map *map)
{
	struct cs_range range = cells_of(request);
	const struct cs_map_index *sorted = index_of(request);
	if (sorted && sorted->n > 0)
		range = (struct cs_range){sorted->keys[0].index, 1};
	for (uint32_t i = range.first; i < range.first + range.count; i++) {
		const struct cs_cooked_cell *cell = cs_cooked_cell(request->world, i);
		double side = cell->box.max.x - cell->box.min.x;
		if (cell->level != request->level || !cs_box_valid(&cell->box) || !(side > 0))
			continue;
		map->side = side;
		map->origin_x = cell->box.min.x - (double)cell->x * side;
		map->origin_y = cell->box.min.y - (double)cell->y * side;
		return;
	}
}

static int64_t whole(double number)
{
	const double most = 1e15;
	return (int64_t)(number > most ? most : number < -most ? -most : number);
}

/*
 * Returns the coordinates of the drawn level that a cell covers: its own, or if the cell is of
 * another level, those that its box covers.
 */
static struct extent extent_of_cell(const struct cs_map_request *request, const struct cs_map *map,
	const struct cs_cooked_cell *cell)
{
	const double side = map->side;
	if (cell->level == request->level || !(side > 0))
		return (struct extent){cell->x, cell->y, cell->x, cell->y};
	struct extent extent = {whole(floor((cell->box.min.x - map->origin_x) / side + .5)),
		whole(floor((cell->box.min.y - map->origin_y) / side + .5)),
		whole(ceil((cell->box.max.x - map->origin_x) / side - .5)) - 1,
		whole(ceil((cell->box.max.y - map->origin_y) / side - .5)) - 1};
	extent.x1 = extent.x1 < extent.x0 ? extent.x0 : extent.x1;
	extent.y1 = extent.y1 < extent.y0 ? extent.y0 : extent.y1;
	return extent;
}

/* Computes the range of coordinates of all cells that are drawn; false if there are none. */
static bool map_extent_of(
	const struct cs_map_request *request, const struct cs_map *map, struct extent *ret)
{
	struct cs_range range = cells_of(request);
	struct extent extent = {INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN};
	bool any = false;
	for (uint32_t i = range.first; i < range.first + range.count; i++) {
		if (!is_drawn(request, i))
			continue;
		struct extent cell =
			extent_of_cell(request, map, cs_cooked_cell(request->world, i));
		extent.x0 = cell.x0 < extent.x0 ? cell.x0 : extent.x0;
		extent.y0 = cell.y0 < extent.y0 ? cell.y0 : extent.y0;
		extent.x1 = cell.x1 > extent.x1 ? cell.x1 : extent.x1;
		extent.y1 = cell.y1 > extent.y1 ? cell.y1 : extent.y1;
		any = true;
	}
	*ret = extent;
	return any;
}

static uint64_t most(uint64_t asked)
{
	return asked && asked < CS_MAP_MOST ? asked : CS_MAP_MOST;
}

static struct cs_error *no_cell_drawn(
	const struct cs_map_request *request, const struct cs_map *map)
{
	struct extent extent;
	struct cs_map_request unfiltered = *request;
	const char *grid =
		cs_cooked_text(request->world, request->world->partitions[request->grid].name);
	unfiltered.shows = NULL;
	if (cells_of(request).count == 0)
		return cs_error_new(CS_E_NOCELL, "the grid %s has no cells", grid);
	return cs_error_new(CS_E_NOCELL,
		map_extent_of(&unfiltered, map, &extent)
			? "no cell on level %d of the grid %s passes the filters of the map: -w, "
			  "and those that wp.Runtime.DebugFilter... set"
			: "level %d of the grid %s has no cells: without -l the lowest level that "
			  "has cells is drawn",
		request->level, grid);
}

/* Uses the requested zoom, or chooses the lowest at which the level fits into the picture. */
static struct cs_error *choose_size(const struct cs_map_request *request, struct cs_map *map)
{
	find_scale(request, map);
	if (request->window) {
		map->x0 = request->x0;
		map->y0 = request->y0;
		map->zoom = request->zoom ? request->zoom : 1;
		map->columns = (size_t)most(request->columns);
		map->rows = (size_t)most(request->rows);
		return NULL;
	}
	struct extent extent;
	if (!map_extent_of(request, map, &extent))
		return no_cell_drawn(request, map);
	uint64_t wide = cs_map_span(extent.x0, extent.x1), high = cs_map_span(extent.y0, extent.y1);
	uint64_t across = wide / most(request->columns), down = high / most(request->rows);
	map->x0 = extent.x0;
	map->y0 = extent.y0;
	map->zoom = request->zoom ? request->zoom : (across > down ? across : down) + 1;
	while (map->zoom < UINT64_MAX / 2 &&
		(wide / map->zoom >= CS_MAP_MOST || high / map->zoom >= CS_MAP_MOST))
		map->zoom *= 2;
	map->columns = (size_t)(wide / map->zoom) + 1;
	map->rows = (size_t)(high / map->zoom) + 1;
	return NULL;
}

/* The columns x0 to x1 and rows y0 to y1 of the picture that a cell covers. */
struct places {
	size_t x0, y0, x1, y1;
};

static bool places_of(const struct cs_map_request *request, const struct cs_map *map, uint32_t row,
	struct places *ret)
{
	struct extent extent = extent_of_cell(request, map, cs_cooked_cell(request->world, row));
	if (extent.x1 < map->x0 || extent.y1 < map->y0)
		return false;
	uint64_t x0 = extent.x0 > map->x0 ? cs_map_span(map->x0, extent.x0) / map->zoom : 0,
		 y0 = extent.y0 > map->y0 ? cs_map_span(map->y0, extent.y0) / map->zoom : 0,
		 x1 = cs_map_span(map->x0, extent.x1) / map->zoom,
		 y1 = cs_map_span(map->y0, extent.y1) / map->zoom;
	if (x0 >= map->columns || y0 >= map->rows)
		return false;
	*ret = (struct places){(size_t)x0, (size_t)y0,
		x1 < map->columns ? (size_t)x1 : map->columns - 1,
		y1 < map->rows ? (size_t)y1 : map->rows - 1};
	return true;
}

size_t cs_map_place_of(const struct cs_map_request *request, const struct cs_map *map, uint32_t row)
{
	struct places at;
	bool is_there = cs_cooked_cell(request->world, row)->partition == request->grid &&
			is_drawn(request, row) && places_of(request, map, row, &at);
	return is_there ? at.y0 * map->columns + at.x0 : SIZE_MAX;
}

/* ---- iterating over the cells in a rectangle ---- */

struct cell_walk {
	const struct cs_map_request *request;
	struct cs_map_walk sorted; /* iterator over the index, if there is one */
	uint32_t at, end;          /* without an index: range of rows not visited yet */
};

/* Begins to iterate over cells in a rectangle. Without an index, cells outside are returned too. */
static struct cell_walk walk_cells(
	const struct cs_map_request *request, int64_t x0, int64_t y0, int64_t x1, int64_t y1)
{
	const struct cs_map_index *index = index_of(request);
	struct cs_range range = cells_of(request);
	struct cell_walk walk = {
		.request = request, .at = range.first, .end = range.first + range.count};
	if (index)
		walk.sorted = cs_map_walk_of(index, x0, y0, x1, y1);
	return walk;
}

static bool map_next_cell(struct cell_walk *walk, uint32_t *ret)
{
	const struct cs_map_request *request = walk->request;
	if (walk->sorted.index) {
		while (cs_map_walk_next(&walk->sorted, ret))
			if (!request->shows || request->shows(request->context, *ret))
				return true;
		return false;
	}
	while (walk->at < walk->end && !is_drawn(request, walk->at))
		walk->at++;
	*ret = walk->at;
	return walk->at++ < walk->end;
}

static struct cell_walk walk_place(
	const struct cs_map_request *request, const struct cs_map *map, size_t place)
{
	int64_t x = (int64_t)((uint64_t)map->x0 + map->zoom * (place % map->columns)),
		y = (int64_t)((uint64_t)map->y0 + map->zoom * (place / map->columns));
	return walk_cells(
		request, x, y, cs_map_last_of(x, map->zoom, 1), cs_map_last_of(y, map->zoom, 1));
}

/* ---- drawing all cells ---- */

static struct cs_error *begin_overlay(struct cs_drawing *drawing)
{
	const struct cs_overlay *overlay = &cs_overlays[drawing->request->overlay];
	struct cs_map *map = drawing->map;
	struct cs_map_legend legend;
	cs_map_legend(drawing->request->overlay, &legend);
	memcpy(map->keys, legend.keys, sizeof(map->keys));
	map->n_keys = legend.n_keys;
	return overlay->prepare ? overlay->prepare(drawing) : NULL;
}

/*
 * Returns the key to draw for a place to which all its cells were added. In overlays of states and
 * bytes, the key is computed from all of them.
 */
static unsigned key_of_place(enum cs_map_overlay overlay, const struct cs_map_place *place)
{
	return overlay == CS_MAP_STATE   ? place->state
	       : overlay == CS_MAP_BYTES ? cs_bytes_magnitude(place->bytes)
					 : place->key;
}

/* Returns the key for two cells in a place: the higher, or "several" for different data layers. */
static unsigned joined(enum cs_map_overlay overlay, unsigned left, unsigned right)
{
	if (overlay == CS_MAP_LAYERS && left && right && left != right)
		return CS_SEVERAL_LAYERS;
	return left > right ? left : right;
}

/*
 * Values of one cell that are added to each place (character of the picture) that the cell covers.
 */
struct drawn {
	uint32_t row, actors;
	uint64_t bytes;
	unsigned state, key;
	bool changed;
};

static void add_to_place(
	enum cs_map_overlay overlay, const struct drawn *cell, struct cs_map_place *place)
{
	if (place->cells++ == 0 || cell->row < place->first)
		place->first = cell->row;
	if (place->cells == 1 || cell->state > place->state)
		place->state = (uint8_t)cell->state;
	place->key = (uint8_t)joined(overlay, place->key, cell->key);
	place->actors = cell->actors > place->actors ? cell->actors : place->actors;
	place->bytes += cell->bytes;
	place->changes += cell->changed;
}

static void draw_cell(struct cs_drawing *drawing, uint32_t row, const struct places *at)
{
	const struct cs_map_request *request = drawing->request;
	const struct cs_overlay *overlay = &cs_overlays[request->overlay];
	const struct cs_cooked_cell *cell = cs_cooked_cell(request->world, row);
	struct cs_map *map = drawing->map;
	const struct cs_stream_cell_view view =
		cs_stream_cell(request->stream, (struct cs_stream_cell){request->index, row});
	struct drawn drawn = {.row = row,
		.actors = cell->actors.count,
		.bytes = view.bytes,
		.state = view.on_map,
		.key = overlay->key(drawing, row),
		.changed = drawing->frame > 0 && view.since == drawing->frame};
	for (size_t y = at->y0; y <= at->y1; y++)
		for (size_t x = at->x0; x <= at->x1; x++)
			add_to_place(request->overlay, &drawn, &map->places[y * map->columns + x]);
	if (request->overlay == CS_MAP_STATE)
		drawn.key = drawn.state;
	/* with CS_MAP_BYTES, a place's key is computed later, from the sum of its bytes */
	if (request->overlay != CS_MAP_BYTES)
		map->keys[drawn.key].cells++;
	map->cells++;
	if (map->states)
		map->states[row - cells_of(request).first] = (unsigned char)drawn.state;
}

static void finish_place(struct cs_drawing *drawing, struct cs_map_place *place)
{
	struct cs_map *map = drawing->map;
	uint64_t coordinates = map->zoom < UINT32_MAX ? map->zoom * map->zoom : UINT64_MAX;
	place->key = (uint8_t)key_of_place(drawing->request->overlay, place);
	place->first = place->cells ? place->first : CS_NONE;
	if (drawing->request->overlay == CS_MAP_BYTES)
		map->keys[place->key].cells += place->cells;
	place->marks |= place->changes ? CS_MAP_MARK_CHANGED : 0;
	if (place->cells > coordinates && !drawing->request->all_levels)
		place->marks |= CS_MAP_MARK_SEVERAL;
}

static void draw_each_cell(struct cs_drawing *drawing)
{
	struct cs_map *map = drawing->map;
	struct cell_walk walk = walk_cells(drawing->request, map->x0, map->y0,
		cs_map_last_of(map->x0, map->zoom, map->columns),
		cs_map_last_of(map->y0, map->zoom, map->rows));
	uint32_t row;
	while (map_next_cell(&walk, &row)) {
		struct places at;
		if (places_of(drawing->request, map, row, &at))
			draw_cell(drawing, row, &at);
	}
}

static struct cs_error *map_draw_cells(struct cs_drawing *drawing)
{
	struct cs_map *map = drawing->map;
	struct cs_error *error = NULL;
	if (index_of(drawing->request) && cs_map_is_summed(drawing))
		error = cs_map_draw_summed(drawing);
	else
		draw_each_cell(drawing);
	for (size_t i = 0; !error && i < map->columns * map->rows; i++)
		finish_place(drawing, &map->places[i]);
	return error;
}

/* Returns the index of the place that contains a point, or SIZE_MAX outside of the map. */
static size_t place_of_point(const struct cs_map *map, struct cs_vec3 point)
{
	int64_t x = whole(floor((point.x - map->origin_x) / map->side)),
		y = whole(floor((point.y - map->origin_y) / map->side));
	if (x < map->x0 || y < map->y0)
		return SIZE_MAX;
	uint64_t column = cs_map_span(map->x0, x) / map->zoom,
		 row = cs_map_span(map->y0, y) / map->zoom;
	return column < map->columns && row < map->rows ? (size_t)(row * map->columns + column)
							: SIZE_MAX;
}

/* Returns the index of the place that shows the point. `cell` contains the point. */
static size_t place_in(const struct cs_drawing *drawing, uint32_t cell, struct cs_vec3 point)
{
	const struct cs_map *map = drawing->map;
	return !drawing->request->all_levels || !(map->side > 0)
		       ? cs_map_place_of(drawing->request, map, cell)
		       : place_of_point(map, point);
}

/*
 * Marks the place of the map that shows the cell at the location of a source, or the empty place
 * there if no cell contains the source.
 */
static void map_draw_source(struct cs_drawing *drawing, struct cs_vec3 location)
{
	const struct cs_map_request *request = drawing->request;
	const struct cs_map *map = drawing->map;
	int64_t x0 = INT64_MIN, y0 = INT64_MIN, x1 = INT64_MAX, y1 = INT64_MAX;
	size_t at = SIZE_MAX;
	uint32_t row;
	if (map->side > 0) { /* one cell more on each side, because the division may round */
		x0 = whole(floor((location.x - map->origin_x) / map->side)) - 1;
		y0 = whole(floor((location.y - map->origin_y) / map->side)) - 1;
		x1 = x0 + 2;
		y1 = y0 + 2;
	}
	struct cell_walk walk = walk_cells(request, x0, y0, x1, y1);
	while (at == SIZE_MAX && map_next_cell(&walk, &row))
		if (cs_box_distance2(&cs_cooked_cell(request->world, row)->box, location, true) <=
			0)
			at = place_in(drawing, row, location);
	if (at == SIZE_MAX && map->side > 0)
		at = place_of_point(map, location);
	if (at != SIZE_MAX)
		map->places[at].marks |= CS_MAP_MARK_SOURCE;
}

static void map_draw_sources(struct cs_drawing *drawing)
{
	const struct cs_map_request *request = drawing->request;
	if (!request->sources || !request->stream || request->index)
		/* sources have coordinates of the main world partition, but another one is drawn */
		return;
	for (size_t s = 0; s < cs_stream_sources(request->stream); s++) {
		const struct cs_cooked_loop loop = begin_map_cells(request);
		map_draw_source(drawing, cs_stream_source_at(request->stream, s).source->location);
		end_map_cells(&loop);
	}
}

/* ---- redrawing only what has changed ---- */

/*
 * Returns whether cells and actors count as many bytes as in the last picture. Console variables
 * set these numbers, and no event reports a change of them.
 */
static bool same_sizes(const struct cs_map_request *request, const struct cs_map *map)
{
	const struct cs_stream_load_sizes now = cs_stream_load_sizes(request->stream);
	return now.cell == map->sizes.cell && now.actor == map->sizes.actor;
}

/* Returns whether the picture differs from the last one only in cells that have had events. */
static bool can_redraw(const struct cs_map_request *request, const struct cs_map *map)
{
	if (!map->states || !index_of(request) || request->overlay != CS_MAP_STATE ||
		!request->stream || !request->window || request->shows || request->x0 != map->x0 ||
		request->y0 != map->y0 || request->zoom != map->zoom ||
		most(request->columns) != map->columns || most(request->rows) != map->rows)
		return false;
	const struct cs_stream_status status = cs_stream_status(request->stream);
	uint64_t now = cs_stream_event_count(request->stream);
	if (status.rewinds != map->rewinds || status.frame < map->frame || now < map->events ||
		!same_sizes(request, map))
		return false;
	for (uint64_t i = map->events; i < now; i++) {
		const struct cs_stream_event *event = cs_stream_event_at(request->stream, i);
		if (!event || event->event == CS_EVENT_LAYER || event->event == CS_EVENT_WORLD ||
			event->event == CS_EVENT_EPOCH)
			return false;
	}
	return true;
}

static void redraw_place(struct cs_drawing *drawing, size_t at)
{
	const struct cs_map_request *request = drawing->request;
	struct cs_map_place *place = &drawing->map->places[at];
	struct cell_walk walk = walk_place(request, drawing->map, at);
	uint32_t row;
	place->state = 0;
	place->changes = 0;
	place->marks = 0;
	while (map_next_cell(&walk, &row)) {
		unsigned state = drawing->map->states[row - cells_of(request).first];
		place->state = state > place->state ? (uint8_t)state : place->state;
		place->changes +=
			drawing->frame > 0 && cs_stream_cell(request->stream,
						      (struct cs_stream_cell){request->index, row})
							      .since == drawing->frame;
	}
	finish_place(drawing, place);
}

/* Updates the state counts for a changed cell. If its place must be redrawn, sets dirty[place]. */
static void note_cell(struct cs_drawing *drawing, uint32_t row, bool is_event, bool *dirty)
{
	const struct cs_map_request *request = drawing->request;
	struct cs_map *map = drawing->map;
	size_t place = cs_map_place_of(request, map, row);
	if (place == SIZE_MAX)
		return;
	unsigned char *state = &map->states[row - cells_of(request).first];
	enum cs_map_state now =
		cs_stream_cell(request->stream, (struct cs_stream_cell){request->index, row})
			.on_map;
	dirty[place] = dirty[place] || now != *state || is_event;
	map->keys[*state].cells--;
	map->keys[now].cells++;
	*state = (unsigned char)now;
}

static void note_events(struct cs_drawing *drawing, bool *dirty)
{
	const struct cs_map_request *request = drawing->request;
	struct cs_range range = cells_of(request);
	for (uint64_t i = drawing->map->events; i < cs_stream_event_count(request->stream); i++) {
		const struct cs_stream_event *event = cs_stream_event_at(request->stream, i);
		if (event->world == request->index && event->cell >= range.first &&
			event->cell < range.first + range.count)
			note_cell(drawing, event->cell, true, dirty);
	}
}

/*
 * Updates map->states for all cells whose stored state is neither unloaded nor off, because a cell
 * that stops waiting, or whose memory is freed, causes no event. Tests eight states at once,
 * because nearly all cells of a large world are unloaded.
 */
static void note_wanted(struct cs_drawing *drawing, bool *dirty)
{
	enum { GLANCE = sizeof(uint64_t) };
	/* a byte of `several` with this mask is not 0 if its state is above CS_MAP_UNLOADED (1) */
	const uint64_t more = UINT64_C(0xfefefefefefefefe);
	const unsigned char *states = drawing->map->states;
	struct cs_range range = cells_of(drawing->request);
	for (uint32_t i = 0; i < range.count; i += GLANCE) {
		uint64_t several = 0;
		uint32_t n = range.count - i < GLANCE ? range.count - i : GLANCE;
		memcpy(&several, states + i, n);
		for (uint32_t k = 0; several & more && k < n; k++)
			if (states[i + k] > CS_MAP_UNLOADED)
				note_cell(drawing, range.first + i + k, false, dirty);
	}
}

static struct cs_error *redraw(struct cs_drawing *drawing)
{
	struct cs_map *map = drawing->map;
	const uint8_t fleeting = CS_MAP_MARK_CHANGED | CS_MAP_MARK_SOURCE;
	size_t n = map->columns * map->rows;
	bool *dirty = calloc(n + 1, sizeof(*dirty));
	if (!dirty)
		return cs_error_nomem();
	for (size_t i = 0; i < n; i++)
		dirty[i] = map->places[i].marks & fleeting;
	note_events(drawing, dirty);
	note_wanted(drawing, dirty);
	for (size_t i = 0; i < n; i++)
		if (dirty[i])
			redraw_place(drawing, i);
	free(dirty);
	map_draw_sources(drawing);
	return NULL;
}

static void note_run(const struct cs_map_request *request, struct cs_map *map)
{
	if (!request->stream)
		return;
	const struct cs_stream_status status = cs_stream_status(request->stream);
	map->frame = status.frame;
	map->rewinds = status.rewinds;
	map->sizes = cs_stream_load_sizes(request->stream);
	map->events = cs_stream_event_count(request->stream);
}

/* Returns the loading range to print beside the picture. */
static struct cs_stream_range map_range_of(const struct cs_map_request *request)
{
	if (request->stream)
		return cs_stream_range(request->stream, request->index, request->grid);
	const struct cs_cooked_partition *grid = &request->world->partitions[request->grid];
	return (struct cs_stream_range){grid->loading_range,
		grid->flags & CS_PARTITION_ASSUMED ? CS_RANGE_ASSUMED : CS_RANGE_COOKED};
}

static void note_beside(const struct cs_map_request *request, struct cs_map *map)
{
	map->range = map_range_of(request);
	map->cell_side =
		ldexp(request->world->partitions[request->grid].cell_size, (int)request->level);
	map->marks = 0;
	for (size_t i = 0; i < map->columns * map->rows; i++)
		map->marks |= map->places[i].marks;
}

struct cs_error *cs_map_redraw(const struct cs_map_request *request, struct cs_map *map)
{
	if (!can_redraw(request, map)) {
		struct cs_map fresh;
		struct cs_error *error = cs_map_draw(request, &fresh);
		if (error)
			return error;
		cs_map_deinit(map);
		*map = fresh;
		return NULL;
	}
	struct cs_drawing drawing = {
		.request = request, .map = map, .frame = cs_stream_status(request->stream).frame};
	struct cs_error *error = redraw(&drawing);
	note_run(request, map);
	note_beside(request, map);
	return error;
}

struct cs_error *cs_map_draw(const struct cs_map_request *request, struct cs_map *ret)
{
	struct cs_map map = {0};
	struct cs_drawing drawing = {.request = request, .map = &map};
	if (request->grid >= request->world->n_partitions)
		return cs_error_new(CS_E_NOGRID,
			"the world has no grids, so there is no map to draw: `cells` lists its "
			"cells");
	struct cs_cooked_loop loop = begin_map_cells(request);
	struct cs_error *error = choose_size(request, &map);
	end_map_cells(&loop);
	loop = begin_map_cells(request);
	if (!error)
		error = begin_overlay(&drawing);
	end_map_cells(&loop);
	if (!error) {
		map.places = calloc(map.columns * map.rows, sizeof(*map.places));
		error = map.places ? NULL : cs_error_nomem();
	}
	if (!error && index_of(request) && request->stream && request->overlay == CS_MAP_STATE)
		/* if this allocation fails, the map is drawn, but cannot be redrawn later */
		map.states = calloc((size_t)cells_of(request).count + 1, 1);
	if (!error) {
		drawing.frame = request->stream ? cs_stream_status(request->stream).frame : 0;
		loop = begin_map_cells(request);
		error = map_draw_cells(&drawing);
		end_map_cells(&loop);
	}
	if (!error) {
		map_draw_sources(&drawing);
		note_run(request, &map);
		note_beside(request, &map);
		*ret = map;
	} else {
		cs_map_deinit(&map);
	}
	free(drawing.ranks);
	free(drawing.of_layer);
	free(drawing.of_cell);
	return error;
}

void cs_map_deinit(struct cs_map *map)
{
	free(map->places);
	free(map->states);
	*map = (struct cs_map){0};
}

size_t cs_map_cells_at(const struct cs_map_request *request, const struct cs_map *map, size_t place,
	uint32_t *cells, size_t room)
{
	struct cell_walk walk = walk_place(request, map, place);
	size_t n = 0, x = place % map->columns, y = place / map->columns;
	uint32_t row;
	while (map_next_cell(&walk, &row)) {
		struct places at;
		if (!places_of(request, map, row, &at) || x < at.x0 || x > at.x1 || y < at.y0 ||
			y > at.y1)
			continue;
		if (n < room)
			cells[n] = row;
		n++;
	}
	return n;
}
