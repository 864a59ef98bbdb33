/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State that the files of the map share, and their functions. */
#pragma once

#include <cellscope/runs.h>

#include "src/tui/view.h"

/*
 * A cell that a row describes and this world does not contain: one of another cook, or of the
 * engine's.
 */
struct map_stranger {
	uint32_t grid;
	int32_t level;
	int64_t x, y;
	unsigned char key;
};

enum { MOST_PLACES_A_CELL = 16 };

/* Cells that are drawn larger than one place, and their content. */
struct map_inside {
	unsigned side;  /* places that a cell takes across and down; more than 1 only with zoom 1 */
	int wide, high; /* size of the window in places */
	bool waits;     /* the world has so many actors that they are counted only on request */
	/* actors by quarters of a column; owned, NULL until they are counted */
	uint32_t *counts;
	struct cs_map_request of; /* window for which the actors were counted */
	size_t columns, rows;     /* size of `counts` */
	unsigned of_side;
};

/* Index of the cells of one level, made when that level is chosen; NULL with all levels. */
struct map_sorted {
	struct cs_map_index *index;
	const struct cs_cooked *world;
	uint32_t grid;
	int32_t level;
};

/* The last hit of a search, after which the next search continues. */
struct map_hit {
	bool of_actor;
	int64_t row;
};

struct map_view {
	bool is_set;   /* whether grid and level were chosen */
	bool is_moved; /* whether the user moved the window: then resizing keeps it where it is */
	bool fits;     /* whether the window is chosen again so that all cells are visible */
	bool all_levels;
	uint32_t grid;
	int32_t level;
	enum cs_map_overlay overlay;
	uint64_t zoom; /* cells in each place */
	int64_t x0, y0;
	int64_t x, y; /* cell of the cursor */
	/*
	 * row + 1 of the cell that the cursor was sent to, or 0. It says which cell is meant where
	 * several share a place.
	 */
	uint32_t chosen;
	struct cs_map map;
	bool has_map;
	struct map_sorted sorted;
	int columns, rows; /* size of the last picture in places of the library */
	struct map_inside inside;
	char drags[CS_SOURCE_NAME]; /* source that moves with the cursor, or "" */
	struct cs_vec3 dragged_from;
	struct map_hit hit;
	/* State of the overlay CS_MAP_GIVEN. */
	char *line;       /* command whose rows name cells; owned, NULL = none */
	const char *name; /* name of the overlay, NULL = the line itself */
	/* value of the screen's `changes` + 1 when its rows were read; 0 = never */
	uint64_t read_at;
	unsigned char *given; /* key of each cell; owned */
	CS_VEC(struct map_stranger) strangers;
	struct cs_map_key given_keys[CS_MAP_KEYS];
	size_t n_given_keys;
	char words[CS_MAP_KEYS][24];
	size_t told_elsewhere; /* number of cells that rows name on other levels and grids */
};

static inline struct map_view *map_state_of(const struct tui_view *view)
{
	return view->state;
}

/* view_map.c: returns the request for the library's picture. */
struct cs_map_request map_request(const struct tui_view *view);
/* Returns the place of a cell's coordinates, SIZE_MAX outside of the window. */
size_t map_place_at(const struct map_view *state, int64_t x, int64_t y);
/* map_draw.c: draws the places and the legend of their glyphs. */
void map_draw_places(const struct tui_view *view, struct area places);
void map_draw_legend(const struct tui_view *view, struct area area);
struct paint map_paint_of(const struct map_view *state, const struct cs_map_place *place);
/* map_near.c: counts and draws the content of cells larger than a place. */
bool map_has_many_unread(const struct cs_cooked *world);
struct cs_error *map_read_inside(struct tui_view *view) CS_MUST_USE;
void map_draw_inside(const struct tui_view *view, struct area places);
/* map_keys.c */
extern const struct key map_keys[];
bool map_fill(struct tui_view *view, char letter, struct output *out);
/* map_rows.c: runs the line and reads which cells its rows mark. */
struct cs_error *map_read_rows(struct tui_view *view) CS_MUST_USE;
/* Goes to the level with most of these cells, and counts those elsewhere. */
void map_go_where_told(struct tui_view *view, bool moves);
/*
 * Returns the place of the stranger in the picture; SIZE_MAX when it is outside, or a cell of the
 * world covers its place.
 */
size_t map_place_of_stranger(const struct map_view *state, const struct map_stranger *stranger);
/*
 * Parses "rows LINE", or the name of a known line; for any other text returns NULL and sets
 * *line_ret to NULL.
 */
const char *map_named_line(const char *value, const char **line_ret);
/* Returns the overlay after this one, NULL after the last. */
const char *map_next_named(const char *name);
/*
 * map_search.c: moves the cursor to the next cell, or to the cell of the next actor, whose name
 * contains `value`. "" searches again for the last text, "-" does so backwards, and "off" forgets
 * it.
 */
struct cs_error *map_search(struct tui_view *view, const char *value) CS_MUST_USE;
/* map_marks.c: draws sources, paths and bounds in the columns between the places. */
void map_draw_marks(struct tui_view *view, struct area places);
/* Marks the places of cells that a stop refers to. */
#define MAP_MARK_STOP 128u
void map_mark_stops(struct tui_view *view);
/* Finds the world position of the middle of the map square at the cursor; false without a map. */
bool map_point(const struct tui_view *view, struct cs_vec3 *ret);
