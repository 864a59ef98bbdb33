/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Drawing beyond plain text: lines, bars, strips over frames, pictures. Each has a form for UTF-8
 * and one for ASCII with the same size and meaning.
 */
#pragma once

#include "src/tui/terminal/grid.h"

/*
 * Draws a text in at most `columns`, with a sign where it was cut. Names and paths, which have no
 * blanks, keep their end, which says more; sentences and lists keep their beginning. put_cut
 * escapes the text, put_cut_printed takes escaped text. Both return the columns taken.
 */
int put_cut(struct area area, int x, int y, int columns, struct paint paint, const char *text);
int put_cut_printed(struct area area, int x, int y, int columns, struct paint paint,
	const char *text, size_t n, bool keeps_end);
/* Escapes and wraps a text; a line break begins a row. Returns the rows taken. */
int put_wrapped(struct area area, int x, int y, struct paint paint, const char *text);

/* Wraps a paragraph of escaped text; returns its rows, 1 where it is empty. */
int put_lines(struct area area, int x, int y, struct paint paint, const char *text);

/* Paints every occurrence of the text in the area; upper and lower case are equal. */
void put_hits(struct area area, struct paint paint, const char *text);

void put_line_across(struct area area, int y, struct paint paint);
void put_line_down(struct area area, int x, struct paint paint);
/* Draws a bar over `share` of the columns, from 0 to 1. */
void put_bar(struct area area, int x, int y, int columns, double share, struct paint paint);
/*
 * Draws a row of values, one a column: 0 is blank, any other value shows; `most` is a full column.
 */
void put_strip(struct area area, int x, int y, const double *values, int n, double most,
	struct paint paint);
/*
 * Draws a curve: in braille 2 values a column and 4 levels a row, in ASCII one of each. `most` is
 * the top of the area.
 */
void put_curve(struct area area, const double *values, int n, double most, struct paint paint);

/*
 * Draws a picture of `columns` x `rows` hues, two points above each other in a cell: half blocks in
 * UTF-8, else a letter by their mean lightness. HUE_DEFAULT is transparent. `letters`, when not
 * NULL, gives the letter of each point instead.
 */
void put_picture(struct area area, const uint8_t *hues, int columns, int rows, const char *letters);

/* Place of a row in a tree, from which the lines to its left follow. */
struct tree_place {
	unsigned depth;
	bool last;      /* it is the last of its siblings */
	uint64_t stems; /* bit d: an ancestor at depth d has siblings below */
};
int put_tree(struct area area, int x, int y, struct tree_place place);
