/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The map: a level of a grid from above, a cell two columns wide, its state and its mark. Where the
 * grid is larger than the screen a square of cells shares a place and shows the state that says
 * most; cells at the same coordinates (data layers) do the same.
 */
#include "cmds/map.h"

#include "cmds/commands.h"
#include "cmds/draw.h"

#include <inttypes.h>
#include <string.h>

/* Later rows win where several cells share a place. */
static const struct cell_look looks[] = {
	{"layer_off", "x", "x", COLOUR_DIM, "layer off"},
	{"unloaded", ".", "\xc2\xb7", COLOUR_DIM, "unloaded"},
	{"still_around", ",", "\xe2\x96\x81", COLOUR_DIM, "still around"},
	{"waiting", "w", "w", COLOUR_WARN, "waiting for budget"},
	{"preloading", "p", "p", COLOUR_WARN, "preloading"},
	{"loading", "~", "\xe2\x96\x91", COLOUR_WARN, "loading"},
	{"loaded", "o", "\xe2\x96\x92", COLOUR_BLUE, "loaded"},
	{"showing", "^", "\xe2\x96\x93", COLOUR_BLUE, "showing"},
	{"activated", "#", "\xe2\x96\x88", COLOUR_BLUE, "activated"},
	{"leaving", "-", "\xe2\x96\x84", COLOUR_WARN, "leaving"},
	{"failed", "!", "!", COLOUR_BAD, "failed"},
};

enum { LOOKS = sizeof(looks) / sizeof(looks[0]), UNLOADED = 1, NOTHING = 0xff };

const struct cell_look *cell_look(const char *state)
{
	for (size_t i = 0; i < LOOKS; i++)
		if (strcmp(looks[i].state, state) == 0)
			return &looks[i];
	return &looks[UNLOADED];
}

/* ---- the picture ---- */

struct picture {
	const struct cs_cooked *world;
	const struct cs_stream *stream; /* or NULL */
	const struct view *view;
	uint32_t index; /* of the world partition in the stream */
	uint32_t grid;
	int32_t level;
	int64_t x0, y0; /* first cell */
	uint64_t zoom;  /* cells a place, each way */
	bool *chosen;   /* of each cell, whether -w and -n let it be drawn; NULL = all */
	size_t columns, rows;
	unsigned char *look; /* of each place: index of looks, or NOTHING */
	char *mark;          /* "@" source, "*" just changed, " " */
	uint32_t *actors;    /* most actors of a cell there */
	size_t counts[LOOKS];
};

static bool is_drawn(const struct picture *picture, const struct cs_cooked_cell *cell)
{
	const struct cs_stream_cell at = {picture->index, (uint32_t)(cell - picture->world->cells)};
	return cell->level == picture->level && cs_box_valid(&cell->box) &&
	       (!picture->chosen || picture->chosen[at.cell]) &&
	       view_shows(picture->view, picture->world, picture->stream, at);
}

static struct cs_range cells_of(const struct picture *picture)
{
	return picture->world->partitions[picture->grid].cells;
}

struct extent {
	int64_t x0, y0, x1, y1;
	bool any;
};

static struct extent extent_of(const struct picture *picture)
{
	struct cs_range range = cells_of(picture);
	struct extent e = {0};
	for (uint32_t i = range.first; i < range.first + range.count; i++) {
		const struct cs_cooked_cell *cell = &picture->world->cells[i];
		if (!is_drawn(picture, cell))
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

/* The least zoom at which the picture fits, or the one asked for. */
static struct cs_error *choose_size(
	struct picture *picture, const struct style *style, uint64_t asked)
{
	enum { LABEL = 7, MOST = 1000 };
	struct extent e = extent_of(picture);
	uint64_t most = style->width > LABEL + 2 ? (style->width - LABEL) / 2 : MOST;
	if (!e.any)
		return cs_error_new(CS_E_NOCELL, "no cells on level %" PRId32 " of %s",
			picture->level,
			cs_cooked_text(
				picture->world, picture->world->partitions[picture->grid].name));
	uint64_t wide = span(e.x0, e.x1), high = span(e.y0, e.y1);
	picture->x0 = e.x0;
	picture->y0 = e.y0;
	picture->zoom = asked ? asked : wide / most + 1;
	while (picture->zoom < UINT64_MAX / 2 &&
		(wide / picture->zoom >= MOST || high / picture->zoom >= MOST))
		picture->zoom *= 2;
	picture->columns = (size_t)(wide / picture->zoom) + 1;
	picture->rows = (size_t)(high / picture->zoom) + 1;
	return NULL;
}

static unsigned char look_of(const struct picture *picture, uint32_t cell, uint64_t *since_ret)
{
	const struct cs_stream_cell at = {picture->index, cell};
	struct cs_stream_cell_view view = {.state = CS_STATE_UNLOADED};
	bool layer_off = false;
	*since_ret = 0;
	if (picture->stream) {
		view = cs_stream_cell(picture->stream, at);
		*since_ret = view.since;
		layer_off = picture->world->cells[cell].layers.count > 0 &&
			    view.by_layers == CS_LAYER_UNLOADED && view.state == CS_STATE_UNLOADED;
	}
	return (unsigned char)(cell_look(layer_off ? "layer_off" : cs_cell_state_name(&view)) -
			       looks);
}

static size_t place_at(const struct picture *picture, int64_t x, int64_t y)
{
	return (size_t)(span(picture->y0, y) / picture->zoom) * picture->columns +
	       (size_t)(span(picture->x0, x) / picture->zoom);
}

static void draw_cells(struct picture *picture)
{
	struct cs_range range = cells_of(picture);
	uint64_t now = picture->stream ? cs_stream_status(picture->stream).frame : 0;
	for (uint32_t i = range.first; i < range.first + range.count; i++) {
		const struct cs_cooked_cell *cell = &picture->world->cells[i];
		uint64_t since;
		if (!is_drawn(picture, cell))
			continue;
		size_t at = place_at(picture, cell->x, cell->y);
		unsigned char look = look_of(picture, i, &since);
		picture->counts[look]++;
		if (picture->look[at] == NOTHING || look > picture->look[at])
			picture->look[at] = look;
		if (cell->actors.count > picture->actors[at])
			picture->actors[at] = cell->actors.count;
		if (now > 0 && since == now)
			picture->mark[at] = '*';
	}
}

/* Marks the place whose cell has the source in its box. */
static void draw_sources(struct picture *picture)
{
	struct cs_range range = cells_of(picture);
	if (!picture->view->sources || picture->index)
		return; /* places of another partition are in its own space */
	for (size_t s = 0; picture->stream && s < cs_stream_sources(picture->stream); s++) {
		const struct cs_stream_source_view view = cs_stream_source_at(picture->stream, s);
		for (uint32_t i = range.first; i < range.first + range.count; i++) {
			const struct cs_cooked_cell *cell = &picture->world->cells[i];
			if (is_drawn(picture, cell) &&
				cs_box_distance2(&cell->box, view.source->location, true) <= 0) {
				picture->mark[place_at(picture, cell->x, cell->y)] = '@';
				break;
			}
		}
	}
}

static struct cs_error *draw(struct picture *picture)
{
	size_t n = picture->columns * picture->rows;
	picture->look = malloc(n);
	picture->mark = malloc(n);
	picture->actors = calloc(n, sizeof(*picture->actors));
	if (!picture->look || !picture->mark || !picture->actors)
		return cs_error_nomem();
	memset(picture->look, NOTHING, n);
	memset(picture->mark, ' ', n);
	draw_cells(picture);
	draw_sources(picture);
	return NULL;
}

/* ---- on paper ---- */

static int64_t coordinate(int64_t first, uint64_t zoom, size_t place)
{
	return (int64_t)((uint64_t)first + zoom * place);
}

static void say_title(struct output *out, const struct picture *picture)
{
	enum { SHOWN = 3 };
	const struct cs_cooked *world = picture->world;
	const struct cs_cooked_partition *grid = &world->partitions[picture->grid];
	const struct cs_value size =
		cs_number(grid->cell_size * (double)(UINT64_C(1) << (picture->level & 31)));
	const struct cs_value range = cs_number(
		picture->stream ? cs_stream_range(picture->stream, picture->index, picture->grid)
				: grid->loading_range);
	say(out, "%s  %s L%" PRId32 "  cell ", cs_cooked_text(world, world->world->name),
		cs_cooked_text(world, grid->name), picture->level);
	say_value(out, &size);
	say(out, " cm  range ");
	say_value(out, &range);
	if (picture->zoom > 1)
		say(out, "  zoom %" PRIu64, picture->zoom);
	if (picture->stream)
		say(out, "  frame %" PRIu64, cs_stream_status(picture->stream).frame);
	size_t n =
		picture->stream && picture->view->sources ? cs_stream_sources(picture->stream) : 0;
	for (size_t i = 0; i < n && i < SHOWN; i++) {
		const struct cs_stream_source *source =
			cs_stream_source_at(picture->stream, i).source;
		say(out, "  %s (%.0f,%.0f)", source->name, source->location.x, source->location.y);
	}
	say(out, "\n");
}

static int digits(int64_t number)
{
	return snprintf(NULL, 0, "%" PRId64, number);
}

/* A label every few columns, so that two never touch. */
static void say_x_axis(struct output *out, const struct picture *picture)
{
	int first = digits(picture->x0);
	int last = digits(coordinate(picture->x0, picture->zoom, picture->columns - 1));
	size_t stride = (size_t)(first > last ? first : last) / 2 + 1, blanks = 7;
	for (size_t i = 0; i < picture->columns; i += stride) {
		int64_t x = coordinate(picture->x0, picture->zoom, i);
		say(out, "%*s%" PRId64, (int)blanks, "", x);
		blanks = 2 * stride - (size_t)digits(x);
	}
	say(out, "\n");
}

/* 0 none, 1 up to 2, 2 up to 4, 3 up to 8, ... 9 more. */
static unsigned magnitude(uint32_t actors)
{
	unsigned n = 0;
	while (n < 9 && actors > 0 && (n == 0 || actors > UINT32_C(1) << n))
		n++;
	return n;
}

static void say_place(
	struct output *out, const struct picture *picture, size_t at, bool actors, bool last)
{
	if (picture->look[at] == NOTHING) {
		say(out, "  ");
		return;
	}
	const struct cell_look *look = &looks[picture->look[at]];
	say_colour(out, look->colour);
	if (actors)
		say(out, "%c", "0123456789"[magnitude(picture->actors[at])]);
	else
		say(out, "%s", out->style.ascii ? look->ascii : look->utf8);
	say_colour(out, COLOUR_NONE);
	if (!last || picture->mark[at] != ' ')
		say(out, "%c", picture->mark[at]);
}

/* The last place with something in it: lines end there. */
static size_t used_columns(const struct picture *picture, size_t row)
{
	size_t n = picture->columns;
	while (n > 0 && picture->look[row * picture->columns + n - 1] == NOTHING)
		n--;
	return n;
}

static void say_rows(struct output *out, const struct picture *picture, bool actors)
{
	for (size_t y = 0; y < picture->rows; y++) {
		size_t used = used_columns(picture, y);
		say(out, used ? "%6" PRId64 " " : "%6" PRId64,
			coordinate(picture->y0, picture->zoom, y));
		for (size_t x = 0; x < used; x++)
			say_place(out, picture, y * picture->columns + x, actors, x + 1 == used);
		say(out, "\n");
	}
}

/* "GLYPH WORDS", on a line of its own where the one before is full. */
static void say_key(struct output *out, const char *glyph, const char *words, size_t *column)
{
	size_t width = 3 + 1 + strlen(words); /* glyphs have one column */
	if (out->style.width && *column + width > out->style.width) {
		say(out, "\n");
		*column = 0;
	}
	say(out, "  %s %s", glyph, words);
	*column += width;
}

static void say_legend(struct output *out, const struct picture *picture, bool actors)
{
	size_t total = 0, column = 0;
	if (actors)
		say(out, "  actors: 0 none, 1 up to 2, 2 up to 4, 3 up to 8 ... 9 more\n");
	for (size_t i = 0; i < LOOKS; i++) {
		total += picture->counts[i];
		if (picture->counts[i] > 0 && !actors)
			say_key(out, out->style.ascii ? looks[i].ascii : looks[i].utf8,
				looks[i].words, &column);
	}
	say_key(out, "@", "source", &column);
	say_key(out, "*", "just changed", &column);
	say(out, "\n  %zu cell%s:", total, total == 1 ? "" : "s");
	for (size_t i = 0; i < LOOKS; i++)
		if (picture->counts[i])
			say(out, " %zu %s", picture->counts[i],
				out->style.ascii ? looks[i].ascii : looks[i].utf8);
	say(out, "   x right, y down\n");
}

/* ---- as runs, for screen readers ---- */

static void say_run(struct output *out, const struct picture *picture, size_t first, size_t end,
	const char *words, bool *any)
{
	say(out, "%s X%" PRId64, *any ? "," : "", coordinate(picture->x0, picture->zoom, first));
	if (end - first > 1)
		say(out, "..%" PRId64, coordinate(picture->x0, picture->zoom, end - 1));
	say(out, " %s", words);
	*any = true;
}

static void say_plain_rows(struct output *out, const struct picture *picture)
{
	for (size_t y = 0; y < picture->rows; y++) {
		const unsigned char *row = picture->look + y * picture->columns;
		bool any = false;
		say(out, "row %" PRId64 ":", coordinate(picture->y0, picture->zoom, y));
		for (size_t x = 0, end; x < picture->columns; x = end) {
			for (end = x + 1; end < picture->columns && row[end] == row[x];)
				end++;
			if (row[x] != NOTHING)
				say_run(out, picture, x, end, looks[row[x]].words, &any);
		}
		say(out, "%s\n", any ? "" : " nothing");
	}
}

/* ---- the command ---- */

static uint32_t default_grid(const struct cs_cooked *world)
{
	for (uint32_t i = 0; i < world->n_partitions; i++)
		if (world->partitions[i].cells.count > 0 &&
			world->partitions[i].flags & CS_PARTITION_SPATIAL)
			return i;
	return 0;
}

/* The lowest level that has a cell with a box. */
static int32_t default_level(const struct cs_cooked *world, uint32_t grid)
{
	struct cs_range range = world->partitions[grid].cells;
	int32_t level = INT32_MAX;
	for (uint32_t i = range.first; i < range.first + range.count; i++)
		if (world->cells[i].level < level && cs_box_valid(&world->cells[i].box))
			level = world->cells[i].level;
	return level == INT32_MAX ? 0 : level;
}

/* The cells of the level among all, as a listing wants them. */
struct scope {
	char condition[64];
	struct cs_value grid;
};

static struct scope scope_of(const struct picture *picture)
{
	const struct cs_cooked *world = picture->world;
	struct scope scope = {
		.grid = cs_text(cs_cooked_text(world, world->partitions[picture->grid].name))};
	snprintf(scope.condition, sizeof(scope.condition), "grid = $scope AND level = %" PRId32,
		picture->level);
	return scope;
}

/* For machines: the cells, as `cells` lists them. */
static struct cs_error *list_cells(struct call *call, const struct picture *picture)
{
	const struct scope scope = scope_of(picture);
	return call_list_scoped(call, "cells", scope.condition, scope.grid);
}

/* -w, and -n in the order of -s, choose what is drawn. */
static struct cs_error *choose_cells(struct call *call, struct picture *picture)
{
	const struct scope scope = scope_of(picture);
	uint32_t *rows;
	size_t n;
	if (call_option(call, "c")->given)
		return cs_error_new(
			CS_E_USAGE, "a map has no columns: -c goes with --json, --csv or --tsv");
	if (!call_option(call, "w")->given && !call_option(call, "n")->given)
		return NULL;
	if (picture->world != call->session->world)
		return cs_error_new(
			CS_E_USAGE, "-w and -n choose among the cells of the world that is open");
	struct cs_error *error = call_rows(call, "cells", scope.condition, scope.grid, &rows, &n);
	if (error)
		return error;
	picture->chosen = calloc(picture->world->n_cells + 1, sizeof(*picture->chosen));
	for (size_t i = 0; picture->chosen && i < n; i++)
		picture->chosen[rows[i]] = true;
	free(rows);
	return picture->chosen ? NULL : cs_error_nomem();
}

/* wp.Runtime.DrawWorldPartitionIndex */
static void choose_world(struct picture *picture)
{
	size_t variable = cs_stream_find_variable("wp.Runtime.DrawWorldPartitionIndex");
	if (!picture->stream || variable == SIZE_MAX)
		return;
	double index = cs_stream_variable_number(picture->stream, variable);
	if (index < 0 || index >= (double)cs_stream_worlds(picture->stream))
		return;
	picture->index = (uint32_t)index;
	picture->world = cs_stream_cooked(picture->stream, picture->index);
}

static void say_picture(struct output *out, const struct picture *picture, bool actors)
{
	say_title(out, picture);
	if (out->style.plain) {
		say_plain_rows(out, picture);
		return;
	}
	say_x_axis(out, picture);
	say_rows(out, picture, actors);
	if (picture->view->legend)
		say_legend(out, picture, actors);
}

static struct cs_error *run_map(struct call *call)
{
	const struct argument *grid = call_option(call, "g");
	const struct argument *level = call_option(call, "l");
	struct picture picture = {.world = call->session->world,
		.stream = call->session->stream,
		.view = &call->session->view};
	choose_world(&picture);
	if (picture.world->n_partitions == 0)
		return cs_error_new(CS_E_NOGRID, "the world has no grids");
	picture.grid = grid->given ? grid->row : default_grid(picture.world);
	picture.level = level->given ? (int32_t)(level->count & INT32_MAX)
				     : default_level(picture.world, picture.grid);
	if (call->out->style.format != FORMAT_TEXT)
		return list_cells(call, &picture);
	struct cs_error *error = choose_cells(call, &picture);
	if (!error)
		error = choose_size(&picture, &call->out->style, call_option(call, "z")->count);
	if (!error)
		error = draw(&picture);
	if (!error)
		say_picture(call->out, &picture, call_option(call, "o")->choice == 1);
	free(picture.look);
	free(picture.mark);
	free(picture.actors);
	free(picture.chosen);
	return error;
}

static const char *const overlays[] = {"state", "actors", NULL};

const struct command command_map = {
	.name = "map",
	.alias = "m",
	.group = GROUP_MAP,
	.flags = COMMAND_WORLD | COMMAND_LISTS,
	.options = {{'g', NULL, "GRID", ARGUMENT_GRID, "the grid; else the first that streams",
			    NULL},
		{'l', NULL, "LEVEL", ARGUMENT_WHOLE, "the level; else the lowest with cells", NULL},
		{'z', NULL, "N", ARGUMENT_WHOLE, "N by N cells a place; else what fits", NULL},
		{'o', NULL, "WHAT", ARGUMENT_CHOICE, "what to draw: state, actors", overlays}},
	.summary = "draw a grid from above",
	.examples = "map\nmap -l 1\nmap -g MainGrid -o actors",
	.help = "A cell is its state and a mark. --plain (of the program) and `set plain on` tell\n"
		"the same in words, a line a row.",
	.run = run_map,
};
