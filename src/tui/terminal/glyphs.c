/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Defines the ASCII and UTF-8 texts of glyphs. */
#include "src/tui/terminal/glyphs.h"

static const struct {
	const char *ascii, *utf8;
} glyphs[GLYPHS] = {
	[GLYPH_ACROSS] = {"-", "\xe2\x94\x80"},
	[GLYPH_DOWN] = {"|", "\xe2\x94\x82"},
	[GLYPH_TEE_DOWN] = {"+", "\xe2\x94\xac"},
	[GLYPH_TEE_UP] = {"+", "\xe2\x94\xb4"},
	[GLYPH_CROSS] = {"+", "\xe2\x94\xbc"},
	[GLYPH_BRANCH] = {"+- ", "\xe2\x94\x9c\xe2\x94\x80 "},
	[GLYPH_LAST] = {"`- ", "\xe2\x94\x94\xe2\x94\x80 "},
	[GLYPH_STEM] = {"|  ", "\xe2\x94\x82  "},
	[GLYPH_FULL] = {"#", "\xe2\x96\x88"},
	[GLYPH_HALF] = {":", "\xe2\x96\x8c"},
	[GLYPH_EMPTY] = {".", "\xe2\x96\x91"},
	[GLYPH_CIRCLE] = {"'", "\xc2\xb0"},
	[GLYPH_PATH] = {"+", "\xe2\x88\x99"},
	[GLYPH_BOUNDS] = {"=", "\xe2\x96\xa0"},
	[GLYPH_MORE] = {"~", "\xe2\x80\xa6"},
	[GLYPH_NORTH] = {"^", "\xe2\x86\x91"},
	[GLYPH_EAST] = {">", "\xe2\x86\x92"},
	[GLYPH_SOUTH] = {"v", "\xe2\x86\x93"},
	[GLYPH_WEST] = {"<", "\xe2\x86\x90"},
};

const char *glyph(enum glyph which, bool ascii)
{
	return ascii ? glyphs[which].ascii : glyphs[which].utf8;
}

const char *glyph_level(unsigned level, bool ascii)
{
	static const char *const of_ascii[] = {" ", "_", "_", ".", ".", "-", "-", "^", "^"};
	static const char *const of_utf8[] = {" ", "\xe2\x96\x81", "\xe2\x96\x82", "\xe2\x96\x83",
		"\xe2\x96\x84", "\xe2\x96\x85", "\xe2\x96\x86", "\xe2\x96\x87", "\xe2\x96\x88"};
	level = level > 8 ? 8 : level;
	return ascii ? of_ascii[level] : of_utf8[level];
}

char glyph_shade(unsigned level)
{
	static const char shades[] = " .:-=+*#%@";
	return shades[level > 9 ? 9 : level];
}
