/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Implements the command `map`: draws one level of a grid from above as text. Each map square is
 * two columns wide, a glyph and a mark. The library (cellscope/query.h) computes what a square
 * shows; this file chooses its glyph and colour. The command `legend` explains the glyphs.
 */
#include <cellscope/compare.h>

#include "src/session/plain.h"
#include "src/session/session.h"
#include "src/tui/terminal/looks.h"

#include <inttypes.h>
#include <string.h>

/* ---- what the map shows ---- */

struct picture {
	struct cs_map_request request;
	struct cs_map map;
	const struct view *view;
	struct cs_map_filter filter; /* filter that the DebugFilter console variables define */
	bool *chosen; /* for each cell, whether -w and -n select it; NULL = all cells */
};

static bool shows(const void *context, uint32_t cell)
{
	const struct picture *picture = context;
	return (!picture->chosen || picture->chosen[cell]) &&
	       cs_map_filter_shows(&picture->filter, &picture->request, cell);
}

static const struct cs_cooked_partition *map_grid_of(const struct picture *picture)
{
	return &picture->request.world->partitions[picture->request.grid];
}

/* Limits the map so that it fits the screen together with its title, legend and prompt. */
static void map_fit_screen(struct picture *picture, const struct style *style)
{
	enum { LABEL = 7, AROUND = 7 };
	struct cs_map_request *request = &picture->request;
	const double scale = cs_map_console(request->stream).scale;
	const unsigned columns = style->width > LABEL + 2 ? (style->width - LABEL) / 2 : 0;
	const unsigned rows = style->height > AROUND + 1 ? style->height - AROUND : 0;
	request->columns = (uint64_t)(columns * scale);
	request->rows = (uint64_t)(rows * scale);
}

/* ---- text output ---- */

static int64_t map_coordinate(int64_t first, uint64_t zoom, size_t place)
{
	return (int64_t)((uint64_t)first + zoom * place);
}

static void say_title(struct output *out, const struct picture *picture)
{
	enum { SHOWN = 3 };
	const struct cs_map_request *request = &picture->request;
	const struct cs_cooked *world = request->world;
	const struct cs_cooked_partition *grid = map_grid_of(picture);
	const struct cs_value size = cs_number(picture->map.cell_side);
	const struct cs_value range = cs_number(picture->map.range.range);
	say(out, "%s  %s L%d  cell ", cs_cooked_text(world, world->world->name),
		cs_cooked_text(world, grid->name), request->level);
	say_value(out, &size);
	say(out, " cm  range ");
	say_value(out, &range);
	/* print which setting replaces the cooked loading range, if a setting does */
	const enum cs_range_origin origin = picture->map.range.origin;
	if (origin != CS_RANGE_COOKED)
		say(out, " (%s)", cs_word(CS_WORDS_RANGE_ORIGIN, origin)->name);
	if (picture->map.zoom > 1)
		say(out, "  zoom %" PRIu64, picture->map.zoom);
	if (request->stream)
		say(out, "  frame %" PRIu64, cs_stream_status(request->stream).frame);
	size_t n =
		request->stream && picture->view->sources ? cs_stream_sources(request->stream) : 0;
	for (size_t i = 0; i < n && i < SHOWN; i++) {
		const struct cs_stream_source *source =
			cs_stream_source_at(request->stream, i).source;
		say(out, "  %s (%.0f,%.0f)", source->name, source->location.x, source->location.y);
	}
	say(out, "\n");
}

/* Prints the x coordinates below the map, far enough apart that no two labels touch. */
static void say_x_axis(struct output *out, const struct cs_map *map)
{
	int first = digits_of(map->x0);
	int last = digits_of(map_coordinate(map->x0, map->zoom, map->columns - 1));
	size_t stride = (size_t)(first > last ? first : last) / 2 + 1, blanks = 7;
	for (size_t i = 0; i < map->columns; i += stride) {
		int64_t x = map_coordinate(map->x0, map->zoom, i);
		say(out, "%*s%" PRId64, (int)blanks, "", x);
		blanks = 2 * stride - (size_t)digits_of(x);
	}
	say(out, "\n");
}

static void say_glyph(struct output *out, const struct picture *picture, unsigned key)
{
	if (picture->request.overlay == CS_MAP_STATE && !out->style.ascii)
		say(out, "%s", state_looks[key].utf8);
	else
		say(out, "%c", picture->map.keys[key].letter);
}

/* Returns the most important mark of a place of the map. */
static char map_mark_of(const struct cs_map_place *place)
{
	return place->marks & CS_MAP_MARK_SOURCE    ? '@'
	       : place->marks & CS_MAP_MARK_CHANGED ? '*'
	       : place->marks & CS_MAP_MARK_SEVERAL ? '+'
						    : ' ';
}

static void map_say_place(struct output *out, const struct picture *picture,
	const struct cs_map_place *place, bool last)
{
	if (place->cells == 0) {
		say(out, " %c", map_mark_of(place));
		return;
	}
	say_colour(out, state_looks[place->state].colour);
	say_glyph(out, picture, place->key);
	say_colour(out, COLOUR_NONE);
	if (!last || place->marks)
		say(out, "%c", map_mark_of(place));
}

static void say_rows(struct output *out, const struct picture *picture)
{
	const struct cs_map *map = &picture->map;
	for (size_t y = 0; y < map->rows; y++) {
		const size_t used = cs_map_used(map, y);
		say(out, used ? "%6" PRId64 " " : "%6" PRId64,
			map_coordinate(map->y0, map->zoom, y));
		for (size_t x = 0; x < used; x++)
			map_say_place(
				out, picture, &map->places[y * map->columns + x], x + 1 == used);
		say(out, "\n");
	}
}

/* ---- legend ---- */

/* Begins the legend entry "GLYPH WORDS", on a new line if it does not fit. */
static void begin_key(struct output *out, const char *words, size_t *column)
{
	size_t width = 3 + 1 + text_columns(words, strlen(words), out->style.ascii);
	if (out->style.width && *column + width > out->style.width) {
		say(out, "\n");
		*column = 0;
	}
	say(out, "  ");
	*column += width;
}

static void say_mark_key(struct output *out, char mark, const char *words, size_t *column)
{
	begin_key(out, words, column);
	say(out, "%c %s", mark, words);
}

static void say_legend(struct output *out, const struct picture *picture)
{
	const struct cs_map *map = &picture->map;
	size_t column = 0;
	if (picture->request.overlay != CS_MAP_STATE)
		say(out, "  %s: %s\n",
			cs_word(CS_WORDS_MAP_OVERLAY, picture->request.overlay)->name,
			cs_word(CS_WORDS_MAP_OVERLAY, picture->request.overlay)->help);
	for (size_t i = 0; i < map->n_keys; i++) {
		if (map->keys[i].cells == 0)
			continue;
		begin_key(out, map->keys[i].words, &column);
		say_glyph(out, picture, (unsigned)i);
		say(out, " %s", map->keys[i].words);
	}
	say_mark_key(out, '@', "source", &column);
	say_mark_key(out, '*', "just changed", &column);
	if (map->marks & CS_MAP_MARK_SEVERAL)
		say_mark_key(out, '+', "several cells", &column);
	bool counts = picture->request.overlay == CS_MAP_STATE;
	say(out, "\n  %zu cell%s%s", map->cells, map->cells == 1 ? "" : "s", counts ? ":" : "");
	for (size_t i = 0; counts && i < map->n_keys; i++) {
		if (map->keys[i].cells == 0)
			continue;
		say(out, " %zu ", map->keys[i].cells);
		say_glyph(out, picture, (unsigned)i);
	}
	say(out, "   x right, y down\n");
}

/* ---- text for screen readers: runs of equal squares ---- */

static bool map_same_place(const struct cs_map_place *left, const struct cs_map_place *right)
{
	return (left->cells == 0) == (right->cells == 0) && left->key == right->key;
}

static void say_run(struct output *out, const struct picture *picture, size_t first, size_t end,
	const struct cs_map_place *place, bool *any)
{
	const struct cs_map *map = &picture->map;
	say(out, "%s X%" PRId64, *any ? "," : "", map_coordinate(map->x0, map->zoom, first));
	if (end - first > 1)
		say(out, "..%" PRId64, map_coordinate(map->x0, map->zoom, end - 1));
	say(out, " %s", map->keys[place->key].words);
	*any = true;
}

static void say_plain_rows(struct output *out, const struct picture *picture)
{
	const struct cs_map *map = &picture->map;
	for (size_t y = 0; y < map->rows; y++) {
		const struct cs_map_place *row = map->places + y * map->columns;
		bool any = false;
		say(out, "row %" PRId64 ":", map_coordinate(map->y0, map->zoom, y));
		for (size_t x = 0, end; x < map->columns; x = end) {
			for (end = x + 1; end < map->columns && map_same_place(&row[end], &row[x]);)
				end++;
			if (row[x].cells)
				say_run(out, picture, x, end, &row[x], &any);
		}
		say(out, "%s\n", any ? "" : " nothing");
	}
}

/* ---- command map ---- */

/* SQL condition that selects the cells of the drawn grid level, and its parameter $scope. */
struct scope {
	char condition[64];
	struct cs_value grid;
};

static struct scope scope_of(const struct picture *picture)
{
	const struct cs_cooked *world = picture->request.world;
	struct scope scope = {.grid = cs_text(cs_cooked_text(world, map_grid_of(picture)->name))};
	snprintf(scope.condition, sizeof(scope.condition), "grid = $scope AND level = %d",
		picture->request.level);
	return scope;
}

/* Selects the cells to draw: those that match -w, and of these the first -n in the order of -s. */
static struct cs_error *choose_cells(struct call *call, struct picture *picture)
{
	const struct scope scope = scope_of(picture);
	const struct cs_cooked *world = picture->request.world;
	uint32_t *rows;
	size_t n;
	if (call_option(call, "c")->given)
		return cs_error_new(CS_E_USAGE,
			"the map is a picture without columns: use -c only with --json, --csv or "
			"--tsv");
	if (!call_option(call, "w")->given && !call_option(call, "n")->given)
		return NULL;
	struct cs_error *error = call_rows(call, "cells", scope.condition, scope.grid, &rows, &n);
	if (error)
		return error;
	picture->chosen = calloc(world->n_cells + 1, sizeof(*picture->chosen));
	for (size_t i = 0; picture->chosen && i < n; i++)
		picture->chosen[rows[i]] = true;
	free(rows);
	return picture->chosen ? NULL : cs_error_nomem();
}

/* Sets a filter only if it may leave out cells, because a filtered picture reads more fields. */
static void choose_filter(struct picture *picture)
{
	picture->request.context = picture;
	if (picture->chosen || view_has_filter(picture->view))
		picture->request.shows = shows;
}

/* Selects the world to draw: -P, else wp.Runtime.DrawWorldPartitionIndex, else the main one. */
static void choose_world(struct call *call, struct cs_map_request *request)
{
	struct session *session = call->session;
	uint32_t index = CS_NONE;
	if (cs_query_focused(session->query) == CS_NONE)
		index = cs_map_console(request->stream).partition;
	session_focus(session, index != CS_NONE ? index : session->files.partition);
	request->index = session->files.partition;
	request->world = session->world;
}

static void map_say_picture(struct output *out, const struct picture *picture)
{
	say_title(out, picture);
	if (out->style.plain) {
		say_plain_rows(out, picture);
		return;
	}
	say_x_axis(out, &picture->map);
	say_rows(out, picture);
	if (picture->view->legend)
		say_legend(out, picture);
}

/* Reads the options of `map` into the request. Starts a run only if the overlay needs one. */
static struct cs_error *begin_picture(struct call *call, struct picture *picture)
{
	struct cs_map_request *request = &picture->request;
	const struct argument *grid = call_option(call, "g"), *level = call_option(call, "l");
	struct cs_stream *stream = call->session->run.stream;
	request->overlay = (enum cs_map_overlay)(call_option(call, "o")->choice);
	struct cs_map_legend legend;
	cs_map_legend(request->overlay, &legend);
	if (legend.needs_run) {
		struct cs_error *error = session_stream(call->session, &stream);
		if (error)
			return error;
	}
	request->stream = stream;
	choose_world(call, request);
	if (request->world->n_partitions == 0)
		return cs_error_new(CS_E_NOGRID,
			"the open world has no grids, so there is no map to draw: `cells` lists "
			"its cells");
	request->grid = grid->given ? grid->row : CS_NONE;
	request->level = level->given ? (int32_t)(level->count & INT32_MAX) : INT32_MIN;
	cs_map_console_choose(request, &picture->filter);
	if (!call_option(call, "o")->given)
		request->overlay = cs_map_console(request->stream).overlay;
	request->zoom = call_option(call, "z")->count;
	request->sources = picture->view->sources;
	return NULL;
}

static struct cs_error *run_map(struct call *call)
{
	struct picture picture = {
		.view = &call->session->view, .filter = view_filter(&call->session->view)};
	struct cs_error *error = begin_picture(call, &picture);
	if (error)
		return error;
	if (call->out->style.format != FORMAT_TEXT) { /* programs get the rows of the drawn cells */
		const struct scope scope = scope_of(&picture);
		return call_list_scoped(call, "cells", scope.condition, scope.grid);
	}
	error = choose_cells(call, &picture);
	choose_filter(&picture);
	if (!error && call_option(call, "svg")->given) {
		error = cs_map_svg(&picture.request,
			cs_cooked_text(picture.request.world, picture.request.world->world->name),
			call_option(call, "svg")->text);
		free(picture.chosen);
		return error;
	}
	map_fit_screen(&picture, &call->out->style);
	if (!error)
		error = cs_map_draw(&picture.request, &picture.map);
	if (!error)
		map_say_picture(call->out, &picture);
	cs_map_deinit(&picture.map);
	free(picture.chosen);
	return error;
}

/* values of the option -o, in the order of enum cs_map_overlay */
static const char *const map_overlays[] = {
	"state", "actors", "bytes", "layer", "hlod", "priority", "why-not", NULL};

const struct command command_map = {
	.name = "map",
	.alias = "m",
	.group = GROUP_MAP,
	.flags = COMMAND_WORLD | COMMAND_LISTS,
	.options = {{'g', NULL, "GRID", ARGUMENT_GRID,
			    "draw this grid (default: the first grid that streams)"},
		{'l', NULL, "LEVEL", ARGUMENT_WHOLE,
			"draw this level (default: the lowest level that has cells)"},
		{'z', NULL, "N", ARGUMENT_WHOLE,
			"draw N by N cells as one letter (default: the least N with which the map "
			"fits the screen)"},
		{'o', NULL, "WHAT", ARGUMENT_CHOICE,
			"let the letters show state (default), actors, bytes, layer, hlod, "
			"priority or why-not",
			map_overlays},
		{0, "svg", "FILE", ARGUMENT_OUTPUT, "write an SVG picture to FILE, print nothing",
			REPLACES("svg")}},
	.summary = "draw the cells of a grid as letters, from above",
	.examples = "map\nmap -l 1\nmap -g MainGrid -o actors\nmap -o why-not",
	.help = "The map has a letter for each cell; `legend` explains the letters. With -z N a\n"
		"letter covers N by N cells and shows the most important of their states, the\n"
		"actors of the fullest cell (-o actors) or the bytes of all these cells (-o\n"
		"bytes). With -o why-not the letter says what keeps the cell from being loaded. A\n"
		"mark can follow the letter: @ (a streaming source is here), * (the cell has just\n"
		"changed) or + (several cells have the same coordinates, because data layers\n"
		"split them).\n\n"
		"-w EXPR draws only the cells for which EXPR holds, and -n N draws only the first\n"
		"N cells that `cells` lists, in the order of -s. With --json, --csv or --tsv the\n"
		"cells are printed as rows instead of letters, and only then -c is allowed. After\n"
		"`set plain on` the map is printed as sentences, one row of cells on each line.",
	.run = run_map,
};

/* ---- command legend ---- */

struct legend_row {
	char letter[5];
	const char *overlay, *words;
};

static const struct cs_column legend_columns[] = {
	SHORT(struct legend_row, overlay, "overlay of the map"),
	SHORT(struct legend_row, letter, "letter on the map"),
	SHORT_AS("meaning", struct legend_row, words, "meaning of the letter or mark"),
};

static const struct cs_table legend_table = PLAIN_TABLE("legend", "sign", legend_columns);

static struct legend_row legend_row_of(const struct call *call, enum cs_map_overlay overlay,
	const struct cs_map_key *key, size_t index)
{
	struct legend_row row = {
		{key->letter, '\0'}, cs_word(CS_WORDS_MAP_OVERLAY, overlay)->name, key->words};
	if (overlay == CS_MAP_STATE && !call->out->style.ascii)
		snprintf(row.letter, sizeof(row.letter), "%s", state_looks[index].utf8);
	return row;
}

static struct cs_error *run_legend(struct call *call)
{
	static const struct legend_row marks[] = {{"@", "mark", "a source"},
		{"*", "mark", "just changed"},
		{"+", "mark", "several cells at the same coordinates"}};
	const struct argument *which = call_argument(call, 0);
	struct legend_row rows[CS_MAP_OVERLAYS * CS_MAP_KEYS + 3];
	size_t n = 0;
	for (int i = 0; i < CS_MAP_OVERLAYS; i++) {
		struct cs_map_legend legend;
		if (which->given && which->choice != (size_t)i)
			continue;
		cs_map_legend((enum cs_map_overlay)i, &legend);
		for (size_t k = 0; k < legend.n_keys; k++)
			if (legend.keys[k].words)
				rows[n++] = legend_row_of(
					call, (enum cs_map_overlay)i, &legend.keys[k], k);
	}
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		rows[n++] = marks[i];
	return emit_plain(call, &legend_table, rows, n);
}

const struct command command_legend = {
	.name = "legend",
	.group = GROUP_MAP,
	.flags = COMMAND_LISTS,
	.arguments = {{"WHAT", ARGUMENT_CHOICE, .optional = true, .choices = map_overlays}},
	.summary = "explain the letters and marks of the map",
	.examples = "legend\nlegend why-not",
	.help = "WHAT is a value of the option -o of `map`, such as state or why-not; without\n"
		"WHAT the letters of all these values are listed. Letters of data layers differ\n"
		"from map to map: `map -o layer` prints them below the map.",
	.run = run_legend,
};
