/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the map: every place against a twin that asks each cell by itself. */
#include <cellscope/cooked_values.h>
#include <cellscope/query.h>

#include "format/cooked_inside.h"
#include "tests/unit/cook/cooking.h"
#include "tests/unit/stream/stream_test.h"

#include <math.h>
#include <string.h>

static bool is_even(const void *context, uint32_t cell)
{
	(void)context;
	return cell % 2 == 0;
}

/* The expected contents of a place, computed from all cells of the grid. */
struct twin {
	uint32_t cells, first, actors;
	uint64_t bytes;
	int state;
	bool changed;
};

static struct twin twin_of(
	const struct cs_map_request *r, const struct cs_map *map, int64_t column, int64_t row)
{
	struct twin twin = {.first = CS_NONE, .state = -1};
	int64_t zoom = (int64_t)map->zoom, x0 = map->x0 + column * zoom, y0 = map->y0 + row * zoom;
	for (uint32_t i = 0; i < r->world->n_cells; i++) {
		const struct cs_cooked_cell *cell = cs_cooked_cell(r->world, i);
		const struct cs_stream_cell at = {0, i};
		if (cell->partition != r->grid || cell->level != r->level || cell->x < x0 ||
			cell->x >= x0 + zoom || cell->y < y0 || cell->y >= y0 + zoom ||
			(r->shows && i % 2) || !cs_box_valid(&cell->box))
			continue;
		const struct cs_stream_cell_view view = cs_stream_cell(r->stream, at);
		int state = (int)view.on_map;
		twin.first = twin.cells++ ? twin.first : i;
		twin.actors = cell->actors.count > twin.actors ? cell->actors.count : twin.actors;
		twin.bytes += view.bytes;
		twin.state = state > twin.state ? state : twin.state;
		twin.changed = twin.changed || view.since == cs_stream_status(r->stream).frame;
	}
	return twin;
}

static bool equals_twin(const struct cs_map_request *request, const struct cs_map *map)
{
	size_t cells = 0;
	for (size_t i = 0; i < map->columns * map->rows; i++) {
		const struct cs_map_place *place = &map->places[i];
		struct twin twin = twin_of(
			request, map, (int64_t)(i % map->columns), (int64_t)(i / map->columns));
		uint32_t listed[4096];
		size_t n = cs_map_cells_at(request, map, i, listed, 4096);
		cells += place->cells;
		if (place->cells != twin.cells || place->first != twin.first ||
			place->actors != twin.actors || place->bytes != twin.bytes ||
			n != twin.cells || (n && listed[0] != twin.first) ||
			(twin.cells && place->state != twin.state) ||
			!(place->marks & CS_MAP_MARK_CHANGED) != !twin.changed ||
			!(place->marks & CS_MAP_MARK_SEVERAL) !=
				(twin.cells <= map->zoom * map->zoom))
			return false;
	}
	return cells == map->cells && cells > 0;
}

static struct bench town(void)
{
	struct bench b = {0};
	worlds_town(&b.w, "5.4", CS_HASH_SET, 24, 3);
	struct cs_error *error = cs_stream_new(worlds_open(&b.w), NULL, NULL, &b.s);
	struct cs_stream_source source = cs_stream_source_player("Eve");
	source.location = (struct cs_vec3){3000, 4000, 0};
	if (!error)
		error = cs_stream_source_set(b.s, &source);
	if (!error)
		error = cs_stream_step(b.s, 5);
	ok(!error, "a town runs");
	cs_error_free(error);
	return b;
}

static void test_twin(struct bench *b)
{
	struct cs_map_request request = {.world = b->w.cooked, .stream = b->s, .sources = true};
	request.grid = cs_map_default_grid(b->w.cooked);
	request.level = cs_map_default_level(b->w.cooked, request.grid);
	for (int overlay = 0; overlay < CS_MAP_OVERLAYS; overlay++)
		for (uint64_t zoom = 0; zoom < 6; zoom++)
			for (int half = 0; half < 2; half++) {
				struct cs_map map = {0};
				request.overlay = (enum cs_map_overlay)overlay;
				request.zoom = zoom;
				request.shows = half ? is_even : NULL;
				struct cs_error *error = cs_map_draw(&request, &map);
				ok(!error && equals_twin(&request, &map),
					"overlay %s, zoom %u%s, as the twin says",
					cs_word(CS_WORDS_MAP_OVERLAY, request.overlay)->name,
					(unsigned)zoom, half ? ", half of the cells" : "");
				cs_error_free(error);
				cs_map_deinit(&map);
			}
}

/* Counts the cells of all levels whose boxes overlap the square of a place. */
static uint32_t overlapping(
	const struct cs_map_request *r, const struct cs_map *map, size_t place, uint32_t *first_ret)
{
	double side = map->side * (double)map->zoom, least = map->side / 100;
	double x = map->origin_x + (double)map->x0 * map->side +
		   (double)(place % map->columns) * side,
	       y = map->origin_y + (double)map->y0 * map->side +
		   (double)(place / map->columns) * side;
	uint32_t n = 0;
	for (uint32_t i = 0; i < r->world->n_cells; i++) {
		const struct cs_cooked_cell *cell = cs_cooked_cell(r->world, i);
		const struct cs_box *box = &cell->box;
		if (cell->partition != r->grid || !cs_box_valid(box) || cell->level < r->level ||
			box->max.x < x + least || box->min.x > x + side - least ||
			box->max.y < y + least || box->min.y > y + side - least)
			continue;
		*first_ret = n++ ? *first_ret : i;
	}
	return n;
}

static void test_all_levels(struct bench *b)
{
	struct cs_map_request request = {
		.world = b->w.cooked, .stream = b->s, .sources = true, .all_levels = true};
	request.grid = cs_map_default_grid(b->w.cooked);
	request.level = cs_map_default_level(b->w.cooked, request.grid);
	for (uint64_t zoom = 1; zoom < 4; zoom++) {
		struct cs_map map = {0};
		bool same = true;
		size_t larger = 0, sources = 0;
		request.zoom = zoom;
		struct cs_error *error = cs_map_draw(&request, &map);
		for (size_t i = 0; !error && i < map.columns * map.rows; i++) {
			uint32_t first = CS_NONE, listed;
			uint32_t n = overlapping(&request, &map, i, &first);
			same = same && map.places[i].cells == n && map.places[i].first == first &&
			       cs_map_cells_at(&request, &map, i, &listed, 1) == n;
			larger += n > zoom * zoom;
			sources += map.places[i].marks & CS_MAP_MARK_SOURCE;
		}
		ok(!error && same && larger > 0 && sources == 1,
			"all levels, zoom %u: the cells whose boxes are over the place",
			(unsigned)zoom);
		cs_error_free(error);
		cs_map_deinit(&map);
	}
}

/* Counts the actors of drawn cells whose bounds have their centre in the rectangle. */
static uint32_t actors_in(const struct cs_map_request *r, const struct cs_map *map, double x0,
	double y0, double x1, double y1)
{
	const struct cs_cooked *world = r->world;
	uint32_t n = 0;
	for (uint32_t i = 0; i < world->n_cells; i++) {
		const struct cs_range of = cs_cooked_cell(world, i)->actors;
		if (cs_cooked_cell(world, i)->partition != r->grid ||
			cs_map_place_of(r, map, i) == SIZE_MAX)
			continue;
		for (uint32_t a = of.first; a < of.first + of.count; a++) {
			const struct cs_box *box =
				&cs_cooked_actor(world, cs_cooked_id(world, CS_IDS_CELL_ACTORS, a))
					 ->bounds;
			double x = (box->min.x + box->max.x) / 2, y = (box->min.y + box->max.y) / 2;
			n += cs_box_valid(box) && x >= x0 && x < x1 && y >= y0 && y < y1;
		}
	}
	return n;
}

static bool inside_equals_twin(
	const struct cs_map_request *r, const struct cs_map *map, uint32_t *total_ret)
{
	enum { ACROSS = 4, DOWN = 2 };
	const size_t columns = map->columns * ACROSS, rows = map->rows * DOWN;
	const double wide = map->side / ACROSS, high = map->side / DOWN;
	const double x0 = map->origin_x + (double)map->x0 * map->side,
		     y0 = map->origin_y + (double)map->y0 * map->side;
	uint32_t *counts = calloc(columns * rows, sizeof(*counts));
	struct cs_error *error = cs_map_inside(r, map, ACROSS, DOWN, counts);
	bool same = !error;
	*total_ret = 0;
	for (size_t i = 0; same && i < columns * rows; i++) {
		double x = x0 + (double)(i % columns) * wide, y = y0 + (double)(i / columns) * high;
		same = counts[i] == actors_in(r, map, x, y, x + wide, y + high);
		*total_ret += counts[i];
	}
	cs_error_free(error);
	free(counts);
	return same;
}

/* Makes a world with actors here and there, some so large that they are in higher levels. */
static struct cooked_world scattered(void)
{
	enum { ACTORS = 300, LINE = 200 };
	char *lines = calloc(ACTORS + 1, LINE);
	size_t n = (size_t)sprintf(lines, DOCUMENT);
	uint32_t random = 7;
	for (int i = 0; i < ACTORS; i++) {
		int at[2];
		for (int k = 0; k < 2; k++)
			at[k] = (int)((random = random * 1664525u + 1013904223u) >> 12) % 90000 -
				45000;
		int side = i % 10 == 0 ? 20000 : 300;
		n += (size_t)sprintf(lines + n,
			"{\"guid\":\"%032x\",\"name\":\"A%d\",\"bounds_min\":[%d,%d,0],"
			"\"bounds_max\":[%d,%d,100]}\n",
			i + 1, i, at[0], at[1], at[0] + side, at[1] + side);
	}
	struct cooked_world world = cook_lines(lines, "5.4");
	free(lines);
	return world;
}

static void test_inside(void)
{
	static const char *const ways[] = {"without an index", "with one", "all levels"};
	struct cooked_world world = scattered();
	struct cs_map_request request = {.world = world.c,
		.window = true,
		.x0 = -3,
		.y0 = -2,
		.columns = 6,
		.rows = 4,
		.zoom = 1};
	request.grid = cs_map_default_grid(world.c);
	request.level = cs_map_default_level(world.c, request.grid);
	struct cs_map_index *index = NULL;
	struct cs_error *error = cs_cooked_load_actors(world.c);
	if (!error)
		error = cs_map_index_new(request.world, request.grid, request.level, &index);
	uint32_t totals[3] = {0};
	for (int i = 0; !error && i < 3; i++) {
		struct cs_map map = {0};
		request.sorted = i == 1 ? index : NULL;
		request.all_levels = i == 2;
		error = cs_map_draw(&request, &map);
		ok(!error && inside_equals_twin(&request, &map, &totals[i]),
			"actors by parts of places, %s", ways[i]);
		cs_map_deinit(&map);
	}
	ok(totals[0] > 50 && totals[0] == totals[1] && totals[2] > totals[0],
		"the same with an index, more with all levels");
	struct cs_map map = {0};
	uint32_t count;
	request.zoom = 2;
	if (!error)
		error = cs_map_draw(&request, &map);
	struct cs_error *refused = error ? NULL : cs_map_inside(&request, &map, 4, 2, &count);
	ok(refused && refused->code == CS_E_USAGE, "several cells have no one inside");
	cs_error_free(refused);
	cs_error_free(error);
	cs_map_deinit(&map);
	cs_map_index_free(index);
	cooked_free(&world);
}

static bool same_picture(const struct cs_map *left, const struct cs_map *right)
{
	bool same = left->columns == right->columns && left->rows == right->rows &&
		    left->cells == right->cells && left->side == right->side;
	for (size_t i = 0; same && i < left->columns * left->rows; i++) {
		const struct cs_map_place *l = &left->places[i], *r = &right->places[i];
		same = l->cells == r->cells && l->first == r->first && l->actors == r->actors &&
		       l->changes == r->changes && l->bytes == r->bytes && l->state == r->state &&
		       l->key == r->key && l->marks == r->marks;
	}
	for (size_t i = 0; same && i < left->n_keys; i++)
		same = left->keys[i].cells == right->keys[i].cells;
	return same;
}

/* A map that is drawn with an index and redrawn frame by frame equals one that is drawn without. */
static void test_redraw(struct bench *b)
{
	struct cs_map_request request = {.world = b->w.cooked,
		.stream = b->s,
		.sources = true,
		.window = true,
		.x0 = -9,
		.y0 = -7,
		.columns = 15,
		.rows = 12};
	request.grid = cs_map_default_grid(b->w.cooked);
	request.level = cs_map_default_level(b->w.cooked, request.grid);
	struct cs_map_index *index = NULL;
	struct cs_error *error =
		cs_map_index_new(request.world, request.grid, request.level, &index);
	for (uint64_t zoom = 1; !error && zoom < 4; zoom++) {
		struct cs_map again = {0}, whole = {0};
		unsigned same = 0, different = 0, redrawn = 0;
		request.zoom = zoom;
		request.sorted = index;
		cs_error_free(cs_map_draw(&request, &again));
		for (int i = 0; i < 150; i++) {
			const struct cs_map_place *before = again.places;
			struct cs_vec3 to = {cos(i * .13) * 20000, sin(i * .07) * 20000, 0};
			if (i % 3 == 0)
				cs_error_free(cs_stream_source_move(
					b->s, "Eve", to, (struct cs_rotator){0}));
			if (i % 50 == 40)
				cs_error_free(
					cs_stream_goto(b->s, cs_stream_status(b->s).frame - 7));
			else
				cs_error_free(cs_stream_step(b->s, 1 + (uint64_t)(i % 4)));
			request.sorted = index;
			cs_error_free(cs_map_redraw(&request, &again));
			request.sorted = NULL;
			cs_error_free(cs_map_draw(&request, &whole));
			redrawn += again.places == before;
			*(same_picture(&again, &whole) ? &same : &different) += 1;
			cs_map_deinit(&whole);
		}
		ok(different == 0 && same == 150 && redrawn > 100,
			"zoom %u: drawn again as it is drawn at once (%u of them anew)",
			(unsigned)zoom, 150 - redrawn);
		cs_map_deinit(&again);
	}
	for (int overlay = 0; !error && overlay < CS_MAP_OVERLAYS; overlay++) {
		struct cs_map left = {0}, right = {0};
		request.overlay = (enum cs_map_overlay)overlay;
		request.sorted = NULL;
		cs_error_free(cs_map_draw(&request, &left));
		request.sorted = index;
		cs_error_free(cs_map_draw(&request, &right));
		ok(same_picture(&left, &right), "overlay %s, by the index as without it",
			cs_word(CS_WORDS_MAP_OVERLAY, request.overlay)->name);
		cs_map_deinit(&left);
		cs_map_deinit(&right);
	}
	ok(!error, "an index of a level");
	cs_error_free(error);
	cs_map_index_free(index);
}

/* In the first frames of a run cells change in the first one, and in none before. */
static void test_first_frames(struct bench *b)
{
	struct cs_map_request request = {
		.world = b->w.cooked, .stream = b->s, .grid = cs_map_default_grid(b->w.cooked)};
	struct cs_map_index *index = NULL;
	unsigned same = 0;
	struct cs_error *error =
		cs_map_index_new(request.world, request.grid, request.level, &index);
	must(cs_stream_goto(b->s, 0));
	for (int frame = 0; !error && frame < 4; frame++) {
		for (request.zoom = 1; request.zoom < 5; request.zoom++) {
			struct cs_map sorted = {0}, plain = {0};
			request.sorted = index;
			must(cs_map_draw(&request, &sorted));
			request.sorted = NULL;
			must(cs_map_draw(&request, &plain));
			same += same_picture(&sorted, &plain);
			cs_map_deinit(&sorted);
			cs_map_deinit(&plain);
		}
		step(b, 1);
	}
	is_int(same, 16, "the first frames, by the index as without it");
	cs_error_free(error);
	cs_map_index_free(index);
}

/* Values of cells that the caller gives are an overlay like the others. */
static void test_given(struct bench *b)
{
	static const struct cs_map_key keys[] = {{'+', "added", 0}, {'-', "gone", 0}};
	struct cs_map_request request = {.world = b->w.cooked,
		.overlay = CS_MAP_GIVEN,
		.given_keys = keys,
		.n_given_keys = 2};
	unsigned char *given = calloc(b->w.cooked->n_cells, 1);
	struct cs_map map = {0};
	bool same = given != NULL;
	request.grid = cs_map_default_grid(b->w.cooked);
	request.level = cs_map_default_level(b->w.cooked, request.grid);
	for (uint32_t i = 0; given && i < b->w.cooked->n_cells; i++)
		given[i] = i % 5 < 3 ? (unsigned char)(i % 5) : 200;
	request.given = given;
	cs_error_free(cs_map_draw(&request, &map));
	for (size_t i = 0; same && i < map.columns * map.rows; i++) {
		const struct cs_map_place *place = &map.places[i];
		if (place->cells == 1)
			same = place->key == (place->first % 5 < 3 ? place->first % 5 : 0);
	}
	ok(same && map.n_keys == 3 && map.keys[1].letter == '+' && map.keys[2].cells > 0,
		"what the caller says of cells; a key that there is not is none");
	cs_map_deinit(&map);
	free(given);
}

/* A map that is fitted has the whole level, whatever the size of the screen. */
static void test_fit(struct bench *b)
{
	struct cs_map_request request = {.world = b->w.cooked, .stream = b->s};
	struct cs_map whole = {0}, map = {0};
	bool fits = true;
	request.grid = cs_map_default_grid(b->w.cooked);
	cs_error_free(cs_map_draw(&request, &whole));
	for (uint64_t n = 1; n < 40; n++)
		for (uint64_t k = 1; k < 40; k += 3) {
			request.columns = n;
			request.rows = k;
			cs_error_free(cs_map_draw(&request, &map));
			fits = fits && map.columns <= n && map.rows <= k &&
			       map.cells == whole.cells;
			cs_map_deinit(&map);
		}
	ok(fits, "the least zoom that fits, in width and in height");
	request = (struct cs_map_request){.world = b->w.cooked,
		.stream = b->s,
		.window = true,
		.x0 = -2,
		.y0 = 1,
		.columns = 4,
		.rows = 3,
		.grid = request.grid};
	cs_error_free(cs_map_draw(&request, &map));
	ok(map.columns == 4 && map.rows == 3 && equals_twin(&request, &map), "a window");
	cs_map_deinit(&map);
	request.x0 = INT64_MAX - 1;
	ok(!cs_map_draw(&request, &map) && map.cells == 0, "a window where nothing is");
	cs_map_deinit(&map);
	request.grid = CS_NONE;
	struct cs_error *error = cs_map_draw(&request, &map);
	ok(error && error->code == CS_E_NOGRID, "a grid that is not there");
	cs_error_free(error);
	cs_map_deinit(&whole);
}

static void test_letters(void)
{
	struct bench b = town();
	struct cs_map_request request = {.world = b.w.cooked, .stream = b.s};
	bool distinct = true;
	for (int overlay = 0; overlay < CS_MAP_OVERLAYS; overlay++) {
		struct cs_map map = {0};
		request.overlay = (enum cs_map_overlay)overlay;
		cs_error_free(cs_map_draw(&request, &map));
		for (size_t i = 0; i < map.n_keys; i++)
			for (size_t k = 0; k < i; k++)
				distinct = distinct &&
					   (!map.keys[i].cells || !map.keys[k].cells ||
						   map.keys[i].letter != map.keys[k].letter);
		cs_map_deinit(&map);
	}
	ok(distinct, "no two keys of an overlay share a letter");
	cs_stream_free(b.s);
	worlds_deinit(&b.w);
}

/* A zoom is doubled until there are at most CS_MAP_MOST places. */
static void test_wide(void)
{
	static const struct {
		int64_t x, y;
		uint64_t asked, zoom;
	} cases[] = {{CS_MAP_MOST - 1, 5, 1, 1}, {CS_MAP_MOST, 5, 1, 2}, {5, CS_MAP_MOST - 1, 1, 1},
		{5, CS_MAP_MOST, 1, 2}, {6 * CS_MAP_MOST - 1, 0, 3, 6}, {6 * CS_MAP_MOST, 0, 3, 12},
		{1, 9 * CS_MAP_MOST, 3, 12}, {6 * CS_MAP_MOST, 0, 50, 50}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct worlds w;
		struct cs_map map = {0};
		worlds_init(&w, "5.4");
		uint32_t grid = worlds_partition(&w, "MainGrid", CS_PARTITION_LHGRID, SIZE, RANGE);
		worlds_cell(&w, grid, 0, 0, 0, 1);
		worlds_cell(&w, grid, 0, cases[i].x, cases[i].y, 1);
		struct cs_map_request request = {.world = worlds_open(&w), .zoom = cases[i].asked};
		works(cs_map_draw(&request, &map), "a wide map");
		is_int(map.zoom, cases[i].zoom, "%d places by %d: its zoom", (int)cases[i].x + 1,
			(int)cases[i].y + 1);
		is_int(map.columns, cases[i].x / (int64_t)map.zoom + 1, "its columns");
		is_int(map.rows, cases[i].y / (int64_t)map.zoom + 1, "its rows");
		ok(map.columns <= CS_MAP_MOST && map.rows <= CS_MAP_MOST, "are bounded");
		cs_map_deinit(&map);
		worlds_deinit(&w);
	}
}

/* A coordinate has two variants: one without layers, and one in a layer that is off. */
static void test_variants(void)
{
	struct bench b = {0};
	struct cs_map map = {0};
	worlds_init(&b.w, "5.4");
	uint32_t grid = worlds_partition(&b.w, "MainGrid", CS_PARTITION_LHGRID, SIZE, RANGE);
	uint32_t night = worlds_layer(&b.w, "Night", CS_NONE, CS_LAYER_UNLOADED);
	worlds_cell(&b.w, grid, 0, 0, 0, 2);
	worlds_cell(&b.w, grid, 0, 0, 0, 3);
	worlds_set_layers(&b.w, CS_NONE, &night, 1);
	worlds_cell(&b.w, grid, 0, 40, 0, 1);
	struct cs_error *error = cs_stream_new(worlds_open(&b.w), NULL, NULL, &b.s);
	struct cs_stream_source source = cs_stream_source_player("Eve");
	if (!error)
		error = cs_stream_source_set(b.s, &source);
	if (!error)
		error = cs_stream_step(b.s, 200);
	ok(!error, "a street of three cells runs");
	struct cs_map_request request = {.world = b.w.cooked, .stream = b.s, .sources = true};
	cs_error_free(cs_map_draw(&request, &map));
	is_int(map.columns, 41, "from the first cell to the last");
	is_int(map.places[0].cells, 2, "two cells at one coordinate");
	ok(map.places[0].marks == (CS_MAP_MARK_SEVERAL | CS_MAP_MARK_SOURCE), "are marked");
	is_int(map.places[0].key, CS_MAP_ACTIVATED, "what says most is seen");
	is_int(map.keys[CS_MAP_LAYER_OFF].cells, 1, "the other is counted");
	is_int(map.places[40].key, CS_MAP_UNLOADED, "the far one is unloaded");
	cs_map_deinit(&map);
	request.overlay = CS_MAP_WHY_NOT;
	cs_error_free(cs_map_draw(&request, &map));
	is_text(map.keys[map.places[0].key].words, "layer off", "why not: its layer is off");
	is_text(map.keys[map.places[40].key].words, "out of range", "why not: out of range");
	cs_map_deinit(&map);
	request.overlay = CS_MAP_LAYERS;
	cs_error_free(cs_map_draw(&request, &map));
	is_text(map.keys[map.places[0].key].words, "Night", "the layer by its name");
	cs_map_deinit(&map);
	cs_error_free(error);
	cs_stream_free(b.s);
	worlds_deinit(&b.w);
}

/* Moves a window over the world, and now and then steps a frame or moves a source. */
static void test_move(struct bench *b)
{
	struct cs_map_request request = {.world = b->w.cooked,
		.stream = b->s,
		.sources = true,
		.window = true,
		.columns = 15,
		.rows = 12};
	request.grid = cs_map_default_grid(b->w.cooked);
	request.level = cs_map_default_level(b->w.cooked, request.grid);
	struct cs_map_index *index = NULL;
	struct cs_error *error =
		cs_map_index_new(request.world, request.grid, request.level, &index);
	for (uint64_t zoom = 1; !error && zoom < 4; zoom++) {
		struct cs_map again = {0}, whole = {0};
		unsigned different = 0, cells = 0;
		request.zoom = zoom;
		request.x0 = request.y0 = -9;
		request.sorted = index;
		cs_error_free(cs_map_draw(&request, &again));
		for (int i = 0; i < 300; i++) {
			const int64_t by[] = {0, 1, -1, 3, -4, 14, -11, 20};
			request.x0 = (request.x0 + by[i * 5 % 8] * (int64_t)zoom) % 40;
			request.y0 = (request.y0 + by[i * 3 % 7] * (int64_t)zoom) % 40;
			if (i % 4 == 0)
				cs_error_free(cs_stream_step(b->s, 1));
			if (i % 9 == 0)
				cs_error_free(cs_stream_source_move(b->s, "Eve",
					(struct cs_vec3){i * 100.0, i * -70.0, 0},
					(struct cs_rotator){0}));
			request.sorted = index;
			cs_error_free(cs_map_redraw(&request, &again));
			request.sorted = NULL;
			cs_error_free(cs_map_draw(&request, &whole));
			different += !same_picture(&again, &whole) || again.x0 != request.x0;
			cells += whole.cells > 0;
			cs_map_deinit(&whole);
		}
		ok(different == 0 && cells > 50, "zoom %u: a window that moves shows what is there",
			(unsigned)zoom);
		cs_map_deinit(&again);
	}
	cs_map_index_free(index);
	cs_error_free(error);
}

/* Changes the run between two pictures: a step, a source, a step back, a layer, or a variable. */
static void disturb(struct cs_stream *stream, uint32_t n_layers, int i)
{
	const enum cs_layer_state states[] = {
		CS_LAYER_UNLOADED, CS_LAYER_ACTIVATED, CS_LAYER_LOADED};
	const struct cs_vec3 to = {cos(i * .13) * 20000, sin(i * .07) * 20000, 0};
	enum cs_layer_answer answer;
	if (i % 3 == 0)
		cs_error_free(cs_stream_source_move(stream, "Eve", to, (struct cs_rotator){0}));
	if (i % 7 == 2)
		cs_error_free(cs_stream_layer_set(stream, 0, (uint32_t)i % n_layers,
			states[i / 7 % 3], i % 2, true, &answer));
	if (i % 31 == 5)
		cs_error_free(cs_stream_variable_set(stream,
			cs_stream_find_variable("sim.BytesPerCell"), i % 2 ? "4096" : "65536"));
	if (i % 97 == 50) /* more than sums of 32 bits hold */
		cs_error_free(cs_stream_variable_set(
			stream, cs_stream_find_variable("sim.BytesPerCell"), "5000000000"));
	if (i % 50 == 40)
		cs_error_free(cs_stream_goto(stream, cs_stream_status(stream).frame - 9));
	else if (i % 4 != 1)
		cs_error_free(cs_stream_step(stream, 1 + (uint64_t)(i % 4)));
}

/* With any zoom at any place, and all changes in between, places equal what each cell says. */
static void test_zoom(void)
{
	struct bench b = town();
	struct cs_map_request request = {.world = b.w.cooked,
		.stream = b.s,
		.sources = true,
		.window = true,
		.columns = 9,
		.rows = 7};
	request.grid = cs_map_default_grid(b.w.cooked);
	request.level = cs_map_default_level(b.w.cooked, request.grid);
	struct cs_map_index *index = NULL;
	struct cs_map again = {0}, whole = {0};
	unsigned different = 0, wrong = 0, n_shown = 0;
	cs_error_free(cs_map_index_new(request.world, request.grid, request.level, &index));
	for (int i = 0; index && i < 600; i++) {
		disturb(b.s, (uint32_t)b.w.cooked->n_layers, i);
		request.zoom = 1 + (uint64_t)(i * 5 % 17);
		request.x0 = -20 + i * 7 % 23;
		request.y0 = i % 60 == 59 ? INT64_MAX - 9 : -25 + i * 11 % 29;
		request.sorted = index;
		cs_error_free(again.places ? cs_map_redraw(&request, &again)
					   : cs_map_draw(&request, &again));
		if (i % 5 == 0) { /* and drawn again from there */
			cs_error_free(cs_stream_step(b.s, 1));
			cs_error_free(cs_map_redraw(&request, &again));
		}
		wrong += again.cells > 0 && !equals_twin(&request, &again);
		request.sorted = NULL;
		cs_error_free(cs_map_draw(&request, &whole));
		different += !same_picture(&again, &whole);
		for (size_t k = 0; request.zoom > 3 && k < again.columns * again.rows; k++) {
			n_shown += again.places[k].state == CS_MAP_ACTIVATED;
		}
		cs_map_deinit(&whole);
	}
	ok(different == 0 && wrong == 0 && n_shown > 100,
		"any zoom, after whatever happened: %u differ, %u are wrong (%u shown)", different,
		wrong, n_shown);
	cs_map_deinit(&again);
	cs_map_index_free(index);
	cs_stream_free(b.s);
	worlds_deinit(&b.w);
}

/* A place is off when all of its cells are; when one is not, its state is shown. */
static void test_off(void)
{
	struct bench b = {0};
	struct cs_map map = {0}, whole = {0};
	struct cs_map_index *index = NULL;
	worlds_init(&b.w, "5.4");
	uint32_t grid = worlds_partition(&b.w, "MainGrid", CS_PARTITION_LHGRID, SIZE, RANGE);
	uint32_t night = worlds_layer(&b.w, "Night", CS_NONE, CS_LAYER_UNLOADED);
	for (int64_t x = 40; x < 48; x++) {
		worlds_cell(&b.w, grid, 0, x, 0, 3);
		if (x != 45)
			worlds_set_layers(&b.w, CS_NONE, &night, 1);
	}
	cs_error_free(cs_stream_new(worlds_open(&b.w), NULL, NULL, &b.s));
	cs_error_free(cs_stream_step(b.s, 2));
	struct cs_map_request request = {.world = b.w.cooked,
		.stream = b.s,
		.window = true,
		.zoom = 4,
		.columns = 20,
		.rows = 2};
	cs_error_free(cs_map_draw(&request, &whole));
	cs_error_free(cs_map_index_new(b.w.cooked, grid, 0, &index));
	request.sorted = index;
	cs_error_free(cs_map_draw(&request, &map));
	ok(same_picture(&map, &whole), "layers that are off, by sums as by each cell");
	is_int(map.places[10].key, CS_MAP_LAYER_OFF, "a place whose cells are all off");
	is_int(map.places[11].key, CS_MAP_UNLOADED, "a place with one that is not");
	is_int(map.keys[CS_MAP_LAYER_OFF].cells, 7, "how many are off");
	cs_map_deinit(&map);
	cs_map_deinit(&whole);
	cs_map_index_free(index);
	cs_stream_free(b.s);
	worlds_deinit(&b.w);
}

/* ---- grids that begin elsewhere ---- */

/* Every cell of the level is in the place of its centre, wherever its grid begins. */
static void test_origin(void)
{
	static const double extents[] = {0, 5000, 12800 * 3, 12800 * 5 + 77};
	for (size_t i = 0; i < sizeof(extents) / sizeof(extents[0]); i++) {
		struct bench b = {0};
		struct cs_map map = {0};
		size_t right = 0, cells = 0;
		worlds_init(&b.w, "5.4");
		uint32_t grid = worlds_spatial_grid(&b.w, "MainGrid", SIZE, RANGE, 12800 * 8);
		worlds_square(&b.w, grid, 0, -3, -2, 4, 5, 1);
		for (size_t k = 0; k < b.w.cells.n; k++) {
			struct cs_box *box = &b.w.cells.at[k].box;
			box->min.x += extents[i];
			box->max.x += extents[i];
			box->min.y -= extents[i] / 2;
			box->max.y -= extents[i] / 2;
		}
		cs_error_free(cs_stream_new(worlds_open(&b.w), NULL, NULL, &b.s));
		const struct cs_map_request request = {
			.world = b.w.cooked, .stream = b.s, .zoom = 1};
		cs_error_free(cs_map_draw(&request, &map));
		for (uint32_t k = 0; k < b.w.cooked->n_cells; k++) {
			const struct cs_box *box = &cs_cooked_cell(b.w.cooked, k)->box;
			double x = (box->min.x + box->max.x) / 2, y = (box->min.y + box->max.y) / 2;
			int64_t column = (int64_t)floor((x - map.origin_x) / map.side) - map.x0;
			int64_t row = (int64_t)floor((y - map.origin_y) / map.side) - map.y0;
			bool inside = column >= 0 && column < (int64_t)map.columns && row >= 0 &&
				      row < (int64_t)map.rows;
			right += inside &&
				 map.places[(size_t)row * map.columns + (size_t)column].first == k;
			cells++;
		}
		ok(cells == 49 && right == cells, "%zu of %zu cells are where their boxes are",
			right, cells);
		cs_map_deinit(&map);
		cs_stream_free(b.s);
		worlds_deinit(&b.w);
	}
}

/* ---- history ---- */

/* Compares two states. Of a cell that is not there, events tell only whether it waits. */
static bool same_history(unsigned char told, unsigned char seen)
{
	bool is_away = seen == CS_MAP_WAITING || seen == CS_MAP_UNLOADED ||
		       seen == CS_MAP_LAYER_OFF || seen == CS_MAP_STILL_AROUND;
	return told == seen || (is_away && (told == CS_MAP_WAITING || told == CS_MAP_UNLOADED));
}

/* Compares the history with each cell; a column of two frames has the greater state. */
static void test_history(struct bench *b)
{
	enum { FRAMES = 240, CELLS = 300 };
	static unsigned char seen[CELLS][FRAMES];
	const struct cs_cooked *world = cs_stream_world(b->s, 0).cooked;
	uint32_t n_cells = world->n_cells < CELLS ? (uint32_t)world->n_cells : CELLS;
	uint64_t first = cs_stream_status(b->s).frame + 1;
	size_t kinds[CS_MAP_STATES] = {0}, wrong = 0, n_kinds = 0;
	for (int f = 0; f < FRAMES; f++) {
		struct cs_stream_source source = cs_stream_source_player("Eve");
		source.location = (struct cs_vec3){3000 + f * 700.0, 4000, 0};
		cs_error_free(cs_stream_source_set(b->s, &source));
		cs_error_free(cs_stream_step(b->s, 1));
		for (uint32_t i = 0; i < n_cells; i++) {
			const struct cs_stream_cell at = {0, i};
			seen[i][f] = (unsigned char)cs_stream_cell(b->s, at).on_map;
			kinds[seen[i][f]]++;
		}
	}
	for (uint32_t i = 0; i < n_cells; i++) {
		unsigned char one[FRAMES + 2], two[FRAMES / 2];
		const struct cs_stream_cell cell = {0, i};
		cs_cell_history(b->s, cell, first, 1, one, FRAMES + 2);
		cs_cell_history(b->s, cell, first, 2, two, FRAMES / 2);
		for (int f = 0; f < FRAMES; f++)
			wrong += !same_history(one[f], seen[i][f]);
		for (int c = 0; c < FRAMES / 2; c++)
			wrong += two[c] !=
				 (one[c * 2] > one[c * 2 + 1] ? one[c * 2] : one[c * 2 + 1]);
		wrong += one[FRAMES] != CS_HISTORY_UNKNOWN || one[FRAMES + 1] != CS_HISTORY_UNKNOWN;
	}
	for (int k = 0; k < CS_MAP_STATES; k++)
		n_kinds += kinds[k] > 0;
	ok(n_kinds >= 5, "cells go through their states: %zu of them", n_kinds);
	ok(wrong == 0, "the history of a cell is what was seen of it: %zu differ", wrong);
}

int main(void)
{
	struct bench b = town();
	test_twin(&b);
	test_all_levels(&b);
	test_inside();
	test_given(&b);
	test_redraw(&b);
	test_move(&b);
	test_fit(&b);
	test_history(&b);
	test_first_frames(&b);
	cs_stream_free(b.s);
	worlds_deinit(&b.w);
	test_zoom();
	test_off();
	test_origin();
	test_letters();
	test_variants();
	test_wide();
	return done();
}
