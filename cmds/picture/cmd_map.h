/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the states of cells look, in maps and in lists of changes. */
#pragma once

#include <cellscope/stream.h>

#include "src/output/output.h"

/*
 * How cells of one state look. Each state has a letter of its own, so that it is recognised without
 * colour.
 */
struct cell_look {
	const char *ascii, *utf8;
	enum colour colour;
};

/* Names of the overlays in the order of enum cs_map_overlay; ends with NULL. */
extern const char *const map_overlays[];

const struct cell_look *cell_look(enum cs_map_state state);
