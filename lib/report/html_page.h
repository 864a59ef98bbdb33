/* SPDX-License-Identifier: Apache-2.0 */
/* An HTML page that is being written: a growing array of text, and a flag for lack of memory. */
#pragma once

#include <cellscope/compare.h>
#include <cellscope/query.h>

#include "core/vec.h"

struct page {
	CS_VEC(char) bytes;
	bool failed; /* an allocation failed: the text is incomplete */
};

void page_put(struct page *page, const char *text);
/* Formats up to 1023 bytes in the C locale. They are not escaped: pass no texts from files. */
void page_format(struct page *page, const char *format, ...) CS_PRINTF(2, 3);
/* Appends a text from a file; escapes markup and characters that mislead terminals or readers. */
void page_text(struct page *page, const char *text);
/* Appends a table cell with the text, escaped like page_text(). */
void page_cell(struct page *page, const char *text);
/* Writes the page to the file, which is replaced as a whole. Frees the page, also on failure. */
struct cs_error *page_save(struct page *page, const char *path) CS_MUST_USE;

/* Appends a map as SVG, at most 720 SVG units wide and high without its axes, and its legend. */
struct cs_error *page_map(struct page *page, const struct cs_map_request *request) CS_MUST_USE;
struct chart {
	const double *values;
	size_t n;
	const char *title, *unit;
	const char *first, *last; /* labels below the left and right end of the horizontal axis */
};
void page_chart(struct page *page, const struct chart *chart);
/*
 * A section of the page: title, introduction, and an SQL statement that is shown with its answer.
 */
struct section {
	const char *title, *words, *sql;
	size_t most; /* maximum number of rows shown */
};
struct cs_error *page_section(
	struct page *page, struct cs_query *query, const struct section *section) CS_MUST_USE;
/* Computes the measures of the world and of the earlier cook. Stores how many got worse. */
struct cs_error *page_measure_before(const struct cs_report_input *input,
	struct cs_measure rows[CS_MEASURES], size_t *worse_ret) CS_MUST_USE;
/* Appends the section that compares the reported world with its earlier cook. */
struct cs_error *page_before(struct page *page, const struct cs_report_input *input) CS_MUST_USE;
/* Appends a comparison of our cook with the engine's: result, different rows, difference maps. */
struct cs_error *page_engine(struct page *page, const struct cs_cooked *world,
	const struct cs_comparison *comparison, const char *title) CS_MUST_USE;
/* Append the simulated frames with the highest cost, and the memory that the simulated run used. */
struct cs_error *page_hitches(struct page *page, const struct cs_stream *stream) CS_MUST_USE;
struct cs_error *page_memory(struct page *page, const struct cs_report_input *input) CS_MUST_USE;
/* Appends tables and charts of the opened files of a real run; nothing if no such file is open. */
struct cs_error *page_real_run(struct page *page, struct cs_query *query) CS_MUST_USE;
/*
 * Draws the dependencies between the Nanite pages of a resource. If there are too many pages, lists
 * those that the largest numbers of other pages need.
 */
void page_graph(struct page *page, const struct cs_model *model);
