/* SPDX-License-Identifier: Apache-2.0 */
/* A page while it is written: a growing array of text, and a flag for lack of memory. */
#pragma once

#include <cellscope/compare.h>
#include <cellscope/query.h>

#include "core/vec.h"

struct page {
	CS_VEC(char) bytes;
	bool failed; /* an allocation failed: the text is incomplete */
};

void page_put(struct page *page, const char *text);
/* Formats in the C locale. Texts from files must not be passed to it. */
void page_format(struct page *page, const char *format, ...) CS_PRINTF(2, 3);
/*
 * Writes a text from a file: escapes markup and characters that would mislead terminals or readers.
 */
void page_text(struct page *page, const char *text);
/* Writes the same as a cell of a table. */
void page_cell(struct page *page, const char *text);
/* Replaces the file and frees the page, also on failure. */
struct cs_error *page_save(struct page *page, const char *path) CS_MUST_USE;

/* Draws a map of at most 720 units. */
struct cs_error *page_map(struct page *page, const struct cs_map_request *request) CS_MUST_USE;
struct chart {
	const double *values;
	size_t n;
	const char *title, *unit;
	const char *first, *last; /* labels below the ends of the axis */
};
void page_chart(struct page *page, const struct chart *chart);
/* A statement of SQL with a heading, words above its answer, and its text below. */
struct section {
	const char *title, *words, *sql;
	size_t most; /* most rows */
};
struct cs_error *page_section(
	struct page *page, struct cs_query *query, const struct section *section) CS_MUST_USE;
/* Writes the answer of a statement as a table of at most `most` rows. */
struct cs_error *page_select(
	struct page *page, struct cs_query *query, const char *sql, size_t most) CS_MUST_USE;
/* Computes the measures of the world and of the earlier cook, and how many of them got worse. */
struct cs_error *page_measure_before(const struct cs_report_input *input,
	struct cs_measure rows[CS_MEASURES], size_t *worse_ret) CS_MUST_USE;
/* Writes the section that compares the world with its earlier cook. */
struct cs_error *page_before(struct page *page, const struct cs_report_input *input) CS_MUST_USE;
/* Writes the verdict of the comparison with the engine, its rows and maps of them. */
struct cs_error *page_engine(struct page *page, const struct cs_cooked *world,
	const struct cs_comparison *comparison, const char *title) CS_MUST_USE;
/* Write the frames of a run with the highest cost, and its memory. */
struct cs_error *page_hitches(struct page *page, const struct cs_stream *stream) CS_MUST_USE;
struct cs_error *page_memory(struct page *page, const struct cs_report_input *input) CS_MUST_USE;
/* Writes what the open files of a real run contain, if there are any. */
struct cs_error *page_real_run(struct page *page, struct cs_query *query) CS_MUST_USE;
/* Draws which pages of a resource need which, or lists the pages that most others need. */
void page_graph(struct page *page, const struct cs_model *model);
