/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State of the map view. A place of the map, two columns wide, shows one or more cells. */
#pragma once

#include <cellscope/query.h>
#include <cellscope/runs.h>

#include "src/tui/view.h"

/* A cell that a row from another cook describes, but that this world does not have. */
struct map_stranger {
	uint32_t grid;
	int32_t level;
	int64_t x, y;
	unsigned char key;
};

enum { MOST_PLACES_A_CELL = 16 };

/* Cells that are drawn larger than one place (two columns of the map), and the actors in them. */
struct map_inside {
	unsigned side; /* width and height of a drawn cell in places; above 1 only if `zoom` is 1 */
	int wide, high; /* size of the window in places */
	/* there are too many actors: they are counted only when the user requests it */
	bool waits;
	/* numbers of actors in the 2 x 2 quarters of each character, owned (NULL = not counted) */
	uint32_t *counts;
	struct cs_map_request of; /* request for which the actors were counted */
	size_t columns, rows;     /* size of the map in characters when actors were counted */
	unsigned of_side;
};

/* The cells of the chosen level, for drawing; `index` is NULL when all levels are shown. */
struct map_sorted {
	struct cs_map_index *index;
	const struct cs_cooked *world;
	uint32_t grid;
	int32_t level;
	bool is_filtered;    /* filters wp.Runtime.DebugFilter... were set when the map was drawn */
	char grid_name[128]; /* name by which the grid is found after the world was recooked */
};

/* The last hit of a search, from which the next search continues. */
struct map_hit {
	bool of_actor;
	int64_t row;
};

struct map_view {
	bool is_set;   /* grid and level have been chosen */
	bool is_moved; /* the user moved the window, so resizing does not move it */
	bool fits;     /* the window must be chosen so that all cells are visible */
	bool all_levels;
	uint32_t grid;
	int32_t level;
	enum cs_map_overlay overlay;
	uint64_t zoom; /* map cells along each side of a place (two columns of the map) */
	int64_t x0, y0;
	int64_t x, y; /* coordinates of the cell under the cursor */
	/* row + 1 of the cell that the cursor was moved to, if several share the place; or 0 */
	uint32_t chosen;
	struct cs_map map;
	bool has_map;
	struct map_sorted sorted;
	int columns, rows; /* size of the window in the places of `map` */
	struct map_inside inside;
	char drags[CS_SOURCE_NAME]; /* name of the source that moves with the cursor; or "" */
	struct cs_vec3 dragged_from;
	struct map_hit hit;
	/* state of the overlay CS_MAP_GIVEN, which shows the output of a command */
	char *line;       /* command whose rows name cells; owned, NULL = none */
	const char *name; /* name of the overlay; NULL = show `line` */
	/* 1 + the value of screen->changes when the rows of `line` were read (0 = not read yet) */
	uint64_t read_at;
	unsigned char *given; /* for each cell, 1 + index in given_keys, or 0; owned */
	CS_VEC(struct map_stranger) strangers;
	struct cs_map_key given_keys[CS_MAP_KEYS];
	size_t n_given_keys;
	char words[CS_MAP_KEYS][24];
	/* number of marked cells on other levels or in other grids than those in the window */
	size_t told_elsewhere;
};

static inline struct map_view *map_state_of(const struct tui_view *view)
{
	return view->state;
}

/* Returns the request by which the library draws the visible window of the map (view_map.c). */
struct cs_map_request map_request(const struct tui_view *view);
/* Returns the index of the place that shows cell x, y; SIZE_MAX outside of the window. */
size_t map_place_at(const struct map_view *state, int64_t x, int64_t y);
/* map_draw.c: drawing the places, and the legend of their glyphs. */
void map_draw_places(const struct tui_view *view, struct area places);
void map_draw_legend(const struct tui_view *view, struct area area);
struct paint map_paint_of(const struct map_view *state, const struct cs_map_place *place);
/* map_near.c: counts and draws actors in cells larger than a place of the map. */
bool map_has_many_unread(const struct cs_cooked *world);
struct cs_error *map_read_inside(struct tui_view *view) CS_MUST_USE;
void map_draw_inside(const struct tui_view *view, struct area places);
/* defined in map_keys.c */
extern const struct key map_keys[];
bool map_fill(struct tui_view *view, char letter, struct output *out);
/* Runs the overlay's command and reads which cells its rows mark (map_rows.c). */
struct cs_error *map_read_rows(struct tui_view *view) CS_MUST_USE;
/*
 * Counts marked cells on other levels. If `moves` is set and no marked cell is visible, changes to
 * the level with most marked cells.
 */
void map_go_where_told(struct tui_view *view, bool moves);
/*
 * Returns the place of a stranger (cell that this world lacks) in the map. Returns SIZE_MAX if the
 * stranger is outside of the picture, or if the place shows cells of this world.
 */
size_t map_place_of_stranger(const struct map_view *state, const struct map_stranger *stranger);
/*
 * Selects an overlay: "next", the name of one, or "rows LINE", where the rows that the command line
 * LINE prints mark cells.
 */
struct cs_error *map_set_overlay(struct map_view *state, const char *value) CS_MUST_USE;
/* Moves the overlay of the map `former` to the map `state`. */
void map_take_overlay(struct map_view *state, struct map_view *former);
/*
 * Moves the cursor to the next cell, or to the cell of the next actor, whose name contains `value`
 * (map_search.c). "" repeats the last search, "-" repeats it backward, and "off" ends it.
 */
struct cs_error *map_search(struct tui_view *view, const char *value) CS_MUST_USE;
/* Draws bounds, sources and paths in the second text column of each map place (map_marks.c). */
void map_draw_marks(struct tui_view *view, struct area places);
/* Mark of a map place (character) that shows a cell which a breakpoint names. */
#define MAP_MARK_STOP 128u
void map_mark_stops(struct tui_view *view);
/* Returns the centre in the world of the cell under the cursor; false if there is no map. */
bool map_point(const struct tui_view *view, struct cs_vec3 *ret);
