/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fits the load model to a real run: chooses its four parameters so that the durations of loading,
 * showing and hiding agree for each visit (one stay of a cell in memory). Each guess is tested by
 * simulating the whole run, so that waits for bandwidth and for time slices of frames are simulated
 * and do not distort the parameters. First all magnitudes of the parameters are tried, then the
 * Gauss-Newton method improves the best guess: the run is simulated with each parameter changed,
 * which gives slopes, and the normal equations give the next guess. Visits of every second cell are
 * held out of the fit; the goodness of the fit is measured on them.
 *
 * Bandwidth is fitted as its inverse, because durations are linear in it.
 *
 * The log shows states only at the end of a frame, so many values of a parameter explain one
 * duration equally well. Cells differ in bytes and actors, and each restricts the parameters
 * differently: the guesses that explain all cells form a small region. The result is the middle of
 * this region; its extent is reported too, as the uncertainty.
 */
#include "runs/real_walk.h"

#include <string.h>

enum { FIT_NUMBERS = 4, FIT_ROUNDS = 8, FIT_MAGNITUDES = 12, FIT_DOUBLINGS = 9, FIT_HALVINGS = 6 };

enum { FIT_LATENCY, FIT_BANDWIDTH, FIT_SHOW, FIT_HIDE };

static const struct {
	const char *variable;
	/* `step`: smallest change of the number whose effect on the durations is measured */
	double least, most, step;
} fit_numbers[FIT_NUMBERS] = {
	[FIT_LATENCY] = {"sim.Latency", 0, 1e6, 40},
	/* inverse of the variable: seconds per megabyte */
	[FIT_BANDWIDTH] = {"sim.Bandwidth", 1e-6, 1e3, .001},
	[FIT_SHOW] = {"sim.ShowPerActor", 0, 1e4, .2},
	[FIT_HIDE] = {"sim.HidePerActor", 0, 1e4, .2},
};

enum fit_duration { FIT_LOADING, FIT_SHOWING, FIT_HIDING, FIT_DURATIONS };

struct fit_work {
	const struct cs_stream *model;
	const struct cs_real_path *path;
	const struct cs_job *job;
	const struct cs_real_walk *real;
	bool uses_all; /* whether to count also the visits that were held out of the fit */
	/*
	 * least and largest value of each parameter in the guesses whose error fit_meets() accepted
	 */
	double low[FIT_NUMBERS], high[FIT_NUMBERS];
};

static double fit_duration_of(const struct cs_real_visit *visit, enum fit_duration kind)
{
	if (kind == FIT_LOADING)
		return (visit->loaded - visit->begin) * 1e3;
	return kind == FIT_SHOWING ? (visit->visible - visit->showing) * 1e3
				   : (visit->hidden - visit->hiding) * 1e3;
}

/*
 * Returns the visit in `walk` that corresponds to `visit` of another walk: the visit with the same
 * number of the same cell. Returns NULL when there is none.
 */
static const struct cs_real_visit *fit_partner(
	const struct cs_real_walk *walk, const struct cs_real_visit *visit)
{
	uint32_t at = walk->first[visit->cell];
	for (uint32_t i = 1; at != CS_NONE && i < visit->order; i++)
		at = walk->visits.at[at].next;
	return at == CS_NONE ? NULL : &walk->visits.at[at];
}

static double fit_of_scale(size_t number, double value)
{
	return number == FIT_BANDWIDTH ? 1 / value : value;
}

/*
 * Simulates the run with these parameters. Stores in `ret` the duration of each visit (period in
 * which a cell was loaded) in milliseconds, in the order of the recorded visits; NAN if the
 * simulation lacks the visit.
 */
static struct cs_error *fit_walk(
	struct fit_work *work, const double numbers[FIT_NUMBERS], double *ret)
{
	struct cs_real_value values[FIT_NUMBERS];
	struct cs_real_walk walk;
	struct cs_error *error = cs_real_walk_init(work->real->n_cells, &walk);
	if (error)
		return error;
	for (size_t i = 0; i < FIT_NUMBERS; i++)
		values[i] = (struct cs_real_value){
			fit_numbers[i].variable, fit_of_scale(i, numbers[i])};
	error = cs_real_walk_simulated(
		work->model, work->path, values, FIT_NUMBERS, work->job, &walk);
	for (size_t i = 0; !error && i < work->real->visits.n; i++) {
		const struct cs_real_visit *partner = fit_partner(&walk, &work->real->visits.at[i]);
		for (int k = 0; k < FIT_DURATIONS; k++)
			ret[i * FIT_DURATIONS + (size_t)k] =
				partner ? fit_duration_of(partner, (enum fit_duration)k)
					: (double)NAN;
	}
	cs_real_walk_deinit(&walk);
	return error;
}

static bool fit_is_held_out(const struct cs_real_visit *visit)
{
	return visit->cell % 2;
}

/*
 * Returns the simulated minus the real duration in milliseconds, or NAN if the real one is unknown.
 * If the simulation did not load the cell, its duration counts as 0.
 */
static double fit_off(double real, double simulated)
{
	return (isnan(simulated) ? 0 : simulated) - real;
}

/*
 * Returns the error of a guess of the parameters: the sum of absolute differences between the real
 * and simulated durations of the selected visits (stays of a cell in memory). Squares are not used,
 * because one visit at a different time would outweigh all others.
 */
static double fit_miss(const struct fit_work *work, const double *durations)
{
	double sum = 0;
	for (size_t i = 0; i < work->real->visits.n; i++) {
		const struct cs_real_visit *visit = &work->real->visits.at[i];
		const bool counts = work->uses_all || !fit_is_held_out(visit);
		for (int k = 0; k < FIT_DURATIONS && counts; k++) {
			const double off = fit_off(fit_duration_of(visit, (enum fit_duration)k),
				durations[i * FIT_DURATIONS + (size_t)k]);
			sum += isnan(off) ? 0 : fabs(off);
		}
	}
	return sum;
}

/* Solves a * x = b (Gauss-Jordan, no pivots); x replaces b, 0 where the diagonal is near 0. */
static void fit_solve(double a[FIT_NUMBERS][FIT_NUMBERS], double b[FIT_NUMBERS])
{
	for (size_t i = 0; i < FIT_NUMBERS; i++) {
		if (!(a[i][i] > 1e-9)) {
			for (size_t k = 0; k < FIT_NUMBERS; k++)
				a[i][k] = a[k][i] = 0;
			a[i][i] = 1;
			b[i] = 0;
		}
	}
	for (size_t i = 0; i < FIT_NUMBERS; i++)
		for (size_t k = 0; k < FIT_NUMBERS; k++) {
			if (k == i || a[i][i] == 0)
				continue;
			const double factor = a[k][i] / a[i][i];
			for (size_t m = 0; m < FIT_NUMBERS; m++)
				a[k][m] -= factor * a[i][m];
			b[k] -= factor * b[i];
		}
	for (size_t i = 0; i < FIT_NUMBERS; i++)
		b[i] = a[i][i] != 0 ? b[i] / a[i][i] : 0;
}

/*
 * Computes the Gauss-Newton step: the change of the parameters that would make predicted and
 * measured durations equal if the predictions were linear in the parameters. `at` are the
 * predictions for the current parameters, moved[j] those with parameter j increased by steps[j].
 */
static void fit_change(const struct fit_work *work, const double *at, double *const *moved,
	const double steps[FIT_NUMBERS], double ret[FIT_NUMBERS])
{
	double a[FIT_NUMBERS][FIT_NUMBERS] = {{0}};
	memset(ret, 0, FIT_NUMBERS * sizeof(*ret));
	for (size_t i = 0; i < work->real->visits.n * FIT_DURATIONS; i++) {
		const struct cs_real_visit *visit = &work->real->visits.at[i / FIT_DURATIONS];
		const double off =
			fit_duration_of(visit, (enum fit_duration)(i % FIT_DURATIONS)) - at[i];
		double slopes[FIT_NUMBERS], sum = 0;
		for (size_t j = 0; j < FIT_NUMBERS; j++)
			sum += slopes[j] = (moved[j][i] - at[i]) / steps[j];
		if (isnan(off) || isnan(sum) || fit_is_held_out(visit))
			continue;
		for (size_t j = 0; j < FIT_NUMBERS; j++) {
			ret[j] += slopes[j] * off;
			for (size_t k = 0; k < FIT_NUMBERS; k++)
				a[j][k] += slopes[j] * slopes[k];
		}
	}
	fit_solve(a, ret);
}

static struct cs_error *fit_slopes(struct fit_work *work, const double numbers[FIT_NUMBERS],
	double steps[FIT_NUMBERS], double *const *moved)
{
	struct cs_error *error = NULL;
	for (size_t j = 0; !error && j < FIT_NUMBERS; j++) {
		double other[FIT_NUMBERS];
		memcpy(other, numbers, sizeof(other));
		steps[j] = fmax(fit_numbers[j].step, numbers[j] * .25);
		other[j] += steps[j];
		error = fit_walk(work, other, moved[j]);
	}
	return error;
}

/*
 * Adds `change` to the parameters in `numbers`, within their limits, if that reduces the error. If
 * so, stores the new error in *best and the simulated durations in `at`.
 */
static struct cs_error *fit_try(struct fit_work *work, double numbers[FIT_NUMBERS],
	const double change[FIT_NUMBERS], double *at, double *trial, double *best)
{
	double next[FIT_NUMBERS];
	for (size_t j = 0; j < FIT_NUMBERS; j++)
		next[j] = fmin(
			fmax(numbers[j] + change[j], fit_numbers[j].least), fit_numbers[j].most);
	struct cs_error *error = fit_walk(work, next, trial);
	const double miss = error ? INFINITY : fit_miss(work, trial);
	if (miss >= *best)
		return error;
	*best = miss;
	memcpy(numbers, next, sizeof(next));
	memcpy(at, trial, work->real->visits.n * FIT_DURATIONS * sizeof(*at));
	return NULL;
}

/*
 * Adds `change`, or a half, quarter or eighth of it, to `numbers`, whichever first reduces the
 * error.
 */
static struct cs_error *fit_step(struct fit_work *work, double numbers[FIT_NUMBERS],
	double change[FIT_NUMBERS], double *at, double *trial, double *best)
{
	const double before = *best;
	struct cs_error *error = NULL;
	for (int i = 0; !error && i < 4 && *best >= before; i++) {
		error = fit_try(work, numbers, change, at, trial, best);
		for (size_t j = 0; j < FIT_NUMBERS; j++)
			change[j] /= 2;
	}
	return error;
}

/*
 * Tries FIT_MAGNITUDES values of the parameter `inner`, each twice the previous one, combined with
 * such values of `outer` if the two differ, because the gradient search that follows finds only the
 * nearest minimum. `rows` contains the simulated durations for the best parameters so far.
 */
static struct cs_error *fit_scan(struct fit_work *work, double numbers[FIT_NUMBERS], double *rows,
	size_t outer, size_t inner)
{
	static const double first[FIT_NUMBERS] = {5, 1.0 / 512, .01, .01};
	const size_t n = work->real->visits.n * FIT_DURATIONS;
	double best = fit_miss(work, rows);
	struct cs_error *error = NULL;
	for (int i = 0; i < (outer == inner ? 1 : FIT_MAGNITUDES); i++)
		for (int k = 0; !error && k < FIT_MAGNITUDES; k++) {
			double change[FIT_NUMBERS] = {0};
			change[outer] = ldexp(first[outer], i) - numbers[outer];
			change[inner] = ldexp(first[inner], k) - numbers[inner];
			error = fit_try(work, numbers, change, rows, rows + n, &best);
		}
	return error;
}

/*
 * Tries values of several magnitudes for the quantities to fit: those of latency and bandwidth in
 * combination, because they depend on each other; those of showing and hiding alone, because they
 * hardly affect loading.
 */
static struct cs_error *fit_scans(struct fit_work *work, double numbers[FIT_NUMBERS], double *rows)
{
	struct cs_error *error = fit_scan(work, numbers, rows, FIT_SHOW, FIT_SHOW);
	if (!error)
		error = fit_scan(work, numbers, rows, FIT_BANDWIDTH, FIT_LATENCY);
	if (!error)
		error = fit_scan(work, numbers, rows, FIT_SHOW, FIT_SHOW);
	return error ? error : fit_scan(work, numbers, rows, FIT_HIDE, FIT_HIDE);
}

static struct cs_error *fit_rounds(struct fit_work *work, double numbers[FIT_NUMBERS], double *rows)
{
	const size_t n = work->real->visits.n * FIT_DURATIONS;
	double *at = rows, *trial = rows + n, steps[FIT_NUMBERS], change[FIT_NUMBERS];
	double *const moved[FIT_NUMBERS] = {rows + 2 * n, rows + 3 * n, rows + 4 * n, rows + 5 * n};
	struct cs_error *error = fit_walk(work, numbers, at);
	if (!error)
		error = fit_scans(work, numbers, rows);
	double best = error ? 0 : fit_miss(work, at);
	for (int i = 0; !error && i < FIT_ROUNDS && best > 0; i++) {
		const double before = best;
		error = fit_slopes(work, numbers, steps, moved);
		if (error)
			break;
		fit_change(work, at, moved, steps, change);
		error = fit_step(work, numbers, change, at, trial, &best);
		if (best >= before)
			break;
	}
	return error;
}

/*
 * Changes single parameters, or latency and bandwidth together, by 40 %, 20 % ... as long as that
 * reduces the error. The slopes of fit_rounds() do not help here: durations are whole frames, so
 * small changes of a parameter change the error in steps.
 */
static struct cs_error *fit_polish(struct fit_work *work, double numbers[FIT_NUMBERS], double *rows)
{
	static const double parts[] = {.4, .2, .1, .05, .02, .01, .2, .1, .05, .02, .01, .005};
	static const signed char ways[][FIT_NUMBERS] = {{1, 0, 0, 0}, {-1, 0, 0, 0}, {0, 1, 0, 0},
		{0, -1, 0, 0}, {1, -1, 0, 0}, {-1, 1, 0, 0}, {1, -4, 0, 0}, {-1, 4, 0, 0},
		{0, 0, 1, 0}, {0, 0, -1, 0}, {0, 0, 0, 1}, {0, 0, 0, -1}};
	const size_t n = work->real->visits.n * FIT_DURATIONS;
	double best = fit_miss(work, rows), before = INFINITY;
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < CS_COUNT_OF(parts) && best > 0; i += !(best < before)) {
		before = best;
		for (size_t j = 0; !error && j < CS_COUNT_OF(ways); j++) {
			double change[FIT_NUMBERS];
			for (size_t k = 0; k < FIT_NUMBERS; k++)
				change[k] = numbers[k] * parts[i] * ways[j][k];
			error = fit_try(work, numbers, change, rows, rows + n, &best);
		}
	}
	return error;
}

/* ---- middle of the region of parameters that fit ---- */

/*
 * Tests whether the error at numbers + t * way is <= `limit`; if so, extends the range from
 * work->low to work->high to these parameters.
 */
static struct cs_error *fit_meets(struct fit_work *work, const double numbers[FIT_NUMBERS],
	const double way[FIT_NUMBERS], double t, double limit, double *trial, bool *ret)
{
	double next[FIT_NUMBERS];
	for (size_t j = 0; j < FIT_NUMBERS; j++)
		next[j] = numbers[j] + t * way[j];
	struct cs_error *error = fit_walk(work, next, trial);
	*ret = !error && fit_miss(work, trial) <= limit;
	for (size_t j = 0; *ret && j < FIT_NUMBERS; j++) {
		work->low[j] = fmin(work->low[j], next[j]);
		work->high[j] = fmax(work->high[j], next[j]);
	}
	return error;
}

/* Returns the largest t for which all parameters in numbers + t * way are within their limits. */
static double fit_room(const double numbers[FIT_NUMBERS], const double way[FIT_NUMBERS])
{
	double room = INFINITY;
	for (size_t j = 0; j < FIT_NUMBERS; j++) {
		const double end = way[j] < 0 ? fit_numbers[j].least : fit_numbers[j].most;
		if (way[j] != 0)
			room = fmin(room, fmax((end - numbers[j]) / way[j], 0));
	}
	return room;
}

/* Returns in *ret the largest t for which the error of numbers + t * way is at most `limit`. */
static struct cs_error *fit_edge(struct fit_work *work, const double numbers[FIT_NUMBERS],
	const double way[FIT_NUMBERS], double limit, double *trial, double *ret)
{
	const double room = fit_room(numbers, way);
	double inside = 0, t = fmin(.01, room);
	bool meets = room > 0;
	struct cs_error *error = NULL;
	for (int i = 0; !error && meets && inside < room && i < FIT_DOUBLINGS; i++) {
		error = fit_meets(work, numbers, way, t, limit, trial, &meets);
		inside = meets ? t : inside;
		t = meets ? fmin(2 * t, room) : t;
	}
	for (int i = 0; !error && !meets && room > 0 && i < FIT_HALVINGS; i++) {
		const double middle = (inside + t) / 2;
		bool good;
		error = fit_meets(work, numbers, way, middle, limit, trial, &good);
		*(good ? &inside : &t) = middle;
	}
	*ret = inside;
	return error;
}

/* Moves the parameters along `way` to the middle of the range in which the error is <= `limit`. */
static struct cs_error *fit_centre(struct fit_work *work, double numbers[FIT_NUMBERS],
	const double way[FIT_NUMBERS], double limit, double *trial)
{
	double back[FIT_NUMBERS], ahead = 0, behind = 0;
	for (size_t j = 0; j < FIT_NUMBERS; j++)
		back[j] = -way[j];
	struct cs_error *error = fit_edge(work, numbers, way, limit, trial, &ahead);
	if (!error)
		error = fit_edge(work, numbers, back, limit, trial, &behind);
	for (size_t j = 0; !error && j < FIT_NUMBERS; j++)
		numbers[j] += way[j] * (ahead - behind) / 2;
	return error;
}

/*
 * Moves each parameter to the middle of the range in which the error stays below a limit. The limit
 * exceeds the error of the best guess, because random differences remain even with true parameters.
 */
static struct cs_error *fit_centres(
	struct fit_work *work, double numbers[FIT_NUMBERS], double *trial)
{
	work->uses_all = true;
	memcpy(work->low, numbers, sizeof(work->low));
	memcpy(work->high, numbers, sizeof(work->high));
	struct cs_error *error = fit_walk(work, numbers, trial);
	const double best = error ? 0 : fit_miss(work, trial);
	const double limit = best + best / sqrt((double)work->real->visits.n) + 1e-6;
	for (size_t j = 0; !error && j < FIT_NUMBERS; j++) {
		double way[FIT_NUMBERS] = {0};
		way[j] = fmax(numbers[j], fit_numbers[j].step);
		error = fit_centre(work, numbers, way, limit, trial);
	}
	return error;
}

/*
 * Returns the goodness of fit for the visits that were held out of the fit: 1 - residual / variance
 * of their durations; NAN when the durations are all equal. *n_ret receives the number of these
 * visits.
 */
static double fit_goodness(const struct fit_work *work, const double *at, int kind, int64_t *n_ret)
{
	double sum = 0, squares = 0, missed = 0;
	int64_t n = 0;
	for (size_t i = 0; i < work->real->visits.n; i++) {
		const struct cs_real_visit *visit = &work->real->visits.at[i];
		const double real = fit_duration_of(visit, (enum fit_duration)kind);
		const double off = fit_off(real, at[i * FIT_DURATIONS + (size_t)kind]);
		if (isnan(off) || !fit_is_held_out(visit))
			continue;
		n++;
		sum += real;
		squares += real * real;
		missed += off * off;
	}
	*n_ret = n;
	const double variance = n ? squares - sum * sum / (double)n : 0;
	return variance > 1e-6 ? 1 - missed / variance : (double)NAN;
}

static struct cs_error *fit_tell(struct cs_real *real, struct fit_work *work,
	const double before[FIT_NUMBERS], double numbers[FIT_NUMBERS], double *rows)
{
	static const int kinds[FIT_NUMBERS] = {FIT_LOADING, FIT_LOADING, FIT_SHOWING, FIT_HIDING};
	struct cs_real_fit fits[FIT_NUMBERS];
	/* The goodness is computed before fit_centres(), which also uses the held-out visits. */
	for (size_t i = 0; i < FIT_NUMBERS; i++) {
		fits[i] = (struct cs_real_fit){
			.variable = fit_numbers[i].variable, .before = fit_of_scale(i, before[i])};
		fits[i].goodness = fit_goodness(work, rows, kinds[i], &fits[i].held_out);
		fits[i].fits = fits[i].goodness > .5;
	}
	struct cs_error *error = fit_centres(work, numbers, rows);
	real->fits.n = 0;
	for (size_t i = 0; !error && i < FIT_NUMBERS; i++) {
		const double low = fit_of_scale(i, work->low[i]);
		const double high = fit_of_scale(i, work->high[i]);
		fits[i].after = fit_of_scale(i, numbers[i]);
		fits[i].low = fmin(low, high);
		fits[i].high = fmax(low, high);
		if (!cs_vec_push(&real->fits, fits[i]))
			error = cs_error_nomem();
	}
	return error;
}

static struct cs_error *fit_real(struct cs_real *real, struct fit_work *work)
{
	double before[FIT_NUMBERS], numbers[FIT_NUMBERS];
	const size_t n = work->real->visits.n * FIT_DURATIONS;
	double *rows = calloc(n + 1, (FIT_NUMBERS + 2) * sizeof(*rows));
	if (!rows)
		return cs_error_nomem();
	for (size_t i = 0; i < FIT_NUMBERS; i++) {
		const double value = cs_stream_variable(
			work->model, cs_stream_find_variable(fit_numbers[i].variable))
					     .number;
		before[i] = fit_of_scale(i, value > 0 || i != FIT_BANDWIDTH ? value : 1e6);
	}
	memcpy(numbers, before, sizeof(numbers));
	struct cs_error *error = fit_rounds(work, numbers, rows);
	if (!error)
		error = fit_polish(work, numbers, rows);
	if (!error)
		error = fit_tell(real, work, before, numbers, rows);
	free(rows);
	return error;
}

static struct cs_error *real_fit_apply(const struct cs_real *real, struct cs_stream *stream)
{
	struct cs_error *error = NULL;
	for (size_t i = 0; !error && i < real->fits.n; i++)
		if (real->fits.at[i].fits)
			error = cs_real_set_variable(
				stream, real->fits.at[i].variable, real->fits.at[i].after);
	return error;
}

struct cs_error *cs_real_fit(struct cs_real *real, struct cs_stream *model, bool dry,
	const double *offset, const struct cs_job *job)
{
	struct cs_real_walk told = {0};
	struct cs_real_path path;
	struct cs_error *error = cs_real_path_new(real, &path);
	if (error)
		return error;
	error = cs_real_walk_init((uint32_t)cs_stream_world(model, 0).cooked->n_cells, &told);
	if (!error)
		error = cs_real_walk_real(
			real, cs_stream_world(model, 0).cooked, path.file, offset, &told);
	struct fit_work work = {.model = model, .path = &path, .job = job, .real = &told};
	if (!error)
		error = fit_real(real, &work);
	cs_real_walk_deinit(&told);
	cs_path_free(path.path);
	return error || dry ? error : real_fit_apply(real, model);
}
