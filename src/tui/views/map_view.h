/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the map share: its state, and what is drawn over its places. */
#pragma once

#include <cellscope/runs.h>

#include "src/tui/view.h"

/* A cell that rows tell of and this world has not: of another cook, of the engine. */
struct map_stranger {
	uint32_t grid;
	int32_t level;
	int64_t x, y;
	unsigned char key;
};

enum { MOST_PLACES_A_CELL = 16 };

/* A cell that is more than one place, and what is seen in it. */
struct map_inside {
	unsigned side;  /* places of a cell, across and down; 1, with zoom 1, 2, 4 ... */
	int wide, high; /* places of the window */
	bool waits;     /* so many actors are read when they are asked for */
	/* actors by quarters of a column; owned, NULL before they have been read */
	uint32_t *counts;
	struct cs_map_request of; /* that they were counted for */
	size_t columns, rows;     /* of that picture */
	unsigned of_side;
};

/* The index of a level, once that has been chosen; NULL with all levels. */
struct map_sorted {
	struct cs_map_index *index;
	const struct cs_cooked *world;
	uint32_t grid;
	int32_t level;
};

/* What was found last: the next hit is behind it. */
struct map_hit {
	bool of_actor;
	int64_t row;
};

struct map_view {
	bool is_set;   /* grid and level are chosen */
	bool is_moved; /* by the user: another size keeps it where it is */
	bool fits;     /* the window is to be chosen so that all is seen */
	bool all_levels;
	uint32_t grid;
	int32_t level;
	enum cs_map_overlay overlay;
	uint64_t zoom; /* cells a place */
	int64_t x0, y0;
	int64_t x, y; /* of the cursor, a cell */
	/* that the cursor was sent to, row + 1, or 0: where several share a place it is that one */
	uint32_t chosen;
	struct cs_map map;
	bool has_map;
	struct map_sorted sorted;
	int columns, rows; /* places that the map was drawn for: those of the library */
	struct map_inside inside;
	char drags[CS_SOURCE_NAME]; /* the source that the cursor takes with it, or "" */
	struct cs_vec3 dragged_from;
	struct map_hit hit;
	/* of CS_MAP_GIVEN */
	char *line;           /* whose rows name cells; owned, NULL = none */
	const char *name;     /* of what it shows, NULL = the line itself */
	uint64_t read_at;     /* when its rows were read, in changes of the screen + 1; 0 = never */
	unsigned char *given; /* of each cell; owned */
	CS_VEC(struct map_stranger) strangers;
	struct cs_map_key given_keys[CS_MAP_KEYS];
	size_t n_given_keys;
	char words[CS_MAP_KEYS][24];
	size_t told_elsewhere; /* cells that rows tell of on other levels and grids */
};

static inline struct map_view *map_state_of(const struct tui_view *view)
{
	return view->state;
}

/* view_map.c: what the library is asked to draw. */
struct cs_map_request map_request(const struct tui_view *view);
/* The place of a cell's coordinates, SIZE_MAX outside of the window. */
size_t map_place_at(const struct map_view *state, int64_t x, int64_t y);
/* map_draw.c: the places, of a cell or several each, and what their signs mean. */
void map_draw_places(const struct tui_view *view, struct area places);
void map_draw_legend(const struct tui_view *view, struct area area);
struct paint map_paint_of(const struct map_view *state, const struct cs_map_place *place);
/* map_near.c: the places of cells that are larger than a place. */
bool map_has_many_unread(const struct cs_cooked *world);
struct cs_error *map_read_inside(struct tui_view *view) CS_MUST_USE;
void map_draw_inside(const struct tui_view *view, struct area places);
/* map_keys.c */
extern const struct key map_keys[];
bool map_fill(struct tui_view *view, char letter, struct output *out);
/* map_rows.c: reads what the rows of the line say of cells. */
struct cs_error *map_read_rows(struct tui_view *view) CS_MUST_USE;
/* Goes to the level that most of these cells are on, and counts the others. */
void map_go_where_told(struct tui_view *view, bool moves);
/* Their places in the picture; SIZE_MAX of one that is elsewhere, or above a cell. */
size_t map_place_of_stranger(const struct map_view *state, const struct map_stranger *stranger);
/* "rows LINE", or the name of a line that is known; NULL, and line_ret NULL, for neither. */
const char *map_named_line(const char *value, const char **line_ret);
/* The overlay behind one, NULL behind the last. */
const char *map_next_named(const char *name);
/* map_search.c: the cursor to the next cell, or the cell of the next actor, with that name. */
struct cs_error *map_search(struct tui_view *view, const char *value) CS_MUST_USE;
/* map_marks.c: sources, paths, bounds, in the columns between the places. */
void map_draw_marks(struct tui_view *view, struct area places);
/* Marks the places of cells that a stop is about. */
#define MAP_MARK_STOP 128u
void map_mark_stops(struct tui_view *view);
/* Where the cursor is in the world: the middle of its cell. */
bool map_point(const struct tui_view *view, struct cs_vec3 *ret);
