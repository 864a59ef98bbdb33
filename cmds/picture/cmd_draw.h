/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the console of the engine has switched on to be drawn. */
#pragma once

#include "src/session/session.h"

#include <cellscope/query.h>
#include <cellscope/runs.h>

/* What is to stand below a halt of the run. */
struct cs_error *draw_overlays(struct call *call) CS_MUST_USE;
/* Which cells the filters let the map show. */
struct cs_map_filter view_filter(const struct view *view);

enum { PLOT_LABEL = 10 };

/* Eight lines, at the left of some what they stand for. */
void say_plot(struct output *out, const struct cs_plot *plot);
/* How many columns a plot may have. */
size_t room_for_plot(const struct output *out);
