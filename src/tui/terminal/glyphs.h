/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Glyphs that are not letters, in two columns: for ASCII and for UTF-8. The lines and blocks of the
 * second column are also in CP437, so the Linux console can show them; the ACS letters of terminfo
 * are not used, because half of all terminals draw them wrong.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum glyph {
	GLYPH_ACROSS, /* lines between panes */
	GLYPH_DOWN,
	GLYPH_TEE_DOWN, /* a horizontal line from which one goes down */
	GLYPH_TEE_UP,
	GLYPH_CROSS,
	GLYPH_BRANCH, /* in a tree: another sibling follows */
	GLYPH_LAST,
	GLYPH_STEM,
	GLYPH_FULL, /* full cell of a bar */
	GLYPH_HALF,
	GLYPH_EMPTY,
	GLYPH_CIRCLE, /* loading range of a source */
	GLYPH_PATH,
	GLYPH_BOUNDS,
	GLYPH_MORE, /* the text was cut here */
	GLYPH_NORTH,
	GLYPH_EAST,
	GLYPH_SOUTH,
	GLYPH_WEST,
	GLYPHS
};

const char *glyph(enum glyph glyph, bool ascii);
/*
 * Returns the glyph of a value from 0 to 8 in a strip; 0 is blank. ASCII has five levels: blank _ .
 * - ^
 */
const char *glyph_level(unsigned level, bool ascii);
/* Returns the ASCII letter of a lightness from 0 to 9. */
char glyph_shade(unsigned level);
