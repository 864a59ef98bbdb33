/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Defines the glyph and paint (colours) of each cell state; `map` and the manual use the glyphs. */
#include "src/tui/terminal/looks.h"

const struct state_look state_looks[CS_MAP_STATES] = {
	[CS_MAP_LAYER_OFF] = {"x", "x", {HUE_GREY, 0, 0}, 0, HUE_GREY, COLOUR_DIM},
	[CS_MAP_UNLOADED] = {".", "\xc2\xb7", {HUE_GREY, 0, 0}, 0, HUE_GREY, COLOUR_DIM},
	[CS_MAP_STILL_AROUND] = {",", "\xe2\x96\x81", {HUE_GREY, 0, 0}, 0, HUE_GREY, COLOUR_DIM},
	[CS_MAP_WAITING] = {"w", "w", {HUE_ORANGE, 0, ATTRIBUTE_BOLD}, HUE_ORANGE, HUE_BLACK,
		COLOUR_WARN},
	[CS_MAP_PRELOADING] = {"p", "p", {HUE_ORANGE, 0, 0}, HUE_ORANGE, HUE_BLACK, COLOUR_WARN},
	[CS_MAP_LOADING] = {"~", "\xe2\x96\x91", {HUE_ORANGE, 0, 0}, HUE_ORANGE, HUE_BLACK,
		COLOUR_WARN},
	[CS_MAP_LOADED] = {"o", "\xe2\x96\x92", {HUE_SKY, 0, 0}, HUE_SKY, HUE_BLACK, COLOUR_BLUE},
	[CS_MAP_SHOWING] = {"^", "\xe2\x96\x93", {HUE_SKY, 0, 0}, HUE_SKY, HUE_BLACK, COLOUR_BLUE},
	[CS_MAP_ACTIVATED] = {"#", "\xe2\x96\x88", {HUE_BLUE, 0, 0}, HUE_FILL, HUE_WHITE,
		COLOUR_BLUE},
	[CS_MAP_LEAVING] = {"-", "\xe2\x96\x84", {HUE_PINK, 0, 0}, HUE_PINK, HUE_BLACK,
		COLOUR_WARN},
	[CS_MAP_FAILED] = {"!", "!", {HUE_RED, 0, ATTRIBUTE_BOLD}, HUE_RED, HUE_BLACK, COLOUR_BAD},
};
