/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The screen as a grid of cells: a character with its combining marks, its width and its paint.
 * Views draw into areas of a grid. A terminal receives the cells that changed; tests and files
 * print the grid.
 *
 * Invariant: a cell contains printable characters only, so a name from a file cannot send a control
 * sequence to the terminal. A character of two columns occupies two cells, the second with width 0,
 * and is never cut in half.
 */
#pragma once

#include <cellscope/core.h>

#include "src/tui/terminal/glyphs.h"
#include "src/tui/terminal/palette.h"

#include <stddef.h>

struct grid_cell {
	char text[12]; /* UTF-8 with a final NUL */
	uint8_t width; /* columns: 1 or 2; 0 for the right half of a wide character */
	struct paint paint;
};

struct grid {
	unsigned columns, rows;
	bool ascii;
	struct grid_cell *at; /* columns x rows grid cells, row by row */
};

enum { GRID_LEAST = 1, GRID_MOST = 1000, GRID_ESCAPED = 4096 };

/* Sets the size of the grid, clamped to GRID_LEAST and GRID_MOST, and blanks all cells. */
struct cs_error *grid_resize(struct grid *grid, unsigned columns, unsigned rows) CS_MUST_USE;
void grid_free(struct grid *grid);
void grid_clear(struct grid *grid);
bool grid_same_cell(const struct grid_cell *left, const struct grid_cell *right);

/* A rectangle of a grid; drawing outside of it has no effect. */
struct area {
	struct grid *grid;
	int x, y; /* upper left corner in the grid */
	int columns, rows;
};

struct area grid_area(struct grid *grid);
/* Returns a rectangle of an area, clipped to the area; x and y are relative to it. */
struct area area_part(struct area area, int x, int y, int columns, int rows);

/*
 * Draw text at x, y of the area, up to its right edge, with a sign where it was cut; return the
 * columns used. put_text() escapes the text; put_printed() is for text that is escaped already, or
 * a literal, and cuts it without a sign.
 */
int put_text(struct area area, int x, int y, struct paint paint, const char *text);
int put_printed(struct area area, int x, int y, struct paint paint, const char *text, size_t n);
int put_glyph(struct area area, int x, int y, struct paint paint, enum glyph which);
/* Draws formatted text like printf; every %s is escaped, as in say(). */
int put_format(struct area area, int x, int y, struct paint paint, const char *format, ...)
	CS_PRINTF(5, 6);
/*
 * Draw a text as put_text() does, but in at most `columns`; return the columns used.
 * put_cut() escapes the text. If the text does not fit, put_cut() keeps the end of a text without
 * blanks (a name or path), and the beginning of any other text. put_cut_printed() draws text that
 * is escaped already.
 */
int put_cut(struct area area, int x, int y, int columns, struct paint paint, const char *text);
int put_cut_printed(struct area area, int x, int y, int columns, struct paint paint,
	const char *text, size_t n, bool keeps_end);
/*
 * Writes the text to `room` in the form in which put_text() draws it: escaped by cs_escape(), in an
 * ASCII grid with its option `ascii`. A text that is too long is cut. Returns the bytes written,
 * without NUL.
 */
size_t grid_escape(struct area area, const char *text, size_t n, char room[GRID_ESCAPED]);
/* Changes the paint of cells but not their characters. */
void put_paint(struct area area, int x, int y, int columns, struct paint paint);
/* Returns the cell at x, y of the area; NULL outside of the area. */
struct grid_cell *area_cell(struct area area, int x, int y);
/* Changes the background of cells but not their characters and foreground. */
void put_ground(struct area area, int x, int y, int columns, uint8_t hue);
void put_blank(struct area area, int x, int y, int columns, struct paint paint);
/* Returns the number of columns of a text as put_printed() draws it. */
int printed_columns(const char *text, size_t n);
