/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Views of one object field by field, and of the output of any command. */
#include "src/tui/terminal/looks.h"
#include "src/tui/terminal/paint.h"
#include "src/tui/views/views.h"

#include <inttypes.h>
#include <string.h>

/* ---- the history of a cell's states ---- */

struct history {
	/* the cell, the state of the run, and the number of columns for which `states` was read */
	struct cs_stream_cell cell;
	uint64_t frame, events, rewinds;
	int columns;
	uint64_t first, zoom;
	unsigned char states[GRID_MOST];
};

/* Finds the cell that the view shows, or the cell of the actor shown. Returns false if none. */
static bool cell_of_record(struct tui_view *view, struct cs_stream_cell *ret)
{
	const struct list *list = &view->list;
	bool is_actor = list->table && strcmp(list->table->row_name, "actor") == 0;
	struct object object = {.row = CS_NONE};
	struct cs_value name = list_value(list, 0, is_actor ? "cell" : "name");
	struct cs_value partition = list_value(list, 0, "partition");
	if (!list->is_record || !object_of_value("cell", &name, &object))
		return false;
	if (partition.kind == CS_KIND_TEXT && cs_query_partitions(view->session->query) > 1)
		object_find_in(view->session, partition.text, &object);
	return object_place(view->session, &object, &ret->cell, &ret->world);
}

/* Reads the states of the cell in all frames of the run, several frames per column if necessary. */
static void read_history(struct tui_view *view, struct cs_stream_cell cell, int columns)
{
	struct history *state = view->state;
	const struct cs_stream *stream = view->session->run.stream;
	const struct cs_stream_status now = cs_stream_status(stream);
	uint64_t events = cs_stream_event_count(stream);
	if (state->cell.world == cell.world && state->cell.cell == cell.cell &&
		state->frame == now.frame && state->rewinds == now.rewinds &&
		state->events == events && state->columns == columns)
		return;
	*state = (struct history){.cell = cell,
		.frame = now.frame,
		.events = events,
		.rewinds = now.rewinds,
		.columns = columns,
		.first = 1,
		.zoom = now.frame / (uint64_t)columns + 1};
	cs_cell_history(stream, cell, state->first, state->zoom, state->states, (size_t)columns);
}

static void draw_history(struct tui_view *view, struct area area, struct cs_stream_cell cell)
{
	enum { LABEL = 10 };
	const struct history *state = view->state;
	int columns = area.columns - LABEL - 2;
	columns = columns < GRID_MOST ? columns : GRID_MOST;
	read_history(view, cell, columns);
	put_text(area, 1, 0, inks[INK_DIM], "history");
	for (int x = 0; x < columns; x++) {
		if (state->states[x] == CS_HISTORY_UNKNOWN)
			continue;
		const struct state_look *look = &state_looks[state->states[x]];
		const char *sign = area.grid->ascii ? look->ascii : look->utf8;
		put_printed(area, LABEL + x, 0, look->paint, sign, strlen(sign));
	}
	struct cs_map_legend states;
	cs_map_legend(CS_MAP_STATE, &states);
	put_format(area, LABEL, 1, inks[INK_DIM],
		"frames %" PRIu64 "..%" PRIu64 ", a column = %" PRIu64 " frame%s; now %s",
		state->first, state->frame, state->zoom, state->zoom == 1 ? "" : "s",
		states.keys[cs_stream_cell(view->session->run.stream, cell).on_map].words);
}

static void draw_record(struct tui_view *view, struct area area)
{
	enum { STRIP = 3, LEAST = 8 };
	const struct cs_stream *stream = view->session->run.stream;
	bool ran = stream && cs_stream_status(stream).frame > 0;
	struct cs_stream_cell cell;
	if (!ran || area.rows < LEAST || !cell_of_record(view, &cell)) {
		list_draw(view, area);
		return;
	}
	draw_history(view, area, cell);
	put_line_across(area_part(area, 0, STRIP - 1, area.columns, 1), 0, inks[INK_LINE]);
	list_draw(view, area_part(area, 0, STRIP, area.columns, area.rows - STRIP));
}

/* ---- types of views ---- */

static const struct key cell_keys[] = {
	{"a", "view actors cell = %q", "Actors", "its actors"},
	{"H", "view events cell = %q", "History", "events of the object"},
	{"m", "view map", "Map", "the map"},
	{0},
};

const struct view_type view_cell = {
	.name = "cell",
	.title = "Cell",
	.help = "a cell, field by field",
	.command = "cell",
	.columns = "name,state,wanted,since,grid,level,x,y,z,actors,bytes,layers,content_min,"
		   "content_max",
	.needs_argument = true,
	.form = FORM_RECORD,
	.keys = cell_keys,
	.state_size = sizeof(struct history),
	.draw = draw_record,
};

const struct view_type view_actor = {
	.name = "actor",
	.title = "Actor",
	.help = "an actor, field by field",
	.command = "actor",
	.columns = "label,cell,placement,class,layers,grid,effective_grid,bounds_min,bounds_max,"
		   "effective_spatial,references,hlod_layer",
	.needs_argument = true,
	.form = FORM_RECORD,
	.state_size = sizeof(struct history),
	.draw = draw_record,
};

/* The argument is "KIND NAME"; the record is that object's row in the table of its kind. */
const struct view_type view_object_fields = {
	.name = "object",
	.title = "Object",
	.help = "the object under the cursor, field by field",
	.needs_argument = true,
	.form = FORM_RECORD,
	.has_object = true,
	.state_size = sizeof(struct history),
	.draw = draw_record,
};

const struct view_type view_rows = {
	.name = "rows",
	.title = "Rows",
	.help = "the rows that a command prints",
	.command = "",
	.needs_argument = true,
};

static const struct key hitch_keys[] = {
	{"Enter", "goto %f", "Goto", "the frame"},
	{0},
};

/* Returns the frame in the row under the cursor, for the key that goes to a frame (0 = none). */
static uint64_t frame_of_row(struct tui_view *view)
{
	struct cs_value frame = list_value(&view->list, view->list.cursor, "frame");
	return frame.kind == CS_KIND_INTEGER && frame.integer > 0 ? (uint64_t)frame.integer : 0;
}

const struct view_type view_hitches = {
	.name = "hitches",
	.title = "Hitches",
	.help = "costs of the run, the largest first",
	.command = "hitches",
	.keys = hitch_keys,
	.frame = frame_of_row,
	.empty = "no frame has cost anything yet; . runs one",
};
