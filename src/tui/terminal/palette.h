/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hues, each with replacements for terminals with fewer colours, and paints: hues with attributes.
 * Colour is never the only sign of a state: a glyph accompanies it (glyphs.h), and without colours
 * the attributes remain. Colour-blind people can tell blue and orange apart.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum hue {
	HUE_DEFAULT, /* default colour of the terminal */
	HUE_BLACK,
	HUE_WHITE,
	HUE_GREY,
	HUE_FAINT, /* for decorative patterns */
	HUE_BLUE,
	HUE_FILL, /* blue background under white text */
	HUE_SKY,
	HUE_ORANGE,
	HUE_KEY, /* like orange, but not replaced by red on terminals without orange */
	HUE_YELLOW,
	HUE_RED,
	HUE_GREEN,
	HUE_PINK,
	HUE_HEAT,                 /* first of HEATS hues, from cold to hot */
	HUE_SHADE = HUE_HEAT + 6, /* first of SHADES hues, from dark to light */
	HUES = HUE_SHADE + 12
};

enum { HEATS = 6, SHADES = 12 };

#define ATTRIBUTE_BOLD      1u
#define ATTRIBUTE_DIM       2u
#define ATTRIBUTE_UNDERLINE 4u
#define ATTRIBUTE_REVERSE   8u

struct paint {
	uint8_t fg, bg; /* foreground and background, from enum hue */
	uint8_t attributes;
};

/* Purposes of paints. */
enum ink {
	INK_NORMAL,
	INK_BAR,   /* title line */
	INK_TITLE, /* headings */
	INK_KEY,   /* names of keys, and text for the user to type */
	INK_DIM,
	INK_GOOD,
	INK_WARN,
	INK_BAD,
	INK_BLUE,   /* states of loaded cells, and links to objects */
	INK_MARK,   /* marked rows and streaming sources */
	INK_CURSOR, /* row of the cursor, in the pane that has the focus */
	INK_SHADOW, /* row of the cursor, in the other pane */
	INK_HIT,    /* matches of a search */
	INK_LINE,   /* lines between panes */
	INKS
};

extern const struct paint inks[INKS];

/* Flags added to the number of colours: light background; background chosen with `view theme`. */
#define COLOURS_LIGHT  0x80000000u
#define COLOURS_CHOSEN 0x40000000u
#define COLOURS_GROUND (COLOURS_LIGHT | COLOURS_CHOSEN)

/* A paint translated to the number of available colours: 0, 8, 16, 256 or 1 << 24. */
struct look {
	/* index of a colour, or 0xRRGGBB if there are 1 << 24 colours; -1 = default colour */
	int32_t fg, bg;
	uint8_t attributes;
};

struct look look_of(struct paint paint, uint32_t colours);
uint32_t hue_rgb(enum hue hue);
/* Returns the named hue nearest to an RGB colour. */
uint8_t hue_nearest(const uint8_t rgb[3]);
/* Returns the hue of text that is readable on a background of this heat level. */
uint8_t heat_text(int level);
bool paint_same(struct paint left, struct paint right);
