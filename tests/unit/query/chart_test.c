/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers of rows, made ready to be drawn: what counts as a number, bins against counting each of
 * them by its own bounds, and ranges that no double can hold; bars against whole numbers; peaks
 * against each value.
 */
#include <cellscope/query.h>

#include "core/random.h"
#include "tests/samples/tap.h"

#include <float.h>
#include <math.h>

/* ---- numbers of a table ---- */

static const struct cs_value cells[] = {
	{.kind = CS_KIND_INTEGER, .integer = -3},
	{.kind = CS_KIND_NULL},
	{.kind = CS_KIND_NUMBER, .number = 2.5},
	{.kind = CS_KIND_TEXT, .text = "7"},
	{.kind = CS_KIND_BOOL, .yes = true},
};

enum { CELLS = sizeof(cells) / sizeof(cells[0]) };

static size_t count_cells(const void *source)
{
	(void)source;
	return CELLS;
}

static const void *cell_row(const void *source, size_t index)
{
	return (const struct cs_value *)source + index;
}

static void get_cell(const struct cs_row *row, const struct cs_column *column, struct cs_value *ret)
{
	(void)column;
	*ret = *(const struct cs_value *)row->record;
}

static void test_numbers(void)
{
	static const struct cs_column column = {
		.key = "value", .kind = CS_KIND_NUMBER, .get = get_cell};
	static const struct cs_table table = {.name = "mixed",
		.row_name = "mix",
		.columns = &column,
		.n_columns = 1,
		.count = count_cells,
		.row = cell_row};
	static const uint32_t rows[] = {4, 3, 2, 1, 0}, texts[] = {1, 3};
	struct cs_query *query;
	struct cs_numbers numbers;
	works(cs_query_new(&query), "a query");
	works(cs_query_add(query, &table, cells), "over a table");
	works(cs_query_numbers(query, &table, cells, &column, rows, CELLS, &numbers), "numbers");
	ok(numbers.n == 3 && numbers.at[0] == 1 && numbers.at[1] == 2.5 && numbers.at[2] == -3,
		"in the order of the rows, without texts and nulls");
	ok(numbers.least == -3 && numbers.most == 2.5, "the least and the greatest");
	free(numbers.at);
	works(cs_query_numbers(query, &table, cells, &column, texts, 2, &numbers), "of no number");
	is_int(numbers.n, 0, "there is none");
	free(numbers.at);
	cs_query_free(query);
}

/* ---- bins ---- */

static struct cs_numbers numbers_of(double *at, size_t n)
{
	struct cs_numbers numbers = {at, n, INFINITY, -INFINITY};
	for (size_t i = 0; i < n; i++) {
		numbers.least = fmin(numbers.least, at[i]);
		numbers.most = fmax(numbers.most, at[i]);
	}
	return numbers;
}

/*
 * Returns whether each number is counted in the bin whose bounds contain it. Numbers so near to a
 * bound that rounding decides may be in either bin.
 */
static bool counted_right(
	const struct cs_numbers *numbers, const struct cs_bin *bins, size_t n, double slack)
{
	double share = 0;
	size_t all = 0;
	bool right = true;
	for (size_t b = 0; b < n; b++) {
		size_t least = 0, most = 0;
		for (size_t i = 0; i < numbers->n; i++) {
			const double at = numbers->at[i], to = b + 1 < n ? bins[b].to : INFINITY;
			least += at >= bins[b].from + slack && at < to - slack;
			most += at >= bins[b].from - slack && at < to + slack;
		}
		right = right && least <= bins[b].count && bins[b].count <= most;
		share += bins[b].share;
		all += bins[b].count;
	}
	return right && all == numbers->n && fabs(share - 1) < 1e-9;
}

static void test_whole(void)
{
	double at[] = {4, 5, 5, 8, 4}, wide[] = {0, 99, 50}, one_more[] = {0, 16};
	struct cs_numbers numbers = numbers_of(at, 5);
	struct cs_bin *bins;
	size_t n;
	works(cs_bins(&numbers, 16, &bins, &n), "whole numbers");
	is_int(n, 5, "have a bin each");
	ok(bins[0].count == 2 && bins[1].count == 2 && bins[2].count == 0 && bins[4].count == 1,
		"counted");
	ok(bins[1].from == 5 && bins[1].to == 6 && bins[1].share == .4, "from one to the next");
	free(bins);
	numbers = numbers_of(wide, 3);
	works(cs_bins(&numbers, 16, &bins, &n), "more whole numbers than bins");
	is_int(n, 15, "as many as are needed");
	ok(bins[0].to == 7 && counted_right(&numbers, bins, n, 0), "of a whole width");
	free(bins);
	numbers = numbers_of(one_more, 2);
	works(cs_bins(&numbers, 16, &bins, &n), "one whole number more than bins");
	ok(n == 9 && bins[8].count == 1 && bins[8].from == 16, "has two of them in a bin");
	free(bins);
}

static void test_random(void)
{
	struct cs_random random = {7};
	double at[500];
	bool right = true;
	for (size_t most = 1; most <= 64; most++) {
		struct cs_bin *bins;
		size_t n = 0;
		for (size_t i = 0; i < 500; i++)
			at[i] = cs_random_unit(&random) * 1000 - 400;
		const struct cs_numbers numbers = numbers_of(at, 500);
		struct cs_error *error = cs_bins(&numbers, most, &bins, &n);
		right = right && !error && n == most && counted_right(&numbers, bins, n, 1e-9);
		free(bins);
	}
	ok(right, "bins of any number count each of the numbers once, where it lies");
}

static void test_limits(void)
{
	double at[] = {-DBL_MAX, DBL_MAX, DBL_MAX * .3}, equal[] = {.25, .25};
	struct cs_numbers numbers = numbers_of(at, 3);
	struct cs_bin *bins;
	size_t n;
	works(cs_bins(&numbers, 4, &bins, &n), "a range that is no finite number");
	ok(n == 4 && bins[0].count == 1 && bins[2].count == 1 && bins[3].count == 1,
		"is spread all the same");
	free(bins);
	numbers = numbers_of(equal, 2);
	works(cs_bins(&numbers, 3, &bins, &n), "numbers without a range");
	ok(n == 3 && bins[0].count == 2 && bins[0].to == 1.25, "lie in the first bin");
	free(bins);
	numbers = numbers_of(NULL, 0);
	works(cs_bins(&numbers, 16, &bins, &n), "no numbers");
	is_int(n, 0, "no bins");
	free(bins);
	fails(cs_bins(&numbers, 0, &bins, &n), CS_E_USAGE, "no bins are asked for");
	fails(cs_bins(&numbers, CS_MOST_BINS + 1, &bins, &n), CS_E_USAGE, "too many are");
}

/* ---- bars ---- */

static void test_bars(void)
{
	const size_t width = 40;
	char bar[41];
	bool right = true;
	for (size_t most = 1; most <= 130; most++)
		for (size_t value = 0; value <= most; value++) {
			size_t n = 0; /* the least that covers it, in whole numbers */
			while (n * most < value * width)
				n++;
			right = right && cs_bar((double)value, (double)most, width, bar) == n &&
				strlen(bar) == n && strspn(bar, "#") == n;
		}
	ok(right, "bars of counts are as long as whole numbers say");
	is_int(cs_bar(DBL_MAX / 4, DBL_MAX, width, bar), 10, "a quarter of the largest number");
	is_int(cs_bar(1e-300, 1, width, bar), 1, "what is above 0 is seen");
	is_int(cs_bar(2, 1, width, bar), width, "more than the most has all of it");
	ok(cs_bar(-1, 1, width, bar) == 0 && cs_bar(1, 0, width, bar) == 0 &&
			cs_bar((double)NAN, 1, width, bar) == 0 && *bar == '\0',
		"nothing has no bar");
	const struct cs_bin bins[] = {{.count = 3}, {.count = 9}, {.count = 1}};
	ok(cs_bins_fullest(bins, 3) == 9 && cs_bins_fullest(bins, 1) == 3 &&
			cs_bins_fullest(NULL, 0) == 0,
		"the fullest bin");
}

/* ---- plots ---- */

static void test_highest(void)
{
	const double values[] = {1, NAN, 3, 2, INFINITY, -1, NAN, NAN};
	ok(cs_highest(values, 8, 0, 2) == 3 && cs_highest(values, 8, 1, 2) == -1,
		"the highest of a column, whatever is behind it");
	ok(isnan(cs_highest(values, 8, 3, 4)), "nothing is higher than nothing");
	ok(cs_highest(values, 8, 2, 8) == 3 && isnan(cs_highest(values, 8, 4, 8)),
		"a column a value");
	ok(cs_highest(values, 3, 4, 6) == 3 && isnan(cs_highest(values, 0, 0, 1)),
		"more columns than values");
	struct cs_random random = {3};
	double many[97];
	bool right = true;
	for (size_t i = 0; i < 97; i++)
		many[i] = cs_random_unit(&random) < .3 ? (double)NAN : cs_random_unit(&random);
	for (size_t columns = 1; columns <= 97; columns++) {
		size_t seen = 0;
		for (size_t i = 0; i < 97; i++) { /* what each value is in is no lower */
			size_t column = 0;
			while ((column + 1) * 97 / columns <= i)
				column++;
			right = right && !(many[i] > cs_highest(many, 97, column, columns));
			seen += many[i] == cs_highest(many, 97, column, columns);
		}
		for (size_t column = 0; column < columns; column++)
			seen -= !isnan(cs_highest(many, 97, column, columns));
		right = right && seen == 0;
	}
	ok(right, "in columns of any number each is the highest of its values, and one of them");
}

static void test_plots(void)
{
	const double values[] = {-2, NAN, 6, 0, 2, NAN}, none[] = {NAN, -INFINITY};
	const double wide[] = {-DBL_MAX, DBL_MAX, 0}, below[] = {-3, -1};
	struct cs_plot plot;
	works(cs_plot_init(values, 6, 3, &plot), "a plot");
	ok(plot.columns == 3 && plot.least == -2 && plot.most == 6, "from the least to the most");
	ok(cs_plot_height(&plot, 0, 64) == 0 && cs_plot_height(&plot, 1, 64) == 64 &&
			cs_plot_height(&plot, 2, 64) == 32 && cs_plot_height(&plot, 2, 3) == 2,
		"heights are in proportion, and rounded up");
	ok(cs_plot_level(&plot, 0, 8) == -2 && cs_plot_level(&plot, 4, 8) == 2 &&
			cs_plot_level(&plot, 8, 8) == 6,
		"levels of the axis");
	free(plot.at);
	works(cs_plot_init(values + 2, 2, 9, &plot), "less values than columns");
	ok(plot.columns == 2 && plot.least == 0 && cs_plot_height(&plot, 1, 8) == 0,
		"one each, above 0");
	free(plot.at);
	works(cs_plot_init(none, 2, 9, &plot), "no finite value");
	is_int(plot.columns, 0, "no column");
	free(plot.at);
	works(cs_plot_init(wide, 3, 3, &plot), "a range that is no finite number");
	ok(cs_plot_height(&plot, 1, 64) == 64 && cs_plot_height(&plot, 2, 64) == 32 &&
			cs_plot_level(&plot, 4, 8) == 0,
		"is drawn all the same");
	free(plot.at);
	works(cs_plot_init(below, 2, 2, &plot), "all below 0");
	ok(plot.least == -3 && plot.most == -1 && cs_plot_height(&plot, 1, 8) == 8,
		"stand above the least");
	free(plot.at);
}

int main(void)
{
	test_numbers();
	test_whole();
	test_random();
	test_limits();
	test_bars();
	test_highest();
	test_plots();
	return done();
}
