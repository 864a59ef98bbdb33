/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Display options for maps and lists, which the engine's console commands set. */
#pragma once

#include <cellscope/query.h>

#include <stdbool.h>

/* Flags set by wp.Runtime.ToggleDraw... commands, and filters of wp.Runtime.DebugFilter... */
struct view {
	bool map, sources, performance, legend, details, layers;
	/* names separated by commas; NULL = no filter */
	char *layer_filter, *grid_filter, *status_filter, *name_filter;
};

/* Returns the map filter that the wp.Runtime.DebugFilter... commands have set. */
static inline struct cs_map_filter view_filter(const struct view *view)
{
	return (struct cs_map_filter){.layers = view->layer_filter,
		.grids = view->grid_filter,
		.statuses = view->status_filter,
		.names = view->name_filter};
}

/* Returns whether a filter is set that may leave out cells. */
static inline bool view_has_filter(const struct view *view)
{
	return view->layer_filter || view->grid_filter || view->status_filter || view->name_filter;
}
