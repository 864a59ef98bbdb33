/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws the graph of the pages of a Nanite resource. Root pages are in the top row, every other
 * page in the row of the finest level of its clusters. Lines lead to the pages that a page needs.
 */
#include "report/html_page.h"

enum { WIDE = 720, ROW = 54, SIZE = 14, MOST_PAGES = 96, MOST_LEVELS = 16 };

struct place {
	double x, y;
};

static uint32_t html_pages_row_of(const struct cs_model *model, uint32_t page)
{
	if (model->pages[page].root)
		return 0;
	uint32_t level = model->pages[page].min_level;
	uint32_t most = model->n_levels < MOST_LEVELS ? model->n_levels : MOST_LEVELS;
	return level < most ? most - level : 1;
}

/* Spreads the pages of each row evenly, in the order of indices. Returns the number of rows. */
static uint32_t place_pages(const struct cs_model *model, struct place places[MOST_PAGES])
{
	size_t in_row[MOST_LEVELS + 2] = {0}, at[MOST_LEVELS + 2] = {0};
	uint32_t y[MOST_LEVELS + 2] = {0}, rows = 0;
	for (uint32_t i = 0; i < model->n_pages; i++)
		in_row[html_pages_row_of(model, i)]++;
	for (size_t i = 0; i < MOST_LEVELS + 2; i++)
		y[i] = in_row[i] ? rows++ : rows;
	for (uint32_t i = 0; i < model->n_pages; i++) {
		uint32_t row = html_pages_row_of(model, i);
		places[i].x = ((double)at[row]++ + 0.5) * WIDE / (double)in_row[row];
		places[i].y = (y[row] + 0.5) * ROW;
	}
	return rows;
}

static void put_ties(
	struct page *page, const struct cs_model *model, const struct place places[MOST_PAGES])
{
	for (size_t i = 0; i < model->n_needs; i++) {
		const struct place *from = &places[model->needs[i].page];
		const struct place *to = &places[model->needs[i].needs];
		page_format(page,
			"<path d=\"M%.5g %.5g L%.5g %.5g\" stroke=\"#888\" fill=\"none\"/>\n",
			from->x, from->y, to->x, to->y);
	}
}

static void html_pages_put_boxes(
	struct page *page, const struct cs_model *model, const struct place places[MOST_PAGES])
{
	for (uint32_t i = 0; i < model->n_pages; i++) {
		const struct cs_model_page *at = &model->pages[i];
		page_format(page,
			"<rect x=\"%.5g\" y=\"%.5g\" width=\"%d\" height=\"%d\" fill=\"%s\" "
			"stroke=\"#222\"><title>page %u, %u cluster%s, %u bytes, needs %u, needed by "
			"%u</title></rect>\n<text x=\"%.5g\" y=\"%.5g\" "
			"text-anchor=\"middle\">%u%s</text>\n",
			places[i].x - SIZE, places[i].y - SIZE / 2.0, 2 * SIZE, SIZE,
			at->root ? "#fdb863" : "#d8daeb", i, at->n_clusters,
			at->n_clusters == 1 ? "" : "s", at->page_bytes, at->n_needs, at->n_users,
			places[i].x, places[i].y + 4, i, at->root ? "R" : "");
	}
}

static void put_graph(struct page *page, const struct cs_model *model)
{
	struct place places[MOST_PAGES];
	uint32_t rows = place_pages(model, places);
	page_format(page,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %u\" width=\"%d\" "
		"height=\"%u\" role=\"img\" font-family=\"sans-serif\" font-size=\"10\">\n",
		WIDE, rows * ROW, WIDE, rows * ROW);
	put_ties(page, model, places);
	html_pages_put_boxes(page, model, places);
	page_put(page, "</svg>\n");
}

/* Lists the 20 most needed pages, for a resource with too many pages to draw. */
static void put_most_needed(struct page *page, const struct cs_model *model)
{
	page_put(page, "<table><thead><tr><th>page</th><th>needed by</th><th>needs</th>"
		       "<th>clusters</th><th>bytes</th></tr></thead><tbody>\n");
	uint32_t last = UINT32_MAX, last_page = 0;
	for (int told = 0; told < 20; told++) {
		uint32_t best = CS_NONE;
		for (uint32_t i = 0; i < model->n_pages; i++) {
			uint32_t users = model->pages[i].n_users;
			bool behind = users < last || (users == last && i > last_page);
			if (behind && (best == CS_NONE || users > model->pages[best].n_users))
				best = i;
		}
		if (best == CS_NONE)
			break;
		last = model->pages[best].n_users;
		last_page = best;
		page_format(page,
			"<tr><td class=\"n\">%u</td><td class=\"n\">%u</td><td class=\"n\">%u</td>"
			"<td class=\"n\">%u</td><td class=\"n\">%u</td></tr>\n",
			best, last, model->pages[best].n_needs, model->pages[best].n_clusters,
			model->pages[best].page_bytes);
	}
	page_put(page, "</tbody></table>\n");
}

void page_graph(struct page *page, const struct cs_model *model)
{
	page_put(page, "<h2>Pages of ");
	page_text(page, model->name);
	page_format(page,
		"</h2>\n<p>%zu page%s (%u root), %zu cluster%s, %zu tie%s: a page is tied to those "
		"above it that it needs; R = root, always there.</p>\n",
		model->n_pages, model->n_pages == 1 ? "" : "s", model->n_root_pages,
		model->n_clusters, model->n_clusters == 1 ? "" : "s", model->n_needs,
		model->n_needs == 1 ? "" : "s");
	if (model->n_pages <= MOST_PAGES)
		put_graph(page, model);
	else
		put_most_needed(page, model);
}
