/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The screen as cells of our own: a character (with what combines with it), its width, its paint.
 * Views draw into areas of a grid; a terminal shows what changed of it, tests and files print it.
 *
 * Whatever is drawn, a cell holds printable characters alone: the grid is the last place where a
 * name from a file could have become a command to the terminal. A character of two columns has both
 * cells, the second of width 0, and is never cut in half.
 */
#pragma once

#include <cellscope/core.h>

#include "src/tui/terminal/glyphs.h"
#include "src/tui/terminal/palette.h"

#include <stddef.h>

struct grid_cell {
	char text[12]; /* UTF-8, ended by NUL */
	uint8_t width; /* 1, 2, or 0 for the right half of the one before */
	struct paint paint;
};

struct grid {
	unsigned columns, rows;
	bool ascii;
	struct grid_cell *at; /* columns x rows, row by row */
};

enum { GRID_LEAST = 1, GRID_MOST = 1000 };

/* Blank, of that size, which is brought within GRID_LEAST and GRID_MOST. */
struct cs_error *grid_resize(struct grid *grid, unsigned columns, unsigned rows) CS_MUST_USE;
void grid_free(struct grid *grid);
void grid_clear(struct grid *grid);
bool grid_same_cell(const struct grid_cell *left, const struct grid_cell *right);

/* Part of a grid; what would lie outside of it is not drawn. */
struct area {
	struct grid *grid;
	int x, y; /* of its corner in the grid */
	int columns, rows;
};

struct area grid_area(struct grid *grid);
/* The part of an area, as far as it lies inside. */
struct area area_part(struct area area, int x, int y, int columns, int rows);

/*
 * Text at a place of the area, no further than its right edge; returns the columns that it took.
 * put_text takes anything and escapes it; put_printed takes what was escaped or written here.
 */
int put_text(struct area area, int x, int y, struct paint paint, const char *text);
int put_printed(struct area area, int x, int y, struct paint paint, const char *text, size_t n);
int put_glyph(struct area area, int x, int y, struct paint paint, enum glyph which);
/* printf with every %s escaped, as say(). */
int put_format(struct area area, int x, int y, struct paint paint, const char *format, ...)
	CS_PRINTF(5, 6);
/* Gives what stands there another paint. */
void put_paint(struct area area, int x, int y, int columns, struct paint paint);
/* Gives what stands there another ground, and leaves its own colour. */
void put_ground(struct area area, int x, int y, int columns, uint8_t hue);
void put_blank(struct area area, int x, int y, int columns, struct paint paint);
/* Columns that put_printed would take. */
int printed_columns(const char *text, size_t n);
