/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Display options for maps and lists, which the engine's console commands set. */
#pragma once

#include <stdbool.h>

/* Flags set by wp.Runtime.ToggleDraw... commands, and filters of wp.Runtime.DebugFilter... */
struct view {
	bool map, sources, performance, legend, details, layers;
	/* names separated by commas; NULL = no filter */
	char *layer_filter, *grid_filter, *status_filter, *name_filter;
};
