/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Implements sweeps, which try several values of one or two settings. Each combination is cooked as
 * a what-if. Among the cooks within the budget, the one with the lowest value of a chosen measure
 * is the best; of equal ones, the first.
 */
#include "core/items.h"
#include "core/job.h"
#include "core/options.h"
#include "core/vec.h"
#include "whatif/whatif_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the numbers of a row ---- */

/* Indices of a row's numbers: the values of two settings, then, from NUMBERS on, the measures. */
enum { FIRST_VALUE, SECOND_VALUE, NUMBERS };

static size_t find_key(const char *name)
{
	if (strcmp(name, "value") == 0)
		return FIRST_VALUE;
	if (strcmp(name, "second") == 0)
		return SECOND_VALUE;
	size_t number = cs_whatif_find_number(name);
	return number == SIZE_MAX ? SIZE_MAX : NUMBERS + number;
}

static double sweep_number_of(const struct cs_sweep_row *row, size_t key)
{
	return key < NUMBERS ? row->values[key] : cs_whatif_number(&row->counts, key - NUMBERS);
}

/* Refuses a bound of a number that the sweep does not measure, as no row would be within it. */
static struct cs_error *check_measured(const struct cs_sweep_options *options, size_t key)
{
	const struct cs_sweep_row row = {.values = {0, options->n_ranges > 1 ? 0 : NAN},
		.counts.peak_cells = options->path ? 0 : -1};
	if (!isnan(sweep_number_of(&row, key)))
		return NULL;
	return key < NUMBERS
		       ? cs_error_new(CS_E_USAGE,
				 "a sweep of one setting has no column `second`: give a second "
				 "setting to vary")
		       : cs_error_new(CS_E_USAGE, "'%s' is measured only along a path: add --path",
				 cs_whatif_number_name(key - NUMBERS));
}

/* ---- the budget: upper bounds of numbers ---- */

struct bound {
	size_t key;
	double most;
};

typedef CS_VEC(struct bound) bounds;

/* Parses "KEY=MOST". Returns false if the text has another form or the key is unknown. */
static bool read_bound(const char *text, size_t n, struct bound *ret)
{
	char name[64];
	const char *equals = memchr(text, '=', n);
	size_t length = equals ? (size_t)(equals - text) : sizeof(name);
	if (length >= sizeof(name))
		return false;
	memcpy(name, text, length);
	name[length] = '\0';
	ret->key = find_key(name);
	return ret->key != SIZE_MAX && cs_double_parse(equals + 1, n - length - 1, &ret->most);
}

static struct cs_error *read_budget(const struct cs_sweep_options *options, bounds *ret)
{
	const char *budget = options->budget;
	struct cs_item item;
	while (cs_next_item(&budget, &item)) {
		struct bound bound;
		if (!read_bound(item.at, item.n, &bound))
			return cs_error_new(CS_E_USAGE,
				"'%.*s' must have the form KEY=MOST, where KEY is a column of "
				"`whatif` and MOST a number",
				(int)item.n, item.at);
		struct cs_error *error = check_measured(options, bound.key);
		if (error)
			return error;
		if (!cs_vec_push(ret, bound))
			return cs_error_nomem();
	}
	return NULL;
}

static void judge(const bounds *budget, struct cs_sweep *sweep, size_t key)
{
	sweep->best = SIZE_MAX;
	sweep->most = 0;
	for (size_t i = 0; i < sweep->n; i++) {
		struct cs_sweep_row *row = &sweep->rows[i];
		row->number = sweep_number_of(row, key);
		row->within = true;
		for (size_t k = 0; k < budget->n; k++)
			row->within = row->within &&
				      sweep_number_of(row, budget->at[k].key) <= budget->at[k].most;
		sweep->most = fmax(sweep->most, row->number);
		if (row->within && !isnan(row->number) &&
			(sweep->best == SIZE_MAX || row->number < sweep->rows[sweep->best].number))
			sweep->best = i;
	}
	if (sweep->best != SIZE_MAX)
		sweep->rows[sweep->best].best = true;
}

/* ---- trying all combinations of values ---- */

static double sweep_value_at(const struct cs_sweep_range *range, size_t step, size_t steps)
{
	return range->first + (range->last - range->first) * (double)step / (double)(steps - 1);
}

static struct cs_error *try_row(
	struct cs_whatif *whatif, const struct cs_sweep_options *options, struct cs_sweep_row *row)
{
	enum { ROOM = 400 };
	char text[CS_SWEEP_RANGES][ROOM];
	const char *const changes[] = {text[0], text[1]};
	for (size_t i = 0; i < options->n_ranges; i++)
		if (snprintf(text[i], ROOM, "%s=%.17g", options->ranges[i].name, row->values[i]) >=
			ROOM)
			return cs_error_new(CS_E_USAGE,
				"the name and value of a setting to sweep have more than %d "
				"bytes: %.60s...",
				ROOM - 1, options->ranges[i].name);
	return cs_whatif_try(whatif, changes, options->n_ranges, options->path, &row->counts);
}

static struct cs_error *try_all(
	struct cs_whatif *whatif, const struct cs_sweep_options *options, struct cs_sweep *sweep)
{
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < sweep->n; i++) {
		struct cs_sweep_row *row = &sweep->rows[i];
		const size_t steps[] = {i / sweep->across, i % sweep->across};
		for (size_t k = 0; k < CS_SWEEP_RANGES; k++)
			row->values[k] = k < options->n_ranges ? sweep_value_at(&options->ranges[k],
									 steps[k], options->steps)
							       : NAN;
		error = cs_job_check(whatif->job);
		if (!error)
			error = try_row(whatif, options, row);
	}
	return error;
}

/* Returns the measure to minimise: the requested one, or "peak_bytes" with a path, else "cost". */
static const char *sweep_key_of(const struct cs_sweep_options *options)
{
	return options->best ? options->best : options->path ? "peak_bytes" : "cost";
}

static struct cs_error *check(const struct cs_sweep_options *options)
{
	const char *key = sweep_key_of(options);
	if (options->n_ranges < 1 || options->n_ranges > CS_SWEEP_RANGES)
		return cs_error_new(CS_E_USAGE, "a sweep varies one or two settings, not %zu",
			options->n_ranges);
	if (options->steps < 2 || options->steps > CS_SWEEP_STEPS)
		return cs_error_new(CS_E_USAGE,
			"the number of steps of a sweep must be 2 to %u, not %zu",
			(unsigned)CS_SWEEP_STEPS, options->steps);
	return find_key(key) != SIZE_MAX
		       ? NULL
		       : cs_error_new(CS_E_USAGE,
				 "a sweep has no column '%s'; its columns are value, second and "
				 "those of `whatif`",
				 key);
}

static struct cs_error *run_sweep(struct cs_whatif *whatif, const struct cs_sweep_options *options,
	const bounds *budget, struct cs_sweep *ret)
{
	struct cs_sweep sweep = {.key = sweep_key_of(options),
		.down = options->steps,
		.across = options->n_ranges > 1 ? options->steps : 1};
	sweep.n = sweep.down * sweep.across;
	sweep.rows = calloc(sweep.n, sizeof(*sweep.rows));
	struct cs_error *error = sweep.rows ? try_all(whatif, options, &sweep) : cs_error_nomem();
	if (error) {
		free(sweep.rows);
		return error;
	}
	judge(budget, &sweep, find_key(sweep.key));
	*ret = sweep;
	return NULL;
}

struct cs_error *cs_sweep(
	struct cs_whatif *whatif, const struct cs_sweep_options *options, struct cs_sweep *ret)
{
	struct cs_sweep_options own;
	bounds budget = {0};
	struct cs_error *error = cs_options_read(options, sizeof(own), &own, sizeof(own));
	if (!error)
		error = check(&own);
	if (!error)
		error = read_budget(&own, &budget);
	if (!error)
		error = run_sweep(whatif, &own, &budget, ret);
	cs_vec_free(&budget);
	return error;
}
