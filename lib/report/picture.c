/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws maps and charts as SVG. Numbers are coloured by one scale that colour-blind readers can
 * distinguish; states and differences have colours of their own. The legend, and map squares that
 * are large enough, also contain the letter of each key, so that no meaning depends on colour
 * alone.
 */
#include "report/html_page.h"

#include <math.h>
#include <stdio.h>

enum { SIDE = 720, CHART_HEIGHT = 120 };

/* Colours of increasing numbers: dark blue, green, yellow, evenly spaced in lightness. */
static const char *const scale[] = {"#440154", "#482878", "#3e4989", "#31688e", "#26828e",
	"#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725"};

/* Colours of streaming states. Unloaded cells, the most frequent ones, are pale. */
static const char *const of_states[CS_MAP_STATES] = {
	[CS_MAP_LAYER_OFF] = "#bdbdbd",
	[CS_MAP_UNLOADED] = "#e6e6e6",
	[CS_MAP_STILL_AROUND] = "#c2a5cf",
	[CS_MAP_WAITING] = "#fdb863",
	[CS_MAP_PRELOADING] = "#f1b6da",
	[CS_MAP_LOADING] = "#fee08b",
	[CS_MAP_LOADED] = "#92c5de",
	[CS_MAP_SHOWING] = "#4393c3",
	[CS_MAP_ACTIVATED] = "#1a9850",
	[CS_MAP_LEAVING] = "#d8daeb",
	[CS_MAP_FAILED] = "#b2182b",
};

/* Colours of the KEY_... values of differences.c: nothing, unchanged, changed, new, removed. */
static const char *const of_changes[] = {"#fff", "#e6e6e6", "#fdb863", "#2166ac", "#b2182b"};

static const char *picture_colour_of(enum cs_map_overlay overlay, size_t key, size_t n_keys)
{
	if (overlay == CS_MAP_GIVEN && key < sizeof(of_changes) / sizeof(of_changes[0]))
		return of_changes[key];
	if (overlay == CS_MAP_STATE && key < CS_MAP_STATES)
		return of_states[key];

	enum { COLOURS = sizeof(scale) / sizeof(scale[0]) };
	size_t at = n_keys > 1 ? key * (COLOURS - 1) / (n_keys - 1) : COLOURS - 1;
	return scale[at < COLOURS ? at : COLOURS - 1];
}

/* ---- maps of cells ---- */

static void put_places(
	struct page *page, const struct cs_map *map, enum cs_map_overlay overlay, double side)
{
	for (size_t row = 0; row < map->rows; row++) {
		for (size_t column = 0; column < map->columns; column++) {
			const struct cs_map_place *place =
				&map->places[row * map->columns + column];
			if (!place->cells)
				continue;
			page_format(page,
				"<rect x=\"%.5g\" y=\"%.5g\" width=\"%.5g\" height=\"%.5g\" "
				"fill=\"%s\"><title>%u cell%s, %u actor%s</title></rect>\n",
				(double)column * side, (double)row * side, side, side,
				picture_colour_of(overlay, place->key, map->n_keys), place->cells,
				place->cells == 1 ? "" : "s", place->actors,
				place->actors == 1 ? "" : "s");
		}
	}
}

static char picture_letter_of(const struct cs_map *map, size_t key)
{
	return key >= map->n_keys || strchr("<>&\"", map->keys[key].letter) ? ' '
									    : map->keys[key].letter;
}

static void put_letters(struct page *page, const struct cs_map *map, double side)
{
	page_format(page,
		"<g font-family=\"sans-serif\" font-size=\"%.5g\" text-anchor=\"middle\" fill=\"#fff\" "
		"stroke=\"#222\" stroke-width=\"2\" paint-order=\"stroke\">\n",
		side / 3);
	for (size_t i = 0; i < map->rows * map->columns; i++)
		if (map->places[i].cells)
			page_format(page, "<text x=\"%.5g\" y=\"%.5g\">%c</text>\n",
				((double)(i % map->columns) + 0.5) * side,
				((double)(i / map->columns) + 0.62) * side,
				picture_letter_of(map, map->places[i].key));
	page_put(page, "</g>\n");
}

static void put_legend(struct page *page, const struct cs_map *map, enum cs_map_overlay overlay)
{
	page_put(page, "<p class=\"legend\">");
	for (size_t i = 0; i < map->n_keys; i++) {
		if (map->keys[i].cells == 0)
			continue;
		page_format(page, "<span><i style=\"background:%s\">&#160;%c&#160;</i> ",
			picture_colour_of(overlay, i, map->n_keys), picture_letter_of(map, i));
		page_text(page, map->keys[i].words ? map->keys[i].words : "");
		page_format(page, ": %zu cell%s</span> ", map->keys[i].cells,
			map->keys[i].cells == 1 ? "" : "s");
	}
	unsigned marks = map->marks;
	if (marks & CS_MAP_MARK_SEVERAL)
		page_put(page, "+ several cells at one place, which data layers split ");
	if (marks & CS_MAP_MARK_SOURCE)
		page_put(page, "\342\227\216 streaming source ");
	page_put(page, "</p>\n");
}

/* Writes the axes: cell coordinates below and left of the map, and a square's side in metres. */
static void put_axes(struct page *page, const struct cs_map *map, double side)
{
	enum { TICKS = 8 };
	size_t across = (map->columns + TICKS - 1) / TICKS, down = (map->rows + TICKS - 1) / TICKS;
	double bottom = (double)map->rows * side;
	page_put(page, "<g font-family=\"sans-serif\" font-size=\"10\" stroke=\"none\" "
		       "fill=\"currentColor\">\n");
	for (size_t i = 0; i < map->columns; i += across)
		page_format(page,
			"<text x=\"%.5g\" y=\"%.5g\" text-anchor=\"middle\">%lld</text>\n",
			((double)i + 0.5) * side, bottom + 12,
			(long long)(map->x0 + (int64_t)(i * map->zoom)));
	for (size_t i = 0; i < map->rows; i += down)
		page_format(page, "<text x=\"-4\" y=\"%.5g\" text-anchor=\"end\">%lld</text>\n",
			((double)i + 0.5) * side + 4,
			(long long)(map->y0 + (int64_t)(i * map->zoom)));
	page_format(page, "<text x=\"0\" y=\"%.5g\">x to the right, y down", bottom + 26);
	if (map->side > 0)
		page_format(page, "; a square is %.6g m", map->side * (double)map->zoom / 100);
	page_put(page, "</text>\n</g>\n");
}

static void put_marks(struct page *page, const struct cs_map *map, double side)
{
	page_put(page, "<g font-family=\"sans-serif\" text-anchor=\"middle\" stroke=\"none\">\n");
	for (size_t i = 0; i < map->rows * map->columns; i++) {
		double x = ((double)(i % map->columns) + 0.5) * side;
		double y = ((double)(i / map->columns) + 0.5) * side;
		unsigned marks = map->places[i].marks;
		if (marks & CS_MAP_MARK_SOURCE)
			page_format(page,
				"<circle cx=\"%.5g\" cy=\"%.5g\" r=\"%.5g\" fill=\"#fff\" "
				"stroke=\"#d00\" stroke-width=\"2\"/>\n",
				x, y, side / 5);
		if (marks & CS_MAP_MARK_SEVERAL)
			page_format(page,
				"<text x=\"%.5g\" y=\"%.5g\" font-size=\"%.5g\" fill=\"#fff\" "
				"stroke=\"#222\" stroke-width=\"0.4\">+</text>\n",
				x + side / 3, y - side / 6, side / 2.5);
	}
	page_put(page, "</g>\n");
}

static void put_map(struct page *page, const struct cs_map *map, enum cs_map_overlay overlay)
{
	enum { LEFT = 36, BELOW = 32, LEGIBLE = 18 };
	size_t most = map->columns > map->rows ? map->columns : map->rows;
	double side = (double)SIDE / (double)(most ? most : 1);
	side = side > 48 ? 48 : side;
	double wide = (double)map->columns * side + LEFT, high = (double)map->rows * side + BELOW;
	wide = wide < 300 ? 300 : wide; /* wide enough for the text below the map */
	page_format(page,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-%d 0 %.5g %.5g\" "
		"width=\"%.5g\" height=\"%.5g\" role=\"img\" stroke=\"#fff\" "
		"stroke-width=\"0.5\">\n",
		LEFT, wide, high, wide, high);
	put_places(page, map, overlay, side);
	if (side >= LEGIBLE)
		put_letters(page, map, side);
	put_marks(page, map, side);
	put_axes(page, map, side);
	page_put(page, "</svg>\n");
}

struct cs_error *page_map(struct page *page, const struct cs_map_request *request)
{
	struct cs_map map;
	struct cs_map_request fitting = *request;
	enum { PLACES = 240 };
	fitting.columns = fitting.columns ? fitting.columns : PLACES;
	fitting.rows = fitting.rows ? fitting.rows : PLACES;
	struct cs_error *error = cs_map_draw(&fitting, &map);
	if (error)
		return error;
	put_map(page, &map, request->overlay);
	put_legend(page, &map, request->overlay);
	cs_map_deinit(&map);
	return NULL;
}

struct cs_error *cs_map_svg(
	const struct cs_map_request *request, const char *title, const char *path)
{
	struct cs_map map;
	struct page page = {.failed = false};
	struct cs_error *error = cs_map_draw(request, &map);
	if (error)
		return error;
	put_map(&page, &map, request->overlay);
	cs_map_deinit(&map);
	/* insert <title> behind the <svg> tag, whose size put_map() computes */
	const char *end = page.failed ? NULL : memchr(page.bytes.at, '>', page.bytes.n);
	struct page whole = {.failed = !end};
	if (end) {
		size_t n = (size_t)(end - page.bytes.at) + 1;
		whole.failed = !cs_vec_append(&whole.bytes, page.bytes.at, n);
		page_put(&whole, "<title>");
		page_text(&whole, title);
		page_put(&whole, "</title>");
		whole.failed |= !cs_vec_append(&whole.bytes, end + 1, page.bytes.n - n);
	}
	cs_vec_free(&page.bytes);
	return page_save(&whole, path);
}

/* ---- bar charts ---- */

static double picture_peak_of(const struct chart *chart)
{
	double peak = 0;
	for (size_t i = 0; i < chart->n; i++)
		if (isfinite(chart->values[i]) && chart->values[i] > peak)
			peak = chart->values[i];
	return peak;
}

static void put_bars(struct page *page, const struct chart *chart, double peak)
{
	size_t columns = chart->n < SIDE ? chart->n : SIDE;
	double width = columns ? (double)SIDE / (double)columns : 0;
	for (size_t i = 0; i < columns; i++) {
		double value = cs_highest(chart->values, chart->n, i, columns);
		if (!(value > 0))
			continue;
		double height = value / peak * CHART_HEIGHT;
		page_format(page, "<rect x=\"%.5g\" y=\"%.5g\" width=\"%.5g\" height=\"%.5g\"/>\n",
			(double)i * width, CHART_HEIGHT - height, width > 2 ? width - 0.5 : width,
			height);
	}
}

void page_chart(struct page *page, const struct chart *chart)
{
	double peak = picture_peak_of(chart);
	page_format(page,
		"<div class=\"chart\"><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 -16 %d %d\" width=\"%d\" "
		"height=\"%d\" role=\"img\" font-family=\"sans-serif\" font-size=\"11\" "
		"fill=\"#31688e\">\n<title>",
		SIDE, CHART_HEIGHT + 36, SIDE, CHART_HEIGHT + 36);
	page_text(page, chart->title);
	page_put(page, "</title>\n");
	if (peak > 0)
		put_bars(page, chart, peak);
	page_format(page, "<path d=\"M0 %d H%d\" stroke=\"#444\" fill=\"none\"/>\n", CHART_HEIGHT,
		SIDE);
	page_put(page, "<text x=\"0\" y=\"-4\" fill=\"currentColor\">");
	page_text(page, chart->title);
	page_format(page, ", peak %.6g ", peak);
	page_text(page, chart->unit);
	page_format(
		page, "</text>\n<text x=\"0\" y=\"%d\" fill=\"currentColor\">", CHART_HEIGHT + 14);
	page_text(page, chart->first);
	page_format(page,
		"</text>\n<text x=\"%d\" y=\"%d\" text-anchor=\"end\" fill=\"currentColor\">", SIDE,
		CHART_HEIGHT + 14);
	page_text(page, chart->last);
	page_put(page, "</text>\n</svg></div>\n");
}

/* ---- plots of numbers over two variables ---- */

static void put_field_places(
	struct page *page, const struct cs_field_plot *field, double width, double height)
{
	enum { COLOURS = sizeof(scale) / sizeof(scale[0]) };
	double least = INFINITY, most = -INFINITY;
	for (size_t i = 0; i < field->rows * field->columns; i++) {
		if (!isfinite(field->values[i]))
			continue;
		least = fmin(least, field->values[i]);
		most = fmax(most, field->values[i]);
	}
	for (size_t i = 0; i < field->rows * field->columns; i++) {
		double x = (double)(i % field->columns) * width;
		double y = (double)(i / field->columns) * height;
		if (!isfinite(field->values[i]))
			continue;
		double share = most > least ? (field->values[i] - least) / (most - least) : 0;
		size_t colour = (size_t)(share * (COLOURS - 1));
		page_format(page,
			"<rect x=\"%.5g\" y=\"%.5g\" width=\"%.5g\" height=\"%.5g\" "
			"fill=\"%s\"/>\n<text x=\"%.5g\" y=\"%.5g\" fill=\"%s\" "
			"text-anchor=\"middle\">%.5g</text>\n",
			x, y, width, height, scale[colour], x + width / 2, y + height / 2 + 4,
			colour < COLOURS / 2 ? "#fff" : "#222", field->values[i]);
	}
}

static void picture_put_field(struct page *page, const struct cs_field_plot *field)
{
	const double height = 28, width = (double)SIDE / (double)field->columns;
	const double bottom = (double)field->rows * height;
	page_format(page,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 -36 %d %.5g\" "
		"width=\"%d\" height=\"%.5g\" role=\"img\" font-family=\"sans-serif\" "
		"font-size=\"11\">\n<title>",
		SIDE, bottom + 56, SIDE, bottom + 56);
	page_text(page, field->title);
	page_put(page, "</title>\n<text x=\"0\" y=\"-22\" fill=\"currentColor\">");
	page_text(page, field->title);
	page_format(page,
		"</text>\n<text x=\"0\" y=\"-6\" fill=\"currentColor\">down %.6g to %.6g</text>\n",
		field->first_row, field->last_row);
	put_field_places(page, field, width, height);
	page_format(page,
		"<text x=\"0\" y=\"%.5g\" fill=\"currentColor\">across %.6g to %.6g</text>\n</svg>\n",
		bottom + 14, field->first_column, field->last_column);
}

struct cs_error *cs_field_svg(const struct cs_field_plot *field, const char *path)
{
	struct page page = {.failed = false};
	char first[32], last[32];
	snprintf(first, sizeof(first), "%.9g", field->first_row);
	snprintf(last, sizeof(last), "%.9g", field->last_row);
	if (field->columns > 1)
		picture_put_field(&page, field);
	else
		page_chart(&page,
			&(struct chart){field->values, field->rows, field->title, "", first, last});
	return page_save(&page, path);
}
