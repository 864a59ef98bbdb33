/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes histograms and plots of numbers. Every number is in exactly one bin: a number that
 * rounding puts after the last bin is counted in the last one. If the maximum minus the minimum
 * overflows to infinity, both are divided by the number of bins before they are subtracted.
 */
#include "query/sql/query_inside.h"
#include "query/sql/query_internal.h"

#include <math.h>
#include <stdlib.h>

struct cs_error *cs_query_numbers(struct cs_query *query, const struct cs_table *table,
	const void *source, const struct cs_column *column, const uint32_t *rows, size_t n,
	struct cs_numbers *ret)
{
	struct cs_numbers numbers = {.least = INFINITY, .most = -INFINITY};
	struct cs_error *error = cs_query_load(query, table, column->part);
	if (error)
		return error;
	numbers.at = calloc(n + 1, sizeof(*numbers.at));
	if (!numbers.at)
		return cs_error_nomem();
	const bool passes = cs_reads_begin_column(query, table, column);
	for (size_t i = 0; i < n; i++) {
		const struct cs_value value = cs_table_get(table, source, rows[i], column);
		double *number = &numbers.at[numbers.n];
		cs_reads_step(query);
		if (!cs_value_number(&value, number))
			continue;
		numbers.least = fmin(numbers.least, *number);
		numbers.most = fmax(numbers.most, *number);
		numbers.n++;
	}
	cs_reads_end(query, passes);
	*ret = numbers;
	return NULL;
}

/* ---- bins of a histogram ---- */

static bool all_whole(const struct cs_numbers *numbers)
{
	bool whole = true;
	for (size_t i = 0; i < numbers->n; i++)
		whole = whole && numbers->at[i] == trunc(numbers->at[i]);
	return whole;
}

static double width_of_bins(const struct cs_numbers *numbers, size_t *bins)
{
	const double n = (double)*bins, range = numbers->most - numbers->least;
	if (!isfinite(range))
		return numbers->most / n - numbers->least / n;
	if (all_whole(numbers)) {
		double width = fmax(1, ceil((range + 1) / n));
		*bins = (size_t)ceil((range + 1) / width);
		return width;
	}
	return range > 0 ? range / n : 1;
}

static size_t bin_of(double number, double least, double width, size_t bins)
{
	const double above = number - least;
	const double at = isfinite(above) ? above / width : number / width - least / width;
	return at < (double)bins ? (size_t)at : bins - 1;
}

struct cs_error *cs_bins(
	const struct cs_numbers *numbers, size_t most, struct cs_bin **ret, size_t *n_ret)
{
	size_t n = most;
	if (most == 0 || most > CS_MOST_BINS)
		return cs_error_new(CS_E_USAGE,
			"the number of bins of a histogram (--bins) must be 1 to %u, not %zu",
			CS_MOST_BINS, most);
	const double width = numbers->n ? width_of_bins(numbers, &n) : 1;
	struct cs_bin *bins = calloc(n + 1, sizeof(*bins));
	if (!bins)
		return cs_error_nomem();
	for (size_t i = 0; i < numbers->n; i++)
		bins[bin_of(numbers->at[i], numbers->least, width, n)].count++;
	for (size_t i = 0; numbers->n && i < n; i++) {
		bins[i].from = numbers->least + (double)i * width;
		bins[i].to = bins[i].from + width;
		bins[i].share = (double)bins[i].count / (double)numbers->n;
	}
	*ret = bins;
	*n_ret = numbers->n ? n : 0;
	return NULL;
}

/* ---- plots ---- */

struct cs_error *cs_plot_init(const double *values, size_t n, size_t columns, struct cs_plot *ret)
{
	struct cs_plot plot = {.columns = n < columns ? n : columns, .most = -INFINITY};
	plot.at = calloc(plot.columns + 1, sizeof(*plot.at));
	if (!plot.at)
		return cs_error_nomem();
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(values[i]))
			continue;
		plot.least = fmin(plot.least, values[i]);
		plot.most = fmax(plot.most, values[i]);
	}
	for (size_t i = 0; i < plot.columns; i++)
		plot.at[i] = cs_highest(values, n, i, plot.columns);
	if (isinf(plot.most))
		plot.columns = 0;
	*ret = plot;
	return NULL;
}
