/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exports a grid as text, ANSI, HTML or SVG. A line is divided into runs of cells with equal paint;
 * each form defines what is printed before, between and after runs. HTML and SVG look like a
 * terminal with white text on black, in true colours or in those of the screen.
 */
#include "src/tui/terminal/screen_export.h"

#include "core/utf8.h"

#include <cellscope/query.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct run {
	const struct grid_cell *cells;
	unsigned x, y, columns;
	struct look look;
};

struct form {
	const char *extension;
	void (*begin)(struct sink *to, const struct grid *grid);
	void (*run)(struct sink *to, const struct run *run);
	const char *end_line, *end;
};

static void CS_PRINTF(2, 3) write_format(struct sink *to, const char *format, ...)
{
	char room[256]; /* large enough, because only numbers are formatted */
	va_list arguments;
	va_start(arguments, format);
	int n = vsnprintf(room, sizeof(room), format, arguments);
	va_end(arguments);
	sink_write(to, room, n < 0 ? 0 : n < (int)sizeof(room) ? (size_t)n : sizeof(room) - 1);
}

static void write_cells(struct sink *to, const struct run *run)
{
	for (unsigned i = 0; i < run->columns; i++)
		sink_text(to, run->cells[i].text);
}

/* ---- ANSI escape sequences ---- */

static void write_colour(struct sink *to, int32_t colour, unsigned base, bool is_rgb)
{
	if (colour < 0)
		return;
	if (is_rgb)
		write_format(to, ";%u;2;%d;%d;%d", base + 8, colour >> 16 & 0xff,
			colour >> 8 & 0xff, colour & 0xff);
	else if (colour < 8)
		write_format(to, ";%u", base + (unsigned)colour);
	else if (colour < 16)
		write_format(to, ";%u", base + 60 + (unsigned)colour - 8);
	else
		write_format(to, ";%u;5;%d", base + 8, colour);
}

static bool is_plain(const struct look *look)
{
	return look->fg < 0 && look->bg < 0 && look->attributes == 0;
}

static void ansi_run(struct sink *to, const struct run *run)
{
	static const struct {
		unsigned attribute;
		const char *code;
	} codes[] = {{ATTRIBUTE_BOLD, ";1"}, {ATTRIBUTE_DIM, ";2"}, {ATTRIBUTE_UNDERLINE, ";4"},
		{ATTRIBUTE_REVERSE, ";7"}};
	bool is_rgb = run->look.fg > 255 || run->look.bg > 255;
	if (!is_plain(&run->look)) {
		sink_text(to, "\033[0");
		for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
			if (run->look.attributes & codes[i].attribute)
				sink_text(to, codes[i].code);
		write_colour(to, run->look.fg, 30, is_rgb);
		write_colour(to, run->look.bg, 40, is_rgb);
		sink_text(to, "m");
	}
	write_cells(to, run);
	if (!is_plain(&run->look))
		sink_text(to, "\033[0m");
}

/* ---- HTML and SVG ---- */

enum { FOREGROUND = 0xd0d0d0, BACKGROUND = 0x101418 };

/* Returns the RGB value of one of 256 terminal colours: 16 basic ones, a 6x6x6 cube, greys. */
static uint32_t rgb_of(int32_t colour, uint32_t otherwise)
{
	static const uint32_t first[16] = {0x000000, 0xcd3131, 0x0dbc79, 0xe5e510, 0x2472c8,
		0xbc3fbc, 0x11a8cd, 0xe5e5e5, 0x666666, 0xf14c4c, 0x23d18b, 0xf5f543, 0x3b8eea,
		0xd670d6, 0x29b8db, 0xffffff};
	if (colour < 0)
		return otherwise;
	if (colour < 16)
		return first[colour];
	if (colour > 255)
		return (uint32_t)colour;
	if (colour >= 232)
		return (uint32_t)(8 + (colour - 232) * 10) * 0x010101;
	uint32_t rgb = 0, cube[3] = {(uint32_t)(colour - 16) / 36, (uint32_t)(colour - 16) / 6 % 6,
				  (uint32_t)(colour - 16) % 6};
	for (size_t i = 0; i < 3; i++)
		rgb = rgb << 8 | (cube[i] ? 55 + cube[i] * 40 : 0);
	return rgb;
}

struct colours {
	uint32_t fg, bg;
};

static struct colours colours_of(const struct look *look)
{
	struct colours colours = {rgb_of(look->fg, FOREGROUND), rgb_of(look->bg, BACKGROUND)};
	if (look->attributes & ATTRIBUTE_DIM)
		colours.fg = (colours.fg >> 1 & 0x7f7f7f) + (colours.bg >> 1 & 0x7f7f7f);
	if (look->attributes & ATTRIBUTE_REVERSE)
		colours = (struct colours){colours.bg, colours.fg};
	return colours;
}

static void write_marked_up(struct sink *to, const struct run *run)
{
	for (unsigned i = 0; i < run->columns; i++)
		cs_text_put(
			run->cells[i].text, strlen(run->cells[i].text), CS_FORM_XML, sink_put, to);
}

static void html_begin(struct sink *to, const struct grid *grid)
{
	(void)grid;
	write_format(to,
		"<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
		"<title>cellscope</title>\n<style>pre{color:#%06x;background:#%06x;"
		"font:14px/1.2 monospace;padding:1em;display:inline-block}</style></head>\n<body><pre>",
		FOREGROUND, BACKGROUND);
}

static void html_run(struct sink *to, const struct run *run)
{
	struct colours colours = colours_of(&run->look);
	bool plain = is_plain(&run->look);
	if (!plain)
		write_format(to, "<span style=\"color:#%06x;background:#%06x%s%s\">", colours.fg,
			colours.bg,
			run->look.attributes & ATTRIBUTE_BOLD ? ";font-weight:bold" : "",
			run->look.attributes & ATTRIBUTE_UNDERLINE ? ";text-decoration:underline"
								   : "");
	write_marked_up(to, run);
	if (!plain)
		sink_text(to, "</span>");
}

enum { CELL_WIDE = 8, CELL_HIGH = 17, BASELINE = 13, MARGIN = 8 };

static void svg_begin(struct sink *to, const struct grid *grid)
{
	unsigned wide = grid->columns * CELL_WIDE + 2 * MARGIN;
	unsigned high = grid->rows * CELL_HIGH + 2 * MARGIN;
	write_format(to,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
		"viewBox=\"0 0 %u %u\">\n",
		wide, high, wide, high);
	write_format(to, "<rect width=\"%u\" height=\"%u\" rx=\"6\" fill=\"#%06x\"/>\n", wide, high,
		BACKGROUND);
	write_format(to,
		"<g font-family=\"DejaVu Sans Mono,Menlo,Consolas,monospace\" font-size=\"13\" "
		"fill=\"#%06x\">\n",
		FOREGROUND);
}

static bool is_single(const char *text)
{
	size_t n = 1;
	while (cs_utf8_inside(text[n]))
		n++;
	return text[n] == '\0';
}

/* Returns the number of cells of the word at `at` (0 at a blank). A combining mark ends a word. */
static unsigned word_at(const struct run *run, unsigned at)
{
	unsigned n = 0;
	while (at + n < run->columns && *run->cells[at + n].text &&
		strcmp(run->cells[at + n].text, " ") != 0) {
		const char *text = run->cells[at + n++].text;
		if (!is_single(text))
			break;
	}
	return n;
}

/* Writes a word in SVG. Each letter has its own x, because widths of letters differ by font. */
static void svg_word(struct sink *to, const struct run *run)
{
	struct colours colours = colours_of(&run->look);
	sink_text(to, "<text x=\"");
	for (unsigned i = 0; i < run->columns; i++)
		write_format(to, i ? " %u" : "%u", (run->x + i) * CELL_WIDE + MARGIN);
	write_format(to, "\" y=\"%u\"", run->y * CELL_HIGH + MARGIN + BASELINE);
	if (colours.fg != FOREGROUND)
		write_format(to, " fill=\"#%06x\"", colours.fg);
	if (run->look.attributes & ATTRIBUTE_BOLD)
		sink_text(to, " font-weight=\"bold\"");
	if (run->look.attributes & ATTRIBUTE_UNDERLINE)
		sink_text(to, " text-decoration=\"underline\"");
	sink_text(to, ">");
	write_marked_up(to, run);
	sink_text(to, "</text>\n");
}

static void svg_run(struct sink *to, const struct run *run)
{
	struct colours colours = colours_of(&run->look);
	unsigned x = run->x * CELL_WIDE + MARGIN, y = run->y * CELL_HIGH + MARGIN;
	if (colours.bg != BACKGROUND)
		write_format(to,
			"<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" fill=\"#%06x\"/>\n", x,
			y, run->columns * CELL_WIDE, CELL_HIGH, colours.bg);
	for (unsigned i = 0, n; i < run->columns; i += n) {
		n = word_at(run, i);
		const struct run word = {run->cells + i, run->x + i, run->y, n, run->look};
		if (n > 0)
			svg_word(to, &word);
		n += n == 0; /* skips a blank */
	}
}

/* ---- table of forms ---- */

static const struct form forms[EXPORT_FORMS] = {
	[EXPORT_TEXT] = {".txt", NULL, write_cells, "\n", ""},
	[EXPORT_ANSI] = {".ans", NULL, ansi_run, "\n", ""},
	[EXPORT_HTML] = {".html", html_begin, html_run, "\n", "</pre></body></html>\n"},
	[EXPORT_SVG] = {".svg", svg_begin, svg_run, "", "</g>\n</svg>\n"},
};

enum export_form export_form_of(const char *path)
{
	size_t n = strlen(path);
	for (int i = 0; i < EXPORT_FORMS; i++) {
		size_t end = strlen(forms[i].extension);
		if (n >= end && strcasecmp(path + n - end, forms[i].extension) == 0)
			return (enum export_form)i;
	}
	return EXPORT_TEXT;
}

/* Returns the number of cells of a row up to the last visible one. */
static unsigned used(const struct grid *grid, const struct grid_cell *row, enum export_form form)
{
	unsigned n = grid->columns;
	while (n > 0 && strcmp(row[n - 1].text, " ") == 0 &&
		(form == EXPORT_TEXT ||
			(row[n - 1].paint.bg == HUE_DEFAULT && row[n - 1].paint.attributes == 0)))
		n--;
	return n;
}

void grid_export(const struct grid *grid, enum export_form which, uint32_t colours, struct sink *to)
{
	const struct form *form = &forms[which];
	if (form->begin)
		form->begin(to, grid);
	for (unsigned y = 0; y < grid->rows; y++) {
		const struct grid_cell *row = &grid->at[(size_t)y * grid->columns];
		unsigned n = used(grid, row, which);
		for (unsigned x = 0, end; x < n; x = end) {
			for (end = x + 1; end < n && paint_same(row[end].paint, row[x].paint);)
				end++;
			const struct run run = {
				row + x, x, y, end - x, look_of(row[x].paint, colours)};
			form->run(to, &run);
		}
		sink_text(to, form->end_line);
	}
	sink_text(to, form->end);
}
