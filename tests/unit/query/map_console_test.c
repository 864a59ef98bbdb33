/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the console of the engine asks of a map: filters in every combination against the cells that
 * each lets through by itself, the variables that choose, and the grid that none chose. And the
 * letters of data layers in a picture of all levels.
 */
#include <cellscope/cooked_values.h>
#include <cellscope/query.h>
#include <cellscope/runs.h>

#include "tests/unit/stream/stream_test.h"

enum { CELLS = 5 };

/*
 * Makes a world with two grids and the layers Night and Day, in which the first cell and the last
 * exist.
 */
static struct bench street(void)
{
	struct bench b = {0};
	worlds_init(&b.w, "5.4");
	uint32_t grid = worlds_partition(&b.w, "MainGrid", CS_PARTITION_LHGRID, SIZE, RANGE);
	uint32_t night = worlds_layer(&b.w, "Night", CS_NONE, CS_LAYER_ACTIVATED);
	uint32_t both[] = {night, worlds_layer(&b.w, "Day", CS_NONE, CS_LAYER_ACTIVATED)};
	worlds_cell(&b.w, grid, 0, 0, 0, 1);
	worlds_cell(&b.w, grid, 0, 40, 0, 1);
	worlds_set_layers(&b.w, CS_NONE, &night, 1);
	worlds_cell(&b.w, grid, 1, 20, 0, 1);
	worlds_set_layers(&b.w, CS_NONE, both, 2);
	uint32_t effects = worlds_partition(&b.w, "Effects", CS_PARTITION_LHGRID, SIZE, RANGE);
	worlds_cell(&b.w, effects, 2, 10, 0, 1);
	worlds_cell(&b.w, effects, 2, 0, 0, 1);
	start(&b, NULL);
	set_load_frames(b.s, 1);
	add_source(b.s, "Eve", 100, 100);
	step(&b, 20);
	return b;
}

/* Returns one letter for each cell: x when it is shown, - when not. */
static const char *shown(const struct cs_map_filter *filter, const struct cs_map_request *request)
{
	static char text[CELLS + 1];
	for (uint32_t i = 0; i < CELLS; i++)
		text[i] = cs_map_filter_shows(filter, request, i) ? 'x' : '-';
	return text;
}

static void test_filters(const struct cs_map_request *request)
{
	static const struct {
		struct cs_map_filter filter;
		const char *shown;
	} filters[] = {{{0}, "xxxxx"}, {{.layers = "night"}, "-xx--"}, {{.layers = "Day"}, "--x--"},
		{{.layers = "None"}, "x--xx"}, {{.layers = "none,DAY"}, "x-xxx"},
		{{.layers = "Nigh"}, "-----"}, {{.grids = "effects"}, "---xx"},
		{{.grids = "MainGrid,Effects"}, "xxxxx"}, {{.grids = "Main"}, "-----"},
		{{.names = "maingrid"}, "xxx--"}, {{.names = "ridmai"}, "-----"},
		{{.names = "Grid,L1"}, "--x--"}, {{.statuses = "0"}, "-xxx-"},
		{{.statuses = "5"}, "x---x"}, {{.statuses = "5,0"}, "xxxxx"},
		{{.statuses = ""}, "-----"}};
	const size_t n = sizeof(filters) / sizeof(filters[0]);
	unsigned wrong = 0;
	for (size_t i = 0; i < n; i++)
		is_text(shown(&filters[i].filter, request), filters[i].shown, "filter %zu", i);
	for (size_t i = 1; i < 6; i++) /* a layer, a grid, a name and a state at once */
		for (size_t k = 6; k < 9; k++)
			for (size_t m = 9; m < 12; m++) {
				const struct cs_map_filter all = {filters[i].filter.layers,
					filters[k].filter.grids, "0", filters[m].filter.names};
				const char *text = shown(&all, request);
				for (size_t c = 0; c < CELLS; c++)
					wrong += (text[c] == 'x') !=
						 (filters[i].shown[c] == 'x' &&
							 filters[k].shown[c] == 'x' &&
							 filters[m].shown[c] == 'x' &&
							 filters[12].shown[c] == 'x');
			}
	is_int(wrong, 0, "several filters let through what each does");
	struct cs_map_request still = *request;
	still.stream = NULL;
	is_text(shown(&filters[12].filter, &still), "xxxxx", "without a run nothing is loaded");
}

/* Draws that level, whether it has cells or not, and returns the map without its places. */
static struct cs_map drawn(struct cs_map_request *request)
{
	struct cs_map map = {0};
	request->window = true;
	request->columns = request->rows = 4;
	cs_error_free(cs_map_draw(request, &map));
	struct cs_map beside = map;
	cs_map_deinit(&map);
	beside.places = NULL;
	return beside;
}

/* Checks the notes beside a picture, place by place. */
static void test_beside(struct bench *b)
{
	struct cs_map_request r = {.world = b->w.cooked, .stream = b->s, .sources = true};
	struct cs_map map;
	unsigned marks = 0, wrong = 0;
	works(cs_map_draw(&r, &map), "beside: a picture");
	for (size_t y = 0; y < map.rows; y++) {
		size_t used = 0;
		for (size_t x = 0; x < map.columns; x++) {
			const struct cs_map_place *place = &map.places[y * map.columns + x];
			used = place->cells || place->marks ? x + 1 : used;
			marks |= place->marks;
		}
		wrong += cs_map_used(&map, y) != used;
	}
	is_int(wrong, 0, "beside: rows end behind their last place");
	ok(marks & CS_MAP_MARK_SOURCE && map.marks == marks, "beside: marks of any place");
	cs_map_deinit(&map);
	map = drawn(&r);
	ok(map.range.range == RANGE && map.range.origin == CS_RANGE_COOKED,
		"beside: the cooked range");
	works(cs_stream_override_range(b->s, 0, 0, 777), "beside: another one");
	map = drawn(&r);
	ok(map.range.range == 777 && map.range.origin == CS_RANGE_OVERRIDE, "beside: is told");
	r.grid = 1;
	map = drawn(&r);
	ok(map.range.range == RANGE, "beside: of its own grid");
	r.grid = 0;
	r.stream = NULL;
	map = drawn(&r);
	ok(map.range.range == RANGE && map.range.origin == CS_RANGE_COOKED,
		"beside: not without the run");
	works(cs_stream_override_range(b->s, 0, 0, -1), "beside: as it was");
}

static uint32_t chosen_grid(struct cs_map_request request, const struct cs_map_filter *filter)
{
	request.grid = CS_NONE;
	cs_map_console_choose(&request, filter);
	return request.grid;
}

static int32_t chosen_level(struct cs_map_request request)
{
	request.level = INT32_MIN;
	cs_map_console_choose(&request, &(struct cs_map_filter){0});
	return request.level;
}

static void test_variables(struct bench *b)
{
	const struct cs_map_filter none = {0}, effects = {.grids = "Nowhere,effects"};
	struct cs_map_request r = {.world = b->w.cooked, .stream = b->s};
	struct cs_map_request still = {.world = b->w.cooked};
	is_int(chosen_grid(r, &none), cs_map_default_grid(r.world), "grid: the default");
	is_int(chosen_grid(still, &effects), 1, "grid: of the filter");
	set(b->s, "wp.Runtime.ShowRuntimeSpatialHashGridIndex", "1");
	is_int(chosen_grid(r, &none), 1, "grid: of the variable");
	is_int(chosen_grid(still, &none), 0, "grid: not without a run");
	r.grid = still.grid = 1;
	is_int(chosen_level(r), 2, "level: the default");
	set(b->s, "wp.Runtime.HashSet.ShowDebugDisplayLevel", "5");
	set(b->s, "wp.Runtime.ShowRuntimeSpatialHashGridLevel", "3");
	is_int(chosen_level(r), 5, "level: of the variable for this kind of grid");
	is_int(chosen_level(still), 2, "level: not without a run");
	is_int(cs_map_console(b->s).overlay, CS_MAP_STATE, "overlay: states");
	set(b->s, "wp.Runtime.HashSet.ShowDebugDisplayMode", "1");
	is_int(cs_map_console(b->s).overlay, CS_MAP_LAYERS, "overlay: layers");
	set(b->s, "wp.Runtime.ShowRuntimeSpatialHashCellStreamingPriority", "1");
	is_int(cs_map_console(b->s).overlay, CS_MAP_PRIORITY, "overlay: the order");
	is_int(cs_map_console(NULL).overlay, CS_MAP_STATE, "overlay: states without a run");
	is_int(cs_map_console(b->s).partition, CS_NONE, "partition: none is asked for");
	set(b->s, "wp.Runtime.DrawWorldPartitionIndex", "0");
	is_int(cs_map_console(b->s).partition, 0, "partition: the first");
	set(b->s, "wp.Runtime.DrawWorldPartitionIndex", "1");
	is_int(cs_map_console(b->s).partition, CS_NONE, "partition: there is no second");
	is_int(cs_map_console(NULL).partition, CS_NONE, "partition: none without a run");
	set(b->s, "wp.Runtime.DrawRuntimeHash2DScaleFactor", "0.25");
	ok(cs_map_console(b->s).scale == 0.25 && cs_map_console(NULL).scale == 1,
		"places: a part of the room");
	r.level = 0;
	is_double(drawn(&r).cell_side, SIZE, "a cell of level 0");
	r.level = 3;
	is_double(drawn(&r).cell_side, 8 * SIZE, "is twice as long a level up");
}

/* The map shows the first spatial grid that has cells, else the first grid of the world. */
static void test_first_grid(void)
{
	static const struct {
		const char *what;
		struct cs_cooked_partition grids[3];
		uint32_t want;
	} cases[] = {
		{"cells without places",
			{{.cells.count = 5},
				{.cells.count = 1, .flags = CS_PARTITION_SPATIAL | CS_PARTITION_2D},
				{.cells.count = 2, .flags = CS_PARTITION_SPATIAL}},
			1},
		{"places without cells",
			{{.flags = CS_PARTITION_SPATIAL}, {.cells.count = 1},
				{.cells.count = 1, .flags = CS_PARTITION_SPATIAL}},
			2},
		{"none with both",
			{{.cells.count = 1, .flags = CS_PARTITION_2D}, {.cells.count = 1},
				{.flags = CS_PARTITION_SPATIAL}},
			0},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct cs_cooked world = {.partitions = cases[i].grids, .n_partitions = 3};
		is_int(cs_map_default_grid(&world), cases[i].want, "the grid shown first: %s",
			cases[i].what);
	}
}

/* A layer is used only by a cell above the level of the picture. */
static void test_layers_above(void)
{
	struct bench b = {0};
	worlds_init(&b.w, "5.4");
	uint32_t grid = worlds_partition(&b.w, "MainGrid", CS_PARTITION_LHGRID, SIZE, RANGE);
	uint32_t night = worlds_layer(&b.w, "Night", CS_NONE, CS_LAYER_ACTIVATED);
	worlds_cell(&b.w, grid, 0, 0, 0, 1);
	worlds_cell(&b.w, grid, 1, 0, 0, 1);
	worlds_set_layers(&b.w, CS_NONE, &night, 1);
	start(&b, NULL);
	const struct cs_map_request request = {
		.world = b.w.cooked, .overlay = CS_MAP_LAYERS, .all_levels = true};
	struct cs_map map = {0};
	works(cs_map_draw(&request, &map), "all levels are drawn with layers");
	ok(map.cells == 2 && map.keys[0].cells == 1 && map.keys[1].cells == 1 &&
			map.keys[1].letter == 'a' && strcmp(map.keys[1].words, "Night") == 0,
		"the layer of a cell above has a letter");
	cs_map_deinit(&map);
	finish(&b);
}

static bool is_none(const void *context, uint32_t row)
{
	(void)context;
	(void)row;
	return false;
}

static void test_empty(const struct bench *b)
{
	struct cs_map map = {0};
	struct cs_map_request request = {.world = b->w.cooked, .shows = is_none};
	request.grid = cs_map_default_grid(b->w.cooked);
	request.level = cs_map_default_level(b->w.cooked, request.grid);
	struct cs_error *error = cs_map_draw(&request, &map);
	ok(error && strstr(error->message, "passes the filters"), "a filter leaves no cell");
	cs_error_free(error);
	request.level = 99;
	error = cs_map_draw(&request, &map);
	ok(error && strstr(error->message, "has no cells"), "a level has none");
	cs_error_free(error);
}

int main(void)
{
	struct bench b = street();
	const struct cs_map_request request = {.world = b.w.cooked, .stream = b.s};
	test_first_grid();
	test_filters(&request);
	test_beside(&b);
	test_variables(&b);
	test_empty(&b);
	finish(&b);
	test_layers_above();
	return done();
}
