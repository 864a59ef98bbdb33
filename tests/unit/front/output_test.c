/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of output: the safe printf against printf, tables and records, JSON read back by a strict
 * reader, CSV by a reader of its rules, filters.
 */
#include "src/output/output.h"

#include "core/random.h"
#include "query/sql/query_inside.h"
#include "src/language/definitions.h"
#include "src/output/lines.h"
#include "tests/samples/folder.h"
#include "tests/samples/sample.h"
#include "tests/samples/tap.h"

#include <jansson.h>
#include <locale.h>

static char *printed;
static size_t printed_n;

static struct memory_sink memory;

static struct output *begin(struct output *out, const struct style *style)
{
	memory_sink_init(&memory);
	output_init(out, style, &memory.sink);
	return out;
}

static const char *end(struct output *out)
{
	free(printed);
	printed = NULL;
	works(output_end(out), "output ends");
	works(memory_sink_take(&memory, &printed, &printed_n), "and is taken");
	return printed;
}

/* ---- printf ---- */

#define SAME(...)                                                 \
	do {                                                      \
		char want[500];                                   \
		snprintf(want, sizeof(want), __VA_ARGS__);        \
		say(begin(&out, &style_of_scripts), __VA_ARGS__); \
		is_text(end(&out), want, "as printf: %s", want);  \
	} while (0)

static void test_printf(void)
{
	struct output out;
	SAME("plain, 100%%");
	SAME("%d %5d|%-5d|%05d|%+d", 1, -2, 3, -4, 5);
	SAME("%u %x %X %#x %o", 1u, 255u, 255u, 255u, 8u);
	SAME("%ld %lld %lu %llu %zu %zd", 1L, -2LL, 3UL, UINT64_MAX + 0ULL, (size_t)5, (ssize_t)-6);
	SAME("%g %.3f %10.2e|%-8.1f|", 0.5, 1.0 / 3, 12345.678, 9.99);
	say(begin(&out, &style_of_scripts), "%g %.3g %8.5g %.3g %g %g %.3g", 1310720.0, 2743.4,
		983040.0, 0.00012345, 1e15, -1234567.8, 9999.96);
	is_text(end(&out), "1310720 2743   983040 0.000123 1e+15 -1234568 10000",
		"a number below 1e15 has no exponent for its size");
	SAME("%s|%8s|%-8s|%.2s|%*s|%-*s|%.*s", "a", "b", "c", "def", 5, "g", 5, "h", 1, "ij");
	SAME("%c%c", 'x', 'y');
	say(begin(&out, &style_of_scripts), "%s|%-12s|%c", "\x1b[31m", "\xc3\xa9\n", '\a');
	is_text(end(&out), "\\x1b[31m|\\xc3\\xa9\\x0a|\\x07", "texts are escaped");
	char long_text[1000];
	memset(long_text, '\x01', sizeof(long_text) - 1);
	long_text[sizeof(long_text) - 1] = '\0';
	say(begin(&out, &style_of_scripts), "%s", long_text);
	is_int(strlen(end(&out)), 4 * 999, "also long ones");
	say_lines(begin(&out, &style_of_scripts), "one\n\x1btwo\n\nthree");
	is_text(end(&out), "one\n\\x1btwo\n\nthree\n", "lines are escaped each");
	setlocale(LC_CTYPE, "C.UTF-8");
	say(begin(&out, &(struct style){0}), "%6s|%-6s|%s", "\xe2\x82\xac", "\xe4\xb8\xad",
		"\xe2\x80\xae");
	is_text(end(&out), "     \xe2\x82\xac|\xe4\xb8\xad    |\\xe2\\x80\\xae",
		"widths are columns of the screen");
}

static void test_modes(void)
{
	const struct style json = {.format = FORMAT_JSON, .compact = true};
	struct output out;
	say(begin(&out, &json), "one\ntwo \"2\"\n");
	is_text(end(&out),
		"{\"schema\":\"cellscope.text/1\",\"rows\":[{\"text\":\"one\"},"
		"{\"text\":\"two \\\"2\\\"\"}]}\n",
		"what is said, as JSON");
	note(begin(&out, &json), "for people");
	is_text(end(&out), "", "a note is not for machines");
	say_colour(begin(&out, &(struct style){.colour = true}), COLOUR_BAD);
	is_text(end(&out), "\033[31m", "a colour");
	say_colour(begin(&out, &style_of_scripts), COLOUR_BAD);
	is_text(end(&out), "", "and none");
}

/* ---- rows ---- */

static struct cs_cooked *world;
static struct cs_query *query;

static const char *emitted(
	const char *name, const struct style *style, const char *columns, bool record, size_t n)
{
	struct output out;
	struct rows rows = {.columns = columns, .as_record = record};
	rows.table = cs_query_table_named(query, name, &rows.source);
	cs_error_free(cs_query_load(query, rows.table, 1));
	rows.n = n && n < rows.table->count(rows.source) ? n : rows.table->count(rows.source);
	begin(&out, style);
	works(emit_rows(&out, &rows), "%s are emitted", name);
	return end(&out);
}

static void test_tables(void)
{
	is_text(emitted("cells", &style_of_scripts, "name,x,always_loaded,cell_min", false, 2),
		"name                         x  always_loaded  cell_min\n"
		"Valley_MainGrid_L0_X-2_Y-2  -2  no             -25600,-25600,0\n"
		"Valley_MainGrid_L0_X-1_Y-2  -1  no             -12800,-25600,0\n",
		"a table");
	const struct style narrow = {.width = 30, .ascii = true};
	is_text(emitted("cells", &narrow, "name,x,grid", false, 1),
		"name               x  grid\n"
		"..rid_L0_X-2_Y-2  -2  MainGrid\n",
		"a name gives way on a narrow screen, its beginning first");
	is_text(emitted("actors", &style_of_scripts, "label,parent,layers", true, 1),
		"label   Rock_0\n", "a record leaves out what is not there");
	struct output out;
	const struct rows wrong = {
		.table = cs_query_table_named(query, "cells", &(const void *){0}),
		.columns = "name,bites"};
	begin(&out, &style_of_scripts);
	fails(emit_rows(&out, &wrong), CS_E_USAGE, "a column that is not there");
	end(&out);
}

/* Every row of every table is JSON with every column, in both forms. */
static void test_json(void)
{
	static const struct style styles[] = {
		{.format = FORMAT_JSON}, {.format = FORMAT_JSON, .compact = true}};
	for (size_t t = 0; t < cs_query_tables(query) * 2; t++) {
		const void *source;
		const struct cs_table *table = cs_query_table(query, t / 2, &source);
		const char *text = emitted(table->name, &styles[t % 2], NULL, false, 0);
		json_error_t why;
		json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, &why);
		json_t *rows = json_object_get(json, "rows");
		size_t wrong = 0, lines = 0;
		for (size_t i = 0; i < json_array_size(rows); i++)
			wrong += json_object_size(json_array_get(rows, i)) != table->n_columns;
		for (const char *c = text; *c; c++)
			lines += *c == '\n';
		ok(json && wrong == 0 && json_array_size(rows) == table->count(source),
			"%s: %zu rows of JSON", table->name, json_array_size(rows));
		ok(t % 2 == 0 || lines == 1, "on one line when asked");
		json_decref(json);
	}
}

/* Returns the number of fields that each line of a CSV text has; -1 when it is not CSV. */
static int csv_fields(const char *text, size_t *lines_ret)
{
	int fields = 1, first = 0;
	*lines_ret = 0;
	for (const char *c = text; *c; c++) {
		if (*c == '"') {
			for (c++; *c && (*c != '"' || c[1] == '"'); c++)
				c += *c == '"';
			if (!*c || !strchr(",\n", c[1]))
				return -1;
		} else if (*c == ',') {
			fields++;
		} else if (*c == '\n') {
			if (first && fields != first)
				return -1;
			first = fields;
			fields = 1;
			++*lines_ret;
		}
	}
	return first;
}

static void test_csv(void)
{
	static const struct style csv = {.format = FORMAT_CSV, .ascii = true};
	static const struct style tsv = {.format = FORMAT_TSV, .ascii = true};
	size_t lines;
	is_text(emitted("actors", &csv, "label,location,layers,references,parent", false, 1),
		"label,location_x,location_y,location_z,layers,references,parent\n"
		"Rock_0,-25349.5,-25250,150,,,\n",
		"CSV: vectors have columns, nulls are empty");
	for (size_t t = 0; t < cs_query_tables(query); t++) {
		const void *source;
		const struct cs_table *table = cs_query_table(query, t, &source);
		int fields = csv_fields(emitted(table->name, &csv, NULL, false, 0), &lines);
		ok(fields >= (int)table->n_columns && lines == table->count(source) + 1,
			"%s: %zu lines of CSV, %d fields each", table->name, lines, fields);
	}
	is_text(emitted("layers", &tsv, "label,type", false, 0),
		"label\ttype\nDL_Base\truntime\nDL_Night\truntime\n", "TSV");
}

static void test_filters(void)
{
	struct filter *filter;
	struct filter_sink lines;
	works(filter_new("/^[a-c]+$/", &filter), "an expression");
	ok(filter_matches(filter, "abc"), "matches whole");
	ok(!filter_matches(filter, "abcd"), "and not beyond");
	memory_sink_init(&memory);
	filter_sink_init(&lines, filter, &memory.sink);
	for (const char *c = "abc\nxyz\ncba\n\nb"; *c; c++)
		sink_write(&lines.sink, c, 1);
	works(sink_close(&lines.sink), "closes");
	free(printed);
	works(memory_sink_take(&memory, &printed, &printed_n), "taken");
	is_text(printed, "abc\ncba\nb\n", "whole lines, however they come");
	works(filter_end(filter), "and ends");
	fails(filter_new("/(/", &filter), CS_E_USAGE, "a wrong expression");
	works(filter_new("(", &filter), "a substring is no expression");
	ok(filter_matches(filter, "a(b"), "it is found as it is");
	works(filter_end(filter), "and ends");
}

/* A filter compares whole values, even where the screen shows only part of them. */
static void test_filtered_table(void)
{
	static const struct style narrow = {.width = 30, .ascii = true};
	struct output out;
	struct filter *filter;
	struct filter_sink lines;
	struct rows rows = {.columns = "name,x,grid", .n = 2};
	rows.table = cs_query_table_named(query, "cells", &rows.source);
	works(filter_new("Valley_MainGrid_L0_X-1", &filter), "a name that the screen cuts");
	begin(&out, &narrow);
	out.filter = filter;
	filter_sink_init(&lines, filter, &memory.sink);
	out.sink = &lines.sink;
	works(emit_rows(&out, &rows), "a filtered table");
	works(sink_close(&lines.sink), "closes");
	is_text(end(&out), "..rid_L0_X-1_Y-2  -1  MainGrid\n", "its row is found");
	works(filter_end(filter), "and ends");
}

static void test_texts(void)
{
	struct definitions paths = {0};
	struct line_list left, right;
	struct output out;
	char *text;
	size_t n;
	works(define(&paths, "A", "/tmp/a"), "a path");
	works(define(&paths, "AB", "/tmp/a/b"), "a longer one");
	works(define(&paths, "N", "1"), "a number");
	works(put_back_definitions(&paths, "/tmp/a/b/1 /tmp/a/c", 19, &text, &n), "put back");
	is_text(text, "@AB@/1 @A@/c", "the longest path first, numbers never");
	free(text);
	definitions_free(&paths);
	works(split_lines("a\nb\nc\nd\n", 8, &left), "lines");
	works(split_lines("a\nx\\x1b\nc\nd", 11, &right), "other lines");
	say_diff(begin(&out, &style_of_scripts), "want", &left, "got", &right);
	is_text(end(&out), "--- want\n+++ got\n@@ -1,4 +1,4 @@\n a\n-b\n+x\\x1b\n c\n d\n",
		"a unified diff");
	line_list_free(&left);
	line_list_free(&right);
}

int main(void)
{
	char path[4096];
	free(printed);
	snprintf(path, sizeof(path), "%s/output.cworld", test_folder());
	test_printf();
	test_modes();
	works(sample_save(path, &(struct sample_options){0}), "the sample");
	works(cs_cooked_open(path, NULL, &world), "opens");
	works(cs_query_new(&query), "a query");
	works(cs_query_add_cooked(query, world), "over it");
	test_tables();
	test_json();
	test_csv();
	test_filters();
	test_filtered_table();
	test_texts();
	cs_query_free(query);
	cs_cooked_close(world);
	free(printed);
	return done();
}
