/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the engine's console shows on maps and in lists. */
#pragma once

#include <stdbool.h>

/*
 * What the maps and lists of the engine's console show, as set by wp.Runtime.ToggleDraw... and
 * DebugFilter...
 */
struct view {
	bool map, sources, performance, legend, details, layers;
	/* names separated by commas; NULL = no filter */
	char *layer_filter, *grid_filter, *status_filter, *name_filter;
};
