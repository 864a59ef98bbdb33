/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The map: a level of a grid from above, as places of one or more cells, and what each place shows.
 *
 *	struct cs_map map;
 *	cs_map_draw(&(struct cs_map_request){.world = cooked, .grid = 0}, &map);
 *	for (size_t i = 0; i < map.columns * map.rows; i++)
 *		if (map.places[i].cells)
 *			show(map.keys[map.places[i].key].letter);
 *	cs_map_deinit(&map);
 *
 * A picture shows one overlay. Its keys are the meanings that a place can have, each a letter that
 * no other key of the overlay has; where several cells share a place the later key wins. A front
 * chooses glyphs and colours; it decides nothing about streaming.
 */
#ifndef CELLSCOPE_MAP_H
#define CELLSCOPE_MAP_H

#include <cellscope/stream_events.h>

CS_BEGIN_DECLS

enum cs_map_overlay {
	CS_MAP_STATE,    /* of streaming: enum cs_map_state is the key */
	CS_MAP_ACTORS,   /* of the fullest cell, in powers of two */
	CS_MAP_BYTES,    /* of all cells of the place by the load model, in powers of four */
	CS_MAP_LAYERS,   /* a letter for each data layer in the picture */
	CS_MAP_HLOD,     /* of the HLOD actors that stand for the cell, or lie in it */
	CS_MAP_PRIORITY, /* rank in the order of the last frame: 1 is the next */
	CS_MAP_WHY_NOT,  /* the rule that keeps it from being there */
	CS_MAP_OVERLAYS,
	CS_MAP_GIVEN = CS_MAP_OVERLAYS /* what the caller says of each cell; has no name */
};

CS_API const char *cs_map_overlay_name(enum cs_map_overlay overlay);
/* What the letters mean as a whole, one line. */
CS_API const char *cs_map_overlay_help(enum cs_map_overlay overlay);
/* Whether it tells nothing without a run. */
CS_API bool cs_map_overlay_needs_run(enum cs_map_overlay overlay);

/* The words of the column `state`, and layer_off: unloaded because its data layers say so. */
enum cs_map_state {
	CS_MAP_LAYER_OFF,
	CS_MAP_UNLOADED,
	CS_MAP_STILL_AROUND,
	CS_MAP_WAITING,
	CS_MAP_PRELOADING,
	CS_MAP_LOADING,
	CS_MAP_LOADED,
	CS_MAP_SHOWING,
	CS_MAP_ACTIVATED,
	CS_MAP_LEAVING,
	CS_MAP_FAILED,
	CS_MAP_STATES
};

CS_API const char *cs_map_state_name(enum cs_map_state state);
/* The one that the column `state` shows: never layer_off. */
CS_API enum cs_map_state cs_map_state_of_cell(const struct cs_stream_cell_view *view);
CS_API enum cs_map_state cs_map_state_of(
	const struct cs_stream *stream, const struct cs_cooked *world, struct cs_stream_cell cell);

enum { CS_MAP_KEYS = 64, CS_MAP_MOST = 1000 };

struct cs_map_key {
	char letter;
	const char *words; /* may be a name of the file: not safe for a terminal */
	size_t cells;      /* in the picture */
};

/*
 * All keys of an overlay, as far as they do not depend on the picture (words NULL = they do);
 * returns how many.
 */
CS_API size_t cs_map_overlay_keys(enum cs_map_overlay overlay, struct cs_map_key keys[CS_MAP_KEYS]);

#define CS_MAP_MARK_SOURCE  1u /* a source is above a cell of the place */
#define CS_MAP_MARK_CHANGED 2u /* a cell changed in the last frame */
#define CS_MAP_MARK_SEVERAL 4u /* more cells than coordinates: data layers split them */

struct cs_map_place {
	uint32_t cells;   /* how many are drawn there; 0 = nothing */
	uint32_t first;   /* least row of the cells table among them, CS_NONE without */
	uint32_t actors;  /* of the fullest */
	uint32_t changes; /* cells that changed in the last frame */
	uint64_t bytes;   /* of all, by the load model; 0 without a run */
	uint8_t state;    /* enum cs_map_state: the one that says most */
	uint8_t key;      /* of the overlay */
	uint8_t marks;    /* CS_MAP_MARK_ */
};

/*
 * The cells of a level by their coordinates: with it a window costs what it shows, without it what
 * the level has; a picture of the states of a run at zoom 3 or more is drawn from what
 * the first such picture gathers beside it, so one thread at a time. The world outlives it.
 * E_NOGRID, E_NOMEM.
 */
struct cs_map_index;
CS_API struct cs_error *cs_map_index_new(const struct cs_cooked *world, uint32_t grid,
	int32_t level, struct cs_map_index **ret) CS_MUST_USE;
CS_API void cs_map_index_free(struct cs_map_index *index);

struct cs_map_request {
	const struct cs_cooked *world;
	const struct cs_stream *stream; /* the run, or NULL */
	uint32_t index;                 /* of the world among the partitions of the run */
	uint32_t grid;
	int32_t level;
	enum cs_map_overlay overlay;
	uint64_t zoom;          /* zoom x zoom cells a place; 0 = the least that fits */
	uint64_t columns, rows; /* places at most; 0 = CS_MAP_MOST */
	bool window;            /* begins at x0, y0 and has all columns and rows */
	int64_t x0, y0;
	bool sources; /* are marked */
	/*
	 * Cells of all levels from `level` on, in its coordinates: each covers the places that its
	 * box does.
	 */
	bool all_levels;
	const struct cs_map_index *sorted; /* or NULL; of another level it does nothing */
	/* CS_MAP_GIVEN: the key of each cell, 0 = none; the keys from 1 on, at most CS_MAP_KEYS - 1
	 */
	const unsigned char *given;
	const struct cs_map_key *given_keys;
	size_t n_given_keys;
	/* Which cells are drawn; NULL = all that have a box. */
	bool (*shows)(const void *context, uint32_t cell);
	const void *context;
};

struct cs_map {
	int64_t x0, y0; /* coordinates of the first cell of the first place */
	uint64_t zoom;
	size_t columns, rows;
	struct cs_map_place *places; /* row by row */
	struct cs_map_key keys[CS_MAP_KEYS];
	size_t n_keys;
	size_t cells;
	/* where in the world the cell with coordinates 0,0 begins, cm; side 0 = nothing tells */
	double origin_x, origin_y, side;
	/* for cs_map_redraw: of each cell of the grid, where it can be used; the run when it was
	 * drawn */
	unsigned char *states;
	uint64_t events, frame, rewinds;
	struct cs_stream_load_sizes sizes;
};

/* E_NOGRID, E_NOCELL when nothing is to be drawn and no window is given, E_NOMEM. */
CS_API struct cs_error *cs_map_draw(
	const struct cs_map_request *request, struct cs_map *ret) CS_MUST_USE;
/*
 * Draws it again behind further frames: a picture of states in a window, with `sorted`, costs what
 * has happened since; any other, and one whose window moved, is drawn as a whole. But for x0 and y0
 * the request is that of before.
 */
CS_API struct cs_error *cs_map_redraw(
	const struct cs_map_request *request, struct cs_map *map) CS_MUST_USE;
CS_API void cs_map_deinit(struct cs_map *map);
/* The cells of a place, ascending, at most `room`; returns how many there are. */
CS_API size_t cs_map_cells_at(const struct cs_map_request *request, const struct cs_map *map,
	size_t place, uint32_t *cells, size_t room);
/* The first place of a cell; SIZE_MAX when it is not drawn, or beyond the window. */
CS_API size_t cs_map_place_of(
	const struct cs_map_request *request, const struct cs_map *map, uint32_t cell);
/*
 * What is inside of the places of a picture whose zoom is 1: each is cut into `across` x `down`
 * parts, and each part counts the actors of cells in the picture whose bounds have their middle
 * there, row by row over the whole picture: `columns` * `across` numbers a row. An actor counts
 * where it is, in whichever place. `counts` has room for all of them. It
 * costs the cells of the picture with their actors; without `sorted` all cells of the grid. E_USAGE
 * for another zoom, E_NOMEM.
 */
CS_API struct cs_error *cs_map_inside(const struct cs_map_request *request,
	const struct cs_map *map, unsigned across, unsigned down, uint32_t *counts) CS_MUST_USE;
/* The first grid that streams; the lowest level of a grid with a cell. */
CS_API uint32_t cs_map_default_grid(const struct cs_cooked *world);
CS_API int32_t cs_map_default_level(const struct cs_cooked *world, uint32_t grid);

/* The loading range of its grid now, cm, and where that comes from. */
CS_API double cs_map_range(const struct cs_map_request *request);
CS_API enum cs_range_origin cs_map_range_origin(const struct cs_map_request *request);
/* Marks (CS_MAP_MARK_) that any of its places has. */
CS_API unsigned cs_map_marks(const struct cs_map *map);
/* Places of a row up to the last with something in it. */
CS_API size_t cs_map_used(const struct cs_map *map, size_t row);
/* The length of a cell of the level, cm. */
CS_API double cs_map_cell_side(const struct cs_map_request *request);

/* ---- as the console of the engine asks ---- */

/* wp.Runtime.DebugFilter...: words with commas between, whatever their case; NULL = no filter. */
struct cs_map_filter {
	const char *layers; /* labels: one is of a layer of the cell; None: it has no layers */
	const char *grids;  /* names: one is of its grid */
	const char
		*statuses; /* numbers of enum cs_stream_state: one is its state, 0 without a run */
	const char *names; /* all are in its name */
};

CS_API bool cs_map_filter_shows(
	const struct cs_map_filter *filter, const struct cs_map_request *request, uint32_t cell);
/*
 * What the filter and the variables wp.Runtime.Show... of the run ask for, else the default: the
 * first grid with cells that the filter lets through, the level of a grid, the overlay.
 */
CS_API uint32_t cs_map_console_grid(
	const struct cs_map_request *request, const struct cs_map_filter *filter);
CS_API int32_t cs_map_console_level(const struct cs_map_request *request);
CS_API enum cs_map_overlay cs_map_console_overlay(const struct cs_stream *stream);
/* The partition that wp.Runtime.DrawWorldPartitionIndex names; CS_NONE when there is none such. */
CS_API uint32_t cs_map_console_partition(const struct cs_stream *stream);
/* Of the room for places what wp.Runtime.DrawRuntimeHash2DScaleFactor leaves. */
CS_API uint64_t cs_map_console_places(const struct cs_stream *stream, uint64_t room);

/* ---- history ---- */

enum { CS_HISTORY_UNKNOWN = 255 };

/*
 * The states (enum cs_map_state) of a cell over the frames of a run: `n` columns of `zoom` frames
 * from frame `first` on, each the state among them that says most; CS_HISTORY_UNKNOWN of frames
 * that have not run, and of those that the log of events has forgotten. Costs the events since
 * `first`.
 */
CS_API void cs_cell_history(const struct cs_stream *stream, struct cs_stream_cell cell,
	uint64_t first, uint64_t zoom, unsigned char *states, size_t n);

CS_END_DECLS

#endif
