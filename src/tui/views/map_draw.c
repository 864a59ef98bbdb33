/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws the places of the map. A place is two columns wide: a glyph for the state of its cells, or
 * for the value of an overlay, and a mark. The legend below explains the glyphs.
 */
#include "src/tui/terminal/looks.h"
#include "src/tui/views/map_view.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Returns the paint of a heat level: the heat as background, under text readable on it. */
static struct paint heat(int level)
{
	return (struct paint){heat_text(level), (uint8_t)(HUE_HEAT + level), 0};
}

struct paint map_paint_of(const struct map_view *state, const struct cs_map_place *place)
{
	enum { HEAT_KEYS = 10 };
	if (state->overlay == CS_MAP_STATE) {
		const struct state_look *look = &state_looks[place->key];
		return (struct paint){look->over, look->fill, look->paint.attributes};
	}
	bool counts = state->overlay == CS_MAP_GIVEN && state->map.n_keys > 1 &&
		      state->map.keys[1].letter == '1';
	if (place->key == 0)
		return (struct paint){HUE_GREY, HUE_DEFAULT, 0};
	if (state->overlay == CS_MAP_ACTORS || state->overlay == CS_MAP_BYTES || counts)
		return heat(place->key >= HEAT_KEYS ? HEATS - 1 : place->key * HEATS / HEAT_KEYS);
	static const uint8_t hues[] = {
		HUE_WHITE, HUE_SKY, HUE_ORANGE, HUE_GREEN, HUE_YELLOW, HUE_PINK, HUE_RED};
	return (struct paint){HUE_BLACK, hues[place->key % sizeof(hues)], 0};
}

/* Returns the mark beside a place's glyph: of a source, breakpoint or change, or a cell count. */
static char mark_of(const struct map_view *state, const struct cs_map_place *place)
{
	enum { MOST_DIGIT = 9 };
	/* in a cell larger than a place, a source is drawn at its exact position instead */
	bool is_large = state->inside.side > 1;
	if (place->marks & CS_MAP_MARK_SOURCE && !is_large)
		return '@';
	if (place->marks & MAP_MARK_STOP)
		return 'b';
	if (place->marks & CS_MAP_MARK_CHANGED)
		return '*';
	if (place->cells > 1 && place->cells <= MOST_DIGIT)
		return (char)('0' + place->cells);
	bool more = state->zoom > 1 ? place->cells > 1 : place->marks & CS_MAP_MARK_SEVERAL;
	return more ? '+' : '\0';
}

static int draw_sign(const struct map_view *state, struct area area, int x, int y,
	const struct cs_map_place *place)
{
	const char *text = &state->map.keys[place->key].letter;
	if (state->overlay != CS_MAP_STATE)
		return put_printed(area, x, y, map_paint_of(state, place), text, 1);
	const struct state_look *look = &state_looks[place->key];
	struct paint paint = map_paint_of(state, place);
	text = area.grid->ascii ? look->ascii : look->utf8;
	if (!area.grid->ascii && place->key == CS_MAP_ACTIVATED)
		paint.fg = paint.bg; /* hides the glyph, so that the place has one colour */
	return put_printed(area, x, y, paint, text, strlen(text));
}

static void draw_place(const struct map_view *state, struct area area, int x, int y,
	const struct cs_map_place *place)
{
	const struct paint paint = map_paint_of(state, place);
	const char mark = mark_of(state, place);
	bool is_count = (mark >= '0' && mark <= '9') || mark == '+';
	const int side = (int)state->inside.side;
	for (int row = 0; row < side; row++)
		put_ground(area, x, y + row, side > 1 ? 2 * side - 1 : 2, paint.bg);
	draw_sign(state, area, x, y, place);
	struct paint on = is_count || paint.bg != HUE_DEFAULT ? paint : inks[INK_MARK];
	if (!is_count)
		on.attributes |= ATTRIBUTE_BOLD;
	if (mark)
		put_printed(area, x + 1, y, on, &mark, 1);
}

static void draw_places(const struct map_view *state, struct area area)
{
	const int side = (int)state->inside.side;
	for (size_t i = 0; i < state->map.columns * state->map.rows; i++) {
		const struct cs_map_place *place = &state->map.places[i];
		const int x = (int)(i % state->map.columns) * 2 * side,
			  y = (int)(i / state->map.columns) * side;
		const char mark = mark_of(state, place);
		if (place->cells)
			draw_place(state, area, x, y, place);
		else if (mark)
			put_printed(area, x + 1, y, inks[INK_MARK], &mark, 1);
	}
}

/* Draws the cells that rows of the overlay name, but that this world does not contain. */
static void draw_strangers(const struct map_view *state, struct area area)
{
	const int side = (int)state->inside.side;
	for (size_t i = 0; state->overlay == CS_MAP_GIVEN && i < state->strangers.n; i++) {
		const struct cs_map_place its = {.key = state->strangers.at[i].key};
		size_t place = map_place_of_stranger(state, &state->strangers.at[i]);
		if (place != SIZE_MAX && its.key < state->map.n_keys)
			draw_place(state, area, (int)(place % state->map.columns) * 2 * side,
				(int)(place / state->map.columns) * side, &its);
	}
}

void map_draw_places(const struct tui_view *view, struct area places)
{
	const struct map_view *state = view->state;
	if (state->inside.side > 1)
		map_draw_inside(view, places);
	draw_places(state, places);
	draw_strangers(state, places);
}

/* Shortens paths in a command line to file names, so that the line fits in the legend. */
static const char *without_folders(const char *line, char *ret, size_t size)
{
	size_t n = 0, word = 0;
	for (; *line && n + 1 < size; line++) {
		if (*line == ' ')
			word = n + 1;
		ret[n++] = *line;
		if (*line == '/' && line[1] && line[1] != ' ')
			n = word;
	}
	ret[n] = '\0';
	return ret;
}

/* Adds the marks that are visible on the map to the legend, after the glyphs. */
static void draw_mark_legend(const struct map_view *state, struct area area, int x)
{
	static const struct {
		char mark;
		const char *words;
	} marks[] = {{'@', "source"}, {'*', "changed"}, {'b', "stop"}, {'+', "over nine"}};
	bool seen[UCHAR_MAX + 1] = {false};
	for (size_t i = 0; i < state->map.columns * state->map.rows; i++) {
		const struct cs_map_place *place = &state->map.places[i];
		seen[(unsigned char)mark_of(state, place)] = true;
		/* mark_of() returns no '@' while cells are larger than one map character */
		seen['@'] = seen['@'] || place->marks & CS_MAP_MARK_SOURCE;
	}
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		int room = 2 + (int)strlen(marks[i].words);
		if (!seen[(unsigned char)marks[i].mark] || x + room > area.columns)
			continue;
		x += put_printed(area, x, 0, inks[INK_MARK], &marks[i].mark, 1);
		x += put_format(area, x, 0, inks[INK_DIM], " %s", marks[i].words) + 2;
	}
}

void map_draw_legend(const struct tui_view *view, struct area area)
{
	const struct map_view *state = view->state;
	char line[256];
	const char *name = state->overlay != CS_MAP_GIVEN
				   ? cs_word(CS_WORDS_MAP_OVERLAY, state->overlay)->name
			   : state->name ? state->name
					 : without_folders(state->line, line, sizeof(line));
	int x = 0;
	if (*state->drags) {
		put_format(area, x, 0, inks[INK_KEY], "%s: Enter puts it here, S leaves it",
			state->drags);
		return;
	}
	if (state->overlay != CS_MAP_STATE)
		x += put_text(area_part(area, x, 0, area.columns / 2, 1), 0, 0, inks[INK_KEY],
			     name) +
		     2;
	if (state->inside.side > 1)
		x += put_text(area, x, 0, inks[state->inside.waits ? INK_WARN : INK_DIM],
			     state->inside.waits ? "D: dots of actors" : "dots: actors") +
		     2;
	/* starts with the highest key, which is the most important */
	for (size_t i = state->map.n_keys; i-- > 0;) {
		const struct cs_map_key *key = &state->map.keys[i];
		const struct cs_map_place place = {.key = (uint8_t)i};
		if (key->cells == 0)
			continue;
		int room = 3 + (int)strlen(key->words) + digits_of((int64_t)key->cells) + 1;
		if (x + room > area.columns)
			continue;
		x += draw_sign(state, area, x, 0, &place);
		x += put_format(area, x, 0, inks[INK_DIM], " %s %zu", key->words, key->cells) + 2;
	}
	char elsewhere[48];
	int wide = snprintf(elsewhere, sizeof(elsewhere), "%zu elsewhere", state->told_elsewhere);
	if (state->overlay == CS_MAP_GIVEN && state->told_elsewhere && x + wide <= area.columns)
		x += put_text(area, x, 0, inks[INK_WARN], elsewhere) + 2;
	draw_mark_legend(state, area, x);
}
