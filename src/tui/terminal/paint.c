/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws texts, bars, strips, curves and pictures into areas of the grid. */
#include "src/tui/terminal/paint.h"

#include "core/utf8.h"

#include <math.h>
#include <string.h>

/* ---- paragraphs ---- */

/* Returns how many bytes of a word longer than a line fit in the line: at least one. */
static size_t fitting_part(const char *text, size_t n, int columns)
{
	while (n > 1 && (cs_utf8_inside(text[n]) || printed_columns(text, n) > columns))
		n--;
	return n;
}

/* Returns how many bytes from the start of the text fit in a line without splitting a word. */
static size_t fitting_line(const char *text, int columns)
{
	size_t n = 0;
	for (;;) {
		size_t word = n + strcspn(text + n, " ");
		bool fits = printed_columns(text, word) <= columns;
		if (!fits)
			return n > 0 ? n - 1 : fitting_part(text, word, columns);
		if (text[word] != ' ')
			return word;
		n = word + 1;
	}
}

int put_lines(struct area area, int x, int y, struct paint paint, const char *text)
{
	int rows = 0;
	do {
		size_t n = fitting_line(text, area.columns - x);
		put_printed(area, x, y + rows++, paint, text, n);
		text += n;
		text += *text == ' ';
	} while (*text);
	return rows;
}

int put_wrapped(struct area area, int x, int y, struct paint paint, const char *text)
{
	char room[GRID_ESCAPED];
	int start = y;
	while (*text) {
		size_t n = strcspn(text, "\n");
		grid_escape(area, text, n, room);
		y += put_lines(area, x, y, paint, room);
		text += n + (text[n] != '\0');
	}
	return y - start;
}

/* ---- search hits, lines, bars, strips ---- */

/* If the row contains the text at x, ignoring case, returns the number of its cells, else 0. */
static int hit_at(struct area area, int x, int y, const char *text)
{
	int start = x;
	const struct grid_cell *row =
		&area.grid->at[(size_t)(area.y + y) * area.grid->columns + (size_t)area.x];
	while (*text && x < area.columns) {
		size_t n = strlen(row[x].text);
		if (n == 0 || strncasecmp(row[x].text, text, n) != 0)
			return 0;
		text += n;
		x += row[x].width ? row[x].width : 1;
	}
	return *text ? 0 : x - start;
}

void put_hits(struct area area, struct paint paint, const char *text)
{
	for (int y = 0; *text && y < area.rows; y++)
		for (int x = 0; x < area.columns; x++) {
			int wide = hit_at(area, x, y, text);
			if (wide > 0)
				put_paint(area, x, y, wide, paint);
		}
}

void put_line_across(struct area area, int y, struct paint paint)
{
	for (int x = 0; x < area.columns; x++)
		put_glyph(area, x, y, paint, GLYPH_ACROSS);
}

void put_line_down(struct area area, int x, struct paint paint)
{
	for (int y = 0; y < area.rows; y++)
		put_glyph(area, x, y, paint, GLYPH_DOWN);
}

void put_bar(struct area area, int x, int y, int columns, double share, struct paint paint)
{
	if (!(share > 0))
		return;
	double halves = (share > 1 ? 1 : share) * columns * 2;
	int n = (int)(halves + 0.5);
	n = n == 0 ? 1 : n; /* a share above 0 is always visible */
	for (int i = 0; i < n / 2; i++)
		put_glyph(area, x + i, y, paint, GLYPH_FULL);
	if (n % 2)
		put_glyph(area, x + n / 2, y, paint, GLYPH_HALF);
}

/* Returns 0 for a value of 0, else a level from 1 to `top`, in proportion to `most`. */
static unsigned level_of(double value, double most, unsigned top)
{
	if (!(value > 0))
		return 0;
	if (!(value < most))
		return top;
	unsigned level = (unsigned)ceil(value / most * top);
	return level == 0 ? 1 : level;
}

void put_strip(struct area area, int x, int y, const double *values, int n, double most,
	struct paint paint)
{
	for (int i = 0; i < n; i++) {
		const char *text = glyph_level(level_of(values[i], most, 8), area.grid->ascii);
		if (*text != ' ')
			put_printed(area, x + i, y, paint, text, strlen(text));
	}
}

/* ---- curves ---- */

/* Bits of the dots of a braille character: dots[column][row from the top]. */
static const unsigned char dots[2][4] = {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}};

static void put_dots(struct area area, const double *values, int n, double most, struct paint paint)
{
	int top = area.rows * 4;
	for (int x = 0; x * 2 < n && x < area.columns; x++) {
		for (int y = 0; y < area.rows; y++) {
			unsigned bits = 0;
			for (int i = 0; i < 2 && x * 2 + i < n; i++) {
				int level = (int)level_of(values[x * 2 + i], most, (unsigned)top);
				int row = top - level - y * 4;
				bits |= level > 0 && row >= 0 && row < 4 ? dots[i][row] : 0;
			}
			const char braille[] = {
				(char)0xe2, (char)(0xa0 | bits >> 6), (char)(0x80 | (bits & 0x3f))};
			if (bits)
				put_printed(area, x, y, paint, braille, sizeof(braille));
		}
	}
}

void put_curve(struct area area, const double *values, int n, double most, struct paint paint)
{
	if (!area.grid->ascii) {
		put_dots(area, values, n, most, paint);
		return;
	}
	for (int x = 0; x * 2 < n && x < area.columns; x++) {
		double value =
			x * 2 + 1 < n ? fmax(values[x * 2], values[x * 2 + 1]) : values[x * 2];
		int level = (int)level_of(value, most, (unsigned)area.rows);
		if (level > 0)
			put_printed(area, x, area.rows - level, paint, "*", 1);
	}
}

/* ---- pictures and trees ---- */

static unsigned lightness(uint8_t hue)
{
	uint32_t rgb = hue_rgb(hue);
	return ((rgb >> 16 & 0xff) * 3 + (rgb >> 8 & 0xff) * 6 + (rgb & 0xff)) / 10;
}

static void put_halves(struct area area, int x, int y, uint8_t upper, uint8_t lower)
{
	static const char up[] = "\xe2\x96\x80", down[] = "\xe2\x96\x84";
	if (upper == HUE_DEFAULT && lower == HUE_DEFAULT)
		return;
	if (upper == HUE_DEFAULT)
		put_printed(area, x, y, (struct paint){lower, HUE_DEFAULT, 0}, down, 3);
	else
		put_printed(area, x, y, (struct paint){upper, lower, 0}, up, 3);
}

static void put_letter(struct area area, int x, int y, uint8_t upper, uint8_t lower, char letter)
{
	unsigned light = 0;
	if (upper == HUE_DEFAULT && lower == HUE_DEFAULT && !letter)
		return;
	light += upper == HUE_DEFAULT ? 0 : lightness(upper);
	light += lower == HUE_DEFAULT ? 0 : lightness(lower);
	char text = letter ? letter : glyph_shade(1 + light * 8 / 510);
	uint8_t hue = upper == HUE_DEFAULT ? lower : upper;
	put_printed(area, x, y, (struct paint){hue, HUE_DEFAULT, 0}, &text, 1);
}

void put_picture(struct area area, const uint8_t *hues, int columns, int rows, const char *letters)
{
	for (int y = 0; y < rows; y += 2) {
		for (int x = 0; x < columns; x++) {
			uint8_t upper = hues[y * columns + x];
			uint8_t lower = y + 1 < rows ? hues[(y + 1) * columns + x] : HUE_DEFAULT;
			char letter = letters ? letters[y * columns + x] : 0;
			if (!letter && letters && y + 1 < rows)
				letter = letters[(y + 1) * columns + x];
			if (area.grid->ascii)
				put_letter(area, x, y / 2, upper, lower, letter);
			else
				put_halves(area, x, y / 2, upper, lower);
		}
	}
}

int put_tree(struct area area, int x, int y, struct tree_place place)
{
	enum { STEP = 3, DEEPEST = 63 };
	int start = x;
	for (unsigned d = 1; d < place.depth && d <= DEEPEST; d++, x += STEP)
		if (place.stems >> d & 1)
			put_glyph(area, x, y, inks[INK_LINE], GLYPH_STEM);
	if (place.depth > 0)
		x += put_glyph(area, x, y, inks[INK_LINE], place.last ? GLYPH_LAST : GLYPH_BRANCH);
	return x - start;
}
