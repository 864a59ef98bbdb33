/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds the text of an HTML page: appends escaped texts and tables, and saves the page as a file.
 */
#include "report/html_page.h"

#include "core/text.h"

#include <cellscope/core.h>
#include <cellscope/runs.h>

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>

void page_put(struct page *page, const char *text)
{
	if (!cs_vec_append(&page->bytes, text, strlen(text)))
		page->failed = true;
}

void page_format(struct page *page, const char *format, ...)
{
	char room[1024];
	va_list arguments;
	struct cs_c_locale locale = cs_c_locale_enter();
	va_start(arguments, format);
	int n = vsnprintf(room, sizeof(room), format, arguments);
	va_end(arguments);
	cs_c_locale_leave(locale);
	if (n < 0 || (size_t)n >= sizeof(room))
		page->failed = true;
	else
		page_put(page, room);
}

static void html_page_put(void *context, const char *bytes, size_t n)
{
	struct page *page = context;
	if (!cs_vec_append(&page->bytes, bytes, n))
		page->failed = true;
}

/* Returns an allocated copy in which characters that reorder or hide text are escaped, or NULL. */
static char *html_page_escape(struct page *page, const char *text, size_t *n_ret)
{
	size_t length = strlen(text), n = cs_escape(text, length, false, NULL, 0);
	char *safe = malloc(n + 1);
	if (safe)
		cs_escape(text, length, false, safe, n + 1);
	else
		page->failed = true;
	*n_ret = n;
	return safe;
}

void page_text(struct page *page, const char *text)
{
	size_t n;
	char *safe = html_page_escape(page, text, &n);
	if (safe)
		cs_text_put(safe, n, CS_FORM_XML, html_page_put, page);
	free(safe);
}

struct cs_error *page_save(struct page *page, const char *path)
{
	struct cs_error *error = page->failed ? cs_error_nomem()
					      : cs_save_whole(path, page->bytes.at, page->bytes.n);
	cs_vec_free(&page->bytes);
	return error;
}

/* ---- tables ---- */

struct breakable {
	struct page *page;
	char before; /* last byte of this text that was written, or 0 before the first */
};

/* Writes bytes with <wbr/> where a browser may break a name: at | in "City_|Main|Grid_0,|1". */
static void html_page_put_breakable(void *context, const char *bytes, size_t n)
{
	struct breakable *to = context;
	for (size_t i = 0; i < n; i++) {
		bool is_word =
			islower((unsigned char)to->before) && isupper((unsigned char)bytes[i]);
		if (is_word || (to->before && strchr("_/,", to->before)))
			page_put(to->page, "<wbr/>");
		html_page_put(to->page, bytes + i, 1);
		to->before = bytes[i];
	}
}

/* Writes a table cell. Only long texts may be broken, so that tables fit into the page. */
static void put_cell_text(struct page *page, const char *safe, size_t n)
{
	enum { SHORT = 24 };
	struct breakable name = {page, '\0'};
	page_put(page, n > SHORT ? "<td class=\"w\">" : "<td>");
	if (n > SHORT)
		cs_text_put(safe, n, CS_FORM_XML, html_page_put_breakable, &name);
	else
		cs_text_put(safe, n, CS_FORM_XML, html_page_put, page);
	page_put(page, "</td>");
}

void page_cell(struct page *page, const char *text)
{
	size_t n;
	char *safe = html_page_escape(page, text, &n);
	if (safe)
		put_cell_text(page, safe, n);
	free(safe);
}

static void put_cell_value(struct page *page, const struct cs_value *value)
{
	struct page text = {.failed = false};
	cs_value_put(value, CS_FORM_TEXT, html_page_put, &text);
	if (value->kind == CS_KIND_INTEGER || value->kind == CS_KIND_NUMBER)
		page_format(page, "<td class=\"n\">%.*s</td>", (int)text.bytes.n, text.bytes.at);
	else
		put_cell_text(page, text.bytes.at, text.bytes.n);
	page->failed |= text.failed;
	cs_vec_free(&text.bytes);
}

static void put_rows(struct page *page, const struct cs_result *result, size_t most)
{
	const struct cs_table *table = cs_result_table(result);
	size_t n = cs_result_rows(result);
	page_put(page, "<table><thead><tr>");
	for (size_t k = 0; k < table->n_columns; k++) {
		page_put(page, "<th>");
		page_text(page, table->columns[k].key);
		page_put(page, "</th>");
	}
	page_put(page, "</tr></thead><tbody>\n");
	for (size_t i = 0; i < n && i < most; i++) {
		page_put(page, "<tr>");
		for (size_t k = 0; k < table->n_columns; k++) {
			struct cs_value value = cs_result_value(result, i, k);
			put_cell_value(page, &value);
		}
		page_put(page, "</tr>\n");
	}
	page_put(page, "</tbody></table>\n");
	if (n > most)
		page_format(page, "<p>%zu more row%s.</p>\n", n - most, n - most == 1 ? "" : "s");
}

/* Runs an SQL statement and appends its answer as a table of at most `most` rows. */
static struct cs_error *page_select(
	struct page *page, struct cs_query *query, const char *sql, size_t most)
{
	struct cs_result *result;
	struct cs_error *error =
		cs_query_select(query, sql, (struct cs_parameters){NULL, 0}, &result);
	if (error)
		return error;
	if (cs_result_rows(result) > 0)
		put_rows(page, result, most);
	else
		page_put(page, "<p>None.</p>\n");
	cs_result_free(result);
	return NULL;
}

struct cs_error *page_section(
	struct page *page, struct cs_query *query, const struct section *section)
{
	page_format(page, "<h2>%s</h2>\n<p>%s</p>\n", section->title, section->words);
	struct cs_error *error = page_select(page, query, section->sql, section->most);
	page_put(page, "<details><summary>SQL</summary><code>");
	page_text(page, section->sql);
	page_put(page, "</code></details>\n");
	return error;
}
