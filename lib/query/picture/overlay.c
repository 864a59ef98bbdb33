/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The overlays of the map: the keys of each overlay (characters with a meaning), and how a cell
 * gets its key. If several cells share a place of the picture, the key that is later in the table
 * is shown.
 */
#include "query/picture/overlay.h"

#include "format/cooked_inside.h"
#include "stream/stream_inside.h"

#include <stdlib.h>
#include <string.h>

/* ---- overlays of states and of numbers ---- */

static const struct cs_map_key state_keys[CS_MAP_STATES] = {
	[CS_MAP_LAYER_OFF] = {'x', "layer off", 0},
	[CS_MAP_UNLOADED] = {'.', "unloaded", 0},
	[CS_MAP_STILL_AROUND] = {',', "still around", 0},
	[CS_MAP_WAITING] = {'w', "waiting for budget", 0},
	[CS_MAP_PRELOADING] = {'p', "preloading", 0},
	[CS_MAP_LOADING] = {'~', "loading", 0},
	[CS_MAP_LOADED] = {'o', "loaded", 0},
	[CS_MAP_SHOWING] = {'^', "showing", 0},
	[CS_MAP_ACTIVATED] = {'#', "activated", 0},
	[CS_MAP_LEAVING] = {'-', "leaving", 0},
	[CS_MAP_FAILED] = {'!', "failed", 0},
};

/*
 * Returns the magnitude of a number as a digit from 0 to 9: 0 for 0, else the least digit d > 0
 * with number <= 2^(first_bits + step * (d - 1)), or 9.
 */
static unsigned magnitude(uint64_t number, unsigned first_bits, unsigned step)
{
	unsigned n = 0;
	while (n < 9 && number > 0 &&
		(n == 0 || number > UINT64_C(1) << (first_bits + step * (n - 1))))
		n++;
	return n;
}

unsigned cs_bytes_magnitude(uint64_t bytes)
{
	return magnitude(bytes, 16, 2);
}

static const struct cs_map_key actor_keys[] = {{'0', "no actor", 0}, {'1', "up to 2", 0},
	{'2', "up to 4", 0}, {'3', "up to 8", 0}, {'4', "up to 16", 0}, {'5', "up to 32", 0},
	{'6', "up to 64", 0}, {'7', "up to 128", 0}, {'8', "up to 256", 0}, {'9', "more", 0}};
static const struct cs_map_key byte_keys[] = {{'0', "nothing", 0}, {'1', "up to 64 KiB", 0},
	{'2', "up to 256 KiB", 0}, {'3', "up to 1 MiB", 0}, {'4', "up to 4 MiB", 0},
	{'5', "up to 16 MiB", 0}, {'6', "up to 64 MiB", 0}, {'7', "up to 256 MiB", 0},
	{'8', "up to 1 GiB", 0}, {'9', "more", 0}};

static unsigned actors_key(const struct cs_drawing *drawing, uint32_t cell)
{
	return magnitude(cs_cooked_cell(drawing->request->world, cell)->actors.count, 1, 1);
}

static unsigned no_key(const struct cs_drawing *drawing, uint32_t cell)
{
	(void)drawing, (void)cell;
	return 0;
}

/* ---- overlay of data layers ---- */

enum { LAYER_LETTERS = 52, NO_LAYER = 0, OTHER_LAYER = LAYER_LETTERS + 1 };

/* Returns the data layer of a cell that has exactly one; else CS_NONE. */
static uint32_t only_layer(const struct cs_cooked *world, const struct cs_cooked_cell *cell)
{
	return cell->layers.count == 1 ? world->cell_layers[cell->layers.first] : CS_NONE;
}

/* Assigns letters to the data layers of drawn cells, in the order of the table of layers. */
static struct cs_error *gather_layers(struct cs_drawing *drawing)
{
	const struct cs_map_request *request = drawing->request;
	const struct cs_cooked *world = request->world;
	struct cs_range range = world->partitions[request->grid].cells;
	unsigned next = NO_LAYER + 1;
	drawing->of_layer = calloc((size_t)world->n_layers + 1, 1);
	if (!drawing->of_layer)
		return cs_error_nomem();
	for (uint32_t i = range.first; i < range.first + range.count; i++) {
		const struct cs_cooked_cell *cell = cs_cooked_cell(world, i);
		const uint32_t layer = only_layer(world, cell);
		if (layer != CS_NONE &&
			(cell->level == request->level ||
				(request->all_levels && cell->level > request->level)))
			drawing->of_layer[layer] = OTHER_LAYER;
		cs_cooked_loop_step(&(struct cs_cooked_loop){(struct cs_cooked *)world, true}, i);
	}
	for (uint32_t i = 0; i < world->n_layers && next < OTHER_LAYER; i++) {
		if (!drawing->of_layer[i])
			continue;
		char letter = (char)(next <= 26 ? 'a' + next - 1 : 'A' + next - 27);
		drawing->map->keys[next] = (struct cs_map_key){
			letter, cs_cooked_text(world, world->layers[i].label), 0};
		drawing->of_layer[i] = (unsigned char)next++;
	}
	return NULL;
}

static void layer_legend(struct cs_map *map)
{
	map->keys[NO_LAYER] = (struct cs_map_key){'.', "no data layer", 0};
	map->keys[OTHER_LAYER] =
		(struct cs_map_key){'?', "a data layer for which no letter is left", 0};
	map->keys[CS_SEVERAL_LAYERS] = (struct cs_map_key){'&', "several data layers", 0};
	map->n_keys = CS_SEVERAL_LAYERS + 1;
}

static unsigned layers_key(const struct cs_drawing *drawing, uint32_t row)
{
	const struct cs_cooked *world = drawing->request->world;
	const struct cs_cooked_cell *cell = cs_cooked_cell(world, row);
	uint32_t layer = only_layer(world, cell);
	if (layer != CS_NONE)
		return drawing->of_layer[layer];
	return cell->layers.count ? CS_SEVERAL_LAYERS : NO_LAYER;
}

/* ---- overlay of HLOD actors ---- */

enum hlod_key {
	HLOD_NONE,
	HLOD_BUILT,
	HLOD_AWAY,
	HLOD_HIDDEN,
	HLOD_SHOWN,
	HLOD_WARMING,
	HLOD_OUTDATED,
	HLOD_HOLE,
	HLOD_KEYS
};

static const struct cs_map_key hlod_keys[HLOD_KEYS] = {
	[HLOD_NONE] = {'.', "no HLOD actor", 0},
	[HLOD_BUILT] = {'b', "built, nothing runs", 0},
	[HLOD_AWAY] = {'a', "away: the cell itself is visible", 0},
	[HLOD_HIDDEN] = {'h', "hidden behind the cell", 0},
	[HLOD_SHOWN] = {'s', "shown in place of the cell", 0},
	[HLOD_WARMING] = {'w', "warming up", 0},
	[HLOD_OUTDATED] = {'o', "outdated", 0},
	[HLOD_HOLE] = {'!', "hole: neither the HLOD actor nor the cell is visible", 0},
};

static enum hlod_key hlod_key_of(const struct cs_map_request *request, uint32_t hlod)
{
	static const enum hlod_key keys[CS_HLOD_STATES] = {
		[CS_HLOD_HIDDEN] = HLOD_HIDDEN,
		[CS_HLOD_SHOWN] = HLOD_SHOWN,
		[CS_HLOD_AWAY] = HLOD_AWAY,
		[CS_HLOD_HOLE] = HLOD_HOLE,
		[CS_HLOD_OUTDATED] = HLOD_OUTDATED,
	};
	struct cs_stream_hlod_view view;
	if (!request->stream)
		return HLOD_BUILT;
	struct cs_error *error = cs_stream_hlod(request->stream, request->index, hlod, &view);
	if (error) {
		cs_error_free(error);
		return HLOD_NONE;
	}
	return view.warming ? HLOD_WARMING : keys[view.state];
}

/* Computes what the overlay shows for each cell, in one pass over the HLOD actors. */
static struct cs_error *gather_hlods(struct cs_drawing *drawing)
{
	const struct cs_cooked *world = drawing->request->world;
	drawing->of_cell = calloc((size_t)world->n_cells + 1, 1);
	if (!drawing->of_cell)
		return cs_error_nomem();
	for (uint32_t i = 0; i < world->n_hlods; i++) {
		const uint32_t cells[2] = {world->hlods[i].cell, world->hlods[i].home};
		unsigned char key = (unsigned char)hlod_key_of(drawing->request, i);
		for (int k = 0; k < 2; k++)
			if (cells[k] < world->n_cells && key > drawing->of_cell[cells[k]])
				drawing->of_cell[cells[k]] = key;
	}
	return NULL;
}

static unsigned hlod_key_at(const struct cs_drawing *drawing, uint32_t cell)
{
	return drawing->of_cell[cell];
}

/* ---- overlay of the loading order ---- */

/* Keys by loading rank: the last is for rank 1, so that a place shows the cell that loads first. */
static const struct cs_map_key rank_keys[] = {{'.', "not in the order", 0},
	{'>', "10th or later", 0}, {'9', "9th", 0}, {'8', "8th", 0}, {'7', "7th", 0},
	{'6', "6th", 0}, {'5', "5th", 0}, {'4', "4th", 0}, {'3', "3rd", 0}, {'2', "2nd", 0},
	{'1', "the next to load or show", 0}};

static struct cs_error *gather_ranks(struct cs_drawing *drawing)
{
	const struct cs_map_request *request = drawing->request;
	static const enum cs_order_list lists[] = {CS_ORDER_ACTIVATE, CS_ORDER_LOAD};
	uint32_t rank = 0;
	drawing->ranks = calloc((size_t)request->world->n_cells + 1, sizeof(*drawing->ranks));
	if (!drawing->ranks)
		return cs_error_nomem();
	for (size_t l = 0; request->stream && l < sizeof(lists) / sizeof(lists[0]); l++) {
		size_t n;
		const struct cs_stream_order_row *rows =
			cs_stream_order(request->stream, lists[l], &n);
		for (size_t i = 0; i < n; i++)
			if (rows[i].cell.world == request->index)
				drawing->ranks[rows[i].cell.cell] = ++rank;
	}
	return NULL;
}

static unsigned rank_key(const struct cs_drawing *drawing, uint32_t cell)
{
	uint32_t rank = drawing->ranks[cell];
	if (rank == 0)
		return 0;
	return rank < 10 ? 11 - rank : 1;
}

/* ---- overlay of reasons why cells are not loaded ---- */

/*
 * Keys of this overlay. If several cells share a place of the map, the key that is later in this
 * table is drawn. The first key is also used for all reasons that are not listed.
 */
static const struct {
	enum cs_reason reason;
	struct cs_map_key key;
} not_there[] = {
	{CS_REASON_ARRIVED, {'#', "as it should be", 0}},
	{CS_REASON_OUT_OF_RANGE, {'.', "out of range", 0}},
	{CS_REASON_NO_SOURCE, {':', "no source", 0}},
	{CS_REASON_NOT_RUN, {'f', "no frame has run since", 0}},
	{CS_REASON_NOT_REGISTERED, {'n', "partition not registered", 0}},
	{CS_REASON_NO_BOUNDS, {'z', "no bounds", 0}},
	{CS_REASON_STILL_AROUND, {',', "still around", 0}},
	{CS_REASON_CANCELLED, {'d', "the load cannot be stopped", 0}},
	{CS_REASON_MAKING_INVISIBLE, {'-', "leaving", 0}},
	{CS_REASON_GRID_FILTER, {'g', "sources leave out the grid", 0}},
	{CS_REASON_LEVEL_FILTER, {'v', "level filter", 0}},
	{CS_REASON_CLIENT_ONLY, {'c', "client-only", 0}},
	{CS_REASON_HLOD_OFF, {'h', "HLOD is off", 0}},
	{CS_REASON_LAYERS, {'x', "layer off", 0}},
	{CS_REASON_MAKING_VISIBLE, {'^', "showing", 0}},
	{CS_REASON_TURN, {'t', "waits for its turn to show", 0}},
	{CS_REASON_WARMUP, {'u', "warming up", 0}},
	{CS_REASON_SERVER_ACK, {'k', "waits for the server", 0}},
	{CS_REASON_LOADING, {'~', "loading", 0}},
	{CS_REASON_BUDGET, {'w', "waits for budget", 0}},
	{CS_REASON_PERFORMANCE, {'p', "skipped in a blocking wait", 0}},
	{CS_REASON_FAILED, {'!', "failed", 0}},
};

enum { NOT_THERE = sizeof(not_there) / sizeof(not_there[0]) };

static void why_not_legend(struct cs_map *map)
{
	for (size_t i = 0; i < NOT_THERE; i++)
		map->keys[i] = not_there[i].key;
	map->n_keys = NOT_THERE;
}

static unsigned key_of_reason(enum cs_reason reason)
{
	for (unsigned i = 0; i < NOT_THERE; i++)
		if (not_there[i].reason == reason)
			return i;
	return 0;
}

static unsigned why_not_key(const struct cs_drawing *drawing, uint32_t cell)
{
	const struct cs_map_request *request = drawing->request;
	struct cs_stream_why why;
	if (!request->stream)
		return key_of_reason(CS_REASON_NO_SOURCE);
	struct cs_error *error =
		cs_stream_why(request->stream, (struct cs_stream_cell){request->index, cell}, &why);
	if (error) {
		cs_error_free(error);
		return key_of_reason(CS_REASON_NO_SOURCE);
	}
	/* why an unwanted, unloaded cell is unwanted, or what any other cell waits for */
	bool gone = why.wanted == CS_LAYER_UNLOADED &&
		    (why.progress == CS_REASON_ARRIVED || why.progress == CS_REASON_NONE);
	return key_of_reason(gone ? why.reason : why.progress);
}

/* ---- overlay of keys given by the caller ---- */

static struct cs_error *take_given(struct cs_drawing *drawing)
{
	const struct cs_map_request *request = drawing->request;
	struct cs_map *map = drawing->map;
	size_t n = request->n_given_keys;
	n = n < CS_MAP_KEYS - 1 ? n : CS_MAP_KEYS - 1;
	map->keys[0] = (struct cs_map_key){'.', "untouched", 0};
	for (size_t i = 0; i < n; i++)
		map->keys[i + 1] = request->given_keys[i];
	map->n_keys = n + 1;
	return NULL;
}

static unsigned given_key(const struct cs_drawing *drawing, uint32_t cell)
{
	const unsigned char *given = drawing->request->given;
	return given && given[cell] < drawing->map->n_keys ? given[cell] : 0;
}

/* ---- the table of overlays ---- */

#define KEYS(array) .keys = (array), .n_keys = sizeof(array) / sizeof((array)[0])

const struct cs_overlay cs_overlays[CS_MAP_OVERLAYS + 1] = {
	[CS_MAP_STATE] = {KEYS(state_keys), .key = no_key},
	[CS_MAP_ACTORS] = {KEYS(actor_keys), .key = actors_key},
	[CS_MAP_BYTES] = {KEYS(byte_keys), .key = no_key, .needs_run = true},
	[CS_MAP_LAYERS] = {.legend = layer_legend, .prepare = gather_layers, .key = layers_key},
	[CS_MAP_HLOD] = {KEYS(hlod_keys), .prepare = gather_hlods, .key = hlod_key_at,
		.needs_run = true},
	[CS_MAP_PRIORITY] = {KEYS(rank_keys), .prepare = gather_ranks, .key = rank_key,
		.needs_run = true},
	[CS_MAP_WHY_NOT] = {.legend = why_not_legend, .key = why_not_key, .needs_run = true},
	[CS_MAP_GIVEN] = {.prepare = take_given, .key = given_key},
};

void cs_map_legend(enum cs_map_overlay overlay, struct cs_map_legend *ret)
{
	const struct cs_overlay *at = &cs_overlays[overlay];
	struct cs_map map = {0};
	if (at->legend)
		at->legend(&map);
	else if (at->n_keys)
		memcpy(map.keys, at->keys, at->n_keys * sizeof(*at->keys));
	memcpy(ret->keys, map.keys, sizeof(map.keys));
	ret->n_keys = at->legend ? map.n_keys : at->n_keys;
	ret->needs_run = at->needs_run;
}
