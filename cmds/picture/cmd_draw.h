/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the switches of the engine's console print. */
#pragma once

#include "src/session/session.h"

#include <cellscope/query.h>
#include <cellscope/runs.h>

/* Prints what is switched on, after a halt of the run. */
struct cs_error *draw_overlays(struct call *call) CS_MUST_USE;
/* Returns the filter of the map by the DebugFilter variables. */
struct cs_map_filter view_filter(const struct view *view);

enum { PLOT_LABEL = 10 };

/* Prints eight lines, some of them labelled with their value at the left. */
void say_plot(struct output *out, const struct cs_plot *plot);
/* Returns the number of columns that a plot may have. */
size_t room_for_plot(const struct output *out);
