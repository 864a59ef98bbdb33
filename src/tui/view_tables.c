/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Views that are a table of the world, with keys of their own. */
#include "src/tui/views.h"

static const struct key cell_keys[] = {
	{"a", "view actors cell = %q", "Actors", "the actors of the cell"},
	{"x", "view cells state <> 'unloaded'", NULL, "only what is not unloaded"},
	{0},
};

const struct view_type view_cells = {
	.name = "cells",
	.title = "Cells",
	.help = "all cells, with their state",
	.table = "cells",
	.columns = "short_name,grid,level,state,actors,bytes,layers",
	.keys = cell_keys,
};

static const struct key actor_keys[] = {
	{"A", "view actors effective_spatial = 0 AND cell IS NOT NULL", "Always",
		"actors that are always loaded"},
	{0},
};

const struct view_type view_actors = {
	.name = "actors",
	.title = "Actors",
	.help = "all actors, with their cell and how they came there",
	.table = "actors",
	.columns = "label,class,cell,placement,layers",
	.keys = actor_keys,
};

const struct view_type view_grids = {
	.name = "grids",
	.title = "Grids",
	.help = "the runtime grids",
	.table = "grids",
};

const struct view_type view_layers = {
	.name = "layers",
	.title = "Data layers",
	.help = "the data layers and their states",
	.table = "layers",
};

const struct view_type view_hlods = {
	.name = "hlods",
	.title = "HLOD actors",
	.help = "HLOD actors and the cells they stand for",
	.table = "hlods",
};

const struct view_type view_containers = {
	.name = "containers",
	.title = "Containers",
	.help = "level instances",
	.table = "containers",
};

const struct view_type view_sources = {
	.name = "sources",
	.title = "Sources",
	.help = "the streaming sources",
	.table = "sources",
};

const struct view_type view_findings = {
	.name = "findings",
	.title = "Findings",
	.help = "what the cook has found, and what it did about it",
	.table = "findings",
	.columns = "severity,check,about,repair,reason",
};
