/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Glyphs other than letters, each with a text in ASCII and one in UTF-8. The UTF-8 lines and blocks
 * are also in CP437, so the Linux console can show them; the ACS line characters of terminfo are
 * not used, because many terminals draw them wrong.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum glyph {
	GLYPH_ACROSS, /* line between panes */
	GLYPH_DOWN,
	GLYPH_TEE_DOWN, /* horizontal line from which another goes down */
	GLYPH_TEE_UP,
	GLYPH_CROSS,
	GLYPH_BRANCH, /* in a tree, left of a row that has further siblings below */
	GLYPH_LAST,
	GLYPH_STEM,
	GLYPH_FULL, /* filled character of a bar */
	GLYPH_HALF,
	GLYPH_EMPTY,
	GLYPH_CIRCLE, /* loading range of a streaming source */
	GLYPH_PATH,
	GLYPH_BOUNDS,
	GLYPH_MORE, /* stands for text that was cut off */
	GLYPH_NORTH,
	GLYPH_EAST,
	GLYPH_SOUTH,
	GLYPH_WEST,
	GLYPHS
};

const char *glyph(enum glyph glyph, bool ascii);
/* Returns the glyph for a level from 0 (blank) to 8 in a bar strip. ASCII has only blank _ . - ^ */
const char *glyph_level(unsigned level, bool ascii);
/* Returns the ASCII character for a lightness from 0 (dark) to 9. */
char glyph_shade(unsigned level);
