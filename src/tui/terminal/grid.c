/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Puts text into the cells of a grid. Widths of characters are those of the locale C.UTF-8,
 * whatever the user's locale, so that a saved screen is the same everywhere.
 */
#include "src/tui/terminal/grid.h"

#include "src/output/output.h"

#include "core/utf8.h"

#include <locale.h>
#include <string.h>
#include <wchar.h>

/* ---- the grid as a whole ---- */

static const struct grid_cell blank = {.text = " ", .width = 1};

void grid_clear(struct grid *grid)
{
	for (size_t i = 0; i < (size_t)grid->columns * grid->rows; i++)
		grid->at[i] = blank;
}

static unsigned bounded(unsigned size)
{
	return size < GRID_LEAST ? GRID_LEAST : size > GRID_MOST ? GRID_MOST : size;
}

struct cs_error *grid_resize(struct grid *grid, unsigned columns, unsigned rows)
{
	columns = bounded(columns);
	rows = bounded(rows);
	struct grid_cell *at = malloc((size_t)columns * rows * sizeof(*at));
	if (!at)
		return cs_error_nomem();
	free(grid->at);
	grid->at = at;
	grid->columns = columns;
	grid->rows = rows;
	grid_clear(grid);
	return NULL;
}

void grid_free(struct grid *grid)
{
	free(grid->at);
	*grid = (struct grid){0};
}

bool grid_same_cell(const struct grid_cell *left, const struct grid_cell *right)
{
	return left->width == right->width && paint_same(left->paint, right->paint) &&
	       strcmp(left->text, right->text) == 0;
}

/* ---- areas ---- */

struct area grid_area(struct grid *grid)
{
	return (struct area){grid, 0, 0, (int)grid->columns, (int)grid->rows};
}

/* Clips the range of *n positions from *first to the range from 0 to room - 1. */
static void clip(int *first, int *n, int room)
{
	if (*first < 0) {
		*n += *first;
		*first = 0;
	}
	if (*n > room - *first)
		*n = room - *first;
	if (*n < 0)
		*n = 0;
}

struct area area_part(struct area area, int x, int y, int columns, int rows)
{
	clip(&x, &columns, area.columns);
	clip(&y, &rows, area.rows);
	return (struct area){area.grid, area.x + x, area.y + y, columns, rows};
}

struct grid_cell *area_cell(struct area area, int x, int y)
{
	if (x < 0 || y < 0 || x >= area.columns || y >= area.rows)
		return NULL;
	return &area.grid->at[(size_t)(area.y + y) * area.grid->columns + (size_t)(area.x + x)];
}

/* Blanks the half of a wide character that would remain when the other half is overwritten. */
static void make_room(struct area area, int x, int y, int width)
{
	struct grid_cell *row = &area.grid->at[(size_t)(area.y + y) * area.grid->columns];
	int first = area.x + x, end = first + width;
	if (row[first].width == 0 && first > 0)
		memcpy(row[first - 1].text, " ", 2), row[first - 1].width = 1;
	if (end < (int)area.grid->columns && row[end].width == 0)
		memcpy(row[end].text, " ", 2), row[end].width = 1;
}

/* ---- drawing characters ---- */

struct character {
	const char *text;
	size_t n;
	int width; /* width in columns; 0 = combines with the previous character */
};

static locale_t utf8_locale(void)
{
	static locale_t locale;
	if (!locale)
		locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	return locale;
}

/* Decodes the next character; invalid bytes and unprintable characters become a question mark. */
static struct character next_character(const char *text, size_t n)
{
	static const char unknown[] = "?";
	mbstate_t state = {0};
	wchar_t c;
	unsigned char first = (unsigned char)text[0];
	if (first < 0x80)
		return (struct character){first >= 0x20 && first < 0x7f ? text : unknown, 1, 1};
	locale_t before = utf8_locale() ? uselocale(utf8_locale()) : (locale_t)0;
	size_t length = mbrtowc(&c, text, n, &state);
	int width = length == 0 || length > n ? -1 : wcwidth(c);
	if (before)
		uselocale(before);
	if (width < 0)
		return (struct character){unknown, length == 0 || length > n ? 1 : length, 1};
	return (struct character){text, length, width};
}

static size_t bytes_of(const struct character *character)
{
	return character->text[0] == '?' ? 1 : character->n;
}

int printed_columns(const char *text, size_t n)
{
	int columns = 0;
	for (size_t i = 0; i < n;) {
		struct character character = next_character(text + i, n - i);
		columns += character.width;
		i += character.n;
	}
	return columns;
}

static void combine(struct area area, int x, int y, const struct character *character)
{
	struct grid_cell *cell = area_cell(area, x, y);
	if (cell && cell->width == 0)
		cell = area_cell(area, x - 1, y);
	size_t n = cell ? strlen(cell->text) : 0;
	if (!cell || n + character->n >= sizeof(cell->text))
		return; /* drops combining marks that do not fit in the cell */
	memcpy(cell->text + n, character->text, character->n);
	cell->text[n + character->n] = '\0';
}

static void put_character(
	struct area area, int x, int y, struct paint paint, const struct character *character)
{
	struct grid_cell *cell = area_cell(area, x, y);
	make_room(area, x, y, character->width);
	*cell = (struct grid_cell){.width = (uint8_t)character->width, .paint = paint};
	memcpy(cell->text, character->text, bytes_of(character));
	if (character->width == 2)
		cell[1] = (struct grid_cell){.width = 0, .paint = paint};
}

int put_printed(struct area area, int x, int y, struct paint paint, const char *text, size_t n)
{
	int start = x;
	if (y < 0 || y >= area.rows)
		return 0;
	for (size_t i = 0; i < n;) {
		struct character character = next_character(text + i, n - i);
		if (character.width == 0)
			combine(area, x - 1, y, &character);
		else if (x + character.width > area.columns)
			break;
		else if (x >= 0)
			put_character(area, x, y, paint, &character);
		x += character.width;
		i += character.n;
	}
	return x - start;
}

int put_glyph(struct area area, int x, int y, struct paint paint, enum glyph which)
{
	const char *text = glyph(which, area.grid->ascii);
	return put_printed(area, x, y, paint, text, strlen(text));
}

/* ---- text that does not fit ---- */

/* Returns the offset of the longest end that fits and begins with no combining mark. */
static size_t start_of_end(const char *text, size_t n, int columns)
{
	int wide = printed_columns(text, n);
	size_t start = 0;
	while (start < n) {
		size_t next = start + 1;
		while (next < n && cs_utf8_inside(text[next]))
			next++;
		int width = printed_columns(text + start, next - start);
		if (wide <= columns && width > 0)
			break;
		wide -= width;
		start = next;
	}
	return start;
}

int put_cut_printed(struct area area, int x, int y, int columns, struct paint paint,
	const char *text, size_t n, bool keeps_end)
{
	struct area part = area_part(area, x, y, columns, 1);
	if (printed_columns(text, n) <= part.columns)
		return put_printed(part, 0, 0, paint, text, n);
	if (part.columns <= 0)
		return 0;
	if (keeps_end) {
		size_t start = start_of_end(text, n, part.columns - 1);
		put_glyph(part, 0, 0, paint, GLYPH_MORE);
		put_printed(part, 1, 0, paint, text + start, n - start);
		return part.columns;
	}
	put_printed(part, 0, 0, paint, text, n);
	put_blank(part, part.columns - 1, 0, 1, paint);
	put_glyph(part, part.columns - 1, 0, paint, GLYPH_MORE);
	return part.columns;
}

size_t grid_escape(struct area area, const char *text, size_t n, char room[GRID_ESCAPED])
{
	size_t needed = cs_escape(text, n, area.grid->ascii, room, GRID_ESCAPED);
	return needed < GRID_ESCAPED ? needed : strlen(room);
}

int put_cut(struct area area, int x, int y, int columns, struct paint paint, const char *text)
{
	char room[GRID_ESCAPED];
	size_t n = grid_escape(area, text, strlen(text), room);
	return put_cut_printed(area, x, y, columns, paint, room, n, !strchr(room, ' '));
}

int put_text(struct area area, int x, int y, struct paint paint, const char *text)
{
	return put_cut(area, x, y, area.columns - x, paint, text);
}

int put_format(struct area area, int x, int y, struct paint paint, const char *format, ...)
{
	struct text_output text;
	va_list arguments;
	va_start(arguments, format);
	say_arguments(text_output_begin(&text, (struct style){.ascii = area.grid->ascii}), format,
		arguments);
	va_end(arguments);
	char *said = text_output_end(&text);
	int columns = said ? put_cut_printed(
				     area, x, y, area.columns - x, paint, said, strlen(said), false)
			   : 0;
	free(said);
	return columns;
}

void put_paint(struct area area, int x, int y, int columns, struct paint paint)
{
	for (int i = 0; i < columns; i++) {
		struct grid_cell *cell = area_cell(area, x + i, y);
		if (cell)
			cell->paint = paint;
	}
}

void put_ground(struct area area, int x, int y, int columns, uint8_t hue)
{
	for (int i = 0; i < columns; i++) {
		struct grid_cell *cell = area_cell(area, x + i, y);
		if (cell)
			cell->paint.bg = hue;
	}
}

void put_blank(struct area area, int x, int y, int columns, struct paint paint)
{
	const struct character space = {" ", 1, 1};
	for (int i = x < 0 ? -x : 0; i < columns && area_cell(area, x + i, y); i++)
		put_character(area, x + i, y, paint, &space);
}
