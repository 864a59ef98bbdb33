/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Display options of the engine's console commands for maps and lists. */
#pragma once

#include <stdbool.h>

/* What the console commands wp.Runtime.ToggleDraw... show, and what DebugFilter... hides. */
struct view {
	bool map, sources, performance, legend, details, layers;
	/* names separated by commas; NULL = no filter */
	char *layer_filter, *grid_filter, *status_filter, *name_filter;
};
