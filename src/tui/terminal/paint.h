/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws lines, bars, strips, curves, pictures, of equal size and meaning in UTF-8 and ASCII. */
#pragma once

#include "src/tui/terminal/grid.h"

/* Escapes and wraps a text; a newline begins a new row. Returns the number of rows. */
int put_wrapped(struct area area, int x, int y, struct paint paint, const char *text);

/* Wraps a paragraph whose text is escaped already. Returns the number of rows, at least 1. */
int put_lines(struct area area, int x, int y, struct paint paint, const char *text);

/* Changes the paint of every occurrence of the text in the area, ignoring case. */
void put_hits(struct area area, struct paint paint, const char *text);

void put_line_across(struct area area, int y, struct paint paint);
void put_line_down(struct area area, int x, struct paint paint);
/* Draws a bar that fills the fraction `share` (0 to 1) of the columns. */
void put_bar(struct area area, int x, int y, int columns, double share, struct paint paint);
/* Draws values as bars, a column each: 0 is blank, others visible, `most` fills the character. */
void put_strip(struct area area, int x, int y, const double *values, int n, double most,
	struct paint paint);
/*
 * Draws a curve with 2 values per column; `most` is at the top of the area. In braille each value
 * has a dot, with 4 levels per row; in ASCII the higher of the two is drawn, with 1 level per row.
 */
void put_curve(struct area area, const double *values, int n, double most, struct paint paint);

/*
 * Draws a picture of `columns` x `rows` hues, two rows in each row of cells: as half blocks in
 * UTF-8, else as a character for their mean lightness. HUE_DEFAULT is transparent. `letters`, if
 * not NULL, contains for each point the character to draw instead in ASCII; 0 = none.
 */
void put_picture(struct area area, const uint8_t *hues, int columns, int rows, const char *letters);

/* Position of a row in a tree, which determines the lines to its left. */
struct tree_place {
	unsigned depth;
	bool last;      /* the row is the last of its siblings */
	uint64_t stems; /* bit d: the ancestor at depth d has further siblings below */
};
int put_tree(struct area area, int x, int y, struct tree_place place);
