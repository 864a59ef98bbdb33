/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What views are drawn with, beyond text: lines, bars, strips over frames, pictures. Each has two
 * forms, for UTF-8 and for ASCII, of the same size and meaning.
 */
#pragma once

#include "src/tui/terminal/grid.h"

/*
 * Text in at most `columns`, with a sign where it was cut: of names and paths, which have no
 * blanks, the end stays, for it tells more; of sentences and lists the beginning. put_cut escapes
 * it, put_cut_printed takes what was escaped. They return the columns that they took.
 */
int put_cut(struct area area, int x, int y, int columns, struct paint paint, const char *text);
int put_cut_printed(struct area area, int x, int y, int columns, struct paint paint,
	const char *text, size_t n, bool keeps_end);
/* Sentences, escaped, a line where one begins; returns the rows that they took. */
int put_wrapped(struct area area, int x, int y, struct paint paint, const char *text);

/* A paragraph that was escaped; returns its rows, one where it is empty. */
int put_lines(struct area area, int x, int y, struct paint paint, const char *text);

/* Gives every place of the text in the area another paint, whatever its letters' case. */
void put_hits(struct area area, struct paint paint, const char *text);

void put_line_across(struct area area, int y, struct paint paint);
void put_line_down(struct area area, int x, struct paint paint);
/* `share` of the columns, from 0 to 1. */
void put_bar(struct area area, int x, int y, int columns, double share, struct paint paint);
/* A value a column, a row high: 0 is blank, everything else shows; `most` is a full column. */
void put_strip(struct area area, int x, int y, const double *values, int n, double most,
	struct paint paint);
/*
 * A curve of 2 values a column and 4 levels a row in braille; a value a column and a level a row in
 * ASCII. `most` is the top of the area.
 */
void put_curve(struct area area, const double *values, int n, double most, struct paint paint);

/*
 * A picture of hues, `columns` x `rows` points, two points a cell one above the other: in UTF-8
 * half blocks, else a letter by their mean lightness. HUE_DEFAULT is nothing. `ascii`, where it is
 * not NULL, names the letter of a point instead.
 */
void put_picture(struct area area, const uint8_t *hues, int columns, int rows, const char *letters);

/* Depth of a row in a tree and what follows it. */
struct tree_place {
	unsigned depth;
	bool last;      /* of its siblings */
	uint64_t stems; /* bit d: an ancestor at depth d has siblings below */
};
int put_tree(struct area area, int x, int y, struct tree_place place);
