/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Appearance of the states of cells: a glyph that no other state has, and a paint. */
#pragma once

#include <cellscope/stream.h>

#include "src/output/output.h"
#include "src/tui/terminal/palette.h"

struct state_look {
	const char *ascii, *utf8;
	struct paint paint; /* paint of the glyph on a default background */
	/* on maps: background of a cell in this state, and foreground of text on it */
	uint8_t fill, over;
	enum colour colour; /* colour of the glyph in the output of commands */
};

extern const struct state_look state_looks[CS_MAP_STATES];
