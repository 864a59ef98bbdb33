/* SPDX-License-Identifier: Apache-2.0 */
/* Text of a page while it is written: a growing array, and one flag for want of memory. */
#pragma once

#include <cellscope/compare.h>
#include <cellscope/query.h>

#include "core/vec.h"

struct page {
	CS_VEC(char) bytes;
	bool failed; /* there was no memory: what is there is not whole */
};

void page_put(struct page *page, const char *text);
/* In the C locale. No text of a file may go through it. */
void page_format(struct page *page, const char *format, ...) CS_PRINTF(2, 3);
/* Text of a file: markup and what a terminal or a reader would take amiss is escaped. */
void page_text(struct page *page, const char *text);
/* The same as a cell of a table. */
void page_cell(struct page *page, const char *text);
/* Replaces the file and frees the page, whatever happens. */
struct cs_error *page_save(struct page *page, const char *path) CS_MUST_USE;

/* The picture of a map, of at most 720 units. */
struct cs_error *page_map(struct page *page, const struct cs_map_request *request) CS_MUST_USE;
struct chart {
	const double *values;
	size_t n;
	const char *title, *unit;
	const char *first, *last; /* below the ends of the axis */
};
void page_chart(struct page *page, const struct chart *chart);
/* A statement with a heading, words above its answer, and itself below. */
struct section {
	const char *title, *words, *sql;
	size_t most; /* rows */
};
struct cs_error *page_section(
	struct page *page, struct cs_query *query, const struct section *section) CS_MUST_USE;
/* The answer of a statement as a table, with at most `most` rows. */
struct cs_error *page_select(
	struct page *page, struct cs_query *query, const char *sql, size_t most) CS_MUST_USE;
/* The measures of the world beside those of the cook before, and how many of them got worse. */
struct cs_error *page_measure_before(const struct cs_report_input *input,
	struct cs_measure rows[CS_MEASURES], size_t *worse_ret) CS_MUST_USE;
/* Sections of their own: the cook before, the engine's answer, the pages of a resource. */
struct cs_error *page_before(struct page *page, const struct cs_report_input *input) CS_MUST_USE;
/* The verdict on one of the engine's answers, its rows and maps of them. */
struct cs_error *page_engine(struct page *page, const struct cs_cooked *world,
	const struct cs_comparison *comparison, const char *title) CS_MUST_USE;
/* The frames of a run that cost most, and what it has in memory. */
struct cs_error *page_hitches(struct page *page, const struct cs_stream *stream) CS_MUST_USE;
struct cs_error *page_memory(struct page *page, const struct cs_report_input *input) CS_MUST_USE;
/* What files of a real run tell, where some are open. */
struct cs_error *page_real_run(struct page *page, struct cs_query *query) CS_MUST_USE;
void page_graph(struct page *page, const struct cs_model *model);
