/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares a real run with its simulation: the n-th real visit of a cell (period in which the cell
 * is loaded) with its n-th simulated visit. The delay of the real visit has four phases,
 * each measured as real minus simulated time: until the load is requested, loading, waiting to be
 * shown, being shown. The longest phase is the cause. Rows are sorted by severity: first cells that
 * never became visible, then by delay.
 */
#include "runs/real_walk.h"

#include "core/search.h"
#include "core/sort.h"

#include <stddef.h>

/* Converts seconds to milliseconds, rounded to 0.001 ms, the precision of the files. */
static double pair_ms(double seconds)
{
	return round(seconds * 1e6) / 1e3;
}

static double pair_excess(double real_from, double real_to, double sim_from, double sim_to)
{
	return pair_ms((real_to - real_from) - (sim_to - sim_from));
}

static const char *pair_never(const struct cs_real_visit *real)
{
	if (!real || (isnan(real->begin) && isnan(real->loaded) && isnan(real->showing) &&
			     !real->failed))
		return "never asked for";
	if (real->failed)
		return "failed to load";
	if (isnan(real->loaded) && isnan(real->showing))
		return "never loaded";
	return "never shown";
}

static const char *pair_cause(const struct cs_real_pair *pair)
{
	static const char *const causes[] = {
		"asked for late", "slow to load", "waited to be shown", "slow to show"};
	const double parts[] = {pair->ask, pair->load, pair->wait, pair->show};
	size_t most = CS_COUNT_OF(parts);
	if (!(pair->late > 0))
		return "in time";
	for (size_t i = 0; i < CS_COUNT_OF(parts); i++)
		if (!isnan(parts[i]) && (most == CS_COUNT_OF(parts) || parts[i] > parts[most]))
			most = i;
	return most == CS_COUNT_OF(parts) ? "its phases are not recorded" : causes[most];
}

static void pair_times(struct cs_real_pair *pair, const struct cs_real_visit *real,
	const struct cs_real_visit *sim)
{
	pair->late = pair_ms(real->visible - sim->visible);
	pair->ask = pair_ms(real->begin - sim->begin);
	pair->load = pair_excess(real->begin, real->loaded, sim->begin, sim->loaded);
	pair->wait = pair_excess(real->loaded, real->showing, sim->loaded, sim->showing);
	pair->show = pair_excess(real->showing, real->visible, sim->showing, sim->visible);
}

static bool compare_pair(struct cs_real_reader *reader, const struct cs_stream *model,
	const struct cs_real_visit *real, const struct cs_real_visit *sim, uint32_t file)
{
	const struct cs_cooked *world = cs_stream_world(model, 0).cooked;
	const struct cs_real_visit *either = real ? real : sim;
	const double none = (double)NAN;
	struct cs_real_pair pair = {.late = none,
		.ask = none,
		.load = none,
		.wait = none,
		.show = none,
		.real = real ? real->visible : none,
		.simulated = sim ? sim->visible : none,
		.visit = either->order,
		.file = file == CS_NONE ? 0 : reader->real->files.at[file].name,
		.line = real ? real->line : -1};
	if (real && sim)
		pair_times(&pair, real, sim);
	const bool wanted = sim && !isnan(sim->visible);
	const char *cause = pair_cause(&pair);
	if (wanted && (!real || isnan(real->visible)))
		cause = pair_never(real);
	else if (!wanted)
		cause = real && !isnan(real->visible) ? "not simulated" : "shown in neither";
	pair.never = wanted && (!real || isnan(real->visible));
	pair.cause = cs_real_keep_z(reader, cause);
	pair.cell = cs_real_keep_z(reader, cs_cooked_cell_name(world, either->cell));
	if (sim && sim->reason)
		pair.reason = cs_real_keep_z(reader, cs_word(CS_WORDS_REASON, sim->reason)->name);
	return !reader->real->no_memory && cs_vec_push(&reader->real->pairs, pair);
}

static bool compare_visits(struct cs_real_reader *reader, const struct cs_stream *model,
	const struct cs_real_walk *real, const struct cs_real_walk *sim, uint32_t cell)
{
	uint32_t r = real->first[cell], s = sim->first[cell];
	bool good = true;
	while (good && (r != CS_NONE || s != CS_NONE)) {
		const struct cs_real_visit *left = r == CS_NONE ? NULL : &real->visits.at[r];
		const struct cs_real_visit *right = s == CS_NONE ? NULL : &sim->visits.at[s];
		good = compare_pair(reader, model, left, right, real->file);
		r = left ? left->next : CS_NONE;
		s = right ? right->next : CS_NONE;
	}
	return good;
}

static int pair_by_badness(const void *left_at, const void *right_at, void *context)
{
	const struct cs_real_pair *left = left_at, *right = right_at;
	const double l = isnan(left->late) ? -INFINITY : left->late;
	const double r = isnan(right->late) ? -INFINITY : right->late;
	(void)context;
	if (left->never != right->never)
		return left->never ? -1 : 1;
	return l > r ? -1 : l < r;
}

/* ---- number of visible cells in each frame ---- */

/* Returns the index of the first frame that ends at `time` or later. */
static size_t strip_frame(const struct cs_real *real, double time)
{
	const size_t n = real->moments.n;
	return cs_lower_bound(0, n, i, real->moments.at[i].time < time);
}

/*
 * For each visit (period in which a cell was loaded), adds 1 to the counter of the frame where its
 * cell becomes visible, and subtracts 1 from the counter of the frame where the cell stops being
 * visible. `member` is the offset of the counter in a frame's row.
 */
static void strip_add(struct cs_real *real, const struct cs_real_walk *walk, size_t member)
{
	for (size_t i = 0; i < walk->visits.n; i++) {
		const struct cs_real_visit *visit = &walk->visits.at[i];
		if (isnan(visit->visible))
			continue;
		const size_t from = strip_frame(real, visit->visible);
		const double end = isnan(visit->hiding) ? visit->hidden : visit->hiding;
		const size_t to = isnan(end) ? real->moments.n : strip_frame(real, end);
		if (from < real->moments.n)
			++*(int64_t *)((char *)&real->moments.at[from] + member);
		if (to < real->moments.n)
			--*(int64_t *)((char *)&real->moments.at[to] + member);
	}
	for (size_t i = 1; i < real->moments.n; i++)
		*(int64_t *)((char *)&real->moments.at[i] + member) +=
			*(int64_t *)((char *)&real->moments.at[i - 1] + member);
}

static struct cs_error *compare_strips(struct cs_real *real, const struct cs_real_path *path,
	const struct cs_real_walk *told, const struct cs_real_walk *walked)
{
	const struct cs_path_key *keys;
	const size_t n = cs_path_keys(path->path, &keys);
	const struct cs_path_frame *frames = cs_path_frames(path->path);
	real->moments.n = 0;
	if (!cs_vec_reserve(&real->moments, n))
		return cs_error_nomem();
	for (size_t i = 0; i < n; i++)
		real->moments.at[real->moments.n++] =
			(struct cs_real_moment){.frame = (int64_t)i + 1,
				.time = path->start + keys[i].time,
				.ms = (double)frames[i].length_ns / 1e6};
	strip_add(real, told, offsetof(struct cs_real_moment, real));
	strip_add(real, walked, offsetof(struct cs_real_moment, simulated));
	return NULL;
}

static struct cs_real_sums sum_pairs(const struct cs_real *real)
{
	struct cs_real_sums sum = {0};
	for (size_t i = 0; i < real->pairs.n; i++) {
		const double late = real->pairs.at[i].late;
		sum.never += real->pairs.at[i].never;
		sum.late += late > 0;
		sum.latest = late > sum.latest ? late : sum.latest;
	}
	return sum;
}

/*
 * Returns the seconds between the frames of the path and the states of cells that the real run
 * recorded; 0 if the two periods overlap.
 */
static double compare_apart(const struct cs_real_path *path, const struct cs_real_walk *told)
{
	const struct cs_path_key *keys;
	const size_t n = cs_path_keys(path->path, &keys);
	const double begin = path->start, end = begin + keys[n - 1].time;
	double first = INFINITY, last = -INFINITY;
	for (size_t i = 0; i < told->visits.n; i++) {
		const struct cs_real_visit *visit = &told->visits.at[i];
		const double times[] = {visit->begin, visit->loaded, visit->showing, visit->visible,
			visit->hiding, visit->hidden};
		for (size_t k = 0; k < CS_COUNT_OF(times); k++) {
			first = fmin(first, times[k]);
			last = fmax(last, times[k]);
		}
	}
	return first > end ? first - end : last < begin ? begin - last : 0;
}

struct cs_error *cs_real_compare(struct cs_real *real, const struct cs_stream *model,
	const double *offset, const struct cs_job *job, struct cs_real_sums *ret)
{
	struct cs_real_reader reader = {.real = real};
	struct cs_real_walk told = {0}, walked = {0};
	struct cs_real_path path;
	const struct cs_cooked *world = cs_stream_world(model, 0).cooked;
	const uint32_t n = (uint32_t)world->n_cells;
	struct cs_error *error = cs_real_path_new(real, &path);
	if (error)
		return error;
	real->pairs.n = 0;
	error = cs_real_walk_init(n, &told);
	if (!error)
		error = cs_real_walk_init(n, &walked);
	if (!error)
		error = cs_real_walk_real(real, world, path.file, offset, &told);
	if (!error)
		error = cs_real_walk_simulated(model, &path, NULL, 0, job, &walked);
	for (uint32_t i = 0; !error && i < n; i++)
		if (!(cs_cooked_cell(world, i)->flags & CS_CELL_ALWAYS_LOADED) &&
			!compare_visits(&reader, model, &told, &walked, i))
			error = cs_error_nomem();
	if (!error && !cs_sort(real->pairs.at, real->pairs.n, sizeof(*real->pairs.at),
			      pair_by_badness, NULL))
		error = cs_error_nomem();
	if (!error)
		error = compare_strips(real, &path, &told, &walked);
	if (!error && ret) {
		*ret = sum_pairs(real);
		ret->unknown_cells = told.unknown;
		ret->apart = compare_apart(&path, &told);
	}
	real->no_memory = false;
	cs_real_walk_deinit(&told);
	cs_real_walk_deinit(&walked);
	cs_path_free(path.path);
	return error;
}
