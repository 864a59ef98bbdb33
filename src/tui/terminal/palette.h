/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What things look like: colours with what stands for them on terminals that have fewer, and paints
 * made of them. A state is never told by colour alone: a glyph goes with it (glyphs.h), and without
 * colours the attributes remain. Blue and orange are apart to every eye.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum hue {
	HUE_DEFAULT, /* of the terminal */
	HUE_BLACK,
	HUE_WHITE,
	HUE_GREY,
	HUE_FAINT, /* what is seen as a pattern and never read */
	HUE_BLUE,
	HUE_FILL, /* a ground of blue, for what is white */
	HUE_SKY,
	HUE_ORANGE,
	HUE_KEY, /* orange, but no alarm where orange has to be red */
	HUE_YELLOW,
	HUE_RED,
	HUE_GREEN,
	HUE_PINK,
	HUE_HEAT,                 /* the first of HEATS, from cold to hot */
	HUE_SHADE = HUE_HEAT + 6, /* the first of SHADES, from dark to light */
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

/* What texts and signs are painted with. */
enum ink {
	INK_NORMAL,
	INK_BAR,   /* title and key line */
	INK_TITLE, /* headings */
	INK_KEY,   /* a key, and what is to be typed */
	INK_DIM,
	INK_GOOD,
	INK_WARN,
	INK_BAD,
	INK_BLUE,   /* what is there: loaded, shown */
	INK_MARK,   /* marked rows, sources */
	INK_CURSOR, /* the place of the cursor in the pane that has it */
	INK_SHADOW, /* the same in the other pane */
	INK_HIT,    /* what was searched */
	INK_LINE,   /* between the panes */
	INKS
};

extern const struct paint inks[INKS];

/* Beside the number of colours: the ground of the terminal is light; the user has said so, or not.
 */
#define COLOURS_LIGHT  0x80000000u
#define COLOURS_CHOSEN 0x40000000u
#define COLOURS_GROUND (COLOURS_LIGHT | COLOURS_CHOSEN)

/* A paint in the colours that there are: 0, 8, 16, 256 or 1 << 24. */
struct look {
	int32_t fg, bg; /* -1 = of the terminal; an index, or 0xRRGGBB with 1 << 24 colours */
	uint8_t attributes;
};

struct look look_of(struct paint paint, uint32_t colours);
uint32_t hue_rgb(enum hue hue);
/* The named hue that is most like a colour, of red, green and blue. */
uint8_t hue_nearest(const uint8_t rgb[3]);
/* What is read on a heat. */
uint8_t heat_text(int level);
bool paint_same(struct paint left, struct paint right);
