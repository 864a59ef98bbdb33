/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Glyphs and colours for the states of cells, used by maps and lists of changes. */
#pragma once

#include <cellscope/stream.h>

#include "src/output/output.h"

/* Glyph and colour of a cell state. No two states have the same `ascii` letter. */
struct cell_look {
	const char *ascii, *utf8;
	enum colour colour;
};

/* names of the map overlays, in the order of enum cs_map_overlay; ends with NULL */
extern const char *const map_overlays[];

const struct cell_look *cell_look(enum cs_map_state state);
