/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Signs that are not letters, each in two columns: for ASCII and for UTF-8. The lines and blocks of
 * the second are those that CP437 has as well, so the Linux console can show them; the ACS letters
 * of terminfo are not used, for they come out wrong under half of all terminals.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum glyph {
	GLYPH_ACROSS, /* lines between panes */
	GLYPH_DOWN,
	GLYPH_TEE_DOWN, /* a line across from which one goes down */
	GLYPH_TEE_UP,
	GLYPH_CROSS,
	GLYPH_BRANCH, /* of a tree: one more follows */
	GLYPH_LAST,
	GLYPH_STEM,
	GLYPH_FULL, /* of a bar */
	GLYPH_HALF,
	GLYPH_EMPTY,
	GLYPH_CIRCLE, /* the range of a source */
	GLYPH_PATH,
	GLYPH_BOUNDS,
	GLYPH_MORE, /* a text that was cut */
	GLYPH_NORTH,
	GLYPH_EAST,
	GLYPH_SOUTH,
	GLYPH_WEST,
	GLYPHS
};

const char *glyph(enum glyph glyph, bool ascii);
/* A level of a strip, 0 to 8: 0 is blank. ASCII has five: blank _ . - ^ */
const char *glyph_level(unsigned level, bool ascii);
/* A level of shade, 0 to 9, in ASCII. */
char glyph_shade(unsigned level);
