/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is read can be read: the contrast of every ink, of every state and of heat, on dark and on
 * light grounds, with 16, 256 and true colours, is at least 4.5 to 1 (WCAG 2, 1.4.3, whose formula
 * this is). Of 16 colours the values are those of xterm.
 */
#include "src/tui/terminal/looks.h"
#include "tests/samples/tap.h"

#include <math.h>

static const uint32_t of_16[16] = {0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd,
	0x00cdcd, 0xe5e5e5, 0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff,
	0xffffff};

static uint32_t rgb_of_256(int32_t colour)
{
	uint32_t ret = 0;
	const int32_t parts[] = {(colour - 16) / 36, (colour - 16) / 6 % 6, (colour - 16) % 6};
	if (colour < 16)
		return of_16[colour];
	if (colour >= 232)
		return (uint32_t)(8 + (colour - 232) * 10) * 0x010101;
	for (int i = 0; i < 3; i++)
		ret = ret << 8 | (uint32_t)(parts[i] ? 55 + parts[i] * 40 : 0);
	return ret;
}

static double luminance(uint32_t rgb)
{
	static const double weights[] = {.2126, .7152, .0722};
	double sum = 0;
	for (int i = 0; i < 3; i++) {
		double part = (rgb >> (16 - 8 * i) & 0xff) / 255.0;
		sum += weights[i] *
		       (part <= .04045 ? part / 12.92 : pow((part + .055) / 1.055, 2.4));
	}
	return sum;
}

static double contrast(uint32_t left, uint32_t right)
{
	double a = luminance(left) + .05, b = luminance(right) + .05;
	return a > b ? a / b : b / a;
}

static uint32_t rgb_of(int32_t colour, uint32_t colours, uint32_t otherwise)
{
	return colour < 0 ? otherwise : colours > 256 ? (uint32_t)colour : rgb_of_256(colour);
}

struct theme {
	const char *name;
	uint32_t flag, text, ground;
};

static double contrast_of(struct paint paint, const struct theme *theme, uint32_t colours)
{
	const struct look look = look_of(paint, colours | theme->flag);
	return contrast(
		rgb_of(look.fg, colours, theme->text), rgb_of(look.bg, colours, theme->ground));
}

static double least;

static void hold(struct paint paint, const struct theme *theme, uint32_t colours, const char *what)
{
	double ratio = contrast_of(paint, theme, colours);
	if (ratio < 4.5)
		printf("# %s, %u colours: %s has %.2f to 1\n", theme->name, colours, what, ratio);
	least = ratio < least ? ratio : least;
}

static void hold_all(const struct theme *theme, uint32_t colours)
{
	char what[32];
	least = 21;
	for (int i = 0; i < INKS; i++) {
		snprintf(what, sizeof(what), "ink %d", i);
		hold(inks[i], theme, colours, what);
	}
	for (int i = 0; i < CS_MAP_STATES; i++) {
		const struct state_look *look = &state_looks[i];
		snprintf(what, sizeof(what), "state %s", look->ascii);
		hold(look->paint, theme, colours, what);
		hold((struct paint){look->over, look->fill, 0}, theme, colours, what);
	}
	for (int i = 0; i < HEATS; i++) {
		snprintf(what, sizeof(what), "heat %d", i);
		hold((struct paint){heat_text(i), (uint8_t)(HUE_HEAT + i), 0}, theme, colours,
			what);
	}
	ok(least >= 4.5, "%s ground, %u colours: the least contrast is %.2f to 1", theme->name,
		colours, least);
}

int main(void)
{
	static const struct theme themes[] = {{"dark", 0, 0xd0d0d0, 0x101418},
		{"black", 0, 0xe5e5e5, 0x000000}, {"light", COLOURS_LIGHT, 0x202020, 0xffffff}};
	static const uint32_t counts[] = {16, 256, 1u << 24};
	for (size_t t = 0; t < 3; t++)
		for (size_t c = 0; c < 3; c++)
			hold_all(&themes[t], counts[c]);
	return done();
}
