/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints plots. After a halt of a run, prints what the switches wp.Runtime.ToggleDraw... select. */
#pragma once

#include "src/session/session.h"

#include <cellscope/query.h>
#include <cellscope/runs.h>

/* Prints, after a halt of the run, what the wp.Runtime.ToggleDraw... switches select. */
struct cs_error *draw_overlays(struct call *call) CS_MUST_USE;

enum { PLOT_LABEL = 10 };

/* Prints a plot in eight lines. Some lines begin with the value at their height. */
void say_plot(struct output *out, const struct cs_plot *plot);
/* Returns the number of columns that the width of the output leaves for a plot. */
size_t room_for_plot(const struct output *out);
