/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Divides islands of flattened triangles into charts without overlapping triangles.
 *
 * Overlapping pairs are found with a grid for each size of triangle. A triangle is stored in the
 * grid with the smallest cells that are no smaller than the triangle, in the cell of its box's
 * lower left corner. It is compared with triangles of this grid and of grids with larger cells.
 * Then charts grow along shared edges and exclude triangles that overlap them. An island is crowded
 * when finding its pairs takes too long (thousands of triangles around one corner, or on top of
 * each other): its charts have at most CROWD triangles, and a triangle joins a chart after a
 * comparison with each of them. So the comparisons for each triangle are at most MOST_VISITS for
 * pairs, and CROWD for each of its three edges.
 *
 * Invariant: a chart is connected, and the interiors of no two of its triangles overlap by more
 * than rounding, which is DEPTH times the size of the smaller one.
 */
#include "mesh/lightmap/charts.h"

#include "core/job.h"
#include "core/scratch.h"
#include "core/vec.h"
#include "mesh/edges.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	CROWD = 256, /* largest number of triangles in a chart of a crowded island */
	/*
	 * An island of n triangles is crowded when it has more than MOST_PAIRS * n + SOME pairs of
	 * overlapping triangles, or when finding them takes more than MOST_VISITS * n + SOME tests.
	 */
	MOST_VISITS = 512,
	MOST_PAIRS = 16,
	SOME = 1 << 14,
	/* number of grids. The cells of each grid are half as wide as those of the grid before */
	LEVELS = 24,
};
#define DEPTH 1e-7

struct flat_box {
	float low[2], high[2];
};

struct pair {
	uint32_t one, other; /* indices of two triangles that overlap */
};

struct divider {
	const struct cs_islands *islands;
	const uint32_t *members; /* triangles of the current island, in ascending order */
	uint32_t n_members, island;
	/*
	 * hash table of grid cells: the first index in the cell of each slot (heads). For each
	 * index in `members`, its box, cell, grid (levels) and the next index in its cell (next)
	 */
	struct flat_box *boxes;
	uint64_t *cells;
	uint32_t *heads, *next;
	uint8_t *levels;
	size_t mask;
	uint32_t levels_used; /* bit L is set when a triangle is in grid L */
	float low[2];
	double widest; /* side of the cells of grid 0 */
	uint64_t visits_left;
	bool crowded, lacks_memory;
	CS_VEC(struct pair) pairs;
	/*
	 * linked lists of the pairs of each triangle. `last` is the newest entry of a triangle, and
	 * `before` the entry before an entry. Entries are numbered from 1, and 0 means none
	 */
	uint32_t *last, *before;
	/* working memory while a chart grows */
	uint32_t *queue;
	uint32_t *chart_of, *n_charts;
	struct cs_scratch scratch; /* the memory of the arrays that divider_init() makes */
};

/* ---- overlap of two triangles ---- */

bool cs_flat_is_thin(const float at[3][2])
{
	double longest = 0;
	for (int k = 0; k < 3; k++) {
		const double x = (double)at[k][0] - (double)at[(k + 1) % 3][0];
		const double y = (double)at[k][1] - (double)at[(k + 1) % 3][1];
		longest = fmax(longest, x * x + y * y);
	}
	return !(cs_flat_area(at[0], at[1], at[2]) > DEPTH * longest);
}

/* Returns whether `other` is outside an edge of `one`, or extends inside by at most `depth`. */
static bool is_outside_of(const float one[3][2], const float other[3][2], double depth)
{
	for (int k = 0; k < 3; k++) {
		const float *from = one[k], *to = one[(k + 1) % 3];
		const double most = depth * (fabs((double)to[0] - (double)from[0]) +
						    fabs((double)to[1] - (double)from[1]));
		if (cs_flat_area(from, to, other[0]) <= most &&
			cs_flat_area(from, to, other[1]) <= most &&
			cs_flat_area(from, to, other[2]) <= most)
			return true;
	}
	return false;
}

static bool boxes_meet(const struct flat_box *one, const struct flat_box *other)
{
	return one->low[0] < other->high[0] && other->low[0] < one->high[0] &&
	       one->low[1] < other->high[1] && other->low[1] < one->high[1];
}

static struct flat_box flat_box_of(const float at[3][2])
{
	struct flat_box box = {{at[0][0], at[0][1]}, {at[0][0], at[0][1]}};
	for (int corner = 1; corner < 3; corner++)
		for (int k = 0; k < 2; k++) {
			box.low[k] = fminf(box.low[k], at[corner][k]);
			box.high[k] = fmaxf(box.high[k], at[corner][k]);
		}
	return box;
}

static double box_extent(const struct flat_box *box)
{
	return fmax((double)box->high[0] - (double)box->low[0],
		(double)box->high[1] - (double)box->low[1]);
}

/* Returns whether two triangles with these bounding boxes overlap. Neither may be thin. */
static bool flats_overlap(const float one[3][2], const struct flat_box *box,
	const float other[3][2], const struct flat_box *other_box)
{
	const double depth = DEPTH * fmin(box_extent(box), box_extent(other_box));
	return boxes_meet(box, other_box) && !is_outside_of(one, other, depth) &&
	       !is_outside_of(other, one, depth);
}

/* ---- finding overlapping pairs in grids ---- */

static uint64_t cell_key(uint32_t level, int64_t x, int64_t y)
{
	return (uint64_t)level << 56 | (uint64_t)(x & 0xfffffff) << 28 | (uint64_t)(y & 0xfffffff);
}

static size_t cell_slot(const struct divider *divider, uint64_t key)
{
	key ^= key >> 33;
	key = (key & UINT32_MAX) * UINT64_C(0x9e3779b1) ^ (key >> 32) * UINT64_C(0x85ebca6b);
	return (size_t)(key ^ key >> 17) & divider->mask;
}

static int64_t flat_cell(const struct divider *divider, float value, int axis, double size)
{
	return (int64_t)floor(((double)value - (double)divider->low[axis]) / size);
}

static void grid_bounds(struct divider *divider)
{
	struct flat_box all = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
	for (uint32_t i = 0; i < divider->n_members; i++) {
		divider->boxes[i] = flat_box_of(divider->islands->at[divider->members[i]]);
		for (int k = 0; k < 2; k++) {
			all.low[k] = fminf(all.low[k], divider->boxes[i].low[k]);
			all.high[k] = fmaxf(all.high[k], divider->boxes[i].high[k]);
		}
	}
	int exponent = 0;
	frexp(box_extent(&all), &exponent);
	divider->widest = ldexp(1, exponent);
	memcpy(divider->low, all.low, sizeof(all.low));
}

static void fill_grid(struct divider *divider)
{
	divider->mask = 15;
	while (divider->mask < 2 * (size_t)divider->n_members)
		divider->mask = 2 * divider->mask + 1;
	memset(divider->heads, 0xff, (divider->mask + 1) * sizeof(*divider->heads));
	divider->levels_used = 0;
	for (uint32_t i = 0; i < divider->n_members; i++) {
		const struct flat_box *box = &divider->boxes[i];
		const double extent = box_extent(box);
		double size = divider->widest;
		uint32_t level = 0;
		for (; level + 1 < LEVELS && size / 2 >= extent; level++)
			size /= 2;
		divider->levels[i] = (uint8_t)level;
		if (cs_flat_is_thin(divider->islands->at[divider->members[i]]))
			continue;
		divider->levels_used |= 1u << level;
		divider->cells[i] = cell_key(level, flat_cell(divider, box->low[0], 0, size),
			flat_cell(divider, box->low[1], 1, size));
		uint32_t *head = &divider->heads[cell_slot(divider, divider->cells[i])];
		divider->next[i] = *head;
		*head = i;
	}
}

/*
 * Appends to `pairs` the overlaps of members[i] with the triangles of a grid cell. Returns false
 * when a limit (visits or pairs of the island) is reached or memory runs out.
 */
static bool visit_cell(struct divider *divider, uint32_t i, uint64_t key, bool same_level)
{
	const float(*at)[3][2] = divider->islands->at;
	const uint64_t most = MOST_PAIRS * (uint64_t)divider->n_members + SOME;
	uint32_t k = divider->heads[cell_slot(divider, key)];
	for (; k != CS_NONE; k = divider->next[k]) {
		if (divider->visits_left-- == 0)
			return false;
		const uint32_t one = divider->members[i], other = divider->members[k];
		if (divider->cells[k] != key || (same_level && k >= i) ||
			!flats_overlap(at[one], &divider->boxes[i], at[other], &divider->boxes[k]))
			continue;
		if (divider->pairs.n == most)
			return false;
		if (!cs_vec_push(&divider->pairs, (struct pair){one, other})) {
			divider->lacks_memory = true;
			return false;
		}
	}
	return true;
}

static bool visit_level(struct divider *divider, uint32_t i, uint32_t level)
{
	const struct flat_box *box = &divider->boxes[i];
	const double size = ldexp(divider->widest, -(int)level);
	const bool same = level == divider->levels[i];
	const int64_t last[2] = {flat_cell(divider, box->high[0], 0, size),
		flat_cell(divider, box->high[1], 1, size)};
	for (int64_t x = flat_cell(divider, box->low[0], 0, size) - 1; x <= last[0]; x++)
		for (int64_t y = flat_cell(divider, box->low[1], 1, size) - 1; y <= last[1]; y++)
			if (!visit_cell(divider, i, cell_key(level, x, y), same))
				return false;
	return true;
}

/* Finds the overlapping pairs of the island, or sets divider->crowded if it stops before all. */
static void find_overlaps(struct divider *divider)
{
	divider->pairs.n = 0;
	divider->visits_left = MOST_VISITS * (uint64_t)divider->n_members + SOME;
	divider->crowded = false;
	grid_bounds(divider);
	fill_grid(divider);
	for (uint32_t i = 0; i < divider->n_members && !divider->crowded; i++) {
		if (cs_flat_is_thin(divider->islands->at[divider->members[i]]))
			continue;
		for (uint32_t level = 0; level <= divider->levels[i]; level++)
			if (divider->levels_used & 1u << level && !divider->crowded)
				divider->crowded = !visit_level(divider, i, level);
	}
}

/* Puts each pair into the list of each of its two triangles. Returns false when memory runs out. */
static bool list_pairs(struct divider *divider)
{
	const size_t n = divider->pairs.n;
	uint32_t *before = realloc(divider->before, (2 * n + 1) * sizeof(*before));
	if (!before)
		return false;
	divider->before = before;
	for (size_t i = 0; i < n; i++) {
		const uint32_t ends[2] = {divider->pairs.at[i].one, divider->pairs.at[i].other};
		for (uint32_t k = 0; k < 2; k++) {
			before[2 * i + k] = divider->last[ends[k]];
			divider->last[ends[k]] = (uint32_t)(2 * i + k) + 1;
		}
	}
	return true;
}

/* ---- growing charts ---- */

/*
 * Returns whether a triangle may join the current chart of a crowded island, for which pairs are
 * not listed (see above). The chart consists of the first n_chart triangles of `queue`.
 */
static bool fits_crowd(const struct divider *divider, uint32_t triangle, uint32_t n_chart)
{
	const float(*at)[3][2] = divider->islands->at;
	const struct flat_box box = flat_box_of(at[triangle]);
	const bool thin = cs_flat_is_thin(at[triangle]);
	for (uint32_t i = 0; i < n_chart && n_chart < CROWD && !thin; i++) {
		const uint32_t other = divider->queue[i];
		const struct flat_box other_box = flat_box_of(at[other]);
		if (!cs_flat_is_thin(at[other]) &&
			flats_overlap(at[triangle], &box, at[other], &other_box))
			return false;
	}
	return n_chart < CROWD;
}

/* Returns whether a triangle overlaps none of the n_chart triangles of a chart. */
static bool fits_chart(
	const struct divider *divider, uint32_t triangle, uint32_t chart, uint32_t n_chart)
{
	if (divider->crowded)
		return fits_crowd(divider, triangle, n_chart);
	for (uint32_t entry = divider->last[triangle]; entry; entry = divider->before[entry - 1]) {
		const struct pair *pair = &divider->pairs.at[(entry - 1) / 2];
		if (divider->chart_of[(entry - 1) % 2 ? pair->one : pair->other] == chart)
			return false;
	}
	return true;
}

static void grow_chart(struct divider *divider, uint32_t seed)
{
	const struct cs_islands *islands = divider->islands;
	const uint32_t chart = (*divider->n_charts)++;
	uint32_t n = 0;
	divider->queue[n++] = seed;
	divider->chart_of[seed] = chart;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < 3; k++) {
			const uint32_t edge =
				cs_edge_partner(islands->opposite, 3 * divider->queue[i] + k);
			const uint32_t other = edge == CS_NONE ? CS_NONE : edge / 3;
			if (other == CS_NONE || islands->island_of[other] != divider->island ||
				divider->chart_of[other] != CS_NONE ||
				!fits_chart(divider, other, chart, n))
				continue;
			divider->chart_of[other] = chart;
			divider->queue[n++] = other;
		}
}

static bool divide_island(struct divider *divider)
{
	divider->crowded = false;
	if (divider->n_members > 1) {
		find_overlaps(divider);
		if (divider->crowded)
			divider->pairs.n = 0;
		if (divider->lacks_memory || !list_pairs(divider))
			return false;
	}
	for (uint32_t i = 0; i < divider->n_members; i++)
		if (divider->chart_of[divider->members[i]] == CS_NONE)
			grow_chart(divider, divider->members[i]);
	return true;
}

/* ---- dividing all islands ---- */

struct cs_error *cs_list_members(const uint32_t *of, uint32_t n_triangles, uint32_t n,
	uint32_t **first_ret, uint32_t **list_ret)
{
	uint32_t *first = calloc((size_t)n + 2, sizeof(*first));
	uint32_t *list = malloc(((size_t)n_triangles + 1) * sizeof(*list));
	if (!first || !list) {
		free(first);
		free(list);
		return cs_error_nomem();
	}
	for (uint32_t t = 0; t < n_triangles; t++)
		if (of[t] != CS_NONE)
			first[of[t] + 2]++;
	for (uint32_t i = 0; i < n; i++)
		first[i + 2] += first[i + 1];
	for (uint32_t t = 0; t < n_triangles; t++)
		if (of[t] != CS_NONE)
			list[first[of[t] + 1]++] = t;
	*first_ret = first;
	*list_ret = list;
	return NULL;
}

static bool divider_init(struct divider *divider, const uint32_t *first)
{
	const size_t n = (size_t)divider->islands->n_triangles + 1;
	size_t most = 0, slots = 16;
	for (uint32_t i = 0; i < divider->islands->n_islands; i++)
		most = first[i + 1] - first[i] > most ? first[i + 1] - first[i] : most;
	while (slots - 1 < 2 * most)
		slots *= 2;
	divider->boxes = CS_SCRATCH_ARRAY(&divider->scratch, struct flat_box, most + 1);
	divider->cells = CS_SCRATCH_ARRAY(&divider->scratch, uint64_t, most + 1);
	divider->next = CS_SCRATCH_ARRAY(&divider->scratch, uint32_t, most + 1);
	divider->levels = CS_SCRATCH_ARRAY(&divider->scratch, uint8_t, most + 1);
	divider->queue = CS_SCRATCH_ARRAY(&divider->scratch, uint32_t, most + 1);
	divider->heads = CS_SCRATCH_ARRAY(&divider->scratch, uint32_t, slots);
	divider->last = calloc(n, sizeof(*divider->last));
	return divider->last && !divider->scratch.failed;
}

static void divider_deinit(struct divider *divider)
{
	cs_scratch_deinit(&divider->scratch);
	free(divider->last);
	free(divider->before);
	cs_vec_free(&divider->pairs);
}

struct cs_error *cs_islands_divide(const struct cs_islands *islands, const struct cs_job *job,
	uint32_t *chart_ret, uint32_t *n_charts)
{
	struct divider divider = {.islands = islands, .chart_of = chart_ret, .n_charts = n_charts};
	uint32_t *first = NULL, *list = NULL;
	struct cs_error *error = cs_list_members(
		islands->island_of, islands->n_triangles, islands->n_islands, &first, &list);
	if (!error && !divider_init(&divider, first))
		error = cs_error_nomem();
	for (uint32_t i = 0; !error && i < islands->n_islands; i++) {
		divider.members = list + first[i];
		divider.n_members = first[i + 1] - first[i];
		divider.island = i;
		if (divider.n_members && !divide_island(&divider))
			error = cs_error_nomem();
		if (!error && i % 1024 == 0)
			error = cs_job_check(job);
	}
	divider_deinit(&divider);
	free(first);
	free(list);
	return error;
}
