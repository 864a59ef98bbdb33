/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Defines the palette, with a row for each hue. Blue, sky, orange, yellow and pink are those of
 * Okabe and Ito, Color Universal Design (2008), chosen for colour-blind readers. The heat hues go
 * from blue through light colours to orange, so they can also be told apart by lightness.
 */
#include "src/tui/terminal/palette.h"

struct hue_look {
	int8_t of_8, of_16; /* index among 8 and 16 colours; -1 = the terminal's default colour */
	int16_t of_256;
	uint32_t rgb;
	/* for text on a light background: index among 8 or 16 colours, among 256, RGB */
	int8_t light_16;
	int16_t light_256;
	uint32_t light_rgb;
};

static const struct hue_look hues[HUES] = {
	[HUE_DEFAULT] = {-1, -1, -1, 0, -1, -1, 0},
	[HUE_BLACK] = {0, 0, 16, 0x101010, 0, 16, 0x101010},
	[HUE_WHITE] = {7, 15, 255, 0xeeeeee, 0, 234, 0x1c1c1c},
	[HUE_GREY] = {-1, 8, 245, 0x8a8a8a, -1, 241, 0x626262},
	[HUE_FAINT] = {-1, 8, 240, 0x585858, 8, 250, 0xbcbcbc},
	[HUE_BLUE] = {6, 14, 75, 0x4ea5e0, 4, 25, 0x005f9e},
	[HUE_FILL] = {4, 4, 25, 0x0069a6, 4, 25, 0x0069a6},
	[HUE_SKY] = {6, 14, 74, 0x56b4e9, 4, 24, 0x00699c},
	[HUE_ORANGE] = {3, 11, 214, 0xe69f00, 1, 94, 0x8f5a00},
	[HUE_KEY] = {3, 11, 214, 0xe69f00, 5, 94, 0x8f5a00},
	[HUE_YELLOW] = {3, 11, 227, 0xf0e442, 5, 58, 0x6b5900},
	[HUE_RED] = {1, 9, 166, 0xd55e00, 1, 124, 0xb02000},
	[HUE_GREEN] = {2, 10, 36, 0x009e73, -1, 22, 0x006e50},
	[HUE_PINK] = {5, 13, 175, 0xcc79a7, 5, 90, 0x9c3d78},
	[HUE_HEAT] = {4, 4, 25, 0x2166ac},
	[HUE_HEAT + 1] = {6, 6, 74, 0x67a9cf},
	[HUE_HEAT + 2] = {6, 14, 152, 0xd1e5f0},
	[HUE_HEAT + 3] = {3, 11, 223, 0xfddbc7},
	[HUE_HEAT + 4] = {3, 3, 215, 0xf4a582},
	[HUE_HEAT + 5] = {1, 9, 166, 0xd6604d},
	[HUE_SHADE] = {0, 0, 233, 0x121212},
	[HUE_SHADE + 1] = {0, 0, 235, 0x262626},
	[HUE_SHADE + 2] = {0, 8, 237, 0x3a3a3a},
	[HUE_SHADE + 3] = {0, 8, 239, 0x4e4e4e},
	[HUE_SHADE + 4] = {0, 8, 241, 0x626262},
	[HUE_SHADE + 5] = {7, 8, 243, 0x767676},
	[HUE_SHADE + 6] = {7, 7, 245, 0x8a8a8a},
	[HUE_SHADE + 7] = {7, 7, 247, 0x9e9e9e},
	[HUE_SHADE + 8] = {7, 7, 249, 0xb2b2b2},
	[HUE_SHADE + 9] = {7, 7, 251, 0xc6c6c6},
	[HUE_SHADE + 10] = {7, 15, 253, 0xdadada},
	[HUE_SHADE + 11] = {7, 15, 255, 0xeeeeee},
};

const struct paint inks[INKS] = {
	[INK_NORMAL] = {HUE_DEFAULT, HUE_DEFAULT, 0},
	[INK_BAR] = {HUE_DEFAULT, HUE_DEFAULT, ATTRIBUTE_REVERSE},
	[INK_TITLE] = {HUE_DEFAULT, HUE_DEFAULT, ATTRIBUTE_BOLD},
	[INK_KEY] = {HUE_KEY, HUE_DEFAULT, ATTRIBUTE_BOLD},
	[INK_DIM] = {HUE_GREY, HUE_DEFAULT, 0},
	[INK_GOOD] = {HUE_GREEN, HUE_DEFAULT, 0},
	[INK_WARN] = {HUE_ORANGE, HUE_DEFAULT, 0},
	[INK_BAD] = {HUE_RED, HUE_DEFAULT, ATTRIBUTE_BOLD},
	[INK_BLUE] = {HUE_SKY, HUE_DEFAULT, 0},
	[INK_MARK] = {HUE_YELLOW, HUE_DEFAULT, ATTRIBUTE_BOLD},
	[INK_CURSOR] = {HUE_DEFAULT, HUE_DEFAULT, ATTRIBUTE_REVERSE},
	[INK_SHADOW] = {HUE_DEFAULT, HUE_DEFAULT, ATTRIBUTE_UNDERLINE},
	[INK_HIT] = {HUE_BLACK, HUE_YELLOW, ATTRIBUTE_UNDERLINE},
	[INK_LINE] = {HUE_GREY, HUE_DEFAULT, 0},
};

uint32_t hue_rgb(enum hue hue)
{
	return hues[hue].rgb;
}

uint8_t heat_text(int level)
{
	return level == 0 ? HUE_WHITE : HUE_BLACK;
}

bool paint_same(struct paint left, struct paint right)
{
	return left.fg == right.fg && left.bg == right.bg && left.attributes == right.attributes;
}

static int32_t colour_of(enum hue hue, uint32_t colours)
{
	if (hue == HUE_DEFAULT || colours < 8)
		return -1;
	if (colours < 16)
		return hues[hue].of_8;
	if (colours < 256)
		return hues[hue].of_16;
	return colours > 256 ? (int32_t)hues[hue].rgb : hues[hue].of_256;
}

/* Returns the colour of text on a light background; hues from HUE_HEAT on ignore the background. */
static int32_t text_on_light(enum hue hue, uint32_t colours)
{
	if (hue >= HUE_HEAT || hue == HUE_DEFAULT || colours < 8)
		return colour_of(hue, colours);
	if (colours < 256)
		return hues[hue].light_16;
	return colours > 256 ? (int32_t)hues[hue].light_rgb : hues[hue].light_256;
}

/*
 * Converts a paint to the look that shows it with this number of colours. A paint that sets a
 * background is the same on dark and light terminals.
 */
struct look look_of(struct paint paint, uint32_t colours)
{
	bool is_light = colours & COLOURS_LIGHT && paint.bg == HUE_DEFAULT;
	colours &= ~COLOURS_GROUND;
	return (struct look){
		is_light ? text_on_light(paint.fg, colours) : colour_of(paint.fg, colours),
		colour_of(paint.bg, colours), paint.attributes};
}

uint8_t hue_nearest(const uint8_t rgb[3])
{
	static const uint8_t named[] = {HUE_WHITE, HUE_GREY, HUE_BLUE, HUE_SKY, HUE_ORANGE,
		HUE_YELLOW, HUE_RED, HUE_GREEN, HUE_PINK};
	uint8_t best = HUE_WHITE;
	long least = INT32_MAX;
	for (unsigned i = 0; i < sizeof(named); i++) {
		uint32_t of = hue_rgb(named[i]);
		long r = (long)(of >> 16 & 0xff) - rgb[0], g = (long)(of >> 8 & 0xff) - rgb[1],
		     b = (long)(of & 0xff) - rgb[2];
		if (r * r + g * g + b * b < least) {
			least = r * r + g * g + b * b;
			best = named[i];
		}
	}
	return best;
}
