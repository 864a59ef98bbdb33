/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws a picture of states whose places (characters) show many cells each. The cells of a place
 * that have the same y are consecutive in the index (map_index.h), so their values are adjacent in
 * memory. The states of resident and waiting cells, and of cells with data layers, are read from
 * the run; all other cells are unloaded.
 *
 * Invariant: a cell that is neither resident nor waiting, and has no data layer, is unloaded and
 * did not change in the last frame (cs_stream_residents lists the resident and waiting cells).
 */
#include "query/picture/overlay.h"

#include "core/search.h"
#include "query/picture/map_index.h"
#include "stream/stream_inside.h"

#include <cellscope/query.h>
#include <cellscope/runs.h>

#include <stdlib.h>
#include <string.h>

/*
 * Smallest zoom at which a picture is drawn from sums, which are computed from all resident cells.
 * At a lower zoom fewer cells are visible, and visiting those takes no longer.
 */
enum { LEAST_ZOOM = 3 };

/* ---- sizes of cells in bytes ---- */

/* Computes the sizes of the cells; false if one does not fit into 32 bits or memory runs out. */
static bool map_summed_read_bytes(const struct cs_map_request *request)
{
	const struct cs_map_index *index = request->sorted;
	struct cs_map_bytes *bytes = index->bytes;
	const struct cs_stream_load_sizes sizes = cs_stream_load_sizes(request->stream);
	if (bytes->at && bytes->sizes.cell == sizes.cell && bytes->sizes.actor == sizes.actor)
		return bytes->fits;
	if (!bytes->at)
		bytes->at = malloc((index->n + 1) * sizeof(*bytes->at));
	uint64_t most = 0;
	for (size_t i = 0; bytes->at && i < index->n; i++) {
		uint64_t n = cs_stream_cell_bytes(request->stream,
			(struct cs_stream_cell){request->index, index->keys[i].index});
		most |= n;
		bytes->at[i] = (uint32_t)n;
	}
	bytes->sizes = sizes;
	bytes->fits = bytes->at && most <= UINT32_MAX;
	return bytes->fits;
}

bool cs_map_is_summed(const struct cs_drawing *drawing)
{
	const struct cs_map_request *request = drawing->request;
	return request->overlay == CS_MAP_STATE && !request->shows && request->stream &&
	       drawing->map->states && drawing->map->zoom >= LEAST_ZOOM &&
	       cs_stream_world(request->stream, request->index).cooked == request->world &&
	       map_summed_read_bytes(request);
}

/* ---- summing cells into places ---- */

/* Adds the cells of the index keys [at, end) to the sums of one place of the map. */
static void add_run(
	const struct cs_map_index *index, size_t at, size_t end, struct cs_map_place *place)
{
	const uint32_t *actors = index->actors, *bytes = index->bytes->at;
	uint32_t first = place->cells ? place->first : CS_NONE, most = place->actors;
	uint64_t sum = 0;
	for (size_t i = at; i < end; i++)
		first = index->keys[i].index < first ? index->keys[i].index : first;
	for (size_t i = at; i < end; i++)
		most = actors[i] > most ? actors[i] : most;
	for (size_t i = at; i < end; i++)
		sum += bytes[i];
	place->first = first;
	place->actors = most;
	place->bytes += sum;
	place->cells += (uint32_t)(end - at);
}

/*
 * Returns the index of the first key in [at, end) whose x exceeds `last`. All keys have the same y.
 * Tries at + guess first, which is right if every coordinate has a cell.
 */
static size_t end_of_run(
	const struct cs_map_index *index, size_t at, size_t end, int64_t last, uint64_t guess)
{
	const struct cs_sort_key *keys = index->keys;
	const uint64_t most = cs_map_biased(last);
	size_t there = guess < end - at ? at + (size_t)guess : end;
	if (keys[there - 1].low <= most && (there == end || keys[there].low > most))
		return there;
	return cs_lower_bound(at, end, i, keys[i].low <= most);
}

/* Adds the cells with indices [at, end) in index->keys, all of one y, to a row of places. */
static void map_summed_add_line(
	struct cs_drawing *drawing, size_t at, size_t end, struct cs_map_place *places)
{
	const struct cs_map_index *index = drawing->request->sorted;
	struct cs_map *map = drawing->map;
	const int64_t last = cs_map_last_of(map->x0, map->zoom, map->columns);
	while (at < end) {
		int64_t x = cs_map_unbiased(index->keys[at].low);
		if (x > last)
			return;
		size_t column = (size_t)(cs_map_span(map->x0, x) / map->zoom);
		int64_t side = cs_map_last_of(map->x0, map->zoom, column + 1);
		size_t next = end_of_run(index, at, end, side, cs_map_span(x, side) + 1);
		add_run(index, at, next, &places[column]);
		map->cells += next - at;
		at = next;
	}
}

static void map_summed_add_lines(struct cs_drawing *drawing)
{
	const struct cs_map_index *index = drawing->request->sorted;
	struct cs_map *map = drawing->map;
	const int64_t last = cs_map_last_of(map->y0, map->zoom, map->rows);
	size_t at = cs_map_first_from(index, map->x0, map->y0);
	while (at < index->n) {
		const uint64_t line = index->keys[at].high;
		int64_t y = cs_map_unbiased(line);
		if (y > last)
			return;
		size_t end = cs_lower_bound(at, index->n, i, index->keys[i].high <= line);
		size_t row = (size_t)(cs_map_span(map->y0, y) / map->zoom);
		if (cs_map_unbiased(index->keys[at].low) < map->x0)
			at = cs_lower_bound(
				at, end, i, index->keys[i].low < cs_map_biased(map->x0));
		map_summed_add_line(drawing, at, end, map->places + row * map->columns);
		at = end;
	}
}

/* ---- states from the run ---- */

static void show_state(struct cs_map *map, unsigned char *state, enum cs_map_state now)
{
	map->keys[*state].cells--;
	map->keys[now].cells++;
	*state = (unsigned char)now;
}

/*
 * Sets the state of each place (one character of the map, which may stand for several cells) to
 * "off" if the data layers of all its cells keep them unloaded, else to "unloaded".
 * show_residents() then raises the state of places whose cells have levels.
 */
static void show_layered(struct cs_drawing *drawing)
{
	const struct cs_map_request *request = drawing->request;
	const struct cs_map_index *index = request->sorted;
	struct cs_map *map = drawing->map;
	const uint32_t first = request->world->partitions[request->grid].cells.first;
	for (size_t i = 0; i < index->n_layered; i++) {
		uint32_t row = index->keys[index->layered[i]].index;
		size_t at = cs_map_place_of(request, map, row);
		if (at == SIZE_MAX)
			continue;
		enum cs_map_state now = cs_stream_cell(
			request->stream, (struct cs_stream_cell){request->index, row})
						.on_map;
		show_state(map, &map->states[row - first], now);
		/*
		 * `changes` counts here the cells whose data layers keep them unloaded; the loop
		 * below sets it to 0 again
		 */
		map->places[at].changes += now == CS_MAP_LAYER_OFF;
	}
	for (size_t i = 0; i < map->columns * map->rows; i++) {
		struct cs_map_place *place = &map->places[i];
		bool is_off = place->changes == place->cells;
		place->state = is_off ? CS_MAP_LAYER_OFF : CS_MAP_UNLOADED;
		place->changes = 0;
	}
}

static void show_residents(struct cs_drawing *drawing, const uint32_t *cells, size_t n)
{
	const struct cs_map_request *request = drawing->request;
	const struct cs_range range = request->world->partitions[request->grid].cells;
	struct cs_map *map = drawing->map;
	for (size_t i = 0; i < n; i++) {
		const struct cs_stream_cell cell = {request->index, cells[i]};
		size_t at = cs_map_place_of(request, map, cells[i]);
		if (at == SIZE_MAX)
			continue;
		struct cs_map_place *place = &map->places[at];
		enum cs_map_state now = cs_stream_cell(request->stream, cell).on_map;
		show_state(map, &map->states[cells[i] - range.first], now);
		place->state = now > place->state ? (uint8_t)now : place->state;
		place->changes += drawing->frame > 0 &&
				  cs_stream_cell(request->stream, cell).since == drawing->frame;
	}
}

struct cs_error *cs_map_draw_summed(struct cs_drawing *drawing)
{
	const struct cs_map_request *request = drawing->request;
	const struct cs_range range = request->world->partitions[request->grid].cells;
	struct cs_map *map = drawing->map;
	uint32_t *residents = NULL;
	size_t n = 0;
	struct cs_error *error =
		cs_stream_residents(request->stream, request->index, &residents, &n);
	if (error)
		return error;
	memset(map->states, CS_MAP_UNLOADED, range.count);
	map_summed_add_lines(drawing);
	map->keys[CS_MAP_UNLOADED].cells += map->cells;
	show_layered(drawing);
	show_residents(drawing, residents, n);
	free(residents);
	return NULL;
}
