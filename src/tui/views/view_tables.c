/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types of views that list a table of the world, with the keyboard keys of each. */
#include "src/tui/views/views.h"

static bool lists_cells(struct tui_view *view)
{
	return !view->list.group; /* groups of cells have no names, only counts */
}

static const struct key cell_keys[] = {
	{"a", "view actors cell = %q", "Actors", "actors of the cell"},
	{"H", "view events cell = %q", NULL, "events of the cell"},
	{"x", "view cells state <> 'unloaded'", NULL, "list only cells that are not unloaded"},
	{"z", "view sort -bytes", NULL, "sort by bytes, the largest first", lists_cells},
	{0},
};

const struct view_type view_cells = {
	.name = "cells",
	.title = "Cells",
	.help = "all cells, with their states",
	.room = ROOM_SHARED,
	.table = "cells",
	.columns = "short_name,state,actors,layers,level,bytes,grid",
	.keys = cell_keys,
	.empty = "the world has no cells",
};

static const struct key actor_keys[] = {
	{"A", "view actors always IS NOT NULL", "Always", "actors that are always loaded"},
	{0},
};

const struct view_type view_actors = {
	.name = "actors",
	.title = "Actors",
	.help = "all actors, with their cells and the rules that led there",
	.table = "actors",
	.columns = "label,class,cell,placement,layers",
	.keys = actor_keys,
	.empty = "the world has no actors",
};

const struct view_type view_grids = {
	.name = "grids",
	.title = "Grids",
	.help = "the runtime grids",
	.room = ROOM_SHARED,
	.table = "grids",
	.empty = "no grids",
};

static const struct key layer_keys[] = {
	{"Left", "view cursor left", "Fold",
		"fold the rows below the layer; again: go to its parent"},
	{"Right", "view cursor right", NULL, "unfold the row"},
	{"x", "layer cycle %n", "Cycle", "set the next state: unloaded, loaded, activated"},
	{"i", "view rows layer-impact %n activated", "Impact",
		"cells that activating the layer would change"},
	{"I", "view rows layer-impact %n unloaded", NULL,
		"cells that unloading the layer would change"},
	{"m", "view map rows layer-impact %n activated", "Map",
		"show the cells that activating the layer would change on the map"},
	{0},
};

const struct view_type view_layers = {
	.name = "layers",
	.title = "Data layers",
	.help = "the data layers and their states",
	.table = "layers",
	.columns = "label,type,initial,target,state,filter",
	.keys = layer_keys,
	.folds.parent = "parent",
	.empty = "the world has no data layers",
};

static const struct key hlod_keys[] = {
	{"x", "view hlods cell IS NULL", "No cell", "list only HLOD actors without a cell"},
	{0},
};

const struct view_type view_hlods = {
	.name = "hlods",
	.title = "HLOD actors",
	.help = "HLOD actors with the cells that they stand for",
	.table = "hlods",
	.keys = hlod_keys,
	.empty = "the world has no HLOD actors",
};

const struct view_type view_containers = {
	.name = "containers",
	.title = "Containers",
	.help = "level instances",
	.table = "containers",
	.empty = "no level instances",
};

const struct view_type view_sources = {
	.name = "sources",
	.title = "Sources",
	.help = "the streaming sources",
	.room = ROOM_SHARED,
	.table = "sources",
	.empty = "there are no streaming sources; on the map S adds one at the cursor",
};

const struct view_type view_drops = {
	.name = "drops",
	.title = "Drops",
	.help = "actors that are in no cell",
	.table = "drops",
	.empty = "every actor is in a cell: none was dropped",
};

const struct view_type view_sets = {
	.name = "sets",
	.title = "Actor sets",
	.help = "clusters of actors that share a cell",
	.table = "sets",
	.empty = "no sets of actors were recorded",
};
