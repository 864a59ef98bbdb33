/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The screen as cells: a character with its combining marks, its width and its paint. Views draw
 * into areas of a grid; a terminal is sent the cells that changed, tests and files print the grid.
 *
 * Invariant: a cell contains printable characters only, so a name from a file cannot become a
 * command to the terminal. A character of two columns takes two cells, the second of width 0, and
 * is never cut in half.
 */
#pragma once

#include <cellscope/core.h>

#include "src/tui/terminal/glyphs.h"
#include "src/tui/terminal/palette.h"

#include <stddef.h>

struct grid_cell {
	char text[12]; /* UTF-8 with a final NUL */
	uint8_t width; /* width in columns: 1, 2, or 0 for the right half of the previous cell */
	struct paint paint;
};

struct grid {
	unsigned columns, rows;
	bool ascii;
	struct grid_cell *at; /* columns x rows, row by row */
};

enum { GRID_LEAST = 1, GRID_MOST = 1000 };

/* Makes the grid blank and sets its size, limited to GRID_LEAST and GRID_MOST. */
struct cs_error *grid_resize(struct grid *grid, unsigned columns, unsigned rows) CS_MUST_USE;
void grid_free(struct grid *grid);
void grid_clear(struct grid *grid);
bool grid_same_cell(const struct grid_cell *left, const struct grid_cell *right);

/* Part of a grid; what lies outside of it is not drawn. */
struct area {
	struct grid *grid;
	int x, y; /* position of the upper left corner in the grid */
	int columns, rows;
};

struct area grid_area(struct grid *grid);
/* Returns the part of an area, limited to the area. */
struct area area_part(struct area area, int x, int y, int columns, int rows);

/*
 * Draws text up to the right edge of the area; returns the columns that it took. put_text escapes
 * any text; put_printed takes text that was escaped already or is a literal.
 */
int put_text(struct area area, int x, int y, struct paint paint, const char *text);
int put_printed(struct area area, int x, int y, struct paint paint, const char *text, size_t n);
int put_glyph(struct area area, int x, int y, struct paint paint, enum glyph which);
/* Works as printf with every %s escaped, as say() does. */
int put_format(struct area area, int x, int y, struct paint paint, const char *format, ...)
	CS_PRINTF(5, 6);
/* Changes the paint of cells, not their characters. */
void put_paint(struct area area, int x, int y, int columns, struct paint paint);
/* Changes the background of cells, not their characters nor their foreground. */
void put_ground(struct area area, int x, int y, int columns, uint8_t hue);
void put_blank(struct area area, int x, int y, int columns, struct paint paint);
/* Returns the columns that put_printed would take. */
int printed_columns(const char *text, size_t n);
