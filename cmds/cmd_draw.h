/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the console of the engine has switched on to be drawn. */
#ifndef CMDS_CMD_DRAW_H
#define CMDS_CMD_DRAW_H

#include "src/session/session.h"

/* What is to stand below a halt of the run. */
struct cs_error *draw_overlays(struct call *call) CS_MUST_USE;
/* Whether the filters let the map show the cell; `stream` may be NULL. */
bool view_shows(const struct view *view, const struct cs_cooked *world,
	const struct cs_stream *stream, struct cs_stream_cell at);

/* The first grid that the filter of grids lets be shown, CS_NONE without a filter. */
uint32_t view_grid(const struct view *view, const struct cs_cooked *world);

#endif
