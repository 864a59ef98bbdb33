/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hues, with their replacements on terminals with fewer colours, and paints made of them. Colour is
 * never the only sign of a state: a glyph accompanies it (glyphs.h), and without colours the
 * attributes remain. Blue and orange can be told apart by every eye.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum hue {
	HUE_DEFAULT, /* the terminal's own colour */
	HUE_BLACK,
	HUE_WHITE,
	HUE_GREY,
	HUE_FAINT, /* for patterns that nobody has to read */
	HUE_BLUE,
	HUE_FILL, /* blue background for white text */
	HUE_SKY,
	HUE_ORANGE,
	HUE_KEY, /* like orange, but not replaced by red where a terminal has no orange */
	HUE_YELLOW,
	HUE_RED,
	HUE_GREEN,
	HUE_PINK,
	HUE_HEAT,                 /* first of HEATS hues from cold to hot */
	HUE_SHADE = HUE_HEAT + 6, /* first of SHADES hues from dark to light */
	HUES = HUE_SHADE + 12
};

enum { HEATS = 6, SHADES = 12 };

#define ATTRIBUTE_BOLD      1u
#define ATTRIBUTE_DIM       2u
#define ATTRIBUTE_UNDERLINE 4u
#define ATTRIBUTE_REVERSE   8u

struct paint {
	uint8_t fg, bg; /* enum hue */
	uint8_t attributes;
};

/* Paints by purpose. */
enum ink {
	INK_NORMAL,
	INK_BAR,   /* title and key line */
	INK_TITLE, /* headings */
	INK_KEY,   /* keys, and text that the user is to type */
	INK_DIM,
	INK_GOOD,
	INK_WARN,
	INK_BAD,
	INK_BLUE,   /* states of what is loaded or shown */
	INK_MARK,   /* marked rows, sources */
	INK_CURSOR, /* row of the cursor in the focused pane */
	INK_SHADOW, /* row of the cursor in the other pane */
	INK_HIT,    /* hits of a search */
	INK_LINE,   /* line between the panes */
	INKS
};

extern const struct paint inks[INKS];

/*
 * Flags beside the number of colours: the background is light; the user chose the background with
 * `view theme`.
 */
#define COLOURS_LIGHT  0x80000000u
#define COLOURS_CHOSEN 0x40000000u
#define COLOURS_GROUND (COLOURS_LIGHT | COLOURS_CHOSEN)

/* A paint translated to the available number of colours: 0, 8, 16, 256 or 1 << 24. */
struct look {
	/* colours as an index, or as 0xRRGGBB when there are 1 << 24; -1 = the terminal's own */
	int32_t fg, bg;
	uint8_t attributes;
};

struct look look_of(struct paint paint, uint32_t colours);
uint32_t hue_rgb(enum hue hue);
/* Returns the named hue nearest to a colour given as red, green and blue. */
uint8_t hue_nearest(const uint8_t rgb[3]);
/* Returns the hue of text on a background of that heat. */
uint8_t heat_text(int level);
bool paint_same(struct paint left, struct paint right);
