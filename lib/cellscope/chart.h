/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers made ready to be drawn: how those of a column of rows are spread over bins, bars, and
 * curves of more values than there is room for.
 */
#ifndef CELLSCOPE_CHART_H
#define CELLSCOPE_CHART_H

#include <cellscope/query.h>

CS_BEGIN_DECLS

/* ---- numbers ---- */

/* Those of the rows that have one; n = 0: none has, and least and most mean nothing. */
struct cs_numbers {
	double *at;
	size_t n;
	double least, most;
};

/* Of one column, in the order of `rows`: integers, numbers, booleans as 0 and 1. `at` is freed by
 * the caller. */
CS_API struct cs_error *cs_query_numbers(struct cs_query *query, const struct cs_table *table,
	const void *source, const struct cs_column *column, const uint32_t *rows, size_t n,
	struct cs_numbers *ret) CS_MUST_USE;

/* ---- bins ---- */

#define CS_MOST_BINS 1000u

/* Numbers from `from` on and below `to`; the last bin has the greatest too. */
struct cs_bin {
	double from, to;
	size_t count;
	double share; /* of all numbers, 0..1 */
};

/*
 * At most `most` bins of one width, the least number at the beginning of the first; freed by the
 * caller. Whole numbers get bins of a whole width, one each where there are few. No numbers, no
 * bins. E_USAGE: `most` is 0 or more than CS_MOST_BINS.
 */
CS_API struct cs_error *cs_bins(const struct cs_numbers *numbers, size_t most, struct cs_bin **ret,
	size_t *n_ret) CS_MUST_USE;
/* The count of the fullest, 0 of none. */
CS_API size_t cs_bins_fullest(const struct cs_bin *bins, size_t n);

/* ---- bars ---- */

/*
 * A bar of '#', `width` of them for `most` and in proportion for less: at least one for what is
 * above 0, none for the rest and for NAN. `ret` has room for `width` and a NUL; returns the length.
 */
CS_API size_t cs_bar(double value, double most, size_t width, char *ret);

/* ---- plots ---- */

/*
 * The highest of `n` values that share a column of `columns`, for peaks are what one looks for;
 * where there are more columns than values, of the one that is there. Values that are not finite
 * are left out; NAN where no other is.
 */
CS_API double cs_highest(const double *values, size_t n, size_t column, size_t columns);

/* Values over columns, above an axis at 0, or at the least where that is below. */
struct cs_plot {
	double *at;         /* of each column its highest value; NAN = none */
	size_t columns;     /* 0: no value is finite */
	double least, most; /* of the axis; `most` is the greatest value, which may be below 0 */
};

/* At most `columns`, one a value where there is room. */
CS_API struct cs_error *cs_plot_init(
	const double *values, size_t n, size_t columns, struct cs_plot *ret) CS_MUST_USE;
CS_API void cs_plot_deinit(struct cs_plot *plot);
/* The value at `part` of `parts` of the height. */
CS_API double cs_plot_level(const struct cs_plot *plot, unsigned part, unsigned parts);
/* How high a column is, of `height`: rounded up, so that what is above the axis is seen. */
CS_API unsigned cs_plot_height(const struct cs_plot *plot, size_t column, unsigned height);

CS_END_DECLS

#endif
