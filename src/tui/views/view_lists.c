/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Views of the rows of a command or table that need little code of their own: breakpoints,
 * variables, cells that clients hold on a server, faults, stalls, events, world partitions.
 */
#include "src/tui/views/views.h"

#include <stdio.h>

static const struct key stop_keys[] = {
	{"x", "delete %n", "Delete", "delete the stop"},
	{"E", "enable %n", "Enable", "let the stop halt the run again"},
	{"D", "disable %n", "Disable", "keep the stop, but do not halt the run"},
	{"i", ":condition %n ", "Condition", "set the condition of the stop"},
	{"Enter", ":commands %n ", "Commands", "set the commands that run at the stop"},
	{0},
};

const struct view_type view_breakpoints = {
	.name = "breakpoints",
	.title = "Stops",
	.help = "breakpoints, watches and displays",
	.command = "info breakpoints",
	.keys = stop_keys,
	.empty = "no stops; b sets one at the object under the cursor",
};

static const struct key variable_keys[] = {
	{"Enter", ":variable %n ", "Set", "set another value"},
	{"x", "view filter is_default = 0", "Changed", "list only variables that were set"},
	{0},
};

/* Gets the console variable in the row under the cursor as the object to which keys apply. */
static void variable_of_row(struct tui_view *view, struct object *ret)
{
	struct cs_value name = list_value(&view->list, view->list.cursor, "name");
	if (name.kind != CS_KIND_TEXT)
		return;
	ret->kind = "variable";
	snprintf(ret->name, sizeof(ret->name), "%s", name.text);
}

/* Draws the variables, and below them the help of the variable under the cursor. */
static void draw_variables(struct tui_view *view, struct area area)
{
	struct cs_value help = list_value(&view->list, view->list.cursor, "help");
	list_draw(view, area_part(area, 0, 0, area.columns, area.rows - 1));
	if (help.kind == CS_KIND_TEXT)
		put_text(area, 1, area.rows - 1, inks[INK_TITLE], help.text);
}

const struct view_type view_variables = {
	.name = "variables",
	.title = "Variables",
	.help = "variables of the engine and of the load model",
	.command = "variable",
	.columns = "name,value,default,unit",
	.keys = variable_keys,
	.object = variable_of_row,
	.draw = draw_variables,
};

static const struct key server_keys[] = {
	{"i", "view rows info clients", "Clients", "the clients, and how many cells they see"},
	{0},
};

const struct view_type view_servers = {
	.name = "servers",
	.title = "Server holds",
	.help = "cells that a server keeps only because a client sees them",
	.room = ROOM_SHARED,
	.command = "server-hold",
	.keys = server_keys,
	.empty = "no cell is held for clients; client add NAME X,Y makes one",
};

const struct view_type view_faults = {
	.name = "faults",
	.title = "Faults",
	.help = "cells whose loads were made to fail or to take longer",
	.room = ROOM_SHARED,
	.command = "info faults",
	.empty = "no loads fail or are delayed",
};

const struct view_type view_stalls = {
	.name = "stalls",
	.title = "Stalls",
	.help = "waits for streaming, with lengths and causes",
	.table = "stalls",
	.empty = "nothing has had to wait for streaming",
};

const struct view_type view_events = {
	.name = "events",
	.title = "Events",
	.help = "events of the run",
	.table = "events",
	.empty = "nothing has happened yet; . runs a frame",
};

const struct view_type view_partitions = {
	.name = "partitions",
	.title = "World partitions",
	.help = "the main world partition, and standalone level instances",
	.table = "partitions",
	.empty = "no world is open",
};
