/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How states of cells look on the screen: a glyph that no other state has, and a paint. */
#pragma once

#include <cellscope/stream.h>

#include "src/tui/terminal/palette.h"

struct state_look {
	const char *ascii, *utf8;
	struct paint paint; /* paint of the glyph on the default background */
	/* background of a place on a map in this state, and foreground of the text on it */
	uint8_t fill, over;
};

extern const struct state_look state_looks[CS_MAP_STATES];
